"""The lobby: a game's seats and its course from created to finished, the same for every rulebook.

These facts and this state are the kernel's own. They stand in the same log as the facts of the rulebook.
"""

from typing import Any, Literal

from msgspec.structs import replace

from games.kernel.facts import Fact, Record
from games.kernel.sight import Everyone, Nobody, Seat

Status = Literal["open", "running", "finished", "closed"]


class Clock(Record, frozen=True):
    """The clock policy of a game.

    `seconds_per_choice`: after so long the clock answers in place of a silent seat; None: seats take their time.
    `factor`: on the rulebook's own clocks; 0: they do not run, and seats declare themselves ready instead.
    """

    seconds_per_choice: Everyone[float | None] = None
    factor: Everyone[float] = 1.0


class Created(Fact, frozen=True):
    """A game was created. `commitment` is the sha256 of the secret `seed`; `options` are complete."""

    rulebook: Everyone[str]
    edition: Everyone[int]
    seats: Everyone[int]
    options: Everyone[dict[str, Any]]
    clock: Everyone[Clock]
    visibility: Everyone[Literal["public", "private"]]
    start: Everyone[Literal["host", "when_full"]]
    commitment: Everyone[str]
    seed: Nobody[str]


class SeatTaken(Fact, frozen=True):
    """Somebody sat down. `player` is an opaque id of the client's, by which results are gathered."""

    seat: Everyone[Seat]
    name: Everyone[str]
    player: Everyone[str | None] = None
    bot: Everyone[str | None] = None


class SeatLeft(Fact, frozen=True):
    """Somebody stood up before the game started."""

    seat: Everyone[Seat]


class Started(Fact, frozen=True):
    """All seats are taken and play begins."""


class TimeRanOut(Fact, frozen=True):
    """The clock answered in place of a silent seat."""

    seat: Everyone[Seat]


class Finished(Fact, frozen=True):
    """The game is over. One entry a seat: its points as the rulebook counts them, and its place (shared on ties)."""

    points: Everyone[tuple[int, ...]]
    places: Everyone[tuple[int, ...]]


LobbyFact = Created | SeatTaken | SeatLeft | Started | TimeRanOut | Finished
LOBBY_FACTS: tuple[type[Fact], ...] = (Created, SeatTaken, SeatLeft, Started, TimeRanOut, Finished)


class Seating(Record, frozen=True):
    """Who sits at a seat. `generation` counts those who sat here: a token is good for one of them."""

    seat: Everyone[Seat]
    name: Everyone[str | None] = None
    player: Everyone[str | None] = None
    bot: Everyone[str | None] = None
    taken: Everyone[bool] = False
    generation: Everyone[int] = 0


class Result(Record, frozen=True):
    """How a finished game ended; one entry a seat."""

    points: Everyone[tuple[int, ...]]
    places: Everyone[tuple[int, ...]]


class Lobby(Record, frozen=True):
    """The seats of a game, its settings and its course."""

    created: Everyone[Created]
    created_at: Everyone[int]
    seatings: Everyone[tuple[Seating, ...]]
    status: Everyone[Status] = "open"
    result: Everyone[Result | None] = None

    @property
    def is_full(self) -> bool:
        """Is every seat taken?"""
        return all(seating.taken for seating in self.seatings)

    @property
    def free_seats(self) -> tuple[Seat, ...]:
        """Give the seats that nobody has taken."""
        return tuple(seating.seat for seating in self.seatings if not seating.taken)


def open_lobby(created: Created, now: int) -> Lobby:
    """Give the lobby of a game that was just created."""
    return Lobby(created, now, tuple(Seating(seat) for seat in range(created.seats)))


def evolve_lobby(lobby: Lobby, fact: Fact) -> Lobby:
    """Give the lobby after a fact of the kernel's own."""
    match fact:
        case SeatTaken(seat, name, player, bot):
            generation = lobby.seatings[seat].generation + 1
            return _seated(lobby, Seating(seat, name, player, bot, taken=True, generation=generation))
        case SeatLeft(seat):
            return _seated(lobby, Seating(seat, generation=lobby.seatings[seat].generation))
        case Started():
            return replace(lobby, status="running")
        case TimeRanOut():
            return lobby
        case Finished(points, places):
            return replace(lobby, status="finished", result=Result(points, places))
    raise TypeError(f"not a fact of the lobby: {fact}")


def _seated(lobby: Lobby, seating: Seating) -> Lobby:
    before, after = lobby.seatings[: seating.seat], lobby.seatings[seating.seat + 1 :]
    return replace(lobby, seatings=(*before, seating, *after))


def places_by(scores: tuple[Any, ...]) -> tuple[int, ...]:
    """Rank seats by score, the highest first; equal scores share a place (1, 1, 3, …)."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)
