"""The golden games are what is played today, and old records fold to the table that they ended with."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.rulebooks import RULEBOOKS
from tests.golden.games import (
    TRANSCRIPTS,
    Recorded,
    all_games,
    ending,
    folded,
    lines,
    read_record,
    record_lines,
    records,
)
from tests.golden.transcript import transcript
from tests.rulebooks import DESCRIBED

GAMES = all_games()
EVERY_GAME = pytest.mark.parametrize(
    "game", GAMES, ids=[f"{game.description.rulebook.id}-{game.name}" for game in GAMES]
)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_rulebook_has_golden_games_of_each_variant_and_of_the_fewest_and_the_most_seats(rulebook: str):
    assert rulebook in DESCRIBED, f"describe {rulebook} in tests/rulebooks, then run make golden"
    description = DESCRIBED[rulebook]
    assert {golden.variant for golden in description.golden} == set(description.variants)
    sizes = RULEBOOKS[rulebook].seats
    assert {sizes[0], sizes[-1]} <= {golden.seats for golden in description.golden}


@EVERY_GAME
def test_a_golden_game_matches_its_transcript_and_its_record(game: Recorded):
    steps = game.played()
    assert game.transcript.read_text("utf-8") == transcript(game.description, game.golden, steps), "run make golden"
    decisions = record_lines(game.description.rulebook, steps)[:-1]
    assert lines(game.record)[:-1] == decisions, "raise the edition, run make golden"


@pytest.mark.parametrize(
    ("rulebook", "path"), [pytest.param(*record, id="-".join(record[1].parts[-3:])) for record in records()]
)
def test_a_record_of_any_edition_folds_to_the_table_that_it_ended_with(rulebook: str, path: Path):
    decisions, ended = read_record(RULEBOOKS[rulebook], path)
    game = folded(RULEBOOKS[rulebook], decisions)
    assert ending(game) == ended
    assert game.session.status == "finished"
    assert [decision.number for decision in decisions] == list(range(1, game.number + 1))


def test_every_transcript_is_of_a_game_that_is_described():
    assert set(TRANSCRIPTS.glob("*/*.txt")) == {game.transcript for game in GAMES}
