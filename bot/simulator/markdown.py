"""MarkdownV2 of the Bot API, with the server's own error texts."""

from dataclasses import dataclass

from bot.simulator.entities import in_order
from bot.simulator.links import emoji_id, link_entity
from bot.simulator.reader import Output, Reader, fault
from bot.simulator.records import Entity, Formatted
from bot.simulator.refusal import Refusal

_RESERVED = "_*[]()~`>#+-=|{}.!\n"
# How the server's errors call each type.
_NAMES = {
    "bold": "Bold",
    "italic": "Italic",
    "underline": "Underline",
    "strikethrough": "Strikethrough",
    "spoiler": "Spoiler",
    "code": "Code",
    "pre": "Pre",
    "text_link": "TextUrl",
    "custom_emoji": "CustomEmoji",
    "blockquote": "BlockQuote",
    "expandable_blockquote": "ExpandableBlockQuote",
}
_OPENING = (
    ("__", "underline"),
    ("_", "italic"),
    ("*", "bold"),
    ("~", "strikethrough"),
    ("||", "spoiler"),
    ("![", "custom_emoji"),
    ("[", "text_link"),
    ("```", "pre"),
    ("`", "code"),
)
_CLOSING = {
    "underline": "__",
    "italic": "_",
    "bold": "*",
    "strikethrough": "~",
    "spoiler": "||",
    "custom_emoji": "]",
    "text_link": "]",
    "pre": "```",
    "code": "`",
}


@dataclass(frozen=True, slots=True)
class _Open:
    type: str
    offset: int
    place: int
    language: str = ""


class _MarkdownV2:
    """Reads one text from left to right; what is open lies on a stack."""

    def __init__(self, source: str) -> None:
        self._reader = Reader(source)
        self._out = Output()
        self._stack: list[_Open] = []
        self._quoting = False

    def parse(self) -> Formatted:
        reader = self._reader
        while not reader.done:
            char = reader.char
            if char == "\\" and "\0" < reader.peek(1) <= "~":
                reader.at += 1
                self._write()
            elif char not in ("`" if self._top in {"code", "pre"} else _RESERVED):
                self._write()
            elif self._at_end():
                self._close()
            else:
                self._begin()
        if self._quoting and self._top == "blockquote":
            self._close_quote()
        if self._stack:
            raise self._unclosed()
        return Formatted(self._out.text, in_order(self._out.entities))

    @property
    def _top(self) -> str:
        return self._stack[-1].type if self._stack else ""

    def _write(self) -> None:
        self._out.write(self._reader.char)
        self._reader.at += 1

    def _looking_at(self, mark: str) -> bool:
        return self._reader.source.startswith(mark, self._reader.at)

    def _at_end(self) -> bool:
        if not self._stack:
            return False
        if self._quoting and self._reader.char == "\n" and self._reader.peek(1) != ">":
            return True
        if self._quoting and self._looking_at("||") and self._reader.peek(2) in "\n\0":
            return self._top == "blockquote" or self._top == "spoiler"
        if self._top == "italic" and self._looking_at("__"):
            return False
        return self._top != "blockquote" and self._looking_at(_CLOSING[self._top])

    def _begin(self) -> None:
        reader, place = self._reader, self._reader.at
        if reader.char == "\n":
            self._write()
            if reader.char == ">" and not reader.done:
                reader.at += 1
                self._open_quote(place)
            return
        if self._at_quote():
            reader.at += 1 if reader.char == ">" else 3
            self._open_quote(place)
            return
        kind = next((kind for mark, kind in _OPENING if self._looking_at(mark)), "")
        if not kind:
            char = reader.char
            raise fault(
                f"Character '{char}' is reserved and must be escaped with the preceding '\\'"
            )
        reader.at += len(next(mark for mark, name in _OPENING if name == kind))
        language = reader.code_language() if kind == "pre" else ""
        self._stack.append(_Open(kind, self._out.length, place, language))

    def _at_quote(self) -> bool:
        if self._looking_at("**>"):
            return self._reader.at == 0 or self._reader.source[self._reader.at - 1] == "\n"
        return self._reader.at == 0 and self._reader.char == ">"

    def _open_quote(self, place: int) -> None:
        if not self._quoting:
            self._quoting = True
            self._stack.append(_Open("blockquote", self._out.length, place))

    def _close(self) -> None:
        if self._top == "blockquote":
            folded = self._looking_at("||")
            self._reader.at += 2 if folded else 0
            self._close_quote("expandable_blockquote" if folded else "blockquote")
            return
        if self._reader.char == "\n":
            raise self._unclosed()
        opened = self._stack.pop()
        self._reader.at += len(_CLOSING[opened.type])
        length = self._out.length - opened.offset
        entity: Entity | None
        if opened.type == "text_link":
            inner = self._out.since(opened.offset)
            url = self._address() if self._reader.char == "(" else inner
            entity = link_entity(url, opened.offset, length)
        elif opened.type == "custom_emoji":
            if self._reader.char != "(":
                raise fault("Custom emoji entity must contain a tg://emoji URL")
            number = emoji_id(self._address("custom emoji "))
            entity = Entity(opened.type, opened.offset, length, custom_emoji_id=number)
        else:
            entity = Entity(opened.type, opened.offset, length, language=opened.language)
        if entity is not None and length > 0:
            self._out.entities.append(entity)

    def _close_quote(self, kind: str = "blockquote") -> None:
        opened = self._stack.pop()
        self._quoting = False
        length = self._out.length - opened.offset
        if length > 0:
            self._out.entities.append(Entity(kind, opened.offset, length))
        if not self._reader.done and self._reader.char == "\n":
            self._write()

    def _address(self, what: str = "") -> str:
        reader = self._reader
        reader.at += 1
        begin = reader.at
        url: list[str] = []
        while not reader.done and reader.char != ")":
            reader.at += reader.char == "\\" and "\0" < reader.peek(1) <= "~"
            url.append(reader.char)
            reader.at += 1
        if reader.done:
            raise reader.fault_at(f"Can't find end of a {what}URL", begin)
        reader.at += 1
        return "".join(url)

    def _unclosed(self) -> Refusal:
        opened = self._stack[-1]
        name = "PreCode" if opened.language else _NAMES[opened.type]
        return self._reader.fault_at(f"Can't find end of {name} entity", opened.place)


def parse_markdown_v2(source: str) -> Formatted:
    return _MarkdownV2(source).parse()
