"""In the child: frames of a film, evenly spaced, on one sheet."""

from __future__ import annotations

from io import BytesIO
from math import ceil, log
from time import monotonic
from typing import TYPE_CHECKING

from av.error import InvalidDataError
from PIL import Image

from toolnexus_media.fit._av import opened
from toolnexus_media.probe import _child

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from toolnexus_media._b64 import Buffer

    Taken = list[tuple[float, Image.Image]]  # the time of each in seconds

MAX_FRAME = 40_000_000  # pixels
SEEK_ABOVE = 20.0  # seconds of film that are decoded whole
ENOUGH_SECONDS = 10.0  # of work: what was found until then makes the sheet
MAX_PACKETS = 2_000  # looked at for one frame after a seek
GAP = 4


def run(request: dict[str, Any]) -> None:
    """Answer with a JPEG of the sheet, the times of its frames, and how many stand in a row."""
    try:
        picture, about = sheet(_child.given(), request["mime"], request["frames"], request["side"])
    except Exception as error:  # noqa: BLE001 - FFmpeg raises whatever the content provokes
        _child.say(refused=type(error).__name__)
        return
    _child.hand_over(picture, **about)


def sheet(data: Buffer, mime: str, count: int, side: int) -> tuple[bytes, dict[str, Any]]:
    """At most ``count`` frames on a sheet of about ``side`` pixels, and their times in seconds."""
    taken = frames(data, mime, count, side)
    if not taken:
        raise ValueError("no frames in it")
    tiles = [tile for _, tile in taken]
    width, height = max(tile.width for tile in tiles), max(tile.height for tile in tiles)
    across = columns(len(tiles), width, height)
    down = ceil(len(tiles) / across)
    whole = Image.new("RGB", (across * (width + GAP) - GAP, down * (height + GAP) - GAP), "white")
    for place, tile in enumerate(tiles):
        whole.paste(tile, (place % across * (width + GAP), place // across * (height + GAP)))
    out = BytesIO()
    whole.save(out, "JPEG", quality=88)
    return out.getvalue(), {"times": [time for time, _ in taken], "across": across}


def columns(count: int, width: int, height: int) -> int:
    """How many frames a row makes the sheet nearest to 4:3.

    >>> columns(12, 160, 90), columns(12, 90, 160), columns(1, 160, 90)
    (3, 6, 1)
    """
    return min(
        range(1, count + 1),
        key=lambda across: abs(log(across * width / (ceil(count / across) * height) / (4 / 3))),
    )


def frames(data: Buffer, mime: str, count: int, side: int) -> Taken:
    """Time and picture of frames from all of the film, by seeking in a long one and by decoding a short one whole."""
    with opened(data, mime) as source:
        if not source.streams.video:
            raise ValueError("no pictures in it")
        stream: Any = source.streams.video[0]
        if stream.width * stream.height > MAX_FRAME:
            raise ValueError("too many pixels")
        stream.thread_type = "AUTO"
        lasts = float(source.duration or 0) / 1_000_000
        end = monotonic() + ENOUGH_SECONDS
        tile = max(64, side // max(1, round(count**0.5)))
        if lasts > SEEK_ABOVE:
            found = _sought(source, stream, count, lasts, end, tile)
            if len(found) >= min(3, count):
                return found
            source.seek(0)
        return _spread(source, stream, count, end, tile)


def _sought(source: Any, stream: Any, count: int, lasts: float, end: float, tile: int) -> Taken:
    """The key frame at or before each of ``count`` moments."""
    stream.codec_context.skip_frame = "NONKEY"
    found: dict[float, Image.Image] = {}
    for number in range(count):
        if monotonic() > end:
            break
        source.seek(int((number + 0.5) * lasts / count * 1_000_000))
        frame = next(_decoded(source, stream, MAX_PACKETS), None)
        if frame is not None and frame.time is not None:
            found.setdefault(round(frame.time, 2), _picture(frame, tile))
    stream.codec_context.skip_frame = "DEFAULT"
    return sorted(found.items(), key=lambda item: item[0])


def _spread(source: Any, stream: Any, count: int, end: float, tile: int) -> Taken:
    """Every frame at first, then every second, every fourth …, so that what is kept always spans what was seen."""
    kept: Taken = []
    stride = 1
    for number, frame in enumerate(_decoded(source, stream, None)):
        if number % stride == 0:
            kept.append((round(frame.time or 0.0, 2), _picture(frame, tile)))
        if len(kept) == 4 * count:
            kept, stride = kept[::2], stride * 2
        if monotonic() > end:
            break
    if len(kept) <= count:
        return kept
    return [kept[int((place + 0.5) * len(kept) / count)] for place in range(count)]


def _decoded(source: Any, stream: Any, packets: int | None) -> Iterator[Any]:
    """Frames as they come; what cannot be decoded is passed over."""
    for number, packet in enumerate(source.demux(stream)):
        if packets is not None and number > packets:
            return
        try:
            yield from packet.decode()
        except InvalidDataError:
            continue


def _picture(frame: Any, tile: int) -> Image.Image:
    """The frame upright, no larger than a tile."""
    if frame.width * frame.height > MAX_FRAME:
        raise ValueError("too many pixels")
    scale = min(1.0, tile / max(frame.width, frame.height))
    width, height = max(1, round(frame.width * scale)), max(1, round(frame.height * scale))
    plane = frame.reformat(width=width, height=height, format="rgb24").planes[0]
    image = Image.frombytes("RGB", (width, height), bytes(plane), "raw", "RGB", plane.line_size)
    turned = round(getattr(frame, "rotation", 0) or 0)
    return image.rotate(turned, expand=True) if turned % 360 else image
