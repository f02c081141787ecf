"""`croupier replay`: step through a game in the terminal, forward and back, through anybody's eyes."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from events.records.record import InvalidRecord, Record, read_record
from games.kernel import Decision, Fact, Game, Rulebook, fold, state_view
from games.rulebooks import RULEBOOKS
from service.cli.files import lines_of
from service.cli.text import brief, fact_line, table_lines
from service.schemas.times import rfc3339

Perspective = int | Literal["all"] | None
"""Through whose eyes to look: a seat's; "all" for everything open; None for a spectator's."""

HELP = """Enter: next    b: back    12: to decision 12    +5, -5: so many on or back    e: to the end
s1: as seat 1 sees it    s: as a spectator    a: everything open    c 12: what card 12 is    h: this help    q: leave"""


class Replay:
    """A record, with every moment of its game at hand."""

    def __init__(self, record: Record, rulebook: Rulebook[Any]) -> None:
        self.record = record
        self.rulebook = rulebook
        self.at = 1
        self.eyes: Perspective = "all"

    @cached_property
    def states(self) -> list[tuple[Decision[Any], Game[Any, Any]]]:
        """Each decision, with the game after it."""
        moments: list[tuple[Decision[Any], Game[Any, Any]]] = []
        game: Game[Any, Any] | None = None
        for entry in self.record.entries:
            decision = self.rulebook.decode(entry.decision)
            game = fold(self.rulebook, game, decision)
            moments.append((decision, game))
        return moments

    def execute(self, command: str) -> str | None:
        """Carry out a typed command; return the text to show instead of the moment, if any."""
        match command.strip().lower():
            case "" | "n" | "f":
                return self._go(self.at + 1)
            case "b":
                return self._go(self.at - 1)
            case "e":
                return self._go(len(self.states))
            case "a":
                self.eyes = "all"
            case "s":
                self.eyes = None
            case "h" | "?":
                return HELP
            case word if word[:1] in ("+", "-") and word[1:].isdecimal():
                return self._go(self.at + int(word[:10]))
            case word if word.startswith("c "):
                return self._card(word[2:].strip())
            case word if word.isdecimal():
                return self._go(int(word[:10]))
            case word if word[0] == "s" and word[1:].isdecimal():
                return self._set_viewer(int(word[1:10]))
            case word:
                return f"“{word}”? Type h for help."
        return None

    def _go(self, number: int) -> str | None:
        if not 1 <= number <= len(self.states):
            return f"The game has the decisions 1 to {len(self.states)}."
        self.at = number
        return None

    def _set_viewer(self, seat: int) -> str | None:
        if seat >= len(self.record.header.seats):
            return f"The seats are 0 to {len(self.record.header.seats) - 1}."
        self.eyes = seat
        return None

    def _card(self, card: str) -> str:
        facts = self.rulebook.catalogue.get(card)
        return f"There is no card {card}." if facts is None else brief(plain(facts))

    def shown(self, width: int) -> Iterator[str]:
        """Yield the lines that show the moment: who decided what, the facts, and the table."""
        decision, game = self.states[self.at - 1]
        parts = (f"{self.at} of {len(self.states)}", self._who(decision), rfc3339(decision.at), self._whose())
        yield "── " + " ── ".join(parts)
        for fact in decision.facts:
            seen = self._fact_seen(fact)
            if seen is not None:
                yield f"* {fact_line(seen)}"
        table = self._table_seen(game)
        if table is not None:
            yield ""
            yield from table_lines(table, width)
        if game.session.result is not None:
            yield ""
            for seat, (place, points) in enumerate(
                zip(game.session.result.places, game.session.result.points, strict=True)
            ):
                yield f"seat {seat}: place {place}, {points} points"

    def _who(self, decision: Decision[Any]) -> str:
        who = f"seat {decision.by}" if isinstance(decision.by, int) else decision.by
        if self.eyes not in ("all", decision.by):
            return who
        args = {name: plain(value) for name, value in decision.args.items()}
        return f"{who}: {decision.move.replace('_', ' ')} {brief(args)}".rstrip()

    def _whose(self) -> str:
        if self.eyes is None:
            return "as a spectator saw it"
        return "everything open" if self.eyes == "all" else f"as seat {self.eyes} saw it"

    def _fact_seen(self, fact: Fact) -> dict[str, Any] | None:
        if self.eyes == "all":
            told: dict[str, Any] = plain(fact)
            return told
        if not self.rulebook.can_observe(fact, self.eyes):
            return None
        seen: dict[str, Any] = plain(self.rulebook.redact(fact, self.eyes))
        return seen

    def _table_seen(self, game: Game[Any, Any]) -> Any:
        return plain(game.state if self.eyes == "all" else state_view(self.rulebook, game, self.eyes))


def plain(value: Any) -> Any:
    """Return a value as a client would receive it."""
    return msgspec.json.decode(msgspec.json.encode(value))


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def replay(file: Path) -> None:
    """Step through the game of a record in the terminal. Form and chain are checked; `verify` checks the rest."""
    try:
        record = read_record(lines_of(file))
    except InvalidRecord as fault:
        raise click.ClickException(f"{file}: {fault}") from None
    header = record.header
    rulebook = RULEBOOKS.get(header.rulebook)
    if rulebook is None:
        raise click.ClickException(f"there is no rulebook {header.rulebook!r} here")
    click.echo(f"game {header.game} of {header.rulebook}, edition {header.edition}, {len(header.seats)} seats")
    click.echo(HELP)
    interactive(Replay(record, rulebook))


def interactive(played: Replay) -> None:
    """Show moments as commands are typed, until one of them quits or the input ends."""
    said: str | None = None
    while True:
        width = max(40, shutil.get_terminal_size().columns)
        click.echo(said if said is not None else "\n".join(played.shown(width)))
        click.echo("> ", nl=False)
        command = sys.stdin.readline()
        if not command or command.strip().lower() in ("q", "quit"):
            click.echo()
            return
        said = played.execute(command)
