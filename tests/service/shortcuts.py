"""Play games without HTTP, up to the point that a test is about."""

from __future__ import annotations

import random

from events.games.command_handler import CommandHandler
from events.games.commands import AnswerChoice
from games.kernel import pending_choices
from tests.service.players import MAX_MOVES, Player, Table, Transport, full_table, matching_value

GAMES = 50


def play_on(games: CommandHandler, table: Table, moves: int = MAX_MOVES, until: str | None = None) -> Player | None:
    """Play so many moves, to the end, or until a prompt has a word in it: return the player who has that choice."""
    chance = random.Random(f"play on from {games.read(table.game).game.number}")
    for _ in range(moves):
        rulebook, state, _ = games.read(table.game)
        pending = pending_choices(rulebook, state)
        if not pending:
            return None
        for choice in pending:
            if until is not None and until in choice.choice.prompt_text:
                return next(player for player in table.players if player.seat == choice.seat)
        answer = matching_value(pending[0].choice.schema(), chance)
        games.handle(table.game, AnswerChoice(pending[0].seat, pending[0].id, answer["move"], answer["args"]))
    assert moves < MAX_MOVES, "the game does not end"
    return None


def player_with_choice(word: str, games: CommandHandler, api: Transport, **more: object) -> Player:
    """Play games until a prompt has a word in it: return the player who has that choice."""
    for _ in range(GAMES):
        player = play_on(games, full_table(api, **more), until=word)
        if player is not None:
            return player
    raise AssertionError(f"in {GAMES} games no prompt has “{word}”")
