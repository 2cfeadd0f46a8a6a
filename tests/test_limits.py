"""Limits are data: each row is complete, sourced, found by its model's name, and the safe row is the strictest."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus_media import limits, sniff
from toolnexus_media.limits import patches, resize

ROOT = Path(__file__).resolve().parents[1]
SIDES = st.integers(1, 40_000)
ROWS = st.sampled_from(limits.rows())
SEEING = [row for row in limits.rows() if row.user.image is not None]
RULES = st.sampled_from(
    sorted(
        {
            rule
            for row in SEEING
            if row.user.image and row.user.image.native
            for rule in vars(row.user.image.native).values()
            if rule is not None
        },
        key=repr,
    )
)
WIRES = {"openai", "openai-responses", "anthropic", "gemini", "bedrock", "mcp", "ollama", "mistral", "a2a"}
MIME = re.compile(r"(\*|[a-z]+)/(\*|[a-z0-9.+-]+)")

MODELS = [
    ("anthropic", None, "standard"),
    ("anthropic", "claude-opus-4-6", "standard"),
    ("anthropic", "claude-3-5-sonnet-20241022", "standard"),
    ("anthropic", "claude-opus-4-20250514", "standard"),
    ("anthropic", "claude-haiku-4-5-20251001", "standard"),
    ("anthropic", "claude-opus-4-7", "high-resolution"),
    ("anthropic", "claude-opus-4-8-20260801", "high-resolution"),
    ("anthropic", "Claude-Sonnet-5", "high-resolution"),
    ("anthropic", "claude-fable-5-5", "high-resolution"),
    ("anthropic-bedrock", "us.anthropic.claude-opus-4-7-v1:0", "high-resolution"),
    ("anthropic-vertex", "claude-sonnet-4-5@20250929", "standard"),
    ("openai", None, "default"),
    ("openai", "gpt-6-astra", "gpt-5.6"),
    ("openai", "gpt-5.6-terra", "gpt-5.6"),
    ("openai", "gpt-5.5", "gpt-5.5"),
    ("openai", "gpt-5.4-mini", "gpt-5.4"),
    ("openai", "gpt-5.2", "gpt-5.2"),
    ("openai", "gpt-5.1", "gpt-5"),
    ("openai", "gpt-5", "gpt-5"),
    ("openai", "gpt-5-mini", "gpt-5-mini"),
    ("openai", "gpt-5-nano-2025-08-07", "gpt-5-nano"),
    ("openai", "openai/gpt-4o-2024-11-20", "gpt-4o"),
    ("openai", "gpt-4o-mini", "gpt-4o-mini"),
    ("openai", "gpt-4o-mini-audio-preview", "gpt-audio"),
    ("openai", "gpt-audio-1.5", "gpt-audio"),
    ("openai", "gpt-4.1", "gpt-4o"),
    ("openai", "gpt-4.1-2025-04-14", "gpt-4o"),
    ("openai", "gpt-4.1-mini", "gpt-4.1-mini"),
    ("openai", "gpt-4.1-nano", "gpt-4.1-nano"),
    ("openai", "o4-mini", "o4-mini"),
    ("openai", "o3-pro", "o1"),
    ("openai", "o3-mini", "other"),
    ("openai", "my-deployment", "other"),
    ("openai-responses", "gpt-5.5", "gpt-5.5"),
    ("gemini", None, "default"),
    ("gemini", "gemini-flash-latest", "default"),
    ("gemini", "models/gemini-2.5-pro", "2.5"),
    ("gemini", "gemini-2.0-flash", "2.0"),
    ("gemini", "gemini-3.1-flash-lite", "3+"),
    ("gemini", "gemini-4-pro", "3+"),
    ("bedrock", None, "default"),
    ("bedrock", "eu.anthropic.claude-sonnet-4-6", "claude-standard"),
    ("bedrock", "anthropic.claude-opus-5-v1:0", "claude-high-resolution"),
    ("bedrock", "us.amazon.nova-pro-v1:0", "nova"),
    ("bedrock", "meta.llama4-maverick", "other"),
    ("mistral", "pixtral-12b-2409", "pixtral"),
    ("mistral", "voxtral-small", "voxtral"),
    ("mistral", "mistral-medium-latest", "other"),
]


@pytest.mark.parametrize(("provider", "model", "tier"), MODELS)
def test_a_model_name_finds_its_tier(provider: str, model: str | None, tier: str) -> None:
    assert limits.row(provider, model).tier == tier


def test_an_unknown_provider_is_told_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'antropic'; the providers are anthropic, .*safe"):
        limits.row("antropic")


@pytest.mark.parametrize("row", limits.rows(), ids=lambda row: row.name)
def test_every_value_has_a_source_and_a_date(row: limits.Limits) -> None:
    unsourced = [
        path
        for path, value, source in row.facts()
        if value is not None and value != () and (source is None or not re.fullmatch(r"20\d\d-\d\d", source.date))
    ]
    assert unsourced == []


def test_the_most_particular_source_answers() -> None:
    row = limits.row("gemini", "gemini-3-pro")
    sources = [row.source(path) for path in ("user.image.mimes", "tool.image.mimes", "user.image.max_bytes")]
    assert [source.where.partition(",")[0] for source in sources if source] == [
        "Gemini docs",
        "Gemini docs",
        "Vertex AI docs: 7 MB an image",
    ]
    assert sources[0] != sources[1]


@pytest.mark.parametrize("row", limits.rows(), ids=lambda row: row.name)
def test_a_row_is_complete_and_consistent(row: limits.Limits) -> None:
    assert row.wire in WIRES or (row.wire is None and row.provider == "safe")
    if row.tool_media == "relocated":
        assert row.tool == row.user
    for kinds in (row.user, row.tool):
        for entry in vars(kinds).values():
            if entry is not None:
                assert entry.mimes
                assert all(MIME.fullmatch(mime) for mime in (*entry.mimes, *entry.advised))
                assert "image/jpg" not in entry.mimes


def test_names_are_unique_and_rows_frozen_and_hashable() -> None:
    rows = limits.rows()
    assert len({row.name for row in rows}) == len(rows) == len(set(rows))
    with pytest.raises(FrozenInstanceError):
        rows[0].tier = "mine"  # type: ignore[misc]  # the point of the test


@pytest.mark.parametrize("row", SEEING, ids=lambda row: row.name)
def test_what_is_safe_passes_every_row(row: limits.Limits) -> None:
    for position in ("user", "tool"):
        safe, other = limits.row("safe").at(position).image, row.at(position).image
        assert safe is not None
        assert other is not None
        assert all(other.prefers(mime) for mime in safe.mimes)
        assert safe.max_bytes is not None
        assert safe.raw_bytes is not None
        assert safe.max_side is not None
        cap = other.max_bytes if other.counted == "encoded" else other.raw_bytes
        ours = safe.max_bytes if other.counted == "encoded" else safe.raw_bytes
        assert cap is None or ours <= cap
        side = other.side(images=10_000)
        assert side is None or safe.max_side <= side
        assert other.max_patches is None or patches(safe.max_side, safe.max_side, other.patch) <= other.max_patches


@pytest.mark.parametrize("name", ["bytes", "images", "message_images"])
def test_safe_totals_are_the_smallest_there_are(name: str) -> None:
    known = [total for row in limits.rows() if (total := getattr(row.totals, name)) is not None]
    assert getattr(limits.row("safe").totals, name) == min(known)


def test_encoded_caps_translate_to_decoded_bytes() -> None:
    assert limits.row("anthropic").user.image.raw_bytes == 7_864_320  # type: ignore[union-attr]  # the row has images
    assert limits.row("anthropic-bedrock").user.image.raw_bytes == 3_932_160  # type: ignore[union-attr]  # as above


@pytest.mark.parametrize(
    ("provider", "images", "documents", "side"),
    [
        ("anthropic", 20, 0, 8000),
        ("anthropic", 21, 0, 1999),
        ("anthropic", 20, 5, 8000),
        ("anthropic-bedrock", 20, 1, 1999),
        ("xai", 500, 0, None),
    ],
)
def test_many_images_lower_the_longest_side(provider: str, images: int, documents: int, side: int | None) -> None:
    image = limits.row(provider).user.image
    assert image is not None
    assert image.side(images, documents) == side


def test_media_ride_in_a_tool_result_only_where_the_wire_has_a_place() -> None:
    native = {row.name for row in limits.rows() if row.tool_media == "native"}
    assert {"gemini/3+", "anthropic/standard", "openai-responses", "bedrock", "mcp"} <= native
    assert not native & {"openai", "gemini/2.5", "gemini", "ollama", "mistral", "openrouter", "xai", "bedrock/other"}


@pytest.mark.parametrize(
    ("provider", "mime", "position", "taken"),
    [
        ("anthropic", "image/heic", "user", False),
        ("gemini", "image/heic", "user", True),
        ("openai", "text/csv", "user", False),
        ("openai-responses", "text/csv", "user", True),
        ("bedrock", "audio/mpeg", "user", True),
        ("bedrock", "audio/mpeg", "tool", False),
        ("mcp", "image/tiff", "tool", True),
    ],
)
def test_a_type_is_taken_by_kind_and_position(provider: str, mime: str, position: str, taken: bool) -> None:
    assert (limits.row(provider).accepts(mime, position) is not None) is taken  # type: ignore[arg-type]  # a table


def test_a_free_protocol_still_prefers_what_its_readers_decode() -> None:
    image = limits.row("mcp").user.image
    assert image is not None
    assert (image.takes("image/tiff"), image.prefers("image/tiff"), image.prefers("image/png")) == (True, False, True)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("video/x-msvideo", "video/avi"),
        ("video/x-ms-wmv", "video/wmv"),
        ("video/quicktime", "video/quicktime"),
        ("video/mpeg", "video/mpeg"),
        ("audio/mpeg", "audio/mp3"),
        ("application/xml", "text/xml"),
        ("application/rtf", "text/rtf"),
    ],
)
def test_a_type_that_a_provider_knows_by_another_name_is_taken_and_named_so(ours: str, theirs: str) -> None:
    row = limits.row("gemini", "gemini-3-pro")
    entry = row.accepts(sniff.normalise(ours))
    assert entry is not None
    assert entry.wire_name(ours) == theirs


@pytest.mark.parametrize("row", limits.rows(), ids=lambda row: row.name)
def test_every_listed_type_is_taken_by_the_name_that_this_package_gives_it(row: limits.Limits) -> None:
    entries = [entry for kinds in (row.user, row.tool) for entry in vars(kinds).values() if entry is not None]
    listed = [(entry, name) for entry in entries for name in entry.mimes]
    assert all(entry.takes(sniff.normalise(name)) for entry, name in listed)
    assert all(entry.wire_name(sniff.normalise(name)) in entry.mimes for entry, name in listed)


def test_a_type_that_is_not_listed_keeps_its_name() -> None:
    image = limits.row("mcp").user.image
    assert image is not None
    assert (image.wire_name("image/tiff"), image.lists("image/tiff"), image.lists("video/mp4")) == (
        "image/tiff",
        True,
        False,
    )


def test_links_are_followed_by_scheme() -> None:
    image = limits.row("anthropic").user.image
    assert image is not None
    assert (image.takes_url("HTTPS://a/b.png"), image.takes_url("s3://a/b.png")) == (True, False)


@pytest.mark.parametrize(
    ("name", "good"), [("Annual report (2) [a]", True), ("a.pdf", False), ("a  b", False), ("a_b", False), ("", False)]
)
def test_bedrock_documents_are_named_by_a_pattern(name: str, good: bool) -> None:
    rule = limits.row("bedrock").user.document.name  # type: ignore[union-attr]  # the row has documents
    assert rule is not None
    assert bool(re.fullmatch(rule.pattern, name)) is good


SIZES = [
    ((1075, 1520), "anthropic", None, None, (924, 1307)),
    ((1920, 1080), "anthropic", None, None, (1456, 819)),
    ((3840, 2160), "anthropic", None, None, (1456, 819)),
    ((3840, 2160), "anthropic", "claude-opus-4-7", None, (2576, 1449)),
    ((2048, 2048), "openai", "gpt-5.6-sol", "high", (1600, 1600)),
    ((7952, 5304), "openai", "gpt-5.6-sol", None, (6764, 4512)),
    ((4096, 512), "openai", "gpt-6-astra", None, (4096, 512)),
    ((2048, 4096), "openai", "gpt-4o", None, (768, 1536)),
    ((9000, 9000), "gemini", "gemini-3-pro", None, (9000, 9000)),
    ((3000, 1500), "mistral", "pixtral-12b", None, (1024, 512)),
]


@pytest.mark.parametrize(("size", "provider", "model", "detail", "seen"), SIZES)
def test_the_documented_sizes_come_out(
    size: tuple[int, int], provider: str, model: str | None, detail: str | None, seen: tuple[int, int]
) -> None:
    assert limits.native_size(*size, limits.row(provider, model), detail=detail) == seen


def test_the_documented_size_of_2000_by_1500_comes_out_within_a_pixel() -> None:
    width, height = limits.native_size(2000, 1500, limits.row("anthropic"))
    assert abs(width - 1269) <= 1
    assert height == 952


@settings(deadline=None)
@given(SIDES, SIDES, ROWS)
def test_a_resize_never_enlarges_and_rests_on_its_own_answer(width: int, height: int, row: limits.Limits) -> None:
    seen = limits.native_size(width, height, row)
    assert 1 <= seen[0] <= width
    assert 1 <= seen[1] <= height
    assert limits.native_size(*seen, row) == seen


@settings(deadline=None)
@given(SIDES, SIDES, st.sampled_from(SEEING))
def test_what_is_sent_is_within_every_cap_of_size(width: int, height: int, row: limits.Limits) -> None:
    image = row.user.image
    assert image is not None
    sent = limits.sent_size(width, height, row, images=21)
    side = image.side(images=21)
    assert side is None or max(sent) <= side
    assert image.max_patches is None or patches(*sent, image.patch) <= image.max_patches
    assert limits.sent_size(*sent, row, images=21) == sent


@settings(deadline=None)
@given(SIDES, SIDES, RULES)
def test_a_seen_size_keeps_the_budget_of_its_rule(width: int, height: int, rule: limits.Resize) -> None:
    seen = resize(width, height, rule)
    assert max(seen) <= rule.long_edge
    assert rule.budget is None or patches(*seen, rule.unit) <= rule.budget
    assert rule.short_edge is None or min(seen) <= rule.short_edge


@settings(deadline=None)
@given(SIDES, SIDES)
def test_claude_is_given_the_largest_long_edge_that_fits(width: int, height: int) -> None:
    rule = limits.resize_for(limits.row("anthropic").user.image)  # type: ignore[arg-type]  # the row has images
    assert rule is not None
    seen = resize(width, height, rule)
    if seen != (width, height):
        long, short = max(width, height), min(width, height)
        edge = max(seen) + 1
        other = max(round(edge / (long / short)), 1)
        assert -(-edge // 28) * 28 > 1568 or patches(edge, other, 28) > 1568


@settings(deadline=None)
@given(st.integers(1, 20_000), st.integers(1, 20_000), st.integers(1, 20), RULES)
def test_a_picture_enlarged_is_seen_as_large_or_larger(
    width: int, height: int, factor: int, rule: limits.Resize
) -> None:
    """Not by OpenAI's patches: there a picture over the budget gives up its last, partial row."""
    if rule.rule != "patches-openai":
        small, large = resize(width, height, rule), resize(width * factor, height * factor, rule)
        assert large[0] >= small[0]
        assert large[1] >= small[1]


@settings(deadline=None)
@given(st.integers(64, 20_000), st.integers(64, 20_000), RULES)
def test_a_seen_picture_keeps_its_ratio_within_a_pixel(width: int, height: int, rule: limits.Resize) -> None:
    seen = resize(width, height, rule)
    assert abs(seen[0] - seen[1] * width / height) <= max(1, width / height)


@pytest.mark.parametrize("size", [(0, 5), (5, -1), (1.5, 2)])
def test_no_picture_is_smaller_than_a_pixel(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="at least 1x1"):
        limits.native_size(*size, limits.row("anthropic"))


def test_an_unknown_detail_is_told_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"the details are auto, low, high$"):
        limits.native_size(10, 10, limits.row("openai", "gpt-5.2"), detail="original")


def test_a_custom_row_changes_both_positions_and_says_who_did_it() -> None:
    row = limits.custom("bedrock", image={"max_bytes": 100, "many": {"over": 3, "side": 50}}, totals={"images": 2})
    assert row.user.image is not None
    assert row.tool.image is not None
    assert row.user.image.max_bytes == row.tool.image.max_bytes == 100
    assert (row.user.image.side(4), row.totals.images, row.totals.documents) == (50, 2, 5)
    source = row.source("tool.image.max_bytes")
    assert source is not None
    assert source.where == "given by the caller"
    assert limits.row("bedrock").totals.images == 100


def test_a_custom_row_may_take_a_new_kind_or_drop_one() -> None:
    row = limits.custom("ollama", audio={"mimes": ["audio/wav"]}, image=None)
    assert (row.accepts("audio/wav", "tool") is not None, row.user.image) == (True, None)


def test_a_custom_kind_does_not_enter_a_tool_result_that_has_no_place_for_it() -> None:
    row = limits.custom("bedrock", audio={"max_bytes": 10})
    assert row.user.audio is not None
    assert (row.user.audio.max_bytes, row.tool.audio) == (10, None)


def test_a_custom_row_may_differ_by_position_and_have_its_own_rule() -> None:
    rule = {"auto": {"rule": "long-edge", "long_edge": 768}}
    row = limits.custom("anthropic", tool={"image": {"native": rule}})
    assert limits.native_size(1536, 768, row, position="tool") == (768, 384)
    assert limits.native_size(1536, 768, row) == limits.native_size(1536, 768, limits.row("anthropic"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"imgae": {}}, "a row has no 'imgae'; it has provider"),
        ({"image": {"max_byte": 5}}, "image has no 'max_byte'; it has mimes"),
        ({"image": {"max_bytes": "5MB"}}, "max_bytes is of type int, not '5MB'"),
        ({"image": {"max_bytes": -1}}, "max_bytes is -1; a limit is 0 or more"),
        ({"image": {"counted": "b64"}}, "counted is encoded or raw, not 'b64'"),
        ({"image": {"mimes": "image/png"}}, "mimes is of type tuple, not 'image/png'"),
        ({"image": 5}, "image is a dict of its values, not 5"),
        ({"image": {"many": {"over": 3}}}, "many is not complete: .*'side'"),
        ({"tool": {"image": {"max_bytes": 5}}}, "change user instead of tool"),
        ({"tool_media": "smoke"}, "tool_media is native or relocated, not 'smoke'"),
    ],
)
def test_a_wrong_change_is_told(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        limits.resolve("ollama", limits=changes)


def test_limits_are_given_as_a_row_a_mapping_or_not_at_all() -> None:
    own = limits.custom("safe", totals={"images": 3})
    assert limits.resolve("anthropic", limits=own) is own
    assert limits.resolve("anthropic", "claude-opus-5").tier == "high-resolution"
    assert limits.resolve("anthropic", limits={"totals": {"images": 3}}).totals.images == 3


def test_the_limits_page_is_current() -> None:
    done = subprocess.run([sys.executable, "docs/build_limits.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
