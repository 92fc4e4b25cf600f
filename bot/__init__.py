"""The bot: what it does with a question, and the platforms it talks on."""
