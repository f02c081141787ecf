"""What each Dragon does."""

from __future__ import annotations

from games.vale_of_eternity.facts import Copied, DiscardedFromArea, Named, Scored
from tests.games.vale_of_eternity.scene import Place, Scene, stones


def test_aeris_recovers_another_card_for_its_written_cost():
    scene = Scene(Place(area="pegasus griffon", hand="aeris", stones="pp"))
    scene.summons("aeris")
    scene.answers(0, "take_back", card="griffon")
    assert (scene.points, scene.hand, scene.area) == (7, {"griffon"}, {"pegasus", "aeris"})


def test_aeris_is_blocked_without_another_card_in_the_area():
    assert not Scene(Place(hand="aeris", stones="pp")).can_summon("aeris")


def test_boulder_makes_a_named_player_discard_a_wind_card_of_that_players_choice():
    """The seat that summons names the player; the player named picks the card, in the middle of the effect."""
    scene = Scene(Place(hand="boulder", stones="pp"), Place(area="griffon harpy agni"), Place(area="odin"))
    scene.summons("boulder")
    assert scene.options(0, "make_discard", "player") == (1, 2)
    scene.answers(0, "make_discard", player=1)
    assert scene.questions(0) == []
    assert scene.options(1, "discard_from_area", "card") == ("griffon", "harpy")
    scene.answers(1, "discard_from_area", card="harpy")
    assert scene.points == 8
    assert scene.place(1).area == ("griffon", "agni")
    assert "end_turn" in scene.offered(0)


def test_boulder_may_name_its_own_player():
    scene = Scene(Place(area="griffon", hand="boulder", stones="pp"))
    scene.summons("boulder")
    assert scene.area == {"boulder"}


def test_boulder_is_blocked_while_nobody_has_a_wind_card():
    assert not Scene(Place(area="agni", hand="boulder", stones="pp")).can_summon("boulder")


def test_dragon_egg_is_discarded_and_a_dragon_takes_its_slot_for_nothing():
    """The Egg goes first, so one free slot is enough."""
    scene = Scene(Place(hand="dragon_egg tidal agni", stones="b"), round=1)
    scene.summons("dragon_egg")
    assert scene.options(0, "put_into_play", "card") == ("tidal",)
    scene.answers(0, "put_into_play", card="tidal")
    assert (scene.area, scene.points, scene.state().discard) == ({"tidal"}, 5, ("dragon_egg",))


def test_dragon_egg_is_blocked_without_another_dragon_in_hand():
    assert not Scene(Place(area="tidal", hand="dragon_egg agni", stones="b")).can_summon("dragon_egg")


def test_dragon_egg_is_blocked_when_the_dragon_in_hand_is_blocked_itself():
    """Boulder finds no Wind card on the table, so it cannot hatch either."""
    assert not Scene(Place(hand="dragon_egg boulder", stones="b")).can_summon("dragon_egg")


def test_ember_scores_7_and_makes_a_player_discard_a_water_card():
    scene = Scene(Place(hand="ember", stones="pr"), Place(area="kappa goblin"))
    scene.summons("ember")
    assert (scene.points, scene.place(1).area) == (7, ("goblin",))


def test_eternity_scores_4_for_each_family_dragon_included():
    scene = Scene(Place(area="agni goblin", hand="eternity", stones="pp"))
    scene.summons("eternity")
    assert scene.points == 12


def test_gust_scores_8_and_makes_a_player_discard_an_earth_card():
    scene = Scene(Place(hand="gust", stones="pb"), Place(area="goblin"))
    scene.summons("gust")
    assert (scene.points, scene.place(1).area) == (8, ())


def test_marina_scores_7_and_makes_a_player_discard_a_fire_card():
    scene = Scene(Place(hand="marina", stones="pr"), Place(area="agni"))
    facts = scene.summons("marina")
    assert facts[1:] == (Scored(0, 7), Named(0, 1, "fire"), DiscardedFromArea(1, "agni"))


def test_scorch_performs_the_instant_effect_of_another_card_as_its_own():
    """Lava Giant copied counts Fire cards in the area, among which Scorch, a Dragon, is not."""
    scene = Scene(Place(area="lava_giant agni", hand="scorch", stones="pp"))
    scene.summons("scorch")
    facts = scene.answers(0, "perform_instant", card="lava_giant")
    assert facts == (Copied(0, "scorch", "lava_giant"), Scored(0, 4))


def test_scorch_copying_boreas_returns_to_hand_itself():
    """“This card” in a copied effect is the card that copies; a Dragon is no Wind card, so only Boreas counts."""
    scene = Scene(Place(area="boreas", hand="scorch", stones="pp"))
    scene.summons("scorch")
    scene.answers(0, "perform_instant", card="boreas")
    assert (scene.hand, scene.area, scene.points) == ({"scorch"}, {"boreas"}, 1)


def test_scorch_copying_aeris_may_recover_aeris():
    """“Another card” is read from where Scorch lies."""
    scene = Scene(Place(area="aeris", hand="scorch", stones="pp"))
    scene.summons("scorch")
    scene.answers(0, "perform_instant", card="aeris")
    assert (scene.hand, scene.area, scene.points) == ({"aeris"}, {"scorch"}, 9)


def test_scorch_copying_dragon_egg_is_discarded_in_its_place():
    scene = Scene(Place(area="dragon_egg", hand="scorch tidal", stones="pp"), round=2)
    scene.summons("scorch")
    scene.answers(0, "perform_instant", card="dragon_egg")
    scene.answers(0, "put_into_play", card="tidal")
    assert (scene.area, scene.points) == ({"dragon_egg", "tidal"}, 10)


def test_scorch_copying_cerberus_may_discard_cerberus_but_not_itself():
    scene = Scene(Place(area="cerberus agni", hand="scorch", stones="pp"))
    scene.summons("scorch")
    scene.answers(0, "perform_instant", card="cerberus")
    assert scene.options(0, "discard_all", "cards") == ("cerberus", "agni")


def test_scorch_does_not_count_as_summoned_again_for_what_it_copies():
    scene = Scene(Place(area="sylph", hand="scorch", stones="pp"), pile="agni")
    scene.summons("scorch")
    scene.answers(0, "perform_instant", card="sylph")
    assert (scene.hand, scene.points) == ({"agni"}, 1)


def test_scorch_is_blocked_while_no_instant_effect_can_be_copied():
    """An effect that could not be done in full cannot be copied: nobody has a Wind card for Boulder's."""
    assert not Scene(Place(area="agni boulder", hand="scorch", stones="pp")).can_summon("scorch")


def test_tidal_scores_5_for_each_dragon_itself_included():
    scene = Scene(Place(area="willow agni", hand="tidal", stones="p"))
    scene.summons("tidal")
    assert scene.points == 10


def test_willow_gains_one_stone_of_each_colour_scores_3_and_draws_a_card():
    scene = Scene(Place(hand="willow", stones="pp"), pile="agni")
    scene.summons("willow")
    assert (scene.stones, scene.points, scene.hand) == ("rbp", 3, {"agni"})


def test_willow_asks_what_to_keep_before_it_goes_on():
    """All stones of one gain come first, then the choice of what to keep, then the rest of the effect."""
    scene = Scene(Place(area="water_giant hae_tae", hand="willow", stones="bbrr"))
    scene.summons("willow", "bb")
    assert scene.points == 0
    scene.answers(0, "keep", stones=stones("rrbp"))
    assert (scene.stones, scene.points) == ("rrbp", 3)
