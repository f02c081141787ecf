"""Views: what one viewer gets to see of a game, as plain values ready to be encoded as JSON.

A viewer is a seat, or None for a spectator. Nothing here depends on anything that the viewer may not see.
"""

from typing import Any

import msgspec

from games.kernel.bots import BotSight
from games.kernel.chance import NO_CHANCE
from games.kernel.decisions import Decision, Game
from games.kernel.engine import questions
from games.kernel.moves import Question
from games.kernel.rulebook import Rulebook
from games.kernel.visibility import Seat, Viewer


def table_seen(rulebook: Rulebook[Any], game: Game[Any, Any], viewer: Viewer) -> Any:
    """Return the state of the table as the viewer may see it; None before the game starts."""
    return None if game.table is None else rulebook.see(game.table, viewer)


def computed_for(rulebook: Rulebook[Any], game: Game[Any, Any], viewer: Viewer) -> dict[str, Any]:
    """Return what the rulebook computes for front ends from what the viewer may see."""
    if rulebook.computed is None or game.table is None:
        return {}
    return rulebook.computed(rulebook.table(game.table, viewer, NO_CHANCE, game.lobby))  # type: ignore[arg-type]


def event_seen(rulebook: Rulebook[Any], decision: Decision[Any], viewer: Viewer) -> dict[str, Any]:
    """Return a decision as the viewer may see it: its number, its time, and the facts that the viewer witnesses.

    The answer itself is shown only to the seat that gave it: for the others, the facts say all that they may know.
    """
    event: dict[str, Any] = {
        "number": decision.number,
        "at": decision.at,
        "facts": [rulebook.see(fact, viewer) for fact in decision.facts if rulebook.witnesses(fact, viewer)],
    }
    if viewer is not None and decision.by == viewer:
        event |= {"choice": decision.choice, "move": decision.move, "args": decision.args}
    return event


def question_shown(question: Question) -> dict[str, Any]:
    """Return a question as its seat gets it, with its deadline in milliseconds since the epoch, or None."""
    return {
        "choice": question.choice,
        "seat": question.seat,
        "prompt": question.asks.prompt,
        "deadline": question.deadline,
        "schema": question.asks.schema(),
    }


def choices_shown(rulebook: Rulebook[Any], game: Game[Any, Any], viewer: Viewer) -> list[dict[str, Any]]:
    """Return what the viewer is asked now; nothing for a spectator."""
    if viewer is None:
        return []
    return [question_shown(question) for question in questions(rulebook, game, viewer)]


def bot_sight(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat) -> BotSight:
    """Return what a bot at a seat is given: just what a client there would receive, as plain JSON values."""
    received = table_seen(rulebook, game, seat), computed_for(rulebook, game, seat), choices_shown(rulebook, game, seat)
    table, computed, choices = msgspec.json.decode(msgspec.json.encode(received))
    return BotSight(seat, table, computed, choices)
