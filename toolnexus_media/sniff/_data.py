"""Archives, programs and data whose first bytes need a second look."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media.sniff._window import View

_ISO_AT = 32769
_MAX_FRAMES = 8


def bzip2(view: View, head: bytes, name: str | None) -> str | None:
    """A block size digit, then the mark of a block or of the end."""
    marked = head[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")
    return "application/x-bzip2" if head[3:4].isdigit() and marked else None


def arj(view: View, head: bytes, name: str | None) -> str | None:
    """A header length that ARJ allows."""
    return "application/x-arj" if 30 <= int.from_bytes(head[2:4], "little") <= 2600 and head[4:5] < b"\x80" else None


def dos(view: View, head: bytes, name: str | None) -> str | None:
    """A DOS program, or a Windows one when the second header says so."""
    if len(head) < 4:
        return None
    mark = view.at(int.from_bytes(head[60:64], "little"), 4) if len(head) >= 64 else b""
    known = mark == b"PE\x00\x00" or mark[:2] in (b"NE", b"LE", b"LX")
    return "application/vnd.microsoft.portable-executable" if known else "application/x-dosexec"


def cafebabe(view: View, head: bytes, name: str | None) -> str | None:
    """A Java class has a major version from 45 on where a fat Mach-O file has its small number of machines."""
    return "application/x-java-applet" if int.from_bytes(head[6:8], "big") >= 45 else "application/x-mach-binary"


def flash(view: View, head: bytes, name: str | None) -> str | None:
    """A Flash film of a version that there is."""
    return "application/x-shockwave-flash" if len(head) > 8 and 0 < head[3] < 60 else None


def skippable(view: View, head: bytes, name: str | None) -> str | None:
    """Zstandard or LZ4 behind skippable frames."""
    at = 0
    for _ in range(_MAX_FRAMES):
        frame = view.at(at, 8)
        if frame[:4] == b"\x28\xb5\x2f\xfd":
            return "application/zstd"
        if frame[:4] == b"\x04\x22\x4d\x18":
            return "application/x-lz4"
        if frame[1:4] != b"\x2a\x4d\x18" or len(frame) < 8:
            return None
        at += 8 + int.from_bytes(frame[4:8], "little")
    return None


def lha(head: bytes) -> str | None:
    """A method name between hyphens at byte 2."""
    known = head[2:4] in (b"-l", b"-p") and head[6:7] == b"-" and head[4:6].isalnum()
    return "application/x-lzh-compressed" if known else None


def tar(head: bytes) -> str | None:
    """An old tar without its mark: the checksum of the header has to be right."""
    if len(head) < 512 or not head[0] or head[100:101] not in b" 0":
        return None
    field = head[148:156].strip(b" \x00")
    if not 3 < len(field) < 8 or field.translate(None, b"01234567"):
        return None
    total = sum(head[:148]) + sum(head[156:512]) + 8 * 32
    return "application/x-tar" if total == int(field, 8) else None


def disc(view: View) -> str | None:
    """An ISO 9660 or UDF image: its descriptor lies in sector 16."""
    return "application/x-iso9660-image" if view.at(_ISO_AT, 5) in (b"CD001", b"BEA01", b"NSR02") else None


def archive(view: View, head: bytes, name: str | None) -> str | None:
    """A Unix archive, or the Debian package that is one."""
    return "application/vnd.debian.binary-package" if head[8:21] == b"debian-binary" else "application/x-archive"
