"""A text tool pays for no media code: what is not needed is not imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "PIL",
    "pypdf",
    "tinytag",
    "filetype",
    "pydantic",
    "numpy",
    "asyncio",
    "dataclasses",
    "pathlib",
    "base64",
    "re",
    "json",
    "typing",
    "inspect",
    "typing_extensions",
    "pybase64",
    "pypdfium2",
    "hypothesis",
    "logging",
    "urllib",
    "http",
    "socket",
    "ssl",
    "threading",
}
TEXT_TOOL = """
import toolnexus_media
from toolnexus_media import failure, success, tool, with_parts
assert success("hi") == {"output": "hi", "isError": False}
result = with_parts(success("hi", {"k": 1}), [])
tk = tool.toolkit([tool.tool("t", lambda args: success("ok"))])
tk = tool.add_tools(tk, [tool.tool("c", lambda args, ctx: failure("no"), context=True)])
tk = tool.add_tools(tk, [tool.tool("boom", lambda args: 1 / 0)])
assert tool.execute(tk, "t", {})["output"] == "ok"
assert tool.execute(tk, "t", {}, {"call_id": "1"})["output"] == "ok"
assert tool.execute(tk, "c", {})["isError"]
assert tool.execute(tk, "boom", {})["isError"]
assert tool.execute(tk, "none", {})["isError"]
tool.tool_names(tk), tool.all_tools(tk), tool.toolkit_id(tk), tool.sanitize("a b"), tool.sort_strings("ba")
repr(result), repr(success("a line")), dir(toolnexus_media)
from toolnexus_media import suspension
suspension.pending_of(suspension.suspend(suspension.make_request("input", "OK?")))
"""
PART_TOOL = """
import sys
from toolnexus_media import attach, success, summarize_part, with_parts
part = attach(sys.argv[1], verify="none")
with_parts(success(summarize_part(part)), [part])
"""


def loaded_by(code: str, *args: str) -> set[str]:
    """Top-level modules that the code adds to what a bare interpreter has."""
    report = f"import sys\nbefore = set(sys.modules)\n{code}\nprint(*sorted(set(sys.modules) - before), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-I", "-c", _with_path(report), *args], capture_output=True, text=True, timeout=60, check=True
    )
    return {name.partition(".")[0] for name in done.stdout.split()}


def _with_path(code: str) -> str:
    import toolnexus_media

    root = toolnexus_media.__file__.rpartition("/toolnexus_media/")[0]
    return f"import sys; sys.path.insert(0, {root!r})\n{code}"


@pytest.mark.parametrize("code", ["import toolnexus_media", TEXT_TOOL], ids=["import", "text tool"])
def test_importing_and_running_a_text_tool_load_nothing_heavy(code: str) -> None:
    assert not loaded_by(code) & HEAVY


def test_a_sniffed_part_loads_no_decoder(tmp_path: object) -> None:
    from tests._make import CASES

    for name in ("a12_transparent.png", "a10_truncated.jpg", "e01_3pages.pdf"):
        found = loaded_by(PART_TOOL, str(CASES / "files" / name))
        assert not found & (HEAVY - {"pybase64"})


def test_every_namespace_and_name_is_there_lazily() -> None:
    import toolnexus_media

    for name in (
        *toolnexus_media.__all__,
        "content",
        "errors",
        "native",
        "probe",
        "sniff",
        "source",
        "suspension",
        "tool",
        "types",
    ):
        assert name in dir(toolnexus_media)
        assert getattr(toolnexus_media, name) is not None
    with pytest.raises(AttributeError):
        toolnexus_media.no_such_name  # noqa: B018  # looking it up is the test
