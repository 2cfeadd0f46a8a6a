"""Work on hostile bytes in a process of its own, with a memory limit and a deadline: the only module that starts one.

The child gets the bytes as its standard input, an open file without a name, and answers in lines of JSON. Whatever it
does, it is killed with its process group when the answer is complete, late or too long, and is waited for. Its time is
processor time, so that a busy machine is not taken for a hostile file; by the clock it has several times as much.
Where no such process can be had (no Python to start, no limits on this system), there is no answer.
"""

from __future__ import annotations

import os
import sys
from time import monotonic, process_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from mmap import mmap
    from subprocess import Popen
    from typing import Any, Literal

    from toolnexus_media._b64 import Buffer

    Outcome = Literal["done", "late", "none"]  # none: there was no child, or it did not come to look at the data

STARTUP = 1.5  # seconds for the interpreter and for an import, on which hostile bytes have no influence
LEAST = 0.25  # seconds of work that a child has even where its start took long
CLOCK = 4  # times as long by the clock: another process may have the processor
WORK, LOAD = b'{"stage": "work"}\n', b'{"stage": "load"}\n'
MEMORY = 256 << 20  # bytes of address space, besides the data twice: once as it came, once copied by the reader
MAX_DATA = 256 << 20  # larger data are not handed over
ANSWER = 65_536  # bytes an answer may have besides what was asked for
PIECE = 3 << 19  # bytes handed over in one line
_granted = [LEAST]  # in the child: seconds of processor time for its work
_KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")  # all of the environment that an interpreter may need
_CODE = """\
import json, sys
request = json.loads(sys.argv[1])
sys.path.extend(request["path"])
from importlib import import_module
import_module(request["module"]).main(request)
"""


def possible() -> bool:
    """Is there a Python to start, and a system that limits what it may use?"""
    name = os.path.basename(os.fsdecode(sys.executable or "")).lower()  # an embedder may set a path object
    return name.startswith(("python", "pypy")) and not getattr(sys, "frozen", False) and hasattr(os, "killpg")


def ask(
    module: str, data: Buffer, request: dict[str, Any], *, until: float, answer: int = 0, memory: int = MEMORY
) -> tuple[list[dict[str, Any]], Outcome]:
    """What the module's ``main`` says of the data, one dict a line, and how it ended.

    ``until`` is monotonic time: what is left of it at the start is the child's processor time. ``main`` calls
    ``work()`` before it reads the data and ``load()`` before an import, which has its own time. ``answer`` is how many
    bytes are expected, ``memory`` the address space besides the data twice.
    """
    if not possible() or not 0 < len(data) <= MAX_DATA:
        return [], "none"
    try:
        source = _nameless(data)
    except OSError:
        return [], "none"
    try:
        seconds = max(LEAST, until - monotonic())
        child = _start(module, source, {**request, "memory": memory + 2 * os.fstat(source).st_size}, seconds)
    except (OSError, ValueError, MemoryError):
        return [], "none"
    finally:
        os.close(source)
    ended = False
    try:
        raw, outcome, ended = _listen(child, CLOCK * (STARTUP + seconds), ANSWER + answer)
    finally:
        late = _end(child, ended)
    return _lines(raw), "late" if late else outcome


def _nameless(data: Buffer) -> int:
    """A file without a name that holds the data: nothing to leave behind."""
    if hasattr(os, "memfd_create"):
        source = os.memfd_create("data")
    else:
        from tempfile import TemporaryFile

        with TemporaryFile() as file:
            source = os.dup(file.fileno())
    try:
        rest = memoryview(data).cast("B")
        while rest:
            rest = rest[os.write(source, rest) :]
    except BaseException:
        os.close(source)
        raise
    return source


def _start(module: str, source: int, request: dict[str, Any], seconds: float) -> Popen[bytes]:
    import json
    import subprocess

    from toolnexus_media._extras import EXTRAS

    said = {
        **request,
        "module": module,
        "path": [os.path.abspath(place) for place in sys.path if isinstance(place, str)],
        "without": [name for names in EXTRAS.values() for name in names if sys.modules.get(name, sys) is None],
        "seconds": seconds,
        "cpu": int(2 * STARTUP + seconds) + 1,
    }
    return subprocess.Popen(  # noqa: S603 - this interpreter, on this package's own code
        [sys.executable, "-I", "-S", "-B", "-X", "utf8", "-c", _CODE, json.dumps(said)],
        stdin=source,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={key: os.environ[key] for key in _KEPT if key in os.environ},
        cwd="/",
        bufsize=0,
        process_group=0,
    )


def _listen(child: Popen[bytes], seconds: float, limit: int) -> tuple[bytes, Outcome, bool]:
    """What the child writes, whether it came to its work or was late, and whether it ended by itself."""
    from select import POLLIN, poll

    assert child.stdout is not None
    pipe = child.stdout.fileno()
    ready = poll()
    ready.register(pipe, POLLIN)
    raw, end = bytearray(), monotonic() + seconds
    while len(raw) < limit:
        left = end - monotonic()
        if left <= 0 or not ready.poll(left * 1000):
            return bytes(raw), "late", False
        chunk = os.read(pipe, 65_536)
        if not chunk:
            return bytes(raw), "done" if WORK in raw[: 4 * len(WORK)] else "none", True
        raw += chunk
    return bytes(raw), "done", False


def _end(child: Popen[bytes], ended: bool) -> bool:
    """Leave nothing of the child; whether its processor time was up."""
    import signal
    from contextlib import suppress
    from subprocess import TimeoutExpired

    assert child.stdout is not None
    child.stdout.close()
    if ended:
        with suppress(TimeoutExpired):  # it closed its output and goes on
            child.wait(LEAST)
    own = child.returncode
    with suppress(ProcessLookupError, PermissionError):  # the group is empty: the child ended by itself
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    return own in (-signal.SIGPROF, -signal.SIGXCPU, -signal.SIGKILL)


def _lines(raw: bytes) -> list[dict[str, Any]]:
    import json

    answers = []
    for line in raw.splitlines(keepends=True):
        if line.endswith(b"\n"):
            try:
                answers.append(json.loads(line))
            except (ValueError, RecursionError):  # a child taken over by its data may say anything
                break
    return [answer for answer in answers if isinstance(answer, dict) and "stage" not in answer]


def limit(memory: int, cpu: int) -> None:
    """In the child: no more memory, time, files written or core dumps than the parent granted."""
    import resource

    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(what, (most, most))
        except (OSError, ValueError):
            if what == resource.RLIMIT_AS and sys.platform == "linux":
                raise  # without it a bomb has all the memory there is


def begin(request: dict[str, Any]) -> None:
    """In the child: the limits, and what is blocked in the parent is blocked here too."""
    limit(request["memory"], request["cpu"])
    _granted[0] = request.get("seconds", LEAST)
    for name in request.get("without", ()):
        sys.modules[name] = None  # type: ignore[assignment]  # None is how an import is blocked
        sys.modules[f"{name}_raw"] = None  # type: ignore[assignment]  # the part of pypdfium2 that is used


def given() -> mmap:
    """In the child: the data."""
    from mmap import ACCESS_READ, mmap

    return mmap(0, 0, access=ACCESS_READ)


def work() -> None:
    """In the child: from here on the data are looked at, and what is left of its time runs."""
    os.write(1, WORK)
    _alarm(max(LEAST, _granted[0] - process_time()))


def load() -> None:
    """In the child: from here on something is imported, until ``work`` is called again."""
    os.write(1, LOAD)
    _alarm(STARTUP)


def _alarm(seconds: float) -> None:
    """In the child: the system ends it after so much processor time, whatever code it is in."""
    import signal

    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGPROF])
    signal.setitimer(signal.ITIMER_PROF, seconds)


def say(**answer: Any) -> None:
    """In the child: one line to the parent."""
    import json

    _write(json.dumps(answer).encode() + b"\n")


def hand_over(data: Buffer, **about: Any) -> None:
    """In the child: bytes to the parent, in lines of ``piece``, then a line of ``about`` with their number."""
    from binascii import b2a_base64

    view = memoryview(data).cast("B")
    for start in range(0, len(view), PIECE):
        _write(b'{"piece": "%b"}\n' % b2a_base64(view[start : start + PIECE], newline=False))
    say(size=len(view), **about)


def received(lines: list[dict[str, Any]]) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """What ``hand_over`` sent, each time whole: the bytes and what was said about them.

    >>> [data for data, about in received([{"piece": "aGk="}, {"size": 2}, {"piece": "aGk="}])]
    [b'hi']
    """
    from toolnexus_media import _b64

    pieces: list[bytes] = []
    for line in lines:
        if isinstance(line.get("piece"), str):
            try:
                pieces.append(_b64.decode(line["piece"]))
            except ValueError:
                return
        elif isinstance(line.get("size"), int):
            data = b"".join(pieces)
            if len(data) == line["size"]:
                yield data, line
            pieces = []


def expected(size: int) -> int:
    """How many bytes ``hand_over`` writes for so many, at most."""
    return size // 3 * 4 + (size // PIECE + 1) * 64


def _write(line: bytes) -> None:
    rest = memoryview(line)
    while rest:
        rest = rest[os.write(1, rest) :]
