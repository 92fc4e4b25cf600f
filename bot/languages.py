"""Which language each person reads: what they chose, else what their platform says, else English.

Knows people by their ids only; choices outlive the process, what a platform says does not.
"""

from bot.texts import Wording, words_in
from storage import Preferences

MAX_MET = 10_000


class Languages:
    """The sentences for each person; without a store, choices last as long as this."""

    def __init__(self, preferences: Preferences | None = None) -> None:
        self._preferences = preferences
        self._chosen: dict[str, str] = {}
        self._met: dict[str, str] = {}

    async def load(self) -> None:
        """Take over what was chosen before."""
        if self._preferences is not None:
            self._chosen = await self._preferences.languages()

    def meet(self, asker: int | str, tag: str) -> None:
        """Take note of what a platform says of somebody."""
        if len(self._met) >= MAX_MET:
            self._met.clear()
        self._met[str(asker)] = tag

    def words(self, asker: int | str) -> Wording:
        """The sentences in this person's language."""
        return words_in(self._chosen.get(str(asker)) or self._met.get(str(asker), ""))

    async def choose(self, asker: int | str, tag: str) -> None:
        """From now on this language; an empty tag follows the platform again."""
        if self._preferences is not None:
            await self._preferences.choose_language(str(asker), tag)
        self._chosen[str(asker)] = tag

    async def forget(self, asker: int | str) -> None:
        """Know nothing of this person any more."""
        if self._preferences is not None:
            await self._preferences.forget(str(asker))
        self._chosen.pop(str(asker), None)
        self._met.pop(str(asker), None)


async def open_languages(preferences: Preferences) -> Languages:
    """With what was chosen before."""
    languages = Languages(preferences)
    await languages.load()
    return languages
