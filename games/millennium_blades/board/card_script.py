"""Millennium Blades: what a card does. Facts of cards are in cards.json; scripts are Python, joined to them by id.

A script has abilities, which a keyword or an event triggers and which are resolved step by step, and permanent effects,
which are computed when they are needed and never stored. A step is found by design, ability and position, so that a
game can wait in the middle of any script. This module knows only what the board needs of a script; the steps are added
by `games.millennium_blades.tournament.abilities`.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Literal, TypedDict, Unpack

from msgspec import Struct

from games.kernel import Fact, Seat
from games.millennium_blades.catalogue import CHARACTERS, NUMBERS, Card, Design

Keyword = Literal["play", "next", "flip", "score", "action", "ongoing", "top", "reaction"]
"""The word on a card that says when an ability is resolved."""

AbilityReference = tuple[Design, int]
"""An ability: the design whose script has it, and its index there."""


class ReactionEvent(Enum):
    """What a Reaction can answer."""

    ONE_CARD_WOULD_FLIP = "one card would be flipped"
    CARDS_WOULD_FLIP = "cards would be flipped"
    CARDS_WOULD_BE_DISCARDED = "cards would be discarded"
    WOULD_CLASH = "you would clash"
    CLASH = "you clash"
    TARGETED = "you are targeted"


class Ability(Struct, frozen=True):
    """An ability of a card, as the board sees it.

    event: what triggers an Ongoing, Top or Reaction ability. cap: the most reputation that it gives. copyable: may
    other effects copy it?
    """

    keyword: Keyword
    event: type[Fact] | ReactionEvent | None = None
    cap: int | None = None
    copyable: bool = True


class CardInPlay(Struct, frozen=True, gc=False):
    """A card in play as it is at this moment.

    place: its position in its zone, from the left. A face-down card has no stars, attributes or abilities. host: the
    card that an attached one is attached to.
    """

    card: Card
    seat: Seat
    zone: Literal["tableau", "equipment", "attached"]
    place: int
    face_up: bool
    script: "CardScript"
    design: Design = 0
    stars: int = 0
    elements: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    rarity: str = ""
    set: str = ""
    tokens: int = 0
    attached: tuple[Card, ...] = ()
    marks: tuple[int, ...] = ()
    abilities: tuple[AbilityReference, ...] = ()
    host: Card | None = None

    @property
    def attributes(self) -> tuple[str, ...]:
        """The elements and types of the card."""
        return (*self.elements, *self.types)

    def is_adjacent_to(self, other: "CardInPlay") -> bool:
        """Is this card next to another one in the same tableau?"""
        same_tableau = self.zone == other.zone == "tableau" and self.seat == other.seat
        return same_tableau and abs(self.place - other.place) == 1


class CardScript(Struct, frozen=True):
    """Everything that a card does.

    grants: an ability that it gives to every card of every tableau while it is a Top card. copies: is it a full copy of
    this card, its left neighbour? protects: does this card (the first) protect another one (the second) from flips by
    opponents? protects_host: does it protect the card that it is attached to? host_stars: stars that it adds to that
    card. top_clash_stars: stars that it adds in a clash while it is the Top card. blocks_gains: does it stop all gains
    of reputation while it is a Top card? slots: more slots in the tableau. singles: more Singles in the deck. pairs:
    how many pairs of equal names the deck may hold. wild: does it fit every collection? attachable: can cards be
    attached to it? reveals_two: may its owner pay to reveal two cards in a clash? removed_at_end: does it leave the
    game with its host after the tournament?
    """

    design: Design
    abilities: tuple[Ability, ...] = ()
    grants: Ability | None = None
    copies: Callable[[CardInPlay], bool] | None = None
    protects: Callable[[CardInPlay, CardInPlay], bool] | None = None
    protects_host: bool = False
    host_stars: int = 0
    top_clash_stars: int = 0
    blocks_gains: bool = False
    slots: int = 0
    singles: int = 0
    pairs: int = 0
    wild: bool = False
    attachable: bool = True
    reveals_two: bool = False
    removed_at_end: bool = False

    def ability(self, index: int) -> Ability:
        """Return an ability by its index. The granted ability comes after the card's own."""
        if index == len(self.abilities) and self.grants is not None:
            return self.grants
        return self.abilities[index]

    @property
    def references(self) -> tuple[AbilityReference, ...]:
        """References to the card's own abilities."""
        return tuple([(self.design, index) for index in range(len(self.abilities))])


NO_SCRIPT = CardScript(0)
"""The script of a card that has no effect, such as a face-down card."""


class PermanentEffects(TypedDict, total=False):
    """The permanent effects of a card: fields of `CardScript`."""

    grants: Ability
    copies: Callable[[CardInPlay], bool]
    protects: Callable[[CardInPlay, CardInPlay], bool]
    protects_host: bool
    host_stars: int
    top_clash_stars: int
    blocks_gains: bool
    slots: int
    singles: int
    pairs: int
    wild: bool
    attachable: bool
    reveals_two: bool
    removed_at_end: bool


def card(id: str, *abilities: Ability, **permanent: Unpack[PermanentEffects]) -> CardScript:
    """Return the script of a card, or of a character's tournament powers."""
    return CardScript(NUMBERS[id] if id in NUMBERS else CHARACTERS[id].number, abilities, **permanent)


def scripts_by_design(*scripts: CardScript) -> dict[Design, CardScript]:
    """Return scripts by the number of their design.

    Raises:
        TypeError: a card has two scripts.
    """
    by_design: dict[Design, CardScript] = {}
    for script in scripts:
        if script.design in by_design:
            raise TypeError(f"design {script.design} has two scripts")
        by_design[script.design] = script
    return by_design


_scripts: dict[Design, CardScript] = {}


def use_scripts(scripts: Mapping[Design, CardScript]) -> None:
    """Set the scripts of all cards. The rulebook does this once; tests may set others."""
    _scripts.clear()
    _scripts.update(scripts)


def card_script(design: Design) -> CardScript:
    """Return the script of a design.

    Raises:
        KeyError: the design has no script, so its card cannot be played.
    """
    return _scripts[design]


def ability(reference: AbilityReference) -> Ability:
    """Return the ability that is referred to."""
    return _scripts[reference[0]].ability(reference[1])
