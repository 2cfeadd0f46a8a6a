"""Boxes: ISO base media (MP4, M4A, HEIF, AVIF, 3GP), QuickTime, and the JPEG 2000 family that shares their shape."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media.sniff._window import View

# Brands that decide alone, as the major brand.
_MAJOR = {
    b"avif": "image/avif",
    b"avis": "image/avif",
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"heim": "image/heic",
    b"heis": "image/heic",
    b"hevc": "image/heic-sequence",
    b"hevx": "image/heic-sequence",
    b"hevm": "image/heic-sequence",
    b"hevs": "image/heic-sequence",
    b"crx ": "image/x-canon-cr3",
    b"qt  ": "video/quicktime",
    b"M4A ": "audio/mp4",
    b"M4B ": "audio/mp4",
    b"M4P ": "audio/mp4",
    b"F4A ": "audio/mp4",
    b"F4B ": "audio/mp4",
    b"M4V ": "video/mp4",
    b"M4VH": "video/mp4",
    b"M4VP": "video/mp4",
    b"F4V ": "video/mp4",
    b"F4P ": "video/mp4",
}
_HEIF = frozenset({b"mif1", b"mif2", b"msf1", b"heif", b"miaf", b"unif", b"mif3"})
_JP2 = {
    b"jp2 ": "image/jp2",
    b"jpx ": "image/jpx",
    b"jpxb": "image/jpx",
    b"jpm ": "image/jpm",
    b"jph ": "image/jph",
    b"mjp2": "video/mj2",
    b"mj2s": "video/mj2",
}
_QUICKTIME = frozenset({b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot", b"PICT", b"uuid", b"udta", b"cmov"})
_MOVIES = frozenset({b"isom", b"iso2", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"dash", b"MSNV", b"mmp4"})
_MAX_BOXES = 24
_READ = 4096
_TRACK_HEAD = 512  # the handler of a track stands within its first bytes


def quick(head: bytes) -> str | None:
    """The type where the major brand decides it, or where a film's first track, near its front, shows pictures."""
    if head[4:8] != b"ftyp":
        return None
    major = head[8:12]
    if major not in _MOVIES:
        return _MAJOR.get(major)
    at = head[3]
    for _ in range(4):
        if head[at + 4 : at + 8] == b"moov":
            handler = head.find(b"hdlr", at, at + 8 + _TRACK_HEAD)
            return "video/mp4" if handler > 0 and head[handler + 12 : handler + 16] == b"vide" else None
        size = int.from_bytes(head[at : at + 4], "big")
        if size < 8:
            break
        at += size
    return None


def boxes(view: View, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """The boxes between two offsets as (type, payload start, payload end), hopped to, at most ``_MAX_BOXES``."""
    for _ in range(_MAX_BOXES):
        head = view.at(start, 16) if start + 8 <= end else b""
        if len(head) < 8:
            return
        size, skip = int.from_bytes(head[:4], "big"), 8
        if size == 1:
            size, skip = int.from_bytes(head[8:16], "big"), 16
        elif size == 0:
            size = end - start
        if size < skip:
            return
        yield head[4:8], start + skip, min(start + size, end)
        start += size


def tracks(view: View, start: int, end: int) -> str | None:
    """``video`` as soon as one track shows pictures, ``audio`` when tracks sound and none shows any, else None."""
    chunk, base, sounds = b"", start, False
    for _ in range(_MAX_BOXES):
        at = start - base
        if at + 8 > len(chunk) or (chunk[at + 4 : at + 8] == b"trak" and at + _TRACK_HEAD > len(chunk)):
            chunk, base, at = view.at(start, min(end - start, _READ)), start, 0
        size = int.from_bytes(chunk[at : at + 4], "big")
        if size < 8 or len(chunk) < at + 8:
            break
        if chunk[at + 4 : at + 8] == b"trak":
            handler = _handler(chunk, at + 8, min(at + size, len(chunk)))
            if handler == b"vide":
                return "video"
            sounds = sounds or handler == b"soun"
        start += size
        if start + 8 > end:
            break
    return "audio" if sounds else None


def _handler(data: bytes, at: int, end: int) -> bytes:
    """What the track in these bytes is for: the box of that name, two levels down."""
    while at + 20 <= end:
        kind = data[at + 4 : at + 8]
        if kind == b"hdlr":
            return data[at + 16 : at + 20]
        size = 8 if kind == b"mdia" else int.from_bytes(data[at : at + 4], "big")
        if size < 8:
            break
        at += size
    return b""


def _movie(view: View, start: int) -> str | None:
    for kind, first, last in boxes(view, start, view.size):
        if kind == b"moov":
            return tracks(view, first, last)
    return None


def ftyp(view: View) -> str | None:
    """The type of a file that begins with a file type box."""
    head = view.head
    major = head[8:12]
    size = int.from_bytes(head[:4], "big")
    if size < 8 or len(head) < 12:
        return None
    if major in _MAJOR:
        return _MAJOR[major]
    if major not in _MOVIES:
        brands = {head[at : at + 4] for at in range(16, min(size, len(head), 256), 4)}
        if major in _HEIF or brands & _HEIF:
            return _heif(major, brands)
    if major in _JP2:
        return _JP2[major]
    if major[:3] in (b"3gp", b"3gr", b"3gs", b"3ge", b"3gg"):
        return "audio/3gpp" if _movie(view, size) == "audio" else "video/3gpp"
    if major[:3] == b"3g2":
        return "audio/3gpp2" if _movie(view, size) == "audio" else "video/3gpp2"
    kind = _movie(view, size)
    if kind is None and view.name is not None and view.name.lower().endswith((".m4a", ".m4b")):
        return "audio/mp4"
    return "audio/mp4" if kind == "audio" else "video/mp4"


def _heif(major: bytes, brands: set[bytes]) -> str:
    if b"avif" in brands or b"avis" in brands:
        return "image/avif"
    if brands & {b"heic", b"heix", b"heim", b"heis"}:
        return "image/heic"
    if brands & {b"hevc", b"hevx", b"hevm", b"hevs"}:
        return "image/heic-sequence"
    return "image/heif-sequence" if major == b"msf1" else "image/heif"


def jpeg2000(view: View) -> str | None:
    """The type of a file that begins with the JPEG 2000 signature box: by the brand that follows it."""
    head = view.head
    return _JP2.get(head[20:24], "image/jp2")


def bare(view: View) -> str | None:
    """QuickTime without a file type box: every box up to the movie or the end must be one that such a file has."""
    found = list(boxes(view, 0, view.size))
    if not found or any(kind not in _QUICKTIME for kind, _, _ in found[:2]):
        return None
    if any(kind == b"moov" for kind, _, _ in found) or (found[0][0] == b"mdat" and view.size > 64):
        return "video/quicktime"
    return "video/quicktime" if found[0][0] in (b"wide", b"pnot") and len(found) > 1 else None
