"""What each Wind creature does."""

from __future__ import annotations

from games.vale_of_eternity.facts import CardActivated, PointsScored
from tests.games.vale_of_eternity.scenario import PlayerSetup, Scenario


def test_boreas_scores_1_for_each_wind_card_itself_included_then_returns_to_hand():
    """It counts while it is in the area; then it returns to hand and its slot is free."""
    scenario = Scenario(PlayerSetup(area="griffon goblin", hand="boreas", stones="bb"))
    scenario.summon("boreas")
    assert scenario.points == 2
    assert scenario.hand == {"boreas"}
    assert scenario.derived()["seats"][0]["free_slots"] == 8


def test_boreas_needs_a_free_slot_although_it_does_not_stay():
    scenario = Scenario(PlayerSetup(area="griffon", hand="boreas", stones="bb"), round=1)
    assert not scenario.can_summon("boreas")


def test_dandelion_spirit_draws_a_card():
    scenario = Scenario(PlayerSetup(hand="dandelion_spirit", stones="b"), draw_pile="agni")
    scenario.summon("dandelion_spirit")
    assert scenario.hand == {"agni"}


def test_dandelion_spirit_returns_to_hand_when_activated():
    scenario = Scenario(PlayerSetup(area="dandelion_spirit"))
    scenario.activate()
    assert scenario.hand == {"dandelion_spirit"}


def test_freyja_scores_1_for_each_card_with_an_active_effect_itself_included():
    scenario = Scenario(PlayerSetup(area="freyja troll agni imp"))
    scenario.activate("freyja")
    assert scenario.points == 3


def test_freyja_counts_only_cards_that_are_still_in_the_area():
    scenario = Scenario(PlayerSetup(area="freyja imp"))
    scenario.activate("imp")  # Imp returns to hand, then Freyja is the only one left
    assert scenario.points == 1


def test_genie_uses_every_active_effect_once_in_the_order_of_the_player():
    """Each effect that can be used must be used once; the player chooses the order."""
    scenario = Scenario(PlayerSetup(area="salamander undine_queen agni", hand="genie", stones="bb"))
    scenario.summon("genie")
    assert scenario.options(0, "activate", "card") == ("salamander", "undine_queen")
    facts = scenario.answer(0, "activate", card="undine_queen")
    assert [fact.card for fact in facts if isinstance(fact, CardActivated)] == ["undine_queen", "salamander"]
    assert (scenario.points, scenario.stones) == (1, "rb")


def test_genie_may_be_summoned_when_no_effect_can_be_used():
    scenario = Scenario(PlayerSetup(area="burning_skull", hand="genie", stones="bb"))
    scenario.summon("genie")
    assert scenario.points == 0  # no red stone to give up: Burning Skull is skipped


def test_genie_also_uses_an_effect_that_becomes_possible_through_another():
    scenario = Scenario(PlayerSetup(area="burning_skull horned_salamander", hand="genie", stones="bb"))
    scenario.summon("genie")  # Burning Skull gives up one of the red stones from Horned Salamander
    assert (scenario.points, scenario.stones) == (3, "rrr")


def test_genie_does_not_replace_the_coming_resolution_phase():
    """An effect used through Genie is used again in the resolution phase."""
    scenario = Scenario(PlayerSetup(area="salamander", hand="genie", stones="bb"))
    scenario.summon("genie")
    scenario.resolve()
    assert scenario.points == 2


def test_genie_does_not_activate_a_card_that_left_the_area():
    """Asmodeus takes Imp back to hand, so Imp is not activated any more."""
    scenario = Scenario(PlayerSetup(area="asmodeus imp firefox", hand="genie", stones="bb"))
    scenario.summon("genie")
    scenario.answer(0, "activate", card="asmodeus")
    facts = scenario.answer(0, "recover", card="imp")
    assert not any(isinstance(fact, CardActivated) for fact in facts)
    assert scenario.area == {"asmodeus", "firefox", "genie"}


def test_genie_exalted_copies_an_active_effect_that_was_already_used():
    """The copy counts as a use of Genie Exalted: the copied card may have been used before, or may be used later."""
    scenario = Scenario(PlayerSetup(area="genie_exalted troll agni", stones="p"))
    scenario.activate("troll")
    assert scenario.points == 6


def test_genie_exalted_copies_a_return_to_hand_as_its_own():
    """“This card” in a copied effect is the card that copies: Genie Exalted returns to hand, Imp stays."""
    scenario = Scenario(PlayerSetup(area="genie_exalted imp"))
    scenario.activate("genie_exalted")
    assert "genie_exalted" in scenario.hand


def test_genie_exalted_copies_only_effects_that_can_be_carried_out():
    scenario = Scenario(PlayerSetup(area="genie_exalted medusa troll salamander"))
    scenario.activate("genie_exalted")
    assert scenario.options(0, "copy_active", "card") == ("troll", "salamander")  # no hand card for Medusa


def test_genie_exalted_is_skipped_without_another_card():
    scenario = Scenario(PlayerSetup(area="genie_exalted"))
    scenario.activate()
    assert scenario.area == {"genie_exalted"}


def test_gi_rin_scores_2_for_each_card_of_the_area():
    scenario = Scenario(PlayerSetup(area="agni goblin", hand="gi_rin", stones="pp"))
    scenario.summon("gi_rin")
    assert scenario.points == 6


def test_griffon_draws_a_card():
    scenario = Scenario(PlayerSetup(area="griffon"), draw_pile="agni")
    scenario.activate()
    assert scenario.hand == {"agni"}


def test_griffon_draws_from_the_shuffled_discard_pile_when_the_draw_pile_is_empty():
    scenario = Scenario(PlayerSetup(area="griffon"), discard_pile="agni", draw_pile_is_complete=True)
    scenario.activate()
    assert len(scenario.hand) == 1
    assert scenario.state.discard_pile == ()


def test_harpy_scores_3_with_as_many_cards_in_hand_as_in_the_area():
    scenario = Scenario(PlayerSetup(area="harpy agni", hand="goblin kappa"))
    scenario.activate()
    assert scenario.points == 3


def test_harpy_scores_nothing_with_a_different_number_of_cards():
    scenario = Scenario(PlayerSetup(area="harpy agni", hand="goblin"))
    scenario.activate()
    assert scenario.points == 0


def test_hippogriff_draws_a_card():
    scenario = Scenario(PlayerSetup(hand="hippogriff", stones="bb"), draw_pile="agni")
    scenario.summon("hippogriff")
    assert scenario.hand == {"agni"}


def test_hippogriff_makes_wind_cards_cost_2_less():
    scenario = Scenario(PlayerSetup(area="hippogriff", hand="griffon behemoth"))
    assert scenario.derived()["summoning_costs"] == {"griffon": 5, "behemoth": 9}


def test_odin_scores_2_with_fewer_than_six_cards_in_hand():
    scenario = Scenario(PlayerSetup(area="odin", hand="agni goblin kappa troll surtr"))
    scenario.activate()
    assert (scenario.points, scenario.stones) == (2, "")


def test_odin_gains_a_purple_stone_with_six():
    scenario = Scenario(PlayerSetup(area="odin", hand="agni goblin kappa troll surtr imp"))
    scenario.activate()
    assert (scenario.points, scenario.stones) == (0, "p")


def test_odin_may_be_activated_after_griffon():
    scenario = Scenario(PlayerSetup(area="odin griffon", hand="agni goblin kappa troll surtr"))
    scenario.activate("griffon")
    assert scenario.stones == "p"


def test_pegasus_draws_a_card():
    scenario = Scenario(PlayerSetup(hand="pegasus", stones="b"), draw_pile="agni")
    scenario.summon("pegasus")
    assert scenario.hand == {"agni"}


def test_pegasus_makes_all_cards_cost_1_less_and_adds_up_with_hippogriff_but_not_below_0():
    scenario = Scenario(PlayerSetup(area="pegasus hippogriff", hand="griffon behemoth imp tengu"))
    assert scenario.derived()["summoning_costs"] == {"griffon": 4, "behemoth": 8, "imp": 0, "tengu": 0}


def test_rudra_scores_2_for_each_card_in_hand():
    scenario = Scenario(PlayerSetup(hand="rudra agni goblin", stones="pb"))
    scenario.summon("rudra")
    assert scenario.points == 4


def test_sylph_draws_a_card_and_scores_nothing_for_its_own_summoning():
    scenario = Scenario(PlayerSetup(hand="sylph", stones="bb"), draw_pile="agni")
    scenario.summon("sylph")
    assert (scenario.hand, scenario.points) == ({"agni"}, 0)


def test_sylph_scores_1_for_each_other_summoning():
    scenario = Scenario(PlayerSetup(area="sylph", hand="agni hestia", stones="bb"))
    scenario.summon("hestia")
    scenario.summon("agni")
    assert scenario.points == 2


def test_sylph_reacts_before_the_instant_effect():
    """Cards react to a summoning before the instant effect of the summoned card: Lava Giant scores its 2 after that."""
    scenario = Scenario(PlayerSetup(area="sylph", hand="lava_giant", stones="b"))
    facts = scenario.summon("lava_giant")
    assert facts[1:] == (PointsScored(0, 1), PointsScored(0, 2))


def test_tengu_scores_6_then_goes_to_the_top_of_the_draw_pile():
    """It leaves its slot free, and it is the next card to be drawn."""
    scenario = Scenario(PlayerSetup(area="agni", hand="tengu dandelion_spirit", stones="bb"), round=2)
    scenario.summon("tengu")
    assert (scenario.points, scenario.area) == (6, {"agni"})
    scenario.summon("dandelion_spirit")
    assert scenario.hand == {"tengu"}


def test_tengu_needs_a_free_slot_although_it_does_not_stay():
    scenario = Scenario(PlayerSetup(area="agni", hand="tengu", stones="b"), round=1)
    assert not scenario.can_summon("tengu")


def test_valkyrie_scores_1_for_each_family_itself_included():
    scenario = Scenario(PlayerSetup(area="valkyrie agni hestia gargoyle"))
    scenario.activate()
    assert scenario.points == 3
