"""Whole games of The Vale of Eternity: they end, and never lose a card or exceed a limit.

`CROUPIER_RANDOM_GAMES` says how many are played at random; 60 without it. 2,000 take a minute or two.
"""

from __future__ import annotations

import os

import pytest

from games.kernel import Game
from games.vale_of_eternity import VALE_OF_ETERNITY
from games.vale_of_eternity.cards import SCRIPTS
from games.vale_of_eternity.catalogue import CARDS
from games.vale_of_eternity.facts import State
from games.vale_of_eternity.table import combined_modifiers
from tests.rulebooks.play import play_at_random, play_by_bots, started

GAMES = int(os.environ.get("CROUPIER_RANDOM_GAMES", "60"))
ALL_CARDS = sorted(CARDS)


def check_table(game: Game) -> None:
    """Check what must hold after every decision."""
    state = game.state
    assert isinstance(state, State)
    cards = [*state.board, *state.draw_pile, *state.discard_pile]
    for player in state.players:
        cards += player.hunted + player.hand + player.area
        assert player.points >= 0
        assert len(player.area) <= state.round
        scripts = tuple(SCRIPTS[card] for card in player.area)
        if len(player.stones) > 4 and len(player.stones) > combined_modifiers(scripts).stone_limit:
            pending = game.flow[-1]
            assert (pending.effect.rule, pending.effect.seat) == ("apply_stone_limit", player.seat)  # type: ignore[union-attr]
    assert sorted(cards) == ALL_CARDS


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_end_with_all_cards_no_points_below_zero_and_no_stones_above_the_limit(seats: int):
    for number in range(seats - 2, GAMES, 3):
        options = {"payments": "lenient"} if number % 5 == 0 else {}
        game = started(VALE_OF_ETERNITY, seats, options, f"game {number}")
        for step in play_at_random(VALE_OF_ETERNITY, game, f"player {number}"):
            game = step.game
            check_table(game)
        assert game.session.status == "finished"


def test_the_steady_bot_beats_the_random_one_in_four_games_of_five():
    wins = 0
    number = max(20, GAMES // 10)
    for seed in range(number):
        bots = {seed % 2: "steady"}
        game = started(VALE_OF_ETERNITY, 2, {}, f"game {seed}")
        for step in play_by_bots(VALE_OF_ETERNITY, game, f"bots {seed}", bots):
            game = step.game
        assert game.session.result is not None
        wins += game.session.result.places[seed % 2] < game.session.result.places[1 - seed % 2]
    assert wins >= 0.8 * number


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_steady_bots_play_whole_games_among_themselves(seats: int):
    game = started(VALE_OF_ETERNITY, seats, {}, "a")
    for step in play_by_bots(VALE_OF_ETERNITY, game, "a", dict.fromkeys(range(seats), "steady")):
        game = step.game
        check_table(game)
    assert game.session.result is not None
    assert max(game.session.result.points) > 30  # at random a seat gets about 12
