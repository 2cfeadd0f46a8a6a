"""Format words: what some blocks say in the place of a media type, ``jpeg``, ``docx``, ``mp3``."""

from __future__ import annotations

from toolnexus_media.sniff import by_name

# Format words that are no file ending of their type.
_FORMATS = {"three_gp": "video/3gpp", "x-aac": "audio/aac", "mpga": "audio/mpeg", "opus": "audio/ogg"}
_WORDS = {
    "image": "png jpeg gif webp",
    "document": "pdf csv doc docx xls xlsx html txt md",
    "video": "mkv mov mp4 webm flv mpeg wmv three_gp",
    "audio": "mp3 wav aac flac ogg mp4 mka webm",
}


def of_format(word: object, major: str) -> str | None:
    """The type behind a format word such as ``jpeg``, ``docx`` or ``mp3``, in a block of a known kind.

    >>> of_format("jpeg", "image"), of_format("mp4", "audio"), of_format("md", "document"), of_format(None, "image")
    ('image/jpeg', 'audio/mp4', 'text/markdown', None)
    """
    if not isinstance(word, str):
        return None
    mime = _FORMATS.get(word) or by_name(f"x.{word}")
    if mime is None or major != "audio":
        return mime
    return "audio/" + mime.partition("/")[2]


def format_of(mime: str) -> str | None:
    """The short word for a type, where blocks have words for types.

    >>> format_of("image/jpeg"), format_of("audio/mpeg"), format_of("video/3gpp"), format_of("image/bmp")
    ('jpeg', 'mp3', 'three_gp', None)
    """
    major = mime.partition("/")[0]
    family = major if major in _WORDS else "document"
    return next((word for word in _WORDS[family].split() if of_format(word, family) == mime), None)
