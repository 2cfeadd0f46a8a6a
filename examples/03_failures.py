"""What cannot be a part becomes a sentence: an exception for the programmer, a line for the model."""

from toolnexus_media import content, errors, tool
from toolnexus_media.types import ToolResult

broken: dict[str, object] = {
    "an error page saved as a picture": b"<html><body>404 Not Found</body></html>",
    "a render that wrote nothing": b"",
    "garbage after a signature": b"\x89PNG\r\n\x1a\n" + b"\x00" * 32,
    "a path that is not there": "no/such/shot.png",
}
for what, source in broken.items():
    try:
        content.image_file(source)
    except errors.MediaError as error:
        print(f"{what}: [{error.code}] {error}")
    else:
        raise AssertionError(f"{what} became a part")


def shoot(args: dict[str, str]) -> ToolResult:
    return tool.media("no/such/shot.png", content.text_part("the page had loaded"), caption="Screenshot:")


result = tool.execute(tool.toolkit([tool.tool("shoot", shoot)]), "shoot", {})
print(result["output"])
assert result["isError"] is False  # something could be attached
