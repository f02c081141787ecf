"""Section `rules`: the cost of a decision without store and HTTP, for every rulebook."""

from typing import Any

from bench.harness import page
from bench.harness.measure import RUNS, Measurement, interleaved
from bench.harness.random_games import RecordedGame, default_seats, play_random_game
from games.kernel import Game, Rulebook, answer, fold, pending_choices
from games.rulebooks import RULEBOOKS

GAMES = 3

PROSE = f"""
## Rules

{GAMES} games of each rulebook are played at random from fixed seeds, with four seats or the nearest number; then each
recorded decision is made again. *Decision*: list the legal moves of all seats, then decide on one answer. *Decode* and
*fold*: read a stored decision, and apply it to the state before it, without running any rule. Median of {RUNS} runs,
processor time; × is the multiple of the reference work, measured just before and after each figure. On an idle machine
of this class the reference work takes about 23 µs, and the budgets are: a decision of 6 nimmt! 60 µs (×2.6), of The
Vale of Eternity 150 µs (×6.5), of Millennium Blades 400 µs (×17); decode and fold together 8 µs (×0.35).
"""


def measure() -> str:
    """Measure every rulebook; return the section."""
    head = ("rulebook", "decisions per game", "games/s", "decision µs", "×", "decode µs", "×", "fold µs", "×", "bytes")
    rows = [_row(rulebook) for rulebook in RULEBOOKS.values()]
    return "\n\n".join((PROSE.strip(), page.table(head, rows), page.repeat_with("rules")))


def _row(rulebook: Rulebook[Any]) -> list[str]:
    games = [play_random_game(rulebook, f"rules {number}") for number in range(GAMES)]
    measured = interleaved(cases(rulebook, games))
    decisions = sum(len(game.decisions) for game in games)
    stored = sum(len(rulebook.encode(decision)) for game in games for decision in game.decisions)
    per_game = decisions / GAMES
    finished = "" if all(game.is_over for game in games) else " (cut off)"
    return [
        f"{rulebook.id}, {default_seats(rulebook)} seats",
        f"{per_game:.0f}{finished}",
        page.number(1e6 / (measured["decision"].microseconds * per_game)),
        *(text for name in ("decision", "decode", "fold") for text in _figures(measured[name])),
        f"{stored / decisions:.0f}",
    ]


def _figures(measured: Measurement) -> tuple[str, str]:
    return page.number(measured.microseconds), f"{measured.references:.2f}"


def cases(rulebook: Rulebook[Any], games: list[RecordedGame]) -> dict[str, Any]:
    """Return the cases to measure for some games: each with its work, and the number of decisions it handles."""
    turns = [turn for game in games for turn in game.turns]
    stored = [[rulebook.encode(decision) for decision in game.decisions] for game in games]

    def decide() -> None:
        for game, seat, choice, move, args in turns:
            pending_choices(rulebook, game)
            answer(rulebook, game, seat, choice, move, args, 0)

    def decode() -> None:
        for log in stored:
            for decision in log:
                rulebook.decode(decision)

    def fold_all() -> None:
        for recorded in games:
            game: Game[Any, Any] | None = None
            for decision in recorded.decisions:
                game = fold(rulebook, game, decision)

    entries = sum(map(len, stored))
    return {"decision": (decide, len(turns)), "decode": (decode, entries), "fold": (fold_all, entries)}
