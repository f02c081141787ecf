"""An audit accepts what was played, and finds whatever was changed, by accident or on purpose."""

from __future__ import annotations

import random
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from events.records.audit import MAX_DECISION_BYTES, MAX_FACTS
from events.records.record import Seal, hash_footer
from events.records.signatures import Signer
from events.store import chain
from games.kernel import (
    Clock,
    GameSetup,
    create,
    fire_timers,
    next_alarm,
    take_seat,
)
from games.six_nimmt import SIX_NIMMT
from tests.events.records.forging import FORGERIES, SIGNER, audited, fact, forged, outcomes, rebuilt, shortest
from tests.events.records.recorded import Kept, golden, kept

MUTATIONS = 1000


@pytest.mark.parametrize("game", golden(), ids=lambda game: f"{game.rulebook.id}-{len(game.entries)}")
def test_every_golden_game_is_valid_and_each_of_its_decisions_is_made_again(game: Kept):
    report = audited(game.record(SIGNER.sign))
    assert report.failure is None
    assert report.valid
    assert outcomes(report) == dict.fromkeys(
        ["form", "chain", "commitments", "answers", "draws", "result", "seal"], "passed"
    )
    assert (report.game, report.decisions, report.key) == (game.game, len(game.entries), SIGNER.key)


def test_a_game_with_seed_parts_compensated_downtime_and_a_conceded_seat_is_valid():
    report = audited(shortest().record())
    assert report.failure is None
    assert outcomes(report)["seal"] == "not made"
    assert "VALID: game 0123456789abcdef of six-nimmt, edition 1, 11 decisions" in report.text()


def test_what_the_clock_decided_is_decided_again():
    steps = [create(SIX_NIMMT, GameSetup(2), {}, Clock(seconds_per_choice=1), "clockwork", 0)]
    for seat in range(2):
        steps.append(take_seat(SIX_NIMMT, steps[-1].game, seat, f"person {seat}", 0))
    while steps[-1].game.session.status == "running":
        step = fire_timers(SIX_NIMMT, steps[-1].game, next_alarm(steps[-1].game) or 0)
        assert step is not None
        steps.append(step)
    game = kept("fedcba9876543210", SIX_NIMMT, [SIX_NIMMT.encode(step.decision) for step in steps])
    assert audited(game.record()).failure is None
    early = forged(game, lambda decisions: decisions[5].update(at=0))
    report = audited(early)
    assert report.failure is not None
    assert (report.failure.decision, report.failure.check) == (6, "answers")
    assert "nothing was due" in report.failure.reason


def test_changing_removing_swapping_or_adding_any_byte_of_any_line_is_found():
    """A thousand mutations of a signed record; what a mutation left as it was is none."""
    record = shortest().record(SIGNER.sign)
    chance = random.Random("mutations")
    for number in range(MUTATIONS):
        lines = list(record)
        at = number % len(lines)
        lines[at] = mutated(lines[at], chance)
        if lines[at] != record[at]:
            report = audited(lines, {SIGNER.key})
            assert not report.valid, f"mutation {number} of line {at + 1} was not found: {lines[at]!r}"
            assert report.failure is not None
            assert report.failure.line in (at + 1, at + 2), f"mutation {number} of line {at + 1}: {report.failure}"


def mutated(line: bytes, chance: random.Random) -> bytes:
    place, byte = chance.randrange(len(line)), bytes([chance.randrange(256)])
    match chance.randrange(4):
        case 0:
            return line[:place] + byte + line[place + 1 :]
        case 1:
            return line[:place] + line[place + 1 :]
        case 2:
            other = chance.randrange(len(line))
            swapped = bytearray(line)
            swapped[place], swapped[other] = swapped[other], swapped[place]
            return bytes(swapped)
    return line[:place] + byte + line[place:]


def test_moving_removing_or_doubling_any_line_is_found():
    record = shortest().record(SIGNER.sign)
    for at in range(len(record)):
        assert not audited(record[:at] + record[at + 1 :]).valid
        assert not audited([*record[: at + 1], *record[at:]]).valid
        for other in range(at):
            lines = list(record)
            lines[at], lines[other] = lines[other], lines[at]
            assert not audited(lines).valid


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_with_a_chain_of_its_own_is_found_at_its_first_decision(name: str):
    edit, decision, check = FORGERIES[name]
    report = audited(forged(shortest(), edit))
    assert report.failure is not None
    assert (report.failure.decision, report.failure.check) == (decision, check), report.failure
    assert f"fails at line {decision + 1}, decision {decision}" in report.text()


def test_a_forgery_that_changes_nothing_is_the_record_itself():
    assert forged(shortest(), lambda decisions: None) == shortest().record()


@pytest.mark.parametrize("game", golden(), ids=lambda game: f"{game.rulebook.id}-{len(game.entries)}")
def test_no_decision_of_a_real_game_comes_near_the_limits_of_an_audit(game: Kept):
    assert max(len(entry.decision) for entry in game.entries) < MAX_DECISION_BYTES / 5
    assert max(len(msgspec.json.decode(entry.decision)["facts"]) for entry in game.entries) < MAX_FACTS / 5


def test_a_header_or_footer_that_contradicts_the_decisions_is_found():
    record = shortest().record()
    header = msgspec.json.decode(record[0])["header"]
    assert audited(rebuilt(record)).valid
    seats = [header["seats"][1], header["seats"][0]]
    for other in ({"commitment": "0" * 64}, {"seats": seats}, {"options": {}}, {"root": "0" * 64}):
        report = audited(rebuilt(record, header | other))
        assert report.failure is not None
        assert (report.failure.line, report.failure.reason) == (1, "the header does not say what the decisions say")
    for said in ({"decisions": 10}, {"status": "closed"}, {"result": {"points": [66, 66], "places": [1, 1]}}):
        report = audited(rebuilt(record, **said))
        assert report.failure is not None
        assert report.failure.reason == "the footer does not say what the decisions say"


def test_a_record_of_an_unknown_rulebook_or_format_is_refused_with_its_reason():
    record = shortest().record()
    header = msgspec.json.decode(record[0])["header"]
    report = audited(rebuilt(record, header | {"rulebook": "seven-takes"}))
    assert report.failure is not None
    assert report.failure.reason == "there is no rulebook 'seven-takes' here"
    report = audited(rebuilt(record, header | {"format": "croupier-record/2"}))
    assert report.failure is not None
    assert "the header cannot be read" in report.failure.reason


def test_a_seal_of_another_record_or_another_key_is_found():
    theirs = golden()[0].record(SIGNER.sign)
    stolen = msgspec.json.decode(theirs[-1])
    record = shortest().record(lambda footer: Seal(stolen["key"], stolen["signature"]))
    report = audited(record)
    assert report.failure is not None
    assert report.failure.check == "seal"
    forger = Signer(bytes(32))
    report = audited(shortest().record(forger.sign))
    assert report.valid
    assert f"by the key {forger.key}: see whose it is" in report.text()
    assert not audited(shortest().record(forger.sign), {SIGNER.key}).valid
    assert not audited(shortest().record(), {SIGNER.key}).valid


HOSTILE = {
    "deep arrays": b"[" * 200_000,
    "deep args": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "a number of many digits": b'{"number":' + b"9" * 100_000 + b"}",
    "no json": b"{\xff\xfe}",
    "nothing": b"{}",
    "a name without end": b'{"%s":1}' % (b"x" * 100_000),
    "half a letter": b'{"format":"\\ud800","number":"\\ud800"}',
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("place", ["header", "decision", "footer"])
def test_malicious_lines_with_right_hashes_are_refused_and_break_nothing(content: bytes, place: str):
    content = content if content.startswith(b"{") else b'{"x":' + content + b"}"
    record = shortest().record()
    if place == "header":
        record[0] = b'{"header":%s,"h":"%s"}\n' % (content, sha256(content).hexdigest().encode())
    elif place == "decision":
        head = chain.next_hash(shortest().entries[2].hash, content)
        record[4] = b'{"d":%s,"h":"%s"}\n' % (content, head.encode())
    else:
        header, head = msgspec.json.decode(record[0])["h"], shortest().entries[-1].hash
        record[-1] = b'{"footer":%s,"h":"%s"}\n' % (content, hash_footer(header, head, content).encode())
    report = audited(record)
    assert report.failure is not None
    assert report.failure.check == "form"
    assert len(report.failure.reason) < 1000


def test_no_forged_value_anywhere_in_a_record_breaks_the_audit():
    """Under our edition and under another, of which only what every edition shares is followed."""
    game = golden()[0]
    values: tuple[Any, ...] = (-1, 10**30, 2**63, 1.5, "x", None, [], {}, True, [[1]], {"type": "effect", "rule": "x"})
    chance = random.Random("values")
    refused = 0
    for number in range(150):

        def put_somewhere(decisions: list[dict[str, Any]], number: int = number) -> None:
            for decision in decisions:
                for each in decision["facts"]:
                    if each["type"] == "created":
                        each["edition"] = number % 2
            at: Any = chance.choice(decisions)
            while isinstance(at, (dict, list)) and at:
                parent, key = at, chance.choice(list(at) if isinstance(at, dict) else range(len(at)))
                at = parent[key]
            parent[key] = chance.choice(values)

        record = forged(game, put_somewhere)
        header = msgspec.json.decode(record[0])["header"] | {"edition": number % 2}
        report = audited(rebuilt(record, header))
        refused += not report.valid
        assert report.failure is None or report.failure.line > 1
    assert refused > 100


def test_a_decision_of_an_older_kernel_may_leave_out_what_has_a_default():
    def older(decisions: list[dict[str, Any]]) -> None:
        del fact(decisions, "created")["rematch_of"]

    assert audited(forged(shortest(), older)).failure is None
