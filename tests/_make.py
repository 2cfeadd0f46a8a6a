"""Small media and awkward objects that many tests share."""

from __future__ import annotations

import struct
import unicodedata
import zlib
from pathlib import Path
from typing import Any

import pybase64
import pytest

from toolnexus_media import content
from toolnexus_media.errors import MediaError, SourceError

CASES = Path(__file__).parent.parent / "fixtures" / "cases"


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int = 8, height: int = 8) -> bytes:
    """Four quadrants, red and green over blue and white; 8x8 is exactly 82 bytes."""
    left, right = width // 2, width - width // 2
    top = b"\0" + b"\xff\0\0" * left + b"\0\xff\0" * right
    bottom = b"\0" + b"\0\0\xff" * left + b"\xff\xff\xff" * right
    raw = top * (height // 2) + bottom * (height - height // 2)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(raw, 9)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


PNG = png()
PAYLOAD = pybase64.b64encode_as_string(PNG)
WAV = (CASES / "files" / "d01_1s.wav").read_bytes()
PDF = (CASES / "files" / "e01_3pages.pdf").read_bytes()
JPEG = (CASES / "files" / "a01_jpeg_named.png").read_bytes()


def image_part(**more: Any) -> dict[str, Any]:
    """A hand-made part that holds the 82-byte PNG."""
    return {"type": "image", "mimeType": "image/png", "data": PAYLOAD, **more}


def leaks(text: object, payload: str = PAYLOAD) -> bool:
    """Does the text hold any 12 characters in a row of the payload?"""
    shown = str(text)
    return any(payload[start : start + 12] in shown for start in range(max(1, len(payload) - 11)))


def is_clean(text: str) -> bool:
    """Is this one line without control, bidi, surrogate or other unseen characters?"""
    unsafe = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    unseen = [ch for ch in text if unicodedata.category(ch) in unsafe and ch not in "\u200c\u200d"]
    return not unseen and len(text.splitlines()) <= 1


def check(error: MediaError, *codes: str) -> None:
    """The error says what is wrong on one clean line, shows no payload and has one of the codes, if any are given."""
    assert str(error)
    assert is_clean(str(error))
    assert not leaks(error)
    assert not codes or error.code in codes


def refused(source: Any, code: str, **options: Any) -> str:
    """What ``attach`` says when it refuses the source with a ``SourceError`` of this code."""
    with pytest.raises(SourceError) as caught:
        content.attach(source, **options)
    check(caught.value, code)
    return str(caught.value)
