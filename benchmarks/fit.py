"""Fitting against plain Pillow (open, LANCZOS, save), against peers where they are installed, and its quality.

    python benchmarks/fit.py [--unpinned] [--quick]

``--quick`` leaves out the 10,000x10,000 picture and the figures of memory. Every side gets the encoded file and gives
an encoded file; ours starts from base64 and ends there.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402  # runs as a script

from benchmarks._measure import pin_heap, ratio, rounds, shown, verdict  # noqa: E402  # runs as a script
from benchmarks._scenes import file_of, photo, psnr, screenshot, ssim  # noqa: E402  # runs as a script
from toolnexus_media.fit import fit  # noqa: E402  # runs as a script
from toolnexus_media.part import make_part, part_data  # noqa: E402  # runs as a script
from toolnexus_media.types import ContentPart  # noqa: E402  # runs as a script

MODEL = "claude-opus-4-6"  # 1,568 px and tokens; twice as many pixels leave a 12 megapixel JPEG no room for draft mode
LANCZOS = Image.Resampling.LANCZOS
Size = tuple[int, int]


def ours(part: ContentPart) -> ContentPart:
    return fit(part, "anthropic", model=MODEL)[0][0]


def plain(data: bytes, size: Size, turn: Image.Transpose | None = None) -> bytes:
    """What a straightforward hand writes."""
    im: Image.Image = Image.open(BytesIO(data))
    if turn is not None:
        im, size = im.transpose(turn), size
    resized = im.resize(size, LANCZOS)
    return file_of(resized, "JPEG", quality=85)


def thumbnail(data: bytes, size: Size) -> bytes:
    im = Image.open(BytesIO(data))
    im.thumbnail((max(size), max(size)), LANCZOS)
    return file_of(im, "JPEG", quality=85)


def vips(data: bytes, size: Size) -> bytes:
    pyvips = import_module("pyvips")  # an optional peer

    made: bytes = pyvips.Image.thumbnail_buffer(data, size[0]).jpegsave_buffer(Q=85)
    return made


def peers(data: bytes, size: Size) -> dict[str, Any]:
    sides: dict[str, Any] = {"thumbnail": partial(thumbnail, data, size)}
    if find_spec("pyvips"):
        sides["libvips"] = partial(vips, data, size)
    else:
        print("  libvips left out: pyvips is not installed")
    if find_spec("chatlas"):
        content_image_file = import_module("chatlas").content_image_file  # an optional peer

        with tempfile.NamedTemporaryFile(suffix=".jpg", delete=False) as file:
            file.write(data)
        sides["chatlas"] = partial(content_image_file, file.name, resize="high")
    else:
        print("  chatlas left out: it is not installed")
    return sides


def speed(label: str, data: bytes, limit: float, count: int) -> bool:
    part = make_part(data, "image/jpeg")
    size = Image.open(BytesIO(part_data(ours(part)))).size
    print(f"{label}: {len(data)} bytes to {size[0]}x{size[1]}")
    sides = {"plain": partial(plain, data, size), "ours": partial(ours, part), **peers(data, size)}
    times = rounds(sides, count=count)
    print("  " + ", ".join(f"{name} {shown(min(values))}" for name, values in times.items()))
    kept = verdict(f"{label}, ours / plain Pillow", ratio(times, "ours", "plain"), limit)
    if "libvips" in times:
        kept &= verdict(f"{label}, ours / libvips", ratio(times, "ours", "libvips"), 1.3)
    return kept


def rotated(picture: Image.Image, count: int) -> bool:
    exif = Image.Exif()
    exif[0x0112] = 6
    sides = {
        "upright": partial(ours, make_part(file_of(picture, "JPEG", quality=90), "image/jpeg")),
        "rotated": partial(ours, make_part(file_of(picture, "JPEG", quality=90, exif=exif), "image/jpeg")),
    }
    times = rounds(sides, count=count)
    return verdict("rotated / upright", ratio(times, "rotated", "upright"), 1.1)


def huge_png(count: int) -> bool:
    small = photo(2500, 2500).quantize(200).convert("RGB")
    data = file_of(small.resize((10_000, 10_000), Image.Resampling.NEAREST), "PNG", compress_level=1)
    part = make_part(data, "image/png")
    size = Image.open(BytesIO(part_data(ours(part)))).size
    Image.MAX_IMAGE_PIXELS = None
    times = rounds({"plain": partial(plain, data, size), "ours": partial(ours, part)}, count=count)
    print(
        f"10,000x10,000 PNG ({len(data)} bytes): plain {shown(min(times['plain']))}, ours {shown(min(times['ours']))}"
    )
    return verdict("10,000x10,000 PNG, ours / plain Pillow", ratio(times, "ours", "plain"), 0.75)


def byte_cap(count: int) -> bool:
    """The cap against one encode of the same pixels, and how much of it is used, over several pictures."""
    from toolnexus_media.fit._encode import Wants, encode

    pictures = [photo(4032, 3024, seed).resize((1270, 952), LANCZOS) for seed in range(7, 12)]
    pictures.append(pictures[0].resize((2212, 1659), LANCZOS))
    kept = True
    for share in (0.9, 0.7, 0.5, 0.25):
        ratios, used = [], []
        for picture in pictures:
            cap = int(len(file_of(picture, "JPEG", quality=85)) * share)
            wants = Wants(frozenset({"image/jpeg", "image/png"}), cap)
            used.append(len(encode(picture, wants).data) / cap)
            sides: dict[str, Any] = {
                "one": partial(file_of, picture, "JPEG", quality=85),
                "capped": partial(encode, picture, wants),
            }
            ratios.append(ratio(rounds(sides, count=count), "capped", "one"))
        print(f"a cap of {share:.0%}: {', '.join(f'{value:.2f}' for value in sorted(ratios))} x one encode")
        kept &= verdict(f"a cap of {share:.0%}, time / one encode, the median", median(ratios), 1.8)
        kept &= verdict(f"a cap of {share:.0%}, share left unused, the most", 1 - min(used), 0.05)
    return kept


def high_resolution(files: dict[str, bytes], count: int) -> None:
    """For the row that sees 2576 pixels: figures without a limit."""
    for label, data in files.items():
        part = make_part(data, "image/jpeg")
        mine = partial(fit, part, "anthropic", model="claude-opus-4-7")
        size = Image.open(BytesIO(part_data(mine()[0][0]))).size
        times = rounds({"plain": partial(plain, data, size), "ours": mine, **peers(data, size)}, count=count)
        told = ", ".join(f"{name} {shown(min(values))}" for name, values in times.items())
        print(f"{label} to {size[0]}x{size[1]}: {told}; ours / plain {ratio(times, 'ours', 'plain'):.3f}")


def fitting_parts() -> dict[str, tuple[ContentPart, str]]:
    """Parts that fit already, and for whom."""
    media = ROOT / "fixtures" / "media"
    return {
        "8x8 PNG": (make_part(file_of(photo(8, 8), "PNG"), "image/png"), "anthropic"),
        "small JPEG": (make_part(file_of(photo(64, 48), "JPEG"), "image/jpeg"), "anthropic"),
        "small GIF": (make_part(file_of(photo(64, 48), "GIF"), "image/gif"), "anthropic"),
        "small WebP": (make_part(file_of(photo(64, 48), "WEBP"), "image/webp"), "anthropic"),
        "screenshot": (make_part(file_of(screenshot(1300, 900), "PNG"), "image/png"), "anthropic"),
        "photograph": (make_part(file_of(photo(1200, 900), "JPEG", quality=97), "image/jpeg"), "anthropic"),
        "PDF of one page": (make_part((media / "text.pdf").read_bytes(), "application/pdf"), "anthropic"),
        "WAV": (make_part((media / "tone.wav").read_bytes(), "audio/wav"), "openai"),
        "WAV, its length looked at": (make_part((media / "tone.wav").read_bytes(), "audio/wav"), "gemini"),
        "text": (make_part(b"one line\nand another one\n" * 20, "text/plain", "notes.txt"), "anthropic"),
    }


def passing() -> bool:
    """A part that fits already against a probe of it."""
    from toolnexus_media.probe import probe

    kept = True
    for label, (part, provider) in fitting_parts().items():
        assert fit(part, provider)[0][0] is part
        sides: dict[str, Any] = {"probe": partial(probe, part), "fit": partial(fit, part, provider)}
        times = rounds(sides, count=25, budget=0.01)
        probed, fitted = (shown(min(times[side])) for side in ("probe", "fit"))
        print(f"{label}, {len(part_data(part))} bytes: probe {probed}, fit {fitted}")
        kept &= verdict(f"{label} that fits, fit / probe", ratio(times, "fit", "probe"), 1.3)
    return kept


MEMORY = """
import sys
from io import BytesIO
from PIL import Image, JpegImagePlugin
from toolnexus_media.fit import fit
from toolnexus_media.part import make_part
data = open({path!r}, "rb").read()
part = make_part(data, "image/jpeg")
fit(make_part({small!r}, "image/jpeg"), "anthropic")
def peak():
    return next(int(l.split()[1]) for l in open("/proc/self/status") if l.startswith("VmHWM")) * 1024
open("/proc/self/clear_refs", "w").write("5")
before = peak()
if {ours}:
    fit(part, "anthropic", model={model!r})
else:
    Image.open(BytesIO(data)).resize({size!r}, Image.Resampling.LANCZOS).save(BytesIO(), "JPEG", quality=85)
print(peak() - before)
"""


def memory(folder: str, data: bytes) -> bool:
    import os
    import subprocess

    path = Path(folder) / "48.jpg"
    path.write_bytes(data)
    size = Image.open(BytesIO(part_data(ours(make_part(data, "image/jpeg"))))).size
    small = file_of(photo(2700, 300), "JPEG")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MALLOC_")}
    peaks = []
    for mine in (True, False):
        program = MEMORY.format(path=str(path), small=small, ours=mine, model=MODEL, size=size)
        script = Path(folder) / "peak.py"
        script.write_text(program)
        done = subprocess.run(
            [sys.executable, str(script)], env={**environment, "PYTHONPATH": str(ROOT)}, check=True, capture_output=True
        )
        peaks.append(int(done.stdout))
    print(f"48 megapixels, peak memory: ours {peaks[0] >> 20} MB, plain {peaks[1] >> 20} MB")
    return verdict("48 megapixels, peak memory / plain Pillow", peaks[0] / peaks[1], 0.15)


def reading() -> str:
    """Words that tesseract reads of a fitted screenshot, as a share of what it reads of the lossless reference."""
    import subprocess

    shot = screenshot(1700, 1100, photo_share=False)
    sent = part_data(fit(make_part(file_of(shot, "PNG"), "image/png"), "anthropic")[0][0])
    reference = file_of(shot.resize(Image.open(BytesIO(sent)).size, LANCZOS), "PNG")
    words = []
    for data in (reference, sent):
        command = ["tesseract", "-", "-"]
        done = subprocess.run(command, input=data, check=True, capture_output=True)
        words.append(set(done.stdout.split()))
    return f"{len(words[0] & words[1]) / max(len(words[0]), 1):.1%}"


def quality() -> bool:
    """After encoding within 0.2 dB of the plain way; before it 45 dB; screenshots alike to the lossless reference."""
    from toolnexus_media.fit import _decode

    data = file_of(photo(4032, 3024), "JPEG", quality=92)
    kept = True
    for provider in ("anthropic", "openai"):
        sent = Image.open(BytesIO(part_data(fit(make_part(data, "image/jpeg"), provider)[0][0])))
        reference = Image.open(BytesIO(data)).resize(sent.size, LANCZOS)
        by_hand = Image.open(BytesIO(file_of(reference, "JPEG", quality=85)))
        kept &= verdict(f"{provider}, photograph, dB lost", psnr(by_hand, reference) - psnr(sent, reference), 0.2)
        view = ((0, 0, 4032, 3024), sent.size)
        pixels = _decode.rendered(_decode.loaded(_decode.opened(data, "image/jpeg", 1 << 30), [view]), *view)
        kept &= verdict(f"{provider}, photograph before encoding, dB under 45", 45 - psnr(pixels, reference), 0)
        shot = screenshot(2560, 1600)
        png = make_part(file_of(shot, "PNG", compress_level=1), "image/png")
        seen = Image.open(BytesIO(part_data(fit(png, provider)[0][0])))
        alike = ssim(seen, shot.resize(seen.size, LANCZOS))
        kept &= verdict(f"{provider}, screenshot, 1 - SSIM", 1 - alike, 0.02)
    print(f"  print read by tesseract: {reading() if shutil.which('tesseract') else 'left out, it is not installed'}")
    return kept


def main() -> int:
    pin_heap()
    count = 5 if "--quick" in sys.argv else 9
    Image.MAX_IMAGE_PIXELS = 200_000_000
    large = file_of(photo(8064, 6048), "JPEG", quality=88)
    middle = photo(4032, 3024)
    usual = file_of(middle, "JPEG", quality=92)
    kept = [
        speed("48 megapixels", large, 0.30, count),
        speed("12 megapixels", usual, 0.60, count),
        rotated(middle, count),
        byte_cap(count),
        passing(),
        quality(),
    ]
    if "--quick" not in sys.argv:
        high_resolution({"48 megapixels": large, "12 megapixels": usual}, 5)
        with tempfile.TemporaryDirectory() as folder:
            kept.append(memory(folder, large))
        kept.append(huge_png(3))
    return int(not all(kept) and "--unpinned" not in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
