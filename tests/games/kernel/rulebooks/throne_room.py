"""A throne room: cards whose effects nest, such as a card that plays another one twice.

An example of effects as arguments, of questions in the middle of effects, and of a group in a group: everybody plays
at the same time, and some cards make everybody else discard.
"""

import sys
from pathlib import Path

from msgspec.structs import replace

from games.kernel import (
    Effect,
    Everyone,
    Fact,
    Finished,
    Nobody,
    OneOf,
    Outcome,
    Owner,
    Record,
    Rulebook,
    Seat,
    SomeOf,
    Table,
    choose,
    constraint,
    move,
    msg,
    rank_seats,
    rule,
    together,
)
from tests.games.kernel.rulebooks.scene import Options

Card = int
"""A card is its number; what it is called is in KINDS."""

HAND = 4
TURNS = 3
KINDS = (*["throne room"] * 5, *["remodel"] * 6, *["militia"] * 4, *["smithy"] * 6, *["feast"] * 4, *["copper"] * 9)
COST = {"throne room": 4, "remodel": 4, "militia": 4, "smithy": 3, "feast": 2, "copper": 0}
SUPPLY = 12
"""So many cards lie open to be gained; the rest is shuffled."""


def cost(card: Card) -> int:
    """What a card costs."""
    return COST[KINDS[card]]


class Shuffled(Fact, frozen=True):
    """The stock was shuffled, and the rest laid out."""

    stock: Nobody[tuple[Card, ...]]
    supply: Everyone[tuple[Card, ...]]


class Drew(Fact, frozen=True):
    """A seat drew cards from the top of the stock."""

    seat: Everyone[Seat]
    cards: Owner[tuple[Card, ...]]


class TurnBegun(Fact, frozen=True):
    """A turn began."""

    turn: Everyone[int]


class Played(Fact, frozen=True):
    """A seat played a card from its hand."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class PlayedAgain(Fact, frozen=True):
    """The text of a card is carried out once more."""

    seat: Everyone[Seat]


class Trashed(Fact, frozen=True):
    """A card left the game."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class Gained(Fact, frozen=True):
    """A seat took a card from the supply to its hand."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class Discarded(Fact, frozen=True):
    """A seat discarded cards."""

    seat: Everyone[Seat]
    cards: Everyone[tuple[Card, ...]]


class Player(Record, frozen=True):
    """What a seat holds and what it has put away."""

    seat: Everyone[Seat]
    hand: Owner[tuple[Card, ...]] = ()
    away: Everyone[tuple[Card, ...]] = ()


class State(Record, frozen=True):
    """The players, the supply and the stock."""

    players: Everyone[tuple[Player, ...]]
    supply: Everyone[tuple[Card, ...]] = ()
    stock: Nobody[tuple[Card, ...]] = ()
    trash: Everyone[tuple[Card, ...]] = ()
    turn: Everyone[int] = 0


FACTS = (Shuffled, Drew, TurnBegun, Played, PlayedAgain, Trashed, Gained, Discarded)


class ThroneRoom(Table[State]):
    """The table of the throne room."""

    __slots__ = ()

    @property
    def hand(self) -> tuple[Card, ...]:
        """The hand of the seat that acts."""
        return self.state.players[self.seat].hand

    @property
    def seats(self) -> range:
        """All seats."""
        return range(len(self.state.players))


@rule
def play(table: ThroneRoom) -> Outcome:
    """Shuffle, deal, and take turns."""
    return shuffle(), *(draw(HAND).by(seat) for seat in table.seats), take_turns()


@rule
def shuffle(table: ThroneRoom) -> Outcome:
    """Nobody knows the stock."""
    cards = table.chance.shuffled(range(len(KINDS)))
    return Shuffled(cards[SUPPLY:], tuple(sorted(cards[:SUPPLY])))


@rule
def take_turns(table: ThroneRoom) -> Outcome:
    """Everybody plays a card at the same time, three times."""
    if table.state.turn == TURNS:
        return end()
    everybody = together(*(play_a_card().by(seat) for seat in table.seats))
    return TurnBegun(table.state.turn + 1), everybody, take_turns()


@rule
def end(table: ThroneRoom) -> Outcome:
    """The dearest hand wins."""
    points = tuple(sum(map(cost, player.hand)) for player in table.state.players)
    return Finished(points, rank_seats(points))


@rule
def play_a_card(table: ThroneRoom) -> Outcome:
    """Any card of the hand."""
    return choose(msg("Play a card."), play_card.offer(card=OneOf(table.hand)))


@move(title="Play card", help="Play card.", args={"card": "Card"})
def play_card(table: ThroneRoom, card: Card) -> Outcome:
    """A card is put away and its text is carried out."""
    return Played(table.seat, card), *TEXT[KINDS[card]]


@rule
def play_one_twice(table: ThroneRoom) -> Outcome:
    """A card of the hand is played twice."""
    return choose(msg("Play a card twice."), play_twice.offer(card=OneOf(table.hand)))


@move(title="Play twice", help="Play twice.", args={"card": "Card"})
def play_twice(table: ThroneRoom, card: Card) -> Outcome:
    """The second time waits until the first is over."""
    text = TEXT[KINDS[card]]
    return Played(table.seat, card), *text, once_more(text)


@rule
def once_more(table: ThroneRoom, text: tuple[Effect, ...]) -> Outcome:
    """The text of a card that is not in the hand any more."""
    return PlayedAgain(table.seat), *text


@rule
def remodel(table: ThroneRoom) -> Outcome:
    """Trash a card from your hand. Gain one that costs up to 2 more."""
    return choose(msg("Trash a card."), trash_for_a_better_one.offer(card=OneOf(table.hand)))


@move(title="Trash for a better one", help="Trash for a better one.", args={"card": "Card"})
def trash_for_a_better_one(table: ThroneRoom, card: Card) -> Outcome:
    """The card that is gained may cost up to 2 more."""
    return Trashed(table.seat, card), gain_up_to(cost(card) + 2)


@rule
def gain_up_to(table: ThroneRoom, most: int) -> Outcome:
    """Gain a card of the supply."""
    options = tuple(card for card in table.state.supply if cost(card) <= most)
    return choose(msg("Gain a card that costs up to {most}.", most=most), gain.offer(card=OneOf(options)))


@move(title="Gain", help="Gain.", args={"card": "Card"})
def gain(table: ThroneRoom, card: Card) -> Outcome:
    """To the hand."""
    return Gained(table.seat, card)


@rule
def each_other_discards_down_to(table: ThroneRoom, number: int) -> Outcome:
    """All others at the same time."""
    others = (seat for seat in table.seats if seat != table.seat)
    return together(*(discard_down_to(number).by(seat) for seat in others))


@rule
def discard_down_to(table: ThroneRoom, number: int) -> Outcome:
    """The seat chooses which."""
    excess = len(table.hand) - number
    if excess <= 0:
        return None
    return choose(msg("Discard {excess}.", excess=excess), discard.offer(cards=SomeOf(table.hand, excess, excess)))


@move(title="Discard", help="Discard.", args={"cards": "Cards"})
def discard(table: ThroneRoom, cards: tuple[Card, ...]) -> Outcome:
    """Cards are put away."""
    return Discarded(table.seat, cards)


@rule
def draw(table: ThroneRoom, number: int) -> Outcome:
    """Cards from the top of the stock."""
    cards = table.state.stock[:number]
    return Drew(table.seat, cards) if cards else None


@constraint(msg("The cards discarded must be of different cost."))
def of_different_cost(table: ThroneRoom, cards: tuple[Card, ...]) -> bool:
    """A restriction on combinations."""
    return len({cost(card) for card in cards}) == len(cards)


@rule
def discard_for_cards(table: ThroneRoom) -> Outcome:
    """Discard up to 2 cards of different cost; draw as many."""
    return choose(
        msg("Discard."), replace_cards.offer(cards=SomeOf(table.hand, 0, 2), constraints=(of_different_cost,))
    )


@move(title="Replace cards", help="Replace cards.", args={"cards": "Cards"})
def replace_cards(table: ThroneRoom, cards: tuple[Card, ...]) -> Outcome:
    """As many as were discarded."""
    return Discarded(table.seat, cards), draw(len(cards))


TEXT: dict[str, tuple[Effect, ...]] = {
    "throne room": (play_one_twice(),),
    "remodel": (remodel(),),
    "militia": (draw(1), each_other_discards_down_to(2)),
    "smithy": (draw(3),),
    "feast": (discard_for_cards(),),
    "copper": (),
}


def set_up(options: Options, seats: int) -> State:
    """Nobody holds anything."""
    return State(tuple(Player(seat) for seat in range(seats)))


def evolve(state: State, fact: Fact) -> State:
    """Return the state after a fact."""
    match fact:
        case Shuffled(stock, supply):
            return replace(state, stock=stock, supply=supply)
        case Drew(seat, cards):
            return _with_hand(replace(state, stock=state.stock[len(cards) :]), seat, gained=cards)
        case TurnBegun(turn):
            return replace(state, turn=turn)
        case Played(seat, card):
            return _put_away(_with_hand(state, seat, lost=(card,)), seat, (card,))
        case PlayedAgain():
            return state
        case Trashed(seat, card):
            return _with_hand(replace(state, trash=(*state.trash, card)), seat, lost=(card,))
        case Gained(seat, card):
            supply = tuple(other for other in state.supply if other != card)
            return _with_hand(replace(state, supply=supply), seat, gained=(card,))
        case Discarded(seat, cards):
            return _put_away(_with_hand(state, seat, lost=cards), seat, cards)
    raise TypeError(f"not a fact of the throne room: {fact}")


def _with_hand(state: State, seat: Seat, gained: tuple[Card, ...] = (), lost: tuple[Card, ...] = ()) -> State:
    kept = tuple(card for card in state.players[seat].hand if card not in lost)
    return _with_player(state, seat, hand=(*kept, *gained))


def _put_away(state: State, seat: Seat, cards: tuple[Card, ...]) -> State:
    return _with_player(state, seat, away=(*state.players[seat].away, *cards))


def _with_player(state: State, seat: Seat, **changes: object) -> State:
    players = state.players
    return replace(state, players=(*players[:seat], replace(players[seat], **changes), *players[seat + 1 :]))


THRONE_ROOM = Rulebook(
    id="throne-room",
    edition=1,
    names={"en": "Throne room", "fr": "Salle du trône"},
    seats=range(1, 5),
    options=Options,
    initial_state=set_up,
    initial_effect=play(),
    table=ThroneRoom,
    state=State,
    facts=FACTS,
    evolve=evolve,
    rules=[sys.modules[__name__]],
    rule_names=Path(__file__).parent / "throne_room_rule_names.txt",
)
