"""JSON and lines of JSON: parsed, not guessed."""

from __future__ import annotations

_ENOUGH = 100  # lines that parse; the rest is taken on trust
_CUT = 12  # a value cut by the end of the window fails at most this far before it: «false», a number, an escape


def json_kind(text: str, *, complete: bool) -> str | None:
    r"""``application/json`` for one value, ``application/x-ndjson`` for one a line, else None.

    A text longer than the window (``complete=False``) is taken when it parses up to the place where it was cut.

    >>> json_kind('{"a": 1}', complete=True), json_kind('{"a": 1}\n{"a": 2}\n', complete=True)
    ('application/json', 'application/x-ndjson')
    """
    from json import JSONDecodeError, JSONDecoder

    # Numbers stay text: a thousand digits cost nothing, and NaN, which is no JSON, fails.
    decoder = JSONDecoder(parse_int=str, parse_float=str, parse_constant=_refuse)
    at, values = 0, 0
    text = text.strip()
    while at < len(text):
        if text[at] not in "{[":
            return None
        try:
            _, end = decoder.raw_decode(text, at)
        except JSONDecodeError as error:
            if complete or not _ran_out(error, len(text)):
                return None
            break
        except (ValueError, RecursionError):
            return None
        values += 1
        if values == _ENOUGH:
            break
        at = _next_line(text, end)
        if at < 0:
            return None
    return "application/x-ndjson" if values > 1 or (values == 1 and at < len(text)) else "application/json"


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _ran_out(error: ValueError, length: int) -> bool:
    return str(error).startswith("Unterminated string") or getattr(error, "pos", 0) >= length - _CUT


def _next_line(text: str, end: int) -> int:
    """Where the next value begins: on another line; -1 when something else follows on this one."""
    rest = text.find("\n", end)
    if rest < 0:
        return len(text) if not text[end:].strip() else -1
    if text[end:rest].strip():
        return -1
    while rest < len(text) and text[rest].isspace():
        rest += 1
    return rest
