"""Links in marked-up texts: which ones the server takes, and which name a person or an emoji."""

import re

from bot.simulator.reader import fault
from bot.simulator.records import Entity

_PERSON = re.compile(r"tg:/{0,2}user/?\?id=(\d{1,18})", re.IGNORECASE)
_EMOJI = re.compile(r"tg:/{0,2}emoji/?\?id=(\d{1,20})", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://?", re.IGNORECASE)
_HOST = re.compile(r"(?:[\w-]+\.)+[\w-]{2,}(?::\d{1,5})?", re.IGNORECASE)
_SCHEMES = frozenset({"http", "https", "ftp", "tg", "ton", "tonsite"})


def link_entity(url: str, offset: int, length: int) -> Entity | None:
    """A mention of a person, a link, or None where the server drops the link in silence."""
    person = _PERSON.fullmatch(url)
    if person:
        return Entity("text_mention", offset, length, person_id=int(person[1]))
    taken = checked_link(url)
    return Entity("text_link", offset, length, url=taken) if taken else None


def checked_link(url: str) -> str:
    url = url.strip()
    scheme = _SCHEME.match(url)
    if scheme is None:
        url, scheme = f"http://{url}", _SCHEME.match(f"http://{url}")
    if scheme is None or scheme[1].lower() not in _SCHEMES:
        return ""
    if scheme[1].lower() in {"tg", "ton"}:
        return url
    rest = url[scheme.end() :]
    host = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if not _HOST.fullmatch(host) and not host.startswith("localhost"):
        return ""
    return url if len(host) < len(rest) else f"{url}/"


def emoji_id(url: str) -> str:
    found = _EMOJI.fullmatch(url)
    if found is None:
        raise fault("Custom emoji URL must have an emoji identifier")
    return found[1]
