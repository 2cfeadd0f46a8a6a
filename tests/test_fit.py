"""Fitting as a whole: what is left alone, what is told, how parts of one request bear on each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests._pictures import decoded, file_of, halves, part_of, photo
from toolnexus_media import fit_result, limits, media
from toolnexus_media.content import from_url, text_part
from toolnexus_media.errors import LimitError, PartError, SourceError
from toolnexus_media.fit import _geometry, fit, to_original, to_sent
from toolnexus_media.fit._request import _water_line
from toolnexus_media.part import make_part, part_data
from toolnexus_media.tool import failure, success, with_parts
from toolnexus_media.types import Change, ContentPart

ONE_AT_MOST = limits.custom("safe", image={"max_side": 64, "many": {"over": 2, "side": 32}})


def small() -> ContentPart:
    return part_of(halves())


def large() -> ContentPart:
    return part_of(halves(2100, 30))


def test_what_fits_comes_back_as_the_same_objects_in_order() -> None:
    given_parts = [small(), text_part("words"), small()]
    parts, changes = fit(given_parts, "anthropic")
    assert all(sent is part for sent, part in zip(parts, given_parts, strict=True))
    assert changes == []


def test_one_part_and_any_iterable_are_taken() -> None:
    part = small()
    assert fit(part, "openai")[0] == fit(iter([part]), "openai")[0] == [part]
    assert fit([], "openai") == ([], [])


def test_a_hand_made_dict_is_validated() -> None:
    plain = dict(small())
    assert "iVBOR" not in repr(fit([plain], "openai")[0])  # type: ignore[list-item]  # as a caller's own dict
    with pytest.raises(PartError):
        fit([{"type": "image", "mimeType": "image/png", "data": "?"}], "openai")


@pytest.mark.parametrize("no_part", ["a.png", b"bytes", 7, None])
def test_what_is_no_part_is_refused(no_part: Any) -> None:
    with pytest.raises(PartError):
        fit(no_part, "openai")


@pytest.mark.parametrize(
    "options",
    [
        {"position": "system"},
        {"animation": "all"},
        {"tall": "cut"},
        {"pages": []},
        {"pages": [0]},
        {"limits": {"x": 1}},
    ],
)
def test_an_option_of_no_known_value_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"position|animation|tall|pages|has no"):
        fit(small(), "openai", **options)


def test_an_unknown_provider_is_told_which_are_known() -> None:
    with pytest.raises(ValueError, match="anthropic"):
        fit(small(), "no-such-provider")


def test_a_change_tells_both_places_both_sides_and_the_way_back() -> None:
    parts, changes = fit([text_part("a"), large()], "anthropic")
    (change,) = changes
    assert (change["index"], change["source"]) == (1, 1)
    assert (change["before"]["width"], change["before"]["height"]) == (2100, 30)
    width = decoded(parts[1]).width
    assert change["after"]["width"] == width
    assert change.get("scale") == pytest.approx(2100 / width)
    assert change["what"] == f"2100x30 shown at {width}x{decoded(parts[1]).height} (scale {2100 / width:.3f})"
    assert not {key for key in change if change.get(key) is None}


def test_an_index_counts_what_is_returned_and_a_source_what_was_given() -> None:
    tall = part_of(photo(600, 4000), "BMP")
    parts, changes = fit([tall, large()], "anthropic", tall="slice")
    assert [change["index"] for change in changes] == list(range(len(parts)))
    assert [change["source"] for change in changes] == [0] * (len(parts) - 1) + [1]


def test_a_marked_pixel_is_found_where_the_transform_says() -> None:
    page = Image.new("RGB", (900, 700))
    page.paste((255, 255, 255), (400, 300, 420, 310))
    (sent,), (change,) = fit(part_of(page), "safe", region=(100, 50, 800, 650), limits={"image": {"max_side": 200}})
    light = np.asarray(decoded(sent).convert("L"), dtype=float)
    rows, columns = np.mgrid[0 : light.shape[0], 0 : light.shape[1]] + 0.5
    x, y = (float((axis * light).sum() / light.sum()) for axis in (columns, rows))
    assert to_original(change, x, y) == pytest.approx((410, 305), abs=0.5)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 300), st.integers(2, 300), st.integers(1, 8), st.integers(16, 200),
    st.tuples(*[st.floats(0, 1)] * 4), st.tuples(st.floats(0, 1), st.floats(0, 1)),
)  # fmt: skip
def test_a_point_goes_there_and_back_within_a_pixel(
    width: int, height: int, turn: int, side: int, cut: tuple[float, ...], at: tuple[float, float]
) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    part = part_of(Image.new("L", (width, height)), "PNG", exif=exif)
    shown = (height, width) if turn >= 5 else (width, height)
    left, right = sorted((cut[0] * shown[0], cut[1] * shown[0]))
    top, bottom = sorted((cut[2] * shown[1], cut[3] * shown[1]))
    region = (left, top, min(right + 1, shown[0]), min(bottom + 1, shown[1]))
    tight = limits.custom("safe", image={"max_side": side})
    (sent,), changes = fit(part, "safe", limits=tight, region=region)
    for change in changes:
        size = decoded(sent).size
        x, y = to_original(change, at[0] * size[0], at[1] * size[1])
        assert -1e-6 <= x - int(region[0]) <= region[2] - int(region[0]) + 1
        assert to_sent(change, x, y) == pytest.approx((at[0] * size[0], at[1] * size[1]), abs=1e-6)
        corner = to_original(change, *size)
        assert corner == pytest.approx(_geometry.crop_box(region, shown)[2:], abs=1e-6)


@settings(deadline=None)
@given(
    st.tuples(st.integers(1, 50), st.integers(1, 50)), st.integers(1, 8),
    st.tuples(st.integers(0, 49), st.integers(0, 49), st.integers(1, 50), st.integers(1, 50)),
)  # fmt: skip
def test_a_box_of_the_picture_as_shown_holds_the_same_pixels_as_stored(
    size: tuple[int, int], turn: int, cut: tuple[int, int, int, int]
) -> None:
    from toolnexus_media.probe.image import upright

    exif = Image.Exif()
    exif[0x0112] = turn
    random = np.random.default_rng(size[0] * 51 + size[1])
    stored = Image.fromarray(random.integers(0, 256, (size[1], size[0]), dtype=np.uint8))
    stored.info["exif"] = exif.tobytes()
    shown = upright(stored)
    box = (min(cut[0], shown.width - 1), min(cut[1], shown.height - 1), cut[2], cut[3])
    box = (box[0], box[1], min(box[0] + box[2], shown.width), min(box[1] + box[3], shown.height))
    piece = stored.crop(_geometry.stored_box(box, size, turn))
    piece.info["exif"] = exif.tobytes()
    assert upright(piece).tobytes() == shown.crop(box).tobytes()


def test_a_change_without_a_place_has_no_way_back() -> None:
    _, (change,) = fit(part_of(halves()), "openai", model="gpt-audio")
    with pytest.raises(ValueError, match="no transform"):
        to_original(change, 1, 1)


def test_a_result_tells_what_was_done_in_the_place_of_the_summary() -> None:
    result = media(part_of(halves(2100, 30)), part_of(halves()), caption="Two views")
    fitted, changes = fit_result(result, "anthropic")
    lines, kept = fitted["output"].split("\n"), result["output"].split("\n")
    assert (lines[0], lines[2]) == ("Two views", kept[2])
    sent = fitted.get("parts", [])[0]
    assert lines[1] == f"image (image/png, {len(part_data(sent))} bytes): {changes[0]['what']}"
    assert result.get("parts", [])[0] is not sent


def test_a_result_without_a_summary_gets_its_lines_at_the_end() -> None:
    fitted, _ = fit_result(with_parts(failure("broken"), [large()]), "anthropic")
    first, second = fitted["output"].split("\n")
    assert (first, second[:7]) == ("broken", "image (")
    assert fitted["isError"] is True


def test_a_caption_in_the_output_is_replaced_whole() -> None:
    part = large()
    from toolnexus_media.content import caption

    fitted, _ = fit_result(with_parts(success(caption(part)), part), "anthropic")
    assert "\n" not in fitted["output"]
    assert "shown at" in fitted["output"]


@pytest.mark.parametrize("result", [success("hi"), with_parts(success("hi"), small())])
def test_a_result_that_fits_is_the_same_object(result: Any) -> None:
    assert fit_result(result, "anthropic") == (result, [])
    assert fit_result(result, "anthropic")[0] is result


def test_a_result_is_fitted_to_the_tool_position() -> None:
    part = part_of(halves(), "GIF")
    in_user, in_tool = {"image/gif", "image/png"}, {"image/png"}
    row = limits.custom("gemini", user={"image": {"mimes": [*in_user]}})
    row = limits.custom(limits.row("gemini", "gemini-3-pro"), user={"image": {"mimes": [*in_user]}})
    assert fit(part, "gemini", limits=row)[0][0] is part
    fitted, _ = fit_result(with_parts(success(), part), "gemini", limits=row)
    assert {sent.get("mimeType") for sent in fitted.get("parts", [])} == in_tool


def test_a_wrong_label_is_corrected_by_the_bytes() -> None:
    lie: Any = {"type": "image", "mimeType": "image/png", "data": small().get("data")}
    lie["data"] = part_of(photo(40, 30), "JPEG").get("data")
    (sent,), (change,) = fit(lie, "anthropic")
    assert decoded(sent).format == "JPEG"
    assert "labelled image/png, and it is image/jpeg" in change["what"]
    assert change["before"]["mimeType"] == "image/png"


def test_a_page_labelled_as_a_picture_is_no_picture() -> None:
    page = make_part(b"<!doctype html><html><body>404</body></html>", "text/plain")
    lie: Any = {"type": "image", "mimeType": "image/png", "data": page.get("data")}
    (sent,), (change,) = fit(lie, "anthropic")
    assert sent["type"] != "image"
    assert "it is text/html" in change["what"]


def test_a_link_is_left_alone_where_it_is_followed() -> None:
    link = from_url("https://example.org/a.png")
    assert fit(link, "anthropic")[0][0] is link


@pytest.mark.parametrize("url", ["http://example.org/a.png", "https://example.org/a.bmp"])
def test_a_link_that_is_not_followed_is_a_placeholder(url: str) -> None:
    (sent,), (change,) = fit(from_url(url), "anthropic")
    assert sent["type"] == "text"
    assert "fetch" in change["what"]


def test_a_link_that_is_not_followed_is_fetched_and_fitted_on_request() -> None:
    asked: list[str] = []

    def fetch(url: str) -> bytes:
        asked.append(url)
        return file_of(halves(2100, 30), "BMP")

    (sent,), (change,) = fit(from_url("http://example.org/a.bmp"), "anthropic", fetch=fetch)
    assert asked == ["http://example.org/a.bmp"]
    assert decoded(sent).width < 2100
    assert change["what"].endswith("fetched")


def test_a_fetch_that_fails_is_an_error_without_a_payload() -> None:
    def fetch(url: str) -> bytes:
        raise OSError("no route")

    with pytest.raises(SourceError, match="OSError"):
        fit(from_url("http://example.org/a.bmp"), "anthropic", fetch=fetch)


def test_what_a_target_never_takes_is_a_placeholder() -> None:
    (sent,), (change,) = fit(small(), "openai", model="gpt-audio")
    assert str(sent.get("text")).startswith("[unsupported image part (image/png, ")
    assert change["what"] == "replaced by a placeholder: openai/gpt-audio takes no pictures"


def test_many_images_make_each_smaller() -> None:
    wide = part_of(halves(60, 20))
    assert fit([wide] * 2, "safe", limits=ONE_AT_MOST)[1] == []
    assert [decoded(part).width for part in fit([wide] * 3, "safe", limits=ONE_AT_MOST)[0]] == [32] * 3
    assert decoded(fit(wide, "safe", limits=ONE_AT_MOST, images_before=2)[0][0]).width == 32


def test_slices_count_as_images() -> None:
    tall = part_of(photo(50, 400), "BMP")
    parts, _ = fit(tall, "safe", limits=ONE_AT_MOST, tall="slice")
    assert 2 < len(parts) <= 8
    assert max(max(decoded(part).size) for part in parts) <= 32


def test_too_many_images_are_an_error_that_says_how_many() -> None:
    with pytest.raises(LimitError, match=r"8 images.* 10, 2 too many") as caught:
        fit([small()] * 3, "safe", images_before=7)
    assert (caught.value.code, caught.value.limit, caught.value.actual) == ("too-large", 8, 10)


def test_a_request_over_its_bytes_shrinks_the_largest_pictures_first() -> None:
    big, little = part_of(photo(700, 500), "JPEG", quality=95), small()
    total = {"bytes": len(str(big.get("data"))) * 2 // 3}
    parts, changes = fit([big, little], "safe", limits={"totals": total})
    assert parts[1] is little
    assert [change["source"] for change in changes] == [0]
    assert 0.5 * total["bytes"] < sum(len(str(part.get("data"))) for part in parts) <= total["bytes"]


def test_a_request_that_no_picture_makes_lighter_is_an_error() -> None:
    with pytest.raises(LimitError, match="more than one request"):
        fit([text_part("x" * 200), small()], "safe", limits={"totals": {"bytes": 100}})


@settings(deadline=None)
@given(st.lists(st.integers(1, 1000), min_size=1), st.integers(0, 5000))
def test_the_water_line_fits_and_wastes_less_than_a_byte_a_picture(sizes: list[int], room: int) -> None:
    line = _water_line(sizes, room)
    total = sum(min(size, line) for size in sizes)
    assert total <= room
    assert total == sum(sizes) or line >= max(sizes) or room - total < len(sizes)


def test_change_dicts_are_json() -> None:
    import json

    _, changes = fit([large()], "anthropic")
    assert json.loads(json.dumps(changes)) == changes


def test_a_hand_written_change_is_enough_for_coordinates() -> None:
    change: Change = {"index": 0, "source": 0, "what": "", "before": {}, "after": {}, "transform": [2, 0, 10, 0, 4, 0]}
    assert to_original(change, 5, 5) == (20, 20)
    assert to_sent(change, 20, 20) == (5, 5)
