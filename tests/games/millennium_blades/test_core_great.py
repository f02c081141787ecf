"""The Singles of the core set with six stars and more, card by card."""

from __future__ import annotations

from games.millennium_blades.catalogue import NUMBERS
from tests.games.millennium_blades.scene import Place, Scene, played, scored

LOW = "bertram_explorer"


def test_archmage_kastah_puts_a_card_under_the_store_for_four_times_its_stars():
    scene = played("archmage_kastah", aftermarket="the_one parker_big_game_hunter")
    scene.chooses("put_under_store", card="parker_big_game_hunter")
    assert scene.points == 20
    assert scene.ids(scene.state.store_deck[:1]) == ["parker_big_game_hunter"]


def test_archmage_kastah_gains_nothing_from_an_empty_aftermarket():
    assert played("archmage_kastah").points == 0


def test_city_backed_sky_whale_scores_30_when_nothing_lies_face_down():
    assert scored("city_backed_sky_whale") == 30
    assert scored("city_backed_sky_whale -jeff") == 0


def test_city_backed_sky_whale_flips_its_neighbours_and_a_card_of_each_opponent_when_flipped():
    scene = played("shaalisaar_heroine_of_the_axe", f"{LOW} city_backed_sky_whale", Place("evil_helbane jeff"))
    scene.chooses("flip_card", card="city_backed_sky_whale")
    scene.chooses("flip_card", seat=1, card="jeff")
    assert scene.row() == f"-{LOW} -city_backed_sky_whale -shaalisaar_heroine_of_the_axe"
    assert scene.row(1) == "evil_helbane -jeff"


def test_dark_destruction_dragon_of_q_costs_all_but_the_winner_30():
    scene = played(
        "dark_destruction_dragon_of_q", "", Place(LOW, points=40), Place("jeff", points=10), Place(points=50),
        points=100, store="the_one play_mat proxy_card",
    )  # fmt: skip
    assert scene.all_points() == [100, 10, 0, 50]


def test_dark_destruction_dragon_of_q_costs_everybody_30_on_a_tie():
    scene = played(
        "dark_destruction_dragon_of_q",
        "",
        Place("lenore_the_raven_queen", points=40),
        points=50,
        store="play_mat x_ray_glasses",
    )
    assert scene.all_points() == [20, 10]


def test_javier_the_legendary_general_gives_everybody_the_stars_of_his_tableau():
    assert played("javier_the_legendary_general", LOW, Place("evil_helbane -jeff")).all_points() == [7, 10]


def test_master_archer_shmup_takes_the_stars_of_his_tableau_from_everybody():
    scene = Scene(Place("master_archer_shmup", LOW, points=20), Place("evil_helbane", points=3))
    assert scene.acts("master_archer_shmup").all_points() == [14, 0]


def test_monolith_of_artabayaxnias_scores_35_as_the_only_face_up_card():
    assert scored("-jeff monolith_of_artabayaxnias") == 35
    assert scored("evil_helbane monolith_of_artabayaxnias") == 0


def test_burnizard_ex_omega_revolver_j_makes_everybody_discard_the_card_named():
    scene = played("burnizard_ex_omega_revolver_j", "", Place(hand="jeff evil_helbane"), hand="tia")
    scene.chooses("name_card", design=NUMBERS["jeff"])
    assert scene.ids(scene.state.players[1].hand) == ["evil_helbane"]
    assert "jeff" in scene.ids(scene.state.players[1].binder)


def test_burnizard_ex_omega_revolver_j_flips_a_strong_card_when_its_play_effects_are_done():
    ambush = Place("burnizard_ex_omega_revolver_j")
    scene = played("javier_the_legendary_general", "", ambush)
    assert (scene.points, scene.row()) == (6, "-javier_the_legendary_general")
    assert played("parker_big_game_hunter", "", ambush).row() == "parker_big_game_hunter"


def test_burnizard_ex_omega_revolver_j_has_everybody_flip_a_card():
    scene = Scene(Place("burnizard_ex_omega_revolver_j", LOW), Place("evil_helbane jeff"))
    scene.acts("burnizard_ex_omega_revolver_j").chooses("flip_card", seat=1, card="evil_helbane")
    assert (scene.row(), scene.row(1)) == ("-burnizard_ex_omega_revolver_j", "-evil_helbane jeff")


def test_chase_the_price_sculptor_takes_a_card_for_three_times_its_stars():
    scene = played("chase_the_price_sculptor", aftermarket="the_one parker_big_game_hunter")
    scene.chooses("take_to_binder", card="parker_big_game_hunter")
    assert scene.points == 15
    assert scene.ids(scene.state.players[0].binder) == ["parker_big_game_hunter"]


def test_doctor_balance_makes_every_flip_cost_somebody_a_card():
    scene = Scene(Place(f"{LOW} malcombe_footman", "tia"), Place("evil_helbane doctor_balance"), Place("brikzaar"))
    scene.acts("malcombe_footman")
    scene.chooses("order_triggers", triggers=list(scene.options(0, "order_triggers", "triggers")))
    scene.chooses("choose_target", target=1).chooses("flip_card", seat=1, card="doctor_balance")
    assert scene.row(1) == "evil_helbane -doctor_balance"
    assert scene.row() == f"-{LOW} -malcombe_footman"


def test_doctor_balance_lets_choose_among_the_players_who_can_flip_a_card():
    scene = Scene(Place("jeff doctor_balance", LOW, "play_mat"), Place("-tia"), Place("brikzaar"))
    scene.acts("play_mat").chooses("flip_card", card="jeff")
    assert scene.options(0, "choose_target", "target") == (0, 2)


def test_doctor_balance_scores_5_for_each_face_up_card():
    assert scored("doctor_balance evil_helbane -jeff") == 10


def test_j_dogg_hackson_gets_a_dollar_and_the_card_it_revealed():
    scene = Scene(Place("j_dogg_hackson dirtbag_the_sandman", LOW), Place("jeff"), store="the_one play_mat")
    scene.acts("dirtbag_the_sandman")
    assert scene.state.players[0].dollars == 1
    assert scene.ids(scene.state.players[0].binder) == ["the_one"]


def test_j_dogg_hackson_gets_the_better_of_two_cards_revealed():
    mine = Place("dirtbag_the_sandman j_dogg_hackson", LOW, "promotional_pin_set", dollars=2)
    scene = Scene(mine, Place("jeff"), store="the_one play_mat proxy_card")
    scene.acts("dirtbag_the_sandman").chooses("reveal_two")
    assert scene.ids(scene.state.players[0].binder) == ["the_one"], "the card that it used"


def test_j_dogg_hackson_gets_just_a_dollar_for_a_clash_of_others():
    scene = Scene(Place("dirtbag_the_sandman", LOW), Place("jeff"), Place("j_dogg_hackson"), store="the_one play_mat")
    scene.acts("dirtbag_the_sandman").chooses("choose_target", target=1)
    assert (scene.state.players[2].dollars, scene.state.players[2].binder) == (1, ())


def test_matsu_the_butcher_has_two_more_stars_in_clashes_and_gains_8_for_a_win():
    scene = Scene(Place("dirtbag_the_sandman matsu_the_butcher", LOW), Place("jeff"), store="play_mat proxy_card")
    scene.acts("dirtbag_the_sandman")
    assert scene.points == 10 + 8, "7 + 2 + 1 beats 8 + 1"


def test_matsu_the_butcher_gains_nothing_when_another_card_wins():
    scene = Scene(
        Place("matsu_the_butcher dirtbag_the_sandman", LOW), Place("digclaw_the_mole"), store="the_one play_mat"
    )
    assert scene.acts("dirtbag_the_sandman").points == 10


def test_exaltius_the_untenable_scores_100_for_all_elements_and_types():
    others = (
        "knight_captain_malcombe waverly_the_witch bertram_explorer dr_penguin_evil_genius necronamicus_helbanes_sword"
    )
    assert scored(f"exaltius_the_untenable {others}") == 100 + 16 + 18
    assert scored(f"exaltius_the_untenable -jeff {others[len('knight_captain_malcombe ') :]}") == 16 + 18
