"""What the tests of the service share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.service.launched import Launch, launching


@pytest.fixture
def launched() -> Iterator[Launch]:
    """Starts a command on a data folder in `folder`, with more environment; whatever it leaves is killed."""
    with launching() as launch:
        yield launch
