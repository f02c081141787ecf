"""Effects in effects: a card that plays another one twice, stored and read again between every two answers."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from games.kernel import Fact
from tests.games.kernel.playing import Sitting
from tests.games.kernel.throne_room import (
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


def dealt(hands: list[tuple[Card, ...]], supply: tuple[Card, ...] = (), stored: bool = True) -> Sitting:
    """A throne room in which the seats hold these cards, and each is about to play one."""
    sitting = Sitting(THRONE_ROOM, len(hands), stored=stored)
    state: State = sitting.table
    players = tuple(replace(player, hand=hand) for player, hand in zip(state.players, hands, strict=True))
    used = {card for hand in hands for card in hand} | set(supply)
    stock = tuple(card for card in range(len(KINDS)) if card not in used)
    sitting.game = replace(sitting.game, state=State(players, supply, stock, (), 1))
    return sitting


@pytest.fixture(params=[True, False], ids=["stored", "never stored"])
def stored(request: pytest.FixtureRequest) -> Any:
    """Is the game stored and read again between every two answers?"""
    return request.param


def test_a_card_is_played_and_its_text_is_carried_out(stored: bool) -> None:
    sitting = dealt([(REMODEL, *COPPERS[:2]), COPPERS[2:4]], (SMITHY, FEAST, MILITIA), stored)
    assert sitting.answers(0, "play_card", card=REMODEL) == (Played(0, REMODEL),)
    assert sitting.asked(0) == ["Trash a card."]
    assert sitting.answers(0, "trash_for_a_better_one", card=COPPERS[1]) == (Trashed(0, COPPERS[1]),)
    assert sitting.asked(0) == ["Gain a card that costs up to 2."]
    assert sitting.options(0, "gain", "card") == (FEAST,)
    assert sitting.answers(0, "gain", card=FEAST) == (Gained(0, FEAST),)


def test_a_card_is_played_twice_and_the_second_time_waits_until_the_first_is_over(stored: bool) -> None:
    sitting = dealt([(THRONE, REMODEL, *COPPERS[:2]), COPPERS[2:4]], (SMITHY, FEAST, MILITIA), stored)
    sitting.answers(0, "play_card", card=THRONE)
    assert sitting.answers(0, "play_twice", card=REMODEL) == (Played(0, REMODEL),)
    sitting.answers(0, "trash_for_a_better_one", card=COPPERS[0])
    assert sitting.answers(0, "gain", card=FEAST) == (Gained(0, FEAST), PlayedAgain(0))
    assert sitting.asked(0) == ["Trash a card."]
    sitting.answers(0, "trash_for_a_better_one", card=FEAST)
    assert sitting.options(0, "gain", "card") == (SMITHY, MILITIA)
    assert sitting.answers(0, "gain", card=MILITIA) == (Gained(0, MILITIA),)
    assert sitting.table.trash == (COPPERS[0], FEAST)


def test_a_card_that_plays_another_twice_may_itself_be_played_twice(stored: bool) -> None:
    sitting = dealt([(THRONE, OTHER_THRONE, SMITHY, REMODEL, *COPPERS[:2]), COPPERS[2:4]], (FEAST,), stored)
    sitting.answers(0, "play_card", card=THRONE)
    sitting.answers(0, "play_twice", card=OTHER_THRONE)
    facts: list[Fact] = [*sitting.answers(0, "play_twice", card=SMITHY)]
    assert [type(fact) for fact in facts] == [Played, Drew, PlayedAgain, Drew, PlayedAgain]
    assert sitting.asked(0) == ["Play a card twice."]
    sitting.answers(0, "play_twice", card=REMODEL)
    sitting.answers(0, "trash_for_a_better_one", card=COPPERS[0])
    assert sitting.answers(0, "gain", card=FEAST) == (Gained(0, FEAST), PlayedAgain(0))
    sitting.answers(0, "trash_for_a_better_one", card=COPPERS[1])
    assert sitting.questions(0) == []


def test_a_group_in_a_group_and_the_others_discard_twice(stored: bool) -> None:
    sitting = dealt(
        [(THRONE, MILITIA, COPPERS[0]), (REMODEL, *COPPERS[1:4]), (SMITHY, *COPPERS[4:7])], (FEAST,), stored
    )
    sitting.answers(0, "play_card", card=THRONE)
    sitting.answers(0, "play_twice", card=MILITIA)
    assert sitting.asked(1) == ["Play a card.", "Discard 2."]
    assert sitting.asked(2) == ["Play a card.", "Discard 2."]
    assert sitting.answers(2, "discard", cards=[COPPERS[6], SMITHY]) == (Discarded(2, (COPPERS[6], SMITHY)),)
    facts = sitting.answers(1, "discard", cards=list(COPPERS[1:3]))
    assert [type(fact) for fact in facts] == [Discarded, PlayedAgain, Drew]
    assert sitting.questions(0) == []
    assert sitting.asked() == ["Play a card.", "Play a card."]
    assert sitting.options(2, "play_card", "card") == COPPERS[4:6]


def test_how_many_are_discarded_is_counted_when_somebody_looks(stored: bool) -> None:
    sitting = dealt([(MILITIA, *COPPERS[:3]), (SMITHY, *COPPERS[3:6])], (), stored)
    sitting.answers(0, "play_card", card=MILITIA)
    assert sitting.asked(1) == ["Play a card.", "Discard 2."]
    sitting.answers(1, "play_card", card=COPPERS[3])
    assert sitting.asked(1) == ["Discard 1."]
    assert sitting.refusal(1, "discard", cards=list(COPPERS[4:6])).startswith("illegal-move")


def test_the_turn_ends_when_all_strands_and_the_groups_in_them_have_ended(stored: bool) -> None:
    sitting = dealt([(MILITIA, *COPPERS[:3]), (REMODEL, *COPPERS[3:6])], (FEAST,), stored)
    sitting.answers(0, "play_card", card=MILITIA)
    sitting.answers(1, "play_card", card=REMODEL)
    sitting.answers(1, "trash_for_a_better_one", card=COPPERS[3])
    assert sitting.asked() == ["Gain a card that costs up to 2."]
    assert sitting.answers(1, "gain", card=FEAST) == (Gained(1, FEAST), TurnBegun(2))


def test_a_question_evaporates_when_an_answer_to_another_takes_away_its_reason(stored: bool) -> None:
    sitting = dealt([(MILITIA, COPPERS[0]), (REMODEL, *COPPERS[3:5])], (), stored)
    sitting.answers(0, "play_card", card=MILITIA)
    assert sitting.asked(1) == ["Play a card.", "Discard 1."]
    assert sitting.answers(1, "play_card", card=COPPERS[3]) == (Played(1, COPPERS[3]), TurnBegun(2))


def test_who_has_no_card_left_is_asked_nothing(stored: bool) -> None:
    sitting = dealt([(REMODEL,), COPPERS[:2]], (FEAST,), stored)
    assert sitting.answers(0, "play_card", card=REMODEL) == (Played(0, REMODEL),)
    assert sitting.questions(0) == []
    assert sitting.answers(1, "play_card", card=COPPERS[0]) == (Played(1, COPPERS[0]), TurnBegun(2))
    assert sitting.asked(0) == []


@pytest.mark.parametrize("seed", range(12))
def test_a_game_that_is_stored_and_read_between_every_two_answers_equals_the_game_that_never_was(seed: int) -> None:
    kept, never_stored = (Sitting(THRONE_ROOM, 3, seed=f"seed {seed}", stored=stored) for stored in (True, False))
    kept.plays_at_random(Random(seed))
    never_stored.plays_at_random(Random(seed))
    assert kept.game.session.status == "finished"
    assert kept.game == never_stored.game
    assert kept.decisions == never_stored.decisions
    assert list(map(THRONE_ROOM.encode, kept.decisions)) == list(map(THRONE_ROOM.encode, never_stored.decisions))


@pytest.mark.parametrize("seed", range(12))
def test_no_card_is_lost(seed: int) -> None:
    sitting = Sitting(THRONE_ROOM, 4, seed=f"seed {seed}")
    sitting.plays_at_random(Random(seed))
    table = sitting.table
    held = [card for player in table.players for card in (*player.hand, *player.away)]
    assert sorted((*held, *table.supply, *table.stock, *table.trash)) == list(range(len(KINDS)))
