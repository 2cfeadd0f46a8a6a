"""``source.fetch`` against a server on loopback: addresses, redirects, sizes and time are bounded."""

from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests._make import PNG
from toolnexus_media import source
from toolnexus_media.errors import SourceError
from toolnexus_media.source import _fetch


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    gate = threading.Event()
    seen: list[str] = []  # noqa: RUF012  # emptied for each test

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.seen.append(self.path)
        self.close_connection = True
        name = self.path.strip("/").partition("/")[0].partition("?")[0].replace("%C3%A9", "accent")
        getattr(self, f"on_{name}", self.on_missing)()

    def answer(self, status: int = 200, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        if "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def on_png(self) -> None:
        self.answer(body=PNG)

    on_accent = on_png

    def on_missing(self) -> None:
        self.answer(404, b"<html>no</html>")

    def on_error(self) -> None:
        self.answer(500)

    def on_empty(self) -> None:
        self.answer()

    def on_moved(self) -> None:
        self.answer(302, Location="/png")

    def on_far(self) -> None:
        self.answer(301, Location="http://169.254.169.254/latest/meta-data/")

    def on_file(self) -> None:
        self.answer(301, Location="file:///etc/passwd")

    def on_loop(self) -> None:
        self.answer(307, Location="/loop")

    def on_nowhere(self) -> None:
        self.answer(302, b"x")

    def on_cut(self) -> None:
        self.answer(body=PNG[:40], Content_Length="82")

    def on_liar(self) -> None:
        self.answer(Content_Length=str(10**12))

    def on_gzip(self) -> None:
        self.answer(body=PNG, Content_Encoding="gzip")

    def on_endless(self) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"\0" * 65536)
        except OSError:
            return

    def on_chunked(self) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n%b\r\n0\r\n\r\n" % (len(PNG), PNG))

    def on_cutchunk(self) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n%b" % (len(PNG), PNG[:20]))

    def trickle(self, *headers: tuple[str, str]) -> None:
        self.send_response(200)
        for header in headers:
            self.send_header(*header)
        self.end_headers()
        try:
            while not self.gate.wait(0.02):
                self.wfile.write(b"x")
        except OSError:
            return

    def on_trickle(self) -> None:
        self.trickle(("Content-Length", "100000"))

    def on_trickleopen(self) -> None:
        self.trickle()

    def on_silent(self) -> None:
        self.gate.wait(20)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    Handler.gate.clear()
    http.server.ThreadingHTTPServer.daemon_threads = True
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{made.server_port}"
        Handler.gate.set()
        made.shutdown()
        thread.join()


def refused(url: str, code: str, **options: Any) -> str:
    given: dict[str, Any] = {"allow_private": True, "timeout": 10.0, **options}
    with pytest.raises(SourceError) as caught:
        source.fetch(url, **given)
    assert caught.value.code == code
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


@pytest.mark.parametrize("path", ["/png", "/moved", "/chunked", "/png?x=1#part", "/png/../png", "/\u00e9"])
def test_bytes_come_back(path: str, server: str) -> None:
    assert source.fetch(server + path, allow_private=True) == PNG


def test_private_addresses_are_refused_before_anything_is_sent(server: str) -> None:
    Handler.seen.clear()
    message = refused(server + "/png", "refused-address", allow_private=False)
    assert "allow_private=True" in message
    assert Handler.seen == []


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.1", "2130706433",
        "0x7f.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "224.0.0.1", "255.255.255.255", "[::1]", "[::]", "[fe80::1]", "[fc00::1]", "[::ffff:127.0.0.1]",
        "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[ff02::1]", "localhost",
    ],
)  # fmt: skip
def test_every_spelling_of_an_address_that_is_not_public_is_refused(host: str) -> None:
    with pytest.raises(SourceError) as caught:
        source.fetch(f"http://{host}/", timeout=5)
    assert caught.value.code in {"refused-address", "unreadable"}  # unreadable: no such address family here


def test_one_private_address_among_several_is_enough_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(0, 0, 0, "", ("93.184.216.34", 80)), (0, 0, 0, "", ("10.0.0.1", 80))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    refused("http://example.invalid/", "refused-address", allow_private=False)


def test_the_connection_goes_to_the_address_that_was_checked(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    port = int(server.rpartition(":")[2])
    asked: list[str] = []

    def resolve(host: str, *_: object, **__: object) -> Any:
        asked.append(host)
        return [(0, 0, 0, "", ("127.0.0.1", port))]

    monkeypatch.setattr(_fetch, "_resolve", lambda host, *_: [info[4][0] for info in resolve(host)])
    assert source.fetch(f"http://rebinding.invalid:{port}/png", allow_private=True) == PNG
    assert asked == ["rebinding.invalid"]


def test_a_redirect_to_a_private_address_is_refused(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first host counts as public here; the second is checked on its own."""
    real = _fetch._is_public
    monkeypatch.setattr(_fetch, "_is_public", lambda address: str(address) == "127.0.0.1" or real(address))
    assert source.fetch(server + "/moved", timeout=10) == PNG
    refused(server + "/far", "refused-address", allow_private=False)


def test_a_redirect_to_a_file_is_refused(server: str) -> None:
    refused(server + "/file", "unsupported-source")


@pytest.mark.parametrize("path", ["/loop", "/nowhere", "/missing", "/error", "/gzip", "/cut", "/cutchunk"])
def test_answers_that_are_not_the_bytes_are_unreadable(path: str, server: str) -> None:
    refused(server + path, "unreadable")


def test_an_empty_body_is_empty(server: str) -> None:
    refused(server + "/empty", "empty")


@pytest.mark.parametrize("path", ["/liar", "/endless", "/png", "/chunked"])
def test_too_large_is_told_whether_declared_or_not(path: str, server: str) -> None:
    refused(server + path, "too-large", max_bytes=81)
    if path in {"/png", "/chunked"}:
        assert source.fetch(server + path, max_bytes=82, allow_private=True) == PNG


@pytest.mark.parametrize("path", ["/trickle", "/trickleopen", "/silent"])
def test_a_server_that_takes_its_time_is_left_at_the_deadline(path: str, server: str) -> None:
    refused(server + path, "unreadable", timeout=0.3)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.invalid/a",
        "file:///etc/passwd",
        "data:,x",
        "example.invalid/a",
        "",
        "http://",
        "http://[::1",
        "http://a:99999/",
    ],
)
def test_other_schemes_and_broken_urls_are_unsupported(url: str) -> None:
    refused(url, "unsupported-source")


@pytest.mark.parametrize(
    "url", ["http://user:pw@example.invalid/", "http://example.invalid/a b", "http://example.invalid/\r\nX: y"]
)
def test_credentials_and_white_space_are_refused(url: str) -> None:
    refused(url, "refused-address")


def test_a_host_without_an_address_and_a_closed_port_are_unreadable() -> None:
    refused("http://no-such-host.invalid/", "unreadable", timeout=5)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        refused(f"http://127.0.0.1:{closed.getsockname()[1]}/", "unreadable", timeout=5)
