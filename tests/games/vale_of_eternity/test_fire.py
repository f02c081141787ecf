"""What each Fire creature does."""

from __future__ import annotations

from tests.games.vale_of_eternity.scene import Place, Scene, stones


def test_agni_makes_a_red_stone_worth_2():
    scene = Scene(Place(area="agni", hand="ifrit", stones="rr"))
    assert scene.ways_to_pay("ifrit") == (stones("r"),)


def test_agni_does_not_pay_for_itself():
    scene = Scene(Place(hand="agni", stones="rr"))
    assert not scene.can_summon("agni")  # four red stones are worth 4 before it is there, two are not


def test_asmodeus_recovers_a_card_with_an_instant_effect_that_costs_at_most_2():
    scene = Scene(Place(area="asmodeus firefox imp salamander poseidon"))
    scene.activates("asmodeus")
    assert scene.options(0, "recover", "card") == ("firefox", "imp")  # no instant effect; too dear


def test_asmodeus_looks_at_the_written_cost_not_the_reduced_one():
    scene = Scene(Place(area="asmodeus pegasus"))  # Pegasus has an instant effect, costs 3, reduced by itself to 2
    scene.activates()
    assert scene.area == {"asmodeus", "pegasus"}


def test_balog_recovers_a_fire_card_with_an_instant_effect():
    scene = Scene(Place(area="balog surtr salamander poseidon"))
    scene.activates("balog")
    assert scene.hand == {"surtr"}  # the only one that fits is taken without asking


def test_burning_skull_gives_up_a_red_stone_for_3_points():
    scene = Scene(Place(area="burning_skull", stones="rb"))
    scene.activates()
    assert (scene.points, scene.stones) == (3, "b")


def test_burning_skull_lapses_without_a_red_stone():
    scene = Scene(Place(area="burning_skull", stones="b"))
    scene.activates()
    assert (scene.points, scene.stones) == (0, "b")


def test_firefox_scores_1_for_each_card_left_in_hand():
    scene = Scene(Place(hand="firefox ifrit surtr", stones="r"))
    scene.summons("firefox")
    assert scene.points == 2  # Firefox itself is not in hand any more


def test_hestia_raises_the_stone_limit_to_6():
    scene = Scene(Place(area="hestia", stones="rr", hunted="goblin"))
    scene.answers(0, "sell", card="goblin")
    assert scene.stones == "rrrrrr"


def test_hestia_leaving_cuts_the_stones_down_to_4_at_once():
    """When Hestia leaves, its owner keeps four stones before anything else happens."""
    scene = Scene(Place(area="hestia ifrit", stones="rrbbpp", hand="tengu"), round=3)
    scene.answers(0, "remove", card="hestia", payment=stones("b"))
    assert scene.offered(0) == ["keep"]
    scene.answers(0, "keep", stones=stones("rbpp"))
    assert scene.stones == "rbpp"
    assert "end_turn" in scene.offered(0)


def test_hestia_made_to_leave_by_another_seat_makes_its_owner_choose_before_the_turn_goes_on():
    """The limit binds the owner of the stones, whosever turn it is; the turn waits."""
    scene = Scene(Place(hand="marina", stones="pr"), Place(area="hestia", stones="rrbbb"))
    scene.summons("marina")
    assert scene.questions(0) == []
    scene.answers(1, "keep", stones=stones("rbbb"))
    assert "end_turn" in scene.offered(0)


def test_horned_salamander_gains_four_red_stones():
    scene = Scene(Place(area="horned_salamander"))
    scene.activates()
    assert scene.stones == "rrrr"


def test_ifrit_scores_1_for_each_card_of_the_area_itself_included():
    scene = Scene(Place(area="agni goblin", hand="ifrit", stones="rr"))
    scene.summons("ifrit")
    assert scene.points == 3


def test_imp_gains_two_red_stones():
    scene = Scene(Place(hand="imp"))
    scene.summons("imp")
    assert scene.stones == "rr"


def test_imp_returns_to_hand_when_activated():
    scene = Scene(Place(area="imp"))
    scene.activates()
    assert (scene.hand, scene.area) == ({"imp"}, set())


def test_incubus_scores_2_for_each_card_written_to_cost_at_most_2():
    scene = Scene(Place(area="goblin imp agni", hand="incubus", stones="rr"))
    scene.summons("incubus")
    assert scene.points == 6


def test_lava_giant_scores_2_for_each_fire_card():
    scene = Scene(Place(area="agni goblin", hand="lava_giant", stones="b"))
    scene.summons("lava_giant")
    assert scene.points == 4


def test_phoenix_scores_1_for_each_red_stone_spent_on_a_summoning():
    scene = Scene(Place(area="phoenix", hand="hippogriff", stones="rrrr"))
    scene.summons("hippogriff")
    assert scene.points == 4


def test_phoenix_scores_nothing_for_its_own_summoning():
    scene = Scene(Place(hand="phoenix", stones="rrr"))
    scene.summons("phoenix")
    assert scene.points == 0


def test_phoenix_scores_nothing_for_stones_that_pay_a_removal():
    scene = Scene(Place(area="phoenix goblin", stones="rr"), round=2)
    scene.answers(0, "remove", card="goblin", payment=stones("rr"))
    assert scene.points == 0


def test_salamander_gains_a_red_stone_and_scores_1():
    scene = Scene(Place(area="salamander"))
    scene.activates()
    assert (scene.stones, scene.points) == ("r", 1)


def test_succubus_scores_10_with_cards_that_cost_1_2_3_and_4():
    scene = Scene(Place(area="goblin ifrit troll agni", hand="succubus"))
    scene.summons("succubus")
    assert scene.points == 10


def test_succubus_scores_nothing_when_a_cost_is_missing_but_may_be_summoned():
    scene = Scene(Place(area="goblin ifrit troll", hand="succubus"))
    scene.summons("succubus")
    assert scene.points == 0


def test_surtr_scores_2_for_each_family():
    scene = Scene(Place(area="agni goblin triton", hand="surtr", stones="bb"))
    scene.summons("surtr")
    assert scene.points == 6
