"""The limits of an installation, as the contract states them."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """How often, how much and how slowly callers may send and ask. `Limits()` has the published values.

    Args:
        requests_per_second: from one token or address, in each process.
        creations_per_minute: games created, seats taken and records audited from one address, taken together.
        max_streams: open event streams of one token, or of one address without a token, in each process.
        max_open_games: games of one address that wait for their seats to be taken.
        max_uploads: uploaded records that are received and audited at a time, in each process.
        body_seconds: how long a body may take to arrive.
        upload_seconds: how long an uploaded record may take to arrive.
    """

    requests_per_second: int = 200
    creations_per_minute: int = 600
    max_streams: int = 10
    max_open_games: int = 200
    max_uploads: int = 4
    body_seconds: float = 15.0
    upload_seconds: float = 60.0


MAX_BODY_BYTES = 64 * 1024
MAX_UPLOAD_BYTES = 4 * 1024 * 1024
"""The most bytes of an uploaded record; larger ones can be verified with the command `verify`."""
