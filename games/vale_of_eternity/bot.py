"""The Vale of Eternity: the steady bot. It reads the view of its seat, as a client does, and nothing else."""

from collections.abc import Callable, Sequence
from itertools import compress, product
from typing import Any

from games.kernel import Answer, Chance, Observation, random_bot
from games.vale_of_eternity.catalogue import CARDS, SALE_STONES, Card
from games.vale_of_eternity.evaluation import POINTS_PER_VALUE, Position, active_value, future_value, instant_value
from games.vale_of_eternity.rules import MAX_ROUNDS, POINTS_TO_END
from games.vale_of_eternity.stones import PRINTED_VALUES, STONE_LIMIT, Colour, Stones, total_value

Args = dict[str, Any]

SALE_VALUES = {family: total_value(stones, PRINTED_VALUES) for family, stones in SALE_STONES.items()}
"""The printed value of the stones for a sold card, by its family."""

EXPECTED_POINTS_PER_ROUND = 8
MAX_PLANNED_CARDS = 3
FUTURE_DISCOUNT = 0.8
"""The share of its value that remains of what is kept for a later round."""

ACTIVATED_LAST = ("imp", "undine", "mud_slime", "dandelion_spirit", "asmodeus", "balog")
"""Cards whose active effect takes a card out of the area."""

ACTIVATED_FIRST = ("burning_skull", "charybdis", "sea_spirit", "freyja", "valkyrie")
"""Cards whose active effect spends stones, or counts what later effects may take away."""


def steady_bot(observation: Observation, chance: Chance) -> Answer:
    """Answer the oldest choice with the best move by its estimate. Without an estimate, answer at random."""
    choice = observation.choices[0]
    offers: dict[str, list[Args]] = {}
    for schema in choice["schema"]["oneOf"]:
        args = schema["properties"]["args"]["properties"]
        offers.setdefault(schema["properties"]["move"]["const"], []).append(args)
    evaluator = Evaluator(observation)
    if "sell" in offers or "end_turn" in offers:
        return Answer(choice["choice"], *evaluator.choose_action(offers))
    move = next(iter(offers))
    answer = evaluator.answers.get(move)
    if answer is None:
        return random_bot(observation, chance)
    return Answer(choice["choice"], move, answer(offers[move][0]))


class Evaluator:
    """The bot's estimates in the position that it observes."""

    def __init__(self, observation: Observation) -> None:
        self.seat = observation.seat
        self.table = observation.state
        self.players: list[Args] = observation.state["players"]
        self.me: Args = self.players[self.seat]
        mine = next(seat for seat in observation.derived["seats"] if seat["seat"] == self.seat)
        self.stone_values: dict[Colour, int] = {stones["colour"]: stones["value"] for stones in mine["stones"]}
        self.free_slots: int = mine["free_slots"]
        self.costs: dict[Card, int] = observation.derived["summoning_costs"]
        opponents = [player for player in self.players if player is not self.me]
        most_points = max(player["points"] for player in self.players)
        missing_points = max(0, POINTS_TO_END - most_points)
        rounds = min(MAX_ROUNDS - self.table["round"], missing_points / EXPECTED_POINTS_PER_ROUND)
        self.position = Position(
            area=tuple(self.me["area"]),
            hand=tuple(self.me["hand"]),
            stones=tuple(self.me["stones"]),
            stone_values=self.stone_values,
            rounds=rounds + (self.table["phase"] != "resolution"),
            is_ahead=self.me["points"] >= max(player["points"] for player in opponents),
            opponents_cards=tuple(card for player in opponents for card in player["area"]),
        )
        self.answers: dict[str, Callable[[Args], Args]] = {
            "hunt": lambda args: {"card": max(_options(args["card"]), key=self.hunt_value)},
            "keep_stones": lambda args: {"stones": max(_options(args["stones"]), key=self.stones_value)},
            "activate": lambda args: {"card": max(_options(args["card"]), key=self.activation_priority)},
            "discard_from_hand": lambda args: {"card": min(_options(args["card"]), key=self.net_value)},
            "discard_for_points": lambda args: {"card": max(_options(args["card"]), key=_cost)},
            "discard_from_area": lambda args: {"card": min(_options(args["card"]), key=self.area_value)},
            "discard_cards": lambda args: {"cards": self.useless_cards(args["cards"])},
            "choose_player": lambda args: {"player": self.strongest(_options(args["player"]))},
            "steal_from": lambda args: {"opponent": self.strongest(_options(args["opponent"]))},
            "summon_free": lambda args: {"card": max(_options(args["card"]), key=self.gross_value)},
            "copy_instant": lambda args: {"card": max(_options(args["card"]), key=self.copied_instant_value)},
            "copy_active": lambda args: {"card": max(_options(args["card"]), key=self.copied_active_value)},
            "recover_for_points": lambda args: {"card": max(_options(args["card"]), key=_cost)},
            "recover": lambda args: {"card": min(_options(args["card"]), key=self.area_value)},
            "buy_stone": lambda args: {"colour": _options(args["colour"])[-1]},
            "take_rewards": lambda args: {"rewards": ["four_points", "purple_stone"]},
            "trade_stone": lambda args: {"colour": _options(args["colour"])[0]},
            "take_from_discard_pile": lambda args: {"card": max(_options(args["card"]), key=self.net_value)},
        }

    # --- estimates for one card -----------------------------------------------------------------------------

    def gross_value(self, card: Card) -> float:
        """Estimate what it brings to summon a card now, without its cost."""
        position = self.position._replace(
            area=(*self.position.area, card), hand=tuple(other for other in self.position.hand if other != card)
        )
        return instant_value(card, position) + future_value(card, position)

    def net_value(self, card: Card) -> float:
        """Estimate what it brings to summon a card now and pay its cost."""
        return self.gross_value(card) - POINTS_PER_VALUE * self.costs.get(card, _cost(card))

    def hunt_value(self, card: Card) -> float:
        """Estimate what it brings to hunt a card, which is then sold or tamed."""
        return max(POINTS_PER_VALUE * SALE_VALUES[CARDS[card].family], self.net_value(card))

    def area_value(self, card: Card) -> float:
        """Estimate what a card in the area will still bring."""
        return future_value(card, self.position)

    def copied_instant_value(self, card: Card) -> float:
        """Estimate what it brings to copy an instant effect."""
        return instant_value(card, self.position)

    def copied_active_value(self, card: Card) -> float:
        """Estimate what it brings to copy an active effect."""
        return active_value(card, self.position)

    def activation_priority(self, card: Card) -> int:
        """Return the priority of an active effect: the highest is used first."""
        return -1 if card in ACTIVATED_LAST else 2 if card in ACTIVATED_FIRST else 1

    def stones_value(self, stones: Sequence[Colour]) -> int:
        """Return the total value of stones."""
        return sum(self.stone_values[stone] for stone in stones)

    def useless_cards(self, cards: Args) -> list[Card]:
        """Return the cards that bring nothing more, as many as may be discarded, if the area is almost full."""
        if self.free_slots > 1 or not cards["items"]:
            return []
        return [card for card in _options(cards["items"]) if not self.area_value(card)][: cards["maxItems"]]

    def strongest(self, seats: Sequence[int]) -> int:
        """Return the seat with the most points, an opponent's if possible."""
        return max(seats, key=lambda seat: (seat != self.seat, self.players[seat]["points"]))

    # --- a turn ---------------------------------------------------------------------------------------------

    def choose_action(self, offers: dict[str, list[Args]]) -> tuple[str, Args]:
        """Summon a card if that pays; otherwise sell or tame a hunted card, make room, or end the turn."""
        summons = [(self.summon_value(args), args) for args in offers.get("summon", ())]
        value, args = max(summons, key=lambda summon: summon[0], default=(0.0, {}))
        if value > 0:
            return "summon", {"card": _options(args["card"])[0], "payment": self.cheapest_payment(args["payment"])}
        if "sell" in offers:
            return self.sell_or_tame(_options(offers["sell"][0]["card"]))
        if self.should_make_room(offers):
            return self.make_room(offers["remove"][0])
        return "end_turn", {}

    def summon_value(self, args: Args) -> float:
        """Estimate what it brings to summon a card with its cheapest payment."""
        spent = self.stones_value(self.cheapest_payment(args["payment"]))
        return self.gross_value(_options(args["card"])[0]) - POINTS_PER_VALUE * spent + 0.5

    def cheapest_payment(self, payments: Args) -> Stones:
        """Return the payment of the lowest value; of equal ones that with the most stones, which makes room."""
        payment: Stones = min(_options(payments), key=lambda stones: (self.stones_value(stones), -len(stones)))
        return payment

    def sell_or_tame(self, hunted: Sequence[Card]) -> tuple[str, Args]:
        """Compare all ways to sell or tame the hunted cards. Sales come first: they may pay for a summoning."""
        ways = list(product((False, True), repeat=len(hunted)))
        is_sold = max(ways, key=lambda way: self.prospect(list(compress(hunted, way)), hunted))
        card = next(compress(hunted, is_sold), hunted[0])
        return ("sell" if any(is_sold) else "tame"), {"card": card}

    def prospect(self, sold: Sequence[Card], hunted: Sequence[Card]) -> float:
        """Estimate the best summoning now, and the stones and cards that remain for later."""
        hand = [*self.me["hand"], *(card for card in hunted if card not in sold)]
        funds = self.stones_value(self.me["stones"]) + sum(SALE_VALUES[CARDS[card].family] for card in sold)
        stone_count = len(self.me["stones"]) + sum(len(SALE_STONES[CARDS[card].family]) for card in sold)
        funds -= max(0, stone_count - STONE_LIMIT)  # the stones above the limit are red ones, if possible
        values = sorted((max(0.0, self.net_value(card)) for card in hand), reverse=True)
        now = [self.net_value(card) for card in hand if self.free_slots and _cost(card) <= funds]
        later = FUTURE_DISCOUNT if self.table["round"] < MAX_ROUNDS else 0.0
        return max(now, default=0.0) + later * (POINTS_PER_VALUE * funds + sum(values[:MAX_PLANNED_CARDS]) / 2)

    def should_make_room(self, offers: dict[str, list[Args]]) -> bool:
        """Tell whether the area is full and a hand card, payable after a removal, beats the worst one clearly."""
        if self.free_slots or "remove" not in offers or not self.me["hand"]:
            return False
        removal_cost = self.stones_value(self.cheapest_payment(offers["remove"][0]["payment"]))
        funds = self.stones_value(self.me["stones"]) - removal_cost
        lowest = min(map(self.area_value, self.me["area"]))
        return any(self.costs[card] <= funds and self.net_value(card) > lowest + 4 for card in self.me["hand"])

    def make_room(self, args: Args) -> tuple[str, Args]:
        """Remove the card that will bring the least."""
        card = min(_options(args["card"]), key=self.area_value)
        return "remove", {"card": card, "payment": self.cheapest_payment(args["payment"])}


def _options(schema: Args) -> Sequence[Any]:
    options: Sequence[Any] = schema["enum"]
    return options


def _cost(card: Card) -> int:
    return CARDS[card].cost
