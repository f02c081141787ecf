"""Millennium Blades: the steady bot."""

from __future__ import annotations

from typing import Any

import pytest

from games.kernel import Chance, Clock, observe
from games.millennium_blades import MILLENNIUM_BLADES
from games.millennium_blades.bot import best_collection, best_deck, steady_bot
from games.millennium_blades.bot_values import LOSES_ITS_WORTH, WORTH
from games.millennium_blades.cards import SCRIPTS
from games.millennium_blades.catalogue import DESIGNS, NUMBERS, design_number, kind, stars, starter_deck
from tests.games.kernel.driver import GameDriver
from tests.rulebooks.millennium_blades import VARIANTS
from tests.rulebooks.play import opening, play_by_bots

UNTIMED = Clock(factor=0)


def wins(games: int) -> int:
    """Count the games that the steady bot wins alone against three random players."""
    won = 0
    for number in range(games):
        seat, seed = number % 4, f"steady, game {number}"
        game = opening(MILLENNIUM_BLADES, 4, {}, seed, UNTIMED)[-1].game
        for step in play_by_bots(MILLENNIUM_BLADES, game, seed, {seat: "steady"}):
            game = step.game
        assert game.session.result is not None
        won += game.session.result.places[seat] == 1 and game.session.result.places.count(1) == 1
    return won


def test_it_wins_all_of_the_first_20_games_against_three_random_players():
    assert wins(20) == 20


@pytest.mark.soak
def test_it_wins_at_least_80_of_100_games_against_three_random_players():
    assert wins(100) >= 80


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("seats", "factor"), [(2, 1), (3, 0), (5, 1)])
def test_it_plays_every_variant_to_the_end(variant: str, seats: int, factor: int):
    game = opening(MILLENNIUM_BLADES, seats, VARIANTS[variant], "steady everywhere", Clock(factor=factor))[-1].game
    bots = dict.fromkeys(range(seats), "steady")
    *_, last = play_by_bots(MILLENNIUM_BLADES, game, "steady everywhere", bots)
    assert last.game.session.status == "finished"


def test_it_builds_a_legal_deck_of_its_best_cards_and_the_largest_collection_of_the_rest():
    cards = (*starter_deck("chateau-helbane"), *starter_deck("bluelake-village"), *starter_deck("saints-of-whiteholme"))
    deck = best_deck(cards)
    kinds = [kind(card) for card in deck]
    assert (kinds.count("single"), kinds.count("accessory"), kinds.count("deck_box")) == (8, 1, 1)
    assert len({design_number(card) for card in deck}) == len(deck)
    collection = best_collection(card for card in cards if card not in deck)
    shared = set.intersection(
        *({*DESIGNS[design_number(card)].elements, *DESIGNS[design_number(card)].types} for card in collection)
    )
    assert shared
    assert len({stars(card) for card in collection}) == len(collection) >= 3


def test_it_sells_builds_and_collects_before_it_is_ready() -> None:
    driver = GameDriver(MILLENNIUM_BLADES, 2, {}, UNTIMED, stored=False)
    moves: list[str] = []
    while not moves or moves[-1] != "ready":
        command = steady_bot(observe(MILLENNIUM_BLADES, driver.game, 0), Chance("none", 0))
        driver.send(0, *command)
        moves.append(command.move)
    table: Any = driver.game.state
    player = table.players[0]
    assert len([card for card in player.deck if kind(card) == "single"]) == 8
    assert len(player.collection) >= 2
    assert "sell" in moves


def test_it_values_only_cards_that_are_implemented():
    written = {name for name, number in NUMBERS.items() if number in SCRIPTS}
    assert written >= set(WORTH)
    assert written >= LOSES_ITS_WORTH
