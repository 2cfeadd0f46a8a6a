"""What the examples talk to instead of a vendor: a local server with prepared answers, which keeps what it gets."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from toolnexus_media import media, tool
from toolnexus_media.transcript import payloads
from toolnexus_media.types import ToolResult

PICTURE = Path(__file__).resolve().parents[1] / "fixtures" / "media" / "fixture.png"


def look(args: dict[str, Any]) -> ToolResult:
    return media(PICTURE, caption="The page as it is now:")


kit = tool.toolkit([tool.tool("screenshot", look, description="Take a screenshot of the page")])


@contextmanager
def stand_in(*answers: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The server's URL and the bodies it was sent; each request gets the next of the answers."""
    bodies: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            answer = json.dumps(answers[len(bodies)]).encode()
            bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: an example prints its own lines."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", bodies
        finally:
            server.shutdown()
            thread.join()


def arrived(body: dict[str, Any]) -> bool:
    """Did the picture get there, byte for byte?"""
    return [payload.data() for payload in payloads(body)] == [PICTURE.read_bytes()]
