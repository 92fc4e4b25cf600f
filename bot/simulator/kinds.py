"""Kinds of updates: all, those that come unasked, and those that a request names."""

KINDS = frozenset(
    {
        "message",
        "edited_message",
        "channel_post",
        "edited_channel_post",
        "business_connection",
        "business_message",
        "edited_business_message",
        "deleted_business_messages",
        "message_reaction",
        "message_reaction_count",
        "inline_query",
        "chosen_inline_result",
        "callback_query",
        "shipping_query",
        "pre_checkout_query",
        "purchased_paid_media",
        "poll",
        "poll_answer",
        "my_chat_member",
        "chat_member",
        "chat_join_request",
        "chat_boost",
        "removed_chat_boost",
        "managed_bot",
        "guest_message",
    }
)
_NOT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
DEFAULT_KINDS = KINDS - _NOT_BY_DEFAULT


def read_kinds(value: object) -> list[str] | None:
    """The wanted kinds of a request; None where it says nothing of them."""
    if not isinstance(value, list):
        return None
    return [kind for kind in value if isinstance(kind, str)]
