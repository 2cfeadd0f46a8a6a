"""Every kind of source gives its bytes or one typed error, never a hang, never a payload in a message."""

from __future__ import annotations

import io
import mmap
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests._make import PAYLOAD, PNG, check, leaks, refused
from toolnexus_media import content, source
from toolnexus_media.errors import MediaError, SourceError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shot.png"
    path.write_bytes(PNG)
    return path


class Fspath:
    def __init__(self, path: Any) -> None:
        self.path = path

    def __fspath__(self) -> Any:
        if isinstance(self.path, Exception):
            raise self.path
        return self.path


# --- paths -----------------------------------------------------------------------------------------------------------


def test_paths_of_every_kind(file: Path) -> None:
    for item in (
        str(file),
        file,
        Fspath(str(file)),
        Fspath(os.fsencode(file)),
        file.as_uri(),
        f"file://localhost{file}",
    ):
        assert content.part_data(content.attach(item)) == PNG


def test_a_file_url_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "a b#é.png"
    path.write_bytes(PNG)
    assert (
        content.part_data(content.attach(path.as_uri().upper().replace(path.as_uri()[5:].upper(), path.as_uri()[5:])))
        == PNG
    )


def test_a_file_url_of_another_machine_is_refused() -> None:
    refused("file://server/share/a.png", "unsupported-source")


def test_from_file_takes_a_name_that_looks_like_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("http:").mkdir()
    Path("http:/a.png").write_bytes(PNG)
    assert content.part_data(content.from_file("http:/a.png")) == PNG
    Path("data:,x").write_bytes(PNG)
    assert content.part_data(content.from_file("data:,x")) == PNG


@pytest.mark.parametrize("bad", [Fspath(3), Fspath(ValueError("x")), Fspath(None)])
def test_a_path_object_that_fails_is_a_source_error(bad: Any) -> None:
    refused(bad, "unsupported-source")


@pytest.mark.parametrize(
    "name", ["no.png", "a\x00b.png", "a\ud800.png", "x" * 300, "d/" * 3000 + "a", "shot.png/inside", ""]
)
def test_what_is_not_there_is_not_found(name: str, file: Path) -> None:
    message = refused(f"{file.parent}/{name}" if name else "", "not-found")
    assert "text_part" in message
    assert "from_base64" in message


@pytest.mark.parametrize(
    "text", ["a line of text", "two\nlines", "{'json': 1}", "x: y", "data: {'a': 1}", "data: [DONE]", "data:", "data"]
)
def test_text_is_never_guessed(text: str) -> None:
    assert "text_part" in refused(text, "not-found")


def test_no_path_at_all_is_told_as_such() -> None:
    assert refused("", "not-found").startswith("no such file: ''; ")


@pytest.mark.parametrize("size", [56, 92, 112, 4000, 4_000_000])
def test_base64_passed_as_a_path_is_not_quoted(size: int) -> None:
    text = (PAYLOAD[8:104] * (size // 96 + 1))[:size]
    message = refused(text, "not-found")
    assert not leaks(message, text[:300])


def test_a_long_honest_path_is_told() -> None:
    path = "/no/some_project-folder/deeply/nested/and/even/deeper/without/any/dot/in/it/whatsoever/picture"
    assert path in refused(path, "not-found")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert "folder" in refused(tmp_path, "not-a-file")


def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "pipe" in refused(tmp_path / "pipe", "not-a-file")


def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path is at most a hundred characters
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        assert "socket" in refused("s", "not-a-file")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_refused(device: str) -> None:
    assert "device" in refused(device, "not-a-file")


CHILD = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from toolnexus_media import MediaError, attach
from toolnexus_media.probe import probe
from toolnexus_media.sniff import sniff
for path in sys.argv[1:]:
    for function in (attach, probe):
        try:
            function(path)
            print("accepted", path)
        except MediaError as error:
            print(error.code)
"""


def test_what_could_hang_or_fill_the_memory_is_refused_at_once(tmp_path: Path) -> None:
    """In a child with a deadline and a gigabyte: a folder, a pipe, an endless device and a sparse 4 GB file."""
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "sparse").open("wb") as stream:
        stream.truncate(4 << 30)
    paths = [str(tmp_path), str(tmp_path / "pipe"), "/dev/zero", str(tmp_path / "sparse")]
    done = subprocess.run([sys.executable, "-c", CHILD, *paths], capture_output=True, text=True, timeout=10, check=True)
    assert done.stdout.split() == ["not-a-file"] * 6 + ["too-large"] * 2


def test_links_are_followed_and_a_loop_is_an_error(file: Path) -> None:
    (file.parent / "link").symlink_to(file)
    (file.parent / "loop").symlink_to("loop")
    assert content.part_data(content.attach(file.parent / "link")) == PNG
    refused(file.parent / "loop", "unreadable")


def test_an_empty_file_is_empty(tmp_path: Path) -> None:
    (tmp_path / "empty.png").touch()
    assert "empty.png" in refused(tmp_path / "empty.png", "empty")


def test_a_file_over_the_limit_is_refused_and_one_at_it_is_not(file: Path) -> None:
    assert content.attach(file, max_bytes=82)
    assert "82" in refused(file, "too-large", max_bytes=81)


def test_a_kernel_file_that_says_it_has_no_size_is_read() -> None:
    assert source.from_path("/proc/self/status").data
    refused("/proc/self/status", "too-large", max_bytes=3)


def test_a_file_that_grows_while_it_is_read_stops_at_the_limit(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, asked = os.read, []

    def grown(fd: int, count: int) -> bytes:
        asked.append(count)
        real(fd, count)
        return b"x" * count

    monkeypatch.setattr(os, "read", grown)
    refused(file, "too-large", max_bytes=1000)
    assert sum(asked) <= 1001


def test_a_file_that_shrank_gives_what_is_there(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, seen = os.read, []

    def half(fd: int, count: int) -> bytes:
        seen.append(count)
        return real(fd, count)[:7] if len(seen) == 1 else b""

    monkeypatch.setattr(os, "read", half)
    assert source.from_path(file).data == PNG[:7]


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), BlockingIOError(11, "Again")])
def test_a_file_that_fails_while_it_is_read_is_unreadable(
    error: OSError, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise error

    monkeypatch.setattr(os, "read", fail)
    refused(file, "unreadable")


def test_a_big_file_is_read_once_and_right(tmp_path: Path) -> None:
    raw = PNG + b"\0" * (17 << 20)
    (tmp_path / "big").write_bytes(raw)
    assert content.part_data(content.attach(tmp_path / "big", verify="none")) == raw


def test_no_descriptor_is_left_open(file: Path, tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for path in (file, tmp_path, tmp_path / "no"):
        for limit in (10, 100):
            with pytest.raises(SourceError) if path != file or limit == 10 else open(os.devnull):
                content.attach(path, max_bytes=limit)
    assert len(os.listdir("/proc/self/fd")) == before


# --- root ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def jail(tmp_path: Path) -> Path:
    (tmp_path / "secret.png").write_bytes(PNG)
    (tmp_path / "jail-break").mkdir()
    (tmp_path / "jail-break" / "a.png").write_bytes(PNG)
    root = tmp_path / "jail"
    (root / "sub").mkdir(parents=True)
    (root / "in.png").write_bytes(PNG)
    (root / "out").symlink_to(tmp_path / "secret.png")
    (root / "up").symlink_to(tmp_path)
    (root / "inner").symlink_to(root / "in.png")
    return root


@pytest.mark.parametrize(
    "path",
    [
        "../secret.png",
        "out",
        "up/secret.png",
        "sub/../../secret.png",
        "../jail-break/a.png",
        "/etc/passwd",
        "/dev/zero",
    ],
)
def test_root_confines_whatever_the_path_says(path: str, jail: Path) -> None:
    refused(path, "outside-root", root=jail)
    refused(str(jail / path), "outside-root", root=str(jail))
    refused(Path(path), "outside-root", root=jail)
    refused((jail / path).as_uri(), "outside-root", root=jail)


def test_a_message_tells_the_path_as_it_was_given_and_not_where_root_is(jail: Path) -> None:
    assert "gone.png;" in refused("sub/../gone.png", "not-found", root=jail)
    assert str(jail) not in refused("sub/../gone.png", "not-found", root=jail)


@pytest.mark.parametrize("path", ["in.png", "./in.png", "sub/../in.png", "inner"])
def test_what_is_inside_root_is_taken(path: str, jail: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for root in (jail, str(jail), f"{jail}/", jail / "sub" / ".."):
        assert content.attach(path, root=root)
        assert content.attach(str(jail / path), root=root)
        assert content.from_file(path, root=root)
        assert content.image_file(path, root=root)
    monkeypatch.chdir(jail)
    assert content.attach(path, root=".")


def test_root_may_be_a_link_itself(jail: Path) -> None:
    (jail.parent / "linked").symlink_to(jail)
    assert content.attach("in.png", root=jail.parent / "linked")


def test_a_missing_file_inside_root_is_not_found_and_the_root_itself_no_file(jail: Path) -> None:
    refused("no.png", "not-found", root=jail)
    refused(str(jail), "not-a-file", root=jail)
    refused("a\x00b", "not-found", root=jail)


def test_root_does_not_touch_bytes_and_urls(jail: Path) -> None:
    assert content.attach(PNG, root=jail)
    assert content.attach("https://example.org/a.png", root=jail)
    assert content.attach(f"data:image/png;base64,{PAYLOAD}", root=jail)


# --- bytes -----------------------------------------------------------------------------------------------------------


def _strided() -> memoryview:
    return memoryview(bytes(byte for pair in zip(PNG, PNG, strict=True) for byte in pair))[::2]


@pytest.mark.parametrize(
    "make",
    [
        lambda: PNG,
        lambda: bytearray(PNG),
        lambda: memoryview(PNG),
        _strided,
        lambda: memoryview(PNG).cast("B", (2, 41)),
    ],
)
def test_bytes_of_every_kind(make: Any) -> None:
    assert content.part_data(content.attach(make())) == PNG
    assert content.part_data(content.from_bytes(make())) == PNG


@pytest.mark.parametrize("make", [lambda: mmap.mmap(-1, 82), lambda: __import__("array").array("B", PNG)])
def test_from_bytes_takes_any_buffer(make: Any) -> None:
    buffer = make()
    if isinstance(buffer, mmap.mmap):
        buffer.write(PNG)
    assert content.part_data(content.from_bytes(buffer)) == PNG


def test_from_bytes_takes_a_flat_array_of_encoded_bytes() -> None:
    numpy = pytest.importorskip("numpy")
    assert content.part_data(content.from_bytes(numpy.frombuffer(PNG, numpy.uint8))) == PNG


@pytest.mark.parametrize("bad", ["text", None, 3, [1], {"a": 1}, {1}, object(), (b"a",)])
def test_from_bytes_takes_nothing_else(bad: Any) -> None:
    with pytest.raises(SourceError) as caught:
        content.from_bytes(bad)
    assert caught.value.code == "unsupported-source"


def test_bytes_over_the_limit_and_no_bytes_are_refused() -> None:
    assert content.attach(PNG, max_bytes=82)
    for item in (PNG, bytearray(PNG), _strided()):
        refused(item, "too-large", max_bytes=81)
    for empty in (b"", bytearray(), memoryview(b"")):
        refused(empty, "empty")


def test_a_released_view_is_unreadable() -> None:
    view = memoryview(PNG)
    view.release()
    refused(view, "unreadable")


# --- streams ---------------------------------------------------------------------------------------------------------


class Dribble(io.RawIOBase):
    """Gives a few bytes at a time and counts what was asked."""

    def __init__(self, data: bytes, step: int) -> None:
        self.data, self.step, self.at, self.given = data, step, 0, 0

    def read(self, size: int = -1) -> bytes:
        piece = self.data[self.at : self.at + min(self.step, size)]
        self.at += len(piece)
        self.given += len(piece)
        return piece


def test_a_buffer_just_written_and_left_at_its_end_is_read_from_the_start() -> None:
    buffer = io.BytesIO()
    buffer.write(PNG)
    assert content.part_data(content.attach(buffer)) == PNG
    assert not buffer.closed


def test_a_stream_is_read_from_where_it_stands(file: Path) -> None:
    buffer = io.BytesIO(b"junk" + PNG)
    buffer.seek(4)
    assert content.part_data(content.attach(buffer)) == PNG
    with file.open("rb") as stream:
        part = content.attach(stream)
        assert not stream.closed
    assert content.part_data(part) == PNG


def test_an_open_files_name_is_a_hint(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("words")
    with (tmp_path / "a.md").open("rb") as stream:
        assert content.attach(stream) == content.attach(tmp_path / "a.md")


def test_temporary_files_and_spools_are_streams() -> None:
    with tempfile.TemporaryFile() as plain, tempfile.SpooledTemporaryFile() as spool:
        for stream in (plain, spool):
            stream.write(PNG)
            assert content.part_data(content.attach(stream)) == PNG


@pytest.mark.parametrize("step", [1, 7, 82, 1000])
def test_a_stream_that_gives_little_at_a_time_is_read_to_its_end(step: int) -> None:
    assert content.part_data(content.attach(Dribble(PNG, step))) == PNG


def test_at_most_one_byte_over_the_limit_is_read() -> None:
    stream = Dribble(b"\0" * 10_000, 64)
    refused(stream, "too-large", max_bytes=1000)
    assert stream.given == 1001


def test_an_endless_stream_ends_at_the_limit() -> None:
    with open("/dev/zero", "rb") as stream:
        refused(stream, "too-large", max_bytes=5_000_000)


def test_an_empty_stream_is_empty() -> None:
    refused(io.BytesIO(), "empty")


def test_an_unseekable_stream_at_its_end_is_empty() -> None:
    reader, writer = os.pipe()
    os.write(writer, PNG)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        assert content.part_data(content.attach(stream)) == PNG
        refused(stream, "empty")


def test_a_text_stream_is_refused_with_the_way_out(file: Path) -> None:
    assert "'rb'" in refused(io.StringIO("text"), "unsupported-source")
    assert "'rb'" in refused(io.StringIO(""), "unsupported-source")
    with file.open("r", encoding="latin-1") as stream:
        assert "'rb'" in refused(stream, "unsupported-source")


def test_a_stream_that_would_block_is_unreadable() -> None:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with os.fdopen(reader, "rb", buffering=0) as stream:
        refused(stream, "unreadable")
    os.close(writer)


def test_a_closed_stream_is_unreadable() -> None:
    stream = io.BytesIO(PNG)
    stream.close()
    refused(stream, "unreadable")


def test_an_async_stream_is_refused_and_leaves_no_warning() -> None:
    class Upload:
        async def read(self, size: int = -1) -> bytes:
            return PNG

    refused(Upload(), "unsupported-source")


@pytest.mark.parametrize("bad", [None, 3, 1.5, object(), [PNG], (PNG,), {PNG}, io.BytesIO, Path, len])
def test_what_is_no_source_is_refused(bad: Any) -> None:
    refused(bad, "unsupported-source")


class Wicked:
    """Fails with the given error at the given operation, or gives the given thing."""

    def __init__(self, at: str, error: Any, after: int) -> None:
        self.__dict__.update(_at=at, _error=error, _after=after, _left=[PNG])

    def __getattr__(self, name: str) -> Any:
        if name == self._at + "!":
            raise self._error
        if name.startswith("_") or name not in {"read", "seek", "seekable", "tell", "name", "close"}:
            raise AttributeError(name)
        if name == self._at and self._after == 0:
            raise self._error
        return getattr(self, "do_" + name)

    def trip(self, name: str) -> None:
        if name == self._at:
            self.__dict__["_after"] -= 1
            if self._after < 0:
                raise self._error

    def do_read(self, size: int = -1) -> Any:
        self.trip("read")
        return self._left.pop() if self._left else b""

    def do_seek(self, *where: int) -> int:
        self.trip("seek")
        return 0

    def do_seekable(self) -> bool:
        self.trip("seekable")
        return True

    do_tell = do_close = do_name = do_seek


@given(
    st.sampled_from(["read", "seek", "seekable", "name", "tell"]),
    st.sampled_from(
        [
            OSError(5, "x"),
            ValueError("x"),
            RuntimeError(),
            TypeError(),
            KeyError("k"),
            EOFError(),
            MemoryError(),
            StopIteration(),
        ]
    ),
    st.integers(0, 3),
    st.booleans(),
)
def test_a_stream_that_fails_at_any_operation_gives_a_part_or_our_error(
    at: str, error: Exception, after: int, empty: bool
) -> None:
    stream = Wicked(at, error, after)
    if empty:
        stream._left.clear()
    try:
        assert content.part_data(content.attach(stream)) == PNG
    except MediaError as caught:
        check(caught, "unreadable", "unsupported-source", "empty")


@given(
    st.lists(
        st.none()
        | st.binary(max_size=20)
        | st.text(max_size=3)
        | st.integers()
        | st.builds(bytearray, st.binary(max_size=9))
    )
)
def test_a_stream_may_give_anything(chunks: list[Any]) -> None:
    class Odd:
        def __init__(self) -> None:
            self.left = list(chunks)

        def read(self, size: int) -> Any:
            return self.left.pop() if self.left else b""

    try:
        content.attach(Odd())
    except MediaError as caught:
        check(caught)


def test_from_stream_refuses_what_cannot_be_read() -> None:
    for bad in (None, PNG, "path"):
        with pytest.raises(SourceError):
            content.from_stream(bad)  # type: ignore[arg-type]  # on purpose
