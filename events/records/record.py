"""Records: the whole log of a game that is over, as lines that anybody can verify; see `docs/record-format.md`.

A record is a header line, a line for each decision, and a footer line. Every line carries its own bytes and their hash:
what is hashed is what is written. `write_record` makes the lines, `read_record` reads them back and checks form and
chain; what the decisions mean is for `events.records.audit` to check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import Annotated, Any, Literal, NamedTuple, Protocol, cast

import msgspec
import zstandard

from events.store import chain
from events.store.log_store import Entry
from games.kernel.decisions import Game
from games.kernel.session import Lobby, Result

FORMAT: Literal["croupier-record/1"] = "croupier-record/1"
LONGEST_LINE = 1 << 20
"""The most bytes that a line of a record may have."""

LONGEST_REASON = 400

LARGEST_UNPACKED = 1 << 28
"""The most bytes that a compressed record may hold once decompressed."""

LEVEL = 19
"""The compression level of zstandard: high, for a record is compressed once and kept for good."""


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of headers, footers and their parts: unknown fields are refused."""


class RecordedSeat(Strict, frozen=True):
    """A seat when the game ended: who sat there, the bot that played it, and its commitment to a part of the seed."""

    person: str | None
    bot: str | None
    commitment: str | None


class Header(Strict, frozen=True):
    """The first line: what was played, by whom, and what was committed to. `root` is h(0) of the chain."""

    format: Literal["croupier-record/1"]
    game: Annotated[str, msgspec.Meta(pattern="^[0-9a-z]{16}$", max_length=16)]
    rulebook: str
    edition: int
    options: dict[str, Any]
    seats: tuple[RecordedSeat, ...]
    commitment: str
    root: str


class OpenedSeed(Strict, frozen=True):
    """What the commitments are opened by. `game` is the seed of all chance; None when the game never began."""

    server: str
    parts: tuple[str | None, ...]
    game: str | None


class Ended(Strict, frozen=True):
    """How the game ended: one entry a seat."""

    points: tuple[int, ...]
    places: tuple[int, ...]


class Footer(Strict, frozen=True):
    """The last line: how many decisions there are, how the game ended, the opened seed, and the last hash."""

    decisions: int
    status: Literal["finished", "closed"]
    result: Ended | None
    seed: OpenedSeed
    head: str


class Seal(NamedTuple):
    """A signature (Ed25519, 128 hexadecimal digits) of a record, and the public key (64) that it is verified with."""

    key: str
    signature: str


Sign = Callable[[str], Seal | None]
"""Returns the seal over the :func:`signed_text` of a footer's hash, or None to leave the record unsigned."""


class Line(NamedTuple):
    """One line of a record: its own bytes, as they are hashed, and their hash. Only a footer may have a seal."""

    kind: Literal["header", "decision", "footer"]
    content: bytes
    hash: str
    seal: Seal | None = None


class Record(NamedTuple):
    """A whole record, its form and chain checked. `footer_hash` is what the seal signs."""

    header: Header
    entries: list[Entry]
    footer: Footer
    footer_hash: str
    seal: Seal | None


class NotARecord(Exception):
    """These lines are not a record, or were altered. `line` counts from 1; `decision`, if it is one, its number."""

    def __init__(self, line: int, reason: str, check: str = "form", decision: int | None = None) -> None:
        if len(reason) > LONGEST_REASON:
            reason = f"{reason[:LONGEST_REASON]}…"  # it may repeat what a forger wrote
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason
        self.check = check
        self.decision = decision


class NotOver(Exception):
    """The game is not over: a record of it would reveal its secrets."""


class Readable(Protocol):
    """Something to read bytes from in pieces, such as a file."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most `size`; none at the end."""


# --- writing ------------------------------------------------------------------------------------------------


def write_record(
    game: str, state: Game[Any, Any], entries: Iterable[Entry], sign: Sign = lambda footer: None
) -> Iterator[bytes]:
    """Return the lines of the record of a game that is over, each with its line feed.

    `state` is the game after its last decision, `entries` its whole log. Raises `NotOver`, and ValueError when the
    entries do not end with the last decision.
    """
    if not state.lobby.is_over:
        raise NotOver(game)
    return _written(game, state, entries, sign)


def _written(game: str, state: Game[Any, Any], entries: Iterable[Entry], sign: Sign) -> Iterator[bytes]:
    header = msgspec.json.encode(header_of(game, state.lobby))
    header_hash = sha256(header).hexdigest()
    yield b'{"header":%s,"h":"%s"}\n' % (header, header_hash.encode())
    last = Entry(0, b"", chain.first(game))
    for last in entries:
        yield b'{"d":%s,"h":"%s"}\n' % (last.decision, last.hash.encode())
    if last.number != state.number:
        raise ValueError(f"the log of game {game} ends with decision {last.number}, not {state.number}")
    footer = msgspec.json.encode(footer_of(state, last.hash))
    footer_hash = hash_of_footer(header_hash, last.hash, footer)
    seal = sign(footer_hash)
    yield b'{"footer":%s,"h":"%s"%s}\n' % (footer, footer_hash.encode(), _seal_written(seal))


def _seal_written(seal: Seal | None) -> bytes:
    return b"" if seal is None else b',"key":"%s","signature":"%s"' % (seal.key.encode(), seal.signature.encode())


def header_of(game: str, lobby: Lobby) -> Header:
    """Return the header of the record of a game, from its lobby at the end."""
    created = lobby.created
    return Header(
        format=FORMAT,
        game=game,
        rulebook=created.rulebook,
        edition=created.edition,
        options=created.options,
        seats=tuple(RecordedSeat(seating.person, seating.bot, seating.commitment) for seating in lobby.seatings),
        commitment=created.commitment,
        root=chain.first(game),
    )


def footer_of(state: Game[Any, Any], head: str) -> Footer:
    """Return the footer of the record of a game, from its final state and the hash of its last decision."""
    lobby = state.lobby
    parts = tuple(seating.part for seating in lobby.seatings)
    return Footer(
        decisions=state.number,
        status="finished" if lobby.status == "finished" else "closed",
        result=_ended(lobby.result),
        seed=OpenedSeed(lobby.created.seed, parts, lobby.seed or None),
        head=head,
    )


def _ended(result: Result | None) -> Ended | None:
    return None if result is None else Ended(result.points, result.places)


def hash_of_footer(header_hash: str, head: str, footer: bytes) -> str:
    """Return the hash of a footer: over the hash of the header, that of the last decision, and the footer's bytes."""
    return sha256(bytes.fromhex(header_hash) + bytes.fromhex(head) + footer).hexdigest()


def signed_text(footer_hash: str) -> bytes:
    """Return the text that a seal signs."""
    return f"{FORMAT} {footer_hash}".encode()


# --- reading ------------------------------------------------------------------------------------------------

_HASH = rb',"h":"([0-9a-f]{64})"'
_SEAL = rb'(?:,"key":"([0-9a-f]{64})","signature":"([0-9a-f]{128})")?'
_HEADER = re.compile(rb'\{"header":(\{.*\})' + _HASH + rb"\}")
_DECISION = re.compile(rb'\{"d":(\{.*\})' + _HASH + rb"\}")
_FOOTER = re.compile(rb'\{"footer":(\{.*\})' + _HASH + _SEAL + rb"\}")

_read_header = msgspec.json.Decoder(Header).decode
_read_footer = msgspec.json.Decoder(Footer).decode


def split_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Split chunks of bytes into lines, without their line feeds. Never holds more than one line and one chunk.

    Raises `NotARecord` for a line that is too long, or does not end.
    """
    rest, number = b"", 0
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            number += 1
            yield line
        if len(rest) > LONGEST_LINE:
            raise NotARecord(number + 1, f"it is longer than {LONGEST_LINE} bytes")
    if rest:
        raise NotARecord(number + 1, "it does not end with a line feed")


def parse_lines(lines: Iterable[bytes]) -> Iterator[Line]:
    """Read the lines of a record one by one, and check their form and the chain of their hashes.

    Raises `NotARecord` at the first that is missing, out of place, changed or superfluous.
    """
    game = head = header_hash = ""
    number, place = -1, "before"  # number: of the last decision; -1 before the header
    for at, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise NotARecord(at, f"it is longer than {LONGEST_LINE} bytes")
        if place == "after":
            raise NotARecord(at, "it comes after the footer, which is the last")
        if place == "before":
            found = _matched(_HEADER, line, at, "a header")
            if sha256(found.content).hexdigest() != found.hash:
                raise NotARecord(at, "the header does not match its hash", "chain")
            header_hash = found.hash
            game = header_from(found.content).game
            head, number, place = chain.first(game), 0, "log"
        elif line.startswith(b'{"footer":'):
            found = _matched(_FOOTER, line, at, "a footer")
            if hash_of_footer(header_hash, head, found.content) != found.hash:
                raise NotARecord(at, "the footer does not match its hash", "chain")
            place = "after"
        else:
            number += 1
            found = _matched(_DECISION, line, at, "a decision", number)
            head = chain.link(head, found.content)
            if head != found.hash:
                raise NotARecord(at, f"decision {number} does not match its hash", "chain", number)
        yield found
    if place != "after":
        raise NotARecord(number + 2, "the record ends without " + ("a footer" if number >= 0 else "a header"))


def _matched(form: re.Pattern[bytes], line: bytes, at: int, what: str, decision: int | None = None) -> Line:
    match = form.fullmatch(line)
    if match is None:
        raise NotARecord(at, f"it has not the form of {what}", "form", decision)
    content, claimed, *seal = match.groups()
    kind: Any = what.split(" ")[1]
    sealed = Seal(seal[0].decode(), seal[1].decode()) if seal and seal[0] else None
    return Line(kind, content, claimed.decode(), sealed)


def header_from(content: bytes) -> Header:
    """Read the bytes of a header. Raises `NotARecord`."""
    try:
        return _read_header(content)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise NotARecord(1, f"the header cannot be read: {error}") from None


def footer_from(content: bytes, line: int) -> Footer:
    """Read the bytes of a footer; `line` is its number, for the error. Raises `NotARecord`."""
    try:
        return _read_footer(content)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise NotARecord(line, f"the footer cannot be read: {error}") from None


def read_record(lines: Iterable[bytes]) -> Record:
    """Read a whole record, from lines with or without line feeds. Checks only form and chain.

    Raises `NotARecord`.
    """
    header, footer = Line("header", b"", ""), Line("footer", b"", "")
    entries: list[Entry] = []
    for found in parse_lines(line.removesuffix(b"\n") for line in lines):
        if found.kind == "decision":
            entries.append(Entry(len(entries) + 1, found.content, found.hash))
        elif found.kind == "header":
            header = found
        else:
            footer = found
    last = footer_from(footer.content, len(entries) + 2)
    return Record(header_from(header.content), entries, last, footer.hash, footer.seal)


# --- compressed ---------------------------------------------------------------------------------------------


def compressed(lines: Iterable[bytes]) -> bytes:
    """Return a compressed record: its lines in one frame of zstandard."""
    return zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(b"".join(lines))


def decompressed(kept: bytes | Readable) -> Iterator[bytes]:
    """Return the lines of a compressed record, without their line feeds. Raises `NotARecord`."""
    return split_lines(_pieces(kept))


def _pieces(kept: bytes | Readable) -> Iterator[bytes]:
    size = 0
    try:
        for piece in zstandard.ZstdDecompressor().read_to_iter(cast("Any", kept)):
            size += len(piece)
            if size > LARGEST_UNPACKED:
                raise NotARecord(1, f"it holds more than {LARGEST_UNPACKED} bytes")
            yield piece
    except zstandard.ZstdError as error:
        raise NotARecord(1, f"it cannot be decompressed: {error}") from None
