"""What people and groups can set, and what they have chosen; the first value holds otherwise.

Knows owners by their ids only, and no sentence: how a setting is called stands in the texts.
"""

from enum import StrEnum

from bot.texts import WORDINGS
from storage import ChoiceStore, Database


class Setting(StrEnum):
    """Each thing that can be set; the last two are those of a group."""

    LENGTH = "length"
    ANSWERS = "answers"
    PHOTO = "photo"
    HISTORY = "history"
    DAYS = "days"
    MENTIONS = "mentions"
    WHO = "who"


VALUES: dict[Setting, tuple[str, ...]] = {
    Setting.LENGTH: ("normal", "short", "long"),
    Setting.ANSWERS: ("auto", *WORDINGS),
    Setting.PHOTO: ("describe", "read", "ask", "wait"),
    Setting.HISTORY: ("on", "off"),
    Setting.DAYS: ("all", "1", "7", "30"),
    Setting.MENTIONS: ("on", "off"),
    Setting.WHO: ("everybody", "admins"),
}
OF_GROUP = (Setting.MENTIONS, Setting.WHO)
OF_PERSON = tuple(setting for setting in Setting if setting not in OF_GROUP)


class Choices:
    """The settings of everybody; without a store they last as long as this."""

    def __init__(self, store: ChoiceStore | None = None) -> None:
        self._store = store
        self._chosen: dict[tuple[str, str], str] = {}

    async def load(self) -> None:
        """Take over what was chosen before."""
        if self._store is not None:
            self._chosen = await self._store.all()

    def value(self, owner: int | str, setting: Setting) -> str:
        """What holds for this owner; a value that is no longer known counts for none."""
        chosen = self._chosen.get((str(owner), setting), "")
        return chosen if chosen in VALUES[setting] else VALUES[setting][0]

    def owners(self, setting: Setting) -> list[str]:
        """Who has ever set this."""
        return [owner for owner, name in self._chosen if name == setting]

    async def choose(self, owner: int | str, setting: Setting, value: str) -> None:
        """From now on this value holds."""
        if self._store is not None:
            await self._store.choose(str(owner), setting, value)
        self._chosen[str(owner), setting] = value

    async def move(self, owner: int | str, heir: int | str) -> None:
        """A group has got another number."""
        if self._store is not None:
            await self._store.move(str(owner), str(heir))
        for name in Setting:
            if (value := self._chosen.pop((str(owner), name), None)) is not None:
                self._chosen[str(heir), name] = value

    async def forget(self, owner: int | str) -> None:
        """Know nothing of this owner any more."""
        if self._store is not None:
            await self._store.forget(str(owner))
        for name in Setting:
            self._chosen.pop((str(owner), name), None)


async def open_choices(database: Database) -> Choices:
    """With what was chosen before."""
    choices = Choices(ChoiceStore(database))
    await choices.load()
    return choices
