"""What a file name's ending says: used where the bytes say nothing, and to choose among kinds of text."""

from __future__ import annotations

# type -> endings
_ENDINGS: dict[str, str] = {
    # pictures
    "image/jpeg": "jpg jpeg jpe jfif pjpeg pjp mpo",
    "image/png": "png apng",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/bmp": "bmp dib",
    "image/vnd.microsoft.icon": "ico",
    "image/x-win-bitmap": "cur",
    "image/tiff": "tif tiff",
    "image/avif": "avif avifs",
    "image/heic": "heic",
    "image/heif": "heif hif",
    "image/heic-sequence": "heics",
    "image/heif-sequence": "heifs",
    "image/svg+xml": "svg",
    "image/jp2": "jp2 jpg2",
    "image/j2c": "j2c j2k jpc",
    "image/jpx": "jpx jpf",
    "image/jpm": "jpm",
    "image/jxl": "jxl",
    "image/jxr": "jxr wdp hdp",
    "image/vnd.adobe.photoshop": "psd psb",
    "image/vnd.ms-dds": "dds",
    "image/x-tga": "tga icb vda",
    "image/x-qoi": "qoi",
    "image/x-pcx": "pcx",
    "image/x-dcx": "dcx",
    "image/x-portable-bitmap": "pbm",
    "image/x-portable-graymap": "pgm",
    "image/x-portable-pixmap": "ppm",
    "image/x-portable-arbitrarymap": "pam pnm",
    "image/x-portable-floatmap": "pfm",
    "image/x-exr": "exr",
    "image/vnd.radiance": "hdr",
    "image/x-icns": "icns",
    "image/x-xbitmap": "xbm",
    "image/x-xpixmap": "xpm",
    "image/x-xcf": "xcf",
    "image/x-pict": "pict pct",
    "image/wmf": "wmf",
    "image/emf": "emf",
    "image/fits": "fits fit fts",
    "image/vnd.djvu": "djvu djv",
    "image/vnd.dwg": "dwg",
    "image/vnd.dxf": "dxf",
    "image/x-sgi": "sgi rgb rgba bw",
    "image/x-adobe-dng": "dng",
    "image/x-canon-cr2": "cr2",
    "image/x-canon-cr3": "cr3",
    "image/x-canon-crw": "crw",
    "image/x-nikon-nef": "nef nrw",
    "image/x-sony-arw": "arw",
    "image/x-fuji-raf": "raf",
    "image/x-olympus-orf": "orf",
    "image/x-panasonic-rw2": "rw2",
    "image/x-pentax-pef": "pef",
    # sound
    "audio/wav": "wav wave",
    "audio/mpeg": "mp3 mp2 mp1 mpga mpa",
    "audio/flac": "flac",
    "audio/aac": "aac adts",
    "audio/mp4": "m4a m4b m4p m4r",
    "audio/aiff": "aif aiff aifc",
    "audio/ogg": "ogg oga opus spx",
    "audio/webm": "weba",
    "audio/x-matroska": "mka",
    "audio/midi": "mid midi kar rmi",
    "audio/amr": "amr",
    "audio/ac3": "ac3",
    "audio/eac3": "ec3 eac3",
    "audio/x-ms-wma": "wma",
    "audio/x-ape": "ape",
    "audio/x-musepack": "mpc mpp",
    "audio/x-wavpack": "wv",
    "audio/x-dsf": "dsf",
    "audio/x-dff": "dff",
    "audio/x-tta": "tta",
    "audio/x-caf": "caf",
    "audio/basic": "au snd",
    "audio/x-pn-realaudio": "ra ram",
    "audio/x-mod": "mod",
    "audio/x-xm": "xm",
    "audio/x-it": "it",
    "audio/x-s3m": "s3m",
    # film
    "video/mp4": "mp4 m4v mp4v f4v f4p",
    "video/quicktime": "mov qt",
    "video/webm": "webm",
    "video/x-matroska": "mkv mk3d",
    "video/x-msvideo": "avi",
    "video/mpeg": "mpg mpeg mpe m1v m2v vob",
    "video/mp2t": "mts m2ts",
    "video/ogg": "ogv ogm",
    "video/3gpp": "3gp 3gpp",
    "video/3gpp2": "3g2 3gpp2",
    "video/x-flv": "flv",
    "video/x-ms-wmv": "wmv",
    "video/x-ms-asf": "asf",
    "video/mj2": "mj2 mjp2",
    "video/x-mng": "mng",
    "video/x-fli": "fli",
    "video/x-flc": "flc",
    "video/dv": "dv dif",
    "application/mxf": "mxf",
    "application/vnd.rn-realmedia": "rm rmvb",
    # documents
    "application/pdf": "pdf",
    "application/msword": "doc dot wri",
    "application/vnd.ms-excel": "xls xlt xla",
    "application/vnd.ms-powerpoint": "ppt pps pot",
    "application/vnd.ms-outlook": "msg",
    "application/vnd.ms-publisher": "pub",
    "application/vnd.visio": "vsd vsdx vsdm vst vstx",
    "application/vnd.ms-access": "mdb accdb",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template": "dotx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.template": "xltx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "application/vnd.openxmlformats-officedocument.presentationml.template": "potx",
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow": "ppsx",
    "application/vnd.ms-word.document.macroenabled.12": "docm",
    "application/vnd.ms-word.template.macroenabled.12": "dotm",
    "application/vnd.ms-excel.sheet.macroenabled.12": "xlsm",
    "application/vnd.ms-excel.template.macroenabled.12": "xltm",
    "application/vnd.ms-excel.sheet.binary.macroenabled.12": "xlsb",
    "application/vnd.ms-excel.addin.macroenabled.12": "xlam",
    "application/vnd.ms-powerpoint.presentation.macroenabled.12": "pptm",
    "application/vnd.ms-powerpoint.template.macroenabled.12": "potm",
    "application/vnd.ms-powerpoint.slideshow.macroenabled.12": "ppsm",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.text-template": "ott",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.spreadsheet-template": "ots",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/vnd.oasis.opendocument.presentation-template": "otp",
    "application/vnd.oasis.opendocument.graphics": "odg",
    "application/vnd.oasis.opendocument.formula": "odf",
    "application/vnd.oasis.opendocument.database": "odb",
    "application/epub+zip": "epub",
    "application/x-mobipocket-ebook": "mobi azw azw3 prc",
    "application/vnd.wordperfect": "wpd wp wp5",
    "application/x-hwp": "hwp",
    "application/vnd.lotus-1-2-3": "wk1 wk3 wk4 wks 123",
    "application/vnd.ms-xpsdocument": "xps oxps",
    "application/postscript": "ps eps ai",
    "text/rtf": "rtf",
    # archives
    "application/zip": "zip cbz",
    "application/gzip": "gz tgz svgz",
    "application/x-bzip2": "bz2 tbz tbz2",
    "application/x-xz": "xz txz",
    "application/zstd": "zst",
    "application/x-lz4": "lz4",
    "application/x-lzip": "lz",
    "application/x-compress": "z",
    "application/x-7z-compressed": "7z cb7",
    "application/vnd.rar": "rar cbr",
    "application/x-tar": "tar cbt",
    "application/java-archive": "jar war ear",
    "application/vnd.android.package-archive": "apk",
    "application/vnd.debian.binary-package": "deb",
    "application/x-rpm": "rpm",
    "application/x-cpio": "cpio",
    "application/x-archive": "a ar lib",
    "application/x-arj": "arj",
    "application/x-lzh-compressed": "lzh lha",
    "application/vnd.ms-cab-compressed": "cab",
    "application/x-iso9660-image": "iso",
    "application/x-xar": "xar pkg",
    # fonts, programs, data
    "font/ttf": "ttf",
    "font/otf": "otf",
    "font/collection": "ttc otc",
    "font/woff": "woff",
    "font/woff2": "woff2",
    "application/vnd.ms-fontobject": "eot",
    "application/vnd.microsoft.portable-executable": "exe dll sys scr",
    "application/x-java-applet": "class",
    "application/wasm": "wasm",
    "application/vnd.sqlite3": "sqlite sqlite3 db3",
    "application/vnd.apache.parquet": "parquet",
    "application/dicom": "dcm",
    "application/vnd.iccprofile": "icc icm",
    "model/gltf-binary": "glb",
    # text of a known kind
    "text/csv": "csv",
    "text/tab-separated-values": "tsv tab",
    "text/markdown": "md markdown mdown mkd mdx",
    "text/html": "html htm xhtml xht shtml",
    "text/css": "css",
    "text/calendar": "ics ifb ical",
    "text/vcard": "vcf vcard",
    "text/vtt": "vtt",
    "text/x-ms-regedit": "reg",
    "application/x-subrip": "srt",
    "application/json": "json geojson ipynb webmanifest har topojson",
    "application/x-ndjson": "ndjson jsonl",
    "application/xml": "xml xsd xsl xslt rss atom kml gpx plist wsdl rdf xmp opf",
    "application/yaml": "yaml yml",
    "application/toml": "toml",
    "message/rfc822": "eml mht mhtml",
    "application/mbox": "mbox",
    # text of no kind of its own, source code among it
    "text/plain": (
        "txt text log out err asc ini cfg conf config properties env lock list diff patch rst adoc org tex bib sty "
        "py pyi pyw js mjs cjs jsx ts tsx cts vue svelte java kt kts scala groovy gradle c h cc cpp cxx hpp hh hxx m "
        "mm cs fs fsx vb go rs swift rb php pl pm lua r jl dart ex exs erl hrl hs lhs ml mli clj cljs cljc edn lisp "
        "el scm rkt nim zig v sv vhd vhdl asm s f f90 f95 for pas ada adb d cr sql sh bash zsh fish ps1 psm1 bat cmd "
        "awk sed vim cmake mk tf hcl proto graphql gql sol less sass scss styl coffee pug hbs ejs "
        "jinja j2 tmpl gitignore gitattributes editorconfig dockerignore npmrc csproj sln po srcinfo nfo"
    ),
}
_BY_ENDING: dict[str, str] = {}  # filled at the first question
_BARE = frozenset(
    {"readme", "license", "licence", "copying", "changelog", "authors", "notice", "makefile", "dockerfile"}
)
_TEXT_KINDS = frozenset(
    {
        "text/csv",
        "text/tab-separated-values",
        "text/markdown",
        "text/html",
        "text/css",
        "text/calendar",
        "text/vcard",
        "text/vtt",
        "application/x-subrip",
        "application/x-ndjson",
        "application/xml",
        "application/yaml",
        "application/toml",
    }
)


def by_name(name: str) -> str | None:
    """The type that the ending of a file name or of a URL's path stands for; None when it stands for none.

    >>> by_name("C:/a/Photo.JPG"), by_name("https://example.org/a.pdf?page=2#top"), by_name("app.ts"), by_name("x.qqq")
    ('image/jpeg', 'application/pdf', 'text/plain', None)
    """
    if "://" in name:
        return _lookup(name.split("://", 1)[1].split("#", 1)[0].split("?", 1)[0].partition("/")[2])
    found = _lookup(name)
    if found is None and ("?" in name or "#" in name):
        found = _lookup(name.split("#", 1)[0].split("?", 1)[0])
    return found


def _lookup(name: str) -> str | None:
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    _, dot, ending = last.rpartition(".")
    if not dot:
        return "text/plain" if ending.lower() in _BARE else None
    if not _BY_ENDING:
        _BY_ENDING.update((ending, mime) for mime, endings in _ENDINGS.items() for ending in endings.split())
    return _BY_ENDING.get(ending.lower()) if len(ending) < 16 else None


def ending_of(mime: str) -> str:
    """The usual ending for a type, with its dot; ``".bin"`` where none is known.

    >>> ending_of("image/jpeg"), ending_of("application/x-nothing")
    ('.jpg', '.bin')
    """
    return f".{_ENDINGS.get(mime, 'bin').split()[0]}"


def is_text_kind(mime: str) -> bool:
    """Whether a name may choose this type for a text whose bytes could be several kinds."""
    return mime in _TEXT_KINDS
