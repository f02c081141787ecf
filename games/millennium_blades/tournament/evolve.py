"""Millennium Blades: how the facts of a tournament change the state of the table."""

from typing import Any

from msgspec.structs import replace

from games.kernel import Fact, Seat, removed, update_player
from games.millennium_blades.catalogue import is_character
from games.millennium_blades.state import (
    AftermarketCard,
    Clash,
    ClashSide,
    FlippedCard,
    InPlay,
    PendingTrigger,
    ResolvingEffect,
    State,
    Turn,
)
from games.millennium_blades.tournament import facts as t
from games.millennium_blades.zones import card_in_play, card_seat, with_card, without_all


def evolve_tournament(state: State, fact: Fact) -> State:
    """Return the state after a fact of a tournament."""
    match fact:
        case t.Gained(seat, points):
            return _gain(state, seat, points)
        case t.Lost(seat, points):
            return update_player(state, seat, points=state.players[seat].points - points)
        case t.CardPlayed(seat, card, tokens):
            player = state.players[seat]
            tableau = (*player.tableau, InPlay(card, tokens=tokens))
            played = update_player(state, seat, hand=removed(player.hand, card), tableau=tableau)
            turn = replace(state.turn, plays=state.turn.plays - 1, played=(*state.turn.played, card))
            return replace(played, turn=turn)
        case t.Flipped():
            return _flip(state, fact)
        case t.Unflipped(_, card):
            return with_card(state, card, face_up=True)
        case t.TokensPut(_, card, tokens):
            in_play = card_in_play(state, card)
            return state if in_play is None else with_card(state, card, tokens=in_play.tokens + tokens)
        case t.Marked(card, mark):
            in_play = card_in_play(state, card)
            return state if in_play is None else with_card(state, card, marks=(*in_play.marks, mark))
        case t.Attached(seat, card, host, _):
            return _attach(state, seat, card, host)
        case t.Swapped(seat, card, other):
            return _swap(state, seat, card, other)
        case t.Discarded(seat, cards):
            player = state.players[seat]
            hand = without_all(player.hand, cards)
            return update_player(state, seat, hand=hand, binder=(*player.binder, *cards))
        case t.RemovedFromGame(cards):
            return _remove(state, cards)
        case t.HandSeen() | t.GainBlocked() | t.ReactionUsed() | t.MetasScored():
            return state
        case t.CardNamed(seat, design):
            return replace(state, named_cards=(*state.named_cards, (seat, design)))
        case t.ClashBegun() | t.CardRevealed() | t.ClashRaised() | t.ClashDecided() | t.ReplacedForClash():
            return _evolve_clash(state, fact)
    return _evolve_cards(state, fact)


def _evolve_cards(state: State, fact: Fact) -> State:
    match fact:
        case t.AftermarketCleared():
            cards = tuple(sale.card for sale in state.aftermarket)
            return replace(state, aftermarket=(), discard=(*state.discard, *cards))
        case t.PutOnAftermarket(cards):
            clash = _clash(state)
            sides = tuple(
                replace(
                    side,
                    card=None if side.card in cards else side.card,
                    others=without_all(side.others, cards),
                )
                for side in clash.sides
            )
            put = replace(state, aftermarket=(*state.aftermarket, *(AftermarketCard(card) for card in cards)))
            return _with_effect(put, clash=replace(clash, sides=sides))
        case t.TakenFromAftermarket(seat, card, to):
            player = state.players[seat]
            taken = update_player(state, seat, **{to: (*getattr(player, to), card)})
            return replace(taken, aftermarket=tuple(sale for sale in state.aftermarket if sale.card != card))
        case t.PutUnderStore(card, top):
            remaining = tuple(sale for sale in state.aftermarket if sale.card != card)
            return replace(state, aftermarket=remaining, store_deck=(card, *state.store_deck), top_back=top)
        case t.TakenFromStore(seat, card, top):
            taken = update_player(state, seat, hand=(*state.players[seat].hand, card))
            return replace(taken, store_deck=removed(state.store_deck, card), top_back=top)
        case t.PutOnStore(seat, card, top):
            put = update_player(state, seat, hand=removed(state.players[seat].hand, card))
            return replace(put, store_deck=(*state.store_deck, card), top_back=top)
    return _evolve_effects(state, fact)


def _evolve_effects(state: State, fact: Fact) -> State:
    match fact:
        case t.Triggered(seat, card, design, index, subject, ready):
            number = state.trigger_count + 1
            trigger = PendingTrigger(number, seat, card, design, index, subject, ready)
            return replace(state, pending_triggers=(*state.pending_triggers, trigger), trigger_count=number)
        case t.TriggerTaken(number):
            return replace(
                state, pending_triggers=tuple(trigger for trigger in state.pending_triggers if trigger.number != number)
            )
        case t.OrderChosen(_, triggers):
            places = {number: place for place, number in enumerate(triggers)}
            ordered = sorted(
                (trigger for trigger in state.pending_triggers if trigger.number in places),
                key=lambda trigger: places[trigger.number],
            )
            others = (trigger for trigger in state.pending_triggers if trigger.number not in places)
            return replace(state, pending_triggers=(*(replace(trigger, ordered=True) for trigger in ordered), *others))
        case t.PlayEffectsDone():
            return replace(
                state, pending_triggers=tuple(replace(trigger, ready=True) for trigger in state.pending_triggers)
            )
        case t.EffectBegun(seat, card, design, index, subject, cap):
            return replace(
                state,
                effect_stack=(*state.effect_stack, ResolvingEffect(seat, card, design, index, cap, subject=subject)),
            )
        case t.EffectEnded():
            return replace(state, effect_stack=state.effect_stack[:-1])
        case t.TargetChosen(target, instead):
            targets = _top(state).targets
            return _with_effect(state, targets=(*(targets[:-1] if instead else targets), target))
        case t.NumberStored(number):
            return _with_effect(state, number=number)
        case t.AboutToFlip(cards):
            return _with_effect(state, pending=cards)
        case t.FlipPrevented(cards):
            return _with_effect(state, pending=without_all(_top(state).pending, cards))
    return _evolve_turns(state, fact)


def _evolve_turns(state: State, fact: Fact) -> State:
    match fact:
        case t.TournamentBegun(_, first):
            players = tuple(replace(player, points=0, powers_used=()) for player in state.players)
            return replace(state, players=players, phase="tournament", first=first, active=first, passes=0)
        case t.DeckLaidOut(seat, equipment, hand):
            laid = tuple(InPlay(card) for card in equipment)
            return update_player(state, seat, deck=(), equipment=laid, hand=hand)
        case t.TurnBegun(seat):
            return replace(state, active=seat, turn=Turn(), turn_clashes=(), passes=0)
        case t.TurnEnded():
            return state
        case t.TurnPassed():
            return replace(state, passes=state.passes + 1)
        case t.PlayForgone():
            return replace(state, turn=replace(state.turn, plays=0, over=True))
        case t.ActionUsed():
            return replace(state, turn=replace(state.turn, actions=state.turn.actions - 1))
        case t.PlaysGranted(_, plays):
            return replace(state, turn=replace(state.turn, plays=state.turn.plays + plays))
        case t.GainWillDouble():
            return replace(state, turn=replace(state.turn, doubled=True))
        case t.ScoringBegun():
            return replace(state, phase="scoring", turn=Turn(0, 0))
    raise TypeError(f"not a fact of Millennium Blades: {fact}")


def _top(state: State) -> ResolvingEffect:
    return state.effect_stack[-1]


def _clash(state: State) -> Clash:
    clash = _top(state).clash
    assert clash is not None
    return clash


def _with_effect(state: State, **changes: Any) -> State:
    """Return the state with changes to the current effect."""
    return replace(state, effect_stack=(*state.effect_stack[:-1], replace(state.effect_stack[-1], **changes)))


def _gain(state: State, seat: Seat, points: int) -> State:
    gained = update_player(state, seat, points=state.players[seat].points + points)
    if state.turn.doubled and seat == state.active:
        gained = replace(gained, turn=replace(state.turn, doubled=False))
    if state.effect_stack and _top(state).seat == seat:
        return _with_effect(gained, gained=_top(state).gained + points)
    return gained


def _flip(state: State, fact: t.Flipped) -> State:
    flipped = with_card(state, fact.card, face_up=False)
    if not state.effect_stack or fact.cost:
        return flipped
    effect = _top(state)
    down = FlippedCard(fact.card, fact.seat, fact.stars, fact.elements, fact.types, fact.has_score_effect)
    pending = removed(effect.pending, fact.card)
    return _with_effect(flipped, flipped=(*effect.flipped, down), pending=pending)


def _attach(state: State, seat: Seat, card: int, host: int) -> State:
    player = state.players[seat]
    equipment = tuple(in_play for in_play in player.equipment if in_play.card != card)
    without_card = update_player(state, seat, hand=removed(player.hand, card), equipment=equipment)
    host_in_play = card_in_play(without_card, host)
    assert host_in_play is not None
    return with_card(without_card, host, attached=(*host_in_play.attached, card))


def _swap(state: State, seat: Seat, card: int, other: int) -> State:
    tableau = list(state.players[seat].tableau)
    places = {in_play.card: place for place, in_play in enumerate(tableau)}
    one, two = places[card], places[other]
    tableau[one], tableau[two] = tableau[two], tableau[one]
    return update_player(state, seat, tableau=tuple(tableau))


def _remove(state: State, cards: tuple[int, ...]) -> State:
    """Put cards in play into the box, with the cards attached to them."""
    for card in cards:
        seat = card_seat(state, card)
        if seat is None:
            continue
        player = state.players[seat]
        in_play = card_in_play(state, card)
        leaving = (card, *(in_play.attached if in_play else ()))
        tableau, equipment = (
            tuple(replace(host, attached=removed(host.attached, card)) for host in zone if host.card != card)
            for zone in (player.tableau, player.equipment)
        )
        state = update_player(state, seat, tableau=tableau, equipment=equipment)
        state = replace(state, box=(*state.box, *(card for card in leaving if not is_character(card))))
    return state


def _evolve_clash(state: State, fact: Fact) -> State:
    match fact:
        case t.ClashBegun(seats, tops):
            sides = tuple(ClashSide(seat, top) for seat, top in zip(seats, tops, strict=True))
            pairs = tuple((_top(state).card, seat) for seat in seats)
            return _with_effect(replace(state, turn_clashes=(*state.turn_clashes, *pairs)), clash=Clash(sides))
        case t.CardRevealed(seat, card, top):
            drawn = replace(state, store_deck=removed(state.store_deck, card), top_back=top)
            side = next(side for side in _clash(state).sides if side.seat == seat)
            others = side.others if side.card is None else (*side.others, side.card)
            return _side(drawn, seat, card=card, others=others)
        case t.ClashRaised(seat, stars):
            side = next(side for side in _clash(state).sides if side.seat == seat)
            return _side(state, seat, bonus=side.bonus + stars)
        case t.ReplacedForClash(seat, card):
            redraws = next(side for side in _clash(state).sides if side.seat == seat).redraws + 1
            return _side(replace(state, discard=(*state.discard, card)), seat, card=None, redraws=redraws)
        case t.ClashDecided(status, winner, totals):
            return _with_effect(state, clash=replace(_clash(state), status=status, winner=winner, totals=totals))
    raise TypeError(f"not a fact of a clash: {fact}")


def _side(state: State, seat: Seat, **changes: Any) -> State:
    clash = _clash(state)
    sides = tuple(replace(side, **changes) if side.seat == seat else side for side in clash.sides)
    return _with_effect(state, clash=replace(clash, sides=sides))
