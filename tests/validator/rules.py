"""What each provider's documents say it takes, read a second time and written down by hand.

One `Rules` a provider and model family. Figures as published, 2026; where two documents differ, the stricter.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

PNG, JPEG, GIF, WEBP = "image/png", "image/jpeg", "image/gif", "image/webp"
HEIC, HEIF, PDF, PLAIN = "image/heic", "image/heif", "application/pdf", "text/plain"
WAV, MP3 = "audio/wav", "audio/mpeg"
MB, MIB = 1_000_000, 1 << 20

WEB = frozenset({PNG, JPEG, GIF, WEBP})
SAFE = frozenset({PNG, JPEG})
NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Cap:
    """So many bytes, counted encoded (base64) or raw."""

    size: int
    encoded: bool = True


@dataclass(frozen=True)
class Grid:
    """The sizes a provider leaves alone: sides, patches of so many pixels, short side (tile models)."""

    side: int | None = None
    patch: int | None = None
    patches: int | None = None
    padded: bool = False  # the side is counted after padding to whole patches
    short: int | None = None


@dataclass(frozen=True)
class Rules:
    """One provider's rules for one position."""

    images: frozenset[str] = WEB
    moving: frozenset[str] = NONE  # types of which several frames are documented as taken
    image_cap: Cap | None = None
    side: int | None = None
    many: tuple[int, int] | None = None  # over so many pictures, no side longer than
    grid: Grid | None = None
    image_count: int | None = None
    files: frozenset[str] = NONE  # PDF, office, text kinds; "text/*" stands for every text kind
    file_cap: Cap | None = None
    file_count: int | None = None
    pages: int | None = None
    audio: frozenset[str] = NONE
    video: frozenset[str] = NONE
    video_cap: Cap | None = None
    urls: dict[str, frozenset[str]] = field(default_factory=dict)  # kind -> schemes
    free: bool = False  # a carrier without rules of its own: any type, any size
    request: int | None = None  # bytes of one request, encoded


HTTPS, HTTP = frozenset({"https"}), frozenset({"http", "https"})

# §1.4: standard tier 1568 px and 1568 tokens, high-resolution tier 2576 and 4784, patches of 28.
STANDARD = Grid(side=1568, patch=28, patches=1568, padded=True)
HIGH = Grid(side=2576, patch=28, patches=4784, padded=True)

# §1: ten MiB of base64, 8000 px, 2000 px over twenty pictures, 32 MB a request, 100 pages where the context is under a
# million tokens.
ANTHROPIC = Rules(
    moving=frozenset({GIF}),  # §1.3: its first frame is read
    image_cap=Cap(10 * MIB),
    side=8000,
    many=(20, 2000),
    grid=STANDARD,
    files=frozenset({PDF, PLAIN}),
    pages=100,
    image_count=100,
    request=32 * MB,
    urls={"image": HTTPS, "file": HTTPS},
)
ANTHROPIC_HIGH = replace(ANTHROPIC, grid=HIGH, pages=600, image_count=600)
# §1.4: on Bedrock and Google Cloud five MiB of base64, base64 sources only.
CLOUD = replace(ANTHROPIC, image_cap=Cap(5 * MIB), urls={})

# §2.4: an image over 30,000 patches of 32 px is refused; 65,535 px; files under 50 MB together; §2.3 types.
CHAT = Rules(
    grid=Grid(side=65_535, patch=32, patches=30_000),
    image_count=1500,
    files=frozenset({PDF}),
    file_cap=Cap(50 * MB, encoded=False),
    audio=frozenset({WAV, MP3}),
    urls={"image": HTTP},
)
# §2.1: sound for the audio models alone; that they see is said nowhere.
HEARING = replace(CHAT, images=NONE, files=NONE)
OFFICE = {
    "application/msword",
    "application/rtf",
    "text/rtf",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.ms-powerpoint",
    "application/vnd.ms-excel",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
# §3.3: documents and text kinds as files; §3.1: no audio in this content.
RESPONSES = replace(
    CHAT,
    files=frozenset({PDF, "text/*", "application/json", "application/xml", *OFFICE}),
    audio=NONE,
    urls={"image": HTTP, "file": HTTP},
)
OPENAI_GRIDS = {  # §2.5: what `auto` keeps
    "gpt-5.6-sol": Grid(side=65_535, patch=32, patches=30_000),
    "gpt-5.5": Grid(side=6000, patch=32, patches=10_000),
    "gpt-5.4": Grid(side=2048, patch=32, patches=2500),
    "gpt-5.2": Grid(side=2048, patch=32, patches=6144),
    "gpt-4.1-mini": Grid(side=2048, patch=32, patches=6144),
    # older pages give 1,536 patches for the small ones, newer pages nothing
    "gpt-5-mini": Grid(side=2048, patch=32, patches=1536),
    "gpt-5-nano": Grid(side=2048, patch=32, patches=1536),
    "gpt-4.1-nano": Grid(side=2048, patch=32, patches=1536),
    "o4-mini": Grid(side=2048, patch=32, patches=1536),
    "gpt-4o": Grid(side=2048, short=768),
    "gpt-4o-mini": Grid(side=2048, short=768),
    "o1": Grid(side=2048, short=768),
    "computer-use-preview": Grid(side=2048, short=768),
    "gpt-5": Grid(side=2048, short=768),
}

# §4.3: guide's list of pictures, sound and film; §4.4: 20 MB a request (stricter guide), PDF of 1000 pages.
GEMINI = Rules(
    images=frozenset({PNG, JPEG, WEBP, HEIC, HEIF}),
    image_count=3600,
    files=frozenset({PDF, "text/*", "application/json", "application/rtf", "application/xml"}),
    pages=1000,
    audio=frozenset({WAV, MP3, "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"}),
    video=frozenset(
        {
            "video/mp4",
            "video/mpeg",
            "video/quicktime",
            "video/x-msvideo",
            "video/x-flv",
            "video/webm",
            "video/x-ms-wmv",
            "video/3gpp",
        }
    ),
    request=20 * MB,
    urls=dict.fromkeys(("image", "file", "audio"), frozenset({"https", "gs"})),
)
# §4.2: what a function's response may hold from Gemini 3 on; inline data only.
GEMINI_TOOL = replace(
    GEMINI, images=frozenset({PNG, JPEG, WEBP}), files=frozenset({PDF, PLAIN}), audio=NONE, video=NONE, urls={}
)

# §5: 3.75 MB raw, 8000 px, 20 pictures; five documents of 4.5 MB; names; bytes or S3.
BEDROCK = Rules(
    image_cap=Cap(3_932_160, encoded=False),
    side=8000,
    image_count=20,
    files=frozenset(
        {
            PDF,
            "text/csv",
            "text/html",
            PLAIN,
            "text/markdown",
            "application/msword",
            "application/vnd.ms-excel",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    ),
    file_cap=Cap(4_500_000, encoded=False),
    file_count=5,
    audio=frozenset({MP3, "audio/ogg", "audio/opus", WAV, "audio/aac", "audio/flac", "audio/mp4", "audio/webm"}),
    video=frozenset(
        {
            "video/x-matroska",
            "video/quicktime",
            "video/mp4",
            "video/webm",
            "video/x-flv",
            "video/mpeg",
            "video/x-ms-wmv",
            "video/3gpp",
        }
    ),
    video_cap=Cap(25 * MB),
    urls=dict.fromkeys(("image", "file", "audio"), frozenset({"s3"})),
)
# §5.4: Claude there: its own rules too; §1.1: it hears no sound and sees no film; S3 is model-dependent.
BEDROCK_CLAUDE = replace(
    BEDROCK,
    moving=frozenset({GIF}),
    many=(20, 2000),
    grid=STANDARD,
    pages=100,
    audio=NONE,
    video=NONE,
    urls={},
    request=32 * MB,
)

# §5.1, §5.2: another model's sound, film and S3 are not documented; its media go to the user's message.
BEDROCK_OTHER = replace(BEDROCK, audio=NONE, video=NONE, urls={})

# §7: png jpeg webp gif, 10 MB, 8 pictures; PDF 50 MB and 1000 pages; sound for voxtral alone.
MISTRAL = Rules(
    image_cap=Cap(10 * MB, encoded=False),
    image_count=8,
    files=frozenset({PDF}),
    file_cap=Cap(50 * MB, encoded=False),
    pages=1000,
    audio=frozenset({WAV, MP3}),
    urls={"image": HTTPS, "file": HTTPS, "audio": HTTPS},
)
VOXTRAL = replace(MISTRAL, images=NONE, files=NONE)  # it hears and does not see
PIXTRAL = replace(MISTRAL, audio=NONE, grid=Grid(side=1024))
# §8: png and jpeg are safe; raw base64 only; nothing else.
OLLAMA = Rules(images=SAFE)
# §9: pictures, PDF by data or URL, sound by base64, film.
OPENROUTER = Rules(
    files=frozenset({PDF}),
    audio=frozenset({WAV, MP3, "audio/flac", "audio/mp4", "audio/ogg", "audio/aiff", "audio/aac"}),
    video=frozenset({"video/mp4"}),
    urls={"image": HTTPS, "file": HTTPS},
)
# §10: jpeg and png alone, 20 MiB.
XAI = Rules(images=SAFE, image_cap=Cap(20 * MIB, encoded=False), urls={"image": HTTPS})
# §0.4: what every surveyed provider takes.
COMMON = Rules(images=SAFE, image_cap=Cap(5 * MIB), side=2000)
FREE = Rules(free=True)


def _openai(base: Rules, model: str) -> Rules:
    return replace(base, grid=OPENAI_GRIDS[model], audio=NONE)


# (provider, model, in a user's turn, in a tool's result). Where a tool's message carries text only, or is not proven to
# carry more (§0.1, §7, §8, §9), media follow in a user's message, so the user's rules hold there.
ROWS: list[tuple[str, str | None, Rules, Rules]] = [
    ("anthropic", None, ANTHROPIC, ANTHROPIC),
    ("anthropic", "claude-haiku-4-5", ANTHROPIC, ANTHROPIC),
    ("anthropic", "claude-opus-4-7", ANTHROPIC_HIGH, ANTHROPIC_HIGH),
    ("anthropic-bedrock", None, CLOUD, CLOUD),
    ("anthropic-bedrock", "claude-opus-4-7", replace(CLOUD, grid=HIGH), replace(CLOUD, grid=HIGH)),
    ("anthropic-vertex", None, CLOUD, CLOUD),
    ("anthropic-vertex", "claude-opus-4-7", replace(CLOUD, grid=HIGH), replace(CLOUD, grid=HIGH)),
    ("openai", None, CHAT, CHAT),
    *[("openai", m, _openai(CHAT, m), _openai(CHAT, m)) for m in OPENAI_GRIDS],
    ("openai", "a-model-of-another-name", replace(CHAT, audio=NONE), replace(CHAT, audio=NONE)),
    ("openai", "gpt-audio", HEARING, HEARING),
    ("openai-responses", None, RESPONSES, RESPONSES),
    *[("openai-responses", m, _openai(RESPONSES, m), _openai(RESPONSES, m)) for m in OPENAI_GRIDS],
    ("openai-responses", "a-model-of-another-name", RESPONSES, RESPONSES),
    ("gemini", None, GEMINI, GEMINI),  # older models refuse media in a tool's result, so none is put there unasked
    ("gemini", "gemini-3-pro", GEMINI, GEMINI_TOOL),
    ("gemini", "gemini-2.5-pro", GEMINI, GEMINI),
    ("gemini", "gemini-2.0-flash", replace(GEMINI, urls={}), replace(GEMINI, urls={})),
    ("bedrock", None, BEDROCK, replace(BEDROCK, audio=NONE)),
    ("bedrock", "anthropic.claude-haiku-4-5", BEDROCK_CLAUDE, BEDROCK_CLAUDE),
    ("bedrock", "anthropic.claude-opus-4-7", replace(BEDROCK_CLAUDE, grid=HIGH), replace(BEDROCK_CLAUDE, grid=HIGH)),
    ("bedrock", "meta.llama4-scout", BEDROCK_OTHER, BEDROCK_OTHER),
    ("bedrock", "amazon.nova-pro-v1:0", BEDROCK, replace(BEDROCK, audio=NONE)),
    ("mistral", None, MISTRAL, MISTRAL),
    ("mistral", "mistral-small-2506", replace(MISTRAL, audio=NONE), replace(MISTRAL, audio=NONE)),
    ("mistral", "pixtral-12b", PIXTRAL, PIXTRAL),
    ("mistral", "voxtral-small", VOXTRAL, VOXTRAL),
    ("ollama", None, OLLAMA, OLLAMA),
    ("openrouter", None, OPENROUTER, OPENROUTER),
    ("xai", None, XAI, XAI),
    ("safe", None, COMMON, COMMON),
    ("mcp", None, FREE, FREE),
    ("a2a", None, FREE, FREE),
]


def rules_for(provider: str, model: str | None, position: str) -> Rules:
    """The rules that hold for parts going to a provider's model in a position."""
    for name, family, user, tool in ROWS:
        if (name, family) == (provider, model):
            return tool if position == "tool" else user
    raise LookupError(f"no rules written for {provider} {model}")


def distinct_rows() -> list[tuple[str, str | None, str, Rules]]:
    """Every provider, model and position with rules of its own; of equal ones the first."""
    seen: set[tuple[str, str]] = set()
    found = []
    for provider, model, user, tool in ROWS:
        for position, rules in (("user", user), ("tool", tool)):
            key = (provider, repr(rules))
            if key not in seen or (provider in {"mcp", "a2a"} and position == "user"):
                seen.add(key)
                found.append((provider, model, position, rules))
    return found
