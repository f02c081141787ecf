"""Millennium Blades: targets. The current effect stores each target that is chosen; later steps use the last one."""

from collections.abc import Callable, Iterable

from games.kernel import Message, OneOf, Outcome, Seat, choose, move, msg, rule
from games.millennium_blades.board.card_script import ReactionEvent
from games.millennium_blades.catalogue import Card
from games.millennium_blades.scripting.players import ForEachPlayer
from games.millennium_blades.scripting.selectors import CardSelector
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.abilities import current_step
from games.millennium_blades.tournament.context import Context
from games.millennium_blades.tournament.facts import Attached, ReactionUsed, TargetChosen, TokensPut
from games.millennium_blades.tournament.flips import flip, flip_as_cost
from games.millennium_blades.tournament.resolution import decline

TargetSelector = Callable[[Context], Iterable[int]]
"""Returns the legal targets: seats or cards."""

NO_TARGET = -1


class ChooseTarget:
    """A step in which you choose a target: a player or a card. Its owner may react and redirect the effect."""

    def __init__(self, prompt: Message, legal_targets: TargetSelector) -> None:
        self.prompt = prompt
        self.legal_targets = legal_targets

    def __call__(self, ctx: Context) -> Outcome:
        """Ask for the target. A single legal target is chosen without a question."""
        options = tuple(self.legal_targets(ctx))
        if len(options) < 2:
            return choose_target(ctx.step, options[0]) if options else None
        return choose(self.prompt, choose_target.offer(ctx.step, target=OneOf(options)))


class MayChooseTarget(ChooseTarget):
    """A step in which you may choose a target."""

    def __call__(self, ctx: Context) -> Outcome:
        """Ask for a target, or none."""
        options = tuple(self.legal_targets(ctx))
        if not options:
            return TargetChosen(NO_TARGET)
        return choose(self.prompt, choose_target.offer(ctx.step, target=OneOf(options)), choose_no_target.offer())


@move(title="Choose no target", help="Do not choose a target.")
def choose_no_target(table: MillenniumBlades) -> Outcome:
    """Choose no target."""
    return TargetChosen(NO_TARGET)


@move(title="Choose a target", help="Choose the player or the card that the effect is for.", args={"target": "Target"})
def choose_target(table: MillenniumBlades, step: int, target: int) -> Outcome:
    """Choose a target. Its owner may react."""
    owner = target_owner(table, target)
    if owner is None or owner == table.seat:
        return TargetChosen(target)
    return TargetChosen(target), offer_redirect(step).by(owner)


def target_owner(table: MillenniumBlades, target: int) -> Seat | None:
    """Return the owner of a target: the seat itself, or the player of a card."""
    if target < len(table.seats):
        return target
    card = table.board.by_card.get(target)
    return None if card is None else card.seat


@rule
def offer_redirect(table: MillenniumBlades, step: int) -> Outcome:
    """A player who is targeted may choose another legal target for the effect."""
    reactions = table.reactions(table.seat, ReactionEvent.TARGETED)
    context = Context(table, step)
    others = tuple(target for target in _legal_targets(context) if target != context.target)
    if not reactions or not others:
        return None
    return choose(
        msg("You are targeted."),
        redirect_target.offer(reaction=OneOf(reactions), target=OneOf(others)),
        decline.offer(),
    )


def _legal_targets(context: Context) -> Iterable[int]:
    step = current_step(context)
    choice = step.step if isinstance(step, ForEachPlayer) else step
    assert isinstance(choice, ChooseTarget)
    return choice.legal_targets(context)


@move(
    title="Redirect the effect",
    help="Use a Reaction: choose another target for the effect.",
    args={"reaction": "Reaction", "target": "New target"},
)
def redirect_target(table: MillenniumBlades, reaction: Card, target: int) -> Outcome:
    """A Reaction gives the effect another target."""
    return ReactionUsed(table.seat, reaction), *flip_as_cost(table, reaction), TargetChosen(target, instead=True)


# --- What happens to the target ---------------------------------------------------------------------------


def flip_target(ctx: Context) -> Outcome:
    """Flip the chosen card."""
    return None if ctx.target is None else flip((ctx.target,))


def token_on_target(ctx: Context) -> Outcome:
    """Put a star token on the chosen card."""
    if ctx.target is None or ctx.target not in ctx.board.by_card:
        return None
    return TokensPut(ctx.board.by_card[ctx.target].seat, ctx.target, 1)


def attach_to_target(ctx: Context) -> Outcome:
    """Attach this card to the chosen card."""
    return None if ctx.target is None else Attached(ctx.you, ctx.this, ctx.target, "equipment")


def hosts(cards: CardSelector) -> TargetSelector:
    """Those of the cards that this card can be attached to."""
    return lambda ctx: [card.card for card in cards(ctx) if card.script.attachable and card.card != ctx.this]
