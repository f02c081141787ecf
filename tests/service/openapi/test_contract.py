"""The contract: `openapi.yaml` describes what the app does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, settings
from openapi_spec_validator import validate
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from service.schemas.problems import PROBLEMS, URN
from tests.service.openapi.document import DOCUMENT, YAML
from tests.service.players import Caller, Table, Transport, expect, full_table, open_table

CHECKOUT = Path(__file__).resolve().parents[3]
METHODS = {"get", "put", "post", "delete", "patch"}
OUTSIDE = ("/docs",)
"""Pages for people to read: not part of the contract."""


def cases(number: int) -> settings:
    """Let so many cases be generated for each operation."""
    return settings(
        max_examples=number,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


FEW, MANY = cases(4), cases(50)


# The document.


def test_nothing_published_is_taken_from_a_docstring() -> None:
    """Python drops all docstrings with -OO; the document must not change."""
    printed = subprocess.run(
        [sys.executable, "-OO", "-m", "service.cli.openapi"], cwd=CHECKOUT, capture_output=True, check=True
    )
    assert printed.stdout.decode() == YAML


def test_openapi_yaml_is_up_to_date() -> None:
    """`make openapi` updates it."""
    assert (CHECKOUT / "openapi.yaml").read_text(encoding="utf-8") == YAML


def test_the_document_is_valid_openapi() -> None:
    validate(DOCUMENT)


def test_the_service_shows_the_same_document(api: Transport) -> None:
    published = expect(200, Caller(api).get("/openapi.json"))
    assert published == DOCUMENT


def test_the_document_has_exactly_the_routes_of_the_app(app: Flask) -> None:
    served = {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        if not rule.rule.startswith(OUTSIDE)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    documented = {
        (method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item if method in METHODS
    }
    assert documented == served


def operations() -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method} {path}", operation)
        for path, item in DOCUMENT["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    ]


def test_every_operation_has_a_summary_a_description_and_a_name_of_its_own() -> None:
    names = [operation["operationId"] for _, operation in operations()]
    assert len(set(names)) == len(names)
    assert [name for name, operation in operations() if not (operation["summary"] and operation["description"])] == []


def test_no_two_schemas_have_the_same_title() -> None:
    """Client generators name types by the titles of schemas, and leave out types whose names are taken."""
    titles = [schema["title"] for schema in DOCUMENT["components"]["schemas"].values() if "title" in schema]
    assert sorted({title for title in titles if titles.count(title) > 1}) == []


def test_every_refusal_is_a_known_problem() -> None:
    responses = DOCUMENT["components"]["responses"]
    documented: set[str] = set()
    for name, operation in operations():
        for status, response in operation["responses"].items():
            if status >= "400":
                described = responses[response["$ref"].rpartition("/")[2]] if "$ref" in response else response
                assert list(described["content"]) == ["application/problem+json"], (name, status)
                codes = re.findall(re.escape(URN) + "([a-z-]+)", str(described["content"]))
                assert {PROBLEMS[code][0] for code in codes} == {int(status)}, (name, status)
                documented.update(codes)
    assert set(PROBLEMS) - documented == UNDOCUMENTED


UNDOCUMENTED = {"bad-request", "internal", "method-not-allowed"}
"""Refusals by HTTP itself, and internal errors."""


def test_the_document_is_shown_to_people(api: Transport) -> None:
    page = Caller(api).get("/docs/")
    assert page.status == 200
    assert b"/openapi.json" in page.body
    scripts = re.findall(rb'(?:src|href)="([^"]+)"', page.body)
    assert scripts
    assert [script for script in scripts if not script.startswith((b"/docs/", b"./"))] == [], (
        "nothing is fetched elsewhere"
    )
    assert {Caller(api).call("HEAD", script.decode()).status for script in scripts} == {200}


# The app does what the document says, whatever it is sent.


class CurrentApp:
    """The app of the test that runs now."""

    app: Flask

    def __call__(self, environ: Any, start_response: Any) -> Any:
        return self.app(environ, start_response)


schemathesis.serializer.alias("application/x-ndjson", "text/plain")

CURRENT_APP = CurrentApp()
CONTRACT = schemathesis.openapi.from_dict(DOCUMENT)
CONTRACT.app = CURRENT_APP
CONTRACT.config.phases.coverage.enabled = False  # thousands of cases: what they find is in test_request_body


@pytest.fixture(autouse=True)
def current_app(app: Flask) -> None:
    CURRENT_APP.app = app


def invalid_parts(case: Any) -> set[ParameterLocation]:
    """The parts of a request that do not match the document."""
    return {place for place, component in case.meta.components.items() if component.mode is GenerationMode.NEGATIVE}


def check(case: Any, table: Table | None = None, token: str | None = None) -> None:
    """Send a request. The document must describe the response, and a valid request gets no validation errors.

    A body may match its schema and still name an unknown rulebook, option or seat. Lines are text, so they are never
    invalid. The game of `table` and its token replace those that were made up.
    """
    invalid = invalid_parts(case)
    excluded = [positive_data_acceptance]
    if table is not None:
        case.path_parameters["game"] = table.game
        if ParameterLocation.HEADER not in invalid:
            case.headers["Authorization"] = f"Bearer {token}"
    if (table is not None and invalid <= {ParameterLocation.PATH}) or case.media_type == "application/x-ndjson":
        excluded.append(negative_data_rejection)
    if ParameterLocation.QUERY not in invalid and "wait" in (case.query or {}):
        case.query["wait"] = 0  # it would wait indeed
    case.headers["Accept-Encoding"] = "identity"
    answer = case.call()
    case.validate_response(answer, excluded_checks=excluded)
    if not invalid and answer.status_code == 422:
        assert "errors" not in answer.json(), answer.text


@pytest.fixture(scope="module")
def table(api: Transport) -> Table:
    return full_table(api, seats=2)


@pytest.fixture(scope="module")
def lobby(api: Transport) -> Table:
    return open_table(api, seats=10, start="host")


def check_as_host(case: Any, lobby: Table) -> None:
    check(case, lobby, lobby.host.token)
    for seat in lobby.view()["seats"]:
        if seat["taken"]:
            expect(200, lobby.host.delete(f"{lobby.path}/seats/{seat['seat']}"))


OF_A_SEAT = CONTRACT.include(path_regex="{game}/(choices|commands|events)|{game}$")
OF_THE_HOST = CONTRACT.include(path_regex="{game}/(seats|start|pause|rematch)")


@CONTRACT.parametrize()
@FEW
def test_the_response_to_any_request_is_in_the_contract(case: Any) -> None:
    check(case)


@OF_A_SEAT.parametrize()
@FEW
def test_the_response_to_any_request_of_a_seat_is_in_the_contract(table: Table, case: Any) -> None:
    check(case, table, table.players[0].token)


@OF_THE_HOST.parametrize()
@FEW
def test_the_response_to_any_request_of_the_host_is_in_the_contract(lobby: Table, case: Any) -> None:
    check_as_host(case, lobby)


@pytest.mark.soak
@CONTRACT.parametrize()
@MANY
def test_many_requests_get_responses_of_the_contract(case: Any) -> None:
    check(case)


@pytest.mark.soak
@OF_A_SEAT.parametrize()
@MANY
def test_many_requests_of_a_seat_get_responses_of_the_contract(table: Table, case: Any) -> None:
    check(case, table, table.players[0].token)


@pytest.mark.soak
@OF_THE_HOST.parametrize()
@MANY
def test_many_requests_of_the_host_get_responses_of_the_contract(lobby: Table, case: Any) -> None:
    check_as_host(case, lobby)


def test_the_responses_to_commands_are_in_the_contract(api: Transport) -> None:
    played = full_table(api, seats=2)
    player = played.players[0]
    operation = CONTRACT["/v1/games/{game}/commands"]["POST"]
    command = player.command(player.choices()[0])
    token = {"Authorization": f"Bearer {player.token}"}
    for expected in (201, 200):
        case = operation.Case(
            path_parameters={"game": played.game}, headers=token, body=command, media_type="application/json"
        )
        answer = case.call()
        assert answer.status_code == expected
        operation.validate_response(answer)
