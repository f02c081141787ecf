"""Views: what a viewer gets of the table, of decisions and of choices, and that it is plain JSON."""

from copy import copy
from random import Random
from typing import Any

import msgspec
import pytest

from games.kernel import Clock, choices_view, derived_view, event_view, observe, state_view
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.market import MARKET
from tests.games.kernel.rulebooks.secrets import LETTERS, SECRETS

SPECTATOR = None


def plain(value: Any) -> Any:
    """A value as it comes out of JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.fixture
def secrets() -> GameDriver:
    """Three friends with three letters each."""
    return GameDriver(SECRETS, 3)


def test_each_seat_sees_its_own_hand_and_how_many_the_others_hold(secrets: GameDriver) -> None:
    for viewer in (0, 1, 2):
        hands = [friend["hand"] for friend in plain(state_view(SECRETS, secrets.game, viewer))["friends"]]
        own = list(secrets.state.friends[viewer].hand)
        assert hands == [own if seat == viewer else {"hidden": 3} for seat in range(3)]
    spectated = plain(state_view(SECRETS, secrets.game, SPECTATOR))
    assert [friend["hand"] for friend in spectated["friends"]] == [{"hidden": 3}] * 3
    assert spectated["drawer"] == {"hidden": len(LETTERS) - 9}


def test_an_event_tells_each_viewer_what_it_may_know_of_the_facts(secrets: GameDriver) -> None:
    letter = secrets.state.friends[0].hand[0]
    secrets.now = 77
    secrets.answer(0, "pass_on", letter=letter, to=2)
    decision = secrets.decisions[-1]
    for viewer, seen in ((0, letter), (2, letter), (1, {"hidden": 1}), (SPECTATOR, {"hidden": 1})):
        event = plain(event_view(SECRETS, decision, viewer))
        assert event["facts"] == [{"type": "passed", "giver": 0, "getter": 2, "letter": seen}]
        assert (event["number"], event["at"]) == (decision.number, 77)


def test_how_a_seat_decided_is_visible_to_that_seat_alone(secrets: GameDriver) -> None:
    choice, word = secrets.choice_for(1, "whisper"), secrets.state.friends[1].hand[2]
    secrets.answer(1, "whisper", word=word)
    decision = secrets.decisions[-1]
    mine = plain(event_view(SECRETS, decision, 1))
    assert (mine["choice"], mine["move"], mine["args"]) == (choice, "whisper", {"word": word})
    for viewer in (0, 2, SPECTATOR):
        assert plain(event_view(SECRETS, decision, viewer)) == {
            "number": decision.number,
            "at": decision.at,
            "facts": [],
        }


def test_what_the_clock_did_for_a_seat_is_told_by_the_facts_alone() -> None:
    driver = GameDriver(SECRETS, 2, clock=Clock(seconds_per_choice=60))
    driver.fire_timers(60_000)
    for viewer in (0, 1, SPECTATOR):
        event = plain(event_view(SECRETS, driver.decisions[-1], viewer))
        assert set(event) == {"number", "at", "facts"}
        assert event["facts"][0] == {"type": "time_ran_out", "seat": 0}


def test_a_viewer_is_shown_its_own_choices_only(secrets: GameDriver) -> None:
    for viewer in (0, 1, 2):
        (choice,) = choices_view(SECRETS, secrets.game, viewer)
        assert choice["seat"] == viewer
        assert choice["choice"] == secrets.choice_for(viewer, "whisper")
        hand = secrets.state.friends[viewer].hand
        offered = choice["schema"]["oneOf"][0]["properties"]["args"]["properties"]["letter"]
        assert offered["enum"] == hand
    assert choices_view(SECRETS, secrets.game, SPECTATOR) == []


def test_the_deadline_of_a_choice_is_shown() -> None:
    driver = GameDriver(SECRETS, 2, clock=Clock(seconds_per_choice=60), now=1000)
    (choice,) = choices_view(SECRETS, driver.game, 0)
    assert choice["deadline"] == 61_000


def test_a_rulebook_that_computes_nothing_shows_nothing(secrets: GameDriver) -> None:
    assert derived_view(SECRETS, secrets.game, 0) == {}


def test_what_a_rulebook_computes_is_shown() -> None:
    driver, computing = GameDriver(MARKET, 2), copy(MARKET)
    computing.derived = lambda table: {"goods": len(table.state.store), "seat": table.seat}
    assert derived_view(computing, driver.game, 1) == {"goods": 4, "seat": 1}
    assert observe(computing, driver.game, 1).derived == {"goods": 4, "seat": 1}


def test_a_bot_is_given_plain_values_and_nothing_else(secrets: GameDriver) -> None:
    def check(value: Any) -> None:
        assert type(value) in (dict, list, str, int, float, bool, type(None))
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
            check(inner)

    sight = observe(SECRETS, secrets.game, 1)
    check([sight.seat, sight.state, sight.derived, sight.choices])
    assert sight.state == plain(state_view(SECRETS, secrets.game, 1))
    assert sight.choices == plain(choices_view(SECRETS, secrets.game, 1))


@pytest.mark.parametrize("seed", range(4))
def test_no_view_event_or_choice_holds_a_letter_that_its_viewer_may_not_know(seed: int) -> None:
    driver, random = GameDriver(SECRETS, 3, seed=str(seed)), Random(seed)
    known: list[set[str]] = [set(), set(), set()]
    for _ in range(8):
        for seat, friend in enumerate(driver.state.friends):
            known[seat] |= set(friend.hand)
        for viewer in (0, 1, 2):
            told = [
                state_view(SECRETS, driver.game, viewer),
                choices_view(SECRETS, driver.game, viewer),
                [event_view(SECRETS, decision, viewer)["facts"] for decision in driver.decisions[4:]],
            ]
            words = {word for word in _words(plain(told)) if len(word) == 1 and word in LETTERS}
            assert words <= known[viewer]
        driver.play_at_random(random, 1)


def _words(value: Any) -> set[str]:
    """Every word in a plain value, but for the keys and the things that are there from the beginning."""
    if isinstance(value, dict):
        inner = [inner for key, inner in value.items() if key not in ("kept", "inside", "const", "title")]
        return set().union(*map(_words, inner))
    if isinstance(value, list):
        return set().union(*map(_words, value))
    return {value} if isinstance(value, str) else set()
