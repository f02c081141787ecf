"""Companies: who comes together goes together, for one game; nobody waits for ever, and nobody's wish is lost."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from events import batching
from events.batching import MAX_BATCH, CommandBatcher, Request
from tests.stores import until


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "TIMEOUT_SECONDS", 60.0)


class TornAway(BaseException):
    """A caller ends in the midst of it, as a greenlet does that is killed."""


class House:
    """Grants what is wanted, notes who went together, and can be held up. A wish for an error gets it."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.open.set()
        self.together: list[list[Any]] = []
        self.companies = CommandBatcher(self._carry_out)
        self.came: dict[Any, Any] = {}
        self._threads: list[threading.Thread] = []

    def _carry_out(self, game: str, company: list[Request]) -> None:
        self.together.append([wish.command for wish in company])
        assert self.open.wait(20)
        for wish in company:
            if wish.command is TornAway or wish.command is KeyError:
                raise wish.command(game)
            if isinstance(wish.command, Exception):
                wish.error = wish.command
            else:
                wish.result = f"{wish.command} of {game}"

    def want(self, game: str, wanted: Any) -> None:
        """Want something in a thread of its own."""

        def run() -> None:
            try:
                self.came[wanted] = self.companies.submit(game, wanted)
            except BaseException as error:  # noqa: BLE001 - looked at by the test
                self.came[wanted] = error

        self._threads.append(threading.Thread(target=run))
        self._threads[-1].start()

    def hold(self, game: str) -> None:
        """Let a first caller be held up."""
        self.open.clear()
        self.want(game, f"first {game}")
        until(lambda: [f"first {game}"] in self.together, "the first is held up")

    def wait(self, game: str, *wanted: Any) -> None:
        """Want more while the first is held up, in this order."""
        for number, each in enumerate(wanted, start=1):
            self.want(game, each)
            until(lambda number=number: len(self.companies._waiting[game]) == number, "one more waits")  # type: ignore[misc]

    def end(self) -> None:
        self.open.set()
        for thread in self._threads:
            thread.join(20)
        assert not any(thread.is_alive() for thread in self._threads)
        assert self.companies._waiting == {}


@pytest.fixture
def house() -> House:
    return House()


def test_who_comes_alone_goes_alone(house: House) -> None:
    assert [house.companies.submit("a", wanted) for wanted in (1, 2)] == ["1 of a", "2 of a"]
    assert house.together == [[1], [2]]
    house.end()


def test_those_who_come_meanwhile_go_together_in_the_order_in_which_they_came(house: House) -> None:
    house.hold("a")
    house.wait("a", 1, 2, 3)
    house.end()
    assert house.together == [["first a"], [1, 2, 3]]
    assert [house.came[wanted] for wanted in (1, 2, 3)] == ["1 of a", "2 of a", "3 of a"]


def test_so_many_go_together_at_most(house: House) -> None:
    house.hold("a")
    house.wait("a", *range(MAX_BATCH + 3))
    house.end()
    assert [len(company) for company in house.together] == [1, MAX_BATCH, 3]


def test_callers_of_another_game_do_not_wait(house: House) -> None:
    house.hold("a")
    house.want("b", 1)
    until(lambda: [1] in house.together, "the other game is begun with")
    house.end()


def test_a_refusal_is_for_who_is_refused(house: House) -> None:
    refusal = ValueError("no")
    house.hold("a")
    house.wait("a", 1, refusal, 2)
    house.end()
    assert house.came[refusal] is refusal
    assert (house.came[1], house.came[2]) == ("1 of a", "2 of a")


def test_an_error_is_told_to_all_who_were_not_granted_theirs_and_the_next_go_on(house: House) -> None:
    house.hold("a")
    house.wait("a", 1, KeyError, 2)
    house.end()
    assert house.came[1] == "1 of a"
    assert isinstance(house.came[KeyError], KeyError)
    assert isinstance(house.came[2], KeyError)
    assert house.companies.submit("a", 3) == "3 of a"


def test_when_the_first_of_a_company_is_torn_away_another_leads_those_who_are_left(house: House) -> None:
    house.hold("a")
    house.wait("a", TornAway, 1, 2)
    house.end()
    assert isinstance(house.came[TornAway], TornAway)
    assert house.together == [["first a"], [TornAway, 1, 2], [1, 2]]
    assert (house.came[1], house.came[2]) == ("1 of a", "2 of a")


def test_who_is_torn_away_before_it_began_leaves_the_game_to_the_next(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn_away(self: CommandBatcher, game: str, company: list[Request]) -> None:
        raise TornAway

    with monkeypatch.context() as patch:
        patch.setattr(CommandBatcher, "_collect", torn_away)
        with pytest.raises(TornAway):
            house.companies.submit("a", 1)
    assert house.companies.submit("a", 2) == "2 of a"
    house.end()


def test_those_whose_requests_are_here_already_are_gathered(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def let_one_in(seconds: float) -> None:
        house.wait("a", 2)

    with monkeypatch.context() as patch:
        patch.setattr(batching, "time", SimpleNamespace(sleep=let_one_in))
        house.want("a", 1)
        until(lambda: 1 in house.came, "both were carried out")
    house.end()
    assert house.together == [[1, 2]]
    assert (house.came[1], house.came[2]) == ("1 of a", "2 of a")


def test_who_has_waited_for_long_goes_alone_and_leaves_the_others_where_they_are(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.hold("a")
    monkeypatch.setattr(batching, "TIMEOUT_SECONDS", 0.01)
    house.want("a", "impatient")
    until(lambda: ["impatient"] in house.together, "one goes alone")
    monkeypatch.setattr(batching, "TIMEOUT_SECONDS", 60.0)
    house.wait("a", 1)
    house.end()
    assert house.came["impatient"] == "impatient of a"
    assert house.together == [["first a"], ["impatient"], [1]]


def tear_away(monkeypatch: pytest.MonkeyPatch, who: str, when: threading.Event) -> None:
    """Let one caller who waits be torn away once something has happened."""

    class Interrupted:
        def acquire(self, timeout: float = -1) -> bool:
            assert when.wait(20)
            raise TornAway

    def with_interruption(wanted: Any) -> Request:
        wish = Request(wanted)
        if wanted == who:
            wish.turn = Interrupted()  # type: ignore[assignment]
        return wish

    monkeypatch.setattr(batching, "Request", with_interruption)


def test_who_is_torn_away_while_waiting_is_not_waited_for(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.hold("a")
    at_once = threading.Event()
    at_once.set()
    tear_away(monkeypatch, "gone", at_once)
    house.want("a", "gone")
    until(lambda: "gone" in house.came, "it is torn away")
    house.wait("a", 1)
    house.end()
    assert isinstance(house.came["gone"], TornAway)
    assert house.together == [["first a"], [1]]


def test_who_was_torn_away_is_not_to_lead_those_whose_leader_is_torn_away_too(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    torn = threading.Event()
    house.hold("a")
    tear_away(monkeypatch, "gone", torn)
    house.wait("a", TornAway, "gone", 1)
    first, house.open = house.open, threading.Event()
    first.set()
    until(lambda: [TornAway, "gone", 1] in house.together, "the company is held up")
    torn.set()
    until(lambda: "gone" in house.came, "one of the company is torn away")
    house.end()
    assert house.together == [["first a"], [TornAway, "gone", 1], [1]]
    assert house.came[1] == "1 of a"
