"""Millennium Blades for the generic tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.kernel import Clock, Viewer
from games.millennium_blades import MILLENNIUM_BLADES as RULEBOOK
from games.millennium_blades.catalogue import CHARACTERS, DESIGNS, design_number
from games.millennium_blades.state import State
from tests.rulebooks.kit import Client, GoldenGame, Json, RulebookKit
from tests.rulebooks.millennium_blades_client import fold, set_up

VARIANTS: dict[str, Json] = {
    "base": {},
    "pre-release": {"pre_release": True},
    "powers": {"powers": True},
    "free market": {"free_market": True},
    "pre-release, powers, free market": {"pre_release": True, "powers": True, "free_market": True},
}

STEADY = dict.fromkeys(range(5), "steady")
UNTIMED = Clock(factor=0)

GOLDEN = (
    GoldenGame("base", 2, "a", printed=120, bots={0: "steady", 1: "steady"}),
    GoldenGame("base", 5, "a", printed=120, bots=STEADY),
    GoldenGame("pre-release", 3, "a", printed=60, bots=STEADY, clock=UNTIMED),
    GoldenGame("powers", 4, "a", printed=80, clock=UNTIMED),
    GoldenGame("free market", 2, "a", printed=60, clock=UNTIMED),
    GoldenGame("pre-release, powers, free market", 3, "a", printed=60, clock=UNTIMED),
)


def lines(table: Json, computed: Json, viewer: Viewer) -> list[str]:
    """Return a view as text: the market or the tournament, then the cards of each seat as the viewer sees them."""
    shown = [f"tournament {table['tournament']}, {table['phase']}, window {table['window']}, metas {table['metas']}"]
    shown.append(f"store deck {_number(table['store_deck'])}, discard {_number(table['discard'])}")
    shown.append(
        "for sale: " + ", ".join(f"{_name(entry['card'])} ({entry['seller']})" for entry in table["aftermarket"])
    )
    shown += [f"seat {player['seat']}: {_summary(player)}" for player in table["players"]]
    for player in table["players"]:
        for area in ("binder", "collection", "deck", "hand"):
            if isinstance(player[area], list) and player[area]:
                shown.append(f"{area} of seat {player['seat']}: {_names(player[area])}")
    return shown


def _summary(player: Json) -> str:
    areas = ", ".join(f"{_number(player[area])} in {area}" for area in ("binder", "collection", "deck", "hand"))
    tableau = " | ".join(_card_in_play(in_play) for in_play in (*player["tableau"], *player["equipment"]))
    counters = f"{player['points']} RP, ${player['dollars']}, {player['sell_markers']} markers"
    return f"{counters}, {areas}; {tableau or 'nothing'} in play"


def _card_in_play(in_play: Json) -> str:
    tokens = f"+{in_play['tokens']}" if in_play["tokens"] else ""
    return f"{'' if in_play['face_up'] else '-'}{_name(in_play['card'])}{tokens}" + "".join(
        f" with {_name(card)}" for card in in_play["attached"]
    )


def _name(card: int) -> str:
    if design_number(card) in DESIGNS:
        return DESIGNS[design_number(card)].names.en
    return next(character.name for character in CHARACTERS.values() if character.number == design_number(card))


def _names(cards: Sequence[int]) -> str:
    return ", ".join(map(_name, cards))


def _number(cards: Any) -> int:
    return len(cards) if isinstance(cards, list) else cards["hidden"]


def turn_begins(facts: Sequence[Json]) -> bool:
    """Does a window open, or a turn of a tournament begin? Transcripts show the views at these moments."""
    return any(fact["type"] in ("window_opened", "turn_begun", "tournament_ranked") for fact in facts)


def cards(state: State) -> list[int]:
    """Return every card, wherever it lies."""
    result = [*state.store_deck, *state.discard, *state.box]
    result += (pack.card for pack in state.store)
    result += (entry.card for entry in state.aftermarket)
    for deck in (*state.fusion_decks, *state.prize_decks):
        result += deck.cards
    for player in state.players:
        result += (*player.binder, *player.collection, *player.deck, *player.hand)
        result += (
            card for in_play in (*player.tableau, *player.equipment) for card in (in_play.card, *in_play.attached)
        )
    for effect in state.effect_stack:
        for side in effect.clash.sides if effect.clash else ():
            result += [card for card in (side.card, *side.others) if card is not None]
    return [card for card in result if design_number(card) in DESIGNS]


HIDDEN = {
    "card": (
        ("Player", "binder"), ("Player", "collection"), ("Player", "deck"), ("Player", "hand"), ("Pack", "card"),
        ("PromoDeck", "cards"), ("State", "store_deck"), ("State", "discard"), ("State", "box"),
        ("TableSetUp", "store_deck"), ("CardsDealt", "cards"), ("StoreDeckReshuffled", "cards"), ("PackLaid", "card"),
        ("PackOpened", "card"), ("PackPeeked", "card"), ("CardsFused", "cards"), ("CardsFused", "promo"),
        ("PromoTaken", "promo"), ("CardCollected", "card"), ("TakenFromCollection", "card"), ("PutInDeck", "card"),
        ("TakenFromDeck", "card"), ("TradeCompleted", "cards"), ("TradeCompleted", "cards_back"),
        ("DeckCorrected", "cards"), ("PrizeGiven", "card"), ("DeckLaidOut", "hand"), ("HandSeen", "cards"),
        ("TakenFromStore", "card"),
    ),
    "element": (("State", "element_metas"), ("TableSetUp", "element_metas")),
    "type": (("State", "type_metas"), ("TableSetUp", "type_metas")),
    "meta": (("MetasPeeked", "metas"),),
    "friend": (
        ("Player", "friendship_cards"), ("Player", "received_friendship_cards"), ("TradeCompleted", "friendship_cards"),
        ("TradeCompleted", "friendship_cards_back"),
    ),
    "negotiations": (("Player", "negotiations"),),
    "peeked": (("Player", "peeked"),),
    "trade": (("TradeCompleted", "number"),),
}  # fmt: skip
"""The fields that hide something, by the kind of what they hide."""

MILLENNIUM_BLADES = RulebookKit(
    rulebook=RULEBOOK,
    variants=VARIANTS,
    golden=GOLDEN,
    lines=lines,
    turn_begins=turn_begins,
    client=Client(set_up, fold),
    cards=cards,
    kinds={field: kind for kind, fields in HIDDEN.items() for field in fields},
)
