"""The Vale of Eternity: the verbs that the texts of cards share."""

from games.kernel import Offer, OneOf, Outcome, Seat, Text, choose, msg, rule
from games.vale_of_eternity.card_script import TEXTS, Effects, can, said_by
from games.vale_of_eternity.catalogue import CARDS, Card, Family
from games.vale_of_eternity.facts import (
    Activated,
    ActivationBegun,
    ActivationEnded,
    DiscardedFromArea,
    DiscardedFromHand,
    Drew,
    Named,
    PointsLost,
    Recovered,
    Scored,
    Shuffled,
    StonesDiscarded,
    StonesGained,
    Summoned,
)
from games.vale_of_eternity.stones import Colour, Stones, stones_without, ways_to_keep
from games.vale_of_eternity.table import Vale, families, of_family, with_effect

FAMILIES: dict[Family, Text] = {
    "fire": msg("Fire"),
    "water": msg("Water"),
    "earth": msg("Earth"),
    "wind": msg("Wind"),
    "dragon": msg("Dragon"),
}


def pick(prompt: Text, offer: Offer) -> Outcome:
    """Ask for one of several things that lie open; what has only one answer is done without asking.

    Not for what is in a hand: not to be asked would tell the others that there was only one answer.
    """
    answers = [field.options for field in offer.fields.values() if isinstance(field, OneOf)]
    if len(answers) == len(offer.fields) and all(len(options) == 1 for options in answers):
        return offer.rule(*offer.bound, *(options[0] for options in answers))
    return choose(prompt, offer)


def instant_of(card: Card, this: Card) -> Effects:
    """Return the instant effect of a card, as carried out by `this` one."""
    return said_by(TEXTS[card].instant, this)


def active_of(card: Card, this: Card) -> Effects:
    """Return the active effect of a card, as carried out by `this` one."""
    return said_by(TEXTS[card].active, this)


# --- points -------------------------------------------------------------------------------------------------


@rule
def score(table: Vale, points: int) -> Outcome:
    """Earn points."""
    return Scored(table.seat, points) if points else None


@rule
def lose_points(table: Vale, points: int) -> Outcome:
    """Lose points: nobody has ever fewer than none."""
    lost = min(points, table.me.points)
    return PointsLost(table.seat, lost) if lost else None


@rule
def score_per_hand_card(table: Vale, points: int) -> Outcome:
    """Earn points for each card in hand."""
    return score(points * len(table.me.hand))


@rule
def score_per_card(table: Vale, points: int) -> Outcome:
    """Earn points for each card in the area."""
    return score(points * len(table.me.area))


@rule
def score_per_card_of(table: Vale, family: Family, points: int) -> Outcome:
    """Earn points for each card of a family in the area."""
    return score(points * len(of_family(table.me.area, family)))


@rule
def score_per_family(table: Vale, points: int) -> Outcome:
    """Earn points for each different family in the area."""
    return score(points * families(table.me.area))


@rule
def score_value_of(table: Vale, colour: Colour) -> Outcome:
    """Earn as many points as the stones of a colour are worth; they are kept."""
    return score(table.value_of(tuple(stone for stone in table.me.stones if stone == colour)))


# --- stones -------------------------------------------------------------------------------------------------


@rule
def gain(table: Vale, stones: Stones) -> Outcome:
    """Earn stones, all at once; then see which can be kept."""
    return StonesGained(table.seat, stones), keep_to_limit()


@rule
def keep_to_limit(table: Vale) -> Outcome:
    """Who holds more stones than the limit keeps as many as it allows, before anything else happens."""
    held, limit = table.me.stones, table.stone_limit
    if len(held) <= limit:
        return None
    return pick(
        msg("You may hold {limit} stones: keep {limit}.", limit=limit),
        keep.offer(stones=OneOf(ways_to_keep(held, limit))),
    )


@rule
def keep(table: Vale, stones: Stones) -> Outcome:
    """All stones but those kept are discarded."""
    return StonesDiscarded(table.seat, stones_without(table.me.stones, stones))


@rule
def pay(table: Vale, colour: Colour) -> Outcome:
    """Give up a stone of a colour."""
    return StonesDiscarded(table.seat, (colour,))


@can(pay)
def can_pay(table: Vale, colour: Colour) -> bool:
    """Is there a stone of the colour?"""
    return colour in table.me.stones


# --- cards --------------------------------------------------------------------------------------------------


@rule
def draw(table: Vale) -> Outcome:
    """Draw a card; when the draw pile has run out, the discard pile is shuffled into a new one."""
    if table.state.pile:
        return Drew(table.seat, table.state.pile[0])
    return (shuffle_discard_pile(), draw()) if table.state.discard else None


@rule
def shuffle_discard_pile(table: Vale) -> Outcome:
    """The discard pile becomes a new draw pile."""
    return Shuffled(table.chance.shuffled(table.state.discard))


@rule
def recover(table: Vale, card: Card) -> Outcome:
    """A card of the area goes back to its owner's hand."""
    return Recovered(table.seat, card)


@rule
def discard_a_hand_card(table: Vale) -> Outcome:
    """Discard a card of the hand."""
    return choose("Discard a card of your hand.", discard_from_hand.offer(card=OneOf(table.me.hand)))


@can(discard_a_hand_card)
def can_discard_a_hand_card(table: Vale) -> bool:
    """Is there a card in hand?"""
    return bool(table.me.hand)


@rule
def discard_from_hand(table: Vale, card: Card) -> Outcome:
    """The card chosen goes from the hand to the discard pile."""
    return DiscardedFromHand(table.seat, card)


@rule
def make_a_player_discard(table: Vale, family: Family) -> Outcome:
    """Name a player, yourself included, who discards a card of a family from their area."""
    seats = tuple(player.seat for player in table.state.players if of_family(player.area, family))
    prompt = msg("Name a player to discard a {family} card.", family=FAMILIES[family])
    return pick(prompt, make_discard.offer(family, player=OneOf(seats)))


@can(make_a_player_discard)
def can_make_a_player_discard(table: Vale, family: Family) -> bool:
    """Has anybody summoned a card of the family?"""
    return any(of_family(player.area, family) for player in table.state.players)


@rule
def make_discard(table: Vale, family: Family, player: Seat) -> Outcome:
    """The player named picks the card."""
    return Named(table.seat, player, family), discard_one_of(family).by(player)


@rule
def discard_one_of(table: Vale, family: Family) -> Outcome:
    """Discard a card of a family from the area."""
    cards = of_family(table.me.area, family)
    prompt = msg("Discard a {family} card of your area.", family=FAMILIES[family])
    return pick(prompt, discard_from_area.offer(card=OneOf(cards)))


@rule
def discard_from_area(table: Vale, card: Card) -> Outcome:
    """The card chosen goes from the area to the discard pile."""
    return DiscardedFromArea(table.seat, card)


@rule
def put_into_play(table: Vale, card: Card) -> Outcome:
    """A card of the hand is summoned for nothing: no stone is spent on it."""
    return Summoned(table.seat, card, ()), instant_of(card, card)


# --- active effects -----------------------------------------------------------------------------------------


@rule
def activate_all(table: Vale) -> Outcome:
    """Use the active effect of each card in the area once, in an order of the seat's choice."""
    cards = with_effect(table.me.area, "active")
    return (ActivationBegun(table.seat, cards), activate_the_rest(), ActivationEnded(table.seat)) if cards else None


@rule
def activate_the_rest(table: Vale) -> Outcome:
    """Effects that can be used must be; when none is left that can, the others lapse."""
    return pick("Use an active effect.", activate.offer(card=OneOf(table.can_be_activated)))


@rule
def activate(table: Vale, card: Card) -> Outcome:
    """The active effect of the card chosen is carried out, then the seat goes on."""
    return Activated(table.seat, card), active_of(card, card), activate_the_rest()


def printed_cost(card: Card) -> int:
    """Return the cost that is written on a card."""
    return CARDS[card].cost
