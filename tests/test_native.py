"""A plain function is a tool: arguments come by name, whatever it returns becomes a result."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import decimal
import enum
import functools
import io
import json
import sys
import types
import uuid
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
from PIL import Image

from tests._make import PAYLOAD, PDF, PNG, image_part, leaks
from toolnexus_media import content, native, suspension, tool
from toolnexus_media.errors import MissingExtraError

LINE = "image (image/png, 82 bytes)"


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 2


class Point(NamedTuple):
    x: int
    shot: Any


@dataclasses.dataclass
class Report:
    title: str
    shot: Any
    limit: ClassVar[int] = 9


class Plot:
    def _repr_png_(self) -> bytes:
        return PNG


class Figure:
    def savefig(self, target: Any, format: str) -> None:
        target.write(PNG)


def returns(value: Any) -> Any:
    made = native.native_tool(lambda: value, name="t")
    return native.execute_native(made, {})


# --- returns ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "output"),
    [
        ("text", "text"),
        ("", ""),
        (None, ""),
        (42, "42"),
        (1.5, "1.5"),
        (True, "true"),
        ({"a": [1, None], "é": "ü"}, '{"a": [1, null], "é": "ü"}'),
        ([], "[]"),
        (["a", "b"], '["a", "b"]'),
        ((1, "b"), '[1, "b"]'),
        ({3: {"x"}}, '{"3": ["x"]}'),
        (Colour.RED, "red"),
        ({"c": Colour.RED, "l": Level.HIGH}, '{"c": "red", "l": 2}'),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        ({"at": datetime.datetime(2026, 1, 2, 3, 4)}, '{"at": "2026-01-02T03:04:00"}'),
        ({"d": decimal.Decimal("1.10")}, '{"d": "1.10"}'),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (np.float64(1.5), "1.5"),
        ({"n": np.int64(3), "b": np.bool_(True), "a": np.arange(3)}, '{"n": 3, "b": true, "a": [0, 1, 2]}'),
        ({"nan": float("nan"), "inf": float("-inf")}, '{"nan": null, "inf": null}'),
        (types.MappingProxyType({"a": 1}), '{"a": 1}'),
    ],
)
def test_values_become_text(value: Any, output: str) -> None:
    assert returns(value) == {"output": output, "isError": False}


MEDIA: list[Any] = [
    PNG, bytearray(PNG), memoryview(PNG), Plot(), Figure(), image_part(), content.attach(PNG), io.BytesIO(PNG),
]  # fmt: skip


@pytest.mark.parametrize("value", MEDIA, ids=lambda value: type(value).__name__)
def test_media_become_output_and_a_part(value: Any) -> None:
    assert returns(value) == {"output": LINE, "isError": False, "parts": [image_part()]}


@pytest.mark.parametrize("value", MEDIA[:-1], ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(
    "wrap",
    [
        lambda x: {"shot": x},
        lambda x: {"deep": [{"shot": x}]},
        lambda x: (1, x),
        lambda x: Report("r", x),
        lambda x: [Report("r", x)],
        lambda x: Point(1, x),
        lambda x: types.MappingProxyType({"shot": x}),
    ],
)
def test_nested_media_are_found_attached_and_replaced_by_their_summary(wrap: Any, value: Any) -> None:
    result = returns(wrap(value))
    assert result["parts"] == [image_part()]
    assert LINE in result["output"]
    assert not leaks(result["output"])
    json.loads(result["output"])


def test_pictures_of_pil_and_numpy_are_media_and_grids_of_numbers_are_not() -> None:
    assert returns({"a": Image.new("RGB", (2, 2))})["parts"][0]["mimeType"] == "image/png"
    assert len(returns([np.zeros((2, 2, 3), np.uint8), Image.new("L", (1, 1))])["parts"]) == 2
    assert returns(np.zeros((2, 2), int)) == {"output": "[[0, 0], [0, 0]]", "isError": False}


def test_a_list_of_text_and_media_reads_top_to_bottom() -> None:
    result = returns(["Before:", PNG, "and the report:", PDF])
    assert result["output"] == f"Before:\n{LINE}\nand the report:\nfile (application/pdf, {len(PDF)} bytes)"
    assert [part["type"] for part in result["parts"]] == ["image", "file"]
    assert returns(("a", image_part()))["output"] == f"a\n{LINE}"


def test_a_data_url_inside_a_structure_is_a_picture() -> None:
    result = returns({"image": f"data:image/png;base64,{PAYLOAD}"})
    assert result["parts"] == [image_part()]
    assert not leaks(result["output"])


def test_pydantic_models_are_looked_into() -> None:
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Model", __config__={"extra": "allow"}, title=(str, ...), shot=(Any, ...))
    result = returns([model(title="t", shot=PNG, more=PDF)])
    assert [part["type"] for part in result["parts"]] == ["image", "file"]
    assert json.loads(result["output"])[0] == {
        "title": "t",
        "shot": LINE,
        "more": f"file (application/pdf, {len(PDF)} bytes)",
    }


def test_a_dataclass_shows_its_fields_and_no_class_variables() -> None:
    assert json.loads(returns(Report("r", 1))["output"]) == {"title": "r", "shot": 1}


@pytest.mark.parametrize(
    ("given", "result"),
    [
        (tool.success("x", {"k": 1}), {"output": "x", "isError": False, "metadata": {"k": 1}}),
        (tool.failure("x"), {"output": "x", "isError": True}),
        ({"output": "x"}, {"output": "x", "isError": False}),
        ({"output": "x", "isError": 1}, {"output": "x", "isError": True}),
        ({"output": "x", "isError": None}, {"output": "x", "isError": False}),
        ({"output": None}, {"output": "", "isError": False}),
        ({"output": {"a": 1}}, {"output": '{"a": 1}', "isError": False}),
        ({"output": "x", "metadata": None, "parts": None}, {"output": "x", "isError": False}),
        ({"output": "x", "parts": []}, {"output": "x", "isError": False}),
        ({"output": "x", "parts": [image_part()]}, {"output": "x", "isError": False, "parts": [image_part()]}),
        ({"output": PNG}, {"output": LINE, "isError": False, "parts": [image_part()]}),
        (types.MappingProxyType({"output": "x"}), {"output": "x", "isError": False}),
    ],
)
def test_a_mapping_with_output_is_a_result(given: Any, result: Any) -> None:
    assert returns(given) == result


def test_an_array_under_output_is_a_picture() -> None:
    assert len(returns({"output": np.zeros((2, 2, 3), np.uint8)})["parts"]) == 1


def test_a_suspension_passes_through() -> None:
    request = suspension.make_request("input", "OK?")
    assert suspension.pending_of(returns(suspension.suspend(request))) == request


def test_hand_made_parts_in_a_result_are_hidden() -> None:
    assert not leaks(returns({"output": "x", "parts": [image_part()]}))


@pytest.mark.parametrize("value", [b"", {"shot": b""}, PNG[:40], {"output": "x", "parts": [{"type": "image"}]}])
def test_media_that_cannot_be_attached_are_a_failure_the_model_can_read(value: Any) -> None:
    result = returns(value)
    assert result["isError"] is True
    assert result["output"]


def test_a_value_that_holds_itself_is_a_failure() -> None:
    looped: list[Any] = []
    looped.append(looped)
    assert returns(looped)["isError"] is True
    deep: Any = "end"
    for _ in range(5000):
        deep = [deep]
    assert returns(deep)["isError"] is True


def test_a_value_shared_twice_is_no_loop() -> None:
    shared = {"a": 1}
    assert returns([shared, shared])["output"] == '[{"a": 1}, {"a": 1}]'


def test_other_objects_show_no_payload() -> None:
    class Holder:
        def __repr__(self) -> str:
            return f"Holder({PAYLOAD * 4})"

    assert not leaks(returns({"h": Holder()})["output"])


# --- running ---------------------------------------------------------------------------------------------------------


def test_what_a_function_raises_is_a_failure() -> None:
    def boom() -> str:
        """Fail."""
        raise ValueError("on fire")

    assert native.execute_native(native.native_tool(boom), {}) == {"output": "on fire", "isError": True}


async def later(value: int = 1) -> Any:
    """Answer later."""
    await asyncio.sleep(0)
    return {"value": value, "shot": PNG}


def test_async_functions_run_in_every_way() -> None:
    made = native.native_tool(later)
    result: Any
    for result in (
        native.execute_native(made, {"value": 2}),
        asyncio.run(native.aexecute_native(made, {"value": 2})),
        asyncio.run(tool.aexecute(tool.toolkit([made]), "later", {"value": 2})),
        native.execute_native(native.native_tool(lambda: later(2), name="t"), {}),
        asyncio.run(native.aexecute_native(native.native_tool(lambda: later(2), name="t"), {})),
    ):
        assert result["output"] == f'{{"value": 2, "shot": "{LINE}"}}'
        assert len(result["parts"]) == 1


@pytest.mark.parametrize("function", [later, lambda: later(2)])
def test_inside_a_running_loop_it_says_to_await_and_leaves_no_warning(function: Any) -> None:
    async def scenario() -> Any:
        return native.execute_native(native.native_tool(function, name="t"), {})

    assert "aexecute" in asyncio.run(scenario())["output"]


def test_a_native_tool_is_a_tool_of_a_toolkit() -> None:
    tk = tool.toolkit([native.native_tool(lambda: "pong", name="ping")])
    assert tool.execute(tk, "ping", {})["output"] == "pong"


# --- making ----------------------------------------------------------------------------------------------------------


def greet(name: str, times: int = 2, *, loud: bool = False) -> str:
    """Greet somebody.

    As often as asked.
    """
    return (f"hi {name} " * times + ("!" if loud else "")).strip()


def test_the_decorator_works_with_and_without_arguments_and_as_a_call() -> None:
    decorate: Any = native.native_tool(name="other", description="d", hints={"read_only": True}, input_schema={})

    @decorate  # type: ignore[untyped-decorator]  # it gives Any: a dict stands in the function's place
    def made() -> str:
        return "ok"

    assert (made["name"], made["description"], made["hints"], made["source"]) == (
        "other",
        "d",
        {"read_only": True},
        "native",
    )
    assert native.native_tool(greet)["name"] == "greet"
    assert native.native_tool(greet)["description"] == "Greet somebody.\n\nAs often as asked."


@pytest.mark.parametrize("bad", [3, "greet", {}])
def test_what_cannot_be_called_is_a_type_error(bad: Any) -> None:
    with pytest.raises(TypeError):
        native.native_tool(bad)


def test_the_schema_is_inferred_from_the_signature() -> None:
    schema = native.native_tool(greet)["input_schema"]
    assert schema["type"] == "object"
    assert schema["required"] == ["name"]
    assert {key: value["type"] for key, value in schema["properties"].items()} == {
        "name": "string",
        "times": "integer",
        "loud": "boolean",
    }
    assert schema["properties"]["times"]["default"] == 2
    json.dumps(schema)


@pytest.mark.parametrize(
    "function", [lambda: 1, lambda args: 1, lambda ctx: 1, lambda args, ctx: 1, lambda ctx=None: 1]
)
def test_functions_without_parameters_need_no_pydantic(
    function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pydantic", None)
    assert native.native_tool(function, name="t")["input_schema"] == {"type": "object"}


def test_without_pydantic_the_error_names_the_extra_and_a_given_schema_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic", None)
    with pytest.raises(MissingExtraError) as caught:
        native.native_tool(greet)
    assert caught.value.extra == "schema"
    assert "input_schema" in str(caught.value)
    schema = {"type": "object", "x": 1}
    made = native.native_tool(greet, input_schema=schema)
    assert made["input_schema"] is schema
    assert native.execute_native(made, {"name": "Ann"})["output"] == "hi Ann hi Ann"


@pytest.mark.parametrize(
    ("args", "output", "is_error"),
    [
        ({"name": "Ann"}, "hi Ann hi Ann", False),
        ({"name": "Ann", "times": 1, "loud": True}, "hi Ann !", False),
        ({"name": "Ann", "times": "3"}, "hi Ann hi Ann hi Ann", False),
        ({}, "name", True),
        (None, "name", True),
        ({"name": "Ann", "times": "many"}, "times", True),
        ({"name": "Ann", "volume": 3}, "volume", True),
        ([1], "", True),
    ],
)
def test_arguments_come_by_name_and_what_is_wrong_is_told(args: Any, output: str, is_error: bool) -> None:
    result = native.execute_native(native.native_tool(greet), args)
    assert result["isError"] is is_error
    assert result["output"] == output if not is_error else output in result["output"]


def test_a_lone_args_gets_the_whole_dict_and_ctx_the_context() -> None:
    whole = native.native_tool(lambda args: sorted(args), name="t")
    assert native.execute_native(whole, {"b": 1, "a": 2})["output"] == '["a", "b"]'
    both = native.native_tool(lambda args, ctx: [args["a"], ctx.get("call_id")], name="t")
    assert native.execute_native(both, {"a": 1}, {"call_id": "c"})["output"] == '[1, "c"]'
    assert native.execute_native(both, {"a": 1})["output"] == "[1, null]"
    assert both["context"] is True


def test_ctx_beside_named_parameters_is_not_in_the_schema() -> None:
    def look(path: str, ctx: Any) -> str:
        return f"{path} {ctx['call_id']}"

    made = native.native_tool(look)
    assert list(made["input_schema"]["properties"]) == ["path"]
    assert native.execute_native(made, {"path": "p"}, {"call_id": "c"})["output"] == "p c"


def test_a_context_never_lands_in_an_ordinary_parameter() -> None:
    made = native.native_tool(greet)
    result = tool.execute(tool.toolkit([made]), "greet", {"name": "Ann"}, {"call_id": "c"})
    assert result["output"] == "hi Ann hi Ann"


def test_args_beside_other_parameters_is_an_ordinary_name() -> None:
    def run(args: list[str], flag: bool) -> Any:
        return [args, flag]

    assert native.execute_native(native.native_tool(run), {"args": ["a"], "flag": True})["output"] == '[["a"], true]'


def test_open_keywords_take_the_rest() -> None:
    made = native.native_tool(lambda a, **more: [a, more], name="t")
    assert native.execute_native(made, {"a": 1, "b": 2})["output"] == '[1, {"b": 2}]'


def test_partials_methods_and_callable_objects_are_functions() -> None:
    class Adder:
        def __call__(self, a: int, b: int = 1) -> int:
            return a + b

        def add(self, a: int) -> int:
            return a + 1

    for function in (Adder(), Adder().add, functools.partial(greet_sum, b=1)):
        assert native.execute_native(native.native_tool(function, name="add"), {"a": "2"})["output"] == "3"


def greet_sum(a: int, b: int) -> int:
    return a + b


def test_a_parameter_without_a_name_is_refused_at_once() -> None:
    with pytest.raises(TypeError):
        native.native_tool(lambda a, /: a, name="t")
