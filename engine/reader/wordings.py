"""The wordings of the questions that are trained. Knows neither answers nor pictures."""

from enum import StrEnum


class Kind(StrEnum):
    """What a question asks for."""

    READ = "read"
    COUNT = "count"
    FIRST = "first"
    LAST = "last"
    COLOUR = "colour"
    OTHER = "other"


def _split(text: str) -> tuple[str, ...]:
    """Wordings between bars."""
    return tuple(" ".join(wording.split()) for wording in text.split("|"))


# What the bot itself asks; trained word for word.
DESCRIBE = "Describe this photo in two or three sentences. If it is mainly a document, say so."
DESCRIBE_ZH = "请用两三句话描述这张照片。如果主要是文档，请说明。"
READ = "Read all the text in this photo exactly, line by line. Answer with the text only."
READ_ZH = "请逐行准确读出图中的全部文字，只回答文字。"

ENGLISH: dict[Kind, tuple[str, ...]] = {
    Kind.READ: _split("""
        What does it say? | What does this say? | Read it. | Read this. | Read | Read the text. |
        What is written here? | What's written? | What text is this? | What is the text? | Text? |
        ocr | What do you see? | What is this? | What is in this picture? | Describe this. |
        Describe the picture. | Transcribe |
        What does the sign say? | What does the picture say? |
        What words are there? | Read all the text. | Can you read this? | Tell me what it says. |
        Read it again. | Extract the text. |
        What is on the receipt? | What does the receipt say? |
        Please read the text in this image. | What does the text say? | What's in the photo? |
        Read everything. | Read out loud | What can you read? |
        Give me the text. | Copy the text. |
        Show the text | Type out the text | whole text | all lines | What does the image say?"""),
    Kind.COUNT: _split("""
        How many lines? | How many lines are there? | How many lines of text? | Count the lines. |
        How many lines does it have? | Number of lines? | How many rows of text? |
        How many lines of text are there? | Lines? | how many rows |
        How many text lines do you see? | What is the number of lines? |
        How many lines can you see? | And how many lines? | How many lines are in the picture? |
        How many lines does the text have? | Tell me how many lines there are."""),
    Kind.FIRST: _split("""
        What is the first line? | First line? | Read the first line. | The first line |
        What does the first line say? | What is on the first line? | Top line? |
        Read the top line. | What does the top line say? | Only the first line. |
        And the first line? | What is written on the first line? | Just the first line, please. |
        Show line 1 | Line one? | What's the first line?"""),
    Kind.LAST: _split("""
        What is the last line? | Last line? | Read the last line. | The last line |
        What does the last line say? | What is on the last line? | Bottom line? |
        Read the bottom line. | What does the bottom line say? | Only the last line. |
        And the last line? | What is written on the last line? | Just the last line, please. |
        Final line? | What's the last line?"""),
    Kind.COLOUR: _split("""
        What is the background colour? | What is the background color? | Background colour? |
        Background color? | What colour is the background? | What color is the background? |
        Which colour is it? | What colour is behind the text? | What color is behind the text? |
        Which color is the background? | Colour of the background? | And the background colour? |
        Tell me the background color. | What's the background color? |
        What color is the picture? |
        What colour is the paper? | name the background colour | What color is it?"""),
    Kind.OTHER: _split("""
        Who is this? | What is the weather? | Translate it. | Translate this into German. |
        How old is she? | Is it true? | Why? | Hello | Hi! | Thanks | Thank you! | Write a poem. |
        What time is it? | Where was this taken? | Who took this photo? | Is there a cat? |
        How many people are there? | What is the meaning of life? |
        Tell me a joke. | Who are you? |
        What can you do? | Help | Is this a dog or a cat? | What breed is it? | What is 2 + 2? |
        How much does it cost in euros? | Summarise it. | Summarize this text. | Explain this. |
        Which country is this? | What font is it? | How big is the picture? | What happens next? |
        Is this food healthy? | How do I cook this? | Make it shorter. | Is it raining? |
        What is he wearing? | Do you like it? | Where am I? | What brand is this car? |
        Fix the spelling. | Is this real? | What should I do? | How are you? | Good morning |
        Tell me a story. | What is the capital of France? | Can you draw a cat? |
        How many words are there? | How many letters? | What does it mean? |
        What language is this? | Is it good? | What is the total? | When was it printed? | ok |
        yes | no | Are you sure? |
        What kind of plant is this? | Who won the match? | Play a song. |
        What is she doing? | How far is it? | Call me."""),
}

CHINESE: dict[Kind, tuple[str, ...]] = {
    Kind.READ: _split("""
        写了什么？ | 上面写了什么？ | 图里写的是什么？ | 读一下。 | 读出文字。 | 这是什么？ |
        图中有什么文字？ | 上面的字是什么？ | 请读出来。 | 写的什么 | 有什么字？ | 识别文字 |
        描述这张图片。 | 图片内容是什么？ | 再读一遍。 |
        这张图写了什么？ | 把文字读出来 | 提取文字 |
        请描述一下。 | 全部文字是什么？"""),
    Kind.COUNT: _split("""
        有几行？ | 有几行字？ | 一共有几行？ | 多少行？ | 有多少行文字？ | 几行 | 图里有几行字？ |
        文字有几行？ | 总共多少行？ | 数一下有几行。"""),
    Kind.FIRST: _split("""
        第一行是什么？ | 第一行写了什么？ | 读第一行。 |
        第一行 | 第一行呢？ | 最上面一行是什么？ |
        只读第一行。 | 首行是什么？ | 请读第一行。"""),
    Kind.LAST: _split("""
        最后一行是什么？ | 最后一行写了什么？ | 读最后一行。 |
        最后一行 | 最后一行呢？ | 最下面一行是什么？ |
        只读最后一行。 | 末行是什么？ | 请读最后一行。"""),
    Kind.COLOUR: _split("""
        背景是什么颜色？ | 背景颜色？ | 背景颜色是什么？ |
        底色是什么？ | 什么颜色的背景？ | 背景什么颜色 |
        图片的背景色是什么？ | 背景是哪种颜色？ | 背景色"""),
    Kind.OTHER: _split("""
        这是谁？ | 天气怎么样？ | 翻译一下。 | 翻译成英文。 |
        你好 | 谢谢 | 为什么？ | 现在几点？ |
        在哪里拍的？ | 你是谁？ | 你会做什么？ | 有几个人？ |
        讲个笑话。 | 这是什么动物？ | 总结一下。 |
        什么意思？ | 多少钱？ | 好吃吗？ | 怎么做？ |
        这是哪里？ | 她多大了？ | 写一首诗。 | 帮助 |
        解释一下。 | 是真的吗？ | 有多少个字？ | 这是什么车？ | 早上好 | 他在做什么？"""),
}
