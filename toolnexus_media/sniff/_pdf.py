"""PDF, whose header may stand anywhere in the first 1024 bytes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.sniff._window import View

_MARK = b"%PDF-"
_WITHIN = 1024
_BLANK = b"\xef\xbb\xbf\xff\xfe \t\r\n"  # byte order marks and white space: nothing to read


def pdf_start(data: Buffer) -> int:
    r"""Where ``%PDF-`` stands in the first 1024 bytes; 0 when it stands nowhere there.

    >>> pdf_start(b"%PDF-1.7"), pdf_start(b"\n\n%PDF-1.7"), pdf_start(b"hello")
    (0, 2, 0)
    """
    return 0 if data[:5] == _MARK else max(0, bytes(data[: _WITHIN + 4]).find(_MARK))


def quick(head: bytes) -> str | None:
    """``application/pdf`` for the header at its place."""
    return "application/pdf" if head.startswith(_MARK) else None


def at_start(view: View) -> str | None:
    """The same for a view."""
    return quick(view.head)


def behind_junk(view: View) -> str | None:
    """``application/pdf`` for a header with a version behind bytes that are no text."""
    head = view.head
    at = pdf_start(head)
    return "application/pdf" if at and head[at + 5 : at + 6].isdigit() else None


def among_text(view: View, encoding: str) -> str | None:
    """A PDF all of text: its header begins a line, or other bytes are not UTF-8; and objects follow.

    So a program that mentions ``%PDF-1.4`` in its first lines stays a program.
    """
    head = view.head
    at = pdf_start(head) if _MARK in head else 0
    if not at or not head[at + 5 : at + 6].isdigit() or b" obj" not in head[at : at + 2048]:
        return None
    own_line = not head[:at].strip(_BLANK) or head[at - 1] in b"\r\n"
    return "application/pdf" if own_line or encoding == "cp1252" else None
