"""An answer that is written by hand, and the chat in which it appears."""

import asyncio
from dataclasses import dataclass, field

from telegram import Bot

from bot.answers import Answer
from bot.telegram.outbox import Outbox
from bot.telegram.previews import DraftPolicy
from bot.telegram.reply import LiveReply
from bot.telegram.strays import Strays
from bot.telegram.target import GROUP_PACE_S, PRIVATE_PACE_S, Target
from bot.telegram.writer import ChatWriter
from engine import Delta, EngineError, FinishReason
from storage import Turn, TurnStatus
from tests.bot.telegram.clockwork import HandClock, settle
from tests.bot.telegram.offline import RecordingRequest

PRIVATE = Target(chat_id=7, topic=None, reply_to=5, pace_s=PRIVATE_PACE_S)
GROUP = Target(chat_id=-100, topic=3, reply_to=5, pace_s=GROUP_PACE_S)


def turn(task: str = "ask", photo_ids: tuple[str, ...] = ("p",)) -> Turn:
    return Turn(
        turn_id=1,
        conversation="telegram:7/0/7",
        asker="7",
        task=task,
        question="?",
        photo_ids=photo_ids,
        parent_id=None,
        answer="",
        answer_ids=(),
        model_id="",
        status=TurnStatus.OPEN,
        seed=0,
        created_at=0.0,
    )


@dataclass
class Stage:
    """An answer that is written by hand, and the chat in which it appears."""

    bot: Bot
    clock: HandClock
    calls: RecordingRequest
    links: list[tuple[int, str]] = field(default_factory=list)
    script: asyncio.Queue[Delta | EngineError | None] = field(default_factory=asyncio.Queue)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    policy: DraftPolicy = field(default_factory=DraftPolicy)
    answer: Answer = field(init=False)

    async def begin(
        self, target: Target = PRIVATE, *, task: str = "ask", hint: str = "", into: int = 0
    ) -> None:
        self.answer = Answer(turn(task), hint=hint)
        self.answer.begin(self._write(self.answer), done=lambda: None)
        writer = ChatWriter(self.bot, target, Outbox(self.clock), Strays(self.bot, self.clock))
        reply = LiveReply(self.answer, writer, self.clock, self._link, policy=self.policy)
        if into:
            reply.take_over((into,))
        self.tasks.append(asyncio.create_task(reply.stream()))
        await settle()

    async def write(self, *pieces: Delta | EngineError | str) -> None:
        for piece in pieces:
            self.script.put_nowait(Delta(piece) if isinstance(piece, str) else piece)
        await settle()

    async def end(self, reason: FinishReason = FinishReason.STOP) -> None:
        await self.write(Delta(finish_reason=reason))
        self.script.put_nowait(None)
        await self.clock.advance(60)
        await self.tasks[0]

    async def _write(self, answer: Answer) -> None:
        status = TurnStatus.FAILED
        try:
            while (piece := await self.script.get()) is not None:
                if isinstance(piece, EngineError):
                    raise piece
                answer.push(piece)
            status = TurnStatus.ANSWERED
        except asyncio.CancelledError:
            status = TurnStatus.STOPPED
        finally:
            answer.seal(status)

    async def _link(self, turn_id: int, ref: str) -> None:
        self.links.append((turn_id, ref))
