"""Tests of engine/ocr."""
