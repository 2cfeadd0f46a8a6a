"""``doctor``: which versions and extras are installed, found by importing them, and whether the line runs."""

from __future__ import annotations

import sys

from toolnexus_media import __version__, _extras
from toolnexus_media.cli._inputs import to_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

CORE = {
    "filetype": "filetype",
    "PIL": "pillow",
    "pybase64": "pybase64",
    "pypdf": "pypdf",
    "typing_extensions": "typing_extensions",
}
_DISTRIBUTIONS = {"resvg_py": "resvg-py", "pi_heif": "pi-heif"}
_CODECS = ("jpg", "zlib", "webp", "avif", "jpg_2000", "libtiff", "littlecms2")


def attach(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def main(args: argparse.Namespace) -> int:
    found = examine()
    print(to_json(found) if args.json else "\n".join(_lines(found)))
    return 0 if found["works"] else 1


def examine() -> dict[str, Any]:
    """What is installed, and what came of running one picture through the line."""
    core = {module: _state(module, name) for module, name in CORE.items()}
    extras = {
        extra: {module: _state(module, _DISTRIBUTIONS.get(module, module)) for module in modules}
        for extra, modules in _extras.EXTRAS.items()
    }
    problem = _try_line() if all(core.values()) else "a core dependency is missing"
    return {
        "version": __version__,
        "python": ".".join(map(str, sys.version_info[:3])),
        "platform": sys.platform,
        "core": core,
        "codecs": _codecs() if core["PIL"] else {},
        "extras": extras,
        "works": problem is None,
        "problem": problem,
    }


def _state(module: str, distribution: str) -> str | None:
    """The version of a module that imports; None when it does not."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        if _extras.load(module) is None:
            return None
        return version(distribution)
    except PackageNotFoundError:
        return "unknown version"
    except Exception as error:  # noqa: BLE001  # a broken installation fails in its own way, and that is the finding
        return f"broken: {type(error).__name__}"


def _codecs() -> dict[str, bool]:
    from PIL import features

    return {name: bool(features.check(name)) for name in _CODECS}


def _try_line() -> str | None:
    """None when a picture goes from pixels to a caption, else the reason it did not."""
    try:
        from PIL import Image

        from toolnexus_media import content

        part = content.attach(Image.new("RGB", (8, 8), "red"))
        caption = content.caption(part)
    except Exception as error:  # noqa: BLE001  # whatever it is, it is the answer
        return f"{type(error).__name__}: {error}"
    return None if caption.endswith("8x8") else f"an 8x8 picture was described as: {caption}"


def _lines(found: dict[str, Any]) -> list[str]:
    lines = [f"toolnexus-media {found['version']} on Python {found['python']} ({found['platform']})", "", "core"]
    lines += [f"  {module:<18}{state or 'missing'}" for module, state in found["core"].items()]
    lines += ["", "image codecs", f"  {', '.join(name for name, there in found['codecs'].items() if there) or 'none'}"]
    lines += ["", "extras"]
    for extra, modules in found["extras"].items():
        missing = [module for module, state in modules.items() if state is None]
        state = ", ".join(f"{module} {state}" for module, state in modules.items() if state is not None)
        hint = f"missing {', '.join(missing)}: pip install 'toolnexus-media[{extra}]'" if missing else ""
        lines.append(f"  {extra:<18}{'; '.join(filter(None, (state, hint)))}")
    return [*lines, "", "the line runs" if found["works"] else f"the line does not run: {found['problem']}"]
