"""The positions of steps in scripts. A game that waits in the middle of an effect stores them as numbers.

When this test fails, restore the order of the steps, or append new ones at the end. Only for new cards, and for scripts
that no stored game can be in, write step_names.txt anew: `python -m tests.games.millennium_blades.cards.test_steps`.
"""

from __future__ import annotations

from pathlib import Path

from games.millennium_blades.cards import SCRIPTS
from games.millennium_blades.catalogue import CHARACTERS, NUMBERS
from games.millennium_blades.scripting.players import ForEachPlayer
from games.millennium_blades.tournament.abilities import ScriptedAbility, Step

FILE = Path(__file__).parent / "step_names.txt"
IDS = {number: card for card, number in NUMBERS.items()} | {who.number: who.id for who in CHARACTERS.values()}


def step_name(step: Step) -> str:
    """Return the name of the function or class that a step comes from."""
    if isinstance(step, ForEachPlayer):
        return f"ForEachPlayer.{step_name(step.step)}"
    return str(getattr(step, "__qualname__", type(step).__qualname__)).partition(".<locals>")[0]


def step_names() -> list[str]:
    """Return a line for each ability: the card, the index of the ability, and the names of its steps in order."""
    lines = []
    for design, script in SCRIPTS.items():
        abilities = (*script.abilities, *((script.grants,) if script.grants else ()))
        for index, ability in enumerate(abilities):
            if isinstance(ability, ScriptedAbility):
                lines.append(f"{IDS[design]} {index}: {' '.join(map(step_name, ability.steps))}")
    return sorted(lines)


def test_steps_keep_their_positions() -> None:
    assert step_names() == FILE.read_text("utf-8").splitlines()


if __name__ == "__main__":
    FILE.write_text("\n".join(step_names()) + "\n", "utf-8")
