"""Journeys along the links of the contract get only documented responses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from events.games.command_handler import CommandHandler
from events.store.connection import Client, connect
from events.store.log_store import LogStore
from games.rulebooks import RULEBOOKS
from service.app import build_app
from service.context import Services
from service.http.auth import Tokens
from tests.clocks import StoppedClock
from tests.service.openapi.document import DOCUMENT
from tests.service.randomness import FixedRandomness

SECRET = "a secret of the tests"
SOME = settings(
    max_examples=2,  # the simplest, and one that is drawn
    stateful_step_count=10,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
JOURNEYS = 15
ENOUGH: dict[str, dict[str, Any]] = {
    "create_game": {"rulebook": "six-nimmt", "seats": 2, "options": {}, "visibility": "public"},
    "take_seat": {"name": "Ana", "bot": None},
}
"""Values that let a request succeed."""
CAN_BE_REFUSED = [positive_data_acceptance, negative_data_rejection]
"""What fits its schema may name a seat that is taken; what does not may be refused for what comes before it."""


class FreshApp:
    """An app that is made anew for each journey, on an empty store: the same steps meet the same answers."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.renew()

    def renew(self) -> None:
        """Empty the store and start again."""
        self._client.flushdb()
        games = CommandHandler(LogStore(self._client), RULEBOOKS, StoppedClock())
        self._app = build_app(Services(games, Tokens(SECRET), randomness=FixedRandomness()))

    def __call__(self, environ: Any, start_response: Any) -> Any:
        return self._app(environ, start_response)


@pytest.fixture
def fresh_app(store_url: str) -> Iterator[FreshApp]:
    with connect(store_url.removesuffix("/0") + "/9") as client:
        yield FreshApp(client)


def test_journeys_along_the_links_get_only_documented_responses(fresh_app: FreshApp) -> None:
    contract = schemathesis.openapi.from_dict(DOCUMENT)
    contract.app = fresh_app
    tokens: dict[str, str] = {}
    met: set[tuple[str, int]] = set()

    class Journey(contract.as_state_machine()):  # type: ignore[misc]
        """Somebody who keeps the last token of each game, and sends it there."""

        def setup(self) -> None:
            fresh_app.renew()
            tokens.clear()

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

    for number in range(JOURNEYS):  # apart: what is drawn depends on answers, which must be the same within one test
        run_state_machine_as_test(seed(number)(Journey), settings=SOME)
    assert {("create_game", 201), ("take_seat", 201)} <= met, "journeys lead somewhere"
    assert len({operation for operation, _ in met}) >= 8
