"""Millennium Blades: the bot that plays sensibly. It reads the view of its seat as a client does, no more.

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

DOLLARS_KEPT = 9
"""It buys packs while it has more dollars than this."""

ENOUGH_CARDS = 34


def steady_bot(sight: Observation, chance: Chance) -> Answer:
    """Answer the oldest choice; what it does not judge is left to chance."""
    choice = sight.choices[0]
    offered: dict[str, list[Args]] = {}
    for shape in choice["schema"]["oneOf"]:
        arguments = shape["properties"]["args"]["properties"]
        offered.setdefault(shape["properties"]["move"]["const"], []).append(arguments)
    mind = Evaluator(sight)
    move = mind.builds(offered) if "ready" in offered else mind.answers(offered)
    if move is None:
        return random_bot(sight, chance)
    return Answer(choice["choice"], *move)


def worth(card: Card) -> int:
    """Return what a card is worth in a deck, by its text as far as it can be told beforehand."""
    return WORTH.get(DESIGNS[design_number(card)].id, stars(card))


def best_deck(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the deck that is worth most: the best cards of each kind, and no name twice."""
    deck: list[Card] = []
    names: set[int] = set()
    free = dict(zip(KINDS, LIMITS, strict=True))
    for card in sorted(cards, key=lambda card: (-worth(card), card)):
        if free[kind(card)] and design_number(card) not in names:
            free[kind(card)] -= 1
            names.add(design_number(card))
            deck.append(card)
    return tuple(deck)


def best_collection(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the largest collection: of one element or type, one card for each number of stars."""
    held = sorted(cards)
    by_attribute = (
        {stars(card): card for card in held if attribute in attributes(card)} for attribute in (*ELEMENTS, *TYPES)
    )
    return tuple(max(by_attribute, key=len).values())


class Evaluator:
    """What the bot thinks of the table that it sees."""

    def __init__(self, sight: Observation) -> None:
        self.seat = sight.seat
        self.table = sight.state
        self.me: Args = sight.state["players"][sight.seat]

    # --- Deckbuilding ---------------------------------------------------------------------------------

    def builds(self, offered: dict[str, list[Args]]) -> Move:
        """Buy, sell and fuse; bring deck and collection into the order that is best; then be ready."""
        binder, collection, deck = self.me["binder"], self.me["collection"], self.me["deck"]
        own = (*binder, *collection, *deck)
        wanted = best_deck(own)
        collects = best_collection(card for card in own if card not in wanted)
        spare = [card for card in own if card not in wanted and card not in collects]
        return (
            self._changes_market(offered, spare, len(own))
            or _first("take_from_deck", (card for card in deck if card not in wanted), offered)
            or _first("take_from_collection", (card for card in collection if card not in collects), offered)
            or _first("put_in_deck", wanted, offered)
            or _first("collect", collects, offered)
            or ("ready", {})
        )

    def _changes_market(self, offered: dict[str, list[Args]], spare: list[Card], cards: int) -> Move | None:
        if "buy_pack" in offered and self.me["dollars"] > DOLLARS_KEPT and cards < ENOUGH_CARDS:
            return "buy_pack", {"place": offered["buy_pack"][0]["place"]["enum"][0]}
        for fusion in offered.get("fuse", ()):
            tier = fusion["tier"]["enum"][0]
            least = fusion["cards"]["minItems"]
            if tier in FUSION_COSTS and len(spare) > least + 2 and self.me["sell_markers"] > 1:
                return "fuse", {"tier": tier, "cards": sorted(spare, key=stars)[:least]}
        return _first("sell", sorted(spare, key=stars, reverse=True), offered)

    # --- Tournament -----------------------------------------------------------------------------------

    def answers(self, offered: dict[str, list[Args]]) -> Move | None:
        """Answer a question of a tournament."""
        if "play_card" in offered or "end_turn" in offered:
            return self._takes_turn(offered)
        move = next((move for move in ANSWERS if move in offered), None)
        return None if move is None else (move, ANSWERS[move](self, offered[move][0]))

    def _takes_turn(self, offered: dict[str, list[Args]]) -> Move | None:
        for action in offered.get("use_action", ()):
            useful = [card for card in action["card"]["enum"] if self._is_useful(card)]
            if useful:
                return "use_action", {"card": useful[0]}
        if "play_card" in offered:
            cards = offered["play_card"][0]["card"]["enum"]
            return "play_card", {"card": min(cards, key=lambda card: (_comes_late(card), stars(card), card))}
        return ("end_turn", {}) if "end_turn" in offered else None

    def _is_useful(self, card: Card) -> bool:
        """Is an Action worth its card? A clash is when one's Top card is ahead, and the card is worth nothing more."""
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
        return next((stars(held["card"]) + held["tokens"] for held in reversed(tableau) if held["face_up"]), 0)

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
        """Aim at the weakest rival, or at a strong card of another, or at one's own if there is no other."""
        targets = args["target"]["enum"]
        if targets[0] < len(self.table["players"]):
            return {"target": min(targets, key=self._top)}
        return {"target": max(targets, key=stars)}

    def in_this_order(self, args: Args) -> Args:
        """Return the effects in the order in which they are listed."""
        return {"triggers": args["triggers"]["items"]["enum"]}

    def most_frequent(self, args: Args) -> Args:
        """Return the number of stars that most of its cards show."""
        tableau = self.table["players"][self.seat]["tableau"]
        shown = [stars(held["card"]) + held["tokens"] for held in tableau if held["face_up"]]
        return {"number": max(args["number"]["enum"], key=shown.count)}


def _first(move: str, cards: Iterable[Card], offered: dict[str, list[Args]]) -> Move | None:
    """Return a move with the first of the cards that it is offered for."""
    for args in offered.get(move, ()):
        for card in cards:
            if card in args["card"]["enum"]:
                return move, {"card": card}
    return None


def _comes_late(card: Card) -> bool:
    """Does a card gain by what lies there already?"""
    return DESIGNS[design_number(card)].id in LOSES_ITS_WORTH


ANSWERS: dict[str, Callable[[Evaluator, Args], Args]] = {
    "order_triggers": Evaluator.in_this_order,
    "keep_all_face_up": lambda mind, args: {"reaction": args["reaction"]["enum"][0]},
    "keep_cards": lambda mind, args: {"reaction": args["reaction"]["enum"][0]},
    "keep_one_face_up": lambda mind, args: {
        "reaction": args["reaction"]["enum"][0], "card": max(args["card"]["enum"], key=stars),
    },
    "add_two": lambda mind, args: {"reaction": args["reaction"]["enum"][0]},
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
    "reveal_one": lambda mind, args: {},
    "decline": lambda mind, args: {},
}  # fmt: skip
"""How questions of a tournament are answered, by the move; the first that is offered."""
