"""The powers of the six characters, on both sides of the board."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.kernel import Clock
from games.millennium_blades import MILLENNIUM_BLADES
from games.millennium_blades.board.card_script import card
from games.millennium_blades.catalogue import CHARACTERS, NUMBERS, design_number, kind, stars
from games.millennium_blades.scripting.effects import gain
from games.millennium_blades.scripting.triggers import score
from games.millennium_blades.state import PeekedPack
from games.millennium_blades.tournament.facts import ScoringBegun
from games.millennium_blades.tournament.turns import score_cards, turn
from tests.games.kernel.driver import GameDriver
from tests.games.millennium_blades.scenario import IDS, PlayerSetup, Scenario, scoring, scripts

LOW = "bertram_explorer"
UNTIMED = Clock(factor=0)


def market(character: str, **options: Any) -> GameDriver:
    """Return the first window of a game in which seat 0 is this character, with its power or without."""
    other = next(it for it in CHARACTERS if it not in (character, "power-creep"))
    chosen = {"characters": [character, other], "starters": ["bluelake-village", "redhill-mercenaries"]}
    return GameDriver(MILLENNIUM_BLADES, 2, {"powers": True} | chosen | options, UNTIMED, stored=False)


def test_characters_have_no_power_unless_powers_are_played():
    driver = market("shur-wen-na", powers=False)
    assert "take_free_card" not in driver.moves(0)
    assert driver.game.state.players[0].dollars == 30


def test_cardine_kolleckta_starts_with_two_promos_and_fuses_with_one_card_less():
    driver = market("cardine-kolleckta")
    assert [len(deck.cards) for deck in driver.game.state.fusion_decks] == [5, 5, 6]
    offers = [offer for question in driver.choices(0) for offer in question.choice.offers if offer.move == "fuse"]
    assert [offer.fields["cards"].minimum for offer in offers] == [4, 6, 8]  # type: ignore[union-attr]


def test_deques_applenti_builds_with_two_boxes_and_three_accessories_and_buys_accessories_cheaper():
    driver = market("deques-applenti")
    table = MILLENNIUM_BLADES.table(driver.game.state, 0, None, False)  # type: ignore[arg-type]
    assert table.deck_limits == (8, 3, 2)  # type: ignore[attr-defined]
    accessories = [card for card in driver.game.state.store_deck if kind(card) == "accessory" and stars(card) > 3]
    assert {stars(card) - table.aftermarket_price(card) for card in accessories} == {3}  # type: ignore[attr-defined]


def test_fulton_suitcase_has_15_dollars_more_and_looks_at_packs_for_one():
    driver = market("fulton-suitcase")
    assert driver.game.state.players[0].dollars == 45
    driver.answer(0, "look_at_pack", place=3)
    player = driver.game.state.players[0]
    assert (player.dollars, player.peeked.packs) == (44, (PeekedPack(3, driver.game.state.store[2].card),))
    assert 3 not in driver.options(0, "look_at_pack", "place")


def test_morrey_caardman_sells_for_more_and_buys_for_less():
    driver = market("morrey-caardman")
    card = driver.game.state.players[0].binder[0]
    driver.answer(0, "sell", card=card)
    assert driver.game.state.players[0].dollars == 30 + stars(card) + 2
    theirs = max(driver.game.state.players[1].binder, key=stars)
    driver.answer(1, "sell", card=theirs)
    before = driver.game.state.players[0].dollars
    driver.answer(0, "buy_card", card=theirs)
    assert before - driver.game.state.players[0].dollars == max(1, stars(theirs) - 2)


def test_power_creep_looks_at_metas_and_changes_one_before_the_second_is_revealed():
    driver = market("power-creep")
    (meta,) = driver.game.state.metas
    following = driver.game.state.element_metas[0]
    driver.answer(0, "look_at_metas", deck="type")
    driver.answer(0, "change_meta", deck="element")
    assert driver.game.state.metas == (following,)
    assert driver.game.state.element_metas[-1] == meta
    assert "change_meta" not in driver.moves(0)


def test_shur_wen_na_takes_a_card_of_another_for_free_once():
    driver = market("shur-wen-na")
    mine, theirs = driver.game.state.players[0].binder[0], driver.game.state.players[1].binder[0]
    driver.answer(0, "sell", card=mine)
    driver.answer(1, "sell", card=theirs)
    assert driver.options(0, "take_free_card", "card") == (theirs,)
    markers = driver.game.state.players[1].sell_markers
    driver.answer(0, "take_free_card", card=theirs)
    assert theirs in driver.game.state.players[0].binder
    assert driver.game.state.players[1].sell_markers == markers + 1
    assert "take_free_card" not in driver.moves(0)


def test_cardine_kolleckta_protects_a_card_and_scores_it_again():
    scenario = Scenario(PlayerSetup("evil_helbane", LOW, character="cardine-kolleckta")).acts("cardine-kolleckta")
    assert scenario.in_play("evil_helbane").attached == (CHARACTERS["cardine-kolleckta"].number * 10,)


def scored_with_cardine(tableau: str, host: str, *others: PlayerSetup) -> Scenario:
    """Return the scenario after the Score effects of seat 0, whose character is attached to a card of its tableau."""
    scenario = Scenario(PlayerSetup(tableau, LOW, character="cardine-kolleckta"), *others).acts("cardine-kolleckta")
    if "choose_target" in scenario.moves(0):
        scenario.chooses("choose_target", target=host)
    scenario.begins(score_cards().by(0), MILLENNIUM_BLADES.evolve(scenario.state, ScoringBegun()))
    if "order_triggers" in scenario.moves(0):
        scenario.answer(0, "order_triggers", triggers=list(scenario.options(0, "order_triggers", "triggers")))
    return scenario


def test_cardine_kolleckta_repeats_a_score_effect_of_its_host_up_to_30():
    scenario = scored_with_cardine("jeff high_priestess_orella+9 looch_wrestler_of_light", "jeff")
    assert scenario.points == (8 + 19 + 4) + 30


@pytest.mark.parametrize(
    ("tableau", "host", "points"),
    [
        ("-jeff lars_pikeman", "lars_pikeman", 9 + 9),
        ("malcombe_footman parker_big_game_hunter", "parker_big_game_hunter", 5 + 5),
        ("monolith_of_artabayaxnias", "monolith_of_artabayaxnias", 35 + 30),
        ("king_of_the_faraway_mountain", "king_of_the_faraway_mountain", 25 + 25),
        ("florian_the_dryad", "florian_the_dryad", 15 + 15),
        ("evil_helbane orella_priestess_in_training", "orella_priestess_in_training", 10 + 10),
        ("trenneth_novice_archer evil_helbane", "trenneth_novice_archer", 0),
        ("dr_penguin_evil_genius digclaw_the_mole", "dr_penguin_evil_genius", 0),
        (f"{LOW} maximimilan_mathematician", "maximimilan_mathematician", 16 + 16 + 16),
    ],
)
def test_the_effect_that_cardine_kolleckta_repeats_is_the_hosts_own(tableau: str, host: str, points: int):
    assert scored_with_cardine(tableau, host).points == points


def test_cardine_kolleckta_repeats_one_of_several_score_effects():
    with scripts(card("jeff", score(gain(3)), score(gain(7)))):
        scenario = scored_with_cardine("jeff", "jeff")
        assert scenario.prompts(0) == ["Which Score effect happens again?"]
        scenario.answer(0, "repeat_score_effect", effect=[NUMBERS["jeff"], 1])
        assert scenario.points == 3 + 7 + 7


def test_deques_applenti_turns_an_accessory_up_once():
    scenario = Scenario(PlayerSetup("", f"{LOW} tia", "-star_booster", character="deques-applenti"))
    scenario.acts("deques-applenti").chooses("turn_accessory_face_up", card="star_booster")
    assert scenario.is_face_up("star_booster")
    scenario.plays(LOW).turn_of(0)
    assert not [card for card in scenario.options(0, "use_action", "card") if card == 9020]


def test_fulton_suitcase_puts_a_token_for_a_dollar():
    scenario = Scenario(PlayerSetup("jeff", LOW, character="fulton-suitcase", dollars=1)).acts("fulton-suitcase")
    assert (scenario.stars("jeff"), scenario.state.players[0].dollars) == (9, 0)


def test_fulton_suitcase_can_put_a_token_on_a_face_down_card():
    scenario = Scenario(PlayerSetup("-jeff", LOW, character="fulton-suitcase", dollars=1)).acts("fulton-suitcase")
    assert scenario.in_play("jeff").tokens == 1


def test_cardine_kolleckta_can_be_attached_to_a_face_down_card():
    scenario = Scenario(PlayerSetup("-jeff", LOW, character="cardine-kolleckta")).acts("cardine-kolleckta")
    assert scenario.in_play("jeff").attached == (CHARACTERS["cardine-kolleckta"].number * 10,)


def test_fulton_suitcase_scores_10_for_each_card_with_more_stars_than_all_others():
    scenario = scoring(
        "evil_helbane high_priestess_orella malcombe_footman",
        PlayerSetup("dirtbag_the_sandman"),
        character="fulton-suitcase",
    )
    assert scenario.points == 20


def test_morrey_caardman_takes_a_card_and_shows_one_for_its_stars():
    scenario = Scenario(PlayerSetup("", LOW, character="morrey-caardman"), aftermarket="jeff").acts("morrey-caardman")
    scenario.chooses("take_to_hand", card="jeff").chooses("show_for_stars", card="jeff")
    assert scenario.points == 8
    assert scenario.ids(scenario.state.store_deck[-1:]) == ["jeff"]


def test_morrey_caardman_takes_from_a_reshuffled_store_deck():
    scenario = Scenario(PlayerSetup("", LOW, character="morrey-caardman"))
    scenario.begins(turn().by(0), replace(scenario.state, store_deck=(), discard=scenario.cards("the_one")))
    scenario.acts("morrey-caardman").chooses("take_top_of_store")
    assert [IDS[design_number(card)] for card in scenario.state.players[0].hand] == [LOW, "the_one"]


def test_power_creep_gains_4_for_each_card_of_an_active_meta():
    scenario = Scenario(PlayerSetup("", "evil_helbane", character="power-creep"), metas=("dark", "mage")).plays(
        "evil_helbane"
    )
    assert scenario.points == 4


def test_shur_wen_na_has_one_more_slot():
    six = "evil_helbane high_priestess_orella elvan_mage_adept_elco jeff tia brikzaar"
    scenario = Scenario(PlayerSetup(six, "malcombe_footman", character="shur-wen-na")).plays("malcombe_footman")
    assert len(scenario.state.players[0].tableau) == 7


def test_shur_wen_na_reveals_another_card_for_two_dollars_at_most_twice_in_a_clash():
    scenario = Scenario(
        PlayerSetup("dirtbag_the_sandman", LOW, character="shur-wen-na", dollars=9), PlayerSetup("jeff"),
        store="play_mat proxy_card custom_concept the_one",
    )  # fmt: skip
    scenario.acts("dirtbag_the_sandman").chooses("reveal_another").chooses("reveal_another")
    assert (scenario.points, scenario.state.players[0].dollars) == (10, 5)
    assert scenario.choices(0)[0].choice.prompt_text != "Add to your total?"
