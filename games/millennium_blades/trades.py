"""Millennium Blades: trades. One seat offers, the other says what it gives for it, the first confirms."""

from typing import Any

from games.kernel import Effect, Fact, IntRange, Offer, OneOf, Outcome, Seat, SomeOf, constraint, rule
from games.millennium_blades.catalogue import Card, stars
from games.millennium_blades.facts import Area, TradeAnswered, TradeCompleted, TradeEnded, TradeOffered
from games.millennium_blades.state import FriendshipCard, Trade, TradeSide
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.zones import area_of


@constraint("At least one card or dollar is given.")
def gives_card_or_dollar(
    table: MillenniumBlades,
    partner: Seat,
    cards: tuple[Card, ...],
    dollars: int,
    friendship_cards: tuple[FriendshipCard, ...],
) -> bool:
    """Friendship cards alone are no side of a trade."""
    return bool(cards or dollars)


@constraint("At least one card or dollar is given in return.")
def returns_card_or_dollar(
    table: MillenniumBlades,
    trade: int,
    cards: tuple[Card, ...],
    dollars: int,
    friendship_cards: tuple[FriendshipCard, ...],
) -> bool:
    """Friendship cards alone are no side of a trade."""
    return bool(cards or dollars)


@constraint("At least one of the two sides gives a card or a dollar.")
def is_not_empty(
    table: MillenniumBlades,
    trade: int,
    cards: tuple[Card, ...],
    dollars: int,
    friendship_cards: tuple[FriendshipCard, ...],
) -> bool:
    """On a free market a side may be empty, but not both."""
    return bool(cards or dollars) or has_value(table.trade(trade).offer)


@constraint("Both sides are equal in stars plus dollars.")
def is_even(
    table: MillenniumBlades,
    trade: int,
    cards: tuple[Card, ...],
    dollars: int,
    friendship_cards: tuple[FriendshipCard, ...],
) -> bool:
    """A dollar is worth a star."""
    return worth(table.trade(trade).offer) == sum(map(stars, cards)) + dollars


def has_value(side: TradeSide) -> bool:
    """Does a side give a card or a dollar? Friendship cards alone are nothing."""
    return bool(side.cards or side.dollars)


def worth(side: TradeSide) -> int:
    """Return what one side of a trade counts: stars plus dollars."""
    return sum(map(stars, side.cards)) + side.dollars


def trading_offers(table: MillenniumBlades) -> tuple[Offer | None, ...]:
    """Return the offers of trading: to begin one, to answer, to confirm, to end one."""
    is_free, has_something = table.state.options.free_market, bool(table.own_cards or table.player.dollars)
    trades = table.player.negotiations.trades
    partners = table.partners if table.can_begin and (is_free or has_something) else ()
    side = _side(table) if partners or trades else {}
    least = () if is_free else (gives_card_or_dollar,)
    begin = offer_trade.offer(partner=OneOf(partners), **side, must=least) if partners else None
    if not trades:
        return (begin,)
    asked = tuple([it.number for it in trades if it.partner == table.seat and it.answer is None])
    if not has_something:
        asked = tuple([it for it in asked if is_free and has_value(table.trade(it).offer)])
    answered = tuple([it.number for it in trades if it.seat == table.seat and it.answer is not None])
    must = (is_not_empty,) if is_free else (returns_card_or_dollar, is_even)
    return (
        begin,
        answer_trade.offer(trade=OneOf(asked), **side, must=must),
        confirm_trade.offer(trade=OneOf(answered)),
        end_trade.offer(trade=OneOf(tuple([it.number for it in trades]))),
    )


def _side(table: MillenniumBlades) -> dict[str, Any]:
    cards, friendship_cards = table.own_cards, table.player.friendship_cards
    return {
        "cards": SomeOf(cards, 0, len(cards)),
        "dollars": IntRange(0, table.player.dollars),
        "friendship_cards": SomeOf(friendship_cards, 0, len(friendship_cards)),
    }


@rule
def offer_trade(
    table: MillenniumBlades,
    partner: Seat,
    cards: tuple[Card, ...],
    dollars: int,
    friendship_cards: tuple[FriendshipCard, ...],
) -> Outcome:
    """A player offers cards, dollars and friendship cards to another."""
    counts = table.player.negotiations.message_counts
    number = 100 * (1 + (counts[partner] if counts else 0)) + 10 * table.seat + partner
    return TradeOffered(table.seat, partner, number, TradeSide(cards, dollars, friendship_cards)), next_action()


@rule
def answer_trade(
    table: MillenniumBlades,
    trade: int,
    cards: tuple[Card, ...],
    dollars: int,
    friendship_cards: tuple[FriendshipCard, ...],
) -> Outcome:
    """The other says what it would give for it, equal in stars plus dollars."""
    seat = table.trade(trade).seat
    return TradeAnswered(seat, table.seat, trade, TradeSide(cards, dollars, friendship_cards)), next_action()


@rule
def confirm_trade(table: MillenniumBlades, trade: int) -> Outcome:
    """The first agrees, and everything changes hands, to the binders."""
    agreed = table.trade(trade)
    given, back = agreed.offer, agreed.answer
    assert back is not None
    traded = TradeCompleted(
        agreed.seat, agreed.partner, trade, given.dollars, back.dollars, given.cards, back.cards,
        card_areas(table, agreed.seat, given), card_areas(table, agreed.partner, back), given.friendship_cards,
        back.friendship_cards,
    )  # fmt: skip
    return traded, next_action()


@rule
def end_trade(table: MillenniumBlades, trade: int) -> Outcome:
    """Either side may withdraw before a trade is confirmed."""
    return _trade_ended(
        table.trade(trade), "withdrawn" if table.trade(trade).seat == table.seat else "declined"
    ), next_action()


def card_areas(table: MillenniumBlades, seat: Seat, side: TradeSide) -> tuple[Area, ...]:
    """Return the areas that the cards of a side lie in."""
    return tuple(area_of(table.state.players[seat], card) for card in side.cards)


def next_action() -> Effect:
    """Go on with any action."""
    return Effect("act")


def _trade_ended(trade: Trade, reason: Any) -> TradeEnded:
    return TradeEnded(trade.seat, trade.partner, trade.number, reason)


def withdraw_all(table: MillenniumBlades) -> tuple[TradeEnded, ...]:
    """End every trade that the seat talks over."""
    return tuple(_trade_ended(trade, "withdrawn") for trade in table.player.negotiations.trades)


def cancel_invalid(table: MillenniumBlades, fact: Any) -> tuple[Fact, ...]:
    """A trade falls away when something that it is about is gone: sold, fused, traded or spent."""
    seats = {fact.seat, getattr(fact, "partner", fact.seat)}
    trades = {trade.number: trade for seat in seats for trade in table.state.players[seat].negotiations.trades}
    return tuple(_trade_ended(trade, "cancelled") for trade in trades.values() if not table.is_still_valid(trade))
