"""What callers can want of a game, as data: each command knows the decision that it leads to.

A command must be self-contained, because another caller's thread may execute it (`events.batching`).
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from events.games.participants import Person
from events.games.repository import GameRepository, LoadedGame
from games.kernel import (
    Actor,
    Decision,
    Game,
    Refusal,
    Seat,
    Transition,
    answer,
    close,
    concede,
    leave_seat,
    request_pause,
    reveal_seed,
    seat_bot,
    start,
    take_seat,
)
from games.kernel.sessions.session import SeatInfo, Session

CODES_OF_A_RETRY = {"stale-choice", "game-over", "version-mismatch", "played-by-bot"}
"""An answer that was accepted is refused with one of these codes when it is sent again."""


class Caller(Protocol):
    """Who sends a command."""

    def authorize(self, game: Game[Any, Any]) -> None:
        """Raise an error if the caller may not, or no longer, send commands to the game in this state."""


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a caller wants of a game.

    `caller` is authorized on the very state that the command is decided on; None: everything is allowed.
    """

    caller: Caller | None = None

    @property
    def new_person(self) -> Person | None:
        """The person whom the decision refers to. They are stored beside the log."""
        return None

    def decide(self, current: LoadedGame, now: int) -> Transition:
        """Return the transition that the command leads to, at a time in milliseconds since the epoch.

        Raises:
            Refusal: when the command is not allowed.
        """
        raise NotImplementedError

    def earlier_decision(self, games: GameRepository, game: str, refusal: Refusal) -> Decision[Any] | None:
        """Return the decision that this very command has led to before, if it was refused because it is sent again."""
        return None


class AnswerChoice(Command, frozen=True):
    """A seat's answer to a choice. `by_bot`: a bot of the service answers for the seat that it plays."""

    seat: Seat
    choice: int
    move: str
    args: dict[str, Any]
    by_bot: bool = False

    def decide(self, current: LoadedGame, now: int) -> Transition:
        """See `games.kernel.answer`."""
        if not self.by_bot and current.session.status == "running" and current.session.seats[self.seat].bot is not None:
            raise Refusal("played-by-bot", "a bot plays this seat: take it back first")
        return answer(current.rulebook, current.game, self.seat, self.choice, self.move, self.args, now)

    def earlier_decision(self, games: GameRepository, game: str, refusal: Refusal) -> Decision[Any] | None:
        """Return the decision that the same answer of the same seat has led to."""
        if refusal.code not in CODES_OF_A_RETRY:
            return None
        first = games.decision_on(game, self.choice)
        return first if first is not None and first.is_answer(self.seat, self.move, self.args) else None


class AlreadySeated(Refusal):
    """The person already has a seat in this game."""

    def __init__(self, seat_info: SeatInfo) -> None:
        super().__init__("seat-taken", "this person has a seat of this game already")
        self.seat_info = seat_info


class TakeSeat(Command, frozen=True):
    """Seat a person, or a bot under that name. A person gets only one seat, however often it is requested.

    `seat` None: any free seat. `commitment`: see `games.kernel.take_seat`.
    """

    person: Person
    seat: Seat | None = None
    bot: str | None = None
    commitment: str | None = None

    @property
    def new_person(self) -> Person:
        """The person who sits down."""
        return self.person

    def decide(self, current: LoadedGame, now: int) -> Transition:
        """See `games.kernel.take_seat`. Raises `AlreadySeated`."""
        if seat_info := self.seat_taken(current.session):
            raise AlreadySeated(seat_info)
        return take_seat(
            current.rulebook, current.game, self.seat, self.person.reference, now, self.bot, self.commitment
        )

    def seat_taken(self, session: Session) -> SeatInfo | None:
        """Return the seat of the person; None if they have none."""
        return next((seat_info for seat_info in session.seats if seat_info.person == self.person.reference), None)


class LeaveSeat(Command, frozen=True):
    """Before the game starts: free a seat. Afterwards: concede, which the host cannot do for another."""

    seat: Seat
    by: Actor

    def decide(self, current: LoadedGame, now: int) -> Transition:
        """See `games.kernel.leave_seat` and `games.kernel.concede`."""
        if current.session.status == "open":
            return leave_seat(current.rulebook, current.game, self.seat, now)
        if self.by == "host":
            raise Refusal("not-your-seat", "only the player of a seat may concede")
        return concede(current.rulebook, current.game, self.seat, now)


class SeatBot(Command, frozen=True):
    """Let a bot play a seat; `bot` None: give it back to its player."""

    seat: Seat
    bot: str | None
    by: Actor

    def decide(self, current: LoadedGame, now: int) -> Transition:
        """See `games.kernel.seat_bot`."""
        return seat_bot(current.rulebook, current.game, self.seat, self.bot, now, self.by)


class RevealSeed(Command, frozen=True):
    """Reveal a seat's part of the seed."""

    seat: Seat
    part: str

    def decide(self, current: LoadedGame, now: int) -> Transition:
        """See `games.kernel.reveal_seed`."""
        return reveal_seed(current.rulebook, current.game, self.seat, self.part, now)


class StartGame(Command, frozen=True):
    """Start a game whose seats are all taken."""

    def decide(self, current: LoadedGame, now: int) -> Transition:
        """See `games.kernel.start`."""
        return start(current.rulebook, current.game, now)


class CloseGame(Command, frozen=True):
    """Close a game that has not started."""

    def decide(self, current: LoadedGame, now: int) -> Transition:
        """See `games.kernel.close`."""
        return close(current.rulebook, current.game, now)


class RequestPause(Command, frozen=True):
    """A seat's vote for a pause or, while the game is paused, for its end."""

    seat: Seat

    def decide(self, current: LoadedGame, now: int) -> Transition:
        """See `games.kernel.request_pause`."""
        return request_pause(current.rulebook, current.game, self.seat, now)
