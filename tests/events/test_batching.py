"""Group commit: concurrent requests share a batch; no caller waits for ever, and no request is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from events import batching
from events.batching import Batcher, Request
from tests.stores import until

MAX_BATCH = 32


class Killed(BaseException):
    """A caller ends in the middle of something, as a greenlet does that is killed."""


class Desk:
    """Executes requests, records the batches, and can be blocked. A request that is an error is refused with it."""

    def __init__(self, timeout: float = 60.0, pause: Callable[[], object] = lambda: time.sleep(0)) -> None:
        self.open = threading.Event()
        self.open.set()
        self.batches: list[list[Any]] = []
        self.batcher: Batcher[Any, str] = Batcher(self._execute, MAX_BATCH, timeout, pause)
        self.outcomes: dict[Any, Any] = {}
        self._threads: list[threading.Thread] = []

    def _execute(self, queue: str, batch: list[Request[Any, str]]) -> None:
        self.batches.append([request.item for request in batch])
        assert self.open.wait(20)
        for request in batch:
            if request.item is Killed or request.item is KeyError:
                raise request.item(queue)
            if isinstance(request.item, Exception):
                request.set_error(request.item)
            else:
                request.set_result(f"{request.item} of {queue}")

    def submit(self, queue: str, item: Any) -> None:
        """Submit a request in a thread of its own."""

        def run() -> None:
            try:
                self.outcomes[item] = self.batcher.submit(queue, item)
            except BaseException as error:  # noqa: BLE001 - looked at by the test
                self.outcomes[item] = error

        self._threads.append(threading.Thread(target=run))
        self._threads[-1].start()

    def block(self, queue: str) -> None:
        """Submit a first request, whose execution is blocked."""
        self.open.clear()
        self.submit(queue, f"first {queue}")
        until(lambda: [f"first {queue}"] in self.batches, "the first is being executed")

    def wait(self, queue: str, *items: Any) -> None:
        """Submit more while the first is blocked, in this order."""
        for number, item in enumerate(items, start=1):
            self.submit(queue, item)
            until(lambda number=number: self.batcher.number_waiting(queue) == number, "one more waits")  # type: ignore[misc]

    def end(self) -> None:
        self.open.set()
        for thread in self._threads:
            thread.join(20)
        assert not any(thread.is_alive() for thread in self._threads)
        assert self.batcher._waiting == {}


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_lone_caller_executes_its_own_request(desk: Desk) -> None:
    assert [desk.batcher.submit("a", item) for item in (1, 2)] == ["1 of a", "2 of a"]
    assert desk.batches == [[1], [2]]
    desk.end()


def test_requests_that_arrive_meanwhile_form_one_batch_in_the_order_of_arrival(desk: Desk) -> None:
    desk.block("a")
    desk.wait("a", 1, 2, 3)
    desk.end()
    assert desk.batches == [["first a"], [1, 2, 3]]
    assert [desk.outcomes[item] for item in (1, 2, 3)] == ["1 of a", "2 of a", "3 of a"]


def test_a_batch_has_a_maximal_size(desk: Desk) -> None:
    desk.block("a")
    desk.wait("a", *range(MAX_BATCH + 3))
    desk.end()
    assert [len(batch) for batch in desk.batches] == [1, MAX_BATCH, 3]


def test_callers_of_another_queue_do_not_wait(desk: Desk) -> None:
    desk.block("a")
    desk.submit("b", 1)
    until(lambda: [1] in desk.batches, "the other queue is being served")
    desk.end()


def test_an_error_of_one_request_is_raised_only_where_it_was_submitted(desk: Desk) -> None:
    refusal = ValueError("no")
    desk.block("a")
    desk.wait("a", 1, refusal, 2)
    desk.end()
    assert desk.outcomes[refusal] is refusal
    assert (desk.outcomes[1], desk.outcomes[2]) == ("1 of a", "2 of a")


def test_an_error_of_the_batch_is_raised_for_all_that_are_not_done_and_the_next_batch_runs(desk: Desk) -> None:
    desk.block("a")
    desk.wait("a", 1, KeyError, 2)
    desk.end()
    assert desk.outcomes[1] == "1 of a"
    assert isinstance(desk.outcomes[KeyError], KeyError)
    assert isinstance(desk.outcomes[2], KeyError)
    assert desk.batcher.submit("a", 3) == "3 of a"


def test_when_a_leader_is_killed_another_caller_leads_the_rest_of_its_batch(desk: Desk) -> None:
    desk.block("a")
    desk.wait("a", Killed, 1, 2)
    desk.end()
    assert isinstance(desk.outcomes[Killed], Killed)
    assert desk.batches == [["first a"], [Killed, 1, 2], [1, 2]]
    assert (desk.outcomes[1], desk.outcomes[2]) == ("1 of a", "2 of a")


def test_a_caller_that_is_killed_before_it_has_begun_leaves_the_queue_to_the_next() -> None:
    kills: list[type[BaseException]] = [Killed]

    def killed_the_first_time() -> None:
        if kills:
            raise kills.pop()

    desk = Desk(pause=killed_the_first_time)
    with pytest.raises(Killed):
        desk.batcher.submit("a", 1)
    assert desk.batcher.submit("a", 2) == "2 of a"
    desk.end()


def test_requests_that_arrive_during_the_pause_join_the_batch() -> None:
    open_desk: Desk = Desk(pause=lambda: open_desk.wait("a", 2))
    open_desk.submit("a", 1)
    until(lambda: 1 in open_desk.outcomes, "both are done")
    open_desk.end()
    assert open_desk.batches == [[1, 2]]
    assert (open_desk.outcomes[1], open_desk.outcomes[2]) == ("1 of a", "2 of a")


def test_a_caller_that_has_waited_too_long_goes_alone_and_the_others_keep_their_places() -> None:
    desk = Desk(timeout=0.01)
    desk.block("a")
    desk.submit("a", "impatient")
    until(lambda: ["impatient"] in desk.batches, "one goes alone")
    desk.batcher._timeout = 60.0
    desk.wait("a", 1)
    desk.end()
    assert desk.outcomes["impatient"] == "impatient of a"
    assert desk.batches == [["first a"], ["impatient"], [1]]


def kill_while_waiting(monkeypatch: pytest.MonkeyPatch, item: str, when: threading.Event) -> None:
    """Have the caller of a request killed while it waits, once an event is set."""

    class Interrupted:
        def acquire(self, timeout: float = -1) -> bool:
            assert when.wait(20)
            raise Killed

    def with_interruption(submitted: Any) -> Request[Any, str]:
        request: Request[Any, str] = Request(submitted)
        if submitted == item:
            request.turn = Interrupted()  # type: ignore[assignment]
        return request

    monkeypatch.setattr(batching, "Request", with_interruption)


def test_the_request_of_a_caller_that_is_killed_while_waiting_is_not_executed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.block("a")
    at_once = threading.Event()
    at_once.set()
    kill_while_waiting(monkeypatch, "gone", at_once)
    desk.submit("a", "gone")
    until(lambda: "gone" in desk.outcomes, "it is killed")
    desk.wait("a", 1)
    desk.end()
    assert isinstance(desk.outcomes["gone"], Killed)
    assert desk.batches == [["first a"], [1]]


def test_a_killed_caller_does_not_become_the_leader_when_its_leader_is_killed_too(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill = threading.Event()
    desk.block("a")
    kill_while_waiting(monkeypatch, "gone", kill)
    desk.wait("a", Killed, "gone", 1)
    first, desk.open = desk.open, threading.Event()
    first.set()
    until(lambda: [Killed, "gone", 1] in desk.batches, "the batch is being executed")
    kill.set()
    until(lambda: "gone" in desk.outcomes, "a follower is killed")
    desk.end()
    assert desk.batches == [["first a"], [Killed, "gone", 1], [1]]
    assert desk.outcomes[1] == "1 of a"
