"""Bodies: the body of a request is read within limits of size and time, however slowly it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from flask import request
from gevent import Timeout
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import RequestEntityTooLarge

from games.kernel import msg
from service.http.client_connection import ClientConnection
from service.http.problems import Problem

CHUNK_BYTES = 64 * 1024


class _BodyTimeout(Exception):
    """The time for the body is up."""


def read_body(limit: int, seconds: float) -> Iterator[bytes]:
    """Yield the body of the request in pieces: at most `limit` bytes, waiting for them at most `seconds` in all.

    Raises:
        RequestEntityTooLarge: when the body is larger, whether it has a Content-Length or is chunked.
        Problem: `body-timeout`; `bad-request`, when the body breaks off or its chunks are malformed.
    """
    told, size, left = request.content_length, 0, seconds
    if told is None and not request.environ.get("wsgi.input_terminated"):
        return
    while told is None or size < told:
        if max(size, told or 0) > limit:
            request.max_content_length = limit  # what the answer tells
            raise RequestEntityTooLarge
        began = monotonic()
        piece = _read_chunk(CHUNK_BYTES if told is None else min(CHUNK_BYTES, told - size), left, seconds)
        left -= monotonic() - began
        size += len(piece)
        if not piece:
            break
        yield piece
    if told is not None and size < told:
        raise Problem("bad-request", msg("the body is shorter than its Content-Length"))


def _read_chunk(most: int, left: float, seconds: float) -> bytes:
    try:
        with Timeout(max(left, 0), _BodyTimeout):
            return bytes(request.environ["wsgi.input"].read(most))
    except _BodyTimeout:
        ClientConnection(request.environ).close()  # the rest of the body must not be taken for another request
        raise timeout_problem(seconds) from None
    except (ParseException, OSError):
        raise Problem("bad-request", msg("the body broke off, or its chunks are malformed")) from None


def timeout_problem(seconds: float) -> Problem:
    """Return the problem of a body that does not arrive in time."""
    return Problem("body-timeout", msg("a body must arrive within {seconds} s", seconds=round(seconds)))
