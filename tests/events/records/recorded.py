"""Records of whole games, made of the golden games, for every test that needs one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from events.records.record import Sign, write_record
from events.store import chain
from events.store.log_store import Entry
from games.kernel import Game, Rulebook
from games.rulebooks import RULEBOOKS
from tests.golden.games import folded, lines, records

NOBODY: Sign = lambda footer: None  # noqa: E731 - a name for the default


class Kept(NamedTuple):
    """A game that was played: its id, its log, and how it ended."""

    game: str
    rulebook: Rulebook[Any]
    state: Game[Any, Any]
    entries: list[Entry]

    def record(self, sign: Sign = NOBODY) -> list[bytes]:
        """Return the lines of its record."""
        return list(write_record(self.game, self.state, self.entries, sign))


@cache
def golden() -> tuple[Kept, ...]:
    """Return every golden game of the edition of the rules that is here, the shortest first."""
    return _shortest_first(game for game in _all() if _is_of_this_edition(game))


def _all() -> Iterator[Kept]:
    return (_kept(RULEBOOKS[rulebook], path) for rulebook, path in records())


def _is_of_this_edition(game: Kept) -> bool:
    return game.state.session.created.edition == game.rulebook.edition


def _shortest_first(games: Iterable[Kept]) -> tuple[Kept, ...]:
    return tuple(sorted(games, key=lambda kept: sum(len(entry.decision) for entry in kept.entries)))


def _kept(rulebook: Rulebook[Any], path: Path) -> Kept:
    *decisions, _ = lines(path)
    name = sha256("/".join(path.parts[-3:]).encode()).hexdigest()[:16]
    return kept(name, rulebook, decisions)


def kept(game: str, rulebook: Rulebook[Any], decisions: Sequence[bytes]) -> Kept:
    """Return a game of whose decisions these are the bytes."""
    entries: list[Entry] = []
    head = chain.genesis_hash(game)
    for number, decision in enumerate(decisions, 1):
        head = chain.next_hash(head, decision)
        entries.append(Entry(number, decision, head))
    return Kept(game, rulebook, folded(rulebook, [rulebook.decode(entry.decision) for entry in entries]), entries)
