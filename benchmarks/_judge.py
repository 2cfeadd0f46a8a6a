"""What the package says of real files against what independent tools agree on: right, wrong or absent."""

from __future__ import annotations

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks._corpus import Sample

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs" / "reference"
UNKNOWN = "application/octet-stream"

TAKEN = frozenset(
    """
    image/png image/jpeg image/gif image/webp image/bmp image/vnd.microsoft.icon image/tiff image/avif image/heic
    image/heif image/heic-sequence image/heif-sequence image/jp2 image/jpx image/jpm image/j2c image/jxl
    image/svg+xml image/vnd.adobe.photoshop image/x-tga image/x-qoi image/x-pcx image/vnd.ms-dds
    image/x-portable-bitmap image/x-portable-graymap image/x-portable-pixmap image/x-portable-arbitrarymap
    application/pdf audio/wav audio/mpeg audio/aac audio/mp4 audio/flac audio/ogg audio/aiff audio/webm video/webm
    video/mp4 video/quicktime
    """.split()  # noqa: SIM905 - forty names read better as a paragraph
)
"""Formats that a provider takes or the package converts, as docs/reference/sniffing.md lists them."""

MEASURED = TAKEN | frozenset(
    """
    video/x-matroska audio/x-matroska video/x-msvideo video/mpeg video/3gpp video/3gpp2 video/x-flv video/ogg
    image/x-win-bitmap image/x-icns image/x-sun-raster image/x-xbitmap image/x-xpixmap video/x-fli video/x-flc
    image/fits
    """.split()  # noqa: SIM905 - forty names read better as a paragraph
)
"""Formats whose facts are promised."""

GROUPS = {
    "taken or converted": 0.995,
    "image": 0.97,
    "sound and film": 0.97,
    "office": 0.97,
    "archive": 0.95,
    "text": 0.95,
}
RIGHT, GIVEN = 0.99, 0.97
LETTERS = 20  # a page with more letters or digits than these has text
FACTS = tuple("width height frames orientation pages encrypted title has_text duration rate channels".split())  # noqa: SIM905 - the table's columns


def group_of(sample: Sample) -> str:
    """Which share of right types the file counts for."""
    if sample.types & TAKEN:
        return "taken or converted"
    return "sound and film" if sample.kind in ("audio", "av", "video") else sample.kind


def judge_type(sample: Sample, found: str, *, named: bool = False) -> str:
    """``right``, ``wrong``, ``absent``; ``disputed`` where no type is agreed.

    With a name, a kind of text that the name says is right where the tools say text and no more.
    """
    if not sample.types:
        return "disputed"
    if found in sample.types:
        return "right"
    if named and sample.types & {"text/plain", "text/html", "application/xml"}:
        from toolnexus_media.sniff import by_name, is_text

        if is_text(found) and by_name(sample.name) == found:
            return "right"
    return "absent" if found == UNKNOWN else "wrong"


def judge_facts(sample: Sample, found: Mapping[str, Any]) -> Iterator[tuple[str, str, object]]:
    """Each agreed fact: its name, its verdict, and what was found."""
    given = _as_agreed(sample, found)
    for fact in FACTS:
        agreed = sample.row[fact]
        if agreed:
            yield fact, _verdict(fact, agreed, given.get(fact)), given.get(fact)


def _as_agreed(sample: Sample, found: Mapping[str, Any]) -> dict[str, Any]:
    """The facts in the table's terms: the size as stored, one frame where several could be, text on pages 1 to 3."""
    given = dict(found)
    turned = int(sample.row["orientation"] or found.get("orientation", 1)) > 4
    if turned and "width" in given and "height" in given and not _turned_by_its_decoder(sample):
        given["width"], given["height"] = given["height"], given["width"]
    if sample.kind == "image" and "width" in given:
        given.setdefault("orientation", 1)
        given.setdefault("frames", 1)
    if "pages" in given:
        given.setdefault("encrypted", False)
    if "sample_rate" in given:
        given["rate"] = given["sample_rate"]
    given.pop("has_text", None)
    if "text_pages" in given:
        given["has_text"] = _text_on_first_pages(sample, given)
    return given


def _turned_by_its_decoder(sample: Sample) -> bool:
    from toolnexus_media.sniff import sniff

    return sniff(str(sample.path)).startswith(("image/avif", "image/hei"))


def _text_on_first_pages(sample: Sample, given: Mapping[str, Any]) -> bool:
    """The table adds up three pages; ``text_pages`` asks for the same number of letters on one of twenty pages."""
    agreed = sample.row["has_text"] == "yes"
    if bool(given["text_pages"]) == agreed or given.get("pages", 1) == 1:
        return bool(given["text_pages"])
    from toolnexus_media.probe.pdf import text

    return sum(map(str.isalnum, text(sample.read(), pages=3, chars=2000, seconds=5))) > LETTERS


def _verdict(fact: str, agreed: str, found: object) -> str:
    from toolnexus_media._text import one_line

    if found is None:
        return "absent"
    if fact == "duration":
        assert isinstance(found, (int, float))
        right = abs(found - float(agreed)) <= max(0.02 * float(agreed), 0.05)
    elif fact == "title":
        right = found == one_line(agreed)
    elif isinstance(found, bool):
        right = found == (agreed == "yes")
    else:
        right = found == int(agreed)
    return "right" if right else "wrong"


def probe_all(table: Iterable[Sample], jobs: int = 2) -> list[Mapping[str, Any]]:
    """The facts of every file, two at a time: a PDF waits for its child."""
    from toolnexus_media.probe import probe

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda sample: probe(str(sample.path)) if sample.row["bytes"] != "0" else {}, table))


def explained() -> dict[str, str]:
    """File name → reason, from the tables of the reference pages: their first column names files in backticks."""
    reasons: dict[str, str] = {}
    for page in sorted(DOCS.glob("*.md")):
        for line in page.read_text().splitlines():
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if len(cells) >= 3:
                reasons |= dict.fromkeys(re.findall(r"`([^`]+)`", cells[0]), cells[-1])
    return reasons


def share(counts: Counter[str], part: str, whole: Iterable[str]) -> float:
    """One verdict's part of some; 1.0 where there is nothing to judge."""
    total = sum(counts[name] for name in whole)
    return counts[part] / total if total else 1.0
