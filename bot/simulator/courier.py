"""Courier: brings updates to the bot's webhook, one after another, until it has them.

The webhook is on this computer, or behind a door that the control interface names for the one
outside. An answer that holds a method is not read: our library never answers so.
"""

import asyncio
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, ClientTimeout

from bot.simulator.ledger import Ledger
from bot.simulator.records import Profile
from bot.simulator.scene import Scene
from bot.simulator.updates import Update

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
MAX_PAUSE_S = 60.0
MAX_ASKED_PAUSE_S = 3600
_PATIENCE = ClientTimeout(total=60)
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class Courier:
    """Pauses twice as long after each failure; the simulator's clock ends the pause."""

    def __init__(self, scene: Scene, ledger: Ledger) -> None:
        self._scene = scene
        self._ledger = ledger
        self._num_failures = 0

    async def run(self) -> None:
        """Until it is cancelled; with no webhook set it waits for one."""
        updates = self._scene.updates
        async with ClientSession(timeout=_PATIENCE) as session:
            while True:
                profile = self._scene.world.profile
                update = updates.first() if profile.webhook_url else None
                if update is None:
                    updates.due.clear()
                    await updates.due.wait()
                elif await self._bring(session, update, profile):
                    updates.take(update)
                    await self._ledger.commit()

    async def _bring(self, session: ClientSession, update: Update, profile: Profile) -> bool:
        headers = {SECRET_HEADER: profile.webhook_secret} if profile.webhook_secret else {}
        asked = ""
        try:
            async with session.post(
                door_of(profile), json=update.view(), headers=headers, allow_redirects=False
            ) as response:
                if response.ok and response.status < 300:
                    self._num_failures = 0
                    return True
                fault = f"Wrong response from the webhook: {response.status} {response.reason}"
                asked = response.headers.get("Retry-After", "")
        except (ClientError, TimeoutError) as error:
            fault = "Connection refused" if isinstance(error, OSError) else "Connection lost"
        self._num_failures += 1
        self._scene.updates.webhook_fault = (int(self._scene.clock()), fault)
        pause_s = min(2.0**self._num_failures, MAX_PAUSE_S)
        if asked.isdigit():
            pause_s = min(int(asked), MAX_ASKED_PAUSE_S)
        await self._pause(pause_s)
        return False

    async def _pause(self, seconds: float) -> None:
        """A webhook that is set anew is tried at once."""
        updates = self._scene.updates
        updates.moved.clear()
        sleeping = asyncio.ensure_future(self._scene.clock.sleep(seconds))
        moving = asyncio.ensure_future(updates.moved.wait())
        try:
            await asyncio.wait({sleeping, moving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            moving.cancel()


def is_here(url: str) -> bool:
    return urlsplit(url).hostname in _LOOPBACK


def door_of(profile: Profile) -> str:
    """Where the address really leads on this computer."""
    if is_here(profile.webhook_url):
        return profile.webhook_url
    parts = urlsplit(profile.webhook_url)
    query = f"?{parts.query}" if parts.query else ""
    return f"{profile.webhook_door.rstrip('/')}{parts.path or '/'}{query}"
