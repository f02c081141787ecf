"""The Vale of Eternity: the rounds, their three phases, and what a seat may do in its turn.

Source: the owner's help page of the game, and docs/rulings.md where it is silent.
"""

from collections.abc import Callable, Iterator
from typing import Any

from games.kernel import Choice, Fact, Finished, OneOf, Outcome, choose, rank_seats, rule
from games.vale_of_eternity.card_script import TEXTS
from games.vale_of_eternity.catalogue import CARDS, Card, Family
from games.vale_of_eternity.effects import activate_all, gain, instant_of, keep_to_limit, pick, shuffle_discard_pile
from games.vale_of_eternity.facts import (
    DiscardedFromArea,
    GameBegun,
    Hunted,
    PhaseBegun,
    Recovered,
    Removed,
    Revealed,
    RoundBegun,
    Shuffled,
    Sold,
    Summoned,
    Tamed,
    TurnBegun,
    TurnEnded,
)
from games.vale_of_eternity.stones import BLUE, PURPLE, RED, Stones
from games.vale_of_eternity.table import Vale

POINTS_TO_END = 60
ROUNDS = 10

STONES_FOR: dict[Family, Stones] = {
    "fire": 3 * RED,
    "water": BLUE,
    "earth": 4 * RED,
    "wind": RED + BLUE,
    "dragon": PURPLE,
}
"""What a card is sold for: its family counts, not its cost."""


@rule
def begin_game(table: Vale) -> Outcome:
    """A first player is chosen by lot and all creatures are shuffled."""
    first = table.chance.randbelow(len(table.state.players))
    return GameBegun(first), Shuffled(table.chance.shuffled(tuple(CARDS))), RoundBegun(1, first), play_round()


@rule
def play_round(table: Vale) -> Outcome:
    """A round has three phases: hunting, action, resolution."""
    return hunting_phase(), action_phase(), resolution_phase(), end_round()


@rule
def end_round(table: Vale) -> Outcome:
    """With 60 points at the end of a round, or after round 10, the game ends; else there is a new first player.

    Most points win; a tie goes to the most cards summoned.
    """
    players, number = table.state.players, table.state.round
    points = tuple(player.points for player in players)
    if max(points) < POINTS_TO_END and number < ROUNDS:
        return RoundBegun(number + 1, table.turn_order[1]), play_round()
    scores = tuple((player.points, len(player.area)) for player in players)
    return Finished(points, rank_seats(scores, table.conceded_seats))


# --- hunting phase ------------------------------------------------------------------------------------------


@rule
def hunting_phase(table: Vale) -> Outcome:
    """Cards are laid out, two a player; each hunts one, clockwise, and then another, in the opposite order."""
    order = table.turn_order
    hunts = tuple(hunt_a_card().by(seat) for seat in (*order, *reversed(order)))
    return PhaseBegun("hunting"), reveal(2 * len(order)), hunts


@rule
def reveal(table: Vale, number: int) -> Outcome:
    """Cards are laid out from the draw pile; when it runs out, the discard pile is shuffled into a new one."""
    cards = table.state.pile[:number]
    laid_out = Revealed(cards) if cards else None
    if len(cards) == number or not table.state.discard:
        return laid_out
    return laid_out, shuffle_discard_pile(), reveal(number - len(cards))


@rule
def hunt_a_card(table: Vale) -> Outcome:
    """A player marks a card that carries no marker yet; who finds none marks none."""
    return pick("Hunt a card.", hunt.offer(card=OneOf(table.state.board)))


@rule
def hunt(table: Vale, card: Card) -> Outcome:
    """The card chosen is the player's to sell or to tame."""
    return Hunted(table.seat, card)


# --- action phase -------------------------------------------------------------------------------------------


@rule
def action_phase(table: Vale) -> Outcome:
    """Players act one after another, clockwise from the first."""
    return PhaseBegun("action"), tuple(take_turn().by(seat) for seat in table.turn_order)


@rule
def take_turn(table: Vale) -> Outcome:
    """A player takes as many actions as they like, in any order, then ends the turn."""
    return TurnBegun(table.seat), act()


@rule
def act(table: Vale) -> Outcome:
    """Sell, tame, summon, remove; both hunted cards must be sold or tamed before the turn ends."""
    me = table.me
    return choose(
        "Sell or tame what you hunted, summon, remove, or end your turn.",
        sell.offer(card=OneOf(me.hunted)),
        tame.offer(card=OneOf(me.hunted)),
        *(summon.offer(card=OneOf((card,)), payment=OneOf(ways)) for card, ways in table.summons),
        remove.offer(card=OneOf(me.area), payment=OneOf(table.ways_to_pay(table.state.round))),
        None if me.hunted else end_turn.offer(),
    )


@rule
def sell(table: Vale, card: Card) -> Outcome:
    """A hunted card is discarded for the stones of its family."""
    return Sold(table.seat, card), gain(STONES_FOR[CARDS[card].family]), act()


@rule
def tame(table: Vale, card: Card) -> Outcome:
    """A hunted card is taken into the hand."""
    return Tamed(table.seat, card), act()


@rule
def summon(table: Vale, card: Card, payment: Stones) -> Outcome:
    """A card of the hand is paid for and put into the area; then its instant effect is done."""
    return Summoned(table.seat, card, payment), instant_of(card, card), act()


@rule
def remove(table: Vale, card: Card, payment: Stones) -> Outcome:
    """A card of the area is discarded, at the price of the number of the round."""
    return Removed(table.seat, card, payment), act()


@rule
def end_turn(table: Vale) -> Outcome:
    """The next player acts."""
    return TurnEnded(table.seat)


# --- resolution phase ---------------------------------------------------------------------------------------


@rule
def resolution_phase(table: Vale) -> Outcome:
    """Players use their active effects one after another, clockwise from the first."""
    return PhaseBegun("resolution"), tuple(resolve().by(seat) for seat in table.turn_order)


@rule
def resolve(table: Vale) -> Outcome:
    """A player uses the active effect of each card in their area once."""
    return TurnBegun(table.seat), activate_all(), TurnEnded(table.seat)


# --- whenever -----------------------------------------------------------------------------------------------


def whenever_summoned(table: Vale, fact: Summoned) -> Outcome:
    """Cards that lay in the area already may have something to say to a summoning; the card summoned has not."""
    area = table.state.players[fact.seat].area
    said = [says(fact.payment) for card in area if card != fact.card and (says := TEXTS[card].whenever_summoned)]
    return tuple(effect.by(fact.seat) for effect in said if effect is not None)


def whenever_tamed(table: Vale, fact: Tamed) -> Outcome:
    """Cards of the area may have something to say to a taming."""
    area = table.state.players[fact.seat].area
    said = [says(CARDS[fact.card]) for card in area if (says := TEXTS[card].whenever_tamed)]
    return tuple(effect.by(fact.seat) for effect in said if effect is not None)


def whenever_an_area_is_left(table: Vale, fact: DiscardedFromArea | Recovered | Removed) -> Outcome:
    """A card that left may have raised the limit of stones."""
    return keep_to_limit().by(fact.seat)


def timeout_answers(table: Vale, asked: Choice) -> Iterator[tuple[str, dict[str, Any]]]:
    """The clock ends the turn of a silent seat as soon as it may, and until then tames what was hunted."""
    offered = {offer.move: offer for offer in asked.offers}
    quiet = offered.get("end_turn") or offered.get("tame")
    if quiet is not None:
        yield quiet.move, {name: field.sample(table.chance) for name, field in quiet.fields.items()}
    else:
        yield from asked.samples(table.chance)


WHENEVER: dict[type[Fact], Callable[[Vale, Any], Outcome]] = {
    Summoned: whenever_summoned,
    Tamed: whenever_tamed,
    DiscardedFromArea: whenever_an_area_is_left,
    Recovered: whenever_an_area_is_left,
    Removed: whenever_an_area_is_left,
}
