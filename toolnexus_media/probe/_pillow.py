"""The decoders: Pillow's plugin classes, each called for its own type only, and pi_heif's.

``Image.open`` is not used: it tries other plugins, and it warns above 89 megapixels, where ``warnings.catch_warnings``
would switch the filters of the whole process. EPS, PS and WMF are left out for good: Pillow hands them to other
programs. Imported only when a picture is decoded, and so may name Pillow at its top.
"""

from __future__ import annotations

from importlib import import_module

from PIL import Image, ImageFile

from toolnexus_media import _extras
from toolnexus_media._text import one_line
from toolnexus_media.errors import CorruptMediaError, MediaError, MediaTypeError
from toolnexus_media.probe import _shown
from toolnexus_media.probe._guard import check_pixels, check_rows, undecodable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from toolnexus_media._b64 import Buffer

    Opener = Callable[[Buffer], Image.Image]

_FRAME_COST = 1 << 15  # pixels that a frame counts at least: parsing one costs as much as drawing these
_FRAMES_AT_ONCE = 3  # an animation holds the frame, the one before and what is put back
_CUT = ("truncat", "unexpected end", "no more images", "not enough", "buffer is not large enough", "premature")
_STRANGE = ("unsupported", "unknown pixel", "unknown mode", "unable to determine", "cannot handle", "not implemented")


def open_one(data: Buffer, mime: str) -> Image.Image:
    """The picture, opened and not decoded; every failure is a ``MediaError``."""
    opener = _OPENERS.get(mime)
    if opener is None:
        raise undecodable(mime)
    try:
        return opener(data)
    except MediaError:
        raise
    except Exception as error:  # noqa: BLE001  # plugins raise whatever comes up, MemoryError and struct.error included
        raise explain(error, mime) from None


def load(im: Image.Image, mime: str) -> Image.Image:
    """The same picture, decoded; every failure is a ``MediaError``."""
    try:
        im.load()
    except Exception as error:  # noqa: BLE001  # see open_one
        raise explain(error, mime) from None
    return im


def decode_all(data: Buffer, mime: str, max_pixels: int) -> None:
    """Decode to the end: the picture, and further frames while their sum stays under the cap."""
    im = open_one(data, mime)
    try:
        check_pixels(*im.size, max_pixels)
        if mime == "image/jpeg":
            im.draft(None, (max(1, im.width // 8), max(1, im.height // 8)))
        load(im, mime)
        if mime not in _ONE_PICTURE:
            _further_frames(im, mime, max_pixels)
    finally:
        im.close()
    if mime == "image/png" and ImageFile.LOAD_TRUNCATED_IMAGES:
        check_rows(data)


def _further_frames(im: Image.Image, mime: str, max_pixels: int) -> None:
    spent = max(im.width * im.height, _FRAME_COST)
    number = im.tell()
    while True:
        number += 1
        try:
            im.seek(number)
        except EOFError:
            return
        except Exception as error:  # noqa: BLE001  # see open_one
            raise explain(error, mime) from None
        area = im.width * im.height
        check_pixels(*im.size, max_pixels)
        spent += max(area, _FRAME_COST)
        if spent > max_pixels or area * _FRAMES_AT_ONCE > max_pixels:
            return
        load(im, mime)


def explain(error: Exception, mime: str) -> MediaError:
    """A decoder's exception in our words."""
    reason = one_line(str(error), 100) or type(error).__name__
    if isinstance(error, Image.DecompressionBombError):
        return CorruptMediaError(
            f"this {mime} is larger than Pillow is set to open; shrink the picture or raise Image.MAX_IMAGE_PIXELS",
            code="too-many-pixels",
        )
    if isinstance(error, MemoryError):
        return CorruptMediaError(
            f"there is no memory to decode this {mime}; shrink the picture", code="too-many-pixels"
        )
    lower = reason.lower()
    if any(word in lower for word in _STRANGE):
        return MediaTypeError(
            f"this {mime} is of a kind that nothing installed decodes ({reason}); convert it to PNG or JPEG first",
            code="no-decoder",
        )
    cut = isinstance(error, EOFError) or any(word in lower for word in _CUT)
    return CorruptMediaError(
        f"this {mime} cannot be decoded ({reason}); save it again from its source",
        code="truncated" if cut else "corrupt",
    )


def _plugin(module: str, name: str, shown: Callable[[Buffer], IO[bytes]] = _shown.plain) -> Opener:
    def open_with(data: Buffer) -> Image.Image:
        plugin = import_module(module)
        if not getattr(plugin, "SUPPORTED", True):
            raise MediaTypeError(
                f"this Pillow was built without {name[:4].upper()}; install Pillow's own wheel", code="no-decoder"
            )
        im: Image.Image = getattr(plugin, name)(shown(data))
        return im

    return open_with


def _tiff(data: Buffer) -> Image.Image:
    from toolnexus_media.probe import _pil_tiff

    return _pil_tiff.Tiff(_pil_tiff.shown(data))  # type: ignore[arg-type]  # a RawIOBase reads like an IO[bytes]


def _icon(data: Buffer) -> Image.Image:
    kind, file = _shown.icon(data)
    if kind == "png":
        from PIL.PngImagePlugin import PngImageFile

        return PngImageFile(file)
    if kind == "cur":
        from PIL.CurImagePlugin import CurImageFile

        return CurImageFile(file)
    from PIL.IcoImagePlugin import IcoFile

    return IcoFile(file).frame(0)  # not IcoImageFile: it warns where the directory and the bitmap disagree


def _heif(data: Buffer) -> Image.Image:
    plugin = _extras.need("pi_heif", "decoding image/heic")
    im: Image.Image = plugin.HeifImageFile(_shown.heif(data))
    return im


def _bitmap(data: Buffer) -> Image.Image:
    from PIL.BmpImagePlugin import BmpImageFile, DibImageFile

    return (BmpImageFile if data[:2] == b"BM" else DibImageFile)(_shown.plain(data))


_PIL = "PIL.{}ImagePlugin"
_SIMPLE = {
    "image/gif": ("Gif", "GifImageFile"),
    "image/webp": ("WebP", "WebPImageFile"),
    "image/jp2": ("Jpeg2K", "Jpeg2KImageFile"),
    "image/vnd.adobe.photoshop": ("Psd", "PsdImageFile"),
    "image/x-tga": ("Tga", "TgaImageFile"),
    "image/qoi": ("Qoi", "QoiImageFile"),
    "image/x-portable-anymap": ("Ppm", "PpmImageFile"),
    "image/x-pcx": ("Pcx", "PcxImageFile"),
    "image/x-dcx": ("Dcx", "DcxImageFile"),
    "image/vnd.ms-dds": ("Dds", "DdsImageFile"),
    "image/icns": ("Icns", "IcnsImageFile"),
    "image/x-xbitmap": ("Xbm", "XbmImageFile"),
    "image/x-xpixmap": ("Xpm", "XpmImageFile"),
    "image/sgi": ("Sgi", "SgiImageFile"),
    "image/x-sun-raster": ("Sun", "SunImageFile"),
    "video/x-fli": ("Fli", "FliImageFile"),
    "image/fits": ("Fits", "FitsImageFile"),
}
_ONE_PICTURE = frozenset({"image/jpeg", "image/vnd.adobe.photoshop", "image/vnd.microsoft.icon", "image/icns"})
_OPENERS: dict[str, Opener] = {mime: _plugin(_PIL.format(module), name) for mime, (module, name) in _SIMPLE.items()} | {
    "image/png": _plugin(_PIL.format("Png"), "PngImageFile", _shown.png),
    "image/jpeg": _plugin("toolnexus_media.probe._pil_jpeg", "Jpeg"),
    "image/avif": _plugin(_PIL.format("Avif"), "AvifImageFile", _shown.avif),
    "image/tiff": _tiff,
    "image/bmp": _bitmap,
    "image/vnd.microsoft.icon": _icon,
    "image/heic": _heif,
}
