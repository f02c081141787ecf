"""A tournament of Millennium Blades that is set up for a test. Seat 0 acts.

Cards are written by their ids: `-id` lies face down, `id+2` has two star tokens, `id&other` has another card attached.
An id that is written twice stands for two copies. All other cards are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from msgspec.structs import replace

from games.kernel import Effect, Fact
from games.kernel.language.effects import Pending
from games.millennium_blades import MILLENNIUM_BLADES
from games.millennium_blades.board.card_script import CardScript, scripts_by_design, use_scripts
from games.millennium_blades.cards import SCRIPTS
from games.millennium_blades.catalogue import CHARACTERS, NUMBERS, Card, design_number
from games.millennium_blades.state import AftermarketCard, InPlay, Player, State
from games.millennium_blades.tournament.turns import score_cards, turn
from tests.games.kernel.driver import GameDriver

IDS = {number: card for card, number in NUMBERS.items()}


class PlayerSetup(NamedTuple):
    """The cards, points and dollars of a seat."""

    tableau: str = ""
    hand: str = ""
    equipment: str = ""
    points: int = 0
    dollars: int = 0
    binder: str = ""
    character: str = ""


class Scenario(GameDriver):
    """A moment of a tournament: `begin` happens, by default a turn of seat 0."""

    def __init__(
        self,
        *setups: PlayerSetup,
        store: str = "",
        aftermarket: str = "",
        metas: tuple[str, ...] = (),
        phase: str = "tournament",
        begin: Effect | None = None,
    ) -> None:
        setups = setups if len(setups) > 1 else (*setups, PlayerSetup())
        powers = any(setup.character for setup in setups)
        super().__init__(MILLENNIUM_BLADES, len(setups), {"powers": powers})
        self.used: dict[str, int] = {}
        table: State = self.game.state  # type: ignore[assignment]
        players = tuple(self._player(seat, setup) for seat, setup in enumerate(setups))
        bottom = self.cards("mono_air_economy " * 9)  # two stars each
        state = replace(
            table,
            players=players,
            phase=phase,
            window=0,
            active=0,
            store_deck=(*bottom, *reversed(self.cards(store))),
            store=(),
            aftermarket=tuple(map(AftermarketCard, self.cards(aftermarket))),
            metas=metas,
            discard=(),
        )
        self.begins(turn().by(0) if begin is None else begin, state)

    def _player(self, seat: int, setup: PlayerSetup) -> Player:
        character = ""
        equipment = tuple(map(self._in_play, setup.equipment.split()))
        if setup.character:
            character = setup.character
            equipment = (*equipment, InPlay(CHARACTERS[character].number * 10))
        return Player(
            seat,
            character,
            dollars=setup.dollars,
            points=setup.points,
            binder=self.cards(setup.binder),
            hand=self.cards(setup.hand),
            tableau=tuple(map(self._in_play, setup.tableau.split())),
            equipment=equipment,
        )

    def _in_play(self, written: str) -> InPlay:
        name, _, attached = written.removeprefix("-").partition("&")
        name, _, tokens = name.partition("+")
        return InPlay(self._card(name), not written.startswith("-"), int(tokens or 0), self.cards(attached))

    def _card(self, name: str) -> Card:
        copy = self.used.get(name, 0)
        self.used[name] = copy + 1
        return NUMBERS[name] * 10 + copy

    def cards(self, names: str) -> tuple[Card, ...]:
        return tuple(map(self._card, names.split()))

    def begins(self, effect: Effect, state: State | None = None) -> tuple[Fact, ...]:
        """Carry out an effect now, and return the facts that follow."""
        table = self.game.state if state is None else state
        choice = self.game.last_choice + 1
        flow = (effect, Pending(choice, due=self.now, is_timer=True))
        self.game = replace(self.game, state=table, flow=flow, last_choice=choice)
        facts = self.fire_timers(self.now)
        assert facts is not None
        return facts

    # --- Acting. Cards are given by their ids. ----------------------------------------------------------

    def plays(self, card: str, seat: int = 0) -> Scenario:
        self.answer(seat, "play_card", card=self.card_in_hand(card, seat))
        return self

    def acts(self, card: str, seat: int = 0) -> Scenario:
        """Use the Action of a card, or of the seat's character."""
        number = CHARACTERS[card].number * 10 if card in CHARACTERS else self.card_in_play(card)
        self.answer(seat, "use_action", card=number)
        return self

    def chooses(self, move: str, seat: int = 0, **args: Any) -> Scenario:
        """Answer a choice. Cards are given by id, and found on the table."""
        self.answer(seat, move, **{name: self._number(value) for name, value in args.items()})
        return self

    def turn_of(self, seat: int) -> Scenario:
        self.begins(turn().by(seat))
        return self

    def _number(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.find_card(value)
        return [self._number(item) for item in value] if isinstance(value, list) else value

    # --- Looking ----------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        table: State = self.game.state  # type: ignore[assignment]
        return table

    @property
    def points(self) -> int:
        """The reputation of seat 0."""
        return self.state.players[0].points

    def all_points(self) -> list[int]:
        return [player.points for player in self.state.players]

    def card_in_hand(self, card: str, seat: int = 0) -> Card:
        return next(number for number in self.state.players[seat].hand if design_number(number) == NUMBERS[card])

    def card_in_play(self, card: str) -> Card:
        return self.in_play(card).card

    def in_play(self, card: str) -> InPlay:
        return next(
            in_play
            for player in self.state.players
            for in_play in (*player.tableau, *player.equipment)
            if design_number(in_play.card) == NUMBERS[card]
        )

    def find_card(self, card: str) -> Card:
        """Return a card in play, in a hand, or on the Aftermarket."""
        number = NUMBERS[card]
        for player in self.state.players:
            for candidate in (*(in_play.card for in_play in (*player.tableau, *player.equipment)), *player.hand):
                if design_number(candidate) == number:
                    return candidate
        return next(sale.card for sale in self.state.aftermarket if design_number(sale.card) == number)

    def is_face_up(self, card: str) -> bool:
        return self.in_play(card).face_up

    def tableau_ids(self, seat: int = 0) -> str:
        """Return a tableau as a setup writes it, without tokens and attached cards."""
        return " ".join(
            ("" if in_play.face_up else "-") + IDS[design_number(in_play.card)]
            for in_play in self.state.players[seat].tableau
        )

    def stars(self, card: str) -> int:
        """Return the current stars of a card."""
        table = MILLENNIUM_BLADES.table(self.state, 0, None, False)  # type: ignore[arg-type]
        return table.board.by_card[self.card_in_play(card)].stars  # type: ignore[attr-defined, no-any-return]

    def ids(self, cards: tuple[Card, ...]) -> list[str]:
        return [IDS[design_number(card)] for card in cards]


@contextmanager
def scripts(*replacements: CardScript) -> Iterator[None]:
    """Replace the scripts of some cards in the body of a `with` statement."""
    use_scripts({**SCRIPTS, **scripts_by_design(*replacements)})
    try:
        yield
    finally:
        use_scripts(SCRIPTS)


def played(card: str, tableau: str = "", *others: PlayerSetup, hand: str = "", **more: Any) -> Scenario:
    """Return the scenario after seat 0 played a card. `more` has arguments of the setup and of the scenario."""
    setup = {name: more.pop(name) for name in ("equipment", "points", "dollars", "binder", "character") if name in more}
    scenario = Scenario(PlayerSetup(tableau, f"{card} {hand}", **setup), *others, **more)
    return scenario.plays(card)


def scored(tableau: str, *others: PlayerSetup, **more: Any) -> int:
    """Return the reputation of seat 0 after its Score effects, none of which needs an answer."""
    scenario = scoring(tableau, *others, **more)
    assert not scenario.choices(), scenario.prompts()
    return scenario.points


def scoring(tableau: str, *others: PlayerSetup, **more: Any) -> Scenario:
    """Return the scenario after seat 0 began its Score effects; it resolves them from left to right."""
    setup = {name: more.pop(name) for name in ("equipment", "points", "dollars", "character") if name in more}
    scenario = Scenario(PlayerSetup(tableau, **setup), *others, phase="scoring", begin=score_cards().by(0), **more)
    if "order_triggers" in scenario.moves(0):
        scenario.answer(0, "order_triggers", triggers=list(scenario.options(0, "order_triggers", "triggers")))
    return scenario
