"""The lobby: a game's seats and its course from created to finished, the same for every rulebook.

These facts and this state are the kernel's own. They stand in the same log as the facts of the rulebook.
"""

from typing import Any, Literal

from msgspec.structs import replace

from games.kernel.facts import Fact, Record
from games.kernel.visibility import Audience, Everyone, Nobody, Owner, Seat

Status = Literal["open", "running", "finished", "closed"]
TimeoutPolicy = Literal["answer", "bot", "concede"]


MAX_SECONDS = 30 * 24 * 3600
MAX_INCREMENT = 3600
MAX_FACTOR = 1000
"""The upper limits of a clock policy: on `seconds_per_choice` and `bank`, on `increment`, and on `factor`."""


class Clock(Record, frozen=True):
    """The clock policy of a game. All numbers but the factor are seconds.

    seconds_per_choice: after so long, and after what is left of the seat's bank, the clock answers in place of a
    silent seat; None: seats take their time. bank, increment: what each seat has over and above, and what it gains
    with each answer. when_out: what happens to a silent seat: the clock gives an answer for it, it passes to a bot, or
    it concedes. factor: on the rulebook's own clocks; 0: they do not run, and seats declare themselves ready.
    """

    seconds_per_choice: Everyone[float | None] = None
    factor: Everyone[float] = 1.0
    bank: Everyone[float] = 0.0
    increment: Everyone[float] = 0.0
    on_timeout: Everyone[TimeoutPolicy] = "answer"


class Created(Fact, frozen=True):
    """A game was created. `commitment` is the sha256 of the secret `seed` of the server; `options` are complete."""

    rulebook: Everyone[str]
    edition: Everyone[int]
    seats: Everyone[int]
    options: Everyone[dict[str, Any]]
    clock: Everyone[Clock]
    visibility: Everyone[Literal["public", "private"]]
    start: Everyone[Literal["host", "when_full"]]
    commitment: Everyone[str]
    seed: Nobody[str]
    rematch_of: Everyone[str | None] = None


class SeatTaken(Fact, frozen=True):
    """Somebody sat down. `person` stands for who it is: names are kept beside the log, so that they can be forgotten.

    `commitment` is the sha256 of the seat's own part of the seed, to be opened before the game starts; None: no part.
    """

    seat: Everyone[Seat]
    person: Everyone[str]
    bot: Everyone[str | None] = None
    commitment: Everyone[str | None] = None


class SeatLeft(Fact, frozen=True):
    """Somebody stood up before the game started."""

    seat: Everyone[Seat]


class SeedRevealed(Fact, frozen=True):
    """A seat opened its part of the seed: the text whose sha256 it committed to."""

    seat: Everyone[Seat]
    part: Everyone[str]


class Started(Fact, frozen=True):
    """Play begins. `seed` is made of the server's seed and the opened parts; `absent` seats did not open theirs."""

    seed: Nobody[str]
    absent: Everyone[tuple[Seat, ...]] = ()


class Closed(Fact, frozen=True):
    """The host closed the game before it started."""


class BotSeated(Fact, frozen=True):
    """A seat is played by a bot from now on; None: by its player again."""

    seat: Everyone[Seat]
    bot: Everyone[str | None]


class Conceded(Fact, frozen=True):
    """A seat gave up. Its place is behind those who did not."""

    seat: Everyone[Seat]


class PauseRequested(Fact, frozen=True):
    """A seat wishes the game paused, or, when it is paused, resumed."""

    seat: Everyone[Seat]


class Paused(Fact, frozen=True):
    """All players at the table wished it: clocks stand still and no answer is taken."""


class Resumed(Fact, frozen=True):
    """All players at the table wished it: clocks go on with what was left."""


class DowntimeCompensated(Fact, frozen=True):
    """The service had been away: running clocks got the time back."""

    milliseconds: Everyone[int]


class TimeRanOut(Fact, frozen=True):
    """The clock answered in place of a silent seat."""

    seat: Everyone[Seat]


class BankChanged(Fact, frozen=True):
    """So much is left in the time bank of a seat, in milliseconds. Told to it alone: that it moved may be a secret."""

    observers = Audience.OWNER

    seat: Everyone[Seat]
    milliseconds: Owner[int]


class Finished(Fact, frozen=True):
    """The game is over. One entry a seat: its points as the rulebook counts them, and its place (shared on ties)."""

    points: Everyone[tuple[int, ...]]
    places: Everyone[tuple[int, ...]]


SessionFact = (
    Created
    | SeatTaken
    | SeatLeft
    | SeedRevealed
    | Started
    | Closed
    | BotSeated
    | Conceded
    | PauseRequested
    | Paused
    | Resumed
    | DowntimeCompensated
    | TimeRanOut
    | BankChanged
    | Finished
)
SESSION_FACTS: tuple[type[Fact], ...] = SessionFact.__args__
SESSION_FACT_TYPES = frozenset(SESSION_FACTS)
"""The same as a set, for tests of `type(fact) in …`."""


class SeatInfo(Record, frozen=True):
    """Who sits at a seat. `generation` counts those who sat here: a token is good for one of them."""

    seat: Everyone[Seat]
    taken: Everyone[bool] = False
    person: Everyone[str | None] = None
    bot: Everyone[str | None] = None
    token_epoch: Everyone[int] = 0
    commitment: Everyone[str | None] = None
    part: Everyone[str | None] = None
    conceded: Everyone[bool] = False
    wants_pause: Everyone[bool] = False
    bank: Owner[int] = 0


class Result(Record, frozen=True):
    """How a finished game ended; one entry a seat. Places count from 1, the best; equals share one."""

    points: Everyone[tuple[int, ...]]
    places: Everyone[tuple[int, ...]]


class Session(Record, frozen=True):
    """The seats of a game, its settings and its course.

    `full_at`: since when all seats are taken. `paused_at`: since when clocks stand still.
    """

    created: Everyone[Created]
    created_at: Everyone[int]
    seats: Everyone[tuple[SeatInfo, ...]]
    status: Everyone[Status] = "open"
    full_at: Everyone[int | None] = None
    seed: Nobody[str] = ""
    paused_at: Everyone[int | None] = None
    finished_at: Everyone[int | None] = None
    result: Everyone[Result | None] = None

    @property
    def is_over(self) -> bool:
        """Is the game finished, or closed before it began? If so, nothing more happens."""
        return self.status in ("finished", "closed")

    @property
    def is_full(self) -> bool:
        """Is every seat taken?"""
        return all(seating.taken for seating in self.seats)

    @property
    def free_seats(self) -> tuple[Seat, ...]:
        """Return the seats that nobody has taken."""
        return tuple(seating.seat for seating in self.seats if not seating.taken)

    @property
    def unrevealed_seats(self) -> tuple[Seat, ...]:
        """Return the seats that committed to a part of the seed and have not opened it."""
        return tuple(seating.seat for seating in self.seats if seating.commitment and seating.part is None)

    @property
    def conceded_seats(self) -> frozenset[Seat]:
        """Return the seats that gave up."""
        return frozenset(seating.seat for seating in self.seats if seating.conceded)

    @property
    def all_want_pause(self) -> bool:
        """Has every player asked for it, not counting bots and those who conceded?"""
        return all(seating.wants_pause for seating in self.seats if not seating.bot and not seating.conceded)


def new_session(created: Created, now: int) -> Session:
    """Return the lobby of a game that was just created."""
    return Session(created, now, tuple(SeatInfo(seat) for seat in range(created.seats)))


def evolve_session(lobby: Session, fact: Fact, at: int) -> Session:
    """Return the lobby after one of the kernel's own facts, which happened at `at`, in milliseconds since the epoch."""
    match fact:
        case SeatTaken(seat, person, bot, commitment):
            generation = lobby.seats[seat].token_epoch + 1
            bank = round(lobby.created.clock.bank * 1000)
            seating = SeatInfo(seat, True, person, bot, generation, commitment, bank=bank)
            seated = _with_seat(lobby, seating)
            return replace(seated, full_at=at) if seated.is_full else seated
        case SeatLeft(seat):
            return _with_seat(replace(lobby, full_at=None), SeatInfo(seat, token_epoch=lobby.seats[seat].token_epoch))
        case SeedRevealed(seat, part):
            return _with_seat(lobby, replace(lobby.seats[seat], part=part))
        case Started(seed):
            return replace(lobby, status="running", seed=seed)
        case Closed():
            return replace(lobby, status="closed")
        case BotSeated(seat, bot):
            return _with_seat(lobby, replace(lobby.seats[seat], bot=bot))
        case Conceded(seat):
            return _with_seat(lobby, replace(lobby.seats[seat], conceded=True))
        case PauseRequested(seat):
            return _with_seat(lobby, replace(lobby.seats[seat], wants_pause=True))
        case Paused():
            return replace(_without_pause_requests(lobby), paused_at=at)
        case Resumed():
            return replace(_without_pause_requests(lobby), paused_at=None)
        case BankChanged(seat, milliseconds):
            return _with_seat(lobby, replace(lobby.seats[seat], bank=milliseconds))
        case TimeRanOut() | DowntimeCompensated():
            return lobby
        case Finished(points, places):
            return replace(lobby, status="finished", finished_at=at, result=Result(points, places))
    raise TypeError(f"not a fact of the lobby: {fact}")


def _with_seat(lobby: Session, seating: SeatInfo) -> Session:
    before, after = lobby.seats[: seating.seat], lobby.seats[seating.seat + 1 :]
    return replace(lobby, seats=(*before, seating, *after))


def _without_pause_requests(lobby: Session) -> Session:
    return replace(lobby, seats=tuple(replace(seating, wants_pause=False) for seating in lobby.seats))


def rank_seats(scores: tuple[Any, ...], conceded: frozenset[Seat] = frozenset()) -> tuple[int, ...]:
    """Rank seats by score, the highest first; equal scores share a place (1, 1, 3, …).

    Seats that conceded come after all others, and are ranked among themselves in the same way.
    """
    ranked = [(seat not in conceded, score) for seat, score in enumerate(scores)]
    return tuple(1 + sum(other > own for other in ranked) for own in ranked)
