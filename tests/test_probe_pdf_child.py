"""The child process: what it may use, what it is given, and that nothing of it is left."""

from __future__ import annotations

import os
import sys
from select import select
from time import monotonic
from typing import Any

import pytest

from toolnexus_media.probe import _child

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc to see what became of the processes")


def ask(do: str, seconds: float = 5.0, data: bytes = b"data") -> tuple[list[dict[str, Any]], str]:
    return _child.ask("tests._children", data, {"do": do}, until=monotonic() + seconds)


def ends(pid: int) -> bool:
    """Has the process ended, or does it end of a signal already sent?"""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select([process], [], [], 10)[0])
    finally:
        os.close(process)


def own_children() -> list[str]:
    with open(f"/proc/{os.getpid()}/task/{os.getpid()}/children") as file:
        return file.read().split()


@pytest.fixture(autouse=True)
def nothing_left() -> Any:
    """Every test ends with the files and children that it began with."""
    before = own_children(), sorted(os.listdir("/proc/self/fd"))
    yield
    assert (own_children(), sorted(os.listdir("/proc/self/fd"))) == before


def test_a_child_that_hangs_is_ended_and_what_it_said_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_child, "CLOCK", 1)
    lines, outcome = ask("hang", seconds=0.1)
    assert outcome == "late"
    assert ends(lines[0]["pid"])


def test_a_child_that_works_without_end_is_stopped_by_its_processor_time() -> None:
    lines, outcome = ask("spin", seconds=0.1)
    assert outcome == "late"
    assert ends(lines[0]["pid"])


def test_what_a_child_starts_ends_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_child, "CLOCK", 1)
    lines, outcome = ask("hang_with_child", seconds=1.0)
    assert outcome == "late"
    assert len({line["pid"] for line in lines}) == 2
    assert all(ends(line["pid"]) for line in lines)


def test_a_flood_is_cut_off() -> None:
    assert ask("flood") == ([], "done")


def test_memory_is_limited() -> None:
    assert ask("eat") == ([{"refused": "MemoryError"}], "done")


def test_a_crash_is_no_answer() -> None:
    assert ask("crash") == ([], "done")


def test_nothing_can_be_written() -> None:
    assert ask("write_file")[0] == [{"refused": "OSError"}]
    assert os.path.getsize("/dev/shm/left-behind") == 0
    os.unlink("/dev/shm/left-behind")


def test_it_inherits_three_files_and_no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "x")
    with open(__file__, "rb") as other:
        os.set_inheritable(other.fileno(), True)
        (line,), _ = ask("look", data=b"12345")
    assert (line["files"], line["size"]) == ([0, 1, 2], 5)
    assert set(line["variables"]) <= {"LC_CTYPE", *_child._KEPT}


def test_a_module_that_is_not_there_is_no_child() -> None:
    assert _child.ask("tests._no_such_module", b"x", {}, until=monotonic() + 5) == ([], "none")


def test_empty_and_oversized_data_start_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_child, "MAX_DATA", 3)
    assert ask("look", data=b"") == ask("look", data=b"1234") == ([], "none")


def test_without_anonymous_files_an_unlinked_one_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create")
    assert ask("look", data=b"12345")[0][0]["size"] == 5


def test_a_system_that_starts_no_more_processes_is_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr("subprocess.Popen", refuse)
    assert ask("look") == ([], "none")


def test_a_frozen_program_is_not_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert not _child.possible()


def test_a_system_without_process_groups_has_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "killpg")
    assert ask("look") == ([], "none")


def test_an_interrupt_leaves_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(_child, "_listen", interrupt)
    with pytest.raises(KeyboardInterrupt):
        ask("hang")


def test_broken_lines_end_the_answer() -> None:
    assert _child._lines(b'{"a": 1}\n[2]\n{"b"\n{"c": 3}\n') == [{"a": 1}]
    assert _child._lines(b'{"a": 1}\n{"b": 2}') == [{"a": 1}]


def test_limits_are_never_raised_above_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    granted: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "getrlimit", lambda _: (5, 5))
    monkeypatch.setattr(resource, "setrlimit", granted.__setitem__)
    _child.limit(99, 3)
    assert granted[resource.RLIMIT_AS] == (5, 5)
    assert granted[resource.RLIMIT_CPU] == (3, 3)
    assert granted[resource.RLIMIT_FSIZE] == (0, 0)


def test_without_a_memory_limit_a_child_does_not_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    def refuse(*_: object) -> None:
        raise ValueError("not allowed")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    with pytest.raises(ValueError, match="not allowed"):
        _child.limit(99, 3)


def test_stages_and_answers_are_lines(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_child, "_alarm", lambda _: None)
    _child.work()
    _child.load()
    _child.say(pages=1)
    assert capfd.readouterr().out == '{"stage": "work"}\n{"stage": "load"}\n{"pages": 1}\n'


def test_data_that_cannot_be_handed_over_leave_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError("no space")

    monkeypatch.setattr(os, "write", full)
    assert ask("look") == ([], "none")
