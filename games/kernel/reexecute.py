"""Deciding again: an audit has the rules decide on each answer of a log once more, and compares.

Only who answered what, and when, is taken from the logged decision; everything that followed must come out the same.
"""

from typing import Any, TypeVar

from games.kernel.decisions import Decision, Game, Step
from games.kernel.engine import answer, ring
from games.kernel.facts import Fact
from games.kernel.lifecycle import (
    Seats,
    ask_pause,
    close,
    concede,
    create,
    credit_time,
    leave_seat,
    open_seed,
    seat_bot,
    start,
    take_seat,
)
from games.kernel.rulebook import Rulebook
from games.kernel.session import BotSeated, Created, SeatTaken, SeedOpened, TimeCredited

F = TypeVar("F", bound=Fact)


class CannotHappen(Exception):
    """No command could have led to this decision; the message says why."""


def decide_again(rulebook: Rulebook[Any], game: Game[Any, Any] | None, decision: Decision[Any]) -> Step:
    """Return what the rules make of a decision's answer, on the game before it (None: before the first decision).

    Raises:
        Illegal: when the answer is refused.
        CannotHappen: when no command could have led to it.
    """
    if game is None:
        return _create_again(rulebook, decision)
    if isinstance(decision.by, int) and decision.choice is not None:
        args = decision.args
        return answer(rulebook, game, decision.by, decision.choice, decision.move, args, decision.at)
    if decision.by == "clock":
        rung = ring(rulebook, game, decision.at)
        if rung is None:
            raise CannotHappen("the clock decided, and nothing was due")
        return rung
    return _host_again(rulebook, game, decision)


def _create_again(rulebook: Rulebook[Any], decision: Decision[Any]) -> Step:
    made = _first(decision, Created)
    seats = Seats(made.seats, made.visibility, made.start, made.rematch_of)
    return create(rulebook, seats, made.options, made.clock, made.seed, decision.at)


def _host_again(rulebook: Rulebook[Any], game: Game[Any, Any], decision: Decision[Any]) -> Step:
    """Decide again on a command that is the same for every rulebook."""
    at, by = decision.at, decision.by
    seat = by if isinstance(by, int) else -1  # -1 is no seat, and is refused where one is needed
    match decision.move:
        case "take_seat":
            taken = _first(decision, SeatTaken)
            return take_seat(rulebook, game, taken.seat, taken.person, at, taken.bot, taken.commitment)
        case "leave_seat":
            return leave_seat(rulebook, game, seat, at)
        case "open_seed":
            return open_seed(rulebook, game, seat, _first(decision, SeedOpened).part, at)
        case "close":
            return close(rulebook, game, at)
        case "start":
            return start(rulebook, game, at)
        case "seat_bot":
            seated = _first(decision, BotSeated)
            if by not in ("host", seated.seat):
                raise CannotHappen("only its player or the host gives a seat to a bot")
            return seat_bot(rulebook, game, seated.seat, seated.bot, at, by)
        case "concede":
            return concede(rulebook, game, seat, at)
        case "ask_pause":
            return ask_pause(rulebook, game, seat, at)
        case "credit_time":
            return credit_time(rulebook, game, _first(decision, TimeCredited).milliseconds, at)
    raise CannotHappen(f"there is no command {decision.move!r}")


def _first(decision: Decision[Any], kind: type[F]) -> F:
    """Return the first fact of a decision, which must be of this type."""
    first = decision.facts[0] if decision.facts else None
    if not isinstance(first, kind):
        raise CannotHappen(f"{decision.move} begins with another fact")
    return first
