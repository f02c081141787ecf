"""Hosting: the steps of a game that are the same for every rulebook, from creating it to conceding.

All functions are pure and return the decision and the game after it; to refuse, they raise `Refusal`.
"""

from hashlib import sha256
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from games.kernel.chance import Chance, seed_commitment
from games.kernel.decisions import Actor, Decision, Game, Transition
from games.kernel.effects import Pending
from games.kernel.facts import Fact
from games.kernel.flow import Interpreter, delayed, time_limit, with_new_limits
from games.kernel.moves import Choice, Refusal
from games.kernel.rulebook import Rulebook
from games.kernel.session import (
    SESSION_FACT_TYPES,
    BotSeated,
    Clock,
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
    evolve_session,
    new_session,
    rank_seats,
)
from games.kernel.visibility import Seat

SEED_REVEAL_MS = 60_000
"""How long a game that starts when full waits, after its last seat is taken, for parts of the seed to be opened."""


class GameSetup(NamedTuple):
    """How a new game is set up: how many sit at it, who may watch it, how it starts, and which game it repeats."""

    seats: int
    visibility: Literal["public", "private"] = "public"
    start: Literal["host", "when_full"] = "when_full"
    rematch_of: str | None = None


def create(
    rulebook: Rulebook[Any], seats: GameSetup, options: dict[str, Any], clock: Clock, seed: str, now: int
) -> Transition:
    """Create a game. `options` are as a client sent them; `seed` is kept secret until the game is over.

    Raises:
        Illegal: `bad-options`, when the options or the number of seats are not among those of the rulebook.
    """
    created = Created(
        rulebook=rulebook.id,
        edition=rulebook.edition,
        seats=seats.seats,
        options=msgspec.json.decode(
            msgspec.json.encode(rulebook.resolve_options(options, seats.seats))
        ),  # as read back
        clock=msgspec.json.decode(msgspec.json.encode(clock), type=Clock),  # 60 becomes 60.0
        visibility=seats.visibility,
        start=seats.start,
        commitment=seed_commitment(seed),
        seed=seed,
        rematch_of=seats.rematch_of,
    )
    decision: Decision[Any] = Decision(1, now, "host", "create", 0, (created,))
    return Transition(decision, Game(new_session(created, now), None, (), 1, 0, now))


def take_seat(
    rulebook: Rulebook[Any],
    game: Game[Any, Any],
    seat: Seat | None,
    person: str,
    now: int,
    bot: str | None = None,
    commitment: str | None = None,
) -> Transition:
    """Sit down at `seat`, or at the first free one. Taking the last seat starts a game that starts when full.

    Raises:
        Illegal: `seats-full`, `seat-taken`, `no-such-seat`, `no-such-bot` or `game-started`.
    """
    lobby = game.session
    check_open(lobby)
    check_bot(rulebook, bot)
    if seat is not None:
        check_seat(lobby, seat)
    if not lobby.free_seats:
        raise Refusal("seats-full", "every seat of this game is taken")
    place = lobby.free_seats[0] if seat is None else seat
    if place not in lobby.free_seats:
        raise Refusal("seat-taken", "seat {seat} is taken", seat=place)
    taken = SeatTaken(place, person, bot, commitment)
    return _start_if_ready(rulebook, game, Decision(game.number + 1, now, place, "take_seat", 0, (taken,)))


def reveal_seed(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, part: str, now: int) -> Transition:
    """Open the part of the seed that a seat committed to. Opening the last part starts a game that waits for it.

    Raises:
        Illegal: `game-started`, `no-such-seat`, or `seed-mismatch` when it is not what the seat committed to.
    """
    check_open(game.session)
    check_seat(game.session, seat)
    commitment = game.session.seats[seat].commitment
    if commitment is None:
        raise Refusal("seed-mismatch", "seat {seat} sat down without a commitment: it has no part to open", seat=seat)
    if commitment != sha256(part.encode()).hexdigest():
        raise Refusal("seed-mismatch", "this is not the text whose sha256 the seat committed to")
    opened = SeedRevealed(seat, part)
    return _start_if_ready(rulebook, game, Decision(game.number + 1, now, seat, "reveal_seed", 0, (opened,)))


def leave_seat(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, now: int) -> Transition:
    """Stand up before the game starts.

    Raises:
        Illegal: `game-started`, `no-such-seat` or `seat-free`.
    """
    check_open(game.session)
    check_seat(game.session, seat)
    if seat in game.session.free_seats:
        raise Refusal("seat-free", "nobody sits at seat {seat}", seat=seat)
    return session_transition(game, Decision(game.number + 1, now, seat, "leave_seat", 0, (SeatLeft(seat),)))


def close(rulebook: Rulebook[Any], game: Game[Any, Any], now: int) -> Transition:
    """Close a game that has not started: it never will.

    Raises:
        Illegal: `game-started`.
    """
    check_open(game.session)
    return session_transition(game, Decision(game.number + 1, now, "host", "close", 0, (Closed(),)))


def start(rulebook: Rulebook[Any], game: Game[Any, Any], now: int, by: Actor = "host") -> Transition:
    """Start a game whose seats are all taken. Seats that have not opened their part of the seed are marked absent.

    Raises:
        Illegal: `game-started` or `seats-not-full`.
    """
    check_open(game.session)
    if not game.session.is_full:
        raise Refusal("seats-not-full", "seats {seats} are still free", seats=list(game.session.free_seats))
    return _start(rulebook, game, Decision(game.number + 1, now, by, "start", 0, ()))


def seat_bot(
    rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, bot: str | None, now: int, by: Actor | None = None
) -> Transition:
    """Let a bot play a seat from now on; None: let its player play it again.

    Raises:
        Illegal: `game-over`, `no-such-seat`, `no-such-bot`, `seat-free` or `seat-conceded`.
    """
    lobby = game.session
    if lobby.is_over:
        raise Refusal("game-over", "this game is over")
    check_bot(rulebook, bot)
    check_seat(lobby, seat)
    if not lobby.seats[seat].taken:
        raise Refusal("seat-free", "nobody sits at seat {seat}", seat=seat)
    if lobby.seats[seat].conceded:
        raise Refusal("seat-conceded", "seat {seat} has given up", seat=seat)
    decision = Decision(game.number + 1, now, seat if by is None else by, "seat_bot", 0, (BotSeated(seat, bot),))
    if lobby.seats[seat].bot == bot:
        return session_transition(game, decision)  # saying so again must not gain time
    return session_transition(
        game, decision, flow=retimed_flow(rulebook, game, _apply_facts(lobby, decision), seat, now)
    )


def concede(
    rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, now: int, before: tuple[Fact, ...] = ()
) -> Transition:
    """Concede: a bot plays the seat to the end, and it places behind all who did not concede.

    The rulebook says what else follows. When all but one have conceded, the game is over.

    Raises:
        Illegal: `game-not-started`, `game-over`, `no-such-seat` or `seat-conceded`.
    """
    check_running(game.session)
    check_seat(game.session, seat)
    if game.session.seats[seat].conceded:
        raise Refusal("seat-conceded", "seat {seat} has given up already", seat=seat)
    facts: tuple[Fact, ...] = (*before, Conceded(seat))
    decision: Decision[Any] = Decision(game.number + 1, now, "clock" if before else seat, "concede", 0, facts)
    lobby = _apply_facts(game.session, decision)
    if len(lobby.seats) - len(lobby.conceded_seats) < 2:
        points = rulebook.points(game.state) if rulebook.points else (0,) * len(lobby.seats)
        over = Finished(points, rank_seats((0,) * len(points), lobby.conceded_seats))
        return session_transition(game, replace(decision, facts=(*facts, over)), flow=())
    decision = replace(decision, facts=(*facts, BotSeated(seat, rulebook.best_bot)))
    lobby = _apply_facts(game.session, decision)
    aside = replace(game, session=lobby, flow=retimed_flow(rulebook, game, lobby, seat, now))
    run = new_interpreter(rulebook, aside, _clock_now(lobby, now))
    run.changes[()] = aside.flow
    run.run_aside(None if rulebook.on_concede is None else rulebook.on_concede.by(seat))
    return complete(game, run, decision)


def request_pause(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, now: int) -> Transition:
    """Ask for a pause or, in a paused game, for its end. It takes effect once all players at the table have asked.

    Raises:
        Illegal: `game-not-started`, `game-over`, `no-such-seat`, or `pause-already-requested` when the seat has asked already.
    """
    lobby = game.session
    check_running(lobby)
    check_seat(lobby, seat)
    decision: Decision[Any] = Decision(game.number + 1, now, seat, "request_pause", 0, (PauseRequested(seat),))
    if not _apply_facts(lobby, decision).all_want_pause:
        if lobby.seats[seat].wants_pause:
            raise Refusal("pause-already-requested", "the others have not agreed yet")
        return session_transition(game, decision)
    if lobby.paused_at is None:
        return session_transition(game, replace(decision, facts=(*decision.facts, Paused())))
    resumed = replace(decision, facts=(*decision.facts, Resumed()))
    return session_transition(game, resumed, flow=delayed(game.flow, now - lobby.paused_at))


def compensate_downtime(rulebook: Rulebook[Any], game: Game[Any, Any], milliseconds: int, now: int) -> Transition:
    """Give running clocks back the time for which the service was away.

    Raises:
        Illegal: `game-not-started` or `game-over`.
    """
    check_running(game.session)
    decision: Decision[Any] = Decision(
        game.number + 1, now, "system", "compensate_downtime", 0, (DowntimeCompensated(milliseconds),)
    )
    return session_transition(game, decision, flow=delayed(game.flow, milliseconds))


def reveal_deadline(lobby: Session) -> int | None:
    """The time at which a full game starts without the missing parts of the seed; None when it waits for none."""
    if lobby.status != "open" or lobby.full_at is None or lobby.created.start != "when_full":
        return None
    return lobby.full_at + SEED_REVEAL_MS if lobby.unrevealed_seats else None


def combined_seed(server: str, parts: tuple[str | None, ...]) -> str:
    """Return the seed of a game's chance: sha256 of the server's seed and each seat's part, joined by "/".

    A seat without a part, or whose part was not opened, counts as an empty string.
    """
    return sha256("/".join((server, *(part or "" for part in parts))).encode()).hexdigest()


def check_open(lobby: Session) -> None:
    """Refuse, with `game-started`, what can only be done before a game starts."""
    match lobby.status:
        case "running":
            raise Refusal("game-started", "this game has started")
        case "closed":
            raise Refusal("game-started", "this game was closed before it began")
        case "finished":
            raise Refusal("game-started", "this game is over")


def check_running(lobby: Session) -> None:
    """Refuse, with `game-not-started` or `game-over`, what can only be done while a game runs."""
    if lobby.status == "open":
        raise Refusal("game-not-started", "this game has not started")
    if lobby.status != "running":
        raise Refusal("game-over", "this game is over")


def check_seat(lobby: Session, seat: Seat) -> None:
    """Refuse, with `no-such-seat`, a seat that does not exist."""
    if not 0 <= seat < len(lobby.seats):
        raise Refusal("no-such-seat", "the seats of this game are 0 to {last}", last=len(lobby.seats) - 1)


def check_bot(rulebook: Rulebook[Any], bot: str | None) -> None:
    """Refuse, with `no-such-bot`, a bot that does not exist."""
    if bot is not None and bot not in rulebook.bots:
        raise Refusal(
            "no-such-bot", "the bots of {rulebook} are {bots}", rulebook=rulebook.id, bots=", ".join(rulebook.bots)
        )


def new_interpreter(rulebook: Rulebook[Any], game: Game[Any, Any], now: int) -> Interpreter:
    """Return a `Run` that carries out effects in a game, with the chance of its next decision."""
    chance = Chance(game.session.seed, game.number + 1)
    return Interpreter(rulebook, game.session, game.state, game.flow, game.last_choice, chance, now)


def complete(game: Game[Any, Any], run: Interpreter, decision: Decision[Any]) -> Transition:
    """Complete a decision with what the run led to, after the facts that it already has."""
    decision = replace(
        decision, facts=(*decision.facts, *run.facts), flow=tuple(run.changes.items()), last_choice=run.last_choice
    )
    return _transition(decision, _apply_facts(game.session, decision), run.state, run.flow)


def session_transition(game: Game[Any, Any], decision: Decision[Any], flow: Any = None) -> Transition:
    """Complete a decision that concerns only the lobby; `flow`, if given, replaces the game's."""
    decision = replace(decision, last_choice=game.last_choice, flow=() if flow is None else (((), flow),))
    return _transition(decision, _apply_facts(game.session, decision), game.state, game.flow if flow is None else flow)


def _transition(decision: Decision[Any], lobby: Session, table: Any, flow: Any) -> Transition:
    return Transition(decision, Game(lobby, table, flow, decision.number, decision.last_choice, decision.at))


def _apply_facts(lobby: Session, decision: Decision[Any]) -> Session:
    for fact in decision.facts:
        if type(fact) in SESSION_FACT_TYPES:
            lobby = evolve_session(lobby, fact, decision.at)
    return lobby


def _start_if_ready(rulebook: Rulebook[Any], game: Game[Any, Any], decision: Decision[Any]) -> Transition:
    lobby = _apply_facts(game.session, decision)
    if lobby.created.start == "when_full" and lobby.is_full and not lobby.unrevealed_seats:
        return _start(rulebook, game, decision)
    return session_transition(game, decision)


def _start(rulebook: Rulebook[Any], game: Game[Any, Any], decision: Decision[Any]) -> Transition:
    """Begin play within the same decision."""
    lobby = _apply_facts(game.session, decision)
    seed = combined_seed(lobby.created.seed, tuple(seating.part for seating in lobby.seats))
    decision = replace(decision, facts=(*decision.facts, Started(seed, lobby.unrevealed_seats)))
    started = replace(game, session=_apply_facts(game.session, decision), state=rulebook.initial_state(game.session))
    run = new_interpreter(rulebook, started, decision.at)
    run.resume((), (rulebook.initial_effect,))
    return complete(game, run, decision)


def _clock_now(lobby: Session, now: int) -> int:
    """Return the time that clocks count from: during a pause, they stand still at its beginning."""
    return now if lobby.paused_at is None else lobby.paused_at


def retimed_flow(rulebook: Rulebook[Any], game: Game[Any, Any], lobby: Session, seat: Seat, now: int) -> Any:
    """Return the flow with a seat's time limits set anew: none if a bot plays it, counted from now if a player does.

    `lobby` says which of them. Limits that the rulebook sets stay as they are.
    """
    limit = time_limit(lobby, seat)
    due = None if limit is None else _clock_now(lobby, now) + limit
    run = new_interpreter(rulebook, game, now)

    def due_now(leaf: Pending) -> int | None:
        if leaf.effect is None or leaf.is_timer or leaf.effect.seat != seat:
            return leaf.due
        return due if uses_game_limit(lobby, run.evaluate(leaf.effect)) else leaf.due

    return with_new_limits(game.flow, due_now)


def uses_game_limit(lobby: Session, asked: Choice) -> bool:
    """Is the time limit of this choice set by the game's clock policy, rather than by the rulebook?"""
    return asked.within is None or not lobby.created.clock.factor
