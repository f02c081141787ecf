"""What the tests of the kernel share: a rulebook of the rules that a test's own module defines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.kernel import Clock, Effect, Rulebook
from tests.games.kernel.driver import UNTIMED, GameDriver
from tests.games.kernel.rulebooks.scene import rules_in, scene


@pytest.fixture(scope="module")
def make_rulebook(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Rulebook[Any]]:
    """Makes a rulebook of the module's rules that begins with an effect; `changes` replace other arguments of it."""
    names = tmp_path_factory.mktemp("rules") / "rule_names.txt"
    names.write_text("\n".join(rules_in(request.module)), "utf-8")

    def make(begin: Effect, **changes: Any) -> Rulebook[Any]:
        return scene(names, begin, request.module, **changes)

    return make


@pytest.fixture(scope="module")
def start_scene(make_rulebook: Callable[..., Rulebook[Any]]) -> Callable[..., GameDriver]:
    """Starts a game of the module's rules with an effect of them."""

    def open_scene(
        begin: Effect,
        *,
        seats: int = 2,
        clock: Clock = UNTIMED,
        seed: str = "a seed",
        stored: bool = True,
        **changes: Any,
    ) -> GameDriver:
        return GameDriver(make_rulebook(begin, **changes), seats, clock=clock, seed=seed, stored=stored)

    return open_scene
