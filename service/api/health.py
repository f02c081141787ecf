"""Health of the service, and the document of its contract."""

from __future__ import annotations

from pathlib import Path

from flask import Response, current_app

from events.store.errors import StoreUnavailable
from service.context import services
from service.http.content_types import MARKDOWN
from service.http.endpoint import ApiBlueprint, ResponseSpec, endpoint
from service.http.problems import Problem
from service.http.responses import json_response
from service.schemas.responses import Health

bp = ApiBlueprint("operations", url_prefix=None)

RECORD_FORMAT = Path(__file__).parents[2] / "docs" / "record-format.md"


@endpoint(
    bp,
    "GET",
    "/healthz",
    operation="check_liveness",
    summary="Check liveness",
    description="""Return 200 as long as this process responds.""",
    responses={200: ResponseSpec("The process responds.", Health)},
)
def check_liveness() -> Response:
    return json_response(Health("ok"))


@endpoint(
    bp,
    "GET",
    "/readyz",
    operation="check_readiness",
    summary="Check readiness",
    description="""Return 200 as long as the store can be reached, otherwise 503.""",
    responses={200: ResponseSpec("The service can work.", Health)},
    problems=("store-unavailable",),
)
def check_readiness() -> Response:
    try:
        services().games.store.ping()
    except StoreUnavailable:
        raise Problem("store-unavailable", "the store cannot be reached") from None
    return json_response(Health("ok"))


@endpoint(
    bp,
    "GET",
    "/openapi.json",
    operation="get_openapi",
    summary="Get this document",
    description="""Return the contract as an OpenAPI 3.1 document. `/docs` shows it.""",
    responses={200: ResponseSpec("The OpenAPI document.", dict)},
)
def get_openapi() -> Response:
    return json_response(current_app.extensions["openapi"]())


@bp.get("/docs/record-format.md")
def get_record_format() -> Response:
    """Return the page on how a record is verified, which the document links to."""
    if not RECORD_FORMAT.is_file():
        raise Problem("not-found", "this page is not installed here: see docs/record-format.md in the source code")
    return Response(RECORD_FORMAT.read_text("utf-8"), content_type=MARKDOWN)
