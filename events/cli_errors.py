"""Telling: an error that an operator can fix ends a program with one line, not with a traceback."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from events.settings import BadSetting
from events.store.connection import UnfitStore
from events.store.errors import StoreAway


@contextmanager
def in_one_line(status: int = 1) -> Iterator[None]:
    """End the process with `status` if a setting is wrong, or the store is unfit or away."""
    try:
        yield
    except (BadSetting, UnfitStore, StoreAway) as error:
        print(one_line(error), file=sys.stderr)  # noqa: T201 - for the operator
        sys.exit(status)


def one_line(error: Exception) -> str:
    """The message of an error on one line, prefixed with our name."""
    return f"croupier: {' '.join(str(error).split())}"
