"""Formats whose size stands at a fixed place, or in a few words of text."""

from __future__ import annotations

from struct import unpack_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_MAX_ICONS = 256
_HEAD = 4096  # comments in front of the size are seldom longer than a few lines


def read_psd(data: Buffer, found: Facts) -> None:
    """Size and mode of a Photoshop file."""
    if data[:4] == b"8BPS":
        _version, channels, height, width, _depth, mode = unpack_from(">H6xHIIHH", data, 4)
        _size(found, width, height)
        name = {(1, 1): "L", (2, 1): "P", (3, 3): "RGB", (4, 4): "CMYK"}.get((mode, channels))
        if name:
            found["mode"] = name


def read_tga(data: Buffer, found: Facts) -> None:
    """Size of a Targa file."""
    _size(found, *unpack_from("<HH", data, 12))


def read_qoi(data: Buffer, found: Facts) -> None:
    """Size and mode of a QOI file."""
    if data[:4] == b"qoif":
        _size(found, *unpack_from(">II", data, 4))
        found["mode"] = "RGBA" if data[12] == 4 else "RGB"


def read_pcx(data: Buffer, found: Facts) -> None:
    """Size of a PCX file."""
    _pcx(data, 0, found)


def read_dcx(data: Buffer, found: Facts) -> None:
    """Size of the first page of a DCX fax, and how many pages there are."""
    pages = dcx_pages(data)
    if pages:
        found["frames"] = len(pages)
        _pcx(data, pages[0], found)


def dcx_pages(data: Buffer) -> list[int]:
    """Where the pages of a DCX begin; its directory has room for 1023."""
    if data[:4] != b"\xb1\x68\xde\x3a":
        return []
    offsets = [unpack_from("<I", data, at)[0] for at in range(4, min(4100, len(data) - 3), 4)]
    return offsets[: offsets.index(0)] if 0 in offsets else offsets


def _pcx(data: Buffer, at: int, found: Facts) -> None:
    if data[at] == 10:
        left, top, right, bottom = unpack_from("<4H", data, at + 4)
        _size(found, right - left + 1, bottom - top + 1)


def read_dds(data: Buffer, found: Facts) -> None:
    """Size of a DirectDraw surface."""
    if data[:4] == b"DDS ":
        height, width = unpack_from("<II", data, 12)
        _size(found, width, height)


def read_sgi(data: Buffer, found: Facts) -> None:
    """Size of an SGI file."""
    _size(found, *unpack_from(">HH", data, 6))


def read_sun(data: Buffer, found: Facts) -> None:
    """Size of a Sun raster."""
    _size(found, *unpack_from(">II", data, 4))


def read_fli(data: Buffer, found: Facts) -> None:
    """Size, frames and duration of an Autodesk animation."""
    kind, frames, width, height = unpack_from("<HHHH", data, 4)
    _size(found, width, height)
    if frames:
        found["frames"] = frames
        (speed,) = unpack_from("<I", data, 16)
        if frames > 1:
            found["duration"] = frames * speed / (1000 if kind == 0xAF12 else 70)


def read_pnm(data: Buffer, found: Facts) -> None:
    """Size and mode of a portable anymap, P1 to P7 and the float map."""
    head = bytes(data[:_HEAD])
    lines = [line.split(b"#", 1)[0] for line in head.replace(b"\r", b"\n").split(b"\n")]
    words = b" ".join(lines).split()
    kind = words[0][:2]
    if kind == b"P7":
        fields = dict(zip(words[1::2], words[2::2], strict=False))
        _size(found, int(fields[b"WIDTH"]), int(fields[b"HEIGHT"]))
        return
    numbers = [words[0][2:], *words[1:3]] if len(words[0]) > 2 else words[1:3]
    _size(found, int(numbers[0]), int(numbers[1]))
    mode = {b"P1": "1", b"P4": "1", b"P3": "RGB", b"P6": "RGB", b"Pf": "F"}.get(kind)  # grey: the maximum decides
    if mode:
        found["mode"] = mode


def read_xbm(data: Buffer, found: Facts) -> None:
    """Size of an X bitmap, from its two defines."""
    sides: dict[bytes, int] = {}
    for line in bytes(data[:_HEAD]).split(b"\n"):
        words = line.split()
        if len(words) == 3 and words[0] == b"#define":
            sides[words[1].rpartition(b"_")[2]] = int(words[2])
    _size(found, sides[b"width"], sides[b"height"])
    found["mode"] = "1"


def read_xpm(data: Buffer, found: Facts) -> None:
    """Size of an X pixmap, from its first string."""
    text = bytes(data[:_HEAD])
    start = text.index(b'"') + 1
    words = text[start : text.index(b'"', start)].split()
    _size(found, int(words[0]), int(words[1]))


def _size(found: Facts, width: int, height: int) -> None:
    if width > 0 and height > 0:
        found["width"], found["height"] = width, height


def read_icns(data: Buffer, found: Facts) -> None:
    """Size of the largest picture in a macOS icon."""
    best = max((_ICONS.get(kind, 0) for kind, _start, _end in icns_entries(data)), default=0)
    if best:
        found["width"] = found["height"] = best


def icns_entries(data: Buffer) -> Iterator[tuple[bytes, int, int]]:
    """The entries of a macOS icon as ``(kind, start, end)``."""
    at = 8 if data[:4] == b"icns" else len(data)
    for _ in range(_MAX_ICONS):
        if at + 8 > len(data):
            return
        kind, size = unpack_from(">4sI", data, at)
        yield kind, at + 8, at + max(size, 8)
        at += max(size, 8)


def read_fits(data: Buffer, found: Facts) -> None:
    """Size of a FITS image."""
    cards: dict[bytes, bytes] = {}
    for at in range(0, min(len(data), 36 * 80 * 8), 80):
        card = bytes(data[at : at + 80])
        if card[:3] == b"END":
            break
        cards[card[:8].strip()] = card[10:].split(b"/")[0].strip()
    _size(found, int(cards[b"NAXIS1"]), int(cards.get(b"NAXIS2", b"1")))


_ICONS = {b"ic10": 1024, b"ic09": 512, b"ic14": 512, b"ic08": 256, b"ic13": 256, b"ic07": 128, b"it32": 128}
_ICONS |= {b"ic12": 64, b"icp6": 64, b"ih32": 48, b"ic11": 32, b"icp5": 32, b"il32": 32, b"icp4": 16, b"is32": 16}
