"""Whatever a tool holds becomes a part: a path, bytes, a file just written, a picture, a data URL, a remote URL."""

from io import BytesIO
from pathlib import Path

from PIL import Image

from toolnexus_media import content, tool

MEDIA = Path(__file__).parents[1] / "fixtures" / "media"

written = BytesIO()
Image.new("RGB", (320, 200), "navy").save(written, "JPEG")

sources: dict[str, object] = {
    "a path": str(MEDIA / "fixture.png"),
    "a Path": MEDIA / "fixture.png",
    "bytes": (MEDIA / "fixture.png").read_bytes(),
    "a file just written": written,
    "a PIL image": Image.new("RGBA", (64, 64), (255, 0, 0, 128)),
    "a data URL": "data:text/plain;charset=utf-8,Hello%20World",
    "a remote URL, never fetched": "https://example.org/chart.png",
}
for what, source in sources.items():
    print(f"{what:<28}{content.caption(content.attach(source))}")

everything = tool.media(*sources.values(), caption="All of them in one result:")
print(everything["output"])
assert len(everything.get("parts", [])) == len(sources)
