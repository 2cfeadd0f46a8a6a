"""Markup: the root element decides, wherever it stands behind declarations, comments and a document type."""

from __future__ import annotations

_HTML = frozenset({"html", "head", "body", "title", "meta", "script", "style", "link", "header", "frameset"})
_MAX_STEPS = 64


def markup(text: str) -> str | None:
    """SVG, HTML or XML for a text that begins with ``<``; None for a fragment of something else.

    >>> markup("<?xml version='1.0'?><!-- a --><svg/>"), markup("<!DOCTYPE html><p>"), markup("<p>x</p>")
    ('image/svg+xml', 'text/html', None)
    """
    declared = text.startswith("<?xml")
    doctype = ""
    at = 0
    for _ in range(_MAX_STEPS):
        while text[at : at + 1].isspace():
            at += 1
        if text.startswith("<!--", at):
            at = _behind(text, "-->", at + 4)
        elif text.startswith("<?", at):
            at = _behind(text, "?>", at + 2)
        elif text[at : at + 9].lower() == "<!doctype":
            doctype = _word(text, at + 9)
            at = _behind_doctype(text, at)
        else:
            break
    return _by_root(text, at, doctype.lower(), declared=declared)


def _by_root(text: str, at: int, doctype: str, *, declared: bool) -> str | None:
    root = _word(text, at + 1) if text[at : at + 1] == "<" else ""
    local = root.rpartition(":")[2]
    if local == "svg":
        return "image/svg+xml"
    if local.lower() == "html" or doctype == "html" or (not declared and root.lower() in _HTML):
        return "text/html"
    if declared or doctype:
        return "application/xml"
    tag = text[at : text.find(">", at) + 1]
    return "application/xml" if root and " xmlns" in tag and local not in ("xml",) else None


def _word(text: str, at: int) -> str:
    """The name that begins here, white space before it left out."""
    while text[at : at + 1].isspace():
        at += 1
    end = at
    while end < len(text) and (text[end].isalnum() or text[end] in ":_-."):
        end += 1
    return text[at:end]


def _behind(text: str, mark: str, at: int) -> int:
    found = text.find(mark, at)
    return len(text) if found < 0 else found + len(mark)


def _behind_doctype(text: str, at: int) -> int:
    """Behind a document type and the declarations in its brackets."""
    close, bracket = text.find(">", at), text.find("[", at)
    if 0 <= bracket < close:
        end = text.find("]", bracket)
        while end >= 0 and not text[end + 1 : end + 65].lstrip().startswith(">"):
            end = text.find("]", end + 1)
        close = text.find(">", end) if end >= 0 else -1
    return len(text) if close < 0 else close + 1
