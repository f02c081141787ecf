"""6 nimmt!: how the cards of a turn are placed."""

from __future__ import annotations

import pytest

from games.kernel import Refusal, event_view, pending_choices, state_view
from games.six_nimmt import SIX_NIMMT
from games.six_nimmt.facts import PutInRow, TurnedUp
from tests.games.six_nimmt.scenario import Turn, at_a_turn

FULL_ROW = [[8], [21, 35, 44, 50, 55], [60], [90]]
"""Row 1 is full and costs 2 + 1 + 5 + 3 + 7 = 18 heads … 21 has 1, 35 has 2, 44 has 5, 50 has 3, 55 has 7."""


def test_a_card_joins_the_row_whose_last_card_is_the_highest_below_it():
    turn = Turn([[12], [24], [37], [40]], 32)
    assert turn.rows == [[12], [24, 32], [37], [40]]
    assert turn.costs == [0, 0]


def test_the_sixth_card_takes_a_row_and_a_card_below_all_rows_takes_the_row_of_its_choice():
    turn = Turn(FULL_ROW, 57, 58, 2, 91).take_row(2, 0)
    assert turn.rows == [[2], [57, 58], [60], [90, 91]]
    assert turn.costs == [18, 0, 1, 0]


def test_a_low_card_may_take_a_full_row_before_a_sixth_card_would():
    turn = Turn(FULL_ROW, 57, 58, 2, 91).take_row(2, 1)
    assert turn.rows == [[8, 57, 58], [2], [60], [90, 91]]
    assert turn.costs == [0, 0, 18, 0]


def test_the_order_of_the_rows_does_not_matter():
    assert Turn([[90], [50], [100], [40]], 55).rows == [[90], [50, 55], [100], [40]]


def test_two_full_rows_may_be_taken_in_one_turn():
    turn = Turn([[15, 25, 35, 45, 55], [66, 77, 88, 99, 101], [2], [3]], 56, 102)
    assert turn.rows == [[56], [102], [2], [3]]
    assert turn.costs == [15, 21]


@pytest.mark.parametrize("row", range(4))
def test_a_card_below_all_rows_may_take_any_row(row: int):
    rows = [[50], [60, 61], [55, 66, 77, 88, 99], [70]]
    turn = Turn(rows, 4, 103)
    assert turn.pending_moves == [(0, "replace_row")]
    assert turn.offered_values == [{"row": [0, 1, 2, 3]}]
    turn.take_row(0, row)
    assert turn.costs[0] == [3, 4, 27, 3][row]
    assert turn.rows[row][0] == 4


@pytest.mark.parametrize("row", [-1, 4, None, "0", True, [0]])
def test_a_row_that_does_not_exist_cannot_be_taken(row: object):
    turn = Turn(FULL_ROW, 2)
    before = turn.game
    with pytest.raises(Refusal, match="illegal-move"):
        turn.send(0, "replace_row", row=row)
    assert turn.game == before


def test_the_card_that_takes_a_row_costs_nothing():
    assert Turn([[50], [60], [70], [80]], 44).take_row(0, 0).costs[0] == 3


def test_a_taken_row_keeps_its_place_on_the_table():
    assert Turn([[50], [60], [70], [80]], 1).take_row(0, 2).rows == [[50], [60], [1], [80]]


def test_taken_cards_do_not_return_to_the_hand():
    turn = Turn([[50], [60], [70], [80]], 1).take_row(0, 2)
    assert turn.game.state.players[0].taken == (70,)
    assert len(turn.game.state.players[0].hand) == 1


def test_cards_are_placed_in_ascending_order():
    turn = Turn([[10], [20], [30], [40]], 45, 12, 25, order=[0, 2, 1])
    assert [fact.card for fact in turn.facts if isinstance(fact, PutInRow)] == [12, 25, 45]


def test_each_card_changes_the_rows_for_the_next_one():
    assert Turn([[10], [20], [30], [40]], 41, 42, 43).rows == [[10], [20], [30], [40, 41, 42, 43]]


def test_the_fifth_card_of_a_row_takes_nothing():
    turn = Turn([[1, 2, 3, 4], [20], [30], [40]], 5)
    assert turn.rows[0] == [1, 2, 3, 4, 5]
    assert turn.costs == [0, 0]


def test_only_the_player_of_the_lowest_card_can_have_to_choose_a_row():
    turn = Turn([[50], [60], [70], [80]], 5, 3, 4)
    assert turn.pending_moves == [(1, "replace_row")]
    turn.take_row(1, 1)
    assert turn.rows == [[50], [3, 4, 5], [70], [80]]
    assert turn.answers[3:] == [(1, "replace_row")]


def test_nothing_is_revealed_before_the_last_seat_has_laid_its_card():
    turn = Turn([[10], [20], [30], [40]], 11, 22, 33, order=[2, 0])
    assert not [fact for fact in turn.facts if isinstance(fact, TurnedUp)]
    players = state_view(SIX_NIMMT, turn.game, 0)["players"]
    assert [player["laid"] for player in players] == [11, None, {"hidden": 1}]
    assert players[2]["hand"] == {"hidden": 1}
    (laid,) = event_view(SIX_NIMMT, turn.decisions[0], 0)["facts"]
    assert laid == {"type": "laid_face_down", "seat": 2, "card": {"hidden": 1}}
    turn.send(1, "lay", card=22)
    assert [fact.cards for fact in turn.facts if isinstance(fact, TurnedUp)] == [(11, 22, 33)]


def test_only_the_seat_itself_sees_its_answer():
    laid = Turn([[10], [20], [30], [40]], 11, 22, 33, order=[2]).decisions[0]
    assert event_view(SIX_NIMMT, laid, 2)["args"] == {"card": 33}
    assert (
        event_view(SIX_NIMMT, laid, 0).keys() == event_view(SIX_NIMMT, laid, None).keys() == {"number", "at", "facts"}
    )


def test_a_seat_may_lay_any_card_of_its_hand_and_no_other():
    game = at_a_turn([[10], [20], [30], [40]], [(11, 1), (22, 2)])
    (pending,) = pending_choices(SIX_NIMMT, game, 1)
    assert pending.choice.offers[0].fields["card"].options == (2, 22)


def test_a_card_that_is_laid_cannot_be_changed():
    turn = Turn([[10], [20], [30], [40]], 11, 22, order=[0])
    assert pending_choices(SIX_NIMMT, turn.game, 0) == []
