"""Builds what clients see of a game: the game, its events and its choices, as the contract has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.games.participants import Person
from events.games.repository import LoadedGame
from games.kernel import (
    Decision,
    Game,
    Rulebook,
    Viewer,
    derived_view,
    event_view,
    pending_choices,
    running_timers,
    state_view,
)
from games.kernel.sessions.session import SeatInfo
from service.i18n.translate import ENGLISH, localize_schema, translate
from service.schemas.responses import ChoiceView, EventView, GameView, SeatView, TimerView
from service.schemas.times import rfc3339, rfc3339_or_none


def build_game_view(
    game: str, current: LoadedGame, viewer: Viewer, people: Mapping[str, Person], is_imported: bool
) -> GameView:
    """Return a game as a viewer may see it. `people`: who sits there, by reference."""
    rulebook, state, _ = current
    session = state.session
    created = session.created
    points = rulebook.points(state.state) if rulebook.points and state.state is not None else None
    return GameView(
        game=game,
        rulebook=created.rulebook,
        edition=created.edition,
        options=created.options,
        visibility=created.visibility,
        start=created.start,
        clock=created.clock,
        commitment=created.commitment,
        created_at=rfc3339(session.created_at),
        status=session.status,
        paused=session.paused_at is not None,
        rematch_of=created.rematch_of,
        version=state.number,
        seats=[_seat_view(seat, people, points, viewer) for seat in session.seats],
        state=state_view(rulebook, state, viewer),
        derived=derived_view(rulebook, state, viewer),
        timers=[TimerView(leaf.choice, rfc3339_or_none(leaf.due)) for leaf in running_timers(state)],
        result=session.result,
        imported=is_imported,
    )


def _seat_view(
    seat: SeatInfo, people: Mapping[str, Person], points: tuple[int, ...] | None, viewer: Viewer
) -> SeatView:
    person = people.get(seat.person or "")
    return SeatView(
        seat=seat.seat,
        taken=seat.taken,
        name=None if person is None else person.name,
        player=None if person is None else person.player,
        bot=seat.bot,
        conceded=seat.conceded,
        wants_pause=seat.wants_pause,
        bank=seat.bank / 1000 if seat.seat == viewer else None,
        points=None if points is None else points[seat.seat],
    )


def build_choice_views(
    rulebook: Rulebook[Any], state: Game[Any, Any], viewer: Viewer, language: str = ENGLISH
) -> list[ChoiceView]:
    """Return what a viewer is asked, in a language and with times as the contract has them; nothing for a spectator."""
    if viewer is None:
        return []
    return [
        ChoiceView(
            pending.id,
            viewer,
            translate(pending.choice.prompt, language),
            rfc3339_or_none(pending.deadline),
            localize_schema(pending.choice, language),
        )
        for pending in pending_choices(rulebook, state, viewer)
    ]


def build_event_view(rulebook: Rulebook[Any], decision: Decision[Any], viewer: Viewer) -> EventView:
    """Return a decision as a viewer may see it, with times as the contract writes them."""
    return EventView(**event_view(rulebook, decision, viewer) | {"at": rfc3339(decision.at)})
