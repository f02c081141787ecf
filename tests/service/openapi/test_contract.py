"""The contract: `openapi.yaml` says what the app does, and the app does what it says."""

from __future__ import annotations

import os
import re
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

FEW = settings(
    max_examples=int(os.environ.get("CROUPIER_CONTRACT_CASES", "20")),
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


# The document.


def test_openapi_yaml_is_what_the_code_says() -> None:
    """`make openapi` writes it anew."""
    assert (CHECKOUT / "openapi.yaml").read_text(encoding="utf-8") == YAML


def test_the_document_is_valid_openapi() -> None:
    validate(DOCUMENT)


def test_the_service_shows_the_same_document(api: Transport) -> None:
    shown = expect(200, Caller(api).get("/openapi.json"))
    assert shown == DOCUMENT


def test_every_route_of_the_app_is_in_the_document_and_the_other_way_round(app: Flask) -> None:
    served = {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        if not rule.rule.startswith(OUTSIDE)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    told = {(method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item if method in METHODS}
    assert told == served


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


def test_every_refusal_is_a_problem_document_of_the_list() -> None:
    kept = DOCUMENT["components"]["responses"]
    told: set[str] = set()
    for name, operation in operations():
        for status, response in operation["responses"].items():
            if status >= "400":
                described = kept[response["$ref"].rpartition("/")[2]] if "$ref" in response else response
                assert list(described["content"]) == ["application/problem+json"], (name, status)
                codes = re.findall(re.escape(URN) + "([a-z-]+)", str(described["content"]))
                assert {PROBLEMS[code][0] for code in codes} == {int(status)}, (name, status)
                told.update(codes)
    assert set(PROBLEMS) - told == UNTOLD


UNTOLD = {"bad-request", "internal", "method-not-allowed"}
"""What HTTP itself refuses, and what must never be."""


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


class Door:
    """A place for the app, which is there only while a test runs."""

    app: Flask

    def __call__(self, environ: Any, start_response: Any) -> Any:
        return self.app(environ, start_response)


schemathesis.serializer.alias("application/x-ndjson", "text/plain")

DOOR = Door()
CONTRACT = schemathesis.openapi.from_dict(DOCUMENT)
CONTRACT.app = DOOR
CONTRACT.config.phases.coverage.enabled = False  # thousands of cases: what they find is written down in test_bad_bodies


@pytest.fixture(autouse=True)
def open_door(app: Flask) -> None:
    DOOR.app = app


def odd_places(case: Any) -> set[ParameterLocation]:
    """Where a case does not fit the document."""
    return {place for place, component in case.meta.components.items() if component.mode is GenerationMode.NEGATIVE}


def check(case: Any, table: Table | None = None, token: str | None = None) -> None:
    """Send a case; its answer must be one that the document describes, and what fits is not told that it does not.

    A body may fit its schema and still name a rulebook, an option or a seat that is not there: that is no fault.
    Lines are text, so nothing is odd there. The game of `table` takes the place of an odd one, and its token that of
    one that is made up.
    """
    odd = odd_places(case)
    excluded = [positive_data_acceptance]
    if table is not None:
        case.path_parameters["game"] = table.game
        if ParameterLocation.HEADER not in odd:
            case.headers["Authorization"] = f"Bearer {token}"
    if (table is not None and odd <= {ParameterLocation.PATH}) or case.media_type == "application/x-ndjson":
        excluded.append(negative_data_rejection)
    if ParameterLocation.QUERY not in odd and "wait" in (case.query or {}):
        case.query["wait"] = 0  # it would wait indeed
    case.headers["Accept-Encoding"] = "identity"
    answer = case.call()
    case.validate_response(answer, excluded_checks=excluded)
    if not odd and answer.status_code == 422:
        assert "errors" not in answer.json(), answer.text


@CONTRACT.parametrize()
@FEW
def test_whatever_is_sent_the_answer_is_one_of_the_contract(case: Any) -> None:
    check(case)


@pytest.fixture(scope="module")
def table(api: Transport) -> Table:
    return full_table(api, seats=2)


@pytest.fixture(scope="module")
def lobby(api: Transport) -> Table:
    return open_table(api, seats=10, start="host")


@CONTRACT.include(path_regex="{game}/(choices|commands|events)|{game}$").parametrize()
@FEW
def test_whatever_a_seat_sends_the_answer_is_one_of_the_contract(table: Table, case: Any) -> None:
    check(case, table, table.players[0].token)


@CONTRACT.include(path_regex="{game}/(seats|start|pause|rematch)").parametrize()
@FEW
def test_whatever_the_host_sends_the_answer_is_one_of_the_contract(lobby: Table, case: Any) -> None:
    check(case, lobby, lobby.host.token)
    for seat in lobby.view()["seats"]:
        if seat["taken"]:
            expect(200, lobby.host.delete(f"{lobby.path}/seats/{seat['seat']}"))


def test_what_a_game_answers_in_play_is_what_the_contract_says(api: Transport) -> None:
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
