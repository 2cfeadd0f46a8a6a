"""The order of judgement: signatures, containers, PDF, text, headers without a signature, and ``filetype`` last."""

from __future__ import annotations

from toolnexus_media.sniff import _asf, _data, _ebml, _images, _isobmff, _mpeg, _ogg, _ole, _riff, _text, _zip
from toolnexus_media.sniff._names import ALIASES, normalise
from toolnexus_media.sniff._signatures import BINARY, INSIDE, TEXTUAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus_media.sniff._window import View

    Judge = Callable[[View, bytes, str | None], str | None]

UNKNOWN = "application/octet-stream"
HEAD = _text.HEAD

# Signatures that only call for a closer look.
_JUDGED: dict[bytes, Judge] = {
    b"PK\x03\x04": _zip.zipped,
    b"PK\x05\x06": _zip.zipped,
    b"PK\x07\x08": _zip.zipped,
    _ole.MAGIC: _ole.ole,
    _asf.MAGIC: _asf.asf,
    b"\x1a\x45\xdf\xa3": _ebml.ebml,
    b"OggS": _ogg.ogg,
    b"RIFF": _riff.riff,
    b"RIFX": _riff.riff,
    b"RF64": _riff.riff,
    b"BW64": _riff.riff,
    b"FORM": _riff.iff,
    b"ID3": _mpeg.tagged,
    b"\xff": _mpeg.frames,
    b"\x0b\x77": _mpeg.ac3,
    b"G": _mpeg.transport,
    b"GIF8": _images.gif_any,
    b"BM": _images.bmp,
    b"\x00\x00\x01\x00": _images.icon,
    b"\x00\x00\x02\x00": _images.icon,
    b"II*\x00": _images.tiff,
    b"MM\x00*": _images.tiff,
    b"\x00\x00\x00\x0cjP  \r\n\x87\n": _isobmff.jpeg2000,
    b"\xff\x0a": _images.jxl,
    b"\n": _images.pcx,
    b"\x01\xda": _images.sgi,
    b"BZh": _data.bzip2,
    b"\x60\xea": _data.arj,
    b"MZ": _data.dos,
    b"\xca\xfe\xba\xbe": _data.cafebabe,
    b"FWS": _data.flash,
    b"CWS": _data.flash,
    b"ZWS": _data.flash,
    b"P4": _images.pnm,
    b"P5": _images.pnm,
    b"P6": _images.pnm,
    b"Pf": _images.pnm,
    b"PF": _images.pnm,
    **{bytes((first, 0x2A, 0x4D, 0x18)): _data.skippable for first in range(0x50, 0x60)},
}
# The same for formats that may be text throughout.
_JUDGED_TEXT: dict[bytes, Judge] = {
    b"P1": _images.plain_pnm,
    b"P2": _images.plain_pnm,
    b"P3": _images.plain_pnm,
    b"P7": _images.pnm,
    b"P4": _images.raw_pnm,
    b"P5": _images.raw_pnm,
    b"P6": _images.raw_pnm,
    b"RIFF": _riff.chunked,
    b"!<arch>\n": _data.archive,
}


def _index() -> dict[bytes, list[tuple[bytes, str | Judge, bool]]]:
    """Every signature under its first four bytes (or fewer), longest first; the flag: text may begin so by chance."""
    index: dict[bytes, list[tuple[bytes, str | Judge, bool]]] = {}
    for table, binary in ((BINARY, True), (_JUDGED, True), (TEXTUAL, False), (_JUDGED_TEXT, False)):
        for mark, target in table.items():
            index.setdefault(mark[:4], []).append((mark, target, binary and _text.charset(mark) is not None))
    for rules in index.values():
        rules.sort(key=lambda rule: -len(rule[0]))
    return index


_INDEX = _index()


def judge(view: View, head: bytes, name: str | None) -> str:
    """The type of what a view shows; ``head`` is its beginning, ``HEAD`` bytes or all of it."""
    found = _isobmff.ftyp(view, head, name) if head[4:8] == b"ftyp" else None
    found = found or _signed(view, head, name)
    if found:
        return found
    encoding = _text.charset(head)
    if encoding is None:
        return _binary(view, head, name) if head else UNKNOWN
    return _pdf_among_text(head, encoding) or _text.kind(view, head, encoding, name)


def _signed(view: View, head: bytes, name: str | None) -> str | None:
    text: bool | None = None
    for length in (4, 3, 2, 1):
        for mark, target, maybe_text in _INDEX.get(head[:length], ()):
            if not head.startswith(mark):
                continue
            found = target if isinstance(target, str) else target(view, head, name)
            if found is None:
                continue
            if maybe_text and text is None:
                text = _text.charset(head) is not None
            if not (maybe_text and text):
                return found
    return None


def _binary(view: View, head: bytes, name: str | None) -> str:
    return (
        _inside(view, head, name)
        or _data.lha(head)
        or _data.tar(head)
        or _pdf(head)
        or _unsigned(view, head, name)
        or _last_resort(head)
    )


def _inside(view: View, head: bytes, name: str | None) -> str | None:
    if head[4:8] in (b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"):
        found = _isobmff.bare(view, head, name)
        if found:
            return found
    for at, mark, mime in INSIDE:
        if head.startswith(mark, at):
            return mime
    return None


def pdf_start(data: bytes) -> int:
    r"""Where ``%PDF-`` stands in the first 1024 bytes; 0 when it stands nowhere there.

    >>> pdf_start(b"%PDF-1.7"), pdf_start(b"\n\n%PDF-1.7"), pdf_start(b"hello")
    (0, 2, 0)
    """
    return 0 if data[:5] == b"%PDF-" else max(0, bytes(data[:1028]).find(b"%PDF-"))


def _pdf(head: bytes) -> str | None:
    at = pdf_start(head)
    return "application/pdf" if at and head[at + 5 : at + 6].isdigit() else None


def _pdf_among_text(head: bytes, encoding: str) -> str | None:
    """A PDF without a byte that shows it is one: the header begins a line, or other bytes are not UTF-8; objects follow.

    So a program that mentions ``%PDF-1.4`` in its first lines stays a program.
    """
    if head.startswith(b"%PDF-"):
        return "application/pdf"
    at = pdf_start(head)
    if not at or not head[at + 5 : at + 6].isdigit() or b" obj" not in head[at : at + 2048]:
        return None
    own_line = not head[:at].strip() or head[at - 1] in b"\r\n"
    return "application/pdf" if own_line or encoding == "cp1252" else None


def _unsigned(view: View, head: bytes, name: str | None) -> str | None:
    return (
        _images.flic(view, head)
        or _images.dib(head, view.size)
        or _images.pict(view)
        or _images.tga(view, head, name)
        or _mpeg.transport(view, head, name)
        or _data.disc(view)
        or _mpeg.search(head)
    )


def _last_resort(head: bytes) -> str:
    """What ``filetype`` knows and no rule here judges: its word on the types judged here is not taken."""
    from filetype import guess

    found = guess(head)
    if found is None:
        return UNKNOWN
    mime = normalise(found.mime)
    return UNKNOWN if mime in _own() else mime


def _own() -> frozenset[str]:
    return frozenset(ALIASES) | frozenset(BINARY.values())
