"""Sitting down: a person gets only one seat of a game, however often, and however concurrently, it is requested."""

from __future__ import annotations

from typing import NamedTuple

from events.games.commands import AlreadySeated, TakeSeat
from games.kernel import Refusal
from games.kernel.sessions.session import SeatInfo
from service.context import services


class SeatClaim(NamedTuple):
    """Where a person sits, and whether it was this call that seated them."""

    seat_info: SeatInfo
    is_new: bool


def claim_seat(game: str, command: TakeSeat) -> SeatClaim:
    """Seat a person, or a bot under that name, unless they already sit there.

    Raises:
        Refusal: see `games.kernel.take_seat`.
    """
    try:
        session = services().games.handle(game, command).current.session
    except AlreadySeated as refusal:
        return SeatClaim(refusal.seat_info, is_new=False)
    seat_info = command.seat_taken(session)
    if seat_info is None:
        raise Refusal("seat-taken", "the player has left the seat in the meantime")
    return SeatClaim(seat_info, is_new=True)
