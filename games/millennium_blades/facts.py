"""Millennium Blades: the facts outside of tournaments: set-up, the market, collections, decks, results."""

from typing import Annotated, Literal

from games.kernel import Everyone, Fact, Nobody, Owner, Seat, Viewer, VisibleTo
from games.millennium_blades.catalogue import Card, Tier
from games.millennium_blades.state import Back, FriendshipCard, PromoDeck, TradeSide

Area = Literal["binder", "collection", "deck"]
"""Where a card of a seat lies during Deckbuilding."""


def _is_party(fact: "TradeOffered | TradeAnswered | TradeEnded | TradeCompleted", viewer: Viewer) -> bool:
    return viewer in (fact.seat, fact.partner)


PARTIES_ONLY = VisibleTo(_is_party)


class TableSetUp(Fact, frozen=True):
    help = """The sets were chosen and the common decks shuffled. `top_back` is the back of the top card of the
    Store deck."""

    store_sets: Everyone[tuple[str, ...]]
    store_deck: Nobody[tuple[Card, ...]]
    top_back: Everyone[Back | None]
    fusion_decks: Everyone[tuple[PromoDeck, ...]]
    prize_decks: Everyone[tuple[PromoDeck, ...]]
    element_metas: Nobody[tuple[str, ...]]
    type_metas: Nobody[tuple[str, ...]]


class PlayerSetUp(Fact, frozen=True):
    help = """A seat got a character with its friendship cards, a starter deck and its sell markers."""

    seat: Everyone[Seat]
    character: Everyone[str]
    starter: Everyone[str]
    cards: Everyone[tuple[Card, ...]]
    friendship_cards: Everyone[tuple[FriendshipCard, ...]]
    sell_markers: Everyone[int]


class CardsDealt(Fact, frozen=True):
    help = """A seat got cards of the Store deck into its binder."""

    seat: Everyone[Seat]
    cards: Owner[tuple[Card, ...]]
    top_back: Everyone[Back | None]


class StoreDeckReshuffled(Fact, frozen=True):
    help = """The Store deck was empty, and the general discard was shuffled into a new one."""

    cards: Nobody[tuple[Card, ...]]
    top_back: Everyone[Back | None]


class DeckbuildingBegun(Fact, frozen=True):
    help = """A Deckbuilding phase began. Each seat got all its sell markers back, and the revealed metas were
    discarded."""

    sell_markers: Everyone[int]


class DollarsEarned(Fact, frozen=True):
    help = """A seat got dollars from the bank."""

    seat: Everyone[Seat]
    dollars: Everyone[int]


class DollarsPaid(Fact, frozen=True):
    help = """A seat paid dollars to the bank."""

    seat: Everyone[Seat]
    dollars: Everyone[int]


class PackLaid(Fact, frozen=True):
    help = """The top card of the Store deck was put face down on a place of the Store, 1 to 9."""

    place: Everyone[int]
    card: Nobody[Card]
    back: Everyone[Back]
    top_back: Everyone[Back | None]


class MetaRevealed(Fact, frozen=True):
    help = """The top card of a meta deck was revealed."""

    deck: Everyone[Literal["element", "type"]]
    meta: Everyone[str]


class MetaMovedToBottom(Fact, frozen=True):
    help = (
        """Power Creep: the top card of a meta deck was put under the deck. `meta` is null if the card was face down."""
    )

    deck: Everyone[Literal["element", "type"]]
    meta: Everyone[str | None]


class MetasPeeked(Fact, frozen=True):
    help = """Power Creep: a seat looked at the next cards of a meta deck."""

    seat: Everyone[Seat]
    deck: Everyone[Literal["element", "type"]]
    metas: Owner[tuple[str, ...]]


class WindowOpened(Fact, frozen=True):
    help = """A window of the Deckbuilding phase opened: 1, 2, 3 (the last call), or 4 (grace, to finish something)."""

    window: Everyone[int]


class SeatReady(Fact, frozen=True):
    help = """A seat does nothing more in this window."""

    seat: Everyone[Seat]


class MarketClosed(Fact, frozen=True):
    help = """The Deckbuilding phase ended."""


class PackOpened(Fact, frozen=True):
    help = """A seat bought a pack: from a place of the Store, 1 to 9, or the top card of the Store deck, place 0."""

    seat: Everyone[Seat]
    place: Everyone[int]
    price: Everyone[int]
    card: Owner[Card]
    top_back: Everyone[Back | None]


class PackPeeked(Fact, frozen=True):
    help = """Fulton Suitcase: a seat looked at a face-down card of the Store."""

    seat: Everyone[Seat]
    place: Everyone[int]
    card: Owner[Card]


class CardSold(Fact, frozen=True):
    help = """A seat sold a card to the Aftermarket and put a sell marker on it. `area` is where the card came from."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    dollars: Everyone[int]
    area: Everyone[Area]


class CardBought(Fact, frozen=True):
    help = """A seat bought a card of the Aftermarket. The sell marker on it went back to `seller`, if there was one."""

    seat: Everyone[Seat]
    card: Everyone[Card]
    price: Everyone[int]
    seller: Everyone[Seat | None]


class CardsFused(Fact, frozen=True):
    help = """A seat gave up cards and a sell marker for the top card of a fusion deck.

    The cards leave the game, the marker stays at the deck. `areas` is where each card came from.
    """

    seat: Everyone[Seat]
    tier: Everyone[Tier]
    cards: Owner[tuple[Card, ...]]
    areas: Everyone[tuple[Area, ...]]
    promo: Owner[Card]


class PromoTaken(Fact, frozen=True):
    help = """Cardine Kolleckta: a seat got a card of a fusion deck."""

    seat: Everyone[Seat]
    tier: Everyone[Tier]
    promo: Owner[Card]


class CardCollected(Fact, frozen=True):
    help = """A seat put a card of its binder into its collection."""

    seat: Everyone[Seat]
    card: Owner[Card]


class TakenFromCollection(Fact, frozen=True):
    help = """A seat took a card of its collection back into its binder."""

    seat: Everyone[Seat]
    card: Owner[Card]


class PutInDeck(Fact, frozen=True):
    help = """A seat put a card of its binder into its deck."""

    seat: Everyone[Seat]
    card: Owner[Card]


class TakenFromDeck(Fact, frozen=True):
    help = """A seat took a card of its deck back into its binder."""

    seat: Everyone[Seat]
    card: Owner[Card]


class TradeOffered(Fact, frozen=True):
    help = """A seat offered a trade to another. Only these two receive this fact."""

    seat: Everyone[Seat]
    partner: Everyone[Seat]
    number: Everyone[int]
    offer: Everyone[TradeSide]
    observers = PARTIES_ONLY


class TradeAnswered(Fact, frozen=True):
    help = """`partner` answered a trade with what it would give in return. Only these two receive this fact."""

    seat: Everyone[Seat]
    partner: Everyone[Seat]
    number: Everyone[int]
    answer: Everyone[TradeSide]
    observers = PARTIES_ONLY


class TradeEnded(Fact, frozen=True):
    help = """A trade was withdrawn, declined, or cancelled because a part of it is missing. Only the two receive
    this fact."""

    seat: Everyone[Seat]
    partner: Everyone[Seat]
    number: Everyone[int]
    reason: Everyone[Literal["withdrawn", "declined", "cancelled"]]
    observers = PARTIES_ONLY


class TradeCompleted(Fact, frozen=True):
    help = """Two seats traded: what `seat` gave, and what it got back from `partner`.

    All see the dollars, the number of cards and the areas that the cards came from. Only the two see which cards.
    """

    seat: Everyone[Seat]
    partner: Everyone[Seat]
    number: Annotated[int, PARTIES_ONLY]
    dollars: Everyone[int]
    dollars_back: Everyone[int]
    cards: Annotated[tuple[Card, ...], PARTIES_ONLY]
    cards_back: Annotated[tuple[Card, ...], PARTIES_ONLY]
    areas: Everyone[tuple[Area, ...]]
    areas_back: Everyone[tuple[Area, ...]]
    friendship_cards: Annotated[tuple[FriendshipCard, ...], PARTIES_ONLY]
    friendship_cards_back: Annotated[tuple[FriendshipCard, ...], PARTIES_ONLY]


class DeckCorrected(Fact, frozen=True):
    help = """Cards that a deck may not hold went back to the binder."""

    seat: Everyone[Seat]
    cards: Owner[tuple[Card, ...]]


class CollectionTurnedIn(Fact, frozen=True):
    help = """A seat turned in its collection for victory points. The cards leave the game."""

    seat: Everyone[Seat]
    cards: Everyone[tuple[Card, ...]]
    points: Everyone[int]


class StoreCleared(Fact, frozen=True):
    help = """The cards of the Store and of the Aftermarket went to the general discard."""


class TournamentRanked(Fact, frozen=True):
    help = """A tournament was decided. One entry for each seat: final reputation, place (shared on ties), victory
    points."""

    reputation: Everyone[tuple[int, ...]]
    places: Everyone[tuple[int, ...]]
    points: Everyone[tuple[int, ...]]


class PrizeGiven(Fact, frozen=True):
    help = """A seat got a card of the prize deck."""

    seat: Everyone[Seat]
    tier: Everyone[Tier]
    card: Owner[Card]


class CardsGathered(Fact, frozen=True):
    help = """All cards of the tournament went back to the binders."""


class PowerUsed(Fact, frozen=True):
    help = """A seat used up a power of its character."""

    seat: Everyone[Seat]
    power: Everyone[str]


class ScoresCounted(Fact, frozen=True):
    help = """The game is decided. Victory points of each seat by part: tournaments, collections, dollars,
    friendship cards."""

    parts: Everyone[tuple[tuple[int, int, int, int], ...]]


FACTS: tuple[type[Fact], ...] = (
    TableSetUp, PlayerSetUp, CardsDealt, StoreDeckReshuffled, DeckbuildingBegun, DollarsEarned, DollarsPaid, PackLaid,
    MetaRevealed, MetaMovedToBottom, MetasPeeked, WindowOpened, SeatReady, MarketClosed, PackOpened, PackPeeked,
    CardSold, CardBought, CardsFused, PromoTaken, CardCollected, TakenFromCollection, PutInDeck, TakenFromDeck,
    TradeOffered, TradeAnswered, TradeEnded, TradeCompleted, DeckCorrected, CollectionTurnedIn, StoreCleared,
    TournamentRanked, PrizeGiven, CardsGathered, PowerUsed, ScoresCounted,
)  # fmt: skip
