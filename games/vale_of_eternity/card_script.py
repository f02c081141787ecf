"""The Vale of Eternity: how the effects of a card are written as code.

A card has an instant effect, an active effect, both, or neither. Its permanent effects are triggers (`on_summon`,
`on_tame`) and modifiers (`extra_stones`, `extra_value`, `swaps_blue_and_purple`, `discount`). Modifiers are applied
whenever a value is computed; their results are not stored.
"""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any, Concatenate, ParamSpec

from msgspec.structs import replace

from games.kernel import Effect, Rule
from games.vale_of_eternity.catalogue import Card, Creature
from games.vale_of_eternity.stones import Colour, Stones

THIS = "this card"
"""Placeholder in a script for the card that carries out the effect: the card itself, or the card that copies it."""

Effects = tuple[Effect, ...]
Requirement = Callable[..., bool]
P = ParamSpec("P")

REQUIREMENTS: dict[str, Requirement] = {}
"""By the name of a rule: whether it can be carried out now, given the table and the rule's arguments.

A rule without a requirement can always be carried out.
"""


def requires(requirement: Callable[Concatenate[Any, P], bool]) -> Callable[[Rule[P]], Rule[P]]:
    """Declare the requirement of a rule.

    While it is not met, a card with this rule as an instant effect cannot be summoned, and one with this rule as an
    active effect cannot be activated.
    """

    def declare(rule: Rule[P]) -> Rule[P]:
        REQUIREMENTS[rule.name] = requirement
        return rule

    return declare


@dataclass(frozen=True, eq=False)
class CardScript:
    """The effects of a card as code. Scripts are compared by identity, so that they can be keys of caches.

    on_summon: the effect when its owner summons another card, given the payment. on_tame: the effect when its owner
    tames a card, given the card. extra_stones: how many more stones its owner may hold. extra_value: how much more a
    stone of each colour is worth. discount: how much less another card costs, given that card.
    """

    card: Card
    _: KW_ONLY
    instant: Effects = ()
    active: Effects = ()
    on_summon: Callable[[Stones], Effect | None] | None = None
    on_tame: Callable[[Creature], Effect | None] | None = None
    extra_stones: int = 0
    extra_value: Mapping[Colour, int] = field(default_factory=dict)
    swaps_blue_and_purple: bool = False
    discount: Callable[[Creature], int] | None = None

    @cached_property
    def instant_requirements(self) -> Effects:
        """The parts of the instant effect that have a requirement."""
        return tuple(effect for effect in self.instant if effect.rule in REQUIREMENTS)

    @cached_property
    def active_requirements(self) -> Effects:
        """The parts of the active effect that have a requirement."""
        return tuple(effect for effect in self.active if effect.rule in REQUIREMENTS)


def scripts_by_card(*scripts: CardScript) -> dict[Card, CardScript]:
    """Return scripts by card.

    Raises:
        TypeError: a card has two scripts.
    """
    by_card: dict[Card, CardScript] = {}
    for script in scripts:
        if script.card in by_card:
            raise TypeError(f"{script.card} has two scripts")
        by_card[script.card] = script
    return by_card


def bind_this(effects: Effects, this: Card) -> Effects:
    """Return the effects of a script with THIS replaced by the card that carries them out."""
    return tuple([_bind_this(effect, this) if THIS in effect.args else effect for effect in effects])


def _bind_this(effect: Effect, this: Card) -> Effect:
    return replace(effect, args=tuple(this if arg == THIS else arg for arg in effect.args))
