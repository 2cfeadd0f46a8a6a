"""Results and whole transcripts become messages; nothing of it is written back to what was given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from typing_extensions import TypedDict

from toolnexus_media import _text
from toolnexus_media.emit._carry import Policy, carried
from toolnexus_media.emit._wire import FAILED, Answer, Block, Call, Message, Spot, Wire, label
from toolnexus_media.errors import PartError
from toolnexus_media.summary import summarize_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolnexus_media.limits import Limits
    from toolnexus_media.types import ToolResult


class Answered(TypedDict):
    """A call's id and name, and the result that answers it."""

    id: str
    name: str
    result: ToolResult


class Room(NamedTuple):
    """What a call of ``emit`` works with."""

    wire: Wire
    limits: Limits
    policy: Policy
    detail: str | None


def answers_of(calls: Iterable[Mapping[str, Any]], room: Room) -> list[Answer]:
    """Every call's result, its parts carried; an error of any of them comes before the first message is made."""
    return [_answer(call["id"], call["name"], call["result"], room) for call in calls_of(calls)]


def calls_of(calls: Iterable[Mapping[str, Any]]) -> list[Answered]:
    """The calls with their results, checked; ``PartError`` says what a call is.

    >>> calls_of([{"id": "c1", "name": "add", "result": {"output": "3", "isError": False}, "role": "tool"}])
    [{'id': 'c1', 'name': 'add', 'result': {'output': '3', 'isError': False}}]
    """
    if isinstance(calls, (str, Mapping)) or not hasattr(calls, "__iter__"):
        raise PartError("calls are a list of {'id', 'name', 'result'}; pass [call, …]", code="bad-data")
    return [_checked(call) for call in calls]


def _answer(call_id: str, name: str, result: ToolResult, room: Room) -> Answer:
    failed = result["isError"] is True
    limits, parts = room.limits, result.get("parts") or []
    native = limits.tool_media == "native" and (limits.error_media or not failed)
    spot = Spot(limits, "tool" if native else "user", room.detail, salt=call_id)
    done = carried(parts, room.wire, spot, room.policy)
    text = _text.utf8_safe(result["output"]) if result["output"].strip() else ""
    blocks: list[Block] = [one.block for one in done] if native else []
    moved: list[Block] = []
    if not native:
        words = [one.text for one in done if one.text is not None]
        if len(words) == len(done):
            text = "\n".join(filter(None, [text, *words]))
        else:
            text = text or summarize_parts(part for part in parts if part["type"] != "text")
            tag = room.wire.text(label(call_id, name), spot)
            moved = [block for one in done for block in (dict(tag), one.block)]
    if failed and not limits.error_flag:
        text = FAILED + (text or "the tool failed")
    return Answer(call_id, name, failed, text, blocks, moved)


def _checked(call: Mapping[str, Any]) -> Answered:
    fields: Mapping[str, Any] = call if isinstance(call, Mapping) else {}
    call_id, name, result = fields.get("id"), fields.get("name"), fields.get("result")
    if not isinstance(call_id, str) or not isinstance(name, str) or not _is_result(result):
        raise PartError(
            "a call is {'id': str, 'name': str, 'result': a ToolResult}; build the result with tool.success",
            code="bad-data",
        )
    return {"id": call_id, "name": name, "result": cast("ToolResult", result)}


def _is_result(result: object) -> bool:
    return isinstance(result, dict) and isinstance(result.get("output"), str) and "isError" in result


def system_of(transcript: Sequence[Mapping[str, Any]], room: Room) -> Any:
    """The leading system turns as the value of the provider's own parameter; ``None`` where there is none."""
    texts = [text for turn in _leading(transcript) for text in _system_texts(turn)]
    return room.wire.system(texts) if room.wire.system is not None and texts else None


def _leading(transcript: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    for turn in transcript:
        if _role(turn) != "system":
            break
        found.append(turn)
    return found


def _system_texts(turn: Mapping[str, Any]) -> Iterator[str]:
    content = turn.get("content")
    for part in [{"type": "text", "text": content}] if isinstance(content, str) else content or []:
        text = part.get("text") if isinstance(part, dict) and part.get("type") == "text" else None
        if not isinstance(text, str):
            raise PartError("a system turn holds text only; move its media to a user turn", code="bad-data")
        if text.strip():
            yield _text.utf8_safe(text)


def _role(turn: object) -> str:
    role = turn.get("role") if isinstance(turn, Mapping) else None
    if role not in ("system", "user", "assistant", "tool"):
        raise PartError(
            "a turn is a dict whose role is system, user, assistant or tool; see types.Turn", code="bad-data"
        )
    return cast("str", role)


def messages_of(transcript: Sequence[Mapping[str, Any]], room: Room, attached: Policy) -> list[Message]:
    """The transcript in the provider's messages; ``attached`` is the policy for what a user's turn holds."""
    turns = list(transcript)
    if room.wire.system is not None:
        turns = turns[len(_leading(turns)) :]
    made: list[Message] = []
    for number, (role, group) in enumerate(groupby(turns, key=_role)):
        for message in _group(role, list(group), room, attached, number):
            _add(made, message, room.wire)
    key = room.wire.id_key
    return made if key is None else [{key: f"message-{at}", **message} for at, message in enumerate(made, 1)]


def _group(role: str, turns: list[Mapping[str, Any]], room: Room, attached: Policy, number: int) -> Iterator[Message]:
    """The messages of turns of one role that follow each other."""
    if role == "tool":
        calls = [{**turn, "id": wire_id(str(turn.get("id")), room.wire)} for turn in turns]
        make = room.wire.turn_answers or room.wire.answers
        yield from make(answers_of(calls, room), room.limits)
        return
    for at, turn in enumerate(turns):
        if role == "assistant":
            yield from _assistant(turn, room)
        elif role == "system":
            yield from _system(turn, room)
        else:
            yield from _user(turn, room._replace(policy=attached), f"{number}.{at}")


def _assistant(turn: Mapping[str, Any], room: Room) -> Iterator[Message]:
    text = turn.get("content") or ""
    if not isinstance(text, str):
        raise PartError("an assistant turn's content is a str; put what it said there", code="bad-data")
    calls = [_call(call, room.wire) for call in turn.get("tool_calls") or []]
    if text.strip() or calls:
        yield from room.wire.assistant(_text.utf8_safe(text) if text.strip() else "", calls, room.limits)


def _call(call: Mapping[str, Any], wire: Wire) -> Call:
    name, args = call.get("name"), call.get("args")
    if not isinstance(name, str) or not isinstance(args, Mapping):
        raise PartError("a tool call is {'id', 'name', 'args': a dict}; see types.ToolCall", code="bad-data")
    return Call(wire_id(str(call.get("id")), wire), name, args, call)


def _system(turn: Mapping[str, Any], room: Room) -> Iterator[Message]:
    texts = list(_system_texts(turn))
    if texts:
        yield {**_said("\n".join(texts), room), "role": room.wire.system_role}


def _user(turn: Mapping[str, Any], room: Room, salt: str) -> Iterator[Message]:
    content = turn.get("content")
    if isinstance(content, str):
        if content.strip():
            yield _said(_text.utf8_safe(content), room)
        return
    done = carried(content or [], room.wire, Spot(room.limits, "user", room.detail, salt), room.policy)
    if done:
        yield room.wire.user([one.block for one in done])


def _said(text: str, room: Room) -> Message:
    """A user's message of nothing but words, as a bare string where the wire takes one."""
    wire = room.wire
    blocks = [wire.text(text, Spot(room.limits))]
    return wire.user(blocks) if wire.plain is None else {**wire.user([]), wire.plain: text}


def _add(made: list[Message], message: Message, wire: Wire) -> None:
    """Append; messages of one role are joined, and what may not stand next to each other is parted, where it must."""
    last = made[-1] if made else {}
    if wire.joins is not None and last.get("role") == message["role"]:
        blocks = [*_blocks(last[wire.joins]), *_blocks(message[wire.joins])]
        made[-1] = {**last, wire.joins: blocks}
        return
    if wire.between is not None and (last.get("role"), message["role"]) == ("tool", "user"):
        made.append(dict(wire.between))
    made.append(message)


def _blocks(content: str | list[Block]) -> list[Block]:
    """A message's blocks, also where it is a bare string."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def wire_id(call_id: str, wire: Wire) -> str:
    """The id of a call where it is one that the wire takes, else one made of it, always the same.

    >>> from toolnexus_media.emit._wire import wire_of
    >>> wire_id("call_1", wire_of("anthropic", None)[0]), wire_id("call_1", wire_of("mistral", None)[0])
    ('call_1', '74196fe72')
    """
    if re.fullmatch(wire.ids, call_id) and len(call_id) <= wire.id_chars:
        return call_id
    return sha256(call_id.encode("utf-8", "surrogatepass")).hexdigest()[: min(wire.id_chars, 24)]
