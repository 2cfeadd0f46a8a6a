"""Flash video: the numbers of its onMetaData, and the time stamp of the last tag."""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe._buffer import at, broken, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_HEAD = 1 << 14
_MAX_TAGS = 200
_RATES = (5512, 11025, 22050, 44100)
_VIDEO = {2: "flv1", 3: "flashsv", 4: "vp6", 5: "vp6", 7: "h264", 12: "hevc"}


def read(data: Buffer) -> Facts:
    """The facts of an FLV file; ``CorruptMediaError`` where no tag follows its header."""
    pos = int.from_bytes(at(data, 5, 4), "big") + 4
    if pos + 11 > len(data):
        raise broken("video/x-flv", "no tag follows its header", "truncated")
    about = at(data, pos, _HEAD)
    facts, heard = sound(None, _seconds(data, about)), sound(None, None)
    width, height = (_number(about, name) or 0 for name in (b"width", b"height"))
    if 0 < width < 1 << 20 and 0 < height < 1 << 20:
        facts["width"], facts["height"] = int(width), int(height)
    for _ in range(_MAX_TAGS):
        tag = at(data, pos, 12)
        if len(tag) < 12 or (heard and "codec" in facts):
            break
        if tag[0] == 8 and not heard:
            # AAC says 44100 Hz and stereo here whatever it is
            heard = (
                sound(None, None)
                if tag[11] >> 4 == 10
                else sound(None, None, _RATES[tag[11] >> 2 & 3], 1 + (tag[11] & 1))
            )
        elif tag[0] == 9 and (codec := _VIDEO.get(tag[11] & 15)):
            facts.setdefault("codec", codec)
        pos += 15 + int.from_bytes(tag[1:4], "big")
    heard.update(facts)
    return heard


def _seconds(data: Buffer, about: bytes) -> float | None:
    """The time stamp of the last tag, else the declared duration; None where neither is believable."""
    end = len(data)
    size = int.from_bytes(at(data, end - 4, 4), "big")
    tag = at(data, end - 4 - size, 11)
    if len(tag) == 11 and tag[0] in (8, 9, 18) and int.from_bytes(tag[1:4], "big") + 11 == size:
        return (tag[7] << 24 | int.from_bytes(tag[4:7], "big")) / 1000
    declared = _number(about, b"duration")
    return declared if declared and declared <= 60 * end else None


def _number(about: bytes, name: bytes) -> float | None:
    place = about.find(len(name).to_bytes(2, "big") + name + b"\0")
    if place < 0 or place + len(name) + 11 > len(about):
        return None
    value: float = unpack_from(">d", about, place + len(name) + 3)[0]
    return value if 0 <= value < 1e9 else None
