"""Whether a message is what the provider's own package says it is, with not a key more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

Check = Callable[[dict[str, Any]], Iterator[str]]


def complaints(provider: str, message: dict[str, Any]) -> list[str]:
    """What the provider's types find wrong with one message.

    >>> complaints("mcp", {"content": [{"type": "text", "words": "ok"}]})
    ['.content.0.TextContent.text: Field required']
    """
    return list(CHECKS[provider](message))


def differences(given: Any, kept: Any, path: str = "") -> Iterator[str]:
    """Where what a package makes of a message is not the message any more.

    >>> list(differences({"a": [1, 2]}, {"a": [1]}))
    ['.a[1]: is not kept']
    """
    if isinstance(given, dict) and isinstance(kept, dict):
        for key in given | kept:
            yield from _member(given, kept, key, f"{path}.{key}")
    elif isinstance(given, list) and isinstance(kept, list):
        for at in range(max(len(given), len(kept))):
            yield from _member(dict(enumerate(given)), dict(enumerate(kept)), at, f"{path}[{at}]")
    elif given != kept or isinstance(given, bool) != isinstance(kept, bool):
        yield f"{path}: is taken for {str(kept)[:40]!r}"


def _member(given: dict[Any, Any], kept: dict[Any, Any], key: object, path: str) -> Iterator[str]:
    if key not in kept:
        yield f"{path}: is not kept"
    elif key not in given:
        yield f"{path}: is missing"
    else:
        yield from differences(given[key], kept[key], path)


def _faults(error: Any) -> Iterator[str]:
    """The faults of a pydantic error that lie deepest, and in a union those of the member whose ``type`` was meant."""
    faults = error.errors(include_url=False, include_input=False, include_context=False)
    others = {fault["loc"][:-1] for fault in faults if fault["loc"][-1] in ("type", "role")}
    meant = [f for f in faults if not any(f["loc"][:end] in others for end in range(len(f["loc"])))] or faults
    groups: dict[tuple[Any, ...], list[Any]] = {}
    for fault in meant:
        groups.setdefault(fault["loc"][:-1], []).append(fault)
    for fault in groups[min(groups, key=lambda at: (-len(at), len(groups[at])))]:
        path = ".".join(str(step) for step in fault["loc"] if "[" not in str(step))
        yield f".{path}: {fault['msg'][:200]}"


def _eager(schema: Any) -> Any:
    """A pydantic core schema that reads iterables at once and refuses unknown keys, neither of which typed dicts do."""
    if isinstance(schema, dict):
        copy = {key: value if key == "metadata" else _eager(value) for key, value in schema.items()}
        if copy.get("type") == "generator":
            copy["type"] = "list"
        if copy.get("type") == "typed-dict":
            copy["extra_behavior"] = "forbid"
        return copy
    if isinstance(schema, list | tuple):
        return type(schema)(map(_eager, schema))
    return schema


@cache
def _types_of(provider: str) -> tuple[Any, Any]:
    from pydantic import TypeAdapter
    from pydantic_core import SchemaSerializer, SchemaValidator

    schema = _eager(TypeAdapter(_message_type(provider)).core_schema)
    return SchemaValidator(schema), SchemaSerializer(schema)


def _message_type(provider: str) -> Any:
    if provider == "anthropic":
        from anthropic.types import MessageParam

        return MessageParam
    if provider == "openai":
        from openai.types.chat import ChatCompletionMessageParam

        return ChatCompletionMessageParam
    from openai.types.responses import ResponseInputItemParam

    return ResponseInputItemParam


def _typed_dict(provider: str) -> Check:
    def check(message: dict[str, Any]) -> Iterator[str]:
        from pydantic import ValidationError

        validator, serializer = _types_of(provider)
        try:
            kept = serializer.to_python(validator.validate_python(message), mode="json", warnings="none")
        except ValidationError as error:
            yield from _faults(error)
        else:
            yield from differences(message, kept)

    return check


def _model(read: Callable[[dict[str, Any]], Any], **dumping: bool) -> Check:
    """A check by a package's pydantic model: what it reads, it must write again."""

    def check(message: dict[str, Any]) -> Iterator[str]:
        from pydantic import ValidationError

        try:
            kept = read(message).model_dump(mode="json", by_alias=True, **dumping)
        except ValidationError as error:
            yield from _faults(error)
        except ValueError as error:  # ollama's, of a picture that is no base64
            yield f": {str(error)[:200]}"
        else:
            yield from differences(message, kept)

    return check


def _gemini(message: dict[str, Any]) -> Any:
    from google.genai.types import Content

    return Content.model_validate(message)


def _gemini_bytes(message: dict[str, Any]) -> Iterator[str]:
    """Bytes come back in the URL-safe alphabet, which is the package's own doing: in either they are the same."""
    yield from _model(_gemini, exclude_none=True)(_url_safe(message))


def _url_safe(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: found.translate(URL_SAFE) if key in BYTES and isinstance(found, str) else _url_safe(found)
            for key, found in value.items()
        }
    return [_url_safe(found) for found in value] if isinstance(value, list) else value


URL_SAFE = str.maketrans("+/", "-_")
BYTES = {"data", "thoughtSignature"}


def _mcp(message: dict[str, Any]) -> Any:
    """A tool's result, or a message of a conversation that a server asks a client to go on with."""
    from mcp.types import CallToolResult, SamplingMessage

    held = SamplingMessage if "role" in message else CallToolResult
    return held.model_validate(message, by_alias=True, by_name=False)


def _ollama(message: dict[str, Any]) -> Any:
    from ollama import Image, Message

    images = message.get("images")
    return Message.model_validate(
        message if images is None else {**message, "images": [Image(value=x) for x in images]}
    )


def _mistral(message: dict[str, Any]) -> Any:
    from mistralai.client.models import ChatCompletionRequest

    return ChatCompletionRequest.model_validate({"model": "m", "messages": [message]}).messages[0]


def _a2a(message: dict[str, Any]) -> Iterator[str]:
    from a2a.types import a2a_pb2
    from google.protobuf import json_format

    try:
        kept = json_format.MessageToDict(json_format.ParseDict(message, a2a_pb2.Message()))
    except json_format.ParseError as error:
        yield f": {' '.join(str(error).split())[:200]}"
    else:
        yield from differences(message, kept)


@cache
def _converse() -> Any:
    from botocore.session import get_session

    return get_session().get_service_model("bedrock-runtime").operation_model("Converse").input_shape


def _bedrock(message: dict[str, Any]) -> Iterator[str]:
    from botocore.validate import ParamValidator

    report = ParamValidator().validate({"modelId": "m", "messages": [message]}, _converse())
    if report.has_errors():
        yield from (f": {line[:200]}" for line in report.generate_report().splitlines())
    else:
        yield from _shape(_converse().members["messages"].member, message, "")


def _shape(shape: Any, value: Any, path: str) -> Iterator[str]:
    """What botocore leaves to the server: enums, patterns, lengths, and that bytes are bytes."""
    if shape.type_name == "structure" and not getattr(shape, "is_document_type", False):
        for key, found in value.items():
            yield from _shape(shape.members[key], found, f"{path}.{key}")
    elif shape.type_name == "list":
        for at, found in enumerate(value):
            yield from _shape(shape.member, found, f"{path}[{at}]")
    elif shape.type_name == "string":
        yield from _string(shape, value, path)
    elif shape.type_name == "blob":
        if not isinstance(value, bytes):
            yield f"{path}: is {type(value).__name__}, not bytes"
        elif len(value) < shape.metadata.get("min", 0):
            yield f"{path}: is empty"


def _string(shape: Any, value: str, path: str) -> Iterator[str]:
    told = shape.metadata
    if shape.enum and value not in shape.enum:
        yield f"{path}: {value[:40]!r} is not one of {', '.join(shape.enum)}"
    if not told.get("min", 0) <= len(value) <= told.get("max", len(value)):
        yield f"{path}: has {len(value)} characters, not {told.get('min', 0)} to {told.get('max')}"
    if "pattern" in told and not re.fullmatch(told["pattern"], value):
        yield f"{path}: {value[:40]!r} does not match {told['pattern']}"


CHECKS: dict[str, Check] = {
    "openai": _typed_dict("openai"),
    "openai-responses": _typed_dict("openai-responses"),
    "anthropic": _typed_dict("anthropic"),
    "gemini": _gemini_bytes,
    "bedrock": _bedrock,
    "mcp": _model(_mcp, exclude_unset=True),
    "ollama": _model(_ollama, exclude_none=True),
    "mistral": _model(_mistral, exclude_unset=True),
    "a2a": _a2a,
}
