"""An audit accepts what was played, and finds whatever was changed, by accident or on purpose."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from events import chain
from events.audit import LONGEST_DECISION, MOST_FACTS, Report, audit
from events.records import Seal, hash_of_footer, parse_lines, split_lines
from events.seals import Signer
from games.kernel import (
    Clock,
    One,
    Seats,
    Step,
    answer,
    commitment_to,
    concede,
    create,
    credit_time,
    next_alarm,
    open_seed,
    questions,
    ring,
    take_seat,
)
from games.rulebooks import RULEBOOKS
from games.six_nimmt import SIX_NIMMT
from tests.events.recorded import Kept, golden, kept

SIGNER = Signer(bytes(range(32)))
MUTATIONS = 1000
Edit = Callable[[list[dict[str, Any]]], object]


def audited(record: Sequence[bytes], keys: set[str] | None = None) -> Report:
    return audit(split_lines([b"".join(record)]), RULEBOOKS, keys)


def outcomes(report: Report) -> dict[str, str]:
    return {check.name: check.outcome for check in report.checks}


@cache
def shortest() -> Kept:
    """A game of two seats that both contributed to the seed, in which one soon gives up: few and short lines."""
    steps = [create(SIX_NIMMT, Seats(2), {}, Clock(), "the server's seed", 1_700_000_000_000)]
    now = 1_700_000_000_000

    def do(command: Callable[..., Step], *args: Any, **more: Any) -> None:
        steps.append(command(SIX_NIMMT, steps[-1].game, *args, **more))

    do(take_seat, None, "reference of Ana", now + 1000, commitment=commitment_to("Ana's part"))
    do(take_seat, None, "reference of Ben", now + 2000, commitment=commitment_to("Ben's part"))
    do(open_seed, 0, "Ana's part", now + 3000)
    do(open_seed, 1, "Ben's part", now + 4000)
    for _ in range(4):
        asked = questions(SIX_NIMMT, steps[-1].game)[0]
        offer = asked.asks.offers[0]
        args = {name: field.options[0] for name, field in offer.fields.items() if isinstance(field, One)}
        do(answer, asked.seat, asked.choice, offer.move, args, now + 5000)
    do(credit_time, 250, now + 5500)
    do(concede, 1, now + 6000)
    return kept("0123456789abcdef", SIX_NIMMT, [SIX_NIMMT.encode(step.decision) for step in steps])


def forged(game: Kept, edit: Edit) -> list[bytes]:
    """Change decisions, and then make chain, header and footer anew, as whoever forges a record would."""
    decisions = [msgspec.json.decode(entry.decision) for entry in game.entries]
    edit(decisions)
    header, *_, footer = parse_lines(split_lines([b"".join(game.record())]))
    head = chain.first(game.game)
    lines = [b'{"header":%s,"h":"%s"}\n' % (header.content, header.hash.encode())]
    for decision in decisions:
        content = msgspec.json.encode(decision)
        head = chain.link(head, content)
        lines.append(b'{"d":%s,"h":"%s"}\n' % (content, head.encode()))
    told = msgspec.json.decode(footer.content) | {"decisions": len(decisions), "head": head}
    content = msgspec.json.encode(told)
    seal = hash_of_footer(header.hash, head, content).encode()
    return [*lines, b'{"footer":%s,"h":"%s"}\n' % (content, seal)]


def fact(decisions: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    return next(each for decision in decisions for each in decision["facts"] if each["type"] == kind)


@pytest.mark.parametrize("game", golden(), ids=lambda game: f"{game.rulebook.id}-{len(game.entries)}")
def test_every_golden_game_is_valid_and_each_of_its_decisions_is_made_again(game: Kept):
    report = audited(game.record(SIGNER.sign))
    assert report.failure is None
    assert report.valid
    assert outcomes(report) == dict.fromkeys(
        ["form", "chain", "commitments", "answers", "draws", "result", "seal"], "passed"
    )
    assert (report.game, report.decisions, report.key) == (game.game, len(game.entries), SIGNER.key)


def test_a_game_with_parts_of_the_seed_credited_time_and_a_seat_that_gave_up_is_valid():
    report = audited(shortest().record())
    assert report.failure is None
    assert outcomes(report)["seal"] == "not made"
    assert "VALID: game 0123456789abcdef of six-nimmt, edition 1, 11 decisions" in report.text()


def test_what_the_clock_decided_is_decided_again():
    steps = [create(SIX_NIMMT, Seats(2), {}, Clock(seconds_per_choice=1), "clockwork", 0)]
    for seat in range(2):
        steps.append(take_seat(SIX_NIMMT, steps[-1].game, seat, f"person {seat}", 0))
    while steps[-1].game.lobby.status == "running":
        step = ring(SIX_NIMMT, steps[-1].game, next_alarm(steps[-1].game) or 0)
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


def lay_another_card(decisions: list[dict[str, Any]]) -> None:
    decisions[5]["args"]["card"] = next(
        card for card in fact(decisions, "hand_dealt")["cards"] if card != decisions[5]["args"]["card"]
    )


def deal_another_hand(decisions: list[dict[str, Any]]) -> None:
    cards = fact(decisions, "hand_dealt")["cards"]
    cards[0] = next(card for card in range(1, 105) if card not in cards)


def win_by_decree(decisions: list[dict[str, Any]]) -> None:
    fact(decisions, "finished")["places"] = [2, 1]


MANY_FACTS = [{"type": "pause_asked", "seat": 0}] * (MOST_FACTS + 1)
LONG_TEXT = "x" * LONGEST_DECISION

FORGERIES: dict[str, tuple[Edit, int, str]] = {
    "a card that was not chosen": (lay_another_card, 6, "answers"),
    "a hand that was not dealt": (deal_another_hand, 5, "draws"),
    "a card that is in no hand": (lambda decisions: decisions[5]["args"].update(card=999), 6, "answers"),
    "a move that is not offered": (lambda decisions: decisions[5].update(move="take_a_seat"), 6, "answers"),
    "an answer by another seat": (lambda decisions: decisions[5].update(by=1), 6, "answers"),
    "an answer to another choice": (lambda decisions: decisions[5].update(choice=99), 6, "answers"),
    "a command that there is not": (lambda decisions: decisions[1].update(move="sit"), 2, "answers"),
    "another result": (win_by_decree, 11, "answers"),
    "a decision left out": (lambda decisions: decisions.pop(7), 8, "form"),
    "a decision twice": (lambda decisions: decisions.insert(7, decisions[7]), 9, "form"),
    "another seed of the server": (lambda decisions: fact(decisions, "created").update(seed="x"), 1, "commitments"),
    "another seed of the game": (lambda decisions: fact(decisions, "started").update(seed="x"), 5, "commitments"),
    "another part of a seat": (lambda decisions: fact(decisions, "seed_opened").update(part="x"), 4, "commitments"),
    "an edition of its own": (lambda decisions: fact(decisions, "created").update(edition=7), 1, "form"),
    "a billion seats": (lambda decisions: fact(decisions, "created").update(seats=10**9), 1, "form"),
    "a time of 300 digits": (lambda decisions: decisions[3].update(at=10**300), 4, "form"),
    "a clock that never ends": (lambda decisions: fact(decisions, "created")["clock"].update(factor=1e308), 1, "form"),
    "a flow of its own": (lambda decisions: decisions[4].update(flow=[]), 5, "answers"),
    "a fact that nobody knows": (lambda decisions: decisions[4]["facts"].append({"type": "won"}), 5, "form"),
    "a seat that is not there": (lambda decisions: fact(decisions, "seat_taken").update(seat=-1), 2, "form"),
    "more facts than a decision has": (lambda decisions: decisions[4].update(facts=MANY_FACTS), 5, "form"),
    "a longer answer than there is": (lambda decisions: decisions[5]["args"].update(card=LONG_TEXT), 6, "form"),
    "no facts": (lambda decisions: decisions[1].update(facts=[]), 2, "answers"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_with_a_chain_of_its_own_is_found_at_its_first_decision(name: str):
    edit, decision, check = FORGERIES[name]
    report = audited(forged(shortest(), edit))
    assert report.failure is not None
    assert (report.failure.decision, report.failure.check) == (decision, check), report.failure
    assert f"fails at line {decision + 1}, decision {decision}" in report.text()


def test_a_forgery_that_changes_nothing_is_the_record_itself():
    assert forged(shortest(), lambda decisions: None) == shortest().record()


def of_another_edition(game: Kept, edit: Edit = lambda decisions: None) -> list[bytes]:
    """The record of a game as a server of other rules would have written it, after an edit."""

    def as_of_old(decisions: list[dict[str, Any]]) -> None:
        fact(decisions, "created")["edition"] = 0
        edit(decisions)

    record = forged(game, as_of_old)
    return rebuilt(record, msgspec.json.decode(record[0])["header"] | {"edition": 0})


def test_under_another_edition_seats_seeds_and_result_are_followed_and_nothing_is_decided_again():
    report = audited(of_another_edition(shortest()))
    assert report.failure is None
    assert outcomes(report) == {
        "form": "passed",
        "chain": "passed",
        "commitments": "passed",
        "answers": "not made",
        "draws": "not made",
        "result": "passed",
        "seal": "not made",
    }


def test_under_another_edition_no_table_is_laid(monkeypatch: pytest.MonkeyPatch):
    """A forged fact could make it so large, or take so long, that it stops everything else."""

    def must_not_be_asked(*asked: object) -> None:
        raise AssertionError(asked)

    record = of_another_edition(shortest())
    monkeypatch.setattr(SIX_NIMMT, "evolve", must_not_be_asked)
    monkeypatch.setattr(SIX_NIMMT, "_set_up", must_not_be_asked)
    assert audited(record).failure is None


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(FORGERIES[name][0], id=name)
        for name in (
            "another seed of the server",
            "another seed of the game",
            "another part of a seat",
            "a seat that is not there",
            "more facts than a decision has",
            "a longer answer than there is",
        )
    ],
)
def test_what_is_the_same_for_every_edition_is_found_in_a_forgery_of_another(edit: Edit):
    report = audited(of_another_edition(shortest(), edit))
    assert report.failure is not None
    assert report.failure.check in ("commitments", "form")


def test_under_another_edition_another_result_is_found():
    report = audited(of_another_edition(shortest(), win_by_decree))
    assert report.failure is not None
    assert report.failure.reason == "the footer does not say what the decisions say"


@pytest.mark.parametrize("game", golden(), ids=lambda game: f"{game.rulebook.id}-{len(game.entries)}")
def test_no_decision_of_a_real_game_comes_near_the_most_that_an_audit_takes(game: Kept):
    assert max(len(entry.decision) for entry in game.entries) < LONGEST_DECISION / 5
    assert max(len(msgspec.json.decode(entry.decision)["facts"]) for entry in game.entries) < MOST_FACTS / 5


def rebuilt(record: list[bytes], header: dict[str, Any] | None = None, **footer: Any) -> list[bytes]:
    """Put another header or footer on a record, with hashes that fit."""
    head = msgspec.json.decode(record[-2])["h"]
    first = msgspec.json.encode(msgspec.json.decode(record[0])["header"] if header is None else header)
    last = msgspec.json.encode(msgspec.json.decode(record[-1])["footer"] | footer)
    hashed = sha256(first).hexdigest()
    seal = hash_of_footer(hashed, head, last).encode()
    return [
        b'{"header":%s,"h":"%s"}\n' % (first, hashed.encode()),
        *record[1:-1],
        b'{"footer":%s,"h":"%s"}\n' % (last, seal),
    ]


def test_a_header_or_footer_that_says_something_else_than_the_decisions_is_found():
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
def test_hostile_lines_with_right_hashes_are_refused_and_break_nothing(content: bytes, place: str):
    content = content if content.startswith(b"{") else b'{"x":' + content + b"}"
    record = shortest().record()
    if place == "header":
        record[0] = b'{"header":%s,"h":"%s"}\n' % (content, sha256(content).hexdigest().encode())
    elif place == "decision":
        head = chain.link(shortest().entries[2].hash, content)
        record[4] = b'{"d":%s,"h":"%s"}\n' % (content, head.encode())
    else:
        header, head = msgspec.json.decode(record[0])["h"], shortest().entries[-1].hash
        record[-1] = b'{"footer":%s,"h":"%s"}\n' % (content, hash_of_footer(header, head, content).encode())
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
