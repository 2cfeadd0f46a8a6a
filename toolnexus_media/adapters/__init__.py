"""A tool's result as a framework's own return value, and a toolkit's tools as that framework's tools.

One short file a framework, each with ``to_result(result)`` and ``tools(tk)``; ``to_<framework>`` here is the same
function as its ``to_result``. A framework is imported when it is needed; without it, ``MissingExtraError`` says what to
install. Nothing of a result is left out: the text comes first, then the parts in order, and what a framework has no
shape for is told by its placeholder, and once through ``logging`` (``toolnexus_media.adapters``).

Results are adapted as they are. What a model takes is for ``fit`` to see to:
``to_langchain(fit_result(result, "openai")[0])``.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media.adapters.chatlas import to_result as to_chatlas
    from toolnexus_media.adapters.fastmcp import to_result as to_fastmcp
    from toolnexus_media.adapters.google_genai import to_result as to_google_genai
    from toolnexus_media.adapters.langchain import to_result as to_langchain
    from toolnexus_media.adapters.llm import to_result as to_llm
    from toolnexus_media.adapters.mcp import to_result as to_mcp
    from toolnexus_media.adapters.openai_agents import to_result as to_openai_agents
    from toolnexus_media.adapters.pydantic_ai import to_result as to_pydantic_ai
    from toolnexus_media.adapters.smolagents import to_result as to_smolagents
    from toolnexus_media.adapters.strands import to_result as to_strands

__all__ = [
    "to_chatlas",
    "to_fastmcp",
    "to_google_genai",
    "to_langchain",
    "to_llm",
    "to_mcp",
    "to_openai_agents",
    "to_pydantic_ai",
    "to_smolagents",
    "to_strands",
]
_FRAMEWORKS = frozenset(name.removeprefix("to_") for name in __all__)


def __getattr__(name: str) -> object:
    framework = name.removeprefix("to_")
    if framework not in _FRAMEWORKS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{framework}")
    return module if name == framework else module.to_result


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_FRAMEWORKS})
