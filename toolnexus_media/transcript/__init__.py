"""Media in other people's structures: every payload of a transcript, whatever the provider's shape.

>>> url = "data:image/gif;base64,R0lGODlhAQABAAAAADs="
>>> found = find({"content": [{"type": "image_url", "image_url": {"url": url}}]})
>>> found[0]["path"], found[0]["mimeType"], found[0]["shape"]
(['content', 0, 'image_url', 'url'], 'image/gif', 'openai-image_url')

Shapes, each with a stable name. The value at ``path`` is the string or the bytes with the payload.

    part                                            our own parts
    anthropic-image, -document                      a base64 source in such a block
    openai-image_url, -video_url, -audio_url        a data URL in an object; also openai-file, openai-input_audio
    openai-audio, openai-b64_json                   what a model said and drew
    openai-agents-image, openai-agents-file         a tool's output in that framework
    responses-input_image, -input_file              also responses-screenshot and responses-image_generation
    gemini-inline                                   in a part and in a function's response
    bedrock-image, -document, -video, -audio        raw bytes, or base64 in a dump
    mcp-image, mcp-audio, mcp-blob                  content blocks and embedded resources
    mistral-image_url, -document_url, -input_audio  where the string itself is the payload
    ollama-image                                    an item of ``images``
    a2a-raw, a2a-file                               parts of version 1 and 0.3
    langchain-image, -audio, -video, -file, -media  standard blocks, old and new
    pydantic-ai-binary, ai-sdk-image                blocks of those names
    typed-data                                      media under ``data``, ``base64`` or ``bytes`` beside a declared type
    data-url                                        anywhere else, also several in one string
    bare-base64                                     a run of 256 characters and more that begins like media
    bytes                                           bytes under any key
"""

from __future__ import annotations

from toolnexus_media.transcript._payload import Payload
from toolnexus_media.transcript._walk import payloads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media.types import MediaFinding

__all__ = ["Payload", "find", "payloads"]


def find(x: object) -> list[MediaFinding]:
    """Every media payload in a JSON-like structure, in document order: where it is, what it is, how large.

    >>> find(["no media", {"raw": "R0lGODlhAQABAAAAADs=", "mediaType": "image/gif"}])
    [{'path': [1, 'raw'], 'kind': 'image', 'mimeType': 'image/gif', 'bytes': 14, 'shape': 'a2a-raw'}]

    Dicts, lists, tuples, strings and bytes are looked at; objects of other classes are not: dump them first. The
    type is sniffed, ``bytes`` is the decoded size. Several payloads in one string share its path. Remote URLs and
    file ids are no payloads. Never raises.
    """
    return [payload.finding() for payload in payloads(x)]
