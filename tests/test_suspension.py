"""A tool that needs a person first answers with a failure that holds a request."""

from __future__ import annotations

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from toolnexus_media import suspension, tool


def test_a_request_holds_only_what_was_given() -> None:
    made = suspension.make_request("input", "Approve?", id="r1")
    assert made == {"id": "r1", "kind": "input", "prompt": "Approve?"}


def test_a_request_spells_its_keys_as_the_wire_does() -> None:
    made = suspension.make_request("k", "p", url="https://a", data={"x": 1}, expires_at=5, id="r")
    assert made == {"id": "r", "kind": "k", "prompt": "p", "url": "https://a", "data": {"x": 1}, "expiresAt": 5}


def test_falsy_values_are_values() -> None:
    made = suspension.make_request("k", "p", url="", data=0, expires_at=0, id="")
    assert made == {"id": "", "kind": "k", "prompt": "p", "url": "", "data": 0, "expiresAt": 0}


def test_a_request_gets_an_id_of_the_pinned_form_and_of_now() -> None:
    before = int(time.time() * 1000)
    match = re.fullmatch(r"sus-(\d+)-(\d+)", suspension.make_request("k", "p")["id"])
    assert match
    assert before <= int(match[1]) <= int(time.time() * 1000)


def test_ids_are_unique_across_threads() -> None:
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(lambda _: [suspension.new_request_id() for _ in range(200)], range(8)))
    flat = [item for some in ids for item in some]
    assert len(set(flat)) == len(flat)


def test_suspend_is_a_failure_whose_metadata_holds_the_request() -> None:
    request = suspension.make_request("input", "Approve?", id="r1")
    assert suspension.suspend(request) == {"output": "Approve?", "isError": True, "metadata": {"pending": request}}
    assert suspension.suspend(request, "Waiting.")["output"] == "Waiting."


def test_pending_of_reads_the_request_back_even_from_json() -> None:
    request = suspension.make_request("input", "Approve?")
    result = suspension.suspend(request)
    assert suspension.pending_of(result) == request
    assert suspension.pending_of(json.loads(json.dumps(result))) == request


@pytest.mark.parametrize(
    "other",
    [
        tool.success("done"),
        tool.failure("no"),
        tool.failure("no", {}),
        tool.failure("no", {"pending": None}),
        tool.failure("no", {"pending": "soon"}),
        {},
        {"metadata": None},
        {"metadata": [1]},
        None,
        "text",
    ],
)
def test_pending_of_anything_else_is_none(other: Any) -> None:
    assert suspension.pending_of(other) is None


def test_auth_required_is_a_request_of_kind_authorization() -> None:
    made: Any = suspension.auth_required("https://example.org/login")
    assert (made["kind"], made["url"]) == ("authorization", "https://example.org/login")
    assert made["prompt"]
    assert suspension.auth_required("https://a", prompt="Log in")["prompt"] == "Log in"


def test_a_suspended_tool_runs_like_any_other() -> None:
    def approve(args: Any, ctx: Any) -> Any:
        return (
            tool.success("done") if ctx.get("answer") else suspension.suspend(suspension.make_request("input", "OK?"))
        )

    tk = tool.toolkit([tool.tool("approve", approve, context=True)])
    assert suspension.pending_of(tool.execute(tk, "approve", {}))
    assert tool.execute(tk, "approve", {}, {"answer": "yes"})["output"] == "done"
