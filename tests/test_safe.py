"""A part or result is a dict everywhere, and shows no payload wherever it is printed."""

from __future__ import annotations

import collections
import copy
import dataclasses
import io
import json
import logging
import pickle
import pprint
import reprlib
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests._make import PAYLOAD, PNG, image_part, leaks
from toolnexus_media import content, tool
from toolnexus_media import types as dicts
from toolnexus_media._safe import SafeDict
from toolnexus_media.errors import PartError

BIG = PAYLOAD * 40


def part() -> Any:
    return content.validate_part(image_part())


def result() -> Any:
    return tool.with_parts(tool.success("seen", {"raw": BIG}), [part()])


@dataclasses.dataclass
class Box:
    held: Any


class Bag:
    def __init__(self, held: Any) -> None:
        self.held = held

    def __repr__(self) -> str:
        return f"Bag({self.held!r})"


def _logged(thing: object) -> str:
    stream = io.StringIO()
    logger = logging.Logger("test")
    logger.addHandler(logging.StreamHandler(stream))
    logger.warning("got %s and %r", thing, thing)
    logger.warning("one %s", thing)
    logger.warning(thing)
    return stream.getvalue()


def _pprinted(thing: object) -> str:
    return pprint.pformat(thing) + pprint.pformat(thing, width=20) + pprint.saferepr(thing)


def _excepted(thing: object) -> str:
    return str(ValueError(thing)) + repr(KeyError(thing)) + str(KeyError(thing)) + str(RuntimeError("why", thing))


def _traced(thing: object) -> str:
    def fail(argument: object) -> None:
        local = [argument]
        raise ValueError(local)

    try:
        fail(thing)
    except ValueError as error:
        return "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
    return ""


def _printed(thing: object) -> str:
    stream = io.StringIO()
    print(thing, [thing], file=stream)
    return stream.getvalue()


PRINTERS: dict[str, Callable[[Any], str]] = {
    "repr": repr,
    "str": str,
    "format": format,
    "f-string": lambda x: f"{x} {x!r} {x!s} {x!a}",
    "str.format": lambda x: "{} {!r}".format(x, x),  # noqa: UP032  # this is one of the ways to print
    "percent": lambda x: "%s %r" % (x, x),  # noqa: UP031  # this is one of the ways to print
    "ascii": ascii,
    "logging": _logged,
    "pprint": _pprinted,
    "reprlib": lambda x: reprlib.repr(x) + reprlib.repr([x]),
    "exception": _excepted,
    "traceback": _traced,
    "print": _printed,
}
WAYS: dict[str, Callable[[], Any]] = {
    "part": part,
    "result": result,
    "list": lambda: [part()],
    "dict": lambda: {"a": {"b": [part()]}},
    "tuple": lambda: (part(), result()),
    "deque": lambda: collections.deque([part()]),
    "ordered": lambda: collections.OrderedDict(a=part()),
    "defaultdict": lambda: collections.defaultdict(list, a=[result()]),
    "proxy": lambda: types.MappingProxyType(part()),
    "namespace": lambda: types.SimpleNamespace(a=part()),
    "dataclass": lambda: Box(result()),
    "own class": lambda: Bag(part()),
    "or": lambda: part() | {"extra": 1},
    "reverse or": lambda: {"extra": 1} | part(),
    "ior": lambda: part().__ior__({"extra": BIG}),
    "copy method": lambda: result().copy(),
    "copy": lambda: copy.copy(part()),
    "deepcopy": lambda: copy.deepcopy(result()),
    "unpickled": lambda: pickle.loads(pickle.dumps(result())),
    "asdict": lambda: dataclasses.asdict(Box(part())),
    "hand-set part in a result": lambda: tool.success("x") | {"parts": [image_part()]},
    "extra payload": lambda: part() | {"thumbnail": BIG, "raw": PNG, "deep": {"data": [BIG]}, BIG: 1},
    "payload in a set": lambda: tool.success("", {"set": {BIG}}),
    "data url": lambda: part() | {"src": f"data:image/png;base64,{PAYLOAD}"},
    "mime lines": lambda: tool.success("", {"pem": "\n".join(BIG[at : at + 76] for at in range(0, 760, 76))}),
    "tiny": lambda: content.validate_part({"type": "image", "mimeType": "image/gif", "data": PAYLOAD[:16]}),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("printer", PRINTERS)
def test_no_way_of_printing_shows_a_payload(printer: str, way: str) -> None:
    shown = PRINTERS[printer](WAYS[way]())
    assert shown
    assert not leaks(shown)


def test_a_printed_part_says_how_large_it_is() -> None:
    assert repr(part()) == "{'type': 'image', 'mimeType': 'image/png', 'data': <82 bytes>}"


def test_a_result_without_payloads_prints_as_a_plain_dict_does() -> None:
    plain: Any = {"output": 'it\'s "fine"\n', "isError": False, "metadata": {"a": [1, (2,), None, {3.5}], "b": ()}}
    assert repr(SafeDict(plain)) == repr(plain)


@pytest.mark.parametrize("schema_type", [["string", "null"], {"a": 1}, set(), 3, None])
def test_a_dict_under_type_that_is_no_part_prints(schema_type: Any) -> None:
    plain: Any = {"schema": {"type": schema_type, "data": "x", "text": 1}}
    assert repr(tool.success("", plain)) == repr({"output": "", "isError": False, "metadata": plain})


def test_a_dict_that_holds_itself_prints_and_stops() -> None:
    looped: dict[str, Any] = {}
    looped.update(dict.fromkeys("abcdefgh", looped))
    assert len(repr(tool.success("", looped))) < 1000


def test_a_long_path_stays_readable() -> None:
    path = "/srv/projects/code/" + "some-project/deeply_nested2/" * 8 + "readme"
    assert path in repr(tool.success(path))


JUNK: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.just(BIG) | st.just("x" * 5000),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.just(BIG), inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from(["text", "image", "file", "audio"]), st.sampled_from(["data", "url", "text"]), JUNK, JUNK)
def test_the_repr_of_a_part_is_short_whatever_it_holds(kind: str, key: str, value: Any, extra: Any) -> None:
    made = SafeDict(type=kind, mimeType=extra, name=value)
    made[key] = value
    made.update(extra if isinstance(extra, dict) else {"extra": extra})
    assert len(repr(made)) < 300 or made.get("type") != kind or key not in made
    assert not leaks(repr(made))


@settings(max_examples=40)
@given(st.binary(min_size=200, max_size=400))
def test_no_run_of_base64_is_shown_wherever_it_stands(raw: bytes) -> None:
    import pybase64

    text = pybase64.b64encode_as_string(raw)
    for payload in (text, text.replace("+", "-").replace("/", "_")):
        holder = tool.success(f"see {payload} here", {"k": payload, "n": {"data": f"x={payload}"}})
        shown = repr(holder)
        assert not any(payload[at : at + 72] in shown for at in range(0, len(payload) - 72, 8))


def test_the_packages_own_frames_show_no_payload_of_a_part_they_refuse() -> None:
    broken = part() | {"url": "https://example.org/a.png"}
    with pytest.raises(PartError) as caught:
        content.validate_part(broken)
    shown = traceback.TracebackException.from_exception(caught.value, capture_locals=True).format()
    assert not leaks("".join(shown))


def test_the_callers_own_ways_give_the_payload() -> None:
    assert part()["data"] == dict(part())["data"] == {**part()}["data"] == PAYLOAD
    assert type(dict(part())) is dict


def test_it_is_a_dict_and_equal_to_one_both_ways() -> None:
    assert isinstance(part(), dict)
    assert part() == image_part()
    assert image_part() == part()
    assert part() != image_part(extra=1)


@pytest.mark.parametrize("make", [part, result])
def test_json_sees_a_plain_dict(make: Callable[[], Any]) -> None:
    assert json.dumps(make()) == json.dumps(_plain(make()))
    assert json.loads(json.dumps(make())) == make()
    assert type(json.loads(json.dumps(make()))) is dict


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("module", ["orjson", "msgspec.json", "msgspec.msgpack"])
def test_other_encoders_see_a_plain_dict(module: str) -> None:
    encoder = pytest.importorskip(module)
    encode = getattr(encoder, "dumps", None) or encoder.encode
    decode = getattr(encoder, "loads", None) or encoder.decode
    assert decode(encode(result())) == result()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_keeps_everything(protocol: int) -> None:
    back = pickle.loads(pickle.dumps(result(), protocol))
    assert back == result()
    assert type(back) is SafeDict


def test_deepcopy_is_deep_and_copy_is_not() -> None:
    one = result()
    assert copy.deepcopy(one)["parts"][0] is not one["parts"][0]
    assert copy.copy(one)["parts"] is one["parts"]
    assert one.copy()["parts"] is one["parts"]


def test_a_result_that_holds_itself_copies_and_pickles_as_a_dict_does() -> None:
    looped: Any = tool.success("", {})
    looped["metadata"]["self"] = looped
    for made in (copy.deepcopy(looped), pickle.loads(pickle.dumps(looped))):
        assert made["metadata"]["self"] is made


def test_or_with_something_else_is_refused_as_a_dict_refuses_it() -> None:
    with pytest.raises(TypeError):
        assert part() | [("a", 1)]


def test_or_changes_neither_side() -> None:
    one = part()
    assert one | {"mimeType": "image/gif"} != one
    assert one == image_part()


def test_a_changed_payload_is_checked_again() -> None:
    one = part()
    one["data"] = "!!!!"
    assert not content.is_part(one)


def test_dataclass_and_container_types_stay_what_they_are() -> None:
    assert sys.getsizeof(part()) < sys.getsizeof(dict(part())) + 200
    assert not hasattr(part(), "__dict__")


STRICT = ["ImagePart", "ContentPart", "ToolResult"]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("name", STRICT)
def test_pydantic_validates_what_this_package_builds(name: str, strict: bool) -> None:
    pydantic = pytest.importorskip("pydantic")
    adapter = pydantic.TypeAdapter(getattr(dicts, name))
    value = result() if name == "ToolResult" else part()
    if name == "ToolResult":
        del value["metadata"]
    assert adapter.validate_python(value, strict=strict) == value
    assert json.loads(adapter.dump_json(value)) == value


def test_pydantic_refuses_a_part_of_another_type() -> None:
    pydantic = pytest.importorskip("pydantic")
    with pytest.raises(ValueError, match="type"):
        pydantic.TypeAdapter(dicts.ImagePart).validate_python(part() | {"type": "video"})


def test_rich_prints_no_payload() -> None:
    pretty = pytest.importorskip("rich.pretty")
    for name, make in WAYS.items():
        if name != "proxy":  # rich opens a mapping proxy and reads the dict behind it by itself
            assert not leaks(pretty.pretty_repr(make(), max_width=40))


def test_what_rich_is_given_holds_no_payload() -> None:
    for value in (part(), result(), WAYS["tiny"](), WAYS["extra payload"]()):
        assert not leaks(repr(list(value.__rich_repr__())))
