"""Scripts: whole games, computed beforehand, as the bytes that their seats will send.

The seed of a script's game is known, so every answer and every id of a choice is known too. The load generator decides
nothing and reads only statuses, and the baseline can be sent exactly the same bytes.
"""

from typing import Any, NamedTuple

import msgspec

from bench.harness.random_games import default_seats, opening
from events.games.command_handler import CommandHandler
from events.games.commands import TakeSeat
from events.games.participants import new_person
from games.kernel import Chance, Clock, Game, GameSetup, Rulebook, answer, pending_choices
from service.http.auth import Bearer, Tokens

ID_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
ID_LENGTH = 16


class SeatRequest(NamedTuple):
    """A request that a seat sends."""

    seat: int
    request: bytes


class Script(NamedTuple):
    """The requests of a game. Those of a wave may be sent in any order, or at once, after all responses of the last."""

    game: str
    seats: int
    waves: list[list[SeatRequest]]


def script(rulebook: Rulebook[Any], name: str, tokens: Tokens, commands: int) -> Script:
    """Compute a game of at least `commands` commands, unless it ends earlier."""
    game, chance = game_id(name), Chance(name, 0)
    *_, opened = opening(rulebook, name, Clock())
    state = opened.game
    bearers = [tokens.issue(Bearer(game, info.seat, info.token_epoch)) for info in state.session.seats]
    waves: list[list[SeatRequest]] = []
    while state.session.status == "running" and sum(map(len, waves)) < commands:
        wave, state = _wave(rulebook, state, chance, game, bearers)
        waves.append(wave)
    return Script(game, len(bearers), waves)


def _wave(
    rulebook: Rulebook[Any], state: Game[Any, Any], chance: Chance, game: str, bearers: list[str]
) -> tuple[list[SeatRequest], Game[Any, Any]]:
    """Let every seat answer its current choice."""
    wave = []
    for pending in pending_choices(rulebook, state):
        move, args = next(pending.choice.samples(chance))
        state = answer(rulebook, state, pending.seat, pending.id, move, args, 0).game
        body = msgspec.json.encode({"choice": pending.id, "move": move, "args": args})
        wave.append(SeatRequest(pending.seat, _request(game, bearers[pending.seat], body)))
    return wave, state


def _request(game: str, token: str, body: bytes) -> bytes:
    head = (
        f"POST /v1/games/{game}/commands HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def game_id(name: str) -> str:
    """Return the id of a script's game."""
    chance = Chance(f"{name}/id", 0)
    return "".join(chance.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def open_games(games: CommandHandler, rulebook: Rulebook[Any], names: list[str]) -> None:
    """Create the games of scripts in a store as the service would, but with the seeds that the scripts rely on."""
    for name in names:
        game = game_id(name)
        games.create(game, rulebook.id, GameSetup(default_seats(rulebook)), {}, Clock(), name)
        for seat in range(default_seats(rulebook)):
            games.handle(game, TakeSeat(new_person(f"player-{seat}", None), seat))
