"""Section `command`: where the time of a command goes, within the process that serves it."""

import io
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from time import perf_counter
from typing import Any
from wsgiref.types import WSGIApplication

import events.games.command_handler
import events.games.commands
import events.games.repository
import service.api.commands
import service.http.auth
import service.http.endpoint
import service.http.responses
from bench.harness import baseline, page
from bench.harness.measure import MICRO, seconds_per_reference
from bench.harness.scripts import SeatRequest, open_games, script
from bench.harness.servers import SECRET, temporary_folder
from events.games.command_handler import CommandHandler
from events.store import chain
from events.store.connection import connect
from events.store.embedded import EmbeddedServer
from events.store.log_store import LogStore
from games.kernel import Rulebook
from games.rulebooks import RULEBOOKS
from service.app import build_app
from service.context import Services
from service.http.auth import Tokens

GAMES = 8
COMMANDS = 100  # of each game
RULEBOOK = RULEBOOKS["six-nimmt"]

WATCHED: tuple[tuple[Any, str, str], ...] = (
    (service.http.endpoint, "_body", "parse and validate: the body as a command"),
    (service.http.endpoint, "_load", "validate: by marshmallow, what the fast decoder refuses"),
    (Tokens, "read", "token: whose it is"),
    (service.http.auth, "verify_bearer", "token: is it still valid"),
    (events.games.command_handler, "fire_timers", "clock: is anything due"),
    (events.games.commands, "answer", "decide: evaluate, check, carry out, resolve"),
    (Rulebook, "encode", "encode: the decision as bytes"),
    (chain, "next_hash", "chain: its hash"),
    (LogStore, "append_all", "append: script, store and disk"),
    (LogStore, "read_after", "load: read missing entries"),
    (events.games.repository, "fold", "load: fold missing entries"),
    (service.api.commands, "build_event_view", "view: the decision as the seat sees it"),
    (service.api.commands, "build_choice_views", "choices: the seat's next choices"),
    (service.api.commands, "json_response", "render: the answer as JSON"),
    (CommandHandler, "handle", "games: cache, batch, try again"),
)
REST = "Flask: routing, request, response"

PROSE = f"""
## Where the time of a command goes

{GAMES * COMMANDS} commands of {GAMES} games of 6 nimmt! (four seats) are given to the app in one process, without
gunicorn, on the embedded store with `appendfsync always`. Each step is timed without what it calls of the others; the
figures are medians over the commands, so that neither a command that decides much (the fourth card of a turn) nor one
in which somebody else got the processor counts for more than it should. The share leaves out *append*, which waits for
the store. The floor is the bare view of the section on HTTP, in the same process.
"""


GREATEST_GAINS = (
    (
        "limits: requests counted in a dict instead of a storage that starts threads",
        "a command without store ×44 → ×29",
    ),
    ("a body decoded by msgspec, and by its schema only if that fails", "a command without store ×29 → ×19"),
    (
        "one pipelined connection for all callers of a process (`events/store/pipeline.py`)",
        "an append ×12 → ×4, among twenty ×7 → ×2",
    ),
    (
        "concurrent commands of a game decided in one batch (`events/batching.py`)",
        "four at once in a process: up to ten round trips → one or two",
    ),
    (
        "a running game projected when lists change, not after every move",
        "the worker beside one game at full speed: 0.53 of a processor → 0.09",
    ),
    ("choices evaluated again only after a fact; types inspected once", "a decision of 6 nimmt! ×3.3 → ×2.7"),
    ("facts of the session recognised by type, not by a union of fifteen", "a fold of 6 nimmt! ×0.40 → ×0.30"),
)
"""Optimisations, with multiples of the reference work before and after, measured at the time of the change."""


class Stopwatch:
    """Times functions, excluding the time that they spend in one another. For a single thread."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._since = 0.0
        self.spent: defaultdict[str, float] = defaultdict(float)
        self.calls: Counter[str] = Counter()

    def watch(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function wrapped so that it is timed as part of a stage."""

        @wraps(function)
        def watched(*args: Any, **kwargs: Any) -> Any:
            self.calls[stage] += 1
            self._pass_time()
            self._open.append(stage)
            try:
                return function(*args, **kwargs)
            finally:
                self._pass_time()
                self._open.pop()

        return watched

    def _pass_time(self) -> None:
        now = perf_counter()
        if self._open:
            self.spent[self._open[-1]] += now - self._since
        self._since = perf_counter()


@contextmanager
def watched(stopwatch: Stopwatch) -> Iterator[None]:
    """Time every step with the stopwatch, until the block ends."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in WATCHED]
    for owner, name, stage in WATCHED:
        setattr(owner, name, stopwatch.watch(stage, getattr(owner, name)))
    try:
        yield
    finally:
        for owner, name, function in before:
            setattr(owner, name, function)


def measure() -> str:
    """Measure; return the section."""
    with temporary_folder() as folder, EmbeddedServer(Path(folder)) as server:
        commands = _commands(server.url)
        app = _app(server.url)
        stopwatch = Stopwatch()
        with watched(stopwatch):
            called = stopwatch.watch(REST, app)
            stages = [_one(stopwatch, called, command) for command in commands[: len(commands) // 2]]
        bare = baseline.create_app(server.url)
        plain = _alternately(app, bare, commands[len(commands) // 2 :])
    brought = page.table(("what brought most", "before → after, × the reference work"), GREATEST_GAINS)
    return "\n\n".join((PROSE.strip(), _stages_table(stages, stopwatch), *plain, brought, page.repeat_with("command")))


def _app(url: str) -> WSGIApplication:
    client = connect(url)
    return build_app(Services(CommandHandler(LogStore(client), RULEBOOKS), Tokens(SECRET)))


def _commands(url: str) -> list[bytes]:
    """Open the games and return their commands, taking a wave of each game in turn."""
    names = [f"command {number}" for number in range(2 * GAMES)]
    open_games(CommandHandler(LogStore(connect(url)), RULEBOOKS), RULEBOOK, names)
    scripts = [script(RULEBOOK, name, Tokens(SECRET), COMMANDS) for name in names]
    halves = scripts[:GAMES], scripts[GAMES:]
    return [sent.request for half in halves for sent in _in_turn([each.waves for each in half])]


def _in_turn(games: list[list[list[SeatRequest]]]) -> Iterator[SeatRequest]:
    for waves in zip(*games, strict=False):
        for wave in waves:
            yield from wave


def _one(stopwatch: Stopwatch, app: Callable[..., Any], request: bytes) -> dict[str, float]:
    """Carry out one command; return the seconds spent in each stage."""
    stopwatch.spent.clear()
    send(app, request)
    return dict(stopwatch.spent)


def _stages_table(stages: list[dict[str, float]], stopwatch: Stopwatch) -> str:
    names = [REST, *dict.fromkeys(stage for _, _, stage in WATCHED)]
    medians = {name: statistics.median(stage.get(name, 0.0) for stage in stages) * MICRO for name in names}
    own = sum(time for name, time in medians.items() if not name.startswith("append"))
    rows = [
        (
            name,
            f"{stopwatch.calls[name] / len(stages):.2f}",
            page.number(time),
            "" if name.startswith("append") else f"{time / own:.0%}",
        )
        for name, time in sorted(medians.items(), key=lambda stage: -stage[1])
    ]
    rows.append(("**all but append**", "", f"**{page.number(own)}**", ""))
    return page.table(("step", "calls a command", "µs", "share"), rows)


def _alternately(app: WSGIApplication, bare: WSGIApplication, commands: list[bytes]) -> list[str]:
    """Time commands without the stopwatch, each on the floor and then on the table."""
    taken: list[tuple[float, float]] = []
    for request in commands:
        begin = perf_counter()
        send(bare, request)
        middle = perf_counter()
        send(app, request)
        taken.append((middle - begin, perf_counter() - middle))
    floors, ours = (statistics.median(column) for column in zip(*taken, strict=True))
    reference = seconds_per_reference()
    summary = (
        f"Without stopwatch, store and disk included: {ours * MICRO:.0f} µs a command (×{ours / reference:.1f}), the "
        f"floor {floors * MICRO:.0f} µs (×{floors / reference:.1f}): the floor is **{floors / ours:.2f}** of ours."
    )
    return [summary]


def send(app: Callable[..., Any], request: bytes) -> bytes:
    """Pass a request to an app as gunicorn would; raise RuntimeError unless it is answered with 201."""
    head, _, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    method, path, _ = first.split(" ")
    headers = dict(line.split(": ", 1) for line in lines)
    environ = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": headers["Host"],
        "HTTP_AUTHORIZATION": headers["Authorization"],
        "CONTENT_TYPE": headers["Content-Type"],
        "CONTENT_LENGTH": headers["Content-Length"],
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
    }
    statuses: list[str] = []
    answer = app(environ, lambda status, headers, error=None: statuses.append(status))
    body = b"".join(answer)
    answer.close()
    if statuses != ["201 CREATED"]:
        raise RuntimeError(f"{statuses}: {body.decode()}")
    return body
