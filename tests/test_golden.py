"""What is emitted, kept as files: valid by the providers' own types, sent by their own clients, read by eye."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from tests.wires import clients, golden
from tests.wires.cases import CASES, PROVIDERS, png
from tests.wires.endpoint import Endpoint, serving
from tests.wires.valid import complaints
from toolnexus_media.part import part_data
from toolnexus_media.transcript import payloads

cases = pytest.mark.parametrize("name", sorted(CASES))
sent = pytest.mark.parametrize("name", [name for name in sorted(CASES) if name.split("/")[0] not in ("mcp", "a2a")])


@pytest.fixture(scope="module")
def vendor() -> Iterator[Endpoint]:
    with serving() as endpoint:
        yield endpoint


def test_golden_copies_are_what_is_emitted_now() -> None:
    assert golden.stale(CASES) == [], golden.HOW


def test_every_provider_has_every_case() -> None:
    kept = [{name.split("/")[1] for name in CASES if name.startswith(f"{provider}/")} for provider in PROVIDERS]
    wanted = {"image", "pdf", "audio", "text-file", "url", "failure-with-parts", "parallel", "unsupported", "chain"}
    assert all(wanted <= found for found in kept)


@cases
def test_a_golden_copy_is_what_the_provider_takes(name: str) -> None:
    assert complaints(name.split("/")[0], golden.load(name)) == []


@sent
def test_the_vendors_own_client_sends_a_golden_copy_as_it_is(name: str, vendor: Endpoint) -> None:
    kept = golden.load(name)
    assert clients.arrived(name.split("/")[0], kept, vendor) == kept


@pytest.mark.parametrize("provider", [provider for provider in PROVIDERS if provider not in ("mcp", "a2a")])
@pytest.mark.parametrize("case", ["image", "parallel", "chain"])
def test_the_picture_in_the_body_is_byte_for_byte_the_one_that_was_attached(
    provider: str, case: str, vendor: Endpoint
) -> None:
    body = clients.send(provider, golden.load(f"{provider}/{case}"), vendor)
    pictures = [payload.data() for payload in payloads(body) if payload.mime == "image/png"]
    assert pictures.count(part_data(png())) == {"image": 1, "parallel": 3, "chain": 4}[case]


@cases
def test_no_base64_stands_in_a_golden_copys_texts(name: str) -> None:
    """Every payload is where the provider's shape has one, and none is a run in a text."""
    shapes = {payload.shape for payload in payloads(golden.load(name))}
    assert not shapes & {"data-url", "bare-base64", "typed-data"}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_golden_copy_of_text_alone_says_it_once(provider: str) -> None:
    assert json.dumps(golden.load(f"{provider}/text")).count("72 degrees") == 1


PLANTED: list[tuple[str, str, Any]] = [
    ("a key", "image", lambda block: block.update(alt="a picture")),
    ("a type", "image", lambda block: block.update(type="picture")),
]


@pytest.mark.parametrize(("what", "case", "plant"), PLANTED, ids=[what for what, _, _ in PLANTED])
@pytest.mark.parametrize("provider", [provider for provider in PROVIDERS if provider != "ollama"])
def test_a_planted_fault_in_a_golden_copy_is_found(provider: str, what: str, case: str, plant: Any) -> None:
    messages = golden.load(f"{provider}/{case}")
    blocks = [block for block in _blocks(messages) if "image" in json.dumps(block, default=str)]
    plant(blocks[-1])
    assert complaints(provider, messages) != []


def _blocks(value: Any) -> Iterator[dict[str, Any]]:
    """Every dict in a list, at any depth: messages and blocks."""
    if isinstance(value, list):
        for inner in value:
            if isinstance(inner, dict):
                yield inner
            yield from _blocks(inner)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _blocks(inner)


def test_a_golden_copy_in_the_wrong_place_is_found() -> None:
    for provider in ("openai", "anthropic", "gemini", "bedrock", "mistral", "ollama", "openai-responses"):
        messages = golden.load(f"{provider}/parallel")
        assert complaints(provider, [*messages[:1], *messages[2:]]) != [], f"{provider}: answers without a question"


def test_nothing_is_logged_for_what_every_provider_takes(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for provider in PROVIDERS:
            CASES[f"{provider}/image"]()
    assert caplog.records == []
