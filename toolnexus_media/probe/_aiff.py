"""AIFF and AIFC: as many sample frames as the header declares and the bytes hold."""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe import _id3
from toolnexus_media.probe._buffer import at, broken, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_MAX_CHUNKS = 1000
# AIFC compression type → (name, bits a sample, or None for those of the header).
_CODECS = {
    b"NONE": ("pcm", None),
    b"twos": ("pcm", None),
    b"sowt": ("pcm", None),
    b"raw ": ("pcm", None),
    b"in24": ("pcm", 24),
    b"in32": ("pcm", 32),
    b"42ni": ("pcm", 24),
    b"23ni": ("pcm", 32),
    b"fl32": ("pcm_float", 32),
    b"FL32": ("pcm_float", 32),
    b"fl64": ("pcm_float", 64),
    b"FL64": ("pcm_float", 64),
    b"ulaw": ("pcm_mulaw", 8),
    b"ULAW": ("pcm_mulaw", 8),
    b"alaw": ("pcm_alaw", 8),
    b"ALAW": ("pcm_alaw", 8),
}


def read(data: Buffer) -> Facts:
    """The facts of an AIFF file; ``CorruptMediaError`` where it declares no format."""
    chunks = _chunks(data)
    pos, size = chunks.get(b"COMM", (0, 0))
    if size < 18:
        raise broken("audio/aiff", "it has no common chunk", "truncated" if len(data) < 38 else "corrupt")
    channels, frames, bits = unpack_from(">HIH", data, pos)
    rate = _extended(at(data, pos + 8, 10))
    kind = at(data, pos + 18, 4) if size >= 22 else b"NONE"
    held = max(chunks.get(b"SSND", (0, 0))[1] - 8, 0)
    if not channels:
        raise broken("audio/aiff", "its header declares no channels")
    if not rate and frames:
        raise broken("audio/aiff", "its header declares no sample rate")
    codec, seconds, bitrate = _length(kind, frames, bits, held, channels, rate)
    return sound(codec, seconds, rate, channels, bitrate, _title(data, chunks))


def _length(
    kind: bytes, frames: int, bits: int, held: int, channels: int, rate: float
) -> tuple[str | None, float | None, float]:
    """Codec, seconds and bitrate."""
    if not frames or not held:
        return _CODECS.get(kind, (None, 0))[0], 0.0, 0
    if kind == b"ima4":  # its frames are packets of 34 bytes and 64 samples a channel
        return "adpcm_ima", min(frames, held // (34 * channels)) * 64 / rate, 34 * channels * 8 * rate / 64
    if kind not in _CODECS:
        return None, None, 0
    codec, fixed = _CODECS[kind]
    frame = channels * ((fixed or bits) + 7 >> 3)
    return codec, (min(frames, held // frame) / rate if frame else None), frame * 8 * rate


def _chunks(data: Buffer) -> dict[bytes, tuple[int, int]]:
    """Every chunk name with where its body starts and how many of its bytes are there."""
    found: dict[bytes, tuple[int, int]] = {}
    end, pos = len(data), 12
    for _ in range(_MAX_CHUNKS):
        if pos + 8 > end:
            break
        name, size = unpack_from(">4sI", data, pos)
        pos += 8
        found.setdefault(name, (pos, min(size, end - pos)))
        pos += size + (size & 1)
    return found


def _extended(ten: bytes) -> float:
    """An 80-bit float as a sample rate; 0.0 where it is none."""
    exponent = (int.from_bytes(ten[:2], "big") & 0x7FFF) - 16383
    if len(ten) < 10 or not 0 <= exponent < 32:
        return 0.0
    return float(int.from_bytes(ten[2:], "big") / 2.0 ** (63 - exponent))


def _title(data: Buffer, chunks: dict[bytes, tuple[int, int]]) -> str:
    if b"NAME" in chunks:
        pos, size = chunks[b"NAME"]
        return at(data, pos, min(size, 2048)).rstrip(b"\0").decode("utf-8", "replace")
    pos, size = chunks.get(b"ID3 ", (0, 0))
    return _id3.title(at(data, pos, min(size, 1 << 16))) if size else ""
