"""Millennium Blades: trades. One seat offers, the other says what it gives for it, the first confirms."""

from typing import Any

from games.kernel import Effect, Fact, IntRange, Offer, OneOf, Outcome, Seat, SomeOf, constraint, rule
from games.millennium_blades.catalogue import Card, stars
from games.millennium_blades.facts import Area, TradeAnswered, Traded, TradeEnded, TradeOffered
from games.millennium_blades.state import Friend, Side, Trade
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.zones import area_of


@constraint("At least one card or dollar is given.")
def something_is_given(
    table: MillenniumBlades, partner: Seat, cards: tuple[Card, ...], dollars: int, friends: tuple[Friend, ...]
) -> bool:
    """Friendship cards alone are no side of a trade."""
    return bool(cards or dollars)


@constraint("At least one card or dollar is given in return.")
def something_is_returned(
    table: MillenniumBlades, trade: int, cards: tuple[Card, ...], dollars: int, friends: tuple[Friend, ...]
) -> bool:
    """Friendship cards alone are no side of a trade."""
    return bool(cards or dollars)


@constraint("At least one of the two sides gives a card or a dollar.")
def something_changes_hands(
    table: MillenniumBlades, trade: int, cards: tuple[Card, ...], dollars: int, friends: tuple[Friend, ...]
) -> bool:
    """On a free market a side may be empty, but not both."""
    return bool(cards or dollars) or gives_something(table.trade(trade).given)


@constraint("Both sides are equal in stars plus dollars.")
def is_even(
    table: MillenniumBlades, trade: int, cards: tuple[Card, ...], dollars: int, friends: tuple[Friend, ...]
) -> bool:
    """A dollar is worth a star."""
    return worth(table.trade(trade).given) == sum(map(stars, cards)) + dollars


def gives_something(side: Side) -> bool:
    """Does a side give a card or a dollar? Friendship cards alone are nothing."""
    return bool(side.cards or side.dollars)


def worth(side: Side) -> int:
    """Return what one side of a trade counts: stars plus dollars."""
    return sum(map(stars, side.cards)) + side.dollars


def trading_offers(table: MillenniumBlades) -> tuple[Offer | None, ...]:
    """Return the offers of trading: to begin one, to answer, to confirm, to end one."""
    is_free, has_something = table.state.options.free_market, bool(table.own_cards or table.player.dollars)
    trades = table.player.desk.trades
    partners = table.partners if table.may_begin and (is_free or has_something) else ()
    side = _side(table) if partners or trades else {}
    least = () if is_free else (something_is_given,)
    begin = offer_a_trade.offer(partner=OneOf(partners), **side, must=least) if partners else None
    if not trades:
        return (begin,)
    asked = tuple([it.number for it in trades if it.partner == table.seat and it.wanted is None])
    if not has_something:
        asked = tuple([it for it in asked if is_free and gives_something(table.trade(it).given)])
    answered = tuple([it.number for it in trades if it.seat == table.seat and it.wanted is not None])
    must = (something_changes_hands,) if is_free else (something_is_returned, is_even)
    return (
        begin,
        answer_a_trade.offer(trade=OneOf(asked), **side, must=must),
        confirm_a_trade.offer(trade=OneOf(answered)),
        end_a_trade.offer(trade=OneOf(tuple([it.number for it in trades]))),
    )


def _side(table: MillenniumBlades) -> dict[str, Any]:
    cards, friends = table.own_cards, table.player.friends
    return {
        "cards": SomeOf(cards, 0, len(cards)),
        "dollars": IntRange(0, table.player.dollars),
        "friends": SomeOf(friends, 0, len(friends)),
    }


@rule
def offer_a_trade(
    table: MillenniumBlades, partner: Seat, cards: tuple[Card, ...], dollars: int, friends: tuple[Friend, ...]
) -> Outcome:
    """A player offers cards, dollars and friendship cards to another."""
    words = table.player.desk.words
    number = 100 * (1 + (words[partner] if words else 0)) + 10 * table.seat + partner
    return TradeOffered(table.seat, partner, number, Side(cards, dollars, friends)), act_again()


@rule
def answer_a_trade(
    table: MillenniumBlades, trade: int, cards: tuple[Card, ...], dollars: int, friends: tuple[Friend, ...]
) -> Outcome:
    """The other says what it would give for it, equal in stars plus dollars."""
    seat = table.trade(trade).seat
    return TradeAnswered(seat, table.seat, trade, Side(cards, dollars, friends)), act_again()


@rule
def confirm_a_trade(table: MillenniumBlades, trade: int) -> Outcome:
    """The first agrees, and everything changes hands, to the binders."""
    agreed = table.trade(trade)
    given, back = agreed.given, agreed.wanted
    assert back is not None
    traded = Traded(
        agreed.seat, agreed.partner, trade, given.dollars, back.dollars, given.cards, back.cards,
        areas_of(table, agreed.seat, given), areas_of(table, agreed.partner, back), given.friends, back.friends,
    )  # fmt: skip
    return traded, act_again()


@rule
def end_a_trade(table: MillenniumBlades, trade: int) -> Outcome:
    """Either side may withdraw before a trade is confirmed."""
    return _ended(table.trade(trade), "withdrawn" if table.trade(trade).seat == table.seat else "declined"), act_again()


def areas_of(table: MillenniumBlades, seat: Seat, side: Side) -> tuple[Area, ...]:
    """Return the areas that the cards of a side lie in."""
    return tuple(area_of(table.state.players[seat], card) for card in side.cards)


def act_again() -> Effect:
    """Go on with any action."""
    return Effect("act")


def _ended(trade: Trade, reason: Any) -> TradeEnded:
    return TradeEnded(trade.seat, trade.partner, trade.number, reason)


def withdraw_all(table: MillenniumBlades) -> tuple[TradeEnded, ...]:
    """End every trade that the seat talks over."""
    return tuple(_ended(trade, "withdrawn") for trade in table.player.desk.trades)


def fall_away(table: MillenniumBlades, fact: Any) -> tuple[Fact, ...]:
    """A trade falls away when something that it is about is gone: sold, fused, traded or spent."""
    seats = {fact.seat, getattr(fact, "partner", fact.seat)}
    trades = {trade.number: trade for seat in seats for trade in table.state.players[seat].desk.trades}
    return tuple(_ended(trade, "fell_away") for trade in trades.values() if not table.stands(trade))
