"""The Vale of Eternity: the bot that plays sensibly. It reads the view of its seat as a client does, no more."""

from collections.abc import Callable, Sequence
from itertools import compress, product
from typing import Any

from games.kernel import Answer, Chance, Observation, random_bot
from games.vale_of_eternity.catalogue import CARDS, Card
from games.vale_of_eternity.evaluation import UNIT, Outlook, active, instant, lasting
from games.vale_of_eternity.stones import STONE_LIMIT, Colour, Stones

Args = dict[str, Any]

SOLD_FOR = {"fire": 3, "water": 3, "earth": 4, "wind": 4, "dragon": 6}
"""What the stones for a card are worth, by its family."""

STONES_FOR = {"fire": 3, "water": 1, "earth": 4, "wind": 2, "dragon": 1}
"""How many stones a card is sold for."""

LIKELY_POINTS_A_ROUND = 8
CARDS_WORTH_HOLDING = 3
LATER = 0.8
"""How much of its worth is left of what is kept for another round."""


def steady_bot(sight: Observation, chance: Chance) -> Answer:
    """Answer the oldest choice with the move that promises the most; what it does not judge is left to chance."""
    choice = sight.choices[0]
    offered: dict[str, list[Args]] = {}
    for shape in choice["schema"]["oneOf"]:
        arguments = shape["properties"]["args"]["properties"]
        offered.setdefault(shape["properties"]["move"]["const"], []).append(arguments)
    mind = Evaluator(sight)
    if "sell" in offered or "end_turn" in offered:
        return Answer(choice["choice"], *mind.act(offered))
    move = next(iter(offered))
    judged = mind.answers.get(move)
    if judged is None:
        return random_bot(sight, chance)
    return Answer(choice["choice"], move, judged(offered[move][0]))


class Evaluator:
    """What the bot thinks of the table that it sees."""

    def __init__(self, sight: Observation) -> None:
        self.seat = sight.seat
        self.table = sight.state
        self.players: list[Args] = sight.state["players"]
        self.me: Args = self.players[self.seat]
        mine = next(each for each in sight.derived["seats"] if each["seat"] == self.seat)
        self.worth: dict[Colour, int] = {each["colour"]: each["worth"] for each in mine["stones"]}
        self.free_slots: int = mine["free_slots"]
        self.costs: dict[Card, int] = sight.derived["costs"]
        best = max(player["points"] for player in self.players)
        ahead = max(player["points"] for player in self.players if player is not self.me)
        rounds = min(10 - self.table["round"], max(0, 60 - best) / LIKELY_POINTS_A_ROUND)
        self.seen = Outlook(
            area=tuple(self.me["area"]),
            hand=tuple(self.me["hand"]),
            stones=tuple(self.me["stones"]),
            worth=self.worth,
            rounds=rounds + (self.table["phase"] != "resolution"),
            is_ahead=self.me["points"] >= ahead,
            opponents=tuple(card for player in self.players if player is not self.me for card in player["area"]),
        )
        self.answers: dict[str, Callable[[Args], Args]] = {
            "hunt": lambda args: {"card": max(_enum(args["card"]), key=self.hunted_for)},
            "keep": lambda args: {"stones": max(_enum(args["stones"]), key=self.kept)},
            "activate": lambda args: {"card": max(_enum(args["card"]), key=self.urgency)},
            "discard_from_hand": lambda args: {"card": min(_enum(args["card"]), key=self.promise)},
            "turn_into_points": lambda args: {"card": max(_enum(args["card"]), key=_cost)},
            "discard_from_area": lambda args: {"card": min(_enum(args["card"]), key=self.held_for)},
            "discard_all": lambda args: {"cards": self.done_with(args["cards"])},
            "make_discard": lambda args: {"player": self.rival(_enum(args["player"]))},
            "steal_from": lambda args: {"opponent": self.rival(_enum(args["opponent"]))},
            "put_into_play": lambda args: {"card": max(_enum(args["card"]), key=self.gain)},
            "perform_instant": lambda args: {"card": max(_enum(args["card"]), key=self.copied)},
            "perform_active": lambda args: {"card": max(_enum(args["card"]), key=self.copied_again)},
            "take_back": lambda args: {"card": max(_enum(args["card"]), key=_cost)},
            "recover": lambda args: {"card": min(_enum(args["card"]), key=self.held_for)},
            "take": lambda args: {"colour": _enum(args["colour"])[-1]},
            "take_rewards": lambda args: {"rewards": ["four_points", "purple_stone"]},
            "trade": lambda args: {"give": _enum(args["give"])[0]},
            "take_from_discard_pile": lambda args: {"card": max(_enum(args["card"]), key=self.promise)},
        }

    # --- what a card promises ------------------------------------------------------------------------------

    def gain(self, card: Card) -> float:
        """Estimate what it brings to summon a card now, its price apart."""
        seen = self.seen._replace(
            area=(*self.seen.area, card), hand=tuple(other for other in self.seen.hand if other != card)
        )
        return instant(card, seen) + lasting(card, seen)

    def promise(self, card: Card) -> float:
        """Estimate what it brings to summon a card at its cost."""
        return self.gain(card) - UNIT * self.costs.get(card, CARDS[card].cost)

    def hunted_for(self, card: Card) -> float:
        """Estimate what it brings to hunt a card: it is sold or tamed."""
        return max(UNIT * SOLD_FOR[CARDS[card].family], self.promise(card))

    def held_for(self, card: Card) -> float:
        """Estimate what would be lost with a card of the area."""
        return lasting(card, self.seen)

    def copied(self, card: Card) -> float:
        """Estimate what it brings to copy an instant effect."""
        return instant(card, self.seen)

    def copied_again(self, card: Card) -> float:
        """Estimate what it brings to copy an active effect."""
        return active(card, self.seen)

    def urgency(self, card: Card) -> float:
        """Use first what spends stones, then what gains them, and last what leaves the area."""
        if card in ("imp", "undine", "mud_slime", "dandelion_spirit", "asmodeus", "balog"):
            return -1
        return 2 if card in ("burning_skull", "charybdis", "sea_spirit", "freyja", "valkyrie") else 1

    def kept(self, stones: Sequence[Colour]) -> int:
        """What stones are worth."""
        return sum(self.worth[stone] for stone in stones)

    def done_with(self, args: Args) -> list[Card]:
        """Return the cards that bring nothing more, as many as may be discarded, when room is short."""
        if self.free_slots > 1 or not args["items"]:
            return []
        return [card for card in _enum(args["items"]) if not self.held_for(card)][: args["maxItems"]]

    def rival(self, seats: Sequence[int]) -> int:
        """Return the seat with the most points, another than one's own where there is one."""
        return max(seats, key=lambda seat: (seat != self.seat, self.players[seat]["points"]))

    # --- a turn ---------------------------------------------------------------------------------------------

    def act(self, offered: dict[str, list[Args]]) -> tuple[str, Args]:
        """Summon what pays, else sell or tame what was hunted, else make room, else end the turn."""
        summons = [(self.summoning(args), args) for args in offered.get("summon", ())]
        best, args = max(summons, key=lambda each: each[0], default=(0.0, {}))
        if best > 0:
            return "summon", {"card": _enum(args["card"])[0], "payment": self.cheapest(args["payment"])}
        if "sell" in offered:
            return self.sell_or_tame(_enum(offered["sell"][0]["card"]))
        return self.make_room(offered["remove"][0]) if self.is_worth_making_room(offered) else ("end_turn", {})

    def summoning(self, args: Args) -> float:
        """Estimate what it brings to summon a card with the stones that it takes."""
        spent = self.kept(self.cheapest(args["payment"]))
        return self.gain(_enum(args["card"])[0]) - UNIT * spent + 0.5

    def cheapest(self, args: Args) -> Stones:
        """Return the payment that wastes the least; of equal ones that with the most stones, which makes room."""
        payment: Stones = min(_enum(args), key=lambda stones: (self.kept(stones), -len(stones)))
        return payment

    def sell_or_tame(self, hunted: Sequence[Card]) -> tuple[str, Args]:
        """Compare what it brings to sell each card or to tame it, and begin with a sale: it may pay for the rest."""
        ways = list(product((False, True), repeat=len(hunted)))
        sold = max(ways, key=lambda way: self.prospect(list(compress(hunted, way)), hunted))
        card = next(compress(hunted, sold), hunted[0])
        return ("sell" if any(sold) else "tame"), {"card": card}

    def prospect(self, sold: Sequence[Card], hunted: Sequence[Card]) -> float:
        """Estimate the best summoning that the stones allow, what is left of them, and what is held for later."""
        held = [*self.me["hand"], *(card for card in hunted if card not in sold)]
        money = self.kept(self.me["stones"]) + sum(SOLD_FOR[CARDS[card].family] for card in sold)
        stones = len(self.me["stones"]) + sum(STONES_FOR[CARDS[card].family] for card in sold)
        money -= max(0, stones - STONE_LIMIT)  # what has to go first is red
        promises = sorted((max(0.0, self.promise(card)) for card in held), reverse=True)
        now = [self.promise(card) for card in held if self.free_slots and _cost(card) <= money]
        later = LATER if self.table["round"] < 10 else 0.0
        return max(now, default=0.0) + later * (UNIT * money + sum(promises[:CARDS_WORTH_HOLDING]) / 2)

    def is_worth_making_room(self, offered: dict[str, list[Args]]) -> bool:
        """Is the area full, with a card that brings nothing more, and one in hand that can be paid after a removal?"""
        if self.free_slots or "remove" not in offered or not self.me["hand"]:
            return False
        left = self.kept(self.me["stones"]) - self.kept(self.cheapest(offered["remove"][0]["payment"]))
        least = min(map(self.held_for, self.me["area"]))
        return any(self.costs[card] <= left and self.promise(card) > least + 4 for card in self.me["hand"])

    def make_room(self, args: Args) -> tuple[str, Args]:
        """Remove the card that brings the least from now on."""
        card = min(_enum(args["card"]), key=self.held_for)
        return "remove", {"card": card, "payment": self.cheapest(args["payment"])}


def _enum(schema: Args) -> Sequence[Any]:
    options: Sequence[Any] = schema["enum"]
    return options


def _cost(card: Card) -> int:
    return CARDS[card].cost
