"""A body or query that does not match the contract is refused and changes nothing."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from gevent.event import Event
from gunicorn.http.errors import InvalidChunkSize

from events.games.command_handler import CommandHandler
from service.app import build_app
from service.context import Services
from service.http.auth import Tokens
from service.http.limits import MAX_UPLOAD_BYTES, Limits
from tests.service.players import HttpResponse, Table, expect

pytestmark = pytest.mark.usefixtures("nothing_changes")

LAY = {"choice": 1, "move": "lay", "args": {"card": 1}}
CREATE = {"rulebook": "six-nimmt", "seats": 4}
SIT = {"name": "Ana"}


# What is not JSON, or not JSON as we take it.

ODD_BODIES = {
    "nothing": (b"", 400, "not-json"),
    "half an object": (b'{"choice": 1', 400, "not-json"),
    "two values": (b"{} {}", 400, "not-json"),
    "a word": (b"lay", 400, "not-json"),
    "single quotes": (b"{'choice': 1}", 400, "not-json"),
    "bytes that are no UTF-8": (b'{"move": "\xff"}', 400, "not-json"),
    "UTF-16": ('{"choice": 1}'.encode("utf-16"), 400, "not-json"),
    "a byte order mark": (b"\xef\xbb\xbf{}", 400, "not-json"),
    "a control character in a text": (b'{"move": "a\x00"}', 400, "not-json"),
    "NaN": (b'{"choice": NaN}', 400, "not-json"),
    "Infinity": (b'{"choice": Infinity}', 400, "not-json"),
    "a number that no double holds": (b'{"choice": 1e999}', 400, "not-json"),
    "a whole number of 5000 digits": (b'{"choice": ' + b"9" * 5000 + b"}", 400, "not-json"),
    "half of a surrogate pair": (b'{"move": "\\ud800"}', 400, "not-json"),
    "half of a surrogate pair as a name": (b'{"\\udfff": 1}', 400, "not-json"),
    "60,000 arrays in each other": (b"[" * 60_000, 400, "not-json"),
    "10,000 objects in each other": (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, 400, "not-json"),
    "null": (b"null", 422, "invalid"),
    "an array": (b"[]", 422, "invalid"),
    "a text": (b'"lay"', 422, "invalid"),
    "a number": (b"1", 422, "invalid"),
}
ROUTES = {
    "create": ("/v1/games", CREATE),
    "sit": ("/v1/games/{game}/seats", SIT),
    "play": ("/v1/games/{game}/commands", LAY),
}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("odd", ODD_BODIES)
def test_a_body_that_is_not_a_json_object_is_refused(running: Table, odd: str, route: str) -> None:
    raw, *refusal = ODD_BODIES[odd]
    answer = sent(running, route, raw=raw)
    assert answer.refusal == tuple(refusal)


SAID: dict[str, tuple[str, str]] = {
    "nothing": ("not-json", "the body is empty"),
    "an array": ("invalid", "body: must be an object"),
}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("odd", SAID)
def test_errors_of_a_body_are_described_in_terms_of_json(running: Table, odd: str, route: str) -> None:
    answer = sent(running, route, raw=ODD_BODIES[odd][0])
    assert (answer.problem, answer.json["detail"]) == SAID[odd]


@pytest.mark.parametrize(
    ("route", "body", "reason"),
    [
        ("play", {**LAY, "args": [1]}, "must be an object"),
        ("create", {**CREATE, "clock": 60}, "must be an object"),
        ("create", {**CREATE, "seats": "4"}, "must be a whole number"),
        ("create", {**CREATE, "clock": {"factor": "2"}}, "must be a number"),
        ("sit", {**SIT, "player": "ana 17"}, "may only have letters, digits and . _ ~ -"),
        ("sit", {**SIT, "commitment": "0" * 63}, "must be a SHA-256 hash: 64 hexadecimal digits, in lower case"),
    ],
)
def test_an_error_says_what_would_be_valid(running: Table, route: str, body: Any, reason: str) -> None:
    assert [fault["reason"] for fault in sent(running, route, body).json["errors"]] == [reason]


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/ld+json", ""],
)
def test_a_body_of_another_content_type_is_refused(running: Table, content_type: str, route: str) -> None:
    body = json.dumps(ROUTES[route][1]).encode()
    assert sent(running, route, raw=body, Content_Type=content_type).refusal == (415, "not-json-type")


@pytest.mark.parametrize("route", ROUTES)
def test_a_body_over_64_kib_is_refused(running: Table, route: str) -> None:
    body = json.dumps(ROUTES[route][1]).encode()
    answer = sent(running, route, raw=body.ljust(64 * 1024 + 1))
    assert answer.refusal == (413, "too-large")
    assert answer.json["detail"] == "send at most 64 KiB in one body"


def test_a_body_of_64_kib_is_read(running: Table) -> None:
    body = json.dumps({**LAY, "choice": 0}).encode()
    assert sent(running, "play", raw=body.ljust(64 * 1024)).refusal == (422, "invalid")


def sent(table: Table, route: str, body: Any = None, raw: bytes | None = None, **headers: str) -> HttpResponse:
    path, _ = ROUTES[route]
    caller = table.players[0] if table.players else table.spectator
    return caller.call("POST", path.format(game=table.game), body, raw, **headers)


# What does not fit its schema.


MISFITS: dict[str, tuple[str, dict[str, Any], list[Any]]] = {
    "a field too many": ("play", {**LAY, "why": 1}, ["why"]),
    "no choice": ("play", {"move": "lay"}, ["choice"]),
    "no move": ("play", {"choice": 1}, ["move"]),
    "a choice in quotes": ("play", {**LAY, "choice": "1"}, ["choice"]),
    "true for the choice 1": ("play", {**LAY, "choice": True}, ["choice"]),
    "a choice and a half": ("play", {**LAY, "choice": 1.5}, ["choice"]),
    "no choice at all": ("play", {**LAY, "choice": None}, ["choice"]),
    "choice 0": ("play", {**LAY, "choice": 0}, ["choice"]),
    "a negative choice": ("play", {**LAY, "choice": -1}, ["choice"]),
    "a choice of 400 digits": ("play", {**LAY, "choice": 10**400}, ["choice"]),
    "a choice beyond what a double counts": ("play", {**LAY, "choice": 2**53}, ["choice"]),
    "a choice like 1e300": ("play", {**LAY, "choice": 1e300}, ["choice"]),
    "a list of choices": ("play", {**LAY, "choice": [1]}, ["choice"]),
    "a move that is a number": ("play", {**LAY, "move": 1}, ["move"]),
    "a move without a name": ("play", {**LAY, "move": ""}, ["move"]),
    "a move with a long name": ("play", {**LAY, "move": "l" * 65}, ["move"]),
    "args that are a list": ("play", {**LAY, "args": [1]}, ["args"]),
    "args that are null": ("play", {**LAY, "args": None}, ["args"]),
    "a game without a rulebook": ("create", {"seats": 4}, ["rulebook"]),
    "a game without seats": ("create", {"rulebook": "six-nimmt"}, ["seats"]),
    "a rulebook that is a number": ("create", {**CREATE, "rulebook": 6}, ["rulebook"]),
    "seats in quotes": ("create", {**CREATE, "seats": "4"}, ["seats"]),
    "true for 1 seat": ("create", {**CREATE, "seats": True}, ["seats"]),
    "four and a half seats": ("create", {**CREATE, "seats": 4.5}, ["seats"]),
    "no seats": ("create", {**CREATE, "seats": 0}, ["seats"]),
    "far too many seats": ("create", {**CREATE, "seats": 65}, ["seats"]),
    "options that are a list": ("create", {**CREATE, "options": []}, ["options"]),
    "another visibility": ("create", {**CREATE, "visibility": "secret"}, ["visibility"]),
    "another way to start": ("create", {**CREATE, "start": "now"}, ["start"]),
    "a clock that is a number": ("create", {**CREATE, "clock": 60}, ["clock"]),
    "a clock with a field too many": ("create", {**CREATE, "clock": {"hours": 1}}, ["clock", "hours"]),
    "no time to choose": ("create", {**CREATE, "clock": {"seconds_per_choice": 0}}, ["clock", "seconds_per_choice"]),
    "time in quotes": ("create", {**CREATE, "clock": {"seconds_per_choice": "60"}}, ["clock", "seconds_per_choice"]),
    "true for 1 second": ("create", {**CREATE, "clock": {"seconds_per_choice": True}}, ["clock", "seconds_per_choice"]),
    "a year to choose": ("create", {**CREATE, "clock": {"seconds_per_choice": 3e7}}, ["clock", "seconds_per_choice"]),
    "a clock that runs backwards": ("create", {**CREATE, "clock": {"factor": -1}}, ["clock", "factor"]),
    "a factor of 400 digits": ("create", {**CREATE, "clock": {"factor": 10**400}}, ["clock", "factor"]),
    "a seat without a name": ("sit", {}, ["name"]),
    "a name that is a number": ("sit", {"name": 1}, ["name"]),
    "an empty name": ("sit", {"name": ""}, ["name"]),
    "a name of spaces": ("sit", {"name": "   "}, ["name"]),
    "a name of two lines": ("sit", {"name": "Ana\nBob"}, ["name"]),
    "a name that ends its line": ("sit", {"name": "Ana\n"}, ["name"]),
    "a name that turns the text around": ("sit", {"name": "\u202eanA"}, ["name"]),
    "a name that nobody sees": ("sit", {"name": "\u200b"}, ["name"]),
    "a long name": ("sit", {"name": "A" * 41}, ["name"]),
    "a seat in quotes": ("sit", {**SIT, "seat": "1"}, ["seat"]),
    "a seat below the first": ("sit", {**SIT, "seat": -1}, ["seat"]),
    "a seat beyond all": ("sit", {**SIT, "seat": 64}, ["seat"]),
    "a player with a space": ("sit", {**SIT, "player": "ana 17"}, ["player"]),
    "a player that ends its line": ("sit", {**SIT, "player": "ana-17\n"}, ["player"]),
    "a code that is a number": ("sit", {**SIT, "code": 1}, ["code"]),
}


@pytest.mark.parametrize("misfit", MISFITS)
def test_a_body_that_does_not_match_its_schema_is_refused_with_the_error(running: Table, misfit: str) -> None:
    route, body, path = MISFITS[misfit]
    answer = sent(running, route, body)
    assert answer.refusal == (422, "invalid")
    assert {tuple(fault["path"]) for fault in answer.json["errors"]} == {tuple(path)}
    assert answer.json["errors"][0]["reason"] in answer.json["detail"]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("after=x", ["after"]),
        ("after=-1", ["after"]),
        ("after=1.0", ["after"]),
        ("after=", ["after"]),
        ("after=٣", ["after"]),
        ("after=9999999999999999", ["after"]),
        ("limit=0", ["limit"]),
        ("limit=501", ["limit"]),
        ("before=3", ["before"]),
    ],
)
def test_a_query_that_does_not_match_its_schema_is_refused_with_the_error(
    running: Table, query: str, path: list[str]
) -> None:
    answer = running.spectator.get(f"{running.path}/events?{query}")
    assert answer.refusal == (422, "invalid")
    assert [fault["path"] for fault in answer.json["errors"]] == [path]


def test_the_last_of_two_members_with_the_same_name_counts(running: Table) -> None:
    raw = b'{"choice": 1, "move": "fold", "args": {}, "move": "deal"}'
    answer = sent(running, "play", raw=raw)
    assert answer.refusal == (409, "illegal-move")
    assert "deal" in answer.json["detail"]


def test_10_0_is_10_and_a_charset_is_accepted(waiting: Table) -> None:
    raw = b'{"rulebook": "six-nimmt", "seats": 10.0}'
    answer = waiting.spectator.call("POST", "/v1/games", raw=raw, Content_Type="application/json; charset=utf-8")
    assert len(expect(201, answer)["game"]["seats"]) == 10


# What comes slowly, or not as HTTP has it: streams as gunicorn gives them.


class Never:
    """The body of a client that sends a Content-Length and nothing else."""

    def __init__(self) -> None:
        self.reads = 0

    def read(self, size: int) -> bytes:
        self.reads += 1
        Event().wait()  # without a deadline, gevent finds that nobody would ever end this, and raises
        raise AssertionError


class Broken:
    """A body with a malformed chunk, which gunicorn notices while reading."""

    def read(self, size: int) -> bytes:
        raise InvalidChunkSize(b"ZZ")


def streamed(app: Flask, table: Table, path: str, content_type: str, stream: Any, **more: Any) -> tuple[int, Any]:
    """Send a request whose body is a stream, from a server that finds the end of the body itself."""
    headers = {"Authorization": f"Bearer {table.players[0].token}"}
    environ = {"wsgi.input": stream, "wsgi.input_terminated": True, **more}
    answer = app.test_client().post(path, headers=headers, content_type=content_type, environ_overrides=environ)
    return answer.status_code, answer.json


@pytest.fixture(params=["a command", "a record"])
def kind(request: pytest.FixtureRequest, running: Table) -> tuple[str, str]:
    """Path and content type of a route with a body."""
    if request.param == "a record":
        return "/v1/audits", "application/x-ndjson"
    return f"{running.path}/commands", "application/json"


def test_a_body_that_does_not_arrive_in_time_is_refused(
    games: CommandHandler, running: Table, kind: tuple[str, str]
) -> None:
    app = build_app(Services(games, Tokens("a secret"), limits=Limits(body_seconds=0.01, upload_seconds=0.01)))
    body = Never()
    status, problem = streamed(app, running, *kind, body, CONTENT_LENGTH="60000")
    assert (status, problem["type"], body.reads) == (408, "urn:croupier:problem:body-timeout", 1)


def test_a_body_whose_chunks_are_malformed_is_refused(app: Flask, running: Table, kind: tuple[str, str]) -> None:
    status, problem = streamed(app, running, *kind, Broken())
    assert (status, problem["type"]) == (400, "urn:croupier:problem:bad-request")
    assert problem["detail"] == "the body broke off, or its chunks are malformed"


def test_a_body_shorter_than_its_content_length_is_refused(app: Flask, running: Table, kind: tuple[str, str]) -> None:
    status, problem = streamed(app, running, *kind, BytesIO(b"{}"), CONTENT_LENGTH="3")
    assert (status, problem["type"]) == (400, "urn:croupier:problem:bad-request")
    assert problem["detail"] == "the body is shorter than its Content-Length"


def test_a_chunked_body_that_is_too_large_is_refused(app: Flask, running: Table, kind: tuple[str, str]) -> None:
    size = 64 * 1024 if kind[1] == "application/json" else MAX_UPLOAD_BYTES
    status, problem = streamed(app, running, *kind, BytesIO(b" " * (size + 1)))
    assert (status, problem["type"]) == (413, "urn:croupier:problem:too-large")
    assert problem["detail"] == f"send at most {size // 1024} KiB in one body"
