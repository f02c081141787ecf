"""A table of The Vale of Eternity as a test wants it: seat 0 is about to act, in a round with room enough.

Stones are written by their initials: "rrb" is two red ones and a blue one. Cards that are not named lie in the draw
pile, so all 70 are always there.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from games.kernel import Clock, Effect, Fact, observe
from games.kernel.effects import Pending
from games.vale_of_eternity import VALE_OF_ETERNITY
from games.vale_of_eternity.catalogue import CARDS
from games.vale_of_eternity.effects import activate_all
from games.vale_of_eternity.facts import Options, Player, State
from games.vale_of_eternity.rules import act, end_round, resolve
from games.vale_of_eternity.stones import COLOURS, Stones
from tests.games.kernel.playing import UNTIMED, Sitting


class Place(NamedTuple):
    """What lies before a seat."""

    area: str = ""
    hand: str = ""
    stones: str = ""
    points: int = 0
    hunted: str = ""


def stones(initials: str) -> Stones:
    return tuple(colour for initial in initials for colour in COLOURS if colour[0] == initial)


class Scene(Sitting):
    """Seat 0 acts; `others` are the seats that follow it."""

    def __init__(
        self,
        mine: Place,
        *others: Place,
        round: int = 10,
        pile: str = "",
        discard: str = "",
        board: str = "",
        pile_is_empty: bool = False,
        payments: Literal["strict", "lenient"] = "strict",
        begin: Effect | None = None,
        clock: Clock = UNTIMED,
    ) -> None:
        places = (mine, *(others or (Place(),)))
        super().__init__(VALE_OF_ETERNITY, len(places), {"payments": payments}, clock)
        players = tuple(
            Player(
                seat,
                place.points,
                stones(place.stones),
                tuple(place.hunted.split()),
                tuple(place.hand.split()),
                tuple(place.area.split()),
            )
            for seat, place in enumerate(places)
        )
        used = {*pile.split(), *discard.split(), *board.split()}
        for player in players:
            used |= {*player.hunted, *player.hand, *player.area}
        rest = tuple(card for card in CARDS if card not in used)
        top, bottom = tuple(pile.split()), tuple(discard.split())
        state = State(
            Options(payments),
            players,
            round,
            phase="action",
            turn=0,
            board=tuple(board.split()),
            pile=top if pile_is_empty else top + rest,
            discard=bottom + rest if pile_is_empty and discard else bottom,
        )
        self.begins(act().by(0) if begin is None else begin, state)

    def begins(self, effect: Effect, state: State | None = None) -> tuple[Fact, ...]:
        """Let something else happen now, as after a wait that ends; give the facts that follow."""
        table = self.game.state if state is None else state
        choice = self.game.last_choice + 1
        flow = (effect, Pending(choice, due=self.now, is_timer=True))
        self.game = replace(self.game, state=table, flow=flow, last_choice=choice)
        facts = self.rings(self.now)
        assert facts is not None
        return facts

    def summons(self, card: str, payment: str | None = None) -> tuple[Fact, ...]:
        """Let seat 0 summon a card of its hand, paid in the first way that is offered."""
        ways = self.ways_to_pay(card)
        return self.answers(0, "summon", card=card, payment=ways[0] if payment is None else stones(payment))

    def activates(self, *cards: str) -> None:
        """Let seat 0 use its active effects, in this order where it is asked."""
        self.begins(activate_all().by(0))
        for card in cards:
            self.answers(0, "activate", card=card)

    def resolves(self) -> tuple[Fact, ...]:
        """Let seat 0 have its turn in the resolution phase."""
        return self.begins(resolve().by(0))

    def ends_the_round(self) -> tuple[Fact, ...]:
        return self.begins(end_round())

    def ways_to_pay(self, card: str) -> tuple[Stones, ...]:
        """The payments for a card that seat 0 may summon; none when it may not."""
        for question in self.questions(0):
            for offer in question.choice.offers:
                if offer.move == "summon" and offer.fields["card"].options == (card,):  # type: ignore[union-attr]
                    return offer.fields["payment"].options  # type: ignore[union-attr]
        return ()

    def can_summon(self, card: str) -> bool:
        return bool(self.ways_to_pay(card))

    def place(self, seat: int = 0) -> Player:
        return self.state().players[seat]

    def state(self) -> State:
        assert self.game.state is not None
        state: State = self.game.state
        return state

    @property
    def points(self) -> int:
        return self.place().points

    @property
    def stones(self) -> str:
        """What seat 0 holds, red before blue before purple."""
        return "".join(colour[0] * self.place().stones.count(colour) for colour in COLOURS)

    @property
    def hand(self) -> set[str]:
        return set(self.place().hand)

    @property
    def area(self) -> set[str]:
        return set(self.place().area)

    def derived(self, seat: int = 0) -> dict[str, Any]:
        return observe(self.rulebook, self.game, seat).derived
