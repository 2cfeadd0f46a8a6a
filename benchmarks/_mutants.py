"""Damaged copies of files: cut, spliced, bytes changed. The number of a copy decides all about it."""

from __future__ import annotations

from random import Random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

EXTREMES = (
    b"\x00",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\x00\x00\x00\x00",
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\x80\0\0\0",
)
HEAD = 1024  # where headers stand: half of all changes are made there


def mutant(
    seed: int, number: int, read: Callable[[int], bytes], peers: Sequence[Sequence[int]]
) -> tuple[str, int, bytes]:
    """How copy ``number`` is damaged, which file it is of, and its bytes.

    ``read`` gives a file's bytes by its place in the table; ``peers`` has, for each file, the places of its kind.
    """
    random = Random(f"{seed}:{number}")
    place = number % len(peers)
    data = read(place)
    way = ("truncated", "spliced", "flipped")[number // len(peers) % 3]
    if way == "truncated":
        return way, place, data[: _spot(random, len(data))]
    if way == "spliced":
        return way, place, _spliced(random, data, read(random.choice(peers[place])))
    return way, place, _flipped(random, data)


def _spot(random: Random, size: int) -> int:
    return random.randrange(min(size, HEAD) if random.random() < 0.5 else size) if size else 0


def _spliced(random: Random, data: bytes, other: bytes) -> bytes:
    """A run of another file of the kind, or of the file itself, put into the file or over its bytes."""
    source = data if random.random() < 0.3 else other
    start = _spot(random, len(source))
    run = source[start : start + random.randrange(1, max(2, min(len(source), 1 << random.randrange(3, 17))))]
    at = _spot(random, len(data))
    return data[:at] + run + data[at + (len(run) if random.random() < 0.6 else 0) :]


def _flipped(random: Random, data: bytes) -> bytes:
    """Some bytes changed by a bit, replaced, or set to a number that tests limits."""
    changed = bytearray(data)
    for _ in range(1 << random.randrange(7)):
        if not changed:
            break
        at = _spot(random, len(changed))
        how = random.random()
        if how < 0.4:
            changed[at] ^= 1 << random.randrange(8)
        elif how < 0.7:
            changed[at] = random.randrange(256)
        else:
            extreme = random.choice(EXTREMES)
            changed[at : at + len(extreme)] = extreme
    return bytes(changed)
