"""Views: what one viewer gets to see of a game, as plain values ready to be encoded as JSON.

A viewer is a seat, or None for a spectator. Nothing here depends on anything that the viewer may not see.
"""

from typing import Any

import msgspec

from games.kernel.bots import Observation
from games.kernel.execution.engine import pending_choices
from games.kernel.language.chance import FORBIDDEN_CHANCE
from games.kernel.language.moves import PendingChoice
from games.kernel.language.visibility import Seat, Viewer
from games.kernel.rulebook import Rulebook
from games.kernel.sessions.decisions import Decision, Game


def state_view(rulebook: Rulebook[Any], game: Game[Any, Any], viewer: Viewer) -> Any:
    """Return the state of the table as the viewer may see it; None before the game starts."""
    return None if game.state is None else rulebook.redact(game.state, viewer)


def derived_view(rulebook: Rulebook[Any], game: Game[Any, Any], viewer: Viewer) -> dict[str, Any]:
    """Return what the rulebook computes for front ends from what the viewer may see."""
    if rulebook.derived is None or game.state is None:
        return {}
    return rulebook.derived(rulebook.table(game.state, viewer, FORBIDDEN_CHANCE, game.session))  # type: ignore[arg-type]


def event_view(rulebook: Rulebook[Any], decision: Decision[Any], viewer: Viewer) -> dict[str, Any]:
    """Return a decision as the viewer may see it: its number, its time, and the facts that the viewer may observe.

    The answer itself is shown only to the seat that gave it: for the others, the facts say all that they may know.
    """
    event: dict[str, Any] = {
        "number": decision.number,
        "at": decision.at,
        "facts": [rulebook.redact(fact, viewer) for fact in decision.facts if rulebook.can_observe(fact, viewer)],
    }
    if viewer is not None and decision.by == viewer:
        event |= {"choice": decision.choice, "move": decision.move, "args": decision.args}
    return event


def choice_view(pending: PendingChoice) -> dict[str, Any]:
    """Return a pending choice as its seat receives it; the deadline is in milliseconds since the epoch, or None."""
    return {
        "choice": pending.id,
        "seat": pending.seat,
        "prompt": pending.choice.prompt_text,
        "deadline": pending.deadline,
        "schema": pending.choice.schema(),
    }


def choices_view(rulebook: Rulebook[Any], game: Game[Any, Any], viewer: Viewer) -> list[dict[str, Any]]:
    """Return the choices that wait for the viewer; none for a spectator."""
    if viewer is None:
        return []
    return [choice_view(pending) for pending in pending_choices(rulebook, game, viewer)]


def observe(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat) -> Observation:
    """Return what a bot at a seat receives: just what a client there would receive, as plain JSON values."""
    views = state_view(rulebook, game, seat), derived_view(rulebook, game, seat), choices_view(rulebook, game, seat)
    state, derived, choices = msgspec.json.decode(msgspec.json.encode(views))
    return Observation(seat, state, derived, choices)
