"""Re-execution: every command and answer is decided again to the byte, from who decided what, and when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from games.kernel import (
    Clock,
    GameSetup,
    Refusal,
    Transition,
    answer,
    close,
    compensate_downtime,
    concede,
    create,
    fire_timers,
    leave_seat,
    next_alarm,
    pending_choices,
    request_pause,
    reveal_seed,
    seat_bot,
    seed_commitment,
    start,
    take_seat,
)
from games.kernel.execution.reexecute import ImpossibleDecision, reexecute
from games.kernel.language.fields import OneOf
from games.six_nimmt import SIX_NIMMT

OF_HOST = GameSetup(3, start="host")
WHEN_FULL = GameSetup(3)


class Table:
    """A game of 6 nimmt! that is played step by step."""

    def __init__(self, seats: GameSetup, clock: Clock | None = None) -> None:
        self.steps = [create(SIX_NIMMT, seats, {}, clock or Clock(), "seed", 0)]

    def do(self, command: Any, *args: Any, **more: Any) -> None:
        self.steps.append(command(SIX_NIMMT, self.steps[-1].game, *args, **more))

    def sit(self, *seats: int) -> None:
        for seat in seats:
            self.do(take_seat, seat, f"person {seat}", 10)

    def lay(self, seat: int, now: int) -> None:
        pending = pending_choices(SIX_NIMMT, self.steps[-1].game, seat)[0]
        offer = pending.choice.offers[0]
        args = {name: field.options[0] for name, field in offer.fields.items() if isinstance(field, OneOf)}
        self.do(answer, seat, pending.id, offer.move, args, now)

    def ring(self) -> None:
        self.do(fire_timers, next_alarm(self.steps[-1].game) or 0)


def before_the_start() -> Table:
    table = Table(OF_HOST)
    table.sit(0, 1, 2)
    table.do(leave_seat, 1, 20)
    table.do(take_seat, None, "a bot", 30, bot="steady")
    table.do(seat_bot, 2, "random", 35, "host")
    table.do(start, 40)
    table.do(seat_bot, 2, None, 50)
    table.lay(1, 60)
    table.do(request_pause, 0, 70)
    table.do(request_pause, 2, 80)
    table.do(request_pause, 0, 90)
    table.do(request_pause, 2, 100)
    table.do(compensate_downtime, 30, 105)
    table.do(concede, 0, 110)
    table.do(concede, 2, 120)
    return table


def closed() -> Table:
    table = Table(OF_HOST)
    table.sit(0)
    table.do(close, 20)
    return table


def parts_of_the_seed() -> Table:
    table = Table(WHEN_FULL)
    table.do(take_seat, 0, "Ana", 10, commitment=seed_commitment("of Ana"))
    table.do(take_seat, 1, "Ben", 10, commitment=seed_commitment("of Ben"))
    table.sit(2)
    table.do(reveal_seed, 0, "of Ana", 20)
    table.ring()  # Ben does not open his
    return table


def silent(on_timeout: Any) -> Table:
    table = Table(WHEN_FULL, Clock(seconds_per_choice=5, bank=2, increment=1, on_timeout=on_timeout))
    table.sit(0, 1, 2)
    table.lay(0, 3000)
    table.lay(1, 6500)
    timers_fired = 0
    while next_alarm(table.steps[-1].game) is not None and timers_fired < 3:
        table.ring()
        timers_fired += 1
    return table


TABLES = {
    "before_the_start": before_the_start,
    "closed": closed,
    "parts of the seed": parts_of_the_seed,
    "silent, answered": lambda: silent("answer"),
    "silent, a bot": lambda: silent("bot"),
    "silent, conceded": lambda: silent("concede"),
}


def pairs(steps: list[Transition]) -> Iterator[tuple[Any, Transition]]:
    return zip([None, *(step.game for step in steps)], steps, strict=False)


@pytest.mark.parametrize("name", TABLES)
def test_every_step_is_decided_again_to_the_byte(name: str):
    for before, step in pairs(TABLES[name]().steps):
        stored = SIX_NIMMT.encode(step.decision)
        again = reexecute(SIX_NIMMT, before, SIX_NIMMT.decode(stored))
        assert SIX_NIMMT.encode(again.decision) == stored
        assert again.game == step.game


def test_nobody_but_its_player_and_the_host_gives_a_seat_to_a_bot():
    steps = before_the_start().steps
    at = next(place for place, step in enumerate(steps) if step.decision.move == "seat_bot")
    with pytest.raises(ImpossibleDecision, match="only the host or the player of a seat"):
        reexecute(SIX_NIMMT, steps[at - 1].game, replace(steps[at].decision, by=0))


def test_a_seat_does_not_start_a_game_or_close_it():
    for steps, move in ((before_the_start().steps, "start"), (closed().steps, "close")):
        at = next(place for place, step in enumerate(steps) if step.decision.move == move)
        forged = replace(steps[at].decision, by=0)
        assert reexecute(SIX_NIMMT, steps[at - 1].game, forged).decision != forged


def test_a_command_that_is_refused_is_refused_again():
    steps = before_the_start().steps
    forged = replace(steps[-1].decision, move="take_seat", facts=steps[1].decision.facts)
    with pytest.raises(Refusal, match="has started"):
        reexecute(SIX_NIMMT, steps[-2].game, forged)


def test_a_decision_that_begins_with_another_fact_is_none():
    steps = before_the_start().steps
    with pytest.raises(ImpossibleDecision, match="take_seat begins with another fact"):
        reexecute(SIX_NIMMT, steps[0].game, replace(steps[1].decision, facts=()))
