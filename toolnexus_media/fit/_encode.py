"""Pixels to bytes under a cap: the encoder by what is in the picture, the quality by sampling, then the size.

A full encode is dear, so the quality that meets a cap is looked for on a sample of tiles, and the whole picture is
encoded once at what was found. Imported only when a picture is decoded.
"""

from __future__ import annotations

from io import BytesIO
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageChops

from toolnexus_media.errors import LimitError
from toolnexus_media.fit import _colour

if TYPE_CHECKING:
    from toolnexus_media.fit._job import Background

PHOTO_QUALITY = 85
_FINE_QUALITY = 95  # for what was drawn, where its lossless form is over the cap
_LOWEST_QUALITY = 45  # below it blocks eat small print, and fewer pixels serve better
_PNG_LEVEL = 3  # level 6 takes twice the time for a tenth of the bytes
_TILE = 64  # a multiple of the 16 pixels that JPEG with halved colour codes together
_SAMPLE = 1 << 17  # pixels
_SMALL = 1 << 18  # pixels of a picture that is its own sample
_USED = 0.955  # of a cap, at least, unless the next quality up is over it
_ROUNDS = 12
_FEW_GREYS = 32
_HEADERS = 1 << 17  # bytes of headers and kept metadata
_AT_MOST = {False: 2, True: 4}  # bytes a pixel that an encode at the best quality does not pass, finely drawn or not


class Wants(NamedTuple):
    """What the encoder may write: types, the cap in decoded bytes, and what to put behind transparency."""

    mimes: frozenset[str]
    cap: int | None
    background: Background = "white"
    lossy: bool = False
    """The source was stored with loss: a lossless copy of it keeps nothing but artefacts."""
    extra: dict[str, bytes] | None = None
    """``exif`` and ``xmp`` to write along."""


class Encoded(NamedTuple):
    """A picture's file, the size it came to have, and what was given up on the way."""

    data: bytes
    mime: str
    size: tuple[int, int]
    flat: bool = False


def encode(im: Image.Image, wants: Wants) -> Encoded:
    """The picture as the best file that is allowed; ``LimitError`` ``cannot-fit`` when none is small enough."""
    im = _colour.without_idle_alpha(im)
    flat = False
    if im.mode.endswith("A") and not wants.mimes & {"image/png", "image/webp"}:
        im, flat = _colour.flattened(im, wants.background), True
    smallest = 0
    for mime in _order(im, wants):
        if mime == "image/png":
            data = _png(im, wants)
            if wants.cap is None or len(data) <= wants.cap:
                return Encoded(data, mime, im.size, flat)
            smallest = len(data)
        else:
            return _lossy(im, mime, wants, flat=flat)
    assert wants.cap is not None
    if im.mode.endswith("A") and "image/jpeg" in wants.mimes:
        return _lossy(_colour.flattened(im, wants.background), "image/jpeg", wants, flat=True)
    return _smaller_png(im, wants, smallest, flat=flat)


def _order(im: Image.Image, wants: Wants) -> list[str]:
    """The types to try, best first; after a lossy one nothing is tried, for it meets any cap that can be met."""
    alpha = im.mode.endswith("A")
    lossy = [
        mime for mime in ("image/jpeg", "image/webp") if mime in wants.mimes and not (alpha and mime[6:] == "jpeg")
    ]
    png = ["image/png"] if "image/png" in wants.mimes else []
    if png and lossy and not is_drawn(im, few=wants.lossy):
        png = []
    return png + lossy[:1]


def is_drawn(im: Image.Image, *, few: bool = False) -> bool:
    """Is this a screenshot, a diagram, a text, and no photograph? ``few``: only where it has few colours.

    What is drawn has flat areas and hard edges. A photograph's neighbours differ a little nearly everywhere, and where
    it has a flat background, what is not flat is soft.
    """
    if im.getcolors(256 if im.mode.startswith("RGB") else _FEW_GREYS) is not None:
        return True
    if few:
        return False
    sample = _sample(im.convert("RGB" if im.mode.startswith("RGB") else "L"), _SAMPLE)
    flat, soft = _changes(sample, 1, 0)
    # a ramp changes softly one way and not at all the other
    return flat >= 0.8 or (flat >= 0.4 and soft < 0.2) or _changes(sample, 0, 1)[0] >= 0.8


def _changes(im: Image.Image, across: int, down: int) -> tuple[float, float]:
    """The share of pixels that equal their neighbour, and of those that differ a little."""
    bands = ImageChops.difference(im, ImageChops.offset(im, across, down)).split()
    change = bands[0]
    for band in bands[1:]:
        change = ImageChops.lighter(change, band)
    counts = change.histogram()
    total = sum(counts)
    return counts[0] / total, sum(counts[1:7]) / total


def _png(im: Image.Image, wants: Wants) -> bytes:
    few = _few_colours(im)
    return _saved(im if few is None else few, "PNG", wants, compress_level=_PNG_LEVEL)


def _few_colours(im: Image.Image) -> Image.Image | None:
    """The same picture with a palette, where that loses nothing."""
    if im.mode not in ("RGB", "RGBA") or im.getcolors(256) is None:
        return None
    method = Image.Quantize.MEDIANCUT if im.mode == "RGB" else Image.Quantize.FASTOCTREE
    palette = im.quantize(256, method, dither=Image.Dither.NONE)
    return palette if _colour.same(palette.convert(im.mode), im) else None


def _saved(im: Image.Image, kind: str, wants: Wants, **options: object) -> bytes:
    buffer = BytesIO()
    extra = wants.extra or {}
    if kind == "PNG":
        extra = {key: value for key, value in extra.items() if key == "exif"}
    im.save(buffer, kind, **extra, **options)
    return buffer.getvalue()


def _one(im: Image.Image, mime: str, quality: int, wants: Wants, *, fine: bool) -> bytes:
    if mime == "image/jpeg":
        return _saved(im, "JPEG", wants, quality=quality, subsampling=0 if fine else 2)
    return _saved(im, "WEBP", wants, quality=quality, method=4)


def _lossy(im: Image.Image, mime: str, wants: Wants, *, flat: bool) -> Encoded:
    """By quality first, then by size, each time with one full encode where the sample told the truth."""
    fine = is_drawn(im, few=wants.lossy)
    best = _FINE_QUALITY if fine else PHOTO_QUALITY
    if wants.cap is None or wants.cap >= im.width * im.height * _AT_MOST[fine] + _HEADERS:
        data = _one(im, mime, best, wants, fine=fine)
        if wants.cap is None or len(data) <= wants.cap:
            return Encoded(data, mime, im.size, flat)
    full, least = im, 0
    for _ in range(_ROUNDS):
        found, least = _searched(im, mime, wants, best, fine=fine)
        if found is not None:
            return Encoded(found, mime, im.size, flat)
        if im.size == (1, 1):
            break
        # bytes go with the area; a little under it, so that the search for the quality can use the cap up
        share = min(sqrt(wants.cap / max(least, 1)) * 1.08, 0.95)
        im = _scaled(full, (max(int(im.width * share), 1), max(int(im.height * share), 1)))
    raise _cannot(wants.cap, least, im)


def _cannot(cap: int, least: int, im: Image.Image) -> LimitError:
    return LimitError(
        f"no picture of {cap} bytes can be made of this one: {im.width}x{im.height} still takes {least}; allow more "
        "bytes a picture",
        code="cannot-fit",
        limit=cap,
        actual=least,
    )


def _scaled(im: Image.Image, size: tuple[int, int]) -> Image.Image:
    return im.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)


def _searched(im: Image.Image, mime: str, wants: Wants, best: int, *, fine: bool) -> tuple[bytes | None, int]:
    """The file at the highest quality under the cap, and else the size at the lowest one."""
    assert wants.cap is not None
    guess = _Guess(im, mime, wants, fine=fine)
    quality = guess.quality(wants.cap, best)
    if quality is None:
        least = guess.size(_LOWEST_QUALITY)
        if least > wants.cap * 1.1:
            return None, int(least)
        quality = _LOWEST_QUALITY
    kept: tuple[int, bytes] | None = None
    least = 0
    for _ in range(4):
        data = _one(im, mime, quality, wants, fine=fine)
        guess.learn(quality, len(data))
        if len(data) <= wants.cap:
            kept = (quality, data) if kept is None or quality > kept[0] else kept
            if quality >= best or len(data) >= wants.cap * _USED:
                break
        else:
            least = len(data)
        better = guess.quality(wants.cap, best) or _LOWEST_QUALITY
        if kept is None and better >= quality:
            better = quality - 1
        if better < _LOWEST_QUALITY or better == quality or (kept is not None and better <= kept[0]):
            break
        quality = better
    return (kept[1], 0) if kept else (None, least)


class _Guess:
    """How large a picture's file would be at a quality, told from a sample and from what was encoded in full."""

    def __init__(self, im: Image.Image, mime: str, wants: Wants, *, fine: bool) -> None:
        self._mime, self._wants, self._fine = mime, wants._replace(extra=None), fine
        self._sample = _sample(im, _SAMPLE)
        self._head = self._encode(im.crop((0, 0, 1, 1)), 50)
        self._aside = sum(len(value) for value in (wants.extra or {}).values())
        self._ratio = im.width * im.height / (self._sample.width * self._sample.height)
        self._known: dict[int, int] = {}

    def _encode(self, im: Image.Image, quality: int) -> int:
        return len(_one(im, self._mime, quality, self._wants, fine=self._fine))

    def _body(self, quality: int) -> int:
        """The sample's bytes without headers."""
        if quality not in self._known:
            self._known[quality] = max(self._encode(self._sample, quality) - self._head, 1)
        return self._known[quality]

    def size(self, quality: int) -> float:
        """The bytes to expect."""
        return self._aside + self._head + self._body(quality) * self._ratio

    def learn(self, quality: int, size: int) -> None:
        """Set the ratio by what a full encode came to."""
        self._ratio = max(size - self._head - self._aside, 1) / self._body(quality)

    def quality(self, cap: int, best: int) -> int | None:
        """The highest quality whose file should be under the cap."""
        if self.size(best) <= cap:
            return best
        low, high = _LOWEST_QUALITY - 1, best
        while high - low > 1:
            middle = (low + high) // 2
            if self.size(middle) <= cap * 0.995:
                low = middle
            else:
                high = middle
        return low if low >= _LOWEST_QUALITY else None


def _sample(im: Image.Image, pixels: int) -> Image.Image:
    """Tiles from all over the picture, side by side; a small picture is its own sample.

    Their places go by the golden ratio, so that they fall in step with nothing that repeats in the picture.
    """
    if im.width * im.height <= max(2 * pixels, _SMALL) or im.width < 2 * _TILE or im.height < 2 * _TILE:
        return im
    across = int(sqrt(pixels)) // _TILE
    sheet = Image.new(im.mode, (across * _TILE, across * _TILE))
    columns, rows = im.width // 16 - _TILE // 16 + 1, im.height // 16 - _TILE // 16 + 1
    for number in range(across * across):
        x = int((number * 0.6180339887498949) % 1 * columns) * 16
        y = int((number + 0.5) / (across * across) * rows) * 16
        tile = im.crop((x, y, x + _TILE, y + _TILE))
        sheet.paste(tile, (number % across * _TILE, number // across * _TILE))
    return sheet


def _smaller_png(im: Image.Image, wants: Wants, size: int, *, flat: bool) -> Encoded:
    """Where only PNG is taken: 256 colours first, then fewer pixels."""
    assert wants.cap is not None
    full = im
    for _ in range(_ROUNDS):
        method = Image.Quantize.FASTOCTREE if im.mode.endswith("A") else Image.Quantize.MEDIANCUT
        plain = im if im.mode == "L" else im.convert("RGBA" if im.mode.endswith("A") else "RGB").quantize(256, method)
        data = _saved(plain, "PNG", wants, compress_level=9)
        if len(data) <= wants.cap:
            return Encoded(data, "image/png", im.size, flat)
        if im.size == (1, 1):
            break
        size = len(data)
        share = min(sqrt(wants.cap / size), 0.95)
        im = _scaled(full, (max(int(im.width * share), 1), max(int(im.height * share), 1)))
    raise _cannot(wants.cap, size, im)
