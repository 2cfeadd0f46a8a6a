"""Text or not, in which encoding, and which kind of text."""

from __future__ import annotations

from codecs import utf_8_decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media.sniff._window import View

MOST = 1 << 16  # as much as is read to find a root element or to parse JSON

# Bytes that no text holds: control characters but for bell, backspace, tab, line and page ends, and escape.
_CONTROL = bytes(b for b in range(32) if b not in b"\x07\x08\t\n\x0b\x0c\r\x1b") + b"\x7f"
_HIGH = bytes(range(0x80, 0x100))
_RARE = bytes(range(0x80, 0xA0))  # too rare in text for a few bytes to be judged by them
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_PLAIN = "text/plain"


def charset(head: bytes) -> str | None:
    r"""The encoding of a head of text, by a byte order mark or by what decodes; None when it is no text.

    ``cp1252`` stands for any single-byte encoding: which one it is, the bytes do not say.

    >>> charset("naïve".encode()), charset(b"\xff\xfeh\x00i\x00"), charset(b"\x89PNG\r\n\x1a\n")
    ('utf-8', 'utf-16', None)
    """
    for bom, encoding in _BOMS:
        if head.startswith(bom):
            return encoding if _decodes(head, encoding) else None
    body = head.rstrip(b"\x1a")  # where a DOS editor ended a file
    if not body:
        return None
    start = body[:128]
    if len(start.translate(None, _CONTROL)) == len(start) and len(body.translate(None, _CONTROL)) == len(body):
        if body.isascii():
            return "utf-8"
        try:
            utf_8_decode(body, "strict", len(body) < 32)
        except UnicodeDecodeError:
            return _single_byte(body)
        return "utf-8"
    return _wide(head)


def _decodes(head: bytes, encoding: str) -> bool:
    if encoding == "utf-8-sig":
        return len(head) == 3 or charset(head[3:]) == "utf-8"
    step = 4 if encoding == "utf-32" else 2
    whole = head[: len(head) // step * step]
    try:
        text = whole.decode(encoding, "strict")
    except UnicodeDecodeError as error:
        if error.end < len(whole):  # more than a pair cut at the end
            return False
        text = whole[: error.start].decode(encoding, "replace")
    return not _has_control(text)


def _has_control(text: str) -> bool:
    return any(ord(ch) < 32 and ch not in "\a\b\t\n\x0b\f\r\x1b" for ch in set(text)) or "\ufffe" in text


def _single_byte(body: bytes) -> str | None:
    """An encoding that is not Unicode: some accents among letters, enough words, or too long to be an accident.

    Of 256 random bytes, one in 10^12 such runs holds no control character.
    """
    high = len(body) - len(body.translate(None, _HIGH))
    if len(body) >= 64 and (len(body.split()) > len(body) // 64 or (len(body) >= 256 and b"\n" in body)):
        return "cp1252"
    odd = len(body) < 16 and len(body.translate(None, _RARE)) < len(body)
    return "cp1252" if len(body) >= 4 and high * 10 <= len(body) * 3 and not odd else None


def _wide(head: bytes) -> str | None:
    """UTF-16 without a mark, told by the zero bytes of Latin text: every second one, on one side only."""
    pairs = min(len(head) // 2, 64)
    if pairs < 4:
        return None
    even, odd = head[0 : 2 * pairs : 2].count(0), head[1 : 2 * pairs : 2].count(0)
    if odd * 10 >= pairs * 7 and not even:
        return "utf-16-le" if _decodes(head, "utf-16-le") else None
    if even * 10 >= pairs * 7 and not odd:
        return "utf-16-be" if _decodes(head, "utf-16-be") else None
    return None


def decode(head: bytes, encoding: str) -> str:
    """The head as a string, without its mark; what does not decode is left out."""
    return head.decode(encoding, "ignore").lstrip("\ufeff")


def kind(view: View, encoding: str) -> str:
    """The type of a text: by what it begins with, else by the name's ending among the text kinds, else plain."""
    head = view.head
    text = decode(head, encoding)
    start = text.lstrip()
    first = start[:1]
    found = None
    if first == "<":
        from toolnexus_media.sniff._markup import markup

        whole = view.at(0, MOST) if view.size > len(head) else head
        found = markup(decode(whole, encoding).lstrip())
    elif first in ("{", "["):
        from toolnexus_media.sniff._json import json_kind

        whole = view.at(0, MOST) if view.size > len(head) else head
        found = json_kind(decode(whole, encoding), complete=view.size <= MOST)
    elif first.isalnum() or first in "#/":
        found = _by_lines(start)
    return found or _by_name(start, view.name)


def _by_lines(start: str) -> str | None:
    """What the first lines alone make sure."""
    if start.startswith("BEGIN:VCALENDAR"):
        return "text/calendar"
    if start.startswith("BEGIN:VCARD"):
        return "text/vcard"
    if start.startswith("WEBVTT") and start[6:7] in ("", " ", "\t", "\n", "\r"):
        return "text/vtt"
    head = start[:4096]
    if start.startswith("#define ") and "_width " in head.splitlines()[0] and "_bits" in head:
        return "image/x-xbitmap"
    if start[:1].isdigit():
        lines = head.splitlines()
        if [line.strip() for line in lines[:4]] == ["0", "SECTION", "2", "HEADER"]:
            return "image/vnd.dxf"
        if len(lines) > 1 and lines[0].strip().isdigit() and _is_cue(lines[1]):
            return "application/x-subrip"
    field, colon, _ = head.partition(":")
    return "message/rfc822" if colon and " " not in field and _is_mail(head.splitlines()) else None


def _is_cue(line: str) -> bool:
    left, arrow, right = line.partition(" --> ")
    return bool(arrow) and all(part.strip()[:8].replace(":", "").isdigit() for part in (left, right))


_MAIL = frozenset({"from", "to", "subject", "date", "message-id", "received", "return-path", "mime-version", "sent"})


def _is_mail(lines: list[str]) -> bool:
    """Whether a block of header lines with at least three of a mail's own begins the text."""
    seen = set()
    for number, line in enumerate(lines):
        if line[:1] in (" ", "\t") and number:
            continue
        field, colon, _ = line.partition(":")
        if not line or not colon or not field.isascii() or " " in field:
            break
        seen.add(field.lower())
    return "from" in seen and len(seen & _MAIL) >= 3


def _by_name(start: str, name: str | None) -> str:
    from toolnexus_media.sniff._endings import by_name, is_text_kind

    wanted = by_name(name) if name else None
    if wanted is None or not is_text_kind(wanted):
        return _PLAIN
    if wanted in ("text/html", "application/xml"):
        return wanted if start[:1] == "<" else _PLAIN
    if wanted == "application/x-ndjson":
        return wanted if start[:1] in ("{", "[") else _PLAIN
    return wanted
