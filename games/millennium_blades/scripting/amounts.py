"""Millennium Blades: amounts. Each returns a number that an effect uses."""

from collections.abc import Callable, Iterable

from games.kernel import Seat
from games.millennium_blades.board.card_script import CardInPlay
from games.millennium_blades.scripting.selectors import CardSelector
from games.millennium_blades.tournament.context import Context

Amount = Callable[[Context], int]
Property = Callable[[CardInPlay], Iterable[object]]
"""The values of a property of a card."""


def as_amount(value: int | Amount) -> Amount:
    """Return an amount as it is, and a number as an amount."""
    if isinstance(value, int):
        return lambda ctx: value
    return value


def per(points: int, cards: CardSelector) -> Amount:
    """So many points for each of the cards."""
    return lambda ctx: points * len(list(cards(ctx)))


def star_sum(cards: CardSelector, times: int = 1) -> Amount:
    """The sum of the stars of some cards, multiplied."""
    return lambda ctx: times * sum(card.stars for card in cards(ctx))


def tableau_star_sum(ctx: Context, seat: Seat) -> int:
    """The sum of the stars of a player's tableau."""
    return sum(card.stars for card in ctx.board.face_up(seat))


def stars_flipped(times: int = 1) -> Amount:
    """The sum of the stars of the cards that this effect flipped, multiplied."""
    return lambda ctx: times * sum(card.stars for card in ctx.effect.flipped)


def max_stars_flipped(times: int) -> Amount:
    """The most stars of a card that this effect flipped, multiplied."""
    return lambda ctx: times * max((card.stars for card in ctx.effect.flipped), default=0)


def stored_number(times: int = 1) -> Amount:
    """The number that this effect stored, multiplied."""
    return lambda ctx: times * ctx.effect.number


def count_different(values: Property, points: int = 1) -> Amount:
    """So many points for each different value of a property among your face-up cards."""
    return lambda ctx: points * len({value for card in ctx.your_cards for value in values(card)})


# --- Properties of a card ---------------------------------------------------------------------------------


def card_elements(card: CardInPlay) -> tuple[str, ...]:
    """The elements of a card."""
    return card.elements


def card_types(card: CardInPlay) -> tuple[str, ...]:
    """The types of a card."""
    return card.types


def card_stars(card: CardInPlay) -> tuple[int, ...]:
    """The stars of a card."""
    return (card.stars,)


def card_set(card: CardInPlay) -> tuple[str, ...]:
    """The set of a card."""
    return (card.set,)


def card_rarity(card: CardInPlay) -> tuple[str, ...]:
    """The rarity of a card."""
    return (card.rarity,)
