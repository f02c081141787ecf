"""What a command may cost, counted and never timed: trips to the store, questions to the rules, encodings, bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from flask import Flask
from redis import Redis

from bench.command import WATCHED, send
from bench.harness.random_games import play_random_game
from bench.harness.scripts import Script, open_games, script
from events.games.command_handler import CommandHandler
from events.settings import Settings
from events.store.archiving_store import ArchivingStore
from events.store.connection import connect
from events.store.log_store import LogStore
from events.store.pipeline import PipelinedConnection
from games.kernel import Rulebook, answer, fold, pending_choices
from games.kernel.execution.flow import Interpreter
from games.rulebooks import RULEBOOKS
from service.app import build_app
from service.context import Services
from service.http import endpoint, responses
from service.http.auth import Tokens
from tests.events.playing import run_concurrently

SIX_NIMMT = RULEBOOKS["six-nimmt"]
TOKENS = Tokens("a secret of tests")
COMMANDS = 40


class Counted:
    """Counts calls of functions, by a name of one's own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self.calls: Counter[str] = Counter()

    def watch(self, name: str, owner: Any, function: str) -> None:
        called = getattr(owner, function)

        def counting(*args: Any, **kwargs: Any) -> Any:
            self.calls[name] += 1
            return called(*args, **kwargs)

        self._monkeypatch.setattr(owner, function, counting)

    def of(self, work: Callable[[], object]) -> Counter[str]:
        """How often each was called meanwhile."""
        before = self.calls.copy()
        work()
        return self.calls - before


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    counting = Counted(monkeypatch)
    counting.watch("trips on the line", PipelinedConnection, "call_all")
    counting.watch("trips of the client", Redis, "execute_command")
    counting.watch("appends", LogStore, "append_all")
    counting.watch("asked", Interpreter, "evaluate")
    counting.watch("decisions encoded", Rulebook, "encode")
    counting.watch("answers encoded", responses, "encode")
    counting.watch("loaded by a schema", endpoint, "_load")
    return counting


@pytest.fixture
def process(store_url: str) -> Iterator[Callable[[], Flask]]:
    """Makes apps that share nothing but the store, as processes do."""
    with connect(store_url) as client:
        yield lambda: build_app(Services(CommandHandler(ArchivingStore(client), RULEBOOKS), TOKENS), Settings())


@pytest.fixture
def game(store_url: str, request: pytest.FixtureRequest) -> Script:
    """A game of four seats that is ready to be played."""
    with connect(store_url) as client:
        open_games(CommandHandler(LogStore(client), RULEBOOKS), SIX_NIMMT, [request.node.name])
    return script(SIX_NIMMT, request.node.name, TOKENS, COMMANDS)


def requests(game: Script) -> list[bytes]:
    return [sent.request for wave in game.waves for sent in wave]


def test_an_accepted_command_costs_one_round_trip_one_encoding_each_way_and_no_schema(
    process: Callable[[], Flask], game: Script, counted: Counted
) -> None:
    app = process()
    first, *others = requests(game)
    send(app, first)
    for request in others:
        calls = counted.of(lambda request=request: send(app, request))  # type: ignore[misc]
        del calls["asked"]
        assert calls == {"trips on the line": 1, "appends": 1, "decisions encoded": 1, "answers encoded": 1}


def test_a_process_that_has_missed_something_needs_one_more_round_trip(
    process: Callable[[], Flask], game: Script, counted: Counted
) -> None:
    apps = process(), process()
    for place, request in enumerate(requests(game)):
        calls = counted.of(partial(send, apps[place % 2], request))
        if place > 1:
            assert (calls["trips on the line"], calls["trips of the client"]) == (2, 0)


def test_concurrent_commands_of_a_game_share_one_round_trip(store_url: str, game: Script, counted: Counted) -> None:
    with connect(store_url) as client:
        games = CommandHandler(ArchivingStore(client), RULEBOOKS, batch_timeout=60.0)
        app = build_app(Services(games, TOKENS), Settings())
        calls = [partial(send, app, sent.request) for sent in game.waves[0]]
        counts = counted.of(partial(run_concurrently, games, game.game, calls))
    assert (counts["appends"], counts["decisions encoded"]) == (1, 4)


def test_the_benchmark_of_a_command_times_functions_that_exist() -> None:
    assert [name for owner, name, _ in WATCHED if not callable(getattr(owner, name, None))] == []


# Questions to the rules.

ASKED_A_DECISION = {"six-nimmt": 7.6}
"""How often the body of a rule may be called for a decision, in the mean over a game of four seats."""


@pytest.mark.parametrize("rulebook", ASKED_A_DECISION)
def test_a_decision_does_not_evaluate_rules_more_often(rulebook: str, counted: Counted) -> None:
    rules = RULEBOOKS[rulebook]
    turns_played = play_random_game(rules, "costs", max_answers=200).turns

    def decide() -> None:
        for turn in turns_played:
            answer(rules, turn.game, turn.seat, turn.choice, turn.move, turn.args, 0)

    assert counted.of(decide)["asked"] / len(turns_played) <= ASKED_A_DECISION[rulebook]


def test_the_first_of_four_answers_evaluates_rules_five_times(counted: Counted) -> None:
    turn = next(
        turn
        for turn in play_random_game(SIX_NIMMT, "costs", max_answers=20).turns
        if len(pending_choices(SIX_NIMMT, turn.game)) == 4
    )

    def lay() -> None:
        answer(SIX_NIMMT, turn.game, turn.seat, turn.choice, turn.move, turn.args, 0)

    assert counted.of(lay)["asked"] == 1 + 1 + 3  # what it may lay, what laying does, whether the others still may


def test_only_the_choices_of_the_seat_are_computed_for_its_response(counted: Counted) -> None:
    turn = next(
        turn
        for turn in play_random_game(SIX_NIMMT, "costs", max_answers=20).turns
        if len(pending_choices(SIX_NIMMT, turn.game)) == 4
    )
    assert counted.of(lambda: pending_choices(SIX_NIMMT, turn.game, turn.seat))["asked"] == 1


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_folding_evaluates_no_rule(rulebook: str, counted: Counted) -> None:
    rules = RULEBOOKS[rulebook]
    decisions = play_random_game(rules, "costs", max_answers=100).decisions

    def fold_all() -> None:
        game = None
        for decision in decisions:
            game = fold(rules, game, rules.decode(rules.encode(decision)))

    assert counted.of(fold_all) == {"decisions encoded": len(decisions)}


# Bytes.

BYTES_A_DECISION = {"six-nimmt": 400, "vale-of-eternity": 600}


@pytest.mark.parametrize("rulebook", BYTES_A_DECISION)
def test_a_decision_takes_no_more_bytes_in_the_log(rulebook: str) -> None:
    rules = RULEBOOKS[rulebook]
    decisions = play_random_game(rules, "costs").decisions
    assert sum(len(rules.encode(decision)) for decision in decisions) / len(decisions) <= BYTES_A_DECISION[rulebook]


def test_a_decision_takes_as_many_bytes_late_in_a_game_as_early() -> None:
    decisions = play_random_game(SIX_NIMMT, "costs").decisions[6:]
    half = len(decisions) // 2
    early, late = (
        sum(len(SIX_NIMMT.encode(one)) for one in part) / half for part in (decisions[:half], decisions[-half:])
    )
    assert late < 1.2 * early
