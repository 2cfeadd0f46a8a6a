"""What is kept as golden copies: a name ``<provider>/<case>``, and what makes the messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CASES: dict[str, Callable[[], Any]] = {}
