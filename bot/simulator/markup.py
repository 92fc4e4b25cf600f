"""Reply markup: inline keyboards are checked and kept; other keyboards are checked and dropped,

because the simulator's page has no place for them.
"""

from bot.simulator.parameters import Parameters
from bot.simulator.records import Button, Keyboard
from bot.simulator.refusal import Refusal, bad_request

MAX_BUTTONS = 100
MAX_DATA_BYTES = 64
MAX_COPY_TEXT = 256
MAX_MARKUP_BYTES = 10 * 1024
_STYLES = frozenset({"", "danger", "success", "primary"})


def read_keyboard(parameters: Parameters) -> Keyboard:
    if len(parameters.text("reply_markup").encode()) > MAX_MARKUP_BYTES:
        raise bad_request("Reply markup is too long")
    complaint = "Can't parse reply keyboard markup JSON object"
    markup = parameters.structure("reply_markup", complaint)
    if markup is None:
        return ()
    if not isinstance(markup, dict):
        raise bad_request("Object expected as reply markup")
    rows = markup.get("inline_keyboard", [])
    if not isinstance(rows, list):
        raise bad_request('Field "inline_keyboard" must be of type Array')
    keyboard = tuple(_row(row) for row in rows)
    if sum(len(row) for row in keyboard) > MAX_BUTTONS:
        raise bad_request("Reply markup is too long")
    return tuple(row for row in keyboard if row)


def _row(row: object) -> tuple[Button, ...]:
    if not isinstance(row, list):
        raise bad_request('Field "inline_keyboard" must be an Array of Arrays')
    return tuple(_button(button) for button in row)


def _button(button: object) -> Button:
    if not isinstance(button, dict):
        raise _fault("InlineKeyboardButton must be an Object")
    text = _text(button, "text", required=True)
    made = Button(
        text,
        callback_data=_text(button, "callback_data"),
        url=_text(button, "url"),
        copy_text=_copy_text(button),
        style=_text(button, "style"),
    )
    if not text.strip():
        raise bad_request("BUTTON_TEXT_INVALID")
    if len(made.callback_data.encode()) > MAX_DATA_BYTES:
        raise bad_request("BUTTON_DATA_INVALID")
    if len(made.copy_text) > MAX_COPY_TEXT:
        raise bad_request("BUTTON_COPY_TEXT_INVALID")
    if made.style not in _STYLES:
        raise _fault("invalid button style specified")
    if "callback_data" in button and not made.callback_data:
        raise bad_request("BUTTON_DATA_INVALID")
    if not (made.callback_data or made.url or made.copy_text):
        raise _fault("Text buttons are unallowed in the inline keyboard")
    return made


def _copy_text(button: dict[str, object]) -> str:
    value = button.get("copy_text")
    if value is None:
        return ""
    if not isinstance(value, dict):
        raise _fault('Field "copy_text" must be of type Object')
    text = _text(value, "text", required=True)
    if not text:
        raise bad_request("BUTTON_COPY_TEXT_INVALID")
    return text


def _text(source: dict[str, object], name: str, *, required: bool = False) -> str:
    value = source.get(name)
    if value is None and required:
        raise _fault(f'Can\'t find field "{name}"')
    if value is not None and not isinstance(value, str | int):
        raise _fault(f'Field "{name}" must be of type String')
    return "" if value is None else str(value)


def _fault(reason: str) -> Refusal:
    return bad_request(f"Can't parse inline keyboard button: {reason}")
