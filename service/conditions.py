"""Conditional requests (RFC 9110): what is named by an `ETag`, and what is refused unless it is still that.

The `ETag` of a game is its version. In an answer that was compressed it has the name of the compression after it, as
the representation is another; the version is the same.
"""

from __future__ import annotations

import re

from flask import request

from games.kernel import Illegal

IF_MATCH = {
    "in": "header",
    "name": "If-Match",
    "description": "Refuse this unless the game is at the version of this `ETag`, or of one of these.",
    "schema": {"type": "string"},
    "example": '"17"',
}
COMPRESSED = re.compile(r":(gzip)$")


def check_version(number: int) -> None:
    """Refuse a request whose `If-Match` names other versions than this.

    Raises:
        Illegal: `other-version`.
    """
    if "If-Match" not in request.headers:
        return
    wanted = request.if_match
    versions = {COMPRESSED.sub("", tag) for tag in wanted.as_set()}
    if not wanted.star_tag and str(number) not in versions:
        raise Illegal("other-version", "the game is at version {version}", version=number)
