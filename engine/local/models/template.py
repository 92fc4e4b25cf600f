"""Messages to token ids in the way that the checkpoint's own chat template writes them.

Ids are put together, not strings, so that nothing a person writes can become a control token; at
load the result is compared with the template itself. Knows neither pixels nor positions.
"""

from collections.abc import Sequence
from typing import Any

from transformers.utils.chat_template_utils import render_jinja_template

from engine.chat import Image, Message
from engine.errors import ModelNotUsable
from engine.local.checkpoint import Checkpoint
from engine.local.prompt import ImageSpan
from engine.local.vocabulary import Vocabulary

ALONE = "chat_template.jinja"
SAMPLE = (
    Message("system", "Answer briefly."),
    Message("user", "What is this?", images=(Image(b""), Image(b""))),
    Message("assistant", "Two cats."),
    Message("user", "And their colour?"),
)


class ChatTemplate:
    """Turns messages into ids; a picture stands before the text of its message."""

    def __init__(self, vocabulary: Vocabulary, end_ids: frozenset[int]) -> None:
        self._vocabulary = vocabulary
        self._end_ids = end_ids
        self._start = vocabulary.special("<|im_start|>")
        self._end = vocabulary.special("<|im_end|>")
        self._vision_start = vocabulary.special("<|vision_start|>")
        self._vision_end = vocabulary.special("<|vision_end|>")
        self._pad = vocabulary.special("<|image_pad|>")

    def assemble(
        self, messages: Sequence[Message], pictures: Sequence[tuple[str, tuple[int, int]]]
    ) -> tuple[list[int], list[ImageSpan]]:
        """Ids up to the head of the answer to come, and where the pictures stand.

        `pictures` are (key, grid) of all images of all messages, in order.
        """
        ids: list[int] = []
        spans: list[ImageSpan] = []
        remaining = iter(pictures)
        for message in messages:
            ids.append(self._start)
            here = [next(remaining) for _ in message.images]
            if here:
                ids += self._vocabulary.encode(f"{message.role}\n")
                self._append_pictures(ids, spans, here)
                ids += self._vocabulary.encode(message.text)
            else:
                ids += self._text_of(message)
            ids += [self._end, *self._vocabulary.encode("\n")]
        ids += [self._start, *self._vocabulary.encode("assistant\n")]
        return ids, spans

    def _append_pictures(
        self,
        ids: list[int],
        spans: list[ImageSpan],
        pictures: Sequence[tuple[str, tuple[int, int]]],
    ) -> None:
        for key, grid in pictures:
            ids.append(self._vision_start)
            span = ImageSpan(len(ids), key, grid)
            ids += [self._pad] * span.num_tokens
            ids.append(self._vision_end)
            spans.append(span)

    def _text_of(self, message: Message) -> list[int]:
        if message.token_ids:
            ended = message.token_ids[-1] in self._end_ids
            sampled = message.token_ids[:-1] if ended else message.token_ids
            return [*self._vocabulary.encode(f"{message.role}\n"), *sampled]
        return self._vocabulary.encode(f"{message.role}\n{message.text}")

    def check(self, checkpoint: Checkpoint) -> None:
        """Compare with the checkpoint's template on a sample; raises ModelNotUsable."""
        conversation = [_as_content(message) for message in SAMPLE]
        written = _render(checkpoint, _read_template(checkpoint), conversation)
        ids, _ = self.assemble(SAMPLE, [("", (1, 1))] * 2)
        names = {self._vocabulary.special(name): name for name in _special_names()}
        parts = [
            names[token].encode() if token in names else self._vocabulary.bytes_of(token)
            for token in ids
        ]
        if b"".join(parts) != written.encode(errors="replace"):
            raise ModelNotUsable(str(checkpoint.folder), "its chat template is not Qwen3-VL's")


def _special_names() -> tuple[str, ...]:
    return ("<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>")


def _as_content(message: Message) -> dict[str, Any]:
    pictures: list[dict[str, str]] = [{"type": "image"} for _ in message.images]
    return {"role": message.role, "content": [*pictures, {"type": "text", "text": message.text}]}


def _render(checkpoint: Checkpoint, template: str, conversation: list[dict[str, Any]]) -> str:
    try:
        rendered = render_jinja_template(
            conversations=[conversation], chat_template=template, add_generation_prompt=True
        )
    # A template is a program of the folder: whatever it raises, it is the folder that is odd.
    except Exception as error:
        told = " ".join(str(error).split())
        raise ModelNotUsable(
            str(checkpoint.folder), f"its chat template fails ({type(error).__name__}: {told})"
        ) from error
    written: str = rendered[0][0]
    return written


def _read_template(checkpoint: Checkpoint) -> str:
    alone = checkpoint.folder / ALONE
    if alone.is_file():
        try:
            return alone.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise ModelNotUsable(str(checkpoint.folder), f"{ALONE} is no text") from error
    for name in ("chat_template.json", "tokenizer_config.json"):
        template = checkpoint.optional_json(name).get("chat_template")
        if isinstance(template, str):
            return template
    raise ModelNotUsable(str(checkpoint.folder), "chat_template.json is missing")
