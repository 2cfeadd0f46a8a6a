"""Suspension: a tool that needs a person first says so with an ordinary failure that holds a request."""

from __future__ import annotations

import time
from itertools import count

from toolnexus_media.tool import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolnexus_media.types import Request, ToolResult

_numbers = count(1)  # next() on it is one step of the interpreter, so threads never share a number


def new_request_id() -> str:
    """An id no other thread of this process gets: ``sus-<epoch ms>-<n>``.

    >>> new_request_id() != new_request_id()
    True
    """
    return f"sus-{int(time.time() * 1000)}-{next(_numbers)}"


def make_request(
    kind: str,
    prompt: str,
    *,
    url: str | None = None,
    data: Any = None,
    expires_at: int | None = None,
    id: str | None = None,
) -> Request:
    """What a tool waits for; ``expires_at`` is in epoch milliseconds.

    >>> make_request("input", "Approve the refund?", id="r1")
    {'id': 'r1', 'kind': 'input', 'prompt': 'Approve the refund?'}
    """
    request: Request = {"id": id if id is not None else new_request_id(), "kind": kind, "prompt": prompt}
    if url is not None:
        request["url"] = url
    if data is not None:
        request["data"] = data
    if expires_at is not None:
        request["expiresAt"] = expires_at
    return request


def auth_required(
    url: str, prompt: str = "Authorization is required. Open the link to continue.", **options: Any
) -> Request:
    """A request of kind ``authorization``: a person must visit ``url``.

    >>> auth_required("https://example.org/login", id="r1")["kind"]
    'authorization'
    """
    return make_request("authorization", prompt, url=url, **options)


def suspend(request: Request, output: str | None = None) -> ToolResult:
    """The result of a tool that waits: a failure whose ``metadata.pending`` holds the request.

    >>> suspend(make_request("input", "Approve?", id="r1"))["output"]
    'Approve?'
    """
    return failure(output or request["prompt"], {"pending": request})


def pending_of(result: ToolResult) -> Request | None:
    """The request a result waits for, or None.

    >>> pending_of(failure("no")) is None
    True
    """
    metadata = result.get("metadata") if isinstance(result, dict) else None
    pending = metadata.get("pending") if isinstance(metadata, dict) else None
    return pending if isinstance(pending, dict) else None  # type: ignore[return-value]  # the reserved key holds a Request
