"""Examples of the document: answers and requests as they were in a game that was really played.

They are in `service/examples/`, named by operation and status, `request` for a body that is sent; a refusal by its
problem and status, as it is the same wherever it is met. The tests play that game again and compare
(`python -m tests.service.recorded` writes them anew).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parent / "examples"

KINDS = {
    ".json": "application/json",
    ".problem": "application/problem+json",
    ".ndjson": "application/x-ndjson",
    ".sse": "text/event-stream",
    ".md": "text/markdown; charset=utf-8",
}
"""By the end of a file's name: the content type of what is in it."""


@cache
def examples() -> dict[tuple[str, str, str], Any]:
    """Give every example by operation or problem, status (or `request`) and content type: a value, or text as sent."""
    found: dict[tuple[str, str, str], Any] = {}
    for file in sorted(EXAMPLES.iterdir()):
        operation, _, status = file.stem.partition(".")
        text = file.read_text("utf-8")
        found[operation, status, KINDS[file.suffix]] = (
            json.loads(text) if file.suffix in (".json", ".problem") else text
        )
    return found
