"""What each Earth creature does."""

from __future__ import annotations

from tests.games.vale_of_eternity.scenario import PlayerSetup, Scenario


def test_basilisk_sells_a_purple_stone_for_2_points():
    scenario = Scenario(PlayerSetup(area="basilisk", points=5))
    scenario.activate()
    scenario.answer(0, "buy_stone", colour="purple")
    assert (scenario.points, scenario.stones) == (3, "p")


def test_basilisk_offers_only_stones_for_which_the_player_has_the_points():
    """A player cannot give up points that they do not have."""
    scenario = Scenario(PlayerSetup(area="basilisk", points=1))
    scenario.activate()
    assert scenario.options(0, "buy_stone", "colour") == ("red", "blue")


def test_behemoth_scores_3_for_each_family():
    scenario = Scenario(PlayerSetup(area="agni triton goblin", hand="behemoth", stones="pb"))
    scenario.summon("behemoth")
    assert scenario.points == 9


def test_cerberus_discards_up_to_three_other_cards():
    scenario = Scenario(PlayerSetup(area="agni kappa goblin", hand="cerberus", stones="p"))
    scenario.summon("cerberus")
    assert scenario.options(0, "discard_cards", "cards") == ("agni", "kappa", "goblin")
    scenario.answer(0, "discard_cards", cards=["agni", "goblin"])
    assert scenario.area == {"cerberus", "kappa"}


def test_cerberus_may_discard_nothing():
    scenario = Scenario(PlayerSetup(area="agni", hand="cerberus", stones="p"))
    scenario.summon("cerberus")
    scenario.answer(0, "discard_cards", cards=[])
    assert scenario.area == {"cerberus", "agni"}


def test_forest_spirit_scores_the_printed_cost_of_a_card_discarded_from_hand():
    scenario = Scenario(PlayerSetup(area="pegasus", hand="forest_spirit eternity", stones="r"))
    scenario.summon("forest_spirit")
    scenario.answer(0, "discard_for_points", card="eternity")
    assert (scenario.points, scenario.state.discard_pile) == (12, ("eternity",))


def test_forest_spirit_is_blocked_when_it_is_the_last_card_in_hand():
    assert not Scenario(PlayerSetup(hand="forest_spirit", stones="b")).can_summon("forest_spirit")


def test_gargoyle_scores_3_when_a_purple_stone_is_spent_on_a_summoning():
    scenario = Scenario(PlayerSetup(area="gargoyle", hand="agni", stones="p"))
    scenario.summon("agni")
    assert scenario.points == 3


def test_gargoyle_scores_nothing_for_its_own_summoning():
    scenario = Scenario(PlayerSetup(hand="gargoyle", stones="p"))
    scenario.summon("gargoyle")
    assert scenario.points == 0


def test_goblin_takes_a_point_from_the_chosen_opponent():
    scenario = Scenario(PlayerSetup(area="goblin"), PlayerSetup(points=3), PlayerSetup(points=5))
    scenario.activate()
    scenario.answer(0, "steal_from", opponent=2)
    assert [scenario.player(seat).points for seat in range(3)] == [1, 3, 4]


def test_goblin_takes_nothing_from_an_opponent_without_points():
    scenario = Scenario(PlayerSetup(area="goblin"), PlayerSetup(points=0))
    scenario.activate()
    assert [scenario.player(seat).points for seat in range(2)] == [0, 0]


def test_goblin_soldier_scores_4_when_any_opponent_is_ahead():
    scenario = Scenario(PlayerSetup(area="goblin_soldier", points=5), PlayerSetup(points=1), PlayerSetup(points=6))
    scenario.activate()
    assert scenario.points == 9


def test_goblin_soldier_loses_4_when_the_best_opponent_is_only_level():
    scenario = Scenario(PlayerSetup(area="goblin_soldier", points=5), PlayerSetup(points=5))
    scenario.activate()
    assert scenario.points == 1


def test_goblin_soldier_never_takes_points_below_zero():
    scenario = Scenario(PlayerSetup(area="goblin_soldier", points=3), PlayerSetup(points=0))
    scenario.activate()
    assert scenario.points == 0


def test_medusa_discards_a_hand_card_for_a_purple_stone():
    scenario = Scenario(PlayerSetup(area="medusa", hand="agni kappa"))
    scenario.activate()
    scenario.answer(0, "discard_from_hand", card="kappa")
    assert (scenario.hand, scenario.stones) == ({"agni"}, "p")


def test_medusa_is_skipped_without_a_hand_card():
    scenario = Scenario(PlayerSetup(area="medusa"))
    scenario.activate()
    assert scenario.stones == ""


def test_mimic_takes_any_earth_card_of_the_discard_pile():
    """Any Earth card in the pile, not only the top one, and no card of another family."""
    scenario = Scenario(PlayerSetup(area="mimic"), discard_pile="troll agni goblin kappa")
    scenario.activate()
    assert scenario.options(0, "take_from_discard_pile", "card") == ("troll", "goblin")
    scenario.answer(0, "take_from_discard_pile", card="troll")
    assert (scenario.hand, scenario.state.discard_pile) == ({"troll"}, ("agni", "goblin", "kappa"))


def test_mimic_is_skipped_when_no_earth_card_is_in_the_discard_pile():
    scenario = Scenario(PlayerSetup(area="mimic"), discard_pile="agni")
    scenario.activate()
    assert scenario.hand == set()


def test_mud_slime_scores_6():
    scenario = Scenario(PlayerSetup(hand="mud_slime", stones="p"))
    scenario.summon("mud_slime")
    assert scenario.points == 6


def test_mud_slime_returns_to_hand_when_activated():
    scenario = Scenario(PlayerSetup(area="mud_slime"))
    scenario.activate()
    assert scenario.hand == {"mud_slime"}


def test_rock_golem_scores_the_value_of_purple_stones_and_keeps_them():
    scenario = Scenario(PlayerSetup(area="water_giant", hand="rock_golem", stones="bbpp"))
    scenario.summon("rock_golem", "bb")
    assert (scenario.points, scenario.stones) == (14, "pp")


def test_rock_golem_uses_the_value_of_purple_stones_that_hae_tae_has_changed():
    scenario = Scenario(PlayerSetup(area="hae_tae", hand="rock_golem", stones="bpp"))
    scenario.summon("rock_golem", "b")
    assert (scenario.points, scenario.stones) == (6, "pp")


def test_sand_giant_scores_4_for_each_earth_card():
    scenario = Scenario(PlayerSetup(area="goblin agni", hand="sand_giant", stones="pp"))
    scenario.summon("sand_giant")
    assert scenario.points == 8


def test_stone_golem_turns_every_stone_purple_one_for_one():
    scenario = Scenario(PlayerSetup(hand="stone_golem", stones="rrbp"))
    scenario.summon("stone_golem", "p")
    assert scenario.stones == "ppp"


def test_troll_scores_3_with_a_purple_stone():
    scenario = Scenario(PlayerSetup(area="troll", stones="p"))
    scenario.activate()
    assert scenario.points == 3


def test_troll_scores_nothing_without_a_purple_stone():
    scenario = Scenario(PlayerSetup(area="troll", stones="rrb"))
    scenario.activate()
    assert scenario.points == 0


def test_young_forest_spirit_discards_a_hand_card_and_summons_another_for_free():
    """The free card costs no stone, whatever its printed cost."""
    scenario = Scenario(PlayerSetup(hand="young_forest_spirit eternity agni"), round=2)
    scenario.summon("young_forest_spirit")
    scenario.answer(0, "discard_from_hand", card="agni")
    scenario.answer(0, "summon_free", card="eternity")
    assert (scenario.area, scenario.points) == ({"young_forest_spirit", "eternity"}, 8)


def test_young_forest_spirit_is_blocked_without_a_second_free_slot():
    """Both cards need a slot: the free one as well."""
    scenario = Scenario(PlayerSetup(area="goblin", hand="young_forest_spirit eternity agni"), round=2)
    assert not scenario.can_summon("young_forest_spirit")


def test_young_forest_spirit_is_blocked_without_two_more_hand_cards():
    assert not Scenario(PlayerSetup(hand="young_forest_spirit agni")).can_summon("young_forest_spirit")


def test_young_forest_spirit_may_not_discard_the_only_card_that_can_be_summoned():
    """A card must remain whose own instant effect can be carried out."""
    scenario = Scenario(PlayerSetup(hand="young_forest_spirit leviathan agni"))  # nobody has a Dragon for Leviathan
    scenario.summon("young_forest_spirit")
    assert scenario.options(0, "discard_from_hand", "card") == ("leviathan",)


def test_young_forest_spirit_triggers_sylph_but_spends_no_stone():
    """A summoning without payment is a summoning: Sylph reacts to it, but Phoenix and Kappa find no stone to count."""
    scenario = Scenario(
        PlayerSetup(area="sylph phoenix kappa gargoyle", hand="young_forest_spirit agni goblin", stones="rbp")
    )
    scenario.summon("young_forest_spirit")
    scenario.answer(0, "discard_from_hand", card="goblin")
    scenario.answer(0, "summon_free", card="agni")
    assert (scenario.points, scenario.stones) == (2, "rbp")


def test_young_forest_spirit_summons_dragon_egg_only_with_a_dragon_left():
    """The requirements of the free card are checked as well."""
    scenario = Scenario(PlayerSetup(hand="young_forest_spirit dragon_egg tidal agni"))
    scenario.summon("young_forest_spirit")
    scenario.answer(0, "discard_from_hand", card="tidal")
    assert scenario.options(0, "summon_free", "card") == ("agni",)
