"""A client of Millennium Blades: it keeps the state of its viewer up to date from the events that it receives.

It is written from docs/rulebooks/millennium-blades.md and uses only plain JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from games.kernel import Viewer
from tests.rulebooks.kit import Json
from tests.rulebooks.millennium_blades_tournament import TOURNAMENT

AREAS = ("binder", "collection", "deck")
OWN = (*AREAS, "hand", "friendship_cards", "received_friendship_cards")


def set_up(options: Json, seats: int, viewer: Viewer) -> Json:
    """Return the state before set-up."""
    return {
        "options": options,
        "players": [_player(seat, viewer) for seat in range(seats)],
        "phase": "set_up",
        "tournament": 1,
        "window": 0,
        **{name: {"hidden": 0} for name in ("store_deck", "discard", "box", "element_metas", "type_metas")},
        **{
            name: []
            for name in ("store", "aftermarket", "fusion_decks", "prize_decks", "metas", "discarded_metas", "places")
        },
        **{name: [] for name in ("pending_triggers", "effect_stack", "turn_clashes", "named_cards")},
        **dict.fromkeys(("top_back", "last_pack_opener", "active"), None),
        "first": 0,
        "passes": 0,
        "trigger_count": 0,
        "turn": {"plays": 1, "actions": 1, "played": [], "over": False, "doubled": False},
    }


def _player(seat: int, viewer: Viewer) -> Json:
    is_own = seat == viewer
    return {
        "seat": seat,
        "character": "",
        "starter": "",
        **dict.fromkeys(("dollars", "sell_markers", "points"), 0),
        "ready": False,
        **{name: [] if is_own else {"hidden": 0} for name in OWN},
        "negotiations": _no_negotiations() if is_own else {"hidden": 1},
        "peeked": {"packs": []} if is_own else {"hidden": 1},
        **{name: [] for name in ("fused_tiers", "tableau", "equipment", "powers_used")},
        **{name: [] for name in ("tournament_points", "collection_points")},
    }


def _no_negotiations() -> Json:
    return {"trades": [], "message_counts": []}


def fold(table: Json, fact: Json, viewer: Viewer) -> Json:
    """Return the state after a fact that the viewer received."""
    kind = fact["type"]
    folds: Callable[[Json, Json, Any], None] | None = MARKET.get(kind) or TOURNAMENT.get(kind)
    assert folds is not None, f"this client does not know the fact {kind}"
    folds(table, fact, table["players"][fact["seat"]] if fact.get("seat") is not None else None)
    return table


def number(cards: Any) -> int:
    return cards["hidden"] if isinstance(cards, dict) else len(cards)


def more(zone: Any, cards: Any) -> Any:
    """Add cards to a zone: visible cards, or a number of hidden ones."""
    return {"hidden": zone["hidden"] + number(cards)} if isinstance(zone, dict) else [*zone, *cards]


def less(zone: Any, cards: Any) -> Any:
    if isinstance(zone, dict):
        return {"hidden": zone["hidden"] - number(cards)}
    return [card for card in zone if card not in cards]


def one(card: Any) -> Any:
    """Return a single card, visible or hidden, as a group of one."""
    return card if isinstance(card, dict) else [card]


def _table_set_up(table: Json, fact: Json, player: Any) -> None:
    for name in ("store_deck", "fusion_decks", "prize_decks", "element_metas", "type_metas"):
        table[name] = fact[name]
    table["top_back"] = fact["top_back"]


def _player_set_up(table: Json, fact: Json, player: Any) -> None:
    player.update(character=fact["character"], starter=fact["starter"], sell_markers=fact["sell_markers"])
    player["binder"] = more(player["binder"], fact["cards"])
    player["friendship_cards"] = more(player["friendship_cards"], fact["friendship_cards"])


def _draw(table: Json, fact: Json, cards: Any) -> None:
    table["store_deck"] = less(table["store_deck"], cards)
    table["top_back"] = fact["top_back"]


def _cards_dealt(table: Json, fact: Json, player: Any) -> None:
    player["binder"] = more(player["binder"], fact["cards"])
    _draw(table, fact, fact["cards"])


def _store_deck_reshuffled(table: Json, fact: Json, player: Any) -> None:
    table.update(store_deck=fact["cards"], discard={"hidden": 0}, top_back=fact["top_back"])


def _deckbuilding_begun(table: Json, fact: Json, player: Any) -> None:
    for other in table["players"]:
        other.update(sell_markers=fact["sell_markers"], fused_tiers=[], powers_used=[], points=0)
    table.update(phase="deckbuilding", discarded_metas=table["discarded_metas"] + table["metas"], metas=[])


def _pack_laid(table: Json, fact: Json, player: Any) -> None:
    pack = {"place": fact["place"], "card": fact["card"], "back": fact["back"]}
    table["store"] = sorted([*table["store"], pack], key=lambda pack: pack["place"])
    _draw(table, fact, one(fact["card"]))


def _meta_revealed(table: Json, fact: Json, player: Any) -> None:
    table["metas"] = [*table["metas"], fact["meta"]]
    name = f"{fact['deck']}_metas"
    table[name] = {"hidden": table[name]["hidden"] - 1}


def _meta_moved_to_bottom(table: Json, fact: Json, player: Any) -> None:
    if fact["meta"] is not None:
        name = f"{fact['deck']}_metas"
        table["metas"] = [meta for meta in table["metas"] if meta != fact["meta"]]
        table[name] = {"hidden": table[name]["hidden"] + 1}


def _window_opened(table: Json, fact: Json, player: Any) -> None:
    table["window"] = fact["window"]
    for other in table["players"]:
        other["ready"] = False


def _market_closed(table: Json, fact: Json, player: Any) -> None:
    table["window"] = 0
    for other in table["players"]:
        other["ready"] = False
        if "hidden" not in other["negotiations"]:
            other.update(negotiations=_no_negotiations(), peeked={"packs": []})


def _pack_opened(table: Json, fact: Json, player: Any) -> None:
    player["binder"] = more(player["binder"], one(fact["card"]))
    player["dollars"] -= fact["price"]
    table["last_pack_opener"] = fact["seat"]
    if fact["place"] == 0:
        _draw(table, fact, one(fact["card"]))
        return
    table["store"] = [pack for pack in table["store"] if pack["place"] != fact["place"]]
    for other in table["players"]:
        if "packs" in other["peeked"]:
            packs = other["peeked"]["packs"]
            other["peeked"] = {"packs": [pack for pack in packs if pack["place"] != fact["place"]]}


def _pack_peeked(table: Json, fact: Json, player: Any) -> None:
    if "packs" in player["peeked"]:
        player["peeked"]["packs"].append({"place": fact["place"], "card": fact["card"]})


def _remove_cards(player: Json, cards: Any, areas: Iterable[str]) -> None:
    """Remove cards from the areas of a player. For hidden cards, the fact says from which areas."""
    if isinstance(player["binder"], list):
        for area in AREAS:
            player[area] = less(player[area], cards)
    else:
        for area in areas:
            player[area] = {"hidden": player[area]["hidden"] - 1}


def _card_sold(table: Json, fact: Json, player: Any) -> None:
    _remove_cards(player, [fact["card"]], [fact["area"]])
    player["dollars"] += fact["dollars"]
    player["sell_markers"] -= 1
    table["aftermarket"] = [*table["aftermarket"], {"card": fact["card"], "seller": fact["seat"]}]


def _card_bought(table: Json, fact: Json, player: Any) -> None:
    table["aftermarket"] = [entry for entry in table["aftermarket"] if entry["card"] != fact["card"]]
    if fact["seller"] is not None:
        table["players"][fact["seller"]]["sell_markers"] += 1
    player["binder"] = more(player["binder"], [fact["card"]])
    player["dollars"] -= fact["price"]


def _promo(table: Json, fact: Json, player: Any) -> None:
    player["binder"] = more(player["binder"], one(fact["promo"]))
    for deck in table["fusion_decks"]:
        if deck["tier"] == fact["tier"]:
            deck["cards"] = {"hidden": deck["cards"]["hidden"] - 1}


def _cards_fused(table: Json, fact: Json, player: Any) -> None:
    _remove_cards(player, fact["cards"], fact["areas"])
    player["sell_markers"] -= 1
    player["fused_tiers"] = [*player["fused_tiers"], fact["tier"]]
    table["box"] = more(table["box"], fact["cards"])
    _promo(table, fact, player)


def _moves(source: str, target: str) -> Callable[[Json, Json, Any], None]:
    def fold_move(table: Json, fact: Json, player: Any) -> None:
        player[source] = less(player[source], one(fact["card"]))
        player[target] = more(player[target], one(fact["card"]))

    return fold_move


def _negotiate(table: Json, fact: Json, drop: int, add: Json | None) -> None:
    for seat, other in ((fact["seat"], fact["partner"]), (fact["partner"], fact["seat"])):
        negotiations = table["players"][seat]["negotiations"]
        if "hidden" in negotiations:
            continue
        negotiations["trades"] = [trade for trade in negotiations["trades"] if trade["number"] != drop]
        negotiations["message_counts"] = negotiations["message_counts"] or [0] * len(table["players"])
        if add is not None:
            negotiations["trades"].append(add)
            negotiations["message_counts"][other] += 1


def _trade_offered(table: Json, fact: Json, player: Any) -> None:
    trade = {name: fact[name] for name in ("number", "seat", "partner", "offer")} | {"answer": None}
    _negotiate(table, fact, 0, trade)


def _trade_answered(table: Json, fact: Json, player: Any) -> None:
    parties = [table["players"][seat]["negotiations"] for seat in (fact["seat"], fact["partner"])]
    trades = [trade for party in parties for trade in party.get("trades", ()) if trade["number"] == fact["number"]]
    _negotiate(table, fact, fact["number"], {**trades[0], "answer": fact["answer"]})


def _trade_ended(table: Json, fact: Json, player: Any) -> None:
    _negotiate(table, fact, fact["number"], None)


def _trade_completed(table: Json, fact: Json, player: Any) -> None:
    partner = table["players"][fact["partner"]]
    if isinstance(fact["number"], int):
        _negotiate(table, fact, fact["number"], None)
    for giver, taker, back in ((player, partner, ""), (partner, player, "_back")):
        cards, friendship_cards, dollars = (fact[name + back] for name in ("cards", "friendship_cards", "dollars"))
        _remove_cards(giver, cards, fact[f"areas{back}"])
        giver["friendship_cards"] = less(giver["friendship_cards"], friendship_cards)
        taker["received_friendship_cards"] = more(taker["received_friendship_cards"], friendship_cards)
        taker["binder"] = more(taker["binder"], cards)
        giver["dollars"] -= dollars
        taker["dollars"] += dollars


def _deck_corrected(table: Json, fact: Json, player: Any) -> None:
    player["deck"] = less(player["deck"], fact["cards"])
    player["binder"] = more(player["binder"], fact["cards"])


def _collection_turned_in(table: Json, fact: Json, player: Any) -> None:
    player["collection"] = less(player["collection"], fact["cards"])
    player["collection_points"] = [*player["collection_points"], fact["points"]]
    table["box"] = more(table["box"], fact["cards"])


def _store_cleared(table: Json, fact: Json, player: Any) -> None:
    table["discard"] = {"hidden": table["discard"]["hidden"] + len(table["store"]) + len(table["aftermarket"])}
    table.update(store=[], aftermarket=[])


def _tournament_ranked(table: Json, fact: Json, player: Any) -> None:
    table["places"] = fact["places"]
    for other, points in zip(table["players"], fact["points"], strict=True):
        other["tournament_points"] = [*other["tournament_points"], points]


def _prize_given(table: Json, fact: Json, player: Any) -> None:
    player["binder"] = more(player["binder"], one(fact["card"]))
    for deck in table["prize_decks"]:
        if deck["tier"] == fact["tier"]:
            deck["cards"] = {"hidden": deck["cards"]["hidden"] - 1}


def _cards_gathered(table: Json, fact: Json, player: Any) -> None:
    for other in table["players"]:
        lying = [
            card
            for in_play in (*other["tableau"], *other["equipment"])
            for card in (in_play["card"], *in_play["attached"])
        ]
        other["binder"] = more(more(other["binder"], other["hand"]), [card for card in lying if card < 9000])
        other["hand"] = [] if isinstance(other["hand"], list) else {"hidden": 0}
        other.update(tableau=[], equipment=[], powers_used=[])
    table.update(phase="set_up", tournament=table["tournament"] + 1, active=None, turn_clashes=[], named_cards=[])


def _dollars(change: int) -> Callable[[Json, Json, Any], None]:
    return lambda table, fact, player: player.update(dollars=player["dollars"] + change * fact["dollars"])


def _nothing(table: Json, fact: Json, player: Any) -> None:
    """The fact changes nothing in the state."""


MARKET: dict[str, Callable[[Json, Json, Any], None]] = {
    "table_set_up": _table_set_up, "player_set_up": _player_set_up, "cards_dealt": _cards_dealt,
    "store_deck_reshuffled": _store_deck_reshuffled, "deckbuilding_begun": _deckbuilding_begun,
    "dollars_earned": _dollars(+1), "dollars_paid": _dollars(-1), "pack_laid": _pack_laid,
    "meta_revealed": _meta_revealed, "meta_moved_to_bottom": _meta_moved_to_bottom, "metas_peeked": _nothing,
    "window_opened": _window_opened, "seat_ready": lambda table, fact, player: player.update(ready=True),
    "market_closed": _market_closed, "pack_opened": _pack_opened, "pack_peeked": _pack_peeked, "card_sold": _card_sold,
    "card_bought": _card_bought, "cards_fused": _cards_fused, "promo_taken": _promo,
    "card_collected": _moves("binder", "collection"), "taken_from_collection": _moves("collection", "binder"),
    "put_in_deck": _moves("binder", "deck"), "taken_from_deck": _moves("deck", "binder"),
    "trade_offered": _trade_offered, "trade_answered": _trade_answered, "trade_ended": _trade_ended,
    "trade_completed": _trade_completed, "deck_corrected": _deck_corrected,
    "collection_turned_in": _collection_turned_in, "store_cleared": _store_cleared,
    "tournament_ranked": _tournament_ranked, "prize_given": _prize_given, "cards_gathered": _cards_gathered,
    "scores_counted": _nothing,
}  # fmt: skip
