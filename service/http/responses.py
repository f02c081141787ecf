"""JSON responses."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response

from service.http.content_types import JSON

encode = msgspec.json.Encoder().encode


def json_response(body: Any, status: int = 200, content_type: str = JSON) -> Response:
    """Return a response with a JSON body; msgspec records of a game are encoded directly."""
    return Response(encode(body), status, content_type=content_type)
