"""Pixels to bytes under a cap: the encoder by what is in the picture, the quality by sampling, then the size.

A full encode is dear, so the quality that meets a cap is looked for on a sample of tiles, and the whole picture is
encoded once at what was found. Imported only when a picture is decoded.
"""

from __future__ import annotations

from io import BytesIO
from math import exp, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageChops

from toolnexus_media.errors import LimitError
from toolnexus_media.fit import _colour

if TYPE_CHECKING:
    from toolnexus_media.fit._job import Background

PHOTO_QUALITY = 85
_FINE_QUALITY = 95  # for what was drawn, where its lossless form is over the cap
_LOWEST_QUALITY = 15  # down to here small print is better read than with fewer pixels, and photographs look alike
_FAIR_QUALITY = 35  # aimed at when the size must go down
_POWERS = (0.8, 2.2)  # of a side's length, that bytes go by
_PNG_LEVEL = 3  # level 6 takes twice the time for a tenth of the bytes
_TILE = (128, 16)  # in steps of the 16 pixels that JPEG with halved colour codes together, and long: rows are chained
_SAMPLE = 1 << 16  # pixels, at least
_SHARE = 90  # sampled pixels, for each pixel of the side of a square as large as the picture: a twelfth of a megapixel
_USED = 0.95  # of a cap, at least, unless the next quality up is over it
_ROUNDS = 20
_MARGIN = 0.985  # of a cap, for what a sample does not tell
_MARGIN_KNOWN = 1.0  # once a full encode has told
_NEAR = 0.98  # of what is aimed at
_FALL = 0.65  # of the logarithm of the bytes, for each of the logarithm of JPEG's divisors: it is 0.5 to 0.8
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
    drawn = is_drawn(im, few=wants.lossy)
    smallest = 0
    for mime in _order(im, wants, drawn=drawn):
        if mime != "image/png":
            return _lossy(im, mime, wants, drawn=drawn, flat=flat)
        data = _png(im, wants)
        if wants.cap is None or len(data) <= wants.cap:
            return Encoded(data, mime, im.size, flat)
        smallest = len(data)
    assert wants.cap is not None
    if im.mode.endswith("A") and "image/jpeg" in wants.mimes:
        return _lossy(_colour.flattened(im, wants.background), "image/jpeg", wants, drawn=drawn, flat=True)
    return _smaller_png(im, wants, smallest, flat=flat)


def _order(im: Image.Image, wants: Wants, *, drawn: bool) -> list[str]:
    """The types to try, best first; after a lossy one nothing is tried, for it meets any cap that can be met."""
    lossy = [mime for mime in ("image/jpeg", "image/webp") if mime in wants.mimes]
    if im.mode.endswith("A"):
        lossy = [mime for mime in lossy if mime == "image/webp"]
    png = ["image/png"] if "image/png" in wants.mimes and (drawn or not lossy) else []
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
    sample = _sample(im, _SAMPLE).convert("RGB" if im.mode.startswith("RGB") else "L")
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


def _lossy(im: Image.Image, mime: str, wants: Wants, *, drawn: bool, flat: bool) -> Encoded:
    """By quality first, then by size, each time with one full encode where the sample told the truth."""
    best = _FINE_QUALITY if drawn else PHOTO_QUALITY
    if wants.cap is None or wants.cap >= im.width * im.height * _AT_MOST[drawn] + _HEADERS:
        data = _one(im, mime, best, wants, fine=drawn)
        if wants.cap is None or len(data) <= wants.cap:
            return Encoded(data, mime, im.size, flat)
    full, least = im, 0
    for turn in range(_ROUNDS):
        guess = _Guess(im, mime, wants, fine=drawn)
        found, least = _searched(im, mime, wants, best, guess)
        if found is not None:
            return Encoded(found, mime, im.size, flat)
        if im.size == (1, 1):
            break
        share = min(guess.share(wants.cap), _most_left(turn))
        im = _scaled(full, (max(int(im.width * share), 1), max(int(im.height * share), 1)))
    raise _cannot(wants.cap, least, im)


def _most_left(turn: int) -> float:
    """How much of a side is left at most: less from turn to turn, so that one pixel is come to before giving up.

    >>> _most_left(0), _most_left(19)
    (0.97, 0.3)
    """
    return max(0.97 - 0.05 * turn, 0.3)


def _cannot(cap: int, least: int, im: Image.Image) -> LimitError:
    return LimitError(
        f"no picture of {cap} bytes can be made of this one: {im.width}x{im.height} still takes {least}; allow more "
        "bytes a picture",
        code="cannot-fit",
        limit=cap,
        actual=least,
    )


def _scaled(im: Image.Image, size: tuple[int, int]) -> Image.Image:
    """By the second best filter: at the same number of bytes nobody sees a difference, and it takes half the time."""
    return im.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0)


def _searched(im: Image.Image, mime: str, wants: Wants, best: int, guess: _Guess) -> tuple[bytes | None, int]:
    """The file at the highest quality under the cap, and else the size at the lowest one."""
    assert wants.cap is not None
    quality = guess.quality(wants.cap, best)
    if quality is None:
        least = guess.size(_LOWEST_QUALITY)
        if least > wants.cap * 1.1:
            return None, int(least)
        quality = _LOWEST_QUALITY
    kept: tuple[int, bytes] | None = None
    least, over = 0, best + 1
    for _ in range(4):
        data = _one(im, mime, quality, wants, fine=guess.fine)
        guess.learn(quality, len(data))
        if len(data) <= wants.cap:
            kept = (quality, data) if kept is None or quality > kept[0] else kept
            if quality >= best or len(data) >= wants.cap * _USED:
                break
        else:
            least, over = len(data), min(quality, over)
        better = guess.quality(wants.cap, best) or _LOWEST_QUALITY
        if kept is None and better >= quality:
            better = quality - 1
        if kept is not None:
            better = max(better, kept[0] + 1)
        if better < _LOWEST_QUALITY or better >= over or better == quality:
            break
        quality = better
    return (kept[1], 0) if kept else (None, least)


class _Guess:
    """How large a picture's file would be at a quality, told from a sample and from what was encoded in full."""

    def __init__(self, im: Image.Image, mime: str, wants: Wants, *, fine: bool) -> None:
        self.fine = fine
        self._mime, self._wants = mime, wants._replace(extra=None)
        self._sample = _sample(im, max(int(_SHARE * sqrt(im.width * im.height)), _SAMPLE // 2))
        self._head = self._encode(im.crop((0, 0, 1, 1)), 50)
        self._aside = sum(len(value) for value in (wants.extra or {}).values())
        self._ratio = im.width * im.height / (self._sample.width * self._sample.height)
        self._known: dict[int, int] = {}
        self._learnt = False
        self._margin = 1.0 if self._sample is im else _MARGIN

    def _encode(self, im: Image.Image, quality: int) -> int:
        return len(_one(im, self._mime, quality, self._wants, fine=self.fine))

    def _body(self, quality: int) -> int:
        """The sample's bytes without headers."""
        if quality not in self._known:
            self._known[quality] = max(self._encode(self._sample, quality) - self._head, 1)
        return self._known[quality]

    def size(self, quality: int) -> float:
        """The bytes to expect."""
        return self._aside + self._head + self._body(quality) * self._ratio

    def share(self, cap: int) -> float:
        """By how much each side must shrink for a fair quality to be under the cap.

        Bytes go by a power of the side's length, which half the sample tells.
        """
        whole = self._body(_FAIR_QUALITY)
        half = max(self._encode(self._sample.reduce(2), _FAIR_QUALITY) - self._head, 1)
        least, most = _POWERS
        power = min(max(log(whole / half, 2), least), most)
        room = max(cap * self._margin - self._aside - self._head, 1)
        return exp(log(room / (whole * self._ratio)) / power)

    def learn(self, quality: int, size: int) -> None:
        """Set the ratio by what a full encode came to."""
        self._ratio = max(size - self._head - self._aside, 1) / self._body(quality)
        self._learnt, self._margin = True, _MARGIN_KNOWN

    def quality(self, cap: int, best: int) -> int | None:
        """The highest quality whose file should be under the cap; once a full encode has told, without more samples."""
        target = max(cap * self._margin, 1.0)
        if self.size(best) <= target:
            return best
        high = min(quality for quality in self._known if self.size(quality) > target)
        low = max((quality for quality in self._known if quality < high), default=0)
        fall = self._fall(low, high) if low else _FALL
        while high - max(low, _LOWEST_QUALITY - 1) > 1:
            middle = int(_quality(_divisor(high) * exp(log(self.size(high) / target) / fall)))
            if low > 0 and middle <= low:
                break
            middle = min(max(middle, low + 1, _LOWEST_QUALITY), high - 1)
            if self._learnt:
                return middle
            if self.size(middle) > target:
                fall, high = self._fall(low or high, middle), middle
            else:
                fall, low = self._fall(middle, high), middle
                if self.size(low) > target * _NEAR:
                    break
        return low or None

    def _fall(self, one: int, other: int) -> float:
        """How fast bytes go down between two qualities, measured as ``_FALL`` is."""
        return max(log(self.size(other) / self.size(one)) / log(_divisor(one) / _divisor(other)), 0.1)


def _divisor(quality: int) -> float:
    """What JPEG's tables are multiplied by, in hundredths."""
    return 5000 / quality if quality < 50 else max(200 - 2 * quality, 1)


def _quality(divisor: float) -> float:
    """The quality that has this divisor.

    >>> _quality(_divisor(20)), _quality(_divisor(85))
    (20.0, 85.0)
    """
    return 5000 / divisor if divisor > 100 else (200 - divisor) / 2


def _sample(im: Image.Image, pixels: int) -> Image.Image:
    """Tiles from all over the picture, side by side; a small picture is its own sample.

    Their places go by the golden ratio, so that they fall in step with nothing that repeats in the picture.
    """
    wide, high = _TILE
    if im.width * im.height <= 2 * pixels or im.width < 2 * wide or im.height < 2 * high:
        return im
    across = max(round(sqrt(pixels)) // wide, 1)
    count = across * max(round(pixels / (across * wide * high)), 1)
    sheet = Image.new(im.mode, (across * wide, count // across * high))
    columns, rows = (im.width - wide) // 16 + 1, (im.height - high) // 16 + 1
    for number in range(count):
        x = int((number * 0.6180339887498949) % 1 * columns) * 16
        y = int((number + 0.5) / count * rows) * 16
        tile = im.crop((x, y, x + wide, y + high))
        sheet.paste(tile, (number % across * wide, number // across * high))
    return sheet


def _smaller_png(im: Image.Image, wants: Wants, size: int, *, flat: bool) -> Encoded:
    """Where only PNG is taken: 256 colours first, then fewer pixels."""
    assert wants.cap is not None
    full = im
    for turn in range(_ROUNDS):
        method = Image.Quantize.FASTOCTREE if im.mode.endswith("A") else Image.Quantize.MEDIANCUT
        plain = im if im.mode == "L" else im.convert("RGBA" if im.mode.endswith("A") else "RGB").quantize(256, method)
        data = _saved(plain, "PNG", wants, compress_level=9)
        if len(data) <= wants.cap:
            return Encoded(data, "image/png", im.size, flat)
        if im.size == (1, 1):
            break
        size = len(data)
        share = min(sqrt(wants.cap / size), _most_left(turn))
        im = _scaled(full, (max(int(im.width * share), 1), max(int(im.height * share), 1)))
    raise _cannot(wants.cap, size, im)
