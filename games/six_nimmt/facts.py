"""6 nimmt!: its cards and options, its facts, its state, and how each fact changes the state."""

from typing import Literal

from msgspec.structs import replace

from games.kernel import CardData, Everyone, Fact, Names, Nobody, Owner, Record, Refusal, Seat, removed, update_player

Card = int
"""A card is its number, 1 to 104: there is one of each."""

Row = int
"""A row is its place on the table, 0 to 3. The place stays the same when the row is taken."""

Side = Literal["left", "right"]

POINTS_AT_START = 66
CARDS_IN_HAND = 10
ROWS = 4
ROW_LIMIT = 5
HIGHEST_CARD = 104


def heads(card: Card) -> int:
    """Count the bull heads on a card: 55 has 7, other doubles 5, tens 3, fives 2, the rest 1."""
    if card == 55:
        return 7
    if card % 11 == 0:
        return 5
    if card % 10 == 0:
        return 3
    return 2 if card % 5 == 0 else 1


HEADS = tuple(heads(card) for card in range(HIGHEST_CARD + 1))


class NumberCard(CardData, frozen=True):
    help = """A card: its name is its number. `heads` is the number of points that a player loses for taking it."""

    heads: int


CATALOGUE = {
    str(card): NumberCard(Names(en=str(card), fr=str(card)), HEADS[card]) for card in range(1, HIGHEST_CARD + 1)
}


class Options(Record, frozen=True, forbid_unknown_fields=True):
    help = """The variants of 6 nimmt!.

    tactic: the deck has only the cards 1 to 10 × seats + 4. logic: hands are drafted from face-up cards; this needs
    the Tactic deck and implies it. logic_rows: with Logic, the rows open with the four cards that are left over from
    the draft (leftover), or with four cards dealt before it (dealt_first). professional: rows grow at both ends.
    """

    tactic: Everyone[bool | None] = None
    logic: Everyone[bool] = False
    logic_rows: Everyone[Literal["leftover", "dealt_first"] | None] = None
    professional: Everyone[bool] = False

    def resolve(self, seats: int) -> "Options":
        """Return the complete options; refuse those that contradict each other."""
        if self.logic and self.tactic is False:
            raise Refusal("bad-options", "logic is played with the Tactic deck: leave tactic out, or set it")
        if not self.logic and self.logic_rows is not None:
            raise Refusal("bad-options", "logic_rows says how Logic opens the rows: it needs logic")
        rows = self.logic_rows or "leftover" if self.logic else None
        return replace(self, tactic=self.logic or bool(self.tactic), logic_rows=rows)


class RoundBegun(Fact, frozen=True):
    help = """A round began: all cards are in the deck again, and the points stay as they are."""

    round: Everyone[int]


class HandDealt(Fact, frozen=True):
    help = """A seat was dealt its hand for the round."""

    seat: Everyone[Seat]
    cards: Owner[tuple[Card, ...]]


class RowsOpened(Fact, frozen=True):
    help = """The rows were opened with one card each. `aside` holds the cards that nobody sees in this round."""

    cards: Everyone[tuple[Card, ...]]
    aside: Nobody[tuple[Card, ...]]


class PoolLaidOut(Fact, frozen=True):
    help = """Logic: the cards to draft from were laid out face up."""

    cards: Everyone[tuple[Card, ...]]


class Drafted(Fact, frozen=True):
    help = """Logic: a seat took a card from the pool into its hand."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class LaidFaceDown(Fact, frozen=True):
    help = """A seat laid a card from its hand face down."""

    seat: Everyone[Seat]
    card: Owner[Card]


class TurnedUp(Fact, frozen=True):
    help = """The cards that were laid were turned up: one entry for each seat."""

    cards: Everyone[tuple[Card, ...]]


class PutInRow(Fact, frozen=True):
    help = """A card that was turned up was put at an end of a row."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    row: Everyone[Row]
    side: Everyone[Side] = "right"


class TookRow(Fact, frozen=True):
    help = """A seat took the cards of a row and lost a point for each head on them."""

    seat: Everyone[Seat]
    row: Everyone[Row]
    cards: Everyone[tuple[Card, ...]]
    heads: Everyone[int]


class Player(Record, frozen=True):
    help = """The cards and points of a seat.

    hand: the cards in hand. known: with Logic, the cards in hand or face down that all players saw the seat draft.
    laid: the card that lies face down. turned_up: the same card once all are turned up, until it is placed. taken:
    the cards that the seat took in this round.
    """

    seat: Everyone[Seat]
    hand: Owner[tuple[Card, ...]] = ()
    known: Everyone[tuple[Card, ...]] = ()
    laid: Owner[Card | None] = None
    turned_up: Everyone[Card | None] = None
    taken: Everyone[tuple[Card, ...]] = ()
    points: Everyone[int] = POINTS_AT_START


class State(Record, frozen=True):
    help = """The table: the seats, the four rows, the pool of cards to draft from, and the cards that nobody sees."""

    options: Everyone[Options]
    players: Everyone[tuple[Player, ...]]
    round: Everyone[int] = 0
    rows: Everyone[tuple[tuple[Card, ...], ...]] = ()
    pool: Everyone[tuple[Card, ...]] = ()
    aside: Nobody[tuple[Card, ...]] = ()


FACTS = (RoundBegun, HandDealt, RowsOpened, PoolLaidOut, Drafted, LaidFaceDown, TurnedUp, PutInRow, TookRow)


def initial_state(options: Options, seats: int) -> State:
    """Return the table before the first round."""
    return State(options, tuple(Player(seat) for seat in range(seats)))


def evolve(state: State, fact: Fact) -> State:
    """Return the state after a fact."""
    match fact:
        case LaidFaceDown(seat, card):
            hand = removed(state.players[seat].hand, card)
            return update_player(state, seat, hand=hand, laid=card)
        case PutInRow(seat, card, row, side):
            cards = (card, *state.rows[row]) if side == "left" else (*state.rows[row], card)
            return with_row(update_player(state, seat, turned_up=None), row, cards)
        case TookRow(seat, row, cards, lost):
            player = state.players[seat]
            changed = update_player(state, seat, taken=(*player.taken, *cards), points=player.points - lost)
            return with_row(changed, row, ())
        case TurnedUp(cards):
            return replace(state, players=tuple(map(_turned_up, state.players, cards)))
        case Drafted(seat, card):
            player = state.players[seat]
            known = tuple(sorted((*player.known, card)))
            changed = update_player(state, seat, hand=known, known=known)
            return replace(changed, pool=removed(state.pool, card))
        case HandDealt(seat, cards):
            return update_player(state, seat, hand=cards)
        case PoolLaidOut(cards):
            return replace(state, pool=cards)
        case RowsOpened(cards, aside):
            opened = frozenset(cards)
            pool = tuple(card for card in state.pool if card not in opened)
            return replace(state, rows=tuple((card,) for card in cards), pool=pool, aside=aside)
        case RoundBegun(number):
            players = tuple(Player(player.seat, points=player.points) for player in state.players)
            return State(state.options, players, number)
    raise TypeError(f"not a fact of 6 nimmt!: {fact}")


def _turned_up(player: Player, card: Card) -> Player:
    return replace(player, laid=None, turned_up=card, known=removed(player.known, card))


def with_row(state: State, row: Row, cards: tuple[Card, ...]) -> State:
    """Return the state with other cards in a row."""
    return replace(state, rows=(*state.rows[:row], cards, *state.rows[row + 1 :]))
