"""A game as it was at an earlier decision, and, once it is over, as any seat saw it."""

from __future__ import annotations

from events.games.repository import LoadedGame
from events.records.history import GameHistory, NoSuchDecision
from games.kernel import Seat, msg
from games.kernel.sessions.session import Session
from service.http.problems import Problem


def check_may_view_as(session: Session, seat: Seat) -> None:
    """Check that anybody may see a game as a seat saw it: only once the game is over.

    Raises:
        Problem: `game-not-over` or `no-such-seat`.
    """
    if not session.is_over:
        raise Problem("game-not-over", msg("the views of other seats are available when the game is over"))
    if seat >= len(session.seats):
        raise Problem("no-such-seat", msg("the seats of this game are 0 to {last}", last=len(session.seats) - 1))


def state_at(history: GameHistory, game: str, number: int) -> LoadedGame:
    """Return a game as it was after a decision.

    Raises:
        Problem: `no-such-decision`, when the game has no decision of this number.
    """
    try:
        return history.state_at(game, number)
    except NoSuchDecision as unknown:
        raise Problem("no-such-decision", msg("at: the game has {number} decisions", number=unknown.last)) from None
