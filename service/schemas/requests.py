"""The bodies and queries that come in, as marshmallow schemas, and their fields."""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validate, validates_schema
from msgspec import Meta, Struct

from games.kernel.clock import MAX_FACTOR, MAX_INCREMENT, MAX_SECONDS, Clock

MAX_NAME_LENGTH = 40
MAX_SEATS = 64
MAX_EVENTS = 500
MAX_WAIT_SECONDS = 25
MAX_LISTED = 100
MAX_INTEGER = 2**53 - 1


def _error_messages(**reasons: str) -> dict[str, Any]:
    """Return what is said in the place of marshmallow's own words; see `service.i18n.translate.VALIDATION_MESSAGES`."""
    return reasons


class Body(Schema):
    """A body that comes in, or an object inside one."""

    error_messages = _error_messages(type="must be an object")


class Integer(fields.Integer):
    """A whole number as JSON Schema has it: 10.0 is one, "10" and true are not."""

    default_error_messages = _error_messages(invalid="must be a whole number")

    def _validated(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value // 1:
            raise self.make_error("invalid")
        return int(value)


class Number(fields.Float):
    """A number; "1.5" and true are not."""

    default_error_messages = _error_messages(invalid="must be a number")

    def _validated(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.make_error("invalid")
        try:
            return float(value)
        except OverflowError:  # a whole number of hundreds of digits
            raise self.make_error("invalid") from None


class QueryInteger(fields.Integer):
    """A whole number written in a query: digits only."""

    default_error_messages = _error_messages(invalid="must be a whole number, written in digits")

    def _validated(self, value: Any) -> int:
        if not isinstance(value, str) or not value.isascii() or not value.isdigit() or len(value) > 16:
            raise self.make_error("invalid")
        return int(value)


class Object(fields.Dict):
    """Members of any name."""

    default_error_messages = _error_messages(invalid="must be an object")


class Pattern(validate.Regexp):
    """The whole of a text fits a pattern, which is told as it is: `^` and `$` mean the ends of the text."""

    regex: re.Pattern[str]

    def __call__(self, value: str) -> str:  # type: ignore[override]
        """Return the value back; raise ValidationError when it does not fit."""
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


INVISIBLE_CHARACTERS = r"\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
"""Control characters, and those that break a line or turn the text around. Joiners are needed by some scripts."""


def name(**more: Any) -> fields.Str:
    """Return the field of a name that others read."""
    readable = Pattern(
        f"^ *[^{INVISIBLE_CHARACTERS}\\s][^{INVISIBLE_CHARACTERS}]*$", error="must be readable text that is not blank"
    )
    return fields.Str(validate=[validate.Length(1, MAX_NAME_LENGTH), readable], **more)


def code() -> fields.Str:
    """Return the field of a query with the code of a private game."""
    return fields.Str(
        load_default="",
        validate=validate.Length(0, 64),
        metadata={"description": "of a private game, for who looks without a token of it"},
    )


class ClockPolicySchema(Body):
    """The clock policy of a game."""

    seconds_per_choice = Number(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0.1, MAX_SECONDS),
        metadata={"description": "after so many seconds, and its bank, the clock answers for a seat; null: no limit"},
    )
    factor = Number(
        load_default=1.0,
        validate=validate.Range(0, MAX_FACTOR),
        metadata={"description": "stretches the rulebook's own clocks; 0: they do not run"},
    )
    bank = Number(
        load_default=0.0,
        validate=validate.Range(0, MAX_SECONDS),
        metadata={"description": "seconds that each seat has over and above, for the whole game"},
    )
    increment = Number(
        load_default=0.0,
        validate=validate.Range(0, MAX_INCREMENT),
        metadata={"description": "seconds that each answer adds to the seat's bank"},
    )
    on_timeout = fields.Str(
        load_default="answer",
        validate=validate.OneOf(["answer", "bot", "concede"]),
        metadata={"description": "what happens to a silent seat: the clock answers, a bot takes over, or it concedes"},
    )


class NewGameSchema(Body):
    """A game to be created."""

    rulebook = fields.Str(
        required=True, validate=validate.Length(1, 60), metadata={"description": "see `GET /v1/rulebooks`"}
    )
    seats = Integer(
        required=True,
        validate=validate.Range(1, MAX_SEATS),
        metadata={"description": "how many play: see the rulebook's `seats`"},
    )
    options = Object(
        keys=fields.Str(), load_default=dict, metadata={"description": "the variants; see the rulebook's `options`"}
    )
    visibility = fields.Str(
        load_default="public",
        validate=validate.OneOf(["public", "private"]),
        metadata={"description": "a private game is on no list, and joined and watched by its code only"},
    )
    start = fields.Str(
        load_default="when_full",
        validate=validate.OneOf(["when_full", "host"]),
        metadata={"description": "the game starts by itself with the last seat taken, or when its host says so"},
    )
    clock = fields.Nested(ClockPolicySchema, load_default=lambda: ClockPolicySchema().load({}))


class NewSeatSchema(Body):
    """A seat to be taken."""

    ONE_OF_THEM: ClassVar[dict[str, str]] = {"name": "NewSeatWithName", "bot": "NewSeatWithBot"}

    name = name(load_default=None, allow_none=True, metadata={"description": "shown to all; not needed for a bot"})
    seat = Integer(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, MAX_SEATS - 1),
        metadata={"description": "which seat; null: the first that is free"},
    )
    player = fields.Str(
        allow_none=True,
        load_default=None,
        validate=[
            validate.Length(1, 64),
            Pattern(r"^[A-Za-z0-9._~-]+$", error="may have letters, digits and . _ ~ - only"),
        ],
        metadata={"description": "an opaque id of yours, shown to all, by which results are gathered"},
    )
    code = fields.Str(
        load_default="",
        validate=validate.Length(0, 64),
        metadata={"description": "the code of a private game, which was told to who created it"},
    )
    bot = fields.Str(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, 40),
        metadata={"description": "let a bot sit down: one of the rulebook's `bots`; only the host may"},
    )
    commitment = fields.Str(
        allow_none=True,
        load_default=None,
        validate=Pattern(r"^[0-9a-f]{64}$", error="must be a sha256: 64 of 0 to 9 and a to f"),
        metadata={"description": "sha256, in hexadecimal, of the seat's own part of the seed; see `…/seed`"},
    )

    @validates_schema
    def _check_exactly_one(self, loaded: dict[str, Any], **_: Any) -> None:
        if all(loaded[field] is None for field in self.ONE_OF_THEM):
            raise ValidationError("a player needs a name", "name")


class SeedPartSchema(Body):
    """The seat's part of the seed: the text whose sha256 it committed to."""

    part = fields.Str(
        required=True, validate=validate.Length(1, 200), metadata={"description": "nobody should be able to guess it"}
    )


class SeatBotSchema(Body):
    """Who plays a seat from now on."""

    bot = fields.Str(
        required=True,
        allow_none=True,
        validate=validate.Length(1, 40),
        metadata={"description": "one of the rulebook's `bots`; null: its player again"},
    )


class CommandSchema(Body):
    """An answer to a choice, as `GET …/choices` offered it. The document tells the moves one by one, as `Command`."""

    TOLD_AS = "Command"

    choice = Integer(required=True, validate=validate.Range(1, MAX_INTEGER))
    move = fields.Str(required=True, validate=validate.Length(1, 64))
    args = Object(keys=fields.Str(), load_default=dict)


class CommandBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A loaded `CommandSchema`. What msgspec takes at once, the schema takes with the same result; it may take more."""

    choice: Annotated[int, Meta(ge=1, le=MAX_INTEGER)]
    move: Annotated[str, Meta(min_length=1, max_length=64)]
    args: dict[str, Any] = {}


class EventsQuerySchema(Schema):
    """Which events of a game."""

    after = QueryInteger(
        validate=validate.Range(0, MAX_INTEGER),
        metadata={"description": "the number of a decision: those after it (a page without it begins with the first)"},
    )
    limit = QueryInteger(
        load_default=100,
        validate=validate.Range(1, MAX_EVENTS),
        metadata={"description": "at most so many on a page; streams have none"},
    )
    wait = QueryInteger(
        validate=validate.Range(0, MAX_WAIT_SECONDS),
        metadata={
            "description": "seconds to wait for something new: then a page is given, empty or not; a stream ends"
        },
    )
    code = code()


class GamesQuerySchema(Schema):
    """Which games to list."""

    status = fields.Str(
        load_default=None,
        validate=validate.OneOf(["open", "running", "finished", "closed"]),
        metadata={"description": "only those that wait for seats, are played, are over, or were closed before"},
    )
    rulebook = fields.Str(
        load_default=None, validate=validate.Length(1, 60), metadata={"description": "only those of this rulebook"}
    )
    player = fields.Str(
        load_default=None, validate=validate.Length(1, 64), metadata={"description": "only those of this `player`"}
    )
    cursor = fields.Str(
        load_default=None,
        validate=validate.Length(1, 200),
        metadata={"description": "the `next` of the page before; all else has to be asked as it was"},
    )
    limit = QueryInteger(
        load_default=20, validate=validate.Range(1, MAX_LISTED), metadata={"description": "at most so many on a page"}
    )


class StandingsQuerySchema(Schema):
    """How much of the standings."""

    limit = QueryInteger(
        load_default=100, validate=validate.Range(1, MAX_EVENTS), metadata={"description": "at most so many players"}
    )


class NoQuerySchema(Schema):
    """Nothing can be asked."""


class ViewQuerySchema(Schema):
    """How a game is looked at."""

    code = code()


class HistoryQuerySchema(ViewQuerySchema):
    """How a game is looked at, now or in its past."""

    at = QueryInteger(
        validate=validate.Range(1, MAX_INTEGER),
        metadata={"description": "as it was after the decision of this number; otherwise as it is now"},
    )
    seat = QueryInteger(
        data_key="as",
        validate=validate.Range(0, MAX_SEATS - 1),
        metadata={"description": "through the eyes of this seat, when the game is over; otherwise the bearer's"},
    )


def parse_clock(loaded: dict[str, Any]) -> Clock:
    """Return the clock policy of a loaded `ClockPolicySchema`."""
    return Clock(**loaded)
