"""Sitting down: a person gets only one seat of a game, however often, and however concurrently, it is requested."""

from __future__ import annotations

from typing import Any, NamedTuple

from events.games.participants import Person
from games.kernel import Game, Illegal, Rulebook, Seat, Step, take_seat
from games.kernel.session import Lobby, Seating
from service.context import house


class SitsAlready(Illegal):
    """The person already has a seat in this game."""

    def __init__(self, seating: Seating) -> None:
        super().__init__("seat-taken", "this person has a seat of this game already")
        self.seating = seating


class Sat(NamedTuple):
    """Where a person sits, and whether it was this call that seated them."""

    seating: Seating
    is_new: bool


def sit_down(
    game: str, person: Person, seat: Seat | None = None, bot: str | None = None, commitment: str | None = None
) -> Sat:
    """Seat a person, or a bot under that name, unless they already sit there.

    Raises:
        Illegal: see `games.kernel.take_seat`.
    """

    def command(rules: Rulebook[Any], state: Game[Any, Any], now: int) -> Step:
        if seating := _seating_of(person, state.lobby):
            raise SitsAlready(seating)
        return take_seat(rules, state, seat, person.reference, now, bot, commitment)

    try:
        lobby = house().games.decide(game, command, person).current.lobby
    except SitsAlready as found:
        return Sat(found.seating, is_new=False)
    seating = _seating_of(person, lobby)
    if seating is None:
        raise Illegal("seat-taken", "the seat was left again meanwhile")
    return Sat(seating, is_new=True)


def _seating_of(person: Person, lobby: Lobby) -> Seating | None:
    return next((seating for seating in lobby.seatings if seating.person == person.reference), None)
