"""Text to token ids and back to bytes, for byte-level vocabularies.

Text of people never becomes a special token: the added tokens are taken out before it is encoded.
"""

import json

from tokenizers import Tokenizer

from engine.local.checkpoint import Checkpoint
from engine.local.fields import Fields


class Vocabulary:
    """The tokens of one checkpoint."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._fields = checkpoint.fields("tokenizer.json")
        added = self._fields.objects("added_tokens")
        self._added = {token.text("content"): token.index("id") for token in added}
        self._added_bytes = {
            token.index("id"): _bytes_of_added(token.text("content"), token) for token in added
        }
        self._most = max([_check_words(self._fields.section("model")), *self._added.values()])
        written = json.dumps(self._fields.content | {"added_tokens": []})
        try:
            self._plain = Tokenizer.from_str(written)
        # The library has no class of its own for a file it cannot use: it raises Exception itself.
        except Exception as error:
            told = " ".join(str(error).split())
            raise self._fields.refused(f"tokenizers refuses it ({told})") from error

    def check_rows(self, num_rows: int) -> None:
        """Compare with the number of ids that the model has; raises ModelNotUsable."""
        if self._most >= num_rows:
            raise self._fields.refused(f"it has a token {self._most}, the model only {num_rows}")

    def encode(self, text: str) -> list[int]:
        """Ids of plain text; half of a surrogate pair becomes a question mark."""
        clean = text.encode("utf-8", errors="replace").decode("utf-8")
        ids: list[int] = self._plain.encode(clean, add_special_tokens=False).ids
        return ids

    def special(self, name: str) -> int:
        """The id of a token such as <|im_end|>."""
        if name not in self._added:
            raise self._fields.refused(f"there is no token {name}")
        return self._added[name]

    def bytes_of(self, token_id: int) -> bytes:
        """The bytes that a token stands for; none for a special one."""
        if token_id in self._added_bytes:
            return self._added_bytes[token_id]
        token = self._plain.id_to_token(token_id)
        if token is None:
            return b""
        return bytes(BYTE_OF_CHARACTER[character] for character in token)


def _bytes_of_added(content: str, token: Fields) -> bytes:
    return b"" if token.flag("special", default=False) else content.encode()


def _check_words(model: Fields) -> int:
    """The highest id of a byte-level vocabulary; raises ModelNotUsable when it is another kind."""
    words: dict[str, int] = model.section("vocab").content
    odd = set("".join(words)) - BYTE_OF_CHARACTER.keys()
    if odd:
        raise model.refused(f"vocab is not made of bytes: it has {min(odd)!a}")
    if not words or not all(type(token_id) is int and token_id >= 0 for token_id in words.values()):
        raise model.refused("vocab does not give every word a number")
    return max(words.values())


def _byte_of_character() -> dict[str, int]:
    """The printable stand-ins of byte-level BPE: printable bytes stand for themselves, the others
    for the characters from U+0100 on. Source: the GPT-2 tokenizer, whose table all share."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    table = {chr(byte): byte for byte in printable}
    return table | {chr(256 + i): byte for i, byte in enumerate(others)}


BYTE_OF_CHARACTER = _byte_of_character()
