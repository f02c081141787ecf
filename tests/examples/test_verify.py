"""The verifier in JavaScript, and the page on the format that it implements."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from events.records.record import FORMAT, MAX_LINE_BYTES, hash_footer, signed_text
from events.records.signatures import Signer
from events.store import chain
from games.kernel import Chance, combined_seed, seed_commitment
from tests.events.records.forging import forged, rebuilt, shortest
from tests.events.records.recorded import Kept, golden
from tests.stores import require

ROOT = Path(__file__).parents[2]
VERIFIER = ROOT / "examples" / "verify.mjs"
PAGE = (ROOT / "docs" / "record-format.md").read_text("utf-8")
VECTORS: dict[str, Any] = json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[-1])
SIGNER = Signer(bytes(range(32)))
Lines = list[bytes]


def verify(*files: Path) -> dict[str, str]:
    """The verdict of the verifier on each file."""
    node = shutil.which("node")
    require(node, "node is not installed on this machine")
    assert node is not None
    result = subprocess.run([node, VERIFIER, *files], capture_output=True, text=True, check=False, timeout=60)
    assert result.stderr == ""
    verdicts = dict(line.split(": ", 1) for line in result.stdout.splitlines())
    assert set(verdicts) == set(map(str, files))
    all_valid = all(verdict.startswith("VALID: ") for verdict in verdicts.values())
    assert result.returncode == (0 if all_valid else 1)
    return verdicts


def write_record(folder: Path, name: str, record: Sequence[bytes]) -> Path:
    path = folder / f"{name}.ndjson"
    path.write_bytes(b"".join(record))
    return path


def test_the_verifier_has_fewer_than_a_hundred_lines_and_imports_only_from_node():
    source = VERIFIER.read_text("utf-8")
    assert len(source.splitlines()) < 100
    assert set(re.findall(r'from "(.*?)"', source)) == {"node:crypto", "node:fs"}


def test_every_golden_record_is_valid_and_one_whose_seats_contributed_to_the_seed(tmp_path: Path):
    files = [write_record(tmp_path, game.game, game.record(SIGNER.sign)) for game in golden()]
    files += [
        write_record(tmp_path, "not-signed", golden()[0].record()),
        write_record(tmp_path, "parts", shortest().record()),
    ]
    assert len(files) >= 10
    verdicts = verify(*files)
    assert {verdict.split(":")[0] for verdict in verdicts.values()} == {"VALID"}
    assert f"decisions, key {SIGNER.key}" in verdicts[str(files[0])]
    assert "key none" in verdicts[str(files[-1])]


def first_fact(decisions: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    return next(fact for decision in decisions for fact in decision["facts"] if fact["type"] == kind)


def deal_another_hand(decisions: list[dict[str, Any]]) -> None:
    one, other = (fact for fact in decisions[4]["facts"] if fact["type"] == "hand_dealt")
    one["cards"][0], other["cards"][0] = other["cards"][0], one["cards"][0]


def replace_seal(lines: Lines) -> Lines:
    theirs = golden()[0].record(SIGNER.sign)[-1]
    return [*lines[:-1], lines[-1].replace(b'"}\n', theirs[theirs.index(b'","key":') :])]


def with_line(at: int, change: Callable[[bytes], bytes]) -> Callable[[Lines], Lines]:
    return lambda lines: [*lines[:at], change(lines[at]), *lines[at:][1:]]


TAMPERED: dict[str, tuple[Callable[[Lines], Lines], str]] = {
    "a byte of a decision": (with_line(6, lambda line: line.replace(b'"at":1', b'"at":2')), "decision 6 was changed"),
    "a decision left out": (lambda lines: [*lines[:5], *lines[6:]], "decision 5 was changed or moved"),
    "two decisions swapped": (
        lambda lines: [*lines[:6], lines[7], lines[6], *lines[8:]],
        "decision 6 was changed or moved",
    ),
    "the end cut off": (lambda lines: lines[:-1], "the last line is not a footer"),
    "a blank added": (with_line(3, lambda line: line.replace(b',"h"', b', "h"')), "decision 3 was changed"),
    "the header": (with_line(0, lambda line: line.replace(b'"edition":1', b'"edition":2')), "line 1 is not a header"),
    "the result": (with_line(-1, lambda line: line.replace(b'"places":[1,2]', b'"places":[2,1]')), "the last line"),
    "a seal of another record": (replace_seal, "the signature does not match this record and this key"),
    "a chain of its own, another seed": (
        lambda lines: forged(shortest(), lambda decisions: first_fact(decisions, "created").update(seed="x")),
        "the seed of the server does not match its commitment",
    ),
    "a chain of its own, another part": (
        lambda lines: forged(shortest(), lambda decisions: first_fact(decisions, "seed_revealed").update(part="x")),
        "the footer has a wrong part of the seed for seat 0",
    ),
    "a chain of its own, another deal": (
        lambda lines: forged(shortest(), deal_another_hand),
        "the deal of decision 5 does not match the shuffle",
    ),
    "a chain of its own, another winner": (
        lambda lines: forged(shortest(), lambda decisions: first_fact(decisions, "finished").update(places=[2, 1])),
        "the footer has a wrong result",
    ),
    "a chain of its own, another seed of the game": (
        lambda lines: rebuilt(lines, seed={"server": "the server's seed", "parts": ["a", "b"], "game": "c"}),
        "a wrong part of the seed",
    ),
}


def test_every_tampered_record_is_rejected_with_a_reason(tmp_path: Path):
    assert len(TAMPERED) >= 10
    files = {}
    for number, (name, (tamper, _)) in enumerate(TAMPERED.items()):
        lines = shortest().record()
        tampered = tamper(list(lines))
        assert tampered != lines, name
        files[name] = write_record(tmp_path, f"tampered-{number}", tampered)
    verdicts = verify(*files.values())
    for name, (_, reason) in TAMPERED.items():
        verdict = verdicts[str(files[name])]
        assert verdict.startswith("NOT VALID: "), name
        assert reason in verdict, name


def test_files_that_are_not_records_are_rejected(tmp_path: Path):
    contents = [b"", b"\n\n\n", b"\xff\xfe\n", b"{}\n{}\n{}\n", b"[" * 100_000 + b"\n"]
    files = [write_record(tmp_path, f"odd-{number}", [content]) for number, content in enumerate(contents)]
    assert {verdict.split(":")[0] for verdict in verify(*files).values()} == {"NOT VALID"}


# The test vectors of the page.


def test_commitments_and_seeds_match_the_page():
    for vector in VECTORS["commitment"]:
        assert seed_commitment(vector["seed"]) == vector["sha256"]
    for vector in VECTORS["seed_of_game"]:
        assert combined_seed(vector["server"], tuple(vector["parts"])) == vector["seed"]


def test_chance_matches_the_page():
    for vector in VECTORS["block"]:
        text = f"{vector['seed']}/{vector['decision']}/{vector['block']}"
        assert sha256(text.encode()).hexdigest() == vector["sha256"]
    for vector in VECTORS["below"]:
        chance = Chance(vector["seed"], vector["decision"])
        assert [str(chance.randbelow(int(vector["limit"]))) for _ in vector["numbers"]] == vector["numbers"]
    for vector in VECTORS["shuffled"]:
        chance = Chance(vector["seed"], vector["decision"])
        assert list(chance.shuffled(range(vector["cards"]))) == vector["order"]


def test_chain_footer_and_seal_match_the_page():
    vector = VECTORS["chain"]
    hashes = [chain.genesis_hash(vector["game"])]
    for decision in vector["decisions"]:
        hashes.append(chain.next_hash(hashes[-1], decision.encode()))
    assert hashes == vector["hashes"]
    footer = VECTORS["footer"]
    assert sha256(footer["header"].encode()).hexdigest() == footer["header_hash"]
    assert hash_footer(footer["header_hash"], footer["head"], footer["footer"].encode()) == footer["footer_hash"]
    seal = VECTORS["seal"]
    assert seal["text"] == signed_text(footer["footer_hash"]).decode() == f"{FORMAT} {footer['footer_hash']}"
    signer = Signer(bytes.fromhex(seal["private_key"]))
    assert signer.sign(footer["footer_hash"]) == (seal["key"], seal["signature"])


def test_lengths_and_names_match_the_page():
    game: Kept = golden()[0]
    header, *decisions, footer = game.record()
    assert MAX_LINE_BYTES == 1 << 20
    for line, entry in zip(decisions, game.entries, strict=True):
        assert line[5:-73] == entry.decision, "72 bytes and the line feed"
    for line, kind in ((header, "header"), (footer, "footer")):
        names = re.findall(r"^\| (`.*?) \|", PAGE.split(f"\n{kind.capitalize()}:\n")[1].split("\n\n")[0], re.MULTILINE)
        documented = [name for cell in names for name in re.findall(r"`(\w+)`", cell)]
        assert list(json.loads(line)[kind]) == documented
