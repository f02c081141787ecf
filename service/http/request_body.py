"""Reads the body of a request within limits of size and time."""

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
    """The body did not arrive in time."""


def read_body(limit: int, seconds: float) -> Iterator[bytes]:
    """Yield the body of the request in chunks: at most `limit` bytes, waiting for at most `seconds` altogether.

    Raises:
        RequestEntityTooLarge: when the body is larger, with a Content-Length or chunked.
        Problem: `body-timeout`; `bad-request`, when the body breaks off, or its chunks are malformed.
    """
    length, size, seconds_left = request.content_length, 0, seconds
    if length is None and not request.environ.get("wsgi.input_terminated"):
        return
    while length is None or size < length:
        if max(size, length or 0) > limit:
            request.max_content_length = limit  # shown in the response
            raise RequestEntityTooLarge
        start = monotonic()
        chunk = _read_chunk(CHUNK_BYTES if length is None else min(CHUNK_BYTES, length - size), seconds_left, seconds)
        seconds_left -= monotonic() - start
        size += len(chunk)
        if not chunk:
            break
        yield chunk
    if length is not None and size < length:
        raise Problem("bad-request", msg("the body is shorter than its Content-Length"))


def _read_chunk(limit: int, seconds_left: float, seconds: float) -> bytes:
    try:
        with Timeout(max(seconds_left, 0), _BodyTimeout):
            return bytes(request.environ["wsgi.input"].read(limit))
    except _BodyTimeout:
        ClientConnection(request.environ).close()  # the rest of the body must not be read as another request
        raise timeout_problem(seconds) from None
    except (ParseException, OSError):
        raise Problem("bad-request", msg("the body broke off, or its chunks are malformed")) from None


def timeout_problem(seconds: float) -> Problem:
    """Return the problem of a body that does not arrive in time."""
    return Problem("body-timeout", msg("a body must arrive within {seconds} s", seconds=round(seconds)))
