"""Millennium Blades: how each fact changes the state of the table."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from games.kernel import Fact, Seat, removed, update_player
from games.millennium_blades import facts as f
from games.millennium_blades.catalogue import Card
from games.millennium_blades.state import Desk, ForSale, Pack, Player, State, Trade
from games.millennium_blades.tournament.evolve import evolve_tournament
from games.millennium_blades.tournament.facts import TOURNAMENT_FACTS
from games.millennium_blades.zones import with_desk, without_all

IN_A_TOURNAMENT = frozenset(TOURNAMENT_FACTS)


def evolve(state: State, fact: Fact) -> State:
    """Return the state after a fact."""
    if type(fact) in IN_A_TOURNAMENT:
        return evolve_tournament(state, fact)
    match fact:
        case f.PutInDeck(seat, card):
            player = state.players[seat]
            return update_player(state, seat, binder=removed(player.binder, card), deck=(*player.deck, card))
        case f.TakenFromDeck(seat, card):
            player = state.players[seat]
            return update_player(state, seat, binder=(*player.binder, card), deck=removed(player.deck, card))
        case f.Collected(seat, card):
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
        case f.Sold(seat, card, dollars, _):
            player = state.players[seat]
            sold = _parted(state, seat, (card,), dollars=player.dollars + dollars, markers=player.markers - 1)
            return replace(sold, aftermarket=(*state.aftermarket, ForSale(card, seat)))
        case f.Bought(seat, card, price, marker):
            bought = replace(state, aftermarket=tuple(it for it in state.aftermarket if it.card != card))
            if marker is not None:
                bought = update_player(bought, marker, markers=bought.players[marker].markers + 1)
            player = bought.players[seat]
            return update_player(bought, seat, binder=(*player.binder, card), dollars=player.dollars - price)
        case f.TradeOffered() | f.TradeAnswered() | f.TradeEnded() | f.Traded():
            return _evolve_trade(state, fact)
        case f.Earned(seat, dollars):
            return update_player(state, seat, dollars=state.players[seat].dollars + dollars)
        case f.Paid(seat, dollars):
            return update_player(state, seat, dollars=state.players[seat].dollars - dollars)
        case f.Fused(seat, tier, cards, _, promo):
            player = state.players[seat]
            parted = _parted(state, seat, cards, markers=player.markers - 1, fused=(*player.fused, tier))
            return _take_promo(replace(parted, box=(*state.box, *cards)), seat, promo)
        case f.PromoTaken(seat, _, promo):
            return _take_promo(state, seat, promo)
        case f.SeatReady(seat):
            return update_player(state, seat, ready=True)
        case f.PackSeen(seat, place, card):
            desk = state.players[seat].desk
            return with_desk(state, seat, replace(desk, peeked=(*desk.peeked, (place, card))))
        case f.Dealt(seat, cards, top):
            dealt = update_player(state, seat, binder=(*state.players[seat].binder, *cards))
            return replace(dealt, store_deck=without_all(state.store_deck, cards), top_back=top)
        case f.Reshuffled(cards, top):
            return replace(state, store_deck=cards, discard=(), top_back=top)
    return _evolve_course(state, fact)


def _evolve_course(state: State, fact: Fact) -> State:
    match fact:
        case f.LaidOut():
            return replace(
                state,
                store_deck=fact.store_deck,
                top_back=fact.top,
                fusion=fact.fusion,
                prizes=fact.prizes,
                element_metas=fact.element_metas,
                type_metas=fact.type_metas,
            )
        case f.SatDown(seat, character, starter, cards, friends, markers):
            return update_player(
                state, seat, character=character, starter=starter, binder=cards, friends=friends, markers=markers
            )
        case f.DeckbuildingBegun(markers):
            players = tuple(_at_the_board(player, markers) for player in state.players)
            old = (*state.old_metas, *state.metas)
            return replace(state, phase="deckbuilding", players=players, metas=(), old_metas=old)
        case f.MetaRevealed(deck, meta):
            return _metas(replace(state, metas=(*state.metas, meta)), deck, _metas_of(state, deck)[1:])
        case f.MetaPutUnder(deck, meta):
            left = _metas_of(state, deck)
            if meta is None:
                return _metas(state, deck, (*left[1:], left[0]))
            return _metas(replace(state, metas=tuple(it for it in state.metas if it != meta)), deck, (*left, meta))
        case f.MetasSeen():
            return state
        case f.WindowOpened(window):
            return replace(state, window=window, players=tuple(replace(it, ready=False) for it in state.players))
        case f.MarketClosed():
            players = tuple(replace(it, ready=False, desk=Desk()) for it in state.players)
            return replace(state, window=0, players=players)
        case f.DeckCorrected(seat, cards):
            player = state.players[seat]
            kept = without_all(player.deck, cards)
            return update_player(state, seat, deck=kept, binder=(*player.binder, *cards))
        case f.CollectionTurnedIn(seat, cards, points):
            gained = (*state.players[seat].collection_points, points)
            turned_in = update_player(state, seat, collection=(), collection_points=gained)
            return replace(turned_in, box=(*state.box, *cards))
        case f.StoreCleared():
            cleared = (*(it.card for it in state.store), *(it.card for it in state.aftermarket))
            return replace(state, store=(), aftermarket=(), discard=(*state.discard, *cleared))
        case f.TournamentRanked(_, places, points):
            players = tuple(
                replace(player, tournament_points=(*player.tournament_points, gained))
                for player, gained in zip(state.players, points, strict=True)
            )
            return replace(state, players=players, places=places)
        case f.PrizeGiven(seat, _, card):
            given = update_player(state, seat, binder=(*state.players[seat].binder, card))
            prizes = tuple(replace(deck, cards=removed(deck.cards, card)) for deck in state.prizes)
            return replace(given, prizes=prizes)
        case f.CardsGathered():
            players = tuple(_gathered(player) for player in state.players)
            return replace(
                state,
                players=players,
                phase="set_up",
                tournament=state.tournament + 1,
                active=None,
                clashed=(),
                named=(),
            )
        case f.ScoresCounted():
            return state
    raise TypeError(f"not a fact of Millennium Blades: {fact}")


def _open_pack(state: State, fact: f.PackOpened) -> State:
    seat, card = fact.seat, fact.card
    player = state.players[seat]
    changed = update_player(state, seat, binder=(*player.binder, card), dollars=player.dollars - fact.price)
    if fact.place == 0:
        deck = removed(state.store_deck, card)
        return replace(changed, store_deck=deck, top_back=fact.top, last_opened=seat)
    store = tuple(pack for pack in state.store if pack.place != fact.place)
    players = tuple(_forgets(it, fact.place) for it in changed.players)
    return replace(changed, players=players, store=store, last_opened=seat)


def _forgets(player: Player, place: int) -> Player:
    """What a seat saw at a place of the Store is gone."""
    if not player.desk.peeked:
        return player
    peeked = tuple(seen for seen in player.desk.peeked if seen[0] != place)
    return replace(player, desk=replace(player.desk, peeked=peeked))


def _take_promo(state: State, seat: Seat, promo: Card) -> State:
    taken = update_player(state, seat, binder=(*state.players[seat].binder, promo))
    return replace(taken, fusion=tuple(replace(deck, cards=removed(deck.cards, promo)) for deck in state.fusion))


def _evolve_trade(state: State, fact: Any) -> State:
    seat, partner = fact.seat, fact.partner
    match fact:
        case f.TradeOffered(number=number, given=given):
            return _talked(state, seat, partner, add=Trade(number, seat, partner, given))
        case f.TradeAnswered(number=number, wanted=wanted):
            old = next(it for it in state.players[seat].desk.trades if it.number == number)
            return _talked(state, seat, partner, drop=number, add=replace(old, wanted=wanted))
        case f.TradeEnded(number=number):
            return _talked(state, seat, partner, drop=number)
    talked = _talked(state, seat, partner, drop=fact.number)
    handed = _handed_over(talked, seat, partner, fact.cards, fact.friends, fact.dollars)
    return _handed_over(handed, partner, seat, fact.cards_back, fact.friends_back, fact.dollars_back)


def _talked(state: State, seat: Seat, partner: Seat, drop: int = 0, add: Trade | None = None) -> State:
    for one, other in ((seat, partner), (partner, seat)):
        desk = state.players[one].desk
        trades = tuple(it for it in desk.trades if it.number != drop)
        words = desk.words or (0,) * len(state.players)
        if add is not None:
            trades = (*trades, add)
            words = (*words[:other], words[other] + 1, *words[other + 1 :])
        state = with_desk(state, one, replace(desk, trades=trades, words=words))
    return state


def _handed_over(
    state: State, giver: Seat, taker: Seat, cards: Iterable[Card], friends: tuple[int, ...], dollars: int
) -> State:
    cards = tuple(cards)
    player = state.players[giver]
    left = tuple(it for it in player.friends if it not in friends)
    state = _parted(state, giver, cards, friends=left, dollars=player.dollars - dollars)
    player = state.players[taker]
    return update_player(
        state,
        taker,
        binder=(*player.binder, *cards),
        received=(*player.received, *friends),
        dollars=player.dollars + dollars,
    )


def _parted(state: State, seat: Seat, cards: tuple[Card, ...], **changes: object) -> State:
    """Return the state with cards of a seat gone, from wherever they lay."""
    player = state.players[seat]
    return update_player(
        state,
        seat,
        binder=without_all(player.binder, cards),
        collection=without_all(player.collection, cards),
        deck=without_all(player.deck, cards),
        **changes,
    )


def _at_the_board(player: Player, markers: int) -> Player:
    return replace(player, markers=markers, fused=(), powers_used=(), points=0)


def _metas_of(state: State, deck: str) -> tuple[str, ...]:
    return state.element_metas if deck == "element" else state.type_metas


def _metas(state: State, deck: str, metas: tuple[str, ...]) -> State:
    return replace(state, element_metas=metas) if deck == "element" else replace(state, type_metas=metas)


def _gathered(player: Player) -> Player:
    lying = [it for held in (*player.tableau, *player.equipment) for it in (held.card, *held.attached) if it < 9000]
    binder = (*player.binder, *player.hand, *lying)
    return replace(player, binder=binder, hand=(), tableau=(), equipment=(), powers_used=())
