"""SVG: cleaned of all that reaches outside, and drawn at the target's size."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests._fitting import job, pictures, without
from toolnexus_media.content import to_image
from toolnexus_media.errors import CorruptMediaError, MissingExtraError
from toolnexus_media.fit import _svg_draw
from toolnexus_media.fit._job import Outcome
from toolnexus_media.fit.svg import clean, fit_svg, rasterise
from toolnexus_media.part import make_part
from toolnexus_media.probe import _child
from toolnexus_media.types import ContentPart

NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
RED = (255, 0, 0, 255)


def drawing(inner: str, attributes: str = 'width="40" height="20"') -> bytes:
    return f"<svg {NS} {attributes}>{inner}</svg>".encode()


def png(colour: str = "red") -> bytes:
    out = BytesIO()
    Image.new("RGB", (4, 4), colour).save(out, "PNG")
    return out.getvalue()


def embedded(data: bytes, mime: str = "image/png") -> str:
    return f"data:{mime};base64,{b64encode(data).decode()}"


def part(data: bytes) -> ContentPart:
    return make_part(data, "image/svg+xml")


def drawn(inner: str, **caps: int) -> Image.Image:
    return rasterise(drawing(inner), **{"max_side": 8000, "max_pixels": 1_000_000, **caps})


def inside(inner: str, **options: Any) -> str:
    """What is left of the inner part of a drawing."""
    return clean(drawing(inner), **options).decode().partition('height="20">')[2].removesuffix("</svg>")


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ('<image href="/etc/passwd"/>', "<image></image>"),
        ('<image xlink:href="file:///etc/passwd"/>', "<image></image>"),
        ('<image href="https://example.org/a.png"/>', "<image></image>"),
        ('<use xlink:href="other.svg#a"/>', "<use></use>"),
        ('<use href="#a"/>', '<use href="#a"></use>'),
        ('<a href="javascript:alert(1)">x</a>', "<a>x</a>"),
        ("<script>alert(1)</script><g/>", "<g></g>"),
        ('<g onclick="alert(1)" OnLoad="x"/>', "<g></g>"),
        ('<g xml:base="http://example.org/"/>', "<g></g>"),
        ("<foreignObject><p>x</p></foreignObject>", ""),
        ('<iframe src="x"/><g/>', "<g></g>"),
        (
            '<set attributeName="xlink:href" to="x"/><animate attributeName="x"/>',
            '<animate attributeName="x"></animate>',
        ),
        ('<rect fill="url(#a)"/>', '<rect fill="url(#a)"></rect>'),
        ('<rect fill="url(http://example.org/a#b)"/>', '<rect fill="none"></rect>'),
        ("<rect style=\"fill: URL( '/a.svg' ) red\"/>", '<rect style="fill: none red"></rect>'),
        ('<rect style="fill:u\\72l(/a)"/>', '<rect style="fill:none"></rect>'),
        ("<style>@import url(a.css); a{b:url(#c)}</style>", "<style> a{b:url(#c)}</style>"),
        ("<style>@\\69mport 'a.css';</style>", "<style></style>"),
        ("<style><![CDATA[a > b{src:url('x)y')}]]></style>", "<style>a &gt; b{src:none}</style>"),
        ("<style>a{b:src(x);c:image-set('x' 1x)}</style>", "<style>a{b:none;c:none}</style>"),
        ("<text>a &lt; b</text><!-- c -->", "<text>a &lt; b</text>"),
    ],
)
def test_only_what_stays_inside_is_left(given: str, left: str) -> None:
    assert inside(given) == left


@pytest.mark.parametrize(
    ("link", "stays"),
    [
        (embedded(png()), True),
        (embedded(png(), "image/jpeg"), True),
        (embedded(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"), False),
        (embedded(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), False),
        ("data:image/png;base64,AAAA", False),
        ("data:text/html,<b>", False),
        ("data:image/png;base64,???", False),
    ],
)
def test_pictures_inside_stay_by_their_bytes(link: str, stays: bool) -> None:
    assert (link in inside(f'<image href="{link.replace("<", "&lt;")}"/>')) is stays


def test_for_reading_pictures_go_and_words_in_html_stay() -> None:
    given = f'<image href="{embedded(png())}"/><foreignObject><p>Hello<script>x</script></p></foreignObject>'
    assert inside(given, embedded=False) == "<image></image><foreignObject><p>Hello</p></foreignObject>"


def test_a_drawing_without_a_namespace_gets_it() -> None:
    assert rasterise(b'<svg width="4" height="2"/>', max_side=9, max_pixels=99).size == (4, 2)


@pytest.mark.parametrize(
    "data",
    [
        b"<html/>",
        b"<svg>",
        b'<!DOCTYPE svg [<!ENTITY a SYSTEM "/etc/passwd">]><svg>&a;</svg>',
        b'<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><svg>&b;</svg>',
        b"<svg>" + b"<g>" * 2000 + b"</g>" * 2000 + b"</svg>",
    ],
    ids=["html", "open", "external entity", "entity bomb", "deep"],
)
def test_what_is_no_drawing_is_refused(data: bytes) -> None:
    with pytest.raises(CorruptMediaError):
        clean(data)


def test_a_local_file_is_not_read(tmp_path: Path) -> None:
    """The drawer reads such files by itself: what keeps it from it is the cleaning."""
    import resvg_py

    secret = tmp_path / "secret.png"
    secret.write_bytes(png())
    image = f'<image href="{secret}" width="40" height="20"/>'
    opened = Image.open(BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=drawing(image).decode()))))
    assert opened.getpixel((20, 10)) == RED
    assert drawn(image).getpixel((20, 10)) == (0, 0, 0, 0)
    assert drawn(image.replace(str(secret), embedded(png()))).getpixel((20, 10)) == RED


@pytest.mark.parametrize(
    ("attributes", "caps", "size"),
    [
        ('width="40" height="20"', (8000, 1_000_000), (40, 20)),
        ('width="30000" height="30000"', (1000, 1_000_000), (1000, 1000)),
        ('width="30000" height="30000"', (8000, 10_000), (100, 100)),
        ('width="30000" height="3"', (500, 10_000), (500, 1)),
        ('viewBox="0 0 40 20"', (20, 10_000), (20, 10)),
        ("", (600, 1_000_000), (600, 300)),
    ],
)
def test_the_size_is_the_stated_one_under_the_caps(
    attributes: str, caps: tuple[int, int], size: tuple[int, int]
) -> None:
    data = drawing('<rect width="40" height="20" fill="red"/>', attributes)
    image = rasterise(data, max_side=caps[0], max_pixels=caps[1])
    assert (image.size, image.mode) == (size, "RGBA")


def test_it_is_drawn_at_the_targets_grid_and_not_scaled_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = pictures(monkeypatch)
    data = drawing('<rect width="2000" height="4000" fill="red"/>', 'width="4000" height="4000"')
    (made,) = fit_svg(part(data), job())
    image = to_image(seen[0][0])
    assert image.size == (1092, 1092)
    assert [image.getpixel((x, 500)) for x in (545, 546)] == [RED, (0, 0, 0, 0)]
    assert said(made) == "SVG drawn at 1092x1092"
    assert made.step is not None
    assert made.step.scale == pytest.approx(4000 / 1092)
    assert made.step.transform == pytest.approx((4000 / 1092, 0, 0, 0, 4000 / 1092, 0))


def said(outcome: Outcome) -> str:
    assert outcome.step is not None
    return outcome.step.what


def test_an_icon_is_drawn_large_enough_to_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures(monkeypatch)
    (made,) = fit_svg(part(drawing("<g/>")), job())
    assert to_image(made.part).size == (512, 256)


def test_a_region_is_drawn_at_the_targets_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    """The region is told in units of the drawing, and comes to be cropped in pixels of what was drawn."""
    seen = pictures(monkeypatch)
    fit_svg(part(drawing("<g/>", 'width="400" height="200"')), job(region=(100, 0, 300, 100)))
    assert to_image(seen[0][0]).size == (1024, 512)
    assert seen[0][1].region == pytest.approx((256, 0, 768, 256))


def test_a_long_page_to_be_sliced_keeps_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = pictures(monkeypatch)
    fit_svg(part(drawing("<g/>", 'width="800" height="9000"')), job(tall="slice"))
    assert to_image(seen[0][0]).size == (800, 9000)


def test_a_target_that_takes_svg_gets_it() -> None:
    given = part(drawing("<g/>"))
    assert fit_svg(given, job("a2a"))[0].part is given


def test_a_target_that_sees_nothing_gets_the_cleaned_source() -> None:
    (made,) = fit_svg(part(drawing("<script>x</script><text>Hello</text>")), job(limits={"image": None}))
    assert made.part["type"] == "text"
    assert made.part["text"].startswith("SVG source:\n<svg ")
    assert "Hello" in made.part["text"]
    assert "script" not in made.part["text"]


def test_without_the_extra_the_source_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "resvg_py")
    (made,) = fit_svg(part(drawing("<g/>")), job())
    assert said(made) == "given as its source text, cleaned"
    with pytest.raises(MissingExtraError) as caught:
        drawn("<g/>")
    assert caught.value.extra == "svg"


NOISE = '<filter id="f"><feTurbulence baseFrequency=".1" numOctaves="1000000"/></filter>'
BUSY = f'{NOISE}<rect width="400" height="400" filter="url(#f)"/>'


def test_a_drawing_that_keeps_the_drawer_busy_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolnexus_media.fit.svg.SECONDS", 0.5)
    with pytest.raises(CorruptMediaError) as caught:
        drawn(BUSY)
    assert caught.value.code == "timeout"


def test_references_that_multiply_are_refused() -> None:
    groups = "".join(f'<g id="a{n + 1}">{f"<use href=%s#a{n}%s/>" * 12}</g>' % (('"',) * 24) for n in range(9))
    with pytest.raises(CorruptMediaError):
        drawn('<g id="a0"><rect width="5" height="5"/></g>' + groups)


def test_text_is_drawn_in_a_family_that_is_installed() -> None:
    """The drawer leaves out text whose family it does not find, and its own defaults are seldom there."""
    families = _svg_draw.fonts()
    if families == {"font_family": ""}:
        pytest.skip("no font is installed")
    assert drawn('<text y="18" font-size="20" font-family="No Such Family">Hello</text>').getbbox() is not None


def test_without_fonts_the_missing_text_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_svg_draw, "is_installed", lambda _family: False)
    assert _svg_draw.fonts() == {"font_family": ""}
    lines = run(drawing("<text>Hello</text>"), monkeypatch)
    assert lines == [{"fonts": False}]


def test_the_worker_says_what_it_cannot_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(run(b"<svg", monkeypatch)[0]) == ["refused"]
    assert run(drawing("<g/>"), monkeypatch)[-1] == {"fonts": True}


def run(data: bytes, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Run the worker here and keep what it says."""
    lines: list[dict[str, Any]] = []
    monkeypatch.setattr(_child, "given", lambda: data)
    monkeypatch.setattr(_child, "hand_over", lambda _data, **about: lines.append(about))
    monkeypatch.setattr(_child, "say", lambda **line: lines.append(line))
    _svg_draw.run({"width": None})
    return lines
