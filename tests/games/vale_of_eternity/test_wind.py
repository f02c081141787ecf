"""What each Wind creature does."""

from __future__ import annotations

from games.vale_of_eternity.facts import Activated, Scored
from tests.games.vale_of_eternity.scene import Place, Scene


def test_boreas_scores_1_for_each_wind_card_itself_included_then_returns_to_hand():
    """It is counted while it is in the area, and then is in hand again: its slot is free."""
    scene = Scene(Place(area="griffon goblin", hand="boreas", stones="bb"))
    scene.summons("boreas")
    assert scene.points == 2
    assert scene.hand == {"boreas"}
    assert scene.derived()["seats"][0]["free_slots"] == 8


def test_boreas_needs_a_free_slot_although_it_does_not_stay():
    scene = Scene(Place(area="griffon", hand="boreas", stones="bb"), round=1)
    assert not scene.can_summon("boreas")


def test_dandelion_spirit_draws_a_card():
    scene = Scene(Place(hand="dandelion_spirit", stones="b"), pile="agni")
    scene.summons("dandelion_spirit")
    assert scene.hand == {"agni"}


def test_dandelion_spirit_returns_to_hand_when_activated():
    scene = Scene(Place(area="dandelion_spirit"))
    scene.activates()
    assert scene.hand == {"dandelion_spirit"}


def test_freyja_scores_1_for_each_card_with_an_active_effect_itself_included():
    scene = Scene(Place(area="freyja troll agni imp"))
    scene.activates("freyja")
    assert scene.points == 3


def test_freyja_counts_only_what_is_still_there():
    scene = Scene(Place(area="freyja imp"))
    scene.activates("imp")  # back to hand; then Freyja is the only one left
    assert scene.points == 1


def test_genie_uses_every_active_effect_once_in_the_seats_order():
    """What can be used has to be, each once; the order is the seat's."""
    scene = Scene(Place(area="salamander undine_queen agni", hand="genie", stones="bb"))
    scene.summons("genie")
    assert scene.options(0, "activate", "card") == ("salamander", "undine_queen")
    facts = scene.answers(0, "activate", card="undine_queen")
    assert [fact.card for fact in facts if isinstance(fact, Activated)] == ["undine_queen", "salamander"]
    assert (scene.points, scene.stones) == (1, "rb")


def test_genie_may_be_summoned_when_there_is_nothing_to_use():
    scene = Scene(Place(area="burning_skull", hand="genie", stones="bb"))
    scene.summons("genie")
    assert scene.points == 0  # no red stone to give up: it is passed over


def test_genie_uses_also_an_effect_that_becomes_possible_through_another():
    scene = Scene(Place(area="burning_skull horned_salamander", hand="genie", stones="bb"))
    scene.summons("genie")  # the salamander's red stones are what the skull gives up one of
    assert (scene.points, scene.stones) == (3, "rrr")


def test_genie_does_not_use_up_the_coming_resolution_phase():
    """An effect used through Genie is used again in the resolution phase."""
    scene = Scene(Place(area="salamander", hand="genie", stones="bb"))
    scene.summons("genie")
    scene.resolves()
    assert scene.points == 2


def test_genie_goes_on_without_a_card_that_left():
    """Asmodeus takes Imp back to hand, so Imp is not activated any more."""
    scene = Scene(Place(area="asmodeus imp firefox", hand="genie", stones="bb"))
    scene.summons("genie")
    scene.answers(0, "activate", card="asmodeus")
    facts = scene.answers(0, "recover", card="imp")
    assert not any(isinstance(fact, Activated) for fact in facts)
    assert scene.area == {"asmodeus", "firefox", "genie"}


def test_genie_exalted_performs_another_active_effect_even_when_it_was_used():
    """A copy is a use of Genie Exalted: the card copied may have been used, or may be later."""
    scene = Scene(Place(area="genie_exalted troll agni", stones="p"))
    scene.activates("troll")
    assert scene.points == 6


def test_genie_exalted_copies_a_return_to_hand_as_its_own():
    """“This card” in a copied effect is the card that copies: Genie Exalted returns to hand, Imp stays."""
    scene = Scene(Place(area="genie_exalted imp"))
    scene.activates("genie_exalted")
    assert "genie_exalted" in scene.hand


def test_genie_exalted_copies_only_what_can_be_done():
    scene = Scene(Place(area="genie_exalted medusa troll salamander"))
    scene.activates("genie_exalted")
    assert scene.options(0, "perform_active", "card") == ("troll", "salamander")  # no hand card for Medusa


def test_genie_exalted_lapses_alone():
    scene = Scene(Place(area="genie_exalted"))
    scene.activates()
    assert scene.area == {"genie_exalted"}


def test_gi_rin_scores_2_for_each_card_of_the_area():
    scene = Scene(Place(area="agni goblin", hand="gi_rin", stones="pp"))
    scene.summons("gi_rin")
    assert scene.points == 6


def test_griffon_draws_a_card():
    scene = Scene(Place(area="griffon"), pile="agni")
    scene.activates()
    assert scene.hand == {"agni"}


def test_griffon_draws_from_a_newly_shuffled_pile_when_the_old_one_has_run_out():
    scene = Scene(Place(area="griffon"), discard="agni", pile_is_empty=True)
    scene.activates()
    assert len(scene.hand) == 1
    assert scene.state().discard == ()


def test_harpy_scores_3_when_hand_and_area_hold_equally_many_cards():
    scene = Scene(Place(area="harpy agni", hand="goblin kappa"))
    scene.activates()
    assert scene.points == 3


def test_harpy_scores_nothing_when_they_do_not():
    scene = Scene(Place(area="harpy agni", hand="goblin"))
    scene.activates()
    assert scene.points == 0


def test_hippogriff_draws_a_card():
    scene = Scene(Place(hand="hippogriff", stones="bb"), pile="agni")
    scene.summons("hippogriff")
    assert scene.hand == {"agni"}


def test_hippogriff_makes_wind_cards_cost_2_less():
    scene = Scene(Place(area="hippogriff", hand="griffon behemoth"))
    assert scene.derived()["costs"] == {"griffon": 5, "behemoth": 9}


def test_odin_scores_2_with_fewer_than_six_cards_in_hand():
    scene = Scene(Place(area="odin", hand="agni goblin kappa troll surtr"))
    scene.activates()
    assert (scene.points, scene.stones) == (2, "")


def test_odin_gains_a_purple_stone_with_six():
    scene = Scene(Place(area="odin", hand="agni goblin kappa troll surtr imp"))
    scene.activates()
    assert (scene.points, scene.stones) == (0, "p")


def test_odin_before_or_after_griffon_is_the_seats_choice():
    scene = Scene(Place(area="odin griffon", hand="agni goblin kappa troll surtr"))
    scene.activates("griffon")
    assert scene.stones == "p"


def test_pegasus_draws_a_card():
    scene = Scene(Place(hand="pegasus", stones="b"), pile="agni")
    scene.summons("pegasus")
    assert scene.hand == {"agni"}


def test_pegasus_makes_all_cards_cost_1_less_and_adds_up_with_hippogriff_but_not_below_0():
    scene = Scene(Place(area="pegasus hippogriff", hand="griffon behemoth imp tengu"))
    assert scene.derived()["costs"] == {"griffon": 4, "behemoth": 8, "imp": 0, "tengu": 0}


def test_rudra_scores_2_for_each_card_in_hand():
    scene = Scene(Place(hand="rudra agni goblin", stones="pb"))
    scene.summons("rudra")
    assert scene.points == 4


def test_sylph_draws_a_card_and_scores_nothing_for_its_own_summoning():
    scene = Scene(Place(hand="sylph", stones="bb"), pile="agni")
    scene.summons("sylph")
    assert (scene.hand, scene.points) == ({"agni"}, 0)


def test_sylph_scores_1_for_each_other_summoning():
    scene = Scene(Place(area="sylph", hand="agni hestia", stones="bb"))
    scene.summons("hestia")
    scene.summons("agni")
    assert scene.points == 2


def test_sylph_is_heard_before_the_instant_effect():
    """Whatever hears a summoning does so before the instant effect of the card summoned: Lava Giant adds its 2."""
    scene = Scene(Place(area="sylph", hand="lava_giant", stones="b"))
    facts = scene.summons("lava_giant")
    assert facts[1:] == (Scored(0, 1), Scored(0, 2))


def test_tengu_scores_6_then_lies_on_top_of_the_draw_pile():
    """It leaves its slot free, and is the next card that anybody draws."""
    scene = Scene(Place(area="agni", hand="tengu dandelion_spirit", stones="bb"), round=2)
    scene.summons("tengu")
    assert (scene.points, scene.area) == (6, {"agni"})
    scene.summons("dandelion_spirit")
    assert scene.hand == {"tengu"}


def test_tengu_needs_a_free_slot_although_it_does_not_stay():
    scene = Scene(Place(area="agni", hand="tengu", stones="b"), round=1)
    assert not scene.can_summon("tengu")


def test_valkyrie_scores_1_for_each_family_itself_included():
    scene = Scene(Place(area="valkyrie agni hestia gargoyle"))
    scene.activates()
    assert scene.points == 3
