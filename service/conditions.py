"""Conditional requests (RFC 9110): what is named by an `ETag`, and what is refused unless it is still that.

The `ETag` of a game is its version. In an answer that was compressed it has the name of the compression after it, as
the representation is another; the version is the same.
"""

from __future__ import annotations

import re

from flask import Request, Response

from games.kernel import Illegal

COMPRESSED = re.compile(r":(gzip)$")


class WantedVersion:
    """What `If-Match` wants of the version of a game."""

    def __init__(self, request: Request) -> None:
        self._tags = request.if_match if "If-Match" in request.headers else None

    def check(self, number: int) -> None:
        """Refuse another version than those that are wanted.

        Raises:
            Illegal: `other-version`.
        """
        if self._tags is None or self._tags.star_tag:
            return
        if str(number) not in {COMPRESSED.sub("", tag) for tag in self._tags.as_set() if tag}:
            raise Illegal("other-version", "the game is at version {version}", version=number)


def tagged(answer: Response, request: Request, number: int) -> Response:
    """Give an answer the version of a game for its `ETag`; it is 304 where the client has that one (`If-None-Match`).

    Raises:
        Illegal: `other-version`.
    """
    WantedVersion(request).check(number)
    request.environ.pop("HTTP_IF_MATCH", None)  # it is settled: Werkzeug takes no `*`, and no tag of compressed bytes
    answer.set_etag(str(number))
    answer.make_conditional(request)
    return answer
