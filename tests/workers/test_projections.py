"""Lists, results and ratings: correct in the end, whatever is killed, and the same after a rebuild."""

import itertools
import multiprocessing
import os
import random
import signal
import threading
import time

from click.testing import CliRunner

from events.games.commands import CloseGame, TakeSeat
from events.games.participants import new_person
from events.store import keys
from games.kernel import Clock, GameSetup
from tests.workers.conftest import resources_on
from workers import archive, bots, rebuild
from workers.forget import main as forget_player
from workers.project import project

FORK = multiprocessing.get_context("fork")
WRITERS = 16
GAMES = 1
PLAYERS = ("ana", "ben", "cleo", "dan")


def new_game(games, name, players, bot="random", **options):
    """A game of bots that play for players."""
    games.create(name, "six-nimmt", GameSetup(len(players), **options), {}, Clock(), name)
    for player in players:
        person = new_person(f"{player} at {name}", player, salt=f"{name}{player}")
        games.handle(name, TakeSeat(person, None, bot))


def play_to_the_end(games, name):
    assert bots.play(games, name, deadline=time.monotonic() + 60)
    return games.read(name)


def test_lists_show_a_game_where_it_belongs_and_private_ones_nowhere(games, resources):
    new_game(games, "public0000000000", ["ana", "ben"])
    new_game(games, "private000000000", ["ana", "ben"], visibility="private")
    games.create("closed0000000000", "six-nimmt", GameSetup(2), {}, Clock(), "seed")
    games.handle("closed0000000000", CloseGame())
    for name in ("public0000000000", "private000000000", "closed0000000000"):
        project(resources, name)

    def listed(**wanted):
        return [row.game for row in resources.game_index.page(10, **wanted)]

    assert listed(status="running") == ["public0000000000"]
    assert listed(status="closed", rulebook="six-nimmt") == ["closed0000000000"]
    assert listed(player="ana") == ["public0000000000"]
    assert listed(player="nobody") == []
    play_to_the_end(games, "public0000000000")
    project(resources, "public0000000000")
    assert listed(status="running") == []
    assert listed(status="finished", player="ben", rulebook="six-nimmt") == ["public0000000000"]


def test_pages_of_a_list_are_complete_even_for_games_created_in_the_same_millisecond(games, resources):
    moment = games.clock()
    games.clock = lambda: moment
    names = [f"same{number:012d}" for number in range(7)]
    for name in names:
        games.create(name, "six-nimmt", GameSetup(2), {}, Clock(), "seed")
        project(resources, name)
    listed, before = [], None
    while page := resources.game_index.page(2, before):
        listed += [row.game for row in page]
        before = page[-1]
    assert listed == sorted(names, reverse=True)


def test_a_finished_game_is_counted_once_however_often_it_is_projected(games, resources):
    new_game(games, "counted000000000", ["ana", "ben"])
    ended = play_to_the_end(games, "counted000000000").session.result
    for _ in range(3):
        project(resources, "counted000000000")
    stats = resources.game_index.player_stats("ana")["six-nimmt"]
    assert (stats.played, stats.won, stats.points) == (1, int(ended.places[0] == 1), ended.points[0])
    assert resources.game_index.ratings("six-nimmt").players["ana"].games == 1


def test_late_results_give_the_same_ratings_as_a_computation_from_scratch(games, resources):
    for number in range(3):
        name = f"late{number:012d}"
        new_game(games, name, ["ana", "ben"])
        play_to_the_end(games, name)
    for number in (0, 2, 1):
        project(resources, f"late{number:012d}")
    in_odd_order = resources.game_index.ratings("six-nimmt")
    resources.ratings.recompute("six-nimmt")
    assert resources.game_index.ratings("six-nimmt") == in_odd_order
    assert in_odd_order.rated == 3


def test_a_rebuild_gives_the_same_to_the_byte_while_games_are_being_played(games, resources):
    for number in range(6):
        name = f"before{number:010d}"
        new_game(games, name, random.Random(number).sample(PLAYERS, 2))
        if number % 2:
            play_to_the_end(games, name)
        project(resources, name)

    def play_meanwhile():
        for number in range(4):
            name = f"during{number:010d}"
            new_game(games, name, ["ana", "dan"])
            project(resources, name)
            play_to_the_end(games, name)
            project(resources, name)

    meanwhile = threading.Thread(target=play_meanwhile)
    meanwhile.start()
    result = CliRunner().invoke(rebuild.main, ["--rebuild"])
    meanwhile.join()
    assert result.exit_code == 0, result.output
    maintained = resources.game_index.contents()
    assert CliRunner().invoke(rebuild.main, ["--rebuild"]).exit_code == 0
    assert resources.game_index.contents() == maintained
    assert len(resources.game_index.generations()) == 1


def test_with_projectors_killed_again_and_again_lists_and_snapshots_equal_the_logs(games, own_store, resources):
    names = [f"written{number:09d}" for number in range(WRITERS * GAMES)]
    writers = [FORK.Process(target=write, args=(own_store.url, names[start::WRITERS])) for start in range(WRITERS)]
    for process in writers:
        process.start()
    chance = random.Random(7)
    while any(process.is_alive() for process in writers):
        projector = FORK.Process(target=project_forever, args=(own_store.url,))
        projector.start()
        time.sleep(chance.uniform(0.05, 0.4))
        os.kill(projector.pid, signal.SIGKILL)
        projector.join()
    assert {process.exitcode for process in writers} == {0}
    for name in unprojected(games):
        project(resources, name)
    finished = [row.game for row in resources.game_index.page(1000, status="finished")]
    assert sorted(finished) == sorted(names)
    played = sum(stats.played for player in PLAYERS for stats in resources.game_index.player_stats(player).values())
    assert played == 2 * len(names)
    for name in names:
        snapshot = games.store.snapshot(name)
        assert snapshot is None or games.store.read_after(name, snapshot.number - 1, 1)[0].hash == snapshot.hash
    maintained = resources.game_index.contents()
    assert CliRunner().invoke(rebuild.main, ["--rebuild"]).exit_code == 0
    assert resources.game_index.contents() == maintained


def write(url, names):
    resources = resources_on(url)
    for name, players in zip(names, itertools.cycle(itertools.permutations(PLAYERS, 2)), strict=False):
        new_game(resources.games, name, players)
        play_to_the_end(resources.games, name)


def project_forever(url):
    resources = resources_on(url)
    while True:
        for name in unprojected(resources.games):
            project(resources, name)


def unprojected(games):
    waiting = (games.store.client.zrange(keys.projection_queue(shard), 0, -1) for shard in range(keys.SHARDS))
    return [name.decode() for names in waiting for name in names]


def test_a_game_is_archived_some_time_after_its_end_and_stays_readable(games, resources):
    new_game(games, "archived00000000", ["ana", "ben"])
    ended = play_to_the_end(games, "archived00000000")
    project(resources, "archived00000000")
    assert archive.due_for_archive(resources, games.clock()) == []
    assert archive.due_for_archive(resources, games.clock() + archive.ARCHIVE_DELAY_MS) == ["archived00000000"]
    archive.archive(resources, "archived00000000")
    assert archive.due_for_archive(resources, games.clock() + archive.ARCHIVE_DELAY_MS) == []
    assert resources.store.record("archived00000000") is not None
    assert resources.games.read("archived00000000").game == ended.game


def test_old_games_are_deleted_only_if_the_operator_sets_a_limit(games, own_store, resources):
    new_game(games, "old0000000000000", ["ana", "ben"])
    play_to_the_end(games, "old0000000000000")
    project(resources, "old0000000000000")
    archive.archive(resources, "old0000000000000")
    later = games.clock() + 8 * archive.DAY_MS
    assert archive.delete_expired(resources, later) == 0
    resources = resources_on(own_store.url, keep_days=7)
    assert archive.delete_expired(resources, games.clock() + 6 * archive.DAY_MS) == 0
    assert archive.delete_expired(resources, later) == 1
    assert resources.store.read_after("old0000000000000", 0) == []
    assert resources.game_index.page(10) == []


def test_a_name_is_forgotten_and_the_log_does_not_change(games, resources):
    for number in range(2):
        new_game(games, f"forgotten{number:07d}", ["ana", "ben"])
        play_to_the_end(games, f"forgotten{number:07d}")
        project(resources, f"forgotten{number:07d}")
    before = games.store.read_after("forgotten0000000", 0)
    assert CliRunner().invoke(forget_player, ["ana"]).exit_code == 0
    assert games.store.read_after("forgotten0000000", 0) == before
    assert b"ana" not in b"".join(games.store.people("forgotten0000000").values())
    assert b"ben" in b"".join(games.store.people("forgotten0000000").values())
    assert resources.game_index.player_stats("ana") == {}
    assert "ana" not in resources.game_index.ratings("six-nimmt").players
