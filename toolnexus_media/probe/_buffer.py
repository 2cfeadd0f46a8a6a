"""Small bounded reads from any buffer, and the two things every sound reader says: a fact, or what is broken."""

from __future__ import annotations

from struct import error as StructError  # noqa: N812 - it is an exception, and ``error`` says nothing

from toolnexus_media._text import one_line
from toolnexus_media.errors import CorruptMediaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.errors import CorruptCode
    from toolnexus_media.types import Facts

# What reading a hostile header may raise: short buffers, absurd numbers, undecodable text.
UNREADABLE = (ArithmeticError, LookupError, ValueError, StructError)

WAY_OUT = "get a whole copy of the file, or pass verify='none' to attach it as it is"


def flat(data: Buffer) -> Buffer:
    """The same memory as single bytes, whatever shape a memoryview had."""
    if not isinstance(data, memoryview) or (data.format == "B" and data.ndim == 1 and data.contiguous):
        return data
    return data.cast("B") if data.c_contiguous else data.tobytes()


def at(data: Buffer, start: int, size: int) -> bytes:
    """At most ``size`` bytes from ``start``; fewer at the end, none beyond it or before the beginning.

    >>> at(b"abcdef", 4, 9), at(b"abcdef", -1, 3)
    (b'ef', b'')
    """
    return bytes(data[start : start + size]) if start >= 0 else b""


def broken(mime: str, reason: str, code: CorruptCode = "corrupt") -> CorruptMediaError:
    """The error for a header that cannot be read; the reason stands after the type, the way out at the end."""
    return CorruptMediaError(f"this {mime} cannot be read: {reason}; {WAY_OUT}", code=code)


def sound(
    codec: str | None, seconds: float | None, rate: float = 0, channels: int = 0, bitrate: float = 0, title: str = ""
) -> Facts:
    """The facts of a sound; what is zero, empty or absurd is left out, and a known length of nothing is 0.0.

    >>> sound("pcm", 1, 8000, 1)
    {'duration': 1.0, 'sample_rate': 8000, 'channels': 1, 'codec': 'pcm'}
    """
    facts: Facts = {}
    if seconds is not None and 0 <= seconds < 1e9:
        facts["duration"] = float(seconds)
    if 0 < rate < 1e8:
        facts["sample_rate"] = int(rate)
    if 0 < channels < 1024:
        facts["channels"] = channels
    if codec:
        facts["codec"] = codec
    if 0 < bitrate < 1e11:
        facts["bitrate"] = int(bitrate)
    if title and (line := one_line(title, 200)):
        facts["title"] = line
    return facts
