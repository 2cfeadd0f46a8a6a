"""A folder of real files and the table of what independent tools agree on about them."""

from __future__ import annotations

import argparse
import csv
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "TOOLNEXUS_MEDIA_CORPUS"
SKIPPED = f"skipped: pass the folder of real files, or set {VARIABLE}"


@dataclass(frozen=True)
class Sample:
    """One real file: where it is, its name in its own project, and its row of the table."""

    path: Path
    row: Mapping[str, str]

    @property
    def name(self) -> str:
        """The file's own name, without the number it has in the folder."""
        return self.path.name.partition("_")[2] or self.path.name

    @property
    def kind(self) -> str:
        return self.row["kind"]

    @property
    def types(self) -> frozenset[str]:
        """Every name of the agreed type, as this package spells it; empty where none is agreed."""
        return _normal(self.row["mime_accept"] or self.row["mime"])

    @property
    def type(self) -> str:
        from toolnexus_media.sniff import normalise

        return normalise(self.row["mime"]) if self.row["mime"] else ""

    def read(self) -> bytes:
        return self.path.read_bytes()


@cache
def _normal(names: str) -> frozenset[str]:
    from toolnexus_media.sniff import normalise

    return frozenset(normalise(name) for name in names.split(",") if name)


def samples(folder: str | Path) -> list[Sample]:
    """Every file of the table, in its order."""
    with Path(folder, "expected.tsv").open(newline="") as table:
        return [Sample(Path(folder, row["file"]), row) for row in csv.DictReader(table, delimiter="\t")]


def add_folder(parser: argparse.ArgumentParser) -> None:
    """The folder as an argument, with the environment variable as its default."""
    parser.add_argument("folder", nargs="?", default=os.environ.get(VARIABLE), help=f"default: ${VARIABLE}")
