"""6 nimmt!: the rules. Source: the owner's help page of the game, and docs/rulings.md for what it leaves open."""

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
    """Play a round: everybody gets ten cards, four cards open the rows, and ten turns follow."""
    deal = draft_hands if table.state.options.logic else deal_hands
    return RoundBegun(table.state.round + 1), deal(), play_turn()


@rule
def deal_hands(table: SixNimmt) -> Outcome:
    """Deal ten cards to each player, and open the rows with four cards."""
    deck = table.chance.shuffled(table.deck)
    hands = [deck[seat * CARDS_IN_HAND : (seat + 1) * CARDS_IN_HAND] for seat in table.seats]
    remainder = deck[len(table.seats) * CARDS_IN_HAND :]
    facts = tuple(HandDealt(seat, tuple(sorted(hand))) for seat, hand in zip(table.seats, hands, strict=True))
    return *facts, RowsOpened(remainder[:ROWS], remainder[ROWS:])


@rule
def draft_hands(table: SixNimmt) -> Outcome:
    """Logic: lay out all cards face up, to be drafted by the players."""
    deck = table.chance.shuffled(table.deck)
    if table.state.options.logic_rows == "dealt_first":
        return RowsOpened(deck[:ROWS], ()), PoolLaidOut(tuple(sorted(deck[ROWS:]))), draft_next_card()
    return PoolLaidOut(tuple(sorted(deck))), draft_next_card(), open_rows_with_remainder()


@rule
def draft_next_card(table: SixNimmt) -> Outcome:
    """Logic: players take one card at a time, clockwise, until each has ten."""
    if table.hands_are_drafted:
        return None
    return choose_draft_card().by(table.drafter), draft_next_card()


@rule
def choose_draft_card(table: SixNimmt) -> Outcome:
    """Logic: ask a player which of the face-up cards to take."""
    return choose(msg("Take a card into your hand."), take_card.offer(card=OneOf(table.state.pool)))


@move(
    title="Take a card",
    help="Take one of the face-up cards into your hand.",
    args={"card": "Card"},
)
def take_card(table: SixNimmt, card: Card) -> Outcome:
    """Logic: a player takes a face-up card into their hand."""
    return Drafted(table.seat, card)


@rule
def open_rows_with_remainder(table: SixNimmt) -> Outcome:
    """Logic: open the rows with the four cards that are left over, in ascending order."""
    return RowsOpened(table.state.pool, ())


@rule
def play_turn(table: SixNimmt) -> Outcome:
    """Play a turn: everybody lays a card face down, then all cards are turned up and placed."""
    if table.hands_are_empty:
        return end_round()
    return together(*(choose_card().by(seat) for seat in table.seats)), turn_up_cards(), play_turn()


@rule
def choose_card(table: SixNimmt) -> Outcome:
    """Ask a player which card to lay."""
    return choose(msg("Lay a card face down."), lay.offer(card=OneOf(table.hand)))


@move(
    title="Lay a card",
    help="Lay a card of your hand face down. All cards are turned up together.",
    args={"card": "Card"},
)
def lay(table: SixNimmt, card: Card) -> Outcome:
    """A player lays a card face down; it stays so until all players have laid one."""
    return LaidFaceDown(table.seat, card)


@rule
def turn_up_cards(table: SixNimmt) -> Outcome:
    """Turn up all cards at the same time."""
    return TurnedUp(tuple(player.laid or 0 for player in table.state.players)), place_lowest_card()


@rule
def place_lowest_card(table: SixNimmt) -> Outcome:
    """Place the cards one at a time, in ascending order."""
    if table.lowest is None:
        return None
    card, seat = table.lowest
    return place_card(card).by(seat), place_lowest_card()


@rule
def place_card(table: SixNimmt, card: Card) -> Outcome:
    """Place a card at the end of a row with the smallest difference; if it fits nowhere, its player takes a row."""
    ends = table.ends_for(card)
    if not ends:
        return choose_row(card)
    if len(ends) > 1:
        return choose_end(card)
    return join_row(card, *ends[0])


@move(
    title="Add to a row",
    help="Put your card at an end of a row. If the row is full, take its five cards; your card starts the row anew.",
    args={"row": "Row", "side": "Side"},
)
def join_row(table: SixNimmt, card: Card, row: Row, side: Side) -> Outcome:
    """Put a card at an end of a row. If it is the sixth card, its player takes the other five."""
    if table.is_full(row):
        return replace_row(card, row)
    return PutInRow(table.seat, card, row, side)


@rule
def choose_row(table: SixNimmt, card: Card) -> Outcome:
    """Ask a player whose card fits nowhere which row to take."""
    return choose(msg("Take a row."), replace_row.offer(card, row=OneOf(tuple(range(ROWS)))))


@rule
def choose_end(table: SixNimmt, card: Card) -> Outcome:
    """Professional: ask a player to choose between two ends at the same difference."""
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
    """A player takes the cards of a row and loses a point for each head; the card played starts the row anew."""
    cards = table.state.rows[row]
    return TookRow(table.seat, row, cards, sum(HEADS[number] for number in cards)), PutInRow(table.seat, card, row)


@rule
def end_round(table: SixNimmt) -> Outcome:
    """End the game if a player has no points left; otherwise play another round. The most points win."""
    points = tuple(player.points for player in table.state.players)
    if min(points) > 0:
        return play_round()
    return Finished(points, rank_seats(points, table.conceded_seats))
