"""6 nimmt!, Logic: hands are drafted from face-up cards."""

from __future__ import annotations

from typing import Any

import pytest

from games.kernel import Refusal, answer, event_view, pending_choices, state_view
from games.six_nimmt import SIX_NIMMT
from games.six_nimmt.facts import LaidFaceDown
from tests.games.six_nimmt.scenario import Turn
from tests.rulebooks.play import play_at_random, started

LEFTOVER = {"logic": True}
DEALT_FIRST = {"logic": True, "logic_rows": "dealt_first"}


def before_draft(seats: int, options: dict[str, Any], seed: str) -> Any:
    """Return a game at the beginning of the draft."""
    return started(SIX_NIMMT, seats, options, seed)


def draft_lowest(game: Any) -> tuple[Any, list[int]]:
    """Have each seat take the lowest card until all hands are complete; return the game and the order of the seats."""
    order = []
    while (choices := pending_choices(SIX_NIMMT, game))[0].choice.offers[0].move == "take_card":
        (pending,) = choices
        order.append(pending.seat)
        card = game.state.pool[0]
        game = answer(SIX_NIMMT, game, pending.seat, pending.id, "take_card", {"card": card}, 0).game
    return game, order


def test_the_pool_is_the_deck_and_the_four_cards_left_over_open_the_rows_in_ascending_order():
    game = before_draft(2, LEFTOVER, "logic")
    assert game.state.pool == tuple(range(1, 25))
    assert game.state.rows == ()
    game, order = draft_lowest(game)
    assert order == [0, 1] * 10
    assert game.state.rows == ((21,), (22,), (23,), (24,))
    assert game.state.pool == game.state.aside == ()


def test_with_rows_dealt_first_four_cards_open_the_rows_and_all_others_are_drafted():
    game = before_draft(2, DEALT_FIRST, "logic")
    assert [len(row) for row in game.state.rows] == [1, 1, 1, 1]
    assert len(game.state.pool) == 20
    rows = game.state.rows
    game, order = draft_lowest(game)
    assert order == [0, 1] * 10
    assert game.state.rows == rows
    assert game.state.pool == game.state.aside == ()


@pytest.mark.parametrize("options", [LEFTOVER, DEALT_FIRST])
@pytest.mark.parametrize("seats", [2, 5, 10])
def test_everybody_drafts_ten_cards_clockwise(options: dict[str, Any], seats: int):
    game, order = draft_lowest(before_draft(seats, options, "clockwise"))
    assert order == [*range(seats)] * 10
    assert [len(player.hand) for player in game.state.players] == [10] * seats


def test_the_next_seat_drafts_first_in_each_round():
    turn = Turn([[10], [20], [30], [40]], 11, 22, 33, last_turn=True, logic=True)
    assert turn.state.round == 2
    (pending,) = pending_choices(SIX_NIMMT, turn.game)
    assert pending.seat == 1
    assert draft_lowest(turn.game)[1] == [1, 2, 0] * 10


def test_a_card_that_was_drafted_or_lies_in_a_row_cannot_be_drafted():
    game = before_draft(2, DEALT_FIRST, "logic")
    (pending,) = pending_choices(SIX_NIMMT, game)
    for card in (game.state.rows[0][0], 0, 25, 104):
        with pytest.raises(Refusal, match="illegal-move"):
            answer(SIX_NIMMT, game, 0, pending.id, "take_card", {"card": card}, 0)


def test_logic_uses_the_tactic_deck():
    assert SIX_NIMMT.resolve_options(LEFTOVER, 4).tactic is True
    assert len(before_draft(4, LEFTOVER, "deck").state.pool) == 44


def test_drafted_hands_are_public_but_the_card_that_is_laid_is_secret():
    game, _ = draft_lowest(before_draft(2, LEFTOVER, "secret"))
    view = state_view(SIX_NIMMT, game, 1)["players"][0]
    assert view["known"] == game.state.players[0].hand
    pending = pending_choices(SIX_NIMMT, game, 0)[0]
    transition = answer(SIX_NIMMT, game, 0, pending.id, "lay", {"card": game.state.players[0].hand[3]}, 0)
    view = state_view(SIX_NIMMT, transition.game, 1)["players"][0]
    assert (view["laid"], view["hand"]) == ({"hidden": 1}, {"hidden": 9})
    assert view["known"] == game.state.players[0].hand, "the card face down is still known"
    (fact,) = event_view(SIX_NIMMT, transition.decision, 1)["facts"]
    assert fact["card"] == {"hidden": 1}


def test_a_card_that_is_turned_up_is_no_longer_among_the_known_cards():
    game, _ = draft_lowest(before_draft(2, LEFTOVER, "turned up"))
    for transition in play_at_random(SIX_NIMMT, game, "turned up"):
        if not any(isinstance(fact, LaidFaceDown) for fact in transition.decision.facts):
            continue
        for player in transition.game.state.players:
            laid = () if player.laid is None else (player.laid,)
            assert sorted((*player.hand, *laid)) == list(player.known)
