"""A server on this machine that stands in for every vendor: it keeps what it is sent and answers the least."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any
from unittest.mock import patch

TEXT = "ok"
_CHAT = {
    "id": "c1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}
ANSWERS: dict[str, dict[str, Any]] = {  # by the end of the path; the longer one first where one is the other's end
    "/v1/chat/completions": _CHAT,
    "/v1/messages": {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": TEXT}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    },
    "/v1/responses": {
        "id": "r1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": "completed",
        "output": [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    },
    ":generateContent": {"candidates": [{"content": {"role": "model", "parts": [{"text": TEXT}]}}]},
    "/converse": {
        "output": {"message": {"role": "assistant", "content": [{"text": TEXT}]}},
        "stopReason": "end_turn",
        "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
        "metrics": {"latencyMs": 1},
    },
    "/api/chat": {"model": "m", "message": {"role": "assistant", "content": TEXT}, "done": True},
}


class Endpoint:
    """Where it is (``url``), and the paths and bodies it was sent, the latest last.

    >>> with serving() as vendor:
    ...     vendor.url.startswith("http://127.0.0.1:"), vendor.bodies
    (True, [])
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.paths: list[str] = []
        self.bodies: list[dict[str, Any]] = []

    def answer(self, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
        self.paths.append(path)
        self.bodies.append(json.loads(body))
        for end, answer in ANSWERS.items():
            if path.endswith(end):
                return 200, answer
        return 404, {"error": {"message": f"nothing is served at {path}"}}


class _Server(ThreadingHTTPServer):
    """One that knows its endpoint, and does not ask the network for the machine's name as ``HTTPServer`` does."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.endpoint = Endpoint(f"http://127.0.0.1:{self.server_port}")

    def server_bind(self) -> None:
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]


@contextmanager
def serving() -> Iterator[Endpoint]:
    """An endpoint that serves until the block ends."""
    with patch.dict(os.environ, NO_PROXY="127.0.0.1", no_proxy="127.0.0.1"), _Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.endpoint
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, _Server)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status, answer = self.server.endpoint.answer(self.path.split("?")[0], body)
        told = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: a test's output is the test's."""
