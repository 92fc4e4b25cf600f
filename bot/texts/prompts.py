"""Every prompt that we write to the model, in English or, for Chinese, in Chinese.

Knows nothing of what people read; the reading model was trained on the first four of these.
"""

DESCRIBE = "Describe this photo in two or three sentences. If it is mainly a document, say so."
DESCRIBE_ZH = "请用两三句话描述这张照片。如果主要是文档，请说明。"
READ = "Read all the text in this photo exactly, line by line. Answer with the text only."
READ_ZH = "请逐行准确读出图中的全部文字，只回答文字。"

EARLIER_PHOTO = "[an earlier photo]"
EARLIER_PHOTOS = "[{} earlier photos]"
# What stands in a conversation for a photo that was read and had no text.
NO_TEXT = "No readable text in this photo."


_LENGTHS = {"short": "Answer in one or two short sentences.", "long": "Answer in detail."}
_TONGUES = {
    "en": "English",
    "zh": "Chinese",
    "ru": "Russian",
    "es": "Spanish",
    "de": "German",
    "pt": "Portuguese",
}


def manner_prompt(length: str, tongue: str) -> str:
    """How the model is to answer; empty if it is left to the question."""
    parts = [_LENGTHS.get(length, "")]
    if tongue in _TONGUES:
        parts.append(f"Always answer in {_TONGUES[tongue]}.")
    return " ".join(part for part in parts if part)


def is_chinese(text: str) -> bool:
    """Whether a text is written in Chinese: one ideograph is enough, unless kana stand by it."""
    has_kana = any("\u3040" <= character <= "\u30ff" for character in text)
    return not has_kana and any("\u4e00" <= character <= "\u9fff" for character in text)


def describe_prompt(*, is_chinese: bool) -> str:
    """What the model is asked about a photo that came without words."""
    return DESCRIBE_ZH if is_chinese else DESCRIBE


def read_prompt(*, is_chinese: bool) -> str:
    """What the model is asked when the text of a photo is wanted."""
    return READ_ZH if is_chinese else READ


def earlier_photos(num_photos: int) -> str:
    """What the model reads in the place of photos that are no longer in question."""
    return EARLIER_PHOTO if num_photos == 1 else EARLIER_PHOTOS.format(num_photos)
