"""Measuring: this engine and another one on the same work, each in a process of its own."""
