"""toolnexus_media: the multimodal media toolkit for LLM tools.

Functions that take and return plain dicts, on one line:

    source → sniff → probe → part → summary → result → fit → emit

Whatever a tool holds becomes a part that providers accept and that no transcript or log shows as base64; and when it
can't, a sentence the model can act on.

    content     attach, image_file, pdf_file, audio_file …   a path, bytes, an image, a figure, a URL → a part
    tool        success, failure, with_parts, media, toolkit, execute …   results and the tools that give them
    native      native_tool                                  a plain function → a tool
    suspension  suspend, pending_of …                        a tool that needs a person first
    sniff       sniff, kind_of                               bytes → MIME type
    probe       probe                                        bytes → facts
    limits      row, custom, native_size …                   what each provider and model tier accepts
    fit         fit, fit_result, to_original, to_sent        parts → the same as a provider takes them, each change told
    tokens      tokens                                       a part's price, by the provider's published formula
    emit        block, tool_messages, messages, read_block …   parts, results, transcripts ↔ a provider's wire
    delivery    deliver                                      results → a provider's messages: fit, then emit
    transcript  find                                         every payload in a structure, whatever its shape
    check       check, repair                                would a provider take this transcript? one that it takes
    adapters    to_mcp, to_langchain …                       a result and a toolkit, as an agent framework has them
    types, errors                                            every dict that travels, every error raised

>>> from toolnexus_media import media
>>> media("fixtures/media/fixture.png")["output"]
'image (image/png, 82 bytes)'

Importing this module loads nothing else: each name below is imported when it is first used.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media.content import attach, caption, summarize_part
    from toolnexus_media.delivery import deliver
    from toolnexus_media.errors import MediaError
    from toolnexus_media.fit import fit_result
    from toolnexus_media.tool import failure, media, success, with_parts

__all__ = [
    "MediaError",
    "__version__",
    "attach",
    "caption",
    "deliver",
    "failure",
    "fit_result",
    "media",
    "success",
    "summarize_part",
    "with_parts",
]

_HOME = {
    "MediaError": "errors",
    "attach": "content",
    "caption": "content",
    "deliver": "delivery",
    "failure": "tool",
    "fit_result": "fit",
    "media": "tool",
    "success": "tool",
    "summarize_part": "content",
    "with_parts": "tool",
}
_NAMESPACES = frozenset(
    {
        "adapters",
        "check",
        "content",
        "delivery",
        "emit",
        "errors",
        "fit",
        "limits",
        "native",
        "probe",
        "sniff",
        "source",
        "suspension",
        "tokens",
        "tool",
        "transcript",
        "types",
    }
)


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None and name not in _NAMESPACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{home or name}")
    if home is None:
        return module
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_NAMESPACES})
