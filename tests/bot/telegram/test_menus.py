"""The menus of commands, as the simulator keeps them."""

from bot.simulator.records import Menu
from bot.texts import WORDINGS
from tests.bot.town import Town

PRIVATE, GROUPS = "all_private_chats", "all_group_chats"


async def test_every_language_has_its_menus(town: Town) -> None:
    kept = town.simulator.scene.world.menus
    await town.until(lambda: len(kept) == 2 * len(WORDINGS))
    assert names(kept[(GROUPS, "")]) == ["ocr", "ask", "new", "stop", "help"]
    own = [*names(kept[(GROUPS, "")]), "settings", "language", "privacy", "forget"]
    assert names(kept[(PRIVATE, "")]) == own
    for words in list(WORDINGS.values())[1:]:
        menu = kept[(PRIVATE, words.tag)]
        assert names(menu) == names(kept[(PRIVATE, "")])
        assert menu.commands[0].description == words.command_ocr


def names(menu: Menu) -> list[str]:
    return [command.command for command in menu.commands]
