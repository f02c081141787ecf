"""Nothing leaks over HTTP: games that differ in what a seat cannot see answer it with the same bytes, on every route.

Apart from the game's id, the seat's token, the id of the request and the time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from events.games.command_handler import CommandHandler
from events.games.repository import LoadedGame
from events.store import keys
from events.store.archiving_store import ArchivingStore
from events.store.connection import connect
from games.kernel import Chance, Game
from games.rulebooks import RULEBOOKS
from service.app import build_app
from service.context import Services
from service.http.auth import HOST, Bearer, Tokens
from tests.properties.permutations import HiddenInfoPermutation, with_hidden
from tests.properties.positions import Position, positions

HERE, ELSEWHERE = "here000000000000", "e1sewhere0000000"
SECRET = "a secret of these tests"
HASH = "00" * 32
TIME = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
OWN_HEADERS = {"X-Request-ID", "Date"}


@pytest.fixture(scope="module")
def services(store_url: str) -> Iterator[Services]:
    with connect(store_url) as client:
        services = Services(CommandHandler(ArchivingStore(client), RULEBOOKS, clock=lambda: 0), Tokens(SECRET))
        yield services
        services.broadcaster.close()


@pytest.fixture(scope="module")
def client(services: Services) -> FlaskClient:
    return build_app(services).test_client()


def put(games: CommandHandler, name: str, position: Position, decision: Any, game: Game[Any, Any]) -> None:
    """Put a game at a position into the cache of a process, and end the log with the decision that led there."""
    games.store.delete(name)
    rulebook = position.description.rulebook
    entry = {"d": rulebook.encode(decision), "h": HASH}
    games.store.client.xadd(keys.log(name), entry, id=f"{decision.number}-0")  # type: ignore[arg-type]
    games._cache.put(name, LoadedGame(rulebook, game, HASH))


def answers(
    client: FlaskClient, tokens: Tokens, name: str, position: Position
) -> list[tuple[int, bytes, dict[str, str]]]:
    """Send every request that a viewer may send; return the responses without ids of the game."""
    seat, game = position.viewer, position.step.game
    generation = 0 if seat is None else game.session.seats[seat].token_epoch
    token = tokens.issue(Bearer(name, HOST if seat is None else seat, generation))
    mine = {"Authorization": f"Bearer {token}"}
    path = f"/v1/games/{name}"
    commands = [
        {"choice": choice, "move": move, "args": args}
        for choice in (1, game.last_choice, game.last_choice + 1)
        for move, args in (("no_such_move", {}), ("lay", {"card": 0}), ("summon", {"card": "hydra", "payment": [1]}))
    ]
    said = [
        client.get(path, headers=mine),
        client.get(path),
        client.head(path, headers=mine),
        client.get(f"{path}?as=0", headers=mine)
        if game.session.status == "running"
        else client.get(path, headers=mine),
        client.get(f"{path}/choices", headers=mine),
        client.get(f"{path}/choices"),
        client.get(f"{path}/events?after={game.number - 1}", headers=mine),
        client.get(f"{path}/events?after={game.number - 1}"),
        client.get(f"{path}/record", headers=mine)
        if game.session.status == "running"
        else client.get(path, headers=mine),
        client.post(f"{path}/seats", json={"name": "late"}),
        client.post(f"{path}/start", headers=mine),
        *(client.post(f"{path}/commands", json=command, headers=mine) for command in commands),
    ]
    return [
        (
            answer.status_code,
            TIME.sub(b"TIME", answer.data.replace(name.encode(), b"GAME")),
            {key: value.replace(name, "GAME") for key, value in answer.headers.items() if key not in OWN_HEADERS},
        )
        for answer in said
    ]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_viewer_gets_the_same_bytes_from_games_that_differ_in_what_it_may_not_see(
    services: Services, client: FlaskClient, rulebook: str, data: st.DataObject
) -> None:
    position = data.draw(positions(rulebook))
    decision, game = position.step
    permutation = HiddenInfoPermutation(
        game.state, position.viewer, position.description.kinds, Chance(str(data.draw(st.integers(0, 10**6))), 0)
    )
    elsewhere = replace(
        game,
        state=permutation.table,
        session=with_hidden(game.session, position.viewer, permutation.any_other, {}),
        flow=permutation.flow(position.description.rulebook, game.flow, position.description.public_args),
    )
    put(services.games, HERE, position, decision, game)
    put(services.games, ELSEWHERE, position, permutation.decision(position.description.rulebook, decision), elsewhere)
    found = answers(client, services.tokens, ELSEWHERE, position)
    for request_number, (expected, got) in enumerate(
        zip(answers(client, services.tokens, HERE, position), found, strict=True)
    ):
        assert got == expected, f"question {request_number} tells of what the viewer may not see"
        assert expected[0] < 500
