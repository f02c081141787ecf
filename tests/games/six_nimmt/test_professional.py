"""6 nimmt!, Professional: rows grow at both ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kernel import Refusal
from games.kernel.language.chance import FORBIDDEN_CHANCE
from games.six_nimmt import SIX_NIMMT
from games.six_nimmt.facts import Options, Player, PutInRow, State
from games.six_nimmt.table import SixNimmt
from tests.games.six_nimmt.scenario import Turn
from tests.rulebooks.play import started

PAIR = [[30], [36], [70], [90]]
INNER = [[10, 50], [20, 60], [30, 70], [40, 80]]
"""Four rows whose first cards are below 45 and whose last cards are above it."""


def professional(rows: list[list[int]], *cards: int, **more: object) -> Turn:
    return Turn(rows, *cards, professional=True, **more)  # type: ignore[arg-type]


def test_a_card_may_go_to_the_left_end_where_the_base_game_makes_its_player_take_a_row():
    turn = professional([[20], [40], [60], [80]], 18)
    assert turn.rows == [[18, 20], [40], [60], [80]]
    assert turn.costs == [0, 0]
    assert Turn([[20], [40], [60], [80]], 18).pending_moves == [(0, "replace_row")]


def test_a_card_must_go_to_the_end_with_the_smallest_difference():
    turn = professional(PAIR, 35)
    assert turn.rows == [[30], [35, 36], [70], [90]]
    assert turn.pending_moves[0][1] == "lay", "there was nothing to choose: the next turn has begun"
    assert Turn(PAIR, 35).rows == [[30, 35], [36], [70], [90]]


@pytest.mark.parametrize(
    ("row", "side", "rows"),
    [(0, "right", [[30, 33], [36], [70], [90]]), (1, "left", [[30], [33, 36], [70], [90]])],
)
def test_at_equal_difference_the_player_chooses_between_two_ends(row: int, side: str, rows: list[list[int]]):
    turn = professional(PAIR, 33)
    assert turn.pending_moves == [(0, "join_row"), (0, "join_row")]
    assert turn.offered_values == [{"row": [0], "side": ["right"]}, {"row": [1], "side": ["left"]}]
    assert turn.join_row(0, row, side).rows == rows


@pytest.mark.parametrize(("row", "side"), [(0, "left"), (1, "right"), (2, "left"), (3, "right")])
def test_at_equal_difference_no_other_end_may_be_chosen(row: int, side: str):
    with pytest.raises(Refusal, match="illegal-move"):
        professional(PAIR, 33).join_row(0, row, side)


def test_a_card_does_not_fit_inside_a_row_that_has_just_grown():
    turn = professional(PAIR, 33, 34).join_row(0, 1, "left")
    assert turn.rows == [[30, 34], [33, 36], [70], [90]]


def test_the_sixth_card_takes_the_row_at_the_left_end_too():
    rows = [[10], [36, 38, 41, 47, 52], [70], [90]]
    turn = professional(rows, 35)
    assert turn.rows == [[10], [35], [70], [90]]
    assert turn.costs[0] == 5
    assert Turn(rows, 35).rows[0] == [10, 35]
    assert Turn(rows, 35).costs[0] == 0


def test_the_sixth_card_takes_the_row_at_the_right_end():
    turn = professional([[1, 2, 3, 4, 5], [50], [70], [90]], 7)
    assert turn.rows[0] == [7]
    assert turn.costs[0] == 6


def test_a_card_that_is_not_the_lowest_of_the_turn_may_fit_nowhere():
    turn = professional(INNER, 5, 45)
    assert turn.pending_moves == [(1, "replace_row")]
    turn.take_row(1, 2)
    assert turn.rows == [[5, 10, 50], [20, 60], [45], [40, 80]]
    assert turn.costs == [0, 6]
    assert [seat for seat, move in turn.answers if move != "lay"] == [1]


def test_a_card_that_fits_nowhere_may_take_any_row():
    assert professional(INNER, 45, 103).offered_values == [{"row": [0, 1, 2, 3]}]


def test_at_equal_difference_a_full_row_may_be_chosen_and_is_taken():
    turn = professional([[26, 27, 28, 29, 30], [36], [70], [90]], 33).join_row(0, 0, "right")
    assert turn.rows == [[33], [36], [70], [90]]
    assert turn.costs[0] == 7


def test_several_players_may_choose_an_end_in_one_turn():
    turn = professional([[30], [36], [70], [76]], 33, 73)
    assert turn.pending_moves == [(0, "join_row"), (0, "join_row")]
    turn.join_row(0, 0, "right")
    assert turn.pending_moves == [(1, "join_row"), (1, "join_row")]
    turn.join_row(1, 3, "left")
    assert turn.rows == [[30, 33], [36], [70], [73, 76]]


def test_a_row_of_one_card_grows_at_both_ends():
    turn = professional([[50], [1], [2], [3]], 49, 51)
    assert turn.rows[0] == [49, 50, 51]


def test_cards_are_placed_in_ascending_order_at_the_left_end_too():
    turn = professional([[50], [1], [2], [3]], 45, 40)
    assert [fact.card for fact in turn.facts if isinstance(fact, PutInRow)] == [40, 45]
    assert turn.rows[0] == [40, 50], "45 lies inside the row by then"
    assert turn.rows[3] == [3, 45]


@st.composite
def rows_and_a_card(draw: st.DrawFn) -> tuple[tuple[tuple[int, ...], ...], int]:
    cards = draw(st.lists(st.integers(1, 104), min_size=21, max_size=21, unique=True))
    lengths = draw(st.lists(st.integers(1, 5), min_size=4, max_size=4))
    rows, card = [], cards.pop()
    for length in lengths:
        rows.append(tuple(sorted(cards[:length])))
        cards = cards[length:]
    return tuple(rows), card


SESSION = started(SIX_NIMMT, 2, {}, "any").session


def table_of(rows: tuple[tuple[int, ...], ...], *, professional: bool) -> SixNimmt:
    state = State(Options(professional=professional), (Player(0), Player(1)), rows=rows)
    return SixNimmt(state, 0, FORBIDDEN_CHANCE, SESSION)


@given(rows_and_a_card())
def test_a_card_joins_the_nearest_end_that_leaves_its_row_ascending(drawn: tuple[tuple[tuple[int, ...], ...], int]):
    rows, card = drawn
    ends = {(place, "right"): (*row, card) for place, row in enumerate(rows)}
    ends |= {(place, "left"): (card, *row) for place, row in enumerate(rows)}
    fitting = {end: row for end, row in ends.items() if list(row) == sorted(row)}
    neighbour = {end: row[1] if end[1] == "left" else row[-2] for end, row in fitting.items()}
    nearest = min((abs(card - other) for other in neighbour.values()), default=0)
    expected = {end for end, other in neighbour.items() if abs(card - other) == nearest}
    result = table_of(rows, professional=True).ends_for(card)
    assert set(result) == expected
    assert len(result) == len(expected) <= 2
    if len(result) == 2:
        (one, _), (other, _) = result
        assert one != other, "never both ends of one row"
        assert {side for _, side in result} == {"left", "right"}


@given(rows_and_a_card())
def test_a_card_fits_nowhere_exactly_when_it_lies_inside_every_row(drawn: tuple[tuple[tuple[int, ...], ...], int]):
    rows, card = drawn
    inside_all = all(row[0] < card < row[-1] for row in rows)
    assert (table_of(rows, professional=True).ends_for(card) == ()) == inside_all
    below_all = all(card < row[-1] for row in rows)
    assert (table_of(rows, professional=False).ends_for(card) == ()) == below_all


@given(rows_and_a_card())
def test_in_the_base_game_at_most_one_end_is_nearest(drawn: tuple[tuple[tuple[int, ...], ...], int]):
    rows, card = drawn
    below = [row[-1] for row in rows if row[-1] < card]
    expected = [(place, "right") for place, row in enumerate(rows) if below and row[-1] == max(below)]
    assert list(table_of(rows, professional=False).ends_for(card)) == expected
