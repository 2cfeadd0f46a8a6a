"""``toolnexus-media VERB …``: one table of verbs; each module has ``attach(parser)`` and ``main(args)``."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from importlib import import_module

from toolnexus_media import __version__
from toolnexus_media._safe import elide
from toolnexus_media.errors import MimeMismatchWarning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

VERBS = {
    "describe": "print one caption a file",
    "probe": "print the facts of a file",
    "attach": "print the part a file becomes, as JSON",
    "fit": "write files as a provider takes them, and tell what was changed",
    "check": "tell what a provider would refuse of transcripts or files, and why",
    "tokens": "print what files cost in tokens, by the provider's published formula",
    "doctor": "tell which versions and extras are installed, and whether they work",
}


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints quote no payload, whatever stood where a file or a verb was due."""

    def error(self, message: str) -> NoReturn:
        super().error(elide(message))


def build_parser(chosen: str | None) -> argparse.ArgumentParser:
    """The parser; only the chosen verb's module is imported."""
    parser = _Parser(
        prog="toolnexus-media",
        description="Any picture, PDF, sound or file as a checked part for a language model.",
        epilog="Exit status: 0 done, 1 an input failed (named on standard error) or check found something, 2 usage.",
    )
    parser.add_argument("--version", action="version", version=f"toolnexus-media {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb, line in VERBS.items():
        sub = verbs.add_parser(verb, help=line, description=f"{line[0].upper()}{line[1:]}.")
        if verb == chosen:
            import_module(f"toolnexus_media.cli.{verb}").attach(sub)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; the return value is the exit status."""
    given = list(sys.argv[1:] if argv is None else argv)
    chosen = next((word for word in given if word in VERBS), None)
    args = build_parser(chosen).parse_args(given)
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", MimeMismatchWarning)
            warnings.showwarning = _show_warning
            status = int(import_module(f"toolnexus_media.cli.{args.verb}").main(args))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        _drop_output()
        if isinstance(error, BrokenPipeError):  # the reader has gone, e.g. `| head`, and is not to be bothered
            return 0
        print(f"toolnexus-media: cannot write the output: {error.strerror}", file=sys.stderr)
        return 1
    return status


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """A warning as one line, because its place in the code tells a user of the command line nothing."""
    print(f"toolnexus-media: {message}", file=sys.stderr)


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_streams() -> None:
    """Streams that were closed by who started this take what is written and lose it."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # open as long as the process


if __name__ == "__main__":
    sys.exit(main())
