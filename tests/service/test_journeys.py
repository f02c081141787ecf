"""Journeys through the contract: whatever is done after what, by its links, the answers are told in it."""

from __future__ import annotations

from typing import Any

import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

import service.app  # noqa: F401 - its resources declare the operations
from service.openapi import document

SOME = settings(
    max_examples=25,
    stateful_step_count=8,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
ENOUGH: dict[str, dict[str, Any]] = {
    "create_game": {"rulebook": "six-nimmt", "seats": 2, "options": {}, "visibility": "public"},
    "take_a_seat": {"name": "Ana", "bot": None},
}
"""What lets a request succeed, whatever else it says."""
CAN_BE_REFUSED = [positive_data_acceptance, negative_data_rejection]
"""What fits its schema may name a seat that is taken; what does not may be refused for what comes before it."""


def test_journeys_by_the_links_of_the_document_meet_nothing_that_is_not_told(app: Flask) -> None:
    contract = schemathesis.openapi.from_dict(document())
    contract.app = app
    tokens: dict[str, str] = {}
    met: set[tuple[str, int]] = set()

    class Journey(contract.as_state_machine()):  # type: ignore[misc]
        """Somebody who keeps the last token of each game, and sends it there."""

        def before_call(self, case: Any) -> None:
            case.headers["Accept-Encoding"] = "identity"
            token = tokens.get((case.path_parameters or {}).get("game", ""))
            if token is not None:
                case.headers["Authorization"] = f"Bearer {token}"
            operation = case.operation.definition.raw["operationId"]
            if operation in ENOUGH and isinstance(case.body, dict):
                case.body |= ENOUGH[operation]

        def after_call(self, response: Any, case: Any) -> None:
            met.add((case.operation.definition.raw["operationId"], response.status_code))
            if response.status_code == 201:
                body = response.json()
                token = body.get("token") or body.get("host_token")
                if token is not None:
                    tokens[body["game"]["game"]] = token

        def validate_response(self, response: Any, case: Any, **more: Any) -> None:
            case.validate_response(response, excluded_checks=CAN_BE_REFUSED)

    run_state_machine_as_test(Journey, settings=SOME)
    assert {("create_game", 201), ("take_a_seat", 201)} <= met, "journeys lead somewhere"
    assert len({operation for operation, _ in met}) >= 8
