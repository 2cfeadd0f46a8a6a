"""The order of judgement: signatures, containers, PDF, text, headers without a signature, and ``filetype`` last."""

from __future__ import annotations

from toolnexus_media.sniff import _asf, _data, _ebml, _images, _isobmff, _mpeg, _ogg, _ole, _pdf, _riff, _text, _zip
from toolnexus_media.sniff._names import ALIASES, normalise
from toolnexus_media.sniff._signatures import BINARY, INSIDE, TEXTUAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus_media.sniff._window import View

    Judge = Callable[[View], str | None]

UNKNOWN = "application/octet-stream"
_LAST_HEAD = 1024  # its Zstandard matcher calls itself for every eight bytes

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
    b"\x1f\x9d": _data.compress,
    b"\xc7\x71": _data.cpio,
    b"\x71\xc7": _data.cpio,
    b"\x00\x01\x00\x00": _data.font,
    b"true": _data.font,
    b"OTTO": _data.font,
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
    b"%PDF": _pdf.at_start,
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


_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\t\n\r"


def _index() -> dict[bytes, list[tuple[bytes, str | Judge, bool]]]:
    """Every signature under its first four bytes (or fewer), longest first; the flag: text may begin so by chance."""
    index: dict[bytes, list[tuple[bytes, str | Judge, bool]]] = {}
    for table, binary in ((BINARY, True), (_JUDGED, True), (TEXTUAL, False), (_JUDGED_TEXT, False)):
        for mark, target in table.items():
            index.setdefault(mark[:4], []).append((mark, target, binary and not mark.translate(None, _PRINTABLE)))
    for rules in index.values():
        rules.sort(key=lambda rule: -len(rule[0]))
    return index


_INDEX = _index()


def judge(view: View) -> str:
    """The type of what a view shows."""
    head = view.head
    found = _isobmff.ftyp(view) if head[4:8] == b"ftyp" else None
    found = found or _signed(view)
    if found:
        return found
    encoding = _text.charset(head)
    if encoding is None:
        return _binary(view) if head else UNKNOWN
    return _pdf.among_text(view, encoding) or _text.kind(view, encoding)


def _signed(view: View) -> str | None:
    head = view.head
    text: bool | None = None
    for length in (4, 3, 2, 1):
        for mark, target, maybe_text in _INDEX.get(head[:length], ()):
            if not head.startswith(mark):
                continue
            found = target if isinstance(target, str) else target(view)
            if found is None:
                continue
            if maybe_text and text is None:
                text = _text.charset(head) is not None
            if not (maybe_text and text):
                return found
    return None


def _binary(view: View) -> str:
    return (
        _inside(view)
        or _data.embedded_font(view)
        or _data.lha(view)
        or _data.tar(view)
        or _pdf.behind_junk(view)
        or _unsigned(view)
        or _last_resort(view.head)
    )


def _inside(view: View) -> str | None:
    head = view.head
    if head[4:8] in (b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"):
        found = _isobmff.bare(view)
        if found:
            return found
    for at, mark, mime in INSIDE:
        if head.startswith(mark, at):
            return mime
    return None


def _unsigned(view: View) -> str | None:
    return (
        _images.flic(view)
        or _images.dib(view)
        or _images.pict(view)
        or _images.tga(view)
        or _mpeg.transport(view)
        or _data.disc(view)
        or _mpeg.search(view)
    )


def _last_resort(head: bytes) -> str:
    """What ``filetype`` knows and no rule here judges: its word on the types judged here is not taken."""
    from filetype import guess  # type: ignore[import-untyped]  # it ships no types

    try:
        found = guess(head[:_LAST_HEAD])
    except Exception:  # noqa: BLE001  # its matchers index and recurse without bounds: any fault of theirs is «unknown»
        return UNKNOWN
    if found is None:
        return UNKNOWN
    mime = normalise(found.mime)
    return UNKNOWN if mime in _own() else mime


def _own() -> frozenset[str]:
    return frozenset(ALIASES) | frozenset(BINARY.values())
