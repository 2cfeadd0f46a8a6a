"""One tree of errors: each has a code and a message, and all of them pickle."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Iterator

import pytest

from tests._package import TREES
from toolnexus_media import _extras, errors
from toolnexus_media.errors import MediaError, MimeMismatchWarning

EVERY: list[MediaError] = [
    MediaError("m; way out", code="any"),
    errors.SourceError("m; way out", code="not-found"),
    errors.MediaTypeError("m; way out", code="wrong-kind"),
    errors.CorruptMediaError("m; way out", code="truncated"),
    errors.PartError("m; way out", code="not-a-part"),
    errors.LimitError("m; way out", code="cannot-fit", limit=1, actual=2),
    errors.UnsupportedPartError("m; way out", part_type="audio", mime_type="audio/wav", provider="anthropic"),
    errors.MissingExtraError("m; way out", extra="heic"),
]


@pytest.mark.parametrize("error", EVERY, ids=lambda error: type(error).__name__)
def test_every_error_is_a_media_error_and_a_value_error(error: MediaError) -> None:
    assert isinstance(error, MediaError)
    assert isinstance(error, ValueError)
    assert str(error) == "m; way out"


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("error", EVERY, ids=lambda error: type(error).__name__)
def test_errors_pickle_with_all_they_carry(error: MediaError, protocol: int) -> None:
    back = pickle.loads(pickle.dumps(error, protocol))
    assert type(back) is type(error)
    assert (str(back), vars(back)) == (str(error), vars(error))


@pytest.mark.parametrize("error", EVERY, ids=lambda error: type(error).__name__)
def test_errors_copy(error: MediaError) -> None:
    for back in (copy.copy(error), copy.deepcopy(error)):
        assert (type(back), str(back), vars(back)) == (type(error), str(error), vars(error))


def test_errors_carry_what_a_program_needs() -> None:
    limit, unsupported, missing = EVERY[5:]
    assert isinstance(limit, errors.LimitError)
    assert isinstance(unsupported, errors.UnsupportedPartError)
    assert isinstance(missing, errors.MissingExtraError)
    assert (limit.code, limit.limit, limit.actual) == ("cannot-fit", 1, 2)
    assert (unsupported.code, unsupported.part_type, unsupported.mime_type, unsupported.provider) == (
        "unsupported",
        "audio",
        "audio/wav",
        "anthropic",
    )
    assert (missing.code, missing.extra) == ("missing-extra", "heic")


def test_the_mismatch_warning_is_a_user_warning() -> None:
    assert issubclass(MimeMismatchWarning, UserWarning)


def test_a_missing_extra_says_what_to_install() -> None:
    error = _extras.missing("heic", "decoding image/heic")
    assert error.extra == "heic"
    assert "toolnexus-media[heic]" in str(error)


@pytest.mark.parametrize(
    ("extra", "module"), [(extra, name) for extra, names in _extras.EXTRAS.items() for name in names]
)
def test_a_module_that_is_not_installed_names_its_extra(
    extra: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, module, None)
    assert _extras.load(module) is None
    with pytest.raises(errors.MissingExtraError) as caught:
        _extras.need(module, "this")
    assert caught.value.extra == extra


def test_the_docstring_draws_the_tree_as_it_is() -> None:
    drawn = errors.__doc__ or ""
    assert all(type(error).__name__ in drawn for error in EVERY)


def _messages(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and words of every message that is written where a ``MediaError`` is made."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            kind = getattr(errors, node.func.id, None)
            if isinstance(kind, type) and issubclass(kind, MediaError):
                words = node.args[0].values if isinstance(node.args[0], ast.JoinedStr) else [node.args[0]]
                text = "".join(str(word.value) if isinstance(word, ast.Constant) else "…" for word in words)
                if text != "…":
                    yield node.lineno, text


def test_every_message_goes_on_to_the_way_out() -> None:
    """It stands behind a semicolon."""
    found = [(name, line, text) for name, tree in TREES.items() for line, text in _messages(tree)]
    assert len(found) > 50
    assert [place for place in found if not place[2].partition(";")[2].strip()] == []
