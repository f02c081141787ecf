"""6 nimmt!, Logic: hands are drafted from face-up cards."""

from __future__ import annotations

from typing import Any

import pytest

from games.kernel import Refusal, answer, event_view, pending_choices, state_view
from games.six_nimmt import SIX_NIMMT
from games.six_nimmt.facts import LaidFaceDown
from tests.games.six_nimmt.scenario import Turn
from tests.rulebooks.play import played_at_random, started

LEFTOVER = {"logic": True}
DEALT_FIRST = {"logic": True, "logic_rows": "dealt_first"}


def dealt(seats: int, options: dict[str, Any], seed: str) -> Any:
    """Return a game whose draft begins."""
    return started(SIX_NIMMT, seats, options, seed)


def drafted(game: Any) -> tuple[Any, list[int]]:
    """Let every seat take the lowest card until the hands are made; give who took in which order."""
    order = []
    while (asked := pending_choices(SIX_NIMMT, game))[0].choice.offers[0].move == "take_card":
        (question,) = asked
        order.append(question.seat)
        card = game.state.pool[0]
        game = answer(SIX_NIMMT, game, question.seat, question.id, "take_card", {"card": card}, 0).game
    return game, order


def test_the_pool_is_the_deck_and_the_four_cards_left_over_open_the_rows_in_ascending_order():
    game = dealt(2, LEFTOVER, "logic")
    assert game.state.pool == tuple(range(1, 25))
    assert game.state.rows == ()
    game, order = drafted(game)
    assert order == [0, 1] * 10
    assert game.state.rows == ((21,), (22,), (23,), (24,))
    assert game.state.pool == game.state.aside == ()


def test_with_rows_dealt_first_four_cards_open_the_rows_and_all_others_are_drafted():
    game = dealt(2, DEALT_FIRST, "logic")
    assert [len(row) for row in game.state.rows] == [1, 1, 1, 1]
    assert len(game.state.pool) == 20
    rows = game.state.rows
    game, order = drafted(game)
    assert order == [0, 1] * 10
    assert game.state.rows == rows
    assert game.state.pool == game.state.aside == ()


@pytest.mark.parametrize("options", [LEFTOVER, DEALT_FIRST])
@pytest.mark.parametrize("seats", [2, 5, 10])
def test_everybody_drafts_ten_cards_clockwise(options: dict[str, Any], seats: int):
    game, order = drafted(dealt(seats, options, "clockwise"))
    assert order == [*range(seats)] * 10
    assert [len(player.hand) for player in game.state.players] == [10] * seats


def test_the_first_drafter_moves_on_by_a_seat_each_round():
    turn = Turn([[10], [20], [30], [40]], 11, 22, 33, last=True, logic=True)
    assert turn.table.round == 2
    (question,) = pending_choices(SIX_NIMMT, turn.game)
    assert question.seat == 1
    assert drafted(turn.game)[1] == [1, 2, 0] * 10


def test_a_card_that_was_drafted_or_lies_in_a_row_cannot_be_drafted():
    game = dealt(2, DEALT_FIRST, "logic")
    (question,) = pending_choices(SIX_NIMMT, game)
    for card in (game.state.rows[0][0], 0, 25, 104):
        with pytest.raises(Refusal, match="illegal-move"):
            answer(SIX_NIMMT, game, 0, question.id, "take_card", {"card": card}, 0)


def test_it_uses_the_tactic_deck():
    assert SIX_NIMMT.resolve_options(LEFTOVER, 4).tactic is True
    assert len(dealt(4, LEFTOVER, "deck").state.pool) == 44


def test_hands_are_known_to_all_but_the_card_that_is_laid_is_secret():
    game, _ = drafted(dealt(2, LEFTOVER, "secret"))
    seen = state_view(SIX_NIMMT, game, 1)["players"][0]
    assert seen["known"] == game.state.players[0].hand
    question = pending_choices(SIX_NIMMT, game, 0)[0]
    step = answer(SIX_NIMMT, game, 0, question.id, "lay", {"card": game.state.players[0].hand[3]}, 0)
    seen = state_view(SIX_NIMMT, step.game, 1)["players"][0]
    assert (seen["laid"], seen["hand"]) == ({"hidden": 1}, {"hidden": 9})
    assert seen["known"] == game.state.players[0].hand, "the card that is laid is still one of those known"
    (fact,) = event_view(SIX_NIMMT, step.decision, 1)["facts"]
    assert fact["card"] == {"hidden": 1}


def test_a_card_that_is_turned_up_is_no_longer_among_those_known():
    game, _ = drafted(dealt(2, LEFTOVER, "turned up"))
    for step in played_at_random(SIX_NIMMT, game, "turned up"):
        if not any(isinstance(fact, LaidFaceDown) for fact in step.decision.facts):
            continue
        for player in step.game.state.players:
            laid = () if player.laid is None else (player.laid,)
            assert sorted((*player.hand, *laid)) == list(player.known)
