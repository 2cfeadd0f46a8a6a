"""SVG: well-formed XML with an svg root, and the size that its root states. Nothing is drawn, loaded or expanded."""

from __future__ import annotations

from toolnexus_media.errors import CorruptMediaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pyexpat import XMLParserType

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

MAX_DEPTH = 1000
_MAX_DATA = 32 << 20  # expat holds one attribute of this length in bounded memory; drawings are seldom over 1 MB
_MAX_WITH_ENTITIES = 2 << 20  # times the longest entity, over the three bytes of a reference: under 100 MB
_MAX_ENTITY = 128
_MAX_SIDE = 1 << 24  # a longer side is no picture
_PIXELS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "em": 16.0}
_PIXELS |= {"q": 96 / 101.6, "ex": 8.0, "rem": 16.0}
_DIGITS = frozenset("0123456789.+-eE")


class _FoundError(Exception):
    """Raised from a handler to stop the parser: what was looked for is there."""


class RefusedError(Exception):
    """Raised from a handler to stop the parser: the reason why the drawing is not taken."""


def read(data: Buffer, found: Facts) -> None:
    """The size of an SVG: its width and height, else its viewBox, in CSS pixels, rounded.

    >>> facts = {}
    >>> read(b'<svg xmlns="http://www.w3.org/2000/svg" width="1in" viewBox="0 0 20 10"/>', facts)
    >>> facts
    {'width': 96, 'height': 48}
    """
    from pyexpat import ExpatError

    try:
        root = _parse(data, whole=False)
    except (ExpatError, RefusedError):
        return
    side = size(root)
    if side:
        found["width"], found["height"] = side


def check(data: Buffer) -> None:
    """Read all of an SVG as XML; ``CorruptMediaError`` where it is not well-formed, or tries more than drawing.

    >>> check(b"<svg></svg>")
    >>> check(b"<html/>")
    Traceback (most recent call last):
        ...
    toolnexus_media.errors.CorruptMediaError: not a usable SVG: the root is no svg element; export the drawing again
    """
    _checked(data, whole=True)


def check_root(data: Buffer) -> None:
    """Read an SVG up to its root element; raises like ``check``."""
    _checked(data, whole=False)


def _checked(data: Buffer, *, whole: bool) -> None:
    _read_by(data, lambda: _parse(data, whole=whole))


def walk(data: Buffer, parser: XMLParserType) -> None:
    """Give a drawing to a guarded parser, whose handlers may raise ``RefusedError``; raises like ``check``."""
    _read_by(data, lambda: _feed(parser, data))


def guarded_parser(data: Buffer) -> XMLParserType:
    """A parser for this drawing that loads nothing and expands no entity but short ones."""
    from pyexpat import XML_PARAM_ENTITY_PARSING_NEVER, ParserCreate

    parser = ParserCreate()
    parser.buffer_text = True
    parser.SetParamEntityParsing(XML_PARAM_ENTITY_PARSING_NEVER)
    parser.EntityDeclHandler = _refuse_entity if len(data) <= _MAX_WITH_ENTITIES else _refuse_any_entity
    return parser


def _read_by(data: Buffer, reading: Callable[[], object]) -> None:
    """Do a reading, and tell what stops it as ``CorruptMediaError``."""
    from pyexpat import ExpatError

    if len(data) > _MAX_DATA:
        raise _corrupt(f"{len(data)} bytes of XML are more than the {_MAX_DATA} that are read")
    try:
        reading()
    except ExpatError as error:
        code = "truncated" if error.code in (3, 5, 20) else "corrupt"
        raise CorruptMediaError(
            f"not a usable SVG: XML error in line {error.lineno}, column {error.offset}; export the drawing again",
            code=code,  # type: ignore[arg-type]  # both names are codes; the conditional widens them to str
        ) from None
    except RefusedError as error:
        raise _corrupt(str(error)) from None
    except (ValueError, LookupError):
        raise _corrupt("the text is in an unknown encoding") from None


def _corrupt(reason: str) -> CorruptMediaError:
    return CorruptMediaError(f"not a usable SVG: {reason}; export the drawing again", code="corrupt")


def _parse(data: Buffer, *, whole: bool) -> dict[str, str]:
    """The attributes of the root; with ``whole`` the rest is read too."""
    parser = guarded_parser(data)
    root: dict[str, str] = {}
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        if not depth:
            if name.rpartition(":")[2] != "svg":
                raise RefusedError("the root is no svg element")
            root.update(attributes)
            if not whole:
                raise _FoundError
        depth += 1
        if depth > MAX_DEPTH:
            raise RefusedError(f"elements are nested over {MAX_DEPTH} deep")

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    try:
        _feed(parser, data)
    except _FoundError:
        return root
    return root


def _refuse_entity(name: str, _parameter: bool, value: str | None, *_rest: object) -> None:  # expat's call
    """Let the short namespace shorthands of drawing programs pass; refuse what reaches outside or can grow."""
    if value is None:
        raise RefusedError("it declares an external entity")
    if "&" in value or "%" in value or len(value) > _MAX_ENTITY:
        raise RefusedError(f"it declares the entity {name[:40]!a}, which expands")


def _refuse_any_entity(*_declaration: object) -> None:
    raise RefusedError("so long a file may not declare entities")


def _feed(parser: XMLParserType, data: Buffer) -> None:
    view = memoryview(data)
    at, step = 0, 1 << 16
    while at < len(view):
        parser.Parse(bytes(view[at : at + step]))
        at, step = at + step, 2 * step  # a long attribute is read again with every piece: few pieces, linear time
    parser.Parse(b"", True)  # expat takes it by position only


def size(root: dict[str, str]) -> tuple[int, int] | None:
    """Width and height in whole CSS pixels from the attributes of the root; percentages mean the viewBox.

    >>> size({"width": "100%", "viewBox": "0 0 24,12.2"})
    (24, 12)
    """
    width, height = _length(root.get("width", "")), _length(root.get("height", ""))
    box = _box(root.get("viewBox", ""))
    if box:
        if width is None and height is None:
            width, height = box
        elif width is None and height is not None:
            width = height * box[0] / box[1]
        elif height is None and width is not None:
            height = width * box[1] / box[0]
    if not width or not height or not (0 < width <= _MAX_SIDE and 0 < height <= _MAX_SIDE):
        return None
    return max(1, round(width)), max(1, round(height))


def _length(text: str) -> float | None:
    text = text.strip()
    number = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%")
    unit = text[len(number) :].lower()
    value = _number(number)
    return value * _PIXELS[unit] if value is not None and unit in _PIXELS and value > 0 else None


def _number(text: str) -> float | None:
    if not 0 < len(text) <= 40 or not _DIGITS.issuperset(text):
        return None
    try:
        return float(text)
    except ValueError:
        return None


def _box(text: str) -> tuple[float, float] | None:
    numbers = [_number(word) for word in text[:200].replace(",", " ").split()]
    if len(numbers) != 4 or numbers[2] is None or numbers[3] is None:
        return None
    return (numbers[2], numbers[3]) if numbers[2] > 0 and numbers[3] > 0 else None
