"""Clocks: time limits of choices, time banks, the rulebook's timers, pauses and alarms.

The module is pure: the time is always an argument. Times are in milliseconds since the epoch, durations in
milliseconds; only the clock policy, which people write, is in seconds.
"""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from msgspec.structs import replace

from games.kernel.language.effects import Effect, Path, Pending, Stack, Together, pending_leaves
from games.kernel.language.facts import Record
from games.kernel.language.visibility import Everyone, Seat

TimeoutPolicy = Literal["answer", "bot", "concede"]

MAX_SECONDS = 30 * 24 * 3600
MAX_INCREMENT = 3600
MAX_FACTOR = 1000
"""The upper limits of a clock policy: of `seconds_per_choice` and `bank`, of `increment`, and of `factor`."""

SEED_REVEAL_MS = 60_000
"""How long a full game that starts by itself waits for the missing parts of the seed to be revealed."""

UNLIMITED = 0
"""The time limit, in milliseconds, of a choice without one: it stands for as long as its rule asks it."""


class Clock(Record, frozen=True):
    help = """The clock policy of a game. All numbers but the factor are seconds.

    seconds_per_choice: the time that a seat has for a choice, before its time bank is used; None: no limit.
    bank, increment: the time bank that each seat starts with, and what each answer adds to it.
    on_timeout: what happens when a seat runs out of time: the clock answers for it, a bot takes over, or it concedes.
    factor: scales the timers and time limits of the rulebook; 0: they do not run, and seats declare themselves ready.
    """

    seconds_per_choice: Everyone[float | None] = None
    factor: Everyone[float] = 1.0
    bank: Everyone[float] = 0.0
    increment: Everyone[float] = 0.0
    on_timeout: Everyone[TimeoutPolicy] = "answer"


class TimedSeat(Protocol):
    """What clocks need to know of a seat."""

    @property
    def bot(self) -> str | None:
        """The bot that plays the seat, if any."""

    @property
    def bank(self) -> int:
        """The remaining time bank, in milliseconds."""


class TimedSession(Protocol):
    """What clocks need to know of a session."""

    @property
    def clock(self) -> Clock:
        """The clock policy of the game."""

    @property
    def seats(self) -> Sequence[TimedSeat]:
        """The seats, in turn order."""

    @property
    def paused_at(self) -> int | None:
        """When the clocks stopped; None: they run."""

    @property
    def waits_for_seed_since(self) -> int | None:
        """When the wait for the missing parts of the seed began; None: there is no such wait."""


class TimedGame(Protocol):
    """What clocks need to know of a game."""

    @property
    def session(self) -> TimedSession:
        """Its seats and settings."""

    @property
    def flow(self) -> Stack:
        """Its effect stack, between two decisions."""


# --- Limits of a choice ---------------------------------------------------------------------------------------


def uses_game_limit(session: TimedSession, within: int | None) -> bool:
    """Does the clock policy of the game limit a choice, rather than the limit `within` that the rulebook sets?"""
    return within is None or not session.clock.factor


def game_limit(session: TimedSession, seat: Seat) -> int | None:
    """Return the milliseconds that the clock policy gives a seat for a choice, time bank included; None: no limit."""
    seconds = session.clock.seconds_per_choice
    if seconds is None or session.seats[seat].bot is not None:
        return None
    return round(seconds * 1000) + session.seats[seat].bank


def choice_limit(session: TimedSession, seat: Seat, within: int | None) -> int | None:
    """Return the milliseconds that a seat has for a choice; None: no limit.

    `within` is the limit that the rulebook sets, in milliseconds of its own time; `UNLIMITED` if it rules out a
    limit, and None if it leaves the limit to the clock policy of the game.
    """
    if within is None or not session.clock.factor:
        return game_limit(session, seat)
    return None if within == UNLIMITED else round(within * session.clock.factor)


def timer_duration(session: TimedSession, milliseconds: int) -> int | None:
    """Return how long a timer of the rulebook runs in this game, in milliseconds; None: for ever."""
    factor = session.clock.factor
    return round(milliseconds * factor) if factor else None


def bank_after_answer(session: TimedSession, seat: Seat, leaf: Pending, within: int | None, now: int) -> int | None:
    """Return a seat's time bank after an answer: less the overrun, plus the increment; None if it does not change."""
    clock, bank = session.clock, session.seats[seat].bank
    if not (clock.bank or clock.increment) or leaf.due is None or not uses_game_limit(session, within):
        return None
    if game_limit(session, seat) is None:
        return None
    overrun = max(0, now - (leaf.due - bank))
    remaining = max(0, bank - overrun) + round(clock.increment * 1000)
    return remaining if remaining != bank else None


# --- Deadlines in the flow ------------------------------------------------------------------------------------


def with_deadlines(stack: Stack, due: Callable[[Pending], int | None]) -> Stack:
    """Return a flow between two decisions with the `due` of every leaf replaced by what the function returns."""
    if not stack:
        return stack
    top = stack[-1]
    if isinstance(top, Together):
        return (*stack[:-1], Together(tuple(with_deadlines(branch, due) for branch in top.branches)))
    assert isinstance(top, Pending)
    return (*stack[:-1], replace(top, due=due(top)))


def delayed(flow: Stack, milliseconds: int) -> Stack:
    """Return a flow between two decisions in which everything is due later by a number of milliseconds."""
    return with_deadlines(flow, lambda leaf: None if leaf.due is None else leaf.due + milliseconds)


def with_seat_deadlines(
    flow: Stack, session: TimedSession, seat: Seat, now: int, within: Callable[[Effect], int | None]
) -> Stack:
    """Return the flow with the game's limits on a seat's choices set anew, counted from `now`.

    A seat that a bot plays in `session` has no limit. Limits that the rulebook sets stay; `within` returns the
    rulebook's limit of the choice that an effect asks.
    """
    limit = game_limit(session, seat)
    new_due = None if limit is None else clock_time(session, now) + limit

    def due(leaf: Pending) -> int | None:
        if leaf.seat != seat or leaf.effect is None or not uses_game_limit(session, within(leaf.effect)):
            return leaf.due
        return new_due

    return with_deadlines(flow, due)


# --- Alarms and pauses ----------------------------------------------------------------------------------------


def clock_time(session: TimedSession, now: int) -> int:
    """Return the time that clocks show: during a pause, they stand still at its beginning."""
    return now if session.paused_at is None else session.paused_at


def seed_reveal_deadline(session: TimedSession) -> int | None:
    """Return when a full game starts without the missing parts of its seed; None when it waits for none."""
    since = session.waits_for_seed_since
    return None if since is None else since + SEED_REVEAL_MS


def next_alarm(game: TimedGame) -> int | None:
    """Return when the clock must act next, in milliseconds since the epoch; None when it need not."""
    session = game.session
    if session.paused_at is not None:
        return None
    if not game.flow:
        return seed_reveal_deadline(session)
    return min((leaf.due for _, leaf in pending_leaves(game.flow) if leaf.due is not None), default=None)


def first_due(game: TimedGame, now: int) -> tuple[Path, Pending] | None:
    """Return the leaf of the flow on which the clock must act first, with its path; None when nothing is due."""
    if game.session.paused_at is not None:
        return None
    due = [
        (leaf.due, leaf.choice, path, leaf)
        for path, leaf in pending_leaves(game.flow)
        if leaf.due is not None and leaf.due <= now
    ]
    if not due:
        return None
    _, _, path, leaf = min(due, key=lambda item: item[:2])
    return path, leaf


def running_timers(game: TimedGame) -> list[Pending]:
    """Return the timers of the rulebook that run now, oldest first."""
    return sorted((leaf for _, leaf in pending_leaves(game.flow) if leaf.is_timer), key=lambda leaf: leaf.choice)
