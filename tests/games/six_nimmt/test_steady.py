"""6 nimmt!: the steady bot."""

from __future__ import annotations

from typing import Any

import pytest

from games.kernel import Chance, observe
from games.six_nimmt import SIX_NIMMT
from games.six_nimmt.bot import binomial_probability, expected_heads, steady_bot, unseen_cards
from tests.games.six_nimmt.scenario import Turn, at_a_turn
from tests.rulebooks.play import play_by_bots, started
from tests.rulebooks.six_nimmt import VARIANTS

NO_DRAW = Chance("steady draws nothing", 0)


def laid(rows: list[list[int]], hand: tuple[int, ...], **options: Any) -> dict[str, Any]:
    observation = observe(SIX_NIMMT, at_a_turn(rows, [hand, (103, 104)], options=options), 0)
    command = steady_bot(observation, NO_DRAW)
    assert command.move == "lay"
    return command.args


def wins(games: int) -> int:
    """Count the games that the steady bot wins against a random player."""
    won = 0
    for number in range(games):
        seat = number % 2
        game = started(SIX_NIMMT, 2, {}, f"steady, game {number}")
        for transition in play_by_bots(SIX_NIMMT, game, f"steady, game {number}", {seat: "steady"}):
            game = transition.game
        assert game.session.result is not None
        won += game.session.result.places[seat] == 1 and game.session.result.places[1 - seat] == 2
    return won


def test_it_wins_46_of_the_first_60_games_against_a_random_player():
    assert wins(60) == 46


@pytest.mark.soak
def test_it_wins_at_least_seven_of_ten_games_against_a_random_player():
    assert wins(500) >= 350


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seats", [2, 5, 10])
def test_it_plays_every_variant_to_the_end_at_every_seat(variant: str, seats: int):
    game = started(SIX_NIMMT, seats, VARIANTS[variant], "steady everywhere")
    bots = dict.fromkeys(range(seats), "steady")
    *_, last = play_by_bots(SIX_NIMMT, game, "steady everywhere", bots)
    assert last.game.session.status == "finished"


def test_it_avoids_laying_a_sixth_card():
    assert laid([[1, 2, 3, 4, 5], [50], [80], [90]], (6, 51)) == {"card": 51}


def test_it_lays_a_card_below_all_rows_if_that_costs_less_than_a_full_row():
    assert laid([[44, 55, 66, 77, 88], [50], [51], [52]], (1, 89)) == {"card": 1}


def test_with_professional_it_considers_the_left_end_of_a_row():
    assert laid([[30], [36, 37, 38, 39, 40], [70], [90]], (31, 35), professional=True) == {"card": 31}


def test_it_takes_the_row_with_the_fewest_heads():
    turn = Turn([[55], [60], [71], [80]], 5, 90)
    assert steady_bot(observe(SIX_NIMMT, turn.game, 0), NO_DRAW).args == {"row": 2}


def test_at_equal_difference_it_avoids_the_full_row():
    turn = Turn([[30], [36, 37, 38, 39, 40], [70], [90]], 33, professional=True)
    assert steady_bot(observe(SIX_NIMMT, turn.game, 0), NO_DRAW).args == {"row": 0, "side": "right"}
    turn = Turn([[26, 27, 28, 29, 30], [36], [70], [90]], 33, professional=True)
    assert steady_bot(observe(SIX_NIMMT, turn.game, 0), NO_DRAW).args == {"row": 1, "side": "left"}


def test_unseen_cards_are_those_that_opponents_may_hold():
    game = at_a_turn([[10], [20], [30], [40]], [(1, 2), (3, 4)], options={"tactic": True})
    table = observe(SIX_NIMMT, game, 0).state
    table["players"][1]["taken"] = [5, 6]
    unseen = unseen_cards(table, [1, 2])
    assert unseen == [card for card in range(1, 25) if card not in {1, 2, 5, 6, 10, 20, 30, 40}]


def test_it_expects_the_heads_of_a_row_with_the_probability_that_opponents_fill_it():
    rows = [[10, 12, 13, 14], [1], [2], [3]]
    assert expected_heads(15, rows, [50, 60], 1, professional=False) == 0
    heads = expected_heads(16, rows, [15, 50], 1, professional=False)
    assert heads == pytest.approx(0.5 * (3 + 1 + 1 + 1 + 2)), "half of the time 15 comes before"
    assert expected_heads(16, rows, [], 0, professional=False) == 0


def test_binomial_probabilities_add_up_to_one():
    assert sum(binomial_probability(number, 9, 0.3) for number in range(10)) == pytest.approx(1)
    assert binomial_probability(3, 2, 0.5) == 0


def test_its_observation_is_plain_json_and_hides_the_other_hand():
    observation = observe(SIX_NIMMT, at_a_turn([[10], [20], [30], [40]], [(11, 1), (22, 2)]), 0)
    assert observation.seat == 0
    assert observation.state["players"][1]["hand"] == {"hidden": 2}
    assert observation.state["players"][0]["hand"] == [1, 11]
    assert type(observation.choices[0]["schema"]["oneOf"]) is list
