"""The HTTP clients of the bot: patient, with several connections, and without a proxy on loopback.

One is for the calls, the other one only fetches updates and notices a revoked token.
"""

import asyncio
import ipaddress
from urllib.parse import urlsplit

from telegram._utils.types import ODVInput
from telegram.request import BaseRequest, HTTPXRequest, RequestData

TIMEOUT_S = 30.0
MEDIA_TIMEOUT_S = 60.0
CONNECT_TIMEOUT_S = 10.0
NUM_CONNECTIONS = 32
NUM_POLLING_CONNECTIONS = 4


class PollingRequest(HTTPXRequest):
    """Fetches updates; `rejected` is set when the server no longer knows the token."""

    def __init__(self, api_url: str) -> None:
        super().__init__(
            connection_pool_size=NUM_POLLING_CONNECTIONS,
            read_timeout=TIMEOUT_S,
            connect_timeout=CONNECT_TIMEOUT_S,
            pool_timeout=CONNECT_TIMEOUT_S,
            httpx_kwargs={"trust_env": not is_loopback(api_url)},
        )
        self.rejected = asyncio.Event()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        write_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        connect_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        pool_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """The library would stop polling without telling anybody."""
        status, body = await super().do_request(
            url,
            method,
            request_data,
            read_timeout,
            write_timeout,
            connect_timeout,
            pool_timeout,
        )
        if status in (401, 404):
            self.rejected.set()
        return status, body


def calling_request(api_url: str) -> HTTPXRequest:
    """What everything but polling goes through."""
    return HTTPXRequest(
        connection_pool_size=NUM_CONNECTIONS,
        read_timeout=TIMEOUT_S,
        write_timeout=TIMEOUT_S,
        connect_timeout=CONNECT_TIMEOUT_S,
        pool_timeout=CONNECT_TIMEOUT_S,
        media_write_timeout=MEDIA_TIMEOUT_S,
        httpx_kwargs={"trust_env": not is_loopback(api_url)},
    )


def is_loopback(url: str) -> bool:
    """Whether an address is this very machine, where no proxy stands in between."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
