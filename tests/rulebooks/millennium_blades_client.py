"""A client of Millennium Blades: it builds the table of its viewer from the events that it receives.

It knows what docs/rulebooks/millennium-blades.md tells, and looks at nothing but plain JSON.
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
    """Return the table before anything is laid out."""
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
    """Return the table after a fact as the viewer received it."""
    kind = fact["type"]
    folds: Callable[[Json, Json, Any], None] | None = MARKET.get(kind) or TOURNAMENT.get(kind)
    assert folds is not None, f"this client does not know the fact {kind}"
    folds(table, fact, table["players"][fact["seat"]] if fact.get("seat") is not None else None)
    return table


def number(cards: Any) -> int:
    return cards["hidden"] if isinstance(cards, dict) else len(cards)


def more(zone: Any, cards: Any) -> Any:
    """Put cards into a place: seen ones, or so many unseen ones."""
    return {"hidden": zone["hidden"] + number(cards)} if isinstance(zone, dict) else [*zone, *cards]


def less(zone: Any, cards: Any) -> Any:
    if isinstance(zone, dict):
        return {"hidden": zone["hidden"] - number(cards)}
    return [card for card in zone if card not in cards]


def one(card: Any) -> Any:
    """A single card as a group of one."""
    return card if isinstance(card, dict) else [card]


def _table_set_up(table: Json, fact: Json, player: Any) -> None:
    for name in ("store_deck", "fusion_decks", "prize_decks", "element_metas", "type_metas"):
        table[name] = fact[name]
    table["top_back"] = fact["top_back"]


def _player_set_up(table: Json, fact: Json, player: Any) -> None:
    player.update(character=fact["character"], starter=fact["starter"], sell_markers=fact["sell_markers"])
    player["binder"] = more(player["binder"], fact["cards"])
    player["friendship_cards"] = more(player["friendship_cards"], fact["friendship_cards"])


def _drawn(table: Json, fact: Json, cards: Any) -> None:
    table["store_deck"] = less(table["store_deck"], cards)
    table["top_back"] = fact["top_back"]


def _dealt(table: Json, fact: Json, player: Any) -> None:
    player["binder"] = more(player["binder"], fact["cards"])
    _drawn(table, fact, fact["cards"])


def _reshuffled(table: Json, fact: Json, player: Any) -> None:
    table.update(store_deck=fact["cards"], discard={"hidden": 0}, top_back=fact["top_back"])


def _deckbuilding_begun(table: Json, fact: Json, player: Any) -> None:
    for each in table["players"]:
        each.update(sell_markers=fact["sell_markers"], fused_tiers=[], powers_used=[], points=0)
    table.update(phase="deckbuilding", discarded_metas=table["discarded_metas"] + table["metas"], metas=[])


def _pack_laid(table: Json, fact: Json, player: Any) -> None:
    pack = {"place": fact["place"], "card": fact["card"], "back": fact["back"]}
    table["store"] = sorted([*table["store"], pack], key=lambda each: each["place"])
    _drawn(table, fact, one(fact["card"]))


def _meta_revealed(table: Json, fact: Json, player: Any) -> None:
    table["metas"] = [*table["metas"], fact["meta"]]
    name = f"{fact['deck']}_metas"
    table[name] = {"hidden": table[name]["hidden"] - 1}


def _meta_put_under(table: Json, fact: Json, player: Any) -> None:
    if fact["meta"] is not None:
        name = f"{fact['deck']}_metas"
        table["metas"] = [meta for meta in table["metas"] if meta != fact["meta"]]
        table[name] = {"hidden": table[name]["hidden"] + 1}


def _window_opened(table: Json, fact: Json, player: Any) -> None:
    table["window"] = fact["window"]
    for each in table["players"]:
        each["ready"] = False


def _market_closed(table: Json, fact: Json, player: Any) -> None:
    table["window"] = 0
    for each in table["players"]:
        each["ready"] = False
        if "hidden" not in each["negotiations"]:
            each.update(negotiations=_no_negotiations(), peeked={"packs": []})


def _pack_opened(table: Json, fact: Json, player: Any) -> None:
    player["binder"] = more(player["binder"], one(fact["card"]))
    player["dollars"] -= fact["price"]
    table["last_pack_opener"] = fact["seat"]
    if fact["place"] == 0:
        _drawn(table, fact, one(fact["card"]))
        return
    table["store"] = [pack for pack in table["store"] if pack["place"] != fact["place"]]
    for each in table["players"]:
        if "packs" in each["peeked"]:
            packs = each["peeked"]["packs"]
            each["peeked"] = {"packs": [pack for pack in packs if pack["place"] != fact["place"]]}


def _pack_seen(table: Json, fact: Json, player: Any) -> None:
    if "packs" in player["peeked"]:
        player["peeked"]["packs"].append({"place": fact["place"], "card": fact["card"]})


def _parted(player: Json, cards: Any, areas: Iterable[str]) -> None:
    """Cards leave the areas of a player: seen ones are found there, of unseen ones the areas are told."""
    if isinstance(player["binder"], list):
        for area in AREAS:
            player[area] = less(player[area], cards)
    else:
        for area in areas:
            player[area] = {"hidden": player[area]["hidden"] - 1}


def _sold(table: Json, fact: Json, player: Any) -> None:
    _parted(player, [fact["card"]], [fact["area"]])
    player["dollars"] += fact["dollars"]
    player["sell_markers"] -= 1
    table["aftermarket"] = [*table["aftermarket"], {"card": fact["card"], "seller": fact["seat"]}]


def _bought(table: Json, fact: Json, player: Any) -> None:
    table["aftermarket"] = [each for each in table["aftermarket"] if each["card"] != fact["card"]]
    if fact["seller"] is not None:
        table["players"][fact["seller"]]["sell_markers"] += 1
    player["binder"] = more(player["binder"], [fact["card"]])
    player["dollars"] -= fact["price"]


def _promo(table: Json, fact: Json, player: Any) -> None:
    player["binder"] = more(player["binder"], one(fact["promo"]))
    for deck in table["fusion_decks"]:
        if deck["tier"] == fact["tier"]:
            deck["cards"] = {"hidden": deck["cards"]["hidden"] - 1}


def _fused(table: Json, fact: Json, player: Any) -> None:
    _parted(player, fact["cards"], fact["areas"])
    player["sell_markers"] -= 1
    player["fused_tiers"] = [*player["fused_tiers"], fact["tier"]]
    table["box"] = more(table["box"], fact["cards"])
    _promo(table, fact, player)


def _moves(source: str, target: str) -> Callable[[Json, Json, Any], None]:
    def fold_move(table: Json, fact: Json, player: Any) -> None:
        player[source] = less(player[source], one(fact["card"]))
        player[target] = more(player[target], one(fact["card"]))

    return fold_move


def _talks(table: Json, fact: Json, drop: int, add: Json | None) -> None:
    for mine, other in ((fact["seat"], fact["partner"]), (fact["partner"], fact["seat"])):
        negotiations = table["players"][mine]["negotiations"]
        if "hidden" in negotiations:
            continue
        negotiations["trades"] = [trade for trade in negotiations["trades"] if trade["number"] != drop]
        negotiations["message_counts"] = negotiations["message_counts"] or [0] * len(table["players"])
        if add is not None:
            negotiations["trades"].append(add)
            negotiations["message_counts"][other] += 1


def _trade_offered(table: Json, fact: Json, player: Any) -> None:
    trade = {name: fact[name] for name in ("number", "seat", "partner", "offer")} | {"answer": None}
    _talks(table, fact, 0, trade)


def _trade_answered(table: Json, fact: Json, player: Any) -> None:
    parties = [table["players"][seat]["negotiations"] for seat in (fact["seat"], fact["partner"])]
    trades = [trade for party in parties for trade in party.get("trades", ()) if trade["number"] == fact["number"]]
    _talks(table, fact, fact["number"], {**trades[0], "answer": fact["answer"]})


def _trade_ended(table: Json, fact: Json, player: Any) -> None:
    _talks(table, fact, fact["number"], None)


def _traded(table: Json, fact: Json, player: Any) -> None:
    partner = table["players"][fact["partner"]]
    if isinstance(fact["number"], int):
        _talks(table, fact, fact["number"], None)
    for giver, taker, back in ((player, partner, ""), (partner, player, "_back")):
        cards, friendship_cards, dollars = (fact[name + back] for name in ("cards", "friendship_cards", "dollars"))
        _parted(giver, cards, fact[f"areas{back}"])
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
    for each, points in zip(table["players"], fact["points"], strict=True):
        each["tournament_points"] = [*each["tournament_points"], points]


def _prize_given(table: Json, fact: Json, player: Any) -> None:
    player["binder"] = more(player["binder"], one(fact["card"]))
    for deck in table["prize_decks"]:
        if deck["tier"] == fact["tier"]:
            deck["cards"] = {"hidden": deck["cards"]["hidden"] - 1}


def _cards_gathered(table: Json, fact: Json, player: Any) -> None:
    for each in table["players"]:
        lying = [card for held in (*each["tableau"], *each["equipment"]) for card in (held["card"], *held["attached"])]
        each["binder"] = more(more(each["binder"], each["hand"]), [card for card in lying if card < 9000])
        each["hand"] = [] if isinstance(each["hand"], list) else {"hidden": 0}
        each.update(tableau=[], equipment=[], powers_used=[])
    table.update(phase="set_up", tournament=table["tournament"] + 1, active=None, turn_clashes=[], named_cards=[])


def _dollars(change: int) -> Callable[[Json, Json, Any], None]:
    return lambda table, fact, player: player.update(dollars=player["dollars"] + change * fact["dollars"])


def _nothing(table: Json, fact: Json, player: Any) -> None:
    """Told to whom it concerns; nothing lies elsewhere because of it."""


MARKET: dict[str, Callable[[Json, Json, Any], None]] = {
    "table_set_up": _table_set_up, "player_set_up": _player_set_up, "cards_dealt": _dealt,
    "store_deck_reshuffled": _reshuffled, "deckbuilding_begun": _deckbuilding_begun, "dollars_earned": _dollars(+1),
    "dollars_paid": _dollars(-1), "pack_laid": _pack_laid, "meta_revealed": _meta_revealed,
    "meta_moved_to_bottom": _meta_put_under, "metas_peeked": _nothing, "window_opened": _window_opened,
    "seat_ready": lambda table, fact, player: player.update(ready=True), "market_closed": _market_closed,
    "pack_opened": _pack_opened, "pack_peeked": _pack_seen, "card_sold": _sold, "card_bought": _bought,
    "cards_fused": _fused, "promo_taken": _promo, "card_collected": _moves("binder", "collection"),
    "taken_from_collection": _moves("collection", "binder"), "put_in_deck": _moves("binder", "deck"),
    "taken_from_deck": _moves("deck", "binder"), "trade_offered": _trade_offered, "trade_answered": _trade_answered,
    "trade_ended": _trade_ended, "trade_completed": _traded, "deck_corrected": _deck_corrected,
    "collection_turned_in": _collection_turned_in, "store_cleared": _store_cleared,
    "tournament_ranked": _tournament_ranked, "prize_given": _prize_given, "cards_gathered": _cards_gathered,
    "scores_counted": _nothing,
}  # fmt: skip
