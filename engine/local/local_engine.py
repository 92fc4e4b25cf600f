"""The engine on this machine: asyncio on this side, the model thread on the other.

The event loop never waits for torch: prompts are built on a helper thread, steps run on the
model's own thread, and deltas cross back through the loop.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Self

from engine.base import Engine
from engine.chat import Delta, Message, SamplingParams
from engine.config import EngineConfig
from engine.cores import granted_bytes
from engine.errors import EngineStopped, PromptTooLong, QuestionTooLong, QueueFull
from engine.local.allotment import Allotment
from engine.local.answer_cache import AnswerCache
from engine.local.checkpoint import Checkpoint
from engine.local.foresight import Foresight
from engine.local.hardware import use_threads
from engine.local.hub import locate
from engine.local.inference_thread import InferenceThread
from engine.local.model_runner import ModelRunner
from engine.local.models.base import VisionLanguageModel
from engine.local.models.registry import load_model
from engine.local.prompt import Prompt
from engine.local.recall import Recall, open_archive, scope_of
from engine.local.retrying import with_one_retry
from engine.local.sequence import Sequence as Request
from engine.local.stream import stream
from engine.naming import about, name_of
from engine.window import bounded


class LocalEngine(Engine):
    """Runs a model of a known family with torch."""

    def __init__(self, config: EngineConfig) -> None:
        self._config = config
        self._answers = AnswerCache(config.num_answers_kept)
        self._model_pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")
        self._prompt_pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="prompt")
        self._thread: InferenceThread | None = None
        self._model: VisionLanguageModel | None = None
        self._foresight = Foresight(self._build_prompt, self._read_ahead)
        self._most_tokens: int | None = None
        self._recall: Recall | None = None
        self._num_open = 0

    @property
    def model_id(self) -> str:
        """The configured name, without the folders above it."""
        return name_of(self._config)

    @property
    def about(self) -> str:
        """One sentence for people."""
        return about(self._config)

    async def __aenter__(self) -> Self:
        """Load the weights on the model's thread and start it."""
        loop = asyncio.get_running_loop()
        try:
            runner = await loop.run_in_executor(self._model_pool, self._load)
        except BaseException:
            self._model_pool.shutdown(wait=False)
            raise
        self._model = runner.model
        self._thread = InferenceThread(runner, self._config.max_running)
        self._loop_ended = loop.run_in_executor(self._model_pool, self._thread.run)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End every answer, then the thread."""
        self._foresight.close()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.close()
            await self._loop_ended
        if self._recall is not None:
            await asyncio.to_thread(self._recall.close)
        self._model_pool.shutdown(wait=False)
        self._prompt_pool.shutdown(wait=False, cancel_futures=True)

    def _load(self) -> ModelRunner:
        config = self._config
        use_threads(config.cpu_threads)
        folder = locate(config)
        model = load_model(folder, config)
        granted = granted_bytes(config.memory_gib)
        allotment = Allotment.of(config, Checkpoint(folder).num_bytes, granted)
        self._most_tokens = allotment.most_tokens(model.kv_shape.bytes_per_token)
        archive = open_archive(config, folder, model.kv_shape, model.formats)
        recall = self._recall = Recall(archive, model.kv_shape, allotment)
        return ModelRunner(model, recall.sessions, recall.features, config.max_draft_tokens)

    async def generate(
        self, messages: Sequence[Message], params: SamplingParams, session_id: str
    ) -> AsyncIterator[Delta]:
        """Answer the last message; see Engine.generate."""
        started_at = time.perf_counter()
        self._admit()
        self._foresight.drop(session_id)
        answer = partial(self._answer, params, session_id, started_at)
        try:
            tokens = self._config.question_image_tokens
            async for delta in with_one_retry(answer, messages, tokens):
                yield delta
        finally:
            self._num_open -= 1

    async def _answer(
        self, params: SamplingParams, session_id: str, begun: float, messages: Sequence[Message]
    ) -> AsyncIterator[Delta]:
        scope, prompt = scope_of(session_id), await self._build_prompt(messages)
        limit = self._context_tokens() - len(prompt)
        params = replace(params, max_tokens=min(params.max_tokens, limit))
        known = self._answers.get(scope, prompt, params) if params.greedy else None
        if known is not None:
            yield known.told_again(prompt, time.perf_counter() - begun)
            return
        await self._restore(session_id, prompt)
        async for delta in self._run(prompt, params, session_id, begun):
            self._answers.note(scope, prompt, params, delta)
            self._foresight.after(messages, delta, session_id)
            yield delta

    async def prepare(self, messages: Sequence[Message], session_id: str) -> None:
        """Read in what the next question begins with; see Engine.prepare."""
        if self._thread is not None:
            await self._foresight.prepare(messages, session_id)

    async def forget(self, session_id: str) -> None:
        """Drop what is kept of a session and its chat's pictures and answers."""
        self._foresight.drop(session_id)
        self._answers.forget(scope_of(session_id))
        if self._thread is not None:
            self._thread.forget(session_id)
            if self._recall is not None:
                self._thread.call(partial(self._recall.forget, session_id))

    def _admit(self) -> None:
        if self._thread is None:
            raise EngineStopped
        num_waiting = self._num_open - self._config.max_running
        if num_waiting >= self._config.max_waiting:
            raise QueueFull(num_waiting)
        self._num_open += 1

    def _context_tokens(self) -> int:
        assert self._model is not None
        limits = (self._config.context_tokens, self._model.max_context_tokens, self._most_tokens)
        return min(limit for limit in limits if limit is not None)

    async def _build_prompt(self, messages: Sequence[Message]) -> Prompt:
        prompt, limit = await self._build(bounded(messages)), self._context_tokens()
        if len(prompt) < limit:
            return prompt
        newest = prompt if len(messages) == 1 else await self._build(messages[-1:])
        if len(newest) < limit:
            raise PromptTooLong(len(prompt), limit)
        raise QuestionTooLong(len(newest), limit)

    async def _build(self, messages: Sequence[Message]) -> Prompt:
        assert self._model is not None
        return await asyncio.get_running_loop().run_in_executor(
            self._prompt_pool,
            self._model.build_prompt,
            messages,
            self._config.question_image_tokens,
        )

    async def _restore(self, session_id: str, prompt: Prompt) -> None:
        thread, recall = self._thread, self._recall
        if thread is None or recall is None:
            return
        loop, pool = asyncio.get_running_loop(), self._prompt_pool
        for command in await loop.run_in_executor(pool, recall.restore, session_id, prompt):
            thread.call(command)

    def _run(
        self, prompt: Prompt, params: SamplingParams, session_id: str, started_at: float
    ) -> AsyncIterator[Delta]:
        thread, model = self._thread, self._model
        if thread is None or model is None:
            raise EngineStopped
        return stream(
            thread,
            lambda deliver: Request(
                prompt, params, session_id, model=model, deliver=deliver, started_at=started_at
            ),
        )

    def _read_ahead(self, prompt: Prompt, session_id: str) -> None:
        thread, model = self._thread, self._model
        if thread is None or model is None:
            return
        request = Request(
            prompt,
            SamplingParams(max_tokens=1),
            session_id,
            model=model,
            deliver=lambda item: None,
            started_at=time.perf_counter(),
            is_ahead=True,
        )
        thread.prepare(request)
