"""The commands that read records: verify, replay, import."""

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
from tests.events.records.forging import forged
from tests.events.records.recorded import Kept, golden, kept
from tests.service.players import Caller, api_of, expect

SIGNER = Signer(bytes(range(32)))
ONE_OF_EACH_RULEBOOK = [
    pytest.param(next(game for game in golden() if game.rulebook.id == rulebook), id=rulebook) for rulebook in RULEBOOKS
]


def run(*arguments: object, typed: str = "", **environ: str) -> Result:
    return CliRunner().invoke(croupier, [str(argument) for argument in arguments], input=typed, env=environ)


def write_record(folder: Path, record: Sequence[bytes], name: str = "game.ndjson") -> Path:
    path = folder / name
    path.write_bytes(b"".join(record))
    return path


def renamed(game: Kept, name: str) -> Kept:
    """The same game under another id, because every test imports its own game."""
    return kept(name, game.rulebook, [entry.decision for entry in game.entries])


def test_verify_says_for_each_file_whether_it_is_valid(tmp_path: Path):
    good = write_record(tmp_path, golden()[0].record(SIGNER.sign))
    compressed = tmp_path / "game.ndjson.zst"
    compressed.write_bytes(compress(golden()[1].record()))
    result = run("verify", good, compressed)
    assert result.exit_code == 0
    assert f"{good}: VALID: game {golden()[0].game}" in result.stdout
    assert f"{compressed}: VALID: game {golden()[1].game}" in result.stdout
    bad = write_record(tmp_path, golden()[0].record()[:-1], "cut.ndjson")
    result = run("verify", good, bad)
    assert result.exit_code == 1
    assert f"{bad}: NOT VALID" in result.stdout
    assert "the record ends without a footer" in result.stdout


def test_verify_can_write_reports_as_json(tmp_path: Path):
    lines = golden()[0].record()
    lines[9] = lines[9].replace(b'"at":', b'"at":1')
    result = run("verify", "--json", write_record(tmp_path, lines))
    report = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (report["valid"], report["failure"]["decision"]) == (False, 9)


def test_verify_can_require_a_signature_by_a_known_key(tmp_path: Path):
    document = {"format": "croupier-keys/1", "keys": [{"algorithm": "Ed25519", "key": SIGNER.key}]}
    keys = tmp_path / "keys.json"
    keys.write_bytes(msgspec.json.encode(document))
    assert run("verify", "--keys", keys, write_record(tmp_path, golden()[0].record(SIGNER.sign))).exit_code == 0
    result = run("verify", "--keys", keys, write_record(tmp_path, golden()[0].record()))
    assert result.exit_code == 1
    assert "not signed by one of the given keys" in result.stdout
    keys.write_text("[]")
    assert "contains no keys" in run("verify", "--keys", keys, write_record(tmp_path, golden()[0].record())).stderr


def test_a_damaged_file_is_not_valid(tmp_path: Path):
    compressed = tmp_path / "damaged.zst"
    compressed.write_bytes(compress(golden()[0].record())[:-40])
    assert run("verify", compressed).exit_code == 1
    compressed.write_bytes(b"\x28\xb5\x2f\xfd" + b"nothing of the kind")
    result = run("verify", compressed)
    assert result.exit_code == 1
    assert "it cannot be decompressed" in result.stdout


@pytest.mark.parametrize("game", ONE_OF_EACH_RULEBOOK)
def test_replay_shows_each_decision_with_its_facts_and_the_state_as_any_viewer_sees_it(tmp_path: Path, game: Kept):
    path = write_record(tmp_path, game.record())
    last = game.state.number
    result = run("replay", path, typed=f"10\ns1\n\nb\ns\n-3\na\n+4\ne\n\n{last + 1}\nh\nnonsense\ns9\nq\n")
    assert result.exit_code == 0, result.output
    headings = [line for line in result.stdout.splitlines() if "── " in line]
    positions = [int(line.split("── ")[1].split(" of ")[0]) for line in headings]
    assert positions == [1, 10, 10, 11, 10, 10, 7, 7, 11, last]
    perspectives = [line.rsplit("── ")[-1] for line in headings]
    assert perspectives[1:7] == [
        "everything visible",
        *["as seat 1 saw it"] * 3,
        *["as a spectator saw it"] * 2,
    ]
    assert f"Decisions go from 1 to {last}." in result.stdout
    assert "Unknown command “nonsense”. Type h for help." in result.stdout
    assert "Seats go from 0 to 1." in result.stdout
    assert "place 1, " in result.stdout


def test_replay_hides_from_a_seat_what_it_could_not_see(tmp_path: Path):
    result = run("replay", write_record(tmp_path, golden()[0].record()), typed="s0\n5\nq\n").stdout
    after = result.split("── 5 of ")[1]
    assert "hand [" in after
    assert "hidden]" in after
    assert "hand [" not in run("replay", write_record(tmp_path, golden()[0].record()), typed="5\nq\n").stdout


def test_replay_ends_with_its_input_and_describes_cards(tmp_path: Path):
    vale = next(game for game in golden() if game.rulebook.id == "vale-of-eternity")
    result = run("replay", write_record(tmp_path, vale.record()), typed="c hestia\nc no-card")
    assert result.exit_code == 0
    assert "Hestia" in result.stdout
    assert "There is no card no-card." in result.stdout


def test_replay_refuses_a_file_that_is_not_a_record(tmp_path: Path):
    result = run("replay", write_record(tmp_path, [b"{}\n"]))
    assert result.exit_code == 1
    assert "it has not the form of a header" in result.stderr


def test_an_imported_game_is_finished_and_marked_and_keeps_its_record(tmp_path: Path, store_url: str):
    game = renamed(golden()[0], "imported00000001")
    path = write_record(tmp_path, game.record(SIGNER.sign))
    result = run("import", path, CROUPIER_REDIS_URL=store_url)
    assert result.exit_code == 0, result.output
    assert f"game {game.game} of six-nimmt, {game.state.number} decisions, imported" in result.stdout
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
        earlier = GameHistory(games).state_at(game.game, 3).game
        assert plain(state_view(SIX_NIMMT, earlier, 1))["players"][0]["hand"] == {"hidden": 10}
        assert games.store.alarm(game.game) is None
        app = build_app(Services(games, Tokens("a secret of the tests")))
        view = expect(200, Caller(api_of(app)).get(f"/v1/games/{game.game}"))
        assert (view["status"], view["imported"]) == ("finished", True)
        assert [seat["name"] for seat in view["seats"]] == [None, None], "records contain no names"
        assert "imported" not in expect(200, Caller(api_of(app)).get(f"/v1/games/{game.game}?at=5"))


def test_a_record_that_fails_its_audit_is_refused_with_the_reason_and_the_others_are_stored(
    tmp_path: Path, store_url: str
):
    good, bad = renamed(golden()[1], "imported00000002"), renamed(golden()[0], "imported00000003")

    def cheat(decisions: list[dict]) -> None:
        next(fact for fact in decisions[-1]["facts"] if fact["type"] == "finished")["places"].reverse()

    first = write_record(tmp_path, forged(bad, cheat), "bad.ndjson")
    second = write_record(tmp_path, good.record(), "good.ndjson")
    result = run("import", first, second, CROUPIER_REDIS_URL=store_url)
    assert result.exit_code == 1
    assert f"{first}: refused: line {bad.state.number + 1}: its fact" in result.stderr
    assert "good.ndjson: game imported00000002" in result.stdout
    with connect(store_url) as client:
        assert ArchivingStore(client).meta(bad.game) == {}
        assert ArchivingStore(client).load(bad.game).entries == []


def test_an_existing_game_is_not_overwritten(tmp_path: Path, store_url: str):
    path = write_record(tmp_path, renamed(golden()[0], "imported00000004").record())
    assert run("import", path, CROUPIER_REDIS_URL=store_url).exit_code == 0
    result = run("import", path, CROUPIER_REDIS_URL=store_url)
    assert result.exit_code == 1
    assert "there is a game imported00000004 here" in result.stderr


def lines_of_another_edition(game: Kept) -> list[bytes]:
    """The record of a game as if of another edition: its lines without line feeds."""
    decisions = [entry.decision.replace(b'"edition":1', b'"edition":0', 1) for entry in game.entries]
    return [line.removesuffix(b"\n") for line in kept(game.game, game.rulebook, decisions).record()]


def test_a_record_of_another_edition_is_imported_only_on_request(store_url: str):
    lines = lines_of_another_edition(renamed(golden()[0], "imported00000005"))
    with connect(store_url) as client:
        with pytest.raises(ImportRefused, match="edition 0 of the rules"):
            import_record(ArchivingStore(client), lines, RULEBOOKS)
        assert import_record(ArchivingStore(client), lines, RULEBOOKS, any_edition=True).valid


def test_a_record_that_folds_slowly_or_cannot_be_folded_is_not_imported(
    store_url: str, monkeypatch: pytest.MonkeyPatch
):
    """An audit does not fold states of another edition, but a later request for the game has to."""
    lines = lines_of_another_edition(renamed(golden()[0], "imported00000006"))
    with connect(store_url) as client:
        with pytest.raises(ImportRefused, match="takes too long to fold"):
            import_record(ArchivingStore(client), lines, RULEBOOKS, any_edition=True, fold_seconds=-1.0)
        with monkeypatch.context() as patch:
            patch.setattr(SIX_NIMMT, "evolve", lambda state, fact: state.rows[99])
            with pytest.raises(ImportRefused, match=r"decision \d+ cannot be folded: IndexError"):
                import_record(ArchivingStore(client), lines, RULEBOOKS, any_edition=True)
        assert ArchivingStore(client).load("imported00000006").entries == []
