"""A client of Millennium Blades: what it does with the facts of a tournament."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.rulebooks.kit import Json


def _number(cards: Any) -> int:
    return cards["hidden"] if isinstance(cards, dict) else len(cards)


def _more(zone: Any, cards: Any) -> Any:
    return {"hidden": zone["hidden"] + _number(cards)} if isinstance(zone, dict) else [*zone, *cards]


def _less(zone: Any, cards: Any) -> Any:
    if isinstance(zone, dict):
        return {"hidden": zone["hidden"] - _number(cards)}
    return [card for card in zone if card not in cards]


def _new_in_play(card: int) -> Json:
    return {"card": card, "face_up": True, "tokens": 0, "attached": [], "marks": []}


def _all_in_play(table: Json) -> Iterator[Json]:
    for player in table["players"]:
        yield from (*player["tableau"], *player["equipment"])


def _find_in_play(table: Json, card: int) -> Json:
    """Return a card in play. Changes to a card that has left are ignored."""
    return next((in_play for in_play in _all_in_play(table) if in_play["card"] == card), _new_in_play(card))


def _tournament_begun(table: Json, fact: Json, player: Any) -> None:
    for each in table["players"]:
        each.update(points=0, powers_used=[])
    table.update(phase="tournament", first=fact["first"], active=fact["first"], passes=0)


def _deck_laid_out(table: Json, fact: Json, player: Any) -> None:
    player["equipment"] = [_new_in_play(card) for card in fact["equipment"]]
    player["deck"] = [] if isinstance(player["deck"], list) else {"hidden": 0}
    player["hand"] = fact["hand"]


def _fresh_turn(plays: int = 1) -> Json:
    return {"plays": plays, "actions": plays, "played": [], "over": False, "doubled": False}


def _turn_begun(table: Json, fact: Json, player: Any) -> None:
    table.update(active=fact["seat"], turn=_fresh_turn(), turn_clashes=[], passes=0)


def _turn_passed(table: Json, fact: Json, player: Any) -> None:
    table["passes"] += 1


def _play_forgone(table: Json, fact: Json, player: Any) -> None:
    table["turn"].update(plays=0, over=True)


def _card_played(table: Json, fact: Json, player: Any) -> None:
    player["hand"] = _less(player["hand"], [fact["card"]])
    player["tableau"] = [*player["tableau"], _new_in_play(fact["card"]) | {"tokens": fact["tokens"]}]
    table["turn"]["plays"] -= 1
    table["turn"]["played"].append(fact["card"])


def _flipped(table: Json, fact: Json, player: Any) -> None:
    _find_in_play(table, fact["card"])["face_up"] = False
    if table["effect_stack"] and not fact["cost"]:
        effect = table["effect_stack"][-1]
        flipped_card = {name: fact[name] for name in ("card", "seat", "stars", "elements", "types", "has_score_effect")}
        effect["flipped"] = [*effect["flipped"], flipped_card]
        effect["pending"] = _less(effect["pending"], [fact["card"]])


def _gained(table: Json, fact: Json, player: Any) -> None:
    player["points"] += fact["points"]
    if fact["seat"] == table["active"]:
        table["turn"]["doubled"] = False
    if table["effect_stack"] and table["effect_stack"][-1]["seat"] == fact["seat"]:
        table["effect_stack"][-1]["gained"] += fact["points"]


def _lost(table: Json, fact: Json, player: Any) -> None:
    player["points"] -= fact["points"]


def _attached(table: Json, fact: Json, player: Any) -> None:
    player["equipment"] = [in_play for in_play in player["equipment"] if in_play["card"] != fact["card"]]
    if fact["source"] == "hand":
        player["hand"] = _less(player["hand"], [fact["card"]])
    _find_in_play(table, fact["host"])["attached"].append(fact["card"])


def _swapped(table: Json, fact: Json, player: Any) -> None:
    places = {in_play["card"]: place for place, in_play in enumerate(player["tableau"])}
    one, two = places[fact["card"]], places[fact["other"]]
    player["tableau"][one], player["tableau"][two] = player["tableau"][two], player["tableau"][one]


def _discarded(table: Json, fact: Json, player: Any) -> None:
    player["hand"] = _less(player["hand"], fact["cards"])
    player["binder"] = _more(player["binder"], fact["cards"])


def _triggered(table: Json, fact: Json, player: Any) -> None:
    table["trigger_count"] += 1
    trigger = {name: fact[name] for name in ("seat", "card", "design", "index", "subject", "ready")}
    table["pending_triggers"].append({"number": table["trigger_count"], **trigger, "ordered": False})


def _play_effects_done(table: Json, fact: Json, player: Any) -> None:
    for trigger in table["pending_triggers"]:
        trigger["ready"] = True


def _order_chosen(table: Json, fact: Json, player: Any) -> None:
    by_number = {trigger["number"]: trigger for trigger in table["pending_triggers"]}
    chosen = [by_number[number] | {"ordered": True} for number in fact["triggers"]]
    table["pending_triggers"] = chosen + [
        trigger for trigger in table["pending_triggers"] if trigger["number"] not in fact["triggers"]
    ]


def _trigger_taken(table: Json, fact: Json, player: Any) -> None:
    table["pending_triggers"] = [
        trigger for trigger in table["pending_triggers"] if trigger["number"] != fact["trigger"]
    ]


def _effect_begun(table: Json, fact: Json, player: Any) -> None:
    effect = {name: fact[name] for name in ("seat", "card", "design", "index", "cap", "subject")}
    more = {"gained": 0, "targets": [], "pending": [], "flipped": [], "number": 0, "clash": None}
    table["effect_stack"].append({**effect, **more})


def _effect_ended(table: Json, fact: Json, player: Any) -> None:
    table["effect_stack"].pop()


def _target_chosen(table: Json, fact: Json, player: Any) -> None:
    targets = table["effect_stack"][-1]["targets"]
    table["effect_stack"][-1]["targets"] = [*(targets[:-1] if fact["instead"] else targets), fact["target"]]


def _clash(table: Json) -> Json:
    clash: Json = table["effect_stack"][-1]["clash"]
    return clash


def _side(table: Json, fact: Json) -> Json:
    return next(side for side in _clash(table)["sides"] if side["seat"] == fact["seat"])


def _clash_begun(table: Json, fact: Json, player: Any) -> None:
    sides = [
        {"seat": seat, "top": top, "card": None, "bonus": 0, "others": [], "redraws": 0}
        for seat, top in zip(fact["seats"], fact["tops"], strict=True)
    ]
    effect = table["effect_stack"][-1]
    effect["clash"] = {"sides": sides, "status": "begun", "winner": None, "totals": []}
    table["turn_clashes"] += [[effect["card"], seat] for seat in fact["seats"]]


def _card_revealed(table: Json, fact: Json, player: Any) -> None:
    table["store_deck"] = _less(table["store_deck"], [fact["card"]])
    table["top_back"] = fact["top_back"]
    side = _side(table, fact)
    if side["card"] is not None:
        side["others"].append(side["card"])
    side["card"] = fact["card"]


def _replaced(table: Json, fact: Json, player: Any) -> None:
    table["discard"] = _more(table["discard"], [fact["card"]])
    side = _side(table, fact)
    side.update(card=None, redraws=side["redraws"] + 1)


def _clash_raised(table: Json, fact: Json, player: Any) -> None:
    _side(table, fact)["bonus"] += fact["stars"]


def _clash_decided(table: Json, fact: Json, player: Any) -> None:
    _clash(table).update({name: fact[name] for name in ("status", "winner", "totals")})


def _aftermarket_cleared(table: Json, fact: Json, player: Any) -> None:
    table["discard"] = {"hidden": table["discard"]["hidden"] + len(table["aftermarket"])}
    table["aftermarket"] = []


def _put_on_aftermarket(table: Json, fact: Json, player: Any) -> None:
    for side in _clash(table)["sides"]:
        side["others"] = _less(side["others"], fact["cards"])
        side["card"] = None if side["card"] in fact["cards"] else side["card"]
    table["aftermarket"] += [{"card": card, "seller": None} for card in fact["cards"]]


def _leaves_aftermarket(table: Json, card: int) -> None:
    table["aftermarket"] = [each for each in table["aftermarket"] if each["card"] != card]


def _taken_from_aftermarket(table: Json, fact: Json, player: Any) -> None:
    _leaves_aftermarket(table, fact["card"])
    player[fact["to"]] = _more(player[fact["to"]], [fact["card"]])


def _put_under_store(table: Json, fact: Json, player: Any) -> None:
    _leaves_aftermarket(table, fact["card"])
    table["store_deck"] = _more(table["store_deck"], [fact["card"]])
    table["top_back"] = fact["top_back"]


def _taken_from_store(table: Json, fact: Json, player: Any) -> None:
    table["store_deck"] = {"hidden": table["store_deck"]["hidden"] - 1}
    table["top_back"] = fact["top_back"]
    player["hand"] = _more(player["hand"], fact["card"] if isinstance(fact["card"], dict) else [fact["card"]])


def _put_on_store(table: Json, fact: Json, player: Any) -> None:
    table["store_deck"] = _more(table["store_deck"], [fact["card"]])
    table["top_back"] = fact["top_back"]
    player["hand"] = _less(player["hand"], [fact["card"]])


def _removed_from_game(table: Json, fact: Json, player: Any) -> None:
    for card in fact["cards"]:
        for each in table["players"]:
            for zone in ("tableau", "equipment"):
                for in_play in each[zone]:
                    if card == in_play["card"]:
                        table["box"] = _more(table["box"], [it for it in (card, *in_play["attached"]) if it < 9000])
                    if card in in_play["attached"]:
                        in_play["attached"].remove(card)
                        table["box"] = _more(table["box"], [card])
                each[zone] = [in_play for in_play in each[zone] if in_play["card"] != card]


def _scoring_begun(table: Json, fact: Json, player: Any) -> None:
    table.update(phase="scoring", turn=_fresh_turn(0))


def _nothing(table: Json, fact: Json, player: Any) -> None:
    """Change nothing: the fact only says what happened."""


TOURNAMENT: dict[str, Callable[[Json, Json, Any], None]] = {
    "tournament_begun": _tournament_begun, "deck_laid_out": _deck_laid_out, "turn_begun": _turn_begun,
    "turn_ended": _nothing, "turn_passed": _turn_passed, "play_forgone": _play_forgone, "card_played": _card_played,
    "flipped": _flipped,
    "unflipped": lambda table, fact, player: _find_in_play(table, fact["card"]).update(face_up=True),
    "gained": _gained, "lost": _lost, "gain_blocked": _nothing,
    "tokens_put": lambda table, fact, player: _find_in_play(table, fact["card"]).update(
        tokens=_find_in_play(table, fact["card"])["tokens"] + fact["tokens"]
    ),
    "attached": _attached, "swapped": _swapped, "discarded": _discarded, "hand_seen": _nothing,
    "card_named": lambda table, fact, player: table["named_cards"].append([fact["seat"], fact["design"]]),
    "marked": lambda table, fact, player: _find_in_play(table, fact["card"])["marks"].append(fact["mark"]),
    "triggered": _triggered, "play_effects_done": _play_effects_done, "order_chosen": _order_chosen,
    "trigger_taken": _trigger_taken, "effect_begun": _effect_begun, "effect_ended": _effect_ended,
    "target_chosen": _target_chosen,
    "number_stored": lambda table, fact, player: table["effect_stack"][-1].update(number=fact["number"]),
    "about_to_flip": lambda table, fact, player: table["effect_stack"][-1].update(pending=fact["cards"]),
    "flip_prevented": lambda table, fact, player: table["effect_stack"][-1].update(
        pending=_less(table["effect_stack"][-1]["pending"], fact["cards"])
    ),
    "action_used": lambda table, fact, player: table["turn"].update(actions=table["turn"]["actions"] - 1),
    "reaction_used": _nothing,
    "plays_granted": lambda table, fact, player: table["turn"].update(plays=table["turn"]["plays"] + fact["plays"]),
    "gain_will_double": lambda table, fact, player: table["turn"].update(doubled=True),
    "clash_begun": _clash_begun, "card_revealed": _card_revealed, "clash_raised": _clash_raised,
    "clash_decided": _clash_decided, "aftermarket_cleared": _aftermarket_cleared,
    "put_on_aftermarket": _put_on_aftermarket, "taken_from_aftermarket": _taken_from_aftermarket,
    "put_under_store": _put_under_store, "taken_from_store": _taken_from_store, "put_on_store": _put_on_store,
    "replaced_for_clash": _replaced, "removed_from_game": _removed_from_game,
    "power_used": lambda table, fact, player: player["powers_used"].append(fact["power"]),
    "scoring_begun": _scoring_begun, "metas_scored": _nothing,
}  # fmt: skip
