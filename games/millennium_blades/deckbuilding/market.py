"""Millennium Blades: the market, where all seats act at the same time. Source: the owner's page, Deckbuilding."""

from collections.abc import Iterator
from operator import is_
from typing import Any, NamedTuple

from games.kernel import UNLIMITED, Choice, Offer, OneOf, Outcome, SomeOf, Wait, choose, move, msg, rule
from games.millennium_blades.catalogue import Card, price, set_id, stars
from games.millennium_blades.constants import WINDOWS_MS
from games.millennium_blades.deck_rules import collection_additions, deck_additions
from games.millennium_blades.deckbuilding.trades import trading_offers, withdraw_all
from games.millennium_blades.facts import (
    CardBought,
    CardCollected,
    CardsFused,
    CardSold,
    DollarsPaid,
    MetaMovedToBottom,
    MetaRevealed,
    MetasPeeked,
    PackLaid,
    PackOpened,
    PackPeeked,
    PowerUsed,
    PromoTaken,
    PutInDeck,
    SeatReady,
    StoreDeckReshuffled,
    TakenFromCollection,
    TakenFromDeck,
)
from games.millennium_blades.table import STORE_DECK_PLACE, MillenniumBlades
from games.millennium_blades.zones import card_area, top_back

LAST_CALL = 3
FIRST_WINDOW = 1
MAX_READY_WAIT_MS = 2 * sum(WINDOWS_MS)
"""Longer than any window. A ready seat is asked again when the next window opens."""

MORREY_EXTRA_DOLLARS = 2
FULTON_PEEK_PRICE = 1
POWER_CREEP_METAS = 2


@rule
def act(table: MillenniumBlades) -> Outcome:
    """Any action, any player, any number of times, in any order, until the phase ends."""
    player, state = table.player, table.state
    if state.phase == "deckbuilding" and state.window:
        if player.ready:
            return wait_for_window()
        return action_choice(table)
    if state.phase == "set_up" and not player.ready:
        return choose(msg("Build your deck."), *building_offers(table), ready.offer(), within=UNLIMITED)
    return None


def action_choice(table: MillenniumBlades) -> Choice:
    """Return what a seat may do while the market is open.

    Memoised, because all seats are asked again after every decision: a seat gets the same object as long as everything
    that its choice is made from is the same. If only the market changed, the offers of the seat's own cards are used
    again. Records never change, so comparing them by identity is enough.
    """
    state, player = table.state, table.player
    own_inputs = (player, state.window, state.fusion_decks, state.options, *[other.ready for other in state.players])
    market_inputs = (state.store, state.top_back, state.aftermarket, state.element_metas)
    memo = _memos.get(id(player))
    if memo is not None and not _are_same(memo.own_inputs, own_inputs):
        memo = None
    if memo is not None and _are_same(memo.market_inputs, market_inputs):
        return memo.choice
    offers = own_offers(table) if memo is None else memo.offers
    candidates = (*common_offers(table), *offers, *power_offers(table), ready.offer())
    possible = tuple([offer for offer in candidates if offer is not None and offer.is_possible])
    prompt = msg("Buy, sell, fuse, trade, collect cards and build your deck.")
    if not table.can_begin:
        prompt = msg("The time is up. Finish what you have begun.")
    choice = Choice(prompt, possible, UNLIMITED)
    if len(_memos) >= MAX_MEMOS:
        _memos.clear()
    _memos[id(player)] = ChoiceMemo(own_inputs, offers, market_inputs, choice)
    return choice


def _are_same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))


class ChoiceMemo(NamedTuple):
    """A choice, and the inputs that it was made from."""

    own_inputs: tuple[Any, ...]
    offers: tuple[Offer, ...]
    market_inputs: tuple[Any, ...]
    choice: Choice


MAX_MEMOS = 1024

_memos: dict[int, ChoiceMemo] = {}
"""By the id of the player's record. Each memo refers to that record, so its id is not reused meanwhile."""


def common_offers(table: MillenniumBlades) -> tuple[Offer, ...]:
    """Return the offers of the Store and the Aftermarket, which change with the actions of all seats."""
    if not table.can_begin:
        return ()
    return (
        buy_pack.offer(place=OneOf(table.affordable_packs)),
        buy_card.offer(card=OneOf(table.affordable_cards)),
    )


def own_offers(table: MillenniumBlades) -> tuple[Offer, ...]:
    """Return the offers of a seat's own cards: sell, fuse, trade, collect, build a deck."""
    offers = (*selling_offers(table), *trading_offers(table), *building_offers(table))
    return tuple([offer for offer in offers if offer is not None and offer.is_possible])


def selling_offers(table: MillenniumBlades) -> tuple[Offer | None, ...]:
    """Return the offers of selling and fusing. Both need a sell marker."""
    if not table.can_begin:
        return ()
    cards = table.own_cards
    may_sell = table.player.sell_markers > 0 and table.state.window < LAST_CALL
    return (
        sell.offer(card=OneOf(cards)) if may_sell else None,
        *[fuse.offer(tier=OneOf((tier,)), cards=SomeOf(cards, cost, cost)) for tier, cost in table.fusions],
    )


def building_offers(table: MillenniumBlades) -> tuple[Offer | None, ...]:
    """Return the offers of the collection and the deck."""
    player = table.player
    has_collections = table.state.phase == "deckbuilding"
    may_collect = has_collections and (table.can_begin or bool(player.collection))
    return (
        put_in_deck.offer(card=OneOf(deck_additions(player.binder, player.deck, table.deck_limits))),
        take_from_deck.offer(card=OneOf(player.deck)),
        collect.offer(card=OneOf(collection_additions(player.binder, player.collection))) if may_collect else None,
        take_from_collection.offer(card=OneOf(player.collection)) if has_collections else None,
    )


def power_offers(table: MillenniumBlades) -> tuple[Offer | None, ...]:
    """Return the offers of the seat's character, in a game with powers."""
    if not table.state.options.powers or not table.can_begin:
        return ()
    player, state = table.player, table.state
    match player.character:
        case "fulton-suitcase" if player.dollars >= FULTON_PEEK_PRICE:
            peeked = {pack.place for pack in player.peeked.packs}
            unknown = tuple(pack.place for pack in state.store if pack.place not in peeked)
            return (look_at_pack.offer(place=OneOf(unknown)),)
        case "power-creep":
            decks = tuple(deck for deck in ("element", "type") if state.element_metas or deck == "type")
            may_change = state.window == FIRST_WINDOW and change_meta.name not in player.powers_used
            return (
                look_at_metas.offer(deck=OneOf(decks)),
                change_meta.offer(deck=OneOf(decks)) if may_change else None,
            )
        case "shur-wen-na" if take_free_card.name not in player.powers_used:
            cards = tuple(entry.card for entry in state.aftermarket if entry.seller != table.seat)
            return (take_free_card.offer(card=OneOf(cards)),)
    return ()


@move(title="Ready", help="Finish this window: do nothing more until the next one opens. It ends when all are ready.")
def ready(table: MillenniumBlades) -> Outcome:
    """A player may say that the window can end. It ends when all players have said so."""
    return *withdraw_all(table), SeatReady(table.seat), act()


@rule
def wait_for_window(table: MillenniumBlades) -> Outcome:
    """A ready player does nothing more in this window."""
    if table.player.ready:
        return Wait(MAX_READY_WAIT_MS)
    return act()


@move(
    title="Buy a pack",
    help="Buy a face-down card of the Store for the price on its back. Place 0 is the top of the Store deck.",
    args={"place": "Place"},
)
def buy_pack(table: MillenniumBlades, place: int) -> Outcome:
    """Choose one of the ten cards of the Store, pay the price on its back, and replace it at once."""
    deck = table.state.store_deck
    if place == STORE_DECK_PLACE:
        card = deck[-1]
        return PackOpened(table.seat, place, price(card), card, top_back(deck[:-1])), reshuffle_store_deck(), act()
    card = next(pack.card for pack in table.state.store if pack.place == place)
    return PackOpened(table.seat, place, price(card), card, table.state.top_back), lay_pack(place), act()


@rule
def lay_pack(table: MillenniumBlades, place: int) -> Outcome:
    """A place of the Store is filled from the top of the Store deck."""
    deck = table.state.store_deck
    if not deck:
        return (reshuffle_store_deck(), lay_pack(place)) if table.store_supply else None
    return PackLaid(place, deck[-1], set_id(deck[-1]), top_back(deck[:-1])), reshuffle_store_deck()


@rule
def reshuffle_store_deck(table: MillenniumBlades) -> Outcome:
    """When the Store deck is empty, the general discard is shuffled into a new one."""
    if table.state.store_deck or not table.state.discard:
        return None
    cards = table.chance.shuffled(table.state.discard)
    return StoreDeckReshuffled(cards, top_back(cards))


@move(
    title="Buy a card",
    help="Buy a card of the Aftermarket for as many dollars as it has stars. Its sell marker goes back to its owner.",
    args={"card": "Card"},
)
def buy_card(table: MillenniumBlades, card: Card) -> Outcome:
    """Pay a card's stars in dollars. The marker on it goes back to its owner."""
    return CardBought(table.seat, card, table.aftermarket_price(card), table.seller(card)), act()


@move(
    title="Sell a card",
    help="Put a card on the Aftermarket under one of your sell markers, and get as many dollars as it has stars.",
    args={"card": "Card"},
)
def sell(table: MillenniumBlades, card: Card) -> Outcome:
    """Put a card face up on the Aftermarket with a sell marker and get its stars in dollars."""
    dollars = stars(card) + MORREY_EXTRA_DOLLARS * table.has_power(table.seat, "morrey-caardman")
    return CardSold(table.seat, card, dollars, card_area(table.player, card)), act()


@move(
    title="Fuse cards",
    help="Give up cards, and a sell marker until the end of the phase, for the top promo card of a fusion deck.",
    args={"tier": "Fusion deck", "cards": "Cards"},
)
def fuse(table: MillenniumBlades, tier: str, cards: tuple[Card, ...]) -> Outcome:
    """Five, seven or nine cards and a marker buy the top card of a fusion deck. Each tier once a phase."""
    deck = next(deck for deck in table.state.fusion_decks if deck.tier == tier)
    areas = tuple(card_area(table.player, card) for card in cards)
    return CardsFused(table.seat, deck.tier, cards, areas, deck.cards[-1]), act()


@move(title="Put in deck", help="Put a card of your binder into your deck.", args={"card": "Card"})
def put_in_deck(table: MillenniumBlades, card: Card) -> Outcome:
    """A card goes into the deck."""
    return PutInDeck(table.seat, card), act()


@move(title="Take from deck", help="Take a card of your deck back into your binder.", args={"card": "Card"})
def take_from_deck(table: MillenniumBlades, card: Card) -> Outcome:
    """A card of the deck goes back to the binder."""
    return TakenFromDeck(table.seat, card), act()


@move(
    title="Collect a card",
    help="Add a card of your binder to your collection. All its cards share an element or type and differ in stars.",
    args={"card": "Card"},
)
def collect(table: MillenniumBlades, card: Card) -> Outcome:
    """A card joins the collection: it matches by element or type, and no other card there has as many stars."""
    return CardCollected(table.seat, card), act()


@move(
    title="Take from collection",
    help="Take a card of your collection back into your binder.",
    args={"card": "Card"},
)
def take_from_collection(table: MillenniumBlades, card: Card) -> Outcome:
    """A card of the collection goes back to the binder."""
    return TakenFromCollection(table.seat, card), act()


# --- Powers of characters --------------------------------------------------------------------------------


@move(
    title="Look at a pack",
    help="Fulton Suitcase: pay $1 and look at a face-down card of the Store.",
    args={"place": "Place"},
)
def look_at_pack(table: MillenniumBlades, place: int) -> Outcome:
    """Fulton Suitcase pays a dollar to look at a face-down card of the Store."""
    card = next(pack.card for pack in table.state.store if pack.place == place)
    return DollarsPaid(table.seat, FULTON_PEEK_PRICE), PackPeeked(table.seat, place, card), act()


@move(
    title="Look at metas",
    help="Power Creep: look at the next two cards of a meta deck.",
    args={"deck": "Meta deck"},
)
def look_at_metas(table: MillenniumBlades, deck: str) -> Outcome:
    """Power Creep may look at the next two cards of each meta deck at any time."""
    if deck == "element":
        return MetasPeeked(table.seat, "element", table.state.element_metas[:POWER_CREEP_METAS]), act()
    return MetasPeeked(table.seat, "type", table.state.type_metas[:POWER_CREEP_METAS]), act()


@move(
    title="Change a meta",
    help="Power Creep, once a phase: put the top card of a meta deck under the deck. The revealed Element is replaced.",
    args={"deck": "Meta deck"},
)
def change_meta(table: MillenniumBlades, deck: str) -> Outcome:
    """Power Creep, once, before the second meta is revealed: the top card of a meta deck goes under the deck."""
    used = PowerUsed(table.seat, change_meta.name)
    if deck == "type":
        return used, MetaMovedToBottom("type", None), act()
    revealed = table.state.metas[-1]
    return used, MetaMovedToBottom("element", revealed), reveal_meta("element"), act()


@rule
def reveal_meta(table: MillenniumBlades, deck: str) -> Outcome:
    """The top card of a meta deck is revealed."""
    if deck == "element":
        return MetaRevealed("element", table.state.element_metas[0])
    return MetaRevealed("type", table.state.type_metas[0])


@move(
    title="Take a free card",
    help="Shur Wen Na, once a phase: take a card of the Aftermarket for free.",
    args={"card": "Card"},
)
def take_free_card(table: MillenniumBlades, card: Card) -> Outcome:
    """Shur Wen Na takes one card of the Aftermarket for free in each Deckbuilding phase."""
    return PowerUsed(table.seat, take_free_card.name), CardBought(table.seat, card, 0, table.seller(card)), act()


@rule
def take_promos(table: MillenniumBlades) -> Outcome:
    """Cardine Kolleckta begins with a bronze and a silver promo of the fusion decks."""
    decks = [deck for deck in table.state.fusion_decks if deck.tier in ("bronze", "silver")]
    return tuple(PromoTaken(table.seat, deck.tier, deck.cards[-1]) for deck in decks)


def timeout_answers(table: MillenniumBlades, choice: Choice) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the answers for a silent seat: ready, decline or end the turn if possible, else any move."""
    moves = {offer.move for offer in choice.offers}
    for name in ("ready", "decline", "end_turn"):
        if name in moves:
            yield name, {}
    yield from choice.samples(table.chance)
