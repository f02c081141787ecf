"""Millennium Blades: flipping. An effect says which cards; Reactions are asked; then the cards are turned face down."""

from games.kernel import Fact, Offer, OneOf, Outcome, Seat, SomeOf, choose, rule
from games.millennium_blades.catalogue import Card
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import CardInPlay, ability
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
    """The effect in hand flips cards. Protected ones stay face up, and others may react before it happens."""
    you, board = table.current_effect.seat, table.board
    faces = [board.by_card[card] for card in cards if card in board.by_card]
    chosen = [face for face in faces if face.face_up and not board.is_protected(face.card, you)]
    if not chosen:
        return None
    owners = {face.seat for face in chosen} - {you}
    guards = [seat for seat in table.clockwise_from(table.state.active or 0) if seat in owners]
    subject = AboutToFlip(tuple(face.card for face in chosen))
    return subject, *(offer_flip_reactions().by(seat) for seat in guards), flip_face_down()


@rule
def flip_card(table: MillenniumBlades, card: Card) -> Outcome:
    """A player flips the card chosen."""
    return flip((card,))


@rule
def flip_cards(table: MillenniumBlades, cards: tuple[Card, ...]) -> Outcome:
    """A player flips the cards chosen."""
    return flip(cards)


@rule
def offer_flip_reactions(table: MillenniumBlades) -> Outcome:
    """Before an opponent's effect flips his cards, a player may react."""
    board = table.board
    mine = tuple(card for card in table.current_effect.pending if board.by_card[card].seat == table.seat)
    in_tableau = tuple(card for card in mine if board.by_card[card].zone == "tableau")
    if not in_tableau:
        return None
    offers: tuple[Offer, ...] = (
        keep_one_face_up.offer(
            reaction=OneOf(table.reactions(table.seat, "one card would be flipped")), card=OneOf(in_tableau)
        ),
        keep_all_face_up.offer(reaction=OneOf(table.reactions(table.seat, "cards would be flipped"))),
    )
    if not any(offer.is_possible for offer in offers):
        return None
    return choose("Your cards are about to be flipped.", *offers, decline.offer())


@rule
def keep_one_face_up(table: MillenniumBlades, reaction: Card, card: Card) -> Outcome:
    """A Reaction keeps one card face up."""
    return (
        ReactionUsed(table.seat, reaction),
        *flip_as_cost(table, reaction),
        FlipPrevented((card,)),
        offer_flip_reactions(),
    )


@rule
def keep_all_face_up(table: MillenniumBlades, reaction: Card) -> Outcome:
    """A Reaction keeps all of the player's cards face up."""
    mine = tuple(it.card for it in table.board.tableaus[table.seat])
    return ReactionUsed(table.seat, reaction), *flip_as_cost(table, reaction), FlipPrevented(mine)


@rule
def flip_face_down(table: MillenniumBlades) -> Outcome:
    """The cards that nothing kept up are turned face down together; then their Flip effects are triggered."""
    board, by = table.board, table.current_effect.seat
    faces = [board.by_card[card] for card in table.current_effect.pending]
    return *(_flipped(face, by) for face in faces), *(it for face in faces for it in _flip_effects(face))


@rule
def flip_without_triggers(table: MillenniumBlades, cards: tuple[Card, ...]) -> Outcome:
    """Cards are flipped, and their Flip effects are suppressed."""
    board, by = table.board, table.current_effect.seat
    return tuple(_flipped(board.by_card[card], by) for card in cards if board.by_card[card].face_up)


@rule
def flip_source(table: MillenniumBlades, card: Card) -> Outcome:
    """When its Action is done, a card is flipped; if it lies face down or left its place, nothing happens."""
    face = table.board.by_card.get(card)
    if face is None or not face.face_up or face.zone == "attached" or face.rarity == "":
        return None
    return flip_as_cost(table, card)


@rule
def unflip(table: MillenniumBlades, card: Card) -> Outcome:
    """A face-down card is turned face up."""
    seat = table.board.by_card[card].seat
    return Unflipped(seat, card)


@rule
def lose_reputation(table: MillenniumBlades, points: int) -> Outcome:
    """A player loses reputation rather than to flip cards."""
    return losses(table, table.seat, points)


@rule
def flip_or_lose_reputation(table: MillenniumBlades, number: int, points: int) -> Outcome:
    """A player picks: so many of his own cards are flipped, or he loses reputation."""
    board = table.board
    mine = tuple(
        face.card for face in board.face_up(table.seat) if not board.is_protected(face.card, table.current_effect.seat)
    )
    if len(mine) < number:
        return lose_reputation(points)
    return choose(
        "Flip your own cards, or lose reputation.",
        flip_cards.offer(cards=SomeOf(mine, number, number)),
        lose_reputation.offer(points),
    )


def flip_as_cost(table: MillenniumBlades, card: Card) -> tuple[Fact, ...]:
    """Return the facts of a flip that no effect causes: the price of an Action or a Reaction."""
    face = table.board.by_card[card]
    return _flipped(face, face.seat, as_cost=True), *_flip_effects(face)


def _flipped(face: CardInPlay, by: Seat, *, as_cost: bool = False) -> Flipped:
    scored = any(ability(reference).kind == "score" for reference in face.abilities)
    return Flipped(face.seat, face.card, face.stars, face.elements, face.types, scored, as_cost, by)


def _flip_effects(face: CardInPlay) -> list[Fact]:
    return [
        Triggered(face.seat, face.card, *reference) for reference in face.abilities if ability(reference).kind == "flip"
    ]
