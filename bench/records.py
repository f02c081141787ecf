"""Section `records`: how fast records are folded and audited, and whether that depends on their length."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from bench.harness import page
from bench.harness.measure import RUNS, Measurement, interleaved
from bench.harness.random_games import opening, play_random_game
from events.records.audit import audit
from events.records.record import compress, write_record
from events.store import chain
from events.store.log_store import Entry
from games.kernel import Chance, Clock, Decision, Game, Rulebook, Transition, answer, concede, fold, pending_choices
from games.rulebooks import RULEBOOKS
from games.six_nimmt import SIX_NIMMT, facts, rules
from games.six_nimmt.table import SixNimmt

LENGTHS = (1_000, 10_000)
GAME = "0123456789abcdef"
GOAL_PER_SECOND = 100_000

PROSE = f"""
## Records

*Fold*: apply the facts of all decisions of a game, without running any rule; the decisions are already decoded.
*Decode and fold*: from the bytes. *Audit*: everything that `croupier verify` does, from the lines of a record: hashes,
commitments, every decision re-executed by the rules and compared to the byte, and folded. One whole game of each
rulebook, and 6 nimmt! with so many points that it lasts {LENGTHS[0]:,} and {LENGTHS[1]:,} decisions. Median of {RUNS}
runs, processor time; × is the multiple of the reference work, measured beside it.
"""


def measure() -> str:
    """Measure; return the section."""
    games = {rulebook.id: (rulebook, _whole_game(rulebook)) for rulebook in RULEBOOKS.values()}
    endless = endless_rulebook()
    games |= {f"6 nimmt!, {length:,} decisions": (endless, list(long_log(endless, length))) for length in LENGTHS}
    measured = {name: interleaved(cases(*game)) for name, game in games.items()}
    head = ("", "decisions", "folded/s", "×", "decoded and folded/s", "audited/s", "×", "bytes", "compress")
    rows = [_row(name, *games[name], figures) for name, figures in measured.items()]
    return "\n\n".join((PROSE.strip(), page.table(head, rows), _verdict(measured), page.repeat_with("records")))


def _row(
    name: str, rulebook: Rulebook[Any], decisions: list[Decision[Any]], figures: dict[str, Measurement]
) -> list[str]:
    lines = record_lines(rulebook, decisions)
    return [
        name,
        f"{len(decisions):,}",
        page.number(1e6 / figures["fold"].microseconds),
        page.number(figures["fold"].references),
        page.number(1e6 / figures["decode and fold"].microseconds),
        page.number(1e6 / figures["audit"].microseconds),
        page.number(figures["audit"].references),
        f"{sum(map(len, lines)):,}",
        f"{len(compress(lines)):,}",
    ]


def _verdict(measured: dict[str, dict[str, Measurement]]) -> str:
    short, long = (measured[f"6 nimmt!, {length:,} decisions"] for length in LENGTHS)
    ratios = (f"{case} ×{long[case].references / short[case].references:.2f}" for case in ("fold", "audit"))
    folded = 1e6 / measured[SIX_NIMMT.id]["fold"].microseconds
    return (
        f"Cost of a decision in the long record, relative to the short record: {', '.join(ratios)}. "
        f"6 nimmt! reaches {folded / GOAL_PER_SECOND:.2f} of the goal of {GOAL_PER_SECOND:,} folds/s."
    )


def cases(rulebook: Rulebook[Any], decisions: list[Decision[Any]]) -> dict[str, Any]:
    """Return the cases to measure for a game: each with its work, and the number of decisions it handles."""
    stored = [rulebook.encode(decision) for decision in decisions]
    lines = [line.removesuffix(b"\n") for line in record_lines(rulebook, decisions)]

    def fold_all() -> None:
        fold_decisions(rulebook, decisions)

    def decode_and_fold() -> None:
        fold_decisions(rulebook, map(rulebook.decode, stored))

    def audit_all() -> None:
        report = audit(lines, {rulebook.id: rulebook})
        assert report.valid, report.text()

    number = len(decisions)
    return {"fold": (fold_all, number), "decode and fold": (decode_and_fold, number), "audit": (audit_all, number)}


def fold_decisions(rulebook: Rulebook[Any], decisions: Any) -> Game[Any, Any]:
    """Return the game that decisions lead to."""
    game: Game[Any, Any] | None = None
    for decision in decisions:
        game = fold(rulebook, game, decision)
    assert game is not None
    return game


def record_lines(rulebook: Rulebook[Any], decisions: list[Decision[Any]]) -> list[bytes]:
    """Return the record of a game."""
    entries: list[Entry] = []
    head = chain.genesis_hash(GAME)
    for decision in decisions:
        stored = rulebook.encode(decision)
        head = chain.next_hash(head, stored)
        entries.append(Entry(decision.number, stored, head))
    return list(write_record(GAME, fold_decisions(rulebook, decisions), entries))


def _whole_game(rulebook: Rulebook[Any]) -> list[Decision[Any]]:
    """Play a game to its end; if it takes too long, all seats concede."""
    recorded = play_random_game(rulebook, "records", max_answers=2_000)
    return (
        recorded.decisions if recorded.is_over else [*recorded.decisions, *_concessions(rulebook, recorded.decisions)]
    )


def _concessions(rulebook: Rulebook[Any], decisions: list[Decision[Any]]) -> Iterator[Decision[Any]]:
    game = fold_decisions(rulebook, decisions)
    for seat in range(len(game.session.seats)):
        if game.session.status == "running":
            step = concede(rulebook, game, seat, 0)
            yield step.decision
            game = step.game


def endless_rulebook() -> Rulebook[Any]:
    """Return 6 nimmt! with so many points that no player ever loses them all."""

    def initial_state(options: Any, seats: int) -> facts.State:
        state = facts.initial_state(options, seats)
        return replace(state, players=tuple(replace(player, points=10**9) for player in state.players))

    return Rulebook(
        id="endless",
        edition=1,
        names={"en": "endless", "fr": "endless"},
        seats=SIX_NIMMT.seats,
        options=facts.Options,
        initial_state=initial_state,
        initial_effect=SIX_NIMMT.initial_effect,
        table=SixNimmt,
        state=facts.State,
        facts=facts.FACTS,
        evolve=facts.evolve,
        rules=(rules,),
        rule_names=SIX_NIMMT.folder / "rule_names.txt",
    )


def long_log(rulebook: Rulebook[Any], length: int) -> Iterator[Decision[Any]]:
    """Play a game of `length` decisions; in the last ones, all seats but one concede."""
    chance = Chance("records", 0)
    step: Transition | None = None
    for step in opening(rulebook, "records", Clock()):
        yield step.decision
    assert step is not None
    game = step.game
    while game.number < length - len(game.session.seats) + 1:
        pending = pending_choices(rulebook, game)[0]
        move, args = next(pending.choice.samples(chance))
        step = answer(rulebook, game, pending.seat, pending.id, move, args, 0)
        yield step.decision
        game = step.game
    for seat in range(len(game.session.seats) - 1):
        step = concede(rulebook, game, seat, 0)
        yield step.decision
        game = step.game
