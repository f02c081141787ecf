"""A market as a whole: two traders and the clock in one flow, seven, seven and six minutes."""

from random import Random

import pytest

from games.kernel import Clock, Finished, running_timers
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.market import (
    MARKET,
    MINUTE,
    Bought,
    LastCalled,
    MarketClosed,
    SaidReady,
    Sold,
    Supplied,
)

NOON = 1_767_225_600_000


@pytest.fixture
def market() -> GameDriver:
    """Two traders, at noon."""
    return GameDriver(MARKET, 2, now=NOON)


def minutes(due: int | None) -> float:
    """Minutes after noon."""
    assert due is not None
    return (due - NOON) / MINUTE


def test_traders_and_timers_wait_in_one_flow(market: GameDriver) -> None:
    assert [pending.seat for pending in market.choices()] == [0, 1]
    assert [minutes(wait.due) for wait in running_timers(market.game)] == [7]
    assert len(market.state.store) == 4


def test_the_clock_brings_more_goods_calls_last_and_closes(market: GameDriver) -> None:
    assert market.fire_timers(NOON + 7 * MINUTE - 1) is None
    facts = market.fire_timers(NOON + 7 * MINUTE)
    assert facts is not None
    assert [type(fact) for fact in facts] == [Supplied]
    assert len(market.state.store) == 8
    assert minutes(market.alarm()) == 14
    assert market.fire_timers(NOON + 14 * MINUTE) == (LastCalled(),)
    assert minutes(market.alarm()) == 20
    assert market.fire_timers(NOON + 20 * MINUTE) == (MarketClosed(), Finished((0, 0), (1, 1)))
    assert market.game.session.status == "finished"


def test_what_a_trader_does_leaves_the_clock_and_the_other_alone(market: GameDriver) -> None:
    other, alarm = market.choice_for(1, "buy"), market.alarm()
    good = market.options(0, "buy", "good")[0]
    for _ in range(3):
        market.now += MINUTE
        assert market.answer(0, "buy", good=good) == (Bought(0, good),)
        assert market.answer(0, "sell", goods=[good]) == (Sold(0, good),)
    assert market.choice_for(1, "buy") == other
    assert market.alarm() == alarm
    assert [path for path, _ in market.decisions[-1].flow] == [(0,)]


def test_a_good_that_another_trader_bought_is_not_offered_any_more(market: GameDriver) -> None:
    good = market.options(1, "buy", "good")[2]
    market.answer(0, "buy", good=good)
    assert good not in market.options(1, "buy", "good")
    assert market.refusal(1, "buy", good=good).startswith("illegal-move")


def test_nothing_is_sold_after_the_last_call(market: GameDriver) -> None:
    good = market.options(0, "buy", "good")[0]
    market.answer(0, "buy", good=good)
    choice_ids = market.choice_for(0, "sell")
    assert "sell" in market.moves(0)
    market.fire_timers(NOON + 7 * MINUTE)
    market.fire_timers(NOON + 14 * MINUTE)
    assert market.choice_for(0, "buy") == choice_ids
    assert "sell" not in market.moves(0)
    assert "“sell” is not among the moves" in market.refusal(0, "sell", goods=[good])


def test_when_the_market_closes_the_choices_of_the_traders_resolve(market: GameDriver) -> None:
    choice_ids = [pending.id for pending in market.choices()]
    for minute in (7, 14, 20):
        market.fire_timers(NOON + minute * MINUTE)
    assert market.game.flow == ()
    assert max(choice_ids) < market.game.last_choice


def test_a_window_ends_early_when_all_traders_are_ready(market: GameDriver) -> None:
    market.now += MINUTE
    assert market.answer(0, "say_ready") == (SaidReady(0, True),)
    assert minutes(market.alarm()) == 7
    market.now += MINUTE
    facts = market.answer(1, "say_ready")
    assert [type(fact) for fact in facts] == [SaidReady, Supplied]
    assert minutes(market.alarm()) == 2 + 7
    assert not any(trader.ready for trader in market.state.traders)


def test_a_trader_who_is_not_ready_any_more_keeps_the_window_open(market: GameDriver) -> None:
    market.answer(0, "say_ready")
    market.answer(0, "say_ready")
    assert [type(fact) for fact in market.answer(1, "say_ready")] == [SaidReady]


def test_without_the_clock_the_market_goes_on_when_all_are_ready() -> None:
    market = GameDriver(MARKET, 2, clock=Clock(factor=0))
    assert market.alarm() is None
    assert len(running_timers(market.game)) == 1
    for expected in (Supplied, LastCalled, MarketClosed):
        assert market.fire_timers(10**15) is None
        market.answer(0, "say_ready")
        assert expected in [type(fact) for fact in market.answer(1, "say_ready")]
    assert market.game.session.status == "finished"


def test_a_slower_clock_makes_the_windows_longer() -> None:
    market = GameDriver(MARKET, 2, clock=Clock(factor=1.5), now=NOON)
    assert minutes(market.alarm()) == 10.5


def test_a_late_clock_makes_up_for_nothing_but_loses_nothing(market: GameDriver) -> None:
    market.fire_timers(NOON + 9 * MINUTE)
    assert minutes(market.alarm()) == 16
    assert market.fire_timers(NOON + 9 * MINUTE) is None


def test_the_clock_is_not_asked_of_a_seat(market: GameDriver) -> None:
    clock = running_timers(market.game)[0].choice
    assert clock not in [pending.id for pending in market.choices()]


@pytest.mark.parametrize("seed", range(10))
def test_a_market_of_random_traders_ends_with_every_good_where_it_was_put(seed: int) -> None:
    market = GameDriver(MARKET, 3, {"goods": 11}, seed=str(seed))
    market.play_at_random(Random(seed))
    table = market.state
    goods = [*table.store, *table.stock, *(good for trader in table.traders for good in trader.goods)]
    assert market.game.session.status == "finished"
    assert sorted(goods) == list(range(11))
