"""Mischief: the actions of the control interface by which things go wrong, and time passes."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace

from bot.simulator.faults import Fault, FaultKind
from bot.simulator.feed import Feed
from bot.simulator.parameters import Parameters
from bot.simulator.refusal import PREFIXES, bad_request
from bot.simulator.scene import Scene

_MOST = 10_000


class Mischief:
    """Plants faults and takes them back, turns the clock; answers with what is planted now."""

    def __init__(self, scene: Scene, feed: Feed) -> None:
        self._scene = scene
        self._feed = feed
        scene.faults.on_change = self._announce
        self.actions: dict[str, Callable[[Parameters, str], Awaitable[object]]] = {
            "faults": self._change_faults,
            "floods": self._limit_floods,
            "clock": self._turn_clock,
        }

    def view(self) -> dict[str, object]:
        planted = [asdict(fault) for fault in self._scene.faults.planted]
        limited = self._scene.floods.are_limited
        return {"faults": planted, "floods": limited, "now": self._scene.clock()}

    async def _change_faults(self, parameters: Parameters, number: str) -> object:
        faults = self._scene.faults
        if not number:
            return asdict(self._scene.spoil(read_fault(parameters)))
        if number == "clear":
            faults.clear()
            self._scene.clock.release()
        elif number.isdigit() and any(fault.number == int(number) for fault in faults.planted):
            faults.clear(int(number))
        else:
            raise bad_request("There is no such fault")
        return self.view()

    async def _limit_floods(self, parameters: Parameters, _: str) -> object:
        self._scene.floods.limit(parameters.flag("on"))
        self._announce()
        return self.view()

    async def _turn_clock(self, parameters: Parameters, _: str) -> object:
        if parameters.has("now"):
            self._scene.clock.set(float(parameters.integer("now")))
        self._scene.clock.advance(float(parameters.integer("advance_s")))
        world = self._scene.world
        world.put(replace(world.profile, ahead_s=self._scene.clock.ahead_s))
        self._announce()
        return self.view()

    def _announce(self) -> None:
        self._feed.publish({"type": "faults"})


def read_fault(parameters: Parameters) -> Fault:
    try:
        kind = FaultKind(parameters.text("kind"))
    except ValueError as error:
        raise bad_request(f"kind is one of {', '.join(FaultKind)}") from error
    usual = Fault(kind)
    status = parameters.integer("status", usual.status)
    if status not in PREFIXES:
        raise bad_request(f"status is one of {', '.join(str(code) for code in PREFIXES)}")
    return Fault(
        kind,
        method=parameters.text("method") or usual.method,
        chat_id=parameters.integer("chat_id") or None,
        count=_limited(parameters, "count", usual.count),
        retry_after_s=_limited(parameters, "retry_after_s", usual.retry_after_s),
        delay_s=float(_limited(parameters, "delay_s", int(usual.delay_s))),
        status=status,
    )


def _limited(parameters: Parameters, name: str, default: int) -> int:
    value = parameters.integer(name, default)
    if not 0 <= value <= _MOST:
        raise bad_request(f"{name} is between 0 and {_MOST}")
    return value
