"""Names of types: one name for each, whatever alias, case or parameters it comes in."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

# The name this package uses -> other names of the same thing.
ALIASES: dict[str, tuple[str, ...]] = {
    "image/jpeg": ("image/jpg", "image/pjpeg", "image/x-jpeg", "image/mpo", "image/jfif", "image/jpe"),
    "image/png": ("image/x-png", "image/apng", "image/vnd.mozilla.apng"),
    "image/gif": ("image/x-gif",),
    "image/webp": ("image/x-webp",),
    "image/bmp": ("image/x-bmp", "image/x-ms-bmp", "image/x-dib", "image/dib", "image/x-windows-bmp"),
    "image/vnd.microsoft.icon": ("image/x-icon", "image/ico", "image/icon", "image/x-ico"),
    "image/x-win-bitmap": ("image/x-cur", "image/x-cursor"),
    "image/tiff": ("image/tif", "image/x-tiff", "image/x-tif", "image/x-tiff-big"),
    "image/avif": ("image/avif-sequence",),
    "image/heic": (),
    "image/heif": ("image/x-heif",),
    "image/svg+xml": ("image/svg", "image/svg-xml", "application/svg+xml"),
    "image/jp2": ("image/jpeg2000", "image/jpeg2000-image", "image/x-jpeg2000-image", "image/x-jp2-container"),
    "image/j2c": ("image/x-jp2-codestream", "image/x-j2c", "image/j2k"),
    "image/jxl": ("image/x-jxl",),
    "image/jxr": ("image/vnd.ms-photo", "image/jpegxr"),
    "image/vnd.adobe.photoshop": (
        "image/psd",
        "image/x-psd",
        "image/photoshop",
        "image/x-photoshop",
        "application/photoshop",
        "application/x-photoshop",
        "application/vnd.adobe.photoshop",
    ),
    "image/vnd.ms-dds": ("image/x-dds", "image/dds"),
    "image/x-tga": ("image/tga", "image/x-targa", "image/targa"),
    "image/x-qoi": ("image/qoi",),
    "image/x-pcx": ("image/pcx", "image/vnd.zbrush.pcx"),
    "image/x-portable-graymap": ("image/x-portable-greymap",),
    "image/x-portable-arbitrarymap": ("image/x-portable-pam",),
    "image/x-exr": ("image/exr", "image/x-openexr", "image/aces"),
    "image/vnd.radiance": ("image/x-hdr", "image/hdr"),
    "image/x-icns": ("image/icns",),
    "image/x-xbitmap": ("image/x-xbm", "image/xbm"),
    "image/x-xpixmap": ("image/x-xpm", "image/xpm"),
    "image/x-pict": ("image/pict",),
    "image/wmf": ("image/x-wmf", "application/wmf", "application/x-wmf", "application/x-msmetafile"),
    "image/emf": ("image/x-emf", "application/emf", "application/x-emf"),
    "image/fits": ("application/fits",),
    "image/vnd.dxf": ("application/dxf", "image/x-dxf"),
    "image/vnd.dwg": ("application/acad", "image/x-dwg", "application/x-dwg"),
    "image/vnd.djvu": ("image/vnd.djvu+multipage", "image/x-djvu", "image/djvu"),
    "image/x-sun-raster": ("image/x-cmu-raster", "image/x-ras", "image/x-sun"),
    "image/x-fuji-raf": ("image/x-fujifilm-raf",),
    "audio/wav": ("audio/x-wav", "audio/wave", "audio/vnd.wave", "audio/x-pn-wav"),
    "audio/mpeg": (
        "audio/mp3",
        "audio/x-mp3",
        "audio/x-mpeg",
        "audio/mpeg3",
        "audio/x-mpeg-3",
        "audio/mpa",
        "audio/mp1",
        "audio/mp2",
        "audio/x-mp2",
        "audio/mpg",
    ),
    "audio/flac": ("audio/x-flac",),
    "audio/aac": ("audio/x-aac", "audio/aacp", "audio/x-hx-aac-adts", "audio/x-hx-aac-adif"),
    "audio/mp4": (
        "audio/x-m4a",
        "audio/m4a",
        "audio/x-m4b",
        "audio/x-m4p",
        "audio/mp4a-latm",
        "audio/x-mp4",
        "audio/vnd.audible.aax",
    ),
    "audio/aiff": ("audio/x-aiff", "audio/x-aifc", "audio/aif"),
    "audio/ogg": (
        "audio/x-ogg",
        "audio/opus",
        "audio/x-opus",
        "audio/x-opus+ogg",
        "audio/vorbis",
        "audio/x-vorbis",
        "audio/x-vorbis+ogg",
        "audio/speex",
        "audio/x-speex",
        "audio/x-speex+ogg",
        "audio/x-flac+ogg",
    ),
    "audio/ac3": ("audio/vnd.dolby.dd-raw", "audio/x-ac3"),
    "audio/amr": ("audio/x-amr",),
    "audio/midi": ("audio/x-midi", "audio/mid"),
    "audio/x-ape": ("audio/ape", "audio/monkeys-audio", "audio/x-monkeys-audio"),
    "audio/x-musepack": ("audio/musepack", "audio/x-mpc"),
    "audio/x-wavpack": ("audio/wavpack", "audio/x-wv"),
    "audio/x-dsf": ("audio/dsf", "audio/x-dsd"),
    "audio/x-dff": ("audio/dff",),
    "audio/x-ms-wma": ("audio/x-ms-asf",),
    "video/mp4": ("application/mp4", "video/x-m4v", "video/mp4v-es"),
    "video/quicktime": ("video/mov",),
    "video/ogg": ("video/x-ogm+ogg", "video/x-theora+ogg", "video/x-ogm"),
    "video/x-matroska": ("video/matroska", "application/x-matroska", "video/mkv"),
    "video/x-msvideo": ("video/avi", "video/msvideo", "video/vnd.avi"),
    "video/mpeg": ("video/x-mpeg", "video/mp2p", "video/mp1s", "video/mpg"),
    "video/x-flv": ("video/flv",),
    "video/x-ms-wmv": ("video/wmv",),
    "video/x-ms-asf": ("application/vnd.ms-asf",),
    "video/x-fli": ("video/fli", "video/x-flic"),
    "video/x-flc": ("video/flc",),
    "video/x-mng": ("video/mng",),
    "application/pdf": ("application/x-pdf", "application/acrobat", "text/pdf"),
    "application/json": ("text/json", "text/x-json", "application/x-json"),
    "application/x-ndjson": ("application/jsonl", "application/x-jsonl", "application/ndjson", "application/jsonlines"),
    "application/xml": ("text/xml",),
    "text/html": ("application/xhtml+xml", "application/html"),
    "text/markdown": ("text/x-markdown", "application/markdown"),
    "text/csv": ("application/csv", "text/x-csv", "text/comma-separated-values"),
    "text/tab-separated-values": ("text/tsv",),
    "application/yaml": ("text/yaml", "text/x-yaml", "application/x-yaml"),
    "application/toml": ("text/toml", "text/x-toml", "application/x-toml"),
    "text/javascript": ("application/javascript", "application/x-javascript", "application/ecmascript"),
    "text/rtf": ("application/rtf", "application/x-rtf", "text/richtext"),
    "text/vcard": ("text/x-vcard", "text/directory"),
    "application/x-subrip": ("application/srt", "text/srt"),
    "message/rfc822": ("text/x-mail",),
    "application/zip": ("application/x-zip", "application/x-zip-compressed"),
    "application/gzip": ("application/x-gzip", "application/x-gunzip"),
    "application/x-bzip2": ("application/bzip2", "application/x-bzip", "application/x-bzip1"),
    "application/x-xz": ("application/xz",),
    "application/zstd": ("application/x-zstd",),
    "application/x-lz4": ("application/lz4",),
    "application/x-lzip": ("application/lzip",),
    "application/vnd.rar": ("application/x-rar", "application/x-rar-compressed"),
    "application/x-tar": ("application/x-gtar", "application/x-ustar"),
    "application/x-lzh-compressed": ("application/x-lha", "application/x-lzh"),
    "application/x-archive": ("application/x-unix-archive",),
    "application/vnd.debian.binary-package": ("application/x-deb",),
    "application/x-rpm": ("application/x-redhat-package-manager",),
    "application/java-archive": ("application/x-jar", "application/x-java-archive"),
    "application/vnd.visio": ("application/vnd.ms-visio.drawing", "application/vnd.ms-visio.drawing.main+xml"),
    "application/vnd.ms-outlook": ("application/x-msg", "application/vnd.ms-office.msg"),
    "application/x-ole-storage": ("application/x-cdf", "application/msoffice", "application/cdfv2"),
    "application/x-hwp": ("application/haansofthwp", "application/vnd.hancom.hwp"),
    "application/postscript": ("application/eps", "application/x-eps", "image/eps", "image/x-eps"),
    "application/vnd.sqlite3": ("application/x-sqlite3",),
    "application/x-executable": ("application/x-elf", "application/x-sharedlib", "application/x-pie-executable"),
    "application/vnd.microsoft.portable-executable": (
        "application/x-msdownload",
        "application/exe",
        "application/x-exe",
        "application/x-ms-dos-executable",
    ),
    "application/dicom": ("image/dicom",),
    "application/vnd.iccprofile": ("application/vnd.icc.profile",),
    "application/wasm": ("application/x-wasm",),
    "application/vnd.ms-fontobject": ("application/x-font-eot",),
    "font/ttf": ("application/font-sfnt", "application/x-font-ttf", "application/x-font-truetype", "font/sfnt"),
    "font/otf": ("application/x-font-otf", "application/vnd.ms-opentype"),
    "font/woff": ("application/font-woff", "application/x-font-woff"),
    "application/octet-stream": ("binary/octet-stream", "application/x-binary", "application/binary"),
    "text/plain": (),
    "text/css": (),
    "text/calendar": (),
    "text/vtt": (),
    "video/webm": (),
    "audio/webm": (),
}
_NORMAL = {alias: name for name, aliases in ALIASES.items() for alias in (name, *aliases)}

# Types outside text/* that are text to read.
_TEXT = frozenset(
    {
        "application/json",
        "application/x-ndjson",
        "application/xml",
        "application/yaml",
        "application/toml",
        "application/x-subrip",
        "application/mbox",
        "application/sql",
        "application/graphql",
        "message/rfc822",
    }
)


def normalise(mime: str) -> str:
    """The name this package uses for a type: aliases resolved, lower case, parameters gone.

    >>> normalise("image/jpg"), normalise("Image/PNG; charset=x"), normalise("audio/x-wav"), normalise("text/xml")
    ('image/jpeg', 'image/png', 'audio/wav', 'application/xml')
    """
    found = _NORMAL.get(mime)
    if found is not None:
        return found
    bare = mime.split(";", 1)[0].strip().lower()
    return _NORMAL.get(bare, bare)


def kind_of(mime: str) -> Literal["image", "audio", "file"]:
    """What kind of part a type makes: pictures, sound, and everything else.

    >>> kind_of("image/png"), kind_of("audio/wav"), kind_of("application/pdf"), kind_of("video/mp4")
    ('image', 'audio', 'file', 'file')
    """
    head = mime[:6].lower()
    return "image" if head == "image/" else "audio" if head == "audio/" else "file"


def is_text(mime: str) -> bool:
    """Whether a model can read the bytes of this type as they are; RTF and SVG are written in text and are not.

    >>> is_text("text/csv"), is_text("application/json"), is_text("image/svg+xml"), is_text("text/rtf")
    (True, True, False, False)
    """
    name = normalise(mime)
    if name.startswith("text/"):
        return name != "text/rtf"
    return name in _TEXT or (name.startswith("application/") and name.endswith(("+json", "+xml", "+yaml")))
