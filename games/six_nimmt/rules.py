"""6 nimmt!: the rules. Source: the owner's help page of the game, and docs/rulings.md where it is silent."""

from games.kernel import Finished, OneOf, Outcome, choose, move, msg, rank_seats, rule, together
from games.six_nimmt.facts import (
    CARDS_IN_HAND,
    HEADS,
    ROWS,
    Card,
    Drafted,
    HandDealt,
    LaidFaceDown,
    PoolLaidOut,
    PutInRow,
    RoundBegun,
    Row,
    RowsOpened,
    Side,
    TookRow,
    TurnedUp,
)
from games.six_nimmt.table import SixNimmt


@rule
def play_round(table: SixNimmt) -> Outcome:
    """Everybody gets ten cards, four cards open the rows, ten turns are played, then it is seen whether it goes on."""
    deal = draft_hands if table.state.options.logic else deal_hands
    return RoundBegun(table.state.round + 1), deal(), turn()


@rule
def deal_hands(table: SixNimmt) -> Outcome:
    """Each player starts with ten cards in hand; four cards are put on the table to start the rows."""
    deck = table.chance.shuffled(table.deck)
    hands = [deck[seat * CARDS_IN_HAND : (seat + 1) * CARDS_IN_HAND] for seat in table.seats]
    rest = deck[len(table.seats) * CARDS_IN_HAND :]
    dealt = tuple(HandDealt(seat, tuple(sorted(hand))) for seat, hand in zip(table.seats, hands, strict=True))
    return *dealt, RowsOpened(rest[:ROWS], rest[ROWS:])


@rule
def draft_hands(table: SixNimmt) -> Outcome:
    """Logic: all cards lie face up, and players in turn choose one until all are taken."""
    deck = table.chance.shuffled(table.deck)
    if table.state.options.logic_rows == "dealt_first":
        return RowsOpened(deck[:ROWS], ()), PoolLaidOut(tuple(sorted(deck[ROWS:]))), draft()
    return PoolLaidOut(tuple(sorted(deck))), draft(), open_rows_with_the_rest()


@rule
def draft(table: SixNimmt) -> Outcome:
    """Logic: one card a turn, clockwise, until each has ten."""
    if table.hands_are_drafted:
        return None
    return draft_a_card().by(table.drafter), draft()


@rule
def draft_a_card(table: SixNimmt) -> Outcome:
    """Logic: a player chooses one of the cards that lie face up."""
    return choose(msg("Take a card into your hand."), take_card.offer(card=OneOf(table.state.pool)))


@move(
    title="Take a card",
    help="Take one of the face-up cards into your hand.",
    args={"card": "Card"},
)
def take_card(table: SixNimmt, card: Card) -> Outcome:
    """Logic: the card chosen belongs to the player's hand."""
    return Drafted(table.seat, card)


@rule
def open_rows_with_the_rest(table: SixNimmt) -> Outcome:
    """Logic: the four cards that are left over start the rows, in ascending order."""
    return RowsOpened(table.state.pool, ())


@rule
def turn(table: SixNimmt) -> Outcome:
    """Everybody lays a card face down; then they are turned up and placed, lowest first."""
    if table.hands_are_empty:
        return end_round()
    return together(*(lay_a_card().by(seat) for seat in table.seats)), turn_up(), turn()


@rule
def lay_a_card(table: SixNimmt) -> Outcome:
    """Each player secretly chooses a card."""
    return choose(msg("Lay a card face down."), lay.offer(card=OneOf(table.hand)))


@move(
    title="Lay a card",
    help="Lay a card of your hand face down. All cards are turned up together.",
    args={"card": "Card"},
)
def lay(table: SixNimmt, card: Card) -> Outcome:
    """The card chosen lies face down before the player until all have chosen."""
    return LaidFaceDown(table.seat, card)


@rule
def turn_up(table: SixNimmt) -> Outcome:
    """When all have chosen, all cards are revealed at the same time."""
    return TurnedUp(tuple(player.laid or 0 for player in table.state.players)), place_lowest_card()


@rule
def place_lowest_card(table: SixNimmt) -> Outcome:
    """Cards are placed one at a time, in ascending order."""
    if table.lowest is None:
        return None
    card, seat = table.lowest
    return place(card).by(seat), place_lowest_card()


@rule
def place(table: SixNimmt, card: Card) -> Outcome:
    """A card goes beside the card to which its difference is smallest; where there is none, its player takes a row."""
    ends = table.ends_for(card)
    if not ends:
        return take_a_row(card)
    if len(ends) > 1:
        return choose_an_end(card)
    return join_row(card, *ends[0])


@move(
    title="Add to a row",
    help="Put your card at an end of a row. If the row is full, take its five cards; your card starts the row anew.",
    args={"row": "Row", "side": "Side"},
)
def join_row(table: SixNimmt, card: Card, row: Row, side: Side) -> Outcome:
    """The sixth card of a row takes the other five, and is the first card of the row."""
    if table.is_full(row):
        return replace_row(card, row)
    return PutInRow(table.seat, card, row, side)


@rule
def take_a_row(table: SixNimmt, card: Card) -> Outcome:
    """A player whose card fits on no row takes the row of their choice."""
    return choose(msg("Take a row."), replace_row.offer(card, row=OneOf(tuple(range(ROWS)))))


@rule
def choose_an_end(table: SixNimmt, card: Card) -> Outcome:
    """Professional: at equal difference the player chooses, left of one row or right of another."""
    ends = table.ends_for(card)
    return choose(
        msg("Choose where your card goes."),
        *(join_row.offer(card, row=OneOf((row,)), side=OneOf((side,))) for row, side in ends),
    )


@move(
    title="Take a row",
    help="Take all cards of a row and lose a point for each bull head on them. Your card starts the row anew.",
    args={"row": "Row"},
)
def replace_row(table: SixNimmt, card: Card, row: Row) -> Outcome:
    """The player loses a point for each head on the cards of the row; the card played is its first card."""
    cards = table.state.rows[row]
    return TookRow(table.seat, row, cards, sum(HEADS[taken] for taken in cards)), PutInRow(table.seat, card, row)


@rule
def end_round(table: SixNimmt) -> Outcome:
    """When a player has lost all points the game is over, and the most points left win; else a new round is dealt."""
    points = tuple(player.points for player in table.state.players)
    if min(points) > 0:
        return play_round()
    return Finished(points, rank_seats(points, table.conceded_seats))
