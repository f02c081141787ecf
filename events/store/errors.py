"""Errors of the store: every way in which the server can be unavailable becomes one exception."""

from __future__ import annotations

import re
from types import TracebackType

from redis import exceptions


class StoreUnavailable(Exception):
    """The store cannot be reached, did not answer in time, or refuses work for now.

    Whether a write was carried out is unknown; `LogStore.append` and `LogStore.archive` are safe to repeat.
    """


class _ErrorTranslator:
    """Turns every error that means the server is unavailable into `StoreUnavailable`."""

    _unavailable = (
        OSError,
        exceptions.ClusterError,
        exceptions.ConnectionError,
        exceptions.InvalidResponse,
        exceptions.OutOfMemoryError,
        exceptions.ReadOnlyError,
        exceptions.RedisClusterException,
        exceptions.TimeoutError,
        exceptions.TryAgainError,
    )
    # A script passes on the error of the command that was refused, worded differently from version to version.
    _refusals = re.compile(r"\b(OOM|READONLY|MISCONF|NOREPLICAS|LOADING|MASTERDOWN|CLUSTERDOWN|BUSY|TRYAGAIN)\b")

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Exception) and (translated := self.translate(error)) is not error:
            raise translated from error

    def translate(self, error: Exception) -> Exception:
        """Return `StoreUnavailable` for an error that means it, and any other error unchanged."""
        if isinstance(error, self._unavailable) or (
            isinstance(error, exceptions.ResponseError) and self._refusals.search(str(error))
        ):
            return StoreUnavailable(str(error) or type(error).__name__)
        return error


_TRANSLATOR = _ErrorTranslator()


def translate_errors() -> _ErrorTranslator:
    """Turn every error that means the server is unavailable, inside a `with`, into `StoreUnavailable`."""
    return _TRANSLATOR
