"""An animation as one picture: evenly sampled frames in reading order. Imported only when a picture is decoded."""

from __future__ import annotations

from math import ceil, sqrt
from typing import TYPE_CHECKING

from PIL import Image

from toolnexus_media.fit import _colour, _decode
from toolnexus_media.probe import image as probe_image
from toolnexus_media.probe._pillow import explain

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus_media.fit._geometry import Size
    from toolnexus_media.fit._job import Background

MOST = 12
_GUTTER = 4
_FRAME_COST = 1 << 15  # pixels that a frame counts at least: stepping over one costs as much as drawing these


def sheet(
    data: bytes, mime: str, frames: int, *, sent: Callable[[int, int], Size], background: Background, max_pixels: int
) -> tuple[Image.Image, int, int]:
    """The sheet, how many frames are on it, and how many of the animation's first frames they stand for.

    Frames are drawn one on the other, so all up to the last one shown must be decoded: while the sum of their pixels
    stays under ``max_pixels``.
    """
    picture = _decode.opened(data, mime, max_pixels)
    within = max(min(frames, max_pixels // max(picture.stored[0] * picture.stored[1], _FRAME_COST)), 1)
    count = min(within, MOST)
    wanted = [number * within // count for number in range(count)]
    columns, rows = layout(count, picture.shown)
    cell = _cell(picture.shown, columns, rows, sent)
    size = (columns * (cell[0] + _GUTTER) - _GUTTER, rows * (cell[1] + _GUTTER) - _GUTTER)
    made = Image.new("RGB", size, _colour.solid_colour(background))
    shown = 0
    for number in range(wanted[-1] + 1):
        frame = _frame(picture, number)
        if frame is None:
            within = number
            break
        if number == wanted[shown]:
            place = (shown % columns * (cell[0] + _GUTTER), shown // columns * (cell[1] + _GUTTER))
            made.paste(_drawn(frame, cell, background), place)
            shown += 1
    return made, shown, within


def layout(count: int, size: Size) -> Size:
    """Columns and rows, so that the sheet is about as wide as high."""
    columns = min(max(round(sqrt(count * size[1] / size[0])), 1), count)
    return columns, ceil(count / columns)


def _cell(size: Size, columns: int, rows: int, sent: Callable[[int, int], Size]) -> Size:
    """A frame's size on the sheet: never enlarged, and the sheet no larger than a picture that is sent."""
    gaps = (columns - 1) * _GUTTER, (rows - 1) * _GUTTER
    whole = (size[0] * columns + gaps[0], size[1] * rows + gaps[1])
    room = sent(*whole)
    share = min((room[0] - gaps[0]) / (size[0] * columns), (room[1] - gaps[1]) / (size[1] * rows), 1.0)
    return max(int(size[0] * share), 1), max(int(size[1] * share), 1)


def _frame(picture: _decode.Picture, number: int) -> _decode.Picture | None:
    """The frame, decoded; ``None`` where the file ends before it."""
    try:
        picture.im.seek(number)
    except EOFError:
        return None
    except Exception as error:  # noqa: BLE001  # plugins raise whatever comes up
        raise explain(error, picture.mime) from None
    probe_image.load(picture.im, picture.mime)
    return _decode.described(picture.im, picture.mime)


def _drawn(frame: _decode.Picture, cell: Size, background: Background) -> Image.Image:
    """One frame in its cell: in the middle where its shape is another than the first one's."""
    wide, high = frame.shown
    share = min(cell[0] / wide, cell[1] / high, 1.0)
    size = (max(round(wide * share), 1), max(round(high * share), 1))
    frame = _decode.coloured(frame)
    done = _colour.flattened(_decode.rendered(frame, (0, 0, wide, high), size), background).convert("RGB")
    if size == cell:
        return done
    base = Image.new("RGB", cell, _colour.solid_colour(background))
    base.paste(done, ((cell[0] - size[0]) // 2, (cell[1] - size[1]) // 2))
    return base
