"""One function a family of readers: any bytes go in, nothing but ``MediaError`` may come out.

Where a family has several readers, the first byte chooses one, and the rest is what it reads.
"""

from __future__ import annotations

from contextlib import suppress
from unicodedata import category

from toolnexus_media import attach, caption, content, probe, sniff
from toolnexus_media.errors import MediaError
from toolnexus_media.probe import audio, image, office, pdf, svg, text, video
from toolnexus_media.probe._pdf_repair import Scanned
from toolnexus_media.probe._pdf_syntax import Beyond
from toolnexus_media.probe._pdf_tree import describe
from toolnexus_media.source import is_media_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolnexus_media.types import ContentPart

    Target = Callable[[bytes], None]

MAX_PIXELS = 250_000
CHARS = 500
BIDI = frozenset(map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))

# The types of which the first byte chooses one; seeds.py writes that byte.
PICTURES = (
    "image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/vnd.microsoft.icon", "image/tiff",
    "image/avif", "image/heic", "image/jp2", "image/jxl", "image/vnd.adobe.photoshop", "image/x-tga", "image/x-qoi",
    "image/x-portable-pixmap", "image/x-pcx", "image/x-dcx", "image/vnd.ms-dds", "image/x-icns", "image/x-xbitmap",
    "image/x-xpixmap", "image/x-sgi", "image/x-sun-raster", "image/fits", "video/x-fli",
)  # fmt: skip
SOUNDS = tuple(sorted(audio.READERS))
FILMS = tuple(sorted(video.READERS))
TEXTS = (
    "text/plain",
    "text/csv",
    "application/xml",
    "application/vnd.oasis.opendocument.text",
    *sorted(office.READERS),
)


def chosen(data: bytes, types: Sequence[str]) -> tuple[str, bytes]:
    """The type that the first byte stands for, and the bytes behind it."""
    return types[data[0] % len(types)] if data else types[0], data[1:]


def fuzz_sniff(data: bytes) -> None:
    name = data[:12].decode("latin-1")
    found = sniff.sniff(data)
    assert found == sniff.normalise(found)
    assert is_media_type(found)
    assert is_media_type(sniff.sniff(data, name))
    assert sniff.sniff(memoryview(data)) == found
    assert 0 <= sniff.pdf_start(data) <= len(data)
    sniff.charset(data)


def fuzz_image(data: bytes) -> None:
    mime, body = chosen(data, PICTURES)
    found = image.facts(body, mime)
    assert image.facts(memoryview(body), mime) == found
    assert min(found.get("width", 1), found.get("height", 1), found.get("frames", 1)) >= 0
    with suppress(MediaError):
        image.verify(body, mime, level="full", max_pixels=MAX_PIXELS)


def fuzz_pdf(data: bytes) -> None:
    assert pdf.basics(data).get("pages", 1) > 0
    with suppress(Beyond, RecursionError, ValueError):  # what the child that scans a file expects
        describe(Scanned(data).open())


def fuzz_audio(data: bytes) -> None:
    mime, body = chosen(data, SOUNDS)
    assert audio.facts(body, mime).get("duration", 0.0) >= 0
    with suppress(MediaError):
        audio.verify(body, mime, level="full", max_pixels=MAX_PIXELS)


def fuzz_video(data: bytes) -> None:
    mime, body = chosen(data, FILMS)
    assert video.facts(body, mime).get("duration", 0.0) >= 0
    with suppress(MediaError):
        video.verify(body, mime, level="full", max_pixels=MAX_PIXELS)


def fuzz_text(data: bytes) -> None:
    mime, body = chosen(data, TEXTS)
    text.facts(body, mime)
    with suppress(MediaError):
        text.verify(body, mime, level="full", max_pixels=MAX_PIXELS)
    said = probe.text_of(body, mime, CHARS)
    assert len(said) <= CHARS


def fuzz_svg(data: bytes) -> None:
    found = image.facts(data, image.SVG)
    assert min(found.get("width", 1), found.get("height", 1)) > 0
    with suppress(MediaError):
        svg.check(data)


def fuzz_part(data: bytes) -> None:
    """Data URLs, base64 of any dialect, parts made by hand, and the caption of what comes of them."""
    told = data.decode("utf-8", "surrogateescape")
    made: list[Callable[[], ContentPart]] = [
        lambda: content.from_data_url("data:" + told, verify="none"),
        lambda: content.from_base64(told, verify="none"),
        lambda: content.validate_part({"type": "file", "mimeType": told[:40], "data": told[40:], "name": told[:20]}),
        lambda: attach(data, name=told[:30], verify="none"),
        lambda: content.text_part(told),
    ]
    for make in made:
        with suppress(MediaError):
            part = make()
            line = caption(part, {"title": told, "pages": 1})
            assert len(line) <= 300
            assert not {"Cc", "Cs", "Zl", "Zp"} & set(map(category, line))
            assert not set(line) & BIDI
            assert len(repr(part)) < 300


TARGETS: dict[str, Target] = {
    "sniff": fuzz_sniff,
    "image": fuzz_image,
    "pdf": fuzz_pdf,
    "audio": fuzz_audio,
    "video": fuzz_video,
    "text": fuzz_text,
    "svg": fuzz_svg,
    "part": fuzz_part,
}
