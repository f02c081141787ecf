"""Endpoints: what each route takes and returns is declared beside its view, checked, and published as OpenAPI.

A view is decorated with :func:`endpoint`. It is called with the path's parameters and, if declared, with `body` and
`query` as loaded by marshmallow; it returns a response.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple, ParamSpec

import msgspec
from flask import Blueprint, Response, current_app, request
from marshmallow import Schema, ValidationError
from msgspec import Struct

from service.http.content_types import JSON
from service.http.limits import MAX_BODY_BYTES
from service.http.problems import Problem, field_errors
from service.http.request_body import read_body
from service.i18n.translate import language, translate_validation_error
from service.schemas.responses import FieldError

P = ParamSpec("P")
View = Callable[..., Response]


class ResponseSpec(NamedTuple):
    """What a status means: a description, the schema of its body, and the headers that come with it.

    `streams`: further content types that carry a sequence of events; for each, the schemas by name of event.
    `links`: the operations that may follow, by name, in the form that OpenAPI has.
    """

    description: str
    schema: Any = None
    content_type: str = JSON
    headers: Mapping[str, str] = {}
    streams: Mapping[str, Mapping[str, Any]] = {}
    links: Mapping[str, Mapping[str, Any]] = {}


class Endpoint(NamedTuple):
    """What a route takes and returns. `path` is the whole path, as Flask writes it; `flask_name` its name in the app.

    `access`: one of the keys of `service.openapi.document.ACCESS`, or `none`. `parameters`: those in neither path nor
    query, in the form that OpenAPI has. `content_type`: that of a body that the view reads by itself. `creates`: each
    request counts against the limit of what one address may create.
    """

    method: str
    path: str
    view: View
    operation: str
    summary: str
    description: str
    tag: str
    access: str
    responses: Mapping[int, ResponseSpec]
    problems: tuple[str, ...]
    body: type[Schema] | None
    query: type[Schema] | None
    idempotent: bool
    parameters: tuple[Mapping[str, Any], ...]
    content_type: str | None = None
    creates: bool = False
    flask_name: str = ""


class ApiBlueprint(Blueprint):
    """A group of routes of the contract. `endpoints` has them in the order in which they are declared."""

    def __init__(self, name: str, url_prefix: str | None = "/v1") -> None:
        super().__init__(name, __name__, url_prefix=url_prefix)
        self.endpoints: list[Endpoint] = []


def endpoint(  # noqa: PLR0913 - everything about a route is declared in one place
    blueprint: ApiBlueprint,
    method: str,
    path: str,
    *,
    operation: str,
    summary: str,
    description: str,
    responses: Mapping[int, ResponseSpec],
    problems: tuple[str, ...] = (),
    access: str = "none",
    body: type[Schema] | None = None,
    fast_type: type[Struct] | None = None,
    query: type[Schema] | None = None,
    idempotent: bool = False,
    parameters: tuple[Mapping[str, Any], ...] = (),
    content_type: str | None = None,
    creates: bool = False,
    tag: str | None = None,
) -> Callable[[View], View]:
    """Declare a route: register its view, check its input, and record what the document says about it.

    `operation` is its id, `summary` and `description` are the texts of the contract. An `idempotent` route honours the
    header `Idempotency-Key`. `tag`: the group of routes that it is listed under, if not that of its blueprint.
    `fast_type`: a struct that the view gets instead of a dict; a body that msgspec can decode as one skips the
    marshmallow schema, which would accept it unchanged.
    """
    body_schema = body() if body else None
    fast_decoder = msgspec.json.Decoder(fast_type) if fast_type else None
    query_schema = query() if query else None

    def declare(view: View) -> View:
        @wraps(view)
        def handle(**parameters: Any) -> Response:
            if body_schema is not None:
                parameters["body"] = _body(body_schema, fast_decoder)
            if query_schema is not None:
                parameters["query"] = _load(query_schema, request.args.to_dict(), "query")
            return view(**parameters)

        blueprint.add_url_rule(path, operation, handle, methods=[method])
        text = "\n\n".join(" ".join(paragraph.split()) for paragraph in description.split("\n\n"))
        blueprint.endpoints.append(
            Endpoint(
                method,
                (blueprint.url_prefix or "") + path,
                handle,
                operation,
                summary,
                text,
                tag or blueprint.name,
                access,
                responses,
                problems,
                body,
                query,
                idempotent,
                parameters,
                content_type,
                creates,
                f"{blueprint.name}.{operation}",
            )
        )
        return handle

    return declare


def _body(schema: Schema, fast_decoder: msgspec.json.Decoder[Any] | None) -> Any:
    """Read the request's body and return it as its schema loads it.

    Raises:
        Problem: `not-json-type`, `body-timeout`, `bad-request`, `not-json` or `invalid`.
        RequestEntityTooLarge: when it is over the limit.
    """
    if (request.content_type or "").partition(";")[0].strip().lower() != JSON:
        raise Problem("not-json-type", "send the header Content-Type: application/json")
    body = b"".join(read_body(MAX_BODY_BYTES, current_app.config["BODY_SECONDS"]))
    if fast_decoder is None:
        return _load(schema, _plain(body), "body")
    try:
        return fast_decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return fast_decoder.type(**_load(schema, _plain(body), "body"))


def _plain(body: bytes) -> Any:
    """Decode JSON to plain values.

    Raises:
        Problem: `not-json`.
    """
    if not body:
        raise Problem("not-json", "the body is empty")
    try:
        return msgspec.json.decode(body)
    except RecursionError:
        raise Problem("not-json", "the body is nested too deeply") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Problem("not-json", str(error)) from None


def _load(schema: Schema, data: Any, where: str) -> Any:
    try:
        return schema.load(data)
    except ValidationError as invalid:
        to = language()
        errors = [
            FieldError(error.path, translate_validation_error(error.reason, to))
            for error in field_errors(invalid.messages)
        ]
        detail = "; ".join(f"{'.'.join(map(str, error.path)) or where}: {error.reason}" for error in errors[:5])
        raise Problem("invalid", detail, errors=errors) from None
