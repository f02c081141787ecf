"""6 nimmt!: which cards a seat may know at each version of a game, and which it received."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from games.kernel import Decision
from games.six_nimmt.facts import HandDealt, RoundBegun, RowsOpened, TurnedUp

CARDS = {"card", "cards", "hand", "laid", "turned_up", "taken", "rows", "pool", "aside", "known"}
"""The names of members that hold cards; in a schema, the values of such a property."""

Secret = frozenset[int]


class Secrets:
    """Which cards a seat may not know: whatever another was dealt, or was set aside, until it is turned up.

    `after` is by version of the game, `along` by decision and fact: in one decision a round ends and another begins.
    """

    def __init__(self, seat: int, decisions: Iterable[Decision[Any]]) -> None:
        self.after: list[Secret] = [frozenset()]
        self.along: list[list[Secret]] = [[]]
        secret: Secret = frozenset()
        for decision in decisions:
            self.along.append([])
            for fact in decision.facts:
                secret = _kept(secret, fact, seat)
                self.along[-1].append(secret)
            self.after.append(secret)


def _kept(secret: Secret, fact: Any, seat: int) -> Secret:
    match fact:
        case RoundBegun():
            return frozenset()
        case HandDealt(dealt_to, cards) if dealt_to != seat:
            return secret | set(cards)
        case RowsOpened(_, aside):
            return secret | set(aside)
        case TurnedUp(cards):
            return secret - set(cards)
    return secret


def cards_in(value: Any, under: str = "") -> Iterator[int]:
    """Every card that a document shows."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from cards_in(inner, name if name != "enum" else under)
    elif isinstance(value, list):
        for inner in value:
            yield from cards_in(inner, under)
    elif isinstance(value, int) and not isinstance(value, bool) and under in CARDS:
        yield value


def leaks(seat: int, decisions: list[Decision[Any]], received: Iterable[bytes]) -> list[tuple[int, set[int]]]:
    """What a seat received and should not have: versions and cards. Seat -1 is a spectator."""
    secrets = Secrets(seat, decisions)
    return [
        (version, known & secret)
        for body in received
        if body
        for version, known, secret in _told(body, secrets)
        if known & secret
    ]


def _told(body: bytes, secrets: Secrets) -> Iterator[tuple[int, set[int], Secret]]:
    """The versions in a body, the cards that it shows of each, and those that were secret then."""
    document = json.loads(body)
    version = document.get("version") or document.get("game", {}).get("version")
    for event in (*document.pop("events", ()), *filter(None, [document.pop("decision", None)])):
        number, facts = event["number"], event.pop("facts")
        yield number, set(cards_in(event)), secrets.after[number - 1]
        for fact, secret in zip(facts, secrets.along[number], strict=True):
            yield number, set(cards_in(fact)), secret
    if version is not None:
        yield version, set(cards_in(document)), secrets.after[version]
