"""The fields that are stored beside the log of a game, as text."""

from __future__ import annotations

from games.kernel.sessions.session import Session

IMPORTED = "imported_at"
"""When the game was imported from another server, in milliseconds since the epoch."""

SEAL = "seal"
"""The seal of an imported record: key and signature, with a space between."""


def listing_fields(session: Session) -> dict[str, str]:
    """Return the fields by which games are listed."""
    created = session.created
    return {
        "rulebook": created.rulebook,
        "status": session.status,
        "visibility": created.visibility,
        "created_at": str(session.created_at),
        "seats": str(len(session.seats)),
        "free": str(len(session.free_seats)),
    }
