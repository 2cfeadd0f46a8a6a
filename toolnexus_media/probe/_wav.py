"""WAV in all its dresses: RIFF, RIFX, RF64, BW64; as long as the bytes that are there, whatever the header says."""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe._buffer import at, broken, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_STREAMED = 0xFFFFFFFF
_MAX_CHUNKS = 1000
# WAVE format tags (RFC 2361): those whose every sample frame has the same size, and the block codecs.
_FRAMED = {1: "pcm", 3: "pcm_float", 6: "pcm_alaw", 7: "pcm_mulaw"}
_OTHER = {2: "adpcm_ms", 0x11: "adpcm_ima", 0x31: "gsm", 0x50: "mp2", 0x55: "mp3", 0xFF: "aac", 0x160: "wmav1"}
_OTHER |= {0x161: "wmav2", 0x162: "wmapro", 0x163: "wmalossless", 0x2000: "ac3", 0xF1AC: "flac"}
_EXTENSIBLE = 0xFFFE
_DENSEST = 48  # samples a byte of a codec that declares no byte rate: MP3 at its lowest


def read(data: Buffer) -> Facts:
    """The facts of a WAV file; ``CorruptMediaError`` where no format is declared.

    A header with no sound behind it is 0.0 seconds long.
    """
    chunks = _chunks(data)
    form = chunks.get(b"fmt ")
    if form is None or form[1] < 14:
        cut = len(data) < 44
        raise broken("audio/wav", "it has no format chunk", "truncated" if cut else "corrupt")
    order = ">" if data[3] == 0x58 else "<"  # RIFX
    tag, channels, rate, byte_rate, block = unpack_from(order + "HHIIH", data, form[0])
    bits = unpack_from(order + "H", data, form[0] + 14)[0] if form[1] >= 16 else 0
    if tag == _EXTENSIBLE and form[1] >= 26:
        tag = unpack_from(order + "H", data, form[0] + 24)[0]
    if not channels or not rate:
        raise broken("audio/wav", "its header declares no channels or no sample rate")
    size = chunks[b"data"][1] if b"data" in chunks else 0
    title = _title(data, chunks[b"LIST"]) if b"LIST" in chunks else ""
    if tag in _FRAMED:
        frame = channels * ((bits or 8) + 7 >> 3)
        return sound(_FRAMED[tag], size // frame / rate, rate, channels, frame * 8 * rate, title)
    spb = unpack_from(order + "H", data, form[0] + 18)[0] if form[1] >= 20 else 0
    declared = unpack_from(order + "I", data, chunks[b"fact"][0])[0] if chunks.get(b"fact", (0, 0))[1] >= 4 else 0
    seconds = _coded(tag, size, block, spb, byte_rate, rate, declared)
    return sound(_OTHER.get(tag), seconds, rate, channels, byte_rate * 8, title)


def _chunks(data: Buffer) -> dict[bytes, tuple[int, int]]:
    """Every chunk name with where its body starts and how many of its bytes are there."""
    found: dict[bytes, tuple[int, int]] = {}
    end, pos, wide = len(data), 12, 0
    layout = ">4sI" if data[3] == 0x58 else "<4sI"
    for _ in range(_MAX_CHUNKS):
        if pos + 8 > end:
            break
        name, size = unpack_from(layout, data, pos)
        pos += 8
        if name == b"ds64" and size >= 16 and pos + 16 <= end:
            wide = unpack_from("<Q", data, pos + 8)[0]
        elif name == b"data":
            size = _sound_size(data, pos, wide if wide and size == _STREAMED else size)
            if name in found:  # a second run of sound counts too
                found[name] = (found[name][0], found[name][1] + size)
        if size > end - pos:
            size = end - pos
        found.setdefault(name, (pos, size))
        pos += size + (size & 1)
    return found


def _sound_size(data: Buffer, pos: int, size: int) -> int:
    """How many bytes of sound stand at ``pos``: streamed writers leave 0 or FFFFFFFF, others a number that is wrong."""
    left = len(data) - pos
    if size >= left:
        return left
    after = at(data, pos + size + (size & 1), 8)
    if size == 0 or left - size > size:  # more bytes behind the sound than in it: chunks, or sound that is not counted
        lies = len(after) == 8 and any(after) and not _is_chunk(after, left - size)
        return left if lies else size
    return size


def _is_chunk(head: bytes, left: int) -> bool:
    return head[:4].isascii() and head[:4].decode("ascii").isprintable() and int.from_bytes(head[4:], "little") <= left


def _coded(tag: int, size: int, block: int, spb: int, byte_rate: int, rate: int, declared: int) -> float | None:
    """Seconds of compressed sound: what the blocks hold, and never more; the fact chunk may only say less."""
    if tag == 0x31 and not spb:
        spb = 320
    if tag in (2, 0x11, 0x31) and block and spb:
        held = -(-size // block) * spb / rate
    elif byte_rate:
        held = size / byte_rate
    elif not size or not 0 < declared < _STREAMED:
        return None if size else 0.0
    else:
        held = size * _DENSEST / rate
    return min(held, declared / rate) if 0 < declared < _STREAMED else held


def _title(data: Buffer, span: tuple[int, int]) -> str:
    """The INAM entry of a LIST INFO chunk."""
    body = at(data, span[0], min(span[1], 4096))
    place = body.find(b"INAM") if body.startswith(b"INFO") else -1
    if place < 0 or place + 8 > len(body):
        return ""
    size = int.from_bytes(body[place + 4 : place + 8], "little")
    return body[place + 8 : place + 8 + size].rstrip(b"\0").decode("utf-8", "replace")
