"""Ways to a moment of a game that leave HTTP out: for what comes before the thing that a test is about."""

from __future__ import annotations

import random

from events.games.commands import Games
from games.kernel import questions
from tests.service.players import LONGEST, Line, Player, Table, fitting, full_table

GAMES = 50


def play_on(games: Games, table: Table, moves: int = LONGEST, until: str | None = None) -> Player | None:
    """Play so many moves, to the end, or until somebody is asked something with a word in it: then give who."""
    chance = random.Random(f"play on from {games.read(table.game).game.number}")
    for _ in range(moves):
        rulebook, state, _ = games.read(table.game)
        asked = questions(rulebook, state)
        if not asked:
            return None
        for question in asked:
            if until is not None and until in question.asks.prompt:
                return next(player for player in table.players if player.seat == question.seat)
        answer = fitting(asked[0].asks.schema(), chance)
        games.answer(table.game, asked[0].seat, asked[0].choice, answer["move"], answer["args"])
    assert moves < LONGEST, "the game does not end"
    return None


def asked_for(word: str, games: Games, line: Line, **more: object) -> Player:
    """Play games until somebody is asked something with a word in it; give who."""
    for _ in range(GAMES):
        player = play_on(games, full_table(line, **more), until=word)
        if player is not None:
            return player
    raise AssertionError(f"in {GAMES} games nobody is asked “{word}”")
