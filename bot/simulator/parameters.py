"""Parameters of one request, from wherever the Bot API takes them, all as texts and files.

Knows the encodings, not the methods.
"""

import json
import re
from dataclasses import dataclass, field

from aiohttp import BodyPartReader, web

from bot.simulator.files import MAX_UPLOAD_BYTES
from bot.simulator.refusal import Refusal, bad_request

_INTEGER = re.compile(r"\s*(-?\d{1,19})")
_ROOM_FOR_FIELDS = 2**20


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with the request."""

    name: str
    mime_type: str
    data: bytes = field(repr=False)


class Parameters:
    """Reads values as the server does: leniently, and never complaining about what is not asked."""

    def __init__(
        self, values: dict[str, str] | None = None, uploads: dict[str, Upload] | None = None
    ) -> None:
        self._values = values or {}
        self._uploads = uploads or {}

    @property
    def names(self) -> frozenset[str]:
        referred = {
            value.removeprefix("attach://")
            for value in re.findall(r"attach://[\w.-]+", " ".join(self._values.values()))
        }
        return frozenset({*self._values, *(self._uploads.keys() - referred)})

    def text(self, name: str) -> str:
        return self._values.get(name, "")

    def has(self, name: str) -> bool:
        return bool(self._values.get(name))

    def integer(self, name: str, default: int = 0) -> int:
        found = _INTEGER.match(self.text(name))
        return int(found[1]) if found else default

    def flag(self, name: str) -> bool:
        return self.text(name).strip().lower() in {"true", "yes", "1"}

    def structure(self, name: str, complaint: str) -> object:
        """The JSON value of a parameter, None where it is absent."""
        text = self.text(name)
        if not text.strip():
            return None
        try:
            return json.loads(text)
        except ValueError as error:
            raise bad_request(complaint) from error

    def upload(self, name: str) -> Upload | None:
        """A file by its own name or by reference."""
        value = self.text(name)
        if value.startswith("attach://"):
            return self._uploads.get(value.removeprefix("attach://"))
        return self._uploads.get(name)


def required(parameters: Parameters, name: str) -> str:
    if not parameters.has(name):
        raise bad_request(f"{name} is empty")
    return parameters.text(name)


def numbers(parameters: Parameters, name: str) -> tuple[int, ...]:
    value = parameters.structure(name, f"{name} is a list of numbers")
    if not isinstance(value, list):
        return ()
    return tuple(item for item in value if isinstance(item, int))


async def read_parameters(request: web.Request) -> Parameters:
    values = dict(request.query)
    uploads: dict[str, Upload] = {}
    kind = request.content_type
    if request.method == "POST" and request.body_exists:
        if kind == "multipart/form-data":
            await _read_parts(request, values, uploads)
        elif kind == "application/json":
            values |= _plain(await request.read())
        elif kind == "application/x-www-form-urlencoded":
            form = await request.post()
            values |= {name: value for name, value in form.items() if isinstance(value, str)}
    return Parameters(values, uploads)


def _plain(body: bytes) -> dict[str, str]:
    try:
        decoded = json.loads(body or b"{}")
    except ValueError as error:
        raise bad_request("Can't parse JSON object") from error
    if not isinstance(decoded, dict):
        raise bad_request("Expected JSON object")
    return {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in decoded.items()
        if value is not None
    }


async def _read_parts(
    request: web.Request, values: dict[str, str], uploads: dict[str, Upload]
) -> None:
    total = 0
    try:
        async for part in await request.multipart():
            if not isinstance(part, BodyPartReader) or not part.name:
                continue
            data = bytearray()
            # What is too much is still read to its end, so that the sender gets the answer.
            while chunk := await part.read_chunk(2**16):
                total += len(chunk)
                if total <= MAX_UPLOAD_BYTES + _ROOM_FOR_FIELDS:
                    data += chunk
            if part.filename is None:
                values[part.name] = data.decode("utf-8", "replace")
            else:
                mime_type = part.headers.get("Content-Type", "")
                uploads[part.name] = Upload(part.filename, mime_type, bytes(data))
    except ValueError as error:
        raise bad_request("Can't parse the multipart body") from error
    if total > MAX_UPLOAD_BYTES + _ROOM_FOR_FIELDS:
        raise Refusal(413)
