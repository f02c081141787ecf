"""The Singles of the core set with four and five stars, card by card."""

from __future__ import annotations

import pytest

from games.millennium_blades import MILLENNIUM_BLADES
from games.millennium_blades.tournament.facts import ScoringBegun
from games.millennium_blades.tournament.turns import remove_attached_cards, score_cards
from tests.games.millennium_blades.scenario import PlayerSetup, Scenario, played, scored, scoring

LOW = "bertram_explorer"
"""One star, citizen of earth."""


def clashed(tableau: str, other: PlayerSetup, *, mine: str = "play_mat", theirs: str = "play_mat") -> Scenario:
    """Return the scenario in which seat 0 may use a card to clash with seat 1."""
    return Scenario(PlayerSetup(tableau, LOW), other, store=f"{mine} {theirs}")


def test_birdkeeper_arica_gains_5_for_each_type_up_to_20():
    assert played("birdkeeper_arica", "malcombe_footman").points == 10
    all_types = "malcombe_footman goloronicus_sword_of_heroes evil_helbane elvan_mage_adept_elco jeff"
    assert played("birdkeeper_arica", all_types).points == 20


def test_cannon_technician_meryl_gains_18_and_scores_20_less():
    assert played("cannon_technician_meryl").points == 18
    assert scored("cannon_technician_meryl", points=25) == 5
    assert scored("cannon_technician_meryl", points=18) == 0


def test_cloud_boss_boss_of_a_cloud_gains_5_for_each_citizen_or_animal():
    assert played("cloud_boss_boss_of_a_cloud", f"{LOW} malcombe_footman").points == 10


def test_dark_storm_magical_pony_gains_5_for_each_myth_or_soldier():
    assert played("dark_storm_magical_pony", f"{LOW} malcombe_footman").points == 10


def test_devouring_worm_gains_5_for_each_citizen_or_animal():
    assert played("devouring_worm", f"{LOW} digclaw_the_mole").points == 15


def test_donteles_the_frozen_blocks_all_gains_while_it_is_top():
    assert played("cannon_technician_meryl", "", PlayerSetup("donteles_the_frozen")).points == 0
    assert played("cannon_technician_meryl", "", PlayerSetup(f"donteles_the_frozen {LOW}")).points == 18


def test_donteles_the_frozen_is_flipped_when_the_turn_of_its_player_begins():
    scenario = Scenario(PlayerSetup("donteles_the_frozen", "cannon_technician_meryl"))
    assert scenario.tableau_ids() == "-donteles_the_frozen"
    assert scenario.plays("cannon_technician_meryl").points == 18


def test_donteles_the_frozen_has_no_effect_in_scoring():
    assert scored(LOW, PlayerSetup("donteles_the_frozen")) == 16


def test_donteles_the_frozen_cannot_have_cards_attached():
    scenario = Scenario(PlayerSetup(LOW, "evil_helbane", "shadow_realm_ticket"), PlayerSetup("donteles_the_frozen"))
    scenario.acts("shadow_realm_ticket")
    assert scenario.in_play(LOW).attached, "there was no other card to attach to"


def test_ironblight_the_golem_scores_4_for_each_element():
    assert scored("ironblight_the_golem malcombe_footman knight_captain_malcombe") == 8


def test_looch_wrestler_of_light_gains_7_more_for_a_card_that_scores():
    assert played("looch_wrestler_of_light", LOW).chooses("flip_card", card=LOW).points == 2 + 7
    assert played("looch_wrestler_of_light", "evil_helbane").chooses("flip_card", card="evil_helbane").points == 20


def test_looch_wrestler_of_light_may_flip_nothing():
    assert played("looch_wrestler_of_light", LOW).chooses("decline").points == 0


def test_mummer_the_merman_gains_5_for_each_soldier_or_myth():
    assert played("mummer_the_merman", "malcombe_footman evil_helbane").points == 15


def test_pure_snow_magical_pony_gains_5_for_each_citizen_or_animal():
    assert played("pure_snow_magical_pony", LOW).points == 10


def test_red_djinn_keeper_of_flames_gains_5_for_each_construct_or_mage():
    assert played("red_djinn_keeper_of_flames", "goloronicus_sword_of_heroes").points == 10


def test_vectis_necromancer_flips_all_to_its_left_without_their_flip_effects():
    scenario = played("vectis_necromancer", f"{LOW} aberforth_low_summoner")
    assert scenario.points == 1 + 3 + 4
    assert scenario.tableau_ids() == f"-{LOW} -aberforth_low_summoner -vectis_necromancer"


def test_dark_sentinel_helbane_scores_6_for_each_face_down_card():
    assert scored(f"-{LOW} dark_sentinel_helbane -evil_helbane") == 12


def test_doubleshark_twice_the_shark_clashes_with_two_players():
    scenario = played(
        "doubleshark_twice_the_shark", "", PlayerSetup(LOW), PlayerSetup("evil_helbane"),
        store="play_mat proxy_card proxy_card play_mat",
    )  # fmt: skip
    scenario.chooses("choose_target", target=1)
    assert scenario.points == 30, "it beat the first and lost to the second"


def test_doubleshark_twice_the_shark_gains_nothing_from_a_second_clash_with_the_same_player():
    scenario = played("doubleshark_twice_the_shark", "", PlayerSetup("evil_helbane"), store="play_mat proxy_card")
    assert scenario.points == 0
    assert len(scenario.state.aftermarket) == 2


def test_g_r_guardian_of_the_crystal_attaches_a_hand_card_for_twice_its_stars():
    scenario = played("g_r_guardian_of_the_crystal", hand="jeff malcombe_footman").chooses(
        "attach_from_hand", card="jeff"
    )
    assert scenario.points == 16
    assert scenario.ids(scenario.in_play("g_r_guardian_of_the_crystal").attached) == ["jeff"]


def test_a_card_attached_from_a_hand_does_not_score():
    scenario = played("g_r_guardian_of_the_crystal", hand=f"{LOW} tia").chooses("attach_from_hand", card=LOW)
    scenario.begins(score_cards().by(0), MILLENNIUM_BLADES.evolve(scenario.state, ScoringBegun()))
    assert scenario.points == 2, "twice its star, and no Score effect"


def test_a_card_attached_from_a_hand_has_no_triggers():
    hand = "kamen_the_masked_priest tia"
    scenario = played("g_r_guardian_of_the_crystal", "malcombe_footman", hand=hand)
    scenario.chooses("attach_from_hand", card="kamen_the_masked_priest").chooses("end_turn")
    assert (scenario.points, scenario.tableau_ids()) == (6, "malcombe_footman g_r_guardian_of_the_crystal")


def test_a_card_attached_from_a_hand_has_no_reactions():
    hand = "g_r_guardian_of_the_crystal rant_energy_drink tia"
    scenario = Scenario(PlayerSetup("dirtbag_the_sandman", hand), PlayerSetup("jeff"), store="play_mat play_mat")
    scenario.plays("g_r_guardian_of_the_crystal").chooses("attach_from_hand", card="rant_energy_drink")
    scenario.turn_of(0).acts("dirtbag_the_sandman")
    assert "add_two" not in scenario.moves(0)


def test_an_accessory_attached_from_a_hand_adds_no_stars_and_stays_in_the_game():
    hand = "g_r_guardian_of_the_crystal {} tia"
    for accessory in ("commemorative_resin_statuette", "shadow_realm_ticket"):
        scenario = Scenario(PlayerSetup("", hand.format(accessory))).plays("g_r_guardian_of_the_crystal")
        scenario.chooses("attach_from_hand", card=accessory)
        assert scenario.stars("g_r_guardian_of_the_crystal") == 5
        scenario.begins(remove_attached_cards())
        assert scenario.tableau_ids() == "g_r_guardian_of_the_crystal"


def test_g_r_guardian_of_the_crystal_protects_other_cards_of_the_attached_element():
    burnizard = PlayerSetup("burnizard_ex_omega_revolver_j", "malcombe_footman")
    mine = PlayerSetup(f"high_priestess_orella {LOW}", "g_r_guardian_of_the_crystal jeff tia")
    scenario = Scenario(mine, burnizard)
    scenario.plays("g_r_guardian_of_the_crystal").chooses("attach_from_hand", card="jeff")
    scenario.turn_of(1).acts("burnizard_ex_omega_revolver_j", seat=1)
    assert scenario.options(0, "flip_card", "card") == (
        scenario.card_in_play(LOW),
        scenario.card_in_play("g_r_guardian_of_the_crystal"),
    )


def test_a_card_that_copies_g_r_guardian_of_the_crystal_protects_as_it_does():
    burnizard = PlayerSetup("burnizard_ex_omega_revolver_j", LOW)
    hand = "waverly_the_witch high_priestess_orella tia"
    scenario = Scenario(PlayerSetup("jeff g_r_guardian_of_the_crystal", hand), burnizard)
    scenario.plays("waverly_the_witch").chooses("attach_from_hand", card="high_priestess_orella")
    scenario.turn_of(1).acts("burnizard_ex_omega_revolver_j", seat=1)
    assert scenario.tableau_ids() == "jeff g_r_guardian_of_the_crystal -waverly_the_witch"


def test_grand_inquisitor_melchior_pays_5_or_is_flipped():
    scenario = played("grand_inquisitor_melchior", points=7)
    assert (scenario.points, scenario.tableau_ids()) == (2, "grand_inquisitor_melchior")
    scenario = played("grand_inquisitor_melchior", points=3)
    assert (scenario.points, scenario.tableau_ids()) == (0, "-grand_inquisitor_melchior")


def test_grand_inquisitor_melchior_scores_30():
    assert scored("grand_inquisitor_melchior") == 30


def test_king_of_the_faraway_mountain_scores_25_when_nothing_has_more_stars():
    assert scored(f"king_of_the_faraway_mountain {LOW}+4 -evil_helbane") == 25 + 16
    assert scored("king_of_the_faraway_mountain evil_helbane") == 0


def test_lenore_the_raven_queen_flips_the_deck_box_for_35_after_a_win():
    scenario = played("lenore_the_raven_queen", "", PlayerSetup(LOW), equipment="blackout", store="the_one play_mat")
    assert (scenario.points, scenario.is_face_up("blackout")) == (35, False)


def test_lenore_the_raven_queen_gains_nothing_after_a_loss():
    scenario = played(
        "lenore_the_raven_queen", "", PlayerSetup("evil_helbane"), equipment="blackout", store="play_mat the_one"
    )
    assert (scenario.points, scenario.is_face_up("blackout")) == (0, True)


def test_moai_mysterious_hero_copies_the_deck_box_up_to_30():
    four_down = "-evil_helbane -high_priestess_orella -jeff -malcombe_footman moai_mysterious_hero"
    assert scored(four_down, equipment="blackout") == 32 + 30


def test_maximimilan_mathematician_copies_a_score_effect_of_its_left_neighbour():
    assert scored(f"{LOW} maximimilan_mathematician") == 32


def test_maximimilan_mathematician_does_not_copy_a_copy():
    assert scored(f"{LOW} maximimilan_mathematician maximimilan_mathematician") == 32


def test_neverway_when_pigs_fly_is_flipped_when_its_player_loses_a_clash():
    scenario = Scenario(
        PlayerSetup("dirtbag_the_sandman", LOW),
        PlayerSetup("neverway_when_pigs_fly evil_helbane"),
        store="the_one proxy_card",
    )
    scenario.acts("dirtbag_the_sandman")
    assert scenario.tableau_ids(1) == "-neverway_when_pigs_fly evil_helbane"


def test_neverway_when_pigs_fly_scores_30():
    assert scored("neverway_when_pigs_fly") == 30


def test_parker_big_game_hunter_scores_5_for_each_card_with_fewer_stars():
    assert scored("malcombe_footman parker_big_game_hunter aberforth_low_summoner evil_helbane -jeff") == 10


def test_shaalisaar_heroine_of_the_axe_flips_another_card_for_24():
    scenario = played("shaalisaar_heroine_of_the_axe", LOW)
    assert (scenario.points, scenario.tableau_ids()) == (24, f"-{LOW} shaalisaar_heroine_of_the_axe")
    assert played("shaalisaar_heroine_of_the_axe").points == 0


def test_yurgatrox_herald_of_doom_gains_25_and_scores_30_less():
    assert played("yurgatrox_herald_of_doom").points == 25
    assert scoring("yurgatrox_herald_of_doom", points=40).points == 10


@pytest.mark.parametrize("tied", [True, False])
def test_a_clash_is_won_by_the_higher_total_and_a_tie_by_nobody(tied: bool):
    scenario = clashed(
        "dirtbag_the_sandman",
        PlayerSetup("aberforth_low_summoner"),
        theirs="play_mat",
        mine="proxy_card" if tied else "the_one",
    )
    scenario.acts("dirtbag_the_sandman")
    assert scenario.points == (0 if tied else 10)
