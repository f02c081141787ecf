"""The baseline: the cost of Flask, gunicorn and the store for a command without rules and without secrets.

It is a bare view that parses the JSON of a command and does one durable XADD. It is served like the real web, and uses
the same client of the store.
"""

import os

from flask import Flask, Response, request

from events.store.connection import connect


def create_app(url: str | None = None) -> Flask:
    """Create the app. The URL of the store defaults to `CROUPIER_REDIS_URL`."""
    app = Flask(__name__, static_folder=None)
    store = connect(url or os.environ["CROUPIER_REDIS_URL"])

    @app.get("/healthz")
    def liveness() -> str:
        return "ok"

    @app.post("/v1/games/<game>/commands")
    def append(game: str) -> tuple[dict[str, object], int]:
        command = request.get_json()
        store.xadd(f"baseline:{game}", {"choice": command["choice"], "d": request.get_data()})
        return {"choice": command["choice"]}, 201

    @app.errorhandler(Exception)
    def fail(error: Exception) -> Response:
        return Response(str(error), 500)

    return app
