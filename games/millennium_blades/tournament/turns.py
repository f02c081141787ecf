"""Millennium Blades: the tournament. Source: the owner's page, Tournament phase, and docs/rulings.md."""

from games.kernel import OneOf, Outcome, Seat, choose, move, msg, rank_seats, rule
from games.millennium_blades.board.card_script import AbilityReference, CardInPlay, Keyword, ability, card_script
from games.millennium_blades.catalogue import CHARACTERS, Card, copy_of_design, design_number, kind
from games.millennium_blades.constants import META_POINTS, VICTORY_POINTS_BY_PLACE
from games.millennium_blades.facts import TournamentRanked
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.abilities import scripted_ability
from games.millennium_blades.tournament.facts import (
    ActionUsed,
    CardPlayed,
    DeckLaidOut,
    Gained,
    Marked,
    MetasScored,
    PlayEffectsDone,
    RemovedFromGame,
    ScoringBegun,
    TournamentBegun,
    Triggered,
    TurnBegun,
    TurnEnded,
    TurnPassed,
)
from games.millennium_blades.tournament.flips import flip_source
from games.millennium_blades.tournament.resolution import resolve_triggers, start_ability

NEXT_DONE = -1
"""The mark on a card whose Next effect has happened."""

POWER_CREEP_PER_META = 10


@rule
def tournament(table: MillenniumBlades) -> Outcome:
    """Play a tournament: lay out decks, take turns until all have passed, and score."""
    first = first_player(table)
    return (
        TournamentBegun(table.state.tournament, first),
        *(lay_out_deck().by(seat) for seat in table.seats),
        next_turn(first),
        score_tournament(),
    )


def first_player(table: MillenniumBlades) -> Seat:
    """Return the winner of the last tournament. Without one, or on a tie: who opened the last pack, or else anyone."""
    best = [seat for seat, place in enumerate(table.state.places) if place == 1]
    if len(best) == 1:
        return best[0]
    if table.state.last_pack_opener is not None:
        return table.state.last_pack_opener
    return table.chance.choice(best or table.seats)


@rule
def lay_out_deck(table: MillenniumBlades) -> Outcome:
    """Put deck boxes and accessories in their slots, and take the Singles in hand."""
    deck = table.player.deck
    character: tuple[Card, ...] = ()
    if table.state.options.powers:
        character = (copy_of_design(CHARACTERS[table.player.character].number, 0),)
    return DeckLaidOut(
        table.seat,
        (*(card for card in deck if kind(card) != "single"), *character),
        tuple(card for card in deck if kind(card) == "single"),
    )


@rule
def next_turn(table: MillenniumBlades, seat: Seat) -> Outcome:
    """Take turns clockwise until all players have passed in a row."""
    number = len(table.seats)
    if table.state.passes >= number:
        return None
    return turn().by(seat), next_turn((seat + 1) % number)


@rule
def turn(table: MillenniumBlades) -> Outcome:
    """Take a turn. A player without a card or without a free slot must pass, and cannot use an Action."""
    if not table.may_play(table.seat):
        return TurnPassed(table.seat)
    return TurnBegun(table.seat), resolve_triggers(), offer_turn_moves(), TurnEnded(table.seat), resolve_triggers()


@rule
def offer_turn_moves(table: MillenniumBlades) -> Outcome:
    """The player must play one card, and may use one Action before or after it."""
    turn = table.state.turn
    plays = turn.plays > 0 and not turn.over and table.may_play(table.seat)
    can_act = turn.actions > 0 and not turn.over
    actions = tuple(dict.fromkeys(card for card, _ in usable_actions(table))) if can_act else ()
    if not plays and not actions:
        return None
    return choose(
        msg("Play a card, use an Action, or end your turn."),
        play_card.offer(card=OneOf(table.playable(table.seat))) if plays else None,
        use_action.offer(card=OneOf(actions)),
        end_turn.offer() if turn.played or not plays else None,
    )


@move(title="End your turn", help="End your turn.")
def end_turn(table: MillenniumBlades) -> Outcome:
    """End the turn."""
    return None


# --- Playing a card ---------------------------------------------------------------------------------------


@move(title="Play a card", help="Put a card of your hand at the right end of your tableau.", args={"card": "Card"})
def play_card(table: MillenniumBlades, card: Card) -> Outcome:
    """Play a card face up. Next effects come first, then its Play effects, then triggered effects."""
    return (
        CardPlayed(table.seat, card),
        next_effects(card),
        play_effects(card),
        PlayEffectsDone(),
        resolve_triggers(),
        offer_turn_moves(),
    )


@rule
def next_effects(table: MillenniumBlades, card: Card) -> Outcome:
    """Resolve Next effects: once, when their player plays the next card, while the card with the effect is face up."""
    return tuple(
        (Marked(source.card, NEXT_DONE), start_ability(source.card, *reference, card, None))
        for source in table.board.face_up(table.seat)
        if source.card != card and NEXT_DONE not in source.marks
        for reference in _references(source, "next")
    )


@rule
def play_effects(table: MillenniumBlades, card: Card) -> Outcome:
    """Resolve the Play effects of the card that is played, from first to last."""
    references = _references(table.board.by_card[card], "play")
    return tuple((start_ability(card, *reference, None, None), resolve_triggers()) for reference in references)


def _references(card: CardInPlay, keyword: Keyword) -> list[AbilityReference]:
    """Return the abilities of a card that have a keyword."""
    return [reference for reference in card.abilities if ability(reference).keyword == keyword]


# --- Actions ----------------------------------------------------------------------------------------------


def usable_actions(table: MillenniumBlades) -> tuple[tuple[Card, int], ...]:
    """Return the Actions that the seat can use: each as a card and the index of the ability on it."""
    return tuple(
        [
            (card.card, index)
            for card in table.board.play_area(table.seat)
            if card.zone != "attached"
            for index, reference in enumerate(card.abilities)
            if ability(reference).keyword == "action" and _is_possible(table, reference)
        ]
    )


def _is_possible(table: MillenniumBlades, reference: AbilityReference) -> bool:
    is_possible = scripted_ability(reference).is_possible
    return is_possible is None or is_possible(table)


@move(
    title="Use an Action",
    help="Use the Action of a card. Afterwards the card is flipped.",
    args={"card": "Card"},
)
def use_action(table: MillenniumBlades, card: Card) -> Outcome:
    """Carry out an Action as far as possible; then its card is flipped."""
    actions = [action for source, action in usable_actions(table) if source == card]
    used = ActionUsed(table.seat, card)
    if len(actions) > 1:
        return used, choose_action(card)
    return used, perform_action(card, actions[0])


@rule
def choose_action(table: MillenniumBlades, card: Card) -> Outcome:
    """The card has several Actions: the player chooses one."""
    actions = tuple(action for source, action in usable_actions(table) if source == card)
    return choose(msg("Which Action?"), perform_action.offer(card, action=OneOf(actions)))


@move(title="Choose an Action", help="Choose which Action of the card you use.", args={"action": "Action"})
def perform_action(table: MillenniumBlades, card: Card, action: int) -> Outcome:
    """Carry out an Action, an index among the card's abilities, and flip the card."""
    reference = table.board.by_card[card].abilities[action]
    return start_ability(card, *reference, None, None), flip_source(card), resolve_triggers(), offer_turn_moves()


# --- Scoring ----------------------------------------------------------------------------------------------


@rule
def score_tournament(table: MillenniumBlades) -> Outcome:
    """Resolve Score effects and metas, then give victory points by place."""
    order = table.clockwise_from(table.state.first)
    return (
        ScoringBegun(),
        *(score_cards().by(seat) for seat in order),
        *(score_metas().by(seat) for seat in order),
        remove_attached_cards(),
        rank_tournament(),
    )


@rule
def score_cards(table: MillenniumBlades) -> Outcome:
    """Trigger the Score effects of face-up cards. The player chooses their order."""
    return (
        *(
            Triggered(table.seat, card.card, *reference)
            for card in table.board.play_area(table.seat)
            for reference in _references(card, "score")
        ),
        resolve_triggers(),
    )


@rule
def score_metas(table: MillenniumBlades) -> Outcome:
    """Score each active meta of which the player has a face-up card in their tableau."""
    attributes = {attribute for card in table.board.face_up(table.seat) for attribute in card.attributes}
    count = sum(meta in attributes for meta in table.state.metas)
    if not count:
        return None
    points_per_meta = META_POINTS + POWER_CREEP_PER_META * table.has_power(table.seat, "power-creep")
    return MetasScored(table.seat, count), Gained(table.seat, points_per_meta * count)


@rule
def remove_attached_cards(table: MillenniumBlades) -> Outcome:
    """Remove the attached cards that leave the game after the tournament, with their hosts."""
    pairs = [
        (card, host.card)
        for player in table.state.players
        for host in (*player.tableau, *player.equipment)
        for card in host.attached
        if card not in host.marks and card_script(design_number(card)).removed_at_end
    ]
    return tuple(RemovedFromGame(pair) for pair in pairs)


@rule
def rank_tournament(table: MillenniumBlades) -> Outcome:
    """Rank seats by reputation. Tied players share the points of all places that they occupy, rounded down."""
    reputation = tuple(player.points for player in table.state.players)
    places = rank_seats(reputation)
    return TournamentRanked(reputation, places, points_by_place(places, table.state.tournament))


def points_by_place(places: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Return the victory points of a tournament, by seat."""
    by_place = VICTORY_POINTS_BY_PLACE[str(len(places))][number - 1]
    points = []
    for place in places:
        tied = places.count(place)
        points.append(sum(by_place[place - 1 : place - 1 + tied]) // tied)
    return tuple(points)
