"""Where a command becomes a decision in the log: load, decide, append, and decide again on a conflict.

A process caches the games that it used most recently, folded, and decides on the state it has; the append tells it if
it has missed anything. So a command costs one round trip to the store when the process is up to date, and two when it
is not.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from events.batching import Batcher, Request
from events.games.commands import Command
from events.games.downtime import DowntimeLog
from events.games.meta import listing_fields
from events.games.participants import NameDirectory, Person
from events.games.repository import MAX_CACHED_GAMES, GameRepository, LoadedGame
from events.games.snapshots import SNAPSHOT_EVERY
from events.metrics import ALARM_LATENESS, CONFLICTS
from events.store import chain
from events.store.errors import StoreUnavailable
from events.store.log_store import AppendRequest, AppendResult, Conflict, LogStore
from games.kernel import (
    Clock,
    Decision,
    Game,
    GameSetup,
    Refusal,
    Rulebook,
    Transition,
    bots_to_move,
    compensate_downtime,
    create,
    fire_timers,
    next_alarm,
)
from games.kernel.sessions.session import SESSION_FACT_TYPES, Session

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 200
MAX_BATCH = 32
"""At most this many commands for one game are decided in one batch."""

BATCH_TIMEOUT_SECONDS = 1.0
"""A command that has waited this long is decided on its own: the append script detects the conflict, if any."""

ALARM_GRACE_MS = 2_000
"""Grace period. The process that appends an alarm that is already due also fires it; a worker retries after this many
milliseconds, in case that process has died."""


class CommandResult(NamedTuple):
    """What a command led to: the game afterwards, and the decision. `repeated`: it had been decided before."""

    current: LoadedGame
    decision: Decision[Any]
    repeated: bool


CommandRequest: TypeAlias = Request[Command, CommandResult]


class _Step(NamedTuple):
    """A transition ready to be appended, the game after it, and whose command it carries out (None: the clock's)."""

    transition: Transition
    after: LoadedGame
    append: AppendRequest
    calls_projector: bool
    request: CommandRequest | None


def now_ms() -> int:
    """Return the time in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


class CommandHandler(GameRepository):
    """Reads and plays the games of a store. Shared by all threads or greenlets of a process.

    Args:
        store: where the logs are.
        rulebooks: by id, those that can be played.
        clock: gives the time in milliseconds since the epoch.
        downtime_log: the known downtimes, for which clocks are given time back; None: clocks run on meanwhile.
        plays_bots: True if the caller will answer for bots itself; otherwise a worker is called to do it.
        call_projector: is given the id of a game whose lists are out of date, or that is due for a snapshot. May fail:
            a sweep finds the game, as it does every other game that has changed.
        max_cached_games: see `GameRepository`.
        batch_timeout: the seconds after which a command that waits for its batch is decided on its own.

    Every method raises `StoreUnavailable` when the store cannot be reached, and `GameNotFound`.
    """

    def __init__(
        self,
        store: LogStore,
        rulebooks: Mapping[str, Rulebook[Any]],
        clock: Callable[[], int] = now_ms,
        call_projector: Callable[[str], object] = lambda game: None,
        plays_bots: bool = False,
        downtime_log: DowntimeLog | None = None,
        max_cached_games: int = MAX_CACHED_GAMES,
        batch_timeout: float = BATCH_TIMEOUT_SECONDS,
    ) -> None:
        super().__init__(store, rulebooks, max_cached_games)
        self.clock = clock
        self._call_projector = call_projector
        self._plays_bots = plays_bots
        self._downtime_log = downtime_log
        self._names = NameDirectory(store, clock)
        self._batcher = Batcher(self._execute_batch, MAX_BATCH, batch_timeout, pause=partial(time.sleep, 0))

    def create(
        self, game: str, rulebook: str, seats: GameSetup, options: dict[str, Any], clock: Clock, seed: str
    ) -> CommandResult:
        """Create a game under a new id.

        Creating the same game again returns the first decision again.

        Raises:
            Refusal: `unknown-rulebook`, `bad-options`, or `key-reused` when the id is that of a different game.
        """
        rules = self.rulebooks.get(rulebook)
        if rules is None:
            raise Refusal("unknown-rulebook", "there is no rulebook {rulebook!r} here", rulebook=rulebook)
        now = self.clock()
        transition = create(rules, seats, options, clock, seed, now)
        step = self._prepare(game, rules, None, transition, None)
        appended = self.store.append_all(game, [step.append], now)[0]
        if isinstance(appended, Conflict):
            return self._existing_creation(game, rules, transition, appended)
        self._applied(game, step, appended)
        return CommandResult(step.after, transition.decision, repeated=False)

    def people(self, game: str, session: Session) -> dict[str, Person]:
        """Return the people at a game, by reference, without those forgotten. Usually needs no round trip."""
        return self._names.at(game, [seat_info.person for seat_info in session.seats if seat_info.person is not None])

    def handle(self, game: str, command: Command) -> CommandResult:
        """Carry out a command on the newest state of the game. Whatever is due by the clock is decided first.

        A command that is sent again may get its first decision again: see `Command.earlier_decision`.

        Raises:
            Refusal: when the command is refused; then nothing has changed, except for what the clock decided. Anything
                that the command raises is passed on only if it was raised on the newest state.
        """
        try:
            return self._batcher.submit(game, command)
        except Refusal as refusal:
            earlier = command.earlier_decision(self, game, refusal)
            if earlier is None:
                raise
            return CommandResult(self.read(game), earlier, repeated=True)

    def fire(self, game: str) -> int:
        """Let the clock decide everything that is due; return how many decisions it made."""
        fired = 0
        current = self.read(game)
        alarm = next_alarm(current.game)
        if alarm is not None and alarm <= self.clock():
            ALARM_LATENESS.observe((self.clock() - alarm) / 1000)
        while (transition := self._due(current, self.clock())) is not None:
            step = self._prepare(game, current.rulebook, current, transition, None)
            current, own = self._append(game, current, [step])
            fired += own
        return fired

    def _execute_batch(self, game: str, batch: list[CommandRequest]) -> None:
        """Decide commands, each on the result of the one before, and append the decisions in one round trip."""
        current = self._cache.get(game)
        is_newest = current is None
        current = current or self._load(game)
        for _ in range(MAX_ATTEMPTS):
            pending = [request for request in batch if not request.is_done]
            if not pending:
                return
            now = self.clock()
            timers, refusal = self._due(current, now), None
            if timers is None:
                steps, refusal = self._decide_all(game, current, pending, now)
            else:
                steps = [self._prepare(game, current.rulebook, current, timers, None)]
            if refusal is None:
                current, _ = self._append(game, current, steps)
                is_newest = True
                continue
            newest = current if is_newest else self.read(game)
            if newest.game.number == current.game.number:
                pending[0].set_error(refusal)
            current, is_newest = newest, True
        raise StoreUnavailable(f"game {game} changes faster than this command can be decided")

    def _decide_all(
        self, game: str, current: LoadedGame, pending: list[CommandRequest], now: int
    ) -> tuple[list[_Step], Exception | None]:
        """Decide commands in order; stop at one that is refused, or before which the clock has to decide.

        A refusal is returned only if it is that of the first command: any other command is decided again once the steps
        before it are in the log.
        """
        steps: list[_Step] = []
        for request in pending:
            if steps and self._due(current, now):
                break
            command = request.item
            try:
                if command.caller is not None:
                    command.caller.authorize(current.game)
                transition = command.decide(current, now)
            except Exception as refusal:  # noqa: BLE001 - raised where the command came from
                return steps, None if steps else refusal
            steps.append(self._prepare(game, current.rulebook, current, transition, request))
            current = steps[-1].after
        return steps, None

    def _existing_creation(
        self, game: str, rulebook: Rulebook[Any], transition: Transition, conflict: Conflict
    ) -> CommandResult:
        first = rulebook.decode(conflict.entries[0].decision)
        created, existing = transition.decision.facts[0], first.facts[0]
        if replace(created, seed=existing.seed, commitment=existing.commitment) != existing:
            raise Refusal("key-reused", "this key was used to create a different game")
        return CommandResult(self.read(game), first, repeated=True)

    def _append(self, game: str, current: LoadedGame, steps: Sequence[_Step]) -> tuple[LoadedGame, int]:
        """Append steps, each of which follows from the one before, up to the first conflict; complete their requests.

        Returns the game afterwards, and how many of the steps are this process's own. A step counts as another
        process's if the log already held the very same bytes: both made the same decision on the same state in the same
        millisecond.
        """
        own = 0
        results = self.store.append_all(game, [step.append for step in steps], self.clock())
        for step, result in zip(steps, results, strict=False):
            if isinstance(result, Conflict):
                CONFLICTS.inc()
                return self._reload_after_conflict(game, current, result), own
            appended = self._applied(game, step, result)
            current = step.after
            if not appended.repeated:
                own += 1
                if step.request is not None:
                    step.request.set_result(CommandResult(current, step.transition.decision, repeated=False))
        return current, own

    def _prepare(
        self,
        game: str,
        rulebook: Rulebook[Any],
        current: LoadedGame | None,
        transition: Transition,
        request: CommandRequest | None,
    ) -> _Step:
        decision = transition.decision
        encoded = rulebook.encode(decision)
        head = chain.next_hash(chain.genesis_hash(game) if current is None else current.hash, encoded)
        changes_session = any(type(fact) in SESSION_FACT_TYPES for fact in decision.facts)
        person = None if request is None else request.item.new_person
        append = AppendRequest(
            decision.number - 1,
            encoded,
            head,
            alarm=self._alarm(transition.game),
            meta=listing_fields(transition.game.session) if changes_session else {},
            person=None if person is None else (person.reference, msgspec.json.encode(person)),
            follows=None if current is None else current.hash,
        )
        needs_snapshot = decision.number % SNAPSHOT_EVERY == 0
        after = LoadedGame(rulebook, transition.game, head)
        return _Step(transition, after, append, changes_session or needs_snapshot, request)

    def _applied(self, game: str, step: _Step, result: AppendResult | Exception) -> AppendResult:
        """Cache the game as it is after an append; if the append failed, raise its error."""
        if isinstance(result, Exception):
            raise result
        self._remember(game, step.after)
        if step.calls_projector:
            try:
                self._call_projector(game)
            except Exception:
                log.warning("the projector could not be called for game %s", game, exc_info=True)
        return result

    def _due(self, current: LoadedGame, now: int) -> Transition | None:
        """Return what must be decided before anything else: time to be given back, then what is due by the clock."""
        alarm = next_alarm(current.game)
        if alarm is None:
            return None
        if self._downtime_log is not None and current.session.status == "running":
            downtime = self._downtime_log.downtime_since(current.game.at)
            if downtime:
                return compensate_downtime(current.rulebook, current.game, downtime, now)
        return fire_timers(current.rulebook, current.game, now) if alarm <= now else None

    def _alarm(self, game: Game[Any, Any]) -> int | None:
        """Return when a worker has to look at a game: when a timer is due, or at once if a bot must move."""
        now, alarm = self.clock(), next_alarm(game)
        if alarm is not None and alarm <= now:
            alarm = now + ALARM_GRACE_MS
        if bots_to_move(game):
            bots = now + ALARM_GRACE_MS if self._plays_bots else now
            alarm = bots if alarm is None else min(bots, alarm)
        return alarm
