"""The words of RTF: control words, groups and escaped letters, in one pass."""

from __future__ import annotations

import re
from codecs import lookup
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer

MAX_READ = 16 << 20
_TOKEN = re.compile(r"\\([a-z]{1,32})(-?\d{1,9})? ?|\\'([0-9a-fA-F]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)")
_LINES = {"par": "\n", "line": "\n", "row": "\n", "sect": "\n", "page": "\n", "tab": "\t", "cell": "\t"}
_SIGNS = {"emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”"}  # noqa: RUF001 - the signs meant
_UNSAID = frozenset({
    "fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "themedata", "colorschememapping", "datastore",
    "generator", "listtable", "listoverridetable", "rsidtbl", "latentstyles", "fldinst", "xmlnstbl", "filetbl",
    "revtbl", "bkmkstart", "bkmkend", "mmathPr",
})  # fmt: skip
_MARGINS = frozenset({"header", "footer", "headerl", "headerr", "headerf", "footerl", "footerr", "footerf"})


def text(data: Buffer, chars: int, seconds: float = 1.0) -> str:
    r"""The text as far as ``chars``; what stands above and below the pages only where they hold none.

    >>> text(rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}caf\'e9 \b bold\b0\par \u8364? 5}", 99)
    'café bold\n€ 5'
    """
    source, end = bytes(memoryview(data)[:MAX_READ]).decode("latin-1"), monotonic() + seconds
    return _Reader(source, chars, _UNSAID | _MARGINS).read(end) or _Reader(source, chars, _UNSAID).read(end)


class _Reader:
    def __init__(self, source: str, chars: int, unsaid: frozenset[str]) -> None:
        self.source, self.chars, self.unsaid = source, chars, unsaid
        self.out: list[str] = []
        self.size = 0
        self.codes = bytearray()  # letters of a code page not decoded yet: one may take two
        self.page = "cp1252"
        self.silent = False
        self.instead = 1  # how many letters stand in for one given by its number
        self.passing = 0
        self.groups: list[tuple[bool, int]] = []

    def read(self, end: float) -> str:
        """The text, as far as the time goes."""
        for count, token in enumerate(_TOKEN.finditer(self.source)):
            word, number, code, sign, brace, plain = token.groups()
            if code is None:
                self._settle()
            if word:
                self._word(word, int(number) if number else None)
            elif code:
                self._letter(int(code, 16))
            elif brace:
                self._group(brace)
            elif sign:
                self._sign(sign)
            elif plain:
                self._say(plain[self.passing :])
                self.passing = max(0, self.passing - len(plain))
            if self.size >= self.chars or (count % 1024 == 0 and monotonic() > end):
                break
        self._settle()
        return "".join(self.out)[: self.chars].strip()

    def _say(self, text: str) -> None:
        if text and not self.silent:
            self.out.append(text)
            self.size += len(text)

    def _settle(self) -> None:
        if self.codes:
            self._say(self.codes.decode(self.page, "replace"))
            self.codes.clear()

    def _letter(self, code: int) -> None:
        if self.passing:
            self.passing -= 1
        elif not self.silent and len(self.codes) < self.chars:
            self.codes.append(code)

    def _word(self, word: str, number: int | None) -> None:
        if word in _LINES or word in _SIGNS:
            self._say(_LINES.get(word) or _SIGNS[word])
        elif word in self.unsaid:
            self.silent = True
        elif word == "u" and number is not None:
            self._say(chr(number % 65536) if not 0xD800 <= number % 65536 < 0xE000 else "�")
            self.passing = self.instead
        elif word == "uc" and number is not None:
            self.instead = min(max(number, 0), 9)
        elif word == "ansicpg" and number is not None:
            self._choose(f"cp{number}" if number != 65001 else "utf-8")

    def _choose(self, page: str) -> None:
        try:
            lookup(page)  # decoding nothing would not ask for the codec
        except LookupError:
            return
        self.page = page

    def _group(self, brace: str) -> None:
        self.passing = 0
        if brace == "{":
            if len(self.groups) < 10_000:
                self.groups.append((self.silent, self.instead))
        elif self.groups:
            self.silent, self.instead = self.groups.pop()

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self.silent = True
        elif sign in "\\{}":
            self._say(sign)
        elif sign in "~\r\n":
            self._say(" " if sign == "~" else "\n")
