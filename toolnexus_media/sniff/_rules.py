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
    b"P5": _images.raw_pnm,
    b"P6": _images.raw_pnm,
    b"!<arch>\n": _data.archive,
}


def _by_first_byte() -> dict[int, list[tuple[bytes, str | Judge, bool]]]:
    """Every signature under its first byte, the longest first; the flag says that text may begin so by chance."""
    index: dict[int, list[tuple[bytes, str | Judge, bool]]] = {}
    for table, binary in ((BINARY, True), (_JUDGED, True), (TEXTUAL, False), (_JUDGED_TEXT, False)):
        for mark, target in table.items():
            index.setdefault(mark[0], []).append((mark, target, binary and _text.charset(mark) is not None))
    for rules in index.values():
        rules.sort(key=lambda rule: -len(rule[0]))
    return index


_INDEX = _by_first_byte()


def judge(view: View, head: bytes, name: str | None) -> str:
    """The type of what a view shows; ``head`` is its beginning, ``HEAD`` bytes or all of it."""
    if not head:
        return UNKNOWN
    return (
        _signed(view, head, name)
        or _inside(view, head, name)
        or _pdf(head)
        or _as_text(view, head, name)
        or _unsigned(view, head, name)
        or _last_resort(head)
    )


def _signed(view: View, head: bytes, name: str | None) -> str | None:
    text: bool | None = None
    for mark, target, maybe_text in _INDEX.get(head[0], ()):
        if head.startswith(mark):
            found = target if isinstance(target, str) else target(view, head, name)
            if found is None:
                continue
            if maybe_text:
                if text is None:
                    text = _text.charset(head) is not None
                if text:
                    continue
            return found
    return None


def _inside(view: View, head: bytes, name: str | None) -> str | None:
    mark = head[4:8]
    if mark == b"ftyp":
        return _isobmff.ftyp(view, head, name)
    if mark in (b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"):
        found = _isobmff.bare(view, head, name)
        if found:
            return found
    for at, inner, mime in INSIDE:
        if head.startswith(inner, at) and _text.charset(head) is None:
            return mime
    return None


def pdf_start(data: bytes) -> int:
    r"""Where ``%PDF-`` stands in the first 1024 bytes; 0 when it stands nowhere there.

    >>> pdf_start(b"%PDF-1.7"), pdf_start(b"\n\n%PDF-1.7"), pdf_start(b"hello")
    (0, 2, 0)
    """
    return 0 if data[:5] == b"%PDF-" else max(0, bytes(data[:1028]).find(b"%PDF-"))


def _pdf(head: bytes) -> str | None:
    """A PDF with something in front; where that is all text, a line has to begin with the header and objects follow."""
    if head.startswith(b"%PDF-"):
        return "application/pdf"
    at = head.find(b"%PDF-", 0, 1028)
    if at < 0 or not head[at + 5 : at + 6].isdigit():
        return None
    own_line = not head[:at].strip() or head[at - 1] in b"\r\n"
    if _text.charset(head) is None or (own_line and b" obj" in head[at : at + 2048]):
        return "application/pdf"
    return None


def _as_text(view: View, head: bytes, name: str | None) -> str | None:
    encoding = _text.charset(head)
    return None if encoding is None else _text.kind(view, head, encoding, name)


def _unsigned(view: View, head: bytes, name: str | None) -> str | None:
    return (
        _data.lha(head)
        or _images.flic(view, head)
        or _data.tar(head)
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
