"""Work on hostile bytes in a process of its own, with a memory limit and a deadline: the only module that starts one.

The child gets the bytes as its standard input, an open file without a name, and answers in lines of JSON. Whatever it
does, it is killed with its process group when the answer is complete, late or too long, and is waited for.
Where no such process can be had (no Python to start, no limits on this system), there is no answer.
"""

from __future__ import annotations

import os
import sys
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen
    from typing import Any, Literal

    from toolnexus_media._b64 import Buffer

    Outcome = Literal["done", "late", "none"]  # none: there was no child, or it did not come to look at the data

STARTUP = 1.5  # seconds for the interpreter and for an import, on which hostile bytes have no influence
LEAST = 0.25  # seconds of work that a child has even where its start took long
MAX_STAGES = 4
WORK, LOAD = b'{"stage": "work"}\n', b'{"stage": "load"}\n'
MEMORY = 256 << 20  # bytes of address space, besides the data twice: once as it came, once copied by the reader
MAX_DATA = 256 << 20  # larger data are not handed over
ANSWER = 65_536  # bytes an answer may have besides what was asked for
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
    name = os.path.basename(sys.executable or "").lower()
    return name.startswith(("python", "pypy")) and not getattr(sys, "frozen", False) and hasattr(os, "killpg")


def ask(
    module: str, data: Buffer, request: dict[str, Any], *, until: float, answer: int = 0
) -> tuple[list[dict[str, Any]], Outcome]:
    """What the module's ``main`` says of the data, one dict a line, and how it ended; ``until`` is monotonic time.

    ``main`` calls ``work()`` before it reads the data and ``load()`` before an import: importing has its own time, so
    that a busy machine is not taken for a hostile file. ``answer`` is how many bytes are expected.
    """
    if not possible() or not 0 < len(data) <= MAX_DATA:
        return [], "none"
    try:
        source = _nameless(data)
    except OSError:
        return [], "none"
    try:
        child = _start(module, source, request, until)
    except (OSError, ValueError, MemoryError):
        return [], "none"
    finally:
        os.close(source)
    try:
        raw, outcome = _listen(child, until, ANSWER + answer)
    finally:
        _end(child)
    return _lines(raw), outcome


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


def _start(module: str, source: int, request: dict[str, Any], until: float) -> Popen[bytes]:
    import json
    import subprocess

    said = {
        **request,
        "module": module,
        "path": [os.path.abspath(place) for place in sys.path],
        "memory": MEMORY + 2 * os.fstat(source).st_size,
        "cpu": int(2 * STARTUP + max(0.0, until - monotonic())) + 1,
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


def _listen(child: Popen[bytes], until: float, limit: int) -> tuple[bytes, Outcome]:
    """What the child writes, and whether its time was up."""
    from select import POLLIN, poll

    assert child.stdout is not None
    pipe = child.stdout.fileno()
    ready = poll()
    ready.register(pipe, POLLIN)
    raw, stages, end = bytearray(), 0, monotonic() + STARTUP
    while len(raw) < limit:
        left = end - monotonic()
        if left <= 0 or not ready.poll(left * 1000):
            return bytes(raw), "late"
        chunk = os.read(pipe, 65_536)
        if not chunk:
            break
        raw += chunk
        seen = raw.count(WORK) + raw.count(LOAD) if stages < MAX_STAGES else stages
        if seen > stages:
            loading = raw.rfind(LOAD) > raw.rfind(WORK)
            stages, end = seen, monotonic() + STARTUP if loading else max(until, monotonic() + LEAST)
    return bytes(raw), "done" if stages else "none"


def _end(child: Popen[bytes]) -> None:
    import signal
    from contextlib import suppress

    assert child.stdout is not None
    child.stdout.close()
    with suppress(ProcessLookupError, PermissionError):  # the group is empty: the child ended by itself
        os.killpg(child.pid, signal.SIGKILL)  # not waited for yet, so the number still is its own
    child.wait()


def _lines(raw: bytes) -> list[dict[str, Any]]:
    import json

    answers = []
    for line in raw.splitlines(keepends=True):
        if line.endswith(b"\n"):
            try:
                answers.append(json.loads(line))
            except ValueError:
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


def work() -> None:
    """In the child: from here on the data are looked at, and the clock runs."""
    os.write(1, WORK)


def load() -> None:
    """In the child: from here on something is imported, until ``work`` is called again."""
    os.write(1, LOAD)


def say(**answer: Any) -> None:
    """In the child: one line to the parent."""
    import json

    os.write(1, json.dumps(answer).encode() + b"\n")
