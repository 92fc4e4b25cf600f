"""Telegram on this computer: the Bot API, a control interface, and a chat page in the browser.

    async with Simulator(port=8080, about="The reading model answers", folder=Path("data")) as s:
        s.url           the page; s.url + "/control/..." is the control interface (control.py)
        s.api_url       base for the bot: api_url + "/bot" + token, api_url + "/file/bot" + token
        s.token         never a real one; is_simulator_token(token) says so
        s.bot_username  and YOU, ADA, BEN, GROUP: who is there when it opens
        s.scene         .crowd, .gestures, .world, .updates: the same without HTTP, for tests
        s.scene.spoil   lets a call go wrong; .floods and .clock: the limits and the time
        s.calls         what the bot has called

Without a folder everything is lost at the end; with one, also `kill -9` loses nothing. It knows
the bot by HTTP only. Most behaviour follows the source of the official server; guesses are: which
place a command may have under privacy mode, the endings by which a bare link is found, how long a
pressed button waits, what is said of a draft without a number, the windows of the flood limits,
and the quality of recompressed photos.
"""

from bot.simulator.crowd import Place
from bot.simulator.demo import ADA, BEN, GROUP, SAMPLES, YOU
from bot.simulator.faults import Fault, FaultKind
from bot.simulator.simulator import Simulator
from bot.simulator.tokens import SIMULATOR_TOKEN, is_simulator_token

__all__ = [
    "ADA",
    "BEN",
    "GROUP",
    "SAMPLES",
    "SIMULATOR_TOKEN",
    "YOU",
    "Fault",
    "FaultKind",
    "Place",
    "Simulator",
    "is_simulator_token",
]
