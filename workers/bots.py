"""Bots: play the seats that are assigned to them, through the same commands as everybody else."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable

from events.games.command_handler import CommandHandler
from events.games.commands import AnswerChoice
from events.games.repository import GameNotFound
from games.kernel import Chance, Refusal, bots_to_move, observe
from workers.resources import Resources
from workers.retries import for_each_game

TIME_SLICE_SECONDS = 0.1
"""Bots play at most this long at a time, in all games together, because alarms that fall due meanwhile must wait."""


def run_slice(resources: Resources, games: Iterable[str]) -> None:
    """Let bots answer in some games, for one time slice. Where a bot is still to move, set the alarm to be due at once.

    Games that had no turn in this slice, and clocks that are due, come before games in which bots have just played.
    """
    deadline, now = resources.monotonic() + TIME_SLICE_SECONDS, resources.clock()

    def play_on(game: str) -> None:
        has_turn = resources.monotonic() < deadline
        try:
            if not play(resources.games, game, deadline, resources.monotonic):
                resources.store.set_alarm(game, now + has_turn)
        except GameNotFound:
            return

    for_each_game(resources, games, play_on, "play")


def play(games: CommandHandler, game: str, deadline: float, monotonic: Callable[[], float] = time.monotonic) -> bool:
    """Answer for bots until none has a choice to make (True) or until `deadline`, in monotonic seconds (False)."""
    while True:
        rulebook, state, _ = games.read(game)
        seats = bots_to_move(state)
        if not seats:
            return True
        for seat in seats:
            if monotonic() >= deadline:
                return False
            if seat not in bots_to_move(state):
                continue
            bot = rulebook.bots[state.session.seats[seat].bot or rulebook.best_bot]
            answer = bot(observe(rulebook, state, seat), Chance(secrets.token_hex(16), state.number))
            try:
                state = games.handle(
                    game, AnswerChoice(seat, answer.choice, answer.move, answer.args, by_bot=True)
                ).current.game
            except Refusal:
                break  # the game went on meanwhile, or a constraint refused the answer: read the game again
