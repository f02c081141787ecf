"""Millennium Blades: helpers that find and change cards in the state."""

from msgspec.structs import replace

from games.kernel import Seat, update_player
from games.millennium_blades.catalogue import Card, set_id
from games.millennium_blades.facts import Area
from games.millennium_blades.state import Back, InPlay, Player, State


def top_back(cards: tuple[Card, ...]) -> Back | None:
    """Return the back of the top card of a Store deck, which is its last card."""
    return set_id(cards[-1]) if cards else None


def without_all(cards: tuple[Card, ...], removed: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards without the removed ones."""
    return tuple([card for card in cards if card not in removed])


def card_area(player: Player, card: Card) -> Area:
    """Return the area in which a card of a player lies during Deckbuilding."""
    if card in player.deck:
        return "deck"
    return "collection" if card in player.collection else "binder"


def card_seat(state: State, card: Card) -> Seat | None:
    """Return the seat whose play area holds a card, attached cards included, or None."""
    for player in state.players:
        for zone in (player.tableau, player.equipment):
            for in_play in zone:
                if in_play.card == card or card in in_play.attached:
                    return player.seat
    return None


def with_card(state: State, card: Card, **changes: object) -> State:
    """Return the state with a card in play changed."""
    for player in state.players:
        for zone, cards in (("tableau", player.tableau), ("equipment", player.equipment)):
            for place, in_play in enumerate(cards):
                if in_play.card == card:
                    changed = (*cards[:place], replace(in_play, **changes), *cards[place + 1 :])
                    return update_player(state, player.seat, **{zone: changed})
    return state


def card_in_play(state: State, card: Card) -> InPlay | None:
    """Return a card in play, or None."""
    for player in state.players:
        for in_play in (*player.tableau, *player.equipment):
            if in_play.card == card:
                return in_play
    return None
