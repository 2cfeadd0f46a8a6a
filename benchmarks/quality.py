"""How good fitted pictures look: PSNR and SSIM against a lossless Lanczos reference, and whether their print is read.

    python benchmarks/quality.py

A photograph's PSNR is set against the naive path's (open, resize by LANCZOS, save as JPEG 85); before any encoding the
pixels are to be within 45 dB of the reference. A screenshot's SSIM is at least 0.98. Where tesseract is installed it
reads at least 98 % of what it reads from the reference; where it is not, that is said and left out.
"""

from __future__ import annotations

import base64
import difflib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from toolnexus_media import attach  # noqa: E402  # runs as a script
from toolnexus_media.fit import fit  # noqa: E402

Array = NDArray[np.float64]
ROWS = [("anthropic", None), ("anthropic", "claude-opus-4-7"), ("openai", "gpt-5.4"), ("openai", "gpt-4o")]
PNG_ONLY = {"image": {"mimes": ["image/png"]}}
WORDS = (
    "the",
    "quick",
    "brown",
    "fox",
    "jumps",
    "over",
    "lazy",
    "dog",
    "nine",
    "wizards",
    "mix",
    "sixty",
    "jars",
    "of",
)


def photograph(width: int, height: int) -> Image.Image:
    """Soft shapes, edges and grain, as a camera would see them; the same every time."""
    dice = np.random.default_rng(7)
    picture = np.zeros((height, width, 3))
    for size in (4, 16, 64, 256):
        coarse = dice.random((height // (width // size) + 2, size + 2, 3)).astype(np.float32)
        for band in range(3):
            layer = Image.fromarray(coarse[..., band]).resize((width, height), Image.Resampling.BICUBIC)
            picture[..., band] += np.asarray(layer) / size**0.5
    picture = (picture - picture.min()) / (picture.max() - picture.min()) * 235 + 10
    picture += dice.normal(0, 3, picture.shape)
    return Image.fromarray(picture.clip(0, 255).astype(np.uint8))


def screenshot(width: int, height: int, point: int = 16) -> tuple[Image.Image, str]:
    """Lines of print, bars and boxes, and what the print says."""
    dice = np.random.default_rng(3)
    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(point)
    draw.rectangle((0, 0, width, 3 * point), fill=(40, 60, 110))
    draw.rectangle((0, 3 * point, 6 * point, height), fill=(235, 238, 244))
    lines = []
    for top in range(4 * point, height - 2 * point, round(1.7 * point)):
        line = ""
        while draw.textlength(line, font) < width - 20 * point:
            line += f"{WORDS[dice.integers(len(WORDS))]} "
        draw.text((8 * point, top), line, fill=(20, 20, 30), font=font)
        lines.append(line.strip())
    return image, "\n".join(lines)


def pixels(image: Image.Image) -> Array:
    """The picture as numbers."""
    return np.asarray(image.convert("RGB"), dtype=np.float64)


def psnr(one: Array, other: Array) -> float:
    """Peak signal to noise in decibels; infinite for equal pictures."""
    error = float(np.mean((one - other) ** 2))
    return float("inf") if error == 0 else float(10 * np.log10(255**2 / error))


def ssim(one: Array, other: Array) -> float:
    """Structural similarity of the luma, by windows of eight pixels."""
    weights = np.array((0.299, 0.587, 0.114))
    a, b = one @ weights, other @ weights
    mean_a, mean_b = _mean(a), _mean(b)
    var_a, var_b = _mean(a * a) - mean_a**2, _mean(b * b) - mean_b**2
    both = _mean(a * b) - mean_a * mean_b
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    top = (2 * mean_a * mean_b + c1) * (2 * both + c2)
    return float(np.mean(top / ((mean_a**2 + mean_b**2 + c1) * (var_a + var_b + c2))))


def _mean(values: Array, window: int = 8) -> Array:
    sums = np.pad(values, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    total: Array = sums[window:, window:] - sums[:-window, window:] - sums[window:, :-window] + sums[:-window, :-window]
    return total / window**2


def fitted(
    data: bytes, provider: str, model: str | None, limits: Mapping[str, object] | None = None
) -> tuple[Image.Image, str]:
    """What the provider is sent, and its type."""
    parts, _ = fit([attach(data)], provider, model=model, limits=limits)
    part = dict(parts[0])
    image = Image.open(BytesIO(base64.b64decode(str(part["data"]))))
    image.load()
    return image, str(part["mimeType"])


def saved(image: Image.Image, kind: str, **options: int) -> bytes:
    """The picture as a file."""
    out = BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def photographs() -> Iterator[tuple[str, float, float, bool]]:
    """Claim, figure, limit, and whether more is better."""
    data = saved(photograph(4000, 3000), "JPEG", quality=95)
    whole = Image.open(BytesIO(data))
    whole.load()
    for provider, model in ROWS:
        sent, mime = fitted(data, provider, model)
        reference = whole.resize(sent.size, Image.Resampling.LANCZOS)
        naive = Image.open(BytesIO(saved(reference, "JPEG", quality=85)))
        bare, _ = fitted(data, provider, model, PNG_ONLY)
        name = f"photograph for {provider} {model or ''} as {mime[6:]} {sent.width}x{sent.height}"
        below = psnr(pixels(naive), pixels(reference)) - psnr(pixels(sent), pixels(reference))
        yield f"{name}: dB below the naive path", below, 0.2, False
        yield f"{name}: dB before encoding", psnr(pixels(bare), pixels(reference)), 45, True


def screenshots() -> Iterator[tuple[str, float, float, bool]]:
    """Claim, figure, limit, and whether more is better."""
    image, _ = screenshot(2880, 1800, 26)
    for provider, model in ROWS:
        sent, mime = fitted(saved(image, "PNG"), provider, model)
        reference = image.resize(sent.size, Image.Resampling.LANCZOS)
        name = f"screenshot for {provider} {model or ''} as {mime[6:]} {sent.width}x{sent.height}"
        yield f"{name}: SSIM", ssim(pixels(sent), pixels(reference)), 0.98, True


def prints() -> Iterator[tuple[str, float, float, bool]]:
    """Claim, figure, limit, and whether more is better: of the reference's words, the share that is read again."""
    if shutil.which("tesseract") is None:
        print("print: left out, tesseract is not installed (apt install tesseract-ocr)")
        return
    for provider, model in ROWS:
        image, words = screenshot(2000, 1250, 26)
        sent, _ = fitted(saved(image, "PNG"), provider, model)
        reference = image.resize(sent.size, Image.Resampling.LANCZOS)
        known, found = _agreement(words, read(reference)), _agreement(words, read(sent))
        yield f"print for {provider} {model or ''} at {sent.width}x{sent.height}: share read", found / known, 0.98, True


def read(image: Image.Image) -> str:
    """What tesseract reads."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.png"
        image.save(path)
        done = subprocess.run(["tesseract", str(path), "-"], capture_output=True, text=True, check=True, timeout=300)
    return done.stdout


def _agreement(one: str, other: str) -> float:
    words, found = one.split(), other.split()
    matching = difflib.SequenceMatcher(None, words, found, autojunk=False).get_matching_blocks()
    return sum(block.size for block in matching) / max(len(words), 1)


def main() -> int:
    """Print every figure; 1 when one misses its limit."""
    missed = 0
    for claims in (photographs, screenshots, prints):
        for claim, figure, limit, more in claims():
            kept = figure >= limit if more else figure <= limit
            missed += not kept
            print(f"{'ok  ' if kept else 'MISS'} {claim}: {figure:.3f} ({'at least' if more else 'at most'} {limit})")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
