"""Pictures: what their headers say, whether they decode, and the safe way to open one.

The media type given decides which reader is asked; readers here are pure Python over the bytes, never touch the
pixels, and know what stands in front of a cut. ``frames`` is given for every format that can hold several, 1 included
(an APNG counts its animation's frames); ``orientation`` only where the file states one; ``width`` and ``height`` are
as shown, after EXIF orientation or HEIF rotation. A GIF is as large as its canvas, an icon as its largest entry.
"""

from __future__ import annotations

from struct import error as StructError  # noqa: N812  # the class is called error there, which says too little here

from toolnexus_media.errors import CorruptMediaError
from toolnexus_media.probe import _bmp, _gif, _guard, _isobmff, _jp2, _jpeg, _plain, _png, _tiff, _webp, svg

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    from PIL.Image import Image

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

    Level = Literal["header", "full"]

SVG = "image/svg+xml"
_ALIASES = {
    "image/apng": "image/png",
    "image/jpg": "image/jpeg",
    "image/mpo": "image/jpeg",
    "image/x-ms-bmp": "image/bmp",
    "image/x-icon": "image/vnd.microsoft.icon",
    "image/x-cur": "image/vnd.microsoft.icon",
    "image/x-win-bitmap": "image/vnd.microsoft.icon",
    "image/heif": "image/heic",
    "image/heic-sequence": "image/heic",
    "image/heif-sequence": "image/heic",
    "image/avif-sequence": "image/avif",
    "image/jpx": "image/jp2",
    "image/jpm": "image/jp2",
    "image/j2c": "image/jp2",
    "image/x-jp2-codestream": "image/jp2",
    "image/x-photoshop": "image/vnd.adobe.photoshop",
    "image/x-psd": "image/vnd.adobe.photoshop",
    "image/x-dds": "image/vnd.ms-dds",
    "image/x-qoi": "image/qoi",
    "image/x-icns": "image/icns",
    "image/x-sgi": "image/sgi",
    "image/x-rgb": "image/sgi",
    "image/x-portable-bitmap": "image/x-portable-anymap",
    "image/x-portable-graymap": "image/x-portable-anymap",
    "image/x-portable-pixmap": "image/x-portable-anymap",
    "image/x-portable-floatmap": "image/x-portable-anymap",
    "video/x-flc": "video/x-fli",
    "image/x-targa": "image/x-tga",
    "image/x-xbm": "image/x-xbitmap",
    "image/x-xpm": "image/x-xpixmap",
}
_READERS: dict[str, Callable[[Buffer, Facts], None]] = {
    "image/png": _png.read,
    "image/jpeg": _jpeg.read,
    "image/gif": _gif.read,
    "image/webp": _webp.read,
    "image/bmp": _bmp.read,
    "image/vnd.microsoft.icon": _bmp.read_icon,
    "image/tiff": _tiff.read,
    "image/avif": _isobmff.read_avif,
    "image/heic": _isobmff.read_heif,
    "image/jp2": _jp2.read,
    "image/jxl": _jp2.read_jxl,
    "image/vnd.adobe.photoshop": _plain.read_psd,
    "image/x-tga": _plain.read_tga,
    "image/qoi": _plain.read_qoi,
    "image/x-portable-anymap": _plain.read_pnm,
    "image/x-portable-arbitrarymap": _plain.read_pnm,
    "image/x-pcx": _plain.read_pcx,
    "image/x-dcx": _plain.read_dcx,
    "image/vnd.ms-dds": _plain.read_dds,
    "image/icns": _plain.read_icns,
    "image/x-xbitmap": _plain.read_xbm,
    "image/x-xpixmap": _plain.read_xpm,
    "image/sgi": _plain.read_sgi,
    "image/x-sun-raster": _plain.read_sun,
    "image/fits": _plain.read_fits,
    "video/x-fli": _plain.read_fli,
    SVG: svg.read,
}
_NO_DECODER = frozenset({"image/jxl", "image/x-portable-arbitrarymap"})


def facts(data: Buffer, mime: str) -> Facts:
    """What the header of a picture says; what cannot be read is absent, and nothing raises.

    >>> facts(b"qoif" + bytes([0, 0, 0, 8, 0, 0, 0, 6, 4, 0]), "image/qoi")
    {'width': 8, 'height': 6, 'mode': 'RGBA'}
    """
    found: Facts = {}
    reader = _READERS.get(_ALIASES.get(mime, mime))
    if reader:
        try:
            reader(data, found)
        except (StructError, IndexError, KeyError, ValueError, OverflowError):
            return found  # the header ends or lies here; what stood in front of it is known
    return found


def verify(data: Buffer, mime: str, *, level: Level, max_pixels: int) -> None:
    """Raise where a picture is cut, damaged, too large or not decodable; return where it is fine.

    ``"header"`` reads the header; ``"full"`` decodes to the end (JPEG at an eighth of its size, further frames while
    the sum of pixels stays under ``max_pixels``). The cap is decided from the header, before any decoder is asked.
    QOI, uncompressed DDS, XPM and plain PNM, which Pillow decodes in Python, are decoded up to 150,000 pixels only.
    """
    kind = _ALIASES.get(mime, mime)
    if kind == SVG:
        _verify_svg(data, level)
        return
    found = _admit(data, kind, mime, max_pixels)
    if level == "full" and not _guard.takes_long(data, kind, found):
        from toolnexus_media.probe import _pillow

        if kind == "image/png":
            _guard.check_png(data)
        _pillow.decode_all(data, kind, max_pixels)


def open_image(data: Buffer, mime: str, *, max_pixels: int) -> Image:
    """A Pillow image, opened under the cap by the decoder of this type alone, and not yet decoded.

    What its decoder raises later is its own; ``load`` gives the same errors as here.
    """
    from toolnexus_media.probe import _pillow

    kind = _ALIASES.get(mime, mime)
    _admit(data, kind, mime, max_pixels)
    im = _pillow.open_one(data, kind)
    _guard.check_pixels(*im.size, max_pixels)
    return im


def load(im: Image, mime: str) -> Image:
    """The same image, decoded; a decoder's exception becomes a ``CorruptMediaError``."""
    from toolnexus_media.probe import _pillow

    return _pillow.load(im, mime)


def upright(im: Image) -> Image:
    """The image as shown: turned as its EXIF says, the same object where nothing is to be turned.

    A TIFF is turned by its decoder, HEIC by libheif.
    """
    from PIL.Image import Transpose

    from toolnexus_media.probe._exif import orientation

    block = im.info.get("exif")
    try:
        value = orientation(block) if isinstance(block, bytes) else None
    except StructError:
        value = None
    turns = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    if value not in turns:
        return im
    turned = im.transpose(turns[value])
    turned.info = {key: kept for key, kept in im.info.items() if key != "exif"}
    return turned


def _admit(data: Buffer, kind: str, mime: str, max_pixels: int) -> Facts:
    if kind not in _READERS or kind in _NO_DECODER or kind == SVG:
        raise _guard.undecodable(mime)
    found = facts(data, kind)
    _guard.check_size(found, kind, max_pixels)
    try:
        _guard.check_structure(data, kind, found, max_pixels)
    except (StructError, IndexError, ValueError, OverflowError) as error:
        if isinstance(error, CorruptMediaError):
            raise
        raise CorruptMediaError(
            f"the structure of this {kind} is damaged; save it again from its source", code="corrupt"
        ) from None
    if kind == "image/heic":
        from toolnexus_media import _extras

        _extras.need("pi_heif", "decoding image/heic")
    return found


def _verify_svg(data: Buffer, level: Level) -> None:
    if level == "full":
        svg.check(data)
    else:
        svg.check_root(data)
