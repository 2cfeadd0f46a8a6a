"""The assertions of the seed page ``toolnexus.tool/success``, in Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests._make import PNG
from toolnexus_media import content, suspension, tool


def test_success_is_exactly_output_and_is_error_false() -> None:
    assert tool.success("hi") == {"output": "hi", "isError": False}


def test_success_puts_output_before_is_error_on_the_wire() -> None:
    assert json.dumps(tool.success("hi")) == '{"output": "hi", "isError": false}'


def test_failure_is_exactly_output_and_is_error_true() -> None:
    assert tool.failure("no such row") == {"output": "no such row", "isError": True}


@pytest.mark.parametrize(("given", "text"), [(42, "42"), (1.5, "1.5"), (None, ""), (True, "True"), ([1], "[1]")])
def test_output_is_text_whatever_was_given(given: object, text: str) -> None:
    assert tool.success(given)["output"] == text
    assert tool.failure(given)["output"] == text


def test_output_defaults_to_no_text() -> None:
    assert tool.success() == {"output": "", "isError": False}


def test_metadata_is_kept_as_given() -> None:
    assert tool.success("x", {"name": "s"}) == {"output": "x", "isError": False, "metadata": {"name": "s"}}
    assert tool.failure("x", {"name": "s"}) == {"output": "x", "isError": True, "metadata": {"name": "s"}}


def test_metadata_is_omitted_not_none() -> None:
    assert "metadata" not in tool.success("x")
    assert "metadata" not in tool.failure("x", None)


def test_empty_metadata_is_metadata() -> None:
    assert tool.success("x", {}) == {"output": "x", "isError": False, "metadata": {}}


def test_a_failure_is_a_value_the_loop_keeps_going_with() -> None:
    def lookup(args: dict[str, Any]) -> Any:
        if "id" in args:
            return tool.success(f"customer {args['id']}")
        return tool.failure("missing required argument: id")

    tk = tool.toolkit([tool.tool(name="lookup", description="Look a customer up by id", execute=lookup)])
    assert tool.execute(tk, "lookup", {}) == {"output": "missing required argument: id", "isError": True}
    assert tool.execute(tk, "lookup", {"id": "42"}) == {"output": "customer 42", "isError": False}


def test_metadata_carries_a_suspension() -> None:
    request = suspension.make_request("input", "Approve the refund?")
    result = tool.failure("Waiting for a response.", {"pending": request})
    assert result == {"output": "Waiting for a response.", "isError": True, "metadata": {"pending": request}}
    assert suspension.pending_of(result) == request
    assert suspension.pending_of(tool.success("done")) is None


def test_the_screenshot_tool_describes_in_output_and_carries_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "fixture.png"
    path.write_bytes(PNG)

    def shoot(_: object) -> Any:
        part = content.image_file(path)
        return tool.with_parts(tool.success(content.summarize_part(part)), [part])

    shot = tool.tool(name="screenshot", description="Take a screenshot", execute=shoot)
    result: Any = shot["execute"]({})
    assert result["output"] == "image (image/png, 82 bytes)"
    assert result["isError"] is False
    assert len(result["parts"]) == 1
    assert result["parts"][0]["mimeType"] == "image/png"


@pytest.mark.parametrize("nothing", [None, [], (), iter(())])
@pytest.mark.parametrize("make", [tool.success, tool.failure])
def test_no_parts_leave_the_very_same_result(make: Any, nothing: Any) -> None:
    result = make("hi", {"k": 1})
    before = json.dumps(result)
    assert tool.with_parts(result, nothing) is result
    assert json.dumps(result) == before
    assert "parts" not in result


def test_no_parts_leave_a_hand_made_result_the_very_same() -> None:
    result: Any = {"output": "hi", "isError": False}
    assert tool.with_parts(result, []) is result


def test_a_failure_carries_parts_too() -> None:
    bad: Any = tool.with_parts(tool.failure("render timed out"), [content.text_part("partial")])
    assert bad["isError"] is True
    assert len(bad["parts"]) == 1
