"""The words that texts of cards are written with: trigger words, amounts, conditions, and which cards are meant."""

from collections.abc import Callable, Iterable
from typing import Any

from games.kernel import Fact
from games.millennium_blades.catalogue import PROMOS, kind
from games.millennium_blades.tournament.board import Face
from games.millennium_blades.tournament.card_script import Ability, Step
from games.millennium_blades.tournament.context import Situation

Amount = Callable[[Situation], int]
Condition = Callable[[Situation], bool]
Cards = Callable[[Situation], Iterable[Face]]

# --- Trigger words ----------------------------------------------------------------------------------------


def play(*steps: Step, cap: int | None = None, copyable: bool = True) -> Ability:
    """When you play the card."""
    return Ability("play", steps, cap=cap, copyable=copyable)


def score(*steps: Step, cap: int | None = None, copyable: bool = True) -> Ability:
    """In scoring, if the card is still face up."""
    return Ability("score", steps, cap=cap, copyable=copyable)


def action(*steps: Step, possible: Callable[[Any], Any] | None = None, flips: bool = True) -> Ability:
    """Once a turn, in place of another; then the card is flipped."""
    return Ability("action", steps, possible=possible, flips=flips)


def when_flipped(*steps: Step) -> Ability:
    """Flip: when the card is flipped while in play."""
    return Ability("flip", steps)


def next_card(*steps: Step) -> Ability:
    """Next: on the next card that you play."""
    return Ability("next", steps)


def ongoing(on: type[Fact], *steps: Step, when: Callable[[Any], bool] | None = None) -> Ability:
    """Each time something happens, while the card is face up."""
    return Ability("ongoing", steps, on=on, when=when)


def top(on: type[Fact], *steps: Step, when: Callable[[Any], bool] | None = None) -> Ability:
    """Each time something happens, while this is your Top card."""
    return Ability("top", steps, on=on, when=when)


def reaction(on: str) -> Ability:
    """At a moment that the rules ask about; then the card is flipped."""
    return Ability("reaction", (), on=on)


# --- Which cards ------------------------------------------------------------------------------------------


def own(*attributes: str) -> Cards:
    """Your cards with at least one of these elements and types; all of your face-up cards when none is given."""
    if not attributes:
        return lambda at: at.own
    wanted = frozenset(attributes)
    return lambda at: [face for face in at.own if not wanted.isdisjoint(face.attributes)]


def own_where(holds: Callable[[Face], bool]) -> Cards:
    """Your face-up cards of which something is true."""
    return lambda at: [face for face in at.own if holds(face)]


def others_of_yours(at: Situation) -> tuple[Face, ...]:
    """Your other face-up cards."""
    return at.others_of_yours


def face_down(at: Situation) -> tuple[Face, ...]:
    """Your face-down cards."""
    return at.face_down


def beside(at: Situation) -> tuple[Face, ...]:
    """The neighbours of this card."""
    return at.beside


def this_card(at: Situation) -> tuple[Face, ...]:
    """This card."""
    return () if at.face is None else (at.face,)


def left_card(at: Situation) -> tuple[Face, ...]:
    """The left neighbour of this card."""
    return () if at.left is None else (at.left,)


def leftmost(at: Situation) -> tuple[Face, ...]:
    """Your leftmost face-up card."""
    return at.own[:1]


def leftmost_of_all(at: Situation) -> tuple[Face, ...]:
    """The leftmost face-up card of every player."""
    return tuple(face for seat in at.table.seats for face in at.board.face_up(seat)[:1])


def in_every_tableau(at: Situation) -> tuple[Face, ...]:
    """The face-up cards of every tableau."""
    return tuple(face for seat in at.table.clockwise_from(at.you) for face in at.board.face_up(seat))


def all_of_yours(at: Situation) -> tuple[Face, ...]:
    """Your cards, face up or down."""
    return at.board.tableaus[at.you]


def all_of_everybody(at: Situation) -> tuple[Face, ...]:
    """The cards of every tableau, face up or down."""
    return tuple(face for seat in at.table.clockwise_from(at.you) for face in at.board.tableaus[seat])


def this_and_left_of_it(at: Situation) -> tuple[Face, ...]:
    """This card and every card of yours to the left of it."""
    face = at.face
    return () if face is None else at.board.tableaus[at.you][: face.place + 1]


def deck_boxes(at: Situation) -> tuple[Face, ...]:
    """Your face-up deck boxes."""
    return tuple(it for it in at.board.equipment[at.you] if it.face_up and kind(it.card) == "deck_box")


# --- Amounts ----------------------------------------------------------------------------------------------


def amount_of(value: int | Amount) -> Amount:
    """A number, or a question that gives one."""
    if isinstance(value, int):
        return lambda at: value
    return value


def number_of(cards: Cards) -> Amount:
    """How many there are of some cards."""
    return lambda at: len(list(cards(at)))


def per(points: int, cards: Cards) -> Amount:
    """So much for each of some cards."""
    return lambda at: points * len(list(cards(at)))


def star_sum(cards: Cards, times: int = 1) -> Amount:
    """The stars of some cards together, so many times."""
    return lambda at: times * sum(face.stars for face in cards(at))


def different(what: Callable[[Face], Iterable[object]]) -> Amount:
    """How many different values your face-up cards show."""
    return lambda at: len({value for face in at.own for value in what(face)})


def elements_of(face: Face) -> tuple[str, ...]:
    """The elements of a card."""
    return face.elements


def types_of(face: Face) -> tuple[str, ...]:
    """The types of a card."""
    return face.types


def stars_of(face: Face) -> tuple[int, ...]:
    """The stars of a card."""
    return (face.stars,)


def set_of_card(face: Face) -> tuple[str, ...]:
    """The set of a card."""
    return (face.set,)


def rarity_of(face: Face) -> tuple[str, ...]:
    """The rarity of a card."""
    return (face.rarity,)


def stars_flipped(times: int = 1) -> Amount:
    """The stars that the cards flipped by this effect had, so many times."""
    return lambda at: times * sum(it.stars for it in at.running.flipped)


def most_stars_flipped(times: int) -> Amount:
    """The highest stars among the cards flipped by this effect, so many times."""
    return lambda at: times * max((it.stars for it in at.running.flipped), default=0)


def number_kept(times: int = 1) -> Amount:
    """The number that this effect kept, so many times."""
    return lambda at: times * at.running.number


# --- Conditions -------------------------------------------------------------------------------------------


def at_least(number: int, amount: Amount) -> Condition:
    """Is an amount no less than a number?"""
    return lambda at: amount(at) >= number


def flipped_one(at: Situation) -> bool:
    """Did this effect flip a card?"""
    return bool(at.running.flipped)


def a_pair_of_others(what: Callable[[Face], Iterable[object]]) -> Condition:
    """Do two of your other face-up cards have something in common?"""

    def holds(at: Situation) -> bool:
        seen: set[object] = set()
        for face in at.others_of_yours:
            values = set(what(face))
            if seen & values:
                return True
            seen |= values
        return False

    return holds


def is_promo(face: Face) -> bool:
    """Is a card a bronze, silver or gold promo?"""
    return face.rarity in PROMOS
