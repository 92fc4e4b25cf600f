"""What the terminal says while the bot starts, runs, and when it cannot.

Knows the errors of the halls; those of a platform are worded by who wires it.
"""

import errno

from bot.folder import FolderInUse
from bot.loopback import PortTaken
from bot.settings import SettingsError
from engine import ModelNotUsable, OutOfMemory
from storage import DatabaseDamaged, DatabaseNotUsable, DatabaseTooNew, PhotoNotSaved

CLOSED = (
    "ADMIN_IDS and ALLOWED_IDS are empty, so nobody may ask yet. "
    "Write to the bot: it answers with your number to put there."
)
TOKEN_REJECTED = "Telegram does not accept TELEGRAM_BOT_TOKEN; take the one @BotFather shows."
POLLED_ELSEWHERE = (
    "Another program fetches the messages of this bot. Stop one of the two, and start again."
)
LOADED = "The model is loaded."
STARTED = "The bot is running on Telegram. Press Ctrl+C to end it."
ENDED = "Ended."

CANNOT_START = (
    SettingsError,
    FolderInUse,
    PortTaken,
    ModelNotUsable,
    OutOfMemory,
    DatabaseDamaged,
    DatabaseTooNew,
    DatabaseNotUsable,
    PhotoNotSaved,
    OSError,
)


def loading(model: str) -> str:
    """What is said before the long wait."""
    return f"Loading the model {model}; this may take a while…"


def waking(about: str) -> str:
    """What the page says of a model that is not there yet."""
    return f"Loading: {about} What you write meanwhile is answered then."


def page_is_open(url: str) -> str:
    """Where the simulator is."""
    return f"Open {url} in your browser. Press Ctrl+C to end."


def unreachable(api_url: str) -> str:
    """What is said when Telegram does not answer."""
    return f"No answer from {api_url}. Is there a network, and is TELEGRAM_API_URL right?"


def webhook_refused(why: str) -> str:
    """What is said when Telegram does not take the address of the webhook."""
    return f"Telegram does not accept WEBHOOK_URL: {why}."


def sentence_for(error: BaseException) -> str:
    """Why the bot cannot start."""
    match error:
        case SettingsError():
            return "\n".join(error.problems)
        case ModelNotUsable():
            return f"The model {error.where} cannot be used: {error.why}"
        case OutOfMemory():
            return "There is not enough memory for this model. Set a smaller MODEL."
        case DatabaseDamaged():
            return (
                f"The database {error.path} is damaged. Nothing was changed in it. "
                "Move it away to begin with an empty one."
            )
        case DatabaseTooNew():
            return (
                f"The database was written by a later version (schema {error.found}, this version "
                f"knows {error.known}). Nothing was changed in it."
            )
        case FolderInUse():
            return (
                f"Another bot is running with the folder {error.folder}. "
                "End that one, or set another DATA_DIR."
            )
        case PortTaken():
            return f"The port {error.port} is taken by another program. Choose another one in .env."
        case DatabaseNotUsable():
            return f"The database {error.path} cannot be opened: {error.why}."
        case PhotoNotSaved():
            return f"The photo folder {error.folder} cannot be used: {error.why}."
        case OSError(errno=errno.EADDRINUSE):
            return "The port of the simulator is taken. Choose another one with --port."
        case _:
            return f"{type(error).__name__}: {error}"
