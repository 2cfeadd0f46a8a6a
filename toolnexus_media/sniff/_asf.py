"""ASF (WMA, WMV): the stream objects of the header say whether there are pictures."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media.sniff._window import View

MAGIC = bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c")
_STREAM = bytes.fromhex("9107dcb7b7a9cf118ee600c00c205365")
_AUDIO = bytes.fromhex("409e69f84d5bcf11a8fd00805f5c442b")
_VIDEO = bytes.fromhex("c0ef19bc4d5bcf11a8fd00805f5c442b")
_MAX_OBJECTS = 40


def asf(view: View) -> str | None:
    """``audio/x-ms-wma`` with sound streams only, ``video/x-ms-wmv`` with pictures, else ``video/x-ms-asf``."""
    head = view.head
    end = min(int.from_bytes(head[16:24], "little"), view.size)
    at, sounds = 30, False
    for _ in range(_MAX_OBJECTS):
        item = view.at(at, 40)
        size = int.from_bytes(item[16:24], "little")
        if len(item) < 24 or size < 24:
            break
        if item[:16] == _STREAM:
            if item[24:40] == _VIDEO:
                return "video/x-ms-wmv"
            sounds = sounds or item[24:40] == _AUDIO
        at += size
        if at >= end:
            break
    return "audio/x-ms-wma" if sounds else "video/x-ms-asf"
