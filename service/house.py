"""The house: what the views of one process share."""

from __future__ import annotations

from typing import cast

from flask import current_app
from rq import Queue

from events.games import Games
from events.lists import Lists
from events.seals import Signer
from service.access import Tokens
from service.audits import Records
from service.news import News
from service.open_games import OpenGames


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
