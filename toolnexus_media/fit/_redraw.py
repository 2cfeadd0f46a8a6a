"""A picture drawn anew: cropped, scaled, cut into slices or laid out as a sheet, then encoded, each step told.

Imported only when a picture is decoded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image

from toolnexus_media.fit import _decode, _encode, _geometry, _sheet, _slices
from toolnexus_media.fit._job import Outcome, Step
from toolnexus_media.fit._target import WRITTEN, sent
from toolnexus_media.part import make_part
from toolnexus_media.source import MAX_PIXELS

if TYPE_CHECKING:
    from toolnexus_media.fit._decode import Picture
    from toolnexus_media.fit._encode import Encoded, Wants
    from toolnexus_media.fit._geometry import Box, Size
    from toolnexus_media.fit._job import Job
    from toolnexus_media.limits import Accept

_STORED_WITH_LOSS = frozenset({"image/jpeg", "image/heic", "image/heif", "image/avif"})


def redrawn(data: bytes, mime: str, frames: int, job: Job, accept: Accept) -> list[Outcome]:
    """The file as pictures that the target takes, from top to bottom where it is cut."""
    if frames > 1 and job.animation == "sheet":
        return [_on_sheet(data, mime, frames, job, accept)]
    picture = _decode.opened(data, mime, MAX_PIXELS)
    wants = _wants(job, accept, lossy=_is_lossy(data, mime))
    if job.keep_metadata:
        wants = wants._replace(extra=picture.kept())
    del data  # once decoded, the picture lets go of it
    notes = [f"first of {frames} frames"] if frames > 1 else []
    return _from_picture(picture, job, wants, notes)


def drawn(im: Image.Image, job: Job, accept: Accept) -> list[Outcome]:
    """The same for pixels that were drawn here: a rasterised SVG, a rendered page."""
    return _from_picture(_decode.described(im, "image/svg+xml"), job, _wants(job, accept, lossy=False), [])


def _wants(job: Job, accept: Accept, *, lossy: bool) -> Wants:
    written = frozenset(mime for mime in WRITTEN if accept.prefers(mime))
    return _encode.Wants(written, accept.raw_bytes, job.background, lossy)


def _is_lossy(data: bytes, mime: str) -> bool:
    return mime in _STORED_WITH_LOSS or (mime == "image/webp" and b"VP8 " in data[12:64])


def _from_picture(picture: Picture, job: Job, wants: Wants, notes: list[str]) -> list[Outcome]:
    box = _geometry.crop_box(job.region, picture.shown)
    size = sent(job, *_geometry.size_of(box))
    if job.tall == "slice" and _slices.is_tall(_geometry.size_of(box), size):
        return _sliced(picture, box, job, wants, notes)
    picture = _decode.loaded(picture, [(box, size)])
    return [_view(picture, box, size, picture, wants, notes)]


def _sliced(picture: Picture, box: Box, job: Job, wants: Wants, notes: list[str]) -> list[Outcome]:
    """The page is decoded once, upright, and each slice is taken from it."""
    whole = (0, 0, *picture.shown)
    shown = _decode.rendered(_decode.loaded(picture, []), whole, picture.shown)
    upright = picture._replace(im=shown, stored=shown.size, turn=1, icc=None)
    totals = job.limits.totals
    most = min(_slices.MOST, totals.images or _slices.MOST, totals.message_images or _slices.MOST)
    tall = _slices.height_of(_geometry.size_of(box), lambda width, height: sent(job, width, height), most)
    cuts = _slices.boxes(shown, box, tall)
    return [
        _view(
            upright, cut, sent(job, *_geometry.size_of(cut)), picture, wants, [f"slice {number} of {len(cuts)}", *notes]
        )
        for number, cut in enumerate(cuts, 1)
    ]


def _view(picture: Picture, box: Box, size: Size, source: Picture, wants: Wants, notes: list[str]) -> Outcome:
    """One box of a decoded picture, encoded; the transform goes by the size it came to have."""
    made = _encode.encode(_decode.rendered(picture, box, size), wants)
    across = 0 if box[2] - box[0] >= box[3] - box[1] else 1
    scale = _geometry.size_of(box)[across] / made.size[across]
    what = _in_words(source, box, made, scale, notes)
    return Outcome(make_part(made.data, made.mime), Step(what, scale, _geometry.affine(box, made.size)))


def _in_words(source: Picture, box: Box, made: Encoded, scale: float, notes: list[str]) -> str:
    width, height = source.shown
    words = list(notes)
    there = f"{box[2] - box[0]}x{box[3] - box[1]}"
    if box != (0, 0, width, height):
        there = f"{there} at ({box[0]}, {box[1]}) of {width}x{height}"
        words.append(f"{there} shown at {made.size[0]}x{made.size[1]} (scale {scale:.3f})")
    elif made.size != (width, height):
        words.append(f"{there} shown at {made.size[0]}x{made.size[1]} (scale {scale:.3f})")
    elif source.turn != 1:
        words.append("turned upright")
    elif source.mime != made.mime:
        words.append(f"made of {source.mime}")
    elif not words and not made.flat:
        words.append("encoded anew")
    return ", ".join([*words, "transparency on the background"] if made.flat else words)


def _on_sheet(data: bytes, mime: str, frames: int, job: Job, accept: Accept) -> Outcome:
    made, shown, within = _sheet.sheet(
        data,
        mime,
        frames,
        sent=lambda width, height: sent(job, width, height),
        background=job.background,
        max_pixels=MAX_PIXELS,
    )
    encoded = _encode.encode(made, _wants(job, accept, lossy=_is_lossy(data, mime)))
    of = f"{frames} frames" if within == frames else f"the first {within} of {frames} frames"
    return Outcome(make_part(encoded.data, encoded.mime), Step(f"{shown} of {of} on one sheet, in reading order"))
