"""Where the media of a structure are: in which turn, in whose role, inside a tool's result or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from toolnexus_media.check._shapes import IN_TEXT, OLLAMA_IMAGE, Shape, held, shape_of
from toolnexus_media.transcript import payloads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Literal

    Key = str | int
    Path = tuple[Key, ...]

MOST_DEPTH = 256  # JSON readers give up at about a thousand
TOOL_ROLES = frozenset({"tool", "function", "toolResult"})
_TOOL_TYPES = frozenset(
    {"tool_result", "function_call_output", "custom_tool_call_output", "computer_call_output", "tool-result", "tool"}
)
_TOOL_KEYS = frozenset({"functionResponse", "function_response", "toolResult"})
_CALLS = frozenset({"tool_use", "server_tool_use", "function_call", "custom_tool_call", "tool-call", "function"})
_CALL_KEYS = frozenset({"functionCall", "function_call", "toolUse", "tool_calls", "tools", "toolConfig", "metadata"})
_BYTES = (bytes, bytearray, memoryview)


class Where(NamedTuple):
    """What is known from above of the place of a block."""

    position: Literal["user", "tool"] = "user"
    role: str = ""
    turn: Path = ()
    result: Path = ()
    failed: bool = False


class Site(NamedTuple):
    """One payload or link: ``block`` is the dict that holds it, at ``path``; ``listed`` blocks may become several."""

    path: Path
    block: Any
    shape: Shape
    where: Where
    listed: bool

    @property
    def value(self) -> Any:
        return held(self.block, self.shape.value)

    @property
    def full_path(self) -> list[Key]:
        """The keys and indices that lead to the payload."""
        return [*self.path, *self.shape.value]

    @property
    def is_link(self) -> bool:
        """Is this a remote URL?"""
        value = self.value
        if self.shape.form == "base64" or not isinstance(value, str):
            return False
        scheme, colon, _ = value[:16].partition(":")
        return bool(colon) and scheme.lower() != "data"


def sites(x: object) -> list[Site]:
    """Every media block of a structure in document order, and every text with a payload in it.

    What a model calls tools with is not looked into.

    >>> [site.full_path for site in sites([{"type": "image", "mimeType": "image/png", "data": "aGk="}])]
    [[0, 'data']]
    """
    found: list[Site] = []

    def enter(path: list[Key], value: object, where: Where) -> Where | None:
        key = path[-1] if path else None
        if isinstance(value, dict):
            if _word(value, "type") in _CALLS or key in _CALL_KEYS:
                return None
            shape = shape_of(value)
            if shape is not None:
                found.append(Site(tuple(path), value, shape, where, isinstance(key, int)))
                return None
            return _within(value, path, where)
        if key in _CALL_KEYS:
            return None
        if isinstance(value, (str, *_BYTES)) and tuple(path[:-1]) == (*where.turn, "images"):
            found.append(Site(tuple(path), value, OLLAMA_IMAGE, where, listed=True))
        elif isinstance(value, str) and any(True for _ in payloads(value)):
            found.append(Site(tuple(path), value, IN_TEXT, where, listed=False))
        return where

    visit(x, Where(), enter)
    return found


def _within(node: dict[Any, Any], path: list[Key], where: Where) -> Where:
    """What a dict tells of the places inside it."""
    role, kind = _word(node, "role"), _word(node, "type")
    if role:
        where = Where("tool" if role in TOOL_ROLES else "user", role, tuple(path))
    key = path[-1] if path else None
    if key in _TOOL_KEYS:
        failed = node.get("status") == "error"
        return where._replace(position="tool", result=tuple(path[:-1]), failed=failed)
    if kind in _TOOL_TYPES or node.get("part_kind") == "tool-return":
        turn = where.turn or tuple(path)
        return where._replace(position="tool", turn=turn, result=tuple(path), failed=node.get("is_error") is True)
    if not role and _is_result(node):
        return where._replace(position="tool", result=tuple(path))
    return where


def _word(node: dict[Any, Any], key: str) -> str:
    found = node.get(key)
    return found if isinstance(found, str) else ""


def _is_result(node: dict[Any, Any]) -> bool:
    """A tool result of this package, or MCP's."""
    if "isError" in node:
        return isinstance(node.get("output"), str) or isinstance(node.get("content"), list)
    return isinstance(node.get("content"), list) and "structuredContent" in node


def weight(x: object) -> int:
    """About how many bytes a structure takes as JSON, rather more than less; raw bytes count as their base64.

    >>> weight({"a": "hi"})
    11
    """
    total = 0

    def enter(path: list[Key], value: object, state: bool) -> bool:
        nonlocal total
        if path:
            total += 1 + (len(path[-1]) + 3 if isinstance(path[-1], str) else 0)
        total += _length(value)
        return state

    visit(x, True, enter)
    return total


def _length(value: object) -> int:
    if isinstance(value, str):
        return 2 + (len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass")))
    if isinstance(value, _BYTES):
        return 2 + -(-len(raw(value)) // 3) * 4
    if isinstance(value, int) and value is not True and value is not False:
        return 2 + value.bit_length() // 3  # the number itself may have more digits than Python will write
    return len(repr(value)) if isinstance(value, float) else 2 if isinstance(value, (dict, list, tuple)) else 5


def raw(value: bytes | bytearray | memoryview) -> bytes:
    """The bytes; none of a view that was released."""
    try:
        return bytes(value)
    except ValueError:
        return b""


def visit(root: object, state: Any, enter: Callable[[list[Key], object, Any], Any]) -> None:
    """Call ``enter`` for every value, above before below; what it returns is handed down, ``None`` keeps out.

    The path is one list that changes underway. A container inside itself is entered once.
    """
    path: list[Key] = []
    state = enter(path, root, state)
    items = None if state is None else _items(root)
    if items is None:
        return
    stack: list[tuple[Iterator[tuple[Any, Any]], Any, int]] = [(items, state, id(root))]
    entered = {id(root)}
    while stack:
        items, state, own = stack[-1]
        for key, value in items:
            path.append(key)
            inside = enter(path, value, state)
            below = None if inside is None or len(stack) >= MOST_DEPTH or id(value) in entered else _items(value)
            if below is not None:
                entered.add(id(value))
                stack.append((below, inside, id(value)))
                break
            path.pop()
        else:
            stack.pop()
            entered.discard(own)
            if path:
                path.pop()


def _items(value: object) -> Iterator[tuple[Any, Any]] | None:
    if isinstance(value, dict):
        return iter(value.items())
    return enumerate(value) if isinstance(value, (list, tuple)) else None
