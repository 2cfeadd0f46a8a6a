"""Archives, programs and data whose first bytes need a second look."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media.sniff._window import View

_ISO_AT = 32769
_MAX_FRAMES = 8


def bzip2(view: View) -> str | None:
    """A block size digit, then the mark of a block or of the end."""
    head = view.head
    marked = head[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")
    return "application/x-bzip2" if head[3:4].isdigit() and marked else None


def arj(view: View) -> str | None:
    """A header length that ARJ allows."""
    head = view.head
    return "application/x-arj" if 30 <= int.from_bytes(head[2:4], "little") <= 2600 and head[4:5] < b"\x80" else None


def dos(view: View) -> str | None:
    """A DOS program, or a Windows one when the second header says so."""
    head = view.head
    if len(head) < 4:
        return None
    mark = view.at(int.from_bytes(head[60:64], "little"), 4) if len(head) >= 64 else b""
    known = mark == b"PE\x00\x00" or mark[:2] in (b"NE", b"LE", b"LX")
    return "application/vnd.microsoft.portable-executable" if known else "application/x-dosexec"


def cafebabe(view: View) -> str | None:
    """A Java class has a major version from 45 on where a fat Mach-O file has its small number of machines."""
    head = view.head
    return "application/x-java-applet" if int.from_bytes(head[6:8], "big") >= 45 else "application/x-mach-binary"


def flash(view: View) -> str | None:
    """A Flash film of a version that there is."""
    head = view.head
    return "application/x-shockwave-flash" if len(head) > 8 and 0 < head[3] < 60 else None


def skippable(view: View) -> str | None:
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


def lha(view: View) -> str | None:
    """A method name between hyphens at byte 2."""
    head = view.head
    known = head[2:4] in (b"-l", b"-p") and head[6:7] == b"-" and head[4:6].isalnum()
    return "application/x-lzh-compressed" if known else None


def tar(view: View) -> str | None:
    """An old tar without its mark: the checksum of the header has to be right."""
    head = view.head
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


def archive(view: View) -> str | None:
    """A Unix archive, or the Debian package that is one."""
    head = view.head
    return "application/vnd.debian.binary-package" if head[8:21] == b"debian-binary" else "application/x-archive"


def compress(view: View) -> str | None:
    """The old ``compress``: a code width that it has."""
    return (
        "application/x-compress"
        if view.head[2:3] and view.head[2] & 0x60 == 0 and 9 <= view.head[2] & 31 <= 16
        else None
    )


def cpio(view: View) -> str | None:
    """A binary cpio in either byte order: a name of sane length."""
    head = view.head
    length = int.from_bytes(head[20:22], "little" if head[0] == 0xC7 else "big")
    return "application/x-cpio" if 0 < length < 4096 else None


def font(view: View) -> str | None:
    """TrueType or OpenType: the number of tables fits the search range behind it, or the first table has a name."""
    head = view.head
    tables = int.from_bytes(head[4:6], "big")
    if not 0 < tables < 256 or len(head) < 12:
        return None
    ranged = int.from_bytes(head[6:8], "big") == 16 << (tables.bit_length() - 1)
    if not ranged and not (head[12:16].isascii() and head[12:16].replace(b"/", b"").strip().isalnum()):
        return None
    return "font/otf" if head[:4] == b"OTTO" else "font/ttf"


def embedded_font(view: View) -> str | None:
    """An embedded OpenType font: its version at byte 8 and its mark at byte 34."""
    known = view.head[34:36] == b"LP" and view.head[8:12] in (
        b"\x00\x00\x01\x00",
        b"\x01\x00\x02\x00",
        b"\x02\x00\x02\x00",
    )
    return "application/vnd.ms-fontobject" if known else None
