"""Who may ask: people and groups named by the owner, nobody else.

Knows ids as text only; which platform they come from does not matter.
"""

from collections.abc import Iterable


class AccessDenied(Exception):
    """Someone who is not on the list asked; `asker` is the id to give to the owner."""

    def __init__(self, asker: str) -> None:
        super().__init__(asker)
        self.asker = asker


class AccessPolicy:
    """Closed by default: an empty list lets in the admins only."""

    def __init__(
        self,
        admin_ids: Iterable[int] = (),
        allowed_ids: Iterable[int] = (),
        *,
        open_to_all: bool = False,
    ) -> None:
        self._admins = frozenset(str(admin_id) for admin_id in admin_ids)
        self._allowed = frozenset(str(allowed_id) for allowed_id in allowed_ids)
        self._open_to_all = open_to_all

    def is_admin(self, asker: int | str) -> bool:
        """Whether this person is one of the owners."""
        return str(asker) in self._admins

    def is_allowed(self, asker: int | str, chat: int | str | None = None) -> bool:
        """Whether this person may ask in this chat; a chat may be allowed as a whole."""
        if self._open_to_all or self.is_admin(asker):
            return True
        return str(asker) in self._allowed or (chat is not None and str(chat) in self._allowed)

    def check(self, asker: int | str, chat: int | str | None = None) -> None:
        """Raise AccessDenied unless this person may ask in this chat."""
        if not self.is_allowed(asker, chat):
            raise AccessDenied(str(asker))
