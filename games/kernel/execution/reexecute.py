"""Re-execution: an audit lets the rules decide on each answer of a log again, and compares the decisions.

Only who answered what, and when, is taken from the logged decision; everything that follows must come out the same.
"""

from typing import Any, TypeVar

from games.kernel.execution.engine import answer, fire_timers
from games.kernel.execution.lifecycle import (
    GameSetup,
    close,
    compensate_downtime,
    concede,
    create,
    leave_seat,
    request_pause,
    reveal_seed,
    seat_bot,
    start,
    take_seat,
)
from games.kernel.language.facts import Fact
from games.kernel.rulebook import Rulebook
from games.kernel.sessions.decisions import Decision, Game, Transition
from games.kernel.sessions.session import BotSeated, Created, DowntimeCompensated, SeatTaken, SeedRevealed

F = TypeVar("F", bound=Fact)


class ImpossibleDecision(Exception):
    """No command could have led to this decision; the message says why."""


def reexecute(rulebook: Rulebook[Any], game: Game[Any, Any] | None, decision: Decision[Any]) -> Transition:
    """Return what the rules decide on the answer of a decision; `game` is None for the first decision.

    Raises:
        Refusal: when the answer is refused.
        ImpossibleDecision: when no command could have led to it.
    """
    if game is None:
        return _reexecute_creation(rulebook, decision)
    if isinstance(decision.by, int) and decision.choice is not None:
        args = decision.args
        return answer(rulebook, game, decision.by, decision.choice, decision.move, args, decision.at)
    if decision.by == "clock":
        result = fire_timers(rulebook, game, decision.at)
        if result is None:
            raise ImpossibleDecision("the clock decided, and nothing was due")
        return result
    return _reexecute_session_command(rulebook, game, decision)


def _reexecute_creation(rulebook: Rulebook[Any], decision: Decision[Any]) -> Transition:
    created = _first_fact(decision, Created)
    setup = GameSetup(created.seats, created.visibility, created.start, created.rematch_of)
    return create(rulebook, setup, created.options, created.clock, created.seed, decision.at)


def _reexecute_session_command(rulebook: Rulebook[Any], game: Game[Any, Any], decision: Decision[Any]) -> Transition:
    """Decide again on a command that is the same for every rulebook, such as taking a seat."""
    at, by = decision.at, decision.by
    seat = by if isinstance(by, int) else -1  # -1 is no seat, and is refused where one is needed
    match decision.move:
        case "take_seat":
            taken = _first_fact(decision, SeatTaken)
            return take_seat(rulebook, game, taken.seat, taken.person, at, taken.bot, taken.commitment)
        case "leave_seat":
            return leave_seat(rulebook, game, seat, at)
        case "reveal_seed":
            return reveal_seed(rulebook, game, seat, _first_fact(decision, SeedRevealed).part, at)
        case "close":
            return close(rulebook, game, at)
        case "start":
            return start(rulebook, game, at)
        case "seat_bot":
            seated = _first_fact(decision, BotSeated)
            if by not in ("host", seated.seat):
                raise ImpossibleDecision("only the host or the player of a seat lets a bot play it")
            return seat_bot(rulebook, game, seated.seat, seated.bot, at, by)
        case "concede":
            return concede(rulebook, game, seat, at)
        case "request_pause":
            return request_pause(rulebook, game, seat, at)
        case "compensate_downtime":
            return compensate_downtime(rulebook, game, _first_fact(decision, DowntimeCompensated).milliseconds, at)
    raise ImpossibleDecision(f"there is no command {decision.move!r}")


def _first_fact(decision: Decision[Any], kind: type[F]) -> F:
    """Return the first fact of a decision, which must be of this type."""
    first = decision.facts[0] if decision.facts else None
    if not isinstance(first, kind):
        raise ImpossibleDecision(f"{decision.move} begins with another fact")
    return first
