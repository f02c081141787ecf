"""The promo sets that can be played, card by card."""

from __future__ import annotations

import pytest

from games.millennium_blades.catalogue import SETS
from tests.cards import covers
from tests.games.millennium_blades.scenario import PlayerSetup, Scenario, played, scored

LOW = "bertram_explorer"


def blade(card: str, other: str, mine: str, theirs: str, hand: str = "") -> Scenario:
    """Return the scenario after seat 0 used the Action of a blade against seat 1."""
    setup = PlayerSetup(f"{LOW} {card}", "tia")
    return Scenario(setup, PlayerSetup(other, hand), store=f"{mine} {theirs}").acts(card)


def test_crystal_blade_zedaxis_gains_40_on_a_tie():
    assert blade("crystal_blade_zedaxis", "archmage_kastah", "play_mat", "proxy_card").points == 40


def test_crystal_blade_zedaxis_gives_the_winner_22():
    assert blade("crystal_blade_zedaxis", "jeff", "play_mat", "the_one").all_points() == [0, 22]


def test_dowsing_blade_meridian_gives_the_loser_22_and_flips_the_winners_weakest_card():
    scenario = blade("dowsing_blade_meridian", "jeff", "the_one", "play_mat")
    assert (scenario.all_points(), scenario.tableau_ids()) == ([0, 22], f"-{LOW} -dowsing_blade_meridian")


def test_gloronicus_the_destiny_blade_gives_the_loser_22_and_costs_the_winner_a_card():
    scenario = blade("gloronicus_the_destiny_blade", "jeff", "play_mat", "the_one", hand="brikzaar evil_helbane")
    scenario.chooses("discard_card", seat=1, card="brikzaar")
    assert scenario.points == 22
    assert scenario.ids(scenario.state.players[1].hand) == ["evil_helbane"]


def test_infernalatius_maximus_gives_the_winner_22_and_flips_their_strongest_card():
    scenario = blade("infernalatius_maximus", "jeff malcombe_footman", "play_mat", "the_one")
    assert (scenario.all_points(), scenario.tableau_ids(1)) == ([0, 22], "-jeff malcombe_footman")


def test_necronamicus_unbound_gives_the_winner_22_and_flips_the_losers_strongest_card():
    scenario = blade("necronamicus_unbound", "jeff malcombe_footman", "the_one", "play_mat")
    assert (scenario.points, scenario.tableau_ids(1)) == (22, "-jeff malcombe_footman")


def test_soul_caliper_gives_tokens_to_face_down_cards_as_well():
    scenario = Scenario(PlayerSetup("-jeff soul_caliper", "tia"), PlayerSetup(LOW), store="the_one play_mat").acts(
        "soul_caliper"
    )
    assert scenario.options(0, "choose_target", "target") == (
        scenario.card_in_play("jeff"),
        scenario.card_in_play("soul_caliper"),
    )


def test_soul_caliper_gives_the_winner_22_and_up_to_three_tokens():
    scenario = blade("soul_caliper", LOW, "the_one", "play_mat")
    scenario.chooses("choose_target", target=LOW).chooses("choose_no_target").chooses(
        "choose_target", target="soul_caliper"
    )
    assert scenario.points == 22
    assert [in_play.tokens for in_play in scenario.state.players[0].tableau] == [1, 1]


@pytest.mark.parametrize("card", [printed.id for printed in SETS["legend-of-final-badass"].designs])
@covers(
    "elvan_mage_adept_elco",
    "evil_helbane",
    "high_priestess_orella",
    "imperial_assassin_mara",
    "knight_captain_malcombe",
    "trenneth_hero_of_greendew",
)
def test_a_final_badass_has_ten_stars_and_no_effect(card: str):
    scenario = played(card)
    assert (scenario.stars(card), scenario.points) == (10, 0)


def test_brikzaar_scores_the_stars_of_all_air():
    assert scored("brikzaar trenneth_hero_of_greendew evil_helbane") == 18


def test_jeff_scores_the_stars_of_all_light():
    assert scored("jeff high_priestess_orella -looch_wrestler_of_light") == 18


def test_omega_mega_zexxor_rex_scores_the_stars_of_all_fire():
    assert scored("omega_mega_zexxor_rex knight_captain_malcombe+2") == 20


def test_rofopocalypse_scores_the_stars_of_all_water():
    assert scored("rofopocalypse elvan_mage_adept_elco") == 18


def test_tia_scores_the_stars_of_all_earth():
    assert scored("tia imperial_assassin_mara") == 18


def test_ultrameanicus_scores_the_stars_of_all_dark():
    assert scored("ultrameanicus evil_helbane") == 18


def test_crown_princess_piyoko_scores_the_stars_of_all_citizens():
    assert scored("crown_princess_piyoko imperial_assassin_mara") == 17


def test_dragon_princess_moire_scores_the_stars_of_all_myths():
    assert scored("dragon_princess_moire mummer_the_merman") == 11


def test_machine_princess_euno_scores_the_stars_of_all_constructs():
    assert scored("machine_princess_euno goloronicus_sword_of_heroes") == 10


def test_magical_princess_riza_scores_the_stars_of_all_mages():
    assert scored("magical_princess_riza high_priestess_orella") == 17


def test_warrior_princess_lemina_scores_the_stars_of_all_soldiers():
    assert scored("warrior_princess_lemina evil_helbane") == 17


def test_wild_princess_kachin_scores_the_stars_of_all_animals():
    assert scored("wild_princess_kachin devouring_worm") == 11


def test_vault_of_ages_scores_8_for_each_card_of_earth_and_each_animal():
    assert scored("devouring_worm imperial_assassin_mara evil_helbane", equipment="vault_of_ages") == 16


def test_vault_of_currents_scores_8_for_each_card_of_water_and_each_citizen():
    assert scored("elvan_mage_adept_elco imperial_assassin_mara", equipment="vault_of_currents") == 16


def test_vault_of_embers_scores_8_for_each_card_of_fire_and_each_myth():
    assert scored("knight_captain_malcombe mummer_the_merman", equipment="vault_of_embers") == 16


def test_vault_of_lights_scores_8_for_each_card_of_light_and_each_mage():
    assert scored("high_priestess_orella elvan_mage_adept_elco", equipment="vault_of_lights") == 16


def test_vault_of_shadows_scores_8_for_each_card_of_dark_and_each_soldier():
    assert scored("evil_helbane knight_captain_malcombe", equipment="vault_of_shadows") == 16


def test_vault_of_tempests_scores_8_for_each_card_of_air_and_each_construct():
    assert scored("trenneth_hero_of_greendew goloronicus_sword_of_heroes", equipment="vault_of_tempests") == 16


@pytest.mark.parametrize("stars", ["", "+3"])
def test_tokens_count_for_everything_that_reads_stars(stars: str):
    assert scored(f"jeff{stars}") == 8 + len(stars) // 2 * 3
