"""Reaching the store: every way in which the server can be unavailable becomes one exception."""

from __future__ import annotations

import re
from types import TracebackType

from redis import exceptions


class StoreAway(Exception):
    """The store cannot be reached, did not answer in time, or refuses work for now.

    Whether a write was carried out is unknown; `Store.append` and `Store.archive` are safe to repeat.
    """


class Reaching:
    """Turns every error that means the server is unavailable into `StoreAway`."""

    _away = (
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
        if isinstance(error, Exception) and (told := self.told(error)) is not error:
            raise told from error

    def told(self, error: Exception) -> Exception:
        """Return `StoreAway` for an error that means it, and any other error unchanged."""
        if isinstance(error, self._away) or (
            isinstance(error, exceptions.ResponseError) and self._refusals.search(str(error))
        ):
            return StoreAway(str(error) or type(error).__name__)
        return error


_REACHING = Reaching()


def reaching() -> Reaching:
    """Turn every error that means the server is unavailable, inside a `with`, into `StoreAway`."""
    return _REACHING
