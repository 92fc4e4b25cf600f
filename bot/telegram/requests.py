"""The HTTP clients of the bot: patient, with several connections, and without a proxy on loopback.

One is for the calls, the other one only fetches updates.
"""

import ipaddress
from urllib.parse import urlsplit

from telegram.request import HTTPXRequest

TIMEOUT_S = 30.0
MEDIA_TIMEOUT_S = 60.0
CONNECT_TIMEOUT_S = 10.0
NUM_CONNECTIONS = 32
NUM_POLLING_CONNECTIONS = 4


def polling_request(api_url: str) -> HTTPXRequest:
    """What fetches updates; one connection that hangs does not keep others from being made."""
    return HTTPXRequest(
        connection_pool_size=NUM_POLLING_CONNECTIONS,
        read_timeout=TIMEOUT_S,
        connect_timeout=CONNECT_TIMEOUT_S,
        pool_timeout=CONNECT_TIMEOUT_S,
        httpx_kwargs={"trust_env": not is_loopback(api_url)},
    )


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
