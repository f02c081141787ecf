"""The hash chain of a game."""

from __future__ import annotations

import hashlib

import pytest

from events.store import chain
from events.store.chain import ChainBroken

GAME = "k7f3"


def a_chain(length: int) -> list[tuple[int, bytes, str]]:
    entries = []
    previous = chain.genesis_hash(GAME)
    for number in range(1, length + 1):
        decision = b'{"number":%d}' % number
        previous = chain.next_hash(previous, decision)
        entries.append((number, decision, previous))
    return entries


def test_the_first_hash_is_that_of_the_id_of_the_game():
    assert chain.genesis_hash(GAME) == hashlib.sha256(b"k7f3").hexdigest()


def test_a_hash_covers_the_raw_digest_before_it_and_then_the_bytes_of_the_decision():
    digest = hashlib.sha256(b"k7f3").digest()
    assert chain.next_hash(digest.hex(), b"abc") == hashlib.sha256(digest + b"abc").hexdigest()


def test_a_known_chain_keeps_its_hashes():
    """Written down once: a stored game must verify with every later version."""
    assert [entry[2] for entry in a_chain(2)] == [
        "0772450c7b103e3c9d4c7f71c0477f31efde758ecbe14c19119aaa9329237298",
        "b773124fdbea66efdd65a2631e37d1ca17abd24d8c5b7d8b24dff831ad69e0a9",
    ]


def test_a_whole_chain_verifies_and_gives_its_last_hash():
    entries = a_chain(5)
    assert chain.verify(GAME, entries) == entries[-1][2]


def test_an_empty_chain_ends_with_its_first_hash():
    assert chain.verify(GAME, []) == chain.genesis_hash(GAME)


@pytest.mark.parametrize("number", [1, 3, 5])
def test_a_changed_decision_is_found(number):
    entries = a_chain(5)
    _, decision, its_hash = entries[number - 1]
    entries[number - 1] = (number, decision + b" ", its_hash)
    assert broken_at(entries) == number


@pytest.mark.parametrize("number", [1, 3])
def test_a_changed_decision_is_found_even_when_its_own_hash_was_made_to_fit(number):
    entries = a_chain(5)
    before = entries[number - 2][2] if number > 1 else chain.genesis_hash(GAME)
    entries[number - 1] = (number, b"other", chain.next_hash(before, b"other"))
    assert broken_at(entries) == number + 1


@pytest.mark.parametrize("number", [1, 3, 4])
def test_a_removed_decision_is_found(number):
    entries = a_chain(5)
    del entries[number - 1]
    assert broken_at(entries) == number


@pytest.mark.parametrize("number", [1, 3])
def test_a_removed_decision_is_found_when_the_rest_was_renumbered(number):
    entries = a_chain(5)
    del entries[number - 1]
    anew = [(place, decision, its_hash) for place, (_, decision, its_hash) in enumerate(entries, 1)]
    assert broken_at(anew) == number


def test_two_swapped_decisions_are_found():
    entries = a_chain(5)
    entries[1], entries[2] = entries[2], entries[1]
    assert broken_at(entries) == 2


def test_two_swapped_decisions_are_found_when_their_numbers_were_swapped_too():
    entries = a_chain(5)
    (_, early, early_hash), (_, late, late_hash) = entries[1:3]
    entries[1:3] = [(2, late, late_hash), (3, early, early_hash)]
    assert broken_at(entries) == 2


def test_a_repeated_decision_is_found():
    entries = a_chain(3)
    assert broken_at([*entries, entries[-1]]) == 4


def test_the_chain_of_another_game_does_not_verify():
    with pytest.raises(ChainBroken) as broken:
        chain.verify("k7f4", a_chain(2))
    assert broken.value.number == 1


def test_a_chain_cut_off_at_its_end_gives_another_last_hash():
    entries = a_chain(5)
    assert chain.verify(GAME, entries[:4]) != entries[-1][2]


def broken_at(entries: list[tuple[int, bytes, str]]) -> int:
    with pytest.raises(ChainBroken) as broken:
        chain.verify(GAME, entries)
    return broken.value.number
