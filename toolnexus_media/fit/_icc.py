"""Whether a colour profile is sRGB, told from its numbers: names in profiles lie, and asking LittleCMS costs more."""

from __future__ import annotations

from struct import error as StructError  # noqa: N812  # the class is called error there, which says too little here
from struct import unpack_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Verdict = Literal["srgb", "other", "broken"]

MAX_PROFILE = 4 << 20  # the largest press profiles have about 3 MB
_MAX_TAGS = 100
_NEAR = 0.004
# The primaries and the tone curve of sRGB, adapted to D50 as profiles hold them (IEC 61966-2-1, ICC.1).
_PRIMARIES = {
    b"rXYZ": (0.4361, 0.2225, 0.0139),
    b"gXYZ": (0.3851, 0.7169, 0.0971),
    b"bXYZ": (0.1431, 0.0606, 0.7141),
}
_CURVE = ((0.1, 0.01002), (0.5, 0.21404), (0.8, 0.60383))
_MODES = {b"RGB ": ("RGB", "P"), b"GRAY": ("L", "1"), b"CMYK": ("CMYK",)}


def verdict(profile: bytes, mode: str = "RGB") -> Verdict:
    """What becomes of a picture with this profile: nothing, a conversion, or the profile is no use for its mode.

    >>> verdict(b"not a profile")
    'broken'
    """
    try:
        if profile[36:40] != b"acsp" or len(profile) > MAX_PROFILE:
            return "broken"
        space = profile[16:20]
        if mode.removesuffix("A") not in _MODES.get(space, ()):
            return "broken"
        tags = _tags(profile)
        return "srgb" if _is_srgb(profile, space, tags) else "other"
    except (StructError, IndexError, KeyError, ValueError, ArithmeticError):
        return "broken"


def _tags(profile: bytes) -> dict[bytes, int]:
    (count,) = unpack_from(">I", profile, 128)
    found: dict[bytes, int] = {}
    for number in range(min(count, _MAX_TAGS)):
        name, at = unpack_from(">4sI", profile, 132 + 12 * number)
        found.setdefault(name, at)
    return found


def _is_srgb(profile: bytes, space: bytes, tags: dict[bytes, int]) -> bool:
    if space == b"GRAY":
        return b"kTRC" in tags and _is_curve(profile, tags[b"kTRC"])
    if space != b"RGB " or b"A2B0" in tags or not {*_PRIMARIES, b"rTRC", b"gTRC", b"bTRC"} <= set(tags):
        return False
    for name, wanted in _PRIMARIES.items():
        found = [value / 65536 for value in unpack_from(">iii", profile, tags[name] + 8)]
        if any(abs(a - b) > _NEAR for a, b in zip(found, wanted, strict=True)):
            return False
    return all(_is_curve(profile, tags[name]) for name in (b"rTRC", b"gTRC", b"bTRC"))


def _is_curve(profile: bytes, at: int) -> bool:
    return all(abs(_tone(profile, at, x) - y) < _NEAR for x, y in _CURVE)


def _tone(profile: bytes, at: int, x: float) -> float:
    """The curve's value; types ``curv`` and ``para`` of ICC.1."""
    kind = profile[at : at + 4]
    if kind == b"curv":
        (count,) = unpack_from(">I", profile, at + 8)
        if count == 0:
            return x
        if count == 1:
            return float(x ** (unpack_from(">H", profile, at + 12)[0] / 256))
        place = x * (count - 1)
        low, high = unpack_from(">HH", profile, at + 12 + 2 * min(int(place), count - 2))
        return float((low + (high - low) * (place % 1)) / 65535)
    if kind != b"para":
        return -1.0
    (form,) = unpack_from(">H", profile, at + 8)
    stated: tuple[int, ...] = unpack_from(f">{(1, 3, 4, 5, 7)[form]}i", profile, at + 12)
    values = [number / 65536 for number in stated]
    g, a, b, c, d = (values + [1.0, 0.0, 0.0, 0.0][len(values) - 1 :])[:5]
    if form in (3, 4) and x < d:
        return c * x
    return float(max(a * x + b, 0.0) ** g)
