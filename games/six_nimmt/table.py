"""The table of 6 nimmt! as its rules see it."""

from games.kernel import Seat, Table
from games.six_nimmt.facts import CARDS_IN_HAND, HIGHEST_CARD, ROW_LIMIT, ROWS, Card, Row, Side, State

End = tuple[Row, Side]


class SixNimmt(Table[State]):
    """Values that the rules work out from the state."""

    __slots__ = ()

    @property
    def seats(self) -> range:
        """The seats in turn order."""
        return range(len(self.state.players))

    @property
    def deck(self) -> range:
        """The cards of a round: all, or with Tactic only 1 to 10 × seats + 4."""
        if self.state.options.tactic:
            return range(1, CARDS_IN_HAND * len(self.seats) + ROWS + 1)
        return range(1, HIGHEST_CARD + 1)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The hand of the seat that acts."""
        return self.state.players[self.seat].hand

    @property
    def hands_are_empty(self) -> bool:
        """Has the last card of the round been played?"""
        return not self.state.players[0].hand

    @property
    def hands_are_drafted(self) -> bool:
        """Has each seat drafted its ten cards?"""
        return all(len(player.hand) == CARDS_IN_HAND for player in self.state.players)

    @property
    def drafter(self) -> Seat:
        """The seat whose turn it is to draft. Seat 0 starts in the first round, seat 1 in the second, and so on."""
        drafted = sum(len(player.hand) for player in self.state.players)
        return (self.state.round - 1 + drafted) % len(self.seats)

    @property
    def lowest(self) -> tuple[Card, Seat] | None:
        """The lowest card that is turned up and not placed yet, and its seat; None when all are placed."""
        unplaced = ((player.turned_up, player.seat) for player in self.state.players if player.turned_up is not None)
        return min(unplaced, default=None)

    def ends_for(self, card: Card) -> tuple[End, ...]:
        """Return the ends of rows at the smallest difference from a card, in order of rows.

        A card fits at the right end if it is higher than the last card of the row, and with Professional at the left
        end if it is lower than the first card.
        """
        rows = self.state.rows
        candidates: list[tuple[int, Row, Side]] = [
            (card - row[-1], number, "right") for number, row in enumerate(rows) if row[-1] < card
        ]
        if self.state.options.professional:
            candidates += [(row[0] - card, number, "left") for number, row in enumerate(rows) if card < row[0]]
        smallest = min(candidates, default=(0, 0, "right"))[0]
        return tuple(sorted((row, side) for difference, row, side in candidates if difference == smallest))

    def is_full(self, row: Row) -> bool:
        """Does a row hold five cards?"""
        return len(self.state.rows[row]) == ROW_LIMIT
