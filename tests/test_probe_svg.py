"""SVG: size and well-formedness, with nothing expanded and nothing loaded."""

from __future__ import annotations

import pytest

from toolnexus_media.errors import CorruptMediaError
from toolnexus_media.probe import image, svg

SVG = "image/svg+xml"


def refuse(data: bytes) -> CorruptMediaError:
    with pytest.raises(CorruptMediaError) as caught:
        image.verify(data, SVG, level="full", max_pixels=100)
    return caught.value


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('width="40" height="20"', (40, 20)),
        ('width="40px" height="20PX"', (40, 20)),
        ('width="1in" height="72pt"', (96, 96)),
        ('width="25.4mm" height="2.54cm"', (96, 96)),
        ('width="2em" height="1pc"', (32, 16)),
        ('viewBox="0 0 40 20"', (40, 20)),
        ('viewBox="0,0,40,20" width="100%" height="100%"', (40, 20)),
        ('viewBox="0 0 40 20" width="80"', (80, 40)),
        ('viewBox="0 0 40 20" height="10"', (20, 10)),
        ('width=".2" height="0.9"', (1, 1)),
        ('width="4e1" height="20"', (40, 20)),
    ],
)
def test_size_from_width_height_and_view_box(attributes: str, size: tuple[int, int]) -> None:
    found = image.facts(f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}/>'.encode(), SVG)
    assert (found.get("width"), found.get("height")) == size


@pytest.mark.parametrize(
    "attributes",
    ["", 'width="x" height="1"', 'viewBox="0 0 0 0"', 'viewBox="0 0 nan inf"', 'width="1e99" height="1"', 'width="-3"'],
)
def test_no_size_where_none_is_stated(attributes: str) -> None:
    assert image.facts(f"<svg {attributes}/>".encode(), SVG) == {}


def test_a_prefixed_root_and_other_encodings_are_read() -> None:
    text = '<?xml version="1.0" encoding="UTF-16"?><s:svg xmlns:s="http://www.w3.org/2000/svg" width="4" height="2"/>'
    assert image.facts(text.encode("utf-16"), SVG) == {"width": 4, "height": 2}
    image.verify(text.encode("utf-16"), SVG, level="full", max_pixels=100)


def test_the_size_is_known_though_the_tail_is_missing() -> None:
    data = b'<svg width="4" height="2"><g'
    assert image.facts(data, SVG) == {"width": 4, "height": 2}
    image.verify(data, SVG, level="header", max_pixels=100)
    assert refuse(data).code == "truncated"


def test_another_root_is_refused() -> None:
    assert refuse(b"<html></html>").code == "corrupt"
    assert image.facts(b'<html width="1" height="1"/>', SVG) == {}


def test_billion_laughs_is_refused() -> None:
    rows = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    data = f'<!DOCTYPE svg [<!ENTITY l0 "ha">{rows}]><svg width="1" height="1">&l9;</svg>'.encode()
    assert refuse(data).code == "corrupt"
    assert image.facts(data, SVG) == {}


def test_external_entities_are_refused() -> None:
    data = b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>'
    assert "external" in str(refuse(data))


def test_a_drawing_program_s_namespace_entities_pass() -> None:
    data = b'<!DOCTYPE svg [<!ENTITY ns "http://ns.example/1.0/">]><svg xmlns:x="&ns;" width="1" height="1"/>'
    image.verify(data, SVG, level="full", max_pixels=100)


def test_depth_is_bounded() -> None:
    assert "deep" in str(refuse(b"<svg>" + b"<g>" * 100_000))


def test_length_is_bounded() -> None:
    assert "bytes of XML" in str(refuse(bytes(svg._MAX_DATA + 1)))


def test_messages_hold_no_content() -> None:
    message = str(refuse(b"<svg>" + b"A" * 5000 + b"<"))
    assert "AAAA" not in message
    assert len(message) < 200
