"""Who is next, who is told what, and who is gone."""

import torch

from engine.chat import Delta, SamplingParams
from engine.errors import EngineError
from engine.local.kv_cache import KVCache, KVShape
from engine.local.models.base import VisionLanguageModel
from engine.local.prompt import Prompt, positions_of
from engine.local.scheduler import Scheduler
from engine.local.sequence import Sequence, Status

SHAPE = KVShape(1, 1, 1, torch.float32, torch.device("cpu"))
Heard = list[Delta | EngineError]


def request(
    model: VisionLanguageModel,
    session_id: str,
    heard: Heard | None = None,
    *,
    num_ids: int = 3,
    is_ahead: bool = False,
) -> Sequence:
    positions, following = positions_of(num_ids, [])
    prompt = Prompt(tuple(range(num_ids)), positions, following, (), ())
    listen = heard if heard is not None else []
    return Sequence(
        prompt,
        SamplingParams(),
        session_id,
        model=model,
        deliver=listen.append,
        started_at=0.0,
        is_ahead=is_ahead,
    )


def test_conversations_take_turns(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=1)
    waiting = [request(model, name) for name in ("a", "a", "a", "b", "c")]
    for sequence in waiting:
        scheduler.add(sequence)
    order: list[Sequence] = []
    while len(order) < len(waiting):
        order += scheduler.admit()
        scheduler.running.clear()
    assert [waiting.index(sequence) for sequence in order] == [0, 3, 4, 1, 2]


def test_place_is_told_when_it_changes(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=1)
    heard: Heard = []
    for sequence in (request(model, "a"), request(model, "b"), request(model, "c", heard)):
        scheduler.add(sequence)
    scheduler.admit()
    scheduler.admit()
    scheduler.running.clear()
    scheduler.admit()
    assert heard == [Delta(place=2), Delta(place=1)]


def test_one_prompt_is_read_in_at_a_time(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=3)
    for name in "abc":
        scheduler.add(request(model, name))
    admitted = scheduler.admit()
    for sequence in admitted:
        sequence.admit(KVCache(model.kv_shape))
    assert scheduler.batch() == admitted[:1]


def test_busy_conversation_waits_behind_an_idle_one(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=2)
    busy = [request(model, "a") for _ in range(4)]
    for sequence in busy:
        scheduler.add(sequence)
    assert scheduler.admit() == busy[:2]
    late = request(model, "b")
    scheduler.add(late)
    busy[0].status = Status.FINISHED
    scheduler.take_ended()
    assert scheduler.admit() == [late]
    assert [busy[2].place, busy[3].place] == [1, 2]


def read_in(scheduler: Scheduler, sequence: Sequence, num_ids: int) -> None:
    assert scheduler.batch() == [sequence]
    sequence.kv_cache.reserve(sequence.num_computed + num_ids)
    sequence.kv_cache.advance(num_ids)


def admitted(scheduler: Scheduler, sequence: Sequence) -> Sequence:
    scheduler.add(sequence)
    assert scheduler.admit() == [sequence]
    sequence.admit(KVCache(SHAPE))
    return sequence


def test_short_prompt_passes_a_long_one(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=3)
    long = admitted(scheduler, request(model, "a", num_ids=2000))
    read_in(scheduler, long, 128)
    short = admitted(scheduler, request(model, "b", num_ids=128))
    read_in(scheduler, short, 127)
    read_in(scheduler, short, 1)
    short.status = Status.FINISHED
    scheduler.take_ended()
    read_in(scheduler, long, 128)


def test_long_prompt_is_not_passed_for_ever(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=2)
    long = admitted(scheduler, request(model, "a", num_ids=1280))
    num_passed = 0
    while True:
        short = admitted(scheduler, request(model, "b", num_ids=64))
        if scheduler.batch() == [long]:
            break
        num_passed += 1
        short.status = Status.FINISHED
        scheduler.take_ended()
    assert num_passed == 10


def test_cancelled_ones_leave_the_line(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=1)
    first, second = request(model, "a"), request(model, "b")
    scheduler.add(first)
    scheduler.add(second)
    scheduler.admit()
    first.cancel()
    second.cancel()
    assert scheduler.take_ended() == [first]
    assert scheduler.admit() == []


def test_finished_ones_are_taken_once(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=1)
    scheduler.add(request(model, "a"))
    [sequence] = scheduler.admit()
    sequence.status = Status.FINISHED
    assert scheduler.take_ended() == [sequence]
    assert scheduler.take_ended() == []


def test_everything_can_be_taken(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=1)
    waiting = [request(model, name) for name in ("a", "b", "b")]
    for sequence in waiting:
        scheduler.add(sequence)
    scheduler.admit()
    assert scheduler.take_all() == waiting
    assert scheduler.admit() == []


def begun(scheduler: Scheduler) -> list[Sequence]:
    admitted = scheduler.admit()
    for sequence in admitted:
        sequence.admit(KVCache(SHAPE))
    return admitted


def test_ahead_is_read_while_nobody_asks(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=2)
    ahead = [request(model, name, is_ahead=True) for name in "ab"]
    asked = request(model, "c")
    for sequence in ahead:
        scheduler.add_ahead(sequence)
    scheduler.add(asked)
    assert begun(scheduler) == [asked]
    assert begun(scheduler) == []
    asked.status = Status.FINISHED
    scheduler.take_ended()
    for sequence in ahead:
        assert begun(scheduler) == [sequence]
        sequence.end()
        assert scheduler.take_ended() == [sequence]
    assert scheduler.is_idle


def test_ahead_gives_way_and_goes_on(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=1)
    ahead, asked = request(model, "a", is_ahead=True), request(model, "b")
    scheduler.add_ahead(ahead)
    assert begun(scheduler) == [ahead]
    assert scheduler.take_ended() == []
    scheduler.add(asked)
    assert scheduler.take_ended() == [ahead]
    assert begun(scheduler) == [asked]
    asked.status = Status.FINISHED
    scheduler.take_ended()
    assert begun(scheduler) == [ahead]


def test_question_ends_what_was_read_ahead_for_it(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=1)
    ahead, asked = request(model, "a", is_ahead=True), request(model, "a")
    scheduler.add_ahead(ahead)
    begun(scheduler)
    scheduler.add(asked)
    assert scheduler.take_ended() == [ahead]
    assert begun(scheduler) == [asked]
    asked.status = Status.FINISHED
    scheduler.take_ended()
    assert scheduler.is_idle


def test_newest_of_a_conversation_is_read_ahead(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=1)
    ahead = [request(model, name, is_ahead=True) for name in ("a", "b", "a", *"cdefghi")]
    for sequence in ahead:
        scheduler.add_ahead(sequence)
    order: list[Sequence] = []
    while not scheduler.is_idle:
        order += begun(scheduler)
        order[-1].end()
        scheduler.take_ended()
    assert [sequence.session_id for sequence in order] == list("acdefghi")
    assert order[0] is ahead[2]


def test_who_does_not_fit_waits_and_is_told(model: VisionLanguageModel) -> None:
    scheduler = Scheduler(max_running=3)
    heard: Heard = []
    first, second = request(model, "a"), request(model, "b", heard)
    for sequence in (first, second):
        scheduler.add(sequence)
    assert scheduler.admit(lambda sequence: sequence is first) == [first]
    assert heard == [Delta(place=1)]
    assert scheduler.admit() == [second]
