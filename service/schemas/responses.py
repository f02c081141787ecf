"""The bodies that go out, as msgspec types: what a view gives is what the document says."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from games.kernel.clock import Clock
from games.kernel.session import Result, Status

Time = Annotated[
    str,
    Meta(
        description="RFC 3339, UTC, with milliseconds",
        pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$",
        examples=["2026-11-30T18:04:05.250Z"],
    ),
]
GameId = Annotated[str, Meta(pattern="^[0-9a-z]{16}$", examples=["7f3kq0m9x2b4c6dz"])]
Token = Annotated[str, Meta(description="send it as “Authorization: Bearer …”; it is told only once")]
GameStatus = Annotated[
    Status,
    Meta(description="open: it waits for its seats; closed: by its host, before it began; finished: with a result"),
]
Version = Annotated[int, Meta(description="the number of the last decision", ge=1)]


def _component(name: str) -> Meta:
    """Return the mark of a value that a schema of the rulebooks' vocabulary describes."""
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/{name}"})


Code = Annotated[str, Meta(description="to join and watch a private game; told to who creates it, or plays it again")]
AnyFact = Annotated[Any, _component("Fact")]
AnyCard = Annotated[Any, _component("Card")]
AnyDerived = Annotated[Any, _component("Computed")]
AnyState = Annotated[
    Any,
    Meta(
        description='what lies on the table, null before the start; what a seat may not see is `{"hidden": how many}`',
        extra_json_schema={"anyOf": [{"$ref": "#/components/schemas/Table"}, {"type": "null"}]},
    ),
]


class SeatView(Struct):
    """A seat of a game, and who sits there. `points` is null where the rulebook keeps none, or keeps them secret."""

    seat: int
    taken: bool
    name: str | None
    player: Annotated[str | None, Meta(description="the opaque id that was given with the seat")]
    bot: Annotated[str | None, Meta(description="the bot that plays it now; null: its player does")]
    conceded: Annotated[bool, Meta(description="it has given up: a bot plays on")]
    wants_pause: Annotated[bool, Meta(description="it wishes the game paused, or, when it is, to go on")]
    bank: Annotated[float | None, Meta(description="seconds left in the seat's time bank, told to itself alone")]
    points: Annotated[int | None, Meta(description="so far, as the rulebook counts them")]


class TimerView(Struct):
    """A clock of the rulebook that runs, and when it rings; null: not by itself."""

    choice: Annotated[int, Meta(description="its number, counted with those of choices; no seat is asked it")]
    due: Time | None


class GameView(Struct, omit_defaults=True):
    """A game as the bearer may see it. `table` has what lies on the table, null before the game starts."""

    game: GameId
    rulebook: str
    edition: Annotated[int, Meta(description="of the rules")]
    options: Annotated[dict[str, Any], Meta(description="the variants, complete")]
    visibility: Literal["public", "private"]
    start: Literal["when_full", "host"]
    clock: Clock
    commitment: Annotated[str, Meta(description="sha256 of the secret seed of all shuffles, in hexadecimal")]
    created_at: Time
    status: GameStatus
    paused: Annotated[bool, Meta(description="clocks stand still, and nothing is asked")]
    rematch_of: Annotated[GameId | None, Meta(description="the game that is played again by this one")]
    version: Version
    seats: list[SeatView]
    state: AnyState
    derived: AnyDerived
    timers: list[TimerView]
    result: Result | None
    imported: Annotated[bool, Meta(description="it was played on another server; left out if it was not")] = False


class GameCreated(Struct, omit_defaults=True):
    """A new game, the token of its host, and, if it is private, the code to join and watch it."""

    game: GameView
    host_token: Token
    code: Code | UnsetType = UNSET


class SeatAssignment(Struct):
    """The seat that was taken, its token, and the game as it sees it."""

    seat: int
    token: Token
    game: GameView


class Rematch(Struct, omit_defaults=True):
    """The game that is played again, and the token of who asked for it; `seat` is null for the host."""

    token: Token
    seat: int | None
    game: GameView
    code: Code | UnsetType = UNSET


class ChoiceView(Struct):
    """One thing that a seat is asked. `schema` is JSON Schema for `{"move": …, "args": …}`."""

    choice: Annotated[int, Meta(description="its id, to be sent with the answer")]
    seat: int
    prompt: str
    deadline: Annotated[Time | None, Meta(description="when the clock answers instead; null: never")]
    schema: Annotated[dict[str, Any], Meta(description="JSON Schema of all its answers, `choice` left out")]


class Choices(Struct):
    """All that a seat is asked now."""

    version: Version
    now: Annotated[Time, Meta(description="the server's time, to compare deadlines with")]
    choices: list[ChoiceView]


class EventView(Struct, omit_defaults=True):
    """A decision as the bearer may see it. `choice`, `move` and `args` are told to the seat that gave the answer.

    A seat can also decide what nobody asked (`take_seat`, `request_pause`): `choice` is null then.
    """

    number: int
    at: Time
    facts: list[AnyFact]
    choice: int | UnsetType | None = UNSET
    move: str | UnsetType = UNSET
    args: dict[str, Any] | UnsetType = UNSET


class CommandOutcome(Struct):
    """The decision that an answer led to, the version now, and what the seat is asked next."""

    decision: EventView
    version: Version
    choices: list[ChoiceView]


class EventsPage(Struct):
    """Events, oldest first. `more`: there are further ones, `after` the `number` of the last of these."""

    events: list[EventView]
    version: Version
    more: bool


class ListedGame(Struct):
    """A game on a list. `free`: so many seats are free."""

    game: GameId
    rulebook: str
    status: GameStatus
    created_at: Time
    seats: int
    free: int


class GamesPage(Struct):
    """Games, the newest first, and the cursor of the next page, null on the last one."""

    games: list[ListedGame]
    next: str | None


class PlayerStatsView(Struct):
    """What a player has done in one rulebook; points of all games together."""

    played: int
    won: int
    points: int


class PlayerView(Struct):
    """What a player has done, by rulebook."""

    player: str
    rulebooks: dict[str, PlayerStatsView]


class Standing(Struct):
    """How strong a player is held to be, after so many games."""

    player: str
    ordinal: Annotated[float, Meta(description="mu less three sigmas: what the order goes by")]
    mu: float
    sigma: float
    games: Annotated[int, Meta(description="so many were rated")]


class Standings(Struct):
    """The players of a rulebook, the strongest first."""

    rulebook: str
    standings: list[Standing]


class GameUpdate(GameView, kw_only=True):
    """The game at the beginning of a stream; `choices` are what the bearer's seat is asked."""

    now: Annotated[Time, Meta(description="the server's time, to compare deadlines with")]
    choices: list[ChoiceView]


class StreamEnd(Struct):
    """The end of a stream. `version` is the last decision that was told.

    Do not reconnect after `game-over` (finished or closed) or `token-revoked`; after `nothing-new`, when you like.
    """

    reason: Literal["game-over", "token-revoked", "nothing-new"]
    version: int


class RulebookView(Struct):
    """A kind of game that can be played here."""

    rulebook: str
    edition: int
    names: dict[str, str]
    seats: Annotated[list[int], Meta(description="how many may play")]
    options: Annotated[dict[str, Any], Meta(description="JSON Schema of the options")]
    bots: Annotated[list[str], Meta(description="the names of the bots that play it")]


class MoveView(Struct):
    """A move that seats are offered: its title, what it does, and JSON Schema of its `args` as far as is always so."""

    title: str
    description: str
    args: dict[str, Any]


class RulebookDetail(RulebookView):
    """A kind of game, with its moves and the schemas of its facts."""

    moves: Annotated[dict[str, MoveView], Meta(description="the moves that seats are offered, by name")]
    facts: Annotated[dict[str, Any], Meta(description="JSON Schema of each fact as seats see it, by its type")]


class Cards(Struct):
    """The cards of a kind of game, by id."""

    rulebook: str
    edition: int
    cards: dict[str, AnyCard]


class Rulebooks(Struct):
    """All kinds of game that can be played here."""

    rulebooks: list[RulebookView]


class Health(Struct):
    """Is the service well?"""

    status: Literal["ok"]


class FieldError(Struct, frozen=True):
    """One thing that does not fit: where, as a path of names and places, and why."""

    path: list[str | int]
    reason: str


class ProblemView(Struct, omit_defaults=True):
    """A refusal (RFC 9457). `type` is stable; `faults` tell what does not fit, `choices` what the seat is asked now.

    `faults` come with `invalid` only, `version` and `choices` with refused commands only.
    """

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldError] | UnsetType = UNSET
    version: Version | UnsetType = UNSET
    choices: list[ChoiceView] | UnsetType = UNSET
