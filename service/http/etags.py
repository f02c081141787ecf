"""Conditional requests (RFC 9110): responses with an `ETag`, and requests that need a certain version.

The `ETag` of a game is its version. In a compressed response, the name of the compression is appended, because
the representation is a different one; the version is the same.
"""

from __future__ import annotations

import re

from flask import Request, Response

from games.kernel import Refusal

COMPRESSION_SUFFIX = re.compile(r":(gzip)$")


class IfMatch:
    """The versions of a game that `If-Match` allows."""

    def __init__(self, request: Request) -> None:
        self._tags = request.if_match if "If-Match" in request.headers else None

    def check(self, number: int) -> None:
        """Refuse any version that `If-Match` does not allow.

        Raises:
            Refusal: `version-mismatch`.
        """
        if self._tags is None or self._tags.star_tag:
            return
        if str(number) not in {COMPRESSION_SUFFIX.sub("", tag) for tag in self._tags.as_set() if tag}:
            raise Refusal("version-mismatch", "the game is at version {version}", version=number)


def with_etag(response: Response, request: Request, number: int) -> Response:
    """Set the version of a game as the `ETag`; make the response a 304 if the client has that version.

    Raises:
        Refusal: `version-mismatch`.
    """
    IfMatch(request).check(number)
    # It is checked: Werkzeug accepts neither `*` nor the tag of a compressed response.
    request.environ.pop("HTTP_IF_MATCH", None)
    response.set_etag(str(number))
    response.make_conditional(request)
    return response
