"""Millennium Blades: flipping. An effect names cards; Reactions are offered; then the cards are turned face down."""

from games.kernel import Fact, Offer, OneOf, Outcome, Seat, SomeOf, choose, move, msg, rule
from games.millennium_blades.board.card_script import CardInPlay, ReactionEvent, ability
from games.millennium_blades.catalogue import Card
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.facts import (
    AboutToFlip,
    Flipped,
    FlipPrevented,
    ReactionUsed,
    Triggered,
    Unflipped,
)
from games.millennium_blades.tournament.resolution import decline, losses


@rule
def flip(table: MillenniumBlades, cards: tuple[Card, ...]) -> Outcome:
    """The current effect flips cards. Protected cards stay face up; then the owners of the others may react."""
    you, board = table.current_effect.seat, table.board
    in_play = [board.by_card[card] for card in cards if card in board.by_card]
    chosen = [card for card in in_play if card.face_up and not board.is_protected(card.card, you)]
    if not chosen:
        return None
    owners = {card.seat for card in chosen} - {you}
    reacting = [seat for seat in table.clockwise_from(table.state.active or 0) if seat in owners]
    about_to_flip = AboutToFlip(tuple(card.card for card in chosen))
    return about_to_flip, *(offer_flip_reactions().by(seat) for seat in reacting), flip_face_down()


@move(title="Flip a card", help="Turn this card face down.", args={"card": "Card"})
def flip_card(table: MillenniumBlades, card: Card) -> Outcome:
    """Flip the chosen card."""
    return flip((card,))


@move(title="Flip cards", help="Turn these cards face down.", args={"cards": "Cards"})
def flip_cards(table: MillenniumBlades, cards: tuple[Card, ...]) -> Outcome:
    """Flip the chosen cards."""
    return flip(cards)


@rule
def offer_flip_reactions(table: MillenniumBlades) -> Outcome:
    """Before an opponent's effect flips their cards, a player may react."""
    board = table.board
    pending = [board.by_card[card] for card in table.current_effect.pending]
    cards = tuple(card.card for card in pending if card.seat == table.seat and card.zone == "tableau")
    if not cards:
        return None
    keeps_one = table.reactions(table.seat, ReactionEvent.ONE_CARD_WOULD_FLIP)
    keeps_all = table.reactions(table.seat, ReactionEvent.CARDS_WOULD_FLIP)
    offers: tuple[Offer, ...] = (
        keep_one_face_up.offer(reaction=OneOf(keeps_one), card=OneOf(cards)),
        keep_all_face_up.offer(reaction=OneOf(keeps_all)),
    )
    if not any(offer.is_possible for offer in offers):
        return None
    return choose(msg("Your cards are about to be flipped."), *offers, decline.offer())


@move(
    title="Keep a card face up",
    help="Use a Reaction: one of your cards is not flipped.",
    args={"reaction": "Reaction", "card": "Card to keep face up"},
)
def keep_one_face_up(table: MillenniumBlades, reaction: Card, card: Card) -> Outcome:
    """A Reaction keeps one card face up."""
    used = ReactionUsed(table.seat, reaction)
    return used, *flip_as_cost(table, reaction), FlipPrevented((card,)), offer_flip_reactions()


@move(
    title="Keep all cards face up",
    help="Use a Reaction: none of your cards is flipped.",
    args={"reaction": "Reaction"},
)
def keep_all_face_up(table: MillenniumBlades, reaction: Card) -> Outcome:
    """A Reaction keeps all of the player's cards face up."""
    cards = tuple(card.card for card in table.board.tableaus[table.seat])
    return ReactionUsed(table.seat, reaction), *flip_as_cost(table, reaction), FlipPrevented(cards)


@rule
def flip_face_down(table: MillenniumBlades) -> Outcome:
    """Turn the pending cards face down together; then their Flip effects are triggered."""
    board, by = table.board, table.current_effect.seat
    cards = [board.by_card[card] for card in table.current_effect.pending]
    return *(_flipped(card, by) for card in cards), *(trigger for card in cards for trigger in _flip_triggers(card))


@rule
def flip_without_triggers(table: MillenniumBlades, cards: tuple[Card, ...]) -> Outcome:
    """Flip cards and suppress their Flip effects."""
    board, by = table.board, table.current_effect.seat
    return tuple(_flipped(board.by_card[card], by) for card in cards if board.by_card[card].face_up)


@rule
def flip_source(table: MillenniumBlades, card: Card) -> Outcome:
    """Flip a card whose Action is done. Nothing happens if it is face down already, or is attached, or a character."""
    in_play = table.board.by_card.get(card)
    if in_play is None or not in_play.face_up or in_play.zone == "attached" or in_play.rarity == "":
        return None
    return flip_as_cost(table, card)


@rule
def unflip(table: MillenniumBlades, card: Card) -> Outcome:
    """Turn a face-down card face up."""
    return Unflipped(table.board.by_card[card].seat, card)


@move(title="Lose reputation", help="Lose reputation instead of flipping cards.")
def lose_reputation(table: MillenniumBlades, points: int) -> Outcome:
    """The player loses reputation instead of flipping cards."""
    return losses(table, table.seat, points)


@rule
def flip_or_lose_reputation(table: MillenniumBlades, number: int, points: int) -> Outcome:
    """The player either flips a number of their own cards or loses reputation."""
    board, by = table.board, table.current_effect.seat
    cards = tuple(card.card for card in board.face_up(table.seat) if not board.is_protected(card.card, by))
    if len(cards) < number:
        return lose_reputation(points)
    return choose(
        msg("Flip your own cards, or lose reputation."),
        flip_cards.offer(cards=SomeOf(cards, number, number)),
        lose_reputation.offer(points),
    )


def flip_as_cost(table: MillenniumBlades, card: Card) -> tuple[Fact, ...]:
    """Return the facts of a flip that pays for an Action or a Reaction; no effect causes it."""
    in_play = table.board.by_card[card]
    return _flipped(in_play, in_play.seat, as_cost=True), *_flip_triggers(in_play)


def _flipped(card: CardInPlay, by: Seat, *, as_cost: bool = False) -> Flipped:
    has_score_effect = any(ability(reference).keyword == "score" for reference in card.abilities)
    return Flipped(card.seat, card.card, card.stars, card.elements, card.types, has_score_effect, as_cost, by)


def _flip_triggers(card: CardInPlay) -> list[Fact]:
    flip_effects = [reference for reference in card.abilities if ability(reference).keyword == "flip"]
    return [Triggered(card.seat, card.card, *reference) for reference in flip_effects]
