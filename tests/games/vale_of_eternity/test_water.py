"""What each Water creature does."""

from __future__ import annotations

from tests.games.vale_of_eternity.scenario import PlayerSetup, Scenario, stones


def test_charybdis_gives_up_a_blue_stone_for_5_points():
    scenario = Scenario(PlayerSetup(area="charybdis", stones="rb"))
    scenario.activate()
    assert (scenario.points, scenario.stones) == (5, "r")


def test_hae_tae_swaps_the_values_of_blue_and_purple_stones():
    scenario = Scenario(PlayerSetup(area="hae_tae", hand="odin", stones="bp"))
    assert scenario.payments_for("odin") == (stones("b"),)  # purple is worth 3 now


def test_hae_tae_with_water_giant_makes_blue_worth_7_and_purple_worth_4():
    """The values are swapped, then raised; both are raised by 1, so the order does not matter."""
    scenario = Scenario(PlayerSetup(area="water_giant hae_tae", stones="bp"))
    values = {stones["colour"]: stones["value"] for stones in scenario.derived()["seats"][0]["stones"]}
    assert values == {"red": 1, "blue": 7, "purple": 4}


def test_hydra_gives_two_different_rewards_in_the_chosen_order():
    """The same reward cannot be taken twice; rewards are taken one after the other."""
    scenario = Scenario(PlayerSetup(hand="hydra", stones="rrrr"), draw_pile="goblin")
    scenario.summon("hydra")
    assert "not among" in scenario.refusal(0, "take_rewards", rewards=["card", "card"])
    scenario.answer(0, "take_rewards", rewards=["four_points", "card"])
    assert (scenario.points, scenario.hand) == (4, {"goblin"})


def test_hydra_lets_the_player_choose_stones_to_keep_after_each_reward():
    scenario = Scenario(PlayerSetup(hand="hydra", stones="rrrp"))
    scenario.summon("hydra", "p")
    scenario.answer(0, "take_rewards", rewards=["two_blue_stones", "purple_stone"])
    scenario.answer(0, "keep_stones", stones=stones("rrbb"))
    scenario.answer(0, "keep_stones", stones=stones("rbbp"))
    assert scenario.stones == "rbbp"


def test_kappa_scores_2_when_a_blue_stone_is_spent_on_a_summoning():
    scenario = Scenario(PlayerSetup(area="kappa", hand="ifrit", stones="b"))
    scenario.summon("ifrit")
    assert scenario.points == 2 + 2  # Kappa, and Ifrit for two cards


def test_kappa_scores_once_for_two_blue_stones():
    scenario = Scenario(PlayerSetup(area="kappa", hand="agni", stones="bb"))
    scenario.summon("agni")
    assert scenario.points == 2


def test_kappa_scores_nothing_for_its_own_summoning():
    scenario = Scenario(PlayerSetup(hand="kappa", stones="b"))
    scenario.summon("kappa")
    assert scenario.points == 0


def test_leviathan_scores_7_and_makes_a_player_discard_a_dragon():
    scenario = Scenario(PlayerSetup(hand="leviathan", stones="p"), PlayerSetup(area="tidal goblin"))
    scenario.summon("leviathan")
    assert (scenario.points, scenario.player(1).area) == (7, ("goblin",))


def test_leviathan_is_blocked_while_nobody_has_a_dragon():
    assert not Scenario(PlayerSetup(hand="leviathan", stones="p"), PlayerSetup(area="goblin")).can_summon("leviathan")


def test_nessie_scores_2_without_a_dragon():
    scenario = Scenario(PlayerSetup(area="nessie"))
    scenario.activate()
    assert scenario.points == 2


def test_nessie_scores_nothing_with_a_dragon():
    scenario = Scenario(PlayerSetup(area="nessie tidal"))
    scenario.activate()
    assert scenario.points == 0


def test_poseidon_scores_3_for_each_water_card():
    scenario = Scenario(PlayerSetup(area="kappa goblin", hand="poseidon", stones="pr"))
    scenario.summon("poseidon")
    assert scenario.points == 6


def test_sea_spirit_scores_1_for_each_blue_stone_whatever_it_is_worth():
    scenario = Scenario(PlayerSetup(area="sea_spirit hae_tae", stones="bbp"))
    scenario.activate()
    assert scenario.points == 2


def test_snail_maiden_trades_a_blue_stone_for_a_purple_one():
    scenario = Scenario(PlayerSetup(area="snail_maiden", stones="bp"))
    scenario.activate()
    scenario.answer(0, "trade_stone", colour="blue")
    assert scenario.stones == "pp"


def test_snail_maiden_trades_a_purple_stone_for_three_blue_ones():
    scenario = Scenario(PlayerSetup(area="snail_maiden", stones="rp"))
    scenario.activate()
    assert scenario.stones == "rbbb"  # only one trade is possible


def test_snail_maiden_is_skipped_without_a_blue_or_purple_stone():
    scenario = Scenario(PlayerSetup(area="snail_maiden", stones="rr"))
    scenario.activate()
    assert scenario.stones == "rr"


def test_triton_gains_two_blue_stones_when_a_water_card_is_tamed():
    scenario = Scenario(PlayerSetup(area="triton", hunted="kappa goblin"))
    scenario.answer(0, "tame", card="kappa")
    scenario.answer(0, "tame", card="goblin")
    assert scenario.stones == "bb"


def test_triton_does_not_react_when_a_water_card_is_drawn():
    """Drawing a card is not taming it."""
    scenario = Scenario(PlayerSetup(area="triton griffon"), draw_pile="kappa")
    scenario.activate()
    assert (scenario.hand, scenario.stones) == ({"kappa"}, "")


def test_undine_gains_a_blue_stone():
    scenario = Scenario(PlayerSetup(hand="undine", stones="r"))
    scenario.summon("undine")
    assert scenario.stones == "b"


def test_undine_returns_to_hand_when_activated():
    scenario = Scenario(PlayerSetup(area="undine"))
    scenario.activate()
    assert scenario.hand == {"undine"}


def test_undine_queen_gains_a_blue_stone():
    scenario = Scenario(PlayerSetup(area="undine_queen"))
    scenario.activate()
    assert scenario.stones == "b"


def test_water_giant_gains_two_blue_stones_and_makes_blue_and_purple_worth_1_more():
    scenario = Scenario(PlayerSetup(hand="water_giant", stones="p"))
    scenario.summon("water_giant")
    assert scenario.stones == "bb"
    assert scenario.derived()["seats"][0]["stones_value"] == 8


def test_yuki_onna_turns_all_stones_into_points_at_their_present_value():
    scenario = Scenario(PlayerSetup(area="agni", hand="yuki_onna", stones="rrb"))
    scenario.summon("yuki_onna")
    assert (scenario.points, scenario.stones) == (7, "")


def test_yuki_onna_may_be_summoned_without_any_stone():
    scenario = Scenario(PlayerSetup(hand="yuki_onna"))
    scenario.summon("yuki_onna")
    assert scenario.points == 0


def test_yuki_onna_exalted_scores_the_value_of_blue_stones_and_keeps_them():
    scenario = Scenario(PlayerSetup(area="hae_tae", hand="yuki_onna_exalted", stones="pbb"))
    scenario.summon("yuki_onna_exalted", "p")
    assert (scenario.points, scenario.stones) == (12, "bb")
