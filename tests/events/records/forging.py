"""Records that were changed on purpose, with hashes that fit, and what an audit says of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec

from events.records.audit import MAX_DECISION_BYTES, MAX_FACTS, Report, audit
from events.records.record import hash_footer, parse_lines, split_lines
from events.records.signatures import Signer
from events.store import chain
from games.kernel import (
    Clock,
    GameSetup,
    OneOf,
    Transition,
    answer,
    compensate_downtime,
    concede,
    create,
    pending_choices,
    reveal_seed,
    seed_commitment,
    take_seat,
)
from games.rulebooks import RULEBOOKS
from games.six_nimmt import SIX_NIMMT
from tests.events.records.recorded import Kept, kept

SIGNER = Signer(bytes(range(32)))
Edit = Callable[[list[dict[str, Any]]], object]


def audited(record: Sequence[bytes], keys: set[str] | None = None) -> Report:
    return audit(split_lines([b"".join(record)]), RULEBOOKS, keys)


def outcomes(report: Report) -> dict[str, str]:
    return {check.name: check.outcome for check in report.checks}


@cache
def shortest() -> Kept:
    """A game of two seats that both contributed to the seed, in which one soon gives up: few and short lines."""
    steps = [create(SIX_NIMMT, GameSetup(2), {}, Clock(), "the server's seed", 1_700_000_000_000)]
    now = 1_700_000_000_000

    def do(command: Callable[..., Transition], *args: Any, **more: Any) -> None:
        steps.append(command(SIX_NIMMT, steps[-1].game, *args, **more))

    do(take_seat, None, "reference of Ana", now + 1000, commitment=seed_commitment("Ana's part"))
    do(take_seat, None, "reference of Ben", now + 2000, commitment=seed_commitment("Ben's part"))
    do(reveal_seed, 0, "Ana's part", now + 3000)
    do(reveal_seed, 1, "Ben's part", now + 4000)
    for _ in range(4):
        asked = pending_choices(SIX_NIMMT, steps[-1].game)[0]
        offer = asked.choice.offers[0]
        args = {name: field.options[0] for name, field in offer.fields.items() if isinstance(field, OneOf)}
        do(answer, asked.seat, asked.id, offer.move, args, now + 5000)
    do(compensate_downtime, 250, now + 5500)
    do(concede, 1, now + 6000)
    return kept("0123456789abcdef", SIX_NIMMT, [SIX_NIMMT.encode(step.decision) for step in steps])


def forged(game: Kept, edit: Edit) -> list[bytes]:
    """Change decisions, and then make chain, header and footer anew, as whoever forges a record would."""
    decisions = [msgspec.json.decode(entry.decision) for entry in game.entries]
    edit(decisions)
    header, *_, footer = parse_lines(split_lines([b"".join(game.record())]))
    head = chain.genesis_hash(game.game)
    lines = [b'{"header":%s,"h":"%s"}\n' % (header.content, header.hash.encode())]
    for decision in decisions:
        content = msgspec.json.encode(decision)
        head = chain.next_hash(head, content)
        lines.append(b'{"d":%s,"h":"%s"}\n' % (content, head.encode()))
    told = msgspec.json.decode(footer.content) | {"decisions": len(decisions), "head": head}
    content = msgspec.json.encode(told)
    seal = hash_footer(header.hash, head, content).encode()
    return [*lines, b'{"footer":%s,"h":"%s"}\n' % (content, seal)]


def fact(decisions: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    return next(each for decision in decisions for each in decision["facts"] if each["type"] == kind)


def rebuilt(record: list[bytes], header: dict[str, Any] | None = None, **footer: Any) -> list[bytes]:
    """Put another header or footer on a record, with hashes that fit."""
    head = msgspec.json.decode(record[-2])["h"]
    first = msgspec.json.encode(msgspec.json.decode(record[0])["header"] if header is None else header)
    last = msgspec.json.encode(msgspec.json.decode(record[-1])["footer"] | footer)
    hashed = sha256(first).hexdigest()
    seal = hash_footer(hashed, head, last).encode()
    return [
        b'{"header":%s,"h":"%s"}\n' % (first, hashed.encode()),
        *record[1:-1],
        b'{"footer":%s,"h":"%s"}\n' % (last, seal),
    ]


def of_another_edition(game: Kept, edit: Edit = lambda decisions: None) -> list[bytes]:
    """The record of a game as a server of other rules would have written it, after an edit."""

    def as_of_old(decisions: list[dict[str, Any]]) -> None:
        fact(decisions, "created")["edition"] = 0
        edit(decisions)

    record = forged(game, as_of_old)
    return rebuilt(record, msgspec.json.decode(record[0])["header"] | {"edition": 0})


def lay_another_card(decisions: list[dict[str, Any]]) -> None:
    decisions[5]["args"]["card"] = next(
        card for card in fact(decisions, "hand_dealt")["cards"] if card != decisions[5]["args"]["card"]
    )


def deal_another_hand(decisions: list[dict[str, Any]]) -> None:
    cards = fact(decisions, "hand_dealt")["cards"]
    cards[0] = next(card for card in range(1, 105) if card not in cards)


def win_by_decree(decisions: list[dict[str, Any]]) -> None:
    fact(decisions, "finished")["places"] = [2, 1]


MANY_FACTS = [{"type": "pause_requested", "seat": 0}] * (MAX_FACTS + 1)
LONG_TEXT = "x" * MAX_DECISION_BYTES

FORGERIES: dict[str, tuple[Edit, int, str]] = {
    "a card that was not chosen": (lay_another_card, 6, "answers"),
    "a hand that was not dealt": (deal_another_hand, 5, "draws"),
    "a card that is in no hand": (lambda decisions: decisions[5]["args"].update(card=999), 6, "answers"),
    "a move that is not offered": (lambda decisions: decisions[5].update(move="take_seat"), 6, "answers"),
    "an answer by another seat": (lambda decisions: decisions[5].update(by=1), 6, "answers"),
    "an answer to another choice": (lambda decisions: decisions[5].update(choice=99), 6, "answers"),
    "a command that there is not": (lambda decisions: decisions[1].update(move="sit"), 2, "answers"),
    "another result": (win_by_decree, 11, "answers"),
    "a decision left out": (lambda decisions: decisions.pop(7), 8, "form"),
    "a decision twice": (lambda decisions: decisions.insert(7, decisions[7]), 9, "form"),
    "another seed of the server": (lambda decisions: fact(decisions, "created").update(seed="x"), 1, "commitments"),
    "another seed of the game": (lambda decisions: fact(decisions, "started").update(seed="x"), 5, "commitments"),
    "another part of a seat": (lambda decisions: fact(decisions, "seed_revealed").update(part="x"), 4, "commitments"),
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
