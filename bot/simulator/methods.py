"""Methods: finds what a method name means. The only list of all methods with their makers."""

import re
from collections.abc import Awaitable, Callable

from bot.simulator.chats import Chats
from bot.simulator.editing import Editing
from bot.simulator.fetching import Fetching
from bot.simulator.hooks import Hooks
from bot.simulator.parameters import Parameters
from bot.simulator.profile import ProfileMethods
from bot.simulator.refusal import Refusal
from bot.simulator.scene import Scene
from bot.simulator.schema import METHODS
from bot.simulator.sending import Sending

Method = Callable[[Parameters], Awaitable[object]]
_CAPITAL = re.compile(r"(?=[A-Z])")


class Methods:
    """Every method of the schema is a coroutine of one of the six groups, in snake case."""

    def __init__(self, scene: Scene) -> None:
        groups = (
            Sending(scene),
            Editing(scene),
            Chats(scene),
            ProfileMethods(scene),
            Fetching(scene),
            Hooks(scene),
        )
        self._methods: dict[str, Method] = {}
        for name, signature in METHODS.items():
            attribute = _CAPITAL.sub("_", signature.name).lower()
            group = next(group for group in groups if hasattr(group, attribute))
            self._methods[name] = getattr(group, attribute)

    async def call(self, name: str, parameters: Parameters) -> object:
        method = self._methods.get(name.lower())
        if method is None:
            raise Refusal(404, "Method not found")
        return await method(parameters)
