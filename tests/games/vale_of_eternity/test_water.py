"""What each Water creature does."""

from __future__ import annotations

from tests.games.vale_of_eternity.scene import Place, Scene, stones


def test_charybdis_gives_up_a_blue_stone_for_5_points():
    scene = Scene(Place(area="charybdis", stones="rb"))
    scene.activates()
    assert (scene.points, scene.stones) == (5, "r")


def test_hae_tae_swaps_what_blue_and_purple_stones_are_worth():
    scene = Scene(Place(area="hae_tae", hand="odin", stones="bp"))
    assert scene.ways_to_pay("odin") == (stones("b"),)  # purple is worth 3 now


def test_hae_tae_with_water_giant_makes_blue_worth_7_and_purple_worth_4():
    """Values are swapped first, then raised: both colours get the same, so the order does not matter."""
    scene = Scene(Place(area="water_giant hae_tae", stones="bp"))
    worth = {each["colour"]: each["worth"] for each in scene.derived()["seats"][0]["stones"]}
    assert worth == {"red": 1, "blue": 7, "purple": 4}


def test_hydra_gives_two_different_rewards_in_the_order_chosen():
    """Two of the four rewards are taken, not one of them twice; stones are gained one reward after the other."""
    scene = Scene(Place(hand="hydra", stones="rrrr"), pile="goblin")
    scene.summons("hydra")
    assert "not among" in scene.refusal(0, "take_rewards", rewards=["card", "card"])
    scene.answers(0, "take_rewards", rewards=["four_points", "card"])
    assert (scene.points, scene.hand) == (4, {"goblin"})


def test_hydra_asks_what_to_keep_after_each_reward():
    scene = Scene(Place(hand="hydra", stones="rrrp"))
    scene.summons("hydra", "p")
    scene.answers(0, "take_rewards", rewards=["two_blue_stones", "purple_stone"])
    scene.answers(0, "keep", stones=stones("rrbb"))
    scene.answers(0, "keep", stones=stones("rbbp"))
    assert scene.stones == "rbbp"


def test_kappa_scores_2_when_a_blue_stone_is_spent_on_a_summoning():
    scene = Scene(Place(area="kappa", hand="ifrit", stones="b"))
    scene.summons("ifrit")
    assert scene.points == 2 + 2  # Kappa, and Ifrit for two cards


def test_kappa_scores_once_for_two_blue_stones():
    scene = Scene(Place(area="kappa", hand="agni", stones="bb"))
    scene.summons("agni")
    assert scene.points == 2


def test_kappa_scores_nothing_for_its_own_summoning():
    scene = Scene(Place(hand="kappa", stones="b"))
    scene.summons("kappa")
    assert scene.points == 0


def test_leviathan_scores_7_and_makes_a_player_discard_a_dragon():
    scene = Scene(Place(hand="leviathan", stones="p"), Place(area="tidal goblin"))
    scene.summons("leviathan")
    assert (scene.points, scene.place(1).area) == (7, ("goblin",))


def test_leviathan_is_blocked_while_nobody_has_a_dragon():
    assert not Scene(Place(hand="leviathan", stones="p"), Place(area="goblin")).can_summon("leviathan")


def test_nessie_scores_2_without_a_dragon():
    scene = Scene(Place(area="nessie"))
    scene.activates()
    assert scene.points == 2


def test_nessie_scores_nothing_beside_a_dragon():
    scene = Scene(Place(area="nessie tidal"))
    scene.activates()
    assert scene.points == 0


def test_poseidon_scores_3_for_each_water_card():
    scene = Scene(Place(area="kappa goblin", hand="poseidon", stones="pr"))
    scene.summons("poseidon")
    assert scene.points == 6


def test_sea_spirit_scores_1_for_each_blue_stone_whatever_it_is_worth():
    scene = Scene(Place(area="sea_spirit hae_tae", stones="bbp"))
    scene.activates()
    assert scene.points == 2


def test_snail_maiden_trades_a_blue_stone_for_a_purple_one():
    scene = Scene(Place(area="snail_maiden", stones="bp"))
    scene.activates()
    scene.answers(0, "trade", give="blue")
    assert scene.stones == "pp"


def test_snail_maiden_trades_a_purple_stone_for_three_blue_ones():
    scene = Scene(Place(area="snail_maiden", stones="rp"))
    scene.activates()
    assert scene.stones == "rbbb"  # there is only one trade to make


def test_snail_maiden_lapses_without_a_blue_or_purple_stone():
    scene = Scene(Place(area="snail_maiden", stones="rr"))
    scene.activates()
    assert scene.stones == "rr"


def test_triton_gains_two_blue_stones_when_a_water_card_is_tamed():
    scene = Scene(Place(area="triton", hunted="kappa goblin"))
    scene.answers(0, "tame", card="kappa")
    scene.answers(0, "tame", card="goblin")
    assert scene.stones == "bb"


def test_triton_says_nothing_when_a_water_card_is_drawn():
    """Only taming is taming: a card drawn comes to hand without it."""
    scene = Scene(Place(area="triton griffon"), pile="kappa")
    scene.activates()
    assert (scene.hand, scene.stones) == ({"kappa"}, "")


def test_undine_gains_a_blue_stone():
    scene = Scene(Place(hand="undine", stones="r"))
    scene.summons("undine")
    assert scene.stones == "b"


def test_undine_returns_to_hand_when_activated():
    scene = Scene(Place(area="undine"))
    scene.activates()
    assert scene.hand == {"undine"}


def test_undine_queen_gains_a_blue_stone():
    scene = Scene(Place(area="undine_queen"))
    scene.activates()
    assert scene.stones == "b"


def test_water_giant_gains_two_blue_stones_and_makes_blue_and_purple_worth_1_more():
    scene = Scene(Place(hand="water_giant", stones="p"))
    scene.summons("water_giant")
    assert scene.stones == "bb"
    assert scene.derived()["seats"][0]["value"] == 8


def test_yuki_onna_turns_all_stones_into_points_at_their_present_worth():
    scene = Scene(Place(area="agni", hand="yuki_onna", stones="rrb"))
    scene.summons("yuki_onna")
    assert (scene.points, scene.stones) == (7, "")


def test_yuki_onna_may_be_summoned_without_any_stone():
    scene = Scene(Place(hand="yuki_onna"))
    scene.summons("yuki_onna")
    assert scene.points == 0


def test_yuki_onna_exalted_scores_what_blue_stones_are_worth_and_keeps_them():
    scene = Scene(Place(area="hae_tae", hand="yuki_onna_exalted", stones="pbb"))
    scene.summons("yuki_onna_exalted", "p")
    assert (scene.points, scene.stones) == (12, "bb")
