"""Deckbuilding: set-up, the Store, the Aftermarket, fusion, collections and decks."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from games.kernel import Clock, Refusal, fold, state_view
from games.millennium_blades import MILLENNIUM_BLADES
from games.millennium_blades.catalogue import DESIGNS, NUMBERS, SETS, design_number, kind, stars
from games.millennium_blades.constants import collection_points
from games.millennium_blades.game_flow import deckbuilding
from tests.games.millennium_blades.dealing import MINUTE, all_ready, change_player, market
from tests.games.millennium_blades.scenario import PlayerSetup, Scenario

HELBANE = NUMBERS["dark_sentinel_helbane"] * 10 + 1
"""The copy in the starter deck of Chateau Helbane."""


# --- Set-up -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_phase_begins_with_30_dollars_and_18_cards_in_each_binder(seats: int):
    table: Any = market(seats).game.state
    assert [player.dollars for player in table.players] == [30] * seats
    assert [len(player.binder) for player in table.players] == [9 + 3 + 6] * seats
    assert [player.sell_markers for player in table.players] == [4 if seats < 4 else 3] * seats
    assert len(table.store) == 9
    assert len(table.metas) == 1


def test_with_full_sets_the_store_would_hold_262_cards():
    store_sets = [card_set for card_set in SETS.values() if card_set.rarity in ("expansion", "premium", "master")]
    sizes = {sum(printed.copies for printed in card_set.designs) for card_set in store_sets}
    assert sizes == {12}
    assert sum(printed.copies for printed in SETS["millennium-blades"].designs) + 12 * (5 + 4 + 3) == 262


def test_fusion_decks_and_prizes_are_five_different_promo_sets():
    table = market().game.state
    assert [deck.tier for deck in table.fusion_decks] == ["bronze", "silver", "gold"]
    assert [deck.tier for deck in table.prize_decks] == ["bronze", "silver"]
    assert len({deck.set for deck in (*table.fusion_decks, *table.prize_decks)}) == 5


@pytest.mark.parametrize(
    "options",
    [
        {"venues": True},
        {"store_sets": ["1001-nights"]},
        {"store_sets": ["millennium-blades"]},
        {"characters": ["power-creep"]},
        {"characters": ["power-creep", "power-creep"]},
        {"promo_sets": ["jeff"]},
        {"grace_seconds": 600},
    ],
)
def test_options_that_are_unknown_or_do_not_fit_are_refused(options: dict[str, Any]):
    with pytest.raises(Refusal, match="bad-options"):
        market(2, **options)


# --- Store and Aftermarket --------------------------------------------------------------------------------


def test_a_pack_costs_the_price_on_its_back_and_is_replaced_at_once():
    driver = market()
    pack = driver.game.state.store[4]
    top = driver.game.state.store_deck[-1]
    driver.answer(0, "buy_pack", place=5)
    table = driver.game.state
    assert table.players[0].dollars == 27
    assert pack.card in table.players[0].binder
    assert table.store[4].card == top
    assert table.last_pack_opener == 0


def test_the_top_of_the_store_deck_can_be_bought():
    driver = market()
    top = driver.game.state.store_deck[-1]
    driver.answer(0, "buy_pack", place=0)
    assert top in driver.game.state.players[0].binder


def test_a_pack_is_identified_by_its_place_and_its_card_is_hidden():
    driver = market()
    shown = state_view(MILLENNIUM_BLADES, driver.game, 0)["store"][0]
    assert shown["card"] == {"hidden": 1}
    assert shown["back"] == "millennium-blades"


def test_selling_a_card_gives_its_stars_in_dollars_and_needs_a_marker():
    driver = market()
    card = driver.game.state.players[0].binder[0]
    driver.answer(0, "sell", card=card)
    player = driver.game.state.players[0]
    assert (player.dollars, player.sell_markers) == (30 + stars(card), 3)
    assert driver.options(0, "sell", "card") == player.binder
    assert "buy_card" not in driver.moves(0), "one's own cards cannot be bought"


def test_without_a_free_marker_nothing_is_sold_or_fused():
    driver = change_player(market(), 0, sell_markers=0)
    assert not {"sell", "fuse"} & set(driver.moves(0))


def test_buying_a_card_gives_the_marker_back_to_its_owner_at_once():
    driver = market()
    card = driver.game.state.players[0].binder[0]
    driver.answer(0, "sell", card=card)
    driver.answer(1, "buy_card", card=card)
    table = driver.game.state
    assert (table.players[0].sell_markers, table.players[1].dollars) == (4, 30 - stars(card))
    assert card in table.players[1].binder


def test_if_two_seats_buy_the_same_card_the_second_is_refused_and_may_choose_again():
    driver = market(3)
    card = driver.game.state.players[0].binder[0]
    driver.answer(0, "sell", card=card)
    second = driver.choice_for(2, "buy_card")
    driver.answer(1, "buy_card", card=card)
    with pytest.raises(Refusal, match="illegal-move"):
        driver.send(2, second, "buy_card", {"card": card})
    assert driver.choice_for(2, "buy_pack") == second, "the choice of the other seat stays open"


def test_a_card_that_is_too_expensive_is_not_offered():
    driver = market()
    card = max(driver.game.state.players[0].binder, key=stars)
    driver.answer(0, "sell", card=card)
    change_player(driver, 1, dollars=stars(card) - 1)
    assert "buy_card" not in driver.moves(1)


# --- Fusion -----------------------------------------------------------------------------------------------


def test_fusion_takes_5_cards_and_a_marker_for_a_bronze_promo_once_a_phase():
    driver = market()
    cards = driver.game.state.players[0].binder[:5]
    driver.answer(0, "fuse", tier="bronze", cards=list(cards))
    table = driver.game.state
    assert (table.players[0].sell_markers, table.players[0].fused_tiers) == (3, ("bronze",))
    assert set(cards) <= set(table.box)
    assert [len(deck.cards) for deck in table.fusion_decks] == [5, 6, 6]
    offers = [offer for pending in driver.choices(0) for offer in pending.choice.offers]
    tiers = [offer.fields["tier"].options for offer in offers if offer.move == "fuse"]  # type: ignore[union-attr]
    assert tiers == [("silver",), ("gold",)]
    assert "illegal-move" in driver.refusal(0, "fuse", tier="silver", cards=list(table.players[0].binder[:6]))


def test_markers_and_fusions_come_back_in_the_next_phase():
    driver = market()
    driver.answer(0, "fuse", tier="bronze", cards=list(driver.game.state.players[0].binder[:5]))
    for _ in range(3):
        all_ready(driver)
    player = driver.game.state.players[0]
    assert (driver.game.state.tournament, player.sell_markers, player.fused_tiers) == (2, 4, ())


# --- Collections and decks --------------------------------------------------------------------------------


def test_a_collection_shares_an_element_or_a_type_and_no_stars():
    driver = market(2, starters=["chateau-helbane", "bluelake-village"])
    driver.answer(0, "collect", card=HELBANE)
    offered = driver.options(0, "collect", "card")
    first = DESIGNS[design_number(HELBANE)]
    for card in offered:
        facts = DESIGNS[design_number(card)]
        assert facts.stars != first.stars
        assert facts.id in ("proxy_card", "the_one", "custom_concept") or {*facts.elements, *facts.types} & {
            "dark",
            "soldier",
        }


def test_a_collection_can_be_begun_anew():
    driver = market()
    card = driver.options(0, "collect", "card")[0]
    driver.answer(0, "collect", card=card)
    driver.answer(0, "take_from_collection", card=card)
    assert driver.game.state.players[0].collection == ()


def test_a_collection_is_turned_in_for_points_and_its_cards_leave_the_game():
    driver = market(2, starters=["chateau-helbane", "bluelake-village"])
    in_play = (HELBANE, NUMBERS["vectis_necromancer"] * 10 + 1)
    for card in in_play:
        driver.answer(0, "collect", card=card)
    for _ in range(3):
        all_ready(driver)
    table = driver.game.state
    assert table.players[0].collection_points == (2,)
    assert set(in_play) <= set(table.box)


@pytest.mark.parametrize(("cards", "points"), [(0, 0), (1, 0), (2, 2), (5, 9), (8, 21), (10, 21)])
def test_larger_collections_are_worth_more(cards: int, points: int):
    assert collection_points(cards) == points


def test_a_deck_holds_8_singles_2_accessories_1_box_and_no_name_twice():
    driver = market()
    while "put_in_deck" in driver.moves(0):
        driver.answer(0, "put_in_deck", card=driver.options(0, "put_in_deck", "card")[0])
    deck = driver.game.state.players[0].deck
    kinds = Counter(kind(card) for card in deck)
    extra = 3 * any(DESIGNS[design_number(card)].id == "branded_card_binder" for card in deck)
    assert kinds["single"] <= 8 + extra
    assert kinds["accessory"] <= 2
    assert kinds["deck_box"] <= 1
    assert len({design_number(card) for card in deck}) == len(deck)


def test_a_deck_with_too_many_cards_is_corrected_at_random():
    driver = market()
    singles = tuple(number * 10 for number in range(1, 12))
    change_player(driver, 0, deck=singles)
    for _ in range(3):
        all_ready(driver)
    facts = [fact for fact in driver.facts() if type(fact).__name__ == "DeckCorrected"]
    assert [len(fact.cards) for fact in facts] == [3]


def test_cards_of_store_and_aftermarket_are_discarded_at_the_end_of_the_phase():
    driver = market()
    driver.answer(0, "sell", card=driver.game.state.players[0].binder[0])
    all_ready(driver)
    all_ready(driver)
    discarded = len(driver.game.state.discard)
    all_ready(driver)
    cleared = [fact for fact in driver.facts() if type(fact).__name__ == "StoreCleared"]
    assert len(cleared) == 1
    assert discarded == 0


def test_a_phase_that_begins_with_an_empty_store_deck_shuffles_the_discard_first():
    driver = market(2)
    table: Any = driver.game.state
    deck = table.store_deck
    emptied = replace(table, phase="set_up", store=(), store_deck=(), top_back=None, discard=deck)
    scenario = Scenario(PlayerSetup())
    scenario.begins(deckbuilding(), emptied)
    assert [len(player.binder) for player in scenario.state.players] == [9 + 3 + 6 + 6] * 2
    assert len(scenario.state.store) == 9
    assert len(scenario.state.store_deck) == len(deck) - 12 - 9


def test_when_the_store_deck_is_empty_the_discard_is_shuffled_into_a_new_one():
    driver = market()
    table = driver.game.state
    last, *rest = reversed(table.store_deck)
    driver.game = replace(driver.game, state=replace(table, store_deck=(last,), discard=tuple(rest)))
    facts = driver.answer(0, "buy_pack", place=1)
    assert "StoreDeckReshuffled" in [type(fact).__name__ for fact in facts]
    assert sorted(driver.game.state.store_deck) == sorted(rest)


def test_folding_the_decisions_gives_the_played_game():
    driver = market()
    driver.answer(0, "buy_pack", place=1)
    game = None
    for decision in driver.decisions:
        game = fold(MILLENNIUM_BLADES, game, decision)
    assert game == driver.game


# --- Silent seats -----------------------------------------------------------------------------------------


def test_a_silent_seat_is_ready_when_there_is_no_clock_but_a_limit_for_choices():
    driver = market(2, Clock(factor=0, seconds_per_choice=60))
    facts = driver.fire_timers(60_000)
    assert facts is not None
    assert [type(fact).__name__ for fact in facts] == ["TimeRanOut", "SeatReady"]


def test_a_limit_for_choices_does_not_end_a_window_before_its_clock():
    assert market(2, Clock(seconds_per_choice=60)).alarm() == 7 * MINUTE
