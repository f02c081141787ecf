"""What the document says in prose: of the service as a whole, of each group of routes, of the tokens."""

from __future__ import annotations

from service.http.limits import MAX_BODY_BYTES, MAX_UPLOAD_BYTES, Limits
from service.schemas.requests import MAX_WAIT_SECONDS

LIMITS = Limits()

TAGS = {
    "rulebooks": "What can be played here.",
    "games": "Create a game, find one, look at it, start it, play it again.",
    "seats": "Sit down and stand up.",
    "play": "What a seat is asked, and its answers.",
    "events": "What happened, and what happens.",
    "players": "What players have done, and standings.",
    "records": "Games that are over, to be kept, and audits.",
    "keys": "The keys that records are signed with.",
    "operations": "Is the service well, and this document.",
    "metrics": "What the service counts.",
}
"""The groups of routes, in the order in which they are shown."""

TOKENS = {
    "seatToken": (
        "The `token` that was given with a seat. If both are set on this page, this one is sent where either is "
        "taken: log out here to act as the host there."
    ),
    "hostToken": "The `host_token` that was given to who created the game. The host has no seat by it.",
}

DESCRIPTION = f"""Croupier is a headless card table: it deals, enforces the rules, keeps every hand secret, runs the clocks, \
and keeps the record of each game. It has no screen of its own: this contract is all that a client needs.

## A game in five calls

1. **Create it**: `POST /v1/games` with `{{"rulebook": "six-nimmt", "seats": 2}}`. The answer holds the game, its id in
   `game.game`, and the `host_token`.
2. **Sit down**: `POST /v1/games/{{game}}/seats` with `{{"name": "Ana"}}`, once for each seat. The answer holds the
   seat's `token`, which is told only once. The host may let a bot sit down: `{{"bot": "random"}}`, with the host's
   token. With the last seat taken the game starts.
3. **What am I asked?** `GET /v1/games/{{game}}/choices` with the seat's token. Each choice has an id, a prompt, perhaps
   a deadline, and a `schema`: JSON Schema of all its legal answers. An empty list: it is for others to act. Follow the
   game then, see below; nothing needs to be asked again and again.
4. **Answer**: `POST /v1/games/{{game}}/commands` with the choice's id, a `move` and its `args`, as the schema has them.
   The answer holds what happened, as far as the seat may see it, and what it is asked next.
5. **Look**: `GET /v1/games/{{game}}` shows the table. Then 3 and 4 again until its `status` is `finished`.

A client that knows no rulebook can play every game: whatever fits the `schema` of a choice is accepted, but
for the few combinations that the `description` of a move rules out.

## Access

Send a token as `Authorization: Bearer …`. A seat's token looks and answers for that seat, but while a bot plays
it: then it shows what a spectator sees, until its player takes the seat back. The host's starts and closes the game and
seats bots, and sees what a spectator sees. A host who also plays has two tokens: send the one that the route takes. A
seat's token is good until the seat is left, the host's for ever.

Public games are watched without a token. A private game has a `code`, told to who creates it or plays it again: it goes
into the body to take a seat, and into the query to look, to follow and for the record. Whoever has one of its tokens
needs no code. To anybody else a private game is one that does not exist (404).

## What is hidden

Everything is shown as the bearer may see it. In the place of what it may not see there is `{{"hidden": n}}`, where `n`
says how many values are there: the schemas of facts and tables tell for each field whether that can happen. When a
game is over its record tells all, every card and shuffle, and `as` looks at the game through the eyes of any seat; else
a bearer is shown what it was shown before.

## To follow a game

Open a stream: `GET /v1/games/{{game}}/events` with `Accept: text/event-stream`, or `application/x-ndjson` for lines of
JSON. It begins with the game, tells each decision as it happens, and what your seat is asked when that changes, so
that nothing has to be polled. A stream that breaks off goes on at `Last-Event-ID` without a gap. A decision tells
facts, not the table: apply those that you know, or look at the game again. Without such an `Accept` the same route
gives pages, and waits for news: `?after=` the last number you have, `&wait={MAX_WAIT_SECONDS}`.

## Refusals

They are problem documents (RFC 9457): `type` is stable and meant for programs, `title` and `detail` are for people.
Nothing has changed when one is sent. A refused command carries what the seat is asked now in `choices`.

| status | when |
| --- | --- |
| 400, 415 | the body is not JSON, or does not say that it is: `Content-Type: application/json` |
| 401, 403 | no token, one that is not good (any more), or one of another seat |
| 404 | there is no such thing, or none that the bearer may know of |
| 405, 406 | not by this method: `Allow` says which; not of the type that `Accept` wants |
| 408 | the body did not come in time |
| 409 | it cannot be done now: the choice was answered, the move is not offered, the game is over … |
| 412 | the game is at another version than that of `If-Match` |
| 413 | the body is too large |
| 422 | a body, query or header does not fit its schema (`faults` or `detail` say where), or names what is not there |
| 429, 503 | come again after `Retry-After` seconds |
| 500 | our fault: tell us the `X-Request-ID` |

## Safe to repeat

A command that comes again (same seat, choice, move and args) is not played twice: it gets the first decision, with
200 in the place of 201. `POST /v1/games` and `POST …/seats` do the same for the header `Idempotency-Key`; without one,
a second `POST` creates a second game, or takes a second seat. What was acknowledged is on disk. With `If-Match`
whatever changes a game is refused once anything else has happened in it: so a wish for a pause is not taken back when
it comes twice, and who stands up does not give up because the game has just started.

## Languages

Prompts, titles of moves, refusals and help are given in English or French, by `Accept-Language`. Names of cards are
always given in both. In English only: this document, the descriptions of options and facts, and what is wrong with a
body that is not JSON or with an option of a wrong type. Programs go by ids and types, which are the same in every
language.

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

Times are RFC 3339 in UTC with milliseconds (in a record: milliseconds since 1970); compare deadlines with the `now` of
the same answer. Seats count from 0, places in a result from 1. `version` is the number of the game's last decision, and
its `ETag` (`"17"`; of a compress answer `"17:gzip"`, which serves as well). Unknown members of an answer are to be
ignored: more may come; unknown ones in a body are refused. Every answer has an `X-Request-ID`.
"""
