"""Millennium Blades: effects. Each is a step that returns facts or further effects, or asks a player."""

from collections.abc import Callable

from games.kernel import Message, OneOf, Outcome, Seat, SomeOf, choose, move, msg, rule
from games.millennium_blades.board.card_script import AbilityReference, Keyword, ability
from games.millennium_blades.catalogue import Card
from games.millennium_blades.scripting.amounts import Amount, as_amount
from games.millennium_blades.scripting.conditions import Condition
from games.millennium_blades.scripting.players import ForEachPlayer
from games.millennium_blades.scripting.selectors import CardSelector, SeatSelector, chooser_cards
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.abilities import Step
from games.millennium_blades.tournament.context import Context
from games.millennium_blades.tournament.facts import NumberStored
from games.millennium_blades.tournament.flips import (
    flip,
    flip_card,
    flip_cards,
    flip_or_lose_reputation,
    flip_without_triggers,
    unflip,
)
from games.millennium_blades.tournament.resolution import decline, gains, losses, start_ability

FLIP_A_CARD = msg("Flip a card.")

# --- Reputation -------------------------------------------------------------------------------------------


def gain(amount: int | Amount) -> Step:
    """You gain reputation."""
    points = as_amount(amount)
    return lambda ctx: gains(ctx.table, ctx.you, points(ctx))


def lose(points: int) -> Step:
    """You lose reputation."""
    return lambda ctx: losses(ctx.table, ctx.you, points)


def gain_if(condition: Condition, amount: int | Amount) -> Step:
    """You gain reputation if a condition is met."""
    points = as_amount(amount)
    return lambda ctx: gains(ctx.table, ctx.you, points(ctx)) if condition(ctx) else None


def only_if(condition: Condition, step: Step) -> Step:
    """A step is carried out if a condition is met."""
    return lambda ctx: step(ctx) if condition(ctx) else None


def each_player_gains(seats: SeatSelector, amount: Callable[[Context, Seat], int]) -> Step:
    """Players each gain their own amount of reputation."""
    return lambda ctx: tuple(gains(ctx.table, seat, amount(ctx, seat)) for seat in ctx.in_turn_order(seats(ctx)))


def each_player_loses(seats: SeatSelector, amount: Callable[[Context, Seat], int]) -> Step:
    """Players each lose their own amount of reputation."""
    return lambda ctx: tuple(losses(ctx.table, seat, amount(ctx, seat)) for seat in ctx.in_turn_order(seats(ctx)))


# --- Flipping ---------------------------------------------------------------------------------------------


def flip_one_of(cards: CardSelector, prompt: Message = FLIP_A_CARD) -> Step:
    """A player flips one of the cards. A single card is flipped without a question."""

    def step(ctx: Context) -> Outcome:
        options = ctx.flippable(cards(ctx))
        if len(options) < 2:
            return flip(options) if options else None
        return choose(prompt, flip_card.offer(card=OneOf(options)))

    return step


def may_flip_one_of(cards: CardSelector) -> Step:
    """You may flip one of the cards."""

    def step(ctx: Context) -> Outcome:
        options = ctx.flippable(cards(ctx))
        if not options:
            return None
        return choose(msg("You may flip a card."), flip_card.offer(card=OneOf(options)), decline.offer())

    return step


def flip_any_of(cards: CardSelector) -> Step:
    """You flip any number of the cards."""

    def step(ctx: Context) -> Outcome:
        options = ctx.flippable(cards(ctx))
        if not options:
            return None
        return choose(msg("Flip any number of cards."), flip_cards.offer(cards=SomeOf(options, 0, len(options))))

    return step


def flip_all(cards: CardSelector) -> Step:
    """You flip all of the cards."""
    return lambda ctx: flip(ctx.flippable(cards(ctx)))


def flip_all_without_triggers(cards: CardSelector) -> Step:
    """You flip all of the cards, and their Flip effects are suppressed."""
    return lambda ctx: flip_without_triggers(ctx.flippable(cards(ctx)))


def each_player_flips_one(seats: SeatSelector) -> Step:
    """Players each flip one of their own cards."""
    return ForEachPlayer(seats, flip_one_of(chooser_cards, msg("Flip one of your cards.")))


def each_player_flips_or_loses(seats: SeatSelector, number: int, points: int) -> Step:
    """Players each either flip a number of their own cards or lose reputation."""
    return lambda ctx: tuple(flip_or_lose_reputation(number, points).by(seat) for seat in ctx.in_turn_order(seats(ctx)))


def turn_face_up_one_of(cards: CardSelector) -> Step:
    """You turn one of the face-down cards face up."""

    def step(ctx: Context) -> Outcome:
        options = tuple(card.card for card in cards(ctx))
        if not options:
            return None
        return choose(msg("Turn a card face up."), turn_face_up.offer(card=OneOf(options)))

    return step


@move(title="Turn a card face up", help="Turn this card face up.", args={"card": "Card"})
def turn_face_up(table: MillenniumBlades, card: Card) -> Outcome:
    """Turn a card face up, and store its stars."""
    return unflip(card), store_stars(card)


@rule
def store_stars(table: MillenniumBlades, card: Card) -> Outcome:
    """Store the stars of a card for the rest of the effect."""
    return NumberStored(table.board.by_card[card].stars)


# --- Copies -----------------------------------------------------------------------------------------------


def copy_one_of(keyword: Keyword, cards: CardSelector, cap: int | None = None) -> Step:
    """You carry out one effect of another card as if it were printed on this card."""

    def step(ctx: Context) -> Outcome:
        options = tuple(
            reference
            for card in cards(ctx)
            for reference in card.abilities
            if ability(reference).keyword == keyword and ability(reference).copyable
        )
        if len(options) < 2:
            return copy_effect(cap, options[0]).by(ctx.you) if options else None
        return choose(msg("Copy an effect."), copy_effect.offer(cap, effect=OneOf(options)))

    return step


@move(
    title="Copy an effect",
    help="Carry out this effect as if it were printed on your card.",
    args={"effect": "Effect"},
)
def copy_effect(table: MillenniumBlades, cap: int | None, effect: AbilityReference) -> Outcome:
    """Carry out an effect of another card as if it were printed on this card."""
    current = table.current_effect
    design, index = effect
    return start_ability(current.card, design, index, current.subject, cap).by(current.seat)
