"""The sentences in English."""

from bot.texts.wording import Wording

ENGLISH = Wording(
    tag="en",
    name="English",
    hello=(
        "Send me a photo and I will tell you what is in it. Put a question in its caption, or ask "
        "on afterwards: I keep the photo in mind. /help lists the commands."
    ),
    help=(
        "Send a photo, with or without a question in its caption.\n"
        "Ask on in plain text: it is about the newest photo.\n"
        "Reply to an older photo or answer to go back to it.\n"
        "/ocr reads the text of a photo, as a reply to it or in its caption.\n"
        "/new begins a new conversation.\n"
        "/stop stops the answer that is being written.\n"
        "/settings changes how I answer.\n"
        "/language chooses the language of my notes; /forget deletes all I keep of you."
    ),
    help_group=(
        "Reply to a photo with /ocr to read its text.\n"
        "Reply to a photo with /ask and your question.\n"
        "Reply to my answer to ask on. I keep silent otherwise."
    ),
    new="A new conversation begins; the earlier photos are closed.",
    stopped="Stopped.",
    nothing_to_stop="Nothing is being answered right now.",
    thinking="Looking at it…",
    in_line_next="In line: next.",
    in_line="In line: number {place}.",
    empty_answer="I have no answer to that.",
    no_photo_hint=(
        "(No photo is open, so I answer from the text alone. Send one to ask about it.)"
    ),
    no_text="No readable text in this photo.",
    ocr_how="Reply to a photo with /ocr, or write /ocr in its caption.",
    ask_how="Reply to a photo with /ask and your question.",
    interrupted="I was interrupted before I could answer.",
    away="I was away when you wrote. Please ask again what you still want to know.",
    cut_by_length="(cut: the answer reached its length limit)",
    cut_by_repetition="(stopped: repeated output)",
    heading="Photo {number}:",
    left_out="Photo {number} is left out.",
    button_stop="Stop",
    button_cancel="Cancel",
    button_regenerate="Regenerate",
    button_read="Read text",
    button_read_by_model="Read with the model",
    button_retry="Try again",
    button_copy="Copy",
    at_work="I am at it already.",
    not_yours="Only the one who asked can use this button.",
    button_too_old="That button belongs to a message I can no longer see.",
    unsupported="I can look at photos, picture files and still stickers; that is something else.",
    unknown_command="I do not know that command. /help lists those I know.",
    unknown_failure="Something went wrong on my side. Please try again.",
    code="(code {code})",
    turn_gone="I no longer know that answer. Please send the photo again.",
    photo_gone="I no longer have that photo, please send it again.",
    file_too_big="That file is larger than 20 MB, which bots may not download. Send a smaller one.",
    file_not_fetched="The photo did not arrive from Telegram. Please try again in a moment.",
    file_empty="That file is empty. Please send the photo again.",
    not_an_image="That file is not a picture I can open. Send a JPEG, PNG or WebP.",
    not_supported="I cannot open that kind of picture. Send it as a photo or a JPEG.",
    damaged="That picture is damaged and cannot be opened. Please send it again.",
    too_many_bytes="That file is too large for me. Please send a smaller one.",
    too_many_pixels="That picture has too many pixels. Please send a smaller one.",
    album_unusable=(
        "I can open none of these photos (number of photos: {num_photos}). "
        "Please send them again, as photos or as JPEG files."
    ),
    access_denied=(
        "This bot answers invited people only. To be invited, give its owner this number: {asker}"
    ),
    queue_full=(
        "Too much to do: questions waiting already: {num_waiting}. "
        "Please try again in a few minutes."
    ),
    question_too_long=(
        "Your question is too long for me: tokens {num_tokens}, at most {limit}. "
        "Please ask with less text, or about fewer photos."
    ),
    prompt_too_long="This conversation has become too long. Begin a new one with /new.",
    out_of_memory="There was not enough memory for this photo. Please try a smaller one.",
    engine_stopped="The bot is being restarted. Please ask again in a minute.",
    not_written="I could not write this down: the disk may be full. Please tell the owner.",
    photo_not_kept="I could not keep your photo: the disk may be full. Please tell the owner.",
    command_ocr="Read the text of a photo",
    command_ask="Ask about a photo",
    command_new="Begin a new conversation",
    command_stop="Stop the answer that is being written",
    command_help="What I can do",
    button_forget="Delete everything",
    button_keep="Keep it",
    command_language="Choose the language of menus and notes",
    command_forget="Delete everything I keep of you",
    language_ask="Which language shall I use? Answers follow the language of your question.",
    language_auto="As in Telegram",
    language_set="I use English now.",
    forget_ask=(
        "Shall I delete all your questions, answers, photos and settings, in all chats? "
        "This cannot be undone."
    ),
    forgotten="Everything I kept of you is deleted.",
    kept="Nothing was deleted.",
    command_privacy="What is kept of you, and for how long",
    privacy=(
        "Everything is worked out on the computer of this bot's owner; only Telegram carries "
        "our messages.\n"
        "Kept until you delete it: your questions, my answers, and which photos they are "
        "about.\n"
        "Kept for a while (days: {days}): the photos themselves and what the model remembers "
        "of them.\n"
        "Never in a log: what you write, what I answer, what is in a photo.\n"
        "/forget deletes everything at once."
    ),
    help_privacy_mode=(
        "Privacy mode is on, so I see only commands and replies to me here, no mentions. My "
        "owner can switch it off at @BotFather, and must then remove me and add me again."
    ),
    too_many_waiting=(
        "Your questions waiting already: {num_waiting}. Please wait for an answer, or end "
        "the waiting with /stop."
    ),
    button_translate="Translate",
    translate_prompt=(
        "Translate your last answer into English. Write nothing but the translation."
    ),
    button_edited="Answer the edited question",
    question_edited="You changed your question after I had taken it.",
    button_allow="Allow",
    button_deny="Deny",
    access_asked="{name} (number {asker}) would like to use this bot.",
    is_allowed="{asker} may use this bot.",
    is_denied="{asker} may not use this bot.",
    admin_stays="{asker} is an admin in the settings.",
    let_in="You may use this bot now. Send me a photo.",
    allow_how=(
        "Write the number of a person or a group behind the command, or answer a forwarded "
        "message with it."
    ),
    users_admins="Admins:",
    users_allowed="Allowed:",
    users_denied="Denied:",
    command_settings="Choose how I answer",
    settings_ask="What would you like to change?",
    settings_ask_group="What shall change in this group?",
    settings_for_admins="Only admins of this group can change that.",
    setting_length="Answer length",
    setting_answers="Answer language",
    setting_photo="Photo without words",
    setting_history="Keep earlier questions",
    setting_days="Days that questions are kept",
    setting_mentions="Answer mentions",
    setting_who="Who may ask",
    value_normal="normal",
    value_short="short",
    value_long="long",
    value_auto="as the question",
    value_describe="describe it",
    value_read="read its text",
    value_ask="ask me",
    value_wait="wait for my question",
    value_on="on",
    value_off="off",
    value_all="until deleted",
    value_everybody="everybody",
    value_admins="admins only",
    photo_question="What would you like to know about this photo?",
    button_describe="Describe it",
    button_back="Back",
    quota_exceeded=(
        "That would be more photos than you may show in a day ({limit}). From {time} on "
        "there are new ones."
    ),
)
