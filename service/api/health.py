"""Operations: is the service well, and the document of its contract."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response

from events.store.errors import StoreAway
from service.context import house
from service.http.endpoint import Answer, operation
from service.http.problems import Problem
from service.http.responses import reply
from service.openapi.document import document
from service.schemas.responses import Health

bp = Blueprint("operations", __name__)

RECORD_FORMAT = Path(__file__).parents[2] / "docs" / "record-format.md"


@operation(bp, "GET", "/healthz", summary="Am I alive?", answers={200: Answer("Yes.", Health)})
def look_alive() -> Response:
    """Answer as long as this process answers at all."""
    return reply(Health("ok"))


@operation(
    bp,
    "GET",
    "/readyz",
    summary="Can I work?",
    answers={200: Answer("Yes.", Health)},
    problems=("store-away",),
)
def look_ready() -> Response:
    """Answer 200 as long as the store can be reached, else 503."""
    try:
        house().games.store.ping()
    except StoreAway:
        raise Problem("store-away", "the store cannot be reached") from None
    return reply(Health("ok"))


@operation(bp, "GET", "/openapi.json", summary="This document", answers={200: Answer("The OpenAPI document.", dict)})
def show_document() -> Response:
    """Return the contract as an OpenAPI 3.1 document; `openapi.yaml` in the sources is the same, `/docs` shows it."""
    return reply(document())


@bp.get("/docs/record-format.md")
def show_record_format() -> Response:
    """Return the page that tells how a record is verified: who has only the document is to find it as well."""
    if not RECORD_FORMAT.is_file():
        raise Problem("not-found", "this page was not installed: it is docs/record-format.md in the sources")
    return Response(RECORD_FORMAT.read_text("utf-8"), content_type="text/markdown; charset=utf-8")
