"""The audit of a record: is it what was played, by the rules, with shuffles that nobody chose?

A record is read line by line and never executed: what it claims is compared with what it must be. If it was played
under the edition of the rules installed here, every decision is made again, so every shuffle is redrawn from the opened
seed. Under any other edition, only what all editions have in common is checked: seats, seeds and result.

Whatever the lines hold, auditing one takes no longer than carrying out a player's command. So facts are folded only
when the rules themselves produced them, or when they are the kernel's own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from events.records.record import (
    Footer,
    Header,
    InvalidRecord,
    Line,
    build_footer,
    build_header,
    parse_footer,
    parse_header,
    parse_lines,
)
from events.records.signatures import is_valid
from games.kernel import Decision, Fact, Game, Refusal, Rulebook, combined_seed, fold, seed_commitment
from games.kernel.execution.reexecute import ImpossibleDecision, reexecute
from games.kernel.sessions.clock import MAX_FACTOR, MAX_INCREMENT, MAX_SECONDS, Clock
from games.kernel.sessions.session import (
    SESSION_FACT_TYPES,
    Created,
    SeedRevealed,
    Session,
    Started,
    apply_facts,
    new_session,
)

CheckName = Literal["form", "chain", "commitments", "answers", "draws", "result", "seal"]
CHECKS: tuple[CheckName, ...] = ("form", "chain", "commitments", "answers", "draws", "result", "seal")
MAX_TIMESTAMP = 253_402_300_799_999
"""The last millisecond of the year 9999: later times cannot be written with a four-digit year."""

MAX_DECISION_BYTES = 64 * 1024
MAX_FACTS = 500
"""The most bytes and facts that a decision may have. In 1200 games across all rulebooks, played by bots and at random
with the maximum number of seats, the longest decision had 6 KB, and the most facts in any one were 57; no server writes
one ten times that size."""


class Check(msgspec.Struct, frozen=True):
    help = (
        """One thing that an audit looks at, and what came of it; `note` says why it was not made, or what it covers."""
    )

    name: CheckName
    outcome: Literal["passed", "failed", "not made"]
    note: str = ""


class Failure(msgspec.Struct, frozen=True):
    help = """Where a record fails first, and why. `line` counts from 1; `decision` is None for header and footer."""

    check: str
    line: int
    decision: int | None
    reason: str


class Report(msgspec.Struct, frozen=True):
    """What an audit found. `decisions` is how many were examined; `head` and `key` may be None."""

    valid: bool
    game: str | None
    rulebook: str | None
    edition: int | None
    decisions: int
    head: str | None
    key: str | None
    checks: tuple[Check, ...]
    failure: Failure | None

    def text(self) -> str:
        """Return the report as a few lines for people to read."""
        what = f"game {self.game} of {self.rulebook}, edition {self.edition}, {self.decisions} decisions"
        lines = [f"{'VALID' if self.valid else 'NOT VALID'}: {what if self.game else 'not a record'}"]
        if self.failure is not None:
            where = f"line {self.failure.line}"
            if self.failure.decision is not None:
                where += f", decision {self.failure.decision}"
            lines.append(f"fails at {where}: {self.failure.reason}")
        checks = (f"{each.name}: {each.outcome}" + (f" ({each.note})" if each.note else "") for each in self.checks)
        return "\n  ".join([*lines, *checks])


def audit(
    lines: Iterable[bytes], rulebooks: Mapping[str, Rulebook[Any]], keys: Collection[str] | None = None
) -> Report:
    """Audit a record. `lines` come without their line feeds; if `keys` are given, one of them must have made the seal.

    Never raises, whatever the lines hold.
    """
    auditor = _Auditor(rulebooks, keys)
    try:
        for line in parse_lines(lines):
            auditor.feed(line)
    except InvalidRecord as fault:
        return auditor.report(Failure(fault.check, fault.line, fault.decision, fault.reason))
    return auditor.report(None)


class _Auditor:
    """An audit in progress: the state after the lines read so far."""

    def __init__(self, rulebooks: Mapping[str, Rulebook[Any]], keys: Collection[str] | None) -> None:
        self._rulebooks = rulebooks
        self._keys = keys
        self._rulebook: Rulebook[Any] | None = None
        self._game: Game[Any, Any] | None = None
        self._header: Header | None = None
        self._head: str | None = None
        self._key: str | None = None
        self._number = 0
        self._is_of_today = False

    def feed(self, line: Line) -> None:
        """Check the next line, whose form and hash are known to be right. Raises `InvalidRecord`."""
        match line.kind:
            case "header":
                self._begin(parse_header(line.content))
            case "decision":
                self._number += 1
                self._decide(line.content)
                self._head = line.hash
            case "footer":
                self._end(line)

    def report(self, failure: Failure | None) -> Report:
        """Return the report, with the first failure if there is one."""
        header = self._header
        return Report(
            valid=failure is None,
            game=None if header is None else header.game,
            rulebook=None if header is None else header.rulebook,
            edition=None if header is None else header.edition,
            decisions=self._number,
            head=self._head,
            key=self._key,
            checks=tuple(self._checks(failure)),
            failure=failure,
        )

    def _checks(self, failure: Failure | None) -> Iterator[Check]:
        for name in CHECKS:
            if failure is not None:
                failed = failure.check == name
                yield Check(name, "failed" if failed else "not made", "" if failed else "the record fails before")
            elif name in ("answers", "draws") and not self._is_of_today:
                yield Check(name, "not made", "the rules of this edition are not at hand")
            elif name == "seal" and self._key is None:
                yield Check(name, "not made", "the record is not signed")
            elif name == "seal" and self._keys is None:
                yield Check(name, "passed", f"by the key {self._key}: see whose it is")
            else:
                yield Check(name, "passed")

    def _begin(self, header: Header) -> None:
        self._header = header
        self._rulebook = self._rulebooks.get(header.rulebook)
        if self._rulebook is None:
            raise InvalidRecord(1, f"there is no rulebook {header.rulebook[:60]!r} here", "result")
        self._is_of_today = header.edition == self._rulebook.edition

    def _decide(self, content: bytes) -> None:
        rulebook, before = self._rulebook, self._game
        assert rulebook is not None
        if len(content) > MAX_DECISION_BYTES:
            raise self._failure("form", f"it is longer than {MAX_DECISION_BYTES} bytes")
        try:
            decision = rulebook.decode(content)
        except (msgspec.DecodeError, RecursionError, ValueError) as error:
            raise self._failure("form", f"it cannot be read: {error}") from None
        self._check_bounds(rulebook, decision)
        self._check_commitments(decision)
        try:
            if self._is_of_today:
                decided = self._reexecute(rulebook, decision, content)
                self._game = fold(rulebook, before, decision)
                differs = decided != self._game
            else:
                self._game = _is_before_start(before, decision)
                differs = False
        except InvalidRecord:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a forged fact breaks is a fault of the record
            raise self._failure("result", f"its facts cannot be folded: {type(error).__name__}: {error}") from None
        if differs:
            raise self._failure("result", "folding its facts does not give the game that it led to")

    def _reexecute(self, rulebook: Rulebook[Any], decision: Decision[Any], content: bytes) -> Game[Any, Any]:
        try:
            step = reexecute(rulebook, self._game, decision)
        except Refusal as refusal:
            raise self._failure("answers", f"the answer is refused: {refusal.text}") from None
        except ImpossibleDecision as reason:
            raise self._failure("answers", str(reason)) from None
        except Exception as error:  # noqa: BLE001 - see above
            raise self._failure("answers", f"it cannot be decided: {type(error).__name__}: {error}") from None
        again = rulebook.encode(step.decision)
        if again != content and again != rulebook.encode(decision):  # an older kernel may have left out a default
            raise self._other_outcome(rulebook, decision, step.decision)
        return step.game

    def _other_outcome(self, rulebook: Rulebook[Any], recorded: Decision[Any], made: Decision[Any]) -> InvalidRecord:
        place = next(
            (at for at, (one, other) in enumerate(zip(recorded.facts, made.facts, strict=False)) if one != other),
            min(len(recorded.facts), len(made.facts)),
        )
        is_of_facts = recorded.facts != made.facts
        if is_of_facts:
            fact, other = _name(recorded.facts, place), _name(made.facts, place)
            reason = f"its fact {place + 1} is {fact}, and the rules lead to {other}"
        else:
            reason = "its facts are right, but who decided, what waits, or the answer as it was understood is not"
        drawn = is_of_facts and self._draws(rulebook, recorded, made)
        return self._failure("draws" if drawn else "answers", reason)

    def _draws(self, rulebook: Rulebook[Any], recorded: Decision[Any], made: Decision[Any]) -> bool:
        """Do the facts of a decision depend on the seed?"""
        if self._game is None or any(isinstance(fact, Started) for fact in made.facts):
            return self._game is not None
        other = replace(self._game, session=replace(self._game.session, seed="another"))
        try:
            return reexecute(rulebook, other, recorded).decision.facts != made.facts
        except Exception:  # noqa: BLE001 - under another seed, anything may be refused
            return False

    def _check_bounds(self, rulebook: Rulebook[Any], decision: Decision[Any]) -> None:
        """Refuse what no server ever writes, before acting on any of it."""
        if decision.number != self._number:
            raise self._failure("form", f"it says of itself that it is number {decision.number}")
        if not 0 <= decision.at <= MAX_TIMESTAMP:
            raise self._failure("form", "its time is not one that can be")
        if len(decision.facts) > MAX_FACTS:
            raise self._failure("form", f"it has more than {MAX_FACTS} facts")
        if (self._game is None) != any(isinstance(fact, Created) for fact in decision.facts):
            raise self._failure("form", "a game is created by its first decision, and by no other")
        if self._game is None:
            created = decision.facts[0]
            if not isinstance(created, Created) or len(decision.facts) > 1:
                raise self._failure("form", "the first decision holds something else than that the game was created")
            if created.seats not in rulebook.seats:
                raise self._failure("form", f"{rulebook.id} is not for so many seats")
            if created.rulebook != rulebook.id or self._header is None or created.edition != self._header.edition:
                raise self._failure("form", "the header names another rulebook or edition")
            if not _is_possible(created.clock):
                raise self._failure("form", "its clock is not one that can be set")
        elif not all(_has_its_seat(fact, self._game.session) for fact in decision.facts):
            raise self._failure("form", "it tells of a seat that is not there")

    def _check_commitments(self, decision: Decision[Any]) -> None:
        """Check that every opened seed has the sha256 committed to, and that the game's seed is made of them."""
        parts = {} if self._game is None else {each.seat: each.part for each in self._game.session.seats}
        for fact in decision.facts:
            if isinstance(fact, Created) and seed_commitment(fact.seed) != fact.commitment:
                raise self._failure("commitments", "the server's seed is not the one that it committed to")
            if isinstance(fact, SeedRevealed):
                if not self._is_committed(fact):
                    raise self._failure("commitments", f"seat {fact.seat} opens what it did not commit to")
                parts[fact.seat] = fact.part
            if isinstance(fact, Started) and self._game is not None:
                server = self._game.session.created.seed
                if fact.seed != combined_seed(server, tuple(parts[seat] for seat in sorted(parts))):
                    raise self._failure(
                        "commitments", "the seed of the game is not made of the server's and the seats'"
                    )

    def _is_committed(self, opened: SeedRevealed) -> bool:
        seats = () if self._game is None else self._game.session.seats
        if not 0 <= opened.seat < len(seats):
            return False
        return seed_commitment(opened.part) == seats[opened.seat].commitment

    def _end(self, line: Line) -> None:
        at = self._number + 2
        footer: Footer = parse_footer(line.content, at)
        game, header = self._game, self._header
        if game is None or header is None or not game.session.is_over:
            raise InvalidRecord(at, "the game is not over with the last decision", "result")
        if header != build_header(header.game, game.session):
            raise InvalidRecord(1, "the header does not say what the decisions say", "result")
        if footer != build_footer(game, self._head or ""):
            raise InvalidRecord(at, "the footer does not say what the decisions say", "result")
        if line.seal is not None:
            self._key = line.seal.key
            if not is_valid(line.seal, line.hash):
                raise InvalidRecord(at, "the signature is not of this record and this key", "seal")
        if self._keys is not None and self._key not in self._keys:
            raise InvalidRecord(at, "the record is not signed by one of the given keys", "seal")

    def _failure(self, check: str, reason: str) -> InvalidRecord:
        return InvalidRecord(self._number + 1, reason, check, self._number)


def _is_before_start(game: Game[Any, Any] | None, decision: Decision[Any]) -> Game[Any, Any]:
    """Return the game after a decision, but without its table: laying that would take the rules of its own edition."""
    facts = decision.facts
    if game is None:
        session, facts = new_session(facts[0], decision.at), facts[1:]
    else:
        session = game.session
    session = apply_facts(session, facts, decision.at)
    return Game(session, None, (), decision.number, decision.last_choice, decision.at)


def _has_its_seat(fact: Fact, session: Session) -> bool:
    return type(fact) not in SESSION_FACT_TYPES or 0 <= getattr(fact, "seat", 0) < len(session.seats)


def _is_possible(clock: Clock) -> bool:
    limits = (
        (0.0 if clock.seconds_per_choice is None else clock.seconds_per_choice, MAX_SECONDS),
        (clock.bank, MAX_SECONDS),
        (clock.increment, MAX_INCREMENT),
        (clock.factor, MAX_FACTOR),
    )
    return all(0 <= value <= maximum for value, maximum in limits)


def _name(facts: tuple[Fact, ...], place: int) -> str:
    if place >= len(facts):
        return "none"
    text = msgspec.json.encode(facts[place]).decode()
    return text if len(text) <= 120 else f"{text[:120]}…"
