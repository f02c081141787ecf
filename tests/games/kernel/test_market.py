"""A market as a whole: two traders and the clock in one flow, seven, seven and six minutes."""

from random import Random

import pytest

from games.kernel import Clock, Finished, running_timers
from tests.games.kernel.market import MARKET, MINUTE, Bought, LastCalled, MarketClosed, SaidReady, Sold, Supplied
from tests.games.kernel.playing import Sitting

NOON = 1_767_225_600_000


@pytest.fixture
def market() -> Sitting:
    """Two traders, at noon."""
    return Sitting(MARKET, 2, now=NOON)


def minutes(due: int | None) -> float:
    """Minutes after noon."""
    assert due is not None
    return (due - NOON) / MINUTE


def test_traders_and_the_clock_wait_in_one_flow(market: Sitting) -> None:
    assert [question.seat for question in market.questions()] == [0, 1]
    assert [minutes(wait.due) for wait in running_timers(market.game)] == [7]
    assert len(market.table.store) == 4


def test_the_clock_brings_more_goods_calls_last_and_closes(market: Sitting) -> None:
    assert market.rings(NOON + 7 * MINUTE - 1) is None
    facts = market.rings(NOON + 7 * MINUTE)
    assert facts is not None
    assert [type(fact) for fact in facts] == [Supplied]
    assert len(market.table.store) == 8
    assert minutes(market.alarm()) == 14
    assert market.rings(NOON + 14 * MINUTE) == (LastCalled(),)
    assert minutes(market.alarm()) == 20
    assert market.rings(NOON + 20 * MINUTE) == (MarketClosed(), Finished((0, 0), (1, 1)))
    assert market.game.session.status == "finished"


def test_what_a_trader_does_leaves_the_clock_and_the_other_alone(market: Sitting) -> None:
    other, alarm = market.choice_for(1, "buy"), market.alarm()
    good = market.options(0, "buy", "good")[0]
    for _ in range(3):
        market.now += MINUTE
        assert market.answers(0, "buy", good=good) == (Bought(0, good),)
        assert market.answers(0, "sell", goods=[good]) == (Sold(0, good),)
    assert market.choice_for(1, "buy") == other
    assert market.alarm() == alarm
    assert [path for path, _ in market.decisions[-1].flow] == [(0,)]


def test_a_good_that_another_trader_bought_is_not_offered_any_more(market: Sitting) -> None:
    good = market.options(1, "buy", "good")[2]
    market.answers(0, "buy", good=good)
    assert good not in market.options(1, "buy", "good")
    assert market.refusal(1, "buy", good=good).startswith("illegal-move")


def test_nothing_is_sold_after_the_last_call(market: Sitting) -> None:
    good = market.options(0, "buy", "good")[0]
    market.answers(0, "buy", good=good)
    asked = market.choice_for(0, "sell")
    assert "sell" in market.offered(0)
    market.rings(NOON + 7 * MINUTE)
    market.rings(NOON + 14 * MINUTE)
    assert market.choice_for(0, "buy") == asked
    assert "sell" not in market.offered(0)
    assert "“sell” is not among the moves" in market.refusal(0, "sell", goods=[good])


def test_when_the_market_closes_the_questions_of_the_traders_evaporate(market: Sitting) -> None:
    asked = [question.id for question in market.questions()]
    for minute in (7, 14, 20):
        market.rings(NOON + minute * MINUTE)
    assert market.game.flow == ()
    assert max(asked) < market.game.last_choice


def test_a_window_ends_early_when_all_traders_are_ready(market: Sitting) -> None:
    market.now += MINUTE
    assert market.answers(0, "say_ready") == (SaidReady(0, True),)
    assert minutes(market.alarm()) == 7
    market.now += MINUTE
    facts = market.answers(1, "say_ready")
    assert [type(fact) for fact in facts] == [SaidReady, Supplied]
    assert minutes(market.alarm()) == 2 + 7
    assert not any(trader.ready for trader in market.table.traders)


def test_a_trader_who_is_not_ready_any_more_keeps_the_window_open(market: Sitting) -> None:
    market.answers(0, "say_ready")
    market.answers(0, "say_ready")
    assert [type(fact) for fact in market.answers(1, "say_ready")] == [SaidReady]


def test_without_the_clock_the_market_goes_on_when_all_are_ready() -> None:
    market = Sitting(MARKET, 2, clock=Clock(factor=0))
    assert market.alarm() is None
    assert len(running_timers(market.game)) == 1
    for expected in (Supplied, LastCalled, MarketClosed):
        assert market.rings(10**15) is None
        market.answers(0, "say_ready")
        assert expected in [type(fact) for fact in market.answers(1, "say_ready")]
    assert market.game.session.status == "finished"


def test_a_slower_clock_makes_the_windows_longer() -> None:
    market = Sitting(MARKET, 2, clock=Clock(factor=1.5), now=NOON)
    assert minutes(market.alarm()) == 10.5


def test_a_late_clock_makes_up_for_nothing_but_loses_nothing(market: Sitting) -> None:
    market.rings(NOON + 9 * MINUTE)
    assert minutes(market.alarm()) == 16
    assert market.rings(NOON + 9 * MINUTE) is None


def test_the_clock_is_not_asked_of_a_seat(market: Sitting) -> None:
    clock = running_timers(market.game)[0].choice
    assert clock not in [question.id for question in market.questions()]


@pytest.mark.parametrize("seed", range(10))
def test_a_market_of_random_traders_ends_with_every_good_where_it_was_put(seed: int) -> None:
    market = Sitting(MARKET, 3, {"goods": 11}, seed=str(seed))
    market.plays_at_random(Random(seed))
    table = market.table
    goods = [*table.store, *table.stock, *(good for trader in table.traders for good in trader.goods)]
    assert market.game.session.status == "finished"
    assert sorted(goods) == list(range(11))
