"""GameDriver at a table in a test: a game, every decision of it, and short ways to answer and to look."""

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
from games.kernel.session import SessionFact

UNTIMED = Clock()


class GameDriver:
    """A game that started as soon as it was full.

    After every decision it is checked that folding the decision gives the same game. With `stored`, the decision and
    the game are written and read again each time, and play goes on with what was read.
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
        self._keep(first, None)
        for seat in range(seats):
            self.apply(take_seat(rulebook, self.game, seat, f"player-{seat}", now))

    def apply(self, step: Transition) -> tuple[Fact, ...]:
        """Go on with a step; give the facts of its decision."""
        return self._keep(step, self.game)

    def _keep(self, step: Transition, before: Game[Any, Any] | None) -> tuple[Fact, ...]:
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
        """What is asked now, of one seat or of all."""
        return pending_choices(self.rulebook, self.game, seat)

    def prompts(self, seat: int | None = None) -> list[str]:
        """The prompts of what is asked now."""
        return [question.choice.prompt_text for question in self.choices(seat)]

    def moves(self, seat: int) -> list[str]:
        """The moves that a seat may make now."""
        return [offer.move for question in self.choices(seat) for offer in question.choice.offers]

    def options(self, seat: int, move: str, field: str) -> tuple[Any, ...]:
        """The options of a field, `OneOf` or `SomeOf`, of a move that a seat may make now."""
        return next(
            offer.fields[field].options  # type: ignore[union-attr]
            for question in self.choices(seat)
            for offer in question.choice.offers
            if offer.move == move
        )

    def choice_for(self, seat: int, move: str) -> int:
        """The id of the oldest choice in which a seat is offered a move; else of its oldest."""
        asked = self.choices(seat)
        offering = [each for each in asked if any(offer.move == move for offer in each.choice.offers)]
        return (offering or asked)[0].id

    def answer(self, seat: int, move: str, **args: Any) -> tuple[Fact, ...]:
        """Let a seat make a move; give the facts that follow."""
        return self.send(seat, self.choice_for(seat, move), move, args)

    def send(self, seat: int, choice: int, move: str, args: dict[str, Any]) -> tuple[Fact, ...]:
        """Let a seat answer a choice; give the facts that follow."""
        return self.apply(answer(self.rulebook, self.game, seat, choice, move, args, self.now))

    def refusal(self, seat: int, move: str, **args: Any) -> str:
        """The code and the sentence with which a move is refused; that nothing changes is checked."""
        before = self.rulebook.encode_game(self.game)
        try:
            answer(self.rulebook, self.game, seat, self.choice_for(seat, move), move, args, self.now)
        except Refusal as illegal:
            assert self.rulebook.encode_game(self.game) == before
            return str(illegal)
        raise AssertionError(f"{move} {args} of seat {seat} is not refused")

    def command(self, step: Any, *args: Any) -> tuple[Fact, ...]:
        """Take a step of the host or of a seat; give the facts that follow."""
        return self.apply(step(self.rulebook, self.game, *args, now=self.now))

    def command_refusal(self, step: Any, *args: Any) -> str:
        """The code with which a step of the host or of a seat is refused; that nothing changes is checked."""
        before = self.rulebook.encode_game(self.game)
        try:
            step(self.rulebook, self.game, *args, now=self.now)
        except Refusal as illegal:
            assert self.rulebook.encode_game(self.game) == before
            return illegal.code
        raise AssertionError(f"{step.__name__} {args} is not refused")

    def deadlines(self, seat: int | None = None) -> list[int | None]:
        """The deadlines of what is asked now, of one seat or of all."""
        return [question.deadline for question in self.choices(seat)]

    def fire_timers(self, now: int) -> tuple[Fact, ...] | None:
        """Let the clock answer what is due first; give the facts that follow, None when nothing is due."""
        self.now = now
        step = fire_timers(self.rulebook, self.game, now)
        return None if step is None else self.apply(step)

    def alarm(self) -> int | None:
        """When the clock has to answer next."""
        return next_alarm(self.game)

    def facts(self) -> list[Fact]:
        """Every fact so far but for those of the lobby."""
        return [fact for each in self.decisions for fact in each.facts if not isinstance(fact, SessionFact)]

    def random_answer(self, seat: int, random: Random) -> Answer:
        """What a bot that knows no rulebook answers at a seat."""
        return random_bot(observe(self.rulebook, self.game, seat), Chance(str(random.random()), 0))

    def send_at_random(self, seat: int, random: Random) -> None:
        """Let a seat make a random move; where there are checks, until one is not refused."""
        while True:
            choice, move, args = self.random_answer(seat, random)
            try:
                self.send(seat, choice, move, args)
            except Refusal:
                if not any(offer.constraints for asked in self.choices(seat) for offer in asked.choice.offers):
                    raise
            else:
                return

    def play_at_random(self, random: Random, most: int = 400) -> None:
        """Make random moves, and let the clock ring now and then, until the game is over or `most` were made."""
        for _ in range(most):
            seats = sorted({question.seat for question in self.choices()})
            alarm = self.alarm()
            if alarm is not None and (not seats or random.random() < 0.1):
                self.fire_timers(max(alarm, self.now))
            elif seats:
                seat = random.choice(seats)
                self.now += random.randrange(2000)
                self.send_at_random(seat, random)
            else:
                return
