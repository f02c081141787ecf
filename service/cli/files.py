"""Reading records from files, line by line, plain or compressed with zstandard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from events.records.record import decompress, split_lines

CHUNK_BYTES = 64 * 1024
ZSTANDARD_MAGIC = b"\x28\xb5\x2f\xfd"
"""The first bytes of every file that is compressed with zstandard."""


class ByteCounter:
    """A file that reports how many bytes are read from it."""

    def __init__(self, file: BinaryIO, on_read: Callable[[int], None]) -> None:
        self._file = file
        self._on_read = on_read

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most `size`; empty at the end."""
        chunk = self._file.read(size)
        self._on_read(len(chunk))
        return chunk


def read_lines(path: Path, on_read: Callable[[int], None] = lambda size: None) -> Iterator[bytes]:
    """Yield the lines of a file, without their line feeds. `on_read` is called with the size of each chunk.

    Raises `InvalidRecord` and OSError.
    """
    with path.open("rb") as file:
        counter = ByteCounter(file, on_read)
        is_compressed = file.peek(len(ZSTANDARD_MAGIC)).startswith(ZSTANDARD_MAGIC)
        yield from decompress(counter) if is_compressed else split_lines(iter(lambda: counter.read(CHUNK_BYTES), b""))
