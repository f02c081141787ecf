"""The games of a store, as one process knows them: load, decide, append, and decide again on a conflict.

This is where a command becomes a decision in the log. A process keeps the games it used most recently, folded, and
decides on the state it has; the append tells it if it has missed anything. So a command costs one round trip to the
store when the process is up to date, and two when it is not.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from events.batching import Batcher, Request
from events.games.downtime import DowntimeLog
from events.games.participants import NameDirectory, Person
from events.games.repository import GameRepository, LoadedGame
from events.games.snapshots import SNAPSHOT_EVERY
from events.lists.game_index import listing_fields
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
    answer,
    bots_to_move,
    compensate_downtime,
    create,
    fire_timers,
    next_alarm,
)
from games.kernel.session import SESSION_FACT_TYPES, Session

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 200
MAX_BATCH = 32
"""At most this many commands for one game are decided in one batch."""

BATCH_TIMEOUT_SECONDS = 1.0
"""A command that has waited this long is decided on its own: the append script detects the conflict, if any."""

ALARM_GRACE_MS = 2_000
"""Milliseconds after which an alarm that was due when it was appended rings again: normally the process that appended
it also fires it, but it may die first."""
CODES_OF_A_RETRY = {"stale-choice", "game-over", "version-mismatch", "played-by-bot"}
"""A command that was accepted is refused with one of these codes when it is sent again."""

CommandFunction = Callable[[Rulebook[Any], Game[Any, Any], int], Transition]
"""A command: returns the step that it leads to at a time in milliseconds since the epoch, or raises Illegal.

It must be self-contained, because another caller's thread may carry it out.
"""


class _Wanted(NamedTuple):
    command: CommandFunction
    person: Person | None


class _Prepared(NamedTuple):
    """A step on its way into the log, and the game after it."""

    after: LoadedGame
    appending: AppendRequest
    calls_projector: bool


Steps: TypeAlias = "list[tuple[Transition, Request[_Wanted, CommandResult] | None]]"
"""Steps, each of which follows from the one before, with the wish that each carries out (None for one of the clock)."""


class CommandResult(NamedTuple):
    """What a command led to: the game afterwards, and the decision. `repeated`: it had been decided before."""

    current: LoadedGame
    decision: Decision[Any]
    repeated: bool


def now_ms() -> int:
    """Return the time in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


class CommandHandler(GameRepository):
    """Reads and plays the games of a store. Shared by all threads or greenlets of a process.

    Args:
        store: where the logs are.
        rulebooks: by id, those that can be played.
        clock: gives the time in milliseconds since the epoch.
        outages: the known outages, for which clocks are given time back; None: clocks run on during outages.
        plays_bots: True if the caller will answer for bots itself; otherwise a worker is called to do it.
        call_projector: is given the id of a game whose lists are out of date, or that is due for a snapshot. May fail:
            a sweep finds the game, as it does every other game that has changed.

    Every method raises `StoreUnavailable` when the store cannot be reached, and `GameNotFound`.
    """

    def __init__(
        self,
        store: LogStore,
        rulebooks: Mapping[str, Rulebook[Any]],
        clock: Callable[[], int] = now_ms,
        call_projector: Callable[[str], object] = lambda game: None,
        plays_bots: bool = False,
        outages: DowntimeLog | None = None,
        batch_timeout: float = BATCH_TIMEOUT_SECONDS,
    ) -> None:
        super().__init__(store, rulebooks)
        self.clock = clock
        self._call_projector = call_projector
        self._plays_bots = plays_bots
        self._outages = outages
        self._people = NameDirectory(store, clock)
        self._batcher = Batcher(self._execute_batch, MAX_BATCH, batch_timeout, pause=partial(time.sleep, 0))

    def create(
        self, game: str, rulebook: str, seats: GameSetup, options: dict[str, Any], clock: Clock, seed: str
    ) -> CommandResult:
        """Create a game under a new id.

        Creating the same game again returns the first decision again.

        Raises:
            Illegal: `unknown-rulebook`, `bad-options`, or `key-reused` when the id is that of a different game.
        """
        rules = self.rulebooks.get(rulebook)
        if rules is None:
            raise Refusal("unknown-rulebook", "there is no rulebook {rulebook!r} here", rulebook=rulebook)
        step = create(rules, seats, options, clock, seed, self.clock())
        prepared = self._prepare(game, rules, None, step, None)
        appended = self.store.append_all(game, [prepared.appending])[0]
        if isinstance(appended, Conflict):
            return self._existing_creation(game, rules, step, appended)
        self._applied(game, prepared, appended)
        return CommandResult(prepared.after, step.decision, repeated=False)

    def people(self, game: str, lobby: Session) -> dict[str, Person]:
        """Return the people at a game, by reference, without those forgotten. Usually needs no round trip."""
        return self._people.at(game, [seating.person for seating in lobby.seats if seating.person is not None])

    def decide(self, game: str, command: CommandFunction, person: Person | None = None) -> CommandResult:
        """Carry out a command on the newest state of the game. Whatever is due by the clock is decided first.

        `person` is the one that the command mentions: kept beside the log, under the reference that the log holds.

        Raises:
            Illegal: when the command is refused; then nothing has changed, except for what the clock decided. Anything
                that the command raises is passed on only if it was raised on the newest state.
        """
        return self._batcher.submit(game, _Wanted(command, person))

    def _execute_batch(self, game: str, company: list[Request[_Wanted, CommandResult]]) -> None:
        """Decide callers' wishes, each on the result of the one before, and append them all in one round trip."""
        current = self._cache.get(game)
        is_newest = current is None
        current = current or self._load(game)
        for _ in range(MAX_ATTEMPTS):
            wishes = [wish for wish in company if not wish.is_done]
            if not wishes:
                return
            now = self.clock()
            rung = self._due(current, now)
            if rung is None:
                steps, refusal = self._decide_all(current, wishes, now)
            else:
                steps, refusal = [(rung, None)], None
            if refusal is None:
                current, _ = self._append(game, current, steps)
                is_newest = True
                continue
            newest = current if is_newest else self.read(game)
            if newest.game.number == current.game.number:
                wishes[0].set_error(refusal)
            current, is_newest = newest, True
        raise StoreUnavailable(f"game {game} changes faster than this command can be decided")

    def _decide_all(
        self, current: LoadedGame, wishes: list[Request[_Wanted, CommandResult]], now: int
    ) -> tuple[Steps, Exception | None]:
        """Decide wishes in order; stop at one that is refused, or before which the clock has to decide.

        A refusal is returned only if it is the first wish's: any other is decided again once the steps before it are in
        the log.
        """
        steps: Steps = []
        state = current.game
        for wish in wishes:
            if steps and self._due(LoadedGame(current.rulebook, state, ""), now):
                break
            try:
                step = wish.item.command(current.rulebook, state, now)
            except Exception as refusal:  # noqa: BLE001 - raised where the wish came from
                return steps, None if steps else refusal
            steps.append((step, wish))
            state = step.game
        return steps, None

    def answer(
        self,
        game: str,
        seat: int,
        choice: int,
        move: str,
        args: dict[str, Any],
        admit: Callable[[Game[Any, Any]], None] = lambda game: None,
    ) -> CommandResult:
        """Decide on a seat's answer. Sending the same answer again returns the first decision again.

        `admit` is called with the state of the game that it is decided on, and raises if the seat may not (or no
        longer) answer.

        Raises:
            Illegal: see `games.kernel.answer`.
        """

        def command(rules: Rulebook[Any], state: Game[Any, Any], now: int) -> Transition:
            admit(state)
            return answer(rules, state, seat, choice, move, args, now)

        try:
            return self.decide(game, command)
        except Refusal as refusal:
            if refusal.code not in CODES_OF_A_RETRY:
                raise
            first = self.decision_on(game, choice)
            if first is None or not first.is_answer(seat, move, args):
                raise
            return CommandResult(self.read(game), first, repeated=True)

    def fire(self, game: str) -> int:
        """Let the clock decide everything that is due; return how many decisions it made."""
        fired = 0
        current = self.read(game)
        alarm = next_alarm(current.game)
        if alarm is not None and alarm <= self.clock():
            ALARM_LATENESS.observe((self.clock() - alarm) / 1000)
        while (step := self._due(current, self.clock())) is not None:
            current, ours = self._append(game, current, [(step, None)])
            fired += ours
        return fired

    def _existing_creation(
        self, game: str, rulebook: Rulebook[Any], step: Transition, conflict: Conflict
    ) -> CommandResult:
        first = rulebook.decode(conflict.entries[0].decision)
        wanted, found = step.decision.facts[0], first.facts[0]
        if replace(wanted, seed=found.seed, commitment=found.commitment) != found:
            raise Refusal("key-reused", "this key was used to create a different game")
        return CommandResult(self.read(game), first, repeated=True)

    def _append(self, game: str, current: LoadedGame, steps: Steps) -> tuple[LoadedGame, int]:
        """Append steps, each of which follows from the one before, up to the first conflict, and grant their wishes.

        Returns the game as it is then, and how many of the steps are ours. A step counts as another process's if the
        log already held the very same bytes: both made the same decision on the same state in the same millisecond.
        """
        rulebook, prepared = current.rulebook, list[_Prepared]()
        for step, wish in steps:
            before = prepared[-1].after if prepared else current
            prepared.append(self._prepare(game, rulebook, before, step, None if wish is None else wish.item.person))
        ours = 0
        answers = self.store.append_all(game, [each.appending for each in prepared])
        for (step, wish), each, told in zip(steps, prepared, answers, strict=False):
            if isinstance(told, Conflict):
                CONFLICTS.inc()
                return self._reload_after_conflict(game, current, told), ours
            appended = self._applied(game, each, told)
            current = each.after
            if not appended.repeated:
                ours += 1
                if wish is not None:
                    wish.set_result(CommandResult(current, step.decision, repeated=False))
        return current, ours

    def _prepare(
        self, game: str, rulebook: Rulebook[Any], current: LoadedGame | None, step: Transition, person: Person | None
    ) -> _Prepared:
        encoded = rulebook.encode(step.decision)
        head = chain.next_hash(chain.genesis_hash(game) if current is None else current.hash, encoded)
        touches_lobby = any(type(fact) in SESSION_FACT_TYPES for fact in step.decision.facts)
        appending = AppendRequest(
            step.decision.number - 1,
            encoded,
            head,
            alarm=self._alarm(step.game),
            meta=listing_fields(step.game.session) if touches_lobby else {},
            person=None if person is None else (person.reference, msgspec.json.encode(person)),
            follows=None if current is None else current.hash,
        )
        has_grown = step.decision.number % SNAPSHOT_EVERY == 0
        return _Prepared(LoadedGame(rulebook, step.game, head), appending, touches_lobby or has_grown)

    def _applied(self, game: str, prepared: _Prepared, appended: AppendResult | Exception) -> AppendResult:
        """Keep the game as it is after an append; if the append failed, raise its error."""
        if isinstance(appended, Exception):
            raise appended
        self._remember(game, prepared.after)
        if prepared.calls_projector:
            try:
                self._call_projector(game)
            except Exception:
                log.warning("the projector could not be called for game %s", game, exc_info=True)
        return appended

    def _due(self, current: LoadedGame, now: int) -> Transition | None:
        """Return what must be decided before anything else: time to be given back, then what is due by the clock."""
        alarm = next_alarm(current.game)
        if alarm is None:
            return None
        if self._outages is not None and current.session.status == "running":
            owed = self._outages.downtime_since(current.game.at)
            if owed:
                return compensate_downtime(current.rulebook, current.game, owed, now)
        return fire_timers(current.rulebook, current.game, now) if alarm <= now else None

    def _alarm(self, game: Game[Any, Any]) -> int | None:
        """When a worker has to look at a game: when the clock must answer, or at once if a bot must."""
        now, alarm = self.clock(), next_alarm(game)
        if alarm is not None and alarm <= now:
            alarm = now + ALARM_GRACE_MS
        if bots_to_move(game):
            bots = now + ALARM_GRACE_MS if self._plays_bots else now
            alarm = bots if alarm is None else min(bots, alarm)
        return alarm
