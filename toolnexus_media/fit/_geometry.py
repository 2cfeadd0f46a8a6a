"""Where pixels come from: boxes of a picture as shown, and the affine map from a sent picture back to it.

Coordinates are points of the plane: pixel number ``i`` covers ``i`` to ``i + 1``, so ``(0, 0)`` is the left upper
corner and ``(width, height)`` the right lower one, in the sent picture and in the original alike.
"""

from __future__ import annotations

from math import ceil, floor, isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolnexus_media.fit._job import Region

    Box = tuple[int, int, int, int]
    Size = tuple[int, int]
    Affine = tuple[float, float, float, float, float, float]

LIES_ON_SIDE = 5
"""Orientations from here on exchange width and height."""


def crop_box(region: Region | None, size: Size) -> Box:
    """The whole pixels that a region touches, inside the picture; ``ValueError`` when there are none.

    >>> crop_box((-5, 2.5, 10, 900), (100, 50))
    (0, 2, 10, 50)
    """
    width, height = size
    if region is None:
        return (0, 0, width, height)
    try:
        left, top, right, bottom = (float(value) for value in region)
    except (TypeError, ValueError):
        raise ValueError("region is (left, top, right, bottom) in pixels of the picture as shown") from None
    if not all(isfinite(value) for value in (left, top, right, bottom)):
        raise ValueError("region must hold finite numbers: left, top, right, bottom in pixels")
    box = (max(floor(left), 0), max(floor(top), 0), min(ceil(right), width), min(ceil(bottom), height))
    if box[0] >= box[2] or box[1] >= box[3]:
        raise ValueError(
            f"region ({left:g}, {top:g}, {right:g}, {bottom:g}) holds nothing of a {width}x{height} picture; give "
            "left, top, right, bottom inside it"
        )
    return box


def size_of(box: Box) -> Size:
    """Width and height of a box."""
    return box[2] - box[0], box[3] - box[1]


def stored_box(box: Box, size: Size, orientation: int) -> Box:
    """The box in the picture as stored, of a box in the picture as shown; ``size`` is the stored one.

    >>> stored_box((0, 0, 3, 2), (10, 20), 6)
    (0, 17, 2, 20)
    """
    width, height = size
    left, top, right, bottom = box
    if orientation >= LIES_ON_SIDE:
        left, top, right, bottom = top, left, bottom, right
    if orientation in (2, 3, 7, 8):
        left, right = width - right, width - left
    if orientation in (3, 4, 6, 7):
        top, bottom = height - bottom, height - top
    return left, top, right, bottom


def swapped(size: Size, orientation: int) -> Size:
    """The size with width and height exchanged where the orientation lays the picture on its side."""
    return (size[1], size[0]) if orientation >= LIES_ON_SIDE else size


def affine(box: Box, size: Size) -> Affine:
    """From a point of the sent picture to one of the original as shown, for a box that was scaled to a size.

    >>> affine((100, 0, 300, 100), (100, 50))
    (2.0, 0.0, 100.0, 0.0, 2.0, 0.0)
    """
    width, height = size_of(box)
    return (width / size[0], 0.0, float(box[0]), 0.0, height / size[1], float(box[1]))


def applied(by: Affine, x: float, y: float) -> tuple[float, float]:
    """A point through the map."""
    a, b, c, d, e, f = by
    return a * x + b * y + c, d * x + e * y + f


def inverse(by: Affine) -> Affine:
    """The way back.

    >>> applied(inverse((2.0, 0.0, 100.0, 0.0, 2.0, 0.0)), 104, 8)
    (2.0, 4.0)
    """
    a, b, c, d, e, f = by
    det = a * e - b * d
    if not det:
        raise ValueError("this transform has no way back: its scale is 0")
    return (e / det, -b / det, (b * f - c * e) / det, -d / det, a / det, (c * d - a * f) / det)
