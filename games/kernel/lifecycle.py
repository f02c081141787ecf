"""Hosting: the steps of a game that are the same for every rulebook, from creating it to conceding.

All functions are pure and return the decision and the game after it; to refuse, they raise `Illegal`.
"""

from hashlib import sha256
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from games.kernel.chance import Chance, commitment_to
from games.kernel.decisions import By, Decision, Game, Step
from games.kernel.effects import Waiting
from games.kernel.facts import Fact
from games.kernel.flow import Run, choice_limit, retimed, shifted
from games.kernel.moves import Choice, Illegal
from games.kernel.rulebook import Rulebook
from games.kernel.session import (
    IN_THE_LOBBY,
    BotSeated,
    Clock,
    Closed,
    Conceded,
    Created,
    Finished,
    Lobby,
    PauseAsked,
    Paused,
    Resumed,
    SeatLeft,
    SeatTaken,
    SeedOpened,
    Started,
    TimeCredited,
    evolve_lobby,
    open_lobby,
    places_by,
)
from games.kernel.visibility import Seat

OPENING_MILLISECONDS = 60_000
"""How long a game that starts when full waits, after its last seat is taken, for parts of the seed to be opened."""


class Seats(NamedTuple):
    """How a new game is set up: how many sit at it, who may watch it, how it starts, and which game it repeats."""

    number: int
    visibility: Literal["public", "private"] = "public"
    start: Literal["host", "when_full"] = "when_full"
    rematch_of: str | None = None


def create(rulebook: Rulebook[Any], seats: Seats, options: dict[str, Any], clock: Clock, seed: str, now: int) -> Step:
    """Create a game. `options` are as a client sent them; `seed` is kept secret until the game is over.

    Raises:
        Illegal: `bad-options`, when the options or the number of seats are not among those of the rulebook.
    """
    created = Created(
        rulebook=rulebook.id,
        edition=rulebook.edition,
        seats=seats.number,
        options=msgspec.json.decode(msgspec.json.encode(rulebook.settle(options, seats.number))),  # as read back
        clock=msgspec.json.decode(msgspec.json.encode(clock), type=Clock),  # 60 becomes 60.0
        visibility=seats.visibility,
        start=seats.start,
        commitment=commitment_to(seed),
        seed=seed,
        rematch_of=seats.rematch_of,
    )
    decision: Decision[Any] = Decision(1, now, "host", "create", 0, (created,))
    return Step(decision, Game(open_lobby(created, now), None, (), 1, 0, now))


def take_seat(
    rulebook: Rulebook[Any],
    game: Game[Any, Any],
    seat: Seat | None,
    person: str,
    now: int,
    bot: str | None = None,
    commitment: str | None = None,
) -> Step:
    """Sit down at `seat`, or at the first free one. Taking the last seat starts a game that starts when full.

    Raises:
        Illegal: `seats-full`, `seat-taken`, `no-such-seat`, `no-such-bot` or `game-started`.
    """
    lobby = game.lobby
    check_open(lobby)
    check_bot(rulebook, bot)
    if seat is not None:
        check_seat(lobby, seat)
    if not lobby.free_seats:
        raise Illegal("seats-full", "every seat of this game is taken")
    place = lobby.free_seats[0] if seat is None else seat
    if place not in lobby.free_seats:
        raise Illegal("seat-taken", "seat {seat} is taken", seat=place)
    taken = SeatTaken(place, person, bot, commitment)
    return _start_if_ready(rulebook, game, Decision(game.number + 1, now, place, "take_seat", 0, (taken,)))


def open_seed(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, part: str, now: int) -> Step:
    """Open the part of the seed that a seat committed to. Opening the last part starts a game that waits for it.

    Raises:
        Illegal: `game-started`, `no-such-seat`, or `seed-mismatch` when it is not what the seat committed to.
    """
    check_open(game.lobby)
    check_seat(game.lobby, seat)
    commitment = game.lobby.seatings[seat].commitment
    if commitment is None:
        raise Illegal("seed-mismatch", "seat {seat} sat down without a commitment: it has no part to open", seat=seat)
    if commitment != sha256(part.encode()).hexdigest():
        raise Illegal("seed-mismatch", "this is not the text whose sha256 the seat committed to")
    opened = SeedOpened(seat, part)
    return _start_if_ready(rulebook, game, Decision(game.number + 1, now, seat, "open_seed", 0, (opened,)))


def leave_seat(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, now: int) -> Step:
    """Stand up before the game starts.

    Raises:
        Illegal: `game-started`, `no-such-seat` or `seat-free`.
    """
    check_open(game.lobby)
    check_seat(game.lobby, seat)
    if seat in game.lobby.free_seats:
        raise Illegal("seat-free", "nobody sits at seat {seat}", seat=seat)
    return lobby_step(game, Decision(game.number + 1, now, seat, "leave_seat", 0, (SeatLeft(seat),)))


def close(rulebook: Rulebook[Any], game: Game[Any, Any], now: int) -> Step:
    """Close a game that has not started: it never will.

    Raises:
        Illegal: `game-started`.
    """
    check_open(game.lobby)
    return lobby_step(game, Decision(game.number + 1, now, "host", "close", 0, (Closed(),)))


def start(rulebook: Rulebook[Any], game: Game[Any, Any], now: int, by: By = "host") -> Step:
    """Start a game whose seats are all taken. Seats that have not opened their part of the seed are marked absent.

    Raises:
        Illegal: `game-started` or `seats-open`.
    """
    check_open(game.lobby)
    if not game.lobby.is_full:
        raise Illegal("seats-open", "seats {seats} are still free", seats=list(game.lobby.free_seats))
    return _start(rulebook, game, Decision(game.number + 1, now, by, "start", 0, ()))


def seat_bot(
    rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, bot: str | None, now: int, by: By | None = None
) -> Step:
    """Let a bot play a seat from now on; None: let its player play it again.

    Raises:
        Illegal: `game-over`, `no-such-seat`, `no-such-bot`, `seat-free` or `seat-conceded`.
    """
    lobby = game.lobby
    if lobby.is_over:
        raise Illegal("game-over", "this game is over")
    check_bot(rulebook, bot)
    check_seat(lobby, seat)
    if not lobby.seatings[seat].taken:
        raise Illegal("seat-free", "nobody sits at seat {seat}", seat=seat)
    if lobby.seatings[seat].conceded:
        raise Illegal("seat-conceded", "seat {seat} has given up", seat=seat)
    decision = Decision(game.number + 1, now, seat if by is None else by, "seat_bot", 0, (BotSeated(seat, bot),))
    if lobby.seatings[seat].bot == bot:
        return lobby_step(game, decision)  # saying so again must not gain time
    return lobby_step(game, decision, flow=flow_of_seat(rulebook, game, _after(lobby, decision), seat, now))


def concede(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, now: int, before: tuple[Fact, ...] = ()) -> Step:
    """Concede: a bot plays the seat to the end, and it places behind all who did not concede.

    The rulebook says what else follows. When all but one have conceded, the game is over.

    Raises:
        Illegal: `game-not-started`, `game-over`, `no-such-seat` or `seat-conceded`.
    """
    check_running(game.lobby)
    check_seat(game.lobby, seat)
    if game.lobby.seatings[seat].conceded:
        raise Illegal("seat-conceded", "seat {seat} has given up already", seat=seat)
    facts: tuple[Fact, ...] = (*before, Conceded(seat))
    decision: Decision[Any] = Decision(game.number + 1, now, "clock" if before else seat, "concede", 0, facts)
    lobby = _after(game.lobby, decision)
    if len(lobby.seatings) - len(lobby.conceded) < 2:
        points = rulebook.points(game.table) if rulebook.points else (0,) * len(lobby.seatings)
        over = Finished(points, places_by((0,) * len(points), lobby.conceded))
        return lobby_step(game, replace(decision, facts=(*facts, over)), flow=())
    decision = replace(decision, facts=(*facts, BotSeated(seat, rulebook.best_bot)))
    lobby = _after(game.lobby, decision)
    aside = replace(game, lobby=lobby, flow=flow_of_seat(rulebook, game, lobby, seat, now))
    run = start_run(rulebook, aside, _clock_time(lobby, now))
    run.changes[()] = aside.flow
    run.carry_out_aside(None if rulebook.conceding is None else rulebook.conceding.by(seat))
    return complete(game, run, decision)


def ask_pause(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, now: int) -> Step:
    """Ask for a pause or, in a paused game, for its end. It takes effect once all players at the table have asked.

    Raises:
        Illegal: `game-not-started`, `game-over`, `no-such-seat`, or `pause-asked` when the seat has asked already.
    """
    lobby = game.lobby
    check_running(lobby)
    check_seat(lobby, seat)
    decision: Decision[Any] = Decision(game.number + 1, now, seat, "ask_pause", 0, (PauseAsked(seat),))
    if not _after(lobby, decision).all_ask_pause:
        if lobby.seatings[seat].asks_pause:
            raise Illegal("pause-asked", "the others have not agreed yet")
        return lobby_step(game, decision)
    if lobby.paused_at is None:
        return lobby_step(game, replace(decision, facts=(*decision.facts, Paused())))
    resumed = replace(decision, facts=(*decision.facts, Resumed()))
    return lobby_step(game, resumed, flow=shifted(game.flow, now - lobby.paused_at))


def credit_time(rulebook: Rulebook[Any], game: Game[Any, Any], milliseconds: int, now: int) -> Step:
    """Give running clocks back the time for which the service was away.

    Raises:
        Illegal: `game-not-started` or `game-over`.
    """
    check_running(game.lobby)
    decision: Decision[Any] = Decision(game.number + 1, now, "system", "credit_time", 0, (TimeCredited(milliseconds),))
    return lobby_step(game, decision, flow=shifted(game.flow, milliseconds))


def opening_ends(lobby: Lobby) -> int | None:
    """The time at which a full game starts without the missing parts of the seed; None when it waits for none."""
    if lobby.status != "open" or lobby.full_at is None or lobby.created.start != "when_full":
        return None
    return lobby.full_at + OPENING_MILLISECONDS if lobby.unopened else None


def seed_of(server: str, parts: tuple[str | None, ...]) -> str:
    """Return the seed of a game's chance: sha256 of the server's seed and each seat's part, joined by "/".

    A seat without a part, or whose part was not opened, counts as an empty string.
    """
    return sha256("/".join((server, *(part or "" for part in parts))).encode()).hexdigest()


def check_open(lobby: Lobby) -> None:
    """Refuse, with `game-started`, what can only be done before a game starts."""
    match lobby.status:
        case "running":
            raise Illegal("game-started", "this game has started")
        case "closed":
            raise Illegal("game-started", "this game was closed before it began")
        case "finished":
            raise Illegal("game-started", "this game is over")


def check_running(lobby: Lobby) -> None:
    """Refuse, with `game-not-started` or `game-over`, what can only be done while a game runs."""
    if lobby.status == "open":
        raise Illegal("game-not-started", "this game has not started")
    if lobby.status != "running":
        raise Illegal("game-over", "this game is over")


def check_seat(lobby: Lobby, seat: Seat) -> None:
    """Refuse, with `no-such-seat`, a seat that does not exist."""
    if not 0 <= seat < len(lobby.seatings):
        raise Illegal("no-such-seat", "the seats of this game are 0 to {last}", last=len(lobby.seatings) - 1)


def check_bot(rulebook: Rulebook[Any], bot: str | None) -> None:
    """Refuse, with `no-such-bot`, a bot that does not exist."""
    if bot is not None and bot not in rulebook.bots:
        raise Illegal(
            "no-such-bot", "the bots of {rulebook} are {bots}", rulebook=rulebook.id, bots=", ".join(rulebook.bots)
        )


def start_run(rulebook: Rulebook[Any], game: Game[Any, Any], now: int) -> Run:
    """Return a `Run` that carries out effects in a game, with the chance of its next decision."""
    chance = Chance(game.lobby.seed, game.number + 1)
    return Run(rulebook, game.lobby, game.table, game.flow, game.last_choice, chance, now)


def complete(game: Game[Any, Any], run: Run, decision: Decision[Any]) -> Step:
    """Complete a decision with what the run led to, after the facts that it already has."""
    decision = replace(
        decision, facts=(*decision.facts, *run.facts), flow=tuple(run.changes.items()), last_choice=run.last_choice
    )
    return _led_to(decision, _after(game.lobby, decision), run.state, run.flow)


def lobby_step(game: Game[Any, Any], decision: Decision[Any], flow: Any = None) -> Step:
    """Complete a decision that concerns only the lobby; `flow`, if given, replaces the game's."""
    decision = replace(decision, last_choice=game.last_choice, flow=() if flow is None else (((), flow),))
    return _led_to(decision, _after(game.lobby, decision), game.table, game.flow if flow is None else flow)


def _led_to(decision: Decision[Any], lobby: Lobby, table: Any, flow: Any) -> Step:
    return Step(decision, Game(lobby, table, flow, decision.number, decision.last_choice, decision.at))


def _after(lobby: Lobby, decision: Decision[Any]) -> Lobby:
    for fact in decision.facts:
        if type(fact) in IN_THE_LOBBY:
            lobby = evolve_lobby(lobby, fact, decision.at)
    return lobby


def _start_if_ready(rulebook: Rulebook[Any], game: Game[Any, Any], decision: Decision[Any]) -> Step:
    lobby = _after(game.lobby, decision)
    if lobby.created.start == "when_full" and lobby.is_full and not lobby.unopened:
        return _start(rulebook, game, decision)
    return lobby_step(game, decision)


def _start(rulebook: Rulebook[Any], game: Game[Any, Any], decision: Decision[Any]) -> Step:
    """Begin play within the same decision."""
    lobby = _after(game.lobby, decision)
    seed = seed_of(lobby.created.seed, tuple(seating.part for seating in lobby.seatings))
    decision = replace(decision, facts=(*decision.facts, Started(seed, lobby.unopened)))
    started = replace(game, lobby=_after(game.lobby, decision), table=rulebook.set_up(game.lobby))
    run = start_run(rulebook, started, decision.at)
    run.resume((), (rulebook.begin,))
    return complete(game, run, decision)


def _clock_time(lobby: Lobby, now: int) -> int:
    """Return the time that clocks count from: during a pause, they stand still at its beginning."""
    return now if lobby.paused_at is None else lobby.paused_at


def flow_of_seat(rulebook: Rulebook[Any], game: Game[Any, Any], lobby: Lobby, seat: Seat, now: int) -> Any:
    """Return the flow with a seat's time limits set anew: none if a bot plays it, counted from now if a player does.

    `lobby` says which of them. Limits that the rulebook sets stay as they are.
    """
    limit = choice_limit(lobby, seat)
    due = None if limit is None else _clock_time(lobby, now) + limit
    run = start_run(rulebook, game, now)

    def due_now(leaf: Waiting) -> int | None:
        if leaf.effect is None or leaf.clock or leaf.effect.seat != seat:
            return leaf.due
        return due if has_limit_of_game(lobby, run.ask(leaf.effect)) else leaf.due

    return retimed(game.flow, due_now)


def has_limit_of_game(lobby: Lobby, asked: Choice) -> bool:
    """Is the time limit of this choice set by the game's clock policy, rather than by the rulebook?"""
    return asked.within is None or not lobby.created.clock.factor
