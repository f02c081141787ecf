"""Millennium Blades: the bot that plays sensibly. It sees only what a client of its seat sees.

It buys a few packs, sells what it does not need, keeps the best Singles as its deck and lays out the largest collection
of the rest. In a tournament it plays weak cards first and clashes when it is ahead. It does not trade.
"""

from collections.abc import Callable, Iterable
from typing import Any

from games.kernel import Answer, Chance, Observation, random_bot
from games.millennium_blades.bot_values import LOSES_ITS_WORTH, WORTH
from games.millennium_blades.catalogue import DESIGNS, ELEMENTS, TYPES, Card, design_number, kind, stars
from games.millennium_blades.constants import FUSION_COSTS
from games.millennium_blades.deck_rules import KINDS, LIMITS, attributes

Args = dict[str, Any]
Move = tuple[str, Args]

MIN_DOLLARS = 9
"""The bot buys packs while it has more dollars than this."""

MAX_CARDS = 34
"""The bot buys packs while it has fewer cards than this."""


def steady_bot(observation: Observation, chance: Chance) -> Answer:
    """Answer the oldest choice. Moves that the bot cannot judge are chosen at random."""
    choice = observation.choices[0]
    offered: dict[str, list[Args]] = {}
    for shape in choice["schema"]["oneOf"]:
        arguments = shape["properties"]["args"]["properties"]
        offered.setdefault(shape["properties"]["move"]["const"], []).append(arguments)
    evaluator = Evaluator(observation)
    move = evaluator.market_move(offered) if "ready" in offered else evaluator.tournament_move(offered)
    if move is None:
        return random_bot(observation, chance)
    return Answer(choice["choice"], *move)


def worth(card: Card) -> int:
    """Return what a card is worth in a deck, as far as its text tells beforehand."""
    return WORTH.get(DESIGNS[design_number(card)].id, stars(card))


def best_deck(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the most valuable deck: the best cards of each kind, without duplicates."""
    deck: list[Card] = []
    designs: set[int] = set()
    free = dict(zip(KINDS, LIMITS, strict=True))
    for card in sorted(cards, key=lambda card: (-worth(card), card)):
        if free[kind(card)] and design_number(card) not in designs:
            free[kind(card)] -= 1
            designs.add(design_number(card))
            deck.append(card)
    return tuple(deck)


def best_collection(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the largest collection of one element or type, with one card for each number of stars."""
    owned = sorted(cards)
    by_attribute = (
        {stars(card): card for card in owned if attribute in attributes(card)} for attribute in (*ELEMENTS, *TYPES)
    )
    return tuple(max(by_attribute, key=len).values())


class Evaluator:
    """Judges the moves of a seat by what the seat sees."""

    def __init__(self, observation: Observation) -> None:
        self.seat = observation.seat
        self.table = observation.state
        self.me: Args = observation.state["players"][observation.seat]

    # --- Deckbuilding ---------------------------------------------------------------------------------

    def market_move(self, offered: dict[str, list[Args]]) -> Move:
        """Return the next move in Deckbuilding: buy, sell and fuse, then set up deck and collection, then be ready."""
        binder, collection, deck = self.me["binder"], self.me["collection"], self.me["deck"]
        own = (*binder, *collection, *deck)
        best = best_deck(own)
        best_cards = best_collection(card for card in own if card not in best)
        spare = [card for card in own if card not in best and card not in best_cards]
        return (
            self._trading_move(offered, spare, len(own))
            or _first("take_from_deck", (card for card in deck if card not in best), offered)
            or _first("take_from_collection", (card for card in collection if card not in best_cards), offered)
            or _first("put_in_deck", best, offered)
            or _first("collect", best_cards, offered)
            or ("ready", {})
        )

    def _trading_move(self, offered: dict[str, list[Args]], spare: list[Card], cards: int) -> Move | None:
        if "buy_pack" in offered and self.me["dollars"] > MIN_DOLLARS and cards < MAX_CARDS:
            return "buy_pack", {"place": offered["buy_pack"][0]["place"]["enum"][0]}
        for fusion in offered.get("fuse", ()):
            tier = fusion["tier"]["enum"][0]
            cost = fusion["cards"]["minItems"]
            if tier in FUSION_COSTS and len(spare) > cost + 2 and self.me["sell_markers"] > 1:
                return "fuse", {"tier": tier, "cards": sorted(spare, key=stars)[:cost]}
        return _first("sell", sorted(spare, key=stars, reverse=True), offered)

    # --- Tournament -----------------------------------------------------------------------------------

    def tournament_move(self, offered: dict[str, list[Args]]) -> Move | None:
        """Return the answer to a choice in a tournament, or None if the bot cannot judge it."""
        if "play_card" in offered or "end_turn" in offered:
            return self._turn_move(offered)
        move = next((move for move in ANSWERS if move in offered), None)
        return None if move is None else (move, ANSWERS[move](self, offered[move][0]))

    def _turn_move(self, offered: dict[str, list[Args]]) -> Move | None:
        for action in offered.get("use_action", ()):
            useful = [card for card in action["card"]["enum"] if self._is_useful(card)]
            if useful:
                return "use_action", {"card": useful[0]}
        if "play_card" in offered:
            cards = offered["play_card"][0]["card"]["enum"]
            return "play_card", {"card": min(cards, key=lambda card: (_is_best_late(card), stars(card), card))}
        return ("end_turn", {}) if "end_turn" in offered else None

    def _is_useful(self, card: Card) -> bool:
        """Is an Action worth its card? A clash is, if the own Top card is ahead and the card has no other use."""
        if design_number(card) not in DESIGNS:
            return False
        name = DESIGNS[design_number(card)].id
        if name not in LOSES_ITS_WORTH:
            return name in ("star_booster", "rant_energy_drink", "commemorative_resin_statuette") and bool(self._top())
        mine, theirs = self._top(), [self._top(seat) for seat in self._others()]
        rivals = [top for top in theirs if top]
        return bool(rivals) and mine >= min(rivals) + 2

    def _others(self) -> list[int]:
        return [player["seat"] for player in self.table["players"] if player["seat"] != self.seat]

    def _top(self, seat: int | None = None) -> int:
        """Return the stars of a Top card, 0 without one."""
        tableau = self.table["players"][self.seat if seat is None else seat]["tableau"]
        return next(
            (stars(in_play["card"]) + in_play["tokens"] for in_play in reversed(tableau) if in_play["face_up"]), 0
        )

    def weakest(self, args: Args) -> Args:
        """Return the card with the fewest stars."""
        return {"card": min(args["card"]["enum"], key=stars)}

    def weakest_cards(self, args: Args) -> Args:
        """Return as few cards as possible, those with the fewest stars."""
        cards = sorted(args["cards"]["items"].get("enum", ()), key=stars)
        return {"cards": cards[: args["cards"]["minItems"]]}

    def strongest(self, args: Args) -> Args:
        """Return the card with the most stars."""
        return {"card": max(args["card"]["enum"], key=stars)}

    def targets(self, args: Args) -> Args:
        """Return the weakest rival as the target; among cards, the strongest."""
        targets = args["target"]["enum"]
        if targets[0] < len(self.table["players"]):
            return {"target": min(targets, key=self._top)}
        return {"target": max(targets, key=stars)}

    def listed_order(self, args: Args) -> Args:
        """Return the effects in the order in which they are listed."""
        return {"triggers": args["triggers"]["items"]["enum"]}

    def most_frequent(self, args: Args) -> Args:
        """Return the number of stars that most of the bot's cards have."""
        tableau = self.table["players"][self.seat]["tableau"]
        star_counts = [stars(in_play["card"]) + in_play["tokens"] for in_play in tableau if in_play["face_up"]]
        return {"number": max(args["number"]["enum"], key=star_counts.count)}


def _first(move: str, cards: Iterable[Card], offered: dict[str, list[Args]]) -> Move | None:
    """Return the move with the first of the cards for which it is offered, or None."""
    for args in offered.get(move, ()):
        for card in cards:
            if card in args["card"]["enum"]:
                return move, {"card": card}
    return None


def _is_best_late(card: Card) -> bool:
    """Does a card gain more when other cards lie in the tableau?"""
    return DESIGNS[design_number(card)].id in LOSES_ITS_WORTH


ANSWERS: dict[str, Callable[[Evaluator, Args], Args]] = {
    "order_triggers": Evaluator.listed_order,
    "keep_all_face_up": lambda evaluator, args: {"reaction": args["reaction"]["enum"][0]},
    "keep_cards": lambda evaluator, args: {"reaction": args["reaction"]["enum"][0]},
    "keep_one_face_up": lambda evaluator, args: {
        "reaction": args["reaction"]["enum"][0], "card": max(args["card"]["enum"], key=stars),
    },
    "add_two": lambda evaluator, args: {"reaction": args["reaction"]["enum"][0]},
    "flip_card": Evaluator.weakest,
    "flip_cards": Evaluator.weakest_cards,
    "turn_face_up": Evaluator.strongest,
    "attach_from_hand": Evaluator.weakest,
    "discard_card": Evaluator.weakest,
    "put_under_store": Evaluator.strongest,
    "take_to_binder": Evaluator.strongest,
    "take_to_hand": Evaluator.strongest,
    "show_for_stars": Evaluator.strongest,
    "choose_target": Evaluator.targets,
    "choose_number": Evaluator.most_frequent,
    "reveal_one": lambda evaluator, args: {},
    "decline": lambda evaluator, args: {},
}  # fmt: skip
"""How choices of a tournament are answered, by move. The first one that is offered is taken."""
