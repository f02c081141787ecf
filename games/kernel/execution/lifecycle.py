"""The lifecycle of a game: the commands that are the same for every rulebook, from creating it to conceding.

All functions are pure and return the decision and the game after it; to refuse, they raise `Refusal`. `now` is in
milliseconds since the epoch.
"""

from hashlib import sha256
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from games.kernel.execution.flow import complete, new_interpreter
from games.kernel.language.chance import seed_commitment
from games.kernel.language.effects import Effect, Stack
from games.kernel.language.facts import Fact
from games.kernel.language.messages import Refusal
from games.kernel.language.moves import Choice
from games.kernel.language.visibility import Seat
from games.kernel.rulebook import Rulebook
from games.kernel.sessions.clock import Clock, clock_time, delayed, with_seat_deadlines
from games.kernel.sessions.decisions import Actor, Decision, Game, Transition, next_decision, transition
from games.kernel.sessions.session import (
    BotSeated,
    Closed,
    Conceded,
    Created,
    DowntimeCompensated,
    Finished,
    Paused,
    PauseRequested,
    Resumed,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    Session,
    Started,
    apply_facts,
    evolve_session,
    new_session,
    rank_seats,
)


class GameSetup(NamedTuple):
    """The settings of a new game that are the same for every rulebook; `rematch_of` is the game that it repeats."""

    seats: int
    visibility: Literal["public", "private"] = "public"
    start: Literal["host", "when_full"] = "when_full"
    rematch_of: str | None = None


def create(
    rulebook: Rulebook[Any], setup: GameSetup, options: dict[str, Any], clock: Clock, seed: str, now: int
) -> Transition:
    """Create a game. `options` are as a client sent them; `seed` is kept secret until the game is over.

    Raises:
        Refusal: `bad-options`, when the options or the number of seats are not among those of the rulebook.
    """
    resolved = rulebook.resolve_options(options, setup.seats)
    created = Created(
        rulebook=rulebook.id,
        edition=rulebook.edition,
        seats=setup.seats,
        options=msgspec.json.decode(msgspec.json.encode(resolved)),  # as they are read back from the log
        clock=msgspec.json.decode(msgspec.json.encode(clock), type=Clock),  # likewise: 60 becomes 60.0
        visibility=setup.visibility,
        start=setup.start,
        commitment=seed_commitment(seed),
        seed=seed,
        rematch_of=setup.rematch_of,
    )
    decision: Decision[Any] = Decision(number=1, at=now, by="host", move="create", last_choice=0, facts=(created,))
    game: Game[Any, Any] = Game(session=new_session(created, now), state=None, flow=(), number=1, last_choice=0, at=now)
    return Transition(decision, game)


def take_seat(
    rulebook: Rulebook[Any],
    game: Game[Any, Any],
    seat: Seat | None,
    person: str,
    now: int,
    bot: str | None = None,
    commitment: str | None = None,
) -> Transition:
    """Take `seat`, or the first free one if it is None. Taking the last seat starts a game that starts when full.

    `person` refers to whoever takes it; `bot` is the bot that plays it, if any; `commitment` is the sha256 of the
    seat's part of the seed, in hexadecimal, or None if it contributes none.

    Raises:
        Refusal: `seats-full`, `seat-taken`, `no-such-seat`, `no-such-bot` or `game-started`.
    """
    session = game.session
    check_open(session)
    check_bot(rulebook, bot)
    if seat is not None:
        check_seat(session, seat)
    if not session.free_seats:
        raise Refusal("seats-full", "every seat of this game is taken")
    if seat is None:
        seat = session.free_seats[0]
    if seat not in session.free_seats:
        raise Refusal("seat-taken", "seat {seat} is taken", seat=seat)
    fact = SeatTaken(seat, person, bot, commitment)
    return _start_if_ready(rulebook, game, next_decision(game, now, seat, "take_seat", fact))


def reveal_seed(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, part: str, now: int) -> Transition:
    """Reveal the part of the seed that a seat committed to. Revealing the last part starts a game that waits for it.

    Raises:
        Refusal: `game-started`, `no-such-seat`, or `seed-mismatch` when it is not what the seat committed to.
    """
    check_open(game.session)
    check_seat(game.session, seat)
    commitment = game.session.seats[seat].commitment
    if commitment is None:
        raise Refusal(
            "seed-mismatch", "seat {seat} was taken without a commitment: it has no part to reveal", seat=seat
        )
    if commitment != sha256(part.encode()).hexdigest():
        raise Refusal("seed-mismatch", "this is not the text whose sha256 the seat committed to")
    return _start_if_ready(rulebook, game, next_decision(game, now, seat, "reveal_seed", SeedRevealed(seat, part)))


def leave_seat(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, now: int) -> Transition:
    """Give up a seat before the game starts.

    Raises:
        Refusal: `game-started`, `no-such-seat` or `seat-free`.
    """
    check_open(game.session)
    check_seat(game.session, seat)
    if seat in game.session.free_seats:
        raise Refusal("seat-free", "nobody sits at seat {seat}", seat=seat)
    return transition(game, next_decision(game, now, seat, "leave_seat", SeatLeft(seat)))


def close(rulebook: Rulebook[Any], game: Game[Any, Any], now: int) -> Transition:
    """Close a game that has not started: it never will.

    Raises:
        Refusal: `game-started`.
    """
    check_open(game.session)
    return transition(game, next_decision(game, now, "host", "close", Closed()))


def start(rulebook: Rulebook[Any], game: Game[Any, Any], now: int, by: Actor = "host") -> Transition:
    """Start a game whose seats are all taken, without the parts of the seed that have not been revealed.

    Raises:
        Refusal: `game-started` or `seats-not-full`.
    """
    check_open(game.session)
    if not game.session.is_full:
        raise Refusal("seats-not-full", "seats {seats} are still free", seats=list(game.session.free_seats))
    return _start(rulebook, game, next_decision(game, now, by, "start"))


def seat_bot(
    rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, bot: str | None, now: int, by: Actor | None = None
) -> Transition:
    """Let a bot play a seat from now on; None: its player plays it again. `by` is who decides, the seat if None.

    Raises:
        Refusal: `game-over`, `no-such-seat`, `no-such-bot`, `seat-free` or `seat-conceded`.
    """
    session = game.session
    if session.is_over:
        raise Refusal("game-over", "this game is over")
    check_bot(rulebook, bot)
    check_seat(session, seat)
    if not session.seats[seat].taken:
        raise Refusal("seat-free", "nobody sits at seat {seat}", seat=seat)
    if session.seats[seat].conceded:
        raise Refusal("seat-conceded", "seat {seat} has given up", seat=seat)
    fact = BotSeated(seat, bot)
    decision = next_decision(game, now, seat if by is None else by, "seat_bot", fact)
    if session.seats[seat].bot == bot:
        return transition(game, decision)  # repeating the command must not gain time
    flow = with_new_deadlines(rulebook, game, evolve_session(session, fact, now), seat, now)
    return transition(game, decision, flow)


def concede(
    rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, now: int, before: tuple[Fact, ...] = ()
) -> Transition:
    """Concede: a bot plays the seat to the end, and the seat is ranked behind all that did not concede.

    What else follows is up to the rulebook. When all seats but one have conceded, the game is over. `before` are facts
    that led to it, if the clock decides and not the seat.

    Raises:
        Refusal: `game-not-started`, `game-over`, `no-such-seat` or `seat-conceded`.
    """
    check_running(game.session)
    check_seat(game.session, seat)
    if game.session.seats[seat].conceded:
        raise Refusal("seat-conceded", "seat {seat} has given up already", seat=seat)
    decision = next_decision(game, now, "clock" if before else seat, "concede", *before, Conceded(seat))
    session = apply_facts(game.session, decision.facts, now)
    if len(session.seats) - len(session.conceded_seats) < 2:
        points = rulebook.points(game.state) if rulebook.points else (0,) * len(session.seats)
        finished = Finished(points, rank_seats((0,) * len(points), session.conceded_seats))
        return transition(game, replace(decision, facts=(*decision.facts, finished)), flow=())
    bot_seated = BotSeated(seat, rulebook.best_bot)
    decision = replace(decision, facts=(*decision.facts, bot_seated))
    session = evolve_session(session, bot_seated, now)
    flow = with_new_deadlines(rulebook, game, session, seat, now)
    interpreter = new_interpreter(rulebook, replace(game, session=session, flow=flow), clock_time(session, now))
    interpreter.changes[()] = flow
    interpreter.run_aside(None if rulebook.on_concede is None else rulebook.on_concede.by(seat))
    return complete(game, interpreter, decision)


def request_pause(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, now: int) -> Transition:
    """Ask for a pause or, in a paused game, for its end. It takes effect once all players at the table have asked.

    Raises:
        Refusal: `game-not-started`, `game-over`, `no-such-seat` or `pause-already-requested`.
    """
    session = game.session
    check_running(session)
    check_seat(session, seat)
    fact = PauseRequested(seat)
    if not evolve_session(session, fact, now).all_want_pause:
        if session.seats[seat].wants_pause:
            raise Refusal("pause-already-requested", "the others have not agreed yet")
        return transition(game, next_decision(game, now, seat, "request_pause", fact))
    if session.paused_at is None:
        return transition(game, next_decision(game, now, seat, "request_pause", fact, Paused()))
    decision = next_decision(game, now, seat, "request_pause", fact, Resumed())
    return transition(game, decision, flow=delayed(game.flow, now - session.paused_at))


def compensate_downtime(rulebook: Rulebook[Any], game: Game[Any, Any], milliseconds: int, now: int) -> Transition:
    """Give running clocks back the time, in milliseconds, for which the service was down.

    Raises:
        Refusal: `game-not-started` or `game-over`.
    """
    check_running(game.session)
    decision = next_decision(game, now, "system", "compensate_downtime", DowntimeCompensated(milliseconds))
    return transition(game, decision, flow=delayed(game.flow, milliseconds))


def combined_seed(server: str, parts: tuple[str | None, ...]) -> str:
    """Return the seed of a game's chance: sha256 of the server's seed and each seat's part, joined by "/".

    A seat without a part, or whose part was not revealed, counts as an empty string.
    """
    return sha256("/".join((server, *(part or "" for part in parts))).encode()).hexdigest()


def check_open(session: Session) -> None:
    """Refuse, with `game-started`, a command that is for games that have not started."""
    match session.status:
        case "running":
            raise Refusal("game-started", "this game has started")
        case "closed":
            raise Refusal("game-started", "this game was closed before it began")
        case "finished":
            raise Refusal("game-started", "this game is over")


def check_running(session: Session) -> None:
    """Refuse, with `game-not-started` or `game-over`, a command that is for running games."""
    if session.status == "open":
        raise Refusal("game-not-started", "this game has not started")
    if session.status != "running":
        raise Refusal("game-over", "this game is over")


def check_seat(session: Session, seat: Seat) -> None:
    """Refuse, with `no-such-seat`, a seat that does not exist."""
    if not 0 <= seat < len(session.seats):
        raise Refusal("no-such-seat", "the seats of this game are 0 to {last}", last=len(session.seats) - 1)


def check_bot(rulebook: Rulebook[Any], bot: str | None) -> None:
    """Refuse, with `no-such-bot`, a bot that does not exist."""
    if bot is not None and bot not in rulebook.bots:
        raise Refusal(
            "no-such-bot", "the bots of {rulebook} are {bots}", rulebook=rulebook.id, bots=", ".join(rulebook.bots)
        )


def with_new_deadlines(rulebook: Rulebook[Any], game: Game[Any, Any], session: Session, seat: Seat, now: int) -> Stack:
    """Return the flow of a game with a seat's time limits set anew, as who plays it in `session` requires."""
    interpreter = new_interpreter(rulebook, game, now)

    def within(effect: Effect) -> int | None:
        choice: Choice = interpreter.evaluate(effect)
        return choice.within

    return with_seat_deadlines(game.flow, session, seat, now, within)


def _start_if_ready(rulebook: Rulebook[Any], game: Game[Any, Any], decision: Decision[Any]) -> Transition:
    """Complete a decision, and start the game with it if the game starts when full and lacks nothing any more."""
    session = apply_facts(game.session, decision.facts, decision.at)
    if session.created.start == "when_full" and session.is_full and not session.unrevealed_seats:
        return _start(rulebook, game, decision)
    return transition(game, decision)


def _start(rulebook: Rulebook[Any], game: Game[Any, Any], decision: Decision[Any]) -> Transition:
    """Begin play within the same decision."""
    session = apply_facts(game.session, decision.facts, decision.at)
    seed = combined_seed(session.created.seed, tuple(seat_info.part for seat_info in session.seats))
    started = Started(seed, session.unrevealed_seats)
    decision = replace(decision, facts=(*decision.facts, started))
    session = evolve_session(session, started, decision.at)
    interpreter = new_interpreter(
        rulebook, replace(game, session=session, state=rulebook.initial_state(session)), decision.at
    )
    interpreter.resume((), (rulebook.initial_effect,))
    return complete(game, interpreter, decision)
