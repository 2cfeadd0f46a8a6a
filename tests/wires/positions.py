"""What a provider wants of the order of messages and blocks, written down by hand: types cannot say it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Messages = Sequence[dict[str, Any]]


def complaints(provider: str, messages: Messages) -> list[str]:
    """What is out of place in a conversation whose messages are well-formed, each one alone.

    >>> complaints("bedrock", [{"role": "assistant", "content": [{"text": "Hello"}]}])
    ['[0]: the conversation starts with the assistant']
    """
    return list(RULES[provider](messages))


class Calls:
    """The calls of one turn that wait for their answers."""

    def __init__(self) -> None:
        self.waiting: list[str] = []

    def ask(self, names: list[str]) -> Iterator[str]:
        self.waiting = list(names)
        yield from (f"{name!r} is asked {n} times in one turn" for name, n in Counter(names).items() if n > 1)

    def answer(self, name: str | None) -> Iterator[str]:
        if name in self.waiting:
            self.waiting.remove(name)
        else:
            yield f"answers {name!r}, which is not asked for here"

    def close(self) -> Iterator[str]:
        if self.waiting:
            yield f"comes before the answers to {', '.join(self.waiting)}"
        self.waiting = []


def _at(at: object, found: Iterator[str]) -> Iterator[str]:
    yield from (f"[{at}]: {what}" for what in found)


def _answered(
    messages: Messages, asks: Callable[[dict[str, Any]], list[str]], answers: Callable[[dict[str, Any]], str | None]
) -> Iterator[str]:
    """Messages of role tool stand right after the turn that asks for them, each once, and none is missing."""
    calls = Calls()
    for at, message in enumerate(messages):
        if message["role"] == "tool":
            yield from _at(at, calls.answer(answers(message)))
            continue
        yield from _at(at, calls.close())
        if message["role"] == "assistant":
            yield from _at(at, calls.ask(asks(message)))
    yield from _at("end", calls.close())


def _call_ids(message: dict[str, Any]) -> list[str]:
    return [call["id"] for call in message.get("tool_calls") or ()]


def _call_id(message: dict[str, Any]) -> str | None:
    return message.get("tool_call_id")


def _openai(messages: Messages) -> Iterator[str]:
    yield from _answered(messages, _call_ids, _call_id)
    for at, message in enumerate(messages):
        if message.get("content") == []:
            yield f"[{at}]: holds nothing"


def _responses(items: Messages) -> Iterator[str]:
    """Outputs come after their calls, in any order, each once, and a call without its output is refused."""
    asked: list[str] = []
    answered: list[str] = []
    for at, item in enumerate(items):
        if item.get("type") == "function_call":
            asked.append(item["call_id"])
        elif item.get("type") == "function_call_output":
            if item["call_id"] not in asked or item["call_id"] in answered:
                yield f"[{at}]: answers {item['call_id']!r}, which is not asked for here"
            answered.append(item["call_id"])
        elif item.get("role") == "assistant" and isinstance(item["content"], list):
            wrong = {block["type"] for block in item["content"]} - {"output_text", "refusal"}
            yield from (f"[{at}]: a turn of the assistant's holds {kind}" for kind in sorted(wrong))
        elif item.get("content") == []:
            yield f"[{at}]: holds nothing"
    yield from (f"[end]: {call!r} is not answered" for call in asked if call not in answered)


def _blocks(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _anthropic(messages: Messages) -> Iterator[str]:
    calls = Calls()
    for at, message in enumerate(messages):
        blocks = _blocks(message["content"])
        kinds = [block["type"] for block in blocks]
        results = [block for block in blocks if block["type"] == "tool_result"]
        if message["role"] != "user" and (foreign := {"tool_result", "image", "document"} & set(kinds)):
            yield f"[{at}]: a turn of the {message['role']}'s holds {', '.join(sorted(foreign))}"
        if message["role"] != "assistant" and "tool_use" in kinds:
            yield f"[{at}]: a turn of the {message['role']}'s holds tool_use"
        if "tool_result" in kinds[len(results) :]:
            yield f"[{at}]: a tool_result comes after another block"
        for result in results:
            yield from _at(at, calls.answer(result["tool_use_id"]))
        yield from _at(at, calls.close())
        if message["role"] == "assistant":
            yield from _at(at, calls.ask([block["id"] for block in blocks if block["type"] == "tool_use"]))
        yield from (f"[{at}]{what}" for what in _anthropic_blocks(blocks))
    yield from _at("end", calls.close())


def _anthropic_blocks(blocks: list[dict[str, Any]]) -> Iterator[str]:
    if not blocks:
        yield ": holds nothing"
    for at, block in enumerate(blocks):
        called = block.get("tool_use_id", block.get("id", "a")) if block["type"].startswith("tool_") else "a"
        if not re.fullmatch("[a-zA-Z0-9_-]+", called):
            yield f"[{at}]: {called!r} is no id"
        inner = block.get("content") if block["type"] == "tool_result" else None
        inside = inner if isinstance(inner, list) else []
        for text in (block, *inside):
            if text["type"] == "text" and not text["text"].strip():
                yield f"[{at}]: a text is blank"
        if block.get("is_error") and any(child["type"] != "text" for child in inside):
            yield f"[{at}]: an error holds more than text"


def _gemini(contents: Messages) -> Iterator[str]:
    """A turn of calls is followed by one of the user's that answers them all; a part holds one thing."""
    asked: list[dict[str, Any]] = []
    for at, content in enumerate(contents):
        parts, role = content.get("parts") or [], content.get("role")
        if role not in ("user", "model"):
            yield f"[{at}]: the role is {role!r}"
        if not parts:
            yield f"[{at}]: holds nothing"
        answers = [part["functionResponse"] for part in parts if "functionResponse" in part]
        if answers and role != "user":
            yield f"[{at}]: a functionResponse of the {role}'s"
        yield from _at(at, _gemini_answers(asked, answers))
        asked = [part["functionCall"] for part in parts if "functionCall" in part]
        if asked and role != "model":
            yield f"[{at}]: a functionCall of the {role}'s"
        yield from (f"[{at}]{what}" for what in _gemini_parts(parts))
    yield from _at("end", _gemini_answers(asked, []))


def _gemini_answers(asked: list[dict[str, Any]], answers: list[dict[str, Any]]) -> Iterator[str]:
    if len(asked) != len(answers):
        yield f"{len(answers)} functionResponses answer {len(asked)} functionCalls"
    for call, answer in zip(asked, answers, strict=False):
        for key in ("name", "id"):
            if call.get(key) != answer.get(key):
                yield f"{key} {call.get(key)!r} is answered by {answer.get(key)!r}"


HELD = {
    "text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode", "codeExecutionResult",
    "toolCall", "toolResponse",
}  # fmt: skip


def _gemini_parts(parts: list[dict[str, Any]]) -> Iterator[str]:
    for at, part in enumerate(parts):
        if len(HELD & set(part)) != 1:
            yield f"[{at}]: a part holds {sorted(HELD & set(part))}, not one thing"
        if part.get("text") == "":
            yield f"[{at}]: a text is empty"
        names = [x["inlineData"].get("displayName") for x in part.get("functionResponse", {}).get("parts", ())]
        told = [name for name in names if name is not None]
        if len(set(told)) < len(told):
            yield f"[{at}]: a displayName is there twice"
        if any(name not in told for name in _refs(part.get("functionResponse", {}).get("response"))):
            yield f"[{at}]: a $ref names no displayName"


def _refs(value: Any) -> Iterator[str]:
    if isinstance(value, dict) and set(value) == {"$ref"}:
        yield value["$ref"]
    elif isinstance(value, dict | list):
        for found in value.values() if isinstance(value, dict) else value:
            yield from _refs(found)


def _bedrock(messages: Messages) -> Iterator[str]:
    """Turns alternate and the user's is first; results answer the turn before, all of it, and nothing is blank."""
    calls = Calls()
    before = None
    for at, message in enumerate(messages):
        role, blocks = message["role"], message["content"]
        if role == before:
            yield f"[{at}]: a second turn of the {role}'s in a row"
        if before is None and role == "assistant":
            yield f"[{at}]: the conversation starts with the assistant"
        before = role
        kinds = {kind for block in blocks for kind in block}
        foreign = kinds & ({"toolUse"} if role == "user" else {"toolResult", "image", "document", "video", "audio"})
        yield from (f"[{at}]: a turn of the {role}'s holds {kind}" for kind in sorted(foreign))
        for block in blocks:
            if "toolResult" in block:
                yield from _at(at, calls.answer(block["toolResult"]["toolUseId"]))
        yield from _at(at, calls.close())
        yield from _at(at, calls.ask([block["toolUse"]["toolUseId"] for block in blocks if "toolUse" in block]))
        if not blocks:
            yield f"[{at}]: holds nothing"
        if "document" in kinds and "text" not in kinds:
            yield f"[{at}]: a document without a text beside it"
        yield from _at(at, _blank(blocks))
    yield from _at("end", calls.close())
    names = Counter(_document_names(messages))
    yield from (f"[end]: {n} documents are named {name!r}" for name, n in names.items() if n > 1)


def _blank(blocks: list[dict[str, Any]]) -> Iterator[str]:
    for block in blocks:
        if "text" in block and not block["text"].strip():
            yield "a text is blank"
        yield from _blank(block.get("toolResult", {}).get("content", []))


def _document_names(messages: Messages) -> Iterator[str]:
    for message in messages:
        for block in message["content"]:
            for found in (block, *block.get("toolResult", {}).get("content", ())):
                if "document" in found:
                    yield found["document"]["name"].casefold()


def _mcp(results: Messages) -> Iterator[str]:
    """Some clients drop every block of a result that has structured content too, so pictures do not go with it."""
    if any("role" in result for result in results):
        yield from _sampling(results)
    for at, result in enumerate(results):
        if "structuredContent" in result and {block["type"] for block in result["content"]} - {"text"}:
            yield f"[{at}]: media beside structuredContent"


def _sampling(messages: Messages) -> Iterator[str]:
    """What the package checks of the last message and the one before, and that the last asks for nothing."""
    from mcp.server.validation import validate_tool_use_result_messages
    from mcp.types import SamplingMessage

    made = [SamplingMessage.model_validate(message) for message in messages]
    for at in range(len(made)):
        try:
            validate_tool_use_result_messages(made[: at + 1])
        except ValueError as error:
            yield f"[{at}]: {error}"
    if any(block.type == "tool_use" for block in made[-1].content_as_list):
        yield "[end]: a tool_use is not answered"


def _ollama(messages: Messages) -> Iterator[str]:
    """Calls have no ids: a result says which tool it is of. Pictures in a tool's message are not known to be seen."""
    calls = Calls()
    for at, message in enumerate(messages):
        if message["role"] == "tool":
            yield from _at(at, calls.answer(message.get("tool_name")))
            if message.get("images"):
                yield f"[{at}]: pictures in a tool's message"
            continue
        yield from _at(at, calls.close())
        calls.waiting = [call["function"]["name"] for call in message.get("tool_calls") or ()]
        if message["role"] not in ("user", "assistant", "system"):
            yield f"[{at}]: the role is {message['role']!r}"
    yield from _at("end", calls.close())


AFTER = {  # what the service lets follow a role; it answers another with 400 invalid_request_message_order (3230)
    None: {"system", "user", "assistant"},
    "system": {"system", "user", "assistant"},
    "user": {"user", "assistant", "system"},
    "assistant": {"assistant", "user", "tool"},
    "tool": {"tool", "assistant"},
}


def _mistral(messages: Messages) -> Iterator[str]:
    yield from _answered(messages, _call_ids, _call_id)
    before = None
    for at, message in enumerate(messages):
        if message["role"] not in AFTER[before]:
            yield f"[{at}]: a message of role {message['role']} after role {before}"
        before = message["role"]
        if message.get("content") == []:
            yield f"[{at}]: holds nothing"
        for called in (*_call_ids(message), *([_call_id(message)] if before == "tool" else [])):
            if not re.fullmatch("[a-zA-Z0-9]{9}", called or ""):
                yield f"[{at}]: {called!r} is not nine letters and digits"


def _a2a(messages: Messages) -> Iterator[str]:
    for at, message in enumerate(messages):
        if message.get("role") not in ("ROLE_USER", "ROLE_AGENT"):
            yield f"[{at}]: the role is {message.get('role')!r}"
        if not message.get("messageId"):
            yield f"[{at}]: has no messageId"
        if not message.get("parts"):
            yield f"[{at}]: holds nothing"
        for part in message.get("parts", ()):
            if not {"text", "raw", "url", "data"} & set(part):
                yield f"[{at}]: a part holds nothing"
    ids = Counter(message.get("messageId") for message in messages)
    yield from (f"[end]: {n} messages have the id {name!r}" for name, n in ids.items() if n > 1)


RULES: dict[str, Callable[[Messages], Iterator[str]]] = {
    "openai": _openai,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "bedrock": _bedrock,
    "mcp": _mcp,
    "ollama": _ollama,
    "mistral": _mistral,
    "a2a": _a2a,
}
