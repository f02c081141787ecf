"""A request that is not allowed is refused with the problem of the contract and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.service.players import Player, Table, Transport, full_table

pytestmark = pytest.mark.usefixtures("nothing_changes")

LAY = {"choice": 1, "move": "lay", "args": {"card": 1}}
CREATE = {"rulebook": "six-nimmt", "seats": 4}
SIT = {"name": "Ana"}


def command_of(player: Player) -> dict[str, Any]:
    """A command that the player may send."""
    return player.command(player.choices()[0])


DEEP: Any = 1
for _ in range(200):
    DEEP = [DEEP]

# What is not among the moves.

ARGS: dict[str, Any] = {
    "a card in quotes": {"card": "{card}"},
    "a card that is a float between two": {"card": 0.5},
    "no card": {},
    "null": {"card": None},
    "a list of the card": {"card": ["{card}"]},
    "an object": {"card": {"card": 1}},
    "true": {"card": True},
    "a card of 400 digits": {"card": 10**400},
    "lists in lists": {"card": DEEP},
    "a field too many": {"card": "{own}", "row": 0},
    "another field": {"cards": "{own}"},
}


@pytest.mark.parametrize("args", ARGS)
def test_arguments_that_are_not_offered_are_refused_with_the_current_choices(running: Table, args: str) -> None:
    player = running.players[0]
    command = command_of(player)
    card = command["args"]["card"]
    text = json.dumps(ARGS[args]).replace('"{own}"', str(card)).replace("{card}", str(card))
    answer = player.send({**command, "args": json.loads(text)})
    assert answer.refusal == (409, "illegal-move")
    assert answer.json["choices"] == player.choices()
    assert answer.json["version"] == 5


def test_a_card_that_is_not_in_the_hand_is_refused(running: Table) -> None:
    player = running.players[0]
    command = command_of(player)
    held = player.choices()[0]["schema"]["oneOf"][0]["properties"]["args"]["properties"]["card"]["enum"]
    elsewhere = next(card for card in range(1, 105) if card not in held)
    assert player.send({**command, "args": {"card": elsewhere}}).refusal == (409, "illegal-move")


@pytest.mark.parametrize("move", ["fold", "Lay", "lay ", "la\x00y", "lay_a_card", "__class__", "\U0001f0cf"])
def test_an_unknown_move_is_refused(running: Table, move: str) -> None:
    player = running.players[0]
    assert player.send({**command_of(player), "move": move}).refusal == (409, "illegal-move")


# Whose choice, and when.


def test_somebody_elses_choice_is_refused(running: Table) -> None:
    ana, bob, *_ = running.players
    answer = ana.send(command_of(bob))
    assert answer.refusal == (409, "stale-choice")
    assert answer.json["choices"] == ana.choices()


def test_a_choice_that_does_not_exist_yet_is_refused(running: Table) -> None:
    player = running.players[0]
    assert player.send({**command_of(player), "choice": 1000}).refusal == (409, "stale-choice")


def test_a_finished_game_accepts_no_answers(finished: Table) -> None:
    assert finished.players[0].send(LAY).refusal == (409, "game-over")
    assert finished.players[0].choices() == []


def test_an_open_game_accepts_no_answers(waiting: Table) -> None:
    assert waiting.players[0].send(LAY).refusal == (409, "game-not-started")


# Which game.


@pytest.mark.parametrize("game", ["0" * 16, "A" * 16, "short", "z" * 17, "\U0001f0cf", "..", "0000000000000000%0A"])
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "", None),
        ("GET", "/choices", None),
        ("GET", "/events", None),
        ("DELETE", "", None),
        ("POST", "/start", None),
        ("POST", "/pause", None),
        ("POST", "/rematch", None),
        ("POST", "/seats", SIT),
        ("POST", "/seats/0/seed", {"part": "x"}),
        ("PUT", "/seats/0/bot", {"bot": None}),
        ("DELETE", "/seats/0", None),
        ("POST", "/commands", LAY),
    ],
)
def test_an_unknown_game_is_not_found(running: Table, method: str, path: str, body: Any, game: str) -> None:
    answer = running.players[0].call(method, f"/v1/games/{game}{path}", body)
    assert answer.refusal == (404, "no-such-game")


def test_an_unknown_rulebook_is_not_found(running: Table) -> None:
    assert running.spectator.get("/v1/rulebooks/whist").refusal == (404, "no-such-rulebook")


@pytest.mark.parametrize(
    "path", ["/", "/v1", "/v1/", "/v2/games", "/v1/tables", "//v1/games", "/v1//games", "/v1/games/{game}/hand"]
)
def test_an_unknown_path_is_not_found(running: Table, path: str) -> None:
    assert running.spectator.get(path.format(game=running.game)).refusal == (404, "not-found")


@pytest.mark.parametrize("seat", ["-1", "x", "1.0", "\U0001f0cf", "0/1"])
def test_a_seat_that_is_not_a_number_is_not_found(waiting: Table, seat: str) -> None:
    assert waiting.host.delete(f"{waiting.path}/seats/{seat}").refusal == (404, "not-found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "", {"GET", "DELETE", "HEAD", "OPTIONS"}),
        ("PATCH", "/seats", {"POST", "OPTIONS"}),
        ("GET", "/commands", {"POST", "OPTIONS"}),
        ("TRACE", "/events", {"GET", "HEAD", "OPTIONS"}),
        ("GET", "/seats/0", {"DELETE", "OPTIONS"}),
    ],
)
def test_a_wrong_method_is_refused_with_the_allowed_ones(
    running: Table, method: str, path: str, allowed: set[str]
) -> None:
    answer = running.players[0].call(method, running.path + path)
    assert answer.refusal == (405, "method-not-allowed")
    assert set(answer.headers["allow"].split(", ")) == allowed


# Which token.

NEEDS_A_SEAT: list[tuple[str, str, Any]] = [
    ("GET", "/choices", None),
    ("POST", "/commands", LAY),
    ("POST", "/pause", None),
    ("POST", "/seats/0/seed", {"part": "x"}),
]
NEEDS_THE_HOST: list[tuple[str, str, Any]] = [("POST", "/start", None), ("DELETE", "", None)]
NEEDS_A_TOKEN = [
    *NEEDS_A_SEAT,
    *NEEDS_THE_HOST,
    ("DELETE", "/seats/0", None),
    ("PUT", "/seats/0/bot", {"bot": None}),
    ("POST", "/rematch", None),
]
TAKES_A_TOKEN = [*NEEDS_A_TOKEN, ("GET", "", None), ("GET", "/events", None)]


@pytest.mark.parametrize(("method", "path", "body"), NEEDS_A_TOKEN)
def test_a_request_without_a_token_is_refused(running: Table, method: str, path: str, body: Any) -> None:
    answer = running.spectator.call(method, running.path + path, body)
    assert answer.refusal == (401, "no-token")
    assert answer.headers["www-authenticate"] == 'Bearer realm="croupier"'


BAD_TOKENS: dict[str, Callable[[str], str]] = {
    "made up": lambda token: "Bearer made-up",
    "empty": lambda token: "Bearer",
    "changed": lambda token: f"Bearer {'X' if token[0] != 'X' else 'Y'}{token[1:]}",
    "cut": lambda token: f"Bearer {token[:-1]}",
    "without its signature": lambda token: f"Bearer {token.rpartition('.')[0]}",
    "of another scheme": lambda token: f"Basic {token}",
    "without a scheme": lambda token: token,
    "twice": lambda token: f"Bearer {token} {token}",
    "not ASCII": lambda token: "Bearer \xe9\xff",
    "long": lambda token: "Bearer " + "x" * 8000,
}


@pytest.mark.parametrize("bad", BAD_TOKENS)
@pytest.mark.parametrize(("method", "path", "body"), TAKES_A_TOKEN)
def test_an_invalid_token_is_refused_even_if_none_is_needed(
    running: Table, method: str, path: str, body: Any, bad: str
) -> None:
    token = BAD_TOKENS[bad](running.players[0].token or "")
    answer = running.spectator.call(method, running.path + path, body, Authorization=token)
    assert answer.refusal == (401, "bad-token")
    assert "www-authenticate" in answer.headers


@pytest.mark.parametrize(("method", "path", "body"), TAKES_A_TOKEN)
def test_the_token_of_another_game_is_refused(
    running: Table, waiting: Table, method: str, path: str, body: Any
) -> None:
    stranger = waiting.host if (method, path, body) in NEEDS_THE_HOST else waiting.players[0]
    assert stranger.call(method, running.path + path, body).refusal == (403, "not-your-seat")


@pytest.mark.parametrize(("method", "path", "body"), NEEDS_A_SEAT)
def test_the_host_has_no_choices(running: Table, method: str, path: str, body: Any) -> None:
    assert running.host.call(method, running.path + path, body).refusal == (403, "not-your-seat")


@pytest.mark.parametrize(("method", "path", "body"), NEEDS_THE_HOST)
def test_a_seat_may_not_do_what_the_host_may(waiting: Table, method: str, path: str, body: Any) -> None:
    assert waiting.players[0].call(method, waiting.path + path, body).refusal == (403, "not-your-seat")


def test_a_seat_cannot_remove_another(waiting: Table) -> None:
    assert waiting.players[0].delete(f"{waiting.path}/seats/1").refusal == (403, "not-your-seat")


# Which seat.


def test_a_seat_that_is_taken_is_refused(waiting: Table) -> None:
    answer = waiting.spectator.post(f"{waiting.path}/seats", {"name": "Bob", "seat": 0})
    assert answer.refusal == (409, "seat-taken")


def test_a_seat_that_the_game_does_not_have_is_refused(waiting: Table) -> None:
    answer = waiting.spectator.post(f"{waiting.path}/seats", {"name": "Bob", "seat": 4})
    assert answer.refusal == (422, "no-such-seat")


def test_nobody_can_join_a_full_game(running: Table) -> None:
    assert running.spectator.post(f"{running.path}/seats", SIT).refusal == (409, "game-started")


def test_nobody_can_join_a_full_game_that_waits_for_its_host(api: Transport, waiting: Table) -> None:
    table = full_table(api, start="host", seats=2)
    assert table.spectator.post(f"{table.path}/seats", SIT).refusal == (409, "seats-full")
    assert table.view()["version"] == 3


def test_a_free_seat_cannot_be_left(waiting: Table) -> None:
    assert waiting.host.delete(f"{waiting.path}/seats/1").refusal == (409, "seat-free")


@pytest.mark.parametrize("seat", [4, 63, 99999999999999999999])
def test_an_unknown_seat_cannot_be_left(waiting: Table, seat: int) -> None:
    assert waiting.host.delete(f"{waiting.path}/seats/{seat}").refusal == (422, "no-such-seat")


def test_the_host_cannot_concede_for_a_seat(running: Table) -> None:
    assert running.host.delete(f"{running.path}/seats/0").refusal == (403, "not-your-seat")


def test_a_game_cannot_be_started_twice(running: Table) -> None:
    assert running.host.post(f"{running.path}/start").refusal == (409, "game-started")


def test_a_game_with_free_seats_cannot_be_started(waiting: Table) -> None:
    assert waiting.host.post(f"{waiting.path}/start").refusal == (409, "seats-not-full")


# Which options.


@pytest.mark.parametrize(
    ("body", "problem", "word"),
    [
        ({"rulebook": "whist"}, "unknown-rulebook", "whist"),
        ({"rulebook": "six-nimmt\x00"}, "unknown-rulebook", "six-nimmt"),
        ({"seats": 1}, "bad-options", "2 to 10 seats"),
        ({"seats": 11}, "bad-options", "2 to 10 seats"),
        ({"options": {"jokers": True}}, "bad-options", "jokers"),
        ({"options": {"tactic": "yes"}}, "bad-options", "tactic"),
        ({"options": {"tactic": 1}}, "bad-options", "tactic"),
        ({"options": {"tactic": 10**400}}, "bad-options", "tactic"),
        ({"options": {"logic": None}}, "bad-options", "logic"),
        ({"options": {"logic": True, "tactic": False}}, "bad-options", "Tactic"),
        ({"options": {"logic_rows": "leftover"}}, "bad-options", "logic"),
        ({"options": {"logic": True, "logic_rows": "none"}}, "bad-options", "logic_rows"),
    ],
)
def test_a_game_that_does_not_suit_its_rulebook_is_refused(
    running: Table, body: dict[str, Any], problem: str, word: str
) -> None:
    answer = running.spectator.post("/v1/games", CREATE | body)
    assert answer.refusal == (422, problem)
    assert word in answer.json["detail"]


def test_a_refusal_of_an_unknown_name_lists_the_known_ones(running: Table) -> None:
    for answer in (
        running.spectator.post("/v1/games", CREATE | {"rulebook": "whist"}),
        running.spectator.get("/v1/rulebooks/whist"),
        running.spectator.get("/v1/rulebooks/whist/standings"),
    ):
        assert answer.json["detail"].startswith("there is no rulebook 'whist': the rulebooks here are six-nimmt, ")
    option = running.spectator.post("/v1/games", CREATE | {"options": {"jokers": True}})
    assert option.json["detail"] == ("six-nimmt has no option 'jokers': it has tactic, logic, logic_rows, professional")


# What every refusal looks like.


def test_a_problem_document_has_the_members_of_rfc_9457(running: Table) -> None:
    answer = running.spectator.get("/v1/games/0000000000000000")
    assert answer.json == {
        "type": "urn:croupier:problem:no-such-game",
        "title": "There is no such game",
        "status": 404,
        "detail": "there is no game with this id, or it is private and needs its code or one of its tokens",
    }
