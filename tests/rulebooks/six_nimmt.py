"""6 nimmt! for the generic tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.kernel import Viewer
from games.six_nimmt import SIX_NIMMT as RULEBOOK
from games.six_nimmt.facts import State
from tests.rulebooks.kit import Client, GoldenGame, Json, RulebookKit

VARIANTS: dict[str, Json] = {
    "base": {},
    "tactic": {"tactic": True},
    "logic": {"logic": True},
    "logic, rows dealt first": {"logic": True, "logic_rows": "dealt_first"},
    "professional": {"professional": True},
    "tactic, professional": {"tactic": True, "professional": True},
    "logic, professional": {"logic": True, "professional": True},
    "logic, rows dealt first, professional": {"logic": True, "logic_rows": "dealt_first", "professional": True},
}

GOLDEN = (
    GoldenGame("base", 2, "east"),
    GoldenGame("base", 4, "coral"),
    GoldenGame("base", 10, "elm", printed=80),
    GoldenGame("tactic", 4, "tin", printed=60, bots={0: "steady", 2: "steady"}),
    GoldenGame("logic", 2, "hail", printed=60, bots={1: "steady"}),
    GoldenGame("logic, rows dealt first", 3, "wax", printed=75),
    GoldenGame("professional", 4, "wind"),
    GoldenGame("tactic, professional", 5, "cat", printed=70, bots={4: "steady"}),
    GoldenGame("logic, professional", 2, "eel", printed=80),
    GoldenGame("logic, rows dealt first, professional", 2, "pine", printed=80),
)


def lines(table: Json, computed: Json, viewer: Viewer) -> list[str]:
    """Show the rows and the seats, and the hands that the viewer sees."""
    shown = [f"round {table['round']}, rows " + " ".join(f"[{_cards(row)}]" for row in table["rows"])]
    if table["pool"]:
        shown.append(f"face up: {_cards(table['pool'])}")
    shown += [f"seat {player['seat']}: {_seat(player)}" for player in table["players"]]
    for player in table["players"]:
        if isinstance(player["hand"], list) and player["hand"]:
            shown.append(f"hand of seat {player['seat']}: {_cards(player['hand'])}")
    return shown


def _seat(player: Json) -> str:
    parts = [f"{player['points']} points", f"{_count(player['hand'])} in hand"]
    if player["known"]:
        parts.append(f"known to all {_cards(player['known'])}")
    if player["taken"]:
        parts.append(f"took {_cards(player['taken'])}")
    return ", ".join(parts)


def _cards(cards: list[int]) -> str:
    return " ".join(map(str, cards))


def _count(cards: Any) -> int:
    return len(cards) if isinstance(cards, list) else cards["hidden"]


def turn_begins(facts: Sequence[Json]) -> bool:
    """Views are printed at the start of a turn and of a draft."""
    kinds = [fact["type"] for fact in facts]
    return any(kind in kinds for kind in ("rows_opened", "pool_laid_out")) or kinds[-1:] == ["put_in_row"]


def set_up(options: Json, seats: int, viewer: Viewer) -> Json:
    """Return the table before the first round."""
    players = [_player(seat, 66, viewer) for seat in range(seats)]
    return {
        "options": options,
        "players": players,
        "round": 0,
        "rows": [],
        "pool": [],
        "aside": {"hidden": 0},
    }


def _player(seat: int, points: int, viewer: Viewer) -> Json:
    return {
        "seat": seat,
        "hand": [] if seat == viewer else {"hidden": 0},
        "known": [],
        "laid": None,
        "turned_up": None,
        "taken": [],
        "points": points,
    }


def fold(table: Json, fact: Json, viewer: Viewer) -> Json:
    """Return the table after a fact, as docs/rulebooks/six-nimmt.md tells the author of a client."""
    player = table["players"][fact.get("seat", 0)]  # of a fact about a seat
    match fact["type"]:
        case "round_begun":
            players = [_player(seat, old["points"], viewer) for seat, old in enumerate(table["players"])]
            return set_up(table["options"], len(players), viewer) | {"round": fact["round"], "players": players}
        case "hand_dealt":
            player["hand"] = fact["cards"]
        case "rows_opened":
            table["rows"] = [[card] for card in fact["cards"]]
            table["pool"] = [card for card in table["pool"] if card not in fact["cards"]]
            table["aside"] = fact["aside"]
        case "pool_laid_out":
            table["pool"] = fact["cards"]
        case "drafted":
            table["pool"].remove(fact["card"])
            player["known"] = sorted([*player["known"], fact["card"]])
            player["hand"] = _added(player["hand"], fact["card"])
        case "laid_face_down":
            player["laid"] = fact["card"]
            player["hand"] = _removed(player["hand"], fact["card"])
        case "turned_up":
            for owner, card in zip(table["players"], fact["cards"], strict=True):
                owner["laid"], owner["turned_up"] = None, card
                owner["known"] = [known for known in owner["known"] if known != card]
        case "put_in_row":
            row = table["rows"][fact["row"]]
            row.insert(0 if fact["side"] == "left" else len(row), fact["card"])
            player["turned_up"] = None
        case "took_row":
            player["taken"] += fact["cards"]
            player["points"] -= fact["heads"]
            table["rows"][fact["row"]] = []
        case kind:
            raise AssertionError(f"this client does not know the fact {kind}")
    return table


def _added(hand: Any, card: int) -> Any:
    return sorted([*hand, card]) if isinstance(hand, list) else {"hidden": hand["hidden"] + 1}


def _removed(hand: Any, card: Any) -> Any:
    return [other for other in hand if other != card] if isinstance(hand, list) else {"hidden": hand["hidden"] - 1}


def cards(state: State) -> list[int]:
    """Return every card, wherever it lies."""
    cards = [*state.pool, *state.aside]
    for row in state.rows:
        cards += row
    for player in state.players:
        cards += (*player.hand, *player.taken)
        cards += [card for card in (player.laid, player.turned_up) if card is not None]
    return cards


SIX_NIMMT = RulebookKit(
    rulebook=RULEBOOK,
    variants=VARIANTS,
    golden=GOLDEN,
    lines=lines,
    turn_begins=turn_begins,
    client=Client(set_up, fold),
    cards=cards,
)
