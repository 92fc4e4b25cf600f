"""The old Markdown of the Bot API: nothing nests, only four characters mean something."""

from bot.simulator.entities import in_order
from bot.simulator.links import link_entity
from bot.simulator.reader import Output, Reader
from bot.simulator.records import Entity, Formatted

_MARKS = "_*`["


def parse_markdown(source: str) -> Formatted:
    reader, out = Reader(source), Output()
    while not reader.done:
        if reader.char == "\\" and reader.peek(1) in _MARKS:
            reader.at += 1
        elif reader.char in _MARKS:
            _legacy_entity(reader, out)
            continue
        out.write(reader.char)
        reader.at += 1
    return Formatted(out.text, in_order(out.entities))


def _legacy_entity(reader: Reader, out: Output) -> None:
    begin, mark = reader.at, reader.char
    verbatim = reader.source.startswith("```", begin)
    reader.at += 3 if verbatim else 1
    language = reader.code_language() if verbatim else ""
    end = "```" if verbatim else "]" if mark == "[" else mark
    offset = out.length
    while not reader.done and not reader.source.startswith(end, reader.at):
        out.write(reader.char)
        reader.at += 1
    if reader.done:
        raise reader.fault_at("Can't find end of the entity starting", begin)
    reader.at += len(end)
    length = out.length - offset
    kind = {"_": "italic", "*": "bold", "`": "pre" if verbatim else "code"}.get(mark, "")
    entity: Entity | None = Entity(kind, offset, length, language=language)
    if mark == "[":
        url = out.since(offset)
        if reader.char == "(":
            reader.at += 1
            url = reader.until(")")
            reader.at += 1
        entity = link_entity(url, offset, length)
    if entity is not None and length > 0:
        out.entities.append(entity)
