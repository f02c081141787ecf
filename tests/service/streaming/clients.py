"""Clients of a table in this process: they play at random, and listen to its streams as bytes come."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import pytest

from events.games.command_handler import CommandHandler, now_ms
from events.games.commands import AnswerChoice, TakeSeat
from events.games.participants import new_person
from events.store.connection import connect
from events.store.log_store import LogStore
from games.kernel import Chance, Clock, GameSetup, Refusal, pending_choices
from games.rulebooks import RULEBOOKS
from service.app import build_app
from service.context import Services
from service.http.auth import HOST, Bearer, Tokens, game_id
from service.streaming.broadcast import Broadcaster

SECRET = "only for tests, and long enough"
SECONDS = 20.0
HEARTBEAT = 0.05
SSE = "text/event-stream"
LINES = "application/x-ndjson"


class Event(NamedTuple):
    """An event of a stream: its name, its id as it was sent (None: without), and its body."""

    name: str
    id: int | None
    body: Any


class _TakeSeatNameless(TakeSeat, frozen=True):
    """Saves no name beside the log, so that the log alone decides what a client sees."""

    @property
    def new_person(self) -> None:  # type: ignore[override]
        return None


class Table:
    """A service on a store, and games in it."""

    def __init__(
        self,
        url: str,
        *,
        heartbeat: float = HEARTBEAT,
        max_streams: int | None = None,
        clock: Callable[[], int] = now_ms,
    ):
        client = connect(url)
        self.tokens = Tokens(SECRET)
        self.games = CommandHandler(LogStore(client), RULEBOOKS, clock=clock)
        self.broadcaster = Broadcaster(self.games, heartbeat, max_streams)
        self.app = build_app(Services(self.games, self.tokens, broadcaster=self.broadcaster))

    def new_game(self, name: str, seats: int = 2, *, rulebook: str = "six-nimmt", full: bool = True, **settings: Any):
        """Create a game whose id and cards follow from its name, and fill it."""
        game = game_id(bytes(Chance(name, 0).shuffled(tuple(range(256)))))
        self.games.create(game, rulebook, GameSetup(seats, **settings), {}, Clock(), name)
        for seat in range(seats if full else 0):
            self.sit_down(game, seat, f"player {seat}")
        return game

    def sit_down(self, game: str, seat: int, person: str) -> None:
        self.games.handle(game, _TakeSeatNameless(new_person(person, None, salt=person), seat))

    def token(self, game: str, seat: int | None) -> str:
        if seat is None:
            return self.tokens.issue(Bearer(game, HOST))
        generation = self.games.read(game).session.seats[seat].token_epoch
        return self.tokens.issue(Bearer(game, seat, generation))

    def play(self, game: str, answers: int, seat: int | None = None) -> int:
        """Give random answers, of one seat or any, as long as there are choices; return their number."""
        given = 0
        while given < answers:
            current = self.games.read(game)
            pending = pending_choices(current.rulebook, current.game, seat)
            if not pending:
                break
            chance = Chance(f"{game}/{current.game.number}", 0)
            choice = chance.choice(pending)
            for move, args in islice(choice.choice.samples(chance), 1000):
                try:
                    self.games.handle(game, AnswerChoice(choice.seat, choice.id, move, args, by_bot=True))
                except Refusal:
                    continue
                break
            given += 1
        return given

    def get(self, path: str, token: str | None = None, **headers: str) -> Any:
        return self.app.test_client().get(path, headers=_headers(token, headers))

    def log(self, game: str, token: str | None = None) -> list[Any]:
        """All events of a game, from its pages."""
        events: list[Any] = []
        while True:
            after = events[-1]["number"] if events else 0
            page = self.get(f"/v1/games/{game}/events?after={after}&limit=500", token).json
            events += page["events"]
            if not page["more"]:
                return events

    def listen(self, game: str, token: str | None = None, query: str = "", accept: str = SSE, **headers: str):
        """Open a stream."""
        answer = self.get(f"/v1/games/{game}/events?{query}", token, Accept=accept, **headers)
        assert answer.status_code == 200, answer.data
        return Listening(answer, accept)


def _headers(token: str | None, headers: dict[str, str]) -> dict[str, str]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return named | ({"Authorization": f"Bearer {token}"} if token else {})


class Listening:
    """An open stream, read step by step."""

    def __init__(self, answer: Any, accept: str):
        self.headers = answer.headers
        self.heartbeats = 0
        self.received = b""
        self._answer = answer
        self._chunks: Iterator[bytes] = iter(answer.response)
        self._end = b"\n\n" if accept == SSE else b"\n"
        self._read = read_event if accept == SSE else read_line
        self._rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_: object):
        self.close()

    def close(self) -> None:
        self._answer.close()

    def chunk(self) -> bytes:
        """The next bytes; empty at the end."""
        chunk = next(self._chunks, b"")
        self.received += chunk
        return chunk

    def _frames(self) -> Iterator[bytes]:
        """All frames that are complete with the next bytes."""
        *frames, self._rest = (self._rest + self.chunk()).split(self._end)
        yield from frames

    def until(self, is_enough: Callable[[list[Event]], object], what: str) -> list[Event]:
        """Read events until there are enough."""
        events: list[Event] = []
        deadline = time.monotonic() + SECONDS
        while not is_enough(events):
            if time.monotonic() > deadline:
                pytest.fail(f"not after {SECONDS} s: {what}; there came {events}")
            before = len(self.received)
            for frame in self._frames():
                event = self._read(frame)
                if event is None:
                    self.heartbeats += 1
                else:
                    events.append(event)
            if len(self.received) == before and not is_enough(events):
                pytest.fail(f"the stream ended before {what}; there came {events}")
        return events

    def next(self, number: int) -> list[Event]:
        """Read at least so many events."""
        return self.until(lambda events: len(events) >= number, f"{number} events")

    def to(self, number: int) -> list[Event]:
        """Read until the decision of this number."""
        return self.until(lambda events: any(event.id == number for event in events), f"decision {number}")

    def until_it_breaks_off(self) -> list[Event]:
        """Read until the connection is closed without an `end`."""
        events: list[Event] = []
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            before = len(self.received)
            events += [event for event in map(self._read, self._frames()) if event is not None]
            if len(self.received) == before:
                return events
        pytest.fail(f"not after {SECONDS} s: the connection is cut; there came {events}")

    def to_the_end(self) -> list[Event]:
        """Read all events up to `end`."""
        events = self.until(lambda events: events and events[-1].name == "end", "the end")
        assert self.chunk() == b""
        return events


def read_event(frame: bytes) -> Event | None:
    """Read a Server-Sent Event; None for a comment."""
    fields = dict(line.split(": ", 1) for line in frame.decode().split("\n") if not line.startswith(":"))
    if not fields:
        return None
    return Event(fields["event"], int(fields["id"]) if "id" in fields else None, json.loads(fields["data"]))


def read_line(frame: bytes) -> Event | None:
    """Read a line of JSON; None for an empty one. Its id is its number or version."""
    if not frame:
        return None
    body = json.loads(frame)
    name = body.pop("type")
    return Event(name, body.get("number") or (body["version"] if name == "game" else None), body)


def decisions(events: list[Event]) -> list[Any]:
    return [event.body for event in events if event.name == "decision"]


def meanwhile(work: Callable[[], object]) -> threading.Thread:
    """Run a function in another thread."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread
