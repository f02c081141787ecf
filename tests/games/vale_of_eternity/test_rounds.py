"""The rounds: hunting, action, resolution, and the end."""

from __future__ import annotations

import pytest

from games.kernel import Clock, Finished, concede, observe
from games.vale_of_eternity import VALE_OF_ETERNITY
from games.vale_of_eternity.catalogue import CARDS
from games.vale_of_eternity.facts import (
    ActivationEnded,
    CardsRevealed,
    FirstPlayerDrawn,
    PhaseBegun,
    RoundBegun,
    State,
    TurnBegun,
)
from games.vale_of_eternity.rules import hunting_phase, resolution_phase
from tests.games.kernel.driver import GameDriver
from tests.games.vale_of_eternity.scenario import PlayerSetup, Scenario, stones

TWO_OPPONENTS = (PlayerSetup(), PlayerSetup())


def new_game(seats: int) -> GameDriver:
    return GameDriver(VALE_OF_ETERNITY, seats)


def state(driver: GameDriver) -> State:
    assert isinstance(driver.game.state, State)
    return driver.game.state


def hunter(driver: GameDriver) -> int:
    return driver.choices()[0].seat


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_players_start_with_as_many_points_as_their_rank_in_turn_order(seats: int):
    driver = new_game(seats)
    first_player = state(driver).first_player
    assert [state(driver).players[(first_player + rank) % seats].points for rank in range(seats)] == [
        rank + 1 for rank in range(seats)
    ]


def test_nobody_starts_with_cards_or_stones():
    players = state(new_game(4)).players
    assert not any(player.hand or player.area or player.stones for player in players)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_twice_as_many_cards_as_players_are_revealed(seats: int):
    assert len(state(new_game(seats)).board) == 2 * seats


def test_hunting_goes_clockwise_and_back_so_that_the_last_player_hunts_twice_in_a_row():
    driver = new_game(3)
    first_player = state(driver).first_player
    hunters = []
    for _ in range(5):  # the sixth card is the only one left, and goes to the first player without asking
        hunters.append(hunter(driver))
        assert observe(VALE_OF_ETERNITY, driver.game, 0).derived["hunter"] == hunters[-1]
        driver.answer(hunters[-1], "hunt", card=state(driver).board[0])
    assert hunters == [(first_player + rank) % 3 for rank in (0, 1, 2, 2, 1)]
    assert [len(player.hunted) for player in state(driver).players] == [2, 2, 2]
    assert hunter(driver) == first_player


def test_a_card_with_a_marker_cannot_be_hunted_again():
    driver = new_game(2)
    card = state(driver).board[0]
    driver.answer(hunter(driver), "hunt", card=card)
    assert "not among" in driver.refusal(hunter(driver), "hunt", card=card)


def test_cards_are_revealed_from_the_shuffled_discard_pile_when_the_draw_pile_runs_out():
    scenario = Scenario(PlayerSetup(), discard_pile="agni", draw_pile="goblin kappa", draw_pile_is_complete=True)
    facts = scenario.run(hunting_phase())
    revealed = [fact.cards for fact in facts if isinstance(fact, CardsRevealed)]
    assert revealed[0] == ("goblin", "kappa")
    assert len(revealed[1]) == 2
    assert scenario.state.discard_pile == ()


def test_a_player_hunts_nothing_when_no_card_is_left():
    other_cards = " ".join(card for card in CARDS if card not in ("goblin", "kappa", "agni"))
    scenario = Scenario(PlayerSetup(hand=other_cards), draw_pile="goblin kappa agni", draw_pile_is_complete=True)
    scenario.run(hunting_phase())
    scenario.answer(0, "hunt", card="agni")
    scenario.answer(1, "hunt", card="kappa")
    assert [len(scenario.player(seat).hunted) for seat in range(2)] == [1, 2]
    assert scenario.choices() == []


@pytest.mark.parametrize(
    ("card", "gained"), [("agni", "rrr"), ("goblin", "rrrr"), ("kappa", "b"), ("harpy", "rb"), ("tidal", "p")]
)
def test_a_card_is_sold_for_the_stones_of_its_family(card: str, gained: str):
    scenario = Scenario(PlayerSetup(hunted=card))
    scenario.answer(0, "sell", card=card)
    assert (scenario.stones, scenario.state.discard_pile) == (gained, (card,))


def test_a_player_above_the_stone_limit_chooses_among_old_and_new_stones_before_anything_else():
    scenario = Scenario(PlayerSetup(hunted="harpy agni", stones="rrbp"))
    scenario.answer(0, "sell", card="harpy")
    assert scenario.moves(0) == ["keep_stones"]
    assert stones("rrbb") in scenario.options(0, "keep_stones", "stones")
    scenario.answer(0, "keep_stones", stones=stones("rbbp"))
    assert scenario.stones == "rbbp"


def test_there_is_no_choice_between_stones_of_the_same_colour():
    scenario = Scenario(PlayerSetup(hunted="agni goblin", stones="rrr"))
    scenario.answer(0, "sell", card="goblin")
    assert (scenario.stones, scenario.moves(0)[0]) == ("rrrr", "sell")


def test_a_tamed_card_goes_to_the_hand():
    scenario = Scenario(PlayerSetup(hunted="agni"))
    scenario.answer(0, "tame", card="agni")
    assert scenario.hand == {"agni"}


def test_a_turn_does_not_end_before_both_hunted_cards_are_sold_or_tamed():
    scenario = Scenario(PlayerSetup(hunted="agni goblin"))
    assert "end_turn" not in scenario.moves(0)
    scenario.answer(0, "tame", card="agni")
    assert "end_turn" not in scenario.moves(0)
    scenario.answer(0, "sell", card="goblin")
    assert "end_turn" in scenario.moves(0)


def test_an_area_has_one_slot_for_each_round_that_has_started():
    mine = PlayerSetup(area="agni", hand="imp")
    assert not Scenario(mine, round=1).can_summon("imp")
    assert Scenario(mine, round=2).can_summon("imp")


def test_a_card_that_cannot_be_paid_is_not_offered():
    assert not Scenario(PlayerSetup(hand="agni", stones="rrr")).can_summon("agni")


def test_a_removal_costs_the_number_of_the_round():
    scenario = Scenario(PlayerSetup(area="goblin ifrit", stones="rrbp"), round=3)
    assert scenario.options(0, "remove", "payment") == (stones("b"), stones("p"))
    scenario.answer(0, "remove", card="ifrit", payment=stones("p"))
    assert (scenario.area, scenario.state.discard_pile, scenario.stones) == ({"goblin"}, ("ifrit",), "rrb")


def test_a_removal_is_not_offered_to_a_player_who_cannot_pay():
    assert "remove" not in Scenario(PlayerSetup(area="goblin", stones="r"), round=2).moves(0)


def test_a_card_summoned_this_turn_may_be_removed():
    scenario = Scenario(PlayerSetup(hand="imp"), round=1)
    scenario.summon("imp")
    scenario.answer(0, "remove", card="imp", payment=stones("r"))
    assert scenario.area == set()


def test_every_active_effect_must_be_used_once():
    scenario = Scenario(PlayerSetup(area="salamander undine_queen troll", stones="p"))
    scenario.resolve()
    assert scenario.moves(0) == ["activate"]
    scenario.answer(0, "activate", card="troll")
    assert scenario.options(0, "activate", "card") == ("salamander", "undine_queen")


def test_an_effect_that_becomes_possible_must_be_used():
    scenario = Scenario(PlayerSetup(area="burning_skull salamander"))
    scenario.resolve()  # Salamander is the only one that can be used; its red stone is then paid for Burning Skull
    assert (scenario.points, scenario.stones) == (4, "")


def test_effects_that_cannot_be_used_are_skipped_at_the_end():
    scenario = Scenario(PlayerSetup(area="medusa charybdis"))
    facts = scenario.resolve()
    assert any(isinstance(fact, ActivationEnded) for fact in facts)
    assert scenario.player().pending_activations == ()


def test_the_resolution_goes_clockwise_from_the_first_player():
    scenario = Scenario(PlayerSetup(area="salamander"), *TWO_OPPONENTS)
    facts = scenario.run(resolution_phase())
    assert [fact.seat for fact in facts if isinstance(fact, TurnBegun)] == [0, 1, 2]


def test_the_derived_values_show_the_unused_activations():
    scenario = Scenario(PlayerSetup(area="salamander troll agni"), PlayerSetup(area="griffon kappa"))
    scenario.run(resolution_phase())
    assert [seat["unused_activations"] for seat in scenario.derived()["seats"]] == [
        ["salamander", "troll"],
        ["griffon"],
    ]


def test_a_new_round_begins_with_the_next_seat_as_first_player():
    scenario = Scenario(PlayerSetup(points=59), *TWO_OPPONENTS, round=4)
    facts = scenario.end_round()
    assert facts[0] == RoundBegun(5, 1)
    assert PhaseBegun("hunting") in facts


def test_sixty_points_at_the_end_of_a_round_end_the_game():
    scenario = Scenario(PlayerSetup(points=12), PlayerSetup(points=60), round=4)
    assert scenario.end_round() == (Finished((12, 60), (2, 1)),)


def test_the_game_ends_after_round_10():
    scenario = Scenario(PlayerSetup(points=12), PlayerSetup(points=3), round=10)
    assert scenario.end_round() == (Finished((12, 3), (1, 2)),)


def test_sixty_points_within_a_round_do_not_end_the_game_and_may_be_lost_again():
    scenario = Scenario(PlayerSetup(points=59, area="salamander"), PlayerSetup(area="goblin"), round=4)
    scenario.run(resolution_phase())  # seat 0 reaches 60, then the Goblin of seat 1 takes a point
    assert [scenario.player(seat).points for seat in range(2)] == [59, 1]
    assert scenario.end_round()[0] == RoundBegun(5, 1)


def test_a_tie_goes_to_the_most_cards_in_the_area():
    scenario = Scenario(PlayerSetup(points=60, area="agni"), PlayerSetup(points=60, area="imp goblin"), round=5)
    assert scenario.end_round() == (Finished((60, 60), (2, 1)),)


def test_a_tie_in_points_and_cards_is_shared():
    scenario = Scenario(PlayerSetup(points=60, area="agni"), PlayerSetup(points=60, area="imp"), round=5)
    assert scenario.end_round() == (Finished((60, 60), (1, 1)),)


def test_when_the_time_of_a_seat_runs_out_its_hunted_cards_are_tamed_and_its_turn_ends():
    scenario = Scenario(PlayerSetup(hunted="agni goblin", area="imp", hand="hestia", stones="rrrr"), clock=Clock(60))
    for _ in range(3):
        alarm = scenario.alarm()
        assert alarm is not None
        scenario.fire_timers(alarm)
    assert scenario.hand == {"agni", "goblin", "hestia"}
    assert scenario.area == {"imp"}
    assert scenario.state.active_player is None


def test_a_player_who_conceded_is_ranked_behind_the_others():
    scenario = Scenario(PlayerSetup(points=3), PlayerSetup(points=60), PlayerSetup(points=2), round=5)
    scenario.apply(concede(VALE_OF_ETERNITY, scenario.game, 1, 0))
    assert scenario.end_round() == (Finished((3, 60, 2), (1, 3, 2)),)


def test_a_spectator_and_an_opponent_see_how_many_cards_are_in_a_hand_and_not_which():
    scenario = Scenario(PlayerSetup(hand="agni goblin"), PlayerSetup(hand="kappa"))
    observation = observe(VALE_OF_ETERNITY, scenario.game, 1)
    players = observation.state["players"]
    assert players[0]["hand"] == {"hidden": 2}
    assert list(players[1]["hand"]) == ["kappa"]
    assert observation.state["draw_pile"] == {"hidden": 67}


def test_the_first_player_is_drawn_by_lot():
    drivers = (GameDriver(VALE_OF_ETERNITY, 4, seed=str(seed)) for seed in range(20))
    first_players = {
        fact.first_player for driver in drivers for fact in driver.facts() if isinstance(fact, FirstPlayerDrawn)
    }
    assert first_players == {0, 1, 2, 3}
