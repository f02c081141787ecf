"""6 nimmt!: the bot that plays sensibly. It knows what a client at its seat knows, and nothing else."""

from bisect import bisect_left, bisect_right
from math import comb
from typing import Any

from games.kernel import Answer, Chance, Observation
from games.six_nimmt.facts import CARDS_IN_HAND, HEADS, HIGHEST_CARD, ROW_LIMIT, ROWS, Card

Cards = list[Card]


def steady_bot(observation: Observation, chance: Chance) -> Answer:
    """Answer the oldest choice with the move that is expected to cost the fewest heads."""
    choice = observation.choices[0]
    offers = [offer["properties"] for offer in choice["schema"]["oneOf"]]
    move = offers[0]["move"]["const"]
    rows: list[Cards] = observation.state["rows"]
    match move:
        case "lay":
            args = {"card": card_to_lay(observation.state, observation.seat)}
        case "take_card":
            args = {"card": card_to_draft(observation.state, observation.seat)}
        case "replace_row":
            args = {"row": min(range(ROWS), key=lambda row: (count_heads(rows[row]), row))}
        case "join_row":
            args = cheapest_end(rows, [offer["args"]["properties"] for offer in offers])
        case _:
            raise ValueError(f"6 nimmt! has no move {move}")
    return Answer(choice["choice"], move, args)


def card_to_lay(state: dict[str, Any], seat: int) -> Card:
    """Return the card of the hand that is expected to cost the fewest heads; of several, the highest."""
    hand: Cards = state["players"][seat]["hand"]
    unseen = unseen_cards(state, hand)
    opponents = len(state["players"]) - 1
    professional: bool = state["options"]["professional"]
    return min(hand, key=lambda card: (expected_heads(card, state["rows"], unseen, opponents, professional), -card))


def unseen_cards(state: dict[str, Any], hand: Cards) -> Cards:
    """Return the cards that opponents may hold, in order: all that are not in hand, in a row, or taken."""
    players = state["players"]
    highest = CARDS_IN_HAND * len(players) + ROWS if state["options"]["tactic"] else HIGHEST_CARD
    visible = {*hand, *(card for row in state["rows"] for card in row)}
    for player in players:
        visible.update(player["taken"])
    return [card for card in range(1, highest + 1) if card not in visible]


def expected_heads(card: Card, rows: list[Cards], unseen: Cards, opponents: int, professional: bool) -> float:
    """Return the heads that a card is expected to cost if each opponent lays a random card of those unseen.

    At the right end of a row, cards between the last card of the row and this card are placed first. If they fill the
    row exactly, this card takes it. If they are more, one of them takes it, and this card costs nothing. At the left
    end, cards of opponents are not considered.
    """
    right = [(card - row[-1], row) for row in rows if row[-1] < card]
    left = [(row[0] - card, row) for row in rows if card < row[0]] if professional else []
    if not right and not left:
        return float(min(count_heads(row) for row in rows))
    difference, row = min(right + left)
    if (difference, row) not in right:
        return float(count_heads(row)) if len(row) == ROW_LIMIT else 0.0
    free = ROW_LIMIT - len(row)
    between = unseen[bisect_right(unseen, row[-1]) : bisect_left(unseen, card)]
    if not between:
        return 0.0 if free else float(count_heads(row))
    probability = binomial_probability(free, opponents, len(between) / len(unseen))
    return probability * (count_heads(row) + free * count_heads(between) / len(between))


def binomial_probability(successes: int, trials: int, probability: float) -> float:
    """Return the probability of exactly so many successes."""
    if successes > trials:
        return 0.0
    return float(comb(trials, successes) * probability**successes * (1 - probability) ** (trials - successes))


def card_to_draft(state: dict[str, Any], seat: int) -> Card:
    """Return the card nearest to one in hand, as few cards fit between them; first, the middle card of the pool."""
    pool: Cards = state["pool"]
    hand: Cards = state["players"][seat]["hand"]
    if not hand:
        return pool[len(pool) // 2]
    return min(pool, key=lambda card: (min(abs(card - other) for other in hand), HEADS[card], card))


def cheapest_end(rows: list[Cards], offers: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the offered end of a row that costs the fewest heads: none unless the row is full."""
    ends = [(offer["row"]["enum"][0], offer["side"]["enum"][0]) for offer in offers]
    row, side = min(
        ends,
        key=lambda end: (count_heads(rows[end[0]]) if len(rows[end[0]]) == ROW_LIMIT else 0, len(rows[end[0]]), end),
    )
    return {"row": row, "side": side}


def count_heads(cards: Cards) -> int:
    """Count the heads on some cards."""
    return sum(HEADS[card] for card in cards)
