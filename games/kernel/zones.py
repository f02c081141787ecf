"""Zones: what rulebooks do with cards and with what lies before a seat, as new values of frozen records."""

from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from games.kernel.sight import Seat


class Seated(Protocol):
    """A state with a record for each seat, in the order of seats."""

    @property
    def players(self) -> tuple[Any, ...]:
        """What lies before each seat."""


S = TypeVar("S", bound=Seated)
C = TypeVar("C")


def without(cards: tuple[C, ...], card: C) -> tuple[C, ...]:
    """Give the cards but for one; the same cards where it is not among them."""
    if card not in cards:
        return cards
    place = cards.index(card)
    return (*cards[:place], *cards[place + 1 :])


def with_player(state: S, seat: Seat, **changes: object) -> S:
    """Give the state with something else before a seat."""
    players = state.players
    changed = (*players[:seat], replace(players[seat], **changes), *players[seat + 1 :])
    return replace(state, players=changed)  # type: ignore[type-var]
