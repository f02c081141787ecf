"""The app: Flask, put together from its parts."""

from __future__ import annotations

import os
import re
import threading
from typing import Any

from flask import Flask
from flask_swagger_ui import get_swaggerui_blueprint  # type: ignore[import-untyped]

from events.connection import connect
from events.games import Games, now_in_milliseconds
from events.outages import Outages, credits_outages
from events.queue import PROJECT, enqueue, open_queue, queue_url, store_url
from events.store import Store
from games.rulebooks import RULEBOOKS
from service import events, games, operations, play, players, problems, rulebooks, seats
from service.access import Tokens
from service.contract import BODY_LIMIT
from service.house import House
from service.settings import read_settings

GAME_ID = re.compile("[0-9a-z]{16}")


def create_app() -> Flask:
    """Give the app of one process, set up from the environment."""
    queue = open_queue(queue_url())
    client = connect(store_url())
    outages = Outages(client, now_in_milliseconds, credit=credits_outages())
    threading.Thread(target=outages.run, args=(threading.Event(),), name="outages", daemon=True).start()
    kept = Games(
        Store(client), RULEBOOKS, outages=outages, call_projector=lambda game: enqueue(queue, PROJECT, game)
    )
    return build_app(House(kept, Tokens(read_settings(os.environ).signing_key())))


def build_app(house: House) -> Flask:
    """Give an app that plays at the tables of a house."""
    app = Flask("croupier", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT
    app.extensions["croupier"] = house
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False  # it would answer with a redirect in HTML
    for resource in (rulebooks, games, players, seats, play, events):
        app.register_blueprint(resource.bp, url_prefix="/v1")
    app.register_blueprint(operations.bp)
    app.register_blueprint(get_swaggerui_blueprint("/docs", "/openapi.json", config={"app_name": "Croupier"}))
    app.url_value_preprocessor(_check_game)
    problems.register(app)
    return app


def _check_game(endpoint: str | None, parameters: dict[str, Any] | None) -> None:
    """Refuse what cannot be the id of a game as one that nobody knows."""
    if parameters and "game" in parameters and not GAME_ID.fullmatch(parameters["game"]):
        raise problems.no_such_game()
