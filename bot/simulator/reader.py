"""Reader: a place in a marked-up text; Output: the plain text and entities so far.

Both know the server's arithmetic (byte offsets in errors, UTF-16 in entities), no markup language.
"""

from bot.simulator.records import Entity
from bot.simulator.refusal import Refusal, bad_request

END = "\0"
SPACES = " \t\r\n\v\f"
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_DIGITS = {10: "0123456789", 16: "0123456789abcdefABCDEF"}


class Reader:
    """The text and where we are in it; reading past the end gives END."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0

    @property
    def done(self) -> bool:
        return self.at >= len(self.source)

    @property
    def char(self) -> str:
        return self.peek(0)

    def peek(self, ahead: int) -> str:
        place = self.at + ahead
        return self.source[place] if place < len(self.source) else END

    def until(self, stops: str) -> str:
        start = self.at
        while self.char not in stops + END:
            self.at += 1
        return self.source[start : self.at]

    def skip(self, chars: str) -> None:
        while not self.done and self.char in chars:
            self.at += 1

    def skip_line_break(self) -> None:
        """One line break, also where it is two characters."""
        if self.char in "\r\n":
            self.at += 2 if self.peek(1) in "\r\n" and self.peek(1) != self.char else 1

    def code_language(self) -> str:
        """The word after the opening of a code block, and the line break behind it."""
        begin = self.at
        language = self.until(SPACES + "`")
        if self.done or self.char == "`":
            self.at, language = begin, ""
        self.skip_line_break()
        return language

    def reference(self) -> str:
        """The character that an HTML reference stands for; "" and no step where it is none."""
        end = self.at + 1
        text = self.source + END
        if text[end] == "#":
            base, end = (16, end + 2) if text[end + 1] == "x" else (10, end + 1)
            start = end
            while text[end] in _DIGITS[base]:
                end += 1
            number = int(text[start:end] or "0", base)
            if number == 0 or number >= 0x10FFFF or end - self.at >= 10:
                return ""
            char = chr(number)
        else:
            while text[end].isascii() and text[end].isalpha():
                end += 1
            char = _NAMED.get(text[self.at + 1 : end], "")
        if char:
            self.at = end + (text[end] == ";")
        return char

    def fault_at(self, reason: str, place: int) -> Refusal:
        num_bytes = len(self.source[:place].encode("utf-8", "surrogatepass"))
        return fault(f"{reason} at byte offset {num_bytes}")


class Output:
    """Plain text with its length in UTF-16 units, and the entities found in it."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.length = 0
        self.entities: list[Entity] = []

    def write(self, char: str) -> None:
        self._pieces.append(char)
        self.length += 2 if char > "\uffff" else 1

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def since(self, offset: int) -> str:
        return self.text.encode("utf-16-le", "surrogatepass")[2 * offset :].decode("utf-16-le")


def fault(reason: str) -> Refusal:
    return bad_request(f"Can't parse entities: {reason}")
