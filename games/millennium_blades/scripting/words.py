"""The words that texts of cards are written with: trigger words, amounts, conditions, and which cards are meant."""

from collections.abc import Callable, Iterable
from typing import Any

from games.kernel import Fact
from games.millennium_blades.catalogue import PROMOS, kind
from games.millennium_blades.tournament.board import CardInPlay
from games.millennium_blades.tournament.card_script import Ability, Step
from games.millennium_blades.tournament.context import Context

Amount = Callable[[Context], int]
Condition = Callable[[Context], bool]
Cards = Callable[[Context], Iterable[CardInPlay]]

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


def ongoing(event: type[Fact], *steps: Step, when: Callable[[Any], bool] | None = None) -> Ability:
    """Each time something happens, while the card is face up."""
    return Ability("ongoing", steps, event=event, when=when)


def top(event: type[Fact], *steps: Step, when: Callable[[Any], bool] | None = None) -> Ability:
    """Each time something happens, while this is your Top card."""
    return Ability("top", steps, event=event, when=when)


def reaction(event: str) -> Ability:
    """At a moment that the rules ask about; then the card is flipped."""
    return Ability("reaction", (), event=event)


# --- Which cards ------------------------------------------------------------------------------------------


def your_cards(*attributes: str) -> Cards:
    """Your cards with at least one of these elements and types; all of your face-up cards when none is given."""
    if not attributes:
        return lambda ctx: ctx.your_cards
    wanted = frozenset(attributes)
    return lambda ctx: [face for face in ctx.your_cards if not wanted.isdisjoint(face.attributes)]


def your_cards_where(holds: Callable[[CardInPlay], bool]) -> Cards:
    """Your face-up cards of which something is true."""
    return lambda ctx: [face for face in ctx.your_cards if holds(face)]


def your_other_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """Your other face-up cards."""
    return ctx.your_other_cards


def your_face_down_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """Your face-down cards."""
    return ctx.your_face_down_cards


def adjacent(ctx: Context) -> tuple[CardInPlay, ...]:
    """The neighbours of this card."""
    return ctx.adjacent


def this_card(ctx: Context) -> tuple[CardInPlay, ...]:
    """This card."""
    return () if ctx.face is None else (ctx.face,)


def left_neighbour(ctx: Context) -> tuple[CardInPlay, ...]:
    """The left neighbour of this card."""
    return () if ctx.left_neighbour is None else (ctx.left_neighbour,)


def your_leftmost_card(ctx: Context) -> tuple[CardInPlay, ...]:
    """Your leftmost face-up card."""
    return ctx.your_cards[:1]


def leftmost_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """The leftmost face-up card of every player."""
    return tuple(face for seat in ctx.table.seats for face in ctx.board.face_up(seat)[:1])


def all_face_up_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """The face-up cards of every tableau."""
    return tuple(face for seat in ctx.table.clockwise_from(ctx.you) for face in ctx.board.face_up(seat))


def all_your_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """Your cards, face up or down."""
    return ctx.board.tableaus[ctx.you]


def all_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """The cards of every tableau, face up or down."""
    return tuple(face for seat in ctx.table.clockwise_from(ctx.you) for face in ctx.board.tableaus[seat])


def cards_up_to_this(ctx: Context) -> tuple[CardInPlay, ...]:
    """This card and every card of yours to the left of it."""
    face = ctx.face
    return () if face is None else ctx.board.tableaus[ctx.you][: face.place + 1]


def your_deck_boxes(ctx: Context) -> tuple[CardInPlay, ...]:
    """Your face-up deck boxes."""
    return tuple(it for it in ctx.board.equipment[ctx.you] if it.face_up and kind(it.card) == "deck_box")


# --- Amounts ----------------------------------------------------------------------------------------------


def amount_of(value: int | Amount) -> Amount:
    """A number, or a question that gives one."""
    if isinstance(value, int):
        return lambda ctx: value
    return value


def count(cards: Cards) -> Amount:
    """How many there are of some cards."""
    return lambda ctx: len(list(cards(ctx)))


def per(points: int, cards: Cards) -> Amount:
    """So much for each of some cards."""
    return lambda ctx: points * len(list(cards(ctx)))


def star_sum(cards: Cards, times: int = 1) -> Amount:
    """The stars of some cards together, so many times."""
    return lambda ctx: times * sum(face.stars for face in cards(ctx))


def count_different(what: Callable[[CardInPlay], Iterable[object]]) -> Amount:
    """How many different values your face-up cards show."""
    return lambda ctx: len({value for face in ctx.your_cards for value in what(face)})


def card_elements(face: CardInPlay) -> tuple[str, ...]:
    """The elements of a card."""
    return face.elements


def card_types(face: CardInPlay) -> tuple[str, ...]:
    """The types of a card."""
    return face.types


def card_stars(face: CardInPlay) -> tuple[int, ...]:
    """The stars of a card."""
    return (face.stars,)


def card_set(face: CardInPlay) -> tuple[str, ...]:
    """The set of a card."""
    return (face.set,)


def card_rarity(face: CardInPlay) -> tuple[str, ...]:
    """The rarity of a card."""
    return (face.rarity,)


def stars_flipped(times: int = 1) -> Amount:
    """The stars that the cards flipped by this effect had, so many times."""
    return lambda ctx: times * sum(it.stars for it in ctx.effect.flipped)


def max_stars_flipped(times: int) -> Amount:
    """The highest stars among the cards flipped by this effect, so many times."""
    return lambda ctx: times * max((it.stars for it in ctx.effect.flipped), default=0)


def stored_number(times: int = 1) -> Amount:
    """The number that this effect kept, so many times."""
    return lambda ctx: times * ctx.effect.number


# --- Conditions -------------------------------------------------------------------------------------------


def at_least(number: int, amount: Amount) -> Condition:
    """Is an amount no less than a number?"""
    return lambda ctx: amount(ctx) >= number


def has_flipped(ctx: Context) -> bool:
    """Did this effect flip a card?"""
    return bool(ctx.effect.flipped)


def two_others_share(what: Callable[[CardInPlay], Iterable[object]]) -> Condition:
    """Do two of your other face-up cards have something in common?"""

    def holds(ctx: Context) -> bool:
        seen: set[object] = set()
        for face in ctx.your_other_cards:
            values = set(what(face))
            if seen & values:
                return True
            seen |= values
        return False

    return holds


def is_promo(face: CardInPlay) -> bool:
    """Is a card a bronze, silver or gold promo?"""
    return face.rarity in PROMOS
