"""Sounds that few people hand to a model, each by the arithmetic of its header."""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe import _id3
from toolnexus_media.probe._buffer import at, broken, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_AU = {1: ("pcm_mulaw", 8), 2: ("pcm", 8), 3: ("pcm", 16), 4: ("pcm", 24), 5: ("pcm", 32), 6: ("pcm_float", 32)}
_AU |= {7: ("pcm_float", 64), 27: ("pcm_alaw", 8)}
_MAX_FRAMES = 500_000
_AMR = (12, 13, 15, 17, 19, 20, 26, 31, 5, 0, 0, 0, 0, 0, 0, 0)
_AMR_WB = (17, 23, 32, 36, 40, 46, 50, 58, 60, 5, 0, 0, 0, 0, 0, 0)
_AC3_KBPS = (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640)
_AC3_CHANNELS = (2, 1, 2, 3, 3, 4, 4, 5)
_WAVPACK_RATES = (6000, 8000, 9600, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000, 192000)
_MPC_RATES = (44100, 48000, 37800, 32000)


def read_au(data: Buffer) -> Facts:
    """Sun and NeXT sound (.au, .snd)."""
    if len(data) < 24:
        raise broken("audio/basic", "its header is cut short", "truncated")
    start, size, encoding, rate, channels = unpack_from(">IIIII", data, 4)
    if not rate or not channels or start < 24:
        raise broken("audio/basic", "its header declares no sample rate or no channels")
    size = min(size, max(len(data) - start, 0))  # a streamed header says FFFFFFFF
    codec, bits = _AU.get(encoding, (None, 0))
    frame = channels * bits // 8
    return sound(codec, size // frame / rate if frame else None, rate, channels, frame * 8 * rate)


def read_amr(data: Buffer) -> Facts:
    """AMR: frames of 20 ms, each with its size in its first byte."""
    head = at(data, 0, 9)
    wide = head == b"#!AMR-WB\n"
    if not wide and head[:6] != b"#!AMR\n":
        raise broken("audio/amr", "its header is of no known variant")
    sizes, pos, frames, end = (_AMR_WB, 9, 0, len(data)) if wide else (_AMR, 6, 0, len(data))
    start = pos
    while pos < end and frames < _MAX_FRAMES:
        pos += sizes[data[pos] >> 3 & 15] + 1
        frames += pos <= end
    total = frames * (end - start) / (pos - start) if pos < end else frames
    return sound("amr_wb" if wide else "amr_nb", total * 0.02, 16000 if wide else 8000, 1)


def read_ac3(data: Buffer) -> Facts:
    """AC-3 and E-AC-3: all frames are taken to be as long as the first one, where the second stands there."""
    start = _id3.skip(data)
    head = at(data, start, 8)
    if head[:2] != b"\x0b\x77":
        raise broken("audio/ac3", "no frame stands at its beginning")
    if len(head) < 8:
        raise broken("audio/ac3", "its first frame is cut short", "truncated")
    plain = head[5] >> 3 <= 10
    rate, size, bitrate, channels = _ac3(head) if plain else _eac3(head)
    held = len(data) - start
    alike = at(data, start + size, 2) in (b"\x0b\x77", b"")
    seconds = (held * 8 / bitrate if held >= size else 0.0) if alike else None
    return sound("ac3" if plain else "eac3", seconds, rate, channels, bitrate)


def _ac3(head: bytes) -> tuple[int, int, float, int]:
    """Sample rate, bytes a frame, bitrate and channels."""
    index, code, mode = head[4] & 63, head[4] >> 6, head[6] >> 5
    if code == 3 or index >= 38:
        raise broken("audio/ac3", "its first frame declares no sample rate")
    rate, kbps = (48000, 44100, 32000)[code], _AC3_KBPS[index >> 1]
    # The low frequency bit stands behind as many mix levels as the mode has.
    skip = 2 * bool(mode & 1 and mode != 1) + 2 * bool(mode & 4) + 2 * (mode == 2)
    low = (head[6] << 8 | head[7]) >> 12 - skip & 1
    size = 2 * (kbps * 96000 // rate + (index & 1 if code == 1 else 0))
    return rate, size, kbps * 1000, _AC3_CHANNELS[mode] + low


def _eac3(head: bytes) -> tuple[int, int, float, int]:
    """The same for E-AC-3, whose frames have one to six blocks."""
    code, second = head[4] >> 6, head[4] >> 4 & 3
    rates, blocks = ((24000, 22050, 16000, 0), 6) if code == 3 else ((48000, 44100, 32000), (1, 2, 3, 6)[second])
    rate = rates[second if code == 3 else code]
    if not rate:
        raise broken("audio/ac3", "its first frame declares no sample rate")
    size = ((head[2] & 7) << 8 | head[3]) * 2 + 2
    return rate, size, size * 8 * rate / (256 * blocks), _AC3_CHANNELS[head[4] >> 1 & 7] + (head[4] & 1)


def read_ape(data: Buffer) -> Facts:
    """Monkey's Audio, by its descriptor."""
    start = _id3.skip(data)
    head = at(data, start, 32)
    if len(head) < 32 or head[:4] != b"MAC ":
        raise broken("audio/x-ape", "its header is cut short", "truncated")
    version, level = unpack_from("<HH", head, 4)
    if version >= 3980:
        place = start + int.from_bytes(head[8:12], "little")
        per, last, frames, _, channels, rate = unpack_from("<IIIHHI", data, place + 4)
    else:
        channels, rate, _, _, frames, last = unpack_from("<HIIIII", head, 10)
        per = 294912 if version >= 3950 else 73728 if version >= 3900 or (version >= 3800 and level == 4000) else 9216
    samples = (frames - 1) * per + last if frames else 0
    if not rate or not channels:
        raise broken("audio/x-ape", "its header declares no sample rate or no channels")
    believable = frames <= len(data) and last <= per <= 1 << 24
    return sound("ape", samples / rate if believable else None, rate, channels)


def read_wavpack(data: Buffer) -> Facts:
    """WavPack, by its first block."""
    head = at(data, 0, 32)
    if len(head) < 32 or head[:4] != b"wvpk":
        raise broken("audio/x-wavpack", "its first block is cut short", "truncated")
    samples, _, block, flags = unpack_from("<IIII", head, 12)
    rate = (*_WAVPACK_RATES, 0)[flags >> 23 & 15]
    channels = 0 if flags & 0x1800 != 0x1800 else 1 if flags & 4 else 2
    known = rate and samples != 0xFFFFFFFF and samples <= max(block, 1) * (len(data) // 32 + 1)
    return sound("wavpack", samples / rate if known and not flags >> 31 else None, rate, channels)


def read_dsf(data: Buffer) -> Facts:
    """DSD stream files."""
    if len(data) < 80:
        raise broken("audio/x-dsf", "its header is cut short", "truncated")
    channels, rate, _, samples = unpack_from("<IIIQ", data, 52)
    if not rate or not channels:
        raise broken("audio/x-dsf", "its header declares no sample rate or no channels")
    return sound("dsd", min(samples, len(data) * 8 // channels) / rate, rate, channels)


def read_tta(data: Buffer) -> Facts:
    """True Audio, version 1."""
    start = _id3.skip(data)
    if len(data) < start + 22:
        raise broken("audio/x-tta", "its header is cut short", "truncated")
    channels, _, rate, samples = unpack_from("<HHII", data, start + 6)
    if not rate or not channels:
        raise broken("audio/x-tta", "its header declares no sample rate or no channels")
    return sound("tta", samples / rate if samples <= len(data) * rate else None, rate, channels)


def read_mpc(data: Buffer) -> Facts:
    """Musepack, stream versions 7 and 8."""
    start = _id3.skip(data)
    head = at(data, start, 64)
    if head[:3] == b"MP+" and len(head) >= 12 and head[3] & 15 == 7:
        frames, flags = unpack_from("<II", head, 4)
        rate = _MPC_RATES[flags >> 16 & 3]
        return sound("musepack", (frames * 1152 - 576) / rate if 0 < frames <= len(data) else None, rate, 2)
    if head[:6] != b"MPCKSH" or len(head) < 32:
        raise broken("audio/x-musepack", "its header is of no known version")
    _, pos = _number(head, 6)
    samples, pos = _number(head, pos + 5)
    silence, pos = _number(head, pos)
    rate = (*_MPC_RATES, 0, 0, 0, 0)[head[pos] >> 5]
    known = rate and samples <= len(data) * 1152
    return sound("musepack", max(samples - silence, 0) / rate if known else None, rate, (head[pos + 1] >> 4) + 1)


def _number(head: bytes, pos: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    value = 0
    for byte in head[pos : pos + 9]:
        value, pos = value << 7 | byte & 0x7F, pos + 1
        if byte < 0x80:
            break
    return value, pos
