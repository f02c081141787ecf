"""The house: what the views of one process share."""

from __future__ import annotations

from typing import cast

from flask import current_app
from rq import Queue

from events.games.commands import CommandHandler
from events.lists.game_index import GameIndex
from events.records.signatures import Signer
from service.http.auth import Tokens
from service.http.quota import OpenGameQuota
from service.records.audit_service import AuditService
from service.streaming.broadcast import Broadcaster


class Services:
    """The games, tokens, lists, records and news of this process; what is not passed in is created here."""

    def __init__(
        self,
        games: CommandHandler,
        tokens: Tokens,
        broadcaster: Broadcaster | None = None,
        queue: Queue | None = None,
        signer: Signer | None = None,
    ) -> None:
        self.games = games
        self.tokens = tokens
        self.game_index = GameIndex(games.store.client)
        self.open_game_quota = OpenGameQuota(games.store)
        self.audits = AuditService(games, signer)
        self.queue = queue
        self.broadcaster = broadcaster or Broadcaster(games)


def services() -> Services:
    """Return the house of the app that handles this request."""
    return cast("Services", current_app.extensions["croupier"])
