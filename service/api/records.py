"""Records: the whole of a game that is over, and audits, of our own games and of records that are sent to us."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain as joined
from typing import Annotated, Any, TypeVar

from flask import Response, request
from msgspec import Meta, Struct

from events.games.repository import LoadedGame
from events.records.audit import Check, Failure, Report
from events.records.record import Footer, Header
from games.kernel import msg
from service.context import services
from service.http.auth import require_access
from service.http.content_types import NDJSON
from service.http.endpoint import ApiBlueprint, ResponseSpec, endpoint
from service.http.etags import with_etag
from service.http.limits import MAX_UPLOAD_BYTES
from service.http.problems import Problem
from service.http.rate_limits import too_many_requests
from service.http.request_body import read_body
from service.http.responses import json_response
from service.records.audit_service import AuditTimeout, TooManyUploads
from service.schemas.requests import ViewQuerySchema

bp = ApiBlueprint("records")

T = TypeVar("T")

CHUNK_BYTES = 64 * 1024


class RecordLine(Struct, omit_defaults=True):
    """A line of a record, see /docs/record-format.md: `header`, `d` or `footer` is there, as the bytes that are hashed.

    First the header, then a line for each decision, last the footer; `h` is its hash.
    """

    h: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    header: Header | None = None
    d: Annotated[dict[str, Any] | None, Meta(description="a decision")] = None
    footer: Footer | None = None
    key: Annotated[str | None, Meta(description="of the footer: the key of the signature")] = None
    signature: Annotated[str | None, Meta(description="of the footer: Ed25519, over its hash")] = None


class AuditReport(Struct):
    """What an audit found. `head` is null for a game that is not over: its hash would let hidden cards be guessed."""

    valid: bool
    game: str | None
    rulebook: str | None
    edition: int | None
    decisions: int
    head: str | None
    key: Annotated[str | None, Meta(description="who signed: see /.well-known/croupier-keys.json")]
    checks: list[Check]
    failure: Annotated[Failure | None, Meta(description="the first decision, or line, that fails")]
    text: Annotated[str, Meta(description="all this, to be read by a person")]


@endpoint(
    bp,
    "GET",
    "/games/<game>/record",
    summary="The record of a game",
    access="any",
    query=ViewQuerySchema,
    responses={
        200: ResponseSpec("The record, line by line.", RecordLine, NDJSON, headers={"ETag": "the game's version"}),
        304: ResponseSpec("You have it already."),
    },
    problems=("bad-token", "not-your-seat", "no-such-game", "game-not-over", "version-mismatch"),
)
def get_record(game: str, query: dict[str, object]) -> Response:
    """Return the whole record of a game that is over, with every hidden card and the seed of all shuffles.

    Lines of JSON: a header, each decision with its hash, a footer, signed where the installation has a key. What is
    hashed is what is written: cut the bytes of `{…}` out of a line, do not write them anew.

    - A decision is `{"d":{…},"h":"…"}`: `h` is the sha256 of the `h` before it, as 32 bytes, and the bytes of `{…}`.

    - The first stands on `root` of the header: the sha256 of the game's id.

    - `seed.server` in the footer has the header's `commitment` for its sha256.

    [The format of records](/docs/record-format.md) tells the rest: the seal, the seed, every shuffle, in any language.
    `GET …/audit` and `POST /v1/audits` look at all of it.
    """
    current = services().games.read(game)
    require_access(services().tokens, request, game, current.session)
    _check_over(current)
    pieces = _chunks(services().audits.lines(game, current))
    answer = Response(joined([next(pieces)], pieces), content_type=NDJSON)  # a store that is away is noticed now
    answer.headers["Content-Disposition"] = f'attachment; filename="{game}.ndjson"'
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["Vary"] = "Authorization"
    return with_etag(answer, request, current.game.number)


@endpoint(
    bp,
    "GET",
    "/games/<game>/audit",
    summary="Audit a game",
    access="any",
    query=ViewQuerySchema,
    responses={200: ResponseSpec("What the audit found.", AuditReport)},
    problems=("bad-token", "not-your-seat", "no-such-game"),
)
def audit_game(game: str, query: dict[str, object]) -> Response:
    """Verify a game of this installation from its log.

    When it is over: its chain, its commitments, its result, and each decision made again, every shuffle with it, if
    it was played by the edition of the rules that is here. While it goes on: the chain and the commitment only, and
    nothing is revealed.
    """
    current = services().games.read(game)
    require_access(services().tokens, request, game, current.session)
    answer = json_response(_report_view(services().audits.audit_game(game, current)))
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["Vary"] = "Authorization"
    return answer


@endpoint(
    bp,
    "POST",
    "/audits",
    summary="Audit a record",
    content_type=NDJSON,
    creates=True,
    responses={200: ResponseSpec("What the audit found: the record is valid, or where it fails first.", AuditReport)},
    problems=("body-timeout", "too-large", "not-ndjson-type"),
)
def audit_upload() -> Response:
    """Verify a record that is sent as the body, of whatever server, up to 4 MiB. Nothing of it is kept, or carried out.

    It is audited when it has come whole, a few records at a time (429 `too-many-requests`).

    Send it byte for byte: with curl, `--data-binary @game.ndjson`, as `-d` takes the line feeds out. An answer of 200
    says that the audit was made; `valid` says what came of it. On a page that lets this document be tried out, put in
    the lines themselves: such pages show them as one JSON text, in quotes.
    """
    if request.mimetype != NDJSON:
        raise Problem("not-ndjson-type", msg("say what the body is: Content-Type: application/x-ndjson"))
    body = read_body(MAX_UPLOAD_BYTES, services().limits.upload_seconds)
    try:
        return json_response(_report_view(services().audits.audit_lines(body)))
    except TooManyUploads:
        raise too_many_requests(1) from None
    except AuditTimeout:
        raise Problem("too-large", msg("this record takes too long here: `verify` has the time for it")) from None


def _check_over(current: LoadedGame) -> None:
    if not current.session.is_over:
        raise Problem("game-not-over", msg("the record of a game is open when it is over"))


def _report_view(report: Report) -> AuditReport:
    return AuditReport(
        valid=report.valid,
        game=report.game,
        rulebook=report.rulebook,
        edition=report.edition,
        decisions=report.decisions,
        head=report.head,
        key=report.key,
        checks=list(report.checks),
        failure=report.failure,
        text=report.text(),
    )


def _chunks(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Gather lines into pieces large enough to be worth sending."""
    piece: list[bytes] = []
    size = 0
    for line in lines:
        piece.append(line)
        size += len(line)
        if size >= CHUNK_BYTES:
            yield b"".join(piece)
            piece, size = [], 0
    yield b"".join(piece)
