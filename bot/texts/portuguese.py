"""The sentences in Portuguese."""

from bot.texts.wording import Wording

PORTUGUESE = Wording(
    tag="pt",
    name="Português",
    hello=(
        "Envie uma foto e direi o que há nela. Escreva uma pergunta na legenda ou continue "
        "perguntando depois: eu me lembro da foto. /help mostra os comandos."
    ),
    help=(
        "Envie uma foto, com ou sem uma pergunta na legenda.\n"
        "Continue perguntando em texto: é sobre a foto mais recente.\n"
        "Responda a uma foto ou resposta anterior para voltar a ela.\n"
        "/ocr lê o texto de uma foto, como resposta a ela ou na legenda.\n"
        "/new começa uma nova conversa.\n"
        "/stop interrompe a resposta que está sendo escrita.\n"
        "/settings muda como respondo.\n"
        "/language escolhe a língua dos avisos; /forget apaga tudo o que guardo de você."
    ),
    help_group=(
        "Responda a uma foto com /ocr para ler o texto dela.\n"
        "Responda a uma foto com /ask e a sua pergunta.\n"
        "Responda à minha resposta para continuar. Fora isso, fico em silêncio."
    ),
    new="Começa uma nova conversa; as fotos anteriores estão fechadas.",
    stopped="Interrompido.",
    nothing_to_stop="Nada está sendo respondido agora.",
    thinking="Estou olhando…",
    in_line_next="Na fila: o próximo.",
    in_line="Na fila: número {place}.",
    empty_answer="Não tenho resposta para isso.",
    no_photo_hint=(
        "(Nenhuma foto está aberta, respondo só pelo texto. Envie uma para perguntar sobre ela.)"
    ),
    no_text="Não há texto legível nesta foto.",
    ocr_how="Responda a uma foto com /ocr, ou escreva /ocr na legenda dela.",
    ask_how="Responda a uma foto com /ask e a sua pergunta.",
    interrupted="Fui interrompido antes de poder responder.",
    away="Eu não estava quando você escreveu. Pergunte de novo o que ainda quiser saber.",
    cut_by_length="(cortado: a resposta chegou ao tamanho máximo)",
    cut_by_repetition="(interrompido: a saída se repetia)",
    heading="Foto {number}:",
    left_out="A foto {number} ficou de fora.",
    button_stop="Interromper",
    button_cancel="Cancelar",
    button_regenerate="Responder de novo",
    button_read="Ler o texto",
    button_read_by_model="Ler com o modelo",
    button_retry="Tentar de novo",
    button_copy="Copiar",
    at_work="Já estou fazendo isso.",
    not_yours="Só quem perguntou pode usar este botão.",
    button_too_old="Esse botão pertence a uma mensagem que já não consigo ver.",
    unsupported="Vejo fotos, arquivos de imagem e figurinhas paradas; isso é outra coisa.",
    unknown_command="Não conheço esse comando. /help mostra os que conheço.",
    unknown_failure="Algo deu errado do meu lado. Tente de novo.",
    code="(código {code})",
    turn_gone="Já não conheço essa resposta. Envie a foto de novo.",
    photo_gone="Já não tenho essa foto, envie-a de novo.",
    file_too_big=("Esse arquivo passa de 20 MB, e bots não podem baixá-lo. Envie um menor."),
    file_not_fetched="A foto não chegou do Telegram. Tente de novo daqui a pouco.",
    file_empty="Esse arquivo está vazio. Envie a foto de novo.",
    not_an_image="Esse arquivo não é uma imagem que eu possa abrir. Envie um JPEG, PNG ou WebP.",
    not_supported="Não consigo abrir esse tipo de imagem. Envie como foto ou JPEG.",
    damaged="Essa imagem está danificada e não abre. Envie-a de novo.",
    too_many_bytes="Esse arquivo é grande demais para mim. Envie um menor.",
    too_many_pixels="Essa imagem tem pixels demais. Envie uma menor.",
    album_unusable=(
        "Não consigo abrir nenhuma destas fotos (número de fotos: {num_photos}). "
        "Envie-as de novo, como fotos ou como arquivos JPEG."
    ),
    access_denied=(
        "Este bot responde apenas a pessoas convidadas. "
        "Para ser convidado, dê este número ao dono: {asker}"
    ),
    queue_full=(
        "Há trabalho demais; perguntas à espera: {num_waiting}. Tente de novo em alguns minutos."
    ),
    question_too_long=(
        "Sua pergunta é longa demais: tokens {num_tokens}, máximo {limit}. "
        "Pergunte com menos texto ou sobre menos fotos."
    ),
    prompt_too_long="Esta conversa ficou longa demais. Comece outra com /new.",
    out_of_memory="Não houve memória suficiente para esta foto. Tente uma menor.",
    engine_stopped="O bot está sendo reiniciado. Pergunte de novo em um minuto.",
    not_written="Não consegui anotar isso: o disco pode estar cheio. Avise o dono.",
    photo_not_kept="Não consegui guardar sua foto: o disco pode estar cheio. Avise o dono.",
    command_ocr="Ler o texto de uma foto",
    command_ask="Perguntar sobre uma foto",
    command_new="Começar uma nova conversa",
    command_stop="Interromper a resposta que está sendo escrita",
    command_help="O que sei fazer",
    button_forget="Apagar tudo",
    button_keep="Manter",
    command_language="Escolher a língua de menus e avisos",
    command_forget="Apagar tudo o que guardo de você",
    language_ask="Que língua devo usar? As respostas seguem a língua da sua pergunta.",
    language_auto="Como no Telegram",
    language_set="Agora uso o português.",
    forget_ask=(
        "Apago todas as suas perguntas, respostas, fotos e ajustes, em todos os chats? "
        "Isso não pode ser desfeito."
    ),
    forgotten="Tudo o que eu guardava de você foi apagado.",
    kept="Nada foi apagado.",
    command_privacy="O que é guardado de você e por quanto tempo",
    privacy=(
        "Tudo é processado no computador do dono deste bot; só o Telegram leva as nossas "
        "mensagens.\n"
        "Guardado até você apagar: as suas perguntas, as minhas respostas e de que fotos "
        "tratam.\n"
        "Guardado por um tempo (dias: {days}): as próprias fotos e o que o modelo lembra "
        "delas.\n"
        "Nunca num registro: o que você escreve, o que respondo, o que há numa foto.\n"
        "/forget apaga tudo de uma vez."
    ),
    help_privacy_mode=(
        "O modo de privacidade está ligado: aqui só vejo comandos e respostas a mim, não "
        "menções. O meu dono pode desligá-lo no @BotFather e depois precisa me remover e "
        "adicionar de novo."
    ),
    too_many_waiting=(
        "As suas perguntas à espera: {num_waiting}. Espere uma resposta ou termine a espera "
        "com /stop."
    ),
    button_translate="Traduzir",
    translate_prompt="Traduza a sua última resposta para o português. Escreva só a tradução.",
    button_edited="Responder à pergunta editada",
    question_edited="Você mudou a pergunta depois que eu a recebi.",
    button_allow="Permitir",
    button_deny="Recusar",
    access_asked="{name} (número {asker}) quer usar este bot.",
    is_allowed="{asker} pode usar este bot.",
    is_denied="{asker} não pode usar este bot.",
    admin_stays="{asker} é administrador nas configurações.",
    let_in="Agora você pode usar este bot. Envie-me uma foto.",
    allow_how=(
        "Escreva depois do comando o número de uma pessoa ou de um grupo, ou responda com "
        "ele a uma mensagem encaminhada."
    ),
    users_admins="Administradores:",
    users_allowed="Permitidos:",
    users_denied="Recusados:",
    command_settings="Escolher como respondo",
    settings_ask="O que quer mudar?",
    settings_ask_group="O que deve mudar neste grupo?",
    settings_for_admins="Só administradores do grupo podem mudar isso.",
    setting_length="Tamanho das respostas",
    setting_answers="Língua das respostas",
    setting_photo="Foto sem palavras",
    setting_history="Guardar perguntas anteriores",
    setting_days="Dias que ficam guardadas",
    setting_mentions="Responder a menções",
    setting_who="Quem pode perguntar",
    value_normal="médio",
    value_short="curto",
    value_long="longo",
    value_auto="como a pergunta",
    value_describe="descrever a foto",
    value_read="ler o texto",
    value_ask="perguntar-me",
    value_wait="esperar a minha pergunta",
    value_on="ligado",
    value_off="desligado",
    value_all="até apagar",
    value_everybody="toda a gente",
    value_admins="só administradores",
    photo_question="O que quer saber sobre esta foto?",
    button_describe="Descrever a foto",
    button_back="Voltar",
    quota_exceeded=(
        "Seriam mais fotos do que você pode mostrar num dia ({limit}). A partir das {time} "
        "há novas."
    ),
)
