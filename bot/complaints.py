"""What is wrong with a setting, in one sentence that never shows a secret.

Knows how pydantic describes an error, not which settings there are.
"""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from bot.envfile import ENV_FILE
from bot.forms import holds_token

MAX_SHOWN = 80


def complaint(error: Mapping[str, Any], known: Sequence[str]) -> str:
    """One of the library's errors in our words; `known` are the names of all settings."""
    if not error["loc"]:
        return str(error["ctx"]["error"])
    name = str(error["loc"][0])
    if error["type"] == "extra_forbidden":
        return _unknown(name, known)
    key, value = name.upper(), str(error["input"])
    # Whatever the key: a value that holds a token, or was meant as one, is not shown.
    is_secret = key == "TELEGRAM_BOT_TOKEN" or holds_token(value)
    if is_secret or len(value) > MAX_SHOWN:
        return f"{key} {_requirement(error)}."
    return f"{key} {_requirement(error)}, not {value!r}."


def _unknown(name: str, known: Sequence[str]) -> str:
    if holds_token(name):
        return f"{ENV_FILE} has a token where the name of a setting should be."
    key = name.upper()
    near = [one for one in known if key in one] or difflib.get_close_matches(key, known)
    hint = f"; did you mean {near[0]}?" if near else "."
    return f"{ENV_FILE} has {key}, which is no setting{hint}"


def _requirement(error: Mapping[str, Any]) -> str:
    bounds = error.get("ctx", {})
    match error["type"]:
        case "int_parsing" | "int_type" | "int_from_float":
            return "must be a whole number"
        case "float_parsing" | "finite_number":
            return "must be a number"
        case "greater_than_equal":
            return f"must be at least {bounds['ge']:g}"
        case "less_than_equal":
            return f"must be at most {bounds['le']:g}"
        case "literal_error":
            return f"must be one of {bounds['expected']}"
        case "value_error":
            return str(bounds["error"])
        case _:
            return "cannot be used"
