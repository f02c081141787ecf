"""Records are read back as they were written, and nothing else is taken for one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.records.record import (
    MAX_LINE_BYTES,
    GameNotFinished,
    InvalidRecord,
    Seal,
    compress,
    decompress,
    read_record,
    split_lines,
    write_record,
)
from tests.events.records.recorded import Kept, golden


@pytest.fixture(scope="module")
def short() -> Kept:
    return golden()[0]


def test_what_is_written_is_read_back(short: Kept):
    record = read_record(short.record())
    assert record.entries == short.entries
    assert record.header.game == short.game
    assert record.header.rulebook == short.rulebook.id
    assert record.footer.decisions == short.state.number
    assert record.footer.head == short.entries[-1].hash
    assert record.footer.result is not None
    assert short.state.session.result is not None
    assert record.footer.result.places == short.state.session.result.places
    assert record.seal is None


def test_every_line_carries_the_bytes_of_the_log_as_they_are(short: Kept):
    header, *decisions, footer = short.record()
    assert header.startswith(b'{"header":{"format":"croupier-record/1","game":"')
    assert footer.startswith(b'{"footer":{"decisions":')
    for line, entry in zip(decisions, short.entries, strict=True):
        assert line[5:-73] == entry.decision  # {"d":  …  ,"h":"64 digits"} and a line feed
        assert line[:5] == b'{"d":'


def test_a_seal_signs_the_hash_of_the_footer(short: Kept):
    seal = Seal("a" * 64, "b" * 128)
    asked = []

    def sign(footer: str) -> Seal:
        asked.append(footer)
        return seal

    record = read_record(short.record(sign))
    assert record.seal == seal
    assert asked == [record.footer_hash]


def test_a_record_is_kept_compressed_and_comes_back_line_by_line(short: Kept):
    lines = short.record()
    kept = compress(lines)
    assert len(kept) < sum(map(len, lines)) / 3
    assert [line + b"\n" for line in decompress(kept)] == lines


def test_what_is_not_compressed_is_refused():
    with pytest.raises(InvalidRecord, match="cannot be decompressed"):
        list(decompress(b"not zstandard at all"))


def test_a_running_game_has_no_record(short: Kept):
    running = replace(short.state, session=replace(short.state.session, status="running"))
    with pytest.raises(GameNotFinished):
        write_record(short.game, running, short.entries)


def test_a_log_that_ends_early_makes_no_record(short: Kept):
    with pytest.raises(ValueError, match="ends with decision"):
        list(write_record(short.game, short.state, short.entries[:-1]))


def test_lines_are_the_same_whatever_chunks_they_arrive_in(short: Kept):
    whole = b"".join(short.record())
    for size in (1, 7, 4096, len(whole)):
        pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
        assert list(split_lines(pieces)) == whole.splitlines()


def test_an_endless_line_is_refused_before_it_fills_the_memory():
    endless = (b"x" * 65536 for _ in range(10**9))
    with pytest.raises(InvalidRecord, match=f"longer than {MAX_LINE_BYTES} bytes"):
        list(split_lines(endless))


@pytest.mark.parametrize(
    ("change", "line", "reason"),
    [
        (lambda lines: lines[1:], 1, "it has not the form of a header"),
        (lambda lines: [*lines, lines[1]], None, "after the footer"),
        (lambda lines: lines[:-1], None, "the record ends without a footer"),
        (lambda lines: [], 1, "the record ends without a header"),
        (lambda lines: [lines[0], *lines[2:]], 2, "decision 1 does not match its hash"),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], 2, "decision 1 does not match its hash"),
        (lambda lines: [*lines[:3], b"\n", *lines[3:]], 4, "it has not the form of a decision"),
        (lambda lines: [lines[0].replace(b'":', b'": ', 1), *lines[1:]], 1, "it has not the form of a header"),
        (lambda lines: [lines[0].replace(b"\n", b"\r\n"), *lines[1:]], 1, "it has not the form of a header"),
        (lambda lines: [*lines[:-2], lines[-1]], None, "the footer does not match its hash"),
    ],
)
def test_lines_that_are_missing_out_of_place_or_too_many_are_found(short: Kept, change, line, reason):
    with pytest.raises(InvalidRecord, match=reason) as caught:
        read_record(change(short.record()))
    assert line is None or caught.value.line == line
