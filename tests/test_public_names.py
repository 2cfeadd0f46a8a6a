"""The public names and their parameters are the contract's."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import toolnexus_media
from tests._package import TREES
from toolnexus_media import errors

TOP_LEVEL = {
    "attach", "media", "success", "failure", "with_parts", "caption", "summarize_part", "deliver", "fit_result",
    "MediaError", "__version__",
}  # fmt: skip

# A parameter that is pinned with its default is written with it; "..." allows more parameters after those pinned.
SIGNATURES = {
    "tool": {
        "success": "output='' metadata=None",
        "failure": "output='' metadata=None",
        "with_parts": "result parts",
        "media": "*sources caption=None **attach_options",
        "tool": "name execute description='' input_schema=None source='custom' hints=None context=False",
        "toolkit": "tools sources=None",
        "add_tools": "tk tools",
        "toolkit_id": "tk",
        "tool_names": "tk",
        "all_tools": "tk",
        "execute": "tk name args ctx=None",
        "aexecute": "tk name args ctx=None",
        "sanitize": "s",
        "code_points": "s",
        "compare_strings": "a b",
        "sort_strings": "xs",
        "last_index_of_char": "s ch",
    },
    "native": {"native_tool": "...", "execute_native": "tool args ctx=None"},
    "suspension": {
        "make_request": "kind prompt * url=None data=None expires_at=None id=None",
        "suspend": "request output=None",
        "pending_of": "result",
        "new_request_id": "",
        "auth_required": "url prompt ...",
    },
    "content": {
        "attach": (
            "source * mime_type=None name=None max_bytes=104857600 max_pixels=100000000 verify='full' strict=False "
            "root=None"
        ),
        "from_file": "...",
        "from_bytes": "...",
        "from_base64": "data mime_type=None ...",
        "from_stream": "...",
        "from_image": "...",
        "from_data_url": "...",
        "from_url": "...",
        "text_part": "...",
        "image_file": "...",
        "pdf_file": "...",
        "audio_file": "...",
        "summarize_part": "part",
        "summarize_parts": "parts",
        "describe_part": "part",
        "caption": "part facts=None",
        "placeholder": "part",
        "part_bytes": "part",
        "part_data": "part",
        "save_part": "part path",
        "to_image": "part",
        "validate_part": "x max_bytes=None",
        "is_part": "x",
        "estimate_tokens": "part",
        "excerpt": "part chars=2000",
    },
    "fit": {
        "fit": (
            "parts provider * model=None position='user' images_before=0 limits=None background='white' "
            "animation='first' tall='fit' region=None pages=None max_seconds=None keep_metadata=False fetch=None"
        ),
        "fit_result": "result provider **options",
        "to_original": "change x y",
        "to_sent": "change x y",
    },
    "sniff": {"sniff": "data_or_path name=None", "kind_of": "mime"},
    "probe": {"probe": "source_or_part"},
    "check": {
        "check": "transcript_or_parts provider model=None",
        "repair": "transcript provider model=None",
    },
    "emit": {
        "block": "part provider * position='user' model=None detail=None",
        "blocks": (
            "parts provider * position='user' model=None provenance='derived' on_unsupported=None "
            "max_part_bytes=None ..."
        ),
        "tool_messages": "calls provider * model=None ...",
        "messages": "transcript provider * model=None ...",
        "read_block": "block",
        "system": "transcript provider * model=None",
        "tool_schemas": "tk provider",
    },
    "delivery": {"deliver": "calls provider * model=None images_before=0 ..."},
    "transcript": {"find": "x"},
    "adapters.mcp": {
        "to_result": "result",
        "from_result": "call_tool_result",
        "tools": "tk",
        "register": "server tk",
    },
    "adapters.fastmcp": {"to_result": "result", "tools": "tk"},
    "adapters.langchain": {"to_result": "result", "tools": "tk"},
    "adapters.pydantic_ai": {"to_result": "result", "tools": "tk"},
    "adapters.openai_agents": {"to_result": "result", "tools": "tk"},
    "adapters.google_genai": {
        "to_result": "result * name=None call_id=None",
        "tools": "tk",
        "answer": "tk function_call",
        "aanswer": "tk function_call",
    },
    "adapters.llm": {"to_result": "result", "tools": "tk"},
    "adapters.strands": {"to_result": "result", "tools": "tk"},
    "adapters.chatlas": {"to_result": "result", "tools": "tk"},
    "adapters.smolagents": {"to_result": "result", "tools": "tk", "show_pictures": "memory_step agent"},
}
PINNED = [(module, name, shape) for module, names in SIGNATURES.items() for name, shape in names.items()]

CODES = {
    "SourceError": {
        "not-found", "not-a-file", "empty", "too-large", "unreadable", "unsupported-source", "outside-root",
        "bad-data-url", "bad-base64", "refused-address",
    },
    "MediaTypeError": {"unknown-type", "wrong-kind", "mime-mismatch", "no-decoder"},
    "CorruptMediaError": {"truncated", "corrupt", "encrypted", "too-many-pixels", "timeout"},
    "PartError": {"source-conflict", "source-missing", "not-a-part", "bad-data", "bad-type"},
    "LimitError": {"too-large", "cannot-fit"},
    "UnsupportedPartError": {"unsupported"},
    "MissingExtraError": {"missing-extra"},
}  # fmt: skip


def _parameters(function: object) -> list[str]:
    """A signature as the table writes it: ``["part", "*", "chars=2000"]``."""
    assert callable(function)
    written: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        bare = str(parameter.replace(annotation=inspect.Parameter.empty)).replace(" = ", "=")
        stars = any(item.startswith("*") for item in written)
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not stars:
            written.append("*")
        written.append(bare)
    return written


def test_the_top_level_holds_these_names_and_no_more() -> None:
    assert set(toolnexus_media.__all__) == TOP_LEVEL
    assert all(hasattr(toolnexus_media, name) for name in TOP_LEVEL)


def test_no_top_level_name_is_a_modules_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(toolnexus_media.__path__)}
    assert not modules & TOP_LEVEL


@pytest.mark.parametrize(("module", "name", "shape"), PINNED, ids=[f"{module}.{name}" for module, name, _ in PINNED])
def test_a_function_takes_the_pinned_parameters(module: str, name: str, shape: str) -> None:
    function = getattr(importlib.import_module(f"toolnexus_media.{module}"), name)
    pinned, found = shape.split(), _parameters(function)
    if pinned[-1:] == ["..."]:
        pinned.pop()
        found = found[: len(pinned)]
    without_defaults = [
        have if "=" in want else have.partition("=")[0] for want, have in zip(pinned, found, strict=False)
    ]
    assert without_defaults + found[len(pinned) :] == pinned


@pytest.mark.parametrize("name", CODES)
def test_an_error_class_has_the_codes_of_the_contract(name: str) -> None:
    error = getattr(errors, name)
    assert issubclass(error, errors.MediaError)
    assert CODES[name] <= {word.strip("·") for word in _branch(name).split()}


def _branch(name: str) -> str:
    """A class's lines in the tree that the module's docstring draws."""
    tree = (errors.__doc__ or "").partition(name)[2]
    return tree.partition("├──")[0].partition("└──")[0]


def test_the_package_raises_no_code_outside_the_contract() -> None:
    known = set().union(*CODES.values())
    for module, tree in TREES.items():
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            written = [
                word.value for word in call.keywords if word.arg == "code" and isinstance(word.value, ast.Constant)
            ]
            assert {value.value for value in written} <= known, f"{module}:{call.lineno}"


def test_media_error_is_a_value_error_with_a_code() -> None:
    assert issubclass(errors.MediaError, ValueError)
    assert errors.MediaError("no", code="empty").code == "empty"


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(toolnexus_media.__path__[0]) / "py.typed").exists()
