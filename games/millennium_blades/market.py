"""Millennium Blades: the market, where every seat acts whenever it wants. Source: the owner's page, Deckbuilding."""

from collections.abc import Iterator
from operator import is_
from typing import Any, NamedTuple

from games.kernel import UNLIMITED, Choice, Offer, OneOf, Outcome, SomeOf, Wait, choose, msg, rule
from games.millennium_blades.catalogue import Card, price, set_id, stars
from games.millennium_blades.constants import WINDOWS
from games.millennium_blades.deck_rules import collection_additions, deck_additions
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
    PromoTaken,
    PutInDeck,
    SeatReady,
    StoreDeckReshuffled,
    TakenFromCollection,
    TakenFromDeck,
)
from games.millennium_blades.table import STORE_DECK_PLACE, MillenniumBlades
from games.millennium_blades.tournament.facts import PowerUsed
from games.millennium_blades.trades import trading_offers, withdraw_all
from games.millennium_blades.zones import area_of, back_of

LAST_CALL = 3
FIRST_WINDOW = 1
MAX_READY_WAIT_MS = 2 * sum(WINDOWS)
"""Longer than any window: whoever rests is asked again when the next one opens."""


@rule
def act(table: MillenniumBlades) -> Outcome:
    """Any action, any player, any number of times, in any order, until the phase ends."""
    player, state = table.player, table.state
    if state.phase == "deckbuilding" and state.window:
        if player.ready:
            return wait_for_window()
        return action_choice(table)
    if state.phase == "set_up" and not player.ready:
        return choose("Build your deck.", *building_offers(table), ready.offer(), within=UNLIMITED)
    return None


def action_choice(table: MillenniumBlades) -> Choice:
    """Return what a seat may do while the market is open.

    After every decision all seats are asked again. For those for whom nothing has changed the choice is the same object
    as before, and when only the market has changed the offers of their own cards are: they are made of nothing but what
    is compared here, by identity, because records never change.
    """
    state, player = table.state, table.player
    own = (player, state.window, state.fusion_decks, state.options, *[other.ready for other in state.players])
    market = (state.store, state.top_back, state.aftermarket, state.element_metas)
    known = _remembered.get(id(player))
    is_known = known is not None and len(known.own) == len(own) and all(map(is_, known.own, own))
    if known is not None and is_known and all(map(is_, known.market, market)):
        return known.choice
    offers = known.offers if known is not None and is_known else own_offers(table)
    others = (*common_offers(table), *offers, *power_offers(table), ready.offer())
    possible = tuple([offer for offer in others if offer is not None and offer.is_possible])
    prompt = msg("Buy, sell, fuse, trade, collect, build your deck.")
    if not table.can_begin:
        prompt = msg("The time is up: finish what you began.")
    choice = Choice(prompt, possible, UNLIMITED)
    if len(_remembered) >= REMEMBERED_AT_MOST:
        _remembered.clear()
    _remembered[id(player)] = Remembered(own, offers, market, choice)
    return choice


class Remembered(NamedTuple):
    """A choice that was made, and what it was made of."""

    own: tuple[Any, ...]
    offers: tuple[Offer, ...]
    market: tuple[Any, ...]
    choice: Choice


_remembered: dict[int, Remembered] = {}
"""By the identity of what lies before a seat."""

REMEMBERED_AT_MOST = 1024


def common_offers(table: MillenniumBlades) -> tuple[Offer, ...]:
    """Return the offers of the Store and the Aftermarket, which change with what anybody does."""
    if not table.can_begin:
        return ()
    return (
        buy_pack.offer(place=OneOf(table.affordable_packs)),
        buy_card.offer(card=OneOf(table.affordable_cards)),
    )


def own_offers(table: MillenniumBlades) -> tuple[Offer, ...]:
    """Return the offers of a seat's own cards: to sell, to fuse, to trade, to collect, to build a deck."""
    offers = (*selling_offers(table), *trading_offers(table), *building_offers(table))
    return tuple([offer for offer in offers if offer is not None and offer.is_possible])


def selling_offers(table: MillenniumBlades) -> tuple[Offer | None, ...]:
    """Return the offers of selling and fusing, for which a marker is needed."""
    if not table.can_begin:
        return ()
    cards = table.own_cards
    may_sell = table.player.sell_markers > 0 and table.state.window < LAST_CALL
    return (
        sell.offer(card=OneOf(cards)) if may_sell else None,
        *[fuse.offer(tier=OneOf((tier,)), cards=SomeOf(cards, cost, cost)) for tier, cost in table.fusions],
    )


def building_offers(table: MillenniumBlades) -> tuple[Offer | None, ...]:
    """Return the offers of the collection area and the deck area."""
    player = table.player
    collects = table.state.phase == "deckbuilding"
    may_add = collects and (table.can_begin or bool(player.collection))
    return (
        put_in_deck.offer(card=OneOf(deck_additions(player.binder, player.deck, table.deck_limits))),
        take_from_deck.offer(card=OneOf(player.deck)),
        collect.offer(card=OneOf(collection_additions(player.binder, player.collection))) if may_add else None,
        take_from_collection.offer(card=OneOf(player.collection)) if collects else None,
    )


def power_offers(table: MillenniumBlades) -> tuple[Offer | None, ...]:
    """Return the offers of the seat's character, in a game with powers."""
    if not table.state.options.powers or not table.can_begin:
        return ()
    player, state = table.player, table.state
    match player.character:
        case "fulton-suitcase" if player.dollars:
            peeked = {pack.place for pack in player.peeked.packs}
            unseen = tuple(pack.place for pack in state.store if pack.place not in peeked)
            return (look_at_pack.offer(place=OneOf(unseen)),)
        case "power-creep":
            decks = tuple(it for it in ("element", "type") if state.element_metas or it == "type")
            changes = state.window == FIRST_WINDOW and "change a meta" not in player.powers_used
            return (
                look_at_metas.offer(deck=OneOf(decks)),
                change_meta.offer(deck=OneOf(decks)) if changes else None,
            )
        case "shur-wen-na" if "free card" not in player.powers_used:
            cards = tuple(it.card for it in state.aftermarket if it.seller != table.seat)
            return (take_free_card.offer(card=OneOf(cards)),)
    return ()


@rule
def ready(table: MillenniumBlades) -> Outcome:
    """A player may say that the window can end; it does when all have said so."""
    return *withdraw_all(table), SeatReady(table.seat), act()


@rule
def wait_for_window(table: MillenniumBlades) -> Outcome:
    """A player who is ready does nothing more in this window."""
    if table.player.ready:
        return Wait(MAX_READY_WAIT_MS)
    return act()


@rule
def buy_pack(table: MillenniumBlades, place: int) -> Outcome:
    """Choose one of the ten cards of the Store, pay the price on its back, and replace it at once."""
    deck = table.state.store_deck
    if place == STORE_DECK_PLACE:
        card = deck[-1]
        return PackOpened(table.seat, place, price(card), card, back_of(deck[:-1])), reshuffle_store_deck(), act()
    card = next(pack.card for pack in table.state.store if pack.place == place)
    bought = PackOpened(table.seat, place, price(card), card, table.state.top_back)
    return bought, lay_pack(place), act()


@rule
def lay_pack(table: MillenniumBlades, place: int) -> Outcome:
    """A place of the Store is filled from the top of the Store deck."""
    deck = table.state.store_deck
    if not deck:
        return (reshuffle_store_deck(), lay_pack(place)) if table.store_supply else None
    return PackLaid(place, deck[-1], set_id(deck[-1]), back_of(deck[:-1])), reshuffle_store_deck()


@rule
def reshuffle_store_deck(table: MillenniumBlades) -> Outcome:
    """When the Store deck is empty, the general discard is shuffled into a new one."""
    if table.state.store_deck or not table.state.discard:
        return None
    cards = table.chance.shuffled(table.state.discard)
    return StoreDeckReshuffled(cards, back_of(cards))


@rule
def buy_card(table: MillenniumBlades, card: Card) -> Outcome:
    """Pay a card's stars in dollars; its marker goes back to its owner."""
    seller = next(it.seller for it in table.state.aftermarket if it.card == card)
    return CardBought(table.seat, card, table.aftermarket_price(card), seller), act()


@rule
def sell(table: MillenniumBlades, card: Card) -> Outcome:
    """Put a card face up on the Aftermarket with a sell marker; get its stars in dollars."""
    dollars = stars(card) + 2 * table.has_power(table.seat, "morrey-caardman")
    return CardSold(table.seat, card, dollars, area_of(table.player, card)), act()


@rule
def fuse(table: MillenniumBlades, tier: str, cards: tuple[Card, ...]) -> Outcome:
    """Five, seven or nine cards and a marker for the top card of a fusion deck; each tier once a phase."""
    deck = next(deck for deck in table.state.fusion_decks if deck.tier == tier)
    areas = tuple(area_of(table.player, card) for card in cards)
    return CardsFused(table.seat, deck.tier, cards, areas, deck.cards[-1]), act()


@rule
def put_in_deck(table: MillenniumBlades, card: Card) -> Outcome:
    """A card goes into the deck."""
    return PutInDeck(table.seat, card), act()


@rule
def take_from_deck(table: MillenniumBlades, card: Card) -> Outcome:
    """A card of the deck goes back to the binder."""
    return TakenFromDeck(table.seat, card), act()


@rule
def collect(table: MillenniumBlades, card: Card) -> Outcome:
    """A card joins the collection: it matches by element or type, and its stars are different from all others."""
    return CardCollected(table.seat, card), act()


@rule
def take_from_collection(table: MillenniumBlades, card: Card) -> Outcome:
    """A card of the collection goes back to the binder."""
    return TakenFromCollection(table.seat, card), act()


# --- Powers of characters --------------------------------------------------------------------------------


@rule
def look_at_pack(table: MillenniumBlades, place: int) -> Outcome:
    """Fulton Suitcase pays a dollar to look at a face-down card of the Store."""
    card = next(pack.card for pack in table.state.store if pack.place == place)
    return DollarsPaid(table.seat, 1), PackPeeked(table.seat, place, card), act()


@rule
def look_at_metas(table: MillenniumBlades, deck: str) -> Outcome:
    """Power Creep may look at the next two cards of each meta deck at any time."""
    metas = table.state.element_metas if deck == "element" else table.state.type_metas
    return MetasPeeked(table.seat, "element" if deck == "element" else "type", metas[:2]), act()


@rule
def change_meta(table: MillenniumBlades, deck: str) -> Outcome:
    """Power Creep, once, before the second meta is revealed: a meta deck's top card goes under it."""
    used = PowerUsed(table.seat, "change a meta")
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


@rule
def take_free_card(table: MillenniumBlades, card: Card) -> Outcome:
    """Shur Wen Na takes one card of the Aftermarket for free in each Deckbuilding phase."""
    seller = next(it.seller for it in table.state.aftermarket if it.card == card)
    return PowerUsed(table.seat, "free card"), CardBought(table.seat, card, 0, seller), act()


@rule
def take_promos(table: MillenniumBlades) -> Outcome:
    """Cardine Kolleckta begins with a bronze and a silver promo of the fusion decks."""
    decks = [deck for deck in table.state.fusion_decks if deck.tier in ("bronze", "silver")]
    return tuple(PromoTaken(table.seat, deck.tier, deck.cards[-1]) for deck in decks)


def timeout_answers(table: MillenniumBlades, asked: Choice) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the answers for a silent seat: to be ready, to decline, to end the turn; else any move."""
    moves = {offer.move for offer in asked.offers}
    for move in ("ready", "decline", "end_turn"):
        if move in moves:
            yield move, {}
    yield from asked.samples(table.chance)
