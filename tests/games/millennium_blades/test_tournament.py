"""The tournament: turns, plays, Actions, passes, the order of effects, scoring, prizes, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from games.kernel import Chance, Finished
from games.millennium_blades import MILLENNIUM_BLADES
from games.millennium_blades.board.card_script import card
from games.millennium_blades.game_flow import gather_cards, give_prizes, score_game
from games.millennium_blades.scripting.effects import gain
from games.millennium_blades.scripting.triggers import next_card
from games.millennium_blades.state import Player
from games.millennium_blades.tournament.facts import TournamentBegun
from games.millennium_blades.tournament.turns import points_by_place, score_metas, score_tournament, tournament, turn
from tests.games.millennium_blades.scenario import PlayerSetup, Scenario, played, scripts

LOW = "bertram_explorer"
FULL = "evil_helbane high_priestess_orella elvan_mage_adept_elco jeff tia brikzaar"


# --- Turns ------------------------------------------------------------------------------------------------


def test_a_turn_ends_by_a_move_only_after_a_card_was_played():
    scenario = Scenario(PlayerSetup("dirtbag_the_sandman", f"{LOW} tia"), PlayerSetup("jeff"))
    assert scenario.moves(0) == ["play_card", "use_action"]
    scenario.plays(LOW)
    assert scenario.moves(0) == ["use_action", "end_turn"]


def test_an_action_comes_before_or_after_the_card_and_only_once():
    scenario = Scenario(PlayerSetup("dirtbag_the_sandman deep_ray_undersea_stalker", f"{LOW} tia"), PlayerSetup("jeff"))
    scenario.acts("dirtbag_the_sandman")
    assert scenario.moves(0) == ["play_card"]
    scenario = Scenario(PlayerSetup("dirtbag_the_sandman deep_ray_undersea_stalker", f"{LOW} tia"), PlayerSetup("jeff"))
    scenario.plays(LOW).acts("deep_ray_undersea_stalker")
    assert scenario.choices(0) == []


def test_a_card_that_was_just_played_may_act():
    scenario = played("dirtbag_the_sandman", "", PlayerSetup("jeff"), store="the_one play_mat").acts(
        "dirtbag_the_sandman"
    )
    assert scenario.points == 3 + 10


def test_without_a_card_or_a_slot_a_player_passes_and_cannot_use_an_action():
    scenario = Scenario(PlayerSetup("dirtbag_the_sandman"), PlayerSetup("jeff"))
    assert scenario.choices(0) == []
    assert scenario.state.passes == 1
    assert Scenario(PlayerSetup(FULL, LOW, "play_mat")).state.passes == 1


def test_cards_are_played_from_left_to_right():
    assert played(LOW, "-jeff tia").tableau_ids() == f"-jeff tia {LOW}"


def test_the_face_down_card_of_an_action_has_no_stars_and_no_type():
    scenario = Scenario(PlayerSetup("malcombe_footman", f"{LOW} tia")).acts("malcombe_footman")
    table = MILLENNIUM_BLADES.table(scenario.state, 0, None, None)  # type: ignore[arg-type]
    face = table.board.by_card[scenario.card_in_play("malcombe_footman")]  # type: ignore[attr-defined]
    assert (face.face_up, face.stars, face.attributes) == (False, 0, ())


def test_the_top_card_is_the_rightmost_face_up_card():
    scenario = Scenario(PlayerSetup(f"jeff {LOW} -tia", "brikzaar"))
    table = MILLENNIUM_BLADES.table(scenario.state, 0, None, None)  # type: ignore[arg-type]
    assert table.board.top(0).card == scenario.card_in_play(LOW)  # type: ignore[attr-defined, union-attr]
    assert table.board.top(1) is None  # type: ignore[attr-defined]


# --- First player, rounds, and the end ----------------------------------------------------------------------


def laid_out(scenario: Scenario, **changes: Any) -> Scenario:
    """Begin a tournament of decks without cards: it is over at once, and its first fact tells who begins."""
    scenario.begins(tournament(), replace(scenario.state, **changes))
    return scenario


def first_of(scenario: Scenario) -> int:
    return next(fact.first for fact in scenario.facts() if isinstance(fact, TournamentBegun))


def test_the_player_who_opened_the_last_pack_begins_the_first_tournament():
    assert first_of(laid_out(Scenario(PlayerSetup(), PlayerSetup(), PlayerSetup()), last_pack_opener=2)) == 2


def test_the_winner_of_the_last_tournament_begins():
    assert (
        first_of(laid_out(Scenario(PlayerSetup(), PlayerSetup(), PlayerSetup()), last_pack_opener=2, places=(2, 1, 3)))
        == 1
    )


def test_on_a_tie_the_player_who_opened_the_last_pack_begins():
    assert (
        first_of(laid_out(Scenario(PlayerSetup(), PlayerSetup(), PlayerSetup()), last_pack_opener=0, places=(3, 1, 1)))
        == 0
    )


def test_decks_are_laid_out_and_the_singles_are_the_hand():
    scenario = Scenario(PlayerSetup(), PlayerSetup())
    deck = scenario.cards(f"{LOW} blackout play_mat")
    players = tuple(Player(seat, deck=deck if seat == 0 else ()) for seat in (0, 1))
    scenario.begins(tournament(), replace(scenario.state, players=players, last_pack_opener=0))
    player = scenario.state.players[0]
    assert scenario.ids(player.hand) == [LOW]
    assert scenario.ids(tuple(in_play.card for in_play in player.equipment)) == ["blackout", "play_mat"]


def test_a_tournament_ends_when_all_have_passed_in_a_row():
    scenario = Scenario(PlayerSetup(), PlayerSetup())
    players = tuple(Player(seat, deck=scenario.cards(deck)) for seat, deck in enumerate([f"{LOW} tia", "jeff"]))
    scenario.begins(tournament(), replace(scenario.state, players=players, last_pack_opener=0))
    scenario.plays(LOW).plays("jeff", seat=1).plays("tia")
    scenario.answer(0, "order_triggers", triggers=list(scenario.options(0, "order_triggers", "triggers")))
    assert scenario.all_points() == [16 + 9, 8], "Bertram and Tia score for the one, Jeff for the other"
    assert scenario.state.places == (1, 2)


# --- The order of effects -----------------------------------------------------------------------------------


@pytest.fixture
def clawgatron() -> Iterator[str]:
    """A card of a set that is not implemented yet stands in for Next effects: it gains 4 with the next card."""
    with scripts(card("clawgatron", next_card(gain(4)))):
        yield "clawgatron"


def test_next_happens_once_on_the_next_card_of_its_player(clawgatron: str):
    scenario = Scenario(PlayerSetup(clawgatron, f"{LOW} tia", "rant_energy_drink")).acts("rant_energy_drink")
    assert scenario.plays(LOW).points == 4
    assert scenario.plays("tia").points == 4


def test_next_needs_its_card_face_up(clawgatron: str):
    assert played(LOW, f"-{clawgatron}").points == 0


def test_play_effects_come_before_triggered_effects():
    scenario = played("city_backed_sky_whale", "", PlayerSetup("burnizard_ex_omega_revolver_j"))
    kinds = [type(fact).__name__ for fact in scenario.decisions[-1].facts]
    assert kinds.index("PlayEffectsDone") < kinds.index("Flipped")


def test_the_active_players_effects_come_first_then_clockwise():
    scenario = Scenario(
        PlayerSetup("j_dogg_hackson dirtbag_the_sandman", LOW),
        PlayerSetup("j_dogg_hackson jeff"),
        PlayerSetup("j_dogg_hackson tia"),
        store="the_one play_mat",
    )
    scenario.acts("dirtbag_the_sandman").chooses("choose_target", target=1)
    assert [fact.seat for fact in scenario.decisions[-1].facts if type(fact).__name__ == "DollarsEarned"] == [0, 1, 2]


def test_each_player_orders_their_own_effects():
    scenario = Scenario(
        PlayerSetup(f"shaalisaar_heroine_of_the_axe aberforth_low_summoner {LOW}"), phase="scoring", begin=None
    )
    scenario.begins(score_tournament(), replace(scenario.state, phase="tournament"))
    assert not scenario.choices(), "one Score effect needs no order"
    scenario = Scenario(PlayerSetup(f"cannon_technician_meryl {LOW}"))
    scenario.begins(score_tournament())
    meryl, bertram = scenario.options(0, "order_triggers", "triggers")
    scenario.answer(0, "order_triggers", triggers=[meryl, bertram])
    assert scenario.points == 16, "the loss came first, and reputation never falls below 0"


def test_a_full_aftermarket_is_cleared_before_revealed_cards_are_put_there():
    boxes = "pauper numerology metagamer kingmaker blackout custom_concept"
    eleven = f"{boxes} play_mat the_one proxy_card vip_pass x_ray_glasses"
    scenario = Scenario(
        PlayerSetup("dirtbag_the_sandman", LOW),
        PlayerSetup("jeff"),
        aftermarket=eleven,
        store="digclaw_the_mole devouring_worm",
    )
    scenario.acts("dirtbag_the_sandman")
    assert scenario.ids(tuple(it.card for it in scenario.state.aftermarket)) == ["digclaw_the_mole", "devouring_worm"]
    assert len(scenario.state.discard) == 11


def test_an_empty_store_deck_is_reshuffled_after_a_full_aftermarket_is_cleared():
    boxes = "pauper numerology metagamer kingmaker blackout custom_concept"
    twelve = f"{boxes} play_mat the_one proxy_card vip_pass x_ray_glasses cosplay_set"
    scenario = Scenario(PlayerSetup("dirtbag_the_sandman", LOW), PlayerSetup("jeff"), aftermarket=twelve)
    scenario.begins(turn().by(0), replace(scenario.state, store_deck=scenario.state.store_deck[:2]))
    scenario.acts("dirtbag_the_sandman")
    assert (len(scenario.state.store_deck), scenario.state.discard) == (12, ())
    assert len(scenario.state.aftermarket) == 2


def test_a_clash_needs_a_top_card_on_both_sides():
    scenario = Scenario(PlayerSetup("dirtbag_the_sandman", LOW), PlayerSetup("-jeff")).acts("dirtbag_the_sandman")
    assert (scenario.tableau_ids(), scenario.state.aftermarket) == ("-dirtbag_the_sandman", ())


def test_a_compulsory_flip_may_have_to_hit_the_card_itself():
    assert played("hemsey_the_snitch").tableau_ids() == "-hemsey_the_snitch"


# --- Scoring, prizes, the champion --------------------------------------------------------------------------


def test_a_face_down_card_does_not_score():
    scenario = Scenario(PlayerSetup(f"-{LOW}"))
    scenario.begins(score_tournament())
    assert scenario.points == 0


@pytest.mark.parametrize(("metas", "points"), [(("dark",), 15), (("dark", "soldier"), 30), (("fire", "mage"), 0)])
def test_a_meta_is_worth_15_once_to_each_player_with_a_matching_card(metas: tuple[str, ...], points: int):
    scenario = Scenario(PlayerSetup("evil_helbane dark_sentinel_helbane"), metas=metas)
    scenario.begins(score_metas().by(0))
    assert scenario.points == points


@pytest.mark.parametrize(
    ("places", "number", "points"),
    [((1, 2), 1, (8, 4)), ((1, 1), 1, (6, 6)), ((2, 1, 2, 4), 3, (13, 24, 13, 4)), ((1, 1, 1, 1, 1), 2, (10,) * 5)],
)
def test_tied_players_share_the_points_of_all_their_places(
    places: tuple[int, ...], number: int, points: tuple[int, ...]
):
    assert points_by_place(places, number) == points


def test_every_player_gets_a_card_of_the_prize_deck():
    scenario = Scenario(PlayerSetup(), PlayerSetup(), PlayerSetup())
    deck = scenario.state.prize_decks[0]
    scenario.begins(give_prizes())
    assert [player.binder for player in scenario.state.players] == [(card,) for card in deck.cards[:3]]
    assert len(scenario.state.prize_decks[0].cards) == 3


def test_after_a_tournament_all_cards_go_to_the_binders():
    scenario = Scenario(PlayerSetup(f"-{LOW}+2 jeff&commemorative_resin_statuette", "tia", "-blackout"))
    scenario.begins(gather_cards())
    player = scenario.state.players[0]
    assert set(scenario.ids(player.binder)) == {LOW, "jeff", "commemorative_resin_statuette", "tia", "blackout"}
    assert (player.tableau, player.equipment, player.hand) == ((), (), ())
    assert scenario.state.tournament == 2


def champion(*players: Player) -> Finished:
    scenario = Scenario(*(PlayerSetup() for _ in players))
    facts = scenario.begins(score_game(), replace(scenario.state, players=players))
    assert isinstance(facts[-1], Finished)
    return facts[-1]


def test_the_champion_has_the_most_of_tournaments_collections_dollars_and_friendship():
    first = Player(0, tournament_points=(8, 12), collection_points=(4,), dollars=11, received_friendship_cards=(6, 11))
    second = Player(1, tournament_points=(4, 6), collection_points=(21,), dollars=3, friendship_cards=(6, 7))
    assert champion(first, second).points == (20 + 4 + 2 + 1 + 3, 10 + 21)
    assert champion(first, second).places == (2, 1)


def test_a_tie_is_broken_by_tournaments_then_collections():
    assert champion(Player(0, collection_points=(9,)), Player(1, tournament_points=(9,))).places == (2, 1)
    assert champion(Player(0, dollars=36), Player(1, collection_points=(9,))).places == (2, 1)
    assert champion(Player(0, dollars=36), Player(1, dollars=37)).places == (1, 1)


def test_only_a_single_can_be_played_from_a_hand():
    scenario = Scenario(PlayerSetup("", "play_mat", character="morrey-caardman"))
    assert scenario.choices(0) == [], "a hand without a Single has no card to play"
    scenario = Scenario(PlayerSetup("", f"play_mat {LOW}"))
    assert scenario.options(0, "play_card", "card") == (scenario.card_in_hand(LOW),)


def test_for_a_clash_the_discard_is_shuffled_when_the_store_deck_is_empty():
    scenario = Scenario(PlayerSetup("dirtbag_the_sandman", LOW), PlayerSetup("jeff"))
    discarded = scenario.cards("the_one blackout")
    scenario.begins(turn().by(0), replace(scenario.state, store_deck=(), discard=discarded))
    scenario.acts("dirtbag_the_sandman")
    assert sorted(it.card for it in scenario.state.aftermarket) == sorted(discarded)


def test_a_silent_seat_ends_its_turn_or_lets_its_card_be_flipped():
    scenario = Scenario(PlayerSetup("dirtbag_the_sandman", f"{LOW} tia"), PlayerSetup("jeff"))
    scenario.plays(LOW)
    (question,) = scenario.choices(0)
    table = MILLENNIUM_BLADES.table(scenario.state, 0, Chance("silent", 0), scenario.game.session)
    assert MILLENNIUM_BLADES.timeout_answers is not None
    assert next(MILLENNIUM_BLADES.timeout_answers(table, question.choice)) == ("end_turn", {})
