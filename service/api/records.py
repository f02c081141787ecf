"""Records of finished games, and audits of games of this installation and of uploaded records."""

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
    help = """A line of a record (see /docs/record-format.md), with one of `header`, `d` and `footer`.

    The header comes first, then a line for each decision, then the footer. `h` is the hash of the line.
    """

    h: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    header: Header | None = None
    d: Annotated[dict[str, Any] | None, Meta(description="a decision")] = None
    footer: Footer | None = None
    key: Annotated[str | None, Meta(description="in the last line: the public key of the signature")] = None
    signature: Annotated[str | None, Meta(description="in the last line: the Ed25519 signature of its hash")] = None


class AuditReport(Struct):
    help = """The outcome of an audit. `head` is null while a game goes on: with its hash, hidden cards could be
    guessed."""

    valid: bool
    game: str | None
    rulebook: str | None
    edition: int | None
    decisions: int
    head: str | None
    key: Annotated[
        str | None, Meta(description="the public key of the signature: see `/.well-known/croupier-keys.json`")
    ]
    checks: list[Check]
    failure: Annotated[Failure | None, Meta(description="the first decision or line that fails")]
    text: Annotated[str, Meta(description="the outcome as text for people")]


@endpoint(
    bp,
    "GET",
    "/games/<game>/record",
    operation="get_record",
    summary="Get the record of a game",
    description="""Return the complete record of a finished game, with every hidden card and the seed of all shuffles.

    The record is lines of JSON: a header, each decision with its hash, and a footer, which is signed if the
    installation has a key. Hashes are taken over bytes as they are written: cut the bytes of `{…}` out of a line, do
    not encode them again.

    - A decision is `{"d":{…},"h":"…"}`: `h` is the SHA-256 hash of the previous `h`, as 32 bytes, followed by the bytes
      of `{…}`.

    - The previous hash of the first decision is `root` in the header: the SHA-256 hash of the game's id.

    - `commitment` in the header is the SHA-256 hash of `seed.server` in the footer.

    [The format of records](/docs/record-format.md) describes the rest: the seal, the seed and every shuffle, for any
    language. `GET …/audit` and `POST /v1/audits` verify all of it.
    """,
    access="any",
    query=ViewQuerySchema,
    responses={
        200: ResponseSpec("The record, line by line.", RecordLine, NDJSON, headers={"ETag": "the game's version"}),
        304: ResponseSpec("The record is still the one of `If-None-Match`."),
    },
    problems=("bad-token", "not-your-seat", "no-such-game", "game-not-over", "version-mismatch"),
)
def get_record(game: str, query: dict[str, object]) -> Response:
    current = services().games.read(game)
    require_access(services().tokens, game, current.session)
    _check_over(current)
    chunks = _chunks(services().audits.lines(game, current))
    response = Response(joined([next(chunks)], chunks), content_type=NDJSON)  # an unavailable store is noticed here
    response.headers["Content-Disposition"] = f'attachment; filename="{game}.ndjson"'
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Authorization"
    return with_etag(response, request, current.game.number)


@endpoint(
    bp,
    "GET",
    "/games/<game>/audit",
    operation="audit_game",
    summary="Audit a game",
    description="""Verify a game of this installation from its log.

    If the game is over: its chain, its commitments and its result. If it was played under the edition of the rules that
    is installed here, every decision is made again, with every shuffle. While the game goes on: only the chain and the
    commitment, so that nothing is revealed.
    """,
    access="any",
    query=ViewQuerySchema,
    responses={200: ResponseSpec("The outcome of the audit.", AuditReport)},
    problems=("bad-token", "not-your-seat", "no-such-game"),
)
def audit_game(game: str, query: dict[str, object]) -> Response:
    current = services().games.read(game)
    require_access(services().tokens, game, current.session)
    response = json_response(_report_view(services().audits.audit_game(game, current)))
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Authorization"
    return response


@endpoint(
    bp,
    "POST",
    "/audits",
    operation="audit_record",
    summary="Audit a record",
    description="""Verify a record of any server, sent as the body, up to 4 MiB. Nothing of it is stored or executed.

    The audit begins when the whole record has arrived. Only a few records are audited at a time; a further one is
    refused (429 `too-many-requests`).

    Send the record byte for byte: with curl use `--data-binary @game.ndjson`, because `-d` removes line feeds. The
    status 200 means that the audit was made; `valid` has its outcome. In the interactive documentation, enter the lines
    themselves, not one JSON text in quotes.
    """,
    content_type=NDJSON,
    creates=True,
    responses={
        200: ResponseSpec("The outcome of the audit: the record is valid, or where it fails first.", AuditReport)
    },
    problems=("body-timeout", "too-large", "not-ndjson-type"),
)
def audit_record() -> Response:
    if request.mimetype != NDJSON:
        raise Problem("not-ndjson-type", msg("send the header Content-Type: application/x-ndjson"))
    body = read_body(MAX_UPLOAD_BYTES, services().limits.upload_seconds)
    try:
        return json_response(_report_view(services().audits.audit_lines(body)))
    except TooManyUploads:
        raise too_many_requests(1) from None
    except AuditTimeout:
        raise Problem("too-large", msg("auditing this record takes too long here: use the command `verify`")) from None


def _check_over(current: LoadedGame) -> None:
    if not current.session.is_over:
        raise Problem("game-not-over", msg("the record of a game is available when the game is over"))


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
    """Join lines to chunks that are large enough to be worth sending."""
    chunk: list[bytes] = []
    size = 0
    for line in lines:
        chunk.append(line)
        size += len(line)
        if size >= CHUNK_BYTES:
            yield b"".join(chunk)
            chunk, size = [], 0
    yield b"".join(chunk)
