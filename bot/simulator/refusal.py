"""Refusal: an answer of the Bot API that is not ok. Knows the wording rules, not the methods."""

PREFIXES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    409: "Conflict",
    413: "Request Entity Too Large",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}


class Refusal(Exception):
    """HTTP status, description and, where due, parameters such as `migrate_to_chat_id`."""

    def __init__(
        self, code: int, reason: str = "", parameters: dict[str, int] | None = None
    ) -> None:
        self.code = code
        self.description = f"{PREFIXES[code]}: {_lowered(reason)}" if reason else PREFIXES[code]
        self.parameters = parameters or {}
        super().__init__(self.description)

    def body(self) -> dict[str, object]:
        answer: dict[str, object] = {
            "ok": False,
            "error_code": self.code,
            "description": self.description,
        }
        if self.parameters:
            answer["parameters"] = self.parameters
        return answer


def bad_request(reason: str) -> Refusal:
    return Refusal(400, reason)


def _lowered(reason: str) -> str:
    # The server lowers the first letter of a sentence, but not of a code such as TOPIC_CLOSED.
    second = reason[1:2]
    if second == "_" or "A" <= second <= "Z":
        return reason
    return reason[:1].lower() + reason[1:]
