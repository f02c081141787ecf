"""Answers: JSON bodies, and times as the contract writes them."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import msgspec
from flask import Response

encode = msgspec.json.Encoder().encode


def json_response(body: Any, status: int = 200, content_type: str = "application/json") -> Response:
    """Return a response with a JSON body; msgspec records of a game are encoded directly."""
    return Response(encode(body), status, content_type=content_type)


def rfc3339(milliseconds: int) -> str:
    """Write a time (milliseconds since the epoch) as RFC 3339 in UTC with milliseconds."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{_second(seconds)}.{rest:03d}Z"


@lru_cache
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def rfc3339_or_none(milliseconds: int | None) -> str | None:
    """Write a time, or None where there is none."""
    return None if milliseconds is None else rfc3339(milliseconds)
