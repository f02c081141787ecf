"""The kernel: everything a rulebook is written with. Pure: no clock, no input or output, no randomness of its own."""

from games.kernel.bots import Bot, BotSight, Command, random_bot
from games.kernel.catalogue import CardFacts, Names, UnfitCards, read_cards
from games.kernel.chance import Chance, commitment_to
from games.kernel.decisions import By, Decision, Game
from games.kernel.effects import Effect, Outcome, Rule, Wait, rule, together
from games.kernel.facts import Fact, Record
from games.kernel.lobby import Clock, Finished, places_by
from games.kernel.moves import Amount, Check, Choice, Illegal, Offer, One, Question, Some, check, choose
from games.kernel.play import (
    Seats,
    Step,
    answer,
    create,
    fold,
    leave_seat,
    next_alarm,
    questions,
    ring,
    start,
    take_seat,
    waits,
)
from games.kernel.rulebook import Rulebook, UnfitRulebook
from games.kernel.sight import (
    Audience,
    Everyone,
    Nobody,
    Owner,
    Seat,
    SeenBy,
    UndeclaredAudience,
    Viewer,
    hidden,
)
from games.kernel.table import Table
from games.kernel.views import bot_sight, choices_shown, computed_for, event_seen, table_seen

__all__ = [
    "Amount",
    "Audience",
    "Bot",
    "BotSight",
    "By",
    "CardFacts",
    "Chance",
    "Check",
    "Choice",
    "Clock",
    "Command",
    "Decision",
    "Effect",
    "Everyone",
    "Fact",
    "Finished",
    "Game",
    "Illegal",
    "Names",
    "Nobody",
    "Offer",
    "One",
    "Outcome",
    "Owner",
    "Question",
    "Record",
    "Rule",
    "Rulebook",
    "Seat",
    "Seats",
    "SeenBy",
    "Some",
    "Step",
    "Table",
    "UndeclaredAudience",
    "UnfitCards",
    "UnfitRulebook",
    "Viewer",
    "Wait",
    "answer",
    "bot_sight",
    "check",
    "choices_shown",
    "choose",
    "commitment_to",
    "computed_for",
    "create",
    "event_seen",
    "fold",
    "hidden",
    "leave_seat",
    "next_alarm",
    "places_by",
    "questions",
    "random_bot",
    "read_cards",
    "ring",
    "rule",
    "start",
    "table_seen",
    "take_seat",
    "together",
    "waits",
]  # fmt: skip
