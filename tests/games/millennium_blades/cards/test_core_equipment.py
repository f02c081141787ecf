"""The accessories and deck boxes of the core set, and the starters' extra accessory, card by card."""

from __future__ import annotations

from msgspec.structs import replace

from games.millennium_blades.catalogue import NUMBERS
from games.millennium_blades.deck_rules import LIMITS, collection_additions, deck_additions, limits_with_cards, surplus
from games.millennium_blades.tournament.turns import remove_attached_cards, turn
from tests.games.millennium_blades.scenario import PlayerSetup, Scenario, played, scored, scoring

LOW = "bertram_explorer"
STRONG = "burnizard_ex_omega_revolver_j"
"""A card whose Action makes everybody flip one of their cards."""


def numbers(*cards: str) -> tuple[int, ...]:
    return tuple(NUMBERS[card] * 10 for card in cards)


def test_play_mat_flips_a_card():
    scenario = Scenario(PlayerSetup("evil_helbane", LOW, "play_mat")).acts("play_mat")
    assert (scenario.tableau_ids(), scenario.is_face_up("play_mat")) == ("-evil_helbane", False)


def test_proxy_card_fits_every_collection():
    (proxy,) = numbers("proxy_card")
    assert collection_additions((proxy,), numbers("evil_helbane", "malcombe_footman")) == ()
    assert collection_additions((proxy,), numbers("evil_helbane", "dark_sentinel_helbane")) == (proxy,)


def test_the_one_fits_every_collection():
    (one,) = numbers("the_one")
    assert collection_additions((one,), numbers("digclaw_the_mole", "devouring_worm")) == (one,)


def test_custom_concept_fits_every_collection():
    (concept,) = numbers("custom_concept")
    assert collection_additions((concept,), numbers("jeff", "high_priestess_orella")) == (concept,)


def test_custom_concept_scores_all_variety():
    assert scored("evil_helbane knight_captain_malcombe", equipment="custom_concept") == 2 + 1 + 1 + 1 + 1


def test_branded_card_binder_allows_three_more_singles():
    assert limits_with_cards(numbers("branded_card_binder"), LIMITS) == (11, 2, 1)


def test_card_modification_marker_allows_exactly_one_pair():
    marker, mole, worm = numbers("card_modification_marker", "digclaw_the_mole", "devouring_worm")
    assert deck_additions((mole + 1,), (mole,), LIMITS) == ()
    assert deck_additions((mole + 1,), (marker, mole), LIMITS) == (mole + 1,)
    assert deck_additions((worm + 1,), (marker, mole, mole + 1, worm), LIMITS) == ()
    assert surplus((marker, mole, mole + 1), LIMITS) == ((), ())
    assert surplus((mole, mole + 1), LIMITS) == ((mole + 1,), ())


def test_x_ray_glasses_show_a_hand_to_their_player_only():
    scenario = Scenario(PlayerSetup("", LOW, "x_ray_glasses"), PlayerSetup(hand="evil_helbane jeff"), PlayerSetup())
    scenario.acts("x_ray_glasses").chooses("choose_target", target=1)
    seen = scenario.decisions[-1].facts
    cards = list(numbers("evil_helbane", "jeff"))
    shown = [scenario.rulebook.redact(fact, 0) for fact in seen if type(fact).__name__ == "HandSeen"]
    assert [list(fact["cards"]) for fact in shown] == [cards]
    hidden = [scenario.rulebook.redact(fact, 2) for fact in seen if type(fact).__name__ == "HandSeen"]
    assert [fact["cards"] for fact in hidden] == [{"hidden": 2}]


def test_duelist_fashion_ring_gives_10_to_each_player_who_has_one():
    ring = "duelist_fashion_ring"
    scenario = Scenario(
        PlayerSetup("", LOW, ring), PlayerSetup(binder=ring), PlayerSetup(equipment=f"-{ring}"), PlayerSetup()
    ).acts(ring)
    assert scenario.all_points() == [10, 10, 10, 0]


def test_mb_limited_edition_lunchbox_passes_the_turn():
    scenario = Scenario(PlayerSetup("", LOW, "mb_limited_edition_lunchbox")).acts("mb_limited_edition_lunchbox")
    assert scenario.ids(scenario.state.players[0].hand) == [LOW]
    assert scenario.choices(0) == []
    assert scenario.state.passes == 0


def test_mb_limited_edition_lunchbox_cancels_a_discard():
    scenario = played(STRONG, "", PlayerSetup(hand="jeff", equipment="mb_limited_edition_lunchbox"))
    scenario.chooses("name_card", design=NUMBERS["jeff"])
    scenario.chooses("keep_cards", seat=1, reaction="mb_limited_edition_lunchbox")
    assert scenario.ids(scenario.state.players[1].hand) == ["jeff"]
    assert not scenario.is_face_up("mb_limited_edition_lunchbox")


def test_miniature_flippable_table_makes_players_with_more_points_flip_or_lose_10():
    rich, poor = PlayerSetup(LOW, points=30), PlayerSetup("jeff", points=1)
    scenario = Scenario(PlayerSetup("", "tia", "miniature_flippable_table", points=5), rich, poor).acts(
        "miniature_flippable_table"
    )
    assert scenario.moves(1) == ["flip_cards", "lose_reputation"]
    scenario.chooses("lose_reputation", seat=1)
    assert scenario.all_points() == [5, 20, 1]


def test_flippable_table_makes_players_with_more_points_flip_two_or_lose_20():
    two, one = PlayerSetup(f"{LOW} jeff", points=30), PlayerSetup("evil_helbane", points=30)
    scenario = Scenario(PlayerSetup("", "tia", "flippable_table"), two, one).acts("flippable_table")
    scenario.chooses("flip_cards", seat=1, cards=[LOW, "jeff"])
    assert (scenario.tableau_ids(1), scenario.all_points()) == (f"-{LOW} -jeff", [0, 30, 10])


def test_shadow_realm_ticket_protects_any_card_and_leaves_the_game_with_it():
    scenario = Scenario(PlayerSetup(LOW, "tia", "shadow_realm_ticket"), PlayerSetup("evil_helbane jeff"))
    scenario.acts("shadow_realm_ticket").chooses("choose_target", target="jeff")
    table = scenario.rulebook.table(scenario.state, 0, None, False)  # type: ignore[arg-type]
    jeff = scenario.card_in_play("jeff")
    assert table.board.is_protected(jeff, 0)  # type: ignore[attr-defined]
    assert not table.board.is_protected(jeff, 1)  # type: ignore[attr-defined]
    scenario.begins(remove_attached_cards())
    assert scenario.tableau_ids(1) == "evil_helbane"
    assert set(scenario.ids(scenario.state.box)) >= {"jeff", "shadow_realm_ticket"}


def test_card_handling_gloves_let_the_winner_flip_a_card_of_the_loser():
    scenario = Scenario(
        PlayerSetup("evil_helbane", LOW, "card_handling_gloves"),
        PlayerSetup("digclaw_the_mole jeff"),
        store="the_one play_mat",
    )
    scenario.acts("card_handling_gloves").chooses("choose_target", target="digclaw_the_mole")
    assert scenario.tableau_ids(1) == "-digclaw_the_mole jeff"


def test_card_handling_gloves_let_the_winner_decline():
    scenario = Scenario(PlayerSetup(LOW, "tia", "card_handling_gloves"), PlayerSetup("jeff"), store="play_mat the_one")
    scenario.acts("card_handling_gloves").chooses("choose_no_target", seat=1)
    assert scenario.tableau_ids() == LOW


def test_chthonic_card_altar_gives_four_stars_and_leaves_the_game_in_scoring():
    scenario = Scenario(PlayerSetup("evil_helbane", LOW, "chthonic_card_altar")).acts("chthonic_card_altar")
    assert scenario.stars("evil_helbane") == 14
    scenario = scoring("evil_helbane&chthonic_card_altar")
    assert scenario.tableau_ids() == ""
    assert set(scenario.ids(scenario.state.box)) >= {"evil_helbane", "chthonic_card_altar"}


def test_commemorative_resin_statuette_gives_two_stars_and_protects_from_others():
    guarded = PlayerSetup("jeff&commemorative_resin_statuette evil_helbane")
    scenario = Scenario(PlayerSetup(STRONG, LOW), guarded).acts(STRONG)
    assert scenario.tableau_ids(1) == "jeff -evil_helbane"
    assert scenario.stars("jeff") == 10


def test_double_platinum_sleeves_keep_a_card_from_an_opponents_effect():
    scenario = Scenario(PlayerSetup(STRONG, LOW), PlayerSetup("jeff", equipment="double_platinum_sleeves")).acts(STRONG)
    scenario.chooses("keep_one_face_up", seat=1, reaction="double_platinum_sleeves", card="jeff")
    assert (scenario.tableau_ids(1), scenario.is_face_up("double_platinum_sleeves")) == ("jeff", False)


def test_double_platinum_sleeves_do_not_help_against_own_effects():
    scenario = played("hemsey_the_snitch", "jeff", equipment="double_platinum_sleeves").chooses(
        "flip_card", card="jeff"
    )
    assert scenario.tableau_ids() == "-jeff hemsey_the_snitch"


def test_deck_protectors_keep_a_card_from_an_opponents_effect():
    scenario = Scenario(PlayerSetup(STRONG, LOW), PlayerSetup("jeff", equipment="deck_protectors")).acts(STRONG)
    scenario.chooses("decline", seat=1)
    assert (scenario.tableau_ids(1), scenario.is_face_up("deck_protectors")) == ("-jeff", True)


def test_helbane_plushie_keeps_all_cards_from_an_opponents_effect():
    scenario = Scenario(PlayerSetup(STRONG, LOW), PlayerSetup("jeff", equipment="helbane_plushie")).acts(STRONG)
    scenario.chooses("keep_all_face_up", seat=1, reaction="helbane_plushie")
    assert (scenario.tableau_ids(1), scenario.is_face_up("helbane_plushie")) == ("jeff", False)


def test_helbane_plushie_keeps_the_hand_from_an_opponents_effect():
    scenario = played(STRONG, "", PlayerSetup(hand="jeff", equipment="helbane_plushie"))
    scenario.chooses("name_card", design=NUMBERS["jeff"]).chooses("keep_cards", seat=1, reaction="helbane_plushie")
    assert scenario.ids(scenario.state.players[1].hand) == ["jeff"]


def test_official_branded_hoodie_redirects_an_effect_to_another_target():
    scenario = Scenario(
        PlayerSetup("dirtbag_the_sandman", LOW), PlayerSetup("jeff", equipment="official_branded_hoodie"),
        PlayerSetup("digclaw_the_mole"), store="the_one play_mat",
    )  # fmt: skip
    scenario.acts("dirtbag_the_sandman").chooses("choose_target", target=1)
    scenario.chooses("redirect_target", seat=1, reaction="official_branded_hoodie", target=2)
    assert (scenario.points, scenario.is_face_up("official_branded_hoodie")) == (10, False)


def test_official_branded_hoodie_reacts_to_the_player_who_chose_the_target():
    mine = PlayerSetup(f"{LOW} malcombe_footman", "tia", "card_handling_gloves official_branded_hoodie")
    scenario = Scenario(mine, PlayerSetup("jeff"), store="play_mat play_mat").acts("card_handling_gloves")
    scenario.chooses("choose_target", seat=1, target="malcombe_footman")
    scenario.chooses("redirect_target", reaction="official_branded_hoodie", target=LOW)
    assert scenario.tableau_ids() == f"-{LOW} malcombe_footman"


def test_official_branded_hoodie_is_not_offered_when_its_own_player_chooses():
    theirs = PlayerSetup("jeff brikzaar", equipment="official_branded_hoodie")
    scenario = Scenario(PlayerSetup("soul_caliper", "tia"), theirs, store="play_mat play_mat").acts("soul_caliper")
    scenario.chooses("choose_target", seat=1, target="jeff")
    assert scenario.prompts(1) == ["You may put a star token on a card of yours."]


def test_official_branded_hoodie_is_not_offered_without_another_target():
    scenario = Scenario(
        PlayerSetup("dirtbag_the_sandman", LOW),
        PlayerSetup("jeff", equipment="official_branded_hoodie"),
        store="the_one play_mat",
    )
    assert scenario.acts("dirtbag_the_sandman").points == 10


def test_promotional_pin_set_reveals_two_cards_for_two_dollars_and_uses_the_better():
    scenario = Scenario(
        PlayerSetup("dirtbag_the_sandman", LOW, "promotional_pin_set", dollars=3),
        PlayerSetup("aberforth_low_summoner"),
        store="play_mat the_one proxy_card",
    )
    scenario.acts("dirtbag_the_sandman").chooses("reveal_two")
    assert (scenario.points, scenario.state.players[0].dollars) == (10, 1)
    assert len(scenario.state.aftermarket) == 3


def test_rant_energy_drink_allows_one_more_card():
    scenario = (
        Scenario(PlayerSetup("", f"{LOW} tia", "rant_energy_drink")).acts("rant_energy_drink").plays(LOW).plays("tia")
    )
    assert scenario.tableau_ids() == f"{LOW} tia"


def test_rant_energy_drink_adds_two_in_a_clash():
    scenario = Scenario(
        PlayerSetup("dirtbag_the_sandman", LOW, "rant_energy_drink"),
        PlayerSetup("aberforth_low_summoner"),
        store="play_mat proxy_card",
    )
    scenario.acts("dirtbag_the_sandman").chooses("add_two", reaction="rant_energy_drink")
    assert scenario.points == 10


def test_star_booster_puts_two_tokens_on_cards_of_any_tableau():
    scenario = Scenario(PlayerSetup("evil_helbane", LOW, "star_booster"), PlayerSetup("jeff")).acts("star_booster")
    scenario.chooses("choose_target", target="jeff").chooses("choose_target", target="evil_helbane")
    assert (scenario.stars("jeff"), scenario.stars("evil_helbane")) == (9, 11)


def test_star_booster_can_put_tokens_on_a_face_down_card():
    scenario = Scenario(PlayerSetup("-jeff", "tia", "star_booster")).acts("star_booster")
    assert (scenario.in_play("jeff").tokens, scenario.is_face_up("star_booster")) == (2, False)


def test_a_statuette_and_an_altar_on_a_face_down_card_work_once_it_is_face_up():
    for accessory, stars in (("commemorative_resin_statuette", 2), ("chthonic_card_altar", 4)):
        scenario = Scenario(PlayerSetup("-jeff", "pyotr_ghost_hunter", accessory)).acts(accessory)
        assert scenario.ids(scenario.in_play("jeff").attached) == [accessory]
        scenario.plays("pyotr_ghost_hunter").chooses("turn_face_up", card="jeff")
        assert scenario.stars("jeff") == 8 + stars


def test_anything_can_be_attached_to_donteles_while_it_is_face_down():
    tableau = "{}donteles_the_frozen jeff"
    scenario = Scenario(PlayerSetup(tableau.format(""), "tia", "chthonic_card_altar")).acts("chthonic_card_altar")
    assert scenario.ids(scenario.in_play("jeff").attached) == ["chthonic_card_altar"], "nothing else may be chosen"
    scenario = Scenario(PlayerSetup(tableau.format("-"), "tia", "chthonic_card_altar")).acts("chthonic_card_altar")
    assert scenario.card_in_play("donteles_the_frozen") in scenario.options(0, "choose_target", "target")


def test_shadow_realm_ticket_is_attached_to_a_face_up_card_only():
    scenario = Scenario(PlayerSetup("-jeff", "tia", "shadow_realm_ticket"), PlayerSetup("evil_helbane")).acts(
        "shadow_realm_ticket"
    )
    assert scenario.ids(scenario.in_play("evil_helbane").attached) == ["shadow_realm_ticket"]


def test_promotional_pin_set_is_not_offered_without_two_cards_to_reveal():
    scenario = Scenario(PlayerSetup("dirtbag_the_sandman", LOW, "promotional_pin_set", dollars=2), PlayerSetup("jeff"))
    scenario.begins(turn().by(0), replace(scenario.state, store_deck=scenario.state.store_deck[:1]))
    scenario.acts("dirtbag_the_sandman")
    assert (scenario.state.players[0].dollars, scenario.prompts(0)) == (
        2,
        ["Play a card, use an Action, or end your turn."],
    )


def test_vip_pass_passes_the_turn():
    assert Scenario(PlayerSetup("", LOW, "vip_pass")).acts("vip_pass").choices(0) == []


def test_vip_pass_cancels_a_clash():
    scenario = Scenario(PlayerSetup("dirtbag_the_sandman", LOW), PlayerSetup("jeff", equipment="vip_pass")).acts(
        "dirtbag_the_sandman"
    )
    scenario.chooses("cancel_clash", seat=1, reaction="vip_pass")
    assert (scenario.points, scenario.tableau_ids(), scenario.state.aftermarket) == (0, "-dirtbag_the_sandman", ())


def test_mono_air_economy_scores_8_for_each_card_of_air_up_to_30():
    four = "ghasticus_the_wind_spirit rocketman_kev wenglie_the_harpy birdkeeper_arica"
    assert scored(four, equipment="mono_air_economy") == 30


def test_mono_dark_decay_scores_8_for_each_card_of_dark():
    assert scored("evil_helbane -hemsey_the_snitch", equipment="mono_dark_decay") == 8


def test_mono_earth_underdog_scores_8_for_each_card_of_earth():
    assert scored("imperial_assassin_mara dirtbag_the_sandman jeff", equipment="mono_earth_underdog") == 16 + 8


def test_mono_fire_powerhouse_scores_8_for_each_card_of_fire():
    assert scored("knight_captain_malcombe", equipment="mono_fire_powerhouse") == 8


def test_mono_light_sanctuary_scores_8_for_each_card_of_light():
    assert scored("high_priestess_orella", equipment="mono_light_sanctuary") == 8


def test_mono_water_equilibrium_scores_8_for_each_card_of_water():
    assert scored("elvan_mage_adept_elco", equipment="mono_water_equilibrium") == 8


def test_mono_animal_farmhand_scores_8_for_each_animal_without_limit():
    animals = "deep_ray_undersea_stalker devouring_worm cloud_boss_boss_of_a_cloud pure_snow_magical_pony"
    assert scored(animals, equipment="mono_animal_farmhand") == 32


def test_mono_citizen_contract_scores_8_for_each_citizen():
    assert scored("imperial_assassin_mara", equipment="mono_citizen_contract") == 8


def test_mono_construct_tinkerbox_scores_8_for_each_construct():
    assert scored("goloronicus_sword_of_heroes", equipment="mono_construct_tinkerbox") == 8


def test_mono_mage_academy_scores_8_for_each_mage():
    assert scored("high_priestess_orella", equipment="mono_mage_academy") == 8


def test_mono_myth_storybook_scores_8_for_each_myth():
    assert scored("mummer_the_merman", equipment="mono_myth_storybook") == 8


def test_mono_soldier_warband_scores_8_for_each_soldier():
    assert scored("evil_helbane", equipment="mono_soldier_warband") == 8


def test_blackout_scores_8_for_each_face_down_card():
    assert scored("-evil_helbane -jeff elvan_mage_adept_elco", equipment="blackout") == 16


def test_kingmaker_scores_35_for_a_card_with_more_stars_than_all_others():
    assert scored("evil_helbane", PlayerSetup("jeff"), PlayerSetup(), equipment="kingmaker") == 35
    assert scored("evil_helbane", PlayerSetup("high_priestess_orella"), equipment="kingmaker") == 0


def test_metagamer_scores_8_for_each_card_of_an_active_meta():
    tableau = "evil_helbane high_priestess_orella elvan_mage_adept_elco"
    assert scored(tableau, equipment="metagamer", metas=("dark", "mage")) == 24


def test_numerology_scores_8_for_each_card_with_the_chosen_number():
    scenario = scoring("evil_helbane high_priestess_orella malcombe_footman", equipment="numerology")
    assert scenario.chooses("choose_number", number=10).points == 16


def test_pauper_scores_8_for_each_card_of_at_most_four_stars():
    assert scored("malcombe_footman mummer_the_merman evil_helbane", equipment="pauper") == 16


def test_power_play_doubles_the_next_gain_up_to_40_more():
    scenario = (
        Scenario(PlayerSetup("", "cannon_technician_meryl", "power_play"))
        .acts("power_play")
        .plays("cannon_technician_meryl")
    )
    assert (scenario.points, scenario.is_face_up("power_play")) == (36, False)


def test_power_play_gives_nothing_for_a_later_gain():
    scenario = Scenario(PlayerSetup("malcombe_footman", "yurgatrox_herald_of_doom", "power_play")).acts("power_play")
    assert scenario.plays("yurgatrox_herald_of_doom").points == 50
    assert not scenario.state.turn.doubled


def test_cosplay_set_adds_a_slot():
    six = "evil_helbane high_priestess_orella elvan_mage_adept_elco jeff tia brikzaar"
    assert played("malcombe_footman", six, equipment="cosplay_set").points == 9
    assert Scenario(PlayerSetup(six, "malcombe_footman")).choices(0) == []
