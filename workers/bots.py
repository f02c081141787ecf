"""Bots: play the seats that were given to one, through the same commands as everybody else."""

from __future__ import annotations

import secrets

from events.games import Games
from games.kernel import Chance, Illegal, bot_sight, bots_to_move

MOST_ANSWERS = 1000
"""So many answers of bots at a time; the alarm of a game in which they are to move brings the worker back."""


def play(games: Games, game: str) -> int:
    """Answer for every bot that is asked something, until none is; give the number of answers."""
    answers = 0
    while answers < MOST_ANSWERS:
        rulebook, state, _ = games.read(game)
        seats = bots_to_move(state)
        if not seats:
            break
        for seat in seats:
            if seat not in bots_to_move(state):
                continue
            bot = rulebook.bots[state.lobby.seatings[seat].bot or rulebook.best_bot]
            command = bot(bot_sight(rulebook, state, seat), Chance(secrets.token_hex(16), state.number))
            try:
                state = games.answer(game, seat, command.choice, command.move, command.args).current.game
            except Illegal:
                break  # the game went on meanwhile, or a check refused: look again
            finally:
                answers += 1
    return answers
