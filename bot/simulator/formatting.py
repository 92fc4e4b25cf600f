"""From what a request says (text, parse mode, explicit entities) to what the server keeps."""

from collections.abc import Sequence

from bot.simulator.detection import found_entities
from bot.simulator.entities import checked, merged, trimmed
from bot.simulator.legacy import parse_markdown
from bot.simulator.markdown import parse_markdown_v2
from bot.simulator.records import Entity, Formatted
from bot.simulator.refusal import bad_request
from bot.simulator.tags import parse_html

MAX_TEXT = 4096
MAX_CAPTION = 1024
MAX_RAW_BYTES = 32768
_PARSERS = {"html": parse_html, "markdown": parse_markdown, "markdownv2": parse_markdown_v2}


def message_text(text: str, parse_mode: str, entities: Sequence[Entity]) -> Formatted:
    if not text:
        raise bad_request("Message text is empty")
    formatted = _formatted(text, parse_mode, entities)
    if not formatted.text:
        raise bad_request("Text must be non-empty")
    if len(formatted.text) > MAX_TEXT:
        raise bad_request("Message is too long")
    return formatted


def caption_text(text: str, parse_mode: str, entities: Sequence[Entity]) -> Formatted:
    formatted = _formatted(text, parse_mode, entities)
    if len(formatted.text) > MAX_CAPTION:
        raise bad_request("Message caption is too long")
    return formatted


def typed_text(text: str) -> Formatted:
    """What a person typed: no markup, only what is found in it."""
    formatted = trimmed(Formatted(_clean(text)))
    return merged(formatted, found_entities(formatted.text))


def _formatted(text: str, parse_mode: str, entities: Sequence[Entity]) -> Formatted:
    if len(text.encode("utf-8", "surrogatepass")) > MAX_RAW_BYTES:
        raise bad_request("Text is too long")
    text = _clean(text)
    # A parse mode wins over explicit entities, in silence, as on the real server.
    if parse_mode and parse_mode.lower() != "none":
        parser = _PARSERS.get(parse_mode.lower())
        if parser is None:
            raise bad_request("Unsupported parse_mode")
        formatted = parser(text)
    else:
        formatted = Formatted(text, checked(text, entities))
    formatted = trimmed(formatted)
    return merged(formatted, found_entities(formatted.text))


def _clean(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(" " if char < " " and char != "\n" else char for char in text)
