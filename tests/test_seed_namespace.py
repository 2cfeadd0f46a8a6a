"""The promises of the seed page of the namespace ``toolnexus.tool``, in Python."""

from __future__ import annotations

import copy
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus_media import tool

ANY_TEXT = st.text(alphabet=st.characters(), max_size=12)  # lone surrogates and astral characters included


def named(name: str, text: str = "") -> Any:
    return tool.tool(name, lambda args: tool.success(text or name))


NAMES = (
    "add_tools all_tools code_points compare_strings execute failure last_index_of_char sanitize sort_strings "
    "success tool tool_names toolkit toolkit_id with_parts"
)


@pytest.mark.parametrize("name", NAMES.split())
def test_every_name_of_the_page_exists(name: str) -> None:
    assert callable(getattr(tool, name))


def test_no_public_function_has_the_name_of_a_builtin() -> None:
    import builtins

    assert not [name for name in NAMES.split() if hasattr(builtins, name)]


def test_a_tool_has_exactly_its_keys() -> None:
    made = tool.tool("a", print)
    assert made == {
        "name": "a",
        "description": "",
        "input_schema": {"type": "object"},
        "source": "custom",
        "execute": print,
    }


def test_a_tool_is_made_from_one_dict_too() -> None:
    spec = {"name": "a", "description": "d", "execute": print, "hints": {"read_only": True}, "context": True}
    made: Any = tool.tool(spec)
    assert (made["hints"], made["context"], made["description"]) == ({"read_only": True}, True, "d")


def test_a_tool_made_of_a_tool_is_equal() -> None:
    made = tool.tool("a", print, "d", {"type": "object", "x": 1}, "mcp", {"open_world": True}, True)
    assert tool.tool(made) == made


def test_hints_and_context_are_absent_unless_given() -> None:
    assert not {"hints", "context"} & set(tool.tool("a", print))


def test_the_schema_passes_through_untouched() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"x": {}}, "$weird": None}
    assert tool.tool("a", print, input_schema=schema)["input_schema"] is schema


def test_a_name_is_made_text_and_never_sanitised() -> None:
    assert tool.tool(42, print)["name"] == "42"  # type: ignore[arg-type]  # names come from anywhere
    assert tool.tool("my tool/é", print)["name"] == "my tool/é"


@pytest.mark.parametrize(("name", "execute"), [(None, print), ("", print), ("a", None), ("a", 3)])
def test_no_name_or_nothing_to_call_is_a_type_error(name: Any, execute: Any) -> None:
    with pytest.raises(TypeError):
        tool.tool(name, execute)


def test_a_dict_without_a_name_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        tool.tool({"execute": print})


def test_what_execute_returns_is_not_normalised() -> None:
    assert tool.tool("a", lambda args: "plain")["execute"]({}) == "plain"  # type: ignore[comparison-overlap]  # on purpose


def test_a_toolkit_is_tools_and_sources() -> None:
    one = named("a")
    assert tool.toolkit([one], {"mcp": "ok"}) == {"tools": {"a": one}, "sources": {"mcp": "ok"}}
    assert tool.toolkit([]) == {"tools": {}, "sources": {}}


def test_later_tools_win() -> None:
    tk = tool.toolkit([named("a", "builtin"), named("a", "mcp")])
    assert tool.execute(tk, "a", {})["output"] == "mcp"


def test_add_tools_wins_over_what_was_there_and_changes_nothing_in_place() -> None:
    tk = tool.toolkit([named("a", "old"), named("b")])
    grown = tool.add_tools(tk, [named("a", "new"), named("c")])
    assert tool.execute(grown, "a", {})["output"] == "new"
    assert tool.execute(tk, "a", {})["output"] == "old"
    assert tool.tool_names(tk) == ["a", "b"]
    assert tool.tool_names(grown) == ["a", "b", "c"]


def test_add_tools_shares_no_sources_with_the_old_toolkit() -> None:
    tk = tool.toolkit([], {"mcp": "ok"})
    tool.add_tools(tk, [])["sources"]["mcp"] = "dead"
    assert tk["sources"] == {"mcp": "ok"}


def test_identity_is_a_string_and_unique() -> None:
    first, second = tool.toolkit_id(tool.toolkit([])), tool.toolkit_id(tool.toolkit([]))
    assert isinstance(first, str)
    assert first != second


def test_identity_is_kept_by_every_way_to_a_new_value() -> None:
    tk: Any = tool.toolkit([named("a")])
    ways = [tool.add_tools(tk, [named("b")]), tk | {"extra": 1}, tk.copy(), copy.copy(tk), copy.deepcopy(tk)]
    assert {tool.toolkit_id(way) for way in ways} == {tool.toolkit_id(tk)}


def test_identity_of_the_left_operand_wins() -> None:
    left: Any = tool.toolkit([])
    right: Any = tool.toolkit([])
    assert tool.toolkit_id(left | right) == tool.toolkit_id(left)
    assert tool.toolkit_id({"tools": {}, "sources": {}} | left) is None


def test_identity_is_kept_in_place() -> None:
    tk: Any = tool.toolkit([])
    before = tool.toolkit_id(tk)
    tk |= {"extra": 1}
    tk["tools"]["a"] = named("a")
    assert tool.toolkit_id(tk) == before


def test_identity_is_ignored_by_equality() -> None:
    tools = [named("a")]
    assert tool.toolkit(tools) == tool.toolkit(tools) == {"tools": {"a": tools[0]}, "sources": {}}


def test_a_hand_built_dict_has_no_identity() -> None:
    hand: Any = {"tools": {}, "sources": {}}
    assert tool.toolkit_id(hand) is None
    assert tool.toolkit_id(tool.add_tools(hand, [named("a")])) is None


def test_names_and_tools_are_lists_sorted_by_code_point() -> None:
    names = ["b", "\U0001f600", "\uffff", "a", "\ud800", "Z"]
    tk = tool.toolkit([named(name) for name in names])
    assert tool.tool_names(tk) == ["Z", "a", "b", "\ud800", "\uffff", "\U0001f600"]
    assert [item["name"] for item in tool.all_tools(tk)] == tool.tool_names(tk)
    assert isinstance(tool.all_tools(tk), list)


def test_a_throw_becomes_a_failure_with_its_message() -> None:
    def boom(_: object) -> Any:
        raise ValueError("disk on fire")

    tk = tool.toolkit([tool.tool("boom", boom)])
    assert tool.execute(tk, "boom", {}) == {"output": "disk on fire", "isError": True}


def test_a_throw_without_a_message_becomes_its_type() -> None:
    def boom(_: object) -> Any:
        raise ZeroDivisionError

    assert tool.execute(tool.toolkit([tool.tool("boom", boom)]), "boom", {})["output"] == "ZeroDivisionError"


def test_an_unknown_name_is_a_failure() -> None:
    assert tool.execute(tool.toolkit([]), "nope", {}) == {"output": "unknown tool: nope", "isError": True}


def test_context_tools_get_a_context_on_every_call() -> None:
    seen: list[Any] = []

    def spy(args: Any, ctx: Any) -> Any:
        seen.append(ctx)
        return tool.success("")

    tk = tool.toolkit([tool.tool("spy", spy, context=True)])
    tool.execute(tk, "spy", {})
    tool.execute(tk, "spy", {}, {"call_id": "c1"})
    assert seen == [{}, {"call_id": "c1"}]


def test_a_single_arity_tool_is_never_handed_a_context() -> None:
    tk = tool.toolkit([tool.tool("one", lambda args: tool.success("ok"))])
    assert tool.execute(tk, "one", {}, {"call_id": "c1"})["output"] == "ok"


@given(ANY_TEXT)
def test_sanitize_leaves_only_its_alphabet(text: str) -> None:
    clean = tool.sanitize(text)
    assert set(clean) <= set(string.ascii_letters + string.digits + "_-")
    assert len(clean) == len(text)


def test_sanitize_replaces_each_other_character_by_one_underscore() -> None:
    assert tool.sanitize("a.b c/\U0001f600é-_Z9") == "a_b_c___-_Z9"
    assert tool.sanitize("") == ""


def test_code_points_of_astral_characters_and_lone_surrogates() -> None:
    assert tool.code_points("a\ue000\U0001f600\udcff") == [0x61, 0xE000, 0x1F600, 0xDCFF]


@given(ANY_TEXT, ANY_TEXT)
def test_compare_strings_orders_by_code_points(a: str, b: str) -> None:
    left, right = tool.code_points(a), tool.code_points(b)
    assert tool.compare_strings(a, b) == (left > right) - (left < right)


@given(st.lists(ANY_TEXT, max_size=8))
def test_sort_strings_sorts_by_code_points_into_a_list(xs: list[str]) -> None:
    assert tool.sort_strings(iter(xs)) == sorted(xs, key=tool.code_points)


@given(ANY_TEXT, st.characters())
def test_last_index_of_char_agrees_with_slicing(text: str, ch: str) -> None:
    index = tool.last_index_of_char(text, ch)
    if index is None:
        assert ch not in text
    else:
        assert text[index] == ch
        assert ch not in text[index + 1 :]


@pytest.mark.parametrize(
    ("text", "ch", "index"),
    [("/base/\ue000dir/SKILL.md", "/", 10), ("/docs/\U0001f600.pdf", ".", 7), ("abc", "/", None), ("", "/", None)],
)
def test_last_index_of_char_on_the_pages_examples(text: str, ch: str, index: int | None) -> None:
    assert tool.last_index_of_char(text, ch) == index
