"""A market: seven minutes, more goods, seven minutes, last call, six minutes. Traders act freely meanwhile.

An example of the clock among seats in one flow, and of rules that end early when everybody is ready.
"""

import sys
from pathlib import Path

from msgspec.structs import replace

from games.kernel import (
    Everyone,
    Fact,
    Finished,
    IntRange,
    Nobody,
    OneOf,
    Outcome,
    Owner,
    Record,
    Refusal,
    Rulebook,
    Seat,
    SomeOf,
    Table,
    Wait,
    choose,
    move,
    msg,
    rank_seats,
    rule,
    together,
)

MINUTE = 60_000
FIRST_GOODS = 4
PRICE = 2
COINS = 7

Good = int


class Options(Record, frozen=True, forbid_unknown_fields=True):
    """How many goods there are, and which of them are dear."""

    goods: Everyone[int] = 9
    dear: Everyone[tuple[Good, ...]] = ()

    def resolve(self, seats: int) -> "Options":
        """Refuse a market that is too small."""
        if self.goods < seats:
            raise Refusal("bad-options", f"{seats} traders need at least {seats} goods")
        return self


class Shuffled(Fact, frozen=True):
    """The goods were shuffled."""

    stock: Nobody[tuple[Good, ...]]


class Supplied(Fact, frozen=True):
    """Goods came to the market, and nobody is ready any more."""

    goods: Everyone[tuple[Good, ...]]


class Bought(Fact, frozen=True):
    """A trader bought a good."""

    seat: Everyone[Seat]
    good: Everyone[Good]


class Sold(Fact, frozen=True):
    """A trader sold a good."""

    seat: Everyone[Seat]
    good: Everyone[Good]


class Spent(Fact, frozen=True):
    """A trader spent coins on a feast."""

    seat: Everyone[Seat]
    coins: Owner[int]


class SaidReady(Fact, frozen=True):
    """A trader is ready, or not any more."""

    seat: Everyone[Seat]
    ready: Everyone[bool]


class LastCalled(Fact, frozen=True):
    """From now on nothing is sold, and nobody is ready any more."""


class MarketClosed(Fact, frozen=True):
    """Nothing is traded any more."""


class Trader(Record, frozen=True):
    """A trader with goods and coins."""

    seat: Everyone[Seat]
    goods: Everyone[tuple[Good, ...]] = ()
    coins: Owner[int] = COINS
    ready: Everyone[bool] = False


class State(Record, frozen=True):
    """The traders, what lies in the market and what is still to come."""

    options: Everyone[Options]
    traders: Everyone[tuple[Trader, ...]]
    store: Everyone[tuple[Good, ...]] = ()
    stock: Nobody[tuple[Good, ...]] = ()
    selling: Everyone[bool] = True
    is_open: Everyone[bool] = True


FACTS = (Shuffled, Supplied, Bought, Sold, Spent, SaidReady, LastCalled, MarketClosed)


class Market(Table[State]):
    """The table of the market."""

    __slots__ = ()

    @property
    def mine(self) -> Trader:
        """The trader that acts."""
        return self.state.traders[self.seat]

    @property
    def affordable(self) -> tuple[Good, ...]:
        """What the trader that acts can pay."""
        return self.state.store if self.mine.coins >= PRICE else ()

    @property
    def all_are_ready(self) -> bool:
        """Is everybody ready?"""
        return all(trader.ready for trader in self.state.traders)


@rule
def hold_market(table: Market) -> Outcome:
    """Seven minutes, more goods, seven minutes, last call, six minutes."""
    trades = (trade().by(trader.seat) for trader in table.state.traders)
    return shuffle(), supply(), together(*trades, windows()), turn_in_collections()


@rule
def shuffle(table: Market) -> Outcome:
    """Nobody knows which goods come first."""
    return Shuffled(table.chance.shuffled(range(table.state.options.goods)))


@rule
def supply(table: Market) -> Outcome:
    """The next goods come to the market."""
    return Supplied(table.state.stock[:FIRST_GOODS])


@rule
def windows(table: Market) -> Outcome:
    """What the clock does meanwhile."""
    return (
        *(window(7 * MINUTE), supply()),
        *(window(7 * MINUTE), LastCalled()),
        *(window(6 * MINUTE), MarketClosed()),
    )


@rule
def window(table: Market, milliseconds: int) -> Outcome:
    """Some minutes; less when everybody is ready."""
    return None if table.all_are_ready else Wait(milliseconds)


@rule
def trade(table: Market) -> Outcome:
    """Any action, any number of times, until the market closes."""
    if not table.state.is_open:
        return None
    return choose(
        msg("Trade."),
        buy.offer(good=OneOf(table.affordable)),
        sell.offer(goods=SomeOf(table.mine.goods, 1, 3)) if table.state.selling else None,
        feast.offer(coins=IntRange(1, table.mine.coins)),
        say_ready.offer(not table.mine.ready),
    )


@move(title="Buy", help="Buy.", args={"good": "Good"})
def buy(table: Market, good: Good) -> Outcome:
    """A good for two coins."""
    return Bought(table.seat, good), trade()


@move(title="Sell", help="Sell.", args={"goods": "Goods"})
def sell(table: Market, goods: tuple[Good, ...]) -> Outcome:
    """Two coins for a good."""
    return *(Sold(table.seat, good) for good in goods), trade()


@move(title="Feast", help="Feast.", args={"coins": "Coins"})
def feast(table: Market, coins: int) -> Outcome:
    """Coins for nothing."""
    return Spent(table.seat, coins), trade()


@move(title="Say ready", help="Say ready.", args={"ready": "Ready"})
def say_ready(table: Market, ready: bool) -> Outcome:
    """A trader says that it waits for nothing but the others, or takes it back."""
    return SaidReady(table.seat, ready), trade()


@rule
def turn_in_collections(table: Market) -> Outcome:
    """The most goods win."""
    points = tuple(len(trader.goods) for trader in table.state.traders)
    return Finished(points, rank_seats(points))


def set_up(options: Options, seats: int) -> State:
    """An empty market."""
    return State(options, tuple(Trader(seat) for seat in range(seats)))


def evolve(state: State, fact: Fact) -> State:
    """Return the state after a fact."""
    match fact:
        case Shuffled(stock):
            return replace(state, stock=stock)
        case Supplied(goods):
            stock = state.stock[len(goods) :]
            return replace(state, store=(*state.store, *goods), stock=stock, traders=_none_ready(state))
        case Bought(seat, good):
            trader = state.traders[seat]
            state = replace(state, store=tuple(other for other in state.store if other != good))
            return _with_trader(state, seat, goods=(*trader.goods, good), coins=trader.coins - PRICE)
        case Sold(seat, good):
            trader = state.traders[seat]
            left = tuple(other for other in trader.goods if other != good)
            state = replace(state, store=(*state.store, good))
            return _with_trader(state, seat, goods=left, coins=trader.coins + PRICE)
        case Spent(seat, coins):
            return _with_trader(state, seat, coins=state.traders[seat].coins - coins)
        case SaidReady(seat, ready):
            return _with_trader(state, seat, ready=ready)
        case LastCalled():
            return replace(state, selling=False, traders=_none_ready(state))
        case MarketClosed():
            return replace(state, is_open=False)
    raise TypeError(f"not a fact of the market: {fact}")


def _none_ready(state: State) -> tuple[Trader, ...]:
    return tuple(replace(trader, ready=False) for trader in state.traders)


def _with_trader(state: State, seat: Seat, **changes: object) -> State:
    traders = state.traders
    return replace(state, traders=(*traders[:seat], replace(traders[seat], **changes), *traders[seat + 1 :]))


MARKET = Rulebook(
    id="market",
    edition=1,
    names={"en": "Market", "fr": "Marché"},
    seats=range(2, 6),
    options=Options,
    initial_state=set_up,
    initial_effect=hold_market(),
    table=Market,
    state=State,
    facts=FACTS,
    evolve=evolve,
    points=lambda state: tuple(len(trader.goods) for trader in state.traders),
    rules=[sys.modules[__name__]],
    rule_names=Path(__file__).parent / "market_rule_names.txt",
)
