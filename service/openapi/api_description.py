"""The texts of the document: on the service as a whole, each group of routes, and the tokens."""

from __future__ import annotations

from service.http.limits import MAX_BODY_BYTES, MAX_UPLOAD_BYTES, Limits
from service.schemas.requests import MAX_WAIT_SECONDS

LIMITS = Limits()

TAGS = {
    "rulebooks": "The games that can be played here.",
    "games": "Create, list, get, start, pause and close games.",
    "seats": "Take and leave seats.",
    "play": "The choices of a seat, and its answers.",
    "events": "The events of a game, as pages or streams.",
    "players": "Results of players, and standings.",
    "records": "Records of finished games, and audits.",
    "keys": "The keys with which records are signed.",
    "operations": "Health of the service, and this document.",
    "metrics": "Metrics of the service.",
}
"""The groups of routes, in the order in which they are shown."""

TOKENS = {
    "seatToken": (
        "The `token` returned when a seat was taken. If both tokens are set on this page, this one is sent wherever "
        "either is accepted: log out here to act as the host."
    ),
    "hostToken": "The `host_token` returned to the creator of the game. It does not include a seat.",
}

DESCRIPTION = f"""Croupier is a headless card table: it deals, enforces the rules, keeps hands secret, runs the timers,
and keeps a record of each game. It has no screen of its own: this API is all that a client needs.

## A game in five calls

1. **Create a game**: `POST /v1/games` with `{{"rulebook": "six-nimmt", "seats": 2}}`. The response holds the game, with
   its id in `game.game`, and the `host_token`.
2. **Take the seats**: `POST /v1/games/{{game}}/seats` with `{{"name": "Ana"}}`, once for each seat. The response holds
   the `token` of the seat, which is returned only once. The host may seat a bot: `{{"bot": "random"}}`, with the host's
   token. The game starts when the last seat is taken.
3. **List the choices**: `GET /v1/games/{{game}}/choices` with the seat's token. Each choice has an id, a prompt,
   perhaps a deadline, and a `schema`: a JSON Schema of all possible answers. If the list is empty, other seats have to
   act first: follow the game (see below) instead of polling.
4. **Answer**: `POST /v1/games/{{game}}/commands` with the id of the choice, a `move` and its `args`, as in the schema.
   The response holds what happened, as far as the seat may see it, and the next choices.
5. **Get the game**: `GET /v1/games/{{game}}` returns the table. Repeat 3 to 5 until its `status` is `finished`.

A client needs to know no rulebook: any value that matches the `schema` of a choice is accepted, except for the few
combinations that the `description` of a move excludes.

## Access

Send a token as `Authorization: Bearer …`. The token of a seat sees and answers for that seat. While a bot plays the
seat, the token sees what a spectator sees, until its player takes the seat back. The host's token starts and closes the
game and seats bots; it sees what a spectator sees. A host who also plays has two tokens: send the one that the route
accepts. The token of a seat is valid until the player leaves the seat, the host's for ever.

Public games can be watched without a token. A private game has a `code`, returned to those who create the game or its
rematch: send it in the body to take a seat, and in the query to get the game, its events or its record. With a token of
the game no code is needed. To everybody else a private game does not exist (404).

## Hidden information

Every response shows what the bearer may see. `{{"hidden": n}}` stands for `n` values that the bearer may not see; the
schemas of facts and states say for each field whether it can be hidden. When a game is over, its record shows
everything, including every card and shuffle, and `as` shows the game as any seat saw it.

## Follow a game

Open a stream: `GET /v1/games/{{game}}/events` with `Accept: text/event-stream`, or `application/x-ndjson` for lines of
JSON. It begins with the game, then sends each decision as it happens, and the choices of your seat when they change, so
that nothing needs to be polled. A stream that broke off resumes after `Last-Event-ID` without a gap. A decision has
facts, not the state of the game: apply the facts that you know, or get the game again. With another `Accept`, the same
route returns pages, and can wait for events: `?after=` the last number you have, `&wait={MAX_WAIT_SECONDS}`.

## Refusals

Refusals are problem documents (RFC 9457). `type` is stable and meant for programs, `title` and `detail` are for people.
A refused request changes nothing. The refusal of a command includes the pending `choices` of the seat.

| status | meaning |
| --- | --- |
| 400, 415 | the body is not JSON, or has another `Content-Type` than `application/json` |
| 401, 403 | the token is missing, invalid, or that of another seat |
| 404 | there is no such thing, or the bearer may not know of it |
| 405, 406 | the path does not have this method (`Allow` lists its methods), or not a type in `Accept` |
| 408 | the body did not arrive in time |
| 409 | not possible now: the choice was answered, the move is not offered, the game is over … |
| 412 | the game is not at the version of `If-Match` |
| 413 | the body is too large |
| 422 | a body, query or header does not match its schema (see `errors` or `detail`), or names something unknown |
| 429, 503 | try again after `Retry-After` seconds |
| 500 | an error of the service; report it with its `X-Request-ID` |

## Repeat requests safely

A repeated command (same seat, choice, move and args) is not played twice: the response is the first decision, with
status 200 instead of 201. `POST /v1/games` and `POST …/seats` can be repeated with the header `Idempotency-Key`;
without it, a second `POST` creates a second game, or takes a second seat. When a response arrives, the change is on
disk. With `If-Match`, a request that changes a game is refused if anything else has happened in it: so a repeated
request for a pause does not end the pause, and a player who means to leave an open game does not concede because it has
just started.

## Languages

Prompts, titles of moves, refusals and help are in English or French, by `Accept-Language`. Names of cards are always in
both. English only: this document, the descriptions of options and facts, and details of malformed JSON and of options
of a wrong type. Ids and types are the same in every language.

## Limits

| limit | value |
| --- | --- |
| requests from one token, or from one address without a token | {LIMITS.requests_per_second} per second and process |
| open streams of one token, or of one address without a token | {LIMITS.max_streams} per process |
| games created, seats taken and records audited, from one address | {LIMITS.creations_per_minute} per minute |
| games of one address that wait for players | {LIMITS.max_open_games} |
| size of a body | {MAX_BODY_BYTES // 1024} KiB |
| time for a body to arrive | {LIMITS.body_seconds:.0f} s |
| size of an uploaded record | {MAX_UPLOAD_BYTES // 1024**2} MiB |
| time for an uploaded record to arrive | {LIMITS.upload_seconds:.0f} s |
| uploaded records audited at a time | {LIMITS.max_uploads} per process |

An installation may have other limits.

## Notation

Times are RFC 3339 in UTC with milliseconds (in a record: milliseconds since 1970). Compare deadlines with the `now` of
the same response. Seats count from 0, places in a result from 1. `version` is the number of the last decision of a
game; the `ETag` is the version in quotes (`"17"`). The `ETag` of a compressed response has a suffix (`"17:gzip"`) and
can be sent in the same way. Ignore unknown members of responses: more may be added. Unknown members of a body are
refused. Every response has an `X-Request-ID`.
"""
