"""Access tokens: signed, one for the host of a game and one for each seat, good for whoever sits there now."""

from __future__ import annotations

import base64
import hmac
from functools import lru_cache
from typing import Any, Literal

import msgspec
from flask import Flask, g, request
from itsdangerous import BadSignature, URLSafeSerializer

from games.kernel import Game, Seat, Viewer
from games.kernel.sessions.session import Session
from service.http.etags import IfMatch
from service.http.problems import Problem, game_not_found

HOST: Literal["host"] = "host"
Holder = Seat | Literal["host"]

CODE_LETTERS = 12
MAX_CACHED_TOKENS = 10_000


ID_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH = 16


def game_id(random: bytes) -> str:
    """Make the id of a game from random bytes: 16 characters out of 32 that are not easily confused."""
    return "".join(ID_LETTERS[byte % 32] for byte in random[:ID_LENGTH])


class Bearer(msgspec.Struct, frozen=True):
    """The bearer of a token: the host or a seat of one game. `token_epoch` tells successive players of a seat apart."""

    game: str
    holder: Holder
    token_epoch: int = 0

    @property
    def seat(self) -> Seat | None:
        """The seat; None for the host, who sees what a spectator sees."""
        return None if self.holder == HOST else self.holder


class Tokens:
    """Makes and reads access tokens and the codes of private games, with one secret key."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()
        self._signer = URLSafeSerializer(key, salt="croupier.token")
        self._decode = lru_cache(maxsize=MAX_CACHED_TOKENS)(lambda token: Bearer(*self._signer.loads(token)))

    def issue(self, bearer: Bearer) -> str:
        """Return the token of a bearer."""
        return str(self._signer.dumps([bearer.game, bearer.holder, bearer.token_epoch]))

    def read(self, authorization: str | None) -> Bearer | None:
        """Return the bearer of the token in a header `Authorization`; None without the header.

        Raises:
            Problem: `bad-token`, when the token was not issued here.
        """
        if authorization is None:
            return None
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise Problem("bad-token", "send the token as “Authorization: Bearer …”")
        try:
            return self._decode(token.strip())
        except (BadSignature, TypeError, ValueError):
            raise Problem("bad-token", "this token was not issued here, or it was changed") from None

    def derive_game_id(self, purpose: str, text: str) -> str:
        """Derive the id of a game: always the same for the same purpose and text, and unpredictable without the key."""
        digest = hmac.digest(self._key, f"{purpose} {text}".encode(), "sha256")
        return game_id(digest)

    def game_code(self, game: str) -> str:
        """Return the code by which a private game is joined and watched."""
        digest = hmac.digest(self._key, b"code of " + game.encode(), "sha256")
        return base64.b32encode(digest).decode().lower()[:CODE_LETTERS]


def register(app: Flask, tokens: Tokens) -> None:
    """Have the token of each request read once, before everything else."""

    def read_token() -> None:
        try:
            g.bearer = tokens.read(request.environ.get("HTTP_AUTHORIZATION"))
        except Problem as problem:
            g.bearer = problem

    app.before_request(read_token)


def current_bearer() -> Bearer | None:
    """Return the bearer of the request's token; None without a token.

    Raises:
        Problem: `bad-token`, when the token was not issued here.
    """
    if isinstance(g.bearer, Problem):
        raise g.bearer
    bearer: Bearer | None = g.bearer
    return bearer


def valid_bearer() -> Bearer | None:
    """Return the bearer of the request's token; None without one, or with one that was not issued here."""
    return None if isinstance(g.bearer, Problem) else g.bearer


class Caller(msgspec.Struct, frozen=True):
    """Who sends a command to a game: a bearer, and the versions of the game that their `If-Match` allows."""

    bearer: Bearer
    game: str
    if_match: IfMatch

    def authorize(self, game: Game[Any, Any]) -> None:
        """Check that the token is still valid, and that the game is at an allowed version.

        Raises:
            Problem: see `verify_bearer`.
            Refusal: `version-mismatch`.
        """
        verify_bearer(self.bearer, self.game, game.session)
        self.if_match.check(game.number)


def current_caller(game: str, bearer: Bearer) -> Caller:
    """Return the sender of this request as the caller of a command."""
    return Caller(bearer, game, IfMatch(request))


def require_access(tokens: Tokens, game: str, session: Session, code: str = "") -> Bearer | None:
    """Check that the caller may look at a game; return the bearer, None for a spectator. `code` replaces the query's.

    Raises:
        Problem: `bad-token`, `not-your-seat`, or `no-such-game` for a private game without its code.
    """
    bearer = current_bearer()
    if bearer is None:
        verify_code(tokens, game, session, code or request.args.get("code", ""))
    else:
        verify_bearer(bearer, game, session)
    return bearer


def verify_code(tokens: Tokens, game: str, session: Session, code: str) -> None:
    """Check that a caller without a token may know of a game: a private one needs its code.

    Raises:
        Problem: `no-such-game`.
    """
    if session.created.visibility == "private" and not hmac.compare_digest(
        code.encode(), tokens.game_code(game).encode()
    ):
        raise game_not_found()


def verify_bearer(bearer: Bearer, game: str, session: Session) -> None:
    """Check that a token is for this game and still valid.

    Raises:
        Problem: `not-your-seat` or `bad-token`; `no-such-game` for a private game, whose existence is kept secret.
    """
    if bearer.game != game and session.created.visibility == "private":
        raise game_not_found()
    if bearer.game != game:
        raise Problem("not-your-seat", "this token is for another game")
    if not is_current_holder(bearer, session):
        raise Problem("bad-token", "this token was revoked: its bearer has left the seat")


def is_current_holder(bearer: Bearer, session: Session) -> bool:
    """Does the bearer still sit at the token's seat? A host always remains the host."""
    if bearer.seat is None:
        return True
    seat_info = session.seats[bearer.seat]
    return seat_info.taken and seat_info.token_epoch == bearer.token_epoch


def viewer_for(bearer: Bearer | None, session: Session) -> Viewer:
    """Return the seat through which the bearer sees a game; None: as a spectator, who sees nothing hidden.

    While a bot plays a seat, its token shows nothing hidden either: otherwise the host could look at bots' hands. It
    does so again once its player takes the seat back, which everybody is told, or the game is over.
    """
    if bearer is None or bearer.seat is None:
        return None
    is_played_by_bot = session.seats[bearer.seat].bot is not None and session.status != "finished"
    return None if is_played_by_bot else bearer.seat


def require_seat(bearer: Bearer | None) -> Seat:
    """Return the bearer's seat, where one is needed.

    Raises:
        Problem: `no-token`, or `not-your-seat` for the host.
    """
    if bearer is None:
        raise Problem("no-token", "this needs the token of a seat")
    if bearer.seat is None:
        raise Problem("not-your-seat", "the host has no seat: use the token of a seat")
    return bearer.seat


def require_seat_token() -> tuple[Bearer, Seat]:
    """Return bearer and seat, where only a seat is allowed.

    Whether the token is still valid is checked later, on the game's newest state.

    Raises:
        Problem: `no-token`, `bad-token`, or `not-your-seat` for the host.
    """
    bearer = current_bearer()
    seat = require_seat(bearer)
    assert bearer is not None
    return bearer, seat


def require_host(bearer: Bearer | None) -> Bearer:
    """Return the bearer, where only the host is allowed.

    Raises:
        Problem: `no-token` or `not-your-seat`.
    """
    if bearer is None:
        raise Problem("no-token", "this needs the token of the host")
    if bearer.holder != HOST:
        raise Problem("not-your-seat", "only the host may do this")
    return bearer
