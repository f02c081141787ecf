"""Millennium Blades: how each fact changes the state of the table."""

from typing import Any

from msgspec.structs import replace

from games.kernel import Fact, Seat, removed, update_player
from games.millennium_blades import facts as f
from games.millennium_blades.catalogue import Card, is_character
from games.millennium_blades.state import (
    AftermarketCard,
    FriendshipCard,
    Negotiations,
    Pack,
    PeekedPack,
    PeekedPacks,
    Player,
    State,
    Trade,
)
from games.millennium_blades.tournament.evolve import evolve_tournament
from games.millennium_blades.tournament.facts import TOURNAMENT_FACTS
from games.millennium_blades.zones import without_all

TOURNAMENT_FACT_TYPES = frozenset(TOURNAMENT_FACTS)


def evolve(state: State, fact: Fact) -> State:
    """Return the state after a fact."""
    if type(fact) in TOURNAMENT_FACT_TYPES:
        return evolve_tournament(state, fact)
    match fact:
        case f.PutInDeck(seat, card):
            player = state.players[seat]
            return update_player(state, seat, binder=removed(player.binder, card), deck=(*player.deck, card))
        case f.TakenFromDeck(seat, card):
            player = state.players[seat]
            return update_player(state, seat, binder=(*player.binder, card), deck=removed(player.deck, card))
        case f.CardCollected(seat, card):
            player = state.players[seat]
            return update_player(
                state, seat, binder=removed(player.binder, card), collection=(*player.collection, card)
            )
        case f.TakenFromCollection(seat, card):
            player = state.players[seat]
            return update_player(
                state, seat, binder=(*player.binder, card), collection=removed(player.collection, card)
            )
        case f.PackOpened():
            return _open_pack(state, fact)
        case f.PackLaid(place, card, back, top):
            store = tuple(sorted((*state.store, Pack(place, card, back)), key=lambda pack: pack.place))
            return replace(state, store=store, store_deck=removed(state.store_deck, card), top_back=top)
        case f.CardSold(seat, card, dollars, _):
            player = state.players[seat]
            state = _without_cards(
                state, seat, (card,), dollars=player.dollars + dollars, sell_markers=player.sell_markers - 1
            )
            return replace(state, aftermarket=(*state.aftermarket, AftermarketCard(card, seat)))
        case f.CardBought(seat, card, price, seller):
            state = replace(state, aftermarket=tuple(entry for entry in state.aftermarket if entry.card != card))
            if seller is not None:
                markers = state.players[seller].sell_markers + 1
                state = update_player(state, seller, sell_markers=markers)
            player = state.players[seat]
            return update_player(state, seat, binder=(*player.binder, card), dollars=player.dollars - price)
        case f.TradeOffered() | f.TradeAnswered() | f.TradeEnded() | f.TradeCompleted():
            return _evolve_trade(state, fact)
        case f.DollarsEarned(seat, dollars):
            return update_player(state, seat, dollars=state.players[seat].dollars + dollars)
        case f.DollarsPaid(seat, dollars):
            return update_player(state, seat, dollars=state.players[seat].dollars - dollars)
        case f.CardsFused(seat, tier, cards, _, promo):
            player = state.players[seat]
            state = _without_cards(
                state, seat, cards, sell_markers=player.sell_markers - 1, fused_tiers=(*player.fused_tiers, tier)
            )
            return _take_promo(replace(state, box=(*state.box, *cards)), seat, promo)
        case f.PromoTaken(seat, _, promo):
            return _take_promo(state, seat, promo)
        case f.SeatReady(seat):
            return update_player(state, seat, ready=True)
        case f.PackPeeked(seat, place, card):
            peeked = (*state.players[seat].peeked.packs, PeekedPack(place, card))
            return update_player(state, seat, peeked=PeekedPacks(peeked))
        case f.CardsDealt(seat, cards, top):
            state = update_player(state, seat, binder=(*state.players[seat].binder, *cards))
            return replace(state, store_deck=without_all(state.store_deck, cards), top_back=top)
        case f.StoreDeckReshuffled(cards, top):
            return replace(state, store_deck=cards, discard=(), top_back=top)
    return _evolve_phase(state, fact)


def _evolve_phase(state: State, fact: Fact) -> State:
    match fact:
        case f.TableSetUp():
            return replace(
                state,
                store_deck=fact.store_deck,
                top_back=fact.top_back,
                fusion_decks=fact.fusion_decks,
                prize_decks=fact.prize_decks,
                element_metas=fact.element_metas,
                type_metas=fact.type_metas,
            )
        case f.PlayerSetUp(seat, character, starter, cards, friendship_cards, markers):
            return update_player(
                state,
                seat,
                character=character,
                starter=starter,
                binder=cards,
                friendship_cards=friendship_cards,
                sell_markers=markers,
            )
        case f.DeckbuildingBegun(markers):
            players = tuple(_begin_deckbuilding(player, markers) for player in state.players)
            metas = (*state.discarded_metas, *state.metas)
            return replace(state, phase="deckbuilding", players=players, metas=(), discarded_metas=metas)
        case f.MetaRevealed(deck, meta):
            return _with_meta_deck(replace(state, metas=(*state.metas, meta)), deck, _meta_deck(state, deck)[1:])
        case f.MetaMovedToBottom(deck, meta):
            metas = _meta_deck(state, deck)
            if meta is None:
                return _with_meta_deck(state, deck, (*metas[1:], metas[0]))
            revealed = tuple(other for other in state.metas if other != meta)
            return _with_meta_deck(replace(state, metas=revealed), deck, (*metas, meta))
        case f.MetasPeeked():
            return state
        case f.WindowOpened(window):
            players = tuple(replace(player, ready=False) for player in state.players)
            return replace(state, window=window, players=players)
        case f.MarketClosed():
            players = tuple(
                replace(player, ready=False, negotiations=Negotiations(), peeked=PeekedPacks())
                for player in state.players
            )
            return replace(state, window=0, players=players)
        case f.DeckCorrected(seat, cards):
            player = state.players[seat]
            legal = without_all(player.deck, cards)
            return update_player(state, seat, deck=legal, binder=(*player.binder, *cards))
        case f.CollectionTurnedIn(seat, cards, points):
            collection_points = (*state.players[seat].collection_points, points)
            state = update_player(state, seat, collection=(), collection_points=collection_points)
            return replace(state, box=(*state.box, *cards))
        case f.StoreCleared():
            cleared = (*(pack.card for pack in state.store), *(entry.card for entry in state.aftermarket))
            return replace(state, store=(), aftermarket=(), discard=(*state.discard, *cleared))
        case f.TournamentRanked(_, places, points):
            players = tuple(
                replace(player, tournament_points=(*player.tournament_points, victory_points))
                for player, victory_points in zip(state.players, points, strict=True)
            )
            return replace(state, players=players, places=places)
        case f.PrizeGiven(seat, _, card):
            state = update_player(state, seat, binder=(*state.players[seat].binder, card))
            prize_decks = tuple(replace(deck, cards=removed(deck.cards, card)) for deck in state.prize_decks)
            return replace(state, prize_decks=prize_decks)
        case f.CardsGathered():
            players = tuple(_gather(player) for player in state.players)
            return replace(
                state,
                players=players,
                phase="set_up",
                tournament=state.tournament + 1,
                active=None,
                turn_clashes=(),
                named_cards=(),
            )
        case f.PowerUsed(seat, power):
            return update_player(state, seat, powers_used=(*state.players[seat].powers_used, power))
        case f.ScoresCounted():
            return state
    raise TypeError(f"not a fact of Millennium Blades: {fact}")


def _open_pack(state: State, fact: f.PackOpened) -> State:
    seat, card = fact.seat, fact.card
    player = state.players[seat]
    state = update_player(state, seat, binder=(*player.binder, card), dollars=player.dollars - fact.price)
    if fact.place == 0:
        deck = removed(state.store_deck, card)
        return replace(state, store_deck=deck, top_back=fact.top_back, last_pack_opener=seat)
    store = tuple(pack for pack in state.store if pack.place != fact.place)
    players = tuple(_without_peek(player, fact.place) for player in state.players)
    return replace(state, players=players, store=store, last_pack_opener=seat)


def _without_peek(player: Player, place: int) -> Player:
    """Return the player without what they peeked at on a place of the Store."""
    if not player.peeked.packs:
        return player
    packs = tuple(pack for pack in player.peeked.packs if pack.place != place)
    return replace(player, peeked=PeekedPacks(packs))


def _take_promo(state: State, seat: Seat, promo: Card) -> State:
    state = update_player(state, seat, binder=(*state.players[seat].binder, promo))
    fusion_decks = tuple(replace(deck, cards=removed(deck.cards, promo)) for deck in state.fusion_decks)
    return replace(state, fusion_decks=fusion_decks)


def _evolve_trade(state: State, fact: Any) -> State:
    seat, partner = fact.seat, fact.partner
    match fact:
        case f.TradeOffered(number=number, offer=offer):
            return _with_trade(state, seat, partner, add=Trade(number, seat, partner, offer))
        case f.TradeAnswered(number=number, answer=answer):
            trade = next(trade for trade in state.players[seat].negotiations.trades if trade.number == number)
            return _with_trade(state, seat, partner, drop=number, add=replace(trade, answer=answer))
        case f.TradeEnded(number=number):
            return _with_trade(state, seat, partner, drop=number)
    state = _with_trade(state, seat, partner, drop=fact.number)
    state = _transfer(state, seat, partner, fact.cards, fact.friendship_cards, fact.dollars)
    return _transfer(state, partner, seat, fact.cards_back, fact.friendship_cards_back, fact.dollars_back)


def _with_trade(state: State, seat: Seat, partner: Seat, drop: int = 0, add: Trade | None = None) -> State:
    for party, other in ((seat, partner), (partner, seat)):
        negotiations = state.players[party].negotiations
        trades = tuple(trade for trade in negotiations.trades if trade.number != drop)
        counts = negotiations.message_counts or (0,) * len(state.players)
        if add is not None:
            trades = (*trades, add)
            counts = (*counts[:other], counts[other] + 1, *counts[other + 1 :])
        state = update_player(state, party, negotiations=Negotiations(trades, counts))
    return state


def _transfer(
    state: State,
    giver: Seat,
    taker: Seat,
    cards: tuple[Card, ...],
    friendship_cards: tuple[FriendshipCard, ...],
    dollars: int,
) -> State:
    player = state.players[giver]
    remaining = without_all(player.friendship_cards, friendship_cards)
    state = _without_cards(state, giver, cards, friendship_cards=remaining, dollars=player.dollars - dollars)
    player = state.players[taker]
    return update_player(
        state,
        taker,
        binder=(*player.binder, *cards),
        received_friendship_cards=(*player.received_friendship_cards, *friendship_cards),
        dollars=player.dollars + dollars,
    )


def _without_cards(state: State, seat: Seat, cards: tuple[Card, ...], **changes: object) -> State:
    """Return the state without these cards of a seat, in whichever area they lay."""
    player = state.players[seat]
    return update_player(
        state,
        seat,
        binder=without_all(player.binder, cards),
        collection=without_all(player.collection, cards),
        deck=without_all(player.deck, cards),
        **changes,
    )


def _begin_deckbuilding(player: Player, markers: int) -> Player:
    return replace(player, sell_markers=markers, fused_tiers=(), powers_used=(), points=0)


def _meta_deck(state: State, deck: str) -> tuple[str, ...]:
    return state.element_metas if deck == "element" else state.type_metas


def _with_meta_deck(state: State, deck: str, metas: tuple[str, ...]) -> State:
    return replace(state, element_metas=metas) if deck == "element" else replace(state, type_metas=metas)


def _gather(player: Player) -> Player:
    cards = [card for in_play in (*player.tableau, *player.equipment) for card in (in_play.card, *in_play.attached)]
    cards = [card for card in cards if not is_character(card)]
    binder = (*player.binder, *player.hand, *cards)
    return replace(player, binder=binder, hand=(), tableau=(), equipment=(), powers_used=())
