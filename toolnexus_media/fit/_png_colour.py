"""What a PNG's gamma and primaries say, as a colour profile: without a profile of its own these are how it looks."""

from __future__ import annotations

from struct import pack, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Row = Sequence[float]

_SRGB = (0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06)  # white, red, green, blue: x and y of each
_GAMMA = 0.45455
_NEAR_GAMMA, _NEAR = 0.005, 0.002
_D50 = (0.9642, 1.0, 0.8249)
_BRADFORD = ((0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))  # ICC.1, annex E
_MOST = 30_000.0  # what the profile's numbers hold
_CURVE = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)  # IEC 61966-2-1


def of_info(info: Mapping[Any, Any], mode: str) -> bytes | None:
    """The profile for what Pillow says of an opened PNG; ``None`` where that is sRGB, or nothing.

    >>> of_info({"gamma": 0.45455}, "RGB"), of_info({"gamma": 1.0, "srgb": 0}, "L"), of_info({"gamma": 1.0}, "L")[36:40]
    (None, None, b'acsp')
    """
    if "srgb" in info or info.get("icc_profile"):
        return None
    gamma, corners = info.get("gamma"), info.get("chromaticity")
    return profile(gamma, corners, grey=mode in ("L", "LA"))


def of_chunks(chunks: Mapping[bytes, bytes], *, grey: bool) -> bytes | None:
    """The same for the chunks gAMA, cHRM and sRGB of the file."""
    if b"sRGB" in chunks or not chunks:
        return None
    gamma = unpack(">I", chunks[b"gAMA"])[0] / 100_000 if b"gAMA" in chunks else None
    corners = [side / 100_000 for side in unpack(">8I", chunks[b"cHRM"])] if b"cHRM" in chunks else None
    return profile(gamma, corners, grey=grey)


def profile(gamma: float | None, corners: Row | None, *, grey: bool) -> bytes | None:
    """A profile of a file's gamma and primaries, the white point first; ``None`` where they are sRGB's."""
    power = None if gamma is None or gamma <= 0 or abs(gamma - _GAMMA) <= _NEAR_GAMMA else 1 / gamma
    columns = None if grey or corners is None or len(corners) != len(_SRGB) or _is_srgb(corners) else _columns(corners)
    if power is None and columns is None:
        return None
    curve = b"para\0\0\0\0" + (pack(">HH", 3, 0) + _fixed(*_CURVE) if power is None else _power(power))
    if grey:
        return _written(b"GRAY", {b"kTRC": curve, b"wtpt": _point(_D50)})
    colours = zip((b"rXYZ", b"gXYZ", b"bXYZ"), columns or _columns(_SRGB) or (), strict=False)
    tags = {name: _point(column) for name, column in colours}
    return _written(b"RGB ", {**tags, **dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), curve), b"wtpt": _point(_D50)})


def _is_srgb(corners: Row) -> bool:
    return all(abs(found - wanted) <= _NEAR for found, wanted in zip(corners, _SRGB, strict=True))


def _columns(corners: Row) -> list[Row] | None:
    """XYZ of red, green and blue, adapted to D50; ``None`` where these are no primaries."""
    try:
        white, *primaries = [(x / y, 1.0, (1 - x - y) / y) for x, y in zip(corners[::2], corners[1::2], strict=True)]
        parts = _times(_inverse(list(zip(*primaries, strict=True))), white)
        gains = [there / here for there, here in zip(_times(_BRADFORD, _D50), _times(_BRADFORD, white), strict=True)]
        back = _inverse(_BRADFORD)
    except ArithmeticError:
        return None
    columns = []
    for part, primary in zip(parts, primaries, strict=True):
        cones = _times(_BRADFORD, [part * side for side in primary])
        columns.append(_times(back, [gain * cone for gain, cone in zip(gains, cones, strict=True)]))
    return columns if all(abs(side) < _MOST for column in columns for side in column) else None


def _times(matrix: Sequence[Row], row: Row) -> Row:
    return [sum(a * b for a, b in zip(line, row, strict=True)) for line in matrix]


def _inverse(matrix: Sequence[Row]) -> list[Row]:
    (a, b, c), (d, e, f), (g, h, i) = matrix
    minors = (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    )
    whole = a * minors[0][0] + b * minors[1][0] + c * minors[2][0]
    return [[minor / whole for minor in line] for line in minors]


def _fixed(*values: float) -> bytes:
    return pack(f">{len(values)}i", *(round(value * 65536) for value in values))


def _power(exponent: float) -> bytes:
    return pack(">HH", 0, 0) + _fixed(min(exponent, _MOST))


def _point(column: Row) -> bytes:
    return b"XYZ \0\0\0\0" + _fixed(*column)


def _written(space: bytes, tags: Mapping[bytes, bytes]) -> bytes:
    """An ICC profile of these tags (ICC.1, version 4)."""
    at = 132 + 12 * len(tags)
    table = [pack(">I", len(tags))]
    for name, body in tags.items():
        table.append(pack(">4sII", name, at, len(body)))
        at += len(body)
    head = pack(">I4xI4s4s4s12x4s28x", at, 0x04200000, b"mntr", space, b"XYZ ", b"acsp") + _fixed(*_D50)
    return b"".join([head.ljust(128, b"\0"), *table, *tags.values()])
