"""Millennium Blades: whole games of random moves, and tournaments of random decks, with every card accounted for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.kernel import Chance, Clock, Game, Transition, choices_view, event_view, fold, state_view
from games.kernel.execution.flow import new_interpreter
from games.millennium_blades import MILLENNIUM_BLADES
from games.millennium_blades.board.view import board_view
from games.millennium_blades.cards import SCRIPTS
from games.millennium_blades.catalogue import IMPLEMENTED_SETS, kind, set_cards
from games.millennium_blades.constants import SELL_MARKERS
from games.millennium_blades.game_flow import score_game
from games.millennium_blades.state import AftermarketCard, State
from games.millennium_blades.tournament.turns import tournament
from tests.properties.test_secrecy import check_secrecy
from tests.rulebooks.millennium_blades import MILLENNIUM_BLADES as DESCRIPTION
from tests.rulebooks.millennium_blades import VARIANTS, cards
from tests.rulebooks.millennium_blades_client import fold as client_fold
from tests.rulebooks.play import opening, play_at_random

GAMES = 16
MANY_GAMES = 60
TOURNAMENTS = 24
MANY_TOURNAMENTS = 100
MAX_CHOICE_BYTES = 16 * 1024


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_end_with_every_card_marker_and_dollar_accounted_for(variant: str):
    play_games(variant, range(GAMES))


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS)
def test_many_games_end_with_every_card_marker_and_dollar_accounted_for(variant: str):
    play_games(variant, range(GAMES, MANY_GAMES))


def play_games(variant: str, numbers: range) -> None:
    for number in numbers:
        seats = 2 + number % 4
        clock = Clock(factor=number % 2)
        steps = opening(MILLENNIUM_BLADES, seats, VARIANTS[variant], f"{variant} {number}", clock)
        game = steps[-1].game
        table: Any = game.state
        everything = sorted(cards(table))
        for step in play_at_random(MILLENNIUM_BLADES, game, f"{variant} {number}"):
            assert fold(MILLENNIUM_BLADES, game, step.decision) == step.game
            game, table = step.game, step.game.state
            assert sorted(cards(table)) == everything
            check_counters(table)
        assert game.session.result is not None
        assert table.tournament == 3


def check_counters(table: State) -> None:
    """Dollars and reputation are never negative; every marker is free, on the Aftermarket, or beside a fusion deck."""
    markers = SELL_MARKERS[str(len(table.players))]
    on_sale = Counter(entry.seller for entry in table.aftermarket)
    for player in table.players:
        assert player.dollars >= 0
        assert player.points >= 0
        if table.window:
            assert player.sell_markers + len(player.fused_tiers) + on_sale[player.seat] == markers
    assert len(table.effect_stack) == 0 or table.phase in ("tournament", "scoring")


def test_tournaments_of_random_decks_end_and_a_client_follows_them():
    assert len(play_tournaments(range(TOURNAMENTS))) > len(SCRIPTS) / 2


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_many_tournaments_of_random_decks_end_and_a_client_follows_them(part: int):
    assert len(play_tournaments(range(TOURNAMENTS + part, MANY_TOURNAMENTS, 4))) > len(SCRIPTS) / 2


def play_tournaments(numbers: range) -> set[tuple[int, int]]:
    """Play tournaments with checks of a client and of secrecy; return the effects that were used."""
    used: set[tuple[int, int]] = set()
    for number in numbers:
        seats = 2 + number % 4
        game = about_to_play(seats, number)
        viewer = number % (seats + 1) - 1
        table, chance = view(game, None if viewer < 0 else viewer), Chance(f"mixed {number}", 0)
        for step in play_at_random(MILLENNIUM_BLADES, game, f"tournament {number}"):
            for fact in visible_facts(step, None if viewer < 0 else viewer):
                table = client_fold(table, fact, viewer) if fact["type"] != "finished" else table
            assert table == view(step.game, None if viewer < 0 else viewer)
            check_secrecy(DESCRIPTION, MILLENNIUM_BLADES, step, None if viewer < 0 else viewer, chance)
            assert MILLENNIUM_BLADES.decode_game(MILLENNIUM_BLADES.encode_game(step.game)) == step.game
            used.update(
                (fact.design, fact.index) for fact in step.decision.facts if type(fact).__name__ == "EffectBegun"
            )
    return used


def about_to_play(seats: int, number: int) -> Game[Any, Any]:
    """Return a game in which all are about to play a tournament with decks of every card there is."""
    options = {"powers": number % 8 < 4}
    game = opening(MILLENNIUM_BLADES, seats, options, f"deck {number}", Clock(factor=0))[-1].game
    pool = Chance(f"pool {number}", 0).shuffled([card for card_set in IMPLEMENTED_SETS for card in set_cards(card_set)])
    kinds = {name: [card for card in pool if kind(card) == name] for name in ("single", "accessory", "deck_box")}
    table: Any = game.state
    players = tuple(
        replace(player, binder=(), dollars=10, deck=tuple(_some(kinds, single=8, accessory=3, deck_box=1)))
        for player in table.players
    )
    rest = tuple(card for cards in kinds.values() for card in cards)
    state = replace(
        table, players=players, window=0, store=(), discard=(), store_deck=rest[8:], metas=("fire", "mage"),
        aftermarket=tuple(map(AftermarketCard, rest[:8])),
        fusion_decks=tuple(replace(deck, cards=()) for deck in table.fusion_decks),
        prize_decks=tuple(replace(deck, cards=()) for deck in table.prize_decks),
    )  # fmt: skip
    interpreter = new_interpreter(MILLENNIUM_BLADES, replace(game, state=state, flow=()), 0)
    interpreter.resume((), (score_game(), tournament()))
    return replace(game, state=interpreter.state, flow=interpreter.flow, last_choice=interpreter.last_choice)


def _some(kinds: dict[str, list[int]], **numbers: int) -> Iterator[int]:
    for name, number in numbers.items():
        for _ in range(number):
            yield kinds[name].pop()


def view(game: Game[Any, Any], viewer: int | None) -> Any:
    return json.loads(msgspec.json.encode(state_view(MILLENNIUM_BLADES, game, viewer)))


def visible_facts(step: Transition, viewer: int | None) -> list[Any]:
    facts: list[Any] = json.loads(msgspec.json.encode(event_view(MILLENNIUM_BLADES, step.decision, viewer)))["facts"]
    return facts


def test_the_moves_of_a_seat_with_sixty_cards_stay_small_enough_to_read():
    game = opening(MILLENNIUM_BLADES, 5, {"powers": True}, "busy")[-1].game
    pool = [card for card_set in IMPLEMENTED_SETS for card in set_cards(card_set)]
    players = tuple(replace(player, binder=tuple(pool[:60]), dollars=60) for player in game.state.players)
    busy = replace(
        game, state=replace(game.state, players=players, aftermarket=tuple(map(AftermarketCard, pool[60:90])))
    )
    for seat in range(5):
        assert len(msgspec.json.encode(choices_view(MILLENNIUM_BLADES, busy, seat))) <= MAX_CHOICE_BYTES


def test_a_cached_board_equals_a_new_one():
    game = about_to_play(3, 0)
    for step in play_at_random(MILLENNIUM_BLADES, game, "board"):
        players = step.game.state.players
        cached = board_view(players)
        assert board_view(players) is cached
        assert board_view(tuple(replace(player) for player in players)).by_card == cached.by_card
