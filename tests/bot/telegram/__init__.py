"""Tests of the chat side, at the request: what Telegram is told, and what it tells us."""
