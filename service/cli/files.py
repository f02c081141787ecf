"""Files of records: read line by line, plain or compressed with zstandard, for the commands that take them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from events.records.record import decompress, split_lines

CHUNK_BYTES = 64 * 1024
ZSTANDARD = b"\x28\xb5\x2f\xfd"
"""The first bytes of a file that is compressed with zstandard."""


class ByteCounter:
    """A file that reports how many bytes are read from it."""

    def __init__(self, file: BinaryIO, read: Callable[[int], None]) -> None:
        self._file = file
        self._read = read

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most `size`; none at the end."""
        piece = self._file.read(size)
        self._read(len(piece))
        return piece


def lines_of(path: Path, read: Callable[[int], None] = lambda size: None) -> Iterator[bytes]:
    """Yield the lines of a file, without their line feeds. `read` is called with the size of each piece read.

    Raises `InvalidRecord` and OSError.
    """
    with path.open("rb") as file:
        counted = ByteCounter(file, read)
        is_packed = file.peek(len(ZSTANDARD)).startswith(ZSTANDARD)
        yield from decompress(counted) if is_packed else split_lines(iter(lambda: counted.read(CHUNK_BYTES), b""))
