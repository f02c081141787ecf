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
from games.kernel.sessions.decisions import Game
from games.kernel.sessions.session import Result, Session

FORMAT: Literal["croupier-record/1"] = "croupier-record/1"
MAX_LINE_BYTES = 1 << 20
"""The most bytes that a line of a record may have."""

MAX_REASON_LENGTH = 400

MAX_UNPACKED_BYTES = 1 << 28
"""The most bytes that a compressed record may hold once decompressed."""

LEVEL = 19
"""The compression level of zstandard: high, for a record is compressed once and stored for good."""


class StrictStruct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of headers, footers and their parts: unknown fields are refused."""


class RecordedSeat(StrictStruct, frozen=True):
    help = """A seat when the game ended: who sat there, the bot that played it, and its commitment to a part of
    the seed."""

    person: str | None
    bot: str | None
    commitment: str | None


class Header(StrictStruct, frozen=True):
    help = """The first line: the game, its seats, and the commitments to the seed. `root` is h(0) of the chain."""

    format: Literal["croupier-record/1"]
    game: Annotated[str, msgspec.Meta(pattern="^[0-9a-z]{16}$", max_length=16)]
    rulebook: str
    edition: int
    options: dict[str, Any]
    seats: tuple[RecordedSeat, ...]
    commitment: str
    root: str


class RevealedSeed(StrictStruct, frozen=True):
    help = """The seeds behind the commitments. `game` is the seed of all chance; None when the game never began."""

    server: str
    parts: tuple[str | None, ...]
    game: str | None


class GameEnd(StrictStruct, frozen=True):
    help = """How the game ended: one entry a seat."""

    points: tuple[int, ...]
    places: tuple[int, ...]


class Footer(StrictStruct, frozen=True):
    help = """The last line: how many decisions there are, how the game ended, the revealed seed, and the last hash."""

    decisions: int
    status: Literal["finished", "closed"]
    result: GameEnd | None
    seed: RevealedSeed
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


class InvalidRecord(Exception):
    """These lines are not a record, or were altered. `line` counts from 1; `decision`, if it is one, its number."""

    def __init__(self, line: int, reason: str, check: str = "form", decision: int | None = None) -> None:
        if len(reason) > MAX_REASON_LENGTH:
            reason = f"{reason[:MAX_REASON_LENGTH]}…"  # it may repeat what a forger wrote
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason
        self.check = check
        self.decision = decision


class GameNotFinished(Exception):
    """The game is not over: a record of it would reveal its secrets."""


class Reader(Protocol):
    """Something to read bytes from in pieces, such as a file."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most `size`; none at the end."""


# --- writing ------------------------------------------------------------------------------------------------


def write_record(
    game: str, state: Game[Any, Any], entries: Iterable[Entry], sign: Sign = lambda footer: None
) -> Iterator[bytes]:
    """Return the lines of the record of a game that is over, each with its line feed.

    `state` is the game after its last decision, `entries` its whole log. Raises `GameNotFinished`, and ValueError when
    the entries do not end with the last decision.
    """
    if not state.session.is_over:
        raise GameNotFinished(game)
    return _json_line(game, state, entries, sign)


def _json_line(game: str, state: Game[Any, Any], entries: Iterable[Entry], sign: Sign) -> Iterator[bytes]:
    header = msgspec.json.encode(build_header(game, state.session))
    header_hash = sha256(header).hexdigest()
    yield b'{"header":%s,"h":"%s"}\n' % (header, header_hash.encode())
    last = Entry(0, b"", chain.genesis_hash(game))
    for last in entries:
        yield b'{"d":%s,"h":"%s"}\n' % (last.decision, last.hash.encode())
    if last.number != state.number:
        raise ValueError(f"the log of game {game} ends with decision {last.number}, not {state.number}")
    footer = msgspec.json.encode(build_footer(state, last.hash))
    footer_hash = hash_footer(header_hash, last.hash, footer)
    seal = sign(footer_hash)
    yield b'{"footer":%s,"h":"%s"%s}\n' % (footer, footer_hash.encode(), _seal_line(seal))


def _seal_line(seal: Seal | None) -> bytes:
    return b"" if seal is None else b',"key":"%s","signature":"%s"' % (seal.key.encode(), seal.signature.encode())


def build_header(game: str, session: Session) -> Header:
    """Return the header of the record of a game, from its session at the end."""
    created = session.created
    return Header(
        format=FORMAT,
        game=game,
        rulebook=created.rulebook,
        edition=created.edition,
        options=created.options,
        seats=tuple(RecordedSeat(seat_info.person, seat_info.bot, seat_info.commitment) for seat_info in session.seats),
        commitment=created.commitment,
        root=chain.genesis_hash(game),
    )


def build_footer(state: Game[Any, Any], head: str) -> Footer:
    """Return the footer of the record of a game, from its final state and the hash of its last decision."""
    session = state.session
    parts = tuple(seat_info.part for seat_info in session.seats)
    return Footer(
        decisions=state.number,
        status="finished" if session.status == "finished" else "closed",
        result=_game_end(session.result),
        seed=RevealedSeed(session.created.seed, parts, session.seed or None),
        head=head,
    )


def _game_end(result: Result | None) -> GameEnd | None:
    return None if result is None else GameEnd(result.points, result.places)


def hash_footer(header_hash: str, head: str, footer: bytes) -> str:
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

    Raises `InvalidRecord` for a line that is too long, or does not end.
    """
    rest, number = b"", 0
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            number += 1
            yield line
        if len(rest) > MAX_LINE_BYTES:
            raise InvalidRecord(number + 1, f"it is longer than {MAX_LINE_BYTES} bytes")
    if rest:
        raise InvalidRecord(number + 1, "it does not end with a line feed")


def parse_lines(lines: Iterable[bytes]) -> Iterator[Line]:
    """Read the lines of a record one by one, and check their form and the chain of their hashes.

    Raises `InvalidRecord` at the first that is missing, out of place, changed or superfluous.
    """
    game = head = header_hash = ""
    number, place = -1, "before"  # number: of the last decision; -1 before the header
    for at, line in enumerate(lines, 1):
        if len(line) > MAX_LINE_BYTES:
            raise InvalidRecord(at, f"it is longer than {MAX_LINE_BYTES} bytes")
        if place == "after":
            raise InvalidRecord(at, "it comes after the footer, which is the last")
        if place == "before":
            parsed = _match_line(_HEADER, line, at, "a header")
            if sha256(parsed.content).hexdigest() != parsed.hash:
                raise InvalidRecord(at, "the header does not match its hash", "chain")
            header_hash = parsed.hash
            game = parse_header(parsed.content).game
            head, number, place = chain.genesis_hash(game), 0, "log"
        elif line.startswith(b'{"footer":'):
            parsed = _match_line(_FOOTER, line, at, "a footer")
            if hash_footer(header_hash, head, parsed.content) != parsed.hash:
                raise InvalidRecord(at, "the footer does not match its hash", "chain")
            place = "after"
        else:
            number += 1
            parsed = _match_line(_DECISION, line, at, "a decision", number)
            head = chain.next_hash(head, parsed.content)
            if head != parsed.hash:
                raise InvalidRecord(at, f"decision {number} does not match its hash", "chain", number)
        yield parsed
    if place != "after":
        raise InvalidRecord(number + 2, "the record ends without " + ("a footer" if number >= 0 else "a header"))


def _match_line(form: re.Pattern[bytes], line: bytes, at: int, what: str, decision: int | None = None) -> Line:
    match = form.fullmatch(line)
    if match is None:
        raise InvalidRecord(at, f"it has not the form of {what}", "form", decision)
    content, claimed, *seal = match.groups()
    kind: Any = what.split(" ")[1]
    sealed = Seal(seal[0].decode(), seal[1].decode()) if seal and seal[0] else None
    return Line(kind, content, claimed.decode(), sealed)


def parse_header(content: bytes) -> Header:
    """Read the bytes of a header. Raises `InvalidRecord`."""
    try:
        return _read_header(content)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise InvalidRecord(1, f"the header cannot be read: {error}") from None


def parse_footer(content: bytes, line: int) -> Footer:
    """Read the bytes of a footer; `line` is its number, for the error. Raises `InvalidRecord`."""
    try:
        return _read_footer(content)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise InvalidRecord(line, f"the footer cannot be read: {error}") from None


def read_record(lines: Iterable[bytes]) -> Record:
    """Read a whole record, from lines with or without line feeds. Checks only form and chain.

    Raises `InvalidRecord`.
    """
    header, footer = Line("header", b"", ""), Line("footer", b"", "")
    entries: list[Entry] = []
    for parsed in parse_lines(line.removesuffix(b"\n") for line in lines):
        if parsed.kind == "decision":
            entries.append(Entry(len(entries) + 1, parsed.content, parsed.hash))
        elif parsed.kind == "header":
            header = parsed
        else:
            footer = parsed
    last = parse_footer(footer.content, len(entries) + 2)
    return Record(parse_header(header.content), entries, last, footer.hash, footer.seal)


# --- compressed ---------------------------------------------------------------------------------------------


def compress(lines: Iterable[bytes]) -> bytes:
    """Return a compressed record: its lines in one frame of zstandard."""
    return zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(b"".join(lines))


def decompress(compressed: bytes | Reader) -> Iterator[bytes]:
    """Return the lines of a compressed record, without their line feeds. Raises `InvalidRecord`."""
    return split_lines(_chunks(compressed))


def _chunks(compressed: bytes | Reader) -> Iterator[bytes]:
    size = 0
    try:
        for piece in zstandard.ZstdDecompressor().read_to_iter(cast("Any", compressed)):
            size += len(piece)
            if size > MAX_UNPACKED_BYTES:
                raise InvalidRecord(1, f"it holds more than {MAX_UNPACKED_BYTES} bytes")
            yield piece
    except zstandard.ZstdError as error:
        raise InvalidRecord(1, f"it cannot be decompressed: {error}") from None
