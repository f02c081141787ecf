"""The games of a store, as one process knows them: load, decide, append, and decide again on a conflict.

This is where a command becomes a decision of the log. A process keeps the games it met last, folded, and decides on
what it has; the append tells it when it has missed something. So a command costs one round trip to the store when the
process is current, and two when it is not.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from events import chain
from events.lists import meta_of
from events.metrics import ALARM_LATENESS, CONFLICTS
from events.outages import Outages
from events.people import People, Person
from events.reaching import StoreAway
from events.snapshots import game_of, snapshot_of
from events.store import Conflict, Entry, Store
from events.turns import Turns
from games.kernel import (
    Clock,
    Decision,
    Game,
    Illegal,
    Rulebook,
    Seats,
    Step,
    answer,
    bots_to_move,
    create,
    credit_time,
    fold,
    next_alarm,
    ring,
)
from games.kernel.lobby import IN_THE_LOBBY, Lobby

log = logging.getLogger(__name__)

KEPT_GAMES = 2000
ATTEMPTS = 200
HELD = 2_000
"""Whoever appends goes on to fire what is due; if it cannot, the alarm rings again after so many milliseconds."""
BACKWARDS_PAGE = 100
MAY_BE_REPEATED = {"stale-choice", "game-over", "other-version"}
"""A command that was accepted and comes again is refused with one of these codes."""

Decide = Callable[[Rulebook[Any], Game[Any, Any], int], Step]
"""A command: gives the step that it leads to at a time in milliseconds since the epoch, or raises Illegal."""


class UnknownGame(Exception):
    """There is no game of this id."""


class Current(NamedTuple):
    """A game as it is now: its rulebook, the game, and the chain hash of its last decision."""

    rulebook: Rulebook[Any]
    game: Game[Any, Any]
    hash: str

    @property
    def lobby(self) -> Lobby:
        """The game's lobby."""
        return self.game.lobby


class Decided(NamedTuple):
    """What a command led to. `repeated`: it had been decided before, and this is that decision."""

    rulebook: Rulebook[Any]
    game: Game[Any, Any]
    decision: Decision[Any]
    repeated: bool


class Followed(NamedTuple):
    """What came after a state of a game that was known: the game then, and the decisions that led there."""

    current: Current
    decisions: list[Decision[Any]]


def now_in_milliseconds() -> int:
    """Give the time in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


class Games:
    """Reads and plays the games of a store. Shared by all threads or greenlets of a process.

    Args:
        store: where the logs are.
        rulebooks: by id, those that can be played.
        clock: gives the time in milliseconds since the epoch.
        outages: what is known of them, so that clocks get the time back; None: clocks run on meanwhile.
        plays_bots: whoever holds this goes on to answer for bots; otherwise a worker is called to do it.
        call_projector: is told the id of a game whose projections are out of date. May fail: a sweep finds the game.

    Every method raises `StoreAway` when the store cannot be reached, and `UnknownGame`.
    """

    def __init__(
        self,
        store: Store,
        rulebooks: Mapping[str, Rulebook[Any]],
        clock: Callable[[], int] = now_in_milliseconds,
        call_projector: Callable[[str], None] = lambda game: None,
        plays_bots: bool = False,
        outages: Outages | None = None,
    ) -> None:
        self.store = store
        self.rulebooks = rulebooks
        self.clock = clock
        self._call_projector = call_projector
        self._plays_bots = plays_bots
        self._outages = outages
        self._kept: OrderedDict[str, Current] = OrderedDict()
        self._people = People(store, clock)
        self._turns = Turns()

    def create(
        self, game: str, rulebook: str, seats: Seats, options: dict[str, Any], clock: Clock, seed: str
    ) -> Decided:
        """Create a game under a new id.

        The same game again gets the first decision again.

        Raises:
            Illegal: `unknown-rulebook`, `bad-options`, or `key-reused` when the id is that of a different game.
        """
        rules = self.rulebooks.get(rulebook)
        if rules is None:
            raise Illegal("unknown-rulebook", "there is no rulebook {rulebook!r} here", rulebook=rulebook)
        step = create(rules, seats, options, clock, seed, self.clock())
        try:
            current, _ = self._append(game, rules, None, step)
        except Conflict as conflict:
            return self._created_before(game, rules, step, conflict)
        return Decided(rules, current.game, step.decision, repeated=False)

    def read(self, game: str) -> Current:
        """Give a game as it is now, in one round trip."""
        kept = self._kept.get(game)
        if kept is None:
            return self._load(game)
        entries = self.store.tail(game, kept.game.number - 1)
        if not entries or entries[0].hash != kept.hash:
            return self._reload(game, kept)
        return self._catch_up(game, kept, entries[1:])

    def people(self, game: str, lobby: Lobby) -> dict[str, Person]:
        """Give who sits at a game, by reference; who was forgotten is missing. Mostly without a round trip."""
        return self._people.at(game, [seating.person for seating in lobby.seatings if seating.person is not None])

    def decide(self, game: str, command: Decide, person: Person | None = None) -> Decided:
        """Carry out a command on the newest state of the game. Whatever is due by the clock is decided first.

        `person` is whom the command speaks of: kept beside the log, under the reference that the log has.

        Raises:
            Illegal: when the command is refused; nothing has changed then, but for what the clock decided. Whatever
                the command raises is raised only if it does so on the newest state.
        """
        with self._turns.of(game):
            return self._decide(game, command, person)

    def _decide(self, game: str, command: Decide, person: Person | None) -> Decided:
        current = self._kept.get(game)
        is_newest = current is None
        current = current or self._load(game)
        for _ in range(ATTEMPTS):
            now = self.clock()
            rung = self._due(current, now)
            try:
                step = rung or command(current.rulebook, current.game, now)
            except Exception:
                newest = current if is_newest else self.read(game)
                if newest.game.number == current.game.number:
                    raise
                current, is_newest = newest, True
                continue
            try:
                current, is_ours = self._append(game, current.rulebook, current, step, None if rung else person)
            except Conflict as conflict:
                CONFLICTS.inc()
                current = self._after_conflict(game, current, conflict)
            else:
                if rung is None and is_ours:
                    return Decided(current.rulebook, current.game, step.decision, repeated=False)
            is_newest = True
        raise StoreAway(f"game {game} changes faster than this command can be decided")

    def answer(
        self,
        game: str,
        seat: int,
        choice: int,
        move: str,
        args: dict[str, Any],
        admit: Callable[[Game[Any, Any]], None] = lambda game: None,
    ) -> Decided:
        """Decide on a seat's answer. The same answer again gets the first decision again.

        `admit` is called with the game on which it is decided, and raises when the seat may not answer (any more).

        Raises:
            Illegal: see `games.kernel.answer`.
        """

        def command(rules: Rulebook[Any], state: Game[Any, Any], now: int) -> Step:
            admit(state)
            return answer(rules, state, seat, choice, move, args, now)

        try:
            return self.decide(game, command)
        except Illegal as refusal:
            if refusal.code not in MAY_BE_REPEATED:
                raise
            first = self._decision_on(game, choice)
            if first is None or not first.is_of(seat, move, args):
                raise
            current = self.read(game)
            return Decided(current.rulebook, current.game, first, repeated=True)

    def fire(self, game: str) -> int:
        """Let the clock answer everything that is due; give the number of its decisions."""
        fired = 0
        current = self.read(game)
        alarm = next_alarm(current.game)
        if alarm is not None and alarm <= self.clock():
            ALARM_LATENESS.observe((self.clock() - alarm) / 1000)
        while (step := self._due(current, self.clock())) is not None:
            try:
                current, is_ours = self._append(game, current.rulebook, current, step)
                fired += is_ours
            except Conflict as conflict:
                current = self._after_conflict(game, current, conflict)
        return fired

    def decisions(self, game: str, after: int, limit: int) -> list[Decision[Any]]:
        """Give at most `limit` decisions of a game's log after a number, oldest first, in one or two round trips."""
        current = self._kept.get(game) or self._load(game)
        return [current.rulebook.decode(entry.decision) for entry in self.store.tail(game, after, limit)]

    def follow(self, game: str, known: Current, limit: int) -> Followed | None:
        """Give at most `limit` decisions after those that are known, and the game after them, in one round trip.

        None when what is known is not in the log, or not any more.
        """
        entries = self.store.tail(game, known.game.number - 1, limit + 1)
        if not entries or entries[0].hash != known.hash:
            return None
        decisions = [known.rulebook.decode(entry.decision) for entry in entries[1:]]
        kept = self._kept.get(game)
        if kept is not None and kept.hash == entries[-1].hash:
            return Followed(kept, decisions)
        state = known.game
        for decision in decisions:
            state = fold(known.rulebook, state, decision)
        current = Current(known.rulebook, state, entries[-1].hash)
        self._keep(game, current)
        return Followed(current, decisions)

    def save_snapshot(self, game: str) -> Current:
        """Keep the game as it is now, so that a cold load starts there."""
        current = self.read(game)
        self.store.save_snapshot(game, snapshot_of(*current))
        return current

    def _created_before(self, game: str, rulebook: Rulebook[Any], step: Step, conflict: Conflict) -> Decided:
        first = rulebook.decode(conflict.entries[0].decision)
        wanted, found = step.decision.facts[0], first.facts[0]
        if replace(wanted, seed=found.seed, commitment=found.commitment) != found:
            raise Illegal("key-reused", "this key was used to create a different game")
        return Decided(rulebook, self.read(game).game, first, repeated=True)

    def _decision_on(self, game: str, choice: int) -> Decision[Any] | None:
        """Find the decision that answered a choice, from the end of the log to where the choice did not exist yet."""
        before: int | None = None
        rulebook = self.read(game).rulebook
        while entries := self.store.before(game, before, BACKWARDS_PAGE):
            for entry in entries:
                decision = rulebook.decode(entry.decision)
                if decision.choice == choice:
                    return decision
                if decision.last_choice < choice:
                    return None
            before = entries[-1].number
        return None

    def _append(
        self, game: str, rulebook: Rulebook[Any], current: Current | None, step: Step, person: Person | None = None
    ) -> tuple[Current, bool]:
        """Append a step; give the game as it is then, and whether the step is ours.

        It is another's when the log already had a decision with the very same bytes: two that decide the same on the
        same state within the same millisecond.
        """
        encoded = rulebook.encode(step.decision)
        head = chain.link(chain.first(game) if current is None else current.hash, encoded)
        touches_lobby = any(type(fact) in IN_THE_LOBBY for fact in step.decision.facts)
        appended = self.store.append(
            game,
            step.decision.number - 1,
            encoded,
            head,
            alarm=self._alarm(step.game),
            meta=meta_of(step.game.lobby) if touches_lobby else {},
            person=None if person is None else (person.reference, msgspec.json.encode(person)),
            follows=None if current is None else current.hash,
        )
        current = self._keep(game, Current(rulebook, step.game, head))
        if appended.project:
            try:
                self._call_projector(game)
            except Exception:
                log.warning("the projector could not be called for game %s", game, exc_info=True)
        return current, not appended.repeated

    def _due(self, current: Current, now: int) -> Step | None:
        """Give what has to be decided before anything else: time given back, then what is due by the clock."""
        alarm = next_alarm(current.game)
        if alarm is None:
            return None
        if self._outages is not None and current.lobby.status == "running":
            owed = self._outages.owed(current.game.at)
            if owed:
                return credit_time(current.rulebook, current.game, owed, now)
        return ring(current.rulebook, current.game, now) if alarm <= now else None

    def _alarm(self, game: Game[Any, Any]) -> int | None:
        """When a worker has to look at a game: when the clock has to answer, or at once when a bot has to."""
        now, alarm = self.clock(), next_alarm(game)
        if alarm is not None and alarm <= now:
            alarm = now + HELD
        if bots_to_move(game):
            bots = now + HELD if self._plays_bots else now
            alarm = bots if alarm is None else min(bots, alarm)
        return alarm

    def _after_conflict(self, game: str, current: Current, conflict: Conflict) -> Current:
        first = next(iter(conflict.entries), None)
        if first is None or first.hash != chain.link(current.hash, first.decision):
            return self._reload(game, current)
        current = self._catch_up(game, current, conflict.entries)
        if current.game.number < conflict.head:
            current = self._catch_up(game, current, self.store.tail(game, current.game.number))
        return current

    def _reload(self, game: str, current: Current) -> Current:
        """Forget what this process knows of a game: the store has lost decisions, or goes on from others."""
        log.error("game %s: decision %d is not in the log as this process knows it", game, current.game.number)
        self._kept.pop(game, None)
        return self._load(game)

    def _load(self, game: str) -> Current:
        snapshot, entries = self.store.load(game)
        if snapshot is not None:
            known = game_of(snapshot, self.rulebooks)
            if known is not None:
                return self._keep(game, self._folded(Current(*known, snapshot.hash), entries))
            entries = self.store.tail(game, 0)
        if not entries:
            raise UnknownGame(game)
        created = msgspec.json.decode(entries[0].decision)["facts"][0]
        rulebook = self.rulebooks[created["rulebook"]]
        current = Current(rulebook, fold(rulebook, None, rulebook.decode(entries[0].decision)), entries[0].hash)
        return self._keep(game, self._folded(current, entries[1:]))

    def _catch_up(self, game: str, current: Current, entries: list[Entry] | tuple[Entry, ...]) -> Current:
        return self._keep(game, self._folded(current, entries)) if entries else current

    def _folded(self, current: Current, entries: list[Entry] | tuple[Entry, ...]) -> Current:
        rulebook, state, head = current
        for entry in entries:
            state = fold(rulebook, state, rulebook.decode(entry.decision))
            head = entry.hash
        return Current(rulebook, state, head)

    def _keep(self, game: str, current: Current) -> Current:
        kept = self._kept.get(game)
        if kept is not None and kept.game.number > current.game.number:
            return kept  # another greenlet has read further meanwhile
        self._kept[game] = current
        self._kept.move_to_end(game)
        while len(self._kept) > KEPT_GAMES:
            self._kept.popitem(last=False)
        return current
