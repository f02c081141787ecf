"""The Vale of Eternity: the effects that several cards share."""

from games.kernel import Message, Offer, OneOf, Outcome, Seat, choose, move, msg, rule
from games.vale_of_eternity.card_script import requires
from games.vale_of_eternity.catalogue import CARDS, Card, Family
from games.vale_of_eternity.facts import (
    ActivationBegun,
    ActivationEnded,
    CardActivated,
    CardDiscardedFromArea,
    CardDiscardedFromHand,
    CardDrawn,
    CardRecovered,
    CardSummoned,
    DiscardForced,
    DrawPileShuffled,
    PointsLost,
    PointsScored,
    StonesDiscarded,
    StonesGained,
)
from games.vale_of_eternity.stones import Colour, Stones, keepable_subsets, remove_stones
from games.vale_of_eternity.table import Vale, cards_with_effect, family_cards, family_count

FAMILY_NAMES: dict[Family, Message] = {
    "fire": msg("Fire"),
    "water": msg("Water"),
    "earth": msg("Earth"),
    "wind": msg("Wind"),
    "dragon": msg("Dragon"),
}


def choose_unless_forced(prompt: Message, offer: Offer) -> Outcome:
    """Ask the seat for a move; if there is only one possible answer, carry it out without asking.

    Only for choices among public things. If the options depend on a hand, a choice that is not asked would reveal to
    the other players that there was only one option.
    """
    options = [field.options for field in offer.fields.values() if isinstance(field, OneOf)]
    if len(options) == len(offer.fields) and all(len(values) == 1 for values in options):
        return offer.rule(*offer.bound, *(values[0] for values in options))
    return choose(prompt, offer)


def printed_cost(card: Card) -> int:
    """Return the cost that is printed on a card."""
    return CARDS[card].cost


# --- points -------------------------------------------------------------------------------------------------


@rule
def score(table: Vale, points: int) -> Outcome:
    """Score points."""
    return PointsScored(table.seat, points) if points else None


@rule
def lose_points(table: Vale, points: int) -> Outcome:
    """Lose points, but never more than the player has."""
    lost = min(points, table.me.points)
    return PointsLost(table.seat, lost) if lost else None


@rule
def score_per_hand_card(table: Vale, points: int) -> Outcome:
    """Score points for each card in hand."""
    return score(points * len(table.me.hand))


@rule
def score_per_card(table: Vale, points: int) -> Outcome:
    """Score points for each card in the area."""
    return score(points * len(table.me.area))


@rule
def score_per_family_card(table: Vale, family: Family, points: int) -> Outcome:
    """Score points for each card of a family in the area."""
    return score(points * len(family_cards(table.me.area, family)))


@rule
def score_per_family(table: Vale, points: int) -> Outcome:
    """Score points for each different family in the area."""
    return score(points * family_count(table.me.area))


@rule
def score_stones_value(table: Vale, colour: Colour) -> Outcome:
    """Score the total value of the stones of a colour, and keep them."""
    return score(table.stones_value(tuple(stone for stone in table.me.stones if stone == colour)))


# --- stones -------------------------------------------------------------------------------------------------


@rule
def gain_stones(table: Vale, stones: Stones) -> Outcome:
    """Gain stones, all at once; then apply the stone limit."""
    return StonesGained(table.seat, stones), apply_stone_limit()


@rule
def apply_stone_limit(table: Vale) -> Outcome:
    """A player with more stones than the limit chooses which to keep, before anything else happens."""
    stones, limit = table.me.stones, table.stone_limit
    if len(stones) <= limit:
        return None
    return choose_unless_forced(
        msg("You may hold only {limit} stones. Which do you keep?", limit=limit),
        keep_stones.offer(stones=OneOf(keepable_subsets(stones, limit))),
    )


@move(
    title="Keep stones",
    help="Keep the chosen stones and discard all others.",
    args={"stones": "Stones to keep"},
)
def keep_stones(table: Vale, stones: Stones) -> Outcome:
    """Discard all stones except those chosen."""
    return StonesDiscarded(table.seat, remove_stones(table.me.stones, stones))


def can_give_up_stone(table: Vale, colour: Colour) -> bool:
    """Tell whether the player has a stone of the colour."""
    return colour in table.me.stones


@requires(can_give_up_stone)
@rule
def give_up_stone(table: Vale, colour: Colour) -> Outcome:
    """Discard a stone of a colour."""
    return StonesDiscarded(table.seat, (colour,))


# --- cards --------------------------------------------------------------------------------------------------


@rule
def draw_card(table: Vale) -> Outcome:
    """Draw a card. If the draw pile is empty, the shuffled discard pile becomes the draw pile first."""
    if table.state.draw_pile:
        return CardDrawn(table.seat, table.state.draw_pile[0])
    return (shuffle_discard_pile(), draw_card()) if table.state.discard_pile else None


@rule
def shuffle_discard_pile(table: Vale) -> Outcome:
    """Shuffle the discard pile into a new draw pile."""
    return DrawPileShuffled(table.chance.shuffled(table.state.discard_pile))


@move(
    title="Recover a card",
    help="Take the chosen card from your area back into your hand.",
    args={"card": "Card in your area"},
)
def recover(table: Vale, card: Card) -> Outcome:
    """Return a card from the area to its owner's hand."""
    return CardRecovered(table.seat, card)


def has_hand_card(table: Vale) -> bool:
    """Tell whether the player has a card in hand."""
    return bool(table.me.hand)


@requires(has_hand_card)
@rule
def discard_hand_card(table: Vale) -> Outcome:
    """Choose a card in hand and discard it."""
    return choose(msg("Which card in your hand do you discard?"), discard_from_hand.offer(card=OneOf(table.me.hand)))


@move(
    title="Discard a hand card",
    help="Discard a card from your hand.",
    args={"card": "Card in your hand"},
)
def discard_from_hand(table: Vale, card: Card) -> Outcome:
    """Discard the chosen card from the hand."""
    return CardDiscardedFromHand(table.seat, card)


def has_family_card_in_play(table: Vale, family: Family) -> bool:
    """Tell whether any player has a card of the family in their area."""
    return any(family_cards(player.area, family) for player in table.state.players)


@requires(has_family_card_in_play)
@rule
def force_discard(table: Vale, family: Family) -> Outcome:
    """Choose a player, yourself included, who must discard a card of a family from their area."""
    seats = tuple(player.seat for player in table.state.players if family_cards(player.area, family))
    prompt = msg("Which player must discard a {family} card?", family=FAMILY_NAMES[family])
    return choose_unless_forced(prompt, choose_player.offer(family, player=OneOf(seats)))


@move(
    title="Choose a player",
    help="The chosen player must discard a card of the family from their area.",
    args={"player": "Player"},
)
def choose_player(table: Vale, family: Family, player: Seat) -> Outcome:
    """The chosen player discards one of their cards of the family."""
    return DiscardForced(table.seat, player, family), discard_family_card(family).by(player)


@rule
def discard_family_card(table: Vale, family: Family) -> Outcome:
    """Choose a card of a family in the area and discard it."""
    cards = family_cards(table.me.area, family)
    prompt = msg("Which {family} card in your area do you discard?", family=FAMILY_NAMES[family])
    return choose_unless_forced(prompt, discard_from_area.offer(card=OneOf(cards)))


@move(
    title="Discard a summoned card",
    help="Discard a card from your area.",
    args={"card": "Card in your area"},
)
def discard_from_area(table: Vale, card: Card) -> Outcome:
    """Discard the chosen card from the area."""
    return CardDiscardedFromArea(table.seat, card)


@move(
    title="Summon for free",
    help="Put a card from your hand into your area without paying. Then its instant effect happens.",
    args={"card": "Card in your hand"},
)
def summon_free(table: Vale, card: Card) -> Outcome:
    """Summon a card of the hand without paying; then carry out its instant effect."""
    return CardSummoned(table.seat, card, ()), table.instant_effect(card, card)


# --- active effects -----------------------------------------------------------------------------------------


@rule
def activate_all(table: Vale) -> Outcome:
    """Use the active effect of each card in the area once, in an order chosen by the player."""
    cards = cards_with_effect(table.me.area, "active")
    return (ActivationBegun(table.seat, cards), activate_next(), ActivationEnded(table.seat)) if cards else None


@rule
def activate_next(table: Vale) -> Outcome:
    """Choose the next active effect. Every effect that can be used must be; the others are skipped at the end."""
    return choose_unless_forced(
        msg("Which card do you activate next?"), activate.offer(card=OneOf(table.usable_activations))
    )


@move(
    title="Activate a card",
    help="Use the active effect of the chosen card.",
    args={"card": "Card in your area"},
)
def activate(table: Vale, card: Card) -> Outcome:
    """Carry out the active effect of the chosen card, then activate the next one."""
    return CardActivated(table.seat, card), table.active_effect(card, card), activate_next()
