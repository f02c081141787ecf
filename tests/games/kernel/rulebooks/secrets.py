"""Secrets: letters in envelopes and parcels pass between seats. An example of every way to say who may see what."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from msgspec.structs import replace

from games.kernel import (
    Audience,
    Everyone,
    Fact,
    Finished,
    Nobody,
    OneOf,
    Outcome,
    Owner,
    Record,
    Rulebook,
    Seat,
    Table,
    Viewer,
    VisibleTo,
    choose,
    move,
    msg,
    rank_seats,
    rule,
    together,
)
from tests.games.kernel.rulebooks.scene import Options


def either_end(record: Any, viewer: Viewer) -> bool:
    """A letter that moves is seen by who gives it and by who gets it."""
    return viewer in (record.giver, record.getter)


SeenAtEitherEnd = Annotated[str, VisibleTo(either_end)]


class Envelope(Record, frozen=True, tag=True):
    """A letter of somebody's; its stamp can be read by all."""

    seat: Everyone[Seat]
    letter: Owner[str]
    stamp: Everyone[int] = 1


class Parcel(Record, frozen=True, tag=True):
    """Something that nobody has looked into."""

    weight: Everyone[int]
    inside: Nobody[tuple[str, ...]]


class Flower(Record, frozen=True, tag=True):
    """Something that everybody sees."""

    colour: Everyone[str]


Thing = Envelope | Parcel | Flower


class Friend(Record, frozen=True):
    """A seat and what is its own."""

    seat: Everyone[Seat]
    hand: Owner[tuple[str, ...]]
    purse: Owner[int | None] = None
    kept: Everyone[tuple[Thing, ...]] = ()
    gift: Everyone[Thing | None] = None
    pair: Everyone[tuple[Envelope, int] | None] = None
    shelf: Everyone[tuple[Envelope, ...] | None] = None


class State(Record, frozen=True):
    """The friends, the letters that nobody has drawn, and what was passed last."""

    friends: Everyone[tuple[Friend, ...]]
    drawer: Nobody[tuple[str, ...]] = ()
    notice: Everyone[str] = ""
    sealed: Nobody[Envelope | None] = None


class Dealt(Fact, frozen=True):
    """A seat drew letters."""

    seat: Everyone[Seat]
    letters: Owner[tuple[str, ...]]
    drawer: Nobody[tuple[str, ...]]


class Passed(Fact, frozen=True):
    """A letter went from one seat to another; the two see which."""

    giver: Everyone[Seat]
    getter: Everyone[Seat]
    letter: SeenAtEitherEnd


class Whispered(Fact, frozen=True):
    """A seat said something to itself: the others do not learn that it happened."""

    observers = Audience.OWNER

    seat: Everyone[Seat]
    word: Everyone[str]


class Nudged(Fact, frozen=True):
    """Two seats know that one nudged the other."""

    observers = VisibleTo(either_end)

    giver: Everyone[Seat]
    getter: Everyone[Seat]


class Noted(Fact, frozen=True):
    """The server notes something that nobody learns."""

    observers = Audience.NOBODY

    count: Everyone[int]


FACTS = (Dealt, Passed, Whispered, Nudged, Noted)
LETTERS = tuple("abcdefghijkl")


class Secrets(Table[State]):
    """The table of the friends."""

    __slots__ = ()

    @property
    def hand(self) -> tuple[str, ...]:
        """The letters of the seat that acts."""
        return self.state.friends[self.seat].hand

    @property
    def others(self) -> tuple[Seat, ...]:
        """Everybody but the seat that acts."""
        return tuple(friend.seat for friend in self.state.friends if friend.seat != self.seat)


@rule
def play(table: Secrets) -> Outcome:
    """Everybody draws three letters, and passes or whispers twice."""
    letters = table.chance.shuffled(LETTERS)
    seats = range(len(table.state.friends))
    dealt = tuple(Dealt(seat, letters[3 * seat : 3 * seat + 3], letters[3 * seat + 3 :]) for seat in seats)
    return *dealt, everybody(), everybody(), end()


@rule
def everybody(table: Secrets) -> Outcome:
    """All act at the same time."""
    return together(*(act().by(friend.seat) for friend in table.state.friends))


@rule
def act(table: Secrets) -> Outcome:
    """Pass a letter, whisper or nudge."""
    return choose(
        msg("What do you do?"),
        pass_on.offer(letter=OneOf(table.hand), to=OneOf(table.others)),
        whisper.offer(word=OneOf(table.hand)),
        nudge.offer(to=OneOf(table.others)),
    )


@move(title="Pass on", help="Pass on.", args={"letter": "Letter", "to": "To"})
def pass_on(table: Secrets, letter: str, to: Seat) -> Outcome:
    """A letter changes hands."""
    return Passed(table.seat, to, letter)


@move(title="Whisper", help="Whisper.", args={"word": "Word"})
def whisper(table: Secrets, word: str) -> Outcome:
    """Nobody hears it."""
    return Whispered(table.seat, word), Noted(1)


@move(title="Nudge", help="Nudge.", args={"to": "To"})
def nudge(table: Secrets, to: Seat) -> Outcome:
    """Only two feel it."""
    return Nudged(table.seat, to)


@rule
def end(table: Secrets) -> Outcome:
    """The most letters win."""
    points = tuple(len(friend.hand) for friend in table.state.friends)
    return Finished(points, rank_seats(points))


def set_up(options: Options, seats: int) -> State:
    """Everybody has an envelope, a parcel and a flower before the game."""
    return State(
        tuple(
            Friend(
                seat,
                (),
                kept=(Envelope(seat, f"dear {seat}", 3), Parcel(2, ("x", "y")), Flower("red")),
                pair=(Envelope(seat, f"pair {seat}"), 7),
                shelf=(Envelope(seat, f"shelf {seat}"),),
            )
            for seat in range(seats)
        ),
        LETTERS,
        sealed=Envelope(0, "sealed"),
    )


def evolve(state: State, fact: Fact) -> State:
    """Return the state after a fact."""
    match fact:
        case Dealt(seat, letters, drawer):
            return replace(_with_friend(state, seat, hand=letters), drawer=drawer)
        case Passed(giver, getter, letter):
            given = tuple(other for other in state.friends[giver].hand if other != letter)
            state = _with_friend(state, giver, hand=given)
            return _with_friend(state, getter, hand=(*state.friends[getter].hand, letter))
        case Whispered(seat, word):
            return _with_friend(state, seat, purse=ord(word))
        case Nudged() | Noted():
            return state
    raise TypeError(f"not a fact of the secrets: {fact}")


def _with_friend(state: State, seat: Seat, **changes: object) -> State:
    friends = state.friends
    return replace(state, friends=(*friends[:seat], replace(friends[seat], **changes), *friends[seat + 1 :]))


SECRETS = Rulebook(
    id="secrets",
    edition=1,
    names={"en": "Secrets", "fr": "Secrets"},
    seats=range(2, 5),
    options=Options,
    initial_state=set_up,
    initial_effect=play(),
    table=Secrets,
    state=State,
    facts=FACTS,
    evolve=evolve,
    rules=[sys.modules[__name__]],
    rule_names=Path(__file__).parent / "secrets_rule_names.txt",
)
