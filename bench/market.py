"""Section `market`: a decision of Millennium Blades at its busiest moment."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from bench.harness import page
from bench.harness.measure import RUNS, interleaved
from bench.harness.random_games import Turn
from games.kernel import Chance, Clock, Game, GameSetup, answer, choices_view, create, pending_choices, take_seat
from games.millennium_blades import MILLENNIUM_BLADES
from games.millennium_blades.catalogue import IMPLEMENTED_SETS, SETS, copy_of_design
from games.millennium_blades.state import AftermarketCard

SEATS = 5
CARDS = 60
FOR_SALE = 15
COPIES = 3
"""Copies of each implemented card: more than in a game, so that there are enough cards."""

DECISIONS = 400
MOVES = ("put_in_deck", "take_from_deck", "collect", "take_from_collection", "sell", "buy_card", "buy_pack")

PROSE = f"""
## The busiest market

Millennium Blades with {SEATS} seats, {CARDS} cards before each and {FOR_SALE} on the Aftermarket. The seats move in
turn: they buy, sell, collect and build. *Decision*: list the legal moves of the seat that is about to move, then decide
on one; every seat is asked again after it. *Moves*: the legal moves of a seat, as the JSON that it is sent. Median of
{RUNS} runs, processor time; × is the multiple of the reference work. The budget is 400 µs and 16,384 bytes.
"""


def measure() -> str:
    """Measure decisions in the busiest market; return the section."""
    turns = list(played())
    max_bytes = max(len(msgspec.json.encode(choices_view(MILLENNIUM_BLADES, turn.game, turn.seat))) for turn in turns)

    def decide() -> None:
        for game, seat, choice, move, args in turns:
            pending_choices(MILLENNIUM_BLADES, game, seat)
            answer(MILLENNIUM_BLADES, game, seat, choice, move, args, 0)

    measured = interleaved({"decision": (decide, len(turns))})["decision"]
    row = (page.number(measured.microseconds), f"{measured.references:.2f}", page.number(max_bytes))
    table = page.table(("", "decision µs", "×", "largest moves, bytes"), [("busiest market", *row)])
    return "\n\n".join((PROSE.strip(), table, page.repeat_with("market")))


def played() -> Iterator[Turn]:
    """Yield the moves of the seats in a busy market, one after the other."""
    game = busy()
    for number in range(DECISIONS):
        seat = number % SEATS
        (pending,) = pending_choices(MILLENNIUM_BLADES, game, seat)
        offers = {offer.move: offer for offer in pending.choice.offers if offer.move in MOVES}
        move = MOVES[number % len(MOVES)]
        offer = offers.get(move) or next(iter(offers.values()))
        args: dict[str, Any] = {name: field.options[0] for name, field in offer.fields.items()}  # type: ignore[union-attr]
        yield Turn(game, seat, pending.id, offer.move, args)
        game = answer(MILLENNIUM_BLADES, game, seat, pending.id, offer.move, args, 0).game


def busy() -> Game[Any, Any]:
    """Return the first window of a game with powers, in which each seat has as many cards as is likely in a game."""
    game: Any = create(MILLENNIUM_BLADES, GameSetup(SEATS), {"powers": True}, Clock(), "busy", 0).game
    for seat in range(SEATS):
        game = take_seat(MILLENNIUM_BLADES, game, seat, f"player-{seat}", 0).game
    designs = [printed.number for card_set in IMPLEMENTED_SETS for printed in SETS[card_set].designs]
    supply = [copy_of_design(design, copy) for design in designs for copy in range(COPIES)]
    pool = list(Chance("busy", 0).shuffled(supply))
    players = []
    for player in game.state.players:
        cards = tuple(pool.pop() for _ in range(CARDS))
        players.append(replace(player, binder=cards[14:], deck=cards[:8], collection=cards[8:14], dollars=60))
    market = tuple(AftermarketCard(pool.pop(), number % SEATS) for number in range(FOR_SALE))
    return replace(game, state=replace(game.state, players=tuple(players), aftermarket=market))
