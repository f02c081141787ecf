"""The accessories and deck boxes of the core set, and the starters' extra accessory, card by card."""

from __future__ import annotations

from msgspec.structs import replace

from games.millennium_blades.catalogue import NUMBERS
from games.millennium_blades.deck_rules import LIMITS, collection_additions, deck_additions, limits_with_cards, surplus
from games.millennium_blades.tournament.turns import remove_attached_cards, turn
from tests.games.millennium_blades.scene import Place, Scene, played, scored, scoring

LOW = "bertram_explorer"
STRONG = "burnizard_ex_omega_revolver_j"
"""Its Action makes everybody flip a card of his own."""


def numbers(*cards: str) -> tuple[int, ...]:
    return tuple(NUMBERS[card] * 10 for card in cards)


def test_play_mat_flips_a_card():
    scene = Scene(Place("evil_helbane", LOW, "play_mat")).acts("play_mat")
    assert (scene.row(), scene.is_up("play_mat")) == ("-evil_helbane", False)


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


def test_x_ray_glasses_show_a_hand_to_their_player_alone():
    scene = Scene(Place("", LOW, "x_ray_glasses"), Place(hand="evil_helbane jeff"), Place())
    scene.acts("x_ray_glasses").chooses("choose_target", target=1)
    seen = scene.decisions[-1].facts
    cards = list(numbers("evil_helbane", "jeff"))
    shown = [scene.rulebook.redact(fact, 0) for fact in seen if type(fact).__name__ == "HandSeen"]
    assert [list(fact["cards"]) for fact in shown] == [cards]
    hidden = [scene.rulebook.redact(fact, 2) for fact in seen if type(fact).__name__ == "HandSeen"]
    assert [fact["cards"] for fact in hidden] == [{"hidden": 2}]


def test_duelist_fashion_ring_gives_10_to_everybody_who_holds_one():
    ring = "duelist_fashion_ring"
    scene = Scene(Place("", LOW, ring), Place(binder=ring), Place(equipment=f"-{ring}"), Place()).acts(ring)
    assert scene.all_points() == [10, 10, 10, 0]


def test_mb_limited_edition_lunchbox_passes_the_turn():
    scene = Scene(Place("", LOW, "mb_limited_edition_lunchbox")).acts("mb_limited_edition_lunchbox")
    assert scene.ids(scene.state.players[0].hand) == [LOW]
    assert scene.questions(0) == []
    assert scene.state.passes == 0


def test_mb_limited_edition_lunchbox_cancels_a_discard():
    scene = played(STRONG, "", Place(hand="jeff", equipment="mb_limited_edition_lunchbox"))
    scene.chooses("name_card", design=NUMBERS["jeff"])
    scene.chooses("keep_cards", seat=1, reaction="mb_limited_edition_lunchbox")
    assert scene.ids(scene.state.players[1].hand) == ["jeff"]
    assert not scene.is_up("mb_limited_edition_lunchbox")


def test_miniature_flippable_table_makes_the_richer_flip_or_lose_10():
    rich, poor = Place(LOW, points=30), Place("jeff", points=1)
    scene = Scene(Place("", "tia", "miniature_flippable_table", points=5), rich, poor).acts("miniature_flippable_table")
    assert scene.offered(1) == ["flip_cards", "lose_reputation"]
    scene.chooses("lose_reputation", seat=1)
    assert scene.all_points() == [5, 20, 1]


def test_flippable_table_makes_the_richer_flip_two_cards_or_lose_20():
    two, one = Place(f"{LOW} jeff", points=30), Place("evil_helbane", points=30)
    scene = Scene(Place("", "tia", "flippable_table"), two, one).acts("flippable_table")
    scene.chooses("flip_cards", seat=1, cards=[LOW, "jeff"])
    assert (scene.row(1), scene.all_points()) == (f"-{LOW} -jeff", [0, 30, 10])


def test_shadow_realm_ticket_protects_any_card_and_leaves_the_game_with_it():
    scene = Scene(Place(LOW, "tia", "shadow_realm_ticket"), Place("evil_helbane jeff"))
    scene.acts("shadow_realm_ticket").chooses("choose_target", target="jeff")
    table = scene.rulebook.table(scene.state, 0, None, False)  # type: ignore[arg-type]
    jeff = scene.lies("jeff")
    assert table.board.is_protected(jeff, 0)  # type: ignore[attr-defined]
    assert not table.board.is_protected(jeff, 1)  # type: ignore[attr-defined]
    scene.begins(remove_attached_cards())
    assert scene.row(1) == "evil_helbane"
    assert set(scene.ids(scene.state.box)) >= {"jeff", "shadow_realm_ticket"}


def test_card_handling_gloves_let_the_winner_flip_a_card_of_the_loser():
    scene = Scene(
        Place("evil_helbane", LOW, "card_handling_gloves"), Place("digclaw_the_mole jeff"), store="the_one play_mat"
    )
    scene.acts("card_handling_gloves").chooses("choose_target", target="digclaw_the_mole")
    assert scene.row(1) == "-digclaw_the_mole jeff"


def test_card_handling_gloves_let_the_winner_leave_it():
    scene = Scene(Place(LOW, "tia", "card_handling_gloves"), Place("jeff"), store="play_mat the_one")
    scene.acts("card_handling_gloves").chooses("choose_no_target", seat=1)
    assert scene.row() == LOW


def test_chthonic_card_altar_gives_four_stars_and_leaves_the_game_in_scoring():
    scene = Scene(Place("evil_helbane", LOW, "chthonic_card_altar")).acts("chthonic_card_altar")
    assert scene.stars("evil_helbane") == 14
    scene = scoring("evil_helbane&chthonic_card_altar")
    assert scene.row() == ""
    assert set(scene.ids(scene.state.box)) >= {"evil_helbane", "chthonic_card_altar"}


def test_commemorative_resin_statuette_gives_two_stars_and_protects_from_others():
    guarded = Place("jeff&commemorative_resin_statuette evil_helbane")
    scene = Scene(Place(STRONG, LOW), guarded).acts(STRONG)
    assert scene.row(1) == "jeff -evil_helbane"
    assert scene.stars("jeff") == 10


def test_double_platinum_sleeves_keep_a_card_from_an_opponents_effect():
    scene = Scene(Place(STRONG, LOW), Place("jeff", equipment="double_platinum_sleeves")).acts(STRONG)
    scene.chooses("keep_one_face_up", seat=1, reaction="double_platinum_sleeves", card="jeff")
    assert (scene.row(1), scene.is_up("double_platinum_sleeves")) == ("jeff", False)


def test_double_platinum_sleeves_do_not_help_against_own_effects():
    scene = played("hemsey_the_snitch", "jeff", equipment="double_platinum_sleeves").chooses("flip_card", card="jeff")
    assert scene.row() == "-jeff hemsey_the_snitch"


def test_deck_protectors_keep_a_card_from_an_opponents_effect():
    scene = Scene(Place(STRONG, LOW), Place("jeff", equipment="deck_protectors")).acts(STRONG)
    scene.chooses("decline", seat=1)
    assert (scene.row(1), scene.is_up("deck_protectors")) == ("-jeff", True)


def test_helbane_plushie_keeps_all_cards_from_an_opponents_effect():
    scene = Scene(Place(STRONG, LOW), Place("jeff", equipment="helbane_plushie")).acts(STRONG)
    scene.chooses("keep_all_face_up", seat=1, reaction="helbane_plushie")
    assert (scene.row(1), scene.is_up("helbane_plushie")) == ("jeff", False)


def test_helbane_plushie_keeps_the_hand_from_an_opponents_effect():
    scene = played(STRONG, "", Place(hand="jeff", equipment="helbane_plushie"))
    scene.chooses("name_card", design=NUMBERS["jeff"]).chooses("keep_cards", seat=1, reaction="helbane_plushie")
    assert scene.ids(scene.state.players[1].hand) == ["jeff"]


def test_official_branded_hoodie_sends_an_effect_to_another_target():
    scene = Scene(
        Place("dirtbag_the_sandman", LOW), Place("jeff", equipment="official_branded_hoodie"),
        Place("digclaw_the_mole"), store="the_one play_mat",
    )  # fmt: skip
    scene.acts("dirtbag_the_sandman").chooses("choose_target", target=1)
    scene.chooses("redirect_target", seat=1, reaction="official_branded_hoodie", target=2)
    assert (scene.points, scene.is_up("official_branded_hoodie")) == (10, False)


def test_official_branded_hoodie_answers_who_chose_the_target_whosever_effect_it_is():
    mine = Place(f"{LOW} malcombe_footman", "tia", "card_handling_gloves official_branded_hoodie")
    scene = Scene(mine, Place("jeff"), store="play_mat play_mat").acts("card_handling_gloves")
    scene.chooses("choose_target", seat=1, target="malcombe_footman")
    scene.chooses("redirect_target", reaction="official_branded_hoodie", target=LOW)
    assert scene.row() == f"-{LOW} malcombe_footman"


def test_official_branded_hoodie_is_not_asked_about_a_choice_of_its_own_player():
    theirs = Place("jeff brikzaar", equipment="official_branded_hoodie")
    scene = Scene(Place("soul_caliper", "tia"), theirs, store="play_mat play_mat").acts("soul_caliper")
    scene.chooses("choose_target", seat=1, target="jeff")
    assert scene.asked(1) == ["You may put a star token on a card of yours."]


def test_official_branded_hoodie_is_no_use_when_nobody_else_can_be_targeted():
    scene = Scene(
        Place("dirtbag_the_sandman", LOW), Place("jeff", equipment="official_branded_hoodie"), store="the_one play_mat"
    )
    assert scene.acts("dirtbag_the_sandman").points == 10


def test_promotional_pin_set_reveals_two_cards_for_two_dollars_and_uses_the_better():
    scene = Scene(
        Place("dirtbag_the_sandman", LOW, "promotional_pin_set", dollars=3), Place("aberforth_low_summoner"),
        store="play_mat the_one proxy_card",
    )  # fmt: skip
    scene.acts("dirtbag_the_sandman").chooses("reveal_two")
    assert (scene.points, scene.state.players[0].dollars) == (10, 1)
    assert len(scene.state.aftermarket) == 3


def test_rant_energy_drink_allows_one_more_card():
    scene = Scene(Place("", f"{LOW} tia", "rant_energy_drink")).acts("rant_energy_drink").plays(LOW).plays("tia")
    assert scene.row() == f"{LOW} tia"


def test_rant_energy_drink_adds_two_in_a_clash():
    scene = Scene(
        Place("dirtbag_the_sandman", LOW, "rant_energy_drink"),
        Place("aberforth_low_summoner"),
        store="play_mat proxy_card",
    )
    scene.acts("dirtbag_the_sandman").chooses("add_two", reaction="rant_energy_drink")
    assert scene.points == 10


def test_star_booster_puts_two_tokens_on_cards_of_any_tableau():
    scene = Scene(Place("evil_helbane", LOW, "star_booster"), Place("jeff")).acts("star_booster")
    scene.chooses("choose_target", target="jeff").chooses("choose_target", target="evil_helbane")
    assert (scene.stars("jeff"), scene.stars("evil_helbane")) == (9, 11)


def test_star_booster_puts_its_tokens_on_a_face_down_card_as_well_for_it_still_counts_as_a_card():
    scene = Scene(Place("-jeff", "tia", "star_booster")).acts("star_booster")
    assert (scene.in_play("jeff").tokens, scene.is_up("star_booster")) == (2, False)


def test_a_statuette_and_an_altar_are_attached_to_a_face_down_card_as_well_and_hold_when_it_is_turned_up():
    for accessory, stars in (("commemorative_resin_statuette", 2), ("chthonic_card_altar", 4)):
        scene = Scene(Place("-jeff", "pyotr_ghost_hunter", accessory)).acts(accessory)
        assert scene.ids(scene.in_play("jeff").attached) == [accessory]
        scene.plays("pyotr_ghost_hunter").chooses("turn_face_up", card="jeff")
        assert scene.stars("jeff") == 8 + stars


def test_a_card_that_nothing_can_be_attached_to_does_not_say_so_face_down():
    tableau = "{}donteles_the_frozen jeff"
    scene = Scene(Place(tableau.format(""), "tia", "chthonic_card_altar")).acts("chthonic_card_altar")
    assert scene.ids(scene.in_play("jeff").attached) == ["chthonic_card_altar"], "nothing else may be chosen"
    scene = Scene(Place(tableau.format("-"), "tia", "chthonic_card_altar")).acts("chthonic_card_altar")
    assert scene.lies("donteles_the_frozen") in scene.options(0, "choose_target", "target")


def test_shadow_realm_ticket_is_attached_to_a_face_up_card_only():
    scene = Scene(Place("-jeff", "tia", "shadow_realm_ticket"), Place("evil_helbane")).acts("shadow_realm_ticket")
    assert scene.ids(scene.in_play("evil_helbane").attached) == ["shadow_realm_ticket"]


def test_promotional_pin_set_is_no_use_when_there_are_no_two_cards_to_reveal():
    scene = Scene(Place("dirtbag_the_sandman", LOW, "promotional_pin_set", dollars=2), Place("jeff"))
    scene.begins(turn().by(0), replace(scene.state, store_deck=scene.state.store_deck[:1]))
    scene.acts("dirtbag_the_sandman")
    assert (scene.state.players[0].dollars, scene.asked(0)) == (2, ["Play a card, use an Action, or end your turn."])


def test_vip_pass_passes_the_turn():
    assert Scene(Place("", LOW, "vip_pass")).acts("vip_pass").questions(0) == []


def test_vip_pass_cancels_a_clash():
    scene = Scene(Place("dirtbag_the_sandman", LOW), Place("jeff", equipment="vip_pass")).acts("dirtbag_the_sandman")
    scene.chooses("cancel_clash", seat=1, reaction="vip_pass")
    assert (scene.points, scene.row(), scene.state.aftermarket) == (0, "-dirtbag_the_sandman", ())


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


def test_kingmaker_scores_35_when_one_card_outshines_all_others():
    assert scored("evil_helbane", Place("jeff"), Place(), equipment="kingmaker") == 35
    assert scored("evil_helbane", Place("high_priestess_orella"), equipment="kingmaker") == 0


def test_metagamer_scores_8_for_each_card_of_an_active_meta():
    tableau = "evil_helbane high_priestess_orella elvan_mage_adept_elco"
    assert scored(tableau, equipment="metagamer", metas=("dark", "mage")) == 24


def test_numerology_scores_8_for_each_card_with_the_number_chosen():
    scene = scoring("evil_helbane high_priestess_orella malcombe_footman", equipment="numerology")
    assert scene.chooses("choose_number", number=10).points == 16


def test_pauper_scores_8_for_each_card_of_at_most_four_stars():
    assert scored("malcombe_footman mummer_the_merman evil_helbane", equipment="pauper") == 16


def test_power_play_doubles_the_next_gain_up_to_40_more():
    scene = (
        Scene(Place("", "cannon_technician_meryl", "power_play")).acts("power_play").plays("cannon_technician_meryl")
    )
    assert (scene.points, scene.is_up("power_play")) == (36, False)


def test_power_play_gives_nothing_for_a_later_gain():
    scene = Scene(Place("malcombe_footman", "yurgatrox_herald_of_doom", "power_play")).acts("power_play")
    assert scene.plays("yurgatrox_herald_of_doom").points == 50
    assert not scene.state.turn.doubled


def test_cosplay_set_adds_a_slot():
    six = "evil_helbane high_priestess_orella elvan_mage_adept_elco jeff tia brikzaar"
    assert played("malcombe_footman", six, equipment="cosplay_set").points == 9
    assert Scene(Place(six, "malcombe_footman")).questions(0) == []
