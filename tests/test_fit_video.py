"""Films for a target: left alone, a sheet of frames, or the placeholder."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import av
import pytest
from PIL import Image

from tests._fitting import job, pictures, without
from toolnexus_media.content import to_image
from toolnexus_media.fit import _av_frames
from toolnexus_media.fit._job import Outcome
from toolnexus_media.fit.video import FRAMES, fit_video
from toolnexus_media.part import make_part
from toolnexus_media.probe import _child
from toolnexus_media.types import ContentPart

MP4 = "video/mp4"


def frame_of(image: Image.Image) -> Any:
    made: Any = av.VideoFrame
    return made.from_image(image)


def film(frames: int, *, rate: int = 10, size: tuple[int, int] = (64, 48), every: int = 5) -> bytes:
    """A film whose frames go from black to white, a key frame ``every`` few."""
    out = BytesIO()
    with av.open(out, "w", format="mp4") as target:
        stream: Any = target.add_stream("mpeg4", rate=rate)
        stream.width, stream.height, stream.pix_fmt, stream.gop_size = *size, "yuv420p", every
        for number in range(frames):
            grey = 255 * number // max(1, frames - 1)
            image = Image.new("RGB", size, (grey, grey, grey))
            target.mux(stream.encode(frame_of(image)))
        target.mux(stream.encode(None))
    return out.getvalue()


@pytest.fixture(scope="module")
def short() -> bytes:
    return film(30)


def part(data: bytes, mime: str = MP4) -> ContentPart:
    return make_part(data, mime, "film.mp4")


def only(outcomes: list[Outcome]) -> Outcome:
    assert len(outcomes) == 1
    return outcomes[0]


def said(outcome: Outcome) -> str:
    assert outcome.step is not None
    return outcome.step.what


@pytest.mark.parametrize(
    ("provider", "mime"),
    [("gemini", MP4), ("gemini", "video/x-msvideo"), ("bedrock", "video/webm"), ("mcp", "video/ogg")],
)
def test_a_film_that_is_taken_is_left_alone(provider: str, mime: str) -> None:
    """By whatever name of the type the target's list has."""
    given = make_part(b"....ftypisom", mime)
    assert only(fit_video(given, job(provider))).part is given


def test_elsewhere_frames_from_all_of_it_stand_on_one_sheet(monkeypatch: pytest.MonkeyPatch, short: bytes) -> None:
    seen = pictures(monkeypatch)
    made = only(fit_video(part(short), job()))
    image = to_image(seen[0][0])
    assert image.size == (4 * 68 - 4, 3 * 52 - 4)
    assert said(made).startswith(f"{FRAMES} frames of the film, 4 in a row, left to right, top to bottom, at 0.1, 0.3")
    greys = [light(image, column, row) for row in range(3) for column in range(4)]
    assert greys == sorted(greys)
    assert greys[0] < 30 < 225 < greys[-1]


def light(image: Image.Image, column: int, row: int) -> int:
    value = image.convert("L").getpixel((column * 68 + 32, row * 52 + 24))
    assert isinstance(value, int)
    return value


def test_a_film_over_the_caps_becomes_a_sheet(monkeypatch: pytest.MonkeyPatch, short: bytes) -> None:
    pictures(monkeypatch)
    for limits, options in (({"max_bytes": 99}, {}), ({"max_seconds": 2}, {}), ({}, {"max_seconds": 1.0})):
        made = only(fit_video(part(short), job("gemini", {"video": limits} if limits else None, **options)))
        assert made.part["type"] == "image"


def test_a_long_film_is_looked_at_by_its_key_frames() -> None:
    taken = _av_frames.frames(film(30, rate=1, every=2), MP4, 6, 600)
    assert len(taken) == 6
    assert [time for time, _ in taken] == sorted({time for time, _ in taken})
    assert taken[-1][0] > 24


def test_few_frames_are_all_taken() -> None:
    picture, about = _av_frames.sheet(film(1), MP4, 12, 1000)
    assert (about["times"], about["across"]) == ([0.0], 1)
    assert Image.open(BytesIO(picture)).size == (64, 48)


def test_frames_are_made_smaller_and_never_larger() -> None:
    wide = _av_frames.frames(film(2, size=(640, 320)), MP4, 4, 400)
    assert {tile.size for _, tile in wide} == {(200, 100)}


def test_too_many_pixels_are_not_decoded(monkeypatch: pytest.MonkeyPatch, short: bytes) -> None:
    monkeypatch.setattr(_av_frames, "MAX_FRAME", 1000)
    with pytest.raises(ValueError, match="too many pixels"):
        _av_frames.frames(short, MP4, 4, 400)


def test_a_target_that_sees_nothing_gets_the_placeholder(short: bytes) -> None:
    made = only(fit_video(part(short), job(limits={"image": None})))
    assert said(made) == "replaced by a placeholder: anthropic/standard takes no video/mp4"


def test_without_the_extra_the_placeholder_names_it(monkeypatch: pytest.MonkeyPatch, short: bytes) -> None:
    without(monkeypatch, "av")
    assert said(only(fit_video(part(short), job()))).endswith("pip install 'toolnexus-media[audio]'")


@pytest.mark.parametrize(
    "data", [b"\0\0\0\x18ftypisom" + bytes(99), b"#EXTM3U\nfile:///etc/hostname\n"], ids=["head", "list"]
)
def test_what_has_no_frames_is_a_placeholder(data: bytes) -> None:
    made = only(fit_video(part(data), job()))
    assert said(made) == "replaced by a placeholder: no frames of the video/mp4 could be decoded"


def test_a_damaged_film_shows_what_can_be_decoded(short: bytes) -> None:
    broken = bytearray(short)
    broken[300:400] = bytes(100)
    assert _av_frames.frames(bytes(broken), MP4, 4, 400)


def test_the_worker_hands_the_sheet_over_or_says_why_not(monkeypatch: pytest.MonkeyPatch, short: bytes) -> None:
    assert run(short, monkeypatch) == {"times": [0.2, 1.0, 1.8, 2.6], "across": 2}
    assert list(run(b"nothing", monkeypatch)) == ["refused"]


def run(data: bytes, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the worker here; the last thing it says."""
    lines: list[dict[str, Any]] = []
    monkeypatch.setattr(_child, "given", lambda: data)
    monkeypatch.setattr(_child, "hand_over", lambda _data, **about: lines.append(about))
    monkeypatch.setattr(_child, "say", lambda **line: lines.append(line))
    _av_frames.run({"mime": MP4, "frames": 4, "side": 400})
    return lines[-1]
