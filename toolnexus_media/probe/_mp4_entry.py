"""Sample descriptions of MP4 and QuickTime: the codec of a track and what it says of itself."""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe._adts import AAC_CHANNELS, AAC_RATES
from toolnexus_media.probe._buffer import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_SOUND = {
    b"mp4a": "aac",
    b"alac": "alac",
    b"fLaC": "flac",
    b"Opus": "opus",
    b".mp3": "mp3",
    b"ac-3": "ac3",
    b"ec-3": "eac3",
    b"samr": "amr_nb",
    b"sawb": "amr_wb",
    b"sowt": "pcm",
    b"twos": "pcm",
    b"lpcm": "pcm",
    b"in24": "pcm",
    b"raw ": "pcm",
    b"ulaw": "pcm_mulaw",
    b"alaw": "pcm_alaw",
    b"ima4": "adpcm_ima",
}
_PICTURE = {
    b"avc1": "h264",
    b"avc3": "h264",
    b"hvc1": "hevc",
    b"hev1": "hevc",
    b"av01": "av1",
    b"vp08": "vp8",
    b"vp09": "vp9",
    b"mp4v": "mpeg4",
    b"s263": "h263",
    b"H263": "h263",
    b"jpeg": "mjpeg",
    b"mjpa": "mjpeg",
    b"apcn": "prores",
    b"apch": "prores",
    b"apcs": "prores",
    b"apco": "prores",
    b"ap4h": "prores",
}
# MPEG-4 object types of an elementary stream that is no AAC (ISO/IEC 14496-1, registration authority's list).
_OBJECTS = {0x69: "mp3", 0x6B: "mp3", 0xA5: "ac3", 0xA6: "eac3", 0xDD: "vorbis", 0xE1: "qcelp"}
_ALS = 36


def sound_entry(data: Buffer, table: tuple[int, int]) -> tuple[str | None, float, int]:
    """Codec, sample rate and channels of the first sample description."""
    entry = at(data, table[0] + 8, min(max(table[1] - table[0] - 8, 0), 4096))
    if len(entry) < 36:
        return None, 0, 0
    name, version = entry[4:8], int.from_bytes(entry[16:18], "big")
    channels, rate, tail = int.from_bytes(entry[24:26], "big"), float(unpack_from(">I", entry, 32)[0] >> 16), 36
    if version == 1:
        tail = 52
    elif version == 2 and len(entry) >= 56:
        rate, channels = unpack_from(">dI", entry, 40)
        tail = 72
    codec = _SOUND.get(name)
    if name == b"alac":
        return codec, *_alac(entry, rate, channels)
    if name == b"Opus":
        return codec, 48000, channels
    place = entry.find(b"esds", tail) if name == b"mp4a" else -1
    if place < 0:
        return codec, rate, channels
    kind, config = _descriptors(entry, place + 8)
    if kind in _OBJECTS:
        return _OBJECTS[kind], rate, channels
    return _aac(config, rate, channels)


def picture_entry(data: Buffer, table: tuple[int, int], turned: bool, facts: Facts) -> None:
    """Codec and shown size of the first sample description, put into ``facts``."""
    entry = at(data, table[0] + 8, min(max(table[1] - table[0] - 8, 0), 36))
    if len(entry) < 36:
        return
    width, height = unpack_from(">HH", entry, 32)
    if width and height:
        facts["width"], facts["height"] = (height, width) if turned else (width, height)
    if codec := _PICTURE.get(entry[4:8]):
        facts["codec"] = codec


def _alac(entry: bytes, rate: float, channels: int) -> tuple[float, int]:
    """The decoder's own settings, which stand in a box of the same name and hold what 16 bits do not."""
    place = entry.find(b"alac", 36)
    if place < 0 or place + 32 > len(entry):
        return rate, channels
    return unpack_from(">I", entry, place + 28)[0], entry[place + 17]


def _descriptors(entry: bytes, pos: int) -> tuple[int, bytes]:
    """Object type and decoder settings of an elementary stream descriptor."""
    kind = 0
    for _ in range(8):
        if pos + 2 > len(entry):
            break
        tag, size, pos = entry[pos], 0, pos + 1
        for _ in range(4):
            if pos >= len(entry):
                break
            byte = entry[pos]
            size, pos = size << 7 | byte & 0x7F, pos + 1
            if byte < 0x80:
                break
        if tag == 3:
            flags = entry[pos + 2] if pos + 2 < len(entry) else 0
            pos += 3 + (2 if flags & 0x80 else 0) + (2 if flags & 0x20 else 0)
        elif tag == 4:
            kind = entry[pos] if pos < len(entry) else 0
            pos += 13
        elif tag == 5:
            return kind, entry[pos : pos + min(size, 64)]
        else:
            pos += size
    return kind, b""


def _aac(config: bytes, rate: float, channels: int) -> tuple[str, float, int]:
    """An AudioSpecificConfig over the entry's own values: it knows the doubled rate of HE-AAC and the real channels."""
    if len(config) < 2:
        return "aac", rate, channels
    bits, left = int.from_bytes(config + bytes(16), "big"), (len(config) + 16) * 8

    def take(count: int) -> int:
        nonlocal left
        left -= count
        return bits >> left & (1 << count) - 1

    def take_rate() -> float:
        index = take(4)
        return take(24) if index == 15 else AAC_RATES[index] if index < 13 else 0

    kind = take(5)
    kind = 32 + take(6) if kind == 31 else kind
    own_rate, own_channels = take_rate(), take(4)
    if kind == _ALS:
        return "als", rate, channels
    layout = AAC_CHANNELS[own_channels] if own_channels < 8 else 0
    if kind in (5, 29):
        own_rate = take_rate()
        layout = 2 if kind == 29 and layout == 1 else layout
    elif kind == 2 and take(3) >= 0 and take(11) == 0x2B7 and take(5) == 5 and take(1):
        own_rate = take_rate()  # the doubled rate, told behind the settings that old decoders read
    return "aac", own_rate or rate, layout or channels
