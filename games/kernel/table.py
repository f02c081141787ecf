"""The table: what a rule sees of the game."""

from typing import Generic, TypeVar

from games.kernel.language.chance import Chance
from games.kernel.language.visibility import Seat
from games.kernel.sessions.session import Session

S = TypeVar("S")


class Table(Generic[S]):
    """The state of the game, the seat that acts, and the only source of chance.

    A rulebook derives its own, with properties and methods for what its rules need to know. They only compute: a table
    is made anew for each rule.
    """

    __slots__ = ("chance", "seat", "session", "state")

    def __init__(self, state: S, seat: Seat, chance: Chance, session: Session) -> None:
        self.state = state
        self.seat = seat
        self.chance = chance
        self.session = session

    @property
    def conceded_seats(self) -> frozenset[Seat]:
        """The seats that conceded, as `rank_seats` needs them to rank them behind the others."""
        return self.session.conceded_seats
