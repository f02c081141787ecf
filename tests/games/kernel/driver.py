"""A driver for games in tests: a game, all its decisions, and short ways to answer and to look at it."""

from __future__ import annotations

from random import Random
from typing import Any

from games.kernel import (
    Answer,
    Chance,
    Clock,
    Decision,
    Fact,
    Game,
    GameSetup,
    PendingChoice,
    Refusal,
    Rulebook,
    Transition,
    answer,
    create,
    fire_timers,
    fold,
    next_alarm,
    observe,
    pending_choices,
    random_bot,
    take_seat,
)
from games.kernel.sessions.session import SessionFact

UNTIMED = Clock()


class GameDriver:
    """A game that started as soon as it was full.

    After every decision, the driver checks that folding the decision gives the same game. With `stored`, it encodes and
    decodes the decision and the game each time, and goes on with the decoded ones.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any],
        seats: int = 2,
        options: dict[str, Any] | None = None,
        clock: Clock = UNTIMED,
        seed: str = "a seed",
        now: int = 0,
        stored: bool = True,
    ) -> None:
        self.rulebook = rulebook
        self.stored = stored
        self.now = now
        self.decisions: list[Decision[Any]] = []
        first = create(rulebook, GameSetup(seats), options or {}, clock, seed, now)
        self.game: Game[Any, Any] = first.game
        self._record(first, None)
        for seat in range(seats):
            self.apply(take_seat(rulebook, self.game, seat, f"player-{seat}", now))

    def apply(self, step: Transition) -> tuple[Fact, ...]:
        """Apply a transition to the game, and return the facts of its decision."""
        return self._record(step, self.game)

    def _record(self, step: Transition, before: Game[Any, Any] | None) -> tuple[Fact, ...]:
        decision, game = step
        assert (decision.number, decision.at) == (len(self.decisions) + 1, self.now)
        assert fold(self.rulebook, before, decision) == game
        if self.stored:
            decision = self.rulebook.decode(self.rulebook.encode(decision))
            game = self.rulebook.decode_game(self.rulebook.encode_game(game))
            assert decision == step.decision
            assert game == step.game
        self.decisions.append(decision)
        self.game = game
        return decision.facts

    @property
    def state(self) -> Any:
        """The state of the table."""
        return self.game.state

    def choices(self, seat: int | None = None) -> list[PendingChoice]:
        """The pending choices of one seat, or of all."""
        return pending_choices(self.rulebook, self.game, seat)

    def prompts(self, seat: int | None = None) -> list[str]:
        """The prompts of the pending choices."""
        return [pending.choice.prompt_text for pending in self.choices(seat)]

    def moves(self, seat: int) -> list[str]:
        """The moves that a seat may make now."""
        return [offer.move for pending in self.choices(seat) for offer in pending.choice.offers]

    def options(self, seat: int, move: str, field: str) -> tuple[Any, ...]:
        """The options of a field, `OneOf` or `SomeOf`, of a move that a seat may make now."""
        return next(
            offer.fields[field].options  # type: ignore[union-attr]
            for pending in self.choices(seat)
            for offer in pending.choice.offers
            if offer.move == move
        )

    def choice_for(self, seat: int, move: str) -> int:
        """The id of the oldest choice in which a seat is offered a move; else of its oldest."""
        choices = self.choices(seat)
        offering = [pending for pending in choices if any(offer.move == move for offer in pending.choice.offers)]
        return (offering or choices)[0].id

    def answer(self, seat: int, move: str, **args: Any) -> tuple[Fact, ...]:
        """Make a move of a seat, and return the facts that follow."""
        return self.send(seat, self.choice_for(seat, move), move, args)

    def send(self, seat: int, choice: int, move: str, args: dict[str, Any]) -> tuple[Fact, ...]:
        """Answer a choice of a seat, and return the facts that follow."""
        return self.apply(answer(self.rulebook, self.game, seat, choice, move, args, self.now))

    def refusal(self, seat: int, move: str, **args: Any) -> str:
        """Return the code and the message with which a move is refused, and check that nothing changes."""
        before = self.rulebook.encode_game(self.game)
        try:
            answer(self.rulebook, self.game, seat, self.choice_for(seat, move), move, args, self.now)
        except Refusal as illegal:
            assert self.rulebook.encode_game(self.game) == before
            return str(illegal)
        raise AssertionError(f"{move} {args} of seat {seat} is not refused")

    def command(self, step: Any, *args: Any) -> tuple[Fact, ...]:
        """Carry out a command of the host or of a seat, and return the facts that follow."""
        return self.apply(step(self.rulebook, self.game, *args, now=self.now))

    def command_refusal(self, step: Any, *args: Any) -> str:
        """Return the code with which a command of the host or of a seat is refused, and check that nothing changes."""
        before = self.rulebook.encode_game(self.game)
        try:
            step(self.rulebook, self.game, *args, now=self.now)
        except Refusal as illegal:
            assert self.rulebook.encode_game(self.game) == before
            return illegal.code
        raise AssertionError(f"{step.__name__} {args} is not refused")

    def deadlines(self, seat: int | None = None) -> list[int | None]:
        """The deadlines of the pending choices of one seat, or of all."""
        return [pending.deadline for pending in self.choices(seat)]

    def fire_timers(self, now: int) -> tuple[Fact, ...] | None:
        """Let the clock act on what is due first, and return the facts that follow; None when nothing is due."""
        self.now = now
        step = fire_timers(self.rulebook, self.game, now)
        return None if step is None else self.apply(step)

    def alarm(self) -> int | None:
        """When the clock has to act next."""
        return next_alarm(self.game)

    def facts(self) -> list[Fact]:
        """Every fact so far, except those of the session."""
        return [fact for each in self.decisions for fact in each.facts if not isinstance(fact, SessionFact)]

    def random_answer(self, seat: int, random: Random) -> Answer:
        """Return what a bot that knows no rulebook answers at a seat."""
        return random_bot(observe(self.rulebook, self.game, seat), Chance(str(random.random()), 0))

    def send_at_random(self, seat: int, random: Random) -> None:
        """Make a random move of a seat; if there are constraints, until one is not refused."""
        while True:
            choice, move, args = self.random_answer(seat, random)
            try:
                self.send(seat, choice, move, args)
            except Refusal:
                if not any(offer.constraints for pending in self.choices(seat) for offer in pending.choice.offers):
                    raise
            else:
                return

    def play_at_random(self, random: Random, most: int = 400) -> None:
        """Make up to `most` random moves, and let the clock act sometimes, until the game is over."""
        for _ in range(most):
            seats = sorted({pending.seat for pending in self.choices()})
            alarm = self.alarm()
            if alarm is not None and (not seats or random.random() < 0.1):
                self.fire_timers(max(alarm, self.now))
            elif seats:
                seat = random.choice(seats)
                self.now += random.randrange(2000)
                self.send_at_random(seat, random)
            else:
                return
