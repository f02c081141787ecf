"""6 nimmt!: the deck, the deal, and the end of rounds and games."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from games.kernel import Finished, concede, event_view, rank_seats, state_view
from games.six_nimmt import SIX_NIMMT
from games.six_nimmt.facts import HEADS, PutInRow, RoundBegun
from tests.games.six_nimmt.scenario import Turn
from tests.rulebooks.play import opening, play_at_random, started
from tests.rulebooks.six_nimmt import cards

ROWS = [[10], [20], [30], [40]]


def deal(seats: int, **options: Any) -> Any:
    return started(SIX_NIMMT, seats, options, "a deal").state


@pytest.mark.parametrize(
    ("card", "heads"),
    [(55, 7), (11, 5), (66, 5), (99, 5), (10, 3), (100, 3), (5, 2), (95, 2), (1, 1), (101, 1), (104, 1)],
)
def test_a_card_has_as_many_heads_as_its_number_says(card: int, heads: int):
    assert HEADS[card] == heads


def test_the_deck_has_171_heads():
    assert sum(HEADS[1:]) == 171
    assert Counter(HEADS[1:]) == {1: 76, 2: 9, 3: 10, 5: 8, 7: 1}


def test_every_seat_starts_with_66_points():
    assert [player.points for player in deal(3).players] == [66, 66, 66]


@pytest.mark.parametrize("seats", range(2, 11))
def test_every_seat_is_dealt_ten_cards_and_four_rows_are_opened(seats: int):
    table = deal(seats)
    assert [len(player.hand) for player in table.players] == [10] * seats
    assert [len(row) for row in table.rows] == [1, 1, 1, 1]
    assert len(table.aside) == 100 - 10 * seats
    assert sorted(cards(table)) == list(range(1, 105))


def test_only_its_seat_sees_a_hand_and_nobody_sees_the_cards_aside():
    deal = opening(SIX_NIMMT, 3, {}, "secrets")[-1]
    for viewer in (0, 1, 2, None):
        table = state_view(SIX_NIMMT, deal.game, viewer)
        assert table["aside"] == {"hidden": 70}
        hands = [player["hand"] for player in table["players"]]
        assert [seat for seat, hand in enumerate(hands) if hand != {"hidden": 10}] == (
            [] if viewer is None else [viewer]
        )
        facts = {fact["type"]: fact for fact in as_json(event_view(SIX_NIMMT, deal.decision, viewer)["facts"])}
        assert facts["rows_opened"]["aside"] == {"hidden": 70}


def as_json(facts: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(facts))


def test_hands_are_dealt_in_order():
    assert all(list(player.hand) == sorted(player.hand) for player in deal(6).players)


def test_different_seeds_give_different_deals():
    assert started(SIX_NIMMT, 4, {}, "one").state != started(SIX_NIMMT, 4, {}, "other").state


def test_a_game_ends_when_a_player_has_lost_exactly_66_points():
    turn = Turn(ROWS, 11, 22, 33, points=(0, 1, 56), last_turn=True)
    assert turn.game.session.status == "finished"
    assert turn.facts[-1] == Finished((0, 1, 56), (3, 2, 1))


def test_a_game_goes_on_while_every_seat_has_a_point_left():
    turn = Turn(ROWS, 11, 22, 33, points=(1, 66, 56), last_turn=True)
    assert turn.game.session.status == "running"
    assert turn.game.state.round == 2
    assert [player.points for player in turn.game.state.players] == [1, 66, 56]


def test_a_game_ends_only_between_rounds():
    turn = Turn([[55], [60], [70], [80]], 1, 90, points=(7, 66)).take_row(0, 0)
    assert turn.game.state.players[0].points == 0
    assert turn.game.session.status == "running"
    assert turn.pending_moves == [(0, "lay"), (1, "lay")], "the round is played to its end"


def test_losing_the_last_points_in_the_last_turn_ends_the_game():
    turn = Turn([[55], [60], [70], [80]], 1, 90, points=(7, 66), last_turn=True).take_row(0, 0)
    assert turn.game.session.result is not None
    assert turn.game.session.result.points == (0, 66)


def test_points_may_fall_below_zero():
    turn = Turn([[55], [60], [70], [80]], 1, 90, points=(3, -2), last_turn=True).take_row(0, 0)
    assert turn.game.session.result is not None
    assert turn.game.session.result.points == (-4, -2)
    assert turn.game.session.result.places == (2, 1)


def test_the_most_points_win():
    turn = Turn(ROWS, 11, 22, 33, points=(12, -3, 40), last_turn=True)
    assert turn.game.session.result is not None
    assert turn.game.session.result.places == (2, 3, 1)


def test_tied_players_share_their_place():
    turn = Turn(ROWS, 11, 22, 33, 41, points=(12, 30, 0, 30), last_turn=True)
    assert turn.game.session.result is not None
    assert turn.game.session.result.places == (3, 1, 4, 1)
    assert rank_seats((5, 5, 5)) == (1, 1, 1)


def test_a_round_has_ten_turns_and_then_all_cards_are_dealt_again():
    game = started(SIX_NIMMT, 3, {}, "ten turns")
    placed = 0
    for transition in play_at_random(SIX_NIMMT, game, "ten turns"):
        placed += sum(isinstance(fact, PutInRow) for fact in transition.decision.facts)
        if any(isinstance(fact, RoundBegun) for fact in transition.decision.facts):
            break
    assert placed == 30
    table = transition.game.state
    assert table.round == 2
    assert [len(player.hand) for player in table.players] == [10, 10, 10]
    assert [player.taken for player in table.players] == [(), (), ()]
    assert [len(row) for row in table.rows] == [1, 1, 1, 1]
    assert sorted(cards(table)) == list(range(1, 105))
    assert table.rows != game.state.rows


def test_a_seat_chooses_its_last_card_like_any_other():
    turn = Turn(ROWS, 11, 22).send(0, "lay", card=1).send(1, "lay", card=2)
    assert turn.answers[2:] == [(0, "lay"), (1, "lay")]
    assert turn.pending_moves == [(0, "replace_row")]


def test_a_seat_that_concedes_ranks_last_and_a_bot_plays_its_cards():
    game = started(SIX_NIMMT, 3, {}, "giving up")
    game = concede(SIX_NIMMT, game, 0, 0).game
    assert game.session.seats[0].bot == "steady"
    assert [len(player.hand) for player in game.state.players] == [10, 10, 10]
    for transition in play_at_random(SIX_NIMMT, game, "giving up"):
        game = transition.game
    assert game.session.status == "finished"
    assert game.session.result.places[0] == 3
    assert game.session.result.points == tuple(player.points for player in game.state.players)


@pytest.mark.parametrize(
    ("seats", "heads"), [(2, 38), (3, 55), (4, 72), (5, 85), (6, 103), (7, 120), (8, 137), (9, 154), (10, 171)]
)
def test_with_tactic_the_deck_is_1_to_10_times_seats_plus_4(seats: int, heads: int):
    table = deal(seats, tactic=True)
    deck = sorted(cards(table))
    assert deck == list(range(1, 10 * seats + 5))
    assert sum(HEADS[card] for card in deck) == heads
    assert table.aside == ()
