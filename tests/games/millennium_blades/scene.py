"""A tournament of Millennium Blades as a test wants it. Seat 0 acts.

Cards are written by their ids: `-id` lies face down, `id+2` has two star tokens, `id&other` has another card attached.
A second card of an id is the next copy of it. Cards that are not named are out of the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from msgspec.structs import replace

from games.kernel import Effect, Fact
from games.kernel.effects import Pending
from games.millennium_blades import MILLENNIUM_BLADES
from games.millennium_blades.cards import SCRIPTS
from games.millennium_blades.catalogue import CHARACTERS, NUMBERS, Card, design_number
from games.millennium_blades.state import AftermarketCard, InPlay, Player, State
from games.millennium_blades.tournament.card_script import CardScript, scripts_by_design, use_scripts
from games.millennium_blades.tournament.turns import score_cards, turn
from tests.games.kernel.playing import Sitting

IDS = {number: card for card, number in NUMBERS.items()}


class Place(NamedTuple):
    """What lies before a seat."""

    tableau: str = ""
    hand: str = ""
    equipment: str = ""
    points: int = 0
    dollars: int = 0
    binder: str = ""
    character: str = ""


class Scene(Sitting):
    """A moment of a tournament; nothing happens until `begins`."""

    def __init__(
        self,
        *places: Place,
        store: str = "",
        aftermarket: str = "",
        metas: tuple[str, ...] = (),
        phase: str = "tournament",
        begin: Effect | None = None,
    ) -> None:
        places = places if len(places) > 1 else (*places, Place())
        powers = any(place.character for place in places)
        super().__init__(MILLENNIUM_BLADES, len(places), {"powers": powers})
        self.used: dict[str, int] = {}
        table: State = self.game.state  # type: ignore[assignment]
        players = tuple(self._player(seat, place) for seat, place in enumerate(places))
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

    def _player(self, seat: int, place: Place) -> Player:
        character = ""
        equipment = tuple(map(self._held, place.equipment.split()))
        if place.character:
            character = place.character
            equipment = (*equipment, InPlay(CHARACTERS[character].number * 10))
        return Player(
            seat,
            character,
            dollars=place.dollars,
            points=place.points,
            binder=self.cards(place.binder),
            hand=self.cards(place.hand),
            tableau=tuple(map(self._held, place.tableau.split())),
            equipment=equipment,
        )

    def _held(self, written: str) -> InPlay:
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
        """Let something happen now; give the facts that follow."""
        table = self.game.state if state is None else state
        choice = self.game.last_choice + 1
        flow = (effect, Pending(choice, due=self.now, is_timer=True))
        self.game = replace(self.game, state=table, flow=flow, last_choice=choice)
        facts = self.rings(self.now)
        assert facts is not None
        return facts

    # --- Acting: cards are named by their ids -----------------------------------------------------------

    def plays(self, card: str, seat: int = 0) -> Scene:
        self.answers(seat, "play_card", card=self.held(card, seat))
        return self

    def acts(self, card: str, seat: int = 0) -> Scene:
        """Use the Action of a card, or of the seat's character."""
        number = CHARACTERS[card].number * 10 if card in CHARACTERS else self.lies(card)
        self.answers(seat, "use_action", card=number)
        return self

    def chooses(self, move: str, seat: int = 0, **args: Any) -> Scene:
        """Answer a question; cards that are named by id are found on the table."""
        self.answers(seat, move, **{name: self._number(value) for name, value in args.items()})
        return self

    def turn_of(self, seat: int) -> Scene:
        self.begins(turn().by(seat))
        return self

    def _number(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.anywhere(value)
        return [self._number(each) for each in value] if isinstance(value, list) else value

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

    def held(self, card: str, seat: int = 0) -> Card:
        return next(it for it in self.state.players[seat].hand if design_number(it) == NUMBERS[card])

    def lies(self, card: str) -> Card:
        return self.in_play(card).card

    def in_play(self, card: str) -> InPlay:
        return next(
            held
            for player in self.state.players
            for held in (*player.tableau, *player.equipment)
            if design_number(held.card) == NUMBERS[card]
        )

    def anywhere(self, card: str) -> Card:
        """A card in play, in a hand, or on the Aftermarket; or the number of its design for naming it."""
        number = NUMBERS[card]
        for player in self.state.players:
            for it in (*(held.card for held in (*player.tableau, *player.equipment)), *player.hand):
                if design_number(it) == number:
                    return it
        return next(it.card for it in self.state.aftermarket if design_number(it.card) == number)

    def is_up(self, card: str) -> bool:
        return self.in_play(card).face_up

    def row(self, seat: int = 0) -> str:
        """A tableau as it is written."""
        return " ".join(
            ("" if held.face_up else "-") + IDS[design_number(held.card)] for held in self.state.players[seat].tableau
        )

    def stars(self, card: str) -> int:
        """The stars that a card shows."""
        table = MILLENNIUM_BLADES.table(self.state, 0, None, False)  # type: ignore[arg-type]
        return table.board.by_card[self.lies(card)].stars  # type: ignore[attr-defined, no-any-return]

    def ids(self, cards: tuple[Card, ...]) -> list[str]:
        return [IDS[design_number(card)] for card in cards]


@contextmanager
def scripts(*replacements: CardScript) -> Iterator[None]:
    """Let some cards have other scripts in the body of a `with` statement."""
    use_scripts({**SCRIPTS, **scripts_by_design(*replacements)})
    try:
        yield
    finally:
        use_scripts(SCRIPTS)


def played(card: str, tableau: str = "", *others: Place, hand: str = "", **more: Any) -> Scene:
    """Return the scene after seat 0 played a card to the right of a tableau. `more` is of the place or of the scene."""
    place = {name: more.pop(name) for name in ("equipment", "points", "dollars", "binder", "character") if name in more}
    scene = Scene(Place(tableau, f"{card} {hand}", **place), *others, **more)
    return scene.plays(card)


def scored(tableau: str, *others: Place, **more: Any) -> int:
    """Return the reputation of seat 0 after its Score effects, which ask nothing, one after the other in any order."""
    scene = scoring(tableau, *others, **more)
    assert not scene.questions(), scene.asked()
    return scene.points


def scoring(tableau: str, *others: Place, **more: Any) -> Scene:
    """Return the scene in which seat 0 has its Score effects; it puts several in the order in which they lie."""
    place = {name: more.pop(name) for name in ("equipment", "points", "dollars", "character") if name in more}
    scene = Scene(Place(tableau, **place), *others, phase="scoring", begin=score_cards().by(0), **more)
    if "order_triggers" in scene.offered(0):
        scene.answers(0, "order_triggers", triggers=list(scene.options(0, "order_triggers", "triggers")))
    return scene
