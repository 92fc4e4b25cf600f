"""The sentences in Spanish."""

from bot.texts.wording import Wording

SPANISH = Wording(
    tag="es",
    name="Español",
    hello=(
        "Envíame una foto y te diré qué hay en ella. Pon una pregunta en el pie de foto o sigue "
        "preguntando después: recuerdo la foto. /help muestra los comandos."
    ),
    help=(
        "Envía una foto, con o sin una pregunta en el pie de foto.\n"
        "Sigue preguntando con texto: se trata de la foto más reciente.\n"
        "Responde a una foto o respuesta anterior para volver a ella.\n"
        "/ocr lee el texto de una foto, como respuesta a ella o en su pie de foto.\n"
        "/new empieza una conversación nueva.\n"
        "/stop detiene la respuesta que se está escribiendo.\n"
        "/settings cambia cómo respondo.\n"
        "/language elige el idioma de mis avisos; /forget borra todo lo que guardo de ti."
    ),
    help_group=(
        "Responde a una foto con /ocr para leer su texto.\n"
        "Responde a una foto con /ask y tu pregunta.\n"
        "Responde a mi respuesta para seguir preguntando. Si no, guardo silencio."
    ),
    new="Empieza una conversación nueva; las fotos anteriores quedan cerradas.",
    stopped="Detenido.",
    nothing_to_stop="Ahora mismo no se está respondiendo nada.",
    thinking="La estoy mirando…",
    in_line_next="En la cola: el siguiente.",
    in_line="En la cola: número {place}.",
    empty_answer="No tengo respuesta para eso.",
    no_photo_hint=(
        "(No hay ninguna foto abierta, respondo solo según el texto. Envía una para preguntar.)"
    ),
    no_text="No hay texto legible en esta foto.",
    ocr_how="Responde a una foto con /ocr, o escribe /ocr en su pie de foto.",
    ask_how="Responde a una foto con /ask y tu pregunta.",
    interrupted="Me interrumpieron antes de poder responder.",
    away="No estaba cuando escribiste. Vuelve a preguntar lo que aún quieras saber.",
    cut_by_length="(cortado: la respuesta llegó a su longitud máxima)",
    cut_by_repetition="(detenido: la salida se repetía)",
    heading="Foto {number}:",
    left_out="La foto {number} queda fuera.",
    button_stop="Detener",
    button_cancel="Cancelar",
    button_regenerate="Responder de nuevo",
    button_read="Leer el texto",
    button_read_by_model="Leer con el modelo",
    button_retry="Intentar de nuevo",
    button_copy="Copiar",
    at_work="Ya estoy en ello.",
    not_yours="Solo quien preguntó puede usar este botón.",
    button_too_old="Ese botón pertenece a un mensaje que ya no puedo ver.",
    unsupported="Puedo mirar fotos, archivos de imagen y stickers fijos; eso es otra cosa.",
    unknown_command="No conozco ese comando. /help muestra los que conozco.",
    unknown_failure="Algo falló por mi parte. Inténtalo de nuevo.",
    code="(código {code})",
    turn_gone="Ya no conozco esa respuesta. Envía la foto otra vez.",
    photo_gone="Ya no tengo esa foto, envíala otra vez.",
    file_too_big=(
        "Ese archivo pasa de 20 MB, y los bots no pueden descargarlo. Envía uno más pequeño."
    ),
    file_not_fetched="La foto no llegó desde Telegram. Inténtalo de nuevo en un momento.",
    file_empty="Ese archivo está vacío. Envía la foto otra vez.",
    not_an_image="Ese archivo no es una imagen que pueda abrir. Envía un JPEG, PNG o WebP.",
    not_supported="No puedo abrir ese tipo de imagen. Envíala como foto o como JPEG.",
    damaged="Esa imagen está dañada y no se puede abrir. Envíala otra vez.",
    too_many_bytes="Ese archivo es demasiado grande para mí. Envía uno más pequeño.",
    too_many_pixels="Esa imagen tiene demasiados píxeles. Envía una más pequeña.",
    album_unusable=(
        "No puedo abrir ninguna de estas fotos (número de fotos: {num_photos}). "
        "Envíalas otra vez, como fotos o como archivos JPEG."
    ),
    access_denied=(
        "Este bot responde solo a personas invitadas. "
        "Para que te inviten, da este número a su dueño: {asker}"
    ),
    queue_full=(
        "Hay demasiado trabajo; preguntas en espera: {num_waiting}. "
        "Inténtalo de nuevo en unos minutos."
    ),
    question_too_long=(
        "Tu pregunta es demasiado larga: tokens {num_tokens}, máximo {limit}. "
        "Pregunta con menos texto o sobre menos fotos."
    ),
    prompt_too_long="Esta conversación se ha hecho demasiado larga. Empieza otra con /new.",
    out_of_memory="No hubo memoria suficiente para esta foto. Prueba con una más pequeña.",
    engine_stopped="El bot se está reiniciando. Vuelve a preguntar en un minuto.",
    not_written="No pude anotarlo: quizá el disco esté lleno. Avisa al dueño.",
    photo_not_kept="No pude guardar tu foto: quizá el disco esté lleno. Avisa al dueño.",
    command_ocr="Leer el texto de una foto",
    command_ask="Preguntar por una foto",
    command_new="Empezar una conversación nueva",
    command_stop="Detener la respuesta que se está escribiendo",
    command_help="Qué puedo hacer",
    button_forget="Borrar todo",
    button_keep="Conservar",
    command_language="Elegir el idioma de menús y avisos",
    command_forget="Borrar todo lo que guardo de ti",
    language_ask="¿Qué idioma uso? Las respuestas siguen el idioma de tu pregunta.",
    language_auto="Como en Telegram",
    language_set="Ahora uso el español.",
    forget_ask=(
        "¿Borro todas tus preguntas, respuestas, fotos y ajustes, en todos los chats? "
        "No se puede deshacer."
    ),
    forgotten="Todo lo que guardaba de ti está borrado.",
    kept="No se borró nada.",
    command_privacy="Qué se guarda de ti y por cuánto tiempo",
    privacy=(
        "Todo se procesa en el ordenador del dueño de este bot; solo Telegram lleva nuestros "
        "mensajes.\n"
        "Se guarda hasta que lo borres: tus preguntas, mis respuestas y a qué fotos se "
        "refieren.\n"
        "Se guarda un tiempo (días: {days}): las fotos y lo que el modelo recuerda de ellas.\n"
        "Nunca en un registro: lo que escribes, lo que respondo, lo que hay en una foto.\n"
        "/forget lo borra todo de inmediato."
    ),
    help_privacy_mode=(
        "El modo de privacidad está activado: aquí solo veo comandos y respuestas a mis "
        "mensajes, no menciones. Mi dueño puede desactivarlo en @BotFather y después debe "
        "quitarme y añadirme de nuevo."
    ),
    too_many_waiting=(
        "Tus preguntas en espera: {num_waiting}. Espera una respuesta o termina la espera "
        "con /stop."
    ),
    button_translate="Traducir",
    translate_prompt="Traduce tu última respuesta al español. Escribe solo la traducción.",
    button_edited="Responder a la pregunta editada",
    question_edited="Cambiaste tu pregunta después de que la tomé.",
    button_allow="Permitir",
    button_deny="Denegar",
    access_asked="{name} (número {asker}) quiere usar este bot.",
    is_allowed="{asker} puede usar este bot.",
    is_denied="{asker} no puede usar este bot.",
    admin_stays="{asker} es administrador en los ajustes.",
    let_in="Ya puedes usar este bot. Envíame una foto.",
    allow_how=(
        "Escribe tras el comando el número de una persona o un grupo, o responde con él a un "
        "mensaje reenviado."
    ),
    users_admins="Administradores:",
    users_allowed="Permitidos:",
    users_denied="Denegados:",
    command_settings="Elegir cómo respondo",
    settings_ask="¿Qué quieres cambiar?",
    settings_ask_group="¿Qué debe cambiar en este grupo?",
    settings_for_admins="Solo los administradores del grupo pueden cambiarlo.",
    setting_length="Longitud de las respuestas",
    setting_answers="Idioma de las respuestas",
    setting_photo="Foto sin palabras",
    setting_history="Guardar preguntas anteriores",
    setting_days="Días que se guardan",
    setting_mentions="Responder a menciones",
    setting_who="Quién puede preguntar",
    value_normal="media",
    value_short="corta",
    value_long="larga",
    value_auto="como la pregunta",
    value_describe="describirla",
    value_read="leer su texto",
    value_ask="preguntarme",
    value_wait="esperar mi pregunta",
    value_on="sí",
    value_off="no",
    value_all="hasta borrarlas",
    value_everybody="todos",
    value_admins="solo administradores",
    photo_question="¿Qué quieres saber de esta foto?",
    button_describe="Describirla",
    button_back="Volver",
    quota_exceeded=(
        "Serían más fotos de las que puedes mostrar en un día ({limit}). A partir de las "
        "{time} hay nuevas."
    ),
)
