"""6 nimmt!: the questions that its rules ask of the table."""

from games.kernel import Seat, Table
from games.six_nimmt.facts import CARDS_IN_HAND, HIGHEST_CARD, ROW_LIMIT, ROWS, Card, Row, Side, State

End = tuple[Row, Side]


class SixNimmt(Table[State]):
    """A table of 6 nimmt!."""

    __slots__ = ()

    @property
    def seats(self) -> range:
        """The seats in turn order."""
        return range(len(self.state.players))

    @property
    def deck(self) -> range:
        """The cards of a round: all, or with Tactic only those from 1 to 10 × seats + 4."""
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
        """Whose turn it is to draft: seat 0 begins the first round, the next seat the next, then clockwise."""
        drafted = sum(len(player.hand) for player in self.state.players)
        return (self.state.round - 1 + drafted) % len(self.seats)

    @property
    def lowest(self) -> tuple[Card, Seat] | None:
        """The lowest card that is turned up and not placed yet, and whose it is."""
        waiting = ((player.turned_up, player.seat) for player in self.state.players if player.turned_up is not None)
        return min(waiting, default=None)

    def ends_for(self, card: Card) -> tuple[End, ...]:
        """The ends of rows that a card may join: those at the smallest difference, in order of rows.

        A card joins a row on the right when it is higher than the last card; with Professional also on the left
        when it is lower than the first.
        """
        rows = self.state.rows
        reachable: list[tuple[int, Row, Side]] = [
            (card - row[-1], place, "right") for place, row in enumerate(rows) if row[-1] < card
        ]
        if self.state.options.professional:
            reachable += [(row[0] - card, place, "left") for place, row in enumerate(rows) if card < row[0]]
        nearest = min(reachable, default=(0, 0, "right"))[0]
        return tuple(sorted(reach[1:] for reach in reachable if reach[0] == nearest))

    def is_full(self, row: Row) -> bool:
        """Does a row hold five cards?"""
        return len(self.state.rows[row]) == ROW_LIMIT
