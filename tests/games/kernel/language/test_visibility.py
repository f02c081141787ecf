"""Who may see what: audiences, what is shown in place of a secret, and what registration refuses."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel import (
    Audience,
    Everyone,
    Fact,
    MissingAudience,
    Nobody,
    Owner,
    Record,
    Rulebook,
    Seat,
    VisibleTo,
    redacted,
    rule,
)
from games.kernel.language.visibility import Redactor
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.scene import Echoed, Said
from tests.games.kernel.rulebooks.secrets import (
    SECRETS,
    Envelope,
    Flower,
    Friend,
    Noted,
    Nudged,
    Parcel,
    Passed,
    SeenAtEitherEnd,
    State,
    Whispered,
)

SPECTATOR = None
RegistersRulebook = Callable[..., Rulebook[Any]]


@rule
def pause(table: Any) -> None:
    """Something for a rulebook to begin with."""


def shown(record: Any, viewer: Seat | None) -> Any:
    """What a viewer gets of a record, as it comes out of JSON."""
    sight = Redactor()
    sight.compile(type(record))
    return msgspec.json.decode(msgspec.json.encode(sight.redact(record, viewer)))


class Hand(Record, frozen=True):
    seat: Everyone[Seat]
    cards: Owner[tuple[int, ...]]


def test_the_owner_sees_its_cards_and_the_others_see_how_many() -> None:
    hand = Hand(1, (7, 8, 9))
    assert shown(hand, 1) == {"seat": 1, "cards": [7, 8, 9]}
    assert shown(hand, 0) == {"seat": 1, "cards": {"hidden": 3}}
    assert shown(hand, SPECTATOR) == {"seat": 1, "cards": {"hidden": 3}}


def test_seat_0_is_an_owner_like_any_other_and_not_a_spectator() -> None:
    assert shown(Hand(0, (7,)), 0) == {"seat": 0, "cards": [7]}
    assert shown(Hand(0, (7,)), SPECTATOR) == {"seat": 0, "cards": {"hidden": 1}}


def test_a_spectator_does_not_see_what_is_nobodys() -> None:
    class Found(Record, frozen=True):
        seat: Everyone[Seat | None]
        card: Owner[int]

    assert shown(Found(None, 7), SPECTATOR) == {"seat": None, "card": {"hidden": 1}}
    assert shown(Found(None, 7), 0) == {"seat": None, "card": {"hidden": 1}}


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
def test_what_is_for_nobody_is_shown_to_nobody(viewer: Seat | None) -> None:
    assert shown(Parcel(2, ("x", "y")), viewer) == {"type": "Parcel", "weight": 2, "inside": {"hidden": 2}}


@pytest.mark.parametrize(
    ("value", "instead"),
    [((1, 2, 3), {"hidden": 3}), ((), {"hidden": 0}), (5, {"hidden": 1}), ("abc", {"hidden": 1}), (None, None)],
)
def test_in_place_of_a_value_there_is_how_many_it_is(value: Any, instead: Any) -> None:
    assert redacted(value) == instead


def test_a_record_that_is_open_to_all_is_shown_as_it_is() -> None:
    flower = Flower("red")
    sight = Redactor()
    assert sight.compile(Flower) is None
    assert sight.redact(flower, SPECTATOR) is flower


def test_records_inside_of_records_are_shown_by_their_own_audience() -> None:
    friend = Friend(0, ("a", "b"), kept=(Envelope(0, "mine", 3), Parcel(2, ("x",)), Flower("red")))
    assert shown(friend, 0)["kept"] == [
        {"type": "Envelope", "seat": 0, "letter": "mine", "stamp": 3},
        {"type": "Parcel", "weight": 2, "inside": {"hidden": 1}},
        {"type": "Flower", "colour": "red"},
    ]
    assert shown(friend, 1)["kept"][0] == {"type": "Envelope", "seat": 0, "letter": {"hidden": 1}, "stamp": 3}


def test_a_union_of_records_is_shown_by_the_audience_of_what_it_is() -> None:
    assert shown(Friend(0, (), gift=Envelope(1, "to you")), 1)["gift"]["letter"] == "to you"
    assert shown(Friend(0, (), gift=Envelope(1, "to you")), 0)["gift"]["letter"] == {"hidden": 1}
    assert shown(Friend(0, (), gift=Flower("red")), 1)["gift"] == {"type": "Flower", "colour": "red"}
    assert shown(Friend(0, (), gift=None), 1)["gift"] is None


def test_a_tuple_of_different_things_is_shown_place_by_place() -> None:
    friend = Friend(0, (), pair=(Envelope(0, "pair"), 7))
    assert shown(friend, 0)["pair"] == [{"type": "Envelope", "seat": 0, "letter": "pair", "stamp": 1}, 7]
    assert shown(friend, 1)["pair"] == [{"type": "Envelope", "seat": 0, "letter": {"hidden": 1}, "stamp": 1}, 7]


def test_records_in_an_optional_tuple_keep_their_secrets() -> None:
    friend = Friend(0, (), shelf=(Envelope(0, "shelf"),))
    assert shown(friend, 0)["shelf"][0]["letter"] == "shelf"
    assert shown(friend, 1)["shelf"][0]["letter"] == {"hidden": 1}
    assert shown(Friend(0, ()), 1)["shelf"] is None


class Box(Record, frozen=True):
    """A box in a box."""

    secret: Nobody[int]
    inner: "Everyone[Box | None]" = None


def test_a_record_inside_of_its_own_kind_keeps_its_secrets() -> None:
    assert shown(Box(1, Box(2)), 0) == {"secret": {"hidden": 1}, "inner": {"secret": {"hidden": 1}, "inner": None}}


class Chapter(Record, frozen=True):
    title: Everyone[str]
    notes: "Everyone[tuple[Note, ...]]" = ()


class Note(Record, frozen=True):
    text: Nobody[str]
    about: "Everyone[Chapter | None]" = None


def test_records_of_two_kinds_inside_of_each_other_keep_their_secrets() -> None:
    sight = Redactor()
    sight.compile(Note)
    sight.compile(Chapter)
    seen = sight.redact(Note("psst", Chapter("OneOf", (Note("pssst"),))), 0)
    assert b"ss" not in msgspec.json.encode(seen)
    assert seen["about"]["notes"][0]["text"] == {"hidden": 1}


def test_a_hidden_record_shows_only_that_it_is_there() -> None:
    class Desk(Record, frozen=True):
        drawer: Nobody[Envelope | None]

    assert shown(Desk(Envelope(0, "sealed")), 0) == {"drawer": {"hidden": 1}}
    assert shown(Desk(None), 0) == {"drawer": None}


def test_a_card_that_moves_is_seen_at_either_end() -> None:
    passed = Passed(0, 2, "k")
    assert [shown(passed, viewer)["letter"] for viewer in (0, 1, 2, SPECTATOR)] == [
        "k",
        {"hidden": 1},
        "k",
        {"hidden": 1},
    ]
    assert shown(passed, 1)["type"] == "passed"


def test_a_viewer_who_may_not_observe_a_fact_does_not_receive_it() -> None:
    viewers = (0, 1, 2, SPECTATOR)
    assert [SECRETS.can_observe(Whispered(1, "a"), viewer) for viewer in viewers] == [False, True, False, False]
    assert [SECRETS.can_observe(Nudged(0, 2), viewer) for viewer in viewers] == [True, False, True, False]
    assert [SECRETS.can_observe(Noted(1), viewer) for viewer in viewers] == [False] * 4
    assert [SECRETS.can_observe(Passed(0, 1, "a"), viewer) for viewer in viewers] == [True] * 4


def test_the_seed_of_a_game_is_never_shown() -> None:
    driver = GameDriver(SECRETS, 3, seed="the secret seed")
    for viewer in (0, 1, 2, SPECTATOR):
        for record in (driver.game.session, driver.state, *(f for d in driver.decisions for f in d.facts)):
            assert b"the secret seed" not in msgspec.json.encode(SECRETS.redact(record, viewer))
    assert driver.game.session.created.seed == "the secret seed"


# --- what is refused when a rulebook is registered --------------------------------------------------------


class Bare(Record, frozen=True):
    open: Everyone[int]
    forgotten: int = 0


class BareFact(Fact, frozen=True):
    forgotten: int


class Wrapping(Record, frozen=True):
    """Says who sees it, but what is inside does not."""

    inside: Everyone[tuple[Bare | None, ...]] = ()


class OwnedByNobody(Record, frozen=True):
    cards: Owner[tuple[int, ...]] = ()


class Ownerless(Fact, frozen=True):
    """Only its owner learns of it, and it has none."""

    observers = Audience.OWNER

    word: Everyone[str]


class Optional(Record, frozen=True):
    """The audience stands inside of the optional, where it says nothing of None."""

    card: Owner[int] | None = None
    seat: Everyone[int] = 0


class PartlyMarked(Record, frozen=True):
    """An audience for each card of a tuple would be lost."""

    seat: Everyone[Seat]
    cards: Everyone[tuple[Owner[int], ...]]


OpenCards = Everyone[tuple[int, ...]]


class TwiceMarked(Record, frozen=True):
    """An audience around a type that has one already."""

    seat: Everyone[Seat]
    cards: Owner[OpenCards]


class InDict(Record, frozen=True):
    """Secrets in a dict could not be hidden one by one."""

    hands: Everyone[dict[str, Hand]]


class InList(Record, frozen=True):
    hands: Everyone[list[Hand]]


@pytest.mark.parametrize(
    ("state", "named"),
    [
        (Bare, r"Bare\.forgotten"),
        (Wrapping, r"Bare\.forgotten"),
        (OwnedByNobody, r"OwnedByNobody\.cards .* no seat"),
        (Optional, r"Optional\.card"),
        (PartlyMarked, r"PartlyMarked\.cards"),
        (TwiceMarked, r"TwiceMarked\.cards"),
        (InDict, r"InDict\.hands"),
        (InList, r"InList\.hands"),
    ],
)
def test_a_state_that_does_not_say_who_sees_all_of_it_is_refused(
    state: type, named: str, make_rulebook: RegistersRulebook
) -> None:
    with pytest.raises(MissingAudience, match=named):
        make_rulebook(pause(), state=state)


@pytest.mark.parametrize(("fact", "named"), [(BareFact, r"BareFact\.forgotten"), (Ownerless, r"Ownerless.* no seat")])
def test_a_fact_that_does_not_say_who_sees_all_of_it_is_refused(
    fact: type[Fact], named: str, make_rulebook: RegistersRulebook
) -> None:
    with pytest.raises(MissingAudience, match=named):
        make_rulebook(pause(), facts=(Said, Echoed, fact))


def test_an_audience_of_ones_own_may_be_given_as_a_type() -> None:
    class Card(Record, frozen=True):
        giver: Everyone[Seat]
        getter: Everyone[Seat]
        letter: SeenAtEitherEnd

    assert shown(Card(0, 1, "a"), 2)["letter"] == {"hidden": 1}
    assert isinstance(Nudged.observers, VisibleTo)


# --- what is hidden makes no difference -------------------------------------------------------------------

letters = st.text("abc", max_size=3)
things = st.one_of(
    st.builds(Envelope, st.integers(0, 1), letters, st.integers(0, 2)),
    st.builds(Parcel, st.integers(0, 2), st.lists(letters, max_size=2).map(tuple)),
    st.builds(Flower, letters),
)
friends = st.builds(
    Friend,
    st.integers(0, 1),
    st.lists(letters, max_size=2).map(tuple),
    st.none() | st.integers(0, 2),
    st.lists(things, max_size=2).map(tuple),
    st.none() | things,
    st.none() | st.tuples(st.builds(Envelope, st.integers(0, 1), letters), st.integers(0, 1)),
    st.none() | st.lists(st.builds(Envelope, st.integers(0, 1), letters), max_size=2).map(tuple),
)
states = st.builds(
    State,
    st.lists(friends, max_size=2).map(tuple),
    st.lists(letters, max_size=3).map(tuple),
    letters,
    st.none() | st.builds(Envelope, st.integers(0, 1), letters),
)


def scrambled(value: Any, viewer: Seat | None) -> Any:
    """The same state with everything else in the places that this module knows the viewer may not see."""
    match value:
        case State():
            return State(
                tuple(scrambled(friend, viewer) for friend in value.friends),
                tuple("?" for _ in value.drawer),
                value.notice,
                value.sealed and Envelope(1 - value.sealed.seat, "?", 9),
            )
        case Friend() as friend:
            own = friend.seat == viewer
            return Friend(
                friend.seat,
                friend.hand if own else tuple("?" for _ in friend.hand),
                friend.purse if own or friend.purse is None else 99,
                scrambled(friend.kept, viewer),
                scrambled(friend.gift, viewer),
                scrambled(friend.pair, viewer),
                scrambled(friend.shelf, viewer),
            )
        case Envelope(seat, letter, stamp):
            return Envelope(seat, letter if seat == viewer else "?", stamp)
        case Parcel(weight, inside):
            return Parcel(weight, tuple("?" for _ in inside))
        case tuple():
            return tuple(scrambled(item, viewer) for item in value)
    return value


@settings(max_examples=100, deadline=None)
@given(state=states, viewer=st.sampled_from([0, 1, SPECTATOR]))
def test_what_a_viewer_may_not_see_makes_no_difference_to_its_view(state: State, viewer: Seat | None) -> None:
    seen = msgspec.json.encode(SECRETS.redact(state, viewer))
    assert seen == msgspec.json.encode(SECRETS.redact(scrambled(state, viewer), viewer))
    assert b"?" not in seen
