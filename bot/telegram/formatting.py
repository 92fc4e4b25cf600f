"""Text of a model -> what Telegram can show: parts that fit a message, entities built by us.

Understands bold, italic, code, fences and headings; all else stays as it was written.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from telegram import MessageEntity

PART_UNITS = 3900  # below 4096, so that a note still fits under the last part
MAX_ENTITIES = 100

_FENCE = re.compile(r"\s{0,3}(?:```+|~~~+)\s*([\w+#.-]*)\s*")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*\s*")
_INLINE = re.compile(
    r"(?P<tick>`{1,2})(?P<code>[^`]+)(?P=tick)"
    r"|\*\*(?=\S)(?P<bold>.+?)(?<=\S)\*\*(?!\*)"
    r"|(?<!\w)__(?=[^\s_])(?P<strong>.+?)(?<=\S)__(?!\w)"
    r"|(?<![\w*\\])\*(?=[^\s*])(?P<italic>[^*]+?)(?<=[^\s*])\*(?![\w*])"
    r"|(?<![\w\\])_(?=[^\s_])(?P<slanted>[^_]+?)(?<=[^\s_])_(?!\w)"
)
_KINDS = {
    "code": MessageEntity.CODE,
    "bold": MessageEntity.BOLD,
    "strong": MessageEntity.BOLD,
    "italic": MessageEntity.ITALIC,
    "slanted": MessageEntity.ITALIC,
}


@dataclass(frozen=True, slots=True)
class Part:
    """What one message shows."""

    text: str
    entities: tuple[MessageEntity, ...] = ()

    def with_note(self, note: str) -> "Part":
        """The same with a line in italics below."""
        shown = self.text.rstrip()
        gap = "\n\n" if shown else ""
        mark = _entity(MessageEntity.ITALIC, width(shown + gap), width(note))
        entities = (*_clipped(self.entities, width(shown)), mark)
        return Part(f"{shown}{gap}{note}", entities)


def width(text: str) -> int:
    """The length as Telegram counts it: in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def split(text: str, limit: int = PART_UNITS) -> list[str]:
    """Pieces that fit, cut between paragraphs, lines, sentences or words; together the text."""
    pieces = []
    while width(text) > limit:
        cut = _cut(text, limit)
        pieces.append(text[:cut])
        text = text[cut:]
    return [*pieces, text]


def render(pieces: Sequence[str]) -> list[Part]:
    """Show the markup of an answer; a fence that is cut by the end of a piece goes on."""
    writer = _Writer()
    return [writer.write(piece) for piece in pieces]


def verbatim(pieces: Sequence[str]) -> list[Part]:
    """Show every character as it is, in letters of equal width."""
    return [Part(piece, (_entity(MessageEntity.PRE, 0, width(piece)),)) for piece in pieces]


def _cut(text: str, limit: int) -> int:
    end = _fitting(text, limit)
    for separator in ("\n\n", "\n", ". ", "。", " "):
        found = text.rfind(separator, end // 3, end)
        if found >= 0:
            return found + len(separator)
    return end


def _fitting(text: str, limit: int) -> int:
    units = 0
    for index, character in enumerate(text):
        units += 2 if ord(character) > 0xFFFF else 1
        if units > limit:
            return index
    return len(text)


@dataclass(slots=True)
class _Writer:
    """Goes through an answer line by line and remembers whether a fence is open."""

    fenced: bool = False
    language: str = ""
    _lines: list[str] = field(default_factory=list)
    _marks: list[MessageEntity] = field(default_factory=list)
    _units: int = 0

    def write(self, piece: str) -> Part:
        self._lines, self._marks, self._units = [], [], 0
        code_start = 0
        for line in piece.split("\n"):
            fence = _FENCE.fullmatch(line)
            if fence:
                self._close_code(code_start)
                code_start = self._units
                self.fenced, self.language = not self.fenced, fence[1]
            elif self.fenced:
                self._add(line)
            else:
                self._add_prose(line)
        self._close_code(code_start)
        marks = sorted(self._marks, key=lambda mark: (mark.offset, -mark.length))
        return Part("\n".join(self._lines), tuple(marks[:MAX_ENTITIES]))

    def _add(self, line: str) -> None:
        self._lines.append(line)
        self._units += width(line) + 1

    def _add_prose(self, line: str) -> None:
        heading = _HEADING.fullmatch(line)
        shown, marks = _inline(heading[1] if heading else line, self._units)
        if heading and shown:
            marks = [_entity(MessageEntity.BOLD, self._units, width(shown))]
        self._marks += marks
        self._add(shown)

    def _close_code(self, start: int) -> None:
        length = self._units - start - 1  # without the line break behind it
        if self.fenced and length > 0:
            language = self.language or None
            self._marks.append(MessageEntity(MessageEntity.PRE, start, length, language=language))


def _inline(line: str, offset: int) -> tuple[str, list[MessageEntity]]:
    shown = ""
    marks: list[MessageEntity] = []
    for text, kind in _runs(line):
        start = offset + width(shown)
        if kind in (None, MessageEntity.CODE):
            inner, nested = text, list[MessageEntity]()
        else:
            inner, nested = _inline(text, start)
        if kind is not None:
            marks.append(_entity(kind, start, width(inner)))
        marks += nested
        shown += inner
    return shown, marks


def _runs(line: str) -> Iterator[tuple[str, str | None]]:
    position = 0
    for found in _INLINE.finditer(line):
        if found.start() > position:
            yield line[position : found.start()], None
        group = found.lastgroup or ""
        yield found[group], _KINDS[group]
        position = found.end()
    if position < len(line):
        yield line[position:], None


def _entity(kind: str, offset: int, length: int) -> MessageEntity:
    return MessageEntity(kind, offset, length)


def _clipped(entities: Sequence[MessageEntity], units: int) -> Iterator[MessageEntity]:
    for entity in entities:
        length = min(entity.length, units - entity.offset)
        if length > 0:
            yield MessageEntity(entity.type, entity.offset, length, language=entity.language)
