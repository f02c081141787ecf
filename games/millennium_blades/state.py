"""Millennium Blades: the options and the state of a game."""

from collections.abc import Collection
from typing import Literal

from games.kernel import Everyone, Nobody, Owner, Record, Refusal, Seat, msg
from games.millennium_blades.catalogue import (
    CHARACTERS,
    CORE,
    IMPLEMENTED_SETS,
    PROMOS,
    SETS,
    STARTERS,
    Card,
    Design,
    Tier,
)
from games.millennium_blades.constants import SETS_IN_STORE

Back = str
"""The back of a pack: the id of its set. The catalogue has the price, elements and types of the set."""

FriendshipCard = int
"""A friendship card: six times the seat that it was dealt to, plus its number among the six."""

MAX_GRACE_SECONDS = 120


class Options(Record, frozen=True, forbid_unknown_fields=True):
    help = """The variants of Millennium Blades, and choices that are otherwise made at random.

    pre_release: the game opens with a tournament. powers: characters have powers. free_market: trades may be uneven.
    store_sets: the sets shuffled into the Store with the core set. promo_sets: the sets of bronze fusion, bronze prize,
    silver fusion, silver prize and gold fusion. characters, starters: one for each seat. grace_seconds: time after the
    last window to finish what was begun. Only sets that are implemented can be chosen or drawn.
    """

    pre_release: Everyone[bool] = False
    powers: Everyone[bool] = False
    free_market: Everyone[bool] = False
    store_sets: Everyone[tuple[str, ...] | None] = None
    promo_sets: Everyone[tuple[str, ...] | None] = None
    characters: Everyone[tuple[str, ...] | None] = None
    starters: Everyone[tuple[str, ...] | None] = None
    grace_seconds: Everyone[int] = 0

    def resolve(self, seats: int) -> "Options":
        """Return the options unchanged. Refuse values that are unknown, repeated or too many."""
        _check_choice(self.store_sets, IMPLEMENTED_SETS, "store_sets")
        _check_choice(self.promo_sets, IMPLEMENTED_SETS, "promo_sets")
        _check_choice(self.characters, CHARACTERS, "characters", seats)
        _check_choice(self.starters, STARTERS, "starters", seats)
        for rarity in {SETS[card_set].rarity for card_set in self.store_sets or ()}:
            limit = SETS_IN_STORE.get(rarity, 0)
            if sum(SETS[card_set].rarity == rarity for card_set in self.store_sets or ()) > limit:
                raise Refusal(
                    "bad-options",
                    msg("store_sets: at most {limit} sets of rarity {rarity}", limit=limit, rarity=rarity),
                )
        bronze, silver, gold = PROMOS
        if self.promo_sets is not None and tuple(SETS[card_set].rarity for card_set in self.promo_sets) != (
            bronze, bronze, silver, silver, gold,
        ):  # fmt: skip
            raise Refusal("bad-options", "promo_sets: two bronze, two silver and one gold set, in this order")
        if not 0 <= self.grace_seconds <= MAX_GRACE_SECONDS:
            raise Refusal("bad-options", "grace_seconds: from 0 to 120")
        return self


def _check_choice(chosen: tuple[str, ...] | None, known: Collection[str], name: str, number: int | None = None) -> None:
    if chosen is None:
        return
    unknown = [value for value in chosen if value not in known or value == CORE]
    if unknown:
        reason = msg("{option}: {value} does not exist, or cannot be played yet", option=name, value=unknown[0])
        raise Refusal("bad-options", reason)
    if len(set(chosen)) < len(chosen) or number not in (None, len(chosen)):
        if number:
            raise Refusal("bad-options", "{option}: one for each seat, all different", option=name)
        raise Refusal("bad-options", "{option}: all different", option=name)


class TradeSide(Record, frozen=True):
    help = """What one seat gives in a trade."""

    cards: Everyone[tuple[Card, ...]]
    dollars: Everyone[int]
    friendship_cards: Everyone[tuple[FriendshipCard, ...]]


class Trade(Record, frozen=True):
    help = """A trade under negotiation: what the first seat offers, and what its partner would give in return.

    number: the id of the trade. Each offer has a new one, so that an answer to an old offer is refused.
    """

    number: Everyone[int]
    seat: Everyone[Seat]
    partner: Everyone[Seat]
    offer: Everyone[TradeSide]
    answer: Everyone[TradeSide | None] = None


class Negotiations(Record, frozen=True):
    help = """The open trades of a seat. Only the seat itself sees them.

    message_counts: by seat, how many offers and answers the two have exchanged; empty before the first.
    """

    trades: Everyone[tuple[Trade, ...]] = ()
    message_counts: Everyone[tuple[int, ...]] = ()


class PeekedPack(Record, frozen=True):
    help = """A face-down card of the Store that a seat has looked at."""

    place: Everyone[int]
    card: Everyone[Card]


class PeekedPacks(Record, frozen=True):
    help = """The packs of the Store that a seat has looked at. Only the seat itself sees them."""

    packs: Everyone[tuple[PeekedPack, ...]] = ()


class InPlay(Record, frozen=True):
    help = """A card in play.

    tokens: how many star tokens it has. attached: the cards attached to it. marks: -1 after its Next effect has
    happened, and the attached cards that came from a hand; those have no effects.
    """

    card: Everyone[Card]
    face_up: Everyone[bool] = True
    tokens: Everyone[int] = 0
    attached: Everyone[tuple[Card, ...]] = ()
    marks: Everyone[tuple[int, ...]] = ()


class Player(Record, frozen=True):
    help = """What belongs to a seat.

    points: its reputation in this tournament. binder, collection, deck: its cards during Deckbuilding. hand, tableau,
    equipment: the cards of its deck in a tournament; equipment is accessories and the deck box. sell_markers: those
    that are free. fused_tiers: tiers of fusion used in this phase. friendship_cards: its own ones that it can give;
    received_friendship_cards: those that others gave it. powers_used: powers that are used up.
    tournament_points, collection_points: victory points so far, one entry for each tournament or collection.
    """

    seat: Everyone[Seat]
    character: Everyone[str] = ""
    starter: Everyone[str] = ""
    dollars: Everyone[int] = 0
    sell_markers: Everyone[int] = 0
    fused_tiers: Everyone[tuple[Tier, ...]] = ()
    ready: Everyone[bool] = False
    binder: Owner[tuple[Card, ...]] = ()
    collection: Owner[tuple[Card, ...]] = ()
    deck: Owner[tuple[Card, ...]] = ()
    friendship_cards: Owner[tuple[FriendshipCard, ...]] = ()
    received_friendship_cards: Owner[tuple[FriendshipCard, ...]] = ()
    negotiations: Owner[Negotiations] = Negotiations()
    peeked: Owner[PeekedPacks] = PeekedPacks()
    points: Everyone[int] = 0
    hand: Owner[tuple[Card, ...]] = ()
    tableau: Everyone[tuple[InPlay, ...]] = ()
    equipment: Everyone[tuple[InPlay, ...]] = ()
    powers_used: Everyone[tuple[str, ...]] = ()
    tournament_points: Everyone[tuple[int, ...]] = ()
    collection_points: Everyone[tuple[int, ...]] = ()


class Pack(Record, frozen=True):
    help = """A face-down card of the Store, on a place from 1 to 9."""

    place: Everyone[int]
    card: Nobody[Card]
    back: Everyone[Back]


class AftermarketCard(Record, frozen=True):
    help = """A face-up card of the Aftermarket. seller: the seat whose sell marker lies on it, if there is one."""

    card: Everyone[Card]
    seller: Everyone[Seat | None] = None


class PromoDeck(Record, frozen=True):
    help = """A fusion or prize deck: one set of promo cards, shuffled. The top card is the last."""

    tier: Everyone[Tier]
    set: Everyone[str]
    cards: Nobody[tuple[Card, ...]]


class Turn(Record, frozen=True):
    help = """The turn of the active seat.

    plays, actions: how many are left. played: the cards that the seat played. over: no more cards can be played.
    doubled: the next gain of reputation counts twice.
    """

    plays: Everyone[int] = 1
    actions: Everyone[int] = 1
    played: Everyone[tuple[Card, ...]] = ()
    over: Everyone[bool] = False
    doubled: Everyone[bool] = False


class FlippedCard(Record, frozen=True):
    help = """A card that the current effect flipped, as it was before."""

    card: Everyone[Card]
    seat: Everyone[Seat]
    stars: Everyone[int]
    elements: Everyone[tuple[str, ...]]
    types: Everyone[tuple[str, ...]]
    has_score_effect: Everyone[bool]


class ClashSide(Record, frozen=True):
    help = """A participant of a clash.

    top: their Top card. card: the card that they revealed last. others: the cards that they revealed before. bonus:
    stars that they added. redraws: how often they paid to reveal another card.
    """

    seat: Everyone[Seat]
    top: Everyone[Card]
    card: Everyone[Card | None] = None
    bonus: Everyone[int] = 0
    others: Everyone[tuple[Card, ...]] = ()
    redraws: Everyone[int] = 0


class Clash(Record, frozen=True):
    help = """A clash, and how it ended. totals: by participant, once it has ended."""

    sides: Everyone[tuple[ClashSide, ...]]
    status: Everyone[Literal["begun", "won", "tied", "cancelled"]] = "begun"
    winner: Everyone[Seat | None] = None
    totals: Everyone[tuple[int, ...]] = ()


class ResolvingEffect(Record, frozen=True):
    help = """An effect that is being resolved, and what it has done so far.

    seat, card: the card that has the effect, and its seat. design, index: the ability, which the card has itself or
    copies. cap: the most reputation that it gives. gained: the reputation that it has given. subject: the card that the
    event that triggered it was about. targets: the chosen targets. pending: cards that are about to be flipped.
    flipped: cards that it flipped. number: a number that it stored for later steps.
    """

    seat: Everyone[Seat]
    card: Everyone[Card]
    design: Everyone[Design]
    index: Everyone[int]
    cap: Everyone[int | None] = None
    gained: Everyone[int] = 0
    subject: Everyone[int | None] = None
    targets: Everyone[tuple[int, ...]] = ()
    pending: Everyone[tuple[Card, ...]] = ()
    flipped: Everyone[tuple[FlippedCard, ...]] = ()
    number: Everyone[int] = 0
    clash: Everyone[Clash | None] = None


class PendingTrigger(Record, frozen=True):
    help = """A triggered effect that waits to be resolved.

    number: identifies it. ready: false while Play effects come first. ordered: its seat has chosen the order.
    """

    number: Everyone[int]
    seat: Everyone[Seat]
    card: Everyone[Card]
    design: Everyone[Design]
    index: Everyone[int]
    subject: Everyone[int | None] = None
    ready: Everyone[bool] = True
    ordered: Everyone[bool] = False


Phase = Literal["set_up", "deckbuilding", "tournament", "scoring"]


class State(Record, frozen=True):
    help = """The state of Millennium Blades.

    tournament: which of the three is played or comes next. window: the open window of Deckbuilding, 1 to 3; 0 for none,
    4 for grace. box: cards that left the game. last_pack_opener: the seat that opened the last pack. places: the places
    of the last tournament. passes: turns in a row that were passed. named_cards: seats, and the cards that they named
    in this tournament.
    """

    options: Everyone[Options]
    players: Everyone[tuple[Player, ...]]
    phase: Everyone[Phase] = "set_up"
    tournament: Everyone[int] = 1
    window: Everyone[int] = 0
    store_deck: Nobody[tuple[Card, ...]] = ()
    top_back: Everyone[Back | None] = None
    store: Everyone[tuple[Pack, ...]] = ()
    aftermarket: Everyone[tuple[AftermarketCard, ...]] = ()
    discard: Nobody[tuple[Card, ...]] = ()
    box: Nobody[tuple[Card, ...]] = ()
    fusion_decks: Everyone[tuple[PromoDeck, ...]] = ()
    prize_decks: Everyone[tuple[PromoDeck, ...]] = ()
    element_metas: Nobody[tuple[str, ...]] = ()
    type_metas: Nobody[tuple[str, ...]] = ()
    metas: Everyone[tuple[str, ...]] = ()
    discarded_metas: Everyone[tuple[str, ...]] = ()
    last_pack_opener: Everyone[Seat | None] = None
    places: Everyone[tuple[int, ...]] = ()
    first: Everyone[Seat] = 0
    active: Everyone[Seat | None] = None
    turn: Everyone[Turn] = Turn()
    passes: Everyone[int] = 0
    pending_triggers: Everyone[tuple[PendingTrigger, ...]] = ()
    trigger_count: Everyone[int] = 0
    effect_stack: Everyone[tuple[ResolvingEffect, ...]] = ()
    turn_clashes: Everyone[tuple[tuple[Card, Seat], ...]] = ()
    named_cards: Everyone[tuple[tuple[Seat, Design], ...]] = ()


def initial_state(options: Options, seats: int) -> State:
    """Return the state before set-up."""
    return State(options, tuple(Player(seat) for seat in range(seats)))
