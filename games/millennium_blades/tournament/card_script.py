"""Millennium Blades: what a card does. Facts of cards are in cards.json; texts are Python, joined to them by id.

A text has abilities: what is done at a trigger word, step by step; and what holds while the card is in play, which
is computed when asked and never stored. A step is a function of what lies on the table; it is found again by design,
ability and place, so a game can wait in the middle of any text.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from games.kernel import Fact, Outcome
from games.millennium_blades.catalogue import CHARACTERS, NUMBERS, Design

Step = Callable[[Any], Outcome]
"""A step of an ability: a function of the situation (`games.millennium_blades.tournament.context.Situation`)."""

Question = Callable[[Any], Any]
"""A question of the situation: an amount, a condition, some cards."""


class Ability(Struct, frozen=True):
    """What a card does at a trigger word.

    word: play, next, flip, score, action, ongoing, top or reaction. steps: what is done, in order. on, when: the
    event that an ongoing, top or reaction ability listens to, and the condition on it. cap: it gives at most so many
    points. copyable: may other effects copy it. flips: is an Action card turned face down afterwards. limit: the
    name of a power that is used up.
    """

    kind: str
    steps: tuple[Step, ...]
    event: type[Fact] | str | None = None
    when: Question | None = None
    cap: int | None = None
    copyable: bool = True
    flips: bool = True
    possible: Question | None = None


class CardScript(Struct, frozen=True):
    """All that a card does.

    abilities: at trigger words. copies: is this face a full copy of its left neighbour? protects: does it keep a card
    of its owner's from being flipped by somebody? host_stars: added to the card that this is attached to.
    clash_stars: added while clashing. blocks_gains: while Top, nobody gains. grants: an ability that it gives to
    others while Top. slots, singles: more of them. pairs: one pair of a name in a deck. wild: in collections.
    attachable: may cards be attached to it. reveals_two: may its owner pay to reveal two cards in a clash.
    removed_at_end: it leaves the game after the tournament with the card that it is attached to.
    """

    abilities: tuple[Ability, ...] = ()
    copies: Callable[[Any], bool] | None = None
    protects: Callable[[Any, Any, int, int], bool] | None = None
    host_stars: int = 0
    host_protected_from: str = ""
    clash_stars: Callable[[Any, Any], int] | None = None
    blocks_gains: bool = False
    grants: Ability | None = None
    slots: int = 0
    singles: int = 0
    pairs: int = 0
    wild: bool = False
    attachable: bool = True
    reveals_two: bool = False
    removed_at_end: bool = False

    def ability(self, index: int) -> Ability:
        """Return an ability by its place; the one that the card grants to others comes after its own."""
        if index == len(self.abilities) and self.grants is not None:
            return self.grants
        return self.abilities[index]


SCRIPTS: dict[Design, CardScript] = {}
"""The text of every card that is written, by the number of its design."""

NO_SCRIPT = CardScript()


def card(design: str, *abilities: Ability, **while_in_play: Any) -> None:
    """Write the text of a card, or the tournament powers of a character."""
    number = NUMBERS[design] if design in NUMBERS else CHARACTERS[design].number
    if number in SCRIPTS:
        raise ValueError(f"{design} has two texts")
    SCRIPTS[number] = CardScript(abilities, **while_in_play)


def card_script(design: Design) -> CardScript:
    """Return the text of a design."""
    return SCRIPTS.get(design, NO_SCRIPT)
