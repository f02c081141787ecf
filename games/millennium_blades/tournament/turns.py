"""Millennium Blades: the tournament. Source: the owner's page, Tournament phase, and docs/rulings.md."""

from games.kernel import OneOf, Outcome, Seat, choose, rank_seats, rule
from games.millennium_blades.catalogue import CHARACTERS, Card, design_number, kind
from games.millennium_blades.constants import META_POINTS, VICTORY_POINTS_BY_PLACE
from games.millennium_blades.facts import TournamentRanked
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import ability
from games.millennium_blades.tournament.card_script import card_script
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
"""Noted on a card whose Next effect has happened."""

POWER_CREEP_PER_META = 10


@rule
def tournament(table: MillenniumBlades) -> Outcome:
    """Decks are laid out, turns are taken until all have passed, and it is scored."""
    first = first_player(table)
    return (
        TournamentBegun(table.state.tournament, first),
        *(lay_out_deck().by(seat) for seat in table.seats),
        next_turn(first),
        score_tournament(),
    )


def first_player(table: MillenniumBlades) -> Seat:
    """The best of the last tournament begins; at first, or on a tie, who opened the last booster, or else anyone."""
    best = [seat for seat, place in enumerate(table.state.places) if place == 1]
    if len(best) == 1:
        return best[0]
    if table.state.last_pack_opener is not None:
        return table.state.last_pack_opener
    return table.chance.choice(best or table.seats)


@rule
def lay_out_deck(table: MillenniumBlades) -> Outcome:
    """Deck boxes and accessories go to their slots; the Singles are the hand."""
    deck = table.player.deck
    character: tuple[Card, ...] = ()
    if table.state.options.powers:
        character = (CHARACTERS[table.player.character].number * 10,)
    return DeckLaidOut(
        table.seat,
        (*(card for card in deck if kind(card) != "single"), *character),
        tuple(card for card in deck if kind(card) == "single"),
    )


@rule
def next_turn(table: MillenniumBlades, seat: Seat) -> Outcome:
    """Clockwise, until all have passed in a row."""
    number = len(table.seats)
    if table.state.passes >= number:
        return None
    return turn().by(seat), next_turn((seat + 1) % number)


@rule
def turn(table: MillenniumBlades) -> Outcome:
    """A player without a card or without a slot must pass, and may not use an Action."""
    if not table.may_play(table.seat):
        return TurnPassed(table.seat)
    return TurnBegun(table.seat), resolve_triggers(), offer_turn_moves(), TurnEnded(table.seat), resolve_triggers()


@rule
def offer_turn_moves(table: MillenniumBlades) -> Outcome:
    """One card must be played, and one Action may be used, before or after it."""
    turn = table.state.turn
    plays = turn.plays > 0 and not turn.over and table.may_play(table.seat)
    actions = () if turn.actions < 1 or turn.over else tuple(dict.fromkeys(card for card, _ in table.usable_actions))
    if not plays and not actions:
        return None
    return choose(
        "Play a card, use an Action, or end your turn.",
        play_card.offer(card=OneOf(table.playable(table.seat))) if plays else None,
        use_action.offer(card=OneOf(actions)),
        end_turn.offer() if turn.played or not plays else None,
    )


@rule
def end_turn(table: MillenniumBlades) -> Outcome:
    """A player ends his turn."""
    return None


# --- Playing a card ---------------------------------------------------------------------------------------


@rule
def play_card(table: MillenniumBlades, card: Card) -> Outcome:
    """The card enters face up; pending Next effects, then its own Play effects, then what others trigger."""
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
    """Next: on the next card that its player plays, once, while it is face up."""
    return tuple(
        (Marked(face.card, NEXT_DONE), start_ability(face.card, *reference, card, None))
        for face in table.board.face_up(table.seat)
        if face.card != card and NEXT_DONE not in face.marks
        for reference in face.abilities
        if ability(reference).kind == "next"
    )


@rule
def play_effects(table: MillenniumBlades, card: Card) -> Outcome:
    """Play: when the card is played, its Play effects happen from first to last."""
    face = table.board.by_card[card]
    references = [it for it in face.abilities if ability(it).kind == "play"]
    return tuple((start_ability(card, *reference, None, None), resolve_triggers()) for reference in references)


# --- Actions ----------------------------------------------------------------------------------------------


@rule
def use_action(table: MillenniumBlades, card: Card) -> Outcome:
    """An Action is carried out as far as possible; then its card is flipped."""
    places = [place for found, place in table.usable_actions if found == card]
    used = ActionUsed(table.seat, card)
    if len(places) > 1:
        return used, choose_action(card)
    return used, perform_action(card, places[0])


@rule
def choose_action(table: MillenniumBlades, card: Card) -> Outcome:
    """A card with several Actions: the player says which."""
    places = tuple(place for found, place in table.usable_actions if found == card)
    return choose("Which Action?", perform_action.offer(card, place=OneOf(places)))


@rule
def perform_action(table: MillenniumBlades, card: Card, place: int) -> Outcome:
    """The Action happens, and its card is turned face down."""
    reference = table.board.by_card[card].abilities[place]
    flips = (flip_source(card),) if ability(reference).flips else ()
    return start_ability(card, *reference, None, None), *flips, resolve_triggers(), offer_turn_moves()


# --- Scoring ----------------------------------------------------------------------------------------------


@rule
def score_tournament(table: MillenniumBlades) -> Outcome:
    """Score effects, then metas, then places are worth victory points."""
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
    """Score: if the card is still face up. Each player chooses the order of his own."""
    return (
        *(
            Triggered(table.seat, face.card, *reference)
            for face in table.board.play_area(table.seat)
            for reference in face.abilities
            if ability(reference).kind == "score"
        ),
        resolve_triggers(),
    )


@rule
def score_metas(table: MillenniumBlades) -> Outcome:
    """Each active meta is worth fifteen to everybody who has a face-up card of it in the tableau."""
    shown = {it for face in table.board.face_up(table.seat) for it in face.attributes}
    met = sum(meta in shown for meta in table.state.metas)
    if not met:
        return None
    each = META_POINTS + POWER_CREEP_PER_META * table.has_power(table.seat, "power-creep")
    return MetasScored(table.seat, met), Gained(table.seat, each * met)


@rule
def remove_attached_cards(table: MillenniumBlades) -> Outcome:
    """Some attached cards leave the game after the tournament, with the card that they are attached to."""
    gone = [
        (card, held.card)
        for player in table.state.players
        for held in (*player.tableau, *player.equipment)
        for card in held.attached
        if card_script(design_number(card)).removed_at_end and card not in held.marks
    ]
    return tuple(RemovedFromGame(pair) for pair in gone)


@rule
def rank_tournament(table: MillenniumBlades) -> Outcome:
    """Most reputation wins; tied players share the points of all places that they occupy, rounded down."""
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
