"""Is this picture what the rules ask? Read back from the bytes with Pillow and a walk over the container."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator

from PIL import Image, ImageCms

from .rules import Grid, Rules

SIGNATURES = {
    "image/png": (0, b"\x89PNG\r\n\x1a\n"),
    "image/jpeg": (0, b"\xff\xd8\xff"),
    "image/gif": (0, b"GIF8"),
    "image/webp": (8, b"WEBP"),
    "image/heic": (4, b"ftyp"),
    "image/heif": (4, b"ftyp"),
}
PLAIN_CHUNKS = {
    b"IHDR",
    b"PLTE",
    b"tRNS",
    b"IDAT",
    b"IEND",
    b"sRGB",
    b"gAMA",
    b"cHRM",
    b"sBIT",
    b"bKGD",
    b"pHYs",
    b"iCCP",
}
SRGB_CHRM = (31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
PLAIN_WEBP = {b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ICCP"}


def faults(data: bytes, mime: str, rules: Rules, side: int | None) -> Iterator[str]:
    """What a provider with these rules, and a careful reader, would find wrong with a picture."""
    at, signature = SIGNATURES.get(mime, (0, b""))
    if not data[at:].startswith(signature):
        yield f"label: {mime} but the bytes start {data[:12]!r}"
        return
    try:
        with _opened(data, mime) as image:
            image.load()
            width, height = image.size
            yield from _pixels(image, mime in rules.moving)
    except (OSError, SyntaxError, ValueError, struct.error) as error:
        yield f"decode: {type(error).__name__} {error}"
        return
    yield from _metadata(data, mime)
    if side and max(width, height) > side:
        yield f"side: {width}x{height} over {side}"
    if rules.grid and not inside(width, height, rules.grid):
        yield f"grid: {width}x{height} is scaled by the provider"


def _opened(data: bytes, mime: str) -> Image.Image:
    if mime not in {"image/heic", "image/heif"}:
        return Image.open(io.BytesIO(data))
    import pi_heif

    image: Image.Image = pi_heif.HeifImageFile(io.BytesIO(data))
    if image.info.get("exif") or image.info.get("xmp"):
        raise ValueError("metadata beside the picture")
    return image


def inside(width: int, height: int, grid: Grid) -> bool:
    """Whether a provider leaves a picture of this size as it is."""
    patch = grid.patch or 1
    columns, rows = -(-width // patch), -(-height // patch)
    sides = (columns * patch, rows * patch) if grid.padded else (width, height)
    return (
        (grid.side is None or max(sides) <= grid.side)
        and (grid.patches is None or columns * rows <= grid.patches)
        and (grid.short is None or min(width, height) <= grid.short)
    )


def _pixels(image: Image.Image, moving: bool) -> Iterator[str]:
    if image.format != "HEIF":  # of HEIC neither depth nor a second picture is ruled on, only its colours
        yield from _shape(image, moving)
    if profile := image.info.get("icc_profile"):
        yield from _profile(profile)


def _shape(image: Image.Image, moving: bool) -> Iterator[str]:
    if getattr(image, "n_frames", 1) > 1 and not moving:
        yield f"frames: {getattr(image, 'n_frames', 1)}"
    if image.mode not in {"1", "L", "LA", "P", "PA", "RGB", "RGBA"}:
        yield f"mode: {image.mode}"
    if image.getexif().get(0x0112, 1) != 1:
        yield f"orientation: {image.getexif().get(0x0112)}"


def _profile(profile: bytes) -> Iterator[str]:
    try:
        name = ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(profile)))
    except (OSError, ImageCms.PyCMSError) as error:
        name = f"unreadable, {error}"
    if "srgb" not in name.lower():
        yield f"profile: {name.strip()}"


def _metadata(data: bytes, mime: str) -> Iterator[str]:
    walks = {"image/png": _png, "image/jpeg": _jpeg, "image/webp": _webp, "image/gif": _gif}
    if mime in walks:
        yield from walks[mime](data)


def _png(data: bytes) -> Iterator[str]:
    at, seen = 8, {}
    while at + 12 <= len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        seen[kind] = body
        if data[at + 8 + size : at + 12 + size] != struct.pack(">I", zlib.crc32(kind + body)):
            yield f"chunk: {kind!r} has a wrong checksum"
        if kind not in PLAIN_CHUNKS:
            yield f"metadata: chunk {kind!r}"
        at += 12 + size
    if at != len(data):
        yield f"metadata: {len(data) - at} bytes after the end"
    if seen.get(b"IHDR", bytes(9))[8] > 8:
        yield f"mode: {seen[b'IHDR'][8]} bits"
    if b"sRGB" not in seen and b"iCCP" not in seen:
        yield from _png_colour(seen)


def _png_colour(seen: dict[bytes, bytes]) -> Iterator[str]:
    """Without an sRGB chunk the gamma and the primaries must be sRGB's own."""
    if b"gAMA" in seen and abs(struct.unpack(">I", seen[b"gAMA"])[0] - 45455) > 500:
        yield "profile: gamma other than sRGB"
    if b"cHRM" in seen:
        found = struct.unpack(">8I", seen[b"cHRM"])
        if any(abs(a - b) > 200 for a, b in zip(found, SRGB_CHRM, strict=True)):
            yield "profile: primaries other than sRGB"


def _jpeg(data: bytes) -> Iterator[str]:
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            at += 1
            continue
        marker = data[at + 1]
        if marker == 0xD9:
            if data[at + 2 :].strip(b"\0"):
                yield f"metadata: {len(data) - at - 2} bytes after the end"
            return
        if marker in {0x00, 0x01, 0xFF} or 0xD0 <= marker <= 0xD7:
            at += 1 if marker == 0xFF else 2
            continue
        size = struct.unpack(">H", data[at + 2 : at + 4])[0]
        body = data[at + 4 : at + 2 + size]
        if marker == 0xFE or (0xE0 <= marker <= 0xEF and not _plain_segment(marker, body)):
            yield f"metadata: segment {marker:02X} {body[:12]!r}"
        at += 2 + size
    yield from () if data.rstrip(b"\0").endswith(b"\xff\xd9") else ["decode: no end of image"]


def _plain_segment(marker: int, body: bytes) -> bool:
    return (
        (marker == 0xE0 and body.startswith((b"JFIF\0", b"JFXX\0")) and len(body) <= 14)
        or (marker == 0xE2 and body.startswith(b"ICC_PROFILE\0"))
        or (marker == 0xEE and body.startswith(b"Adobe"))
    )


def _webp(data: bytes) -> Iterator[str]:
    at, end = 12, 8 + struct.unpack("<I", data[4:8])[0]
    while at + 8 <= min(end, len(data)):
        kind, size = struct.unpack("<4sI", data[at : at + 8])
        if kind not in PLAIN_WEBP:
            yield f"metadata: chunk {kind!r}"
        at += 8 + size + size % 2
    if len(data) > end:
        yield f"metadata: {len(data) - end} bytes after the end"


def _gif(data: bytes) -> Iterator[str]:
    """Comments and application blocks are text somebody wrote; the loop count alone is not."""
    at = 13 + (3 << (data[10] & 7) + 1 if data[10] & 0x80 else 0)
    while at < len(data) and data[at] != 0x3B:
        kind = data[at : at + 2]
        if data[at] == 0x2C:
            at += 10 + (3 << (data[at + 9] & 7) + 1 if data[at + 9] & 0x80 else 0) + 1
        elif kind == b"\x21\xf9":
            at += 2
        else:
            if kind == b"\x21\xfe" or not data[at + 3 :].startswith((b"NETSCAPE2.0", b"ANIMEXTS1.0")):
                yield f"metadata: extension {data[at : at + 14]!r}"
            at += 2
        while at < len(data) and data[at]:
            at += 1 + data[at]
        at += 1
    if data[at + 1 :].strip(b"\0"):
        yield f"metadata: {len(data) - at - 1} bytes after the end"
