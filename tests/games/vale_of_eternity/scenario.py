"""A game of The Vale of Eternity set up for a test: seat 0 is about to act, and by default its area has free slots.

Stones are written by their initials: "rrb" is two red stones and a blue one. All cards that are not mentioned are in
the draw pile, so that all 70 are always somewhere.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from games.kernel import Clock, Effect, Fact, observe
from games.kernel.language.effects import Pending
from games.vale_of_eternity import VALE_OF_ETERNITY
from games.vale_of_eternity.catalogue import CARDS
from games.vale_of_eternity.effects import activate_all
from games.vale_of_eternity.facts import Options, Player, State
from games.vale_of_eternity.rules import choose_action, end_round, resolve
from games.vale_of_eternity.stones import COLOURS, Stones
from tests.games.kernel.driver import UNTIMED, GameDriver


class PlayerSetup(NamedTuple):
    """The cards, stones and points of a seat. Cards are separated by spaces."""

    area: str = ""
    hand: str = ""
    stones: str = ""
    points: int = 0
    hunted: str = ""


def stones(initials: str) -> Stones:
    return tuple(colour for initial in initials for colour in COLOURS if colour[0] == initial)


class Scenario(GameDriver):
    """Seat 0 acts; `others` are the seats that follow it."""

    def __init__(
        self,
        mine: PlayerSetup,
        *others: PlayerSetup,
        round: int = 10,
        draw_pile: str = "",
        discard_pile: str = "",
        board: str = "",
        draw_pile_is_complete: bool = False,
        payments: Literal["strict", "lenient"] = "strict",
        clock: Clock = UNTIMED,
    ) -> None:
        """Set the game up.

        `draw_pile` lists the top cards of the draw pile. With `draw_pile_is_complete`, it has no other cards: cards
        that are not mentioned are in the discard pile if `discard_pile` is given, and otherwise nowhere.
        """
        setups = (mine, *(others or (PlayerSetup(),)))
        super().__init__(VALE_OF_ETERNITY, len(setups), {"payments": payments}, clock)
        players = tuple(
            Player(
                seat,
                setup.points,
                stones(setup.stones),
                tuple(setup.hunted.split()),
                tuple(setup.hand.split()),
                tuple(setup.area.split()),
            )
            for seat, setup in enumerate(setups)
        )
        used = {*draw_pile.split(), *discard_pile.split(), *board.split()}
        for player in players:
            used |= {*player.hunted, *player.hand, *player.area}
        remaining = tuple(card for card in CARDS if card not in used)
        top, bottom = tuple(draw_pile.split()), tuple(discard_pile.split())
        state = State(
            Options(payments),
            players,
            round,
            phase="action",
            active_player=0,
            board=tuple(board.split()),
            draw_pile=top if draw_pile_is_complete else top + remaining,
            discard_pile=bottom + remaining if draw_pile_is_complete and discard_pile else bottom,
        )
        self.run(choose_action().by(0), state)

    def run(self, effect: Effect, state: State | None = None) -> tuple[Fact, ...]:
        """Carry out an effect now, as after a wait that ends; return the facts that follow."""
        state = self.game.state if state is None else state
        choice = self.game.last_choice + 1
        flow = (effect, Pending(choice, due=self.now, is_timer=True))
        self.game = replace(self.game, state=state, flow=flow, last_choice=choice)
        facts = self.fire_timers(self.now)
        assert facts is not None
        return facts

    def summon(self, card: str, payment: str | None = None) -> tuple[Fact, ...]:
        """Let seat 0 summon a card of its hand, by default with the first payment that is offered."""
        payments = self.payments_for(card)
        return self.answer(0, "summon", card=card, payment=payments[0] if payment is None else stones(payment))

    def activate(self, *cards: str) -> None:
        """Let seat 0 use its active effects, in this order where it has a choice."""
        self.run(activate_all().by(0))
        for card in cards:
            self.answer(0, "activate", card=card)

    def resolve(self) -> tuple[Fact, ...]:
        """Let seat 0 have its turn in the resolution phase."""
        return self.run(resolve().by(0))

    def end_round(self) -> tuple[Fact, ...]:
        return self.run(end_round())

    def payments_for(self, card: str) -> tuple[Stones, ...]:
        """The payments with which seat 0 may summon a card; empty if it may not."""
        for pending in self.choices(0):
            for offer in pending.choice.offers:
                if offer.move == "summon" and offer.fields["card"].options == (card,):  # type: ignore[union-attr]
                    return offer.fields["payment"].options  # type: ignore[union-attr]
        return ()

    def can_summon(self, card: str) -> bool:
        return bool(self.payments_for(card))

    @property
    def state(self) -> State:
        assert isinstance(self.game.state, State)
        return self.game.state

    def player(self, seat: int = 0) -> Player:
        return self.state.players[seat]

    @property
    def points(self) -> int:
        return self.player().points

    @property
    def stones(self) -> str:
        """The stones of seat 0, in the order red, blue, purple."""
        return "".join(colour[0] * self.player().stones.count(colour) for colour in COLOURS)

    @property
    def hand(self) -> set[str]:
        return set(self.player().hand)

    @property
    def area(self) -> set[str]:
        return set(self.player().area)

    def derived(self, seat: int = 0) -> dict[str, Any]:
        return observe(self.rulebook, self.game, seat).derived
