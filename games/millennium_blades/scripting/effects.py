"""The verbs that texts of cards are written with: steps that give facts, effects, or ask."""

from collections.abc import Callable, Iterable
from typing import Any

from games.kernel import Effect, OneOf, Outcome, Seat, SomeOf, choose, rule
from games.millennium_blades.catalogue import Card
from games.millennium_blades.scripting.words import Amount, Cards, Condition, amount_of
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import Face, Reference, ability
from games.millennium_blades.tournament.card_script import Step
from games.millennium_blades.tournament.clashes import clash
from games.millennium_blades.tournament.context import Situation
from games.millennium_blades.tournament.facts import (
    Aimed,
    Attached,
    Counted,
    ReactionUsed,
    TokensPut,
)
from games.millennium_blades.tournament.flips import (
    cost,
    flip,
    flip_one,
    flip_or_lose,
    flip_some,
    turn_down_quietly,
    unflip,
)
from games.millennium_blades.tournament.resolution import decline, gains, losses, part, use

Seats = Callable[[Situation], Iterable[Seat]]

# --- Reputation -------------------------------------------------------------------------------------------


def gain(amount: int | Amount) -> Step:
    """You gain reputation."""
    value = amount_of(amount)
    return lambda at: gains(at.table, at.you, value(at))


def lose(points: int) -> Step:
    """You lose reputation."""
    return lambda at: losses(at.table, at.you, points)


def gain_if(condition: Condition, amount: int | Amount) -> Step:
    """You gain reputation if something is true."""
    value = amount_of(amount)
    return lambda at: gains(at.table, at.you, value(at)) if condition(at) else None


def only_if(condition: Condition, step: Step) -> Step:
    """Something is done if something is true."""
    return lambda at: step(at) if condition(at) else None


def everybody_gains(seats: Seats, amount: Callable[[Situation, Seat], int]) -> Step:
    """Players gain reputation, each his own amount."""
    return lambda at: tuple(gains(at.table, seat, amount(at, seat)) for seat in at.in_turn_order(seats(at)))


def everybody_loses(seats: Seats, amount: Callable[[Situation, Seat], int]) -> Step:
    """Players lose reputation, each his own amount."""
    return lambda at: tuple(losses(at.table, seat, amount(at, seat)) for seat in at.in_turn_order(seats(at)))


# --- Who --------------------------------------------------------------------------------------------------


def everyone(at: Situation) -> Iterable[Seat]:
    """Every player."""
    return at.table.seats


def opponents(at: Situation) -> Iterable[Seat]:
    """Every other player."""
    return at.table.clockwise_after(at.you)


def with_more_points(at: Situation) -> Iterable[Seat]:
    """Every player who has more reputation than you."""
    return [seat for seat in at.table.seats if at.points(seat) > at.points(at.you)]


def own_star_sum(at: Situation, seat: Seat) -> int:
    """The stars of a player's tableau together."""
    return sum(face.stars for face in at.board.face_up(seat))


class EachOf:
    """Players each do their part, in turn order from the active one."""

    def __init__(self, seats: Seats, part_of_one: Step) -> None:
        self.seats = seats
        self.part = part_of_one
        self.targets = getattr(part_of_one, "targets", None)

    def __call__(self, at: Situation) -> Outcome:
        """Return each player's part."""
        return tuple(part(at.place).by(seat) for seat in at.in_turn_order(self.seats(at)))


# --- Flipping ---------------------------------------------------------------------------------------------


def flip_one_of(cards: Cards, prompt: str = "Flip a card.") -> Step:
    """You flip one of some cards; if there is just one, it is that."""

    def step(at: Situation) -> Outcome:
        options = at.may_be_flipped(cards(at))
        if len(options) < 2:
            return flip(options) if options else None
        return choose(prompt, flip_one.offer(card=OneOf(options)))

    return step


def may_flip_one_of(cards: Cards) -> Step:
    """You may flip one of some cards."""

    def step(at: Situation) -> Outcome:
        options = at.may_be_flipped(cards(at))
        if not options:
            return None
        return choose("You may flip a card.", flip_one.offer(card=OneOf(options)), decline.offer())

    return step


def flip_any_of(cards: Cards) -> Step:
    """You flip any number of some cards."""

    def step(at: Situation) -> Outcome:
        options = at.may_be_flipped(cards(at))
        if not options:
            return None
        return choose("Flip any number of cards.", flip_some.offer(cards=SomeOf(options, 0, len(options))))

    return step


def flip_all(cards: Cards) -> Step:
    """You flip all of some cards."""
    return lambda at: flip(at.may_be_flipped(cards(at)))


def flip_quietly(cards: Cards) -> Step:
    """You flip all of some cards, and their Flip effects are suppressed."""
    return lambda at: turn_down_quietly(at.may_be_flipped(cards(at)))


def of_the_one_asked(at: Situation) -> tuple[Face, ...]:
    """The face-up cards of the player whose part it is."""
    return at.board.face_up(at.seat)


def each_flips_one(seats: Seats) -> Step:
    """Players each flip one of their own cards."""
    return EachOf(seats, flip_one_of(of_the_one_asked, "Flip one of your cards."))


def each_flips_or_loses(seats: Seats, number: int, points: int) -> Step:
    """Players each pick: they flip so many of their own cards, or lose reputation."""
    return lambda at: tuple(flip_or_lose(number, points).by(seat) for seat in at.in_turn_order(seats(at)))


def turn_up_one_of(cards: Cards) -> Step:
    """You turn one of some face-down cards face up."""

    def step(at: Situation) -> Outcome:
        options = tuple(face.card for face in cards(at))
        if not options:
            return None
        return choose("Turn a card face up.", turn_up.offer(card=OneOf(options)))

    return step


@rule
def turn_up(table: MillenniumBlades, card: Card) -> Outcome:
    """A card is turned face up, and kept in mind."""
    return unflip(card), keep_stars(card)


@rule
def keep_stars(table: MillenniumBlades, card: Card) -> Outcome:
    """The stars of a card are kept in mind for the rest of the effect."""
    return Counted(table.board.by_card[card].stars)


# --- Targets ----------------------------------------------------------------------------------------------

Targets = Callable[[Situation], Iterable[int]]

NOTHING_AIMED_AT = -1


class Target:
    """You choose a target: a player or a card. Its owner may react and have you choose another."""

    def __init__(self, prompt: str, targets: Targets) -> None:
        self.prompt = prompt
        self.targets = targets

    def __call__(self, at: Situation) -> Outcome:
        """Ask for the target; if there is just one, it is that."""
        options = tuple(self.targets(at))
        if len(options) < 2:
            return aim_at(at.place, options[0]) if options else None
        return choose(self.prompt, aim_at.offer(at.place, target=OneOf(options)))


class MayTarget(Target):
    """You may choose a target."""

    def __call__(self, at: Situation) -> Outcome:
        """Ask for the target, or to leave it."""
        options = tuple(self.targets(at))
        if not options:
            return Aimed(NOTHING_AIMED_AT)
        return choose(self.prompt, aim_at.offer(at.place, target=OneOf(options)), aim_at_nothing.offer())


@rule
def aim_at_nothing(table: MillenniumBlades) -> Outcome:
    """What may be targeted may be left alone."""
    return Aimed(NOTHING_AIMED_AT)


@rule
def aim_at(table: MillenniumBlades, place: int, target: int) -> Outcome:
    """A target is chosen; who is targeted may react."""
    owner = owner_of(table, target)
    if owner is None or owner == table.seat:
        return Aimed(target)
    return Aimed(target), redirect(place).by(owner)


def owner_of(table: MillenniumBlades, target: int) -> Seat | None:
    """Whose is a target: a seat its own, a card its player's?"""
    if target < len(table.seats):
        return target
    face = table.board.by_card.get(target)
    return None if face is None else face.seat


@rule
def redirect(table: MillenniumBlades, place: int) -> Outcome:
    """A player who is targeted may choose another legal target for the effect."""
    running = table.running
    steps: Any = ability((running.design, running.index)).steps
    reactions = table.reactions(table.seat, "you are targeted")
    legal = steps[place].targets(Situation(table, place))
    others = tuple(it for it in legal if it != running.aims[-1])
    if not reactions or not others:
        return None
    return choose(
        "You are targeted.", aim_elsewhere.offer(reaction=OneOf(reactions), target=OneOf(others)), decline.offer()
    )


@rule
def aim_elsewhere(table: MillenniumBlades, reaction: Card, target: int) -> Outcome:
    """A Reaction gives the effect another target."""
    return ReactionUsed(table.seat, reaction), *cost(table, reaction), Aimed(target, instead=True)


def aimed_seat(at: Situation) -> Iterable[Seat]:
    """The player who was chosen."""
    return () if at.aim is None else (at.aim,)


def flip_target(at: Situation) -> Outcome:
    """The card chosen is flipped."""
    return None if at.aim is None else flip((at.aim,))


def token_on_target(at: Situation) -> Outcome:
    """A star token is put on the card chosen."""
    if at.aim is None or at.aim not in at.board.by_card:
        return None
    return TokensPut(at.board.by_card[at.aim].seat, at.aim, 1)


def attach_to_target(at: Situation) -> Outcome:
    """This card is attached to the card chosen."""
    return None if at.aim is None else Attached(at.you, at.this, at.aim, "equipment")


def hosts(cards: Cards) -> Targets:
    """Those of some cards that something can be attached to."""
    return lambda at: [face.card for face in cards(at) if face.text.attachable and face.card != at.this]


# --- Clashes ----------------------------------------------------------------------------------------------


def rivals(at: Situation) -> tuple[Seat, ...]:
    """The other players whom you can clash with: you and they have a Top card."""
    if at.board.top(at.you) is None:
        return ()
    return tuple(seat for seat in opponents(at) if at.board.top(seat) is not None)


def new_rivals(at: Situation) -> tuple[Seat, ...]:
    """Rivals with whom this card has not clashed in this turn."""
    met = {seat for card, seat in at.state.clashed if card == at.this}
    return tuple(seat for seat in rivals(at) if seat not in met)


def clash_with_target(at: Situation) -> Outcome:
    """You clash with the player chosen."""
    return None if at.aim is None else clash((at.you, at.aim))


def clash_with_one(targets: Targets = rivals) -> tuple[Step, Step]:
    """You clash with one other player of your choice."""
    return Target("Choose whom to clash with.", targets), clash_with_target


def clash_of_all(at: Situation) -> Outcome:
    """All players with a Top card clash."""
    seats = tuple(seat for seat in at.table.seats if at.board.top(seat) is not None)
    return clash(seats)


def clash_winner(at: Situation) -> Iterable[Seat]:
    """Who won the clash."""
    return () if at.clash is None or at.clash.winner is None else (at.clash.winner,)


def clash_losers(at: Situation) -> Iterable[Seat]:
    """Who lost the clash."""
    if at.clash is None or at.clash.status != "won":
        return ()
    return tuple(side.seat for side in at.clash.sides if side.seat != at.clash.winner)


def all_but_the_winner(at: Situation) -> Iterable[Seat]:
    """Who took part in the clash and did not win it, also on a tie."""
    if at.clash is None or at.clash.status not in ("won", "tied"):
        return ()
    return tuple(side.seat for side in at.clash.sides if side.seat != at.clash.winner)


def you_won(at: Situation) -> bool:
    """Did you win the clash?"""
    return at.you in clash_winner(at)


def you_lost(at: Situation) -> bool:
    """Did you lose the clash?"""
    return at.you in clash_losers(at)


def winner_gains(points: int) -> Step:
    """The winner of the clash gains reputation."""
    return everybody_gains(clash_winner, lambda at, seat: points)


def loser_gains(points: int) -> Step:
    """The losers of the clash gain reputation."""
    return everybody_gains(clash_losers, lambda at, seat: points)


# --- Copies -----------------------------------------------------------------------------------------------


def copy_one(word: str, cards: Cards, cap: int | None = None) -> Step:
    """You carry out one effect of another card as if it were printed on this."""

    def step(at: Situation) -> Outcome:
        options = tuple(
            reference
            for face in cards(at)
            for reference in face.abilities
            if ability(reference).word == word and ability(reference).copyable
        )
        if len(options) < 2:
            return use_copy(options[0], cap).by(at.you) if options else None
        return choose("Copy an effect.", copy_effect.offer(cap, effect=OneOf(options)))

    return step


def use_copy(reference: Reference, cap: int | None) -> Effect:
    """Return the effect of carrying out a copy."""
    return copy_effect(cap, reference)


@rule
def copy_effect(table: MillenniumBlades, cap: int | None, effect: tuple[int, int]) -> Outcome:
    """An effect of another card is carried out as if it were printed on this one."""
    running = table.running
    design, index = effect
    return use(running.card, design, index, running.about, cap).by(running.seat)
