"""The tags before and behind a sound: ID3v2 in front, ID3v1, APE and Lyrics3 at the end; of their content the title."""

from __future__ import annotations

from toolnexus_media.probe._buffer import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer

_MAX_TAGS = 16
_MAX_FRAMES = 200
_ENCODINGS = ("latin-1", "utf-16", "utf-16-be", "utf-8")


def skip(data: Buffer) -> int:
    """Where the sound starts: behind every ID3v2 tag at the front. May lie beyond the end of a file cut in its tag.

    >>> skip(b"ID3" + bytes([4, 0, 0, 0, 0, 0, 2]) + b"??" + b"sound")
    12
    """
    pos = 0
    for _ in range(_MAX_TAGS):
        head = at(data, pos, 10)
        if len(head) < 10 or head[:3] != b"ID3":
            break
        pos += 10 + _synchsafe(head[6:]) + (10 if head[5] & 0x10 else 0)
    return pos


def end(data: Buffer) -> int:
    """Where the sound ends: before the tags at the end of the file.

    >>> end(b"sound" + b"TAG" + bytes(125))
    5
    """
    stop = len(data)
    if at(data, stop - 128, 3) == b"TAG":
        stop -= 128
    foot = at(data, stop - 32, 32)
    if foot[:8] == b"APETAGEX":
        size = int.from_bytes(foot[12:16], "little") + (32 if foot[23] & 0x80 else 0)
        stop -= size if 32 <= size <= stop else 32
    elif foot[-9:] == b"LYRICS200" and foot[-15:-9].isdigit():
        stop = max(stop - 15 - int(foot[-15:-9]), 0)
    return stop


def title(data: Buffer) -> str:
    """The title of the first ID3v2 tag, else of the ID3v1 tag; empty when there is none."""
    head = at(data, 0, 10)
    if head[:3] == b"ID3" and len(head) == 10 and (found := _frame_title(data, head)):
        return found
    last = at(data, len(data) - 128, 33)
    return last[3:].split(b"\0")[0].decode("latin-1") if last[:3] == b"TAG" else ""


def _frame_title(data: Buffer, head: bytes) -> str:
    version, flags, pos = head[3], head[5], 10
    stop = min(10 + _synchsafe(head[6:]), len(data))
    name, width = (b"TT2", 6) if version == 2 else (b"TIT2", 10)
    if flags & 0x40 and version > 2:  # the extended header counts itself in version 4 only
        extended = at(data, 10, 4)
        pos += _synchsafe(extended) if version == 4 else 4 + int.from_bytes(extended, "big")
    for _ in range(_MAX_FRAMES):
        frame = at(data, pos, width)
        if pos + width > stop or not frame[0]:
            break
        size = _frame_size(data, frame, pos, stop, version)
        if frame.startswith(name):
            body = at(data, pos + width, min(size, 2048))
            return _text(body.replace(b"\xff\0", b"\xff") if flags & 0x80 else body)
        pos += width + size
    return ""


def _frame_size(data: Buffer, frame: bytes, pos: int, stop: int, version: int) -> int:
    if version == 2:
        return int.from_bytes(frame[3:6], "big")
    plain = int.from_bytes(frame[4:8], "big")
    if version == 3 or plain < 0x80:
        return plain
    # Version 4 sizes have seven bits a byte, but a well-known writer did not know: whichever lands on a frame is right.
    follows = at(data, pos + 10 + plain, 4)
    if pos + 10 + plain < stop and follows.isalnum() and follows.isupper():
        return plain
    return _synchsafe(frame[4:8])


def _text(body: bytes) -> str:
    if not body or body[0] > 3:
        return body.decode("latin-1").strip("\0 ")
    encoding, raw = _ENCODINGS[body[0]], body[1:]
    if encoding == "utf-16" and raw[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16-le"
    return raw.decode(encoding, "replace").split("\0")[0].strip()


def _synchsafe(four: bytes) -> int:
    value = 0
    for byte in four[:4]:
        value = value << 7 | byte & 0x7F
    return value
