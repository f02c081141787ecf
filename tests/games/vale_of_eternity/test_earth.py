"""What each Earth creature does."""

from __future__ import annotations

from tests.games.vale_of_eternity.scene import Place, Scene


def test_basilisk_sells_a_purple_stone_for_2_points():
    scene = Scene(Place(area="basilisk", points=5))
    scene.activates()
    scene.answers(0, "take", colour="purple")
    assert (scene.points, scene.stones) == (3, "p")


def test_basilisk_offers_only_what_the_points_can_pay():
    """Points that one has not cannot be given up."""
    scene = Scene(Place(area="basilisk", points=1))
    scene.activates()
    assert scene.options(0, "take", "colour") == ("red", "blue")


def test_behemoth_scores_3_for_each_family():
    scene = Scene(Place(area="agni triton goblin", hand="behemoth", stones="pb"))
    scene.summons("behemoth")
    assert scene.points == 9


def test_cerberus_discards_up_to_three_other_cards():
    scene = Scene(Place(area="agni kappa goblin", hand="cerberus", stones="p"))
    scene.summons("cerberus")
    assert scene.options(0, "discard_all", "cards") == ("agni", "kappa", "goblin")
    scene.answers(0, "discard_all", cards=["agni", "goblin"])
    assert scene.area == {"cerberus", "kappa"}


def test_cerberus_may_discard_nothing():
    scene = Scene(Place(area="agni", hand="cerberus", stones="p"))
    scene.summons("cerberus")
    scene.answers(0, "discard_all", cards=[])
    assert scene.area == {"cerberus", "agni"}


def test_forest_spirit_scores_the_written_cost_of_a_card_discarded_from_hand():
    scene = Scene(Place(area="pegasus", hand="forest_spirit eternity", stones="r"))
    scene.summons("forest_spirit")
    scene.answers(0, "turn_into_points", card="eternity")
    assert (scene.points, scene.state().discard) == (12, ("eternity",))


def test_forest_spirit_is_blocked_when_it_is_the_last_card_in_hand():
    assert not Scene(Place(hand="forest_spirit", stones="b")).can_summon("forest_spirit")


def test_gargoyle_scores_3_when_a_purple_stone_is_spent_on_a_summoning():
    scene = Scene(Place(area="gargoyle", hand="agni", stones="p"))
    scene.summons("agni")
    assert scene.points == 3


def test_gargoyle_scores_nothing_for_its_own_summoning():
    scene = Scene(Place(hand="gargoyle", stones="p"))
    scene.summons("gargoyle")
    assert scene.points == 0


def test_goblin_takes_a_point_from_an_opponent_of_choice():
    scene = Scene(Place(area="goblin"), Place(points=3), Place(points=5))
    scene.activates()
    scene.answers(0, "steal_from", opponent=2)
    assert [scene.place(seat).points for seat in range(3)] == [1, 3, 4]


def test_goblin_takes_nothing_from_an_opponent_without_points():
    scene = Scene(Place(area="goblin"), Place(points=0))
    scene.activates()
    assert [scene.place(seat).points for seat in range(2)] == [0, 0]


def test_goblin_soldier_scores_4_when_any_opponent_is_ahead():
    scene = Scene(Place(area="goblin_soldier", points=5), Place(points=1), Place(points=6))
    scene.activates()
    assert scene.points == 9


def test_goblin_soldier_loses_4_when_the_best_opponent_is_only_level():
    scene = Scene(Place(area="goblin_soldier", points=5), Place(points=5))
    scene.activates()
    assert scene.points == 1


def test_goblin_soldier_never_leads_below_zero():
    scene = Scene(Place(area="goblin_soldier", points=3), Place(points=0))
    scene.activates()
    assert scene.points == 0


def test_medusa_discards_a_hand_card_for_a_purple_stone():
    scene = Scene(Place(area="medusa", hand="agni kappa"))
    scene.activates()
    scene.answers(0, "discard_from_hand", card="kappa")
    assert (scene.hand, scene.stones) == ({"agni"}, "p")


def test_medusa_lapses_without_a_hand_card():
    scene = Scene(Place(area="medusa"))
    scene.activates()
    assert scene.stones == ""


def test_mimic_takes_any_earth_card_of_the_discard_pile():
    """Any Earth card that lies there, not only the top one; nothing of another family."""
    scene = Scene(Place(area="mimic"), discard="troll agni goblin kappa")
    scene.activates()
    assert scene.options(0, "take_from_discard_pile", "card") == ("troll", "goblin")
    scene.answers(0, "take_from_discard_pile", card="troll")
    assert (scene.hand, scene.state().discard) == ({"troll"}, ("agni", "goblin", "kappa"))


def test_mimic_lapses_when_no_earth_card_is_in_the_discard_pile():
    scene = Scene(Place(area="mimic"), discard="agni")
    scene.activates()
    assert scene.hand == set()


def test_mud_slime_scores_6():
    scene = Scene(Place(hand="mud_slime", stones="p"))
    scene.summons("mud_slime")
    assert scene.points == 6


def test_mud_slime_returns_to_hand_when_activated():
    scene = Scene(Place(area="mud_slime"))
    scene.activates()
    assert scene.hand == {"mud_slime"}


def test_rock_golem_scores_what_purple_stones_are_worth_and_keeps_them():
    scene = Scene(Place(area="water_giant", hand="rock_golem", stones="bbpp"))
    scene.summons("rock_golem", "bb")
    assert (scene.points, scene.stones) == (14, "pp")


def test_rock_golem_reads_what_hae_tae_makes_of_purple_stones():
    scene = Scene(Place(area="hae_tae", hand="rock_golem", stones="bpp"))
    scene.summons("rock_golem", "b")
    assert (scene.points, scene.stones) == (6, "pp")


def test_sand_giant_scores_4_for_each_earth_card():
    scene = Scene(Place(area="goblin agni", hand="sand_giant", stones="pp"))
    scene.summons("sand_giant")
    assert scene.points == 8


def test_stone_golem_turns_every_stone_purple_one_for_one():
    scene = Scene(Place(hand="stone_golem", stones="rrbp"))
    scene.summons("stone_golem", "p")
    assert scene.stones == "ppp"


def test_troll_scores_3_with_a_purple_stone():
    scene = Scene(Place(area="troll", stones="p"))
    scene.activates()
    assert scene.points == 3


def test_troll_scores_nothing_without_a_purple_stone():
    scene = Scene(Place(area="troll", stones="rrb"))
    scene.activates()
    assert scene.points == 0


def test_young_forest_spirit_discards_a_hand_card_and_summons_another_for_nothing():
    """The free card costs no stone, whatever is written on it."""
    scene = Scene(Place(hand="young_forest_spirit eternity agni"), round=2)
    scene.summons("young_forest_spirit")
    scene.answers(0, "discard_from_hand", card="agni")
    scene.answers(0, "put_into_play", card="eternity")
    assert (scene.area, scene.points) == ({"young_forest_spirit", "eternity"}, 8)


def test_young_forest_spirit_is_blocked_without_a_second_free_slot():
    """Both cards need room: the limit of the area holds for the free one as well."""
    scene = Scene(Place(area="goblin", hand="young_forest_spirit eternity agni"), round=2)
    assert not scene.can_summon("young_forest_spirit")


def test_young_forest_spirit_is_blocked_without_two_more_hand_cards():
    assert not Scene(Place(hand="young_forest_spirit agni")).can_summon("young_forest_spirit")


def test_young_forest_spirit_may_not_discard_the_only_card_that_can_follow():
    """The discard has to leave a card whose own instant effect can be done."""
    scene = Scene(Place(hand="young_forest_spirit leviathan agni"))  # nobody has a Dragon for Leviathan
    scene.summons("young_forest_spirit")
    assert scene.options(0, "discard_from_hand", "card") == ("leviathan",)


def test_young_forest_spirit_spends_no_stone_but_summons_for_sylph():
    """A free summoning is a summoning on which no stone is spent: Sylph hears it, Phoenix and Kappa count nothing."""
    scene = Scene(Place(area="sylph phoenix kappa gargoyle", hand="young_forest_spirit agni goblin", stones="rbp"))
    scene.summons("young_forest_spirit")
    scene.answers(0, "discard_from_hand", card="goblin")
    scene.answers(0, "put_into_play", card="agni")
    assert (scene.points, scene.stones) == (2, "rbp")


def test_young_forest_spirit_puts_dragon_egg_into_play_only_with_a_dragon_left():
    """What a free card asks for is looked at as far down as it goes."""
    scene = Scene(Place(hand="young_forest_spirit dragon_egg tidal agni"))
    scene.summons("young_forest_spirit")
    scene.answers(0, "discard_from_hand", card="tidal")
    assert scene.options(0, "put_into_play", "card") == ("agni",)
