"""Write the golden games anew: `make golden`.

Transcripts are written over. Records are only added: one that exists is what an old game looked like, and stays.
"""

from __future__ import annotations

from tests.golden.games import TRANSCRIPTS, Recorded, all_games, keep, lines, written
from tests.golden.transcript import transcript


def write(game: Recorded) -> str:
    """Write the files of a game; say what became of them."""
    steps = game.played()
    text = transcript(game.description, game.golden, steps).encode()
    record = written(game.description.rulebook, steps)
    game.transcript.parent.mkdir(parents=True, exist_ok=True)
    changed = not game.transcript.exists() or game.transcript.read_bytes() != text
    game.transcript.write_bytes(text)
    said = f"{game.description.rulebook.id} {game.name}: {len(steps)} decisions, " + ("written" if changed else "same")
    if not game.record.exists():
        keep(game.record, record)
        return f"{said}, record added"
    if lines(game.record)[:-1] != record[:-1]:
        return (
            f"{said}, RECORD KEPT though this game goes otherwise now: raise the edition of the rulebook; or, while no "
            f"game of this edition was ever played outside, delete {game.record.name} and run this again"
        )
    return said


def main() -> None:
    """Write every golden game, and delete transcripts of games that are described no more."""
    games = all_games()
    for game in games:
        print(write(game))
    for stray in set(TRANSCRIPTS.glob("*/*.txt")) - {game.transcript for game in games}:
        stray.unlink()
        print(f"{stray.name} deleted: no game of this name is described")


if __name__ == "__main__":
    main()
