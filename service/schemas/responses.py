"""The bodies of responses, as msgspec types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from games.kernel.sessions.clock import Clock
from games.kernel.sessions.session import Result, Status

Time = Annotated[
    str,
    Meta(
        description="RFC 3339, UTC, with milliseconds",
        pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$",
        examples=["2026-11-30T18:04:05.250Z"],
    ),
]
GameId = Annotated[str, Meta(pattern="^[0-9a-z]{16}$", examples=["7f3kq0m9x2b4c6dz"])]
Token = Annotated[str, Meta(description="send it as “Authorization: Bearer …”; it is returned only once")]
GameStatus = Annotated[
    Status,
    Meta(
        description="open: it waits for players; closed: its host closed it before the start; finished: it has a result"
    ),
]
Version = Annotated[int, Meta(description="the number of the last decision", ge=1)]


def _component(name: str) -> Meta:
    """Return the mark of a value that is described by a schema made of the rulebooks."""
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/{name}"})


Code = Annotated[
    str,
    Meta(description="needed to join or watch a private game; returned to those who create the game or its rematch"),
]
AnyFact = Annotated[Any, _component("Fact")]
AnyCard = Annotated[Any, _component("Card")]
AnyDerived = Annotated[Any, _component("Derived")]
AnyState = Annotated[
    Any,
    Meta(
        description='the state of the game, null before the start; hidden values are `{"hidden": n}`',
        extra_json_schema={"anyOf": [{"$ref": "#/components/schemas/State"}, {"type": "null"}]},
    ),
]


class SeatView(Struct):
    help = """A seat of a game, and its player. `points` is null if the rulebook has no points, or hides them."""

    seat: int
    taken: bool
    name: str | None
    player: Annotated[str | None, Meta(description="the opaque id that was sent when the seat was taken")]
    bot: Annotated[str | None, Meta(description="the bot that plays the seat now; null: its player does")]
    conceded: Annotated[bool, Meta(description="the player has conceded; a bot plays on")]
    wants_pause: Annotated[bool, Meta(description="the player has requested a pause, or, during a pause, its end")]
    bank: Annotated[float | None, Meta(description="seconds left in the time bank; visible to this seat only")]
    points: Annotated[int | None, Meta(description="points so far")]


class TimerView(Struct):
    help = """A running timer of the rulebook. `due` is null if the timer does not fire by itself."""

    choice: Annotated[
        int,
        Meta(description="the id of the timer, from the same sequence as ids of choices; no seat has it as a choice"),
    ]
    due: Time | None


class GameView(Struct, omit_defaults=True):
    help = """A game as the bearer may see it."""

    game: GameId
    rulebook: str
    edition: Annotated[int, Meta(description="the edition of the rules")]
    options: Annotated[dict[str, Any], Meta(description="all options, with defaults filled in")]
    visibility: Literal["public", "private"]
    start: Literal["when_full", "host"]
    clock: Clock
    commitment: Annotated[str, Meta(description="SHA-256 hash, in hexadecimal, of the secret seed of all shuffles")]
    created_at: Time
    status: GameStatus
    paused: Annotated[bool, Meta(description="during a pause, timers stand still and no seat has choices")]
    rematch_of: Annotated[GameId | None, Meta(description="the game of which this one is a rematch")]
    version: Version
    seats: list[SeatView]
    state: AnyState
    derived: AnyDerived
    timers: list[TimerView]
    result: Result | None
    imported: Annotated[bool, Meta(description="the game was played on another server; left out if false")] = False


class GameCreated(Struct, omit_defaults=True):
    help = """A new game, the token of its host, and, if the game is private, its code."""

    game: GameView
    host_token: Token
    code: Code | UnsetType = UNSET


class SeatAssignment(Struct):
    help = """The seat that was taken, its token, and the game as the seat sees it."""

    seat: int
    token: Token
    game: GameView


class Rematch(Struct, omit_defaults=True):
    help = """The rematch, and the token of the caller. `seat` is null for the host."""

    token: Token
    seat: int | None
    game: GameView
    code: Code | UnsetType = UNSET


class ChoiceView(Struct):
    help = """A choice that a seat has to make. `schema` is a JSON Schema of `{"move": …, "args": …}`."""

    choice: Annotated[int, Meta(description="the id, to be sent with the answer")]
    seat: int
    prompt: str
    deadline: Annotated[Time | None, Meta(description="when the time for an answer is up; null: never")]
    schema: Annotated[dict[str, Any], Meta(description="JSON Schema of all possible answers, without `choice`")]


class Choices(Struct):
    help = """The pending choices of a seat."""

    version: Version
    now: Annotated[Time, Meta(description="the time of the server, for comparison with deadlines")]
    choices: list[ChoiceView]


class EventView(Struct, omit_defaults=True):
    help = """A decision as the bearer may see it. Only the seat that answered sees `choice`, `move` and `args`.

    `choice` is null for a command that answers no choice (`take_seat`, `request_pause`).
    """

    number: int
    at: Time
    facts: list[AnyFact]
    choice: int | UnsetType | None = UNSET
    move: str | UnsetType = UNSET
    args: dict[str, Any] | UnsetType = UNSET


class CommandOutcome(Struct):
    help = """The decision that an answer led to, the current version, and the next choices of the seat."""

    decision: EventView
    version: Version
    choices: list[ChoiceView]


class EventsPage(Struct):
    help = """Events, oldest first. If there are `more`, get them with `after` and the `number` of the last one."""

    events: list[EventView]
    version: Version
    more: bool


class ListedGame(Struct):
    help = """A game in a list. `free` is the number of free seats."""

    game: GameId
    rulebook: str
    status: GameStatus
    created_at: Time
    seats: int
    free: int


class GamesPage(Struct):
    help = """Games, newest first. `next` is the cursor of the next page; null on the last page."""

    games: list[ListedGame]
    next: str | None


class PlayerStatsView(Struct):
    help = """The results of a player in one rulebook. `points` is the sum over all games."""

    played: int
    won: int
    points: int


class PlayerView(Struct):
    help = """The results of a player, by rulebook."""

    player: str
    rulebooks: dict[str, PlayerStatsView]


class Standing(Struct):
    help = """The rating of a player."""

    player: str
    ordinal: Annotated[float, Meta(description="`mu` minus three times `sigma`; standings are ordered by it")]
    mu: float
    sigma: float
    games: Annotated[int, Meta(description="the number of rated games")]


class Standings(Struct):
    help = """The players of a rulebook, strongest first."""

    rulebook: str
    standings: list[Standing]


class GameUpdate(GameView, kw_only=True):
    help = """The game at the beginning of a stream, with the choices of the bearer's seat."""

    now: Annotated[Time, Meta(description="the time of the server, for comparison with deadlines")]
    choices: list[ChoiceView]


class StreamEnd(Struct):
    help = """The end of a stream. `version` is the number of the last decision that was sent.

    Do not reconnect after `game-over` (finished or closed) or `token-revoked`. After `nothing-new` you may.
    """

    reason: Literal["game-over", "token-revoked", "nothing-new"]
    version: int


class RulebookView(Struct):
    help = """A game that can be played here."""

    rulebook: str
    edition: int
    names: dict[str, str]
    seats: Annotated[list[int], Meta(description="the possible numbers of players")]
    options: Annotated[dict[str, Any], Meta(description="JSON Schema of the options")]
    bots: Annotated[list[str], Meta(description="the names of its bots")]


class MoveView(Struct):
    help = """A move: its title, what it does, and a JSON Schema of its `args` that holds in every situation."""

    title: str
    description: str
    args: dict[str, Any]


class RulebookDetail(RulebookView):
    help = """A rulebook, with its moves and the schemas of its facts."""

    moves: Annotated[dict[str, MoveView], Meta(description="the moves, by name")]
    facts: Annotated[dict[str, Any], Meta(description="the JSON Schema of each fact as seats see it, by type")]


class Cards(Struct):
    help = """The cards of a rulebook, by id."""

    rulebook: str
    edition: int
    cards: dict[str, AnyCard]


class Rulebooks(Struct):
    help = """The games that can be played here."""

    rulebooks: list[RulebookView]


class Health(Struct):
    help = """The health of the service."""

    status: Literal["ok"]


class FieldError(Struct, frozen=True):
    help = """An error in a body or query: where, as a path of names and indexes, and why."""

    path: list[str | int]
    reason: str


class ProblemView(Struct, omit_defaults=True):
    help = """A refusal (RFC 9457). `type` is stable and meant for programs; `title` and `detail` are for people.

    `errors` come only with `invalid`. `version` and `choices` (the pending choices of the seat) come only with refused
    commands.
    """

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldError] | UnsetType = UNSET
    version: Version | UnsetType = UNSET
    choices: list[ChoiceView] | UnsetType = UNSET
