"""The windows of Deckbuilding: when they open and end, the last call, and grace to finish what was begun."""

from __future__ import annotations

from typing import Any

from games.kernel import Clock
from games.millennium_blades.catalogue import kind, stars
from games.millennium_blades.facts import MarketClosed, WindowOpened
from tests.games.kernel.playing import Sitting
from tests.games.millennium_blades.dealing import MINUTE, all_ready, market


def test_the_clock_opens_the_windows_after_7_14_and_20_minutes():
    sitting = market(2, Clock())
    assert sitting.alarm() == 7 * MINUTE
    sitting.rings(7 * MINUTE)
    table = sitting.game.state
    assert (table.window, len(table.metas)) == (2, 2)
    assert [len(player.binder) for player in table.players] == [24, 24]
    assert [player.dollars for player in table.players] == [30, 30]
    sitting.rings(14 * MINUTE)
    assert sitting.game.state.window == 3
    assert "sell" not in sitting.offered(0)
    assert sitting.alarm() == 20 * MINUTE
    sitting.rings(20 * MINUTE)
    assert sitting.game.state.tournament == 2, "nobody has built a deck, so the tournament is over"


def test_a_factor_makes_the_clock_faster():
    assert market(2, Clock(factor=0.05)).alarm() == 21_000


def time_is_up(**options: Any) -> Sitting:
    """Return the moment at which the last call is over."""
    sitting = market(2, Clock(), grace_seconds=60, **options)
    for minutes in (7, 14):
        sitting.rings(minutes * MINUTE)
    return sitting


def test_there_is_a_minute_of_grace_after_the_last_call_and_the_phase_ends_when_it_is_over():
    sitting = time_is_up()
    assert sitting.alarm() == 20 * MINUTE
    sitting.rings(20 * MINUTE)
    assert (sitting.table.window, sitting.alarm()) == (4, 21 * MINUTE)
    facts = sitting.rings(21 * MINUTE)
    assert facts is not None
    assert MarketClosed() in facts


def test_in_grace_it_is_too_late_to_begin_a_collection():
    sitting = time_is_up()
    first = next(card for card in sitting.table.players[1].binder if kind(card) == "single")
    sitting.answers(1, "collect", card=first)
    sitting.rings(20 * MINUTE)
    assert "collect" not in sitting.offered(0)
    more = sitting.options(1, "collect", "card")
    sitting.answers(1, "collect", card=more[0])
    assert sitting.table.players[1].collection == (first, more[0])


def test_in_grace_decks_are_finished_and_nothing_is_bought_or_fused():
    sitting = time_is_up(powers=True, characters=["fulton-suitcase", "power-creep"])
    sitting.rings(20 * MINUTE)
    assert sitting.offered(0) == sitting.offered(1) == ["put_in_deck", "ready"]
    assert sitting.asked(0) == ["The time is up. Finish what you have begun."]


def test_in_grace_an_open_trade_is_finished_and_none_is_begun():
    sitting = time_is_up()
    card = sitting.table.players[0].binder[0]
    sitting.answers(0, "offer_trade", partner=1, cards=[card], dollars=0, friendship_cards=[])
    sitting.rings(20 * MINUTE)
    (trade,) = sitting.options(1, "answer_trade", "trade")
    sitting.answers(1, "answer_trade", trade=trade, cards=[], dollars=stars(card), friendship_cards=[])
    assert "offer_trade" not in sitting.offered(0)
    sitting.answers(0, "confirm_trade", trade=trade)
    assert card in sitting.table.players[1].binder


def test_there_is_no_grace_when_all_are_ready():
    sitting = time_is_up()
    all_ready(sitting)
    assert [it.window for it in sitting.facts() if isinstance(it, WindowOpened)][:4] == [1, 2, 3, 1]


def test_the_decks_of_a_pre_release_tournament_are_built_without_a_clock():
    sitting = market(2, Clock(factor=1, seconds_per_choice=30), pre_release=True)
    assert sitting.deadlines() == [None, None]
    assert sitting.alarm() is None
    sitting.answers(0, "put_in_deck", card=sitting.options(0, "put_in_deck", "card")[0])
    all_ready(sitting)
    assert sitting.table.phase == "tournament"


def test_with_a_clock_a_window_ends_early_when_all_are_ready():
    sitting = market(2, Clock())
    sitting.now = 60_000
    all_ready(sitting)
    assert (sitting.game.state.window, sitting.alarm()) == (2, 8 * MINUTE)


def test_without_a_clock_a_window_ends_when_all_are_ready():
    sitting = market(3)
    sitting.answers(0, "ready")
    sitting.answers(2, "ready")
    assert sitting.questions(0) == []
    assert sitting.game.state.window == 1
    sitting.answers(1, "ready")
    assert sitting.game.state.window == 2
    assert all(sitting.questions(seat) for seat in range(3))
