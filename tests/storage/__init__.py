"""Tests of storage, on real SQLite files."""
