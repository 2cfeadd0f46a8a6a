"""MPEG audio, ADTS AAC and AC-3 frames, ID3 tags in front of them, and MPEG transport streams.

A frame header is eleven set bits and little more, so one alone proves nothing: the next frame has to stand where the
first one says it ends.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media.sniff._window import View

# kbit/s by index, for (MPEG 1, layer) and (MPEG 2 and 2.5, layer)
_RATES = {
    (True, 1): (0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448),
    (True, 2): (0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384),
    (True, 3): (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (False, 1): (0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256),
    (False, 2): (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    (False, 3): (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
_SAMPLING = (44100, 48000, 32000)
_HALVED = {3: 0, 2: 1, 0: 2}  # version bits -> how often the sampling rate is halved: MPEG 1, 2, 2.5
_FREE = 1  # free format: the header does not tell the length
_LENGTHS: dict[bytes, int] = {}  # headers met so far; three bytes with eleven of them set: 8,192 at most

_AFTER_TAG = {
    b"fLaC": "audio/flac",
    b"MAC ": "audio/x-ape",
    b"MPCK": "audio/x-musepack",
    b"wvpk": "audio/x-wavpack",
    b"TTA1": "audio/x-tta",
    b"OggS": "audio/ogg",
    b"ADIF": "audio/aac",
}
_MAX_TAGS = 4
_MAX_CANDIDATES = 32
_AC3_RATES = (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640)


def frame_length(header: bytes) -> int:
    """The length of the MPEG audio frame that a header begins; 0 when it is none, 1 for the free format.

    >>> frame_length(bytes.fromhex("fffb9000"))
    417
    """
    key = header[:3]
    found = _LENGTHS.get(key)
    if found is None:
        if len(key) < 3 or key[0] != 0xFF or key[1] < 0xE0:
            return 0
        found = _LENGTHS[key] = _measure(key[1], key[2])
    return found


def _measure(second: int, third: int) -> int:
    version, layer = (second >> 3) & 3, 4 - ((second >> 1) & 3)
    rate, sampling, padding = third >> 4, (third >> 2) & 3, (third >> 1) & 1
    if version == 1 or layer == 4 or rate == 15 or sampling == 3:
        return 0
    if rate == 0:
        return _FREE
    bits = 1000 * _RATES[version == 3, layer][rate]
    hertz = _SAMPLING[sampling] >> _HALVED[version]
    if layer == 1:
        return (12 * bits // hertz + padding) * 4
    return (72 if layer == 3 and version != 3 else 144) * bits // hertz + padding


def quick(head: bytes) -> str | None:
    """``audio/mpeg`` for an ID3 tag that ends inside the head with an MPEG audio frame behind it."""
    if len(head) < 10:
        return None
    end = 10 + (head[6] << 21 | head[7] << 14 | head[8] << 7 | head[9])
    after = head[end : end + 2]
    return "audio/mpeg" if len(after) == 2 and after[0] == 0xFF and after[1] >= 0xE0 and after[1] & 6 else None


def quick_frame(head: bytes) -> str | None:
    """``audio/mpeg`` for two layer III frames of MPEG 1 or 2, one behind the other."""
    if len(head) < 4 or head[1] not in (0xFA, 0xFB, 0xF2, 0xF3):
        return None
    length = frame_length(head)
    return "audio/mpeg" if length > _FREE and _same(head, head[length : length + 4]) else None


def tagged(view: View) -> str | None:
    """The type of the sound behind ID3 tags; ``audio/mpeg`` when nothing else shows."""
    at = 0
    for _ in range(_MAX_TAGS):
        tag = view.at(at, 10)
        if tag[:3] != b"ID3" or len(tag) < 10 or tag[3] not in (2, 3, 4) or max(tag[6:10]) > 0x7F:
            break
        at += 10 + (tag[6] << 21 | tag[7] << 14 | tag[8] << 7 | tag[9]) + (10 if tag[5] & 0x10 else 0)
    if not at:
        return None
    after = view.at(at, 4096).lstrip(b"\x00")
    return _AFTER_TAG.get(after[:4]) or ("audio/aac" if _is_adts(after, 0, view.size - at) else "audio/mpeg")


def frames(view: View) -> str | None:
    """``audio/mpeg`` or ``audio/aac`` for a head that begins with a frame which a second one follows."""
    head = view.head
    if len(head) < 4:
        return None
    if head[1] & 0xF6 == 0xF0:
        return "audio/aac" if _is_adts(head, 0, view.size) else None
    length = frame_length(head)
    if length == _FREE:
        return "audio/mpeg" if _is_free_format(view) else None
    if length == 0 or length > view.size:
        return None
    after = head[length : length + 4] if length + 4 <= len(head) else view.at(length, 4)
    if _same(head, after) or after[:3] == b"TAG" or after == b"APET" or length == view.size:
        return "audio/mpeg"
    return "audio/mpeg" if head.find(b"Xing", 0, 64) > 0 or head.find(b"Info", 0, 64) > 0 else None


def _same(one: bytes, two: bytes) -> bool:
    """Whether two headers are of one stream: same version, layer and sampling rate."""
    return len(two) > 2 and one[:1] == two[:1] and not (one[1] ^ two[1]) & 0xFE and not (one[2] ^ two[2]) & 0x0C


def _is_free_format(view: View) -> bool:
    """Three headers of one stream at equal distances."""
    data = view.head
    sync = data[:2]
    second = data.find(sync, 24)
    while 0 < second < 4096:
        if frame_length(data[second : second + 3]) == _FREE and _same(data, data[second : second + 3]):
            third = data[2 * second - 1 : 2 * second + 4]
            at = third.find(sync)
            return at >= 0 and _same(data, third[at : at + 3])
        second = data.find(sync, second + 1)
    return False


def _is_adts(data: bytes, at: int, size: int) -> bool:
    header = data[at : at + 7]
    if len(header) < 7 or header[0] != 0xFF or header[1] & 0xF6 != 0xF0 or (header[2] >> 2) & 15 > 12:
        return False
    length = (header[3] & 3) << 11 | header[4] << 3 | header[5] >> 5
    if length < 7:
        return False
    after = data[at + length : at + length + 2]
    return after == header[:2] if len(after) == 2 else at + length == size or len(data) < size


def search(view: View) -> str | None:
    """``audio/mpeg`` when three frames in a row stand somewhere in the head, behind padding or junk.

    Layer I is left out: its frames can be as short as the tables of numbers that many formats begin with.
    """
    data = view.head
    at = data.find(b"\xff")
    for _ in range(_MAX_CANDIDATES):
        if at < 0:
            break
        if _three(data, at):
            return "audio/mpeg"
        at = data.find(b"\xff", at + 1)
    return None


def _three(data: bytes, at: int) -> bool:
    first = data[at : at + 4]
    if len(first) < 4 or first[1] & 6 == 6:
        return False
    for _ in range(3):
        length = frame_length(data[at : at + 4])
        if length <= _FREE or not _same(first, data[at : at + 4]):
            return False
        at += length
    return True


def ac3(view: View) -> str | None:
    """``audio/ac3`` or ``audio/eac3`` when a second sync word stands where the first frame ends."""
    head = view.head
    if len(head) < 8:
        return None
    if 10 < head[5] >> 3 <= 16:
        length, mime = 2 * (((head[2] & 7) << 8 | head[3]) + 1), "audio/eac3"
    else:
        code, sampling, mime = head[4] & 63, head[4] >> 6, "audio/ac3"
        if sampling == 3 or code > 37 or head[5] >> 3 > 10:
            return None
        rate = _AC3_RATES[code >> 1]
        length = (rate * 4, 2 * (rate * 320 // 147 + (code & 1)), rate * 6)[sampling]
    after = view.at(length, 2)
    return mime if after == b"\x0b\x77" or length >= view.size else None


def transport(view: View) -> str | None:
    """``video/mp2t`` when sync bytes stand at the packet distance of a transport stream."""
    head = view.head
    for start, step in ((0, 188), (4, 192)):
        if len(head) > start + 2 * step and all(head[start + i * step] == 0x47 for i in range(3)):
            return "video/mp2t"
    return None
