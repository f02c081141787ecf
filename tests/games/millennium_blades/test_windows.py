"""The windows of Deckbuilding: when they open and end, the last call, and grace to finish what was begun."""

from __future__ import annotations

from typing import Any

from games.kernel import Clock
from games.millennium_blades.catalogue import kind, stars
from games.millennium_blades.facts import MarketClosed, WindowOpened
from tests.games.kernel.driver import GameDriver
from tests.games.millennium_blades.dealing import MINUTE, all_ready, market


def test_the_clock_opens_the_windows_after_7_14_and_20_minutes():
    driver = market(2, Clock())
    assert driver.alarm() == 7 * MINUTE
    driver.fire_timers(7 * MINUTE)
    table = driver.game.state
    assert (table.window, len(table.metas)) == (2, 2)
    assert [len(player.binder) for player in table.players] == [24, 24]
    assert [player.dollars for player in table.players] == [30, 30]
    driver.fire_timers(14 * MINUTE)
    assert driver.game.state.window == 3
    assert "sell" not in driver.moves(0)
    assert driver.alarm() == 20 * MINUTE
    driver.fire_timers(20 * MINUTE)
    assert driver.game.state.tournament == 2, "nobody has built a deck, so the tournament is over"


def test_a_factor_makes_the_clock_faster():
    assert market(2, Clock(factor=0.05)).alarm() == 21_000


def time_is_up(**options: Any) -> GameDriver:
    """Return the moment at which the last call is over."""
    driver = market(2, Clock(), grace_seconds=60, **options)
    for minutes in (7, 14):
        driver.fire_timers(minutes * MINUTE)
    return driver


def test_there_is_a_minute_of_grace_after_the_last_call_and_the_phase_ends_when_it_is_over():
    driver = time_is_up()
    assert driver.alarm() == 20 * MINUTE
    driver.fire_timers(20 * MINUTE)
    assert (driver.state.window, driver.alarm()) == (4, 21 * MINUTE)
    facts = driver.fire_timers(21 * MINUTE)
    assert facts is not None
    assert MarketClosed() in facts


def test_in_grace_it_is_too_late_to_begin_a_collection():
    driver = time_is_up()
    first = next(card for card in driver.state.players[1].binder if kind(card) == "single")
    driver.answer(1, "collect", card=first)
    driver.fire_timers(20 * MINUTE)
    assert "collect" not in driver.moves(0)
    more = driver.options(1, "collect", "card")
    driver.answer(1, "collect", card=more[0])
    assert driver.state.players[1].collection == (first, more[0])


def test_in_grace_decks_are_finished_and_nothing_is_bought_or_fused():
    driver = time_is_up(powers=True, characters=["fulton-suitcase", "power-creep"])
    driver.fire_timers(20 * MINUTE)
    assert driver.moves(0) == driver.moves(1) == ["put_in_deck", "ready"]
    assert driver.prompts(0) == ["The time is up. Finish what you have begun."]


def test_in_grace_an_open_trade_is_finished_and_none_is_begun():
    driver = time_is_up()
    card = driver.state.players[0].binder[0]
    driver.answer(0, "offer_trade", partner=1, cards=[card], dollars=0, friendship_cards=[])
    driver.fire_timers(20 * MINUTE)
    (trade,) = driver.options(1, "answer_trade", "trade")
    driver.answer(1, "answer_trade", trade=trade, cards=[], dollars=stars(card), friendship_cards=[])
    assert "offer_trade" not in driver.moves(0)
    driver.answer(0, "confirm_trade", trade=trade)
    assert card in driver.state.players[1].binder


def test_there_is_no_grace_when_all_are_ready():
    driver = time_is_up()
    all_ready(driver)
    assert [it.window for it in driver.facts() if isinstance(it, WindowOpened)][:4] == [1, 2, 3, 1]


def test_the_decks_of_a_pre_release_tournament_are_built_without_a_clock():
    driver = market(2, Clock(factor=1, seconds_per_choice=30), pre_release=True)
    assert driver.deadlines() == [None, None]
    assert driver.alarm() is None
    driver.answer(0, "put_in_deck", card=driver.options(0, "put_in_deck", "card")[0])
    all_ready(driver)
    assert driver.state.phase == "tournament"


def test_with_a_clock_a_window_ends_early_when_all_are_ready():
    driver = market(2, Clock())
    driver.now = 60_000
    all_ready(driver)
    assert (driver.game.state.window, driver.alarm()) == (2, 8 * MINUTE)


def test_without_a_clock_a_window_ends_when_all_are_ready():
    driver = market(3)
    driver.answer(0, "ready")
    driver.answer(2, "ready")
    assert driver.choices(0) == []
    assert driver.game.state.window == 1
    driver.answer(1, "ready")
    assert driver.game.state.window == 2
    assert all(driver.choices(seat) for seat in range(3))
