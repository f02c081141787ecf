"""Lists, results and ratings: right in the end whatever is killed, and the same when they are made anew."""

import itertools
import multiprocessing
import os
import random
import signal
import threading
import time

from click.testing import CliRunner

from events.games.participants import new_person
from events.store import keys
from games.kernel import Clock, GameSetup, close, take_seat
from tests.workers.conftest import clear_desk
from workers import archive, bots, rebuild, resources
from workers.forget import main as forget_player
from workers.project import project
from workers.standings import recompute_ratings

FORK = multiprocessing.get_context("fork")
WRITERS = 16
GAMES = 1
PLAYERS = ("ana", "ben", "cleo", "dan")


def new_game(games, name, players, bot="random", **options):
    """A game of bots that stand for players."""
    games.create(name, "six-nimmt", GameSetup(len(players), **options), {}, Clock(), name)
    for player in players:
        person = new_person(f"{player} at {name}", player, salt=f"{name}{player}")
        games.decide(
            name,
            lambda rules, state, now, person=person: take_seat(rules, state, None, person.reference, now, bot),
            person,
        )


def play_to_the_end(games, name):
    assert bots.play(games, name, over_at=time.monotonic() + 60)
    return games.read(name)


def test_lists_show_a_game_where_it_belongs_and_private_ones_nowhere(games):
    new_game(games, "public0000000000", ["ana", "ben"])
    new_game(games, "private000000000", ["ana", "ben"], visibility="private")
    games.create("closed0000000000", "six-nimmt", GameSetup(2), {}, Clock(), "seed")
    games.decide("closed0000000000", close)
    for name in ("public0000000000", "private000000000", "closed0000000000"):
        project(name)

    def listed(**wanted):
        return [row.game for row in resources.game_index().page(10, **wanted)]

    assert listed(status="running") == ["public0000000000"]
    assert listed(status="closed", rulebook="six-nimmt") == ["closed0000000000"]
    assert listed(player="ana") == ["public0000000000"]
    assert listed(player="nobody") == []
    play_to_the_end(games, "public0000000000")
    project("public0000000000")
    assert listed(status="running") == []
    assert listed(status="finished", player="ben", rulebook="six-nimmt") == ["public0000000000"]


def test_pages_of_a_list_are_whole_also_when_games_were_created_in_the_same_millisecond(games):
    moment = games.clock()
    games.clock = lambda: moment
    names = [f"same{number:012d}" for number in range(7)]
    for name in names:
        games.create(name, "six-nimmt", GameSetup(2), {}, Clock(), "seed")
        project(name)
    found, before = [], None
    while page := resources.game_index().page(2, before):
        found += [row.game for row in page]
        before = page[-1]
    assert found == sorted(names, reverse=True)


def test_a_finished_game_is_counted_once_however_often_it_is_projected(games):
    new_game(games, "counted000000000", ["ana", "ben"])
    ended = play_to_the_end(games, "counted000000000").session.result
    for _ in range(3):
        project("counted000000000")
    tally = resources.game_index().player_stats("ana")["six-nimmt"]
    assert (tally.played, tally.won, tally.points) == (1, int(ended.places[0] == 1), ended.points[0])
    assert resources.game_index().ratings("six-nimmt").players["ana"].games == 1


def test_a_result_that_comes_in_late_has_the_ratings_worked_out_anew(games):
    for number in range(3):
        name = f"late{number:012d}"
        new_game(games, name, ["ana", "ben"])
        play_to_the_end(games, name)
    for number in (0, 2, 1):
        project(f"late{number:012d}")
    in_odd_order = resources.game_index().ratings("six-nimmt")
    recompute_ratings("six-nimmt")
    assert resources.game_index().ratings("six-nimmt") == in_odd_order
    assert in_odd_order.rated == 3


def test_a_rebuild_gives_the_same_to_the_byte_while_games_are_being_played(games):
    for number in range(6):
        name = f"before{number:010d}"
        new_game(games, name, random.Random(number).sample(PLAYERS, 2))
        if number % 2:
            play_to_the_end(games, name)
        project(name)

    def play_meanwhile():
        for number in range(4):
            name = f"during{number:010d}"
            new_game(games, name, ["ana", "dan"])
            project(name)
            play_to_the_end(games, name)
            project(name)

    meanwhile = threading.Thread(target=play_meanwhile)
    meanwhile.start()
    result = CliRunner().invoke(rebuild.main, ["--rebuild"])
    meanwhile.join()
    assert result.exit_code == 0, result.output
    kept = resources.game_index().contents()
    assert CliRunner().invoke(rebuild.main, ["--rebuild"]).exit_code == 0
    assert resources.game_index().contents() == kept
    assert len(resources.game_index().generations()) == 1


def test_writers_and_a_projector_that_is_killed_leave_lists_and_snapshots_that_equal_the_logs(games, own_store):
    names = [f"written{number:09d}" for number in range(WRITERS * GAMES)]
    writers = [FORK.Process(target=write, args=(names[start::WRITERS],)) for start in range(WRITERS)]
    for process in writers:
        process.start()
    chance = random.Random(7)
    while any(process.is_alive() for process in writers):
        projector = FORK.Process(target=project_for_ever)
        projector.start()
        time.sleep(chance.uniform(0.05, 0.4))
        os.kill(projector.pid, signal.SIGKILL)
        projector.join()
    assert {process.exitcode for process in writers} == {0}
    for name in unprojected(games):
        project(name)
    finished = [row.game for row in resources.game_index().page(1000, status="finished")]
    assert sorted(finished) == sorted(names)
    played = sum(tally.played for player in PLAYERS for tally in resources.game_index().player_stats(player).values())
    assert played == 2 * len(names)
    for name in names:
        snapshot = games.store.snapshot(name)
        assert snapshot is None or games.store.read_after(name, snapshot.number - 1, 1)[0].hash == snapshot.hash
    kept = resources.game_index().contents()
    assert CliRunner().invoke(rebuild.main, ["--rebuild"]).exit_code == 0
    assert resources.game_index().contents() == kept


def write(names):
    clear_desk()  # what a parent knew is not the child's
    for name, players in zip(names, itertools.cycle(itertools.permutations(PLAYERS, 2)), strict=False):
        new_game(resources.games(), name, players)
        play_to_the_end(resources.games(), name)


def project_for_ever():
    clear_desk()
    while True:
        for name in unprojected(resources.games()):
            project(name)


def unprojected(games):
    waiting = (games.store.client.zrange(keys.projection_queue(shard), 0, -1) for shard in range(keys.SHARDS))
    return [name.decode() for names in waiting for name in names]


def test_a_game_is_archived_after_its_rest_and_stays_readable(games, monkeypatch):
    new_game(games, "rested0000000000", ["ana", "ben"])
    ended = play_to_the_end(games, "rested0000000000")
    project("rested0000000000")
    assert archive.due_for_archive(games.clock()) == []
    assert archive.due_for_archive(games.clock() + archive.ARCHIVE_DELAY_MS) == ["rested0000000000"]
    archive.archive("rested0000000000")
    assert archive.due_for_archive(games.clock() + archive.ARCHIVE_DELAY_MS) == []
    assert resources.store().record("rested0000000000") is not None
    assert resources.games().read("rested0000000000").game == ended.game


def test_old_games_are_deleted_only_where_the_operator_says_so(games, monkeypatch):
    new_game(games, "old0000000000000", ["ana", "ben"])
    play_to_the_end(games, "old0000000000000")
    project("old0000000000000")
    archive.archive("old0000000000000")
    later = games.clock() + 8 * archive.DAY_MS
    assert archive.delete_expired(later) == 0
    monkeypatch.setenv("CROUPIER_KEEP_DAYS", "7")
    clear_desk()
    assert archive.delete_expired(games.clock() + 6 * archive.DAY_MS) == 0
    assert archive.delete_expired(later) == 1
    assert resources.store().read_after("old0000000000000", 0) == []
    assert resources.game_index().page(10) == []


def test_a_name_is_forgotten_and_the_chain_stands(games):
    for number in range(2):
        new_game(games, f"forgotten{number:07d}", ["ana", "ben"])
        play_to_the_end(games, f"forgotten{number:07d}")
        project(f"forgotten{number:07d}")
    before = games.store.read_after("forgotten0000000", 0)
    clear_desk()  # it is a program of its own, which has met nobody
    assert CliRunner().invoke(forget_player, ["ana"]).exit_code == 0
    assert games.store.read_after("forgotten0000000", 0) == before
    assert b"ana" not in b"".join(games.store.people("forgotten0000000").values())
    assert b"ben" in b"".join(games.store.people("forgotten0000000").values())
    assert resources.game_index().player_stats("ana") == {}
    assert "ana" not in resources.game_index().ratings("six-nimmt").players
