"""Where the golden games are kept, and how they are played, written and read."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from games.kernel import Decision, Game, Rulebook, Transition, fold
from games.kernel.sessions.session import Result
from tests.rulebooks import DESCRIBED
from tests.rulebooks.kit import GoldenGame, RulebookKit
from tests.rulebooks.play import opening, play_by_bots

HERE = Path(__file__).parent
TRANSCRIPTS = HERE / "transcripts"
RECORDS = HERE / "records"


class Recorded(NamedTuple):
    """A golden game and where it is kept."""

    description: RulebookKit
    golden: GoldenGame

    @property
    def name(self) -> str:
        """The name of its files: variant and number of seats."""
        return f"{self.golden.variant.replace(', ', '-').replace(' ', '-')}-{self.golden.seats}"

    @property
    def transcript(self) -> Path:
        """The file of its transcript."""
        return TRANSCRIPTS / self.description.rulebook.id / f"{self.name}.txt"

    @property
    def record(self) -> Path:
        """The file of its record: of each edition of the rules there is one."""
        rulebook = self.description.rulebook
        return RECORDS / rulebook.id / f"edition-{rulebook.edition}" / f"{self.name}.ndjson.gz"

    def played(self) -> list[Transition]:
        """Play it under the rules as they are."""
        rulebook, golden = self.description.rulebook, self.golden
        options = self.description.variants[golden.variant]
        steps = opening(rulebook, golden.seats, options, golden.seed, golden.clock)
        return [*steps, *play_by_bots(rulebook, steps[-1].game, golden.seed, golden.bots)]


def all_games() -> list[Recorded]:
    """Return every golden game of every rulebook."""
    return [Recorded(description, golden) for description in DESCRIBED.values() for golden in description.golden]


class Ended(NamedTuple):
    """How a game ended: its table, and its result."""

    table: Any
    result: Result | None


def record_lines(rulebook: Rulebook[Any], steps: Sequence[Transition]) -> list[bytes]:
    """Return the lines of a record: a decision each as the log keeps it, and last how the game ended."""
    ended = msgspec.json.encode(ending(steps[-1].game)._asdict())
    return [*(rulebook.encode(step.decision) for step in steps), ended]


def ending(game: Game[Any, Any]) -> Ended:
    """Return how a game ended."""
    return Ended(game.state, game.session.result)


def folded(rulebook: Rulebook[Any], decisions: Sequence[Decision[Any]]) -> Game[Any, Any]:
    """Return the game that decisions lead to; no rule runs."""
    game: Game[Any, Any] | None = None
    for decision in decisions:
        game = fold(rulebook, game, decision)
    assert game is not None
    return game


def lines(record: Path) -> list[bytes]:
    """Return the lines of a record."""
    return gzip.decompress(record.read_bytes()).splitlines()


def write_record(record: Path, content: Sequence[bytes]) -> None:
    """Write a record, compressed; `zcat` shows it."""
    record.parent.mkdir(parents=True, exist_ok=True)
    record.write_bytes(gzip.compress(b"\n".join([*content, b""]), mtime=0))


def read_record(rulebook: Rulebook[Any], record: Path) -> tuple[list[Decision[Any]], Ended]:
    """Return the decisions of a record, and how the game ended when the record was made.

    The ending is read, not compared as text: a state may gain a field whose default says what was so before.
    """
    *decisions, last = lines(record)
    ended = msgspec.json.decode(last, type=dict[str, msgspec.Raw])
    table = msgspec.json.decode(ended["table"], type=rulebook.state)
    return [rulebook.decode(line) for line in decisions], Ended(
        table, msgspec.json.decode(ended["result"], type=Result)
    )


def records() -> Iterator[tuple[str, Path]]:
    """Return every record that was ever made, with the id of its rulebook."""
    for path in sorted(RECORDS.glob("*/*/*.ndjson.gz")):
        yield path.parent.parent.name, path
