"""The methods that the simulator has, with their parameters as in the Bot API's specification.

`*` marks what is required, `^` what came after Bot API 10.0 and is unknown to our library.
"""

from dataclasses import dataclass

# Ways of older versions that the server still takes.
OLD_PARAMETERS = frozenset(
    {"reply_to_message_id", "allow_sending_without_reply", "disable_web_page_preview"}
)

_TABLE = {
    "getMe": "",
    "getUpdates": "offset limit timeout allowed_updates",
    "getWebhookInfo": "",
    "setWebhook": (
        "url* certificate ip_address max_connections allowed_updates drop_pending_updates "
        "secret_token"
    ),
    "deleteWebhook": "drop_pending_updates",
    "sendMessage": (
        "business_connection_id chat_id* message_thread_id direct_messages_topic_id "
        "ephemeral_message_parameters^ text* parse_mode entities link_preview_options "
        "disable_notification protect_content allow_paid_broadcast message_effect_id "
        "suggested_post_parameters reply_parameters reply_markup"
    ),
    "sendPhoto": (
        "business_connection_id chat_id* message_thread_id direct_messages_topic_id "
        "ephemeral_message_parameters^ photo* caption parse_mode caption_entities "
        "show_caption_above_media has_spoiler disable_notification protect_content "
        "allow_paid_broadcast message_effect_id suggested_post_parameters "
        "reply_parameters reply_markup"
    ),
    "sendDocument": (
        "business_connection_id chat_id* message_thread_id direct_messages_topic_id "
        "ephemeral_message_parameters^ document* thumbnail caption parse_mode "
        "caption_entities disable_content_type_detection disable_notification "
        "protect_content allow_paid_broadcast message_effect_id suggested_post_parameters "
        "reply_parameters reply_markup"
    ),
    "sendMessageDraft": (
        "chat_id* message_thread_id draft_id* text parse_mode entities can_stop^ keep_on_stop^"
    ),
    "sendChatAction": "business_connection_id chat_id* message_thread_id action*",
    "editMessageText": (
        "business_connection_id chat_id message_id inline_message_id text parse_mode "
        "entities link_preview_options rich_message^ reply_markup"
    ),
    "editMessageCaption": (
        "business_connection_id chat_id message_id inline_message_id caption parse_mode "
        "caption_entities show_caption_above_media reply_markup"
    ),
    "editMessageReplyMarkup": (
        "business_connection_id chat_id message_id inline_message_id reply_markup"
    ),
    "deleteMessage": "chat_id* message_id*",
    "setMessageReaction": "chat_id* message_id* reaction is_big",
    "getFile": "file_id*",
    "answerCallbackQuery": "callback_query_id* text show_alert url cache_time",
    "getChat": "chat_id*",
    "getChatMember": "chat_id* user_id*",
    "getChatAdministrators": "chat_id* return_bots",
    "getChatMemberCount": "chat_id*",
    "setMyCommands": "commands* scope language_code",
    "deleteMyCommands": "scope language_code",
    "getMyCommands": "scope language_code",
    "setMyDescription": "description language_code",
    "getMyDescription": "language_code",
    "setMyShortDescription": "short_description language_code",
    "getMyShortDescription": "language_code",
    "getMyName": "language_code",
}


@dataclass(frozen=True, slots=True)
class Signature:
    """One method: its real name, and the names of its parameters."""

    name: str
    required: frozenset[str]
    known: frozenset[str]
    newer: frozenset[str]

    def problems(self, given: frozenset[str]) -> tuple[str, ...]:
        """What a careful reader of the specification would object to."""
        missing = (f"missing {name}" for name in sorted(self.required - given))
        strange = (f"unknown {name}" for name in sorted(given - self.known - OLD_PARAMETERS))
        newer = (f"newer than 10.0: {name}" for name in sorted(given & self.newer))
        return (*missing, *strange, *newer)


def _signature(name: str, parameters: str) -> Signature:
    words = parameters.split()
    return Signature(
        name,
        frozenset(word.rstrip("*^") for word in words if "*" in word),
        frozenset(word.rstrip("*^") for word in words),
        frozenset(word.rstrip("*^") for word in words if "^" in word),
    )


METHODS = {name.lower(): _signature(name, parameters) for name, parameters in _TABLE.items()}
