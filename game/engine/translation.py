"""Marks sentences for translation in modules that don't import Django."""

from __future__ import annotations


def gettext_noop(sentence: str) -> str:
    """The sentence unchanged: `make messages` looks for this call, and pages translate it."""
    return sentence
