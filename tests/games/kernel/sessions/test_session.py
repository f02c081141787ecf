"""The lobby: a game is created, seats are taken and left, and it starts. All of it is in the log."""

from hashlib import sha256
from typing import Any

import msgspec
import pytest

from games.kernel import (
    Clock,
    Decision,
    Game,
    GameSetup,
    Refusal,
    Transition,
    close,
    create,
    fire_timers,
    fold,
    leave_seat,
    rank_seats,
    reveal_seed,
    seed_commitment,
    start,
    state_view,
    take_seat,
)
from games.kernel.execution.lifecycle import combined_seed
from games.kernel.sessions.clock import SEED_REVEAL_MS
from games.kernel.sessions.session import Closed, Created, SeatLeft, SeatTaken, SeedRevealed, Started
from tests.games.kernel.driver import UNTIMED, GameDriver
from tests.games.kernel.rulebooks.market import MARKET

NOON = 1_767_225_600_000


class Opening:
    """A game of the market before it starts; every decision is stored, read and folded."""

    def __init__(self, seats: GameSetup, clock: Clock = UNTIMED) -> None:
        self.decisions: list[Decision[Any]] = []
        self.game: Game[Any, Any]
        self.kept(create(MARKET, seats, {}, clock, "the secret seed", NOON), None)

    def kept(self, step: Transition, before: Game[Any, Any] | None) -> Decision[Any]:
        """Go on with a step."""
        decision = MARKET.decode(MARKET.encode(step.decision))
        assert fold(MARKET, before, decision) == step.game == MARKET.decode_game(MARKET.encode_game(step.game))
        self.decisions.append(decision)
        assert decision.number == len(self.decisions)
        self.game = step.game
        return decision

    def command(self, step: Any, *args: Any, now: int = NOON, **more: Any) -> Decision[Any]:
        """Take a step of the lobby."""
        return self.kept(step(MARKET, self.game, *args, now=now, **more), self.game)

    def command_refusal(self, step: Any, *args: Any, now: int = NOON, **more: Any) -> str:
        """The code with which a step is refused; nothing has changed."""
        stored = MARKET.encode_game(self.game)
        with pytest.raises(Refusal) as refusal:
            step(MARKET, self.game, *args, now=now, **more)
        assert MARKET.encode_game(self.game) == stored
        return refusal.value.code


@pytest.fixture
def opening() -> Opening:
    """Three seats, and it starts when all are taken."""
    return Opening(GameSetup(3))


@pytest.fixture
def hosted() -> Opening:
    """Two seats, and the host starts it."""
    return Opening(GameSetup(2, start="host"))


def commitment(part: str) -> str:
    """What a seat says of its part of the seed before it opens it."""
    return sha256(part.encode()).hexdigest()


# --- creating ---------------------------------------------------------------------------------------------


def test_the_first_decision_holds_the_settings_of_the_game(opening: Opening) -> None:
    (decision,) = opening.decisions
    assert (decision.number, decision.at, decision.by, decision.move) == (1, NOON, "host", "create")
    assert decision.facts == (
        Created(
            rulebook="market",
            edition=1,
            seats=3,
            options={"goods": 9, "dear": []},
            clock=UNTIMED,
            visibility="public",
            start="when_full",
            commitment=seed_commitment("the secret seed"),
            seed="the secret seed",
        ),
    )


def test_an_open_game_has_free_seats_and_no_table(opening: Opening) -> None:
    lobby = opening.game.session
    assert (lobby.status, lobby.created_at, lobby.free_seats, lobby.is_full) == ("open", NOON, (0, 1, 2), False)
    assert opening.game.state is None
    assert state_view(MARKET, opening.game, 0) is None


def test_the_commitment_is_public_from_the_first_decision_and_the_seed_is_not(opening: Opening) -> None:
    for viewer in (0, 1, None):
        seen = msgspec.to_builtins(MARKET.redact(opening.decisions[0].facts[0], viewer))
        assert seen["commitment"] == sha256(b"the secret seed").hexdigest()
        assert seen["seed"] == {"hidden": 1}


# --- taking and leaving seats -------------------------------------------------------------------------


def test_a_seat_is_taken_by_number_or_the_first_free_one(opening: Opening) -> None:
    assert opening.command(take_seat, 1, "ana").facts == (SeatTaken(1, "ana"),)
    assert opening.command(take_seat, None, "ben").facts == (SeatTaken(0, "ben"),)
    assert opening.game.session.free_seats == (2,)
    assert [seating.person for seating in opening.game.session.seats] == ["ben", "ana", None]
    assert opening.decisions[-1].by == 0


def test_a_seat_that_is_not_there_or_is_taken_is_refused(opening: Opening) -> None:
    opening.command(take_seat, 1, "ana")
    assert opening.command_refusal(take_seat, 1, "ben") == "seat-taken"
    assert opening.command_refusal(take_seat, 3, "ben") == "no-such-seat"
    assert opening.command_refusal(take_seat, -1, "ben") == "no-such-seat"
    assert opening.command_refusal(take_seat, 0, "ben", bot="deep-thought") == "no-such-bot"


def test_a_bot_may_take_a_seat(opening: Opening) -> None:
    assert opening.command(take_seat, 2, "bot", bot="random").facts == (SeatTaken(2, "bot", "random"),)
    assert opening.game.session.seats[2].bot == "random"


def test_a_seat_may_be_left_and_taken_again_and_its_token_epoch_grows(opening: Opening) -> None:
    opening.command(take_seat, 1, "ana")
    assert opening.command(leave_seat, 1).facts == (SeatLeft(1),)
    seating = opening.game.session.seats[1]
    assert (seating.taken, seating.person, seating.token_epoch) == (False, None, 1)
    opening.command(take_seat, 1, "ben")
    seating = opening.game.session.seats[1]
    assert (seating.person, seating.token_epoch) == ("ben", 2)


def test_only_a_taken_seat_of_the_game_may_be_left(opening: Opening) -> None:
    opening.command(take_seat, 1, "ana")
    assert opening.command_refusal(leave_seat, 0) == "seat-free"
    assert opening.command_refusal(leave_seat, 3) == "no-such-seat"
    assert opening.command_refusal(leave_seat, -2) == "no-such-seat"


# --- starting ---------------------------------------------------------------------------------------------


def test_the_last_seat_starts_a_game_that_starts_when_full_in_the_same_decision(opening: Opening) -> None:
    opening.command(take_seat, 0, "ana")
    opening.command(take_seat, 2, "ben")
    decision = opening.command(take_seat, None, "cleo", now=NOON + 5)
    assert decision.facts[0] == SeatTaken(1, "cleo")
    assert [type(fact).__name__ for fact in decision.facts] == ["SeatTaken", "Started", "Shuffled", "Supplied"]
    assert (decision.by, decision.number, opening.game.session.status) == (1, 4, "running")
    assert opening.game.flow != ()


def test_the_host_starts_a_game_that_waits_for_it(hosted: Opening) -> None:
    assert hosted.command_refusal(start) == "seats-not-full"
    hosted.command(take_seat, None, "ana")
    assert hosted.command_refusal(start) == "seats-not-full"
    hosted.command(take_seat, None, "ben")
    assert (hosted.game.session.status, hosted.game.session.is_full) == ("open", True)
    assert hosted.command_refusal(take_seat, None, "cleo") == "seats-full"
    assert hosted.command_refusal(take_seat, 0, "cleo") in ("seats-full", "seat-taken")
    decision = hosted.command(start)
    assert (decision.by, decision.move) == ("host", "start")
    assert isinstance(decision.facts[0], Started)
    assert hosted.game.session.status == "running"


def test_a_full_game_that_waits_for_its_host_may_be_left(hosted: Opening) -> None:
    for person in ("ana", "ben"):
        hosted.command(take_seat, None, person)
    hosted.command(leave_seat, 0)
    assert hosted.command_refusal(start) == "seats-not-full"


def test_after_the_start_nobody_takes_a_seat_leaves_starts_or_closes(opening: Opening) -> None:
    for person in ("ana", "ben", "cleo"):
        opening.command(take_seat, None, person)
    assert opening.command_refusal(take_seat, None, "dan") == "game-started"
    assert opening.command_refusal(take_seat, 0, "dan") == "game-started"
    assert opening.command_refusal(leave_seat, 0) == "game-started"
    assert opening.command_refusal(start) == "game-started"
    assert opening.command_refusal(close) == "game-started"


def test_a_game_that_is_closed_never_starts(opening: Opening) -> None:
    opening.command(take_seat, None, "ana")
    assert opening.command(close).facts == (Closed(),)
    assert opening.game.session.status == "closed"
    for step, args in ((take_seat, (None, "dan")), (leave_seat, (0,)), (start, ()), (close, ())):
        assert opening.command_refusal(step, *args) == "game-started"
    assert fire_timers(MARKET, opening.game, NOON + 10**9) is None


# --- parts of the seed ------------------------------------------------------------------------------------


def test_without_parts_the_seed_is_made_of_the_servers_alone(opening: Opening) -> None:
    for person in ("ana", "ben", "cleo"):
        opening.command(take_seat, None, person)
    assert opening.game.session.seed == sha256(b"the secret seed///").hexdigest()


def test_the_seed_is_made_of_the_servers_and_every_part_and_nothing_is_dealt_before_they_are_revealed(
    opening: Opening,
) -> None:
    opening.command(take_seat, 0, "ana", commitment=commitment("a part"))
    opening.command(take_seat, 1, "ben")
    opening.command(take_seat, 2, "cleo", commitment=commitment("another"))
    assert opening.game.session.status == "open"
    assert opening.command(reveal_seed, 2, "another").facts == (SeedRevealed(2, "another"),)
    facts = opening.command(reveal_seed, 0, "a part").facts
    seed = sha256(b"the secret seed/a part//another").hexdigest()
    assert facts[:2] == (SeedRevealed(0, "a part"), Started(seed))
    assert (opening.game.session.status, opening.game.session.seed) == ("running", seed)
    assert seed == combined_seed("the secret seed", ("a part", None, "another"))


def test_a_part_that_was_not_committed_to_is_refused(opening: Opening) -> None:
    opening.command(take_seat, 0, "ana", commitment=commitment("a part"))
    opening.command(take_seat, 1, "ben")
    assert opening.command_refusal(reveal_seed, 0, "another part") == "seed-mismatch"
    assert opening.command_refusal(reveal_seed, 1, "a part") == "seed-mismatch"
    assert opening.command_refusal(reveal_seed, 5, "a part") == "no-such-seat"


def test_a_seat_that_does_not_reveal_its_part_in_time_is_listed_and_the_game_starts(opening: Opening) -> None:
    opening.command(take_seat, 0, "ana", commitment=commitment("a part"))
    opening.command(take_seat, 1, "ben", commitment=commitment("b part"))
    opening.command(take_seat, 2, "cleo", now=NOON + 1000)
    opening.command(reveal_seed, 0, "a part", now=NOON + 2000)
    due = NOON + 1000 + SEED_REVEAL_MS
    assert fire_timers(MARKET, opening.game, due - 1) is None
    step = fire_timers(MARKET, opening.game, due)
    assert step is not None
    decision = opening.kept(step, opening.game)
    assert (decision.by, decision.move) == ("clock", "start")
    assert decision.facts[0] == Started(combined_seed("the secret seed", ("a part", None, None)), (1,))
    assert opening.game.session.status == "running"


def test_the_seed_and_the_parts_that_are_not_revealed_are_never_shown() -> None:
    opening = Opening(GameSetup(2))
    opening.command(take_seat, 0, "ana", commitment=commitment("a part"))
    opening.command(take_seat, 1, "ben")
    opening.command(reveal_seed, 0, "a part")
    seed = opening.game.session.seed.encode()
    assert len(seed) == 64
    for viewer in (0, 1, None):
        shown = [
            MARKET.redact(record, viewer)
            for each in opening.decisions
            for record in (*each.facts, opening.game.session)
        ]
        assert seed not in msgspec.json.encode(shown)
        assert b"the secret seed" not in msgspec.json.encode(shown)


# --- ranking ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "places"),
    [
        ((), ()),
        ((7,), (1,)),
        ((3, 5), (2, 1)),
        ((5, 5), (1, 1)),
        ((5, 3, 5, 1), (1, 3, 1, 4)),
        ((5, 3, 3, 1), (1, 2, 2, 4)),
        ((-1, 0, -1), (2, 1, 2)),
        (((5, 1), (5, 2), (5, 1)), (2, 1, 2)),
    ],
)
def test_equal_scores_share_a_place_and_the_next_is_left_out(scores: tuple[Any, ...], places: tuple[int, ...]) -> None:
    assert rank_seats(scores) == places


def test_who_conceded_comes_after_all_others() -> None:
    assert rank_seats((9, 5, 7, 8), frozenset({0, 3})) == (3, 2, 1, 4)
    assert rank_seats((9, 9, 1), frozenset({0, 1})) == (2, 2, 1)


def test_a_game_that_is_over_has_a_place_for_each_seat() -> None:
    driver = GameDriver(MARKET, 2, clock=Clock(factor=0))
    driver.answer(1, "buy", good=driver.options(1, "buy", "good")[0])
    for _ in range(3):
        for seat in (0, 1):
            driver.answer(seat, "say_ready")
    result = driver.game.session.result
    assert result is not None
    assert (result.points, result.places) == ((0, 1), (2, 1))
