"""A whole game through a client that is generated from openapi.yaml. It knows no rulebook.

Each seat follows its own stream of events, and answers whatever it is asked with a random answer that the choice's
schema allows. `make examples` generates the client; then: python play.py http://127.0.0.1:8000 six-nimmt
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from croupier_client.api.games import create_game, get_game
from croupier_client.api.play import answer_choice
from croupier_client.api.seats import take_a_seat
from croupier_client.client import AuthenticatedClient, Client
from croupier_client.models import (
    Choices,
    ChoiceShown,
    EventShown,
    GameCreated,
    GameFollowed,
    GameShown,
    NewGame,
    NewSeatWithName,
    SeatGiven,
    StreamEnd,
)

EVENTS = {"game": GameFollowed, "decision": EventShown, "choices": Choices, "end": StreamEnd}


def fitting(field: dict[str, Any]) -> Any:
    """Give a random value that fits the schema of a field."""
    if "enum" in field:
        return random.choice(field["enum"])
    if field["type"] == "integer":
        return random.randint(field["minimum"], field["maximum"])
    return random.sample(field["items"].get("enum", []), random.randint(field["minItems"], field["maxItems"]))


class AnyCommand:
    """A command that was made from a choice's schema: the types of the moves are for clients that know a rulebook."""

    def __init__(self, choice: ChoiceShown) -> None:
        shape = random.choice(choice.schema.to_dict()["oneOf"])["properties"]
        args = {name: fitting(field) for name, field in shape["args"]["properties"].items()}
        self.body = {"choice": choice.choice, "move": shape["move"]["const"], "args": args}

    def to_dict(self) -> dict[str, Any]:
        """Give the body."""
        return self.body


def events(client: AuthenticatedClient, game: str) -> Iterator[Any]:
    """Give the events of a game as the seat may see them, until it is over."""
    headers = {"Accept": "application/x-ndjson"}
    path = f"/v1/games/{game}/events"
    with client.get_httpx_client().stream("GET", path, headers=headers, timeout=60) as stream:
        stream.raise_for_status()
        for line in stream.iter_lines():
            if line:
                event = json.loads(line)
                yield EVENTS[event["type"]].from_dict(event)


def answer(client: AuthenticatedClient, game: str, choices: list[ChoiceShown]) -> None:
    """Answer one of the choices.

    It may have changed meanwhile, or a condition that no schema can say may refuse the answer: nothing has happened
    then, and the refusal says what is asked now.
    """
    while choices:
        reply = answer_choice.sync_detailed(game, client=client, body=AnyCommand(choices[0]))  # type: ignore[arg-type]
        if reply.status_code in (200, 201):
            return  # what is asked next comes through the stream
        if reply.status_code != 409:
            raise SystemExit(f"{reply.status_code}: {reply.content.decode()}")
        choices = [ChoiceShown.from_dict(choice) for choice in json.loads(reply.content).get("choices", [])]


def play(url: str, game: str, name: str) -> int:
    """Sit down and play to the end; give the number of decisions that were told."""
    given = take_a_seat.sync(game, client=Client(base_url=url), body=NewSeatWithName(name=name))
    assert isinstance(given, SeatGiven), given
    told = 0
    with AuthenticatedClient(base_url=url, token=given.token) as client:
        commands = AuthenticatedClient(base_url=url, token=given.token)
        for event in events(client, game):
            if isinstance(event, (GameFollowed, Choices)):
                answer(commands, game, event.choices)
            elif isinstance(event, EventShown):
                told += 1
    return told


def main() -> None:
    """Play a game for two."""
    url, rulebook = (sys.argv[1:] + ["http://127.0.0.1:8000", "six-nimmt"][len(sys.argv) - 1 :])[:2]
    created = create_game.sync(client=Client(base_url=url), body=NewGame(rulebook=rulebook, seats=2))
    assert isinstance(created, GameCreated), created
    game = created.game.game
    with ThreadPoolExecutor() as seats:
        told = list(seats.map(lambda name: play(url, game, name), ("Ana", "Ben")))
    over = get_game.sync(game, client=Client(base_url=url))
    assert isinstance(over, GameShown), over
    print(f"{game} {over.status} after {over.version} decisions; told: {' and '.join(map(str, told))}")
    for seat in over.seats:
        if over.result is not None:
            print(f"{over.result.places[seat.seat]}. {seat.name}: {over.result.points[seat.seat]}")


if __name__ == "__main__":
    main()
