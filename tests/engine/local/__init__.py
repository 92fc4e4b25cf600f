"""Tests of engine/local."""
