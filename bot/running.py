"""The answers under way, running or waiting: who has how many, and which are to stop.

Knows no queue: how long each waits is decided where they are answered.
"""

from collections.abc import Iterator

from bot.answers import Answer
from bot.questions import TooManyWaiting


class Running:
    """Each answer from its turn's opening to its end; one may run for a person, few may wait."""

    def __init__(self, max_waiting_each: int) -> None:
        self._most = 1 + max_waiting_each
        self._answers: dict[int, Answer] = {}

    def __len__(self) -> int:
        return len(self._answers)

    def __iter__(self) -> Iterator[Answer]:
        return iter(list(self._answers.values()))

    def __contains__(self, turn_id: int) -> bool:
        return turn_id in self._answers

    def check_room(self, asker: str) -> None:
        """Raises TooManyWaiting where a person has as many as they may have."""
        if (found := len(self.of(asker))) >= self._most:
            raise TooManyWaiting(found - 1)

    def of(self, asker: str) -> list[Answer]:
        """What a person waits for, in all chats."""
        return [answer for answer in self if answer.asker == asker]

    def add(self, answer: Answer) -> None:
        """It is under way from now on."""
        self._answers[answer.turn_id] = answer

    def discard(self, turn_id: int) -> None:
        """It has ended."""
        self._answers.pop(turn_id, None)

    def is_waiting(self, turn_id: int) -> bool:
        """Whether nobody has looked at the question of a turn."""
        return turn_id in self._answers and not self._answers[turn_id].is_taken

    def stop(self, conversation: str) -> bool:
        """Stop what a conversation has running and waiting; False if there is nothing."""
        return sum(one.stop() for one in self if one.conversation == conversation) > 0

    def stop_turn(self, turn_id: int) -> bool:
        """Stop one answer; False if it has ended."""
        return turn_id in self._answers and self._answers[turn_id].stop()
