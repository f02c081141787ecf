"""The Singles of the core set with one to three stars, card by card."""

from __future__ import annotations

import pytest

from games.millennium_blades.board.view import board_view
from tests.games.millennium_blades.scenario import PlayerSetup, Scenario, played, scored

FIRE = "salamander_volcanic_lizard"
PLAIN = "imperial_assassin_mara knight_captain_malcombe evil_helbane high_priestess_orella"


def test_bertram_explorer_scores_16():
    assert scored("bertram_explorer") == 16


def test_black_egg_birth_of_shadow_is_a_copy_of_a_dark_left_neighbour():
    assert played("black_egg_birth_of_shadow", "necronamicus_helbanes_sword").points == 6


def test_black_egg_birth_of_shadow_is_no_copy_of_a_card_with_seven_stars():
    scenario = played("black_egg_birth_of_shadow", "dark_sentinel_helbane+2")
    assert scenario.stars("black_egg_birth_of_shadow") == 1
    assert scored("-bertram_explorer dark_sentinel_helbane+2 black_egg_birth_of_shadow") == 6


def test_blue_egg_birth_of_water_plays_the_effect_of_a_water_left_neighbour():
    assert played("blue_egg_birth_of_water", "deep_ray_undersea_stalker").points == 8


def test_brown_egg_birth_of_stone_copies_in_scoring_as_well():
    assert scored("bertram_explorer brown_egg_birth_of_stone") == 32


def test_red_egg_birth_of_fire_plays_the_effect_of_a_fire_left_neighbour():
    assert played("red_egg_birth_of_fire", "cannon_technician_meryl").points == 18


def test_red_egg_birth_of_fire_does_not_copy_another_element():
    assert played("red_egg_birth_of_fire", "goloronicus_sword_of_heroes").points == 0


def test_white_egg_birth_of_light_shows_the_type_of_the_card_it_copies():
    assert scored("goloronicus_sword_of_heroes white_egg_birth_of_light", equipment="mono_construct_tinkerbox") == 16


def test_brown_egg_birth_of_stone_copies_rarity_and_set_through_a_chain_of_eggs():
    scenario = Scenario(PlayerSetup("crystal_blade_zedaxis brown_egg_birth_of_stone brown_egg_birth_of_stone", "tia"))
    faces = board_view(scenario.state.players).face_up(0)
    assert [(face.rarity, face.set) for face in faces] == [("bronze_promo", "elemental-blades")] * 3


def test_yellow_egg_birth_of_wind_copies_a_copy():
    scenario = played("yellow_egg_birth_of_wind", "ghasticus_the_wind_spirit yellow_egg_birth_of_wind")
    assert scenario.points == 2, "twice the one star of the egg to its left"


def test_elco_apprentice_mage_gains_16_with_three_types():
    assert played("elco_apprentice_mage", "bertram_explorer malcombe_footman").points == 16


def test_elco_apprentice_mage_gains_nothing_with_two_types():
    assert played("elco_apprentice_mage", "bertram_explorer -malcombe_footman").points == 0


def test_hemsey_the_snitch_flips_a_card_for_twice_its_stars():
    scenario = played("hemsey_the_snitch", FIRE).chooses("flip_card", card=FIRE)
    assert (scenario.points, scenario.tableau_ids()) == (6, f"-{FIRE} hemsey_the_snitch")


def test_malcombe_footman_gains_9_and_flips_a_neighbour_for_7():
    scenario = played("malcombe_footman", FIRE)
    assert scenario.points == 9
    scenario.acts("malcombe_footman")
    assert (scenario.points, scenario.tableau_ids()) == (16, f"-{FIRE} -malcombe_footman")


def test_orella_priestess_in_training_scores_the_stars_of_its_neighbours():
    assert scored(f"{FIRE} orella_priestess_in_training bertram_explorer -evil_helbane") == 4 + 16


def test_orella_priestess_in_training_protects_its_neighbours_from_opponents():
    protected = PlayerSetup(f"{FIRE} orella_priestess_in_training evil_helbane")
    scenario = Scenario(PlayerSetup("burnizard_ex_omega_revolver_j", "bertram_explorer"), protected)
    scenario.acts("burnizard_ex_omega_revolver_j")
    assert scenario.tableau_ids(1) == f"{FIRE} -orella_priestess_in_training evil_helbane"


def test_trenneth_novice_archer_scores_18_when_no_neighbour_has_more_stars():
    assert scored("-evil_helbane trenneth_novice_archer malcombe_footman") == 18
    assert scored("bertram_explorer trenneth_novice_archer aberforth_low_summoner") == 16


@pytest.mark.parametrize(
    ("tableau", "points"), [("evil_helbane bertram_explorer", 16), ("evil_helbane high_priestess_orella", 18)]
)
def test_batfire_bat_out_of_hell_scores_18_for_two_others_of_a_rarity(tableau: str, points: int):
    assert scored(f"batfire_bat_out_of_hell {tableau}") == points


def test_berkenstock_the_chemist_scores_22_between_cards_with_something_in_common():
    assert scored(f"{FIRE} berkenstock_the_chemist malcombe_footman") == 22
    assert scored(f"{FIRE} berkenstock_the_chemist goloronicus_sword_of_heroes") == 0
    assert scored("berkenstock_the_chemist malcombe_footman") == 0


def test_bessie_the_holy_cow_scores_18_for_two_others_of_a_type():
    assert scored("bessie_the_holy_cow evil_helbane malcombe_footman") == 18
    assert scored("bessie_the_holy_cow evil_helbane high_priestess_orella") == 0


def test_digclaw_the_mole_scores_18_for_two_others_of_a_set():
    assert scored("digclaw_the_mole malcombe_footman goloronicus_sword_of_heroes") == 18
    assert scored("digclaw_the_mole malcombe_footman evil_helbane") == 0


def test_dr_penguin_evil_genius_scores_18_for_two_others_with_equal_stars():
    assert scored("dr_penguin_evil_genius evil_helbane high_priestess_orella") == 18
    assert scored("dr_penguin_evil_genius evil_helbane+1 high_priestess_orella") == 0


def test_ghasticus_the_wind_spirit_gains_twice_the_stars_to_its_left():
    assert played("ghasticus_the_wind_spirit", f"evil_helbane {FIRE}+1").points == 8


def test_lame_duck_the_last_resort_scores_18_for_two_promos():
    assert scored("lame_duck_the_last_resort evil_helbane knight_captain_malcombe") == 18
    assert scored("lame_duck_the_last_resort evil_helbane malcombe_footman") == 0


def test_lars_pikeman_scores_9_for_each_face_down_neighbour():
    assert scored("-evil_helbane lars_pikeman -malcombe_footman") == 18


def test_mara_apprentice_thief_gains_8_for_each_neighbour_with_more_points():
    assert (
        played("mara_apprentice_thief", "", PlayerSetup(points=10), PlayerSetup(), PlayerSetup(points=30)).points == 16
    )


def test_mara_apprentice_thief_gains_8_more_with_the_fewest_points():
    assert played("mara_apprentice_thief", "", PlayerSetup(points=30), PlayerSetup(points=30)).points == 24
    assert played("mara_apprentice_thief", "", PlayerSetup(points=1)).points == 16


def test_martus_keeper_of_fates_flips_the_leftmost_card_of_everybody():
    scenario = played(
        "martus_keeper_of_fates", "bertram_explorer", PlayerSetup(f"-jeff {FIRE} evil_helbane"), PlayerSetup()
    )
    assert scenario.points == 6
    assert (scenario.tableau_ids(), scenario.tableau_ids(1)) == (
        "-bertram_explorer martus_keeper_of_fates",
        f"-jeff -{FIRE} evil_helbane",
    )


def test_poppin_the_unfriendly_ghost_scores_18_for_two_others_of_an_element():
    assert scored("poppin_the_unfriendly_ghost malcombe_footman knight_captain_malcombe") == 18
    assert scored("poppin_the_unfriendly_ghost malcombe_footman -knight_captain_malcombe") == 0


def test_pyotr_ghost_hunter_turns_a_card_up_for_twice_its_stars():
    scenario = played("pyotr_ghost_hunter", "-evil_helbane -cannon_technician_meryl")
    scenario.chooses("turn_face_up", card="cannon_technician_meryl")
    assert (scenario.points, scenario.tableau_ids()) == (8, "-evil_helbane cannon_technician_meryl pyotr_ghost_hunter")


def test_aberforth_low_summoner_gains_20_when_it_is_flipped():
    scenario = played("shaalisaar_heroine_of_the_axe", "aberforth_low_summoner")
    assert scenario.points == 24 + 20


def test_bernie_pyromancer_gains_5_more_for_a_card_of_water():
    scenario = played("bernie_pyromancer", "deep_ray_undersea_stalker").chooses(
        "flip_card", card="deep_ray_undersea_stalker"
    )
    assert scenario.points == 11
    assert played("bernie_pyromancer", FIRE).chooses("flip_card", card=FIRE).points == 6


def test_deep_ray_undersea_stalker_gains_4_for_each_card_of_fire_or_water():
    assert played("deep_ray_undersea_stalker", f"{FIRE} evil_helbane").points == 8


def test_deep_ray_undersea_stalker_clashes_for_10():
    scenario = Scenario(
        PlayerSetup("deep_ray_undersea_stalker", "bertram_explorer"),
        PlayerSetup("aberforth_low_summoner"),
        store="the_one play_mat",
    )
    scenario.acts("deep_ray_undersea_stalker")
    assert scenario.all_points() == [10, 0]
    assert scenario.tableau_ids() == "-deep_ray_undersea_stalker"
    assert scenario.ids(tuple(it.card for it in scenario.state.aftermarket)) == ["the_one", "play_mat"]


def test_dirtbag_the_sandman_gains_3_for_each_card_of_air_or_earth():
    assert played("dirtbag_the_sandman", "bertram_explorer trenneth_novice_archer jeff").points == 9


def test_florian_the_dryad_flips_any_number_of_cards():
    scenario = played("florian_the_dryad", f"bertram_explorer {FIRE}")
    scenario.chooses("flip_cards", cards=["bertram_explorer", FIRE])
    assert scenario.tableau_ids() == f"-bertram_explorer -{FIRE} florian_the_dryad"


def test_florian_the_dryad_scores_15_as_the_leftmost_face_up_card():
    assert scored("-bertram_explorer florian_the_dryad") == 15
    assert scored("evil_helbane florian_the_dryad") == 0


def test_goloronicus_sword_of_heroes_gains_3_for_each_card_of_dark_or_light():
    assert played("goloronicus_sword_of_heroes", "evil_helbane").points == 6


def test_kamen_the_masked_priest_flips_the_leftmost_card_at_the_end_of_each_turn():
    scenario = played("kamen_the_masked_priest", "evil_helbane")
    assert (scenario.points, scenario.tableau_ids()) == (5, "-evil_helbane kamen_the_masked_priest")


def test_necronamicus_helbanes_sword_gains_3_for_each_card_of_light_or_dark():
    assert played("necronamicus_helbanes_sword", "evil_helbane jeff").points == 9


def test_rocketman_kev_swaps_two_cards_for_their_stars():
    scenario = played("rocketman_kev", f"evil_helbane {FIRE}").chooses(
        "swap_cards", cards=["evil_helbane", "rocketman_kev"]
    )
    assert (scenario.points, scenario.tableau_ids()) == (13, f"rocketman_kev {FIRE} evil_helbane")


def test_rocketman_kev_may_decline():
    assert played("rocketman_kev", FIRE).chooses("decline").points == 0


def test_salamander_volcanic_lizard_gains_3_for_each_card_of_water_or_fire():
    assert played("salamander_volcanic_lizard", "malcombe_footman").points == 6


def test_waverly_the_witch_copies_a_play_effect_of_its_left_neighbour():
    assert played("waverly_the_witch", "cannon_technician_meryl").points == 18


def test_waverly_the_witch_does_not_copy_a_copy():
    assert played("waverly_the_witch", "cannon_technician_meryl waverly_the_witch").points == 0


def test_wenglie_the_harpy_gains_3_for_each_card_of_earth_or_air():
    assert played("wenglie_the_harpy", "bertram_explorer").points == 6
