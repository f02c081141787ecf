"""The Vale of Eternity: what can happen, the state of the table, and how each fact changes it."""

from typing import Literal

from msgspec.structs import replace

from games.kernel import Everyone, Fact, Nobody, Owner, Record, Seat, removed, update_player
from games.vale_of_eternity.catalogue import Card, Family
from games.vale_of_eternity.stones import Stones, stones_without

Phase = Literal["hunting", "action", "resolution"]


class Options(Record, frozen=True, forbid_unknown_fields=True):
    """payments: strict ones hold no stone that the price can do without; to lenient ones any stone may be added."""

    payments: Everyone[Literal["strict", "lenient"]] = "strict"

    def resolve(self, seats: int) -> "Options":
        """Return the options: nothing is ever left open."""
        return self


class GameBegun(Fact, frozen=True):
    """The first player was chosen; everybody starts with as many points as their rank in turn order, from 1."""

    first: Everyone[Seat]


class RoundBegun(Fact, frozen=True):
    """A round began, with another first player."""

    round: Everyone[int]
    first: Everyone[Seat]


class PhaseBegun(Fact, frozen=True):
    phase: Everyone[Phase]


class TurnBegun(Fact, frozen=True):
    """In the action or the resolution phase, a seat has its turn."""

    seat: Everyone[Seat]


class TurnEnded(Fact, frozen=True):
    seat: Everyone[Seat]


class Shuffled(Fact, frozen=True):
    """Cards were shuffled into a draw pile: all of them at the start, those of the discard pile when it ran out."""

    cards: Nobody[tuple[Card, ...]]


class Revealed(Fact, frozen=True):
    """Cards from the draw pile were laid out to hunt."""

    cards: Everyone[tuple[Card, ...]]


class Hunted(Fact, frozen=True):
    """A seat put one of its two markers on a card."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class Sold(Fact, frozen=True):
    """A seat discarded a card it had hunted, for stones."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class Tamed(Fact, frozen=True):
    """A seat took a card it had hunted into its hand."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class Summoned(Fact, frozen=True):
    """A seat put a card from its hand into its area, and spent stones on it."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    payment: Everyone[Stones]


class Removed(Fact, frozen=True):
    """A seat paid to discard a card of its area."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    payment: Everyone[Stones]


class StonesGained(Fact, frozen=True):
    seat: Everyone[Seat]
    stones: Everyone[Stones]


class StonesDiscarded(Fact, frozen=True):
    seat: Everyone[Seat]
    stones: Everyone[Stones]


class Scored(Fact, frozen=True):
    seat: Everyone[Seat]
    points: Everyone[int]


class PointsLost(Fact, frozen=True):
    seat: Everyone[Seat]
    points: Everyone[int]


class Drew(Fact, frozen=True):
    """A seat drew a card from the draw pile."""

    seat: Everyone[Seat]
    card: Owner[Card]


class DiscardedFromHand(Fact, frozen=True):
    seat: Everyone[Seat]
    card: Everyone[Card]


class DiscardedFromArea(Fact, frozen=True):
    seat: Everyone[Seat]
    card: Everyone[Card]


class Recovered(Fact, frozen=True):
    """A card went from a seat's area back to its hand."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class TookFromDiscardPile(Fact, frozen=True):
    """A seat took a card of the discard pile into its hand."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class PutOnDrawPile(Fact, frozen=True):
    """A card went from a seat's area to the top of the draw pile."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class ActivationBegun(Fact, frozen=True):
    """A seat set about using the active effects of these cards."""

    seat: Everyone[Seat]
    cards: Everyone[tuple[Card, ...]]


class Activated(Fact, frozen=True):
    """A seat uses the active effect of a card; what follows is the effect."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class ActivationEnded(Fact, frozen=True):
    """A seat is done with its active effects: what could not be used has lapsed."""

    seat: Everyone[Seat]


class Copied(Fact, frozen=True):
    """A card carries out the effect of another card of the same area as its own; what follows is the effect."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    model: Everyone[Card]


class Named(Fact, frozen=True):
    """A seat named a player, who has to discard a card of a family from their area."""

    seat: Everyone[Seat]
    player: Everyone[Seat]
    family: Everyone[Family]


class Player(Record, frozen=True):
    """What lies before a seat.

    hunted: the cards of the board that carry its markers. area: what it summoned, the oldest first. to_activate: the
    cards whose active effects it still has to use, while it is using them.
    """

    seat: Everyone[Seat]
    points: Everyone[int] = 0
    stones: Everyone[Stones] = ()
    hunted: Everyone[tuple[Card, ...]] = ()
    hand: Owner[tuple[Card, ...]] = ()
    area: Everyone[tuple[Card, ...]] = ()
    to_activate: Everyone[tuple[Card, ...]] = ()


class State(Record, frozen=True):
    """The table. first: the first player of the round. turn: the seat whose turn it is, in the phases that have turns.

    board: the cards that can be hunted. pile: the draw pile, its top first. discard: the discard pile, its top last.
    """

    options: Everyone[Options]
    players: Everyone[tuple[Player, ...]]
    round: Everyone[int] = 0
    phase: Everyone[Phase] = "hunting"
    first: Everyone[Seat] = 0
    turn: Everyone[Seat | None] = None
    board: Everyone[tuple[Card, ...]] = ()
    pile: Nobody[tuple[Card, ...]] = ()
    discard: Everyone[tuple[Card, ...]] = ()


FACTS = (
    GameBegun,
    RoundBegun,
    PhaseBegun,
    TurnBegun,
    TurnEnded,
    Shuffled,
    Revealed,
    Hunted,
    Sold,
    Tamed,
    Summoned,
    Removed,
    StonesGained,
    StonesDiscarded,
    Scored,
    PointsLost,
    Drew,
    DiscardedFromHand,
    DiscardedFromArea,
    Recovered,
    TookFromDiscardPile,
    PutOnDrawPile,
    ActivationBegun,
    Activated,
    ActivationEnded,
    Copied,
    Named,
)


def initial_state(options: Options, seats: int) -> State:
    """Return the table before the first round."""
    return State(options, tuple(Player(seat) for seat in range(seats)))


def evolve(state: State, fact: Fact) -> State:
    """Return the state after a fact."""
    match fact:
        case Scored(seat, points):
            return update_player(state, seat, points=state.players[seat].points + points)
        case StonesGained(seat, stones):
            return update_player(state, seat, stones=state.players[seat].stones + stones)
        case StonesDiscarded(seat, stones):
            return update_player(state, seat, stones=stones_without(state.players[seat].stones, stones))
        case Hunted(seat, card):
            changed = update_player(state, seat, hunted=(*state.players[seat].hunted, card))
            return replace(changed, board=removed(state.board, card))
        case Sold(seat, card):
            changed = update_player(state, seat, hunted=removed(state.players[seat].hunted, card))
            return replace(changed, discard=(*state.discard, card))
        case Tamed(seat, card):
            player = state.players[seat]
            return update_player(state, seat, hunted=removed(player.hunted, card), hand=(*player.hand, card))
        case Summoned(seat, card, payment):
            player = state.players[seat]
            stones = stones_without(player.stones, payment)
            hand, area = removed(player.hand, card), (*player.area, card)
            return update_player(state, seat, stones=stones, hand=hand, area=area)
        case Removed(seat, card, payment):
            stones = stones_without(state.players[seat].stones, payment)
            return replace(left_area(state, seat, card, stones=stones), discard=(*state.discard, card))
        case PointsLost(seat, points):
            return update_player(state, seat, points=state.players[seat].points - points)
        case Drew(seat, card):
            changed = update_player(state, seat, hand=(*state.players[seat].hand, card))
            return replace(changed, pile=state.pile[1:])
        case DiscardedFromHand(seat, card):
            changed = update_player(state, seat, hand=removed(state.players[seat].hand, card))
            return replace(changed, discard=(*state.discard, card))
        case DiscardedFromArea(seat, card):
            return replace(left_area(state, seat, card), discard=(*state.discard, card))
        case Recovered(seat, card):
            return left_area(state, seat, card, hand=(*state.players[seat].hand, card))
        case TookFromDiscardPile(seat, card):
            changed = update_player(state, seat, hand=(*state.players[seat].hand, card))
            return replace(changed, discard=removed(state.discard, card))
        case PutOnDrawPile(seat, card):
            return replace(left_area(state, seat, card), pile=(card, *state.pile))
        case ActivationBegun(seat, cards):
            return update_player(state, seat, to_activate=cards)
        case Activated(seat, card):
            return update_player(state, seat, to_activate=removed(state.players[seat].to_activate, card))
        case ActivationEnded(seat):
            return update_player(state, seat, to_activate=())
        case TurnBegun(seat):
            return replace(state, turn=seat)
        case TurnEnded():
            return replace(state, turn=None)
        case PhaseBegun(phase):
            return replace(state, phase=phase)
        case Revealed(cards):
            return replace(state, board=state.board + cards, pile=state.pile[len(cards) :])
        case Shuffled(cards):
            return replace(state, pile=state.pile + cards, discard=())
        case RoundBegun(number, first):
            return replace(state, round=number, first=first)
        case Copied() | Named():
            return state
        case GameBegun(first):
            seats = len(state.players)
            players = (replace(player, points=1 + (player.seat - first) % seats) for player in state.players)
            return replace(state, players=tuple(players), first=first)
    raise TypeError(f"not a fact of The Vale of Eternity: {fact}")


def left_area(state: State, seat: Seat, card: Card, **changes: object) -> State:
    """Return the state when a card has left a seat's area: its active effect need not be used any more."""
    player = state.players[seat]
    area, to_activate = removed(player.area, card), removed(player.to_activate, card)
    return update_player(state, seat, area=area, to_activate=to_activate, **changes)
