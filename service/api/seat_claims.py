"""Sitting down: a person gets only one seat of a game, however often, and however concurrently, it is requested."""

from __future__ import annotations

from typing import Any, NamedTuple

from events.games.participants import Person
from games.kernel import Game, Refusal, Rulebook, Seat, Transition, take_seat
from games.kernel.session import SeatInfo, Session
from service.context import services


class AlreadySeated(Refusal):
    """The person already has a seat in this game."""

    def __init__(self, seating: SeatInfo) -> None:
        super().__init__("seat-taken", "this person has a seat of this game already")
        self.seating = seating


class SeatClaim(NamedTuple):
    """Where a person sits, and whether it was this call that seated them."""

    seating: SeatInfo
    is_new: bool


def claim_seat(
    game: str, person: Person, seat: Seat | None = None, bot: str | None = None, commitment: str | None = None
) -> SeatClaim:
    """Seat a person, or a bot under that name, unless they already sit there.

    Raises:
        Illegal: see `games.kernel.take_seat`.
    """

    def command(rules: Rulebook[Any], state: Game[Any, Any], now: int) -> Transition:
        if seating := _seating_of(person, state.session):
            raise AlreadySeated(seating)
        return take_seat(rules, state, seat, person.reference, now, bot, commitment)

    try:
        lobby = services().games.decide(game, command, person).current.session
    except AlreadySeated as found:
        return SeatClaim(found.seating, is_new=False)
    seating = _seating_of(person, lobby)
    if seating is None:
        raise Refusal("seat-taken", "the player has left the seat in the meantime")
    return SeatClaim(seating, is_new=True)


def _seating_of(person: Person, lobby: Session) -> SeatInfo | None:
    return next((seating for seating in lobby.seats if seating.person == person.reference), None)
