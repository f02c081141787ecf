"""Plays a whole game through a client that is generated from openapi.yaml. It knows no rulebook.

Each seat follows its own stream of events, and gives each choice a random answer that the choice's schema allows.
`make examples` generates the client; then: python play.py http://127.0.0.1:8000 six-nimmt
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
from croupier_client.api.seats import take_seat
from croupier_client.client import AuthenticatedClient, Client
from croupier_client.models import (
    Choices,
    ChoiceView,
    EventView,
    GameCreated,
    GameUpdate,
    GameView,
    NewGame,
    NewSeatWithName,
    SeatAssignment,
    StreamEnd,
)

EVENTS = {"game": GameUpdate, "decision": EventView, "choices": Choices, "end": StreamEnd}


def sample_value(field: dict[str, Any]) -> Any:
    """Return a random value that fits the schema of a field."""
    if "enum" in field:
        return random.choice(field["enum"])
    if field["type"] == "integer":
        return random.randint(field["minimum"], field["maximum"])
    return random.sample(field["items"].get("enum", []), random.randint(field["minItems"], field["maxItems"]))


class AnyCommand:
    """A command made from the schema of a choice. The generated types of moves are for clients that know a rulebook."""

    def __init__(self, choice: ChoiceView) -> None:
        offer = random.choice(choice.schema.to_dict()["oneOf"])["properties"]
        args = {name: sample_value(field) for name, field in offer["args"]["properties"].items()}
        self.body = {"choice": choice.choice, "move": offer["move"]["const"], "args": args}

    def to_dict(self) -> dict[str, Any]:
        """Return the body."""
        return self.body


def events(client: AuthenticatedClient, game: str) -> Iterator[Any]:
    """Yield the events of a game as the seat sees them, until it is final."""
    headers = {"Accept": "application/x-ndjson"}
    path = f"/v1/games/{game}/events"
    with client.get_httpx_client().stream("GET", path, headers=headers, timeout=60) as stream:
        stream.raise_for_status()
        for line in stream.iter_lines():
            if line:
                event = json.loads(line)
                yield EVENTS[event["type"]].from_dict(event)


def answer(client: AuthenticatedClient, game: str, choices: list[ChoiceView]) -> None:
    """Answer one of the choices.

    The choice may have changed meanwhile, or a constraint that no schema can express may refuse the answer. Then
    nothing has happened, and the refusal lists the choices as they are now.
    """
    while choices:
        response = answer_choice.sync_detailed(game, client=client, body=AnyCommand(choices[0]))  # type: ignore[arg-type]
        if response.status_code in (200, 201):
            return  # the next choices come through the stream
        if response.status_code != 409:
            raise SystemExit(f"{response.status_code}: {response.content.decode()}")
        choices = [ChoiceView.from_dict(choice) for choice in json.loads(response.content).get("choices", [])]


def play(url: str, game: str, name: str) -> int:
    """Take a seat and play to the end; return the number of decisions received."""
    assignment = take_seat.sync(game, client=Client(base_url=url), body=NewSeatWithName(name=name))
    assert isinstance(assignment, SeatAssignment), assignment
    received = 0
    with AuthenticatedClient(base_url=url, token=assignment.token) as client:
        commands = AuthenticatedClient(base_url=url, token=assignment.token)
        for event in events(client, game):
            if isinstance(event, (GameUpdate, Choices)):
                answer(commands, game, event.choices)
            elif isinstance(event, EventView):
                received += 1
    return received


def main() -> None:
    """Play a game for two."""
    url, rulebook = (sys.argv[1:] + ["http://127.0.0.1:8000", "six-nimmt"][len(sys.argv) - 1 :])[:2]
    created = create_game.sync(client=Client(base_url=url), body=NewGame(rulebook=rulebook, seats=2))
    assert isinstance(created, GameCreated), created
    game = created.game.game
    with ThreadPoolExecutor() as seats:
        received = list(seats.map(lambda name: play(url, game, name), ("Ana", "Ben")))
    final = get_game.sync(game, client=Client(base_url=url))
    assert isinstance(final, GameView), final
    print(f"{game} {final.status} after {final.version} decisions; received: {' and '.join(map(str, received))}")
    for seat in final.seats:
        if final.result is not None:
            print(f"{final.result.places[seat.seat]}. {seat.name}: {final.result.points[seat.seat]}")


if __name__ == "__main__":
    main()
