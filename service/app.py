"""Makes the Flask app of its parts."""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from flask import Flask, request
from flask_compress import Compress
from flask_cors import CORS
from flask_swagger_ui import get_swaggerui_blueprint  # type: ignore[import-untyped]
from werkzeug.middleware.proxy_fix import ProxyFix

from events.cli_errors import exit_with_message
from events.games.command_handler import CommandHandler, now_ms
from events.games.downtime import DowntimeLog
from events.jobs.queue import PROJECT, enqueue, open_queue
from events.settings import Settings, read_settings
from events.startup_check import check_store
from events.store.archiving_store import ArchivingStore
from events.store.connection import connect
from games.rulebooks import RULEBOOKS
from service.api import commands, events, games, health, metrics, players, records, rulebooks, seats, signing_keys
from service.api.signing_keys import open_signer
from service.context import Services
from service.http import auth, http_metrics, problems, rate_limits, request_log
from service.http.auth import Tokens
from service.http.endpoint import Endpoint
from service.http.limits import MAX_BODY_BYTES, Limits
from service.openapi.document import build_document
from service.records.audit_service import AuditService
from service.streaming.broadcast import Broadcaster

CANNOT_LOAD = 4
"""The exit status of a worker on which gunicorn gives up, instead of starting new workers over and over."""

COMPRESS_FROM = 4096
GAME_ID = re.compile("[0-9a-z]{16}")


BLUEPRINTS = (
    rulebooks.bp,
    games.bp,
    players.bp,
    seats.bp,
    commands.bp,
    events.bp,
    records.bp,
    signing_keys.bp,
    health.bp,
    metrics.bp,
)


class CroupierApp(Flask):
    """The app. None of its views and hooks is a coroutine, so Flask need not check that a dozen times a request."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function unchanged."""
        return func


def endpoints() -> list[Endpoint]:
    """Return every endpoint of the contract."""
    return [endpoint for blueprint in BLUEPRINTS for endpoint in blueprint.endpoints]


def create_app() -> Flask:
    """Create the app of one process from the environment. An error that an operator can fix ends it with one line."""
    with exit_with_message(CANNOT_LOAD):
        return _app_of_settings(read_settings(os.environ))


def _app_of_settings(settings: Settings) -> Flask:
    store_url, queue_url = settings.urls()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s", stream=sys.stdout)
    queue = open_queue(queue_url)
    client = connect(store_url)
    check_store(client, CANNOT_LOAD)
    downtime_log = DowntimeLog(client, now_ms, credit=settings.compensate_downtime)
    threading.Thread(target=downtime_log.run, args=(threading.Event(),), name="heartbeat", daemon=True).start()
    games = CommandHandler(
        ArchivingStore(client), RULEBOOKS, downtime_log=downtime_log, call_projector=partial(enqueue, queue, PROJECT)
    )
    limits = Limits()
    services = Services(
        games,
        Tokens(settings.signing_key()),
        broadcaster=Broadcaster(games, max_streams=limits.max_streams if settings.limits else None),
        queue=queue,
        audits=AuditService(games, open_signer(settings), max_uploads=limits.max_uploads),
        limits=limits,
    )
    return build_app(services, settings)


def build_app(services: Services, settings: Settings | None = None) -> Flask:
    """Build an app on some services. Without settings, it does not count requests and allows no other origins."""
    app = CroupierApp("croupier", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.config["COMPRESS_MIN_SIZE"] = COMPRESS_FROM
    app.config["COMPRESS_ALGORITHM"] = ["gzip"]
    app.config["COMPRESS_MIMETYPES"] = ["application/json", "text/markdown"]
    app.config["COMPRESS_EVALUATE_CONDITIONAL_REQUEST"] = True
    app.config["BODY_SECONDS"] = services.limits.body_seconds
    app.extensions["croupier"] = services
    app.extensions["openapi"] = cache(partial(build_document, endpoints()))
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False  # else it would answer with a redirect in HTML
    auth.register(app, services.tokens)
    request_log.register(app, log_all=settings is not None and settings.log_requests)
    http_metrics.register(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.register_blueprint(get_swaggerui_blueprint("/docs", "/openapi.json", config={"app_name": "Croupier"}))
    app.before_request(_check_game)
    problems.register(app)
    Compress(app)
    if settings is not None:
        _configure_proxy_and_cors(app, settings)
        if settings.limits:
            creating = {route.flask_name for each in BLUEPRINTS for route in each.endpoints if route.creates}
            rate_limits.register(app, settings.redis_url, services.limits, creating)
    return app


def _configure_proxy_and_cors(app: Flask, settings: Settings) -> None:
    """Configure what depends on the deployment: proxies in front, and the origins of browsers."""
    if settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.proxies)  # type: ignore[method-assign]
    if settings.origins:
        CORS(app, origins=list(settings.origins), expose_headers=["ETag", "Location", "Retry-After", "X-Request-ID"])


def _check_game() -> None:
    """Refuse a text that cannot be the id of a game, in the same way as an unknown id."""
    parameters = request.view_args
    if parameters and "game" in parameters and not GAME_ID.fullmatch(parameters["game"]):
        raise problems.game_not_found()
