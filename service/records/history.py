"""Replay: a game as it was at an earlier decision, and, when it is over, through the eyes of any seat."""

from __future__ import annotations

from events.games.history import NoSuchDecision
from events.games.repository import Current
from games.kernel import Seat, say
from games.kernel.session import Lobby
from service.context import house
from service.http.problems import Problem


def check_looked_through(lobby: Lobby, seat: Seat) -> None:
    """Check that anybody may look at a game through a seat's eyes: only when it is over is everything open.

    Raises:
        Problem: `game-not-over` or `no-such-seat`.
    """
    if not lobby.is_over:
        raise Problem("game-not-over", say("others' hands are open when the game is over"))
    if seat >= len(lobby.seatings):
        raise Problem("no-such-seat", say("the seats of this game are 0 to {last}", last=len(lobby.seatings) - 1))


def moment(game: str, number: int) -> Current:
    """Return a game as it was after a decision.

    Raises:
        Problem: `no-such-decision`, when the game has no decision of this number.
    """
    try:
        return house().records.past.at(game, number)
    except NoSuchDecision as unknown:
        raise Problem("no-such-decision", say("at: the game has {number} decisions", number=unknown.last)) from None
