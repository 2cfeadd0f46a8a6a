"""Would this provider take these parts? A list of complaints, empty when it would."""

from __future__ import annotations

import base64
import binascii
import io
import re
import wave
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from . import picture
from .rules import Cap, Rules

MAGIC = {
    "application/pdf": rb"%PDF-",
    "audio/wav": rb"RIFF....WAVE",
    "audio/mpeg": rb"ID3|\xff[\xe2-\xe7\xea-\xef\xf2-\xf7\xfa-\xff]",
    "audio/flac": rb"fLaC|ID3",
    "audio/ogg": rb"OggS",
    "audio/opus": rb"OggS",
    "audio/aiff": rb"FORM....AIF",
    "audio/aac": rb"\xff[\xf0\xf1\xf8\xf9]|ID3|ADIF",
    "audio/mp4": rb"....ftyp",
    "audio/webm": rb"\x1aE\xdf\xa3",
    "video/mp4": rb"....(ftyp|moov|mdat|free|skip|wide)",
    "video/quicktime": rb"....(ftyp|moov|mdat|free|skip|wide|pnot)",
    "video/webm": rb"\x1aE\xdf\xa3",
    "video/x-matroska": rb"\x1aE\xdf\xa3",
    "video/x-msvideo": rb"RIFF....AVI ",
    "video/x-flv": rb"FLV",
    "video/mpeg": rb"\x00\x00\x01[\xb3\xba]|G",
    "application/zip": rb"PK",
}
PLACEHOLDER = re.compile(r"\[unsupported \w+ part \([^)]*, \d+ bytes\)\]")

Part = Mapping[str, object]


def complaints(parts: Sequence[Part], rules: Rules, images_before: int = 0) -> list[str]:
    """Everything that breaks a rule, each line naming the part and the rule."""
    images = sum(part["type"] == "image" for part in parts) + images_before
    crowd = rules.many if rules.many and images > rules.many[0] else None
    found = [f"{index}: {line}" for index, part in enumerate(parts) for line in _part(part, rules, crowd)]
    return found + list(_totals(parts, rules, images))


def _totals(parts: Sequence[Part], rules: Rules, images: int) -> Iterator[str]:
    files = [part for part in parts if part["type"] == "file"]
    if rules.image_count and images > rules.image_count:
        yield f"count: {images} pictures over {rules.image_count}"
    if rules.file_count and len(files) > rules.file_count:
        yield f"count: {len(files)} documents over {rules.file_count}"
    size = sum(len(str(part.get("data", part.get("text", "")))) for part in parts)
    if rules.request and size > rules.request:
        yield f"request: {size} bytes over {rules.request}"


def _part(part: Part, rules: Rules, crowd: tuple[int, int] | None) -> Iterator[str]:
    if part["type"] == "text":
        yield from _text(part)
    elif "url" in part:
        yield from _url(part, rules)
    elif isinstance(data := _decoded(part), str):
        yield data
    elif part["type"] == "image":
        yield from _image(part, data, rules, crowd)
    elif part["type"] == "audio":
        yield from _audio(part, data, rules)
    elif str(part["mimeType"]).startswith("video/"):
        yield from _video(part, data, rules)
    else:
        yield from _file(part, data, rules)


def _text(part: Part) -> Iterator[str]:
    text = part.get("text")
    if not isinstance(text, str) or not text:
        yield "text: empty or no string"
        return
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        yield "text: no UTF-8"
    if "\0" in text:
        yield "text: a NUL"


def _url(part: Part, rules: Rules) -> Iterator[str]:
    scheme = str(part["url"]).partition(":")[0].lower()
    if not rules.free and scheme not in rules.urls.get(str(part["type"]), frozenset()):
        yield f"url: {scheme} for {part['type']}"


def _decoded(part: Part) -> bytes | str:
    try:
        return base64.b64decode(str(part["data"]).encode("ascii"), validate=True) or "data: empty"
    except (binascii.Error, ValueError) as error:
        return f"data: {error}"


def _cap(data: bytes, cap: Cap | None) -> Iterator[str]:
    size = -(-len(data) // 3) * 4 if cap and cap.encoded else len(data)
    if cap and size > cap.size:
        yield f"bytes: {size} over {cap.size}"


def _image(part: Part, data: bytes, rules: Rules, crowd: tuple[int, int] | None) -> Iterator[str]:
    mime = str(part["mimeType"])
    if rules.free:
        return
    if mime not in rules.images:
        yield f"type: {mime}"
    yield from _cap(data, rules.image_cap)
    sides = [side for side in (rules.side, crowd[1] if crowd else None) if side]
    yield from picture.faults(data, mime, rules, min(sides, default=None))


def _labelled(mime: str, data: bytes) -> bool:
    return mime not in MAGIC or bool(re.match(MAGIC[mime], data, re.DOTALL))


def _audio(part: Part, data: bytes, rules: Rules) -> Iterator[str]:
    mime = str(part["mimeType"])
    if not _labelled(mime, data):
        yield f"label: {mime} but {data[:12]!r}"
    if rules.free:
        return
    if mime not in rules.audio:
        yield f"type: {mime}"
    elif mime == "audio/wav":
        yield from _wave(data)
    else:
        yield from _heard(data)


def _wave(data: bytes) -> Iterator[str]:
    try:
        with wave.open(io.BytesIO(data)) as sound:
            sound.readframes(1)
    except (wave.Error, EOFError):
        yield from _heard(data)


def _heard(data: bytes) -> Iterator[str]:
    if not has_sound(data):
        yield "sound: none that decodes"


def has_sound(data: bytes) -> bool:
    """Whether a first frame of sound comes out of the bytes."""
    import av
    from av.error import FFmpegError

    try:
        with av.open(io.BytesIO(data), "r") as container:
            return bool(container.streams.audio) and next(container.decode(audio=0), None) is not None
    except (FFmpegError, ValueError):
        return False


def _video(part: Part, data: bytes, rules: Rules) -> Iterator[str]:
    mime = str(part["mimeType"])
    if not _labelled(mime, data):
        yield f"label: {mime} but {data[:12]!r}"
    if not rules.free:
        if mime not in rules.video:
            yield f"type: {mime}"
        yield from _cap(data, rules.video_cap)


def _file(part: Part, data: bytes, rules: Rules) -> Iterator[str]:
    mime = str(part["mimeType"])
    if not _labelled(mime, data):
        yield f"label: {mime} but {data[:12]!r}"
    if rules.free:
        return
    if mime not in rules.files and not (mime.startswith("text/") and "text/*" in rules.files):
        yield f"type: {mime}"
    yield from _cap(data, rules.file_cap)
    if mime == "application/pdf":
        yield from _pdf(data, rules)
    elif mime.startswith("text/"):
        yield from _utf8(data)


def _pdf(data: bytes, rules: Rules) -> Iterator[str]:
    faults, pages = _opened(data)
    yield from faults
    if rules.pages and pages > rules.pages:
        yield f"pages: {pages} over {rules.pages}"


@lru_cache(maxsize=16)
def _opened(data: bytes) -> tuple[tuple[str, ...], int]:
    """What two readers find wrong with a PDF, and how many pages there are, or are said to be."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        return (f"pdf: {error}",), 0
    said, pages = len(document), _loadable(document)
    locked = pypdfium2.raw.FPDF_GetSecurityHandlerRevision(document) != -1
    document.close()
    counts = {"/Count": said, "that load": pages} | ({} if locked else _walked(data))
    found = [
        *(["pdf: encrypted"] if locked else []),
        *(["pdf: no page"] if not pages else []),
        *([f"count: pages {counts}"] if len(set(counts.values())) > 1 else []),
    ]
    return tuple(found), max(said, pages)


def _walked(data: bytes) -> dict[str, int]:
    """What another reader finds, where it reads the file: the count at the top of the page tree, and its leaves."""
    from pypdf import PdfReader

    try:
        reader = PdfReader(io.BytesIO(data))
        top: Any = reader.root_object["/Pages"]
        return {"at the top": int(top.get("/Count", 0)), "in the tree": len(reader.pages)}
    except Exception:  # noqa: BLE001 - it raises whatever comes up
        return {}


def _loadable(document: Any) -> int:
    import pypdfium2

    number = 0
    while number < len(document):
        try:
            document[number].close()
        except pypdfium2.PdfiumError:
            break
        number += 1
    return number


def _utf8(data: bytes) -> Iterator[str]:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        yield "text: no UTF-8"
