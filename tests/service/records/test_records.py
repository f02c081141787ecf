"""Records, audits and replays over HTTP."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from flask import Flask

from events.games.command_handler import CommandHandler
from events.records.record import read_record
from events.records.signatures import Signer, is_valid
from events.store import keys
from events.store.archiving_store import ArchivingStore
from events.store.connection import connect
from games.rulebooks import RULEBOOKS
from service.app import build_app
from service.context import Services
from service.http.auth import Tokens
from service.http.limits import MAX_UPLOAD_BYTES, Limits
from service.records import audit_process, audit_service
from service.records.audit_service import REPORT_TTL_MS, YIELD_SECONDS, AuditService
from tests.clocks import StoppedClock
from tests.events.records.recorded import golden
from tests.service.openapi.document import YAML
from tests.service.players import Caller, HttpResponse, Table, Transport, api_of, expect, full_table, open_table
from tests.service.shortcuts import play_on

NDJSON = "application/x-ndjson"
SIGNER = Signer(bytes(range(32)))
ODD_HEADER = b'{"format":"\\ud800"}'
LONE_SURROGATE = b'{"header":%s,"h":"%s"}\n' % (ODD_HEADER, sha256(ODD_HEADER).hexdigest().encode())


@pytest.fixture(scope="module")
def signing_app(store_url: str, clock: StoppedClock) -> Iterator[Flask]:
    """An app of an installation with a key."""
    with connect(store_url) as client:
        games = CommandHandler(ArchivingStore(client), RULEBOOKS, clock)
        yield build_app(Services(games, Tokens("another secret"), audits=AuditService(games, SIGNER)))


@pytest.fixture(scope="module")
def signing(signing_app: Flask) -> Transport:
    return api_of(signing_app)


def lines_of(answer: HttpResponse) -> list[bytes]:
    assert answer.status == 200, answer.body
    assert answer.headers["content-type"] == NDJSON
    return answer.body.splitlines(keepends=True)


def audited(api: Transport, body: bytes, content_type: str = NDJSON) -> HttpResponse:
    return Caller(api).call("POST", "/v1/audits", raw=body, Content_Type=content_type)


def test_whoever_may_watch_a_finished_game_may_get_its_record(api: Transport, finished: Table):
    answer = Caller(api).get(f"{finished.path}/record")
    record = read_record(lines_of(answer))
    assert record.header.game == finished.game
    assert record.footer.status == "finished"
    assert record.header.commitment == finished.created["game"]["commitment"]
    assert record.seal is None
    assert answer.headers["content-disposition"] == f'attachment; filename="{finished.game}.ndjson"'
    assert answer.headers["etag"] == f'"{record.footer.decisions}"'
    again = Caller(api).get(f"{finished.path}/record", If_None_Match=answer.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert Caller(api).get(f"{finished.path}/record", If_Match='"3"').refusal == (412, "version-mismatch")


def test_an_installation_with_a_key_signs_records_and_publishes_the_key(signing: Transport, finished: Table):
    record = read_record(lines_of(Caller(signing).get(f"{finished.path}/record")))
    assert record.seal is not None
    assert is_valid(record.seal, record.footer_hash)
    keys = expect(200, Caller(signing).get("/.well-known/croupier-keys.json"))
    assert keys == {"format": "croupier-keys/1", "keys": [{"algorithm": "Ed25519", "key": record.seal.key}]}


def test_an_installation_without_a_key_publishes_none(api: Transport):
    assert expect(200, Caller(api).get("/.well-known/croupier-keys.json"))["keys"] == []


def test_the_document_links_to_the_page_on_verifying_records(api: Transport):
    (page,) = {*re.findall(r"\]\((/docs/[^)]+)\)", YAML)}
    answer = Caller(api).get(page)
    assert (answer.status, answer.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
    assert answer.body.startswith(b"# The record of a game\n")


@pytest.mark.usefixtures("nothing_changes")
def test_an_open_or_running_game_has_no_record(api: Transport, running: Table, waiting: Table):
    for table in (running, waiting):
        for caller in (Caller(api), table.players[0], table.host):
            assert caller.get(f"{table.path}/record").refusal == (409, "game-not-over")


def test_the_record_of_a_private_game_needs_its_code_or_a_token(games: CommandHandler, api: Transport):
    table = open_table(api, seats=2, visibility="private")
    for name in ("Ana", "Ben"):
        table.seat(name, code=table.created["code"])
    play_on(games, table)
    for what in ("record", "audit"):
        assert Caller(api).get(f"{table.path}/{what}").refusal == (404, "no-such-game")
        assert Caller(api).get(f"{table.path}/{what}?code={table.created['code']}").status == 200
        assert table.players[0].get(f"{table.path}/{what}").status == 200


def test_a_closed_game_has_a_record_without_a_result(api: Transport):
    table = open_table(api)
    table.seat()
    expect(200, table.host.delete(table.path))
    record = read_record(lines_of(Caller(api).get(f"{table.path}/record")))
    assert (record.footer.status, record.footer.result, record.footer.seed.game) == ("closed", None, None)
    assert expect(200, Caller(api).get(f"{table.path}/audit"))["valid"]


def test_the_record_of_a_game_and_the_game_itself_pass_their_audits(signing: Transport, finished: Table):
    ours = Caller(signing).get(f"{finished.path}/record").body
    report = expect(200, audited(signing, ours))
    assert report["valid"]
    assert {check["name"]: check["outcome"] for check in report["checks"]} == dict.fromkeys(
        ["form", "chain", "commitments", "answers", "draws", "result", "seal"], "passed"
    )
    assert report["text"].startswith(f"VALID: game {finished.game} of six-nimmt, edition 1, ")
    assert expect(200, Caller(signing).get(f"{finished.path}/audit")) == report


def test_a_record_of_another_server_is_audited_and_not_stored(api: Transport):
    golden_game = golden()[0]
    report = expect(200, audited(api, b"".join(golden_game.record())))
    assert (report["valid"], report["game"]) == (True, golden_game.game)
    assert Caller(api).get(f"/v1/games/{golden_game.game}").refusal == (404, "no-such-game")


def test_a_report_names_the_first_decision_that_fails(api: Transport):
    lines = golden()[0].record()
    lines[7] = lines[7].replace(b'"at":', b'"at":1', 1)
    report = expect(200, audited(api, b"".join(lines)))
    assert not report["valid"]
    assert report["failure"] == {
        "check": "chain",
        "line": 8,
        "decision": 7,
        "reason": "decision 7 does not match its hash",
    }
    assert "fails at line 8, decision 7: decision 7 does not match its hash" in report["text"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\n",
        b"{}",
        b"{}\n",
        b"\xff\xfe\n",
        b"null\n" * 5,
        LONE_SURROGATE,
    ],
)
def test_a_body_that_is_not_a_record_fails_the_audit(api: Transport, body: bytes):
    report = expect(200, audited(api, body))
    assert not report["valid"]
    assert report["game"] is None
    assert report["text"].startswith("NOT VALID: not a record")


def test_an_upload_must_be_ndjson_and_not_too_large(api: Transport):
    assert audited(api, b"{}", "application/json").refusal == (415, "not-ndjson-type")
    assert audited(api, b"x" * (MAX_UPLOAD_BYTES + 1)).refusal == (413, "too-large")
    assert expect(200, audited(api, b"x" * 100_000))["failure"]["reason"] == "it does not end with a line feed"


def test_only_a_few_records_are_audited_at_a_time(app: Flask, api: Transport):
    """While enough records are received, another one is refused; afterwards it is accepted."""
    records = app.extensions["croupier"].audits
    record = b"".join(golden()[0].record())
    refused: list[HttpResponse] = []

    def received(others: int) -> Iterator[bytes]:
        if others:
            assert records.audit_lines(received(others - 1)).valid
        else:
            refused.append(audited(api, record))
        yield record

    assert records.audit_lines(received(Limits().max_uploads - 1)).valid
    assert [answer.refusal for answer in refused] == [(429, "too-many-requests")]
    assert refused[0].headers["retry-after"] == "1"
    assert audited(api, record).status == 200
    assert audited(api, b"{}").status == 200


def test_an_audit_process_has_low_priority_and_limited_time():
    look = "print(os.nice(0), *resource.getrlimit(resource.RLIMIT_CPU))"
    script = f"import os, resource; from service.records.audit_process import lower_priority; lower_priority(); {look}"
    process = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, cwd=audit_service.CHECKOUT, check=True
    )
    assert [int(word) for word in process.stdout.split()] == [
        audit_process.LOWEST_NICE,
        audit_process.CPU_SECONDS,
        audit_process.CPU_SECONDS + 1,
    ]


def test_a_record_whose_audit_takes_too_long_is_refused(games: CommandHandler):
    """A process that ends as if it had used up its processor time."""
    script = "import os, signal; os.kill(os.getpid(), signal.SIGXCPU)"
    audits = AuditService(games, command=(sys.executable, "-c", script))
    answer = audited(
        api_of(build_app(Services(games, Tokens("a secret"), audits=audits))), b"".join(golden()[0].record())
    )
    assert answer.refusal == (413, "too-large")
    assert answer.json["detail"] == "auditing this record takes too long here: use the command `verify`"


def test_an_audit_yields_to_other_requests_after_some_time(games: CommandHandler, finished: Table):
    """On this stopwatch every line takes longer than an audit may run: after each line the others have their turn."""
    turns: list[None] = []
    ticks = itertools.count(step=2 * YIELD_SECONDS)
    audits = AuditService(games, stopwatch=lambda: next(ticks), yield_turn=lambda: turns.append(None))
    report = audits.audit_game(finished.game, games.read(finished.game))
    assert len(turns) == report.decisions + 2


@pytest.mark.usefixtures("nothing_changes")
def test_the_audit_of_a_running_game_reveals_nothing(api: Transport, running: Table):
    """Its chain and commitment are verified. Its head is secret, because hidden cards could be guessed from a hash."""
    bodies = [caller.get(f"{running.path}/audit").body for caller in (Caller(api), *running.players, running.host)]
    assert len(set(bodies)) == 1
    report = json.loads(bodies[0])
    assert report["valid"]
    assert {check["name"] for check in report["checks"] if check["outcome"] == "passed"} == {"chain", "commitments"}
    assert (report["head"], report["key"], report["failure"]) == (None, None, None)
    assert report["decisions"] == running.view()["version"]


def test_the_audit_of_a_running_game_is_the_same_whatever_its_seed(api: Transport):
    """The audits of two games that differ only in their seeds differ only in the ids."""
    reports = []
    for _ in range(2):
        table = full_table(api)
        reports.append(Caller(api).get(f"{table.path}/audit").body.replace(table.game.encode(), b"game"))
    assert reports[0] == reports[1]


def test_an_audit_detects_a_log_changed_in_the_store(games: CommandHandler, api: Transport, clock: StoppedClock):
    table = full_table(api, seats=2)
    assert expect(200, Caller(api).get(f"{table.path}/audit"))["valid"]
    log = keys.log(table.game)
    entries: Any = games.store.client.xrange(log)
    games.store.client.delete(log)
    for entry, fields in entries:
        changed = fields[b"d"].replace(b'"at":', b'"at":1') if entry == b"2-0" else fields[b"d"]
        games.store.client.xadd(log, {"d": changed, "h": fields[b"h"]}, id=entry)
    assert expect(200, Caller(api).get(f"{table.path}/audit"))["valid"], "told again within a minute"
    clock.now += REPORT_TTL_MS + 1
    report = expect(200, Caller(api).get(f"{table.path}/audit"))
    assert not report["valid"]
    assert (report["failure"]["check"], report["failure"]["decision"]) == ("chain", 2)


def test_the_past_of_a_finished_game_is_shown_as_it_was_seen_live(games: CommandHandler, api: Transport):
    table = full_table(api, seats=2)
    bodies: dict[tuple[int, int | None], bytes] = {}
    while True:
        version = table.view()["version"]
        for viewer in (table.spectator, *table.players):
            bodies[version, getattr(viewer, "seat", None)] = viewer.get(table.path).body
        if games.read(table.game).session.status == "finished":
            break
        assert table.move() is not None
    stranger = Caller(api)
    for (version, seat), body in bodies.items():
        through = "" if seat is None else f"&as={seat}"
        assert stranger.get(f"{table.path}?at={version}{through}").body == body
        mine = table.spectator if seat is None else table.players[seat]
        assert mine.get(f"{table.path}?at={version}").body == body
    assert len(bodies) > 40


def test_the_past_of_a_running_game_is_shown_as_the_bearer_saw_it(api: Transport, running: Table):
    version = running.view()["version"]
    me = running.players[0]
    before = me.get(running.path).body
    expect(201, me.send(me.command(me.choices()[0])))
    assert me.get(f"{running.path}?at={version}").body == before
    assert me.get(running.path).body != before
    hidden = json.loads(Caller(api).get(f"{running.path}?at={version}").body)["state"]["players"][0]["hand"]
    assert hidden == {"hidden": 10}
    for caller in (Caller(api), me, running.host):
        for query in (f"at={version}&as=1", "as=1", "as=0"):
            assert caller.get(f"{running.path}?{query}").refusal == (409, "game-not-over")


def test_the_past_has_an_etag_of_its_own(api: Transport, finished: Table):
    answer = Caller(api).get(f"{finished.path}?at=5&as=1")
    assert answer.headers["etag"] == '"5"'
    assert Caller(api).get(f"{finished.path}?at=5&as=1", If_None_Match='"5"').status == 304
    assert Caller(api).get(f"{finished.path}?at=6&as=1", If_None_Match='"5"').status == 200


def test_an_unknown_decision_and_an_unknown_seat_are_refused(api: Transport, finished: Table):
    assert Caller(api).get(f"{finished.path}?at=100000").refusal == (422, "no-such-decision")
    assert Caller(api).get(f"{finished.path}?at=0").refusal == (422, "invalid")
    assert Caller(api).get(f"{finished.path}?at=x").refusal == (422, "invalid")
    assert Caller(api).get(f"{finished.path}?as=2").refusal == (422, "no-such-seat")
    assert Caller(api).get(f"{finished.path}?as=64").refusal == (422, "invalid")


def test_an_archived_game_has_the_same_record(
    signing_app: Flask, signing: Transport, games: CommandHandler, api: Transport
):
    table = full_table(api, seats=2)
    play_on(games, table)
    before = Caller(signing).get(f"{table.path}/record").body
    signing_app.extensions["croupier"].games.store.archive_game(table.game)
    assert Caller(signing).get(f"{table.path}/record").body == before
    assert expect(200, Caller(signing).get(f"{table.path}?at=7&as=1"))["version"] == 7
