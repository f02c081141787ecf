"""Millennium Blades: selectors. Each returns the cards or seats that an effect is about."""

from collections.abc import Callable, Iterable

from games.kernel import Seat
from games.millennium_blades.board.card_script import CardInPlay
from games.millennium_blades.catalogue import kind
from games.millennium_blades.tournament.context import Context

CardSelector = Callable[[Context], Iterable[CardInPlay]]
SeatSelector = Callable[[Context], Iterable[Seat]]

# --- Cards ------------------------------------------------------------------------------------------------


def your_cards(*attributes: str) -> CardSelector:
    """Your face-up cards; with attributes, only those that have at least one of these elements and types."""
    if not attributes:
        return lambda ctx: ctx.your_cards
    matching = frozenset(attributes)
    return lambda ctx: [card for card in ctx.your_cards if not matching.isdisjoint(card.attributes)]


def your_cards_where(condition: Callable[[CardInPlay], bool]) -> CardSelector:
    """Your face-up cards that meet a condition."""
    return lambda ctx: [card for card in ctx.your_cards if condition(card)]


def your_other_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """Your face-up cards except this card."""
    return ctx.your_other_cards


def your_face_down_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """Your face-down cards."""
    return ctx.your_face_down_cards


def all_your_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """Your cards, face up or down."""
    return ctx.board.tableaus[ctx.you]


def your_leftmost_card(ctx: Context) -> tuple[CardInPlay, ...]:
    """Your leftmost face-up card."""
    return ctx.your_cards[:1]


def your_deck_boxes(ctx: Context) -> tuple[CardInPlay, ...]:
    """Your face-up deck boxes."""
    return tuple(card for card in ctx.board.equipment[ctx.you] if card.face_up and kind(card.card) == "deck_box")


def this_card(ctx: Context) -> tuple[CardInPlay, ...]:
    """This card."""
    return () if ctx.this_in_play is None else (ctx.this_in_play,)


def cards_up_to_this(ctx: Context) -> tuple[CardInPlay, ...]:
    """This card and all of your cards to the left of it."""
    this = ctx.this_in_play
    return () if this is None else ctx.board.tableaus[ctx.you][: this.place + 1]


def left_neighbour(ctx: Context) -> tuple[CardInPlay, ...]:
    """The left neighbour of this card."""
    return () if ctx.left_neighbour is None else (ctx.left_neighbour,)


def adjacent(ctx: Context) -> tuple[CardInPlay, ...]:
    """The neighbours of this card."""
    return ctx.adjacent


def leftmost_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """The leftmost face-up card of every player."""
    return tuple(card for seat in ctx.table.seats for card in ctx.board.face_up(seat)[:1])


def all_face_up_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """The face-up cards of every tableau."""
    return tuple(card for seat in ctx.table.clockwise_from(ctx.you) for card in ctx.board.face_up(seat))


def all_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """The cards of every tableau, face up or down."""
    return tuple(card for seat in ctx.table.clockwise_from(ctx.you) for card in ctx.board.tableaus[seat])


def chooser_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """The face-up cards of the player who chooses in this step."""
    return ctx.board.face_up(ctx.seat)


# --- Seats ------------------------------------------------------------------------------------------------


def everyone(ctx: Context) -> Iterable[Seat]:
    """Every player."""
    return ctx.table.seats


def opponents(ctx: Context) -> Iterable[Seat]:
    """Every other player."""
    return ctx.table.clockwise_after(ctx.you)


def players_with_more_points(ctx: Context) -> Iterable[Seat]:
    """Every player who has more reputation than you."""
    return [seat for seat in ctx.table.seats if ctx.points(seat) > ctx.points(ctx.you)]


def target_seat(ctx: Context) -> Iterable[Seat]:
    """The player who was chosen as the target."""
    return () if ctx.target is None else (ctx.target,)
