"""Methods about the bot itself: who it is, its menus of commands, its descriptions."""

import re
from dataclasses import replace

from bot.simulator.doors import open_chat
from bot.simulator.parameters import Parameters
from bot.simulator.records import Command, Menu
from bot.simulator.refusal import bad_request
from bot.simulator.scene import Scene

MAX_COMMANDS = 100
_NAME = re.compile(r"[a-z0-9_]{1,32}")
_PLAIN_SCOPES = frozenset(
    {"default", "all_private_chats", "all_group_chats", "all_chat_administrators"}
)


class ProfileMethods:
    """getMe, the commands and the descriptions."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._world = scene.world

    async def get_me(self, _: Parameters) -> object:
        reads_all = not self._world.profile.privacy_mode
        return self._scene.view.person(self._world.bot) | {
            "can_join_groups": True,
            "can_read_all_group_messages": reads_all,
            "supports_inline_queries": False,
            "can_connect_to_business": False,
            "has_main_web_app": False,
        }

    async def set_my_commands(self, parameters: Parameters) -> object:
        value = parameters.structure("commands", "Can't parse commands JSON object")
        if value is not None and not isinstance(value, list):
            raise bad_request("Expected an Array of BotCommand")
        commands = tuple(_command(item) for item in value or ())
        if len(commands) > MAX_COMMANDS:
            raise bad_request("BOT_COMMANDS_TOO_MUCH")
        self._world.put(self._menu(parameters, commands))
        return True

    async def delete_my_commands(self, parameters: Parameters) -> object:
        self._world.put(self._menu(parameters, ()))
        return True

    async def get_my_commands(self, parameters: Parameters) -> object:
        wanted = self._menu(parameters, ())
        menu = self._world.menus.get((wanted.scope, wanted.language_code), wanted)
        return [{"command": c.command, "description": c.description} for c in menu.commands]

    async def set_my_description(self, parameters: Parameters) -> object:
        text = _limited(parameters.text("description"), 512)
        self._world.put(replace(self._world.profile, description=text))
        return True

    async def get_my_description(self, _: Parameters) -> object:
        return {"description": self._world.profile.description}

    async def set_my_short_description(self, parameters: Parameters) -> object:
        text = _limited(parameters.text("short_description"), 120)
        self._world.put(replace(self._world.profile, short_description=text))
        return True

    async def get_my_short_description(self, _: Parameters) -> object:
        return {"short_description": self._world.profile.short_description}

    async def get_my_name(self, _: Parameters) -> object:
        return {"name": self._world.bot.first_name}

    def _menu(self, parameters: Parameters, commands: tuple[Command, ...]) -> Menu:
        complaint = "Can't parse BotCommandScope JSON object"
        scope = parameters.structure("scope", complaint)
        language_code = parameters.text("language_code")
        if language_code and not re.fullmatch(r"[a-z]{2}", language_code):
            raise bad_request("Invalid language code specified")
        return Menu(self._scope(scope), language_code, commands)

    def _scope(self, scope: object) -> str:
        if scope is None:
            return "default"
        if not isinstance(scope, dict):
            raise bad_request("Can't parse BotCommandScope: expected an Object")
        kind = str(scope.get("type") or "")
        if kind in _PLAIN_SCOPES:
            return kind
        if kind not in {"chat", "chat_administrators", "chat_member"}:
            raise bad_request("Can't parse BotCommandScope: unsupported type specified")
        chat = open_chat(self._world, Parameters({"chat_id": str(scope.get("chat_id", ""))}))
        member = f":{scope.get('user_id')}" if kind == "chat_member" else ""
        return f"{kind}:{chat.chat_id}{member}"


def _command(item: object) -> Command:
    if not isinstance(item, dict):
        raise bad_request("Can't parse BotCommand: expected an Object")
    for field in ("command", "description"):
        if not isinstance(item.get(field), str):
            raise bad_request(f"Can't parse BotCommand: can't find field \"{field}\"")
    name = str(item["command"]).strip().removeprefix("/")
    description = str(item["description"]).strip()
    if not _NAME.fullmatch(name):
        raise bad_request("BOT_COMMAND_INVALID")
    if not 1 <= len(description) <= 256:
        raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    return Command(name, description)


def _limited(text: str, limit: int) -> str:
    if len(text) > limit:
        raise bad_request("Description is too long")
    return text
