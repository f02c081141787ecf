"""Records the examples of the document from real games, which are always the same.

`python -m tests.service.openapi.record_examples` writes `service/openapi/example_files/` anew.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from flask import Flask

from events.games.command_handler import CommandHandler
from events.lists.game_index import GameIndex
from events.records.signatures import Signer
from events.store.archiving_store import ArchivingStore
from events.store.connection import connect
from events.store.embedded import EmbeddedServer
from events.store.errors import StoreUnavailable
from games.rulebooks import RULEBOOKS
from service.app import build_app
from service.context import Services
from service.http import problems, rate_limits, request_body
from service.http.auth import Tokens
from service.http.limits import MAX_BODY_BYTES, Limits
from service.openapi.examples import EXAMPLES, KINDS
from service.records.audit_service import AuditService
from service.schemas.problems import URN
from tests.clocks import StoppedClock
from tests.service.players import Caller, HttpResponse, Player, Table, Transport, api_of, expect
from tests.service.randomness import FixedRandomness
from tests.service.shortcuts import play_on
from workers.standings import RatingUpdater

SECRET = "the examples are no secret"
SHOWN = 3
"""The number of cards, moves and facts that an example has."""


class Book:
    """Examples by the name of their file."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}

    def keep(self, operation: str, answer: HttpResponse, sent: Any = None) -> HttpResponse:
        """Save a response, and the body of its request."""
        kind = answer.headers.get("content-type", "")
        ending = next(ending for ending, known in KINDS.items() if known.startswith(kind.partition(";")[0]))
        if ending == ".problem":
            operation = answer.json["type"].removeprefix(URN)
        body = answer.body.decode()
        self.pages[f"{operation}.{answer.status}{ending}"] = _pretty(answer.json) if _is_json(ending) else body
        if sent is not None:
            self.pages[f"{operation}.request.json"] = _pretty(sent)
        return answer

    def refused(self, answer: HttpResponse) -> None:
        """Save a refusal, by its problem."""
        assert answer.status >= 400, answer
        self.keep("", answer)

    def cut(self, name: str, *members: str) -> None:
        """Shorten members of an example to their first values."""
        body = json.loads(self.pages[name])
        cut = {member: dict(itertools.islice(body[member].items(), SHOWN)) for member in members}
        self.pages[name] = _pretty(body | cut)

    def first_lines(self, name: str) -> None:
        """Shorten an example to its first lines."""
        self.pages[name] = "".join(self.pages[name].splitlines(keepends=True)[:SHOWN])


def _is_json(ending: str) -> bool:
    return ending in (".json", ".problem")


def _pretty(body: Any) -> str:
    return json.dumps(body, indent=1, ensure_ascii=False) + "\n"


def record(api: Transport, games: CommandHandler) -> dict[str, str]:
    """Play, and return the examples by file name."""
    book = Book()
    _record_rulebooks(api, book)
    table = _record_beginning(api, book)
    _record_play(table, book)
    _record_seats(api, book)
    _record_end(games, table, book)
    _record_refusals(api, table, book)
    _record_bodies(table.spectator, book)
    _record_waits(book)
    return book.pages


def _record_rulebooks(api: Transport, book: Book) -> None:
    anybody = Caller(api)
    book.keep("list_rulebooks", anybody.get("/v1/rulebooks"))
    book.keep("get_rulebook", anybody.get("/v1/rulebooks/six-nimmt"))
    book.cut("get_rulebook.200.json", "moves", "facts")
    book.refused(anybody.get("/v1/rulebooks/chess"))
    book.keep("list_cards", anybody.get("/v1/rulebooks/vale-of-eternity/cards"))
    book.cut("list_cards.200.json", "cards")
    book.keep("get_help", anybody.get("/v1/rulebooks/six-nimmt/help"))
    book.keep("check_liveness", anybody.get("/healthz"))
    book.keep("check_readiness", anybody.get("/readyz"))


def _record_beginning(api: Transport, book: Book) -> Table:
    anybody = Caller(api)
    wanted = {"rulebook": "six-nimmt", "seats": 2, "clock": {"seconds_per_choice": 60}}
    created = book.keep("create_game", anybody.post("/v1/games", wanted), wanted)
    book.refused(anybody.post("/v1/games", wanted | {"rulebook": "chess"}))
    table = Table(api, expect(201, created))
    for name, player in (("Ana", "ana-17"), ("Ben", "ben-4")):
        who = {"name": name, "player": player}
        seated = anybody.post(f"{table.path}/seats", who)
        if name == "Ana":
            book.keep("take_seat", seated, who)
        given = expect(201, seated)
        table.players.append(Player(api, table.path, given["seat"], given["token"]))
    book.refused(anybody.post(f"{table.path}/seats", {"name": "Cleo"}))
    return table


def _record_play(table: Table, book: Book) -> None:
    ana, ben = table.players
    (choice,) = book.keep("list_choices", ana.get(f"{table.path}/choices")).json["choices"]
    command = ana.command(choice)
    book.refused(ana.send(command | {"args": {"card": 105}}))
    book.refused(ben.send(command))
    expect(201, ana.send(command))
    book.refused(ana.send(command | {"args": {"card": 105}}))
    (choice,) = ben.choices()
    command = ben.command(choice)
    book.refused(ben.post(f"{table.path}/commands", command, If_Match='"2"'))
    book.keep("answer_choice", ben.send(command), command)
    expect(200, ben.send(command))
    book.keep("get_game", ana.get(table.path))
    book.refused(ana.get("/v1/games/0000000000000000"))
    for query in ("at=9", "as=0"):
        book.refused(ana.get(f"{table.path}?{query}"))
    book.keep("list_events", ana.get(f"{table.path}/events?after=3&limit=3"))
    for kind in ("application/x-ndjson", "text/event-stream"):
        book.keep("list_events", ana.get(f"{table.path}/events?wait=0", Accept=kind))
    book.keep("pause_game", ana.post(f"{table.path}/pause"))
    book.refused(ana.post(f"{table.path}/pause"))


def _record_seats(api: Transport, book: Book) -> None:
    anybody = Caller(api)
    table = Table(api, expect(201, anybody.post("/v1/games", {"rulebook": "six-nimmt", "seats": 2, "start": "host"})))
    part = "a text that nobody guesses"
    ana = table.seat("Ana", commitment=hashlib.sha256(part.encode()).hexdigest())
    book.keep("reveal_seed", ana.post(f"{table.path}/seats/0/seed", {"part": part}), {"part": part})
    table.seat("Ben")
    book.keep("leave_seat", table.host.delete(f"{table.path}/seats/1"))
    expect(201, table.host.post(f"{table.path}/seats", {"bot": "steady"}))
    book.keep("start_game", table.host.post(f"{table.path}/start"))
    bot = {"bot": "random"}
    book.keep("seat_bot", table.host.call("PUT", f"{table.path}/seats/0/bot", bot), bot)
    unwanted = Table(api, expect(201, anybody.post("/v1/games", {"rulebook": "vale-of-eternity", "seats": 3})))
    book.keep("close_game", unwanted.host.delete(unwanted.path))


def _record_end(games: CommandHandler, table: Table, book: Book) -> None:
    ana, ben = table.players
    for player in (ben, ana, ben):  # the pause begins, and ends
        expect(200, player.post(f"{table.path}/pause"))
    play_on(games, table)
    lobby = games.read(table.game).session
    lists = GameIndex(games.store.client)
    lists.index(table.game, lobby, games.people(table.game, lobby))
    RatingUpdater(lists, games).update("six-nimmt")
    book.keep("create_rematch", ana.post(f"{table.path}/rematch"))
    book.keep("list_games", table.spectator.get("/v1/games"))
    book.keep("get_record", table.spectator.get(f"{table.path}/record"))
    book.first_lines("get_record.200.ndjson")
    book.keep("audit_game", table.spectator.get(f"{table.path}/audit"))
    book.keep("get_keys", table.spectator.get("/.well-known/croupier-keys.json"))
    book.keep("get_player", table.spectator.get("/v1/players/ana-17"))
    book.keep("get_standings", table.spectator.get("/v1/rulebooks/six-nimmt/standings"))


def _record_refusals(api: Transport, over: Table, book: Book) -> None:
    """Refusals about seats, from the creation of a game to its end."""
    anybody = over.spectator
    wanted = {"rulebook": "six-nimmt", "seats": 3, "start": "host"}
    table = Table(api, expect(201, anybody.post("/v1/games", wanted, Idempotency_Key="a key of twenty letters")))
    seats = f"{table.path}/seats"
    book.refused(anybody.post("/v1/games", wanted | {"seats": 4}, Idempotency_Key="a key of twenty letters"))
    book.refused(anybody.post("/v1/games", wanted | {"seats": 11}))
    ana, ben = table.seat("Ana"), table.seat("Ben")
    book.refused(anybody.post(seats, {"name": "Cleo", "seat": 0}))
    book.refused(anybody.post(seats, {"name": "Cleo", "seat": 3}))
    book.refused(table.host.post(seats, {"bot": "clever"}))
    book.refused(table.host.delete(f"{seats}/2"))
    book.refused(table.host.post(f"{table.path}/start"))
    book.refused(ana.post(f"{seats}/0/seed", {"part": "a text that nobody guesses"}))
    book.refused(ana.post(f"{table.path}/pause"))
    table.seat("Cleo")
    book.refused(anybody.post(seats, {"name": "Dora"}))
    expect(200, table.host.post(f"{table.path}/start"))
    (choice,) = ana.choices()
    for player in table.players:
        expect(200, player.post(f"{table.path}/pause"))
    book.refused(ana.send(ana.command(choice)))
    expect(200, ben.delete(f"{seats}/1"))
    book.refused(ben.send(ana.command(choice)))
    book.refused(ben.call("PUT", f"{seats}/1/bot", {"bot": "random"}))
    book.refused(over.players[0].send(ana.command(choice)))
    book.refused(anybody.get(f"{table.path}/choices"))
    book.refused(Caller(api, "made-up").get(f"{table.path}/choices"))
    book.refused(over.players[0].get(f"{table.path}/choices"))


def _record_bodies(anybody: Caller, book: Book) -> None:
    """Refusals of malformed requests, and the audit of the record of a closed game."""
    book.refused(anybody.post("/v1/games", {"rulebook": "six-nimmt", "players": 2}))
    book.refused(anybody.call("POST", "/v1/games", raw=b'{"rulebook": "six-nimmt", }'))
    book.refused(anybody.call("POST", "/v1/games", raw=b"rulebook=six-nimmt", Content_Type="text/plain"))
    book.refused(anybody.call("POST", "/v1/games", raw=b" " * (MAX_BODY_BYTES + 1)))
    book.refused(anybody.get("/v1/games?cursor=7"))
    book.refused(anybody.get("/v1/players/ana/17"))
    created = expect(201, anybody.post("/v1/games", {"rulebook": "six-nimmt", "seats": 2}))
    path = f"/v1/games/{created['game']['game']}"
    book.refused(anybody.get(f"{path}/events", Accept="text/html"))
    expect(200, Caller(anybody.api, created["host_token"]).delete(path))
    text = anybody.get(f"{path}/record").body
    book.refused(anybody.call("POST", "/v1/audits", raw=text))
    book.keep("audit_record", anybody.call("POST", "/v1/audits", raw=text, Content_Type="application/x-ndjson"))
    book.pages["audit_record.request.ndjson"] = text.decode()


def _record_waits(book: Book) -> None:
    """Temporary refusals, without provoking them."""
    with Flask("examples").test_request_context():
        refusals = rate_limits.too_many_requests(1), request_body.timeout_problem(Limits().body_seconds)
        for answer in (*map(problems.problem_response, refusals), problems._store_unavailable(StoreUnavailable())):
            headers = {name.lower(): value for name, value in answer.headers}
            book.refused(HttpResponse(answer.status_code, headers, answer.data))


def recorded(url: str) -> dict[str, str]:
    """Return the examples, from games that are played on an empty store."""
    with connect(url) as client:
        games = CommandHandler(ArchivingStore(client), RULEBOOKS, StoppedClock())
        audits = AuditService(games, Signer(bytes(range(32))))
        services = Services(games, Tokens(SECRET), audits=audits, randomness=FixedRandomness())
        try:
            return record(api_of(build_app(services)), games)
        finally:
            services.broadcaster.close()
            if services.broadcaster._reader is not None:
                services.broadcaster._reader.join()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, EmbeddedServer(Path(folder)) as server:
        pages = recorded(server.url)
    for file in EXAMPLES.iterdir():
        file.unlink()
    for name, text in pages.items():
        EXAMPLES.joinpath(name).write_text(text, "utf-8")
    sys.stdout.write(f"{len(pages)} examples\n")


if __name__ == "__main__":
    main()
