"""The one walk to the network: addresses checked and pinned at every hop, bytes and time bounded."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from string import punctuation
from urllib.parse import quote, urljoin, urlsplit

from toolnexus_media._safe import brief
from toolnexus_media._text import one_line, type_name
from toolnexus_media.errors import SourceError
from toolnexus_media.source._files import too_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from urllib.parse import SplitResult

    Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_MAX_HOPS = 5
_CHUNK = 64 * 1024
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")  # all that is handed out of IPv6; site-local ones pass as global
_NOBODYS = (
    tuple(  # protocol assignments, old relays, documentation and one cloud's inner service: global by some tables
        map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32", "3fff::/20"))
    )
)
_LONGEST = 86_400.0  # seconds; a wait for ever overflows


def fetch_bytes(url: str, *, max_bytes: int, timeout: float, allow_private: bool) -> bytes:
    """The body behind ``url`` after at most five redirects."""
    if type(url) is not str:
        raise SourceError(
            f"a URL is a string, not {type_name(url)}; pass http://… or https://…", code="unsupported-source"
        )
    deadline = time.monotonic() + (timeout if timeout <= _LONGEST else _LONGEST)
    for _ in range(_MAX_HOPS + 1):
        parts = _split(url)
        address = _checked_address(parts, allow_private, deadline)
        body, location = _get(parts, address, max_bytes, deadline)
        if body is not None:
            return body
        url = urljoin(url, location)
    raise _failed(f"more than {_MAX_HOPS} redirects")


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        raise SourceError("not a URL; pass http://… or https://…", code="unsupported-source") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0:
        raise SourceError(
            f"only http(s) URLs are fetched; download it yourself and pass the bytes ({one_line(brief(url), 80)})",
            code="unsupported-source",
        )
    if parts.username is not None or any(ch <= " " or ch == "\x7f" for ch in url.strip()):
        raise SourceError("a URL with a user name or white space is refused; remove it", code="refused-address")
    return parts


def _checked_address(parts: SplitResult, allow_private: bool, deadline: float) -> str:
    """The address to connect to, after every address of the host was found public."""
    host = parts.hostname or ""
    found = _resolve(host, parts.port or (443 if parts.scheme == "https" else 80), deadline)
    if not allow_private and not all(map(_is_public_text, found)):
        raise SourceError(
            f"{one_line(host, 80)} is no public address; pass allow_private=True if you trust it",
            code="refused-address",
        )
    return found[0]


def _resolve(host: str, port: int, deadline: float) -> list[str]:
    """Addresses of a host; the resolver runs in a thread because it knows no deadline."""
    found: list[str] = []

    def ask() -> None:
        try:
            found.extend(str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except Exception:  # noqa: BLE001  # a host may have put its own resolver in place; no answer is no address
            found.clear()

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(max(0.0, deadline - time.monotonic()))
    if not found:
        raise _failed(f"{one_line(host, 80)} has no address")
    return list(found)


def _is_public_text(text: str) -> bool:
    try:
        return _is_public(ipaddress.ip_address(text.partition("%")[0]))
    except ValueError:
        return False


def _is_public(address: Address) -> bool:
    """Is this reachable by everybody? The addresses wrapped inside IPv6 ones count, not their wrapping."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return _is_public(inner)
        if address not in _GLOBAL_UNICAST:
            return False
    if any(address in network for network in _NOBODYS):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _get(parts: SplitResult, address: str, max_bytes: int, deadline: float) -> tuple[bytes | None, str]:
    """One request: the body, or where it was moved to."""
    connection = _connect(parts, address, deadline)
    guard = threading.Timer(max(0.0, deadline - time.monotonic()), _cut(connection.sock))
    guard.daemon = True
    guard.start()
    response = None
    try:
        target = quote((parts.path or "/") + (f"?{parts.query}" if parts.query else ""), safe=punctuation)
        connection.request("GET", target, headers={"Accept-Encoding": "identity", "User-Agent": "toolnexus-media"})
        response = connection.getresponse()
        location = response.headers.get("Location")
        if response.status in _REDIRECTS and location:
            return None, location.encode("latin-1", "replace").decode("utf-8", "replace")
        if response.status != 200:
            raise _failed(f"the server answered {response.status}")
        if response.headers.get("Content-Encoding", "identity").lower() not in {"", "identity"}:
            raise _failed("the server compresses although it was asked not to")
        return _read_body(response, max_bytes, deadline), ""
    except (OSError, http.client.HTTPException, ValueError) as error:
        if isinstance(error, SourceError):
            raise
        timed_out = time.monotonic() >= deadline
        raise _failed("the time is over" if timed_out else type(error).__name__) from error
    finally:
        guard.cancel()
        if response is not None:  # it holds the socket too, and connection may have let go of it
            response.close()
        connection.close()


def _read_body(response: http.client.HTTPResponse, max_bytes: int, deadline: float) -> bytes:
    if response.length is not None and response.length > max_bytes:
        raise too_large("the response", response.length, max_bytes)
    declared = response.length
    data = bytearray()
    while time.monotonic() < deadline and (chunk := response.read1(_CHUNK)):
        data += chunk
        if len(data) > max_bytes:
            raise too_large("the response", None, max_bytes)
    if time.monotonic() >= deadline:  # the guard made the end, not the server
        raise _failed("the time is over")
    if declared is not None and len(data) < declared:
        raise _failed(f"the connection ended after {len(data)} of {declared} bytes")
    if not data:
        raise SourceError("the response is empty; check the URL", code="empty")
    return bytes(data)


def _connect(parts: SplitResult, address: str, deadline: float) -> http.client.HTTPConnection:
    """A connection whose name is the URL's and whose socket goes to the checked address."""
    left = max(0.05, deadline - time.monotonic())
    port = parts.port or (443 if parts.scheme == "https" else 80)
    host = parts.hostname or ""
    connection = http.client.HTTPConnection(host, port, timeout=left)
    try:
        raw = socket.create_connection((address, port), timeout=left)
    except OSError as error:
        raise _failed(f"no connection ({type(error).__name__})") from error
    try:
        connection.sock = (
            ssl.create_default_context().wrap_socket(raw, server_hostname=host) if parts.scheme == "https" else raw
        )
    except (OSError, ValueError) as error:
        raw.close()
        raise _failed(f"no secure connection ({type(error).__name__})") from error
    return connection


def _cut(raw: socket.socket) -> Callable[[], None]:
    """What ends a connection that trickles: reading wakes up."""

    def cut() -> None:
        try:
            raw.shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    return cut


def _failed(reason: str) -> SourceError:
    return SourceError(
        f"the URL could not be fetched: {reason}; check it, or download it yourself and pass the bytes",
        code="unreadable",
    )
