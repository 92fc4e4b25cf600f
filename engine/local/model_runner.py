"""One step for several sequences: their next tokens in, a sampled id or more each out.

Brings features and caches together with the model. Knows no threads and no order of requests.
"""

from collections.abc import Sequence as Many

import torch

from engine.local.encoder import Encoder
from engine.local.encoder_cache import EncoderCache
from engine.local.lookup import ROW_COST
from engine.local.models.base import Chunk, VisionLanguageModel
from engine.local.sequence import Sequence, Status
from engine.local.session import SessionPool

# Long prompts go in pieces, so that a stop is heard; in short ones while somebody's answer is
# written, which stands still for so many tokens at most.
PIECE_TOKENS = 512
SHORT_PIECE_TOKENS = 128
# Up to here a step is bound by reading the weights, and further rows are cheap.
CHEAP_ROWS = 16


class ModelRunner:
    """A model with what it remembers: features of pictures and sessions."""

    def __init__(
        self,
        model: VisionLanguageModel,
        sessions: SessionPool,
        encoder_cache: EncoderCache,
        max_draft_tokens: int,
    ) -> None:
        self.model = model
        self._sessions = sessions
        self._encoder = Encoder(model, encoder_cache)
        self._max_draft_tokens = max_draft_tokens

    def admit(self, sequence: Sequence) -> bool:
        """Give a request its cache, with what its session already knows of the prompt.

        False if there is no room for it beside those that run.
        """
        if not self._sessions.fits(sequence.most_tokens):
            return False
        find = self._sessions.branch if sequence.is_ahead else self._sessions.resume
        cache = find(sequence.session_id, sequence.prompt)
        self._sessions.lend(cache, sequence.most_tokens)
        sequence.admit(cache)
        return True

    def release(self, sequence: Sequence) -> None:
        """Take back what an ended request used, and keep it for the next question."""
        self._encoder.release(sequence)
        self._sessions.take_back(sequence.kv_cache)
        keep = self._sessions.keep_beside if sequence.is_ahead else self._sessions.keep
        keep(sequence.session_id, sequence.session())

    def discard(self, sequence: Sequence) -> None:
        """Drop what a failed request used."""
        self._encoder.release(sequence)
        self._sessions.take_back(sequence.kv_cache)

    def forget(self, session_id: str) -> None:
        """Drop a session and the pictures of its chat."""
        self._sessions.forget(session_id)
        self._encoder.forget(session_id.partition("/")[0])

    def run(self, batch: Many[Sequence]) -> None:
        """One step: each writes a token or more, or reads a piece, or sees layers of a picture."""
        num_writing = sum(not sequence.prefilling for sequence in batch)
        chunks: dict[Sequence, Chunk] = {}
        for sequence in batch:
            reading = sequence.prefilling
            chunk = (self._read_in if reading else self._write)(sequence, num_writing)
            if chunk is not None:
                chunks[sequence] = chunk
        if chunks:
            self._sessions.make_room()
            self._step(chunks)

    def _step(self, chunks: dict[Sequence, Chunk]) -> None:
        rows = self.model.forward(list(chunks.values()))
        end = 0
        for sequence, chunk in chunks.items():
            start, end = end, end + chunk.num_logits
            if sequence.prefilling:
                continue
            self._encoder.release(sequence)
            if sequence.is_ahead:
                sequence.end()
            else:
                self._take(sequence, rows[start:end], chunk.ids[len(chunk.ids) - end + start + 1 :])

    def _take(self, sequence: Sequence, logits: torch.Tensor, draft: Many[int]) -> None:
        """Sample row by row, as long as the draft says the same.

        Each row is sampled as if it had come alone, with the chance of its own place. A drafted id
        is therefore accepted with just its probability, any other comes with its own, and the
        same seed gives the same answer with and without drafts.
        """
        num_accepted = 0
        for row, drafted in zip(logits, [*draft, None], strict=True):
            token_id = sequence.sampler.sample(row, sequence.output_ids)
            sequence.append(token_id)
            if token_id != drafted or sequence.cancelled or sequence.status is Status.FINISHED:
                break
            num_accepted += 1
        sequence.accept(num_accepted)

    def _write(self, sequence: Sequence, num_writing: int) -> Chunk:
        """The newest id of an answer, and guesses at what follows it."""
        start, prompt = sequence.num_computed, sequence.prompt
        most = min(self._max_draft_tokens, (CHEAP_ROWS - num_writing) // num_writing)
        draft = sequence.draft(most, ROW_COST * num_writing) if most > 0 else []
        ids = [*sequence.output_ids[start - len(prompt) :], *draft]
        sequence.kv_cache.reserve(start + len(ids))
        first = prompt.next_position + start - len(prompt)
        positions = torch.arange(first, first + len(ids)).expand(3, -1)
        return Chunk(ids, positions, (), sequence.kv_cache, num_logits=len(ids))

    def _read_in(self, sequence: Sequence, num_writing: int) -> Chunk | None:
        """The next piece of a prompt; None as long as a picture in it is not encoded."""
        start, cache, prompt = sequence.num_computed, sequence.kv_cache, sequence.prompt
        most = SHORT_PIECE_TOKENS if num_writing else PIECE_TOKENS
        end = min(start + most, len(prompt))
        if not self._encoder.advance(sequence, start, end):
            return None
        cache.reserve(end)
        images = self._encoder.placed(sequence, start, end)
        return Chunk(prompt.ids[start:end], prompt.positions[:, start:end], images, cache)
