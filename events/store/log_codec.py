"""Packing: compresses the log of a finished game as far as possible, and restores it to the byte.

The decisions of one game look alike. Each is split into its shape and its values: the shape is its text, with a mark in
place of every whole number and every hexadecimal string. Each shape is stored once. The numbers at one place in one
shape form a column, stored as they are or as differences from one to the next. Identical columns (such as the card in
the answer and in the fact) are stored once. zstandard does the rest, with a dictionary of what such logs have in
common. Hashes are not stored: they follow from the bytes.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import accumulate

import msgspec
import zstandard

LEVEL = 19
CURRENT_DICTIONARY = 1
"""The dictionary that new logs are packed with; the first byte of a packed log is the number of its dictionary."""

MAX_UNPACKED_BYTES = 1 << 28
"""The most bytes that a packed log may hold once unpacked."""

NUMBER, TEXT = b"\x00", b"\x01"
"""The marks in a shape. Neither occurs in JSON."""

_VALUE_KIND = re.compile(rb'"(?:[0-9a-f]{2}){16,}"|(?<![0-9.eE+-])(?:0|[1-9][0-9]{0,17})(?![0-9.eE])')
_MARK_KIND = re.compile(rb"[\x00\x01]")


class Packed(msgspec.Struct, array_like=True):
    """A packed log: shapes, the shape of each decision, columns of numbers, each place's column, and texts in order."""

    shapes: list[bytes]
    order: bytes
    columns: list[bytes]
    places: bytes
    texts: list[bytes]


def pack(decisions: Iterable[bytes]) -> bytes:
    """Return the packed form of the bytes of decisions, in order."""
    compressor = zstandard.ZstdCompressor(level=LEVEL, dict_data=_dictionary(CURRENT_DICTIONARY))
    return bytes([CURRENT_DICTIONARY]) + compressor.compress(split(decisions))


def split(decisions: Iterable[bytes]) -> bytes:
    """Return the shapes and values of decisions, not compressed yet. Dictionaries are trained on this."""
    shapes: dict[bytes, int] = {}
    order = bytearray()
    columns: dict[tuple[int, int], list[int]] = {}
    texts: list[bytes] = []
    for decision in decisions:
        numbers: list[int] = []

        def mark(match: re.Match[bytes], numbers: list[int] = numbers) -> bytes:
            value = match.group()
            if value.startswith(b'"'):
                texts.append(bytes.fromhex(value[1:-1].decode()))
                return TEXT
            numbers.append(int(value))
            return NUMBER

        shape = shapes.setdefault(_VALUE_KIND.sub(mark, decision), len(shapes))
        _write(order, shape)
        for place, number in enumerate(numbers):
            columns.setdefault((shape, place), []).append(number)
    numbers_of_columns: dict[bytes, int] = {}
    places = bytearray()
    for key in sorted(columns):
        _write(places, numbers_of_columns.setdefault(_column(columns[key]), len(numbers_of_columns)))
    return msgspec.msgpack.encode(Packed(list(shapes), bytes(order), list(numbers_of_columns), bytes(places), texts))


def unpack(packed_log: bytes) -> Iterator[bytes]:
    """Return the bytes of the decisions of a packed log, in order."""
    decompressor = zstandard.ZstdDecompressor(dict_data=_dictionary(packed_log[0]))
    unpacked = decompressor.decompress(packed_log[1:], max_output_size=MAX_UNPACKED_BYTES)
    packed = msgspec.msgpack.decode(unpacked, type=Packed)
    texts = iter(packed.texts)
    columns = _read(packed.places)
    places = [[_numbers(packed.columns[next(columns)]) for _ in range(shape.count(NUMBER))] for shape in packed.shapes]
    for index in _read(packed.order):
        numbers = iter(places[index])

        def value(match: re.Match[bytes], numbers: Iterator[Iterator[int]] = numbers) -> bytes:
            return b'"%s"' % next(texts).hex().encode() if match.group() == TEXT else b"%d" % next(next(numbers))

        yield _MARK_KIND.sub(value, packed.shapes[index])


@cache
def _dictionary(number: int) -> zstandard.ZstdCompressionDict:
    """Return a dictionary, trained by `bench.log_dictionary` on what logs have in common. Files in use must stay."""
    return zstandard.ZstdCompressionDict(files("events.store").joinpath(f"log_codec-{number}.dict").read_bytes())


PLAIN, DIFFERENCES = 0, 1


def _column(numbers: list[int]) -> bytes:
    """Write numbers as they are, or as differences, whichever is shorter once compressed."""
    plain, differences = bytearray([PLAIN]), bytearray([DIFFERENCES])
    before = 0
    for number in numbers:
        _write(plain, number)
        difference = number - before
        _write(differences, difference << 1 if difference >= 0 else (-difference << 1) - 1)
        before = number
    return bytes(min(plain, differences, key=lambda column: len(zlib.compress(column, 9))))


def _numbers(column: bytes) -> Iterator[int]:
    numbers = _read(column[1:])
    return numbers if column[0] == PLAIN else accumulate(_signed(number) for number in numbers)


def _signed(number: int) -> int:
    return number >> 1 if not number & 1 else -((number + 1) >> 1)


def _write(column: bytearray, number: int) -> None:
    """Write a number in groups of seven bits, lowest first; the high bit of each byte says whether more follow."""
    while number > 127:
        column.append(number & 127 | 128)
        number >>= 7
    column.append(number)


def _read(column: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in column:
        number |= (byte & 127) << shift
        if byte & 128:
            shift += 7
        else:
            yield number
            number = shift = 0
