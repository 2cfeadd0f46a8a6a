"""Parts and the wire: what each provider sends and takes, one shape at a time.

    block, blocks          a part, parts → a provider's content blocks
    tool_messages          results that answer one assistant turn → the messages to append
    messages, system       a canonical transcript → a provider's messages, and its system parameter
    tool_schemas           a toolkit → a provider's tool declarations
    read_block             a provider's or MCP block → a part

Media ride inside the tool result where the provider has a shape for that; elsewhere they follow in one user message,
each under a line that names the call. Nothing is dropped: what cannot be carried is an error or its placeholder.

>>> read_block({"inlineData": {"mimeType": "text/plain", "data": "aGk="}})
{'type': 'file', 'mimeType': 'text/plain', 'data': <2 bytes>}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus_media.emit.read import read_block

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from toolnexus_media.emit._carry import OnUnsupported, Provenance
    from toolnexus_media.emit._turns import Room
    from toolnexus_media.emit._wire import Block, Message, Wire
    from toolnexus_media.limits._shape import Position
    from toolnexus_media.types import ContentPart, Toolkit

__all__ = ["block", "blocks", "messages", "read_block", "system", "tool_messages", "tool_schemas"]


def block(
    part: ContentPart,
    provider: str,
    *,
    position: Position = "user",
    model: str | None = None,
    detail: str | None = None,
) -> Block:
    """The provider's block for a part, a plain dict to which keys such as ``cache_control`` may be added.

    >>> block({"type": "text", "text": "hi"}, "openai-responses")
    {'type': 'input_text', 'text': 'hi'}

    ``UnsupportedPartError`` when the provider's model takes no such part in a user turn (or with ``position="tool"``
    in a tool result); it says what would work. A label that the bytes contradict is corrected. ``detail`` is how
    closely the model looks at a picture (``low``, ``high`` … as the provider has it; where there is none it says
    nothing).
    Blocks of Bedrock hold raw bytes; one of Ollama is a piece of a message, ``{"images": […]}`` or ``{"content": …}``.
    """
    from toolnexus_media.emit._carry import encoded
    from toolnexus_media.emit._wire import Spot, wire_of

    wire, limits = wire_of(provider, model)
    limits.at(position)
    return encoded(part, wire, Spot(limits, position, _detail(detail, wire, provider)))


def blocks(
    parts: Iterable[ContentPart],
    provider: str,
    *,
    position: Position = "user",
    model: str | None = None,
    provenance: Provenance = "derived",
    on_unsupported: OnUnsupported | None = None,
    max_part_bytes: int | None = None,
    detail: str | None = None,
) -> list[Block]:
    """A block for every part, in order.

    >>> sound = {"type": "audio", "mimeType": "audio/wav", "data": "UklGRiQAAABXQVZF"}
    >>> blocks([sound], "anthropic", on_unsupported="text")
    [{'type': 'text', 'text': '[unsupported audio part (audio/wav, 12 bytes)]'}]

    What cannot be carried, or holds more than ``max_part_bytes`` (decoded), is an error before anything is sent when a
    person attached it (``provenance="attached"``); what a tool derived becomes its placeholder, and one warning of the
    logger ``toolnexus_media.emit`` tells for each provider, kind and reason. ``on_unsupported`` overrides. A text
    without a letter gives no block.
    """
    from toolnexus_media.emit._carry import carried, policy_of
    from toolnexus_media.emit._wire import Spot, wire_of

    wire, limits = wire_of(provider, model)
    limits.at(position)
    spot = Spot(limits, position, _detail(detail, wire, provider))
    policy = policy_of(provenance, on_unsupported, max_part_bytes)
    return [one.block for one in carried(parts, wire, spot, policy)]


def tool_messages(
    calls: Iterable[Mapping[str, Any]],
    provider: str,
    *,
    model: str | None = None,
    provenance: Provenance = "derived",
    on_unsupported: OnUnsupported | None = None,
    max_part_bytes: int | None = None,
    detail: str | None = None,
) -> list[Message]:
    """The messages to append for the results that answer one assistant turn.

    >>> tool_messages([{"id": "c1", "name": "add", "result": {"output": "3", "isError": False}}], "openai")
    [{'role': 'tool', 'tool_call_id': 'c1', 'content': '3'}]

    ``calls`` are ``{"id", "name", "result"}``. A failed result is told the provider's way, with a text prefix where it
    has no flag; a suspended one is a failure that says what it waits for. ``metadata`` is never sent. For ``mcp`` each
    message is a ``CallToolResult``. The other options are those of ``blocks``.
    """
    from toolnexus_media.emit._turns import answers_of

    room = _room(provider, model, detail, provenance, on_unsupported, max_part_bytes)
    answers = answers_of(calls, room)
    return room.wire.answers(answers, room.limits) if answers else []


def messages(
    transcript: Sequence[Mapping[str, Any]],
    provider: str,
    *,
    model: str | None = None,
    on_unsupported: OnUnsupported | None = None,
    max_part_bytes: int | None = None,
    detail: str | None = None,
) -> list[Message]:
    """A canonical transcript in the provider's messages; it is not changed, and any provider may come next.

    >>> messages([{"role": "user", "content": "hi"}], "gemini")
    [{'role': 'user', 'parts': [{'text': 'hi'}]}]

    What a user's turn holds counts as attached, what a tool gave as derived (see ``blocks``). Where the provider takes
    its instructions beside the messages, the leading system turns are left to ``system``. Ids of calls that the
    provider would refuse are replaced, alike in a call and in its answer.
    """
    from toolnexus_media.emit._carry import policy_of
    from toolnexus_media.emit._turns import messages_of

    room = _room(provider, model, detail, "derived", on_unsupported, max_part_bytes)
    return messages_of(transcript, room, policy_of("attached", on_unsupported, max_part_bytes))


def system(transcript: Sequence[Mapping[str, Any]], provider: str, *, model: str | None = None) -> Any:
    """The leading system turns for the provider's own parameter; None where they stand among the messages.

    >>> turns = [{"role": "system", "content": "Be brief."}]
    >>> system(turns, "anthropic"), system(turns, "openai")
    ([{'type': 'text', 'text': 'Be brief.'}], None)

    That is Anthropic's ``system``, Gemini's ``systemInstruction`` and Bedrock's ``system``.
    """
    from toolnexus_media.emit._turns import system_of

    return system_of(transcript, _room(provider, model, None, "derived", None, None))


def tool_schemas(tk: Toolkit, provider: str) -> list[Block]:
    """The provider's declarations of a toolkit's tools, sorted by name; schemas go through untouched.

    >>> from toolnexus_media.tool import tool, toolkit
    >>> tool_schemas(toolkit([tool("ping", lambda args: {}, "Say pong")]), "anthropic")
    [{'name': 'ping', 'description': 'Say pong', 'input_schema': {'type': 'object'}}]

    Hints are sent as MCP annotations and nowhere else. ``ValueError`` for a protocol without tools.
    """
    from toolnexus_media.emit._wire import wire_of
    from toolnexus_media.tool import all_tools

    wire, _ = wire_of(provider, None)
    if wire.tools is None:
        raise ValueError(f"{provider} knows no tools; describe them in its own agent card")
    return wire.tools(all_tools(tk))


def _room(
    provider: str,
    model: str | None,
    detail: str | None,
    provenance: Provenance,
    on_unsupported: OnUnsupported | None,
    max_part_bytes: int | None,
) -> Room:
    from toolnexus_media.emit._carry import policy_of
    from toolnexus_media.emit._turns import Room
    from toolnexus_media.emit._wire import wire_of

    wire, limits = wire_of(provider, model)
    return Room(wire, limits, policy_of(provenance, on_unsupported, max_part_bytes), _detail(detail, wire, provider))


def _detail(detail: str | None, wire: Wire, provider: str) -> str | None:
    """The detail where the wire has any; ``ValueError`` when it is none of them."""
    if detail is None or not wire.details:
        return None
    if detail not in wire.details:
        raise ValueError(f"no detail {detail!r:.80} for {provider}; the details are {', '.join(sorted(wire.details))}")
    return detail
