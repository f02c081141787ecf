"""Millennium Blades: set-up, phases, end of the game. Source: the owner's page; docs/rulings.md where it is silent."""

from games.kernel import Finished, Outcome, Wait, rank_seats, rule, together
from games.millennium_blades.catalogue import (
    CHARACTERS,
    CORE,
    ELEMENTS,
    IMPLEMENTED_SETS,
    PROMOS,
    SETS,
    STARTERS,
    TYPES,
    Card,
    kind,
    set_cards,
    sets_by_rarity,
    starter_deck,
)
from games.millennium_blades.constants import (
    CARDS_DEALT,
    DOLLARS_PER_VICTORY_POINT,
    FRIENDSHIP_VALUES,
    GRACE_MS,
    INCOME,
    OPENING_CARDS,
    PRIZE_TIERS,
    SELL_MARKERS,
    SETS_IN_STORE,
    STORE_PLACES,
    WINDOWS_MS,
    collection_points,
)
from games.millennium_blades.deck_rules import surplus
from games.millennium_blades.deckbuilding.market import (
    LAST_CALL,
    act,
    lay_pack,
    reshuffle_store_deck,
    reveal_meta,
    take_promos,
)
from games.millennium_blades.facts import (
    CardsDealt,
    CardsGathered,
    CollectionTurnedIn,
    DeckbuildingBegun,
    DeckCorrected,
    DollarsEarned,
    MarketClosed,
    PlayerSetUp,
    PrizeGiven,
    ScoresCounted,
    StoreCleared,
    TableSetUp,
    WindowOpened,
)
from games.millennium_blades.state import Player, PromoDeck
from games.millennium_blades.table import GRACE_WINDOW, MillenniumBlades
from games.millennium_blades.tournament.turns import tournament
from games.millennium_blades.zones import top_back

PROMO_SETS_NEEDED = (2, 2, 1)
FULTON_EXTRA_INCOME = 15


@rule
def play_game(table: MillenniumBlades) -> Outcome:
    """Deckbuilding and Tournament, three times over; a pre-release tournament comes without the first Deckbuilding."""
    first = build_pre_release_decks() if table.state.options.pre_release else deckbuilding()
    return (
        set_up_table(), deal_characters(), deal_opening_cards(), first, tournament(), give_prizes(), gather_cards(),
        deckbuilding(), tournament(), give_prizes(), gather_cards(), deckbuilding(), tournament(), score_game(),
    )  # fmt: skip


# --- Set-up ----------------------------------------------------------------------------------------------


@rule
def set_up_table(table: MillenniumBlades) -> Outcome:
    """The core set is shuffled with the chosen sets into the Store deck. Promo decks and meta decks are shuffled."""
    options, chance = table.state.options, table.chance
    store_sets = options.store_sets
    if store_sets is None:
        store_sets = tuple(
            card_set for rarity, number in SETS_IN_STORE.items() for card_set in _draw_sets(table, rarity, number)
        )
    store = chance.shuffled([card for card_set in (CORE, *store_sets) for card in set_cards(card_set)])
    promo_sets = options.promo_sets
    if promo_sets is None:
        promo_sets = tuple(
            card_set
            for rarity, number in zip(PROMOS, PROMO_SETS_NEEDED, strict=True)
            for card_set in _draw_sets(table, rarity, number)
        )
    bronze, bronze_prize, silver, silver_prize, gold = (
        PromoDeck(SETS[card_set].rarity.removesuffix("_promo"), card_set, chance.shuffled(set_cards(card_set)))  # type: ignore[arg-type]
        for card_set in promo_sets
    )
    return TableSetUp(
        store_sets,
        store,
        top_back(store),
        (bronze, silver, gold),
        (bronze_prize, silver_prize),
        chance.shuffled(ELEMENTS),
        chance.shuffled(TYPES),
    )


def _draw_sets(table: MillenniumBlades, rarity: str, number: int) -> tuple[str, ...]:
    return table.chance.sample(
        [card_set for card_set in sets_by_rarity(rarity) if card_set in IMPLEMENTED_SETS], number
    )


@rule
def deal_characters(table: MillenniumBlades) -> Outcome:
    """Each player gets a character with its friendship cards, a starter deck, and three or four sell markers."""
    options, number = table.state.options, len(table.seats)
    characters = options.characters or table.chance.sample(tuple(CHARACTERS), number)
    starters = options.starters or table.chance.sample(tuple(STARTERS), number)
    hand = len(FRIENDSHIP_VALUES)
    return tuple(
        PlayerSetUp(
            seat,
            characters[seat],
            starters[seat],
            starter_deck(starters[seat]),
            tuple(range(hand * seat, hand * (seat + 1))),
            SELL_MARKERS[str(number)],
        )
        for seat in table.seats
    )


@rule
def deal_opening_cards(table: MillenniumBlades) -> Outcome:
    """Each player gets the top three cards of the Store deck."""
    promos = (take_promos().by(seat) for seat in table.seats if table.has_power(seat, "cardine-kolleckta"))
    return deal_to_all(OPENING_CARDS), *promos


@rule
def deal_to_all(table: MillenniumBlades, maximum: int) -> Outcome:
    """Each player gets cards of the Store deck. If there are too few, all players get the same number."""
    number = min(maximum, table.store_supply // len(table.seats))
    return tuple(deal(number).by(seat) for seat in table.seats)


@rule
def deal(table: MillenniumBlades, number: int) -> Outcome:
    """A player gets cards of the Store deck into the binder."""
    deck = table.state.store_deck
    if not number or not table.store_supply:
        return None
    if not deck:
        return reshuffle_store_deck(), deal(number)
    cards, remaining = deck[-number:][::-1], deck[:-number]
    return CardsDealt(table.seat, cards, top_back(remaining)), reshuffle_store_deck(), deal(number - len(cards))


# --- Deckbuilding ----------------------------------------------------------------------------------------


@rule
def build_pre_release_decks(table: MillenniumBlades) -> Outcome:
    """Pre-release: each player builds a deck from their twelve cards, without a clock."""
    return together(*(act().by(seat) for seat in table.seats)), MarketClosed(), correct_decks()


@rule
def deckbuilding(table: MillenniumBlades) -> Outcome:
    """Income and cards, three windows in which all act at once, then decks are checked and collections turned in."""
    return (
        DeckbuildingBegun(SELL_MARKERS[str(len(table.seats))]),
        give_income(),
        deal_to_all(CARDS_DEALT),
        *(lay_pack(place) for place in range(1, STORE_PLACES + 1)),
        reveal_meta("element"),
        WindowOpened(1),
        together(*(act().by(seat) for seat in table.seats), windows()),
        correct_decks(),
        *(turn_in_collection().by(seat) for seat in table.seats),
        StoreCleared(),
        reshuffle_store_deck(),
    )


@rule
def give_income(table: MillenniumBlades) -> Outcome:
    """Each player gets thirty dollars. Fulton Suitcase gets fifteen more."""
    extra = {seat: FULTON_EXTRA_INCOME * table.has_power(seat, "fulton-suitcase") for seat in table.seats}
    return tuple(DollarsEarned(seat, INCOME + extra[seat]) for seat in table.seats)


@rule
def windows(table: MillenniumBlades) -> Outcome:
    """Seven minutes, more cards and the second meta, seven minutes, the last call, six minutes."""
    return (
        window(WINDOWS_MS[0]), deal_to_all(CARDS_DEALT), reveal_meta("type"), WindowOpened(2),
        window(WINDOWS_MS[1]), WindowOpened(LAST_CALL),
        window(WINDOWS_MS[2]), grace_window(), MarketClosed(),
    )  # fmt: skip


@rule
def grace_window(table: MillenniumBlades) -> Outcome:
    """After the last call there may be grace to finish something. Nothing new, like a collection, is begun."""
    milliseconds = GRACE_MS + 1000 * table.state.options.grace_seconds
    if not milliseconds or all(player.ready for player in table.state.players):
        return None
    return WindowOpened(GRACE_WINDOW), window(milliseconds)


@rule
def window(table: MillenniumBlades, milliseconds: int) -> Outcome:
    """A window ends when its time is up or all players are ready. Without a clock, it ends when all are ready."""
    if all(player.ready for player in table.state.players):
        return None
    return Wait(milliseconds)


@rule
def correct_decks(table: MillenniumBlades) -> Outcome:
    """A deck that is not legal is corrected: duplicates first, then surplus cards at random, kind by kind."""
    return tuple(correct_deck().by(seat) for seat in table.seats)


@rule
def correct_deck(table: MillenniumBlades) -> Outcome:
    """Cards that a deck may not hold go to the binder and are not replaced."""
    deck = table.player.deck
    duplicates, over = surplus(deck, table.deck_limits)
    if duplicates:
        return DeckCorrected(table.seat, duplicates), correct_deck()
    if not over:
        return None
    sample, number = over[0]
    of_kind: list[Card] = [card for card in deck if kind(card) == kind(sample)]
    return DeckCorrected(table.seat, table.chance.sample(of_kind, number)), correct_deck()


@rule
def turn_in_collection(table: MillenniumBlades) -> Outcome:
    """A collection is turned in for victory points. Its cards go to the box."""
    cards = table.player.collection
    return CollectionTurnedIn(table.seat, cards, collection_points(len(cards)))


# --- After a tournament, and the end -----------------------------------------------------------------------


@rule
def give_prizes(table: MillenniumBlades) -> Outcome:
    """After the first and the second tournament every player gets a random card of the prize deck."""
    tier = PRIZE_TIERS[table.state.tournament - 1]
    deck = next(deck for deck in table.state.prize_decks if deck.tier == tier)
    return tuple(PrizeGiven(seat, deck.tier, card) for seat, card in zip(table.seats, deck.cards, strict=False))


@rule
def gather_cards(table: MillenniumBlades) -> Outcome:
    """All players put all their cards into their binders."""
    return CardsGathered()


@rule
def score_game(table: MillenniumBlades) -> Outcome:
    """Most victory points win. Ties are broken by tournaments, collections, dollars, friendship cards, in order."""
    parts = tuple(score_parts(player) for player in table.state.players)
    totals = tuple(map(sum, parts))
    ranking = tuple((total, *seat_parts) for total, seat_parts in zip(totals, parts, strict=True))
    return ScoresCounted(parts), Finished(totals, rank_seats(ranking, table.conceded_seats))


def score_parts(player: Player) -> tuple[int, int, int, int]:
    """Return the victory points of a player: tournaments, collections, dollars, friendship cards received."""
    hand = len(FRIENDSHIP_VALUES)
    return (
        sum(player.tournament_points),
        sum(player.collection_points),
        player.dollars // DOLLARS_PER_VICTORY_POINT,
        sum(FRIENDSHIP_VALUES[card % hand] for card in player.received_friendship_cards),
    )
