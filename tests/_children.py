"""What a child process is made to do by the tests of the limits it runs under; each function is named in a request."""

from __future__ import annotations

import os
from time import sleep
from typing import Any

from toolnexus_media.probe import _child


def main(request: dict[str, Any]) -> None:
    """Do what the request says."""
    _child.begin(request)
    _child.work()
    globals()[request["do"]]()


def hang() -> None:
    """Say who this is, and never end."""
    _child.say(pid=os.getpid())
    while True:
        sleep(1)


def spin() -> None:
    """Say who this is, and work without end."""
    _child.say(pid=os.getpid())
    while True:
        pass


def hang_with_child() -> None:
    """Start another process in the same group, say who it is, and never end."""
    other = os.fork()
    if other == 0:
        hang()
    hang()


def flood() -> None:
    """Write without end."""
    while True:
        os.write(1, b"x" * 65_536)


def eat() -> None:
    """Take more memory than there should be, and say how that went."""
    try:
        bytearray(2 << 30)
    except MemoryError:
        _child.say(refused="MemoryError")


def look() -> None:
    """Say what came with the start: open files, variables, the size of standard input."""
    found = [int(name) for name in os.listdir("/proc/self/fd")]
    files = [number for number in found if os.path.exists(f"/proc/self/fd/{number}")]
    _child.say(files=files, variables=sorted(os.environ), size=os.fstat(0).st_size)


def crash() -> None:
    """End as a library does that reads where it must not."""
    os.abort()


def write_file() -> None:
    """Try to leave something behind."""
    try:
        with open("/dev/shm/left-behind", "wb", buffering=0) as file:
            file.write(b"x")
    except OSError as error:
        _child.say(refused=type(error).__name__)
