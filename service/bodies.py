"""Bodies: what is sent with a request is read up to a size and for a time, whoever sends it and however slowly."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from flask import request
from gevent import Timeout
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import RequestEntityTooLarge

from games.kernel import say
from service.problems import Problem
from service.wire import Wire

PIECE = 64 * 1024


class _TooSlow(Exception):
    """The time is over."""


def received(limit: int, seconds: float) -> Iterator[bytes]:
    """Give the body of the request in pieces: at most so many bytes, for which it may be waited so long in all.

    Raises:
        RequestEntityTooLarge: when there is more, whether its length was told or it comes in chunks.
        Problem: `too-slow`; `bad-request`, when it is broken off or its chunks are none.
    """
    told, size, left = request.content_length, 0, seconds
    request.max_content_length = limit + 1  # with what is cut off there it would seem to be whole
    if told is not None and told > limit:
        raise RequestEntityTooLarge
    while told is None or size < told:
        began = monotonic()
        piece = _piece(left, seconds)
        left -= monotonic() - began
        size += len(piece)
        if size > limit:
            raise RequestEntityTooLarge
        if not piece:
            break
        yield piece
    if told is not None and size < told:
        raise Problem("bad-request", say("the body ends before the length that was told"))


def _piece(left: float, seconds: float) -> bytes:
    try:
        with Timeout(max(left, 0), _TooSlow):
            return request.stream.read(PIECE)
    except _TooSlow:
        Wire(request.environ).end()  # what still comes belongs to no request
        raise too_slow(seconds) from None
    except (ParseException, OSError):
        raise Problem("bad-request", say("the body is broken off, or its chunks are malformed")) from None


def too_slow(seconds: float) -> Problem:
    """Give the problem of a body that does not come."""
    return Problem("too-slow", say("a body has to come within {seconds} s", seconds=round(seconds)))
