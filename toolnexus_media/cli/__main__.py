"""``toolnexus-media VERB …``: one table of verbs; each module has ``attach(parser)`` and ``main(args)``."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from importlib import import_module

from toolnexus_media import __version__
from toolnexus_media.errors import MimeMismatchWarning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

VERBS = {
    "describe": "print one caption a file",
    "probe": "print the facts of a file",
    "attach": "print the part a file becomes, as JSON",
    "doctor": "tell which versions and extras are installed, and whether they work",
}


def build_parser(chosen: str | None) -> argparse.ArgumentParser:
    """The parser; only the chosen verb's module is imported."""
    parser = argparse.ArgumentParser(
        prog="toolnexus-media",
        description="Any picture, PDF, sound or file as a checked part for a language model.",
        epilog="Exit status: 0 done, 1 some inputs failed (each named on standard error), 2 usage.",
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
        # Keep the interpreter from flushing into a pipe or a disk once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader has gone, e.g. `| head`, and is not to be bothered
            return 0
        print(f"toolnexus-media: cannot write the output: {error.strerror}", file=sys.stderr)
        return 1
    return status


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """A warning as one line, because its place in the code tells a user of the command line nothing."""
    print(f"toolnexus-media: {message}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
