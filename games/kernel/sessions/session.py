"""The session: a game's settings, seats and status, from its creation to its end; the same for every rulebook.

These facts and this state are the kernel's own. The facts are in the same log as those of the rulebook.
"""

from collections.abc import Iterable
from typing import Any, Literal

from msgspec.structs import replace

from games.kernel.language.facts import Fact, Record
from games.kernel.language.visibility import Audience, Everyone, Nobody, Owner, Seat
from games.kernel.sessions.clock import Clock

Status = Literal["open", "running", "finished", "closed"]


class Created(Fact, frozen=True):
    help = (
        """A game was created. `commitment` is the sha256 of the secret `seed` of the server; `options` are complete."""
    )

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
    help = """Somebody took a seat. `person` refers to them: names are stored beside the log, so that they can be
    deleted.

    `commitment` is the sha256 of the seat's own part of the seed, to be revealed before the start; None: no part.
    """

    seat: Everyone[Seat]
    person: Everyone[str]
    bot: Everyone[str | None] = None
    commitment: Everyone[str | None] = None


class SeatLeft(Fact, frozen=True):
    help = """A seat was given up before the game started."""

    seat: Everyone[Seat]


class SeedRevealed(Fact, frozen=True):
    help = """A seat revealed its part of the seed: the text whose sha256 it committed to."""

    seat: Everyone[Seat]
    part: Everyone[str]


class Started(Fact, frozen=True):
    help = """Play begins. `seed` is made of the server's seed and the revealed parts; `unrevealed` seats withheld
    theirs."""

    seed: Nobody[str]
    unrevealed: Everyone[tuple[Seat, ...]] = ()


class Closed(Fact, frozen=True):
    help = """The host closed the game before it started."""


class BotSeated(Fact, frozen=True):
    help = """A seat is played by a bot from now on; None: by its player again."""

    seat: Everyone[Seat]
    bot: Everyone[str | None]


class Conceded(Fact, frozen=True):
    help = """A seat gave up. It is ranked behind the seats that did not."""

    seat: Everyone[Seat]


class PauseRequested(Fact, frozen=True):
    help = """A seat asked for a pause or, in a paused game, for its end."""

    seat: Everyone[Seat]


class Paused(Fact, frozen=True):
    help = """All players asked for a pause: clocks stand still and no answer is accepted."""


class Resumed(Fact, frozen=True):
    help = """All players asked for the end of the pause: clocks go on with the time that was left."""


class DowntimeCompensated(Fact, frozen=True):
    help = """The service was down for so many milliseconds: running clocks got the time back."""

    milliseconds: Everyone[int]


class TimeRanOut(Fact, frozen=True):
    help = """A seat ran out of time, and the clock acted in its place."""

    seat: Everyone[Seat]


class BankChanged(Fact, frozen=True):
    help = """The seat's remaining time bank, in milliseconds. Visible to that seat only: timing can reveal a secret."""

    observers = Audience.OWNER

    seat: Everyone[Seat]
    milliseconds: Owner[int]


class Finished(Fact, frozen=True):
    help = """The game is over. One entry per seat: its points as the rulebook counts them, and its place (shared on
    ties)."""

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
"""The same as a set, for quick tests of a fact's type."""


class SeatInfo(Record, frozen=True):
    """Who sits at a seat. `token_epoch` counts the people who took it: a token is valid for one of them."""

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
    help = """How a finished game ended; one entry per seat. Places count from 1, the best; ties share a place."""

    points: Everyone[tuple[int, ...]]
    places: Everyone[tuple[int, ...]]


class Session(Record, frozen=True):
    """The settings, seats and status of a game.

    Times are in milliseconds since the epoch. `full_at`: when the last seat was taken. `paused_at`: when the clocks
    stopped; None: they run.
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
    def clock(self) -> Clock:
        """The clock policy of the game."""
        return self.created.clock

    @property
    def is_over(self) -> bool:
        """Is the game finished, or closed before it began? Then nothing more happens."""
        return self.status in ("finished", "closed")

    @property
    def is_full(self) -> bool:
        """Is every seat taken?"""
        return all(seat_info.taken for seat_info in self.seats)

    @property
    def free_seats(self) -> tuple[Seat, ...]:
        """The seats that nobody has taken."""
        return tuple(seat_info.seat for seat_info in self.seats if not seat_info.taken)

    @property
    def unrevealed_seats(self) -> tuple[Seat, ...]:
        """The seats that committed to a part of the seed and have not revealed it."""
        return tuple(seat_info.seat for seat_info in self.seats if seat_info.commitment and seat_info.part is None)

    @property
    def waits_for_seed_since(self) -> int | None:
        """When a full game that starts by itself began to wait for parts of its seed; None when it does not wait."""
        waits = self.status == "open" and self.created.start == "when_full" and self.unrevealed_seats
        return self.full_at if waits else None

    @property
    def conceded_seats(self) -> frozenset[Seat]:
        """The seats that gave up."""
        return frozenset(seat_info.seat for seat_info in self.seats if seat_info.conceded)

    @property
    def all_want_pause(self) -> bool:
        """Has every player asked for a pause (or its end), not counting bots and seats that conceded?"""
        return all(seat_info.wants_pause for seat_info in self.seats if not seat_info.bot and not seat_info.conceded)


def new_session(created: Created, now: int) -> Session:
    """Return the session of a game that was created at `now`, in milliseconds since the epoch."""
    return Session(created, now, tuple(SeatInfo(seat) for seat in range(created.seats)))


def evolve_session(session: Session, fact: Fact, at: int) -> Session:
    """Return the session after one of the kernel's own facts; `at` is in milliseconds since the epoch."""
    match fact:
        case SeatTaken(seat, person, bot, commitment):
            token_epoch = session.seats[seat].token_epoch + 1
            bank = round(session.clock.bank * 1000)
            taken = _with_seat(session, SeatInfo(seat, True, person, bot, token_epoch, commitment, bank=bank))
            return replace(taken, full_at=at) if taken.is_full else taken
        case SeatLeft(seat):
            return _with_seat(
                replace(session, full_at=None), SeatInfo(seat, token_epoch=session.seats[seat].token_epoch)
            )
        case SeedRevealed(seat, part):
            return _with_seat(session, replace(session.seats[seat], part=part))
        case Started(seed):
            return replace(session, status="running", seed=seed)
        case Closed():
            return replace(session, status="closed")
        case BotSeated(seat, bot):
            return _with_seat(session, replace(session.seats[seat], bot=bot))
        case Conceded(seat):
            return _with_seat(session, replace(session.seats[seat], conceded=True))
        case PauseRequested(seat):
            return _with_seat(session, replace(session.seats[seat], wants_pause=True))
        case Paused():
            return replace(_without_pause_requests(session), paused_at=at)
        case Resumed():
            return replace(_without_pause_requests(session), paused_at=None)
        case BankChanged(seat, milliseconds):
            return _with_seat(session, replace(session.seats[seat], bank=milliseconds))
        case TimeRanOut() | DowntimeCompensated():
            return session
        case Finished(points, places):
            return replace(session, status="finished", finished_at=at, result=Result(points, places))
    raise TypeError(f"not a fact of the session: {fact}")


def apply_facts(session: Session, facts: Iterable[Fact], at: int) -> Session:
    """Return the session after those of the facts that are the kernel's own; all of them happened at `at`."""
    for fact in facts:
        if type(fact) in SESSION_FACT_TYPES:
            session = evolve_session(session, fact, at)
    return session


def _with_seat(session: Session, seat_info: SeatInfo) -> Session:
    before, after = session.seats[: seat_info.seat], session.seats[seat_info.seat + 1 :]
    return replace(session, seats=(*before, seat_info, *after))


def _without_pause_requests(session: Session) -> Session:
    return replace(session, seats=tuple(replace(seat_info, wants_pause=False) for seat_info in session.seats))


def rank_seats(scores: tuple[Any, ...], conceded: frozenset[Seat] = frozenset()) -> tuple[int, ...]:
    """Rank seats by score, the highest first; equal scores share a place (1, 1, 3, …).

    Seats that conceded come after all others, and are ranked among themselves in the same way.
    """
    ranked = [(seat not in conceded, score) for seat, score in enumerate(scores)]
    return tuple(1 + sum(other > own for other in ranked) for own in ranked)
