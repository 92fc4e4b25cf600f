"""Who may ask: people and groups named by the owner, in the settings or in the chat; nobody else.

Knows ids as text only; which platform they come from does not matter.
"""

from collections.abc import Iterable

from storage import Guest, Guests


class AccessDenied(Exception):
    """Someone who is not on the list asked; `asker` is the id to give to the owner."""

    def __init__(self, asker: str) -> None:
        super().__init__(asker)
        self.asker = asker


class AccessPolicy:
    """Closed by default: an empty list lets in the admins only.

    Decisions made while the bot runs last as long as this, or with `keep_in` for ever.
    """

    def __init__(
        self,
        admin_ids: Iterable[int] = (),
        allowed_ids: Iterable[int] = (),
        *,
        open_to_all: bool = False,
    ) -> None:
        self.admins = frozenset(str(admin_id) for admin_id in admin_ids)
        self.named = frozenset(str(allowed_id) for allowed_id in allowed_ids)
        self.guests: dict[str, Guest] = {}
        self._open_to_all = open_to_all
        self._store: Guests | None = None

    async def keep_in(self, store: Guests) -> None:
        """Take over what was decided before, and write down what will be."""
        self._store = store
        self.guests = {guest.asker: guest for guest in await store.all()}

    def is_admin(self, asker: int | str) -> bool:
        """Whether this person is one of the owners."""
        return str(asker) in self.admins

    def is_allowed(self, asker: int | str, chat: int | str | None = None) -> bool:
        """Whether this person may ask in this chat; a chat may be allowed as a whole."""
        if self._open_to_all or self.is_admin(asker):
            return True
        # Whoever was turned away is so in an allowed group, too.
        if self.is_denied(asker):
            return False
        return self._is_listed(str(asker)) or (chat is not None and self._is_listed(str(chat)))

    def is_denied(self, asker: int | str) -> bool:
        """Whether this person or group was turned away."""
        guest = self.guests.get(str(asker))
        return guest is not None and not guest.is_allowed

    def check(self, asker: int | str, chat: int | str | None = None) -> None:
        """Raise AccessDenied unless this person may ask in this chat."""
        if not self.is_allowed(asker, chat):
            raise AccessDenied(str(asker))

    async def decide(self, asker: int | str, *, is_allowed: bool, name: str = "") -> None:
        """Let somebody in or turn them away; an admin is never turned away."""
        if self.is_admin(asker):
            return
        known = self.guests.get(str(asker))
        guest = Guest(str(asker), name or (known.name if known else ""), is_allowed)
        if self._store is not None:
            await self._store.decide(guest)
        self.guests[guest.asker] = guest

    async def move(self, old_chat: int, new_chat: int) -> None:
        """A group has got another number; what was decided of it stays."""
        if self._is_listed(str(old_chat)) or self.is_denied(old_chat):
            await self.decide(new_chat, is_allowed=not self.is_denied(old_chat))

    def _is_listed(self, asker: str) -> bool:
        guest = self.guests.get(asker)
        return guest.is_allowed if guest is not None else asker in self.named
