"""Ways to a moment of a game that leave HTTP out: for what comes before the thing that a test is about."""

from __future__ import annotations

import random

from events.games.command_handler import CommandHandler
from events.games.commands import AnswerChoice
from games.kernel import pending_choices
from tests.service.players import LONGEST, Line, Player, Table, fitting, full_table

GAMES = 50


def play_on(games: CommandHandler, table: Table, moves: int = LONGEST, until: str | None = None) -> Player | None:
    """Play so many moves, to the end, or until somebody is asked something with a word in it: then give who."""
    chance = random.Random(f"play on from {games.read(table.game).game.number}")
    for _ in range(moves):
        rulebook, state, _ = games.read(table.game)
        asked = pending_choices(rulebook, state)
        if not asked:
            return None
        for question in asked:
            if until is not None and until in question.choice.prompt_text:
                return next(player for player in table.players if player.seat == question.seat)
        answer = fitting(asked[0].choice.schema(), chance)
        games.handle(table.game, AnswerChoice(asked[0].seat, asked[0].id, answer["move"], answer["args"]))
    assert moves < LONGEST, "the game does not end"
    return None


def asked_for(word: str, games: CommandHandler, line: Line, **more: object) -> Player:
    """Play games until somebody is asked something with a word in it; give who."""
    for _ in range(GAMES):
        player = play_on(games, full_table(line, **more), until=word)
        if player is not None:
            return player
    raise AssertionError(f"in {GAMES} games nobody is asked “{word}”")
