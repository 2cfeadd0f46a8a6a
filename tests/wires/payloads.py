"""What a provider takes inside its blocks: types of media, base64 that decodes, bytes that are what they are called."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Messages = Sequence[dict[str, Any]]

STARTS = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
    "image/gif": b"GIF8",
    "image/webp": b"RIFF",
    "application/pdf": b"%PDF",
}
PICTURES = {"image/png", "image/jpeg", "image/webp", "image/gif"}
IN_FUNCTION_RESPONSE = {"image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain"}
INLINE = {
    *("image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"),
    *("audio/wav", "audio/mp3", "audio/mpeg", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"),
    *("video/mp4", "video/mpeg", "video/mov", "video/quicktime", "video/avi", "video/x-flv", "video/mpg"),
    *("video/webm", "video/wmv", "video/3gpp", "application/pdf", "application/json", "application/rtf"),
}


def complaints(provider: str, messages: Messages) -> list[str]:
    """What is wrong with the media in messages whose shapes are right.

    >>> complaints("ollama", [{"role": "user", "content": "See", "images": ["PGh0bWw+"]}])
    ['[0]: bytes that are not image/png or image/jpeg']
    """
    found = []
    for at, message in enumerate(messages):
        for block in _dicts(message):
            found += [f"[{at}]: {what}" for what in RULES[provider](block)]
    return found


FREE = {"args", "input", "json", "metadata", "_meta", "response", "structuredContent"}
"""Keys whose values are the callers' own, whatever they look like."""


def _dicts(value: Any) -> Iterator[dict[str, Any]]:
    """Every dict in a structure that is the provider's, from the outside in."""
    if isinstance(value, list):
        for found in value:
            yield from _dicts(found)
    elif isinstance(value, dict):
        yield value
        for key, found in value.items():
            if key not in FREE and not (key == "data" and isinstance(found, dict)):
                yield from _dicts(found)


def _bytes(data: bytes, mime: str) -> Iterator[str]:
    if not data:
        yield f"{mime} without a byte"
    elif not data.startswith(STARTS.get(mime, b"")):
        yield f"bytes that are not {mime}"


def _base64(text: str, mime: str) -> Iterator[str]:
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        yield f"{mime} that is no base64"
    else:
        yield from _bytes(data, mime)


def _is_far(url: str, *schemes: str) -> bool:
    return re.match(r"([a-z0-9]+)://[^/]", url) is not None and url.split(":")[0] in (schemes or ("http", "https"))


def _url(url: str, mimes: set[str] | None) -> Iterator[str]:
    """A web address, or a data URL of one of the types; of any when there are none."""
    if _is_far(url):
        return
    parsed = re.fullmatch(r"data:([a-z]+/[^;,\s]+);base64,(.+)", url, re.DOTALL)
    if not parsed:
        yield f"{url[:12]!r} begins no web address and no base64 data URL"
    elif mimes and parsed[1] not in mimes:
        yield f"{parsed[1]} is not one of {', '.join(sorted(mimes))}"
    else:
        yield from _base64(parsed[2], parsed[1])


def _openai(block: dict[str, Any]) -> Iterator[str]:
    if block.get("type") == "image_url":
        yield from _url(block["image_url"]["url"], PICTURES)
    if block.get("type") == "file" and (data := block["file"].get("file_data")) is not None:
        yield from _url(data, {"application/pdf"})
        if _is_far(data):
            yield "a file by web address"
        if not block["file"].get("filename"):
            yield "a file without a name"
    if block.get("type") == "input_audio":
        yield from _base64(block["input_audio"]["data"], f"audio/{block['input_audio']['format']}")


def _responses(block: dict[str, Any]) -> Iterator[str]:
    if block.get("type") == "input_image":
        if ("image_url" in block) == ("file_id" in block):
            yield "an input_image holds one of image_url and file_id"
        if "image_url" in block:
            yield from _url(block["image_url"], PICTURES)
    if block.get("type") == "input_file":
        if len({"file_data", "file_url", "file_id"} & set(block)) != 1:
            yield "an input_file holds one of file_data, file_url and file_id"
        if "file_data" in block:
            yield from _url(block["file_data"], None)
            if not block.get("filename"):
                yield "a file without a name"
            if _is_far(block["file_data"]):
                yield "a web address in file_data"
        if not _is_far(block.get("file_url", "https://a")):
            yield "a file_url that is no web address"


def _anthropic(block: dict[str, Any]) -> Iterator[str]:
    if block.get("type") == "base64":
        yield from _base64(block["data"], block["media_type"])
    if block.get("type") == "url" and not _is_far(block["url"]):
        yield "a url that is no web address"
    if block.get("type") == "text" and "media_type" in block and not block["data"]:
        yield "a text document without a text"
    if block.get("type") == "document" and not 1 <= len(block.get("title") or "a") <= 500:
        yield "a title of no or more than 500 characters"


def _gemini(block: dict[str, Any]) -> Iterator[str]:
    inside = [part["inlineData"] for part in block.get("parts", ()) if "inlineData" in part]
    takes = IN_FUNCTION_RESPONSE if "response" in block else INLINE
    for blob in inside:
        mime = blob.get("mimeType", "")
        if mime not in takes and ("response" in block or not mime.startswith("text/")):
            yield f"{mime or 'no type'} is not taken here"
        else:
            yield from _base64(blob.get("data", ""), mime)
    if "fileUri" in block and not _is_far(block["fileUri"], "http", "https", "gs"):
        yield "a fileUri that is no address"


def _bedrock(block: dict[str, Any]) -> Iterator[str]:
    for kind in {"image", "document"} & set(block):
        made, source = block[kind], block[kind]["source"]
        mime = {"image": "image", "document": "application"}[kind] + "/" + made.get("format", "")
        if "bytes" in source:
            yield from _bytes(source["bytes"], mime)
        if kind == "document" and not re.fullmatch(r"[A-Za-z0-9()\[\]-]+( [A-Za-z0-9()\[\]-]+)*", made["name"]):
            yield f"{made['name']!r} is no name of a document"


def _mcp(block: dict[str, Any]) -> Iterator[str]:
    encoded = block.get("blob", block.get("data") if block.get("type") in ("image", "audio") else None)
    if encoded is not None:
        yield from _base64(encoded, block.get("mimeType", "application/octet-stream"))
    if block.get("type") in ("image", "audio") and not block["mimeType"].startswith(f"{block['type']}/"):
        yield f"{block['mimeType']} in a block of type {block['type']}"
    if "uri" in block and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:.", block["uri"]):
        yield "a uri without a scheme"


def _ollama(block: dict[str, Any]) -> Iterator[str]:
    for data in block.get("images") or ():
        if all(list(_base64(data, mime)) for mime in ("image/png", "image/jpeg")):
            yield "bytes that are not image/png or image/jpeg"


def _mistral(block: dict[str, Any]) -> Iterator[str]:
    if block.get("type") == "image_url":
        yield from _url(
            block["image_url"]["url"] if isinstance(block["image_url"], dict) else block["image_url"], PICTURES
        )
    if block.get("type") == "document_url":
        yield from _url(block["document_url"], {"application/pdf"})
    if block.get("type") == "input_audio" and not _is_far(block["input_audio"]):
        yield from _base64(block["input_audio"], "audio")


def _a2a(block: dict[str, Any]) -> Iterator[str]:
    if "raw" in block:
        yield from _base64(block["raw"], block.get("mediaType", "application/octet-stream"))
    if "url" in block and not _is_far(block["url"], "http", "https", "gs", "s3"):
        yield "a url that is no address"


RULES: dict[str, Callable[[dict[str, Any]], Iterator[str]]] = {
    "openai": _openai,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "bedrock": _bedrock,
    "mcp": _mcp,
    "ollama": _ollama,
    "mistral": _mistral,
    "a2a": _a2a,
}
