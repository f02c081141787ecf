"""Subscribers of a game: limits, heartbeats, pages that wait, content types, and what each may see."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from msgspec.structs import replace

from events.games.commands import LeaveSeat, SeatBot
from events.store import chain
from events.store.embedded import EmbeddedServer
from events.store.errors import StoreUnavailable
from games.kernel import Decision, Viewer
from games.six_nimmt.facts import HandDealt
from service.streaming import sse
from service.streaming.broadcast import HEARTBEAT_SECONDS, Broadcaster
from tests.service.streaming.clients import LINES, SECONDS, SSE, Table, decisions, meanwhile
from tests.stores import until


@pytest.fixture(scope="module")
def table(store_url: str):
    table = Table(store_url)
    yield table
    table.broadcaster.close()


# Who listens.


def test_two_streams_of_one_seat_both_get_everything(table: Table):
    game = table.new_game("two streams")
    token = table.token(game, 0)
    with table.listen(game, token, query="after=0") as one, table.listen(game, token, query="after=0") as other:
        table.play(game, 10_000)
        first, second = one.to_the_end(), other.to_the_end()
    assert decisions(first) == decisions(second) == table.log(game, token)


def test_a_private_game_is_watched_by_its_code_only(table: Table):
    game = table.new_game("private", visibility="private")
    code = table.tokens.game_code(game)
    refused = table.get(f"/v1/games/{game}/events", Accept=SSE)
    assert (refused.status_code, refused.json["type"]) == (404, "urn:croupier:problem:no-such-game")
    with table.listen(game, query=f"after=0&wait=0&code={code}") as stream:
        assert len(decisions(stream.to_the_end())) == 3


def test_the_stream_of_a_revoked_token_ends_without_further_events(table: Table):
    game = table.new_game("revoked", 3, full=False)
    table.sit_down(game, 0, "the first")
    with table.listen(game, table.token(game, 0)) as stream:
        stream.next(1)
        table.games.handle(game, LeaveSeat(0, by=0))
        table.sit_down(game, 0, "the second")
        (end,) = stream.to_the_end()
    assert end.body == {"reason": "token-revoked", "version": 2}


def test_the_stream_of_a_seat_played_by_a_bot_is_that_of_a_spectator(table: Table):
    game = table.new_game("a bot sits in")
    token = table.token(game, 0)
    with table.listen(game, token) as seat, table.listen(game) as spectator:
        assert seat.next(1)[0].body["choices"]
        spectator.next(1)
        table.games.handle(game, SeatBot(0, "random", by="host"))
        (_, emptied) = seat.next(2)
        assert (emptied.name, emptied.body["choices"]) == ("choices", [])
        number = 4 + table.play(game, 2)
        assert seat.to(number) == spectator.to(number)[1:]
        table.games.handle(game, SeatBot(0, None, by="host"))
        choices = seat.until(lambda events: events and events[-1].name == "choices", "choices")[-1].body["choices"]
        assert choices == table.get(f"/v1/games/{game}/choices", token).json["choices"] != []
    dealt = [fact for fact in table.log(game, token)[2]["facts"] if fact["type"] == "hand_dealt"]
    assert [isinstance(fact["cards"], list) for fact in dealt] == [True, False]


def test_a_token_of_another_game_opens_no_stream(table: Table):
    game, other = table.new_game("this"), table.new_game("that")
    assert table.get(f"/v1/games/{game}/events", table.token(other, 0), Accept=SSE).status_code == 403


def test_open_streams_are_counted_by_caller(table: Table):
    game = table.new_game("counted")
    tokens = [table.token(game, 0), table.token(game, 0), table.token(game, 1)]
    before = table.broadcaster.subscriber_count
    streams = [table.listen(game, token) for token in tokens]
    callers = [f"{seat} of {game}, 1" for seat in (0, 0, 1)]
    assert [table.broadcaster.open_stream_count(who) for who in callers] == [2, 2, 1]
    assert table.broadcaster.subscriber_count == before + 3
    for stream in streams:
        stream.close()
    assert [table.broadcaster.open_stream_count(who) for who in callers] == [0, 0, 0]
    assert table.broadcaster.subscriber_count == before


def test_the_open_streams_of_a_caller_are_limited(store_url: str):
    table = Table(store_url, max_streams=2)
    game = table.new_game("so many")
    token, other = table.token(game, 0), table.token(game, 1)
    with table.listen(game, token), table.listen(game, token, accept=LINES):
        refused = table.get(f"/v1/games/{game}/events", token, Accept=SSE)
        assert (refused.status_code, refused.json["type"]) == (429, "urn:croupier:problem:too-many-streams")
        assert refused.headers["Retry-After"] == "15"
        table.listen(game, other).close()
    table.listen(game, token).close()


def test_a_head_request_opens_no_stream(table: Table):
    game = table.new_game("head")
    before = table.broadcaster.subscriber_count
    answer = table.app.test_client().head(f"/v1/games/{game}/events", headers={"Accept": SSE})
    assert (answer.status_code, answer.headers["Content-Type"], answer.data) == (200, SSE, b"")
    assert table.broadcaster.subscriber_count == before


def test_a_game_that_cannot_be_read_ends_only_its_own_streams(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    broken, sound = table.new_game("broken"), table.new_game("sound")
    follow = table.games.follow

    def unless_broken(game: str, *rest: Any) -> Any:
        if game == broken:
            raise ValueError("a fact that is not known here")
        return follow(game, *rest)

    with table.listen(broken) as lost, table.listen(sound) as other:
        lost.next(1)
        other.next(1)
        monkeypatch.setattr(table.games, "follow", unless_broken)
        table.play(broken, 1)
        assert lost.until_it_breaks_off() == []
        table.play(sound, 1)
        assert [event.id for event in other.to(4)] == [4]
    assert f"game {broken} cannot be read here" in caplog.text


# Silence.


def test_a_stream_without_events_has_heartbeats(table: Table):
    game = table.new_game("heartbeat")
    with table.listen(game) as stream:
        stream.next(1)
        assert [stream.chunk() for _ in range(3)] == [b":\n\n"] * 3
    with table.listen(game, accept=LINES) as stream:
        stream.next(1)
        assert [stream.chunk() for _ in range(3)] == [b"\n"] * 3


def test_heartbeats_come_every_fifteen_seconds(table: Table):
    assert Broadcaster(table.games).heartbeat == HEARTBEAT_SECONDS == 15


def test_streams_survive_an_unavailable_store_and_catch_up(tmp_path: Any):
    with EmbeddedServer(tmp_path) as server:
        table = Table(server.url)
        game = table.new_game("away")
        token = table.token(game, 0)
        with table.listen(game, token, query="after=0") as stream:
            stream.to(3)
            server.kill()
            assert table.get(f"/v1/games/{game}/events", token, Accept=SSE).status_code == 503
            before = stream.heartbeats
            stream.until(lambda events: stream.heartbeats >= before + 4, "heartbeats")
            server.start()
            until(lambda: play_if_possible(table, game), "the store is back")
            table.play(game, 5)
            events = stream.to(table.get(f"/v1/games/{game}").json["version"])
        assert decisions(events) == table.log(game, token)[3:]
        table.broadcaster.close()


def play_if_possible(table: Table, game: str) -> bool:
    try:
        return table.play(game, 1) == 1
    except StoreUnavailable:
        return False


# Pages that wait.


def test_a_waiting_page_returns_with_the_next_decision(table: Table):
    game = table.new_game("long poll")
    token = table.token(game, 0)
    before = table.broadcaster.subscriber_count
    answers: list[Any] = []
    waiting = meanwhile(lambda: answers.append(table.get(f"/v1/games/{game}/events?after=3&wait=25", token)))
    until(lambda: table.broadcaster.subscriber_count > before, "it waits")
    assert not answers
    table.play(game, 1)
    waiting.join(SECONDS)  # shorter than the request would wait
    assert [event["number"] for event in answers[0].json["events"]] == [4]
    assert table.broadcaster.subscriber_count == before


def test_a_page_that_waited_without_events_is_empty(table: Table):
    game = table.new_game("in vain")
    begin = time.monotonic()
    page = table.get(f"/v1/games/{game}/events?after=3&wait=1").json
    assert page == {"events": [], "version": 3, "more": False}
    assert time.monotonic() - begin >= 1


def test_a_page_does_not_wait_if_it_has_events_or_the_game_is_over(table: Table):
    game = table.new_game("no waiting")
    assert len(table.get(f"/v1/games/{game}/events?wait=25").json["events"]) == 3
    table.play(game, 10_000)
    version = table.get(f"/v1/games/{game}").json["version"]
    begin = time.monotonic()
    assert table.get(f"/v1/games/{game}/events?after={version}&wait=25").json["events"] == []
    assert time.monotonic() - begin < SECONDS


def test_a_longer_wait_than_allowed_is_refused(table: Table):
    game = table.new_game("too long")
    assert table.get(f"/v1/games/{game}/events?wait=26").status_code == 422


# By Accept.


@pytest.mark.parametrize(
    ("accept", "given"),
    [
        ("*/*", "application/json"),
        ("", "application/json"),
        ("application/json", "application/json"),
        ("text/html, */*;q=0.1", "application/json"),
        ("text/event-stream", SSE),
        ("application/x-ndjson, application/json;q=0.5", LINES),
        ("text/*", SSE),
    ],
)
def test_accept_selects_the_type_of_the_response(table: Table, accept: str, given: str):
    game = table.new_game(f"accept {accept}")
    answer = table.get(f"/v1/games/{game}/events?wait=0", Accept=accept)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, given)
    answer.close()


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "text/event-stream;q=0"])
def test_other_types_are_refused(table: Table, accept: str):
    game = table.new_game(f"refused {accept}")
    answer = table.get(f"/v1/games/{game}/events", Accept=accept)
    assert answer.status_code == 406
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json["type"] == "urn:croupier:problem:not-acceptable"


# Secrecy.


@pytest.mark.parametrize("accept", [SSE, LINES])
@pytest.mark.parametrize("seat", [0, None])
def test_games_that_differ_in_hidden_values_have_the_same_streams(store_url: str, accept: str, seat: int | None):
    name = f"secrets {accept} {seat}"
    received = []
    for other_hand in (False, True):
        table = Table(f"{store_url[:-1]}{1 + other_hand}", heartbeat=60, clock=lambda: 10**12)
        game = _game_with_hand(table, name, other_hand=other_hand)
        with table.listen(game, table.token(game, seat), accept=accept) as stream:
            stream.next(1)
            table.play(game, 1, seat=1)
            stream.to(4)
            received.append(stream.received)
        with table.listen(game, table.token(game, seat), query="after=0&wait=0", accept=accept) as stream:
            stream.to_the_end()
            received[-1] += stream.received
        on_table: Any = table.games.read(game).game.state
        hand = on_table.players[1]
        received.append(json.dumps([hand.hand, hand.laid]).encode())
        table.broadcaster.close()
    ours, our_secret, theirs, their_secret = received
    assert our_secret != their_secret
    assert ours == theirs


def _game_with_hand(table: Table, name: str, *, other_hand: bool) -> str:
    """Open a game of two, optionally with other undealt cards in the hand of seat 1."""
    game = table.new_game(name, full=False)
    store = table.games.store
    store.delete(game)
    table.new_game(name)
    if not other_hand:
        return game
    entries = store.read_after(game, 0)
    rulebook = table.games.rulebooks["six-nimmt"]
    started = rulebook.decode(entries[-1].decision)
    dealt = {card for fact in started.facts if hasattr(fact, "cards") for card in fact.cards}
    others = tuple(card for card in range(1, 105) if card not in dealt)[:10]
    facts = tuple(
        replace(fact, cards=others) if isinstance(fact, HandDealt) and fact.seat == 1 else fact
        for fact in started.facts
    )
    changed: Decision[Any] = replace(started, facts=facts)
    store.delete(game)
    head = chain.genesis_hash(game)
    for entry in [*entries[:-1], entries[-1]._replace(decision=rulebook.encode(changed))]:
        head = chain.next_hash(head, entry.decision)
        store.append(game, entry.number - 1, entry.decision, head, now=0, alarm=None, meta={})
    table.games._cache.clear()
    return game


def test_an_event_is_encoded_once_for_all_who_see_the_same(table: Table, monkeypatch: pytest.MonkeyPatch):
    made: list[Any] = []
    make = sse.encode_event

    def encode_event(rulebook: Any, decision: Decision[Any], viewer: Viewer) -> bytes:
        made.append((decision.number, viewer))
        return make(rulebook, decision, viewer)

    monkeypatch.setattr(sse, "encode_event", encode_event)
    game = table.new_game("made once")
    open_installation = [table.listen(game, table.token(game, seat)) for seat in (0, 0, 0, 1, 1, None)]
    for stream in open_installation:
        stream.next(1)
    table.play(game, 1)
    for stream in open_installation:
        stream.to(4)
        stream.close()
    assert sorted(made, key=str) == [(4, 0), (4, 1), (4, None)]
