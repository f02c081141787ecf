"""The kernel: everything a rulebook is written with. It is pure: no clock, no I/O, no randomness of its own."""

from games.kernel.bots import Bot, BotSight, Command, random_bot
from games.kernel.catalogue import CardFacts, Names, UnfitCards, read_cards
from games.kernel.chance import Chance, commitment_to
from games.kernel.decisions import By, Decision, Game, Step
from games.kernel.effects import Effect, Outcome, Rule, Wait, rule, together
from games.kernel.engine import answer, bots_to_move, fold, next_alarm, questions, ring, waits
from games.kernel.facts import Fact, Record
from games.kernel.lifecycle import (
    Seats,
    ask_pause,
    close,
    concede,
    create,
    credit_time,
    leave_seat,
    open_seed,
    seat_bot,
    seed_of,
    start,
    take_seat,
)
from games.kernel.messages import Says, Sentence, say
from games.kernel.moves import NO_LIMIT, Amount, Check, Choice, Illegal, Offer, One, Question, Some, check, choose
from games.kernel.rulebook import Rulebook, UnfitRulebook
from games.kernel.session import Clock, Finished, places_by
from games.kernel.table import Table
from games.kernel.updates import with_player, without
from games.kernel.views import bot_sight, choices_shown, computed_for, event_seen, table_seen
from games.kernel.visibility import Audience, Everyone, Nobody, Owner, Seat, SeenBy, UndeclaredAudience, Viewer, hidden

__all__ = [
    "NO_LIMIT",
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
    "Says",
    "Seat",
    "Seats",
    "SeenBy",
    "Sentence",
    "Some",
    "Step",
    "Table",
    "UndeclaredAudience",
    "UnfitCards",
    "UnfitRulebook",
    "Viewer",
    "Wait",
    "answer",
    "ask_pause",
    "bot_sight",
    "bots_to_move",
    "check",
    "choices_shown",
    "choose",
    "close",
    "commitment_to",
    "computed_for",
    "concede",
    "create",
    "credit_time",
    "event_seen",
    "fold",
    "hidden",
    "leave_seat",
    "next_alarm",
    "open_seed",
    "places_by",
    "questions",
    "random_bot",
    "read_cards",
    "ring",
    "rule",
    "say",
    "seat_bot",
    "seed_of",
    "start",
    "table_seen",
    "take_seat",
    "together",
    "waits",
    "with_player",
    "without",
]  # fmt: skip
