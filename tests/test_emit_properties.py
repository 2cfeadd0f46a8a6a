"""Whatever a mix of results holds: every part is on the wire once, in its order, or its placeholder is."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus_media import emit
from toolnexus_media._b64 import encode
from toolnexus_media.content import attach, from_url, text_part
from toolnexus_media.part import make_part, part_data
from toolnexus_media.summary import placeholder
from toolnexus_media.types import ContentPart

PROVIDERS = [
    ("openai", None),
    ("openai", "gpt-5.4"),
    ("openai-responses", None),
    ("anthropic", None),
    ("anthropic-bedrock", None),
    ("gemini", None),
    ("gemini", "gemini-3-pro"),
    ("gemini", "gemini-2.5-pro"),
    ("bedrock", None),
    ("bedrock", "us.amazon.nova-pro-v1:0"),
    ("bedrock", "meta.llama4"),
    ("mcp", None),
    ("ollama", None),
    ("mistral", None),
    ("openrouter", None),
    ("xai", None),
    ("a2a", None),
]
providers = pytest.mark.parametrize(("provider", "model"), PROVIDERS)

_FILES = {
    name: part_data(attach(f"fixtures/media/{name}"))
    for name in ("fixture.png", "text.pdf", "tone.wav", "tone.mp3", "film.mp4", "files.zip")
}
_KINDS = (*_FILES, "words", "a text file", "a link")


def build(kind: str, number: int) -> ContentPart:
    """A part that no other one of the mix is like, in its bytes and in its size."""
    mark = f"mark-{number:04d}-" + "x" * number
    if kind == "words":
        return text_part(f"{mark}.")
    if kind == "a text file":
        return make_part(f"{mark} in a file".encode(), "text/plain", "a.txt")
    if kind == "a link":
        return from_url(f"https://example.org/{mark}.png")
    data = _FILES[kind] + mark.encode()
    return make_part(data, attach(_FILES[kind], verify="none")["mimeType"], kind)  # type: ignore[typeddict-item]  # media


mixes = st.lists(st.tuples(st.booleans(), st.lists(st.sampled_from(_KINDS), max_size=5)), min_size=1, max_size=4)


def calls_of(mix: list[tuple[bool, list[str]]]) -> list[dict[str, Any]]:
    """Calls with results of these parts, numbered through; one link at most, because all links look alike refused."""
    number = iter(range(1000))
    links = iter(("a link",))
    return [
        {
            "id": f"call_{at}",
            "name": "tool",
            "result": {
                "output": f"output {at}",
                "isError": failed,
                "parts": [build(next(links, "words") if kind == "a link" else kind, next(number)) for kind in kinds],
            },
        }
        for at, (failed, kinds) in enumerate(mix)
    ]


def leaves(value: object) -> Iterator[str | bytes]:
    """Strings and bytes in document order; an image of Ollama stands where its mark is."""
    if isinstance(value, dict):
        if isinstance(value.get("images"), list):
            yield from _marked(value)
            return
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)
    elif isinstance(value, (str, bytes)):
        yield value


def _marked(message: dict[str, Any]) -> Iterator[str]:
    pieces = re.split(r"\[image \d+\]", message["content"])
    assert len(pieces) in (1, len(message["images"]) + 1)
    if len(pieces) == 1:
        yield from (message["content"], *message["images"])
        return
    for piece, image in zip(pieces, [*message["images"], ""], strict=True):
        yield from (piece, image)


def signs(part: ContentPart) -> list[str | bytes]:
    """What a part can look like on a wire."""
    if part["type"] == "text":
        return [part["text"], encode(part["text"].encode())]
    if "url" in part:
        return [str(part.get("url")), placeholder(part), encode(placeholder(part).encode())]
    data = part_data(part)
    words = [data.decode()] if part["mimeType"] == "text/plain" else []
    stand_in = placeholder(part)
    return [str(part.get("data")), data, stand_in, encode(stand_in.encode()), *words]


def found(part: ContentPart, wire: list[str | bytes]) -> list[tuple[int, int]]:
    """Every place at which the part stands: the leaf's number, and where in the leaf."""
    places = set()
    for at, leaf in enumerate(wire):
        for sign in signs(part):
            if isinstance(leaf, bytes) and leaf == sign:
                places.add((at, 0))
            elif isinstance(leaf, str) and isinstance(sign, str):
                places |= {(at, match.start()) for match in re.finditer(re.escape(sign), leaf)}
    return sorted(places)


@providers
@given(mix=mixes)
@settings(max_examples=15)
def test_every_part_is_on_the_wire_once_and_in_order(
    provider: str, model: str | None, mix: list[tuple[bool, list[str]]]
) -> None:
    calls = calls_of(mix)
    before = copy.deepcopy(calls)
    messages = emit.tool_messages(calls, provider, model=model)
    assert calls == before
    wire = list(leaves(messages))
    for call in calls:
        places = [found(part, wire) for part in call["result"]["parts"]]
        assert [len(place) for place in places] == [1] * len(places)
        assert [place[0] for place in places] == sorted(place[0] for place in places)


@providers
@given(mix=mixes)
@settings(max_examples=15)
def test_only_bedrock_holds_what_json_does_not(
    provider: str, model: str | None, mix: list[tuple[bool, list[str]]]
) -> None:
    messages = emit.tool_messages(calls_of(mix), provider, model=model)
    json.dumps(messages, default=bytes.hex if provider == "bedrock" else None)


@providers
@given(mix=mixes)
@settings(max_examples=15)
def test_a_transcript_holds_each_part_once(provider: str, model: str | None, mix: list[tuple[bool, list[str]]]) -> None:
    calls = calls_of(mix)
    turns: list[dict[str, Any]] = [
        {"role": "assistant", "content": "", "tool_calls": [{"id": call["id"], "name": "tool", "args": {}}]}
        for call in calls
    ]
    turns = [turn for call, asked in zip(calls, turns, strict=True) for turn in (asked, {"role": "tool", **call})]
    before = copy.deepcopy(turns)
    wire = list(leaves(emit.messages(turns, provider, model=model)))
    assert turns == before
    for call in calls:
        for part in call["result"]["parts"]:
            assert len(found(part, wire)) == 1
