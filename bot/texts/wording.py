"""What a language has to be able to say: each sentence that a person can read in a chat.

Knows no error and no platform. Counts stand where no word depends on them, so that no language
needs forms of plural.
"""

from dataclasses import dataclass

from engine import FinishReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The sentences of one language; `tag` is its IETF tag, `name` what its speakers call it."""

    tag: str
    name: str
    translate_prompt: str

    hello: str
    help: str
    help_group: str
    new: str
    stopped: str
    nothing_to_stop: str
    thinking: str
    in_line_next: str
    in_line: str
    empty_answer: str
    no_photo_hint: str
    no_text: str
    ocr_how: str
    ask_how: str
    interrupted: str
    away: str
    cut_by_length: str
    cut_by_repetition: str
    heading: str
    left_out: str

    button_stop: str
    button_cancel: str
    button_regenerate: str
    button_read: str
    button_read_by_model: str
    button_retry: str
    button_copy: str
    button_translate: str
    button_edited: str
    button_allow: str
    button_deny: str

    at_work: str
    not_yours: str
    button_too_old: str
    unsupported: str
    unknown_command: str
    unknown_failure: str
    code: str
    turn_gone: str
    photo_gone: str
    file_too_big: str
    file_not_fetched: str
    file_empty: str
    not_an_image: str
    not_supported: str
    damaged: str
    too_many_bytes: str
    too_many_pixels: str
    album_unusable: str
    access_denied: str
    queue_full: str
    too_many_waiting: str
    quota_exceeded: str
    question_edited: str
    access_asked: str
    is_allowed: str
    is_denied: str
    admin_stays: str
    let_in: str
    allow_how: str
    users_admins: str
    users_allowed: str
    users_denied: str
    question_too_long: str
    prompt_too_long: str
    out_of_memory: str
    engine_stopped: str
    not_written: str
    photo_not_kept: str

    command_ocr: str
    command_ask: str
    command_new: str
    command_stop: str
    command_help: str

    language_ask: str
    language_auto: str
    language_set: str
    forget_ask: str
    forgotten: str
    kept: str
    button_forget: str
    button_keep: str
    command_language: str
    command_forget: str
    command_privacy: str
    privacy: str
    help_privacy_mode: str

    command_settings: str
    settings_ask: str
    settings_ask_group: str
    settings_for_admins: str
    setting_length: str
    setting_answers: str
    setting_photo: str
    setting_history: str
    setting_days: str
    setting_mentions: str
    setting_who: str
    value_normal: str
    value_short: str
    value_long: str
    value_auto: str
    value_describe: str
    value_read: str
    value_ask: str
    value_wait: str
    value_on: str
    value_off: str
    value_all: str
    value_everybody: str
    value_admins: str
    photo_question: str
    button_describe: str
    button_back: str

    def setting(self, name: str) -> str:
        """What a setting is called."""
        return str(getattr(self, f"setting_{name}"))

    def value(self, value: str) -> str:
        """What a value of a setting is called; days are told by their number alone."""
        return str(getattr(self, f"value_{value}", value))

    def group_help(self, *, sees_all: bool) -> str:
        """How to address the bot in a group where it sees everything, or commands and replies."""
        return self.help_group if sees_all else f"{self.help_group}\n{self.help_privacy_mode}"

    def place_in_line(self, place: int) -> str:
        """What is shown while an answer waits; 1 is next."""
        return self.in_line_next if place <= 1 else self.in_line.format(place=place)

    def photo_heading(self, number: int) -> str:
        """What stands above the text of one photo among several."""
        return self.heading.format(number=number)

    def photo_missing(self, number: int, why: str) -> str:
        """What is said of one photo of several that could not be used."""
        return f"{self.left_out.format(number=number)} {why}"

    def failure(self, code: str) -> str:
        """What is said of a failure that nobody foresaw; the owner finds the code in the log."""
        return f"{self.unknown_failure} {self.code.format(code=code)}"

    def note_for(self, reason: FinishReason | None) -> str:
        """What is added under an answer that ended otherwise than by itself; empty if not."""
        match reason:
            case FinishReason.LENGTH:
                return self.cut_by_length
            case FinishReason.REPETITION:
                return self.cut_by_repetition
            case _:
                return ""
