"""Every error this package raises, as one tree.

    ValueError
    └── MediaError                  .code, and a message that ends in the way out
        ├── SourceError             not-found · not-a-file · empty · too-large · unreadable · unsupported-source
        │                           · outside-root · bad-data-url · bad-base64 · refused-address
        ├── MediaTypeError          unknown-type · wrong-kind · mime-mismatch · no-decoder
        ├── CorruptMediaError       truncated · corrupt · encrypted · too-many-pixels · timeout
        ├── PartError               source-conflict · source-missing · not-a-part · bad-data · bad-type
        ├── LimitError              too-large · cannot-fit                .limit .actual
        ├── UnsupportedPartError    unsupported                           .part_type .mime_type .provider
        └── MissingExtraError       missing-extra                         .extra
    UserWarning
    └── MimeMismatchWarning         a declared type that the bytes contradict

The code is stable and meant for programs; the message is meant for people and models, never holds a payload and is
one line. All of them pickle.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    SourceCode = Literal[
        "not-found",
        "not-a-file",
        "empty",
        "too-large",
        "unreadable",
        "unsupported-source",
        "outside-root",
        "bad-data-url",
        "bad-base64",
        "refused-address",
    ]
    TypeCode = Literal["unknown-type", "wrong-kind", "mime-mismatch", "no-decoder"]
    CorruptCode = Literal["truncated", "corrupt", "encrypted", "too-many-pixels", "timeout"]
    PartCode = Literal["source-conflict", "source-missing", "not-a-part", "bad-data", "bad-type"]
    LimitCode = Literal["too-large", "cannot-fit"]


class MediaError(ValueError):
    """What this package raises when it cannot keep its promise.

    >>> str(MediaError("no such file: a.png; check the path", code="not-found"))
    'no such file: a.png; check the path'
    """

    code: str

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(cls: type[MediaError], args: tuple[Any, ...], state: dict[str, Any]) -> MediaError:
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class SourceError(MediaError):
    """The bytes could not be had: no file, too large, a bad data URL, a refused address."""

    def __init__(self, message: str, *, code: SourceCode) -> None:
        super().__init__(message, code=code)


class MediaTypeError(MediaError):
    """The bytes are of another type than asked for, or of one that nothing installed decodes."""

    def __init__(self, message: str, *, code: TypeCode) -> None:
        super().__init__(message, code=code)


class CorruptMediaError(MediaError):
    """The type is known and the content cannot be used: cut short, damaged, locked, or a bomb."""

    def __init__(self, message: str, *, code: CorruptCode) -> None:
        super().__init__(message, code=code)


class PartError(MediaError):
    """A dict that is offered as a part and is none."""

    def __init__(self, message: str, *, code: PartCode) -> None:
        super().__init__(message, code=code)


class LimitError(MediaError):
    """A part that no allowed change brings under a limit; ``limit`` and ``actual`` share one unit."""

    def __init__(self, message: str, *, code: LimitCode, limit: int, actual: int) -> None:
        super().__init__(message, code=code)
        self.limit = limit
        self.actual = actual


class UnsupportedPartError(MediaError):
    """A part that a provider has no shape for."""

    def __init__(self, message: str, *, part_type: str, mime_type: str, provider: str) -> None:
        super().__init__(message, code="unsupported")
        self.part_type = part_type
        self.mime_type = mime_type
        self.provider = provider


class MissingExtraError(MediaError):
    """An optional dependency is needed and not installed; ``extra`` names the group to install."""

    def __init__(self, message: str, *, extra: str) -> None:
        super().__init__(message, code="missing-extra")
        self.extra = extra


class MimeMismatchWarning(UserWarning):
    """A declared media type that the bytes contradict; the bytes won."""
