"""6 nimmt!: the bot that plays sensibly. It reads the view of its seat as a client does, and nothing else."""

from bisect import bisect_left, bisect_right
from math import comb
from typing import Any

from games.kernel import Answer, Chance, Observation
from games.six_nimmt.facts import CARDS_IN_HAND, HEADS, HIGHEST_CARD, ROW_LIMIT, ROWS, Card

Cards = list[Card]


def steady_bot(sight: Observation, chance: Chance) -> Answer:
    """Answer the oldest choice with the move that costs the least heads, as far as can be expected."""
    choice = sight.choices[0]
    shapes = [offered["properties"] for offered in choice["schema"]["oneOf"]]
    move = shapes[0]["move"]["const"]
    rows: list[Cards] = sight.state["rows"]
    match move:
        case "lay":
            args = {"card": card_to_lay(sight.state, sight.seat)}
        case "take_card":
            args = {"card": card_to_draft(sight.state, sight.seat)}
        case "replace_row":
            args = {"row": min(range(ROWS), key=lambda row: (heads_on(rows[row]), row))}
        case "join_row":
            args = cheapest_end(rows, [shape["args"]["properties"] for shape in shapes])
        case _:
            raise ValueError(f"6 nimmt! has no move {move}")
    return Answer(choice["choice"], move, args)


def card_to_lay(table: dict[str, Any], seat: int) -> Card:
    """Return the card of the hand that costs the least heads, as far as can be expected; of equal ones the highest."""
    hand: Cards = table["players"][seat]["hand"]
    unseen = cards_unseen(table, hand)
    others = len(table["players"]) - 1
    professional: bool = table["options"]["professional"]
    return min(hand, key=lambda card: (expected_heads(card, table["rows"], unseen, others, professional), -card))


def cards_unseen(table: dict[str, Any], hand: Cards) -> Cards:
    """Return the cards that the others may hold, in order: all that are neither in hand, nor in a row, nor taken."""
    players = table["players"]
    highest = CARDS_IN_HAND * len(players) + ROWS if table["options"]["tactic"] else HIGHEST_CARD
    seen = {*hand, *(card for row in table["rows"] for card in row)}
    for player in players:
        seen.update(player["taken"])
    return [card for card in range(1, highest + 1) if card not in seen]


def expected_heads(card: Card, rows: list[Cards], unseen: Cards, others: int, professional: bool) -> float:
    """Return the heads that a card is expected to cost when each of the others lays any card that is unseen.

    On the right of a row, the cards between its last card and this one come first: this one takes the row when they
    fill it exactly, and is safe when they are more, for then one of them took it. On the left none is reckoned with.
    """
    right = [(card - row[-1], row) for row in rows if row[-1] < card]
    left = [(row[0] - card, row) for row in rows if card < row[0]] if professional else []
    if not right and not left:
        return float(min(heads_on(row) for row in rows))
    difference, row = min(right + left)
    if (difference, row) not in right:
        return float(heads_on(row)) if len(row) == ROW_LIMIT else 0.0
    missing = ROW_LIMIT - len(row)
    coming = unseen[bisect_right(unseen, row[-1]) : bisect_left(unseen, card)]
    if not coming:
        return 0.0 if missing else float(heads_on(row))
    filled = chance_of_exactly(missing, others, len(coming) / len(unseen))
    return filled * (heads_on(row) + missing * heads_on(coming) / len(coming))


def chance_of_exactly(number: int, tries: int, likely: float) -> float:
    """Return how likely it is that exactly `number` of so many tries succeed."""
    return float(comb(tries, number) * likely**number * (1 - likely) ** (tries - number)) if number <= tries else 0.0


def card_to_draft(table: dict[str, Any], seat: int) -> Card:
    """Return a card next to one that is held, for nobody can come between; else the middle one of those left."""
    pool: Cards = table["pool"]
    held: Cards = table["players"][seat]["hand"]
    if not held:
        return pool[len(pool) // 2]
    return min(pool, key=lambda card: (min(abs(card - other) for other in held), HEADS[card], card))


def cheapest_end(rows: list[Cards], ends: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the end of a row, of those that are offered, that takes the least heads: none unless the row is full."""
    offered = [(end["row"]["enum"][0], end["side"]["enum"][0]) for end in ends]
    row, side = min(
        offered,
        key=lambda end: (heads_on(rows[end[0]]) if len(rows[end[0]]) == ROW_LIMIT else 0, len(rows[end[0]]), end),
    )
    return {"row": row, "side": side}


def heads_on(cards: Cards) -> int:
    """Count the heads on some cards."""
    return sum(HEADS[card] for card in cards)
