"""Token ids to text as they come, never half a character."""

import codecs
from collections.abc import Callable


class Detokenizer:
    """The text of one answer: holds back the first bytes of a character until it is whole."""

    def __init__(self, bytes_of: Callable[[int], bytes]) -> None:
        self._bytes_of = bytes_of
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def push(self, token_id: int) -> str:
        """The characters that this token completes; a special token has none."""
        return self._decoder.decode(self._bytes_of(token_id))

    def flush(self) -> str:
        """What is left at the end, with U+FFFD for half a character."""
        return self._decoder.decode(b"", final=True)
