"""The sentences in German."""

from bot.texts.wording import Wording

GERMAN = Wording(
    tag="de",
    name="Deutsch",
    hello=(
        "Schick mir ein Foto, und ich sage dir, was darauf ist. Schreib eine Frage dazu oder frag "
        "danach weiter: Ich behalte das Foto im Sinn. /help zeigt die Befehle."
    ),
    help=(
        "Schick ein Foto, mit oder ohne Frage in der Bildunterschrift.\n"
        "Frag einfach weiter: Es geht um das neueste Foto.\n"
        "Antworte auf ein älteres Foto oder eine Antwort, um dorthin zurückzukehren.\n"
        "/ocr liest den Text eines Fotos, als Antwort darauf oder in der Bildunterschrift.\n"
        "/new beginnt ein neues Gespräch.\n"
        "/stop hält die Antwort an, die gerade geschrieben wird.\n"
        "/settings ändert, wie ich antworte.\n"
        "/language wählt die Sprache meiner Hinweise; /forget löscht alles, was ich von dir habe."
    ),
    help_group=(
        "Antworte auf ein Foto mit /ocr, um seinen Text zu lesen.\n"
        "Antworte auf ein Foto mit /ask und deiner Frage.\n"
        "Antworte auf meine Antwort, um weiterzufragen. Sonst schweige ich."
    ),
    new="Ein neues Gespräch beginnt; die früheren Fotos sind geschlossen.",
    stopped="Angehalten.",
    nothing_to_stop="Gerade wird nichts beantwortet.",
    thinking="Ich sehe es mir an…",
    in_line_next="In der Schlange: als Nächstes.",
    in_line="In der Schlange: Nummer {place}.",
    empty_answer="Darauf habe ich keine Antwort.",
    no_photo_hint=(
        "(Es ist kein Foto offen, ich antworte nur nach dem Text. Schick eines, um danach zu "
        "fragen.)"
    ),
    no_text="Kein lesbarer Text auf diesem Foto.",
    ocr_how="Antworte auf ein Foto mit /ocr, oder schreib /ocr in seine Bildunterschrift.",
    ask_how="Antworte auf ein Foto mit /ask und deiner Frage.",
    interrupted="Ich wurde unterbrochen, bevor ich antworten konnte.",
    away="Ich war nicht da, als du schriebst. Frag bitte noch einmal, was du noch wissen willst.",
    cut_by_length="(gekürzt: Die Antwort hat ihre größte Länge erreicht)",
    cut_by_repetition="(angehalten: Die Ausgabe wiederholte sich)",
    heading="Foto {number}:",
    left_out="Foto {number} fehlt.",
    button_stop="Anhalten",
    button_cancel="Abbrechen",
    button_regenerate="Neu antworten",
    button_read="Text lesen",
    button_read_by_model="Mit dem Modell lesen",
    button_retry="Noch einmal",
    button_copy="Kopieren",
    at_work="Ich bin schon dabei.",
    not_yours="Diesen Knopf kann nur drücken, wer gefragt hat.",
    button_too_old="Dieser Knopf gehört zu einer Nachricht, die ich nicht mehr sehe.",
    unsupported="Ich kann Fotos, Bilddateien und unbewegte Sticker ansehen; das ist etwas anderes.",
    unknown_command="Diesen Befehl kenne ich nicht. /help zeigt die, die ich kenne.",
    unknown_failure="Bei mir ist etwas schiefgegangen. Versuch es bitte noch einmal.",
    code="(Code {code})",
    turn_gone="Diese Antwort kenne ich nicht mehr. Schick das Foto bitte noch einmal.",
    photo_gone="Dieses Foto habe ich nicht mehr, schick es bitte noch einmal.",
    file_too_big=(
        "Diese Datei ist größer als 20 MB, das dürfen Bots nicht herunterladen. "
        "Schick eine kleinere."
    ),
    file_not_fetched="Das Foto kam nicht von Telegram an. Versuch es bitte gleich noch einmal.",
    file_empty="Diese Datei ist leer. Schick das Foto bitte noch einmal.",
    not_an_image="Diese Datei ist kein Bild, das ich öffnen kann. Schick ein JPEG, PNG oder WebP.",
    not_supported="Diese Art Bild kann ich nicht öffnen. Schick es als Foto oder JPEG.",
    damaged="Dieses Bild ist beschädigt und lässt sich nicht öffnen. Schick es bitte noch einmal.",
    too_many_bytes="Diese Datei ist zu groß für mich. Schick bitte eine kleinere.",
    too_many_pixels="Dieses Bild hat zu viele Pixel. Schick bitte ein kleineres.",
    album_unusable=(
        "Von diesen Fotos kann ich keines öffnen (Zahl der Fotos: {num_photos}). "
        "Schick sie bitte noch einmal, als Fotos oder als JPEG-Dateien."
    ),
    access_denied=(
        "Dieser Bot antwortet nur Eingeladenen. "
        "Um eingeladen zu werden, gib seinem Besitzer diese Nummer: {asker}"
    ),
    queue_full=(
        "Zu viel zu tun: wartende Fragen: {num_waiting}. "
        "Versuch es bitte in ein paar Minuten wieder."
    ),
    question_too_long=(
        "Deine Frage ist mir zu lang: Tokens {num_tokens}, höchstens {limit}. "
        "Frag bitte kürzer oder nach weniger Fotos."
    ),
    prompt_too_long="Dieses Gespräch ist zu lang geworden. Beginn mit /new ein neues.",
    out_of_memory="Für dieses Foto reichte der Speicher nicht. Versuch bitte ein kleineres.",
    engine_stopped="Der Bot wird neu gestartet. Frag bitte in einer Minute noch einmal.",
    not_written=(
        "Das konnte ich nicht aufschreiben: Vielleicht ist die Platte voll. Sag es dem Besitzer."
    ),
    photo_not_kept=(
        "Ich konnte dein Foto nicht aufheben: Vielleicht ist die Platte voll. Sag es dem Besitzer."
    ),
    command_ocr="Den Text eines Fotos lesen",
    command_ask="Nach einem Foto fragen",
    command_new="Ein neues Gespräch beginnen",
    command_stop="Die Antwort anhalten, die geschrieben wird",
    command_help="Was ich kann",
    button_forget="Alles löschen",
    button_keep="Behalten",
    command_language="Die Sprache von Menüs und Hinweisen wählen",
    command_forget="Alles löschen, was ich von dir habe",
    language_ask="Welche Sprache soll ich benutzen? Antworten folgen der Sprache deiner Frage.",
    language_auto="Wie in Telegram",
    language_set="Ich benutze jetzt Deutsch.",
    forget_ask=(
        "Soll ich alle deine Fragen, Antworten, Fotos und Einstellungen löschen, in allen Chats? "
        "Das lässt sich nicht rückgängig machen."
    ),
    forgotten="Alles, was ich von dir hatte, ist gelöscht.",
    kept="Es wurde nichts gelöscht.",
    command_privacy="Was von dir aufbewahrt wird und wie lange",
    privacy=(
        "Alles wird auf dem Rechner des Besitzers dieses Bots verarbeitet; nur Telegram "
        "befördert unsere Nachrichten.\n"
        "Aufbewahrt, bis du es löschst: deine Fragen, meine Antworten und um welche Fotos es "
        "ging.\n"
        "Eine Zeit lang aufbewahrt (Tage: {days}): die Fotos selbst und was das Modell davon "
        "behält.\n"
        "Nie in einem Protokoll: was du schreibst, was ich antworte, was auf einem Foto ist.\n"
        "/forget löscht alles auf einmal."
    ),
    help_privacy_mode=(
        "Der Privatsphäre-Modus ist an: Ich sehe hier nur Befehle und Antworten an mich, "
        "keine Erwähnungen. Mein Besitzer kann ihn bei @BotFather ausschalten und muss mich "
        "dann entfernen und neu hinzufügen."
    ),
    too_many_waiting=(
        "Deine Fragen, die schon warten: {num_waiting}. Warte bitte auf eine Antwort oder "
        "beende das Warten mit /stop."
    ),
    button_translate="Übersetzen",
    translate_prompt=("Übersetze deine letzte Antwort ins Deutsche. Schreib nur die Übersetzung."),
    button_edited="Die geänderte Frage beantworten",
    question_edited="Du hast deine Frage geändert, nachdem ich sie übernommen hatte.",
    button_allow="Erlauben",
    button_deny="Ablehnen",
    access_asked="{name} (Nummer {asker}) möchte diesen Bot benutzen.",
    is_allowed="{asker} darf diesen Bot benutzen.",
    is_denied="{asker} darf diesen Bot nicht benutzen.",
    admin_stays="{asker} ist in den Einstellungen Admin.",
    let_in="Du darfst diesen Bot jetzt benutzen. Schick mir ein Foto.",
    allow_how=(
        "Schreib die Nummer einer Person oder Gruppe hinter den Befehl, oder antworte damit "
        "auf eine weitergeleitete Nachricht."
    ),
    users_admins="Admins:",
    users_allowed="Erlaubt:",
    users_denied="Abgelehnt:",
    command_settings="Einstellen, wie ich antworte",
    settings_ask="Was möchtest du ändern?",
    settings_ask_group="Was soll sich in dieser Gruppe ändern?",
    settings_for_admins="Das können nur Admins dieser Gruppe ändern.",
    setting_length="Länge der Antworten",
    setting_answers="Sprache der Antworten",
    setting_photo="Foto ohne Worte",
    setting_history="Frühere Fragen behalten",
    setting_days="Tage, die Fragen bleiben",
    setting_mentions="Auf Erwähnungen antworten",
    setting_who="Wer fragen darf",
    value_normal="mittel",
    value_short="kurz",
    value_long="lang",
    value_auto="wie die Frage",
    value_describe="beschreiben",
    value_read="Text lesen",
    value_ask="mich fragen",
    value_wait="auf meine Frage warten",
    value_on="an",
    value_off="aus",
    value_all="bis zum Löschen",
    value_everybody="alle",
    value_admins="nur Admins",
    photo_question="Was möchtest du über dieses Foto wissen?",
    button_describe="Beschreiben",
    button_back="Zurück",
    quota_exceeded=(
        "Das wären mehr Fotos, als du an einem Tag zeigen darfst ({limit}). Ab {time} gibt es neue."
    ),
)
