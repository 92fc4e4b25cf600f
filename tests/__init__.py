"""The tests, laid out like the tree they test."""
