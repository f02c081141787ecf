"""Millennium Blades: the keywords of abilities, which say when an ability is resolved."""

from collections.abc import Callable

from games.kernel import Fact
from games.millennium_blades.board.card_script import Ability, ReactionEvent
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.abilities import ScriptedAbility, Step
from games.millennium_blades.tournament.context import TriggerContext


def play(*steps: Step, cap: int | None = None, copyable: bool = True) -> ScriptedAbility:
    """Play: when you play the card."""
    return ScriptedAbility("play", steps=steps, cap=cap, copyable=copyable)


def score(*steps: Step, cap: int | None = None, copyable: bool = True) -> ScriptedAbility:
    """Score: in scoring, if the card is still face up."""
    return ScriptedAbility("score", steps=steps, cap=cap, copyable=copyable)


def action(*steps: Step, is_possible: Callable[[MillenniumBlades], bool] | None = None) -> ScriptedAbility:
    """Action: you may use one Action in your turn; afterwards its card is flipped."""
    return ScriptedAbility("action", steps=steps, is_possible=is_possible)


def when_flipped(*steps: Step) -> ScriptedAbility:
    """Flip: when the card is flipped while in play."""
    return ScriptedAbility("flip", steps=steps)


def next_card(*steps: Step) -> ScriptedAbility:
    """Next: when you play the next card."""
    return ScriptedAbility("next", steps=steps)


def ongoing(event: type[Fact], *steps: Step, when: Callable[[TriggerContext], bool] | None = None) -> ScriptedAbility:
    """Ongoing: each time an event happens while the card is face up."""
    return ScriptedAbility("ongoing", event, steps=steps, condition=when)


def top(event: type[Fact], *steps: Step, when: Callable[[TriggerContext], bool] | None = None) -> ScriptedAbility:
    """Top: each time an event happens while this is your Top card."""
    return ScriptedAbility("top", event, steps=steps, condition=when)


def reaction(event: ReactionEvent) -> Ability:
    """Reaction: when the rules offer it at an event; afterwards the card is flipped."""
    return Ability("reaction", event)
