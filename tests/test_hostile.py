"""Hostile objects, files and surroundings: only a ``MediaError`` or a failure comes of them, soon, and no payload."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests._make import JPEG, PAYLOAD, PDF, PNG, image_part, is_clean, leaks
from toolnexus_media import content, native, part, probe, sniff, source, tool
from toolnexus_media.errors import MediaError, SourceError
from toolnexus_media.source import _files


def boom(*_: object, **__: object) -> Any:
    raise ZeroDivisionError


class FailingClass:
    __class__ = property(boom)  # pyright: ignore[reportIncompatibleMethodOverride]  # lying is the point


class FailingEverywhere:
    __getattribute__ = boom


class FailingPath(os.PathLike[str]):
    __fspath__ = boom


class FailingText(str):
    __contains__ = strip = partition = __len__ = __getitem__ = __str__ = __eq__ = boom
    __hash__ = str.__hash__


class FailingBytes(bytes):
    __bytes__ = __len__ = boom


class FailingDict(dict[str, Any]):
    items = values = get = __getitem__ = __contains__ = __iter__ = boom


class FailingMeta(type):
    __name__ = property(boom)  # pyright: ignore[reportAssignmentType]  # failing is the point
    __getattr__ = boom


def failing_type() -> object:
    """Made here, so that no collector of tests meets the class."""
    return FailingMeta("FailingType", (), {})()


class LyingText:
    __class__ = str  # type: ignore[assignment]  # that is the attack


class LyingDict:
    __class__ = dict  # type: ignore[assignment]  # that is the attack


OBJECTS: list[Any] = [
    FailingClass(),
    FailingEverywhere(),
    FailingPath(),
    FailingText("a:b"),
    FailingBytes(PNG),
    FailingDict(image_part()),
    failing_type(),
    LyingText(),
    LyingDict(),
    {"type": FailingText("image"), "mimeType": FailingText("image/png"), "data": FailingText(PAYLOAD)},
    {"type": "text", "text": 5},
    {"type": "text", "text": FailingEverywhere()},
    {"type": "file", "mimeType": "text/plain", "data": "aGk=", "name": FailingClass()},
]
CALLS = (
    content.attach, content.caption, content.describe_part, content.estimate_tokens, content.excerpt,
    content.from_base64, content.from_bytes, content.from_data_url, content.from_file, content.from_image,
    content.from_stream, content.from_url, content.image_file, content.part_bytes, content.part_data,
    content.placeholder, content.summarize_part, content.text_part, content.to_image, part.is_part, probe.probe,
    sniff.sniff, source.fetch, tool.media,
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
@pytest.mark.parametrize("number", range(len(OBJECTS)))
def test_an_object_that_fails_or_lies_causes_nothing_but_a_media_error(call: Any, number: int) -> None:
    said = ""
    try:
        call(OBJECTS[number])
    except MediaError as error:
        said = str(error)
    assert is_clean(said)


@pytest.mark.parametrize("number", range(len(OBJECTS)))
def test_execute_makes_a_result_of_whatever_stands_anywhere(number: int) -> None:
    odd = OBJECTS[number]
    tools = tool.toolkit([tool.tool("t", lambda _: odd), native.native_tool(lambda: [odd, {"a": odd}], name="n")])
    for result in (
        tool.execute(tools, "t", {}),
        tool.execute(tools, "n", {}),
        tool.execute(tools, odd, {}),
        tool.execute(odd, "t", {}),
        tool.execute({"tools": {"t": odd}, "sources": {}}, "t", odd),
    ):
        assert dict.__contains__(result, "output") or result is odd


def test_a_part_is_read_past_the_methods_of_a_dict_subclass() -> None:
    assert dict(content.attach(FailingDict(image_part()))) == image_part()


def test_a_string_in_a_part_is_a_plain_string() -> None:
    made = part.validate_part({"type": "text", "text": FailingText("hi")})
    assert [type(value) for value in made.values()] == [str, str]


def test_a_repr_that_fails_is_replaced_by_the_type() -> None:
    shown = repr(tool.success("x", {"big": 10**5000, "odd": FailingEverywhere(), "picture": image_part()}))
    assert "'big': <int>, 'odd': <FailingEverywhere>" in shown
    assert not leaks(shown)


def test_a_stream_whose_chunks_never_say_they_are_empty_ends() -> None:
    class Full(bytes):
        def __len__(self) -> int:
            return 1

    class Stream:
        def read(self, _: int) -> bytes:
            return Full()

    with pytest.raises(SourceError):
        content.attach(Stream())


def test_facts_that_are_no_numbers_are_left_out_of_a_caption() -> None:
    facts = {"width": None, "height": 8, "pages": 10**5000, "duration": float("nan"), "channels": "2", "title": "a\nb"}
    assert content.caption(image_part(), facts).endswith('bytes), "a b"')  # type: ignore[arg-type]


def test_an_array_is_measured_before_it_is_copied() -> None:
    numpy = pytest.importorskip("numpy")
    with pytest.raises(MediaError) as caught:
        content.attach(numpy.broadcast_to(numpy.uint8(0), (10**6, 10**6)))
    assert caught.value.code == "too-many-pixels"


def test_the_frames_of_an_open_animation_count_together() -> None:
    from PIL import Image

    file = io.BytesIO()
    first, *rest = (Image.new("L", (20, 20), 60 * number) for number in range(4))
    first.save(file, "GIF", save_all=True, append_images=rest)
    with Image.open(file) as opened, pytest.raises(MediaError) as caught:
        content.attach(opened, max_pixels=1599)
    assert caught.value.code == "too-many-pixels"


def test_a_jpeg_with_more_exif_than_cameras_write_is_refused() -> None:
    block = b"\xff\xe1\x00\x08Exif\0\0"
    with pytest.raises(MediaError):
        content.attach(JPEG[:2] + block * 65 + JPEG[2:])
    assert content.attach(JPEG[:2] + block * 2 + JPEG[2:])["type"] == "image"


@pytest.mark.parametrize("name", ["punycode", "idna", "unicode_escape", "raw_unicode_escape", "zlib", "no-such"])
def test_a_page_cannot_choose_a_codec_that_is_no_charset(name: str) -> None:
    page = f"<html><meta charset={name}><p>caf".encode() + b"\xe9 \\u0041</html>"
    assert content.excerpt(content.attach(page, name="a.html")) == "café \\u0041"


def test_an_rtf_with_a_code_page_that_does_not_exist_is_read() -> None:
    assert "é" in content.excerpt(content.attach(rb"{\rtf1\ansi\ansicpg125 caf\'e9}", name="a.rtf"))


def test_a_long_name_of_wide_letters_can_be_saved(tmp_path: Path) -> None:
    content.save_part(content.text_part("x"), tmp_path / ("\u3042" * 80))
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"x"]


def test_an_interrupted_save_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        content.save_part(content.text_part("x"), tmp_path / "a")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.open not in os.supports_dir_fd, reason="folders cannot be walked by descriptor here")
def test_a_folder_swapped_for_a_link_after_the_check_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, outside = tmp_path / "root" / "a", tmp_path / "out"
    for folder in (inside, outside):
        folder.mkdir(parents=True)
        (folder / "f").write_text(folder.name)
    real = _files.confine

    def swap(path: str, root: str) -> str:
        found = real(path, root)
        inside.rename(tmp_path / "root" / "b")
        inside.symlink_to(outside)
        return found

    monkeypatch.setattr(_files, "confine", swap)
    with pytest.raises(SourceError):
        content.attach(inside / "f", root=tmp_path / "root")


@pytest.mark.parametrize(
    "address", ["fec0::1", "192.0.0.192", "168.63.129.16", "192.88.99.1", "3fff::1", "5f00::1", "?"]
)
def test_an_address_that_some_tables_call_global_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(2, 1, 6, "", (address, 80))])
    with pytest.raises(SourceError) as caught:
        source.fetch("http://example.org/")
    assert caught.value.code == "refused-address"


@pytest.mark.parametrize("timeout", [float("inf"), float("nan"), 1e300])
def test_a_timeout_without_end_is_a_long_one(timeout: float) -> None:
    with pytest.raises(SourceError) as caught:
        source.fetch("http://127.0.0.1/", timeout=timeout)
    assert caught.value.code == "refused-address"


def test_lists_that_hold_each_other_twice_are_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native._Found, "left", 1000)
    value: list[Any] = []
    for _ in range(60):
        value = [value, value]
    assert native.execute_native(native.native_tool(lambda: value, name="x"), {})["isError"]


@pytest.mark.parametrize("odd", [None, b"/x", 5])
def test_an_odd_entry_of_the_module_path_does_not_matter(odd: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, odd])
    assert content.caption(content.attach(PDF)).startswith("file (application/pdf")


def test_an_interpreter_named_in_bytes_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", b"/nowhere/python3")
    assert content.caption(content.attach(PDF)).startswith("file (application/pdf")


def _cli(line: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m toolnexus_media.cli.__main__ {line}"
    return subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.skipif(os.name != "posix", reason="shell redirections")
@pytest.mark.parametrize(
    "line", ["describe - <&-", "doctor <&- >&- 2>&-", "describe /nowhere 2>&-", "probe /nowhere >&-"]
)
def test_a_closed_stream_is_no_traceback(line: str) -> None:
    assert "Traceback" not in _cli(line).stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_is_one_line() -> None:
    done = _cli("doctor > /dev/full")
    assert (done.returncode, done.stderr.count("\n"), "Traceback" in done.stderr) == (1, 1, False)


@pytest.mark.skipif(os.name != "posix", reason="started by a shell")
@pytest.mark.parametrize(
    "line", ["{}", "describe {}", "describe x --jobs {}", "describe x --bogus={}", "attach {} --json"]
)
def test_a_payload_on_the_command_line_is_not_repeated(line: str) -> None:
    done = _cli(line.format("iVBORw0KGgo" * 12))
    assert done.returncode
    assert not leaks(done.stdout + done.stderr, "iVBORw0KGgo" * 2)
