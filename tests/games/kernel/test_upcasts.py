"""A fact that changed is read from older logs in today's form, and the log is never edited.

A small rulebook in its third edition. In the first, a card was `taken` by its name alone; in the second, `card_taken`
told the pile as well; since the third the pile is counted from 1. Each change has an upcast.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from events.records.audit import audit
from events.records.record import read_record, write_record
from events.store import chain
from events.store.log_store import Entry
from games.kernel import (
    Clock,
    Everyone,
    Fact,
    Finished,
    GameSetup,
    OneOf,
    Outcome,
    Record,
    Rulebook,
    Seat,
    Table,
    Transition,
    answer,
    choose,
    create,
    fold,
    move,
    msg,
    pending_choices,
    rank_seats,
    rule,
    take_seat,
    together,
)
from tests.games.kernel.rulebooks.scene import Options

Json = dict[str, Any]


class CardTaken(Fact, frozen=True):
    """A seat took a card from a pile, counted from 1."""

    seat: Everyone[Seat]
    card: Everyone[str]
    pile: Everyone[int]
    counted_from: Everyone[int] = 0


class Counted(Fact, frozen=True):
    """The cards were counted: a fact that waits in the flow until then."""

    last: Everyone[str]


class State(Record, frozen=True):
    """Who took what, and from which pile."""

    taken: Everyone[tuple[tuple[Seat, str, int], ...]] = ()
    last: Everyone[str] = ""


def evolve(state: State, fact: Fact) -> State:
    match fact:
        case CardTaken(seat, card, pile):
            return replace(state, taken=(*state.taken, (seat, card, pile)))
        case Counted(last):
            return replace(state, last=last)
    raise TypeError(f"not a fact of this game: {fact}")


class Piles(Table[State]):
    """Three piles."""


@rule
def begin(table: Piles) -> Outcome:
    """Everybody takes a card; then they are counted."""
    return together(*(take().by(seat) for seat in range(len(table.session.seats)))), Counted("ace"), end()


@rule
def take(table: Piles) -> Outcome:
    """A card from the top of a pile."""
    return choose(msg("Take a card."), take_from.offer(pile=OneOf((1, 2, 3))))


@move(title="Take from", help="Take from.", args={"pile": "Pile"})
def take_from(table: Piles, pile: int) -> Outcome:
    """It lies open."""
    return CardTaken(table.seat, "ace", pile, 1)


@rule
def end(table: Piles) -> Outcome:
    """All win."""
    return Finished((0, 0), rank_seats((0, 0)))


def with_a_pile(taken: Json) -> Json:
    """Edition 1 to 2: `taken` became `card_taken`; every card came from the only pile, number 0."""
    return {"type": "card_taken", "seat": taken["seat"], "card": taken["name"], "pile": 0}


def counted_from_one(taken: Json) -> Json:
    """Edition 2 to 3: piles are counted from 1. A fact that is counted so already stays as it is."""
    if taken.get("counted_from") == 1:
        return taken
    return taken | {"pile": taken["pile"] + 1, "counted_from": 1}


def renamed(tally: Json) -> Json:
    """Edition 2 to 3: `tallied` became `counted`."""
    return {"type": "counted", "last": tally["last"]}


def rulebook(folder: Path, **more: Any) -> Rulebook[State]:
    names = folder / "rule_names.txt"
    names.write_text("begin\ntake\ntake_from\nend\n")
    return Rulebook(
        id="piles",
        edition=3,
        names={"en": "Piles", "fr": "Piles"},
        seats=range(2, 3),
        options=Options,
        initial_state=lambda options, seats: State(),
        initial_effect=begin(),
        table=Piles,
        state=State,
        facts=(CardTaken, Counted),
        evolve=evolve,
        rules=(sys.modules[__name__],),
        rule_names=names,
        **more,
    )


UPCASTS = {"taken": with_a_pile, "card_taken": counted_from_one, "tallied": renamed}


@pytest.fixture
def piles(tmp_path: Path) -> Rulebook[State]:
    return rulebook(tmp_path, upcasts=UPCASTS)


def played(piles: Rulebook[State]) -> list[Transition]:
    steps = [create(piles, GameSetup(2), {}, Clock(), "seed", 0)]
    for seat in range(2):
        steps.append(take_seat(piles, steps[-1].game, seat, f"person {seat}", 0))
    for seat in range(2):
        asked = pending_choices(piles, steps[-1].game, seat)[0]
        steps.append(answer(piles, steps[-1].game, seat, asked.id, "take_from", {"pile": 1}, 5))
    return steps


def as_of_edition(edition: int, decision: bytes) -> bytes:
    """The bytes that an older edition wrote of the same decision."""
    told = msgspec.json.decode(decision)

    def older(value: Any) -> Any:
        if isinstance(value, list):
            return [older(inner) for inner in value]
        if not isinstance(value, dict):
            return value
        match value:
            case {"type": "card_taken", "seat": seat, "card": card, "pile": pile}:
                if edition == 1:
                    return {"type": "taken", "seat": seat, "name": card}
                return {"type": "card_taken", "seat": seat, "card": card, "pile": pile - 1}
            case {"type": "counted", "last": last}:
                return {"type": "tallied", "last": last}
            case {"type": "created"}:
                return value | {"edition": edition}
        return {name: older(inner) for name, inner in value.items()}

    return msgspec.json.encode(older(told))


@pytest.mark.parametrize("edition", [1, 2])
def test_an_older_log_is_read_and_folded_as_if_it_had_been_written_today(piles: Rulebook[State], edition: int):
    steps = played(piles)
    game = None
    for step in steps:
        old = as_of_edition(edition, piles.encode(step.decision))
        decision = piles.decode(old)
        if game is not None:  # the first tells its edition
            assert decision.facts == step.decision.facts
        game = fold(piles, game, decision)
    assert game is not None
    assert game.state == steps[-1].game.state == State(((0, "ace", 1), (1, "ace", 1)), "ace")


def test_a_fact_that_waits_in_the_flow_is_converted_too(piles: Rulebook[State]):
    started = played(piles)[2].decision
    old = as_of_edition(2, piles.encode(started))
    assert b'"tallied"' in old
    assert piles.decode(old).flow == started.flow


def test_a_snapshot_with_an_older_fact_in_its_flow_is_converted_too(piles: Rulebook[State]):
    game = played(piles)[2].game
    old = piles.encode_game(game).replace(b'"type":"counted"', b'"type":"tallied"')
    assert b'"tallied"' in old
    assert piles.decode_game(old) == game


def test_what_is_written_today_is_read_as_it_is(piles: Rulebook[State]):
    for step in played(piles):
        assert piles.decode(piles.encode(step.decision)) == step.decision


def test_without_its_upcast_an_older_fact_cannot_be_read(tmp_path: Path):
    today = rulebook(tmp_path)
    old = as_of_edition(1, today.encode(played(today)[-1].decision))
    with pytest.raises(msgspec.ValidationError, match="taken"):
        today.decode(old)


def test_the_record_of_an_older_game_keeps_its_bytes_and_stays_valid(piles: Rulebook[State]):
    """Hashes are of what was written; only what is read of it is lifted."""
    game, entries, head = None, [], chain.genesis_hash("0123456789abcdef")
    for number, step in enumerate(played(piles), 1):
        stored = as_of_edition(1, piles.encode(step.decision))
        head = chain.next_hash(head, stored)
        entries.append(Entry(number, stored, head))
        game = fold(piles, game, piles.decode(stored))
    assert game is not None
    lines = list(write_record("0123456789abcdef", game, entries))
    assert read_record(lines).entries == entries
    report = audit((line.removesuffix(b"\n") for line in lines), {"piles": piles})
    assert report.failure is None
    outcomes = {check.name: check.outcome for check in report.checks}
    assert (outcomes["result"], outcomes["answers"], outcomes["draws"]) == ("passed", "not made", "not made")
