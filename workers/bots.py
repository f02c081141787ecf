"""Bots: play the seats that are given to them, through the same commands as everybody else."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable

from events.games.commands import CommandHandler, now_ms
from events.games.repository import GameNotFound
from games.kernel import Chance, Refusal, bots_to_move, observe
from workers import resources
from workers.retries import for_each_game

TIME_SLICE_SECONDS = 0.1
"""The longest that bots play at a time, in all games together: whatever falls due meanwhile has to wait."""


def run_slice(games: Iterable[str]) -> None:
    """Let bots answer in some games, for a while. Where a bot is still to move, the alarm is set to ring again at once.

    Games whose turn did not come, and clocks that are due, ring before games in which bots have just played.
    """
    over_at, now = time.monotonic() + TIME_SLICE_SECONDS, now_ms()

    def play_on(game: str) -> None:
        has_turn = time.monotonic() < over_at
        try:
            if not play(resources.games(), game, over_at):
                resources.store().set_alarm(game, now + has_turn)
        except GameNotFound:
            return

    for_each_game(games, play_on, "play")


def play(games: CommandHandler, game: str, over_at: float) -> bool:
    """Answer for bots until none is asked anything (True) or until `over_at`, in monotonic seconds (False)."""
    while True:
        rulebook, state, _ = games.read(game)
        seats = bots_to_move(state)
        if not seats:
            return True
        for seat in seats:
            if time.monotonic() >= over_at:
                return False
            if seat not in bots_to_move(state):
                continue
            bot = rulebook.bots[state.session.seats[seat].bot or rulebook.best_bot]
            command = bot(observe(rulebook, state, seat), Chance(secrets.token_hex(16), state.number))
            try:
                state = games.answer(game, seat, command.choice, command.move, command.args).current.game
            except Refusal:
                break  # the game went on meanwhile, or a check refused: look again
