"""The sentences in Chinese."""

from bot.texts.wording import Wording

CHINESE = Wording(
    tag="zh",
    name="中文",
    hello=(
        "发一张照片给我，我会告诉你照片里有什么。可以在说明里写问题，也可以接着问："
        "我会记住这张照片。/help 列出所有命令。"
    ),
    help=(
        "发送一张照片，说明里可以写问题，也可以不写。\n"
        "直接发文字就是继续问最新的那张照片。\n"
        "回复以前的照片或答案，就能回到那里。\n"
        "/ocr 读出照片中的文字：回复照片，或写在说明里。\n"
        "/new 开始新的对话。\n"
        "/stop 停止正在写的答案。\n"
        "/settings 更改我的回答方式。\n"
        "/language 选择提示的语言；/forget 删除我保存的关于你的一切。"
    ),
    help_group=(
        "用 /ocr 回复一张照片，读出其中的文字。\n"
        "用 /ask 加问题回复一张照片。\n"
        "回复我的答案可以继续问。其他时候我不说话。"
    ),
    new="新的对话开始了，之前的照片已关闭。",
    stopped="已停止。",
    nothing_to_stop="现在没有正在回答的问题。",
    thinking="正在看…",
    in_line_next="排队：下一个就是你。",
    in_line="排队：第 {place} 位。",
    empty_answer="这个问题我答不上来。",
    no_photo_hint="（现在没有打开的照片，我只根据文字回答。发一张照片就可以问它。）",
    no_text="这张照片里没有可读的文字。",
    ocr_how="用 /ocr 回复一张照片，或者把 /ocr 写在照片的说明里。",
    ask_how="用 /ask 加上问题回复一张照片。",
    interrupted="还没来得及回答，我就被中断了。",
    away="你写的时候我不在。如果还想知道，请再问一次。",
    cut_by_length="（已截断：答案达到了长度上限）",
    cut_by_repetition="（已停止：输出重复）",
    heading="照片 {number}：",
    left_out="照片 {number} 没有用上。",
    button_stop="停止",
    button_cancel="取消",
    button_regenerate="重新回答",
    button_read="读出文字",
    button_read_by_model="用模型读",
    button_retry="再试一次",
    button_copy="复制",
    at_work="我已经在做了。",
    not_yours="只有提问的人可以按这个按钮。",
    button_too_old="这个按钮所在的消息我已经看不到了。",
    unsupported="我能看照片、图片文件和静态贴纸；这个不是。",
    unknown_command="我不认识这个命令。/help 列出我认识的命令。",
    unknown_failure="我这边出了点问题，请再试一次。",
    code="（代码 {code}）",
    turn_gone="那个答案我已经不记得了，请再发一次照片。",
    photo_gone="那张照片我已经没有了，请再发一次。",
    file_too_big="这个文件超过 20 MB，机器人不能下载。请发一个小一点的。",
    file_not_fetched="照片没能从 Telegram 传过来，请稍后再试。",
    file_empty="这个文件是空的，请再发一次照片。",
    not_an_image="这个文件不是我能打开的图片。请发 JPEG、PNG 或 WebP。",
    not_supported="这种图片我打不开。请作为照片或 JPEG 发送。",
    damaged="这张图片已损坏，无法打开。请再发一次。",
    too_many_bytes="这个文件对我来说太大了，请发一个小一点的。",
    too_many_pixels="这张图片的像素太多，请发一张小一点的。",
    album_unusable=(
        "这些照片我一张也打不开（照片数：{num_photos}）。请作为照片或 JPEG 文件再发一次。"
    ),
    access_denied="这个机器人只回答受邀请的人。想被邀请，请把这个号码告诉它的主人：{asker}",
    queue_full="现在太忙了，等待中的问题数：{num_waiting}。请过几分钟再试。",
    question_too_long=(
        "你的问题太长：token 数 {num_tokens}，上限 {limit}。请少写一些，或少问几张照片。"
    ),
    prompt_too_long="这个对话太长了。请用 /new 开始新的对话。",
    out_of_memory="内存不够看这张照片，请试一张小一点的。",
    engine_stopped="机器人正在重新启动，请过一分钟再问。",
    not_written="没能记下来：磁盘可能满了。请告诉主人。",
    photo_not_kept="没能保存你的照片：磁盘可能满了。请告诉主人。",
    command_ocr="读出照片中的文字",
    command_ask="就一张照片提问",
    command_new="开始新的对话",
    command_stop="停止正在写的答案",
    command_help="我能做什么",
    button_forget="全部删除",
    button_keep="保留",
    command_language="选择菜单和提示的语言",
    command_forget="删除我保存的关于你的一切",
    language_ask="我该用哪种语言？答案会跟随你提问的语言。",
    language_auto="与 Telegram 相同",
    language_set="我现在使用中文。",
    forget_ask="要删除你在所有聊天中的全部问题、答案、照片和设置吗？删除后无法恢复。",
    forgotten="我保存的关于你的一切都已删除。",
    kept="什么也没有删除。",
    command_privacy="保存了关于你的什么，保存多久",
    privacy=(
        "一切都在机器人主人的电脑上处理；只有 Telegram 传送我们的消息。\n"
        "保存到你删除为止：你的问题、我的答案，以及它们涉及哪些照片。\n"
        "暂时保存（天数：{days}）：照片本身和模型记住的内容。\n"
        "从不写入日志：你写的、我回答的、照片里的内容。\n"
        "/forget 会立即删除一切。"
    ),
    help_privacy_mode=(
        "隐私模式已开启，所以我在这里只能看到命令和对我的回复，看不到提及。主人可以在 "
        "@BotFather 关闭它，然后必须把我移出群再加回来。"
    ),
    too_many_waiting=("你等待中的问题数：{num_waiting}。请等一个答案，或用 /stop 结束等待。"),
    button_translate="翻译",
    translate_prompt="把你上一个回答翻译成中文，只写译文。",
    button_edited="回答修改后的问题",
    question_edited="你在我接收问题之后修改了它。",
    button_allow="允许",
    button_deny="拒绝",
    access_asked="{name}（编号 {asker}）想使用这个机器人。",
    is_allowed="{asker} 可以使用这个机器人。",
    is_denied="{asker} 不能使用这个机器人。",
    admin_stays="{asker} 是设置中的管理员。",
    let_in="你现在可以使用这个机器人了。给我发一张照片吧。",
    allow_how="在命令后写上个人或群组的编号，或用它回复一条转发的消息。",
    users_admins="管理员：",
    users_allowed="已允许：",
    users_denied="已拒绝：",
    command_settings="设置我如何回答",
    settings_ask="你想更改什么？",
    settings_ask_group="要更改本群的什么？",
    settings_for_admins="只有本群管理员可以更改。",
    setting_length="答案长度",
    setting_answers="答案语言",
    setting_photo="没有文字的照片",
    setting_history="保留之前的问题",
    setting_days="问题保留天数",
    setting_mentions="回应提及",
    setting_who="谁可以提问",
    value_normal="适中",
    value_short="简短",
    value_long="详细",
    value_auto="跟随问题",
    value_describe="描述照片",
    value_read="读出文字",
    value_ask="问我",
    value_wait="等我提问",
    value_on="开",
    value_off="关",
    value_all="直到删除",
    value_everybody="所有人",
    value_admins="仅管理员",
    photo_question="关于这张照片，你想知道什么？",
    button_describe="描述照片",
    button_back="返回",
    quota_exceeded="这超过了你一天可以发的照片数（{limit}）。{time} 起可以再发。",
)
