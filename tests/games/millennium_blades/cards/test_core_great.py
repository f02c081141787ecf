"""The Singles of the core set with six stars and more, card by card."""

from __future__ import annotations

from games.millennium_blades.catalogue import NUMBERS
from tests.games.millennium_blades.scenario import PlayerSetup, Scenario, played, scored

LOW = "bertram_explorer"


def test_archmage_kastah_puts_a_card_under_the_store_for_four_times_its_stars():
    scenario = played("archmage_kastah", aftermarket="the_one parker_big_game_hunter")
    scenario.chooses("put_under_store", card="parker_big_game_hunter")
    assert scenario.points == 20
    assert scenario.ids(scenario.state.store_deck[:1]) == ["parker_big_game_hunter"]


def test_archmage_kastah_gains_nothing_from_an_empty_aftermarket():
    assert played("archmage_kastah").points == 0


def test_city_backed_sky_whale_scores_30_when_no_card_is_face_down():
    assert scored("city_backed_sky_whale") == 30
    assert scored("city_backed_sky_whale -jeff") == 0


def test_city_backed_sky_whale_flips_its_neighbours_and_a_card_of_each_opponent_when_flipped():
    scenario = played("shaalisaar_heroine_of_the_axe", f"{LOW} city_backed_sky_whale", PlayerSetup("evil_helbane jeff"))
    scenario.chooses("flip_card", card="city_backed_sky_whale")
    scenario.chooses("flip_card", seat=1, card="jeff")
    assert scenario.tableau_ids() == f"-{LOW} -city_backed_sky_whale -shaalisaar_heroine_of_the_axe"
    assert scenario.tableau_ids(1) == "evil_helbane -jeff"


def test_dark_destruction_dragon_of_q_costs_all_but_the_winner_30():
    scenario = played(
        "dark_destruction_dragon_of_q",
        "",
        PlayerSetup(LOW, points=40),
        PlayerSetup("jeff", points=10),
        PlayerSetup(points=50),
        points=100,
        store="the_one play_mat proxy_card",
    )
    assert scenario.all_points() == [100, 10, 0, 50]


def test_dark_destruction_dragon_of_q_costs_everybody_30_on_a_tie():
    scenario = played(
        "dark_destruction_dragon_of_q",
        "",
        PlayerSetup("lenore_the_raven_queen", points=40),
        points=50,
        store="play_mat x_ray_glasses",
    )
    assert scenario.all_points() == [20, 10]


def test_javier_the_legendary_general_gives_each_player_the_stars_of_their_tableau():
    assert played("javier_the_legendary_general", LOW, PlayerSetup("evil_helbane -jeff")).all_points() == [7, 10]


def test_master_archer_shmup_takes_the_stars_of_their_tableau_from_each_player():
    scenario = Scenario(PlayerSetup("master_archer_shmup", LOW, points=20), PlayerSetup("evil_helbane", points=3))
    assert scenario.acts("master_archer_shmup").all_points() == [14, 0]


def test_monolith_of_artabayaxnias_scores_35_as_the_only_face_up_card():
    assert scored("-jeff monolith_of_artabayaxnias") == 35
    assert scored("evil_helbane monolith_of_artabayaxnias") == 0


def test_burnizard_ex_omega_revolver_j_makes_everybody_discard_the_named_card():
    scenario = played("burnizard_ex_omega_revolver_j", "", PlayerSetup(hand="jeff evil_helbane"), hand="tia")
    scenario.chooses("name_card", design=NUMBERS["jeff"])
    assert scenario.ids(scenario.state.players[1].hand) == ["evil_helbane"]
    assert "jeff" in scenario.ids(scenario.state.players[1].binder)


def test_burnizard_ex_omega_revolver_j_flips_a_strong_card_when_its_play_effects_are_done():
    ambush = PlayerSetup("burnizard_ex_omega_revolver_j")
    scenario = played("javier_the_legendary_general", "", ambush)
    assert (scenario.points, scenario.tableau_ids()) == (6, "-javier_the_legendary_general")
    assert played("parker_big_game_hunter", "", ambush).tableau_ids() == "parker_big_game_hunter"


def test_burnizard_ex_omega_revolver_j_has_everybody_flip_a_card():
    scenario = Scenario(PlayerSetup("burnizard_ex_omega_revolver_j", LOW), PlayerSetup("evil_helbane jeff"))
    scenario.acts("burnizard_ex_omega_revolver_j").chooses("flip_card", seat=1, card="evil_helbane")
    assert (scenario.tableau_ids(), scenario.tableau_ids(1)) == ("-burnizard_ex_omega_revolver_j", "-evil_helbane jeff")


def test_chase_the_price_sculptor_takes_a_card_for_three_times_its_stars():
    scenario = played("chase_the_price_sculptor", aftermarket="the_one parker_big_game_hunter")
    scenario.chooses("take_to_binder", card="parker_big_game_hunter")
    assert scenario.points == 15
    assert scenario.ids(scenario.state.players[0].binder) == ["parker_big_game_hunter"]


def test_doctor_balance_makes_every_flip_cost_somebody_a_card():
    scenario = Scenario(
        PlayerSetup(f"{LOW} malcombe_footman", "tia"),
        PlayerSetup("evil_helbane doctor_balance"),
        PlayerSetup("brikzaar"),
    )
    scenario.acts("malcombe_footman")
    scenario.chooses("order_triggers", triggers=list(scenario.options(0, "order_triggers", "triggers")))
    scenario.chooses("choose_target", target=1).chooses("flip_card", seat=1, card="doctor_balance")
    assert scenario.tableau_ids(1) == "evil_helbane -doctor_balance"
    assert scenario.tableau_ids() == f"-{LOW} -malcombe_footman"


def test_doctor_balance_offers_the_players_who_can_flip_a_card():
    scenario = Scenario(
        PlayerSetup("jeff doctor_balance", LOW, "play_mat"), PlayerSetup("-tia"), PlayerSetup("brikzaar")
    )
    scenario.acts("play_mat").chooses("flip_card", card="jeff")
    assert scenario.options(0, "choose_target", "target") == (0, 2)


def test_doctor_balance_scores_5_for_each_face_up_card():
    assert scored("doctor_balance evil_helbane -jeff") == 10


def test_j_dogg_hackson_gets_a_dollar_and_the_card_it_revealed():
    scenario = Scenario(
        PlayerSetup("j_dogg_hackson dirtbag_the_sandman", LOW), PlayerSetup("jeff"), store="the_one play_mat"
    )
    scenario.acts("dirtbag_the_sandman")
    assert scenario.state.players[0].dollars == 1
    assert scenario.ids(scenario.state.players[0].binder) == ["the_one"]


def test_j_dogg_hackson_gets_the_better_of_two_revealed_cards():
    mine = PlayerSetup("dirtbag_the_sandman j_dogg_hackson", LOW, "promotional_pin_set", dollars=2)
    scenario = Scenario(mine, PlayerSetup("jeff"), store="the_one play_mat proxy_card")
    scenario.acts("dirtbag_the_sandman").chooses("reveal_two")
    assert scenario.ids(scenario.state.players[0].binder) == ["the_one"], "the card that it used"


def test_j_dogg_hackson_gets_just_a_dollar_for_a_clash_of_others():
    scenario = Scenario(
        PlayerSetup("dirtbag_the_sandman", LOW),
        PlayerSetup("jeff"),
        PlayerSetup("j_dogg_hackson"),
        store="the_one play_mat",
    )
    scenario.acts("dirtbag_the_sandman").chooses("choose_target", target=1)
    assert (scenario.state.players[2].dollars, scenario.state.players[2].binder) == (1, ())


def test_matsu_the_butcher_has_two_more_stars_in_clashes_and_gains_8_for_a_win():
    scenario = Scenario(
        PlayerSetup("dirtbag_the_sandman matsu_the_butcher", LOW), PlayerSetup("jeff"), store="play_mat proxy_card"
    )
    scenario.acts("dirtbag_the_sandman")
    assert scenario.points == 10 + 8, "7 + 2 + 1 beats 8 + 1"


def test_matsu_the_butcher_gains_nothing_when_another_card_wins():
    scenario = Scenario(
        PlayerSetup("matsu_the_butcher dirtbag_the_sandman", LOW),
        PlayerSetup("digclaw_the_mole"),
        store="the_one play_mat",
    )
    assert scenario.acts("dirtbag_the_sandman").points == 10


def test_exaltius_the_untenable_scores_100_for_all_elements_and_types():
    others = (
        "knight_captain_malcombe waverly_the_witch bertram_explorer dr_penguin_evil_genius necronamicus_helbanes_sword"
    )
    assert scored(f"exaltius_the_untenable {others}") == 100 + 16 + 18
    assert scored(f"exaltius_the_untenable -jeff {others[len('knight_captain_malcombe ') :]}") == 16 + 18
