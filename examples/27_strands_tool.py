"""A Strands tool that returns a picture: raw bytes in Bedrock's shape, with the status of the result."""

from pathlib import Path
from typing import Any

from strands import tool

from toolnexus_media import media
from toolnexus_media.adapters import to_strands

MEDIA = Path(__file__).parents[1] / "fixtures" / "media"


@tool
def view(name: str) -> dict[str, Any]:
    """Look at a file.

    Args:
        name: The file's name.
    """
    return to_strands(media(MEDIA / name))


seen, missing = view("fixture.png"), view("none.png")
print(seen["content"][0]["text"], missing["status"], sep="\n")
assert seen["content"][1]["image"] == {
    "format": "png",
    "source": {"bytes": (MEDIA / "fixture.png").read_bytes()},
}
assert missing["status"] == "error"
