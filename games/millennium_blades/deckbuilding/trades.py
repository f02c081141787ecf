"""Millennium Blades: trades. One seat makes an offer, the other answers it, the first confirms."""

from collections.abc import Iterable
from typing import Any

from games.kernel import Effect, Fact, IntRange, Offer, OneOf, Outcome, Seat, SomeOf, constraint, move, msg
from games.millennium_blades.catalogue import Card, stars
from games.millennium_blades.facts import Area, TradeAnswered, TradeCompleted, TradeEnded, TradeOffered
from games.millennium_blades.state import FriendshipCard, Trade, TradeSide
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.zones import card_area


@constraint(msg("At least one card or dollar is given."))
def gives_card_or_dollar(
    table: MillenniumBlades,
    partner: Seat,
    cards: tuple[Card, ...],
    dollars: int,
    friendship_cards: tuple[FriendshipCard, ...],
) -> bool:
    """Friendship cards alone are not enough."""
    return bool(cards or dollars)


@constraint(msg("At least one card or dollar is given in return."))
def returns_card_or_dollar(
    table: MillenniumBlades,
    trade: int,
    cards: tuple[Card, ...],
    dollars: int,
    friendship_cards: tuple[FriendshipCard, ...],
) -> bool:
    """Friendship cards alone are not enough."""
    return bool(cards or dollars)


@constraint(msg("At least one of the two sides gives a card or a dollar."))
def is_not_empty(
    table: MillenniumBlades,
    trade: int,
    cards: tuple[Card, ...],
    dollars: int,
    friendship_cards: tuple[FriendshipCard, ...],
) -> bool:
    """On a free market one side may be empty, but not both."""
    return bool(cards or dollars) or has_value(table.trade(trade).offer)


@constraint(msg("Both sides are equal in stars plus dollars."))
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
    """Does a side give a card or a dollar? Friendship cards do not count."""
    return bool(side.cards or side.dollars)


def worth(side: TradeSide) -> int:
    """Return the worth of one side of a trade: stars plus dollars."""
    return sum(map(stars, side.cards)) + side.dollars


def trading_offers(table: MillenniumBlades) -> tuple[Offer | None, ...]:
    """Return the offers of trading: to offer a trade, to answer, to confirm and to end one."""
    is_free, owns_something = table.state.options.free_market, bool(table.own_cards or table.player.dollars)
    trades = table.player.negotiations.trades
    partners = table.partners if table.can_begin and (is_free or owns_something) else ()
    side = _side_fields(table) if partners or trades else {}
    minimum = () if is_free else (gives_card_or_dollar,)
    new_offer = offer_trade.offer(partner=OneOf(partners), **side, constraints=minimum) if partners else None
    if not trades:
        return (new_offer,)
    received = [trade for trade in trades if trade.partner == table.seat and trade.answer is None]
    if not owns_something:
        received = [trade for trade in received if is_free and has_value(trade.offer)]
    answered = [trade for trade in trades if trade.seat == table.seat and trade.answer is not None]
    constraints = (is_not_empty,) if is_free else (returns_card_or_dollar, is_even)
    return (
        new_offer,
        answer_trade.offer(trade=_one_of(received), **side, constraints=constraints),
        confirm_trade.offer(trade=_one_of(answered)),
        end_trade.offer(trade=_one_of(trades)),
    )


def _one_of(trades: Iterable[Trade]) -> OneOf:
    return OneOf(tuple([trade.number for trade in trades]))


def _side_fields(table: MillenniumBlades) -> dict[str, Any]:
    cards, friendship_cards = table.own_cards, table.player.friendship_cards
    return {
        "cards": SomeOf(cards, 0, len(cards)),
        "dollars": IntRange(0, table.player.dollars),
        "friendship_cards": SomeOf(friendship_cards, 0, len(friendship_cards)),
    }


@move(
    title="Offer a trade",
    help="Offer cards, dollars and friendship cards to another player, who may answer with what they would give.",
    args={
        "partner": "Other player",
        "cards": "Cards you give",
        "dollars": "Dollars you give",
        "friendship_cards": "Friendship cards you give",
    },
)
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


@move(
    title="Answer a trade",
    help="Say what you would give in return. The other player then confirms the trade or ends it.",
    args={
        "trade": "Trade",
        "cards": "Cards you give",
        "dollars": "Dollars you give",
        "friendship_cards": "Friendship cards you give",
    },
)
def answer_trade(
    table: MillenniumBlades,
    trade: int,
    cards: tuple[Card, ...],
    dollars: int,
    friendship_cards: tuple[FriendshipCard, ...],
) -> Outcome:
    """The partner says what they would give in return, equal in stars plus dollars."""
    seat = table.trade(trade).seat
    return TradeAnswered(seat, table.seat, trade, TradeSide(cards, dollars, friendship_cards)), next_action()


@move(
    title="Confirm a trade",
    help="Accept the answer to your offer. Everything changes hands; cards go to the binders.",
    args={"trade": "Trade"},
)
def confirm_trade(table: MillenniumBlades, trade: int) -> Outcome:
    """The first player agrees, and everything changes hands. Cards go to the binders."""
    answered = table.trade(trade)
    offer, answer = answered.offer, answered.answer
    assert answer is not None
    completed = TradeCompleted(
        answered.seat, answered.partner, trade, offer.dollars, answer.dollars, offer.cards, answer.cards,
        card_areas(table, answered.seat, offer), card_areas(table, answered.partner, answer),
        offer.friendship_cards, answer.friendship_cards,
    )  # fmt: skip
    return completed, next_action()


@move(title="End a trade", help="Withdraw or decline a trade that is not confirmed yet.", args={"trade": "Trade"})
def end_trade(table: MillenniumBlades, trade: int) -> Outcome:
    """Either player may withdraw before a trade is confirmed."""
    reason = "withdrawn" if table.trade(trade).seat == table.seat else "declined"
    return _trade_ended(table.trade(trade), reason), next_action()


def card_areas(table: MillenniumBlades, seat: Seat, side: TradeSide) -> tuple[Area, ...]:
    """Return the area that each card of a side lies in."""
    return tuple(card_area(table.state.players[seat], card) for card in side.cards)


def next_action() -> Effect:
    """Return the rule `act` of the market as an effect. By name, because that module imports this one."""
    return Effect("act")


def _trade_ended(trade: Trade, reason: Any) -> TradeEnded:
    return TradeEnded(trade.seat, trade.partner, trade.number, reason)


def withdraw_all(table: MillenniumBlades) -> tuple[TradeEnded, ...]:
    """End all open trades of the seat."""
    return tuple(_trade_ended(trade, "withdrawn") for trade in table.player.negotiations.trades)


def cancel_invalid(table: MillenniumBlades, fact: Any) -> tuple[Fact, ...]:
    """Cancel the trades for which something is missing now: it was sold, fused, traded or spent."""
    seats = {fact.seat, getattr(fact, "partner", fact.seat)}
    trades = {trade.number: trade for seat in seats for trade in table.state.players[seat].negotiations.trades}
    return tuple(_trade_ended(trade, "cancelled") for trade in trades.values() if not table.is_still_valid(trade))
