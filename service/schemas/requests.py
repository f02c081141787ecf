"""The bodies and queries of requests, as marshmallow schemas, and their fields."""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validate, validates_schema
from msgspec import Meta, Struct

from games.kernel.sessions.clock import MAX_FACTOR, MAX_INCREMENT, MAX_SECONDS, Clock

MAX_NAME_LENGTH = 40
MAX_SEATS = 64
MAX_EVENTS = 500
MAX_WAIT_SECONDS = 25
MAX_LISTED = 100
MAX_INTEGER = 2**53 - 1


def _error_messages(**reasons: str) -> dict[str, Any]:
    """Return messages that replace those of marshmallow; see `service.i18n.translate.VALIDATION_MESSAGES`."""
    return reasons


class Body(Schema):
    """A body, or an object inside one."""

    error_messages = _error_messages(type="must be an object")


class Integer(fields.Integer):
    """An integer as in JSON Schema: 10.0 is one, "10" and true are not."""

    default_error_messages = _error_messages(invalid="must be a whole number")

    def _validated(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value // 1:
            raise self.make_error("invalid")
        return int(value)


class Number(fields.Float):
    """A number: "1.5" and true are not."""

    default_error_messages = _error_messages(invalid="must be a number")

    def _validated(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.make_error("invalid")
        try:
            return float(value)
        except OverflowError:  # an integer with hundreds of digits
            raise self.make_error("invalid") from None


class QueryInteger(fields.Integer):
    """An integer in a query: digits only."""

    default_error_messages = _error_messages(invalid="must be a whole number, written in digits")

    def _validated(self, value: Any) -> int:
        if not isinstance(value, str) or not value.isascii() or not value.isdigit() or len(value) > 16:
            raise self.make_error("invalid")
        return int(value)


class Object(fields.Dict):
    """An object with members of any name."""

    default_error_messages = _error_messages(invalid="must be an object")


class Pattern(validate.Regexp):
    """The whole text matches a pattern. The pattern is published as it is: `^` and `$` are the ends of the text."""

    regex: re.Pattern[str]

    def __call__(self, value: str) -> str:  # type: ignore[override]
        """Return the value; raise ValidationError when it does not match."""
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


INVISIBLE_CHARACTERS = r"\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
"""Control characters, and those that break a line or turn the text around. Joiners are needed by some scripts."""


def name(**more: Any) -> fields.Str:
    """Return the field of a name that other people see."""
    readable = Pattern(
        f"^ *[^{INVISIBLE_CHARACTERS}\\s][^{INVISIBLE_CHARACTERS}]*$", error="must be readable text that is not blank"
    )
    return fields.Str(validate=[validate.Length(1, MAX_NAME_LENGTH), readable], **more)


def code() -> fields.Str:
    """Return the query field of the code of a private game."""
    return fields.Str(
        load_default="",
        validate=validate.Length(0, 64),
        metadata={"description": "the code of a private game; not needed with a token of the game"},
    )


class ClockPolicySchema(Body):
    """The clock policy of a game."""

    seconds_per_choice = Number(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0.1, MAX_SECONDS),
        metadata={"description": "seconds that a seat has for each choice, besides its time bank; null: no limit"},
    )
    factor = Number(
        load_default=1.0,
        validate=validate.Range(0, MAX_FACTOR),
        metadata={"description": "multiplies the times of the rulebook's own timers; 0: they do not run"},
    )
    bank = Number(
        load_default=0.0,
        validate=validate.Range(0, MAX_SECONDS),
        metadata={"description": "seconds in each seat's time bank, for the whole game"},
    )
    increment = Number(
        load_default=0.0,
        validate=validate.Range(0, MAX_INCREMENT),
        metadata={"description": "seconds that each answer adds to the seat's time bank"},
    )
    on_timeout = fields.Str(
        load_default="answer",
        validate=validate.OneOf(["answer", "bot", "concede"]),
        metadata={
            "description": "when the time of a seat is up: a default answer is given, a bot takes over, or it concedes"
        },
    )


class NewGameSchema(Body):
    """A game to be created."""

    rulebook = fields.Str(
        required=True, validate=validate.Length(1, 60), metadata={"description": "see `GET /v1/rulebooks`"}
    )
    seats = Integer(
        required=True,
        validate=validate.Range(1, MAX_SEATS),
        metadata={"description": "the number of players; see the rulebook's `seats`"},
    )
    options = Object(keys=fields.Str(), load_default=dict, metadata={"description": "see the rulebook's `options`"})
    visibility = fields.Str(
        load_default="public",
        validate=validate.OneOf(["public", "private"]),
        metadata={"description": "a private game is in no list, and its code is needed to join or watch it"},
    )
    start = fields.Str(
        load_default="when_full",
        validate=validate.OneOf(["when_full", "host"]),
        metadata={"description": "the game starts when its last seat is taken, or when its host starts it"},
    )
    clock = fields.Nested(ClockPolicySchema, load_default=lambda: ClockPolicySchema().load({}))


class NewSeatSchema(Body):
    """A seat to be taken."""

    ALTERNATIVES: ClassVar[dict[str, str]] = {"name": "NewSeatWithName", "bot": "NewSeatWithBot"}

    name = name(
        load_default=None, allow_none=True, metadata={"description": "visible to everybody; not needed for a bot"}
    )
    seat = Integer(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, MAX_SEATS - 1),
        metadata={"description": "the seat; null: the first free one"},
    )
    player = fields.Str(
        allow_none=True,
        load_default=None,
        validate=[
            validate.Length(1, 64),
            Pattern(r"^[A-Za-z0-9._~-]+$", error="may only have letters, digits and . _ ~ -"),
        ],
        metadata={
            "description": "an opaque id of your choice, visible to everybody, under which results are collected"
        },
    )
    code = fields.Str(
        load_default="",
        validate=validate.Length(0, 64),
        metadata={"description": "the code of a private game"},
    )
    bot = fields.Str(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, 40),
        metadata={"description": "seat a bot: one of the rulebook's `bots`; only the host may do this"},
    )
    commitment = fields.Str(
        allow_none=True,
        load_default=None,
        validate=Pattern(r"^[0-9a-f]{64}$", error="must be a SHA-256 hash: 64 hexadecimal digits, in lower case"),
        metadata={"description": "SHA-256 hash, in hexadecimal, of the seat's part of the seed; see `…/seed`"},
    )

    @validates_schema
    def _check_exactly_one(self, loaded: dict[str, Any], **_: Any) -> None:
        if all(loaded[field] is None for field in self.ALTERNATIVES):
            raise ValidationError("a player needs a name", "name")


class SeedPartSchema(Body):
    """The seat's part of the seed: the text whose SHA-256 hash was its commitment."""

    part = fields.Str(
        required=True, validate=validate.Length(1, 200), metadata={"description": "a text that nobody can guess"}
    )


class SeatBotSchema(Body):
    """The new player of a seat: a bot, or its player again."""

    bot = fields.Str(
        required=True,
        allow_none=True,
        validate=validate.Length(1, 40),
        metadata={"description": "one of the rulebook's `bots`; null: the player of the seat"},
    )


class CommandSchema(Body):
    """An answer to a choice. The document describes it as `Command`, move by move."""

    DOCUMENTED_AS = "Command"

    choice = Integer(required=True, validate=validate.Range(1, MAX_INTEGER))
    move = fields.Str(required=True, validate=validate.Length(1, 64))
    args = Object(keys=fields.Str(), load_default=dict)


class CommandBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A loaded `CommandSchema`. What msgspec can decode, the schema loads with the same result; it may load more."""

    choice: Annotated[int, Meta(ge=1, le=MAX_INTEGER)]
    move: Annotated[str, Meta(min_length=1, max_length=64)]
    args: dict[str, Any] = {}


class EventsQuerySchema(Schema):
    """A selection of events."""

    after = QueryInteger(
        validate=validate.Range(0, MAX_INTEGER),
        metadata={
            "description": "the number of a decision: return those after it (pages begin with the first by default)"
        },
    )
    limit = QueryInteger(
        load_default=100,
        validate=validate.Range(1, MAX_EVENTS),
        metadata={"description": "the most events on a page; ignored by streams"},
    )
    wait = QueryInteger(
        validate=validate.Range(0, MAX_WAIT_SECONDS),
        metadata={
            "description": "seconds to wait for events; then a page is returned even if it is empty, and a stream ends"
        },
    )
    code = code()


class GamesQuerySchema(Schema):
    """A selection of games."""

    status = fields.Str(
        load_default=None,
        validate=validate.OneOf(["open", "running", "finished", "closed"]),
        metadata={
            "description": "only games that wait for players, go on, have ended, or were closed before the start"
        },
    )
    rulebook = fields.Str(
        load_default=None, validate=validate.Length(1, 60), metadata={"description": "only games of this rulebook"}
    )
    player = fields.Str(
        load_default=None, validate=validate.Length(1, 64), metadata={"description": "only games of this `player`"}
    )
    cursor = fields.Str(
        load_default=None,
        validate=validate.Length(1, 200),
        metadata={"description": "the `next` of the previous page; leave the other parameters as they were"},
    )
    limit = QueryInteger(
        load_default=20, validate=validate.Range(1, MAX_LISTED), metadata={"description": "the most games on a page"}
    )


class StandingsQuerySchema(Schema):
    """The size of the standings."""

    limit = QueryInteger(
        load_default=100, validate=validate.Range(1, MAX_EVENTS), metadata={"description": "the most players"}
    )


class NoQuerySchema(Schema):
    """A query without parameters."""


class ViewQuerySchema(Schema):
    """The access to a game."""

    code = code()


class HistoryQuerySchema(ViewQuerySchema):
    """The view of a game, now or at an earlier decision."""

    at = QueryInteger(
        validate=validate.Range(1, MAX_INTEGER),
        metadata={"description": "the game after the decision of this number; without it, the game now"},
    )
    seat = QueryInteger(
        data_key="as",
        validate=validate.Range(0, MAX_SEATS - 1),
        metadata={"description": "as this seat saw the game, if the game is over; without it, as the bearer sees it"},
    )


def parse_clock(loaded: dict[str, Any]) -> Clock:
    """Return the clock policy of a loaded `ClockPolicySchema`."""
    return Clock(**loaded)
