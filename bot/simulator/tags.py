"""HTML as the Bot API understands it: a handful of tags, the server's own error texts."""

from dataclasses import dataclass, replace

from bot.simulator.entities import in_order
from bot.simulator.links import link_entity
from bot.simulator.reader import END, SPACES, Output, Reader, fault
from bot.simulator.records import Entity, Formatted

_TYPES = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "span": "spoiler",
    "tg-spoiler": "spoiler",
    "tg-emoji": "custom_emoji",
    "a": "text_link",
    "pre": "pre",
    "code": "code",
    "blockquote": "blockquote",
}


@dataclass(frozen=True, slots=True)
class _Open:
    tag: str
    argument: str
    place: int


class _Parser:
    """Reads one text from left to right; the open tags lie on a stack."""

    def __init__(self, source: str) -> None:
        self._reader = Reader(source)
        self._out = Output()
        self._stack: list[_Open] = []

    def parse(self) -> Formatted:
        reader = self._reader
        while not reader.done:
            if reader.char == "<":
                self._tag()
                continue
            char = reader.reference() if reader.char == "&" else ""
            if not char:
                char = reader.char
                reader.at += 1
            if "\ud800" <= char <= "\udfff":
                raise fault(
                    "Text contains invalid Unicode characters after decoding HTML entities, "
                    "check for unmatched surrogate code units"
                )
            self._out.write(char)
        if self._stack:
            tag = self._stack[-1].tag
            raise fault(f'Can\'t find end tag corresponding to start tag "{tag}"')
        entities = (replace(e, language="") if e.type == "code" else e for e in self._out.entities)
        return Formatted(self._out.text, in_order(entities))

    def _tag(self) -> None:
        begin = self._reader.at
        self._reader.at += 1
        if self._reader.char == "/":
            self._close(begin)
        else:
            self._open(begin)

    def _open(self, begin: int) -> None:
        reader = self._reader
        tag = reader.until(SPACES + ">").lower()
        if reader.done:
            raise reader.fault_at("Unclosed start tag", begin)
        if tag not in _TYPES:
            raise reader.fault_at(f'Unsupported start tag "{tag}"', begin)
        argument = _attributes(reader, tag, begin)
        if tag == "span" and argument != "spoiler":
            raise reader.fault_at('Tag "span" must have class "tg-spoiler"', begin)
        reader.at += 1
        self._stack.append(_Open(tag, argument, self._out.length))

    def _close(self, begin: int) -> None:
        reader = self._reader
        if not self._stack:
            raise reader.fault_at("Unexpected end tag", begin)
        reader.at += 1
        found = reader.until(SPACES + ">").lower()
        reader.skip(SPACES)
        if reader.char != ">":
            raise reader.fault_at("Unclosed end tag", begin)
        opened = self._stack.pop()
        if found and found != opened.tag:
            unmatched = str(reader.fault_at("Unmatched end tag", begin)).partition("entities: ")[2]
            raise fault(f'{unmatched}, expected "</{opened.tag}>", found "</{found}>"')
        reader.at += 1
        if self._out.length > opened.place:
            self._finish(opened)

    def _finish(self, opened: _Open) -> None:
        entities = self._out.entities
        offset, length = opened.place, self._out.length - opened.place
        last = entities[-1] if entities else Entity("", -1, -1)
        same = (last.offset, last.length) == (offset, length)
        if opened.tag == "a":
            link = link_entity(opened.argument or self._out.since(offset), offset, length)
            entities.extend([link] if link else [])
        elif opened.tag == "pre" and same and last.type == "code" and last.language:
            entities[-1] = replace(last, type="pre")
        elif opened.tag == "code" and same and last.type == "pre" and opened.argument:
            entities[-1] = replace(last, language=opened.argument)
        else:
            entities.append(_entity(opened, offset, length))


def parse_html(source: str) -> Formatted:
    return _Parser(source).parse()


def _entity(opened: _Open, offset: int, length: int) -> Entity:
    kind = _TYPES[opened.tag]
    if kind == "custom_emoji":
        if not opened.argument.isdigit() or int(opened.argument) == 0:
            raise fault("Invalid custom emoji identifier specified")
        return Entity(kind, offset, length, custom_emoji_id=opened.argument)
    if kind == "blockquote" and opened.argument:
        kind = "expandable_blockquote"
    # A language at a code tag counts only once a pre tag stands around it.
    return Entity(kind, offset, length, language=opened.argument if kind == "code" else "")


def _attributes(reader: Reader, tag: str, begin: int) -> str:
    argument = ""
    while True:
        reader.skip(SPACES)
        if reader.char == ">":
            return argument
        name = reader.until(SPACES + "=>")
        if not name:
            raise reader.fault_at(f'Empty attribute name in the tag "{tag}"', begin)
        reader.skip(SPACES)
        if (tag, name) == ("blockquote", "expandable") and reader.char != "=":
            argument = "expandable"
            continue
        if reader.char != "=":
            reason = f'Expected equal sign in declaration of an attribute of the tag "{tag}"'
            raise reader.fault_at(reason, begin)
        reader.at += 1
        reader.skip(SPACES)
        if reader.char == END:
            raise reader.fault_at(f'Unclosed start tag "{tag}"', begin)
        value = _value(reader)
        if reader.char == END:
            raise reader.fault_at("Unclosed start tag", begin)
        argument = _argument(tag, name, value) or argument


def _value(reader: Reader) -> str:
    quote = reader.char
    start = reader.at
    if quote not in "'\"":
        while reader.char.isascii() and (reader.char.isalnum() or reader.char in ".-"):
            reader.at += 1
        if reader.char not in SPACES + ">":
            raise reader.fault_at("Unexpected end of name token", start)
        return reader.source[start : reader.at].lower()
    reader.at += 1
    value: list[str] = []
    while reader.char not in quote + END:
        char = reader.reference() if reader.char == "&" else ""
        if not char:
            char = reader.char
            reader.at += 1
        value.append(char)
    reader.at += reader.char == quote
    return "".join(value)


def _argument(tag: str, name: str, value: str) -> str:
    if (tag, name) in {("a", "href"), ("tg-emoji", "emoji-id")}:
        return value
    if (tag, name) == ("code", "class") and value.startswith("language-"):
        return value.removeprefix("language-")
    if (tag, name) == ("span", "class") and value.startswith("tg-"):
        return value.removeprefix("tg-")
    return "expandable" if (tag, name) == ("blockquote", "expandable") else ""
