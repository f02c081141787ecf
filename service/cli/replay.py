"""`croupier replay`: step through a game in the terminal, forward and back, as any viewer saw it."""

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
from service.cli.files import read_lines
from service.cli.text import brief, fact_line, state_lines
from service.schemas.times import rfc3339

Perspective = int | Literal["all"] | None
"""Who looks at the game: a seat; "all", who sees everything; None, a spectator."""

HELP = """Enter: next    b: back    12: to decision 12    +5, -5: forward or back    e: to the end
s1: as seat 1    s: as a spectator    a: everything visible    c 12: describe card 12    h: this help    q: quit"""


class Replay:
    """A record with all states of its game, a position in it, and a perspective."""

    def __init__(self, record: Record, rulebook: Rulebook[Any]) -> None:
        self.record = record
        self.rulebook = rulebook
        self.position = 1
        self.perspective: Perspective = "all"

    @cached_property
    def states(self) -> list[tuple[Decision[Any], Game[Any, Any]]]:
        """Each decision, with the game after it."""
        states: list[tuple[Decision[Any], Game[Any, Any]]] = []
        game: Game[Any, Any] | None = None
        for entry in self.record.entries:
            decision = self.rulebook.decode(entry.decision)
            game = fold(self.rulebook, game, decision)
            states.append((decision, game))
        return states

    def execute(self, command: str) -> str | None:
        """Execute a typed command; return text to print instead of the state, if any."""
        match command.strip().lower():
            case "" | "n" | "f":
                return self._go(self.position + 1)
            case "b":
                return self._go(self.position - 1)
            case "e":
                return self._go(len(self.states))
            case "a":
                self.perspective = "all"
            case "s":
                self.perspective = None
            case "h" | "?":
                return HELP
            case word if word[:1] in ("+", "-") and word[1:].isdecimal():
                return self._go(self.position + int(word[:10]))
            case word if word.startswith("c "):
                return self._describe_card(word[2:].strip())
            case word if word.isdecimal():
                return self._go(int(word[:10]))
            case word if word[0] == "s" and word[1:].isdecimal():
                return self._set_viewer(int(word[1:10]))
            case word:
                return f"Unknown command “{word}”. Type h for help."
        return None

    def _go(self, number: int) -> str | None:
        if not 1 <= number <= len(self.states):
            return f"Decisions go from 1 to {len(self.states)}."
        self.position = number
        return None

    def _set_viewer(self, seat: int) -> str | None:
        if seat >= len(self.record.header.seats):
            return f"Seats go from 0 to {len(self.record.header.seats) - 1}."
        self.perspective = seat
        return None

    def _describe_card(self, card: str) -> str:
        facts = self.rulebook.catalogue.get(card)
        return f"There is no card {card}." if facts is None else brief(plain(facts))

    def lines(self, width: int) -> Iterator[str]:
        """Yield the lines that describe the position: who decided what, the facts, and the state."""
        decision, game = self.states[self.position - 1]
        parts = (
            f"{self.position} of {len(self.states)}",
            self._actor(decision),
            rfc3339(decision.at),
            self._perspective_text(),
        )
        yield "── " + " ── ".join(parts)
        for fact in decision.facts:
            view = self._fact_view(fact)
            if view is not None:
                yield f"* {fact_line(view)}"
        state = self._state_view(game)
        if state is not None:
            yield ""
            yield from state_lines(state, width)
        if game.session.result is not None:
            yield ""
            for seat, (place, points) in enumerate(
                zip(game.session.result.places, game.session.result.points, strict=True)
            ):
                yield f"seat {seat}: place {place}, {points} points"

    def _actor(self, decision: Decision[Any]) -> str:
        actor = f"seat {decision.by}" if isinstance(decision.by, int) else decision.by
        if self.perspective not in ("all", decision.by):
            return actor
        args = {name: plain(value) for name, value in decision.args.items()}
        return f"{actor}: {decision.move.replace('_', ' ')} {brief(args)}".rstrip()

    def _perspective_text(self) -> str:
        if self.perspective is None:
            return "as a spectator saw it"
        return "everything visible" if self.perspective == "all" else f"as seat {self.perspective} saw it"

    def _fact_view(self, fact: Fact) -> dict[str, Any] | None:
        if self.perspective == "all":
            full: dict[str, Any] = plain(fact)
            return full
        if not self.rulebook.can_observe(fact, self.perspective):
            return None
        redacted: dict[str, Any] = plain(self.rulebook.redact(fact, self.perspective))
        return redacted

    def _state_view(self, game: Game[Any, Any]) -> Any:
        return plain(game.state if self.perspective == "all" else state_view(self.rulebook, game, self.perspective))


def plain(value: Any) -> Any:
    """Return a value as plain JSON values, as a client would receive it."""
    return msgspec.json.decode(msgspec.json.encode(value))


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def replay(file: Path) -> None:
    """Step through the game of a record in the terminal. Checks only the format and the hash chain: see `verify`."""
    try:
        record = read_record(read_lines(file))
    except InvalidRecord as error:
        raise click.ClickException(f"{file}: {error}") from None
    header = record.header
    rulebook = RULEBOOKS.get(header.rulebook)
    if rulebook is None:
        raise click.ClickException(f"the rulebook {header.rulebook!r} is not installed")
    click.echo(f"game {header.game} of {header.rulebook}, edition {header.edition}, {len(header.seats)} seats")
    click.echo(HELP)
    interactive(Replay(record, rulebook))


def interactive(replay: Replay) -> None:
    """Execute typed commands and print the position, until a command quits or the input ends."""
    message: str | None = None
    while True:
        width = max(40, shutil.get_terminal_size().columns)
        click.echo(message if message is not None else "\n".join(replay.lines(width)))
        click.echo("> ", nl=False)
        command = sys.stdin.readline()
        if not command or command.strip().lower() in ("q", "quit"):
            click.echo()
            return
        message = replay.execute(command)
