"""WMA, WMV and other ASF: the objects of its header, by their GUIDs."""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe._buffer import at, broken, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_HEADER = bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c")
_FILE = bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365")
_STREAM = bytes.fromhex("9107dcb7b7a9cf118ee600c00c205365")
_CONTENT = bytes.fromhex("3326b2758e66cf11a6d900aa0062ce6c")
_SOUND = bytes.fromhex("409e69f84d5bcf11a8fd00805f5c442b")
_PICTURE = bytes.fromhex("c0ef19bc4d5bcf11a8fd00805f5c442b")
_MAX_OBJECTS = 500
_DENSEST = 32  # how far below its declared bitrate a sound may stay, silence for the most part
_CODECS = {0x160: "wmav1", 0x161: "wmav2", 0x162: "wmapro", 0x163: "wmalossless", 0xA: "wmavoice", 0x55: "mp3"}
_VIDEO = {b"WMV1": "wmv1", b"WMV2": "wmv2", b"WMV3": "wmv3", b"WVC1": "vc1", b"MP43": "msmpeg4v3"}


def read_sound(data: Buffer) -> Facts:
    """The facts of the first stream of sound; ``CorruptMediaError`` where there is no header object."""
    facts, heard, _ = _read(data, "audio/x-ms-wma")
    if facts.get("duration", 0.0) * heard.get("bitrate", 0) > 8 * _DENSEST * len(data):
        del facts["duration"]
    facts.update(heard)
    return facts


def read_video(data: Buffer) -> Facts:
    """The facts of the first stream of pictures and, besides its codec, of the first of sound."""
    facts, heard, seen = _read(data, "video/x-ms-asf")
    if seen:
        heard.pop("codec", None)
        heard.pop("bitrate", None)
    facts.update(heard | seen)
    return facts


def _read(data: Buffer, mime: str) -> tuple[Facts, Facts, Facts]:
    if at(data, 0, 16) != _HEADER:
        raise broken(mime, "its header object is missing")
    if len(data) < 54:
        raise broken(mime, "its header object is cut short", "truncated")
    whole, heard, seen, title = sound(None, None), sound(None, None), sound(None, None), ""
    for kind, pos, size in _objects(data):
        if kind == _FILE and size >= 80:
            whole = sound(None, _seconds(data, pos))
        elif kind == _CONTENT and size >= 10:
            length = int.from_bytes(at(data, pos, 2), "little")
            title = at(data, pos + 10, min(length, size - 10, 2048)).decode("utf-16-le", "replace").rstrip("\0")
        elif kind == _STREAM and size >= 72 and at(data, pos, 16) == _SOUND and not heard:
            tag, channels, rate, byte_rate = unpack_from("<HHII", data, pos + 54)
            heard = sound(_CODECS.get(tag), None, rate, channels, byte_rate * 8)
        elif kind == _STREAM and size >= 85 and at(data, pos, 16) == _PICTURE and not seen:
            _picture(data, pos + 54, seen)
    whole.update(sound(None, None, title=title))
    return whole, heard, seen


def _objects(data: Buffer) -> Iterator[tuple[bytes, int, int]]:
    """GUID, place and size of the body of every object of the header that is there."""
    pos, end = 30, len(data)
    for _ in range(_MAX_OBJECTS):
        if pos + 24 > end:
            return
        size = unpack_from("<Q", data, pos + 16)[0]
        if size < 24:
            return
        yield at(data, pos, 16), pos + 24, min(size, end - pos) - 24
        pos += size


def _seconds(data: Buffer, pos: int) -> float | None:
    """The play length less the preroll; unknown in a broadcast, and where it is beyond anything the bytes hold."""
    length, _, preroll, flags = unpack_from("<QQQI", data, pos + 40)
    seconds = max(length / 1e7 - preroll / 1e3, 0.0)
    return None if flags & 1 or seconds > 60 * len(data) else seconds


def _picture(data: Buffer, pos: int, facts: Facts) -> None:
    width, height = unpack_from("<II", data, pos)
    if 0 < width < 1 << 20 and 0 < height < 1 << 20:
        facts["width"], facts["height"] = width, height
    if codec := _VIDEO.get(at(data, pos + 27, 4)):
        facts["codec"] = codec
