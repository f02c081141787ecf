"""Effects in effects: a card that plays another one twice, stored and read again between every two answers."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from games.kernel import Fact
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.throne_room import (
    KINDS,
    THRONE_ROOM,
    Card,
    Discarded,
    Drew,
    Gained,
    Played,
    PlayedAgain,
    State,
    Trashed,
    TurnBegun,
)


def cards_of(kind: str, number: int) -> tuple[Card, ...]:
    """The first cards of a kind."""
    return tuple(card for card, its_kind in enumerate(KINDS) if its_kind == kind)[:number]


(THRONE, OTHER_THRONE), (REMODEL,) = cards_of("throne room", 2), cards_of("remodel", 1)
(MILITIA,), (SMITHY,), (FEAST,) = cards_of("militia", 1), cards_of("smithy", 1), cards_of("feast", 1)
COPPERS = cards_of("copper", 9)


def dealt(hands: list[tuple[Card, ...]], supply: tuple[Card, ...] = (), stored: bool = True) -> GameDriver:
    """A throne room in which the seats hold these cards, and each is about to play one."""
    driver = GameDriver(THRONE_ROOM, len(hands), stored=stored)
    state: State = driver.state
    players = tuple(replace(player, hand=hand) for player, hand in zip(state.players, hands, strict=True))
    used = {card for hand in hands for card in hand} | set(supply)
    stock = tuple(card for card in range(len(KINDS)) if card not in used)
    driver.game = replace(driver.game, state=State(players, supply, stock, (), 1))
    return driver


@pytest.fixture(params=[True, False], ids=["stored", "never stored"])
def stored(request: pytest.FixtureRequest) -> Any:
    """Is the game stored and read again between every two answers?"""
    return request.param


def test_a_card_is_played_and_its_text_is_carried_out(stored: bool) -> None:
    driver = dealt([(REMODEL, *COPPERS[:2]), COPPERS[2:4]], (SMITHY, FEAST, MILITIA), stored)
    assert driver.answer(0, "play_card", card=REMODEL) == (Played(0, REMODEL),)
    assert driver.prompts(0) == ["Trash a card."]
    assert driver.answer(0, "trash_for_a_better_one", card=COPPERS[1]) == (Trashed(0, COPPERS[1]),)
    assert driver.prompts(0) == ["Gain a card that costs up to 2."]
    assert driver.options(0, "gain", "card") == (FEAST,)
    assert driver.answer(0, "gain", card=FEAST) == (Gained(0, FEAST),)


def test_a_card_is_played_twice_and_the_second_time_waits_until_the_first_is_over(stored: bool) -> None:
    driver = dealt([(THRONE, REMODEL, *COPPERS[:2]), COPPERS[2:4]], (SMITHY, FEAST, MILITIA), stored)
    driver.answer(0, "play_card", card=THRONE)
    assert driver.answer(0, "play_twice", card=REMODEL) == (Played(0, REMODEL),)
    driver.answer(0, "trash_for_a_better_one", card=COPPERS[0])
    assert driver.answer(0, "gain", card=FEAST) == (Gained(0, FEAST), PlayedAgain(0))
    assert driver.prompts(0) == ["Trash a card."]
    driver.answer(0, "trash_for_a_better_one", card=FEAST)
    assert driver.options(0, "gain", "card") == (SMITHY, MILITIA)
    assert driver.answer(0, "gain", card=MILITIA) == (Gained(0, MILITIA),)
    assert driver.state.trash == (COPPERS[0], FEAST)


def test_a_card_that_plays_another_twice_may_itself_be_played_twice(stored: bool) -> None:
    driver = dealt([(THRONE, OTHER_THRONE, SMITHY, REMODEL, *COPPERS[:2]), COPPERS[2:4]], (FEAST,), stored)
    driver.answer(0, "play_card", card=THRONE)
    driver.answer(0, "play_twice", card=OTHER_THRONE)
    facts: list[Fact] = [*driver.answer(0, "play_twice", card=SMITHY)]
    assert [type(fact) for fact in facts] == [Played, Drew, PlayedAgain, Drew, PlayedAgain]
    assert driver.prompts(0) == ["Play a card twice."]
    driver.answer(0, "play_twice", card=REMODEL)
    driver.answer(0, "trash_for_a_better_one", card=COPPERS[0])
    assert driver.answer(0, "gain", card=FEAST) == (Gained(0, FEAST), PlayedAgain(0))
    driver.answer(0, "trash_for_a_better_one", card=COPPERS[1])
    assert driver.choices(0) == []


def test_a_group_in_a_group_and_the_others_discard_twice(stored: bool) -> None:
    driver = dealt([(THRONE, MILITIA, COPPERS[0]), (REMODEL, *COPPERS[1:4]), (SMITHY, *COPPERS[4:7])], (FEAST,), stored)
    driver.answer(0, "play_card", card=THRONE)
    driver.answer(0, "play_twice", card=MILITIA)
    assert driver.prompts(1) == ["Play a card.", "Discard 2."]
    assert driver.prompts(2) == ["Play a card.", "Discard 2."]
    assert driver.answer(2, "discard", cards=[COPPERS[6], SMITHY]) == (Discarded(2, (COPPERS[6], SMITHY)),)
    facts = driver.answer(1, "discard", cards=list(COPPERS[1:3]))
    assert [type(fact) for fact in facts] == [Discarded, PlayedAgain, Drew]
    assert driver.choices(0) == []
    assert driver.prompts() == ["Play a card.", "Play a card."]
    assert driver.options(2, "play_card", "card") == COPPERS[4:6]


def test_how_many_are_discarded_is_counted_when_the_choice_is_evaluated(stored: bool) -> None:
    driver = dealt([(MILITIA, *COPPERS[:3]), (SMITHY, *COPPERS[3:6])], (), stored)
    driver.answer(0, "play_card", card=MILITIA)
    assert driver.prompts(1) == ["Play a card.", "Discard 2."]
    driver.answer(1, "play_card", card=COPPERS[3])
    assert driver.prompts(1) == ["Discard 1."]
    assert driver.refusal(1, "discard", cards=list(COPPERS[4:6])).startswith("illegal-move")


def test_the_turn_ends_when_all_branches_and_the_groups_in_them_have_ended(stored: bool) -> None:
    driver = dealt([(MILITIA, *COPPERS[:3]), (REMODEL, *COPPERS[3:6])], (FEAST,), stored)
    driver.answer(0, "play_card", card=MILITIA)
    driver.answer(1, "play_card", card=REMODEL)
    driver.answer(1, "trash_for_a_better_one", card=COPPERS[3])
    assert driver.prompts() == ["Gain a card that costs up to 2."]
    assert driver.answer(1, "gain", card=FEAST) == (Gained(1, FEAST), TurnBegun(2))


def test_a_choice_resolves_when_an_answer_to_another_takes_away_its_reason(stored: bool) -> None:
    driver = dealt([(MILITIA, COPPERS[0]), (REMODEL, *COPPERS[3:5])], (), stored)
    driver.answer(0, "play_card", card=MILITIA)
    assert driver.prompts(1) == ["Play a card.", "Discard 1."]
    assert driver.answer(1, "play_card", card=COPPERS[3]) == (Played(1, COPPERS[3]), TurnBegun(2))


def test_a_seat_without_cards_is_asked_nothing(stored: bool) -> None:
    driver = dealt([(REMODEL,), COPPERS[:2]], (FEAST,), stored)
    assert driver.answer(0, "play_card", card=REMODEL) == (Played(0, REMODEL),)
    assert driver.choices(0) == []
    assert driver.answer(1, "play_card", card=COPPERS[0]) == (Played(1, COPPERS[0]), TurnBegun(2))
    assert driver.prompts(0) == []


@pytest.mark.parametrize("seed", range(12))
def test_a_game_that_is_stored_and_read_between_every_two_answers_equals_the_game_that_never_was(seed: int) -> None:
    kept, never_stored = (GameDriver(THRONE_ROOM, 3, seed=f"seed {seed}", stored=stored) for stored in (True, False))
    kept.play_at_random(Random(seed))
    never_stored.play_at_random(Random(seed))
    assert kept.game.session.status == "finished"
    assert kept.game == never_stored.game
    assert kept.decisions == never_stored.decisions
    assert list(map(THRONE_ROOM.encode, kept.decisions)) == list(map(THRONE_ROOM.encode, never_stored.decisions))


@pytest.mark.parametrize("seed", range(12))
def test_no_card_is_lost(seed: int) -> None:
    driver = GameDriver(THRONE_ROOM, 4, seed=f"seed {seed}")
    driver.play_at_random(Random(seed))
    table = driver.state
    held = [card for player in table.players for card in (*player.hand, *player.away)]
    assert sorted((*held, *table.supply, *table.stock, *table.trash)) == list(range(len(KINDS)))
