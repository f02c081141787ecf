"""Examples in the document: requests and responses of a game that was really played.

They are in `service/openapi/example_files/`, named by operation and status (`request` for the body of a request).
Refusals are the same in every operation and are named by problem and status. The tests play that game again and compare
(`make openapi` rewrites them).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from service.http.content_types import EVENT_STREAM, JSON, MARKDOWN, NDJSON, PROBLEM_JSON

EXAMPLES = Path(__file__).parent / "example_files"

KINDS = {
    ".json": JSON,
    ".problem": PROBLEM_JSON,
    ".ndjson": NDJSON,
    ".sse": EVENT_STREAM,
    ".md": MARKDOWN,
}
"""The content type of a file's content, by the suffix of its name."""


@cache
def examples() -> dict[tuple[str, str, str], Any]:
    """Return all examples, by operation or problem, status (or `request`) and content type: JSON values, or text."""
    all_examples: dict[tuple[str, str, str], Any] = {}
    for file in sorted(EXAMPLES.iterdir()):
        operation, _, status = file.stem.partition(".")
        text = file.read_text("utf-8")
        all_examples[operation, status, KINDS[file.suffix]] = (
            json.loads(text) if file.suffix in (".json", ".problem") else text
        )
    return all_examples
