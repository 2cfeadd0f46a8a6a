"""The frameworks: one table of what to install, and one way to ask for a module of theirs."""

from __future__ import annotations

from importlib import import_module

from toolnexus_media.errors import MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What pip installs, with the lowest version that the tests run against; `mcp` alone is an extra of this package.
REQUIREMENTS = {
    "mcp": "toolnexus-media[mcp]",
    "fastmcp": "fastmcp>=4.2",
    "langchain": "langchain-core>=1.8",
    "pydantic_ai": "pydantic-ai-slim>=2.68",
    "openai_agents": "openai-agents>=0.24",
    "google_genai": "google-genai>=3.6",
    "llm": "llm>=0.36",
    "strands": "strands-agents>=1.62",
    "chatlas": "chatlas>=0.23",
    "smolagents": "smolagents>=1.26",
}


def load(framework: str, module: str) -> Any:
    """A module of a framework; ``MissingExtraError`` says what to install, and its ``extra`` is the framework's package.

    >>> load("llm", "llm.no_such_module")
    Traceback (most recent call last):
    toolnexus_media.errors.MissingExtraError: adapting to llm needs a package that is not installed; install it with: pip install 'llm>=0.36'
    """  # noqa: E501  # one line, as it is printed
    try:
        return import_module(module)
    except ImportError as error:
        needed = REQUIREMENTS[framework]
        raise MissingExtraError(
            f"adapting to {framework} needs a package that is not installed; install it with: pip install '{needed}'",
            extra="mcp" if framework == "mcp" else needed.partition(">=")[0],
        ) from error
