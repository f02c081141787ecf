"""`python -m bench.log_dictionary`: train the dictionary that packs the logs of finished games.

It plays games of every rulebook with bots, from fixed seeds, and writes `events/store/log_codec-<n>.dict`. A dictionary
that has packed a log anywhere must never change: once games are stored, raise `CURRENT_DICTIONARY` first.
"""

import sys
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import zstandard

from events.store.log_codec import CURRENT_DICTIONARY, LEVEL, split
from games.kernel import (
    Chance,
    Clock,
    Decision,
    GameSetup,
    Rulebook,
    answer,
    bots_to_move,
    create,
    observe,
    seed_commitment,
    take_seat,
)
from games.rulebooks import RULEBOOKS

BYTES = 16 * 1024
GAMES = {"six-nimmt": 30, "vale-of-eternity": 15}
OTHER_GAMES = 10
"""How many games are played with each number of seats: more of those whose logs are short."""
SEATS = (2, 3, 4)
STEPS = 12
"""How many parameters the training tries; more take longer and bring little."""
MILLISECONDS = 1_790_000_000_000
"""When the first game begins; each answer comes a little later than the one before."""


def main() -> None:
    """Play the games, train the dictionary and write it."""
    samples: list[bytes | bytearray | memoryview[int]] = [
        split(rulebook.encode(decision) for decision in play(rulebook, seats, f"{rulebook.id} {seats} {number}"))
        for rulebook in RULEBOOKS.values()
        for seats in SEATS
        for number in range(GAMES.get(rulebook.id, OTHER_GAMES))
    ]
    trained = zstandard.train_dictionary(BYTES, samples, k=0, d=8, steps=STEPS, threads=-1, level=LEVEL)
    name = f"log_codec-{CURRENT_DICTIONARY}.dict"
    files("events.store").joinpath(name).write_bytes(trained.as_bytes())  # type: ignore[attr-defined] # a checkout is a folder
    sys.stdout.write(f"{name}: {len(samples)} games, {sum(map(len, samples)):,} bytes\n")


def play(rulebook: Rulebook[Any], seats: int, seed: str) -> Iterator[Decision[Any]]:
    """Play a game to its end with the rulebook's best bot in every seat; yield its decisions."""
    chance = Chance(f"{seed}/bots", 0)
    secret, now = seed_commitment(seed), MILLISECONDS
    transition = create(rulebook, GameSetup(seats), {}, Clock(), secret, now)
    yield transition.decision
    for seat in range(seats):
        person = seed_commitment(f"{seed} {seat}")
        transition = take_seat(rulebook, transition.game, seat, person, now, rulebook.best_bot)
        yield transition.decision
    while seats_to_move := bots_to_move(transition.game):
        now += 1 + chance.randbelow(2_000)
        seat = chance.choice(seats_to_move)
        bot = rulebook.bots[rulebook.best_bot]
        choice, move, args = bot(observe(rulebook, transition.game, seat), chance)
        transition = answer(rulebook, transition.game, seat, choice, move, args, now)
        yield transition.decision


if __name__ == "__main__":
    main()
