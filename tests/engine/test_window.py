"""Five turns, then the newest three, and the picture always."""

import pytest

from engine.chat import Image, Message
from engine.window import bounded, num_dropped, will_be_cut

PHOTO = Image(b"photo")
OTHER = Image(b"other")


def conversation(num_turns: int, photo_turn: int = 0) -> list[Message]:
    messages: list[Message] = []
    for turn in range(num_turns):
        images = (PHOTO,) if turn == photo_turn else ()
        messages += [Message("user", f"q{turn}", images), Message("assistant", f"a{turn}")]
    return messages[:-1]


@pytest.mark.parametrize(
    ("num_turns", "dropped"),
    [(1, 0), (5, 0), (6, 2), (7, 2), (8, 4), (9, 4), (10, 6), (101, 96)],
)
def test_number_of_dropped_turns(num_turns: int, dropped: int) -> None:
    assert num_dropped(num_turns) == dropped


@pytest.mark.parametrize("num_turns", range(1, 30))
def test_never_more_than_five_turns(num_turns: int) -> None:
    kept = [m for m in bounded(conversation(num_turns)) if m.role == "user"]
    assert min(num_turns, 4) <= len(kept) <= 5
    assert kept[-1].text == f"q{num_turns - 1}"


def test_sixth_question_keeps_three_turns_and_picture() -> None:
    kept = bounded(conversation(6))
    assert [m.text for m in kept] == ["q2", "a2", "q3", "a3", "q4", "a4", "q5"]
    assert kept[0].images == (PHOTO,)


def test_picture_of_a_kept_turn_stays_there() -> None:
    kept = bounded(conversation(6, photo_turn=3))
    assert [len(m.images) for m in kept] == [0, 0, 1, 0, 0, 0, 0]


def test_dropped_pictures_come_first() -> None:
    messages = conversation(6)
    messages[4] = Message("user", "q2", (OTHER,))
    assert bounded(messages)[0].images == (PHOTO, OTHER)


def test_system_message_stays() -> None:
    system = Message("system", "Be brief.")
    assert bounded([system, *conversation(7)])[0] == system


def test_short_conversation_is_unchanged() -> None:
    assert bounded(conversation(5)) == conversation(5)


@pytest.mark.parametrize("num_turns", range(1, 12))
def test_cut_is_foreseen(num_turns: int) -> None:
    kept = bounded(conversation(num_turns))
    following = bounded(conversation(num_turns + 1))
    assert will_be_cut(conversation(num_turns)) == (following[: len(kept)] != kept)
