"""What each Fire creature does."""

from __future__ import annotations

from tests.games.vale_of_eternity.scenario import PlayerSetup, Scenario, stones


def test_agni_makes_a_red_stone_worth_2():
    scenario = Scenario(PlayerSetup(area="agni", hand="ifrit", stones="rr"))
    assert scenario.payments_for("ifrit") == (stones("r"),)


def test_agni_does_not_pay_for_itself():
    scenario = Scenario(PlayerSetup(hand="agni", stones="rr"))
    assert not scenario.can_summon("agni")  # its effect does not apply before it is in the area


def test_asmodeus_recovers_a_card_with_an_instant_effect_that_costs_at_most_2():
    scenario = Scenario(PlayerSetup(area="asmodeus firefox imp salamander poseidon"))
    scenario.activate("asmodeus")
    assert scenario.options(0, "recover", "card") == (
        "firefox",
        "imp",
    )  # Salamander has no instant effect, Poseidon costs more


def test_asmodeus_uses_the_printed_cost_not_the_reduced_one():
    scenario = Scenario(
        PlayerSetup(area="asmodeus pegasus")
    )  # Pegasus has an instant effect, costs 3, reduced by itself to 2
    scenario.activate()
    assert scenario.area == {"asmodeus", "pegasus"}


def test_balog_recovers_a_fire_card_with_an_instant_effect():
    scenario = Scenario(PlayerSetup(area="balog surtr salamander poseidon"))
    scenario.activate("balog")
    assert scenario.hand == {"surtr"}  # the only possible card is taken without asking


def test_burning_skull_gives_up_a_red_stone_for_3_points():
    scenario = Scenario(PlayerSetup(area="burning_skull", stones="rb"))
    scenario.activate()
    assert (scenario.points, scenario.stones) == (3, "b")


def test_burning_skull_is_skipped_without_a_red_stone():
    scenario = Scenario(PlayerSetup(area="burning_skull", stones="b"))
    scenario.activate()
    assert (scenario.points, scenario.stones) == (0, "b")


def test_firefox_scores_1_for_each_card_left_in_hand():
    scenario = Scenario(PlayerSetup(hand="firefox ifrit surtr", stones="r"))
    scenario.summon("firefox")
    assert scenario.points == 2  # Firefox itself is not in hand any more


def test_hestia_raises_the_stone_limit_to_6():
    scenario = Scenario(PlayerSetup(area="hestia", stones="rr", hunted="goblin"))
    scenario.answer(0, "sell", card="goblin")
    assert scenario.stones == "rrrrrr"


def test_hestia_leaving_reduces_the_stone_limit_to_4_at_once():
    """When Hestia leaves, its owner keeps four stones before anything else happens."""
    scenario = Scenario(PlayerSetup(area="hestia ifrit", stones="rrbbpp", hand="tengu"), round=3)
    scenario.answer(0, "remove", card="hestia", payment=stones("b"))
    assert scenario.moves(0) == ["keep_stones"]
    scenario.answer(0, "keep_stones", stones=stones("rbpp"))
    assert scenario.stones == "rbpp"
    assert "end_turn" in scenario.moves(0)


def test_hestia_discarded_in_another_seats_turn_makes_its_owner_choose_before_the_turn_goes_on():
    """The limit applies to the owner of the stones in any player's turn; the turn waits."""
    scenario = Scenario(PlayerSetup(hand="marina", stones="pr"), PlayerSetup(area="hestia", stones="rrbbb"))
    scenario.summon("marina")
    assert scenario.choices(0) == []
    scenario.answer(1, "keep_stones", stones=stones("rbbb"))
    assert "end_turn" in scenario.moves(0)


def test_horned_salamander_gains_four_red_stones():
    scenario = Scenario(PlayerSetup(area="horned_salamander"))
    scenario.activate()
    assert scenario.stones == "rrrr"


def test_ifrit_scores_1_for_each_card_of_the_area_itself_included():
    scenario = Scenario(PlayerSetup(area="agni goblin", hand="ifrit", stones="rr"))
    scenario.summon("ifrit")
    assert scenario.points == 3


def test_imp_gains_two_red_stones():
    scenario = Scenario(PlayerSetup(hand="imp"))
    scenario.summon("imp")
    assert scenario.stones == "rr"


def test_imp_returns_to_hand_when_activated():
    scenario = Scenario(PlayerSetup(area="imp"))
    scenario.activate()
    assert (scenario.hand, scenario.area) == ({"imp"}, set())


def test_incubus_scores_2_for_each_card_with_a_printed_cost_of_at_most_2():
    scenario = Scenario(PlayerSetup(area="goblin imp agni", hand="incubus", stones="rr"))
    scenario.summon("incubus")
    assert scenario.points == 6


def test_lava_giant_scores_2_for_each_fire_card():
    scenario = Scenario(PlayerSetup(area="agni goblin", hand="lava_giant", stones="b"))
    scenario.summon("lava_giant")
    assert scenario.points == 4


def test_phoenix_scores_1_for_each_red_stone_spent_on_a_summoning():
    scenario = Scenario(PlayerSetup(area="phoenix", hand="hippogriff", stones="rrrr"))
    scenario.summon("hippogriff")
    assert scenario.points == 4


def test_phoenix_scores_nothing_for_its_own_summoning():
    scenario = Scenario(PlayerSetup(hand="phoenix", stones="rrr"))
    scenario.summon("phoenix")
    assert scenario.points == 0


def test_phoenix_scores_nothing_for_stones_that_pay_a_removal():
    scenario = Scenario(PlayerSetup(area="phoenix goblin", stones="rr"), round=2)
    scenario.answer(0, "remove", card="goblin", payment=stones("rr"))
    assert scenario.points == 0


def test_salamander_gains_a_red_stone_and_scores_1():
    scenario = Scenario(PlayerSetup(area="salamander"))
    scenario.activate()
    assert (scenario.stones, scenario.points) == ("r", 1)


def test_succubus_scores_10_with_cards_that_cost_1_2_3_and_4():
    scenario = Scenario(PlayerSetup(area="goblin ifrit troll agni", hand="succubus"))
    scenario.summon("succubus")
    assert scenario.points == 10


def test_succubus_scores_nothing_when_a_cost_is_missing_but_may_be_summoned():
    scenario = Scenario(PlayerSetup(area="goblin ifrit troll", hand="succubus"))
    scenario.summon("succubus")
    assert scenario.points == 0


def test_surtr_scores_2_for_each_family():
    scenario = Scenario(PlayerSetup(area="agni goblin triton", hand="surtr", stones="bb"))
    scenario.summon("surtr")
    assert scenario.points == 6
