"""Updates: helpers that move cards and change what lies before a seat, by making new frozen records."""

from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from games.kernel.language.visibility import Seat


class HasPlayers(Protocol):
    """A state with a record for each seat, in the order of seats."""

    @property
    def players(self) -> tuple[Any, ...]:
        """What lies before each seat."""


S = TypeVar("S", bound=HasPlayers)
C = TypeVar("C")


def removed(cards: tuple[C, ...], card: C) -> tuple[C, ...]:
    """Return the cards without one of them; unchanged if it is not among them."""
    if card not in cards:
        return cards
    place = cards.index(card)
    return (*cards[:place], *cards[place + 1 :])


def update_player(state: S, seat: Seat, **changes: object) -> S:
    """Return the state with changes to what lies before a seat."""
    players = state.players
    changed = (*players[:seat], replace(players[seat], **changes), *players[seat + 1 :])
    return replace(state, players=changed)  # type: ignore[type-var]
