"""The commands that take records: verify, replay, import."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from events.games.command_handler import CommandHandler
from events.games.meta import IMPORTED
from events.records.history import GameHistory
from events.records.imports import ImportRefused, import_record
from events.records.record import compress
from events.records.signatures import Signer
from events.store.archiving_store import ArchivingStore
from events.store.connection import connect
from games.kernel import state_view
from games.rulebooks import RULEBOOKS
from games.six_nimmt import SIX_NIMMT
from service.app import build_app
from service.cli.main import croupier
from service.cli.replay import plain
from service.context import Services
from service.http.auth import Tokens
from tests.events.forging import forged
from tests.events.recorded import Kept, golden, kept
from tests.service.players import Caller, expect, line_into

SIGNER = Signer(bytes(range(32)))
OF_EACH_RULEBOOK = [
    pytest.param(next(each for each in golden() if each.rulebook.id == rulebook), id=rulebook) for rulebook in RULEBOOKS
]


def run(*arguments: object, typed: str = "", **environ: str) -> Result:
    return CliRunner().invoke(croupier, [str(argument) for argument in arguments], input=typed, env=environ)


def written(folder: Path, record: Sequence[bytes], name: str = "game.ndjson") -> Path:
    path = folder / name
    path.write_bytes(b"".join(record))
    return path


def renamed(game: Kept, name: str) -> Kept:
    """The same game under another id: every test imports its own."""
    return kept(name, game.rulebook, [entry.decision for entry in game.entries])


def test_verify_tells_of_each_file_whether_it_is_valid(tmp_path: Path):
    good = written(tmp_path, golden()[0].record(SIGNER.sign))
    packed = tmp_path / "game.ndjson.zst"
    packed.write_bytes(compress(golden()[1].record()))
    told = run("verify", good, packed)
    assert told.exit_code == 0
    assert f"{good}: VALID: game {golden()[0].game}" in told.stdout
    assert f"{packed}: VALID: game {golden()[1].game}" in told.stdout
    bad = written(tmp_path, golden()[0].record()[:-1], "cut.ndjson")
    told = run("verify", good, bad)
    assert told.exit_code == 1
    assert f"{bad}: NOT VALID" in told.stdout
    assert "the record ends without a footer" in told.stdout


def test_verify_gives_reports_as_json(tmp_path: Path):
    lines = golden()[0].record()
    lines[9] = lines[9].replace(b'"at":', b'"at":1')
    told = run("verify", "--json", written(tmp_path, lines))
    report = json.loads(told.stdout)
    assert told.exit_code == 1
    assert (report["valid"], report["failure"]["decision"]) == (False, 9)


def test_verify_asks_for_a_signature_by_a_known_key(tmp_path: Path):
    known = {"format": "croupier-keys/1", "keys": [{"algorithm": "Ed25519", "key": SIGNER.key}]}
    keys = tmp_path / "keys.json"
    keys.write_bytes(msgspec.json.encode(known))
    assert run("verify", "--keys", keys, written(tmp_path, golden()[0].record(SIGNER.sign))).exit_code == 0
    told = run("verify", "--keys", keys, written(tmp_path, golden()[0].record()))
    assert told.exit_code == 1
    assert "not signed by one of the given keys" in told.stdout
    keys.write_text("[]")
    assert "holds no keys" in run("verify", "--keys", keys, written(tmp_path, golden()[0].record())).stderr


def test_a_file_that_is_damaged_is_not_valid(tmp_path: Path):
    packed = tmp_path / "damaged.zst"
    packed.write_bytes(compress(golden()[0].record())[:-40])
    assert run("verify", packed).exit_code == 1
    packed.write_bytes(b"\x28\xb5\x2f\xfd" + b"nothing of the kind")
    told = run("verify", packed)
    assert told.exit_code == 1
    assert "it cannot be decompressed" in told.stdout


@pytest.mark.parametrize("game", OF_EACH_RULEBOOK)
def test_replay_shows_each_decision_with_its_facts_and_the_table_as_anybody_sees_it(tmp_path: Path, game: Kept):
    path = written(tmp_path, game.record())
    last = game.state.number
    told = run("replay", path, typed=f"10\ns1\n\nb\ns\n-3\na\n+4\ne\n\n{last + 1}\nh\nnonsense\ns9\nq\n")
    assert told.exit_code == 0, told.output
    shown = [line for line in told.stdout.splitlines() if "── " in line]
    at = [int(line.split("── ")[1].split(" of ")[0]) for line in shown]
    assert at == [1, 10, 10, 11, 10, 10, 7, 7, 11, last]
    whose = [line.rsplit("── ")[-1] for line in shown]
    assert whose[1:7] == [
        "everything open",
        *["as seat 1 saw it"] * 3,
        *["as a spectator saw it"] * 2,
    ]
    assert f"The game has the decisions 1 to {last}." in told.stdout
    assert "“nonsense”? Type h for help." in told.stdout
    assert "The seats are 0 to 1." in told.stdout
    assert "place 1, " in told.stdout


def test_replay_shows_a_seat_no_more_than_it_saw(tmp_path: Path):
    told = run("replay", written(tmp_path, golden()[0].record()), typed="s0\n5\nq\n").stdout
    after = told.split("── 5 of ")[1]
    assert "hand [" in after
    assert "hidden]" in after
    assert "hand [" not in run("replay", written(tmp_path, golden()[0].record()), typed="5\nq\n").stdout


def test_replay_ends_where_nothing_more_is_typed_and_tells_what_a_card_is(tmp_path: Path):
    vale = next(each for each in golden() if each.rulebook.id == "vale-of-eternity")
    told = run("replay", written(tmp_path, vale.record()), typed="c hestia\nc no-card")
    assert told.exit_code == 0
    assert "Hestia" in told.stdout
    assert "There is no card no-card." in told.stdout


def test_replay_refuses_what_is_no_record(tmp_path: Path):
    told = run("replay", written(tmp_path, [b"{}\n"]))
    assert told.exit_code == 1
    assert "it has not the form of a header" in told.stderr


def test_an_imported_game_is_finished_marked_and_has_the_record_that_it_came_with(tmp_path: Path, store_url: str):
    game = renamed(golden()[0], "imported00000001")
    path = written(tmp_path, game.record(SIGNER.sign))
    told = run("import", path, CROUPIER_REDIS_URL=store_url)
    assert told.exit_code == 0, told.output
    assert f"game {game.game} of six-nimmt, {game.state.number} decisions, imported" in told.stdout
    with connect(store_url) as client:
        games = CommandHandler(ArchivingStore(client), RULEBOOKS)
        current = games.read(game.game)
        assert current.game == game.state
        assert current.hash == game.entries[-1].hash
        meta = games.store.meta(game.game)
        assert (meta["status"], meta["head"]) == ("finished", str(game.state.number))
        assert int(meta[IMPORTED]) > 0
        here = Signer(bytes(32))
        assert list(GameHistory(games).record(game.game, current, here.sign)) == game.record(SIGNER.sign)
        moment = GameHistory(games).state_at(game.game, 3).game
        assert plain(state_view(SIX_NIMMT, moment, 1))["players"][0]["hand"] == {"hidden": 10}
        assert games.store.alarm(game.game) is None
        app = build_app(Services(games, Tokens("a secret of the tests")))
        shown = expect(200, Caller(line_into(app)).get(f"/v1/games/{game.game}"))
        assert (shown["status"], shown["imported"]) == ("finished", True)
        assert [seat["name"] for seat in shown["seats"]] == [None, None], "names are in no record"
        assert "imported" not in expect(200, Caller(line_into(app)).get(f"/v1/games/{game.game}?at=5"))


def test_a_record_that_fails_is_refused_whole_with_its_reason_and_the_others_are_stored(tmp_path: Path, store_url: str):
    good, bad = renamed(golden()[1], "imported00000002"), renamed(golden()[0], "imported00000003")

    def cheat(decisions: list[dict]) -> None:
        next(fact for fact in decisions[-1]["facts"] if fact["type"] == "finished")["places"].reverse()

    first = written(tmp_path, forged(bad, cheat), "bad.ndjson")
    second = written(tmp_path, good.record(), "good.ndjson")
    told = run("import", first, second, CROUPIER_REDIS_URL=store_url)
    assert told.exit_code == 1
    assert f"{first}: refused: line {bad.state.number + 1}: its fact" in told.stderr
    assert "good.ndjson: game imported00000002" in told.stdout
    with connect(store_url) as client:
        assert ArchivingStore(client).meta(bad.game) == {}
        assert ArchivingStore(client).load(bad.game).entries == []


def test_a_game_that_is_here_already_is_not_written_over(tmp_path: Path, store_url: str):
    path = written(tmp_path, renamed(golden()[0], "imported00000004").record())
    assert run("import", path, CROUPIER_REDIS_URL=store_url).exit_code == 0
    told = run("import", path, CROUPIER_REDIS_URL=store_url)
    assert told.exit_code == 1
    assert "there is a game imported00000004 here" in told.stderr


def of_other_rules(game: Kept) -> list[bytes]:
    """The lines of a record of a game, without line feeds, as of another edition."""
    decisions = [entry.decision.replace(b'"edition":1', b'"edition":0', 1) for entry in game.entries]
    return [line.removesuffix(b"\n") for line in kept(game.game, game.rulebook, decisions).record()]


def test_a_record_of_other_rules_is_imported_only_where_that_is_asked_for(store_url: str):
    lines = of_other_rules(renamed(golden()[0], "imported00000005"))
    with connect(store_url) as client:
        with pytest.raises(ImportRefused, match="edition 0 of the rules"):
            import_record(ArchivingStore(client), lines, RULEBOOKS)
        assert import_record(ArchivingStore(client), lines, RULEBOOKS, any_edition=True).valid


def test_what_would_take_long_to_fold_or_cannot_be_folded_is_not_imported(
    store_url: str, monkeypatch: pytest.MonkeyPatch
):
    """An audit does not fold what lies on the table under another edition; whoever looks at the game later has to."""
    lines = of_other_rules(renamed(golden()[0], "imported00000006"))
    with connect(store_url) as client:
        with pytest.raises(ImportRefused, match="takes too long to fold"):
            import_record(ArchivingStore(client), lines, RULEBOOKS, any_edition=True, fold_seconds=-1.0)
        with monkeypatch.context() as patch:
            patch.setattr(SIX_NIMMT, "evolve", lambda state, fact: state.rows[99])
            with pytest.raises(ImportRefused, match=r"decision \d+ cannot be folded: IndexError"):
                import_record(ArchivingStore(client), lines, RULEBOOKS, any_edition=True)
        assert ArchivingStore(client).load("imported00000006").entries == []
