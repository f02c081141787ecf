"""Replay, for every rulebook: folding, storing and reading a log lead to the same game, and run no rule."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel import (
    Clock,
    Game,
    GameSetup,
    Rulebook,
    Viewer,
    answer,
    choices_view,
    create,
    derived_view,
    event_view,
    fold,
    pending_choices,
    state_view,
)
from games.kernel.language.moves import Rule
from games.rulebooks import RULEBOOKS
from games.six_nimmt import SIX_NIMMT
from tests.properties.positions import games, positions, whole_game
from tests.rulebooks import DESCRIBED

EVERY_RULEBOOK = pytest.mark.parametrize("rulebook", RULEBOOKS, scope="module")
SOMETIMES = settings(max_examples=25, deadline=None)
OFTEN = settings(max_examples=100, deadline=None)


def view_bytes(rulebook: Rulebook[Any], decision: Any, game: Game[Any, Any], viewer: Viewer) -> bytes:
    """Return what a viewer receives after a decision, as the bytes that are sent."""
    return msgspec.json.encode(
        [
            event_view(rulebook, decision, viewer),
            state_view(rulebook, game, viewer),
            derived_view(rulebook, game, viewer),
            choices_view(rulebook, game, viewer),
        ]
    )


@EVERY_RULEBOOK
@SOMETIMES
@given(data=st.data())
def test_reading_the_log_later_gives_what_was_received_live(rulebook: str, data: st.DataObject):
    description, steps = data.draw(games(rulebook))
    viewer = data.draw(st.sampled_from([None, *range(len(steps[0].game.session.seats))]))
    book = description.rulebook
    live = [view_bytes(book, step.decision, step.game, viewer) for step in steps]
    log = [book.encode(step.decision) for step in steps]
    game: Game[Any, Any] | None = None
    for stored, then in zip(log, live, strict=True):
        decision = book.decode(stored)
        game = fold(book, game, decision)
        assert view_bytes(book, decision, game, viewer) == then


@EVERY_RULEBOOK
@SOMETIMES
@given(data=st.data())
def test_a_client_that_folds_the_events_it_receives_reaches_the_view_of_the_server(rulebook: str, data: st.DataObject):
    description, steps = data.draw(games(rulebook))
    viewer = data.draw(st.sampled_from([None, *range(len(steps[0].game.session.seats))]))
    client = description.client
    created: dict[str, Any] = {}
    table: Any = None
    result: Any = None
    for decision, game in steps:
        for fact in plain(event_view(description.rulebook, decision, viewer))["facts"]:
            match fact["type"]:
                case "created":
                    created = fact
                case "started":
                    table = client.set_up(created["options"], created["seats"], viewer)
                case "finished":
                    result = {"points": fact["points"], "places": fact["places"]}
                case kind if kind not in SESSION_FACT_TYPES:
                    table = client.fold(table, fact, viewer)
        assert table == plain(state_view(description.rulebook, game, viewer))
        assert result == plain(game.session.result)


SESSION_FACT_TYPES = {
    "seat_taken", "seat_left", "seed_revealed", "closed", "bot_seated", "conceded", "pause_requested", "paused",
    "resumed", "downtime_compensated", "time_ran_out", "bank_changed",
}  # fmt: skip


def plain(value: Any) -> Any:
    """Return a value as it comes out of JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


@EVERY_RULEBOOK
@OFTEN
@given(data=st.data())
def test_a_game_stored_in_mid_effect_goes_on_as_if_it_had_not_been(rulebook: str, data: st.DataObject):
    position = data.draw(positions(rulebook))
    book, game = position.description.rulebook, position.step.game
    stored = book.decode_game(book.encode_game(game))
    assert stored == game
    assert book.decode(book.encode(position.step.decision)) == position.step.decision
    if position.following is not None:
        decision = book.decode(book.encode(position.following.decision))
        if decision.choice is not None and isinstance(decision.by, int):
            step = answer(book, stored, decision.by, decision.choice, decision.move, plain(decision.args), decision.at)
            assert step == position.following


@EVERY_RULEBOOK
@SOMETIMES
@given(data=st.data())
def test_replay_runs_no_rule(rulebook: str, data: st.DataObject):
    description, steps = data.draw(games(rulebook))
    book = without_rules(description.rulebook)
    game: Game[Any, Any] | None = None
    for step in steps:
        game = fold(book, game, book.decode(book.encode(step.decision)))
        assert game == step.game


def without_rules(rulebook: Rulebook[Any]) -> Rulebook[Any]:
    """Return a rulebook whose rules have all been replaced by one that raises."""

    def raises(*_: Any) -> Any:
        raise AssertionError("a rule was run in replay")

    broken = copy.copy(rulebook)
    broken.rules = dict.fromkeys(rulebook.rules, Rule(raises))
    broken.triggers = dict.fromkeys(rulebook.triggers, raises)
    return broken


def test_a_clock_in_whole_seconds_is_the_same_live_and_when_read_later():
    clock = Clock(seconds_per_choice=60, factor=2, bank=30, increment=1)
    created = create(SIX_NIMMT, GameSetup(2), {}, clock, "whole seconds", 0).decision
    later = SIX_NIMMT.decode(SIX_NIMMT.encode(created))
    assert msgspec.json.encode(event_view(SIX_NIMMT, later, 0)) == msgspec.json.encode(
        event_view(SIX_NIMMT, created, 0)
    )


@EVERY_RULEBOOK
def test_without_its_rules_a_rulebook_cannot_ask_anything(rulebook: str):
    description = DESCRIBED[rulebook]
    steps = whole_game(rulebook, next(iter(description.variants)), description.rulebook.seats[0], 0).steps
    game = next(step.game for step in steps if step.game.session.status == "running")
    with pytest.raises(AssertionError, match="a rule was run"):
        pending_choices(without_rules(description.rulebook), game)
