"""The Vale of Eternity: how the text of a card is written, and what it may say.

A card speaks in at most four places: when it is summoned (`instant`), when it is activated (`active`), whenever its
owner summons or tames (`whenever_summoned`, `whenever_tamed`), and while it lies in the area, by changing what a
question gives (`stone_limit`, `stones_worth`, `swaps_blue_and_purple`, `discount`): those are computed when asked and
never stored.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from games.kernel import Effect, Rule
from games.vale_of_eternity.catalogue import Card, Creature
from games.vale_of_eternity.stones import Colour, Stones

THIS = "this card"
"""Stands in a text for the card whose effect is carried out: the card itself, or another that copies it."""

Effects = tuple[Effect, ...]
Can = Callable[..., bool]
C = TypeVar("C", bound=Can)

DEMANDS: dict[str, Can] = {}
"""By rule: can it be done now? A function of the table and of the rule's arguments. Other rules always can."""


class Text(NamedTuple):
    """The text of a card. The demands are those of its effects that cannot always be done."""

    instant: Effects
    active: Effects
    whenever_summoned: Callable[[Stones], Effect | None] | None
    whenever_tamed: Callable[[Creature], Effect | None] | None
    stone_limit: int
    stones_worth: Mapping[Colour, int]
    swaps_blue_and_purple: bool
    discount: Callable[[Creature], int] | None
    instant_demands: Effects
    active_demands: Effects

    @property
    def has_permanent(self) -> bool:
        """Does it say anything that holds while the card lies in the area?"""
        return any(self[2:8])


TEXTS: dict[Card, Text] = {}
"""The text of every card, by its id."""


def card(
    id: Card,
    *,
    instant: Effects = (),
    active: Effects = (),
    whenever_summoned: Callable[[Stones], Effect | None] | None = None,
    whenever_tamed: Callable[[Creature], Effect | None] | None = None,
    stone_limit: int = 0,
    stones_worth: Mapping[Colour, int] | None = None,
    swaps_blue_and_purple: bool = False,
    discount: Callable[[Creature], int] | None = None,
) -> None:
    """Write the text of a card.

    `whenever_summoned` is given the stones spent on another card of the same seat, `whenever_tamed` the card tamed,
    `discount` the card to be summoned. `stone_limit` and `stones_worth` are added to what holds without the card.
    """
    if id in TEXTS:
        raise TypeError(f"{id} has two texts")
    TEXTS[id] = Text(
        instant,
        active,
        whenever_summoned,
        whenever_tamed,
        stone_limit,
        stones_worth or {},
        swaps_blue_and_purple,
        discount,
        instant_demands=_demanding(instant),
        active_demands=_demanding(active),
    )


def can(verb: Rule[Any]) -> Callable[[C], C]:
    """Say when a verb can be done: a text that uses it blocks the summoning, or is not offered, while it cannot.

    It has to be said before a card uses the verb.
    """

    def declare(question: C) -> C:
        DEMANDS[verb.name] = question
        return question

    return declare


def _demanding(effects: Effects) -> Effects:
    return tuple(effect for effect in effects if effect.rule in DEMANDS)


def said_by(effects: Effects, this: Card) -> Effects:
    """Return the effects of a text as carried out by a card."""
    return tuple([_said_by(effect, this) if THIS in effect.args else effect for effect in effects])


def _said_by(effect: Effect, this: Card) -> Effect:
    return replace(effect, args=tuple(this if arg == THIS else arg for arg in effect.args))
