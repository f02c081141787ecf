"""Millennium Blades: abilities with the steps that resolve them."""

from collections.abc import Callable

from games.kernel import Outcome
from games.millennium_blades.board.card_script import Ability, AbilityReference, ability
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.context import Context, TriggerContext

Step = Callable[[Context], Outcome]
"""A step of an ability. It returns what happens."""


class ScriptedAbility(Ability, frozen=True):
    """An ability with its steps, in order.

    condition: whether the ability is triggered by an event. is_possible: whether an Action can be used.
    """

    steps: tuple[Step, ...] = ()
    condition: Callable[[TriggerContext], bool] | None = None
    is_possible: Callable[[MillenniumBlades], bool] | None = None


def scripted_ability(reference: AbilityReference) -> ScriptedAbility:
    """Return the ability that is referred to, with its steps."""
    scripted = ability(reference)
    assert isinstance(scripted, ScriptedAbility)
    return scripted


def current_step(context: Context) -> Step:
    """Return the step of the current effect that a context belongs to."""
    effect = context.effect
    return scripted_ability((effect.design, effect.index)).steps[context.step]
