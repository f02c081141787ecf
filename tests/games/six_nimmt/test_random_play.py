"""6 nimmt!: whole games of random moves, in every variant, with 2 to 10 seats."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from games.kernel import Chance, Fact, Refusal, answer, fold, pending_choices
from games.six_nimmt import SIX_NIMMT
from games.six_nimmt.facts import CARDS_IN_HAND, HIGHEST_CARD, ROW_LIMIT, ROWS, TookRow, TurnedUp
from tests.rulebooks.play import A_SECOND, answer_at_random, opening
from tests.rulebooks.six_nimmt import VARIANTS, cards

SEATS = (2, 3, 4, 5, 2, 6, 3, 7, 2, 8, 4, 9, 3, 10, 5, 2, 6, 4)
"""The number of seats of each game: every number, and small ones more often."""


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_end_with_all_cards_in_their_place_and_every_offered_move_accepted(variant: str):
    play_games(variant, range(len(SEATS)))


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS)
def test_hundreds_of_games_end_with_all_cards_in_their_place(variant: str):
    play_games(variant, range(len(SEATS), 500))


def play_games(variant: str, numbers: range) -> None:
    for number in numbers:
        seed = f"{variant}, game {number}"
        steps = opening(SIX_NIMMT, SEATS[number % len(SEATS)], VARIANTS[variant], seed)
        play(steps[-1].game, Chance(seed, 0))


def play(game: Any, chance: Chance) -> None:
    """Play to the end; check the state after every decision, and sometimes that other answers are refused."""
    seats = len(game.state.players)
    deck = list(range(1, (CARDS_IN_HAND * seats + ROWS if game.state.options.tactic else HIGHEST_CARD) + 1))
    taken_by_choice = 0
    while choices := pending_choices(SIX_NIMMT, game):
        if chance.randbelow(100) == 0:
            check_refusals(game, chance)
        for pending in chance.shuffled(choices):  # simultaneous choices can be answered in any order
            transition = answer_at_random(SIX_NIMMT, game, pending, chance, game.number * A_SECOND)
            assert fold(SIX_NIMMT, game, transition.decision) == transition.game
            game = transition.game
            assert sorted(cards(game.state)) == deck
            check_rows(game.state.rows)
            facts: tuple[Fact, ...] = transition.decision.facts
            if transition.decision.move == "replace_row":
                taken_by_choice += 1
                assert isinstance(facts[0], TookRow)
            elif any(isinstance(fact, TurnedUp) for fact in facts):
                taken_by_choice = 0
            assert taken_by_choice <= 1, "at most one card a turn fits nowhere"
    assert game.session.status == "finished"
    assert min(player.points for player in game.state.players) <= 0
    assert not any(player.hand for player in game.state.players)


def check_rows(rows: tuple[tuple[int, ...], ...]) -> None:
    """Check that rows ascend and have one to five cards."""
    for row in rows:
        assert 0 < len(row) <= ROW_LIMIT
        for card, following in pairwise(row):
            assert card < following


def check_refusals(game: Any, chance: Chance) -> None:
    """Check that answers that are not offered are refused."""
    choices = pending_choices(SIX_NIMMT, game)
    pending = chance.choice(choices)
    offers = pending.choice.offers
    move = chance.choice(["lay", "take_card", "replace_row", "join_row", "place_card", "play_turn", "", "no_move"])
    for value in (-1, 0, chance.randbelow(110), chance.randbelow(110), 105):
        answers: list[dict[str, Any]] = [{"card": value}, {"row": value}, {"row": value, "side": "right"}, {}]
        for args in answers:
            if not any(fits(offer, move, args) for offer in offers):
                with pytest.raises(Refusal) as illegal:
                    answer(SIX_NIMMT, game, pending.seat, pending.id, move, args, 0)
                assert illegal.value.code == "illegal-move"
    other = (pending.seat + 1) % len(game.state.players)
    move, args = next(pending.choice.samples(chance))
    with pytest.raises(Refusal, match="stale-choice"):
        answer(SIX_NIMMT, game, other, pending.id, move, args, 0)
    with pytest.raises(Refusal, match="stale-choice"):
        answer(SIX_NIMMT, game, pending.seat, min(choice.id for choice in choices) - 1, move, args, 0)


def fits(offer: Any, move: str, args: dict[str, Any]) -> bool:
    """Does the offer accept this answer?"""
    return (
        offer.move == move
        and args.keys() == offer.fields.keys()
        and all(args[name] in field.options for name, field in offer.fields.items())
    )
