"""Millennium Blades: the facts of a tournament."""

from typing import Annotated, Literal

from games.kernel import Everyone, Fact, Owner, Seat, Viewer, VisibleTo
from games.millennium_blades.catalogue import Card, Design
from games.millennium_blades.state import Back


class TournamentBegun(Fact, frozen=True):
    help = """A tournament began. `first` takes the first turn. All reputation is 0."""

    number: Everyone[int]
    first: Everyone[Seat]


class DeckLaidOut(Fact, frozen=True):
    help = """A seat laid out its accessories and deck boxes and took its Singles in hand."""

    seat: Everyone[Seat]
    equipment: Everyone[tuple[Card, ...]]
    hand: Owner[tuple[Card, ...]]


class TurnBegun(Fact, frozen=True):
    help = """A seat's turn began."""

    seat: Everyone[Seat]


class TurnEnded(Fact, frozen=True):
    help = """A seat's turn ended."""

    seat: Everyone[Seat]


class TurnPassed(Fact, frozen=True):
    help = """A seat had to pass: it has no card to play, or no free slot."""

    seat: Everyone[Seat]


class PlayForgone(Fact, frozen=True):
    help = """An effect ended a seat's turn: it plays no more cards in it."""

    seat: Everyone[Seat]


class CardPlayed(Fact, frozen=True):
    help = """A seat played a card of its hand to the right end of its tableau, with `tokens` star tokens on it."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    tokens: Everyone[int] = 0


class Flipped(Fact, frozen=True):
    help = """A card was turned face down.

    `stars`, `elements`, `types` and `has_score_effect` describe the card before. cost: the flip pays
    for an Action or a Reaction. by: the seat that caused the flip.
    """

    seat: Everyone[Seat]
    card: Everyone[Card]
    stars: Everyone[int] = 0
    elements: Everyone[tuple[str, ...]] = ()
    types: Everyone[tuple[str, ...]] = ()
    has_score_effect: Everyone[bool] = False
    cost: Everyone[bool] = False
    by: Everyone[Seat | None] = None


class Unflipped(Fact, frozen=True):
    help = """A face-down card was turned face up."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class Gained(Fact, frozen=True):
    help = """A seat gained reputation."""

    seat: Everyone[Seat]
    points: Everyone[int]


class Lost(Fact, frozen=True):
    help = """A seat lost reputation."""

    seat: Everyone[Seat]
    points: Everyone[int]


class GainBlocked(Fact, frozen=True):
    help = """A seat would have gained reputation, but the card `by` prevents all gains."""

    seat: Everyone[Seat]
    points: Everyone[int]
    by: Everyone[Card]


class TokensPut(Fact, frozen=True):
    help = """Star tokens were put on a card."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    tokens: Everyone[int]


class Attached(Fact, frozen=True):
    help = """A seat attached a card from its hand or its equipment to a card in play, the host."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    host: Everyone[Card]
    source: Everyone[Literal["hand", "equipment"]]


class Swapped(Fact, frozen=True):
    help = """Two cards of a tableau changed places."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    other: Everyone[Card]


class Discarded(Fact, frozen=True):
    help = """A seat discarded cards of its hand to its binder."""

    seat: Everyone[Seat]
    cards: Everyone[tuple[Card, ...]]


def _looks_or_holds(fact: "HandSeen", viewer: Viewer) -> bool:
    return viewer in (fact.seat, fact.holder)


class HandSeen(Fact, frozen=True):
    help = """A seat looked at the whole hand of another."""

    seat: Everyone[Seat]
    holder: Everyone[Seat]
    cards: Annotated[tuple[Card, ...], VisibleTo(_looks_or_holds)]


class CardNamed(Fact, frozen=True):
    help = """A seat named a card."""

    seat: Everyone[Seat]
    design: Everyone[Design]


class Marked(Fact, frozen=True):
    help = """A card got a mark; `InPlay` explains marks."""

    card: Everyone[Card]
    mark: Everyone[int]


class Triggered(Fact, frozen=True):
    help = """An effect of a card was triggered and waits. `ready` is false while Play effects come first."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    design: Everyone[Design]
    index: Everyone[int]
    subject: Everyone[int | None] = None
    ready: Everyone[bool] = True


class PlayEffectsDone(Fact, frozen=True):
    help = """The Play effects of a card are done: the triggers that waited for them are ready."""


class OrderChosen(Fact, frozen=True):
    help = """A seat put its pending triggers in an order. `triggers` are their numbers."""

    seat: Everyone[Seat]
    triggers: Everyone[tuple[int, ...]]


class TriggerTaken(Fact, frozen=True):
    help = """A pending trigger was taken to be resolved. `trigger` is its number."""

    trigger: Everyone[int]


class EffectBegun(Fact, frozen=True):
    help = """An effect of a seat's card began.

    design, index: the ability, which the card has itself or copies. subject: the card that the event was about. cap:
    the most reputation that the effect gives.
    """

    seat: Everyone[Seat]
    card: Everyone[Card]
    design: Everyone[Design]
    index: Everyone[int]
    subject: Everyone[int | None] = None
    cap: Everyone[int | None] = None


class EffectEnded(Fact, frozen=True):
    help = """The current effect ended."""


class TargetChosen(Fact, frozen=True):
    help = """The current effect got a target: a seat, a card, or -1 for none. `instead`: it replaces the last
    target."""

    target: Everyone[int]
    instead: Everyone[bool] = False


class NumberStored(Fact, frozen=True):
    help = """The current effect stored a number."""

    number: Everyone[int]


class AboutToFlip(Fact, frozen=True):
    help = """The current effect is about to flip cards."""

    cards: Everyone[tuple[Card, ...]]


class FlipPrevented(Fact, frozen=True):
    help = """The current effect will not flip these cards."""

    cards: Everyone[tuple[Card, ...]]


class ActionUsed(Fact, frozen=True):
    help = """A seat used the Action of a card."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class ReactionUsed(Fact, frozen=True):
    help = """A seat used the Reaction of a card."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class PlaysGranted(Fact, frozen=True):
    help = """A seat may play `plays` more cards in this turn."""

    seat: Everyone[Seat]
    plays: Everyone[int]


class GainWillDouble(Fact, frozen=True):
    help = """The next gain of a seat in its turn will count a second time."""

    seat: Everyone[Seat]


class ClashBegun(Fact, frozen=True):
    help = """Seats clash with their Top cards."""

    seats: Everyone[tuple[Seat, ...]]
    tops: Everyone[tuple[Card, ...]]


class CardRevealed(Fact, frozen=True):
    help = """A participant revealed the top of the Store deck for a clash."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    top_back: Everyone[Back | None]


class ClashRaised(Fact, frozen=True):
    help = """A participant added stars to their clash total."""

    seat: Everyone[Seat]
    stars: Everyone[int]


class ClashDecided(Fact, frozen=True):
    help = """A clash ended. `totals` are by participant; a tied or cancelled clash has no winner."""

    status: Everyone[Literal["won", "tied", "cancelled"]]
    winner: Everyone[Seat | None]
    totals: Everyone[tuple[int, ...]]


class AftermarketCleared(Fact, frozen=True):
    help = """The Aftermarket had too few free places: its cards went to the discard."""


class PutOnAftermarket(Fact, frozen=True):
    help = """The cards revealed in a clash went face up to the Aftermarket."""

    cards: Everyone[tuple[Card, ...]]


class TakenFromAftermarket(Fact, frozen=True):
    help = """A seat took a card of the Aftermarket to its binder or its hand."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    to: Everyone[Literal["binder", "hand"]]


class PutUnderStore(Fact, frozen=True):
    help = """A card of the Aftermarket was put under the Store deck."""

    card: Everyone[Card]
    top_back: Everyone[Back | None]


class TakenFromStore(Fact, frozen=True):
    help = """A seat took the top card of the Store deck in hand."""

    seat: Everyone[Seat]
    card: Owner[Card]
    top_back: Everyone[Back | None]


class PutOnStore(Fact, frozen=True):
    help = """A seat showed a card of its hand and put it on top of the Store deck."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    top_back: Everyone[Back | None]


class ReplacedForClash(Fact, frozen=True):
    help = """A participant of a clash discarded the card they revealed, to reveal another."""

    seat: Everyone[Seat]
    card: Everyone[Card]


class RemovedFromGame(Fact, frozen=True):
    help = """Cards in play went to the box, with the cards attached to them."""

    cards: Everyone[tuple[Card, ...]]


class ScoringBegun(Fact, frozen=True):
    help = """All have passed: the tournament is scored."""


class MetasScored(Fact, frozen=True):
    help = """A seat has face-up cards of `metas` active metas, and gains reputation for them."""

    seat: Everyone[Seat]
    metas: Everyone[int]


TOURNAMENT_FACTS: tuple[type[Fact], ...] = (
    TournamentBegun, DeckLaidOut, TurnBegun, TurnEnded, TurnPassed, PlayForgone, CardPlayed, Flipped, Unflipped, Gained,
    Lost, GainBlocked, TokensPut, Attached, Swapped, Discarded, HandSeen, CardNamed, Marked, Triggered, PlayEffectsDone,
    OrderChosen, TriggerTaken, EffectBegun, EffectEnded, TargetChosen, NumberStored, AboutToFlip, FlipPrevented,
    ActionUsed,
    ReactionUsed, PlaysGranted, GainWillDouble, ClashBegun, CardRevealed, ClashRaised, ClashDecided, AftermarketCleared,
    PutOnAftermarket, TakenFromAftermarket, PutUnderStore, TakenFromStore, PutOnStore, ReplacedForClash,
    RemovedFromGame, ScoringBegun, MetasScored,
)  # fmt: skip
