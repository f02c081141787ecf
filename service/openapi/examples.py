"""Examples in the document: requests and answers from a game that was really played.

They are in `service/openapi/example_files/`, named by operation and status (`request` for the body of a request); refusals, which
are the same in every operation, are named by problem and status. The tests play that game again and compare
(`python -m tests.service.recorded` rewrites them).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parent / "example_files"

KINDS = {
    ".json": "application/json",
    ".problem": "application/problem+json",
    ".ndjson": "application/x-ndjson",
    ".sse": "text/event-stream",
    ".md": "text/markdown; charset=utf-8",
}
"""The content type of a file's content, by the suffix of its name."""


@cache
def examples() -> dict[tuple[str, str, str], Any]:
    """Return all examples, by operation or problem, status (or `request`) and content type: JSON values, or text."""
    found: dict[tuple[str, str, str], Any] = {}
    for file in sorted(EXAMPLES.iterdir()):
        operation, _, status = file.stem.partition(".")
        text = file.read_text("utf-8")
        found[operation, status, KINDS[file.suffix]] = (
            json.loads(text) if file.suffix in (".json", ".problem") else text
        )
    return found
