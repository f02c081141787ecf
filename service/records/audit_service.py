"""Audits: of this installation's games and of records sent to it, without holding up everything else."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from events.games.commands import CommandHandler
from events.games.history import GameHistory
from events.games.repository import LoadedGame
from events.records.audit import Check, CheckName, Failure, Report, audit
from events.records.signatures import Signer
from events.store import chain
from games.kernel import seed_commitment

T = TypeVar("T")

CHECKS_WHEN_OVER: tuple[CheckName, ...] = ("answers", "draws", "result", "seal")

YIELD_SECONDS = 0.002
"""After an audit has run for this long, other requests get their turn at the end of the current line."""

MAX_UPLOADS = 4
"""At most this many uploaded records are received and audited at a time, in each process."""

AUDIT_COMMAND = (sys.executable, "-m", "service.records.audit_process")
CHECKOUT = Path(__file__).parents[2]

MAX_CACHED_REPORTS = 500
REPORT_TTL_MS = 60_000
"""For this long, the report of an audit is reused: repeated requests for it must not make others wait."""


class TooManyUploads(Exception):
    """As many records as allowed are being audited already."""


class AuditTimeout(Exception):
    """The audit of a record took more processor time than it is allowed."""


class AuditService:
    """What the views of one process share for records: the games' past, the signing key, and the latest audits."""

    def __init__(self, games: CommandHandler, signer: Signer | None = None) -> None:
        self.games = games
        self.past = GameHistory(games)
        self.signer = signer
        self._kept: OrderedDict[str, tuple[int, Report]] = OrderedDict()
        self._uploads = 0

    def lines(self, game: str, current: LoadedGame) -> Iterator[bytes]:
        """Return the lines of the record of a game, signed if this installation has a key. Raises `GameNotFinished`."""
        return self.past.record(game, current, (lambda footer: None) if self.signer is None else self.signer.sign)

    def audit_lines(self, received: Iterable[bytes]) -> Report:
        """Audit a record received in chunks, in a process of its own. Raises `TooManyUploads` or `AuditTimeout`."""
        if self._uploads >= MAX_UPLOADS:
            raise TooManyUploads
        self._uploads += 1
        try:
            return _audit_in_subprocess(b"".join(received))
        finally:
            self._uploads -= 1

    def audit_game(self, game: str, current: LoadedGame) -> Report:
        """Audit a game: in full when it is over, else only its chain and the server's commitment."""
        now = self.games.clock()
        made, report = self._kept.get(game, (0, None))
        if report is None or report.decisions != current.game.number or now - made > REPORT_TTL_MS:
            report = self._audit(game, current)
            self._kept[game] = now, report
            self._kept.move_to_end(game)
            while len(self._kept) > MAX_CACHED_REPORTS:
                self._kept.popitem(last=False)
        return report

    def _audit(self, game: str, current: LoadedGame) -> Report:
        if current.session.is_over:
            lines = (line.removesuffix(b"\n") for line in self.lines(game, current))
            return audit(_yielding(lines), self.games.rulebooks)
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
            if chain.verify(game, _yielding(self.past.entries(game, until=number))) != current.hash:
                return Failure("chain", number + 1, number, "the log ends with another decision")
        except chain.ChainBroken as broken:
            return Failure("chain", broken.number + 1, broken.number, f"decision {broken.number} {broken.reason}")
        if seed_commitment(created.seed) != created.commitment:
            return Failure("commitments", 2, 1, "the server's seed is not the one that it committed to")
        return None


def _audit_in_subprocess(record: bytes) -> Report:
    told = subprocess.run(AUDIT_COMMAND, input=record, stdout=subprocess.PIPE, cwd=CHECKOUT, check=False)
    if told.returncode == -signal.SIGXCPU:
        raise AuditTimeout
    told.check_returncode()
    return msgspec.json.decode(told.stdout, type=Report)


def _yielding(items: Iterable[T]) -> Iterator[T]:
    """Yield the same items, giving other requests of this process a turn now and then."""
    since = time.perf_counter()
    for item in items:
        if time.perf_counter() - since > YIELD_SECONDS:
            time.sleep(0)
            since = time.perf_counter()
        yield item
