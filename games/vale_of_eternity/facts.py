"""The Vale of Eternity: the facts, the state, and how each fact changes the state."""

from typing import Literal

from msgspec.structs import replace

from games.kernel import Everyone, Fact, Nobody, Owner, Record, Seat, removed, update_player
from games.vale_of_eternity.catalogue import Card, Family
from games.vale_of_eternity.stones import Stones, remove_stones

Phase = Literal["hunting", "action", "resolution"]


class Options(Record, frozen=True, forbid_unknown_fields=True):
    help = """The options of a game.

    payments: with `strict`, a payment from which a stone could be left out is not allowed; with `lenient`, it is.
    """

    payments: Everyone[Literal["strict", "lenient"]] = "strict"

    def resolve(self, seats: int) -> "Options":
        """Return the options as they are: none of them depends on the number of seats."""
        return self


class FirstPlayerDrawn(Fact, frozen=True):
    help = """The first player of the game was drawn. Each player's points are now their rank in turn order, from 1."""

    first_player: Everyone[Seat]


class RoundBegun(Fact, frozen=True):
    help = """A round began, with a new first player."""

    round: Everyone[int]
    first_player: Everyone[Seat]


class PhaseBegun(Fact, frozen=True):
    help = """A phase of the round began."""

    phase: Everyone[Phase]


class TurnBegun(Fact, frozen=True):
    help = """A seat's turn began, in the action phase or in the resolution phase."""

    seat: Everyone[Seat]


class TurnEnded(Fact, frozen=True):
    help = """A seat's turn ended."""

    seat: Everyone[Seat]


class DrawPileShuffled(Fact, frozen=True):
    help = """Cards were shuffled into the draw pile: all cards at the start, later the whole discard pile."""

    cards: Nobody[tuple[Card, ...]]


class CardsRevealed(Fact, frozen=True):
    help = """Cards from the top of the draw pile were put on the board, where they can be hunted."""

    cards: Everyone[tuple[Card, ...]]


class CardHunted(Fact, frozen=True):
    help = """A seat marked a card of the board with one of its two markers. The card is now among its hunted cards."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class CardSold(Fact, frozen=True):
    help = """A seat sold a hunted card: the card was discarded. The stones follow as another fact."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class CardTamed(Fact, frozen=True):
    help = """A seat took a hunted card into its hand."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class CardSummoned(Fact, frozen=True):
    help = """A seat paid for a card of its hand and put it into its area."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    payment: Everyone[Stones]


class CardRemoved(Fact, frozen=True):
    help = """A seat paid to discard a card of its area."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    payment: Everyone[Stones]


class StonesGained(Fact, frozen=True):
    help = """A seat gained stones."""

    seat: Everyone[Seat]
    stones: Everyone[Stones]


class StonesDiscarded(Fact, frozen=True):
    help = """A seat gave up stones."""

    seat: Everyone[Seat]
    stones: Everyone[Stones]


class PointsScored(Fact, frozen=True):
    help = """A seat scored points."""

    seat: Everyone[Seat]
    points: Everyone[int]


class PointsLost(Fact, frozen=True):
    help = """A seat lost points."""

    seat: Everyone[Seat]
    points: Everyone[int]


class CardDrawn(Fact, frozen=True):
    help = """A seat drew the top card of the draw pile. Only this seat sees the card."""

    seat: Everyone[Seat]
    card: Owner[Card]


class CardDiscardedFromHand(Fact, frozen=True):
    help = """A seat discarded a card of its hand."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class CardDiscardedFromArea(Fact, frozen=True):
    help = """A seat discarded a card of its area."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class CardRecovered(Fact, frozen=True):
    help = """A card went from a seat's area back to its hand."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class CardTakenFromDiscardPile(Fact, frozen=True):
    help = """A seat took a card of the discard pile into its hand."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class CardPutOnDrawPile(Fact, frozen=True):
    help = """A card went from a seat's area to the top of the draw pile."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class ActivationBegun(Fact, frozen=True):
    help = """A seat began to use the active effects of these cards."""

    seat: Everyone[Seat]
    cards: Everyone[tuple[Card, ...]]


class CardActivated(Fact, frozen=True):
    help = """A seat used the active effect of a card. The facts of the effect follow."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class ActivationEnded(Fact, frozen=True):
    help = """A seat finished using its active effects. Those that it could not use are skipped."""

    seat: Everyone[Seat]


class EffectCopied(Fact, frozen=True):
    help = """A card copied the effect of another card in the same area, `source`. The facts of the effect follow."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    source: Everyone[Card]


class DiscardForced(Fact, frozen=True):
    help = """A seat chose a player, who must discard a card of a family from their area."""

    seat: Everyone[Seat]
    player: Everyone[Seat]
    family: Everyone[Family]


class Player(Record, frozen=True):
    help = """The stones, cards and points of one seat.

    hunted: the cards of the board that this seat marked, not yet sold or tamed. area: the summoned cards, the oldest
    first. pending_activations: while the seat uses its active effects, the cards whose effects it has not used yet.
    """

    seat: Everyone[Seat]
    points: Everyone[int] = 0
    stones: Everyone[Stones] = ()
    hunted: Everyone[tuple[Card, ...]] = ()
    hand: Owner[tuple[Card, ...]] = ()
    area: Everyone[tuple[Card, ...]] = ()
    pending_activations: Everyone[tuple[Card, ...]] = ()


class State(Record, frozen=True):
    help = """The state of the table.

    first_player: the first player of the round. active_player: the seat whose turn it is; null between turns and in
    the hunting phase. board: the cards that can be hunted. draw_pile: its top card first. discard_pile: its top card
    last.
    """

    options: Everyone[Options]
    players: Everyone[tuple[Player, ...]]
    round: Everyone[int] = 0
    phase: Everyone[Phase] = "hunting"
    first_player: Everyone[Seat] = 0
    active_player: Everyone[Seat | None] = None
    board: Everyone[tuple[Card, ...]] = ()
    draw_pile: Nobody[tuple[Card, ...]] = ()
    discard_pile: Everyone[tuple[Card, ...]] = ()


FACTS = (
    FirstPlayerDrawn,
    RoundBegun,
    PhaseBegun,
    TurnBegun,
    TurnEnded,
    DrawPileShuffled,
    CardsRevealed,
    CardHunted,
    CardSold,
    CardTamed,
    CardSummoned,
    CardRemoved,
    StonesGained,
    StonesDiscarded,
    PointsScored,
    PointsLost,
    CardDrawn,
    CardDiscardedFromHand,
    CardDiscardedFromArea,
    CardRecovered,
    CardTakenFromDiscardPile,
    CardPutOnDrawPile,
    ActivationBegun,
    CardActivated,
    ActivationEnded,
    EffectCopied,
    DiscardForced,
)


def initial_state(options: Options, seats: int) -> State:
    """Return the state before the first round."""
    return State(options, tuple(Player(seat) for seat in range(seats)))


def evolve(state: State, fact: Fact) -> State:
    """Return the state after a fact."""
    match fact:
        case PointsScored(seat, points):
            return update_player(state, seat, points=state.players[seat].points + points)
        case StonesGained(seat, stones):
            return update_player(state, seat, stones=state.players[seat].stones + stones)
        case StonesDiscarded(seat, stones):
            return update_player(state, seat, stones=remove_stones(state.players[seat].stones, stones))
        case CardHunted(seat, card):
            changed = update_player(state, seat, hunted=(*state.players[seat].hunted, card))
            return replace(changed, board=removed(state.board, card))
        case CardSold(seat, card):
            changed = update_player(state, seat, hunted=removed(state.players[seat].hunted, card))
            return discarded(changed, card)
        case CardTamed(seat, card):
            player = state.players[seat]
            return update_player(state, seat, hunted=removed(player.hunted, card), hand=(*player.hand, card))
        case CardSummoned(seat, card, payment):
            player = state.players[seat]
            stones = remove_stones(player.stones, payment)
            hand, area = removed(player.hand, card), (*player.area, card)
            return update_player(state, seat, stones=stones, hand=hand, area=area)
        case CardRemoved(seat, card, payment):
            stones = remove_stones(state.players[seat].stones, payment)
            return discarded(left_area(state, seat, card, stones=stones), card)
        case PointsLost(seat, points):
            return update_player(state, seat, points=state.players[seat].points - points)
        case CardDrawn(seat, card):
            changed = update_player(state, seat, hand=(*state.players[seat].hand, card))
            return replace(changed, draw_pile=state.draw_pile[1:])
        case CardDiscardedFromHand(seat, card):
            changed = update_player(state, seat, hand=removed(state.players[seat].hand, card))
            return discarded(changed, card)
        case CardDiscardedFromArea(seat, card):
            return discarded(left_area(state, seat, card), card)
        case CardRecovered(seat, card):
            return left_area(state, seat, card, hand=(*state.players[seat].hand, card))
        case CardTakenFromDiscardPile(seat, card):
            changed = update_player(state, seat, hand=(*state.players[seat].hand, card))
            return replace(changed, discard_pile=removed(state.discard_pile, card))
        case CardPutOnDrawPile(seat, card):
            return replace(left_area(state, seat, card), draw_pile=(card, *state.draw_pile))
        case ActivationBegun(seat, cards):
            return update_player(state, seat, pending_activations=cards)
        case CardActivated(seat, card):
            pending = removed(state.players[seat].pending_activations, card)
            return update_player(state, seat, pending_activations=pending)
        case ActivationEnded(seat):
            return update_player(state, seat, pending_activations=())
        case TurnBegun(seat):
            return replace(state, active_player=seat)
        case TurnEnded():
            return replace(state, active_player=None)
        case PhaseBegun(phase):
            return replace(state, phase=phase)
        case CardsRevealed(cards):
            return replace(state, board=state.board + cards, draw_pile=state.draw_pile[len(cards) :])
        case DrawPileShuffled(cards):
            return replace(state, draw_pile=state.draw_pile + cards, discard_pile=())
        case RoundBegun(number, first_player):
            return replace(state, round=number, first_player=first_player)
        case EffectCopied() | DiscardForced():
            return state
        case FirstPlayerDrawn(first_player):
            seats = len(state.players)
            players = (replace(player, points=1 + (player.seat - first_player) % seats) for player in state.players)
            return replace(state, players=tuple(players), first_player=first_player)
    raise TypeError(f"not a fact of The Vale of Eternity: {fact}")


def discarded(state: State, card: Card) -> State:
    """Return the state after a card has joined the discard pile."""
    return replace(state, discard_pile=(*state.discard_pile, card))


def left_area(state: State, seat: Seat, card: Card, **changes: object) -> State:
    """Return the state after a card has left a seat's area. Its active effect can no longer be used."""
    player = state.players[seat]
    area, pending = removed(player.area, card), removed(player.pending_activations, card)
    return update_player(state, seat, area=area, pending_activations=pending, **changes)
