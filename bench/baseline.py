"""The floor: what Flask, gunicorn and the store cost for a command without rules and without secrets.

It is a bare view that parses the command's JSON and does one durable XADD, served like the table itself. It uses the
same client of the store as the table, which waits for a connection when there are too few.
"""

import os

from flask import Flask, Response, request

from events.store.connection import connect


def create_app(url: str | None = None) -> Flask:
    """Create the app; the store's URL is taken from `CROUPIER_REDIS_URL` unless given."""
    app = Flask(__name__, static_folder=None)
    store = connect(url or os.environ["CROUPIER_REDIS_URL"])

    @app.get("/healthz")
    def look_alive() -> str:
        return "ok"

    @app.post("/v1/games/<game>/commands")
    def take(game: str) -> tuple[dict[str, object], int]:
        command = request.get_json()
        store.xadd(f"floor:{game}", {"choice": command["choice"], "d": request.get_data()})
        return {"choice": command["choice"]}, 201

    @app.errorhandler(Exception)
    def fail(error: Exception) -> Response:
        return Response(str(error), 500)

    return app
