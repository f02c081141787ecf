"""The verbs that texts of cards are written with: steps that give facts, effects, or ask."""

from collections.abc import Callable, Iterable
from typing import Any

from games.kernel import OneOf, Outcome, Seat, SomeOf, choose, rule
from games.millennium_blades.catalogue import Card
from games.millennium_blades.scripting.words import Amount, Cards, Condition, amount_of
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import CardInPlay, ability
from games.millennium_blades.tournament.card_script import Step
from games.millennium_blades.tournament.clashes import clash
from games.millennium_blades.tournament.context import Context
from games.millennium_blades.tournament.facts import (
    Attached,
    NumberStored,
    ReactionUsed,
    TargetChosen,
    TokensPut,
)
from games.millennium_blades.tournament.flips import (
    flip,
    flip_as_cost,
    flip_card,
    flip_cards,
    flip_or_lose_reputation,
    flip_without_triggers,
    unflip,
)
from games.millennium_blades.tournament.resolution import decline, gains, losses, run_step_for_player, start_ability

Seats = Callable[[Context], Iterable[Seat]]

# --- Reputation -------------------------------------------------------------------------------------------


def gain(amount: int | Amount) -> Step:
    """You gain reputation."""
    value = amount_of(amount)
    return lambda ctx: gains(ctx.table, ctx.you, value(ctx))


def lose(points: int) -> Step:
    """You lose reputation."""
    return lambda ctx: losses(ctx.table, ctx.you, points)


def gain_if(condition: Condition, amount: int | Amount) -> Step:
    """You gain reputation if something is true."""
    value = amount_of(amount)
    return lambda ctx: gains(ctx.table, ctx.you, value(ctx)) if condition(ctx) else None


def only_if(condition: Condition, step: Step) -> Step:
    """Something is done if something is true."""
    return lambda ctx: step(ctx) if condition(ctx) else None


def each_player_gains(seats: Seats, amount: Callable[[Context, Seat], int]) -> Step:
    """Players gain reputation, each his own amount."""
    return lambda ctx: tuple(gains(ctx.table, seat, amount(ctx, seat)) for seat in ctx.in_turn_order(seats(ctx)))


def each_player_loses(seats: Seats, amount: Callable[[Context, Seat], int]) -> Step:
    """Players lose reputation, each his own amount."""
    return lambda ctx: tuple(losses(ctx.table, seat, amount(ctx, seat)) for seat in ctx.in_turn_order(seats(ctx)))


# --- Who --------------------------------------------------------------------------------------------------


def everyone(ctx: Context) -> Iterable[Seat]:
    """Every player."""
    return ctx.table.seats


def opponents(ctx: Context) -> Iterable[Seat]:
    """Every other player."""
    return ctx.table.clockwise_after(ctx.you)


def with_more_points(ctx: Context) -> Iterable[Seat]:
    """Every player who has more reputation than you."""
    return [seat for seat in ctx.table.seats if ctx.points(seat) > ctx.points(ctx.you)]


def tableau_star_sum(ctx: Context, seat: Seat) -> int:
    """The stars of a player's tableau together."""
    return sum(face.stars for face in ctx.board.face_up(seat))


class ForEachPlayer:
    """Players each do their part, in turn order from the active one."""

    def __init__(self, seats: Seats, step: Step) -> None:
        self.seats = seats
        self.run_step_for_player = step
        self.legal_targets = getattr(step, "legal_targets", None)

    def __call__(self, ctx: Context) -> Outcome:
        """Return each player's part."""
        return tuple(run_step_for_player(ctx.place).by(seat) for seat in ctx.in_turn_order(self.seats(ctx)))


# --- Flipping ---------------------------------------------------------------------------------------------


def flip_one_of(cards: Cards, prompt: str = "Flip a card.") -> Step:
    """You flip one of some cards; if there is just one, it is that."""

    def step(ctx: Context) -> Outcome:
        options = ctx.may_be_flipped(cards(ctx))
        if len(options) < 2:
            return flip(options) if options else None
        return choose(prompt, flip_card.offer(card=OneOf(options)))

    return step


def may_flip_one_of(cards: Cards) -> Step:
    """You may flip one of some cards."""

    def step(ctx: Context) -> Outcome:
        options = ctx.may_be_flipped(cards(ctx))
        if not options:
            return None
        return choose("You may flip a card.", flip_card.offer(card=OneOf(options)), decline.offer())

    return step


def flip_any_of(cards: Cards) -> Step:
    """You flip any number of some cards."""

    def step(ctx: Context) -> Outcome:
        options = ctx.may_be_flipped(cards(ctx))
        if not options:
            return None
        return choose("Flip any number of cards.", flip_cards.offer(cards=SomeOf(options, 0, len(options))))

    return step


def flip_all(cards: Cards) -> Step:
    """You flip all of some cards."""
    return lambda ctx: flip(ctx.may_be_flipped(cards(ctx)))


def flip_all_without_triggers(cards: Cards) -> Step:
    """You flip all of some cards, and their Flip effects are suppressed."""
    return lambda ctx: flip_without_triggers(ctx.may_be_flipped(cards(ctx)))


def chooser_cards(ctx: Context) -> tuple[CardInPlay, ...]:
    """The face-up cards of the player whose part it is."""
    return ctx.board.face_up(ctx.seat)


def each_player_flips_one(seats: Seats) -> Step:
    """Players each flip one of their own cards."""
    return ForEachPlayer(seats, flip_one_of(chooser_cards, "Flip one of your cards."))


def each_player_flips_or_loses(seats: Seats, number: int, points: int) -> Step:
    """Players each pick: they flip so many of their own cards, or lose reputation."""
    return lambda ctx: tuple(flip_or_lose_reputation(number, points).by(seat) for seat in ctx.in_turn_order(seats(ctx)))


def turn_face_up_one_of(cards: Cards) -> Step:
    """You turn one of some face-down cards face up."""

    def step(ctx: Context) -> Outcome:
        options = tuple(face.card for face in cards(ctx))
        if not options:
            return None
        return choose("Turn a card face up.", turn_face_up.offer(card=OneOf(options)))

    return step


@rule
def turn_face_up(table: MillenniumBlades, card: Card) -> Outcome:
    """A card is turned face up, and kept in mind."""
    return unflip(card), store_stars(card)


@rule
def store_stars(table: MillenniumBlades, card: Card) -> Outcome:
    """The stars of a card are kept in mind for the rest of the effect."""
    return NumberStored(table.board.by_card[card].stars)


# --- Targets ----------------------------------------------------------------------------------------------

TargetSelector = Callable[[Context], Iterable[int]]

NO_TARGET = -1


class ChooseTarget:
    """You choose a target: a player or a card. Its owner may react and have you choose another."""

    def __init__(self, prompt: str, legal_targets: TargetSelector) -> None:
        self.prompt = prompt
        self.legal_targets = legal_targets

    def __call__(self, ctx: Context) -> Outcome:
        """Ask for the target; if there is just one, it is that."""
        options = tuple(self.legal_targets(ctx))
        if len(options) < 2:
            return choose_target(ctx.place, options[0]) if options else None
        return choose(self.prompt, choose_target.offer(ctx.place, target=OneOf(options)))


class MayChooseTarget(ChooseTarget):
    """You may choose a target."""

    def __call__(self, ctx: Context) -> Outcome:
        """Ask for the target, or to leave it."""
        options = tuple(self.legal_targets(ctx))
        if not options:
            return TargetChosen(NO_TARGET)
        return choose(self.prompt, choose_target.offer(ctx.place, target=OneOf(options)), choose_no_target.offer())


@rule
def choose_no_target(table: MillenniumBlades) -> Outcome:
    """What may be targeted may be left alone."""
    return TargetChosen(NO_TARGET)


@rule
def choose_target(table: MillenniumBlades, place: int, target: int) -> Outcome:
    """A target is chosen; who is targeted may react."""
    owner = owner_of(table, target)
    if owner is None or owner == table.seat:
        return TargetChosen(target)
    return TargetChosen(target), redirect(place).by(owner)


def owner_of(table: MillenniumBlades, target: int) -> Seat | None:
    """Whose is a target: a seat its own, a card its player's?"""
    if target < len(table.seats):
        return target
    face = table.board.by_card.get(target)
    return None if face is None else face.seat


@rule
def redirect(table: MillenniumBlades, place: int) -> Outcome:
    """A player who is targeted may choose another legal target for the effect."""
    effect = table.current_effect
    steps: Any = ability((effect.design, effect.index)).steps
    reactions = table.reactions(table.seat, "you are targeted")
    legal = steps[place].legal_targets(Context(table, place))
    others = tuple(it for it in legal if it != effect.targets[-1])
    if not reactions or not others:
        return None
    return choose(
        "You are targeted.", redirect_target.offer(reaction=OneOf(reactions), target=OneOf(others)), decline.offer()
    )


@rule
def redirect_target(table: MillenniumBlades, reaction: Card, target: int) -> Outcome:
    """A Reaction gives the effect another target."""
    return ReactionUsed(table.seat, reaction), *flip_as_cost(table, reaction), TargetChosen(target, instead=True)


def target_seat(ctx: Context) -> Iterable[Seat]:
    """The player who was chosen."""
    return () if ctx.target is None else (ctx.target,)


def flip_target(ctx: Context) -> Outcome:
    """The card chosen is flipped."""
    return None if ctx.target is None else flip((ctx.target,))


def token_on_target(ctx: Context) -> Outcome:
    """A star token is put on the card chosen."""
    if ctx.target is None or ctx.target not in ctx.board.by_card:
        return None
    return TokensPut(ctx.board.by_card[ctx.target].seat, ctx.target, 1)


def attach_to_target(ctx: Context) -> Outcome:
    """This card is attached to the card chosen."""
    return None if ctx.target is None else Attached(ctx.you, ctx.this, ctx.target, "equipment")


def hosts(cards: Cards) -> TargetSelector:
    """Those of some cards that something can be attached to."""
    return lambda ctx: [face.card for face in cards(ctx) if face.script.attachable and face.card != ctx.this]


# --- Clashes ----------------------------------------------------------------------------------------------


def rivals(ctx: Context) -> tuple[Seat, ...]:
    """The other players whom you can clash with: you and they have a Top card."""
    if ctx.board.top(ctx.you) is None:
        return ()
    return tuple(seat for seat in opponents(ctx) if ctx.board.top(seat) is not None)


def new_rivals(ctx: Context) -> tuple[Seat, ...]:
    """Rivals with whom this card has not clashed in this turn."""
    met = {seat for card, seat in ctx.state.turn_clashes if card == ctx.this}
    return tuple(seat for seat in rivals(ctx) if seat not in met)


def clash_with_target(ctx: Context) -> Outcome:
    """You clash with the player chosen."""
    return None if ctx.target is None else clash((ctx.you, ctx.target))


def clash_with_one(legal_targets: TargetSelector = rivals) -> tuple[Step, Step]:
    """You clash with one other player of your choice."""
    return ChooseTarget("Choose whom to clash with.", legal_targets), clash_with_target


def clash_of_all(ctx: Context) -> Outcome:
    """All players with a Top card clash."""
    seats = tuple(seat for seat in ctx.table.seats if ctx.board.top(seat) is not None)
    return clash(seats)


def clash_winner(ctx: Context) -> Iterable[Seat]:
    """Who won the clash."""
    return () if ctx.clash is None or ctx.clash.winner is None else (ctx.clash.winner,)


def clash_losers(ctx: Context) -> Iterable[Seat]:
    """Who lost the clash."""
    if ctx.clash is None or ctx.clash.status != "won":
        return ()
    return tuple(side.seat for side in ctx.clash.sides if side.seat != ctx.clash.winner)


def clash_non_winners(ctx: Context) -> Iterable[Seat]:
    """Who took part in the clash and did not win it, also on a tie."""
    if ctx.clash is None or ctx.clash.status not in ("won", "tied"):
        return ()
    return tuple(side.seat for side in ctx.clash.sides if side.seat != ctx.clash.winner)


def you_won(ctx: Context) -> bool:
    """Did you win the clash?"""
    return ctx.you in clash_winner(ctx)


def you_lost(ctx: Context) -> bool:
    """Did you lose the clash?"""
    return ctx.you in clash_losers(ctx)


def winner_gains(points: int) -> Step:
    """The winner of the clash gains reputation."""
    return each_player_gains(clash_winner, lambda ctx, seat: points)


def loser_gains(points: int) -> Step:
    """The losers of the clash gain reputation."""
    return each_player_gains(clash_losers, lambda ctx, seat: points)


# --- Copies -----------------------------------------------------------------------------------------------


def copy_one_of(kind: str, cards: Cards, cap: int | None = None) -> Step:
    """You carry out one effect of another card as if it were printed on this."""

    def step(ctx: Context) -> Outcome:
        options = tuple(
            reference
            for face in cards(ctx)
            for reference in face.abilities
            if ability(reference).kind == kind and ability(reference).copyable
        )
        if len(options) < 2:
            return copy_effect(cap, options[0]).by(ctx.you) if options else None
        return choose("Copy an effect.", copy_effect.offer(cap, effect=OneOf(options)))

    return step


@rule
def copy_effect(table: MillenniumBlades, cap: int | None, effect: tuple[int, int]) -> Outcome:
    """An effect of another card is carried out as if it were printed on this one."""
    current = table.current_effect
    design, index = effect
    return start_ability(current.card, design, index, current.subject, cap).by(current.seat)
