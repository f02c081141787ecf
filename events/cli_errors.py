"""Errors that an operator can fix: they end a program with one line, not with a traceback."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from events.settings import InvalidSetting
from events.store.connection import IncompatibleStore
from events.store.errors import StoreUnavailable


@contextmanager
def exit_with_message(status: int = 1) -> Iterator[None]:
    """End the process with `status` if a setting is wrong, or the store is incompatible or unavailable."""
    try:
        yield
    except (InvalidSetting, IncompatibleStore, StoreUnavailable) as error:
        print(first_line(error), file=sys.stderr)  # noqa: T201 - for the operator
        sys.exit(status)


def first_line(error: Exception) -> str:
    """The message of an error on one line, prefixed with our name."""
    return f"croupier: {' '.join(str(error).split())}"
