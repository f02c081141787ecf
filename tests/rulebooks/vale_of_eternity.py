"""The Vale of Eternity for the generic tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.kernel import Viewer
from games.vale_of_eternity import VALE_OF_ETERNITY as RULEBOOK
from games.vale_of_eternity.facts import State
from tests.rulebooks.kit import Client, GoldenGame, Json, RulebookKit

VARIANTS: dict[str, Json] = {"base": {}, "lenient payments": {"payments": "lenient"}}

GOLDEN = (
    GoldenGame("base", 2, "a", printed=60, bots={0: "steady", 1: "steady"}),
    GoldenGame("base", 3, "a", printed=90, bots={0: "steady", 1: "steady", 2: "random"}),
    GoldenGame("base", 4, "a", printed=110, bots={0: "steady", 1: "steady", 2: "steady", 3: "steady"}),
    GoldenGame("lenient payments", 2, "a", printed=60),
)


def lines(table: Json, derived: Json, viewer: Viewer) -> list[str]:
    """Show the round and the board, then the cards, stones and points of each seat; hands only to their owners."""
    first_player, board = table["first_player"], _cards(table["board"])
    shown = [f"round {table['round']}, {table['phase']}, first player is seat {first_player}; board: {board}"]
    shown.append(f"draw pile {_count(table['draw_pile'])}, discard pile: {_cards(table['discard_pile'])}")
    shown += [
        f"seat {player['seat']}: {_player(player, seat)}"
        for player, seat in zip(table["players"], derived["seats"], strict=True)
    ]
    for player in table["players"]:
        if isinstance(player["hand"], list) and player["hand"]:
            costs = ", ".join(f"{card} for {derived['summoning_costs'][card]}" for card in player["hand"])
            shown.append(f"hand of seat {player['seat']}: {costs}")
    return shown


def _player(player: Json, derived: Json) -> str:
    parts = [f"{player['points']} points", f"stones {_cards(player['stones'])} worth {derived['stones_value']}"]
    parts.append(f"{_count(player['hand'])} in hand")
    if player["hunted"]:
        parts.append(f"hunted {_cards(player['hunted'])}")
    parts.append(f"area {_cards(player['area'])}, {derived['free_slots']} free")
    if derived["unused_activations"]:
        parts.append(f"to activate {_cards(derived['unused_activations'])}")
    return "; ".join(parts)


def _cards(cards: Sequence[str]) -> str:
    return " ".join(cards) or "none"


def _count(cards: Any) -> int:
    return cards["hidden"] if isinstance(cards, dict) else len(cards)


def turn_begins(facts: Sequence[Json]) -> bool:
    """Views are shown when a hunt begins, and when a seat is about to act or to use its effects."""
    return any(fact["type"] in ("cards_revealed", "turn_begun") for fact in facts)


def set_up(options: Json, seats: int, viewer: Viewer) -> Json:
    """Return the table before the first round."""
    return {
        "options": options,
        "players": [
            {
                "seat": seat,
                "points": 0,
                "stones": [],
                "hunted": [],
                "hand": [] if seat == viewer else {"hidden": 0},
                "area": [],
                "pending_activations": [],
            }
            for seat in range(seats)
        ],
        "round": 0,
        "phase": "hunting",
        "first_player": 0,
        "active_player": None,
        "board": [],
        "draw_pile": {"hidden": 0},
        "discard_pile": [],
    }


def fold(table: Json, fact: Json, viewer: Viewer) -> Json:
    """Return the table after a fact, as a client does that has read docs/rulebooks/vale-of-eternity.md."""
    kind = fact["type"]
    if "seat" not in fact:
        TABLE_FACTS[kind](table, fact)
    else:
        player = table["players"][fact["seat"]]
        for zone in ZONES_LEFT.get(kind, ()):
            player[zone] = _removed(player[zone], fact["card"])
        for zone in ZONES_JOINED.get(kind, ()):
            player[zone] = _added(player[zone], fact["card"])
        for stone in fact["stones"] if kind == "stones_discarded" else fact.get("payment", ()):
            player["stones"].remove(stone)
        SEAT_FACTS.get(kind, lambda table, player, fact: None)(table, player, fact)
        assert kind in {*ZONES_LEFT, *ZONES_JOINED, *SEAT_FACTS}, f"this client does not know the fact {kind}"
    return table


ZONES_LEFT = {
    "card_sold": ("hunted",),
    "card_tamed": ("hunted",),
    "card_summoned": ("hand",),
    "card_removed": ("area", "pending_activations"),
    "card_discarded_from_hand": ("hand",),
    "card_discarded_from_area": ("area", "pending_activations"),
    "card_recovered": ("area", "pending_activations"),
    "card_put_on_draw_pile": ("area", "pending_activations"),
    "card_activated": ("pending_activations",),
}
"""By fact, the zones of the seat that the card leaves."""

ZONES_JOINED = {
    "card_hunted": ("hunted",),
    "card_tamed": ("hand",),
    "card_summoned": ("area",),
    "card_drawn": ("hand",),
    "card_recovered": ("hand",),
    "card_taken_from_discard_pile": ("hand",),
}
"""By fact, the zones of the seat that the card joins."""


def _round_begun(table: Json, fact: Json) -> None:
    table["round"], table["first_player"] = fact["round"], fact["first_player"]


def _draw_pile_shuffled(table: Json, fact: Json) -> None:
    table["draw_pile"] = {"hidden": table["draw_pile"]["hidden"] + fact["cards"]["hidden"]}
    table["discard_pile"] = []


def _cards_revealed(table: Json, fact: Json) -> None:
    table["board"] += fact["cards"]
    table["draw_pile"] = {"hidden": table["draw_pile"]["hidden"] - len(fact["cards"])}


def _first_player_drawn(table: Json, fact: Json) -> None:
    first_player = table["first_player"] = fact["first_player"]
    for player in table["players"]:
        player["points"] = 1 + (player["seat"] - first_player) % len(table["players"])


def _phase_begun(table: Json, fact: Json) -> None:
    table["phase"] = fact["phase"]


def _discarded(table: Json, player: Json, fact: Json) -> None:
    table["discard_pile"].append(fact["card"])


def _draw_pile_changed(change: int) -> Any:
    def fold_draw_pile(table: Json, player: Json, fact: Json) -> None:
        table["draw_pile"] = {"hidden": table["draw_pile"]["hidden"] + change}

    return fold_draw_pile


TABLE_FACTS = {
    "round_begun": _round_begun,
    "draw_pile_shuffled": _draw_pile_shuffled,
    "cards_revealed": _cards_revealed,
    "first_player_drawn": _first_player_drawn,
    "phase_begun": _phase_begun,
}

SEAT_FACTS: dict[str, Any] = {
    "card_hunted": lambda table, player, fact: table["board"].remove(fact["card"]),
    "card_sold": _discarded,
    "card_removed": _discarded,
    "card_discarded_from_hand": _discarded,
    "card_discarded_from_area": _discarded,
    "card_taken_from_discard_pile": lambda table, player, fact: table["discard_pile"].remove(fact["card"]),
    "card_drawn": _draw_pile_changed(-1),
    "card_put_on_draw_pile": _draw_pile_changed(+1),
    "stones_gained": lambda table, player, fact: player["stones"].extend(fact["stones"]),
    "stones_discarded": lambda table, player, fact: None,
    "points_scored": lambda table, player, fact: player.update(points=player["points"] + fact["points"]),
    "points_lost": lambda table, player, fact: player.update(points=player["points"] - fact["points"]),
    "turn_begun": lambda table, player, fact: table.update(active_player=player["seat"]),
    "turn_ended": lambda table, player, fact: table.update(active_player=None),
    "activation_begun": lambda table, player, fact: player.update(pending_activations=fact["cards"]),
    "activation_ended": lambda table, player, fact: player.update(pending_activations=[]),
    "effect_copied": lambda table, player, fact: None,
    "discard_forced": lambda table, player, fact: None,
}


def _added(cards: Any, card: Any) -> Any:
    return {"hidden": cards["hidden"] + 1} if isinstance(cards, dict) else [*cards, card]


def _removed(cards: Any, card: Any) -> Any:
    if isinstance(cards, dict):
        return {"hidden": cards["hidden"] - 1}
    return [other for other in cards if other != card]


def cards(state: State) -> list[str]:
    """Return all cards of the table, wherever they are."""
    cards = [*state.board, *state.draw_pile, *state.discard_pile]
    for player in state.players:
        cards += [*player.hunted, *player.hand, *player.area]
    return cards


HIDDEN = (("Player", "hand"), ("State", "draw_pile"), ("CardDrawn", "card"), ("DrawPileShuffled", "cards"))
"""The fields that hide cards."""

VALE_OF_ETERNITY = RulebookKit(
    rulebook=RULEBOOK,
    variants=VARIANTS,
    golden=GOLDEN,
    lines=lines,
    turn_begins=turn_begins,
    client=Client(set_up, fold),
    cards=cards,
    kinds=dict.fromkeys(HIDDEN, "card"),
    public_args=frozenset({"card", "cards", "this"}),
)
