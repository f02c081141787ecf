"""The house: what the views of one process share."""

from __future__ import annotations

from typing import cast

from flask import current_app
from rq import Queue

from events.games.commands import Games
from events.lists.game_index import Lists
from events.records.signatures import Signer
from service.http.auth import Tokens
from service.http.quota import OpenGames
from service.records.audit_service import Records
from service.streaming.broadcast import News


class House:
    """The games, tokens, lists, records and news of this process; what is not passed in is created here."""

    def __init__(
        self,
        games: Games,
        tokens: Tokens,
        news: News | None = None,
        queue: Queue | None = None,
        signer: Signer | None = None,
    ) -> None:
        self.games = games
        self.tokens = tokens
        self.lists = Lists(games.store.client)
        self.open_games = OpenGames(games.store)
        self.records = Records(games, signer)
        self.queue = queue
        self.news = news or News(games)


def house() -> House:
    """Return the house of the app that handles this request."""
    return cast("House", current_app.extensions["croupier"])
