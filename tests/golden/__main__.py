"""Write the golden games anew: `make golden`.

Transcripts are written over. Records are only added: one that exists is what an old game looked like, and stays.
"""

from __future__ import annotations

from tests.golden.games import TRANSCRIPTS, Recorded, all_games, lines, record_lines, write_record
from tests.golden.transcript import transcript


def write(game: Recorded) -> str:
    """Write the files of a game, and return a line about the result."""
    steps = game.played()
    text = transcript(game.description, game.golden, steps).encode()
    record = record_lines(game.description.rulebook, steps)
    game.transcript.parent.mkdir(parents=True, exist_ok=True)
    changed = not game.transcript.exists() or game.transcript.read_bytes() != text
    game.transcript.write_bytes(text)
    summary = f"{game.description.rulebook.id} {game.name}: {len(steps)} decisions, " + (
        "written" if changed else "same"
    )
    if not game.record.exists():
        write_record(game.record, record)
        return f"{summary}, record added"
    if lines(game.record)[:-1] != record[:-1]:
        return (
            f"{summary}, OLD RECORD KEPT, but the game differs now: raise the edition of the rulebook; or, if no game "
            f"of this edition has been played outside, delete {game.record.name} and run this again"
        )
    return summary


def main() -> None:
    """Write every golden game, and delete transcripts of games that no rulebook describes any more."""
    games = all_games()
    for game in games:
        print(write(game))
    for unused in set(TRANSCRIPTS.glob("*/*.txt")) - {game.transcript for game in games}:
        unused.unlink()
        print(f"{unused.name} deleted: no game of this name is described")


if __name__ == "__main__":
    main()
