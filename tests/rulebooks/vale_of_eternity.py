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


def lines(table: Json, computed: Json, viewer: Viewer) -> list[str]:
    """Show the round and the board, then what lies before each seat; a hand only to the seat that sees it."""
    shown = [
        f"round {table['round']}, {table['phase']}, first is seat {table['first']}; to hunt: {_cards(table['board'])}"
    ]
    shown.append(f"draw pile {_number(table['pile'])}, discard pile: {_cards(table['discard'])}")
    shown += [
        f"seat {player['seat']}: {_before(player, seat)}"
        for player, seat in zip(table["players"], computed["seats"], strict=True)
    ]
    for player in table["players"]:
        if isinstance(player["hand"], list) and player["hand"]:
            costs = ", ".join(f"{card} for {computed['costs'][card]}" for card in player["hand"])
            shown.append(f"hand of seat {player['seat']}: {costs}")
    return shown


def _before(player: Json, computed: Json) -> str:
    parts = [f"{player['points']} points", f"stones {_cards(player['stones'])} worth {computed['value']}"]
    parts.append(f"{_number(player['hand'])} in hand")
    if player["hunted"]:
        parts.append(f"hunted {_cards(player['hunted'])}")
    parts.append(f"area {_cards(player['area'])}, {computed['free_slots']} free")
    if computed["to_resolve"]:
        parts.append(f"to resolve {_cards(computed['to_resolve'])}")
    return "; ".join(parts)


def _cards(cards: Sequence[str]) -> str:
    return " ".join(cards) or "none"


def _number(cards: Any) -> int:
    return cards["hidden"] if isinstance(cards, dict) else len(cards)


def turn_begins(facts: Sequence[Json]) -> bool:
    """Views are shown when a hunt begins, and when a seat is about to act or to use its effects."""
    return any(fact["type"] in ("revealed", "turn_begun") for fact in facts)


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
                "to_activate": [],
            }
            for seat in range(seats)
        ],
        "round": 0,
        "phase": "hunting",
        "first": 0,
        "turn": None,
        "board": [],
        "pile": {"hidden": 0},
        "discard": [],
    }


def fold(table: Json, fact: Json, viewer: Viewer) -> Json:
    """Return the table after a fact, as a client does that has read docs/rulebooks/vale-of-eternity.md."""
    kind = fact["type"]
    if "seat" not in fact:
        TABLE_FACTS[kind](table, fact)
    else:
        player = table["players"][fact["seat"]]
        for place in LEAVES.get(kind, ()):
            player[place] = _less(player[place], fact["card"])
        for place in JOINS.get(kind, ()):
            player[place] = _more(player[place], fact["card"])
        for stone in fact["stones"] if kind == "stones_discarded" else fact.get("payment", ()):
            player["stones"].remove(stone)
        SEAT_FACTS.get(kind, lambda table, player, fact: None)(table, player, fact)
        assert kind in {*LEAVES, *JOINS, *SEAT_FACTS}, f"this client does not know the fact {kind}"
    return table


LEAVES = {
    "sold": ("hunted",),
    "tamed": ("hunted",),
    "summoned": ("hand",),
    "removed": ("area", "to_activate"),
    "discarded_from_hand": ("hand",),
    "discarded_from_area": ("area", "to_activate"),
    "recovered": ("area", "to_activate"),
    "put_on_draw_pile": ("area", "to_activate"),
    "activated": ("to_activate",),
}
"""By fact, what the card leaves before its seat."""

JOINS = {
    "hunted": ("hunted",),
    "tamed": ("hand",),
    "summoned": ("area",),
    "drew": ("hand",),
    "recovered": ("hand",),
    "took_from_discard_pile": ("hand",),
}
"""By fact, what the card joins before its seat."""


def _round_begun(table: Json, fact: Json) -> None:
    table["round"], table["first"] = fact["round"], fact["first"]


def _shuffled(table: Json, fact: Json) -> None:
    table["pile"] = {"hidden": table["pile"]["hidden"] + fact["cards"]["hidden"]}
    table["discard"] = []


def _revealed(table: Json, fact: Json) -> None:
    table["board"] += fact["cards"]
    table["pile"] = {"hidden": table["pile"]["hidden"] - len(fact["cards"])}


def _game_begun(table: Json, fact: Json) -> None:
    table["first"] = fact["first"]
    for player in table["players"]:
        player["points"] = 1 + (player["seat"] - fact["first"]) % len(table["players"])


def _phase_begun(table: Json, fact: Json) -> None:
    table["phase"] = fact["phase"]


def _discarded(table: Json, player: Json, fact: Json) -> None:
    table["discard"].append(fact["card"])


def _pile_changed(change: int) -> Any:
    def fold_pile(table: Json, player: Json, fact: Json) -> None:
        table["pile"] = {"hidden": table["pile"]["hidden"] + change}

    return fold_pile


TABLE_FACTS = {
    "round_begun": _round_begun,
    "shuffled": _shuffled,
    "revealed": _revealed,
    "game_begun": _game_begun,
    "phase_begun": _phase_begun,
}

SEAT_FACTS: dict[str, Any] = {
    "hunted": lambda table, player, fact: table["board"].remove(fact["card"]),
    "sold": _discarded,
    "removed": _discarded,
    "discarded_from_hand": _discarded,
    "discarded_from_area": _discarded,
    "took_from_discard_pile": lambda table, player, fact: table["discard"].remove(fact["card"]),
    "drew": _pile_changed(-1),
    "put_on_draw_pile": _pile_changed(+1),
    "stones_gained": lambda table, player, fact: player["stones"].extend(fact["stones"]),
    "stones_discarded": lambda table, player, fact: None,
    "scored": lambda table, player, fact: player.update(points=player["points"] + fact["points"]),
    "points_lost": lambda table, player, fact: player.update(points=player["points"] - fact["points"]),
    "turn_begun": lambda table, player, fact: table.update(turn=player["seat"]),
    "turn_ended": lambda table, player, fact: table.update(turn=None),
    "activation_begun": lambda table, player, fact: player.update(to_activate=fact["cards"]),
    "copied": lambda table, player, fact: None,
    "named": lambda table, player, fact: None,
    "activation_ended": lambda table, player, fact: player.update(to_activate=[]),
}


def _more(cards: Any, card: Any) -> Any:
    return {"hidden": cards["hidden"] + 1} if isinstance(cards, dict) else [*cards, card]


def _less(cards: Any, card: Any) -> Any:
    if isinstance(cards, dict):
        return {"hidden": cards["hidden"] - 1}
    return [held for held in cards if held != card]


def cards(state: State) -> list[str]:
    """Return every card, wherever it lies."""
    found = [*state.board, *state.pile, *state.discard]
    for player in state.players:
        found += [*player.hunted, *player.hand, *player.area]
    return found


HIDDEN = (("Player", "hand"), ("State", "pile"), ("Drew", "card"), ("Shuffled", "cards"))
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
