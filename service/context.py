"""Services: what the views of one process share."""

from __future__ import annotations

import secrets
from typing import cast

from flask import current_app
from rq import Queue

from events.games.command_handler import CommandHandler
from events.lists.game_index import GameIndex
from service.http.auth import Tokens, game_id
from service.http.limits import Limits
from service.http.quota import OpenGameQuota
from service.records.audit_service import AuditService
from service.streaming.broadcast import Broadcaster


class Randomness:
    """The source of ids, seeds and salts: random, and secret until they are handed out."""

    def game_id(self) -> str:
        """Return the id of a new game, which nobody can guess."""
        return game_id(secrets.token_bytes(16))

    def seed(self) -> str:
        """Return the secret seed of a new game."""
        return secrets.token_hex(32)

    def salt(self) -> str:
        """Return the salt of a person's name."""
        return secrets.token_hex(16)


class Services:
    """What the views of one process share. Whatever is not passed in is made here with its defaults."""

    def __init__(
        self,
        games: CommandHandler,
        tokens: Tokens,
        *,
        broadcaster: Broadcaster | None = None,
        queue: Queue | None = None,
        audits: AuditService | None = None,
        limits: Limits | None = None,
        randomness: Randomness | None = None,
    ) -> None:
        self.games = games
        self.tokens = tokens
        self.queue = queue
        self.limits = limits or Limits()
        self.randomness = randomness or Randomness()
        self.game_index = GameIndex(games.store.client)
        self.open_game_quota = OpenGameQuota(games.store, self.limits.max_open_games)
        self.audits = audits or AuditService(games, max_uploads=self.limits.max_uploads)
        self.broadcaster = broadcaster or Broadcaster(games)


def services() -> Services:
    """Return the services of the app that handles this request."""
    return cast("Services", current_app.extensions["croupier"])
