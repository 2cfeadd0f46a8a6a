"""Pictures for the benchmarks, drawn here: photographs with grain at every scale, and a window full of print."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

BICUBIC = Image.Resampling.BICUBIC


def photo(width: int, height: int, seed: int = 7) -> Image.Image:
    """Soft shapes, edges, texture and grain, made in bands so that no float copy of the whole is held."""
    random = np.random.default_rng(seed)
    picture = Image.fromarray(random.integers(30, 226, (12, 16, 3), dtype=np.uint8)).resize((width, height), BICUBIC)
    draw = ImageDraw.Draw(picture)
    for _ in range(400):
        x, y, r = (int(value) for value in random.integers(0, (width, height, max(width // 40, 2))))
        draw.ellipse((x, y, x + r, y + r), fill=tuple(int(level) for level in random.integers(0, 256, 3)))
    band = 256
    texture = Image.fromarray(random.integers(0, 256, (band // 2, width // 4), dtype=np.uint8)).resize(
        (width, band), BICUBIC
    )
    waves = np.asarray(texture, dtype=np.int16)[:, :, None] // 8 - 16
    for top in range(0, height, band):
        piece = picture.crop((0, top, width, min(top + band, height)))
        grain = random.integers(-4, 5, (piece.height, width, 1), dtype=np.int16)
        levels = np.asarray(piece, dtype=np.int16) + waves[: piece.height] + grain
        picture.paste(Image.fromarray(levels.clip(0, 255).astype(np.uint8)), (0, top))
    return picture


def screenshot(width: int, height: int, photo_share: bool = True) -> Image.Image:
    """A side bar, lines of print, buttons, and a picture in a corner."""
    made = Image.new("RGB", (width, height), (250, 250, 252))
    draw = ImageDraw.Draw(made)
    draw.rectangle((0, 0, width // 6, height), fill=(40, 44, 52))
    for row in range(16, height - 20, 20):
        draw.text((20, row), f"item {row * 31 % 997}", fill=(200, 204, 212))
        words = " ".join(f"word{row * number % 1009}" for number in range(1, 16))
        draw.text((width // 5, row), words, fill=(row % 160, 30, 60))
        if row % 100 < 20:
            draw.rounded_rectangle((width * 4 // 5, row, width * 4 // 5 + 90, row + 16), 6, fill=(30, 110, row % 256))
    if photo_share:
        made.paste(photo(width // 4, height // 4), (width * 7 // 10, height * 7 // 10))
    return made


def file_of(im: Image.Image, kind: str, **options: Any) -> bytes:
    buffer = BytesIO()
    im.save(buffer, kind, **options)
    return buffer.getvalue()


def psnr(one: Image.Image, other: Image.Image) -> float:
    """Peak signal to noise in dB."""
    a, b = (np.asarray(im.convert("RGB"), dtype=np.float64) for im in (one, other))
    error = float(((a - b) ** 2).mean())
    return 99.0 if error == 0 else float(10 * np.log10(255**2 / error))


def ssim(one: Image.Image, other: Image.Image, window: int = 8) -> float:
    """Structural similarity of the grey pictures, the mean over windows of 8 pixels (Wang et al., 2004)."""
    a, b = (np.asarray(im.convert("L"), dtype=np.float64) for im in (one, other))
    a, b = (_windows(values, window) for values in (a, b))
    mean_a, mean_b = a.mean(2), b.mean(2)
    var_a, var_b = a.var(2), b.var(2)
    both = (a * b).mean(2) - mean_a * mean_b
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    value = ((2 * mean_a * mean_b + c1) * (2 * both + c2)) / ((mean_a**2 + mean_b**2 + c1) * (var_a + var_b + c2))
    return float(value.mean())


def _windows(values: np.ndarray[Any, Any], size: int) -> np.ndarray[Any, Any]:
    rows, columns = values.shape[0] // size, values.shape[1] // size
    tiles = values[: rows * size, : columns * size].reshape(rows, size, columns, size).swapaxes(1, 2)
    flat: np.ndarray[Any, Any] = tiles.reshape(rows, columns, size * size)
    return flat
