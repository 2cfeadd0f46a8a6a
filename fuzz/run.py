"""Run one fuzz target, or all one after the other, each in a process of its own.

    python fuzz/run.py [TARGET] [--seconds 60] [--folder fuzz/.corpus]

What is found lies in the folder, with the inputs that reached new code. Needs atheris (dependency group ``fuzz``).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

SECONDS_AN_INPUT = 5
MEGABYTES = 1500
MAX_LENGTH = 20_000
NAMES = (
    "sniff",
    "image",
    "pdf",
    "audio",
    "video",
    "text",
    "svg",
    "part",
)  # nothing is imported before it is instrumented
READERS = ("sniff", "probe", "source", "part", "_b64", "content", "summary", "_text")


def fuzz(name: str, folder: Path, seconds: int) -> None:
    """Instrument the package and hand over to libFuzzer, which ends the process."""
    atheris = import_module("atheris")  # of the dependency group fuzz, and without types

    with atheris.instrument_imports(include=["toolnexus_media"]):
        import pkgutil

        import toolnexus_media

        for module in pkgutil.walk_packages(toolnexus_media.__path__, "toolnexus_media."):
            if module.name.split(".")[1] in READERS:
                import_module(module.name)
        from fuzz.seeds import write
        from fuzz.targets import TARGETS
    write(name, folder / name)
    arguments = [
        f"-max_total_time={seconds}",
        f"-timeout={SECONDS_AN_INPUT}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-max_len={MAX_LENGTH}",
        f"-artifact_prefix={folder}/found-{name}-",
        "-print_final_stats=1",
        str(folder / name),
    ]
    atheris.Setup([sys.argv[0], *arguments], TARGETS[name])
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="?", choices=NAMES)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--folder", type=Path, default=ROOT / "fuzz" / ".corpus")
    given = parser.parse_args()
    if given.target:
        fuzz(given.target, given.folder, given.seconds)
        return 0
    failed = []
    for name in NAMES:
        print(f"== {name}", flush=True)
        command = [sys.executable, __file__, name, "--seconds", str(given.seconds), "--folder", str(given.folder)]
        if subprocess.run(command, check=False).returncode:
            failed.append(name)
    print(f"failed: {', '.join(failed) or 'none'}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
