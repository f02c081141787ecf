"""On a real socket, every request gets a response, and the connection stays usable or is closed."""

from __future__ import annotations

import json
import socket

import pytest

from tests.e2e.installation import Installation
from tests.service.players import Caller, full_table

MEGABYTE = 1024 * 1024
GAME = json.dumps({"rulebook": "six-nimmt", "seats": 2}).encode()


def exchange(installation: Installation, *parts: bytes) -> bytes:
    """Send raw bytes; return the response when it is complete or the connection is closed."""
    received = b""
    with socket.create_connection(("127.0.0.1", installation.api.port), timeout=20) as connection:
        for part in parts:
            connection.sendall(part)
        while not received.rstrip().endswith((b"}", b"</html>")):
            more = connection.recv(65536)
            if not more:
                break
            received += more
    return received


@pytest.mark.parametrize("size", [64 * 1024 + 1, 5 * MEGABYTE])
def test_a_body_that_is_too_large_gets_a_response(installation: Installation, size: int) -> None:
    answer = Caller(installation.api).call("POST", "/v1/games", raw=GAME.ljust(size))
    assert answer.refusal == (413, "too-large")


def test_a_chunked_body_is_read(installation: Installation) -> None:
    head = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (GAME[:10], GAME[10:]))
    assert exchange(installation, head, chunks, b"0\r\n\r\n").startswith(b"HTTP/1.1 201 ")


def test_a_chunked_body_that_is_too_large_is_refused(installation: Installation) -> None:
    """Its first 64 KiB alone would be a valid request."""
    head = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (GAME.ljust(64 * 1024), b" "))
    assert exchange(installation, head, chunks, b"0\r\n\r\n").startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("chunks", [b"ZZ\r\n{}", b"-5\r\n{}", b"2\r\n{}\r\nZZ\r\n"])
@pytest.mark.parametrize("route", [b"/v1/games", b"/v1/audits"])
def test_a_body_with_malformed_chunks_is_refused(installation: Installation, route: bytes, chunks: bytes) -> None:
    kind = b"application/json" if route == b"/v1/games" else b"application/x-ndjson"
    head = b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n" % (route, kind)
    answer = exchange(installation, head, chunks)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"urn:croupier:problem:bad-request" in answer


def test_the_connection_is_usable_after_a_refusal(installation: Installation) -> None:
    table = full_table(installation.api, seats=2)
    player = table.players[0]
    for _ in range(3):
        assert player.post(f"{table.path}/commands", {"choice": "x"}).refusal == (422, "invalid")
        assert player.call("POST", f"{table.path}/commands", raw=b"{").refusal == (400, "not-json")
        assert player.call("POST", f"{table.path}/start", raw=b"a body that nobody reads").status == 403
    assert player.choices()


@pytest.mark.parametrize(
    "odd",
    [
        b"HELLO\r\n\r\n",
        b"GET /v1/rulebooks HTTP/9.9\r\n\r\n",
        b"GET /v1/rulebooks HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /v1/rulebooks HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
        b"GET /" + b"x" * 5_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ids=["no HTTP", "HTTP of tomorrow", "negative length", "two lengths", "long header", "long path"],
)
def test_a_malformed_request_is_refused(installation: Installation, odd: bytes) -> None:
    status = exchange(installation, odd).split(b" ", 2)[1]
    assert status.startswith(b"4"), status
