"""Methods about the webhook: set, look at, delete."""

import re
from dataclasses import replace
from urllib.parse import urlsplit

from bot.simulator.courier import is_here
from bot.simulator.faults import FaultKind
from bot.simulator.kinds import read_kinds
from bot.simulator.parameters import Parameters
from bot.simulator.refusal import Refusal, bad_request
from bot.simulator.scene import Scene

_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
_PORTS = frozenset({443, 80, 88, 8443})
_SET = "Terminated by setWebhook request"


class Hooks:
    """setWebhook, deleteWebhook, getWebhookInfo."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._world = scene.world

    async def set_webhook(self, parameters: Parameters) -> object:
        url, secret = parameters.text("url").strip(), parameters.text("secret_token")
        if not url:
            return await self.delete_webhook(parameters)
        if secret and not _SECRET.fullmatch(secret):
            raise bad_request("Secret token contains unallowed characters")
        self._check(url)
        kinds = read_kinds(parameters.structure("allowed_updates", "Can't parse allowed updates"))
        if kinds is not None:
            self._scene.updates.allow(kinds)
        self._forget(parameters)
        self._put(url, secret)
        self._scene.updates.interrupt(Refusal(409, _SET))
        return True

    async def delete_webhook(self, parameters: Parameters) -> object:
        self._forget(parameters)
        self._scene.faults.clear_kind(FaultKind.WEBHOOK_SET)
        self._put("", "")
        return True

    async def get_webhook_info(self, _: Parameters) -> object:
        updates = self._scene.updates
        info: dict[str, object] = {
            "url": self._world.profile.webhook_url,
            "has_custom_certificate": False,
            "pending_update_count": len(updates.pending),
            "allowed_updates": sorted(updates.allowed),
        }
        if updates.webhook_fault is not None:
            date, fault = updates.webhook_fault
            info |= {"last_error_date": date, "last_error_message": fault}
        return info

    def _put(self, url: str, secret: str) -> None:
        profile = replace(self._world.profile, webhook_url=url, webhook_secret=secret)
        if profile != self._world.profile:
            self._scene.updates.webhook_fault = None
            self._world.put(profile)
        self._scene.updates.due.set()
        self._scene.updates.moved.set()

    def _forget(self, parameters: Parameters) -> None:
        if parameters.flag("drop_pending_updates"):
            self._scene.updates.clear()

    def _check(self, url: str) -> None:
        parts = urlsplit(url)
        if is_here(url):
            return
        if parts.scheme != "https" or not parts.hostname:
            raise bad_request("Bad webhook: An HTTPS URL must be provided for webhook")
        if (parts.port or 443) not in _PORTS:
            raise bad_request(
                "Bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443"
            )
        if not self._world.profile.webhook_door:
            # Nothing outside is looked up: the simulator is alone on its machine.
            raise bad_request("Bad webhook: Failed to resolve host: Name or service not known")
