"""Text to token ids and back to bytes, for byte-level vocabularies.

Text of people never becomes a special token: the added tokens are taken out before it is encoded.
"""

import json

from tokenizers import Tokenizer

from engine.errors import ModelNotUsable
from engine.local.checkpoint import Checkpoint


class Vocabulary:
    """The tokens of one checkpoint."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._folder = str(checkpoint.folder)
        content = checkpoint.json("tokenizer.json")
        added = content.get("added_tokens") or []
        self._added: dict[str, int] = {token["content"]: token["id"] for token in added}
        self._added_bytes = {
            token["id"]: b"" if token["special"] else token["content"].encode() for token in added
        }
        try:
            self._plain = Tokenizer.from_str(json.dumps(content | {"added_tokens": []}))
        except Exception as error:
            raise ModelNotUsable(self._folder, "tokenizer.json is not usable") from error

    def encode(self, text: str) -> list[int]:
        """Ids of plain text; half of a surrogate pair becomes a question mark."""
        clean = text.encode("utf-8", errors="replace").decode("utf-8")
        ids: list[int] = self._plain.encode(clean, add_special_tokens=False).ids
        return ids

    def special(self, name: str) -> int:
        """The id of a token such as <|im_end|>."""
        if name not in self._added:
            raise ModelNotUsable(self._folder, f"tokenizer.json has no token {name}")
        return self._added[name]

    def bytes_of(self, token_id: int) -> bytes:
        """The bytes that a token stands for; none for a special one."""
        if token_id in self._added_bytes:
            return self._added_bytes[token_id]
        token = self._plain.id_to_token(token_id)
        if token is None:
            return b""
        return bytes(BYTE_OF_CHARACTER[character] for character in token)


def _byte_of_character() -> dict[str, int]:
    """The printable stand-ins of byte-level BPE: printable bytes stand for themselves, the others
    for the characters from U+0100 on. Source: the GPT-2 tokenizer, whose table all share."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    table = {chr(byte): byte for byte in printable}
    return table | {chr(256 + i): byte for i, byte in enumerate(others)}


BYTE_OF_CHARACTER = _byte_of_character()
