"""Marks sentences for the catalogue in modules that know no Django."""

from __future__ import annotations


def gettext_noop(sentence: str) -> str:
    """The sentence as it is: `make messages` finds it by this call, and pages translate it."""
    return sentence
