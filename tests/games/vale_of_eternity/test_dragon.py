"""What each Dragon does."""

from __future__ import annotations

from games.vale_of_eternity.facts import CardDiscardedFromArea, DiscardForced, EffectCopied, PointsScored
from tests.games.vale_of_eternity.scenario import PlayerSetup, Scenario, stones


def test_aeris_recovers_another_card_for_its_printed_cost():
    scenario = Scenario(PlayerSetup(area="pegasus griffon", hand="aeris", stones="pp"))
    scenario.summon("aeris")
    scenario.answer(0, "recover_for_points", card="griffon")
    assert (scenario.points, scenario.hand, scenario.area) == (7, {"griffon"}, {"pegasus", "aeris"})


def test_aeris_is_blocked_without_another_card_in_the_area():
    assert not Scenario(PlayerSetup(hand="aeris", stones="pp")).can_summon("aeris")


def test_boulder_makes_a_player_discard_a_wind_card_that_they_choose():
    """The seat that summons chooses the player; that player chooses the card, in the middle of the effect."""
    scenario = Scenario(
        PlayerSetup(hand="boulder", stones="pp"), PlayerSetup(area="griffon harpy agni"), PlayerSetup(area="odin")
    )
    scenario.summon("boulder")
    assert scenario.options(0, "choose_player", "player") == (1, 2)
    scenario.answer(0, "choose_player", player=1)
    assert scenario.choices(0) == []
    assert scenario.options(1, "discard_from_area", "card") == ("griffon", "harpy")
    scenario.answer(1, "discard_from_area", card="harpy")
    assert scenario.points == 8
    assert scenario.player(1).area == ("griffon", "agni")
    assert "end_turn" in scenario.moves(0)


def test_boulder_may_choose_its_owner():
    scenario = Scenario(PlayerSetup(area="griffon", hand="boulder", stones="pp"))
    scenario.summon("boulder")
    assert scenario.area == {"boulder"}


def test_boulder_is_blocked_while_nobody_has_a_wind_card():
    assert not Scenario(PlayerSetup(area="agni", hand="boulder", stones="pp")).can_summon("boulder")


def test_dragon_egg_is_discarded_and_a_dragon_takes_its_slot_for_free():
    """The Egg goes first, so one free slot is enough."""
    scenario = Scenario(PlayerSetup(hand="dragon_egg tidal agni", stones="b"), round=1)
    scenario.summon("dragon_egg")
    assert scenario.options(0, "summon_free", "card") == ("tidal",)
    scenario.answer(0, "summon_free", card="tidal")
    assert (scenario.area, scenario.points, scenario.state.discard_pile) == ({"tidal"}, 5, ("dragon_egg",))


def test_dragon_egg_is_blocked_without_another_dragon_in_hand():
    assert not Scenario(PlayerSetup(area="tidal", hand="dragon_egg agni", stones="b")).can_summon("dragon_egg")


def test_dragon_egg_is_blocked_when_the_dragon_in_hand_is_blocked_too():
    """Boulder finds no Wind card on the table, so it cannot hatch either."""
    assert not Scenario(PlayerSetup(hand="dragon_egg boulder", stones="b")).can_summon("dragon_egg")


def test_ember_scores_7_and_makes_a_player_discard_a_water_card():
    scenario = Scenario(PlayerSetup(hand="ember", stones="pr"), PlayerSetup(area="kappa goblin"))
    scenario.summon("ember")
    assert (scenario.points, scenario.player(1).area) == (7, ("goblin",))


def test_eternity_scores_4_for_each_family_dragon_included():
    scenario = Scenario(PlayerSetup(area="agni goblin", hand="eternity", stones="pp"))
    scenario.summon("eternity")
    assert scenario.points == 12


def test_gust_scores_8_and_makes_a_player_discard_an_earth_card():
    scenario = Scenario(PlayerSetup(hand="gust", stones="pb"), PlayerSetup(area="goblin"))
    scenario.summon("gust")
    assert (scenario.points, scenario.player(1).area) == (8, ())


def test_marina_scores_7_and_makes_a_player_discard_a_fire_card():
    scenario = Scenario(PlayerSetup(hand="marina", stones="pr"), PlayerSetup(area="agni"))
    facts = scenario.summon("marina")
    assert facts[1:] == (PointsScored(0, 7), DiscardForced(0, 1, "fire"), CardDiscardedFromArea(1, "agni"))


def test_scorch_carries_out_the_instant_effect_of_another_card_as_its_own():
    """The copied Lava Giant counts Fire cards in the area; Scorch is a Dragon and does not count."""
    scenario = Scenario(PlayerSetup(area="lava_giant agni", hand="scorch", stones="pp"))
    scenario.summon("scorch")
    facts = scenario.answer(0, "copy_instant", card="lava_giant")
    assert facts == (EffectCopied(0, "scorch", "lava_giant"), PointsScored(0, 4))


def test_scorch_copying_boreas_returns_to_hand_itself():
    """“This card” in a copied effect is the card that copies; a Dragon is no Wind card, so only Boreas counts."""
    scenario = Scenario(PlayerSetup(area="boreas", hand="scorch", stones="pp"))
    scenario.summon("scorch")
    scenario.answer(0, "copy_instant", card="boreas")
    assert (scenario.hand, scenario.area, scenario.points) == ({"scorch"}, {"boreas"}, 1)


def test_scorch_copying_aeris_may_recover_aeris():
    """“Another card” means another card than Scorch."""
    scenario = Scenario(PlayerSetup(area="aeris", hand="scorch", stones="pp"))
    scenario.summon("scorch")
    scenario.answer(0, "copy_instant", card="aeris")
    assert (scenario.hand, scenario.area, scenario.points) == ({"aeris"}, {"scorch"}, 9)


def test_scorch_copying_dragon_egg_is_discarded_in_its_place():
    scenario = Scenario(PlayerSetup(area="dragon_egg", hand="scorch tidal", stones="pp"), round=2)
    scenario.summon("scorch")
    scenario.answer(0, "copy_instant", card="dragon_egg")
    scenario.answer(0, "summon_free", card="tidal")
    assert (scenario.area, scenario.points) == ({"dragon_egg", "tidal"}, 10)


def test_scorch_copying_cerberus_may_discard_cerberus_but_not_itself():
    scenario = Scenario(PlayerSetup(area="cerberus agni", hand="scorch", stones="pp"))
    scenario.summon("scorch")
    scenario.answer(0, "copy_instant", card="cerberus")
    assert scenario.options(0, "discard_cards", "cards") == ("cerberus", "agni")


def test_scorch_does_not_count_as_summoned_again_for_what_it_copies():
    scenario = Scenario(PlayerSetup(area="sylph", hand="scorch", stones="pp"), draw_pile="agni")
    scenario.summon("scorch")
    scenario.answer(0, "copy_instant", card="sylph")
    assert (scenario.hand, scenario.points) == ({"agni"}, 1)


def test_scorch_is_blocked_while_no_instant_effect_can_be_copied():
    """An effect that could not be carried out in full cannot be copied: nobody has a Wind card for Boulder's."""
    assert not Scenario(PlayerSetup(area="agni boulder", hand="scorch", stones="pp")).can_summon("scorch")


def test_tidal_scores_5_for_each_dragon_itself_included():
    scenario = Scenario(PlayerSetup(area="willow agni", hand="tidal", stones="p"))
    scenario.summon("tidal")
    assert scenario.points == 10


def test_willow_gains_one_stone_of_each_colour_scores_3_and_draws_a_card():
    scenario = Scenario(PlayerSetup(hand="willow", stones="pp"), draw_pile="agni")
    scenario.summon("willow")
    assert (scenario.stones, scenario.points, scenario.hand) == ("rbp", 3, {"agni"})


def test_willow_lets_the_player_choose_stones_to_keep_before_it_goes_on():
    """All stones of one gain come first, then the choice of what to keep, then the rest of the effect."""
    scenario = Scenario(PlayerSetup(area="water_giant hae_tae", hand="willow", stones="bbrr"))
    scenario.summon("willow", "bb")
    assert scenario.points == 0
    scenario.answer(0, "keep_stones", stones=stones("rrbp"))
    assert (scenario.stones, scenario.points) == ("rrbp", 3)
