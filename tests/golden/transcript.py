"""A game as text: every decision with its facts and who sees them, and what each seat sees when a turn begins."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from games.kernel import (
    Decision,
    Fact,
    Game,
    Rulebook,
    Transition,
    Viewer,
    derived_view,
    observe,
    redacted,
    state_view,
)
from games.kernel.sessions.session import SESSION_FACTS
from tests.rulebooks.kit import GoldenGame, Json, RulebookKit


def transcript(description: RulebookKit, golden: GoldenGame, steps: Sequence[Transition]) -> str:
    """Return the text of a game that was played: of `golden.printed` decisions, and of its end."""
    return "\n".join(_lines(description, golden, steps)) + "\n"


def _lines(description: RulebookKit, golden: GoldenGame, steps: Sequence[Transition]) -> Iterator[str]:
    rulebook = description.rulebook
    options = steps[0].game.session.created.options
    yield f"{rulebook.id}, edition {rulebook.edition}, {golden.seats} seats: {golden.variant}"
    yield f"options {json.dumps(options)}"
    yield ""
    yield "A fact is told with all that it holds; [seats …] after a part says who sees it, where not all do."
    yield "When a turn begins: what all see, then what a seat sees besides."
    printed = len(steps) if golden.printed is None else golden.printed
    in_full = True
    for decision, game in steps[:printed]:
        yield from _decision(rulebook, decision, golden.seats)
        if game.state is not None and description.turn_begins(_plain_facts(decision)):
            yield from views(description, game)
            if in_full and game.session.status == "running":
                yield from _in_full(rulebook, game)
                in_full = False
    last = steps[-1].game
    if printed < len(steps):
        yield ""
        yield f"… decisions {printed + 1} to {len(steps)} are in the record …"
        yield from views(description, last)
    yield ""
    result = last.session.result
    assert result is not None, "a golden game is played to its end"
    for seat, (points, place) in enumerate(zip(result.points, result.places, strict=True)):
        yield f"seat {seat}: place {place} with {points} points"


def _plain_facts(decision: Decision[Any]) -> list[Json]:
    facts: list[Json] = msgspec.to_builtins(decision.facts)
    return facts


def _decision(rulebook: Rulebook[Any], decision: Decision[Any], seats: int) -> Iterator[str]:
    who = f"seat {decision.by}" if isinstance(decision.by, int) else decision.by
    args = "".join(f" {name}={plain(msgspec.to_builtins(value))}" for name, value in decision.args.items())
    choice = "" if decision.choice is None else f", choice {decision.choice}"
    yield ""
    yield f"#{decision.number} {who}{choice}: {decision.move}{args}"
    for fact in decision.facts:
        yield f"   {fact_text(rulebook, fact, seats)}"


def fact_text(rulebook: Rulebook[Any], fact: Fact, seats: int) -> str:
    """Return a fact as text with all its values, and who sees those that not everybody sees."""
    viewers: tuple[Viewer, ...] = (*range(seats), None)
    by_viewer: dict[Viewer, Any] = {viewer: msgspec.to_builtins(rulebook.redact(fact, viewer)) for viewer in viewers}
    config = fact.__struct_config__
    parts = [str(config.tag)]
    observers = [viewer for viewer in viewers if rulebook.can_observe(fact, viewer)]
    if len(observers) < len(viewers):
        parts.append(_to(observers))
    for name in fact.__struct_fields__:
        value = msgspec.to_builtins(getattr(fact, name))
        those = [viewer for viewer in viewers if by_viewer[viewer][name] == value]
        open_to_all = len(those) == len(viewers) or value is None
        is_session_secret = isinstance(fact, SESSION_FACTS) and not those
        text = plain(redacted(value) if is_session_secret else value)
        parts.append(f"{name}={text}" if open_to_all else f"{name}={text} {_to(those)}")
    return " ".join(parts)


def _to(viewers: Sequence[Viewer]) -> str:
    seats = [str(viewer) for viewer in viewers if viewer is not None]
    return f"[{'seat' if len(seats) == 1 else 'seats'} {' '.join(seats)}]" if seats else "[nobody]"


def plain(value: Any) -> str:
    """Write a value as briefly as it can be read: lists of plain values without their brackets inside."""
    if isinstance(value, (list, tuple)) and all(isinstance(item, (int, str)) for item in value):
        return f"({' '.join(map(str, value))})"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def views(description: RulebookKit, game: Game[Any, Any]) -> Iterator[str]:
    """Yield what all viewers see, then what each viewer sees besides."""
    viewers: tuple[Viewer, ...] = (*range(len(game.session.seats)), None)
    views_by_viewer = {viewer: _view(description, game, viewer) for viewer in viewers}
    yield ""
    for line in views_by_viewer[None]:
        if all(line in views_by_viewer[viewer] for viewer in viewers):
            yield f"   | {line}"
    for viewer in viewers:
        name = "a spectator" if viewer is None else f"seat {viewer}"
        for line in views_by_viewer[viewer]:
            if not all(line in views_by_viewer[other] for other in viewers):
                yield f"   | {name} sees: {line}"


def _view(description: RulebookKit, game: Game[Any, Any], viewer: Viewer) -> list[str]:
    rulebook = description.rulebook
    viewed = state_view(rulebook, game, viewer), derived_view(rulebook, game, viewer)
    table, computed = msgspec.json.decode(msgspec.json.encode(viewed))
    return description.lines(table, computed, viewer)


def _in_full(rulebook: Rulebook[Any], game: Game[Any, Any]) -> Iterator[str]:
    """Yield, to the letter, what seat 0 and a spectator receive."""
    observation = observe(rulebook, game, 0)
    spectators = msgspec.json.encode(state_view(rulebook, game, None)).decode()
    yield ""
    yield f"   table, to seat 0: {json.dumps(observation.state, ensure_ascii=False)}"
    yield f"   table, to a spectator: {json.dumps(json.loads(spectators), ensure_ascii=False)}"
    if observation.derived:
        yield f"   computed, to seat 0: {json.dumps(observation.derived, ensure_ascii=False)}"
    for choice in observation.choices:
        yield f"   choice, to seat 0: {json.dumps(choice, ensure_ascii=False)}"
