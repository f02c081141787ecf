"""The Vale of Eternity: the rounds, their three phases, and what a player may do in their turn.

Source: the owner's help page of the game, and docs/rulings.md where it is silent.
"""

from collections.abc import Callable, Iterator
from typing import Any

from games.kernel import Choice, Fact, Finished, OneOf, Outcome, choose, move, msg, rank_seats, rule
from games.vale_of_eternity.catalogue import CARDS, SALE_STONES, Card
from games.vale_of_eternity.effects import (
    activate_all,
    apply_stone_limit,
    choose_unless_forced,
    gain_stones,
    shuffle_discard_pile,
)
from games.vale_of_eternity.facts import (
    CardDiscardedFromArea,
    CardHunted,
    CardRecovered,
    CardRemoved,
    CardSold,
    CardsRevealed,
    CardSummoned,
    CardTamed,
    DrawPileShuffled,
    FirstPlayerDrawn,
    PhaseBegun,
    RoundBegun,
    TurnBegun,
    TurnEnded,
)
from games.vale_of_eternity.stones import Stones
from games.vale_of_eternity.table import Vale

POINTS_TO_END = 60
MAX_ROUNDS = 10


@rule
def start_game(table: Vale) -> Outcome:
    """The first player is drawn by lot, and all creatures are shuffled."""
    first_player = table.chance.randbelow(len(table.state.players))
    return (
        FirstPlayerDrawn(first_player),
        DrawPileShuffled(table.chance.shuffled(tuple(CARDS))),
        RoundBegun(1, first_player),
        play_round(),
    )


@rule
def play_round(table: Vale) -> Outcome:
    """A round has three phases: hunting, action, resolution."""
    return hunting_phase(), action_phase(), resolution_phase(), end_round()


@rule
def end_round(table: Vale) -> Outcome:
    """The game ends if a player has 60 points at the end of a round, or after round 10. Otherwise, a new round starts.

    Most points win; a tie goes to the player with the most summoned cards.
    """
    players, number = table.state.players, table.state.round
    points = tuple(player.points for player in players)
    if max(points) < POINTS_TO_END and number < MAX_ROUNDS:
        return RoundBegun(number + 1, table.turn_order[1]), play_round()
    scores = tuple((player.points, len(player.area)) for player in players)
    return Finished(points, rank_seats(scores, table.conceded_seats))


# --- hunting phase ------------------------------------------------------------------------------------------


@rule
def hunting_phase(table: Vale) -> Outcome:
    """Two cards for each player are revealed. Each player hunts one, clockwise, and then another, in reverse order."""
    order = table.turn_order
    hunts = tuple(choose_card_to_hunt().by(seat) for seat in (*order, *reversed(order)))
    return PhaseBegun("hunting"), reveal_cards(2 * len(order)), hunts


@rule
def reveal_cards(table: Vale, count: int) -> Outcome:
    """Cards are revealed from the draw pile. If it runs out, the shuffled discard pile becomes the draw pile."""
    cards = table.state.draw_pile[:count]
    revealed = CardsRevealed(cards) if cards else None
    if len(cards) == count or not table.state.discard_pile:
        return revealed
    return revealed, shuffle_discard_pile(), reveal_cards(count - len(cards))


@rule
def choose_card_to_hunt(table: Vale) -> Outcome:
    """A player marks a card that has no marker yet; if no card is left, none."""
    return choose_unless_forced(msg("Which card do you hunt?"), hunt.offer(card=OneOf(table.state.board)))


@move(
    title="Hunt a card",
    help="Mark the chosen card. In the action phase, you sell or tame it.",
    args={"card": "Card"},
)
def hunt(table: Vale, card: Card) -> Outcome:
    """Mark the chosen card. In the action phase, its hunter sells or tames it."""
    return CardHunted(table.seat, card)


# --- action phase -------------------------------------------------------------------------------------------


@rule
def action_phase(table: Vale) -> Outcome:
    """Each player takes one turn, clockwise from the first player."""
    return PhaseBegun("action"), tuple(take_turn().by(seat) for seat in table.turn_order)


@rule
def take_turn(table: Vale) -> Outcome:
    """A player takes as many actions as they like, in any order, then ends the turn."""
    return TurnBegun(table.seat), choose_action()


@rule
def choose_action(table: Vale) -> Outcome:
    """Sell, tame, summon or remove a card. Both hunted cards must be sold or tamed before the turn ends."""
    me = table.me
    return choose(
        msg("What do you do next?"),
        sell.offer(card=OneOf(me.hunted)),
        tame.offer(card=OneOf(me.hunted)),
        *(summon.offer(card=OneOf((card,)), payment=OneOf(payments)) for card, payments in table.summonable_cards),
        remove.offer(card=OneOf(me.area), payment=OneOf(table.payments(table.state.round))),
        None if me.hunted else end_turn.offer(),
    )


@move(
    title="Sell a card",
    help="Discard a hunted card and gain the stones of its family.",
    args={"card": "Hunted card"},
)
def sell(table: Vale, card: Card) -> Outcome:
    """Discard a hunted card for the stones of its family."""
    return CardSold(table.seat, card), gain_stones(SALE_STONES[CARDS[card].family]), choose_action()


@move(
    title="Tame a card",
    help="Take a hunted card into your hand.",
    args={"card": "Hunted card"},
)
def tame(table: Vale, card: Card) -> Outcome:
    """Take a hunted card into the hand."""
    return CardTamed(table.seat, card), choose_action()


@move(
    title="Summon a card",
    help="Pay for a card in your hand and put it into your area. Then its instant effect happens.",
    args={"card": "Card in your hand", "payment": "Stones to pay"},
)
def summon(table: Vale, card: Card, payment: Stones) -> Outcome:
    """Pay for a card of the hand and put it into the area; then carry out its instant effect."""
    return CardSummoned(table.seat, card, payment), table.instant_effect(card, card), choose_action()


@move(
    title="Remove a card",
    help="Pay the number of the round to discard a card from your area.",
    args={"card": "Card in your area", "payment": "Stones to pay"},
)
def remove(table: Vale, card: Card, payment: Stones) -> Outcome:
    """Pay the number of the round to discard a card of the area."""
    return CardRemoved(table.seat, card, payment), choose_action()


@move(
    title="End your turn",
    help="The next player takes their turn.",
)
def end_turn(table: Vale) -> Outcome:
    """End the turn; the next player takes theirs."""
    return TurnEnded(table.seat)


# --- resolution phase ---------------------------------------------------------------------------------------


@rule
def resolution_phase(table: Vale) -> Outcome:
    """Each player uses their active effects, clockwise from the first player."""
    return PhaseBegun("resolution"), tuple(resolve().by(seat) for seat in table.turn_order)


@rule
def resolve(table: Vale) -> Outcome:
    """A player uses the active effect of each card in their area once."""
    return TurnBegun(table.seat), activate_all(), TurnEnded(table.seat)


# --- triggers -----------------------------------------------------------------------------------------------


def summon_triggers(table: Vale, fact: CardSummoned) -> Outcome:
    """Cards that were in the area before a summoning may react to it; the summoned card does not react to itself."""
    area = table.state.players[fact.seat].area
    triggers = [table.scripts[card].on_summon for card in area if card != fact.card]
    effects = [trigger(fact.payment) for trigger in triggers if trigger is not None]
    return tuple(effect.by(fact.seat) for effect in effects if effect is not None)


def tame_triggers(table: Vale, fact: CardTamed) -> Outcome:
    """Cards in the area may react to a taming."""
    area = table.state.players[fact.seat].area
    triggers = [table.scripts[card].on_tame for card in area]
    effects = [trigger(CARDS[fact.card]) for trigger in triggers if trigger is not None]
    return tuple(effect.by(fact.seat) for effect in effects if effect is not None)


def leave_area_triggers(table: Vale, fact: CardDiscardedFromArea | CardRecovered | CardRemoved) -> Outcome:
    """If the card that left had raised the stone limit, its owner may now have too many stones."""
    return apply_stone_limit().by(fact.seat)


TRIGGERS: dict[type[Fact], Callable[[Vale, Any], Outcome]] = {
    CardSummoned: summon_triggers,
    CardTamed: tame_triggers,
    CardDiscardedFromArea: leave_area_triggers,
    CardRecovered: leave_area_triggers,
    CardRemoved: leave_area_triggers,
}


def timeout_answers(table: Vale, choice: Choice) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the answers for a seat whose time ran out: end the turn, or tame hunted cards until the turn can end."""
    offers = {offer.move: offer for offer in choice.offers}
    offer = offers.get("end_turn") or offers.get("tame")
    if offer is not None:
        yield offer.move, {name: field.sample(table.chance) for name, field in offer.fields.items()}
    else:
        yield from choice.samples(table.chance)
