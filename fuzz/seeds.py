"""The seed corpus: the fixtures, each in the form its target reads."""

from __future__ import annotations

from pathlib import Path

from fuzz import targets
from toolnexus_media.sniff import sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
LARGEST = 20_000  # a small input is changed in a place that matters more often


def _prefixed(mime: str, data: bytes, types: Sequence[str]) -> Iterator[bytes]:
    if mime in types:
        yield bytes((types.index(mime),)) + data


def seeds(target: str) -> Iterator[bytes]:
    """The fixtures that a target reads."""
    for path in sorted([*(FIXTURES / "media").iterdir(), *(FIXTURES / "cases" / "files").iterdir()]):
        data = path.read_bytes()
        if not 0 < len(data) <= LARGEST:
            continue
        mime = sniff(data, path.name)
        if target == "sniff":
            yield data
        elif target in ("pdf", "svg"):
            if target in mime:
                yield data
        elif target == "part":
            yield f"{mime};base64,".encode() + data[:300]
        else:
            types = {"image": targets.PICTURES, "audio": targets.SOUNDS, "video": targets.FILMS, "text": targets.TEXTS}
            yield from _prefixed(mime, data, types[target])


def write(target: str, folder: Path) -> int:
    """Write the seeds of a target into a folder; how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for number, data in enumerate(seeds(target), 1):
        (folder / f"seed-{number:03}").write_bytes(data)
    return number
