"""Trades: offered, answered, confirmed, withdrawn and cancelled."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from games.kernel import Clock, choices_view, event_view, state_view
from games.millennium_blades import MILLENNIUM_BLADES
from games.millennium_blades.catalogue import Card, stars
from tests.games.kernel.driver import GameDriver


class Trading(GameDriver):
    """Three seats in the first window. Seat 0 trades with seat 1, and seat 2 watches."""

    def __init__(self, seats: int = 3, **options: Any) -> None:
        super().__init__(MILLENNIUM_BLADES, seats, options, Clock(factor=0), stored=False)

    def card(self, seat: int, place: int = 0) -> Card:
        table: Any = self.game.state
        card: Card = table.players[seat].binder[place]
        return card

    def offers(self, *cards: Card, dollars: int = 0, friendship_cards: tuple[int, ...] = (), partner: int = 1) -> int:
        self.answer(
            0,
            "offer_trade",
            partner=partner,
            cards=list(cards),
            dollars=dollars,
            friendship_cards=list(friendship_cards),
        )
        table: Any = self.game.state
        number: int = table.players[0].negotiations.trades[-1].number
        return number

    def counters(self, trade: int, *cards: Card, dollars: int = 0, friendship_cards: tuple[int, ...] = ()) -> None:
        self.answer(
            1, "answer_trade", trade=trade, cards=list(cards), dollars=dollars, friendship_cards=list(friendship_cards)
        )

    def even(self) -> tuple[int, Card, int]:
        """Offer a card; return the trade, the card, and the dollars that the card is worth."""
        card = self.card(0)
        return self.offers(card), card, stars(card)


def test_cards_and_dollars_change_hands_when_both_agree():
    table = Trading()
    trade, card, dollars = table.even()
    table.counters(trade, dollars=dollars)
    table.answer(0, "confirm_trade", trade=trade)
    giver, taker = table.game.state.players[:2]
    assert card in taker.binder
    assert card not in giver.binder
    assert (giver.dollars, taker.dollars) == (30 + dollars, 30 - dollars)
    assert giver.negotiations.trades == taker.negotiations.trades == ()


def test_both_sides_are_equal_in_stars_plus_dollars():
    table = Trading()
    trade, _, dollars = table.even()
    refusal = table.refusal(1, "answer_trade", trade=trade, cards=[], dollars=dollars + 1, friendship_cards=[])
    assert "equal in stars plus dollars" in refusal


def test_on_a_free_market_trades_may_be_uneven():
    table = Trading(free_market=True)
    trade, card, _ = table.even()
    table.counters(trade, dollars=29)
    table.answer(0, "confirm_trade", trade=trade)
    assert card in table.game.state.players[1].binder


def emptied(table: Trading, seat: int) -> Trading:
    """Leave a seat without a card and without a dollar."""
    state: Any = table.game.state
    players = list(state.players)
    players[seat] = replace(players[seat], binder=(), dollars=0)
    table.game = replace(table.game, state=replace(state, players=tuple(players)))
    return table


def test_a_seat_without_cards_and_dollars_can_neither_offer_nor_answer_a_trade():
    table = Trading()
    table.even()
    assert "offer_trade" not in emptied(table, 1).moves(1)
    assert "answer_trade" not in table.moves(1)


def test_on_a_free_market_a_seat_without_cards_and_dollars_may_ask_for_a_gift_or_accept_one():
    table = emptied(Trading(free_market=True), 1)
    assert "offer_trade" in table.moves(1)
    request, gift = table.offers(), table.offers(table.card(0), partner=2)
    assert "answer_trade" not in table.moves(1), "there is nothing to give for nothing"
    assert table.options(2, "answer_trade", "trade") == (gift,)
    table.answer(0, "end_trade", trade=request)
    table.counters(table.offers(table.card(0, 1)))


def test_on_a_free_market_a_side_may_be_empty():
    table = Trading(free_market=True)
    gift = table.offers(table.card(0))
    table.counters(gift)
    table.answer(0, "confirm_trade", trade=gift)
    request, card = table.offers(), table.card(1)
    table.counters(request, card)
    table.answer(0, "confirm_trade", trade=request)
    assert card in table.game.state.players[0].binder


def test_on_a_free_market_at_least_one_side_gives_a_card_or_a_dollar():
    table = Trading(free_market=True)
    trade = table.offers(friendship_cards=(0,))
    refusal = table.refusal(1, "answer_trade", trade=trade, cards=[], dollars=0, friendship_cards=[6])
    assert "At least one of the two sides gives a card or a dollar." in refusal


def test_friendship_cards_have_no_worth_and_stay_with_their_receiver():
    table = Trading()
    trade = table.offers(table.card(0), friendship_cards=(5,))
    table.counters(trade, dollars=stars(table.card(0)), friendship_cards=(6, 7))
    table.answer(0, "confirm_trade", trade=trade)
    giver, taker = table.game.state.players[:2]
    assert (giver.friendship_cards, giver.received_friendship_cards) == ((0, 1, 2, 3, 4), (6, 7))
    assert (taker.friendship_cards, taker.received_friendship_cards) == ((8, 9, 10, 11), (5,))


def test_a_side_of_a_trade_has_more_than_friendship_cards():
    table = Trading()
    assert "card or dollar" in table.refusal(0, "offer_trade", partner=1, cards=[], dollars=0, friendship_cards=[0])
    number = table.offers(table.card(0))
    assert "card or dollar" in table.refusal(1, "answer_trade", trade=number, cards=[], dollars=0, friendship_cards=[6])


def test_nothing_changes_hands_before_a_trade_is_confirmed():
    table = Trading()
    trade, card, dollars = table.even()
    assert "illegal-move" in table.refusal(0, "confirm_trade", trade=trade)
    table.counters(trade, dollars=dollars)
    assert card in table.game.state.players[0].binder


def test_either_side_may_end_a_trade_before_it_is_confirmed():
    table = Trading()
    trade, _, dollars = table.even()
    table.answer(0, "end_trade", trade=trade)
    assert table.game.state.players[1].negotiations.trades == ()
    trade, _, dollars = table.even()
    table.counters(trade, dollars=dollars)
    table.answer(1, "end_trade", trade=trade)
    assert "illegal-move" in table.refusal(0, "confirm_trade", trade=trade)


def test_an_answer_to_a_replaced_offer_is_refused():
    table = Trading()
    trade, _, dollars = table.even()
    table.answer(0, "end_trade", trade=trade)
    other = table.offers(table.card(0, 1))
    assert other != trade
    refusal = table.refusal(1, "answer_trade", trade=trade, cards=[], dollars=dollars, friendship_cards=[])
    assert "illegal-move" in refusal


def test_a_trade_is_cancelled_when_its_card_is_sold():
    table = Trading()
    trade, card, dollars = table.even()
    table.counters(trade, dollars=dollars)
    facts = table.answer(0, "sell", card=card)
    assert [type(fact).__name__ for fact in facts] == ["CardSold", "TradeEnded"]
    assert "confirm_trade" not in table.moves(0)


def test_a_trade_is_cancelled_when_its_dollars_are_spent():
    table = Trading()
    table.offers(dollars=29)
    table.answer(0, "buy_pack", place=1)
    assert table.game.state.players[1].negotiations.trades == ()


def test_trading_a_card_cancels_its_other_trades():
    table = Trading()
    card = table.card(0)
    first, second = table.offers(card), table.offers(card, partner=2)
    table.counters(first, dollars=stars(card))
    table.answer(0, "confirm_trade", trade=first)
    assert table.game.state.players[2].negotiations.trades == ()
    assert "answer_trade" not in table.moves(2)
    assert second != first


def test_a_card_moved_to_the_deck_can_still_be_traded():
    table = Trading()
    trade, card, dollars = table.even()
    table.answer(0, "put_in_deck", card=card)
    table.counters(trade, dollars=dollars)
    table.answer(0, "confirm_trade", trade=trade)
    assert table.game.state.players[0].deck == ()


def test_being_ready_ends_a_seats_trades():
    table = Trading()
    table.even()
    table.answer(1, "ready")
    assert table.game.state.players[0].negotiations.trades == ()
    assert 1 not in table.options(0, "offer_trade", "partner")


def test_a_third_seat_sees_nothing_of_an_offer():
    table = Trading()
    before = (state_view(table.rulebook, table.game, 2), choices_view(table.rulebook, table.game, 2))
    trade, _, dollars = table.even()
    table.counters(trade, dollars=dollars)
    assert (state_view(table.rulebook, table.game, 2), choices_view(table.rulebook, table.game, 2)) == before
    assert [event_view(table.rulebook, decision, 2)["facts"] for decision in table.decisions[-2:]] == [[], []]


def test_a_third_seat_sees_a_completed_trade_but_not_which_cards():
    table = Trading()
    trade, _, dollars = table.even()
    table.counters(trade, dollars=dollars)
    table.answer(0, "confirm_trade", trade=trade)
    (traded,) = event_view(table.rulebook, table.decisions[-1], 2)["facts"]
    assert traded["cards"] == {"hidden": 1}
    assert traded["dollars_back"] == dollars
    assert traded["friendship_cards"] == {"hidden": 0}
