"""Streams of a game: their beginning, resuming them, and the choices of a seat."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from tests.service.streaming.clients import LINES, SECONDS, SSE, Listening, Table, decisions, meanwhile, read_event

CUTS = 200


@pytest.fixture(scope="module")
def table(store_url: str):
    table = Table(store_url)
    yield table
    table.broadcaster.close()


# How a stream begins, goes on and ends.


@pytest.mark.parametrize("accept", [SSE, LINES])
def test_a_stream_begins_with_the_view_and_the_choices_of_the_seat(table: Table, accept: str):
    game = table.new_game(f"begin {accept}")
    token = table.token(game, 1)
    with table.listen(game, token, accept=accept) as stream:
        (first,) = stream.next(1)
    assert stream.headers["Content-Type"] == accept
    assert stream.headers["Cache-Control"] == "no-store"
    assert stream.headers["X-Accel-Buffering"] == "no"
    assert (first.name, first.id) == ("game", 3)
    body = dict(first.body)
    assert body.pop("choices") == table.get(f"/v1/games/{game}/choices", token).json["choices"]
    assert body.pop("now") >= body["created_at"]
    assert body == table.get(f"/v1/games/{game}", token).json


@pytest.mark.parametrize("accept", [SSE, LINES])
@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_decisions_of_a_stream_are_those_of_a_page(table: Table, accept: str, seat: int | None):
    game = table.new_game(f"go on {accept} {seat}")
    token = table.token(game, seat)
    with table.listen(game, token, accept=accept) as stream:
        stream.next(1)
        table.play(game, 6)
        events = stream.to(9)
    assert decisions(events) == table.log(game, token)[3:]
    assert [event.id for event in events if event.name == "decision"] == [4, 5, 6, 7, 8, 9]


def test_no_decision_is_missing_after_the_game_whenever_a_stream_is_opened(table: Table):
    game = table.new_game("whenever", 4)
    playing = meanwhile(lambda: table.play(game, 10_000))
    open_installation = 0
    while playing.is_alive() or open_installation < 5:
        with table.listen(game, table.token(game, open_installation % 4), query="wait=1") as stream:
            first, *others = stream.until(lambda events: len(events) > 3 or (events and events[-1].name == "end"), "4")
        ids = [event.id for event in others if event.name == "decision"]
        assert first.name == "game"
        assert ids == list(range(first.body["version"] + 1, first.body["version"] + 1 + len(ids)))
        open_installation += 1
    playing.join(SECONDS)


def test_when_the_game_is_over_the_stream_says_so_and_ends(table: Table):
    game = table.new_game("over")
    with table.listen(game, table.token(game, 0)) as stream:
        table.play(game, 10_000)
        *_, last, end = stream.to_the_end()
    version = table.get(f"/v1/games/{game}").json["version"]
    assert (end.name, end.id, end.body) == ("end", None, {"reason": "game-over", "version": version})
    assert last.name == "choices"
    assert last.body["choices"] == []


def test_the_stream_of_a_finished_game_ends_at_once(table: Table):
    game = table.new_game("finished")
    table.play(game, 10_000)
    with table.listen(game) as stream:
        assert [event.name for event in stream.to_the_end()] == ["game", "end"]
    with table.listen(game, query="after=0", accept=LINES) as stream:
        assert decisions(stream.to_the_end()) == table.log(game)


def test_reconnecting_after_the_end_gets_204(table: Table):
    game = table.new_game("do not come back")
    table.play(game, 10_000)
    version = table.get(f"/v1/games/{game}").json["version"]
    answer = table.get(f"/v1/games/{game}/events", Accept=SSE, Last_Event_ID=str(version))
    assert (answer.status_code, answer.data) == (204, b"")
    assert table.get(f"/v1/games/{game}/events", Accept=SSE, Last_Event_ID=str(version - 1)).status_code == 200


def test_a_game_that_its_host_closed_ends_its_streams(table: Table):
    game = table.new_game("closed", full=False)
    with table.listen(game) as stream:
        stream.next(1)
        table.app.test_client().delete(
            f"/v1/games/{game}", headers={"Authorization": f"Bearer {table.token(game, None)}"}
        )
        *_, closed, end = stream.to_the_end()
    assert closed.body["facts"] == [{"type": "closed"}]
    assert end.body["reason"] == "game-over"


def test_a_stream_with_wait_ends_when_no_event_comes(table: Table):
    game = table.new_game("wait=0")
    with table.listen(game, table.token(game, 0), query="after=1&wait=0") as stream:
        events = stream.to_the_end()
    assert [event.name for event in events] == ["decision", "decision", "choices", "end"]
    assert events[-1].body == {"reason": "nothing-new", "version": 3}


# Resuming.


@pytest.mark.parametrize("seat", [2, None])
def test_a_stream_resumed_anywhere_has_each_decision_exactly_once(table: Table, seat: int | None):
    game = table.new_game(f"cut {seat}", 4)
    token = table.token(game, seat)
    chance = random.Random(str(seat))
    received: list[Any] = []
    for _ in range(CUTS):
        table.play(game, chance.choice((0, 0, 1, 1, 2)))
        received += _heard_until_cut(table, game, token, received, chance.randrange(1, 1500))
    table.play(game, 10_000)
    with table.listen(game, token, query="after=0", **_resumed(received)) as stream:
        received += decisions(stream.to_the_end())
    assert received == table.log(game, token)


def _resumed(received: list[Any]) -> dict[str, str]:
    return {"Last_Event_ID": str(received[-1]["number"])} if received else {}


def _heard_until_cut(table: Table, game: str, token: str, received: list[Any], length: int) -> list[Any]:
    """Read so many bytes, or until the first heartbeat; return the complete decisions."""
    with table.listen(game, token, query="after=0", **_resumed(received)) as stream:
        assert stream.chunk() == b":\n\n"
        while len(stream.received) < length:
            chunk = stream.chunk()
            if chunk in (b"", b":\n\n"):
                break
    whole = stream.received[:length].split(b"\n\n")[:-1]
    return decisions([event for event in map(read_event, whole) if event is not None])


@pytest.mark.parametrize("accept", [SSE, LINES])
def test_a_late_stream_has_the_same_bytes_as_a_live_one(table: Table, accept: str):
    game = table.new_game(f"late {accept}", 3)
    tokens = [table.token(game, 0), table.token(game, 2), None]
    live = [table.listen(game, token, query="after=0", accept=accept) for token in tokens]
    while table.play(game, 7):
        for stream in live:
            stream.until(bool, "something")
    for token, stream in zip(tokens, live, strict=True):
        stream.to_the_end()
        stream.close()
        with table.listen(game, token, query="after=0", accept=accept) as late:
            late.to_the_end()
        assert decision_frames(late, accept) == decision_frames(stream, accept)
        assert len(decision_frames(late, accept)) == len(table.log(game, token))


def decision_frames(stream: Listening, accept: str) -> list[bytes]:
    if accept == SSE:
        return [frame for frame in stream.received.split(b"\n\n") if b"event: decision" in frame]
    return [line for line in stream.received.split(b"\n") if line.startswith(b'{"type":"decision"')]


def test_last_event_id_overrides_after(table: Table):
    game = table.new_game("header")
    with table.listen(game, query="after=1&wait=0", Last_Event_ID="2") as stream:
        assert [event.id for event in stream.to_the_end()] == [3, None]


def test_a_resumed_stream_has_the_current_choices(table: Table):
    game = table.new_game("resumed")
    token = table.token(game, 0)
    with table.listen(game, token, query="wait=0", Last_Event_ID="3") as stream:
        choices, _ = stream.to_the_end()
    assert (choices.name, choices.body["version"]) == ("choices", 3)
    assert choices.body["choices"] == table.get(f"/v1/games/{game}/choices", token).json["choices"]


def test_a_client_ahead_of_the_log_starts_again(table: Table):
    game = table.new_game("more than the log")
    with table.listen(game, query="wait=0", Last_Event_ID="99") as stream:
        first, _ = stream.to_the_end()
    assert (first.name, first.id) == ("game", 3)


@pytest.mark.parametrize("last", ["x", "-1", "1.5", "²", "99999999999999999"])
def test_an_invalid_event_id_is_refused(table: Table, last: str):
    game = table.new_game(f"no event {last}")
    answer = table.get(f"/v1/games/{game}/events", Accept=SSE, Last_Event_ID=last)
    assert answer.status_code == 422
    assert answer.json["type"] == "urn:croupier:problem:invalid"


# What a seat is asked.


def test_choices_are_sent_only_when_they_change(table: Table):
    game = table.new_game("asked")
    token = table.token(game, 0)
    with table.listen(game, token) as stream:
        stream.next(1)
        table.play(game, 1, seat=1)
        assert [event.name for event in stream.to(4)] == ["decision"]
        table.play(game, 1, seat=0)
        events = stream.until(lambda events: events and events[-1].name == "choices", "choices")
    assert [event.name for event in events] == ["decision", "choices"]
    choices = table.get(f"/v1/games/{game}/choices", token).json
    assert events[-1].id is None
    assert events[-1].body["version"] == choices["version"]
    assert events[-1].body["choices"] == choices["choices"]


def test_a_spectator_gets_no_choices(table: Table):
    game = table.new_game("spectator")
    with table.listen(game, query="after=0") as stream:
        table.play(game, 10_000)
        assert {event.name for event in stream.to_the_end()} == {"decision", "end"}


def test_a_whole_game_can_be_played_by_streams_alone(table: Table):
    game = table.new_game("no polling")
    tokens = [table.token(game, seat) for seat in range(2)]

    def listen_and_answer(token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        with table.listen(game, token) as stream:
            while True:
                for event in stream.until(bool, "something"):
                    if event.name == "end":
                        return
                    for choice in event.body.get("choices", []):
                        body = {"choice": choice["choice"], **first_answer(choice["schema"])}
                        table.app.test_client().post(f"/v1/games/{game}/commands", json=body, headers=headers)

    players = [meanwhile(partial(listen_and_answer, token)) for token in tokens]
    for player in players:
        player.join(3 * SECONDS)
    assert table.get(f"/v1/games/{game}").json["status"] == "finished"


def first_answer(schema: Any) -> Any:
    """Return the first value that a schema of a choice allows, as 6 nimmt! writes them."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return first_answer(schema[several][0])
    return {name: first_answer(inner) for name, inner in schema["properties"].items()}
