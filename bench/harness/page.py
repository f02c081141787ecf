"""The page docs/benchmarks.md: a head, and a block per section, which is rewritten when its section is measured."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.harness import machine

PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"
BLOCK = re.compile(r"<!-- (\w+): written by `make bench` -->\n.*?<!-- end of \1 -->", re.DOTALL)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown; columns after the first are aligned right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def number(value: float) -> str:
    """Format a figure with about three significant digits."""
    if value >= 1000:
        return f"{round(value, -1 if value < 10_000 else -2):,.0f}"
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def block(section: str, text: str) -> str:
    """Return the block of a section, between markers."""
    return f"<!-- {section}: written by `make bench` -->\n{text.strip()}\n<!-- end of {section} -->"


def write(head: str, sections: Sequence[str], measured: dict[str, str], page: Path = PAGE) -> None:
    """Write the page with new blocks for the measured sections, and the existing blocks of all others."""
    blocks = existing_blocks(page) | {section: block(section, text) for section, text in measured.items()}
    parts = [head.strip(), *(blocks[section] for section in sections if section in blocks)]
    page.write_text("\n\n".join(parts) + "\n", "utf-8")


def existing_blocks(page: Path) -> dict[str, str]:
    """Return the blocks of the existing page, by section."""
    if not page.exists():
        return {}
    return {match[1]: match[0] for match in BLOCK.finditer(page.read_text("utf-8"))}


def repeat_with(section: str) -> str:
    """Return a line that says when a section was measured, and how to repeat it."""
    return f"*Measured {machine.moment()}. To repeat: `make bench ARGS={section}`.*"
