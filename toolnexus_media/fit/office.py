"""Office files, books and RTF: left alone where their type is taken, else their text, else the placeholder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus_media.fit._job import Outcome
from toolnexus_media.fit._row import entry, within
from toolnexus_media.fit.text import as_read
from toolnexus_media.part import part_data

if TYPE_CHECKING:
    from toolnexus_media.fit._job import Job
    from toolnexus_media.types import ContentPart


def fit_office(part: ContentPart, job: Job) -> list[Outcome]:
    """The file where the target takes its type and size; else its words, as ``content.excerpt`` reads them, but all."""
    assert part["type"] == "file"
    accept = entry(part["mimeType"], job)
    if accept is not None and within(part, accept):
        return [Outcome(part)]
    return as_read(part, part_data(part), job)
