"""Audits: of this installation's games and of records sent to it, without holding up everything else."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from events.games.command_handler import CommandHandler
from events.games.repository import LoadedGame
from events.records.audit import Check, CheckName, Failure, Report, audit
from events.records.history import GameHistory
from events.records.signatures import Signer
from events.store import chain
from games.kernel import seed_commitment
from service.http.limits import Limits

T = TypeVar("T")

CHECKS_WHEN_OVER: tuple[CheckName, ...] = ("answers", "draws", "result", "seal")

YIELD_SECONDS = 0.002
"""After an audit has run for this long, other requests get their turn at the end of the current line."""

AUDIT_COMMAND = (sys.executable, "-m", "service.records.audit_process")
CHECKOUT = Path(__file__).parents[2]

MAX_CACHED_REPORTS = 500
REPORT_TTL_MS = 60_000
"""For this long, the report of an audit is reused: repeated requests for it must not make others wait."""


def _yield_turn() -> None:
    time.sleep(0)


class TooManyUploads(Exception):
    """As many records as allowed are being audited already."""


class AuditTimeout(Exception):
    """The audit of a record took more processor time than it is allowed."""


class AuditService:
    """What the views of one process share for records: the games' past, the signing key, and the latest audits.

    `command` audits the record on its standard input and writes the report; `yield_turn` gives other requests of this
    process their turn, and `stopwatch` says when it is time for that, in seconds.
    """

    def __init__(
        self,
        games: CommandHandler,
        signer: Signer | None = None,
        *,
        max_uploads: int = Limits().max_uploads,
        command: Sequence[str] = AUDIT_COMMAND,
        stopwatch: Callable[[], float] = time.perf_counter,
        yield_turn: Callable[[], None] = _yield_turn,
    ) -> None:
        self.games = games
        self.past = GameHistory(games)
        self.signer = signer
        self._max_uploads = max_uploads
        self._command = command
        self._stopwatch = stopwatch
        self._yield_turn = yield_turn
        self._reports: OrderedDict[str, tuple[int, Report]] = OrderedDict()
        self._uploads = 0

    def lines(self, game: str, current: LoadedGame) -> Iterator[bytes]:
        """Return the lines of the record of a game, signed if this installation has a key. Raises `GameNotFinished`."""
        return self.past.record(game, current, (lambda footer: None) if self.signer is None else self.signer.sign)

    def audit_lines(self, chunks: Iterable[bytes]) -> Report:
        """Audit a record received in chunks, in a process of its own. Raises `TooManyUploads` or `AuditTimeout`."""
        if self._uploads >= self._max_uploads:
            raise TooManyUploads
        self._uploads += 1
        try:
            return _audit_in_subprocess(self._command, b"".join(chunks))
        finally:
            self._uploads -= 1

    def audit_game(self, game: str, current: LoadedGame) -> Report:
        """Audit a game: in full when it is over, else only its chain and the server's commitment."""
        now = self.games.clock()
        made, report = self._reports.get(game, (0, None))
        if report is None or report.decisions != current.game.number or now - made > REPORT_TTL_MS:
            report = self._audit(game, current)
            self._reports[game] = now, report
            self._reports.move_to_end(game)
            while len(self._reports) > MAX_CACHED_REPORTS:
                self._reports.popitem(last=False)
        return report

    def _audit(self, game: str, current: LoadedGame) -> Report:
        if current.session.is_over:
            lines = (line.removesuffix(b"\n") for line in self.lines(game, current))
            return audit(self._yielding(lines), self.games.rulebooks)
        created, number = current.session.created, current.game.number
        failure = self._failure_in_play(game, current)
        later: Literal["not made"] = "not made"
        checks = (
            Check("chain", "failed" if failure and failure.check == "chain" else "passed"),
            Check("commitments", "failed" if failure else "passed", "of the server's seed, which stays secret"),
            *(Check(name, later, "the game is not over") for name in CHECKS_WHEN_OVER),
        )
        return Report(failure is None, game, created.rulebook, created.edition, number, None, None, checks, failure)

    def _failure_in_play(self, game: str, current: LoadedGame) -> Failure | None:
        """Verify the chain of a game in progress, and that the server still holds the seed that it committed to."""
        created, number = current.session.created, current.game.number
        try:
            if chain.verify(game, self._yielding(self.past.entries(game, until=number))) != current.hash:
                return Failure("chain", number + 1, number, "the log ends with another decision")
        except chain.ChainBroken as broken:
            return Failure("chain", broken.number + 1, broken.number, f"decision {broken.number} {broken.reason}")
        if seed_commitment(created.seed) != created.commitment:
            return Failure("commitments", 2, 1, "the server's seed is not the one that it committed to")
        return None

    def _yielding(self, items: Iterable[T]) -> Iterator[T]:
        """Yield the same items, giving other requests of this process a turn now and then."""
        since = self._stopwatch()
        for item in items:
            if self._stopwatch() - since > YIELD_SECONDS:
                self._yield_turn()
                since = self._stopwatch()
            yield item


def _audit_in_subprocess(command: Sequence[str], record: bytes) -> Report:
    process = subprocess.run(command, input=record, stdout=subprocess.PIPE, cwd=CHECKOUT, check=False)
    if process.returncode == -signal.SIGXCPU:
        raise AuditTimeout
    process.check_returncode()
    return msgspec.json.decode(process.stdout, type=Report)
