"""When a page of a PDF has text, and what belongs to it: the same for every library that reads it."""

from __future__ import annotations

ENOUGH = 20  # a page with more letters or digits than this has text


def has_text(text: str) -> bool:
    """Are there more than 20 letters or digits?"""
    return sum(map(str.isalnum, text)) > ENOUGH


def joined(text: str, held: list[str]) -> str:
    """A page's text, with what its fields hold where that is not drawn already."""
    for words in map(str.strip, held):
        if words and words not in text:
            text += "\n" + words
    return text
