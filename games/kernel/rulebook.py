"""A rulebook: everything that makes up a kind of game, collected, checked and compiled once at start."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, Protocol, TypeVar, Union

import msgspec

from games.kernel.bots import Bot, random_bot
from games.kernel.language.catalogue import CardData
from games.kernel.language.effects import Effect
from games.kernel.language.facts import Fact
from games.kernel.language.messages import Message, Refusal, msg
from games.kernel.language.moves import Choice, Move, Rule
from games.kernel.language.visibility import Audience, MissingAudience, Predicate, Redactor, Viewer, predicate_for
from games.kernel.sessions.decisions import Decision, Game
from games.kernel.sessions.session import SESSION_FACTS, Finished, Session
from games.kernel.table import Table
from games.kernel.upcasts import Upcast, decoder

S = TypeVar("S")

UNKNOWN_FIELD = re.compile("Object contains unknown field `(.*)`")
"""The message of msgspec about an unknown member at the top level of an object."""


class Options(Protocol):
    """The options of a rulebook: a frozen msgspec struct with defaults."""

    def resolve(self, seats: int) -> Any:
        """Return the options completed for `seats` seats; raise Refusal("bad-options", …) when they do not fit."""


class InvalidRulebook(TypeError):
    """A rulebook is declared wrongly: the message names the place and the reason."""


class Rulebook(Generic[S]):
    """A kind of game.

    Args:
        id: its name in the API, for example `six-nimmt`.
        edition: counts changes of the rules; a game keeps the edition that it was created under.
        names: the game's name by language, `en` and `fr`.
        seats: how many may play.
        options: the type of the options.
        initial_state: a function `(options, seats)` that returns the state of a table before anything has happened.
        initial_effect: the first effect of a game.
        table: the type of table that the rules see.
        state, facts, evolve: the state, the facts, and how a fact changes the state.
        rules: the modules that define the rules.
        rule_names: a file that lists every name a rule ever had, `old = new` for a renamed one. It only grows.
        cards: the facts of its cards by id; none when cards are just numbers and do nothing.
        catalogue: what front ends are told about the cards, by id; None: the `cards`.
        triggers: by type of fact, a function `(table, fact)` that returns the effects that follow it.
        derived: a function `(table)` that returns, as plain values, what a front end would otherwise have to work out
            from what the table's seat may see. None when the state says it all.
        derived_help: what these values are, in English: a part of the contract.
        points: returns each seat's points so far from the state; None when they are secret, or there are none.
        bots: its bots by id, the best one first; the kernel adds `random`, which plays any move.
        on_concede: the effect that a seat carries out when it concedes; None: nothing. Then play goes on, or ends.
        upcasts: by the type that a fact had in older games, the function that converts it when it is read.
        timeout_answers: yields the answers that the clock tries for a seat that ran out of time; None: any moves.
    """

    def __init__(  # noqa: PLR0913 - a declaration: every argument is named
        self,
        *,
        id: str,
        edition: int,
        names: Mapping[str, str],
        seats: range,
        options: type[Any],
        initial_state: Callable[[Any, int], S],
        initial_effect: Effect,
        table: type[Table[S]],
        state: type[S],
        facts: Sequence[type[Fact]],
        evolve: Callable[[S, Any], S],
        rules: Sequence[ModuleType],
        rule_names: Path,
        cards: Mapping[str, CardData] | None = None,
        catalogue: Mapping[str, CardData] | None = None,
        triggers: Mapping[type[Fact], Callable[[Any, Any], Any]] | None = None,
        derived: Callable[[Any], dict[str, Any]] | None = None,
        derived_help: str = "",
        points: Callable[[S], tuple[int, ...]] | None = None,
        bots: Mapping[str, Bot] | None = None,
        on_concede: Effect | None = None,
        upcasts: Mapping[str, Upcast] | None = None,
        timeout_answers: Callable[[Any, Choice], Iterator[tuple[str, dict[str, Any]]]] | None = None,
    ) -> None:
        self.id = id
        self.edition = edition
        self.names = names
        self.seats = seats
        self.options = options
        self.initial_effect = initial_effect
        self.table = table
        self.state = state
        self.facts = tuple(facts)
        self.evolve = evolve
        self.cards = cards or {}
        self.catalogue = catalogue or self.cards
        self.triggers = triggers or {}
        self.derived = derived
        self.derived_help = derived_help
        self.points = points
        self.bots: dict[str, Bot] = {"random": random_bot} | dict(bots or {})
        self.best_bot = next(iter(bots or self.bots))
        self.on_concede = on_concede
        self.timeout_answers = timeout_answers
        self.rules = _collect_rules(id, rules, rule_names)
        self.moves = {
            name: rule for name, rule in sorted(self.rules.items()) if isinstance(rule, Move) and name == rule.name
        }
        """The moves that seats may be offered, by name."""
        if (derived is None) != (derived_help == ""):
            raise InvalidRulebook(f"{id}: derived values need derived_help, and nothing else does")
        for effect in (initial_effect, on_concede):
            if effect is not None and effect.rule not in self.rules:
                raise InvalidRulebook(f"{id}: {effect.rule} is not among its rules")
        self.fact_types = frozenset((*self.facts, Finished))
        if strangers := self.triggers.keys() - set(self.facts):
            names_of = ", ".join(sorted(stranger.__name__ for stranger in strangers))
            raise InvalidRulebook(f"{id}: triggers name {names_of}, which is not among its facts")
        if not options.__struct_config__.forbid_unknown_fields:
            raise InvalidRulebook(f"{id}: {options.__name__} must forbid unknown fields")
        self.folder = rule_names.parent
        self._initial_state = initial_state
        self._redactor = Redactor()
        self._compile(upcasts or {})

    def resolve_options(self, options: dict[str, Any], seats: int) -> Any:
        """Return the options of a game, checked and completed.

        Raises:
            Refusal: `bad-options`, with the reason.
        """
        if seats not in self.seats:
            least, most = self.seats[0], self.seats[-1]
            raise Refusal(
                "bad-options", "{rulebook} is for {least} to {most} seats", rulebook=self.id, least=least, most=most
            )
        try:
            converted = msgspec.convert(options, self.options)
        except msgspec.ValidationError as error:
            raise Refusal("bad-options", self._options_message(str(error))) from None
        return converted.resolve(seats)

    def _options_message(self, reason: str) -> Message:
        """Return why options do not fit, in plain words if a name is unknown."""
        if unknown := UNKNOWN_FIELD.fullmatch(reason):
            return msg(
                "{rulebook} has no option {option!r}: it has {options}",
                rulebook=self.id,
                option=unknown[1],
                options=", ".join(self.options.__struct_fields__),
            )
        return msg("options of {rulebook}: {reason}", rulebook=self.id, reason=reason)

    def initial_state(self, session: Session) -> S:
        """Return the state of a table on which nothing has happened yet."""
        return self._initial_state(msgspec.convert(session.created.options, self.options), len(session.seats))

    def redact(self, record: Any, viewer: Viewer) -> Any:
        """Return a record of this rulebook or of the session as a viewer may see it."""
        return self._redactor.redact(record, viewer)

    def can_observe(self, fact: Fact, viewer: Viewer) -> bool:
        """Does the viewer learn that this fact happened?"""
        predicate = self._observer_predicates[type(fact)]
        return predicate is None or predicate(fact, viewer)

    def encode(self, decision: Decision[Any]) -> bytes:
        """Return the bytes of a decision as the log stores them."""
        return self._encoder.encode(decision)

    def decode(self, stored: bytes) -> Decision[Any]:
        """Decode the decision from an entry of the log."""
        return self._decode_decision(stored)

    def encode_game(self, game: Game[Any, S]) -> bytes:
        """Encode a game as the bytes of a snapshot."""
        return self._encoder.encode(game)

    def decode_game(self, stored: bytes) -> Game[Any, S]:
        """Decode a game from the bytes of a snapshot."""
        return self._decode_game(stored)

    def _compile(self, upcasts: Mapping[str, Upcast]) -> None:
        records: tuple[type[Any], ...] = (*SESSION_FACTS, Session, *self.facts, self.state)
        for kind in records:
            self._redactor.compile(kind)
        for fact in self.facts:
            if fact.observers is Audience.OWNER and "seat" not in fact.__struct_fields__:
                raise MissingAudience(f"{fact.__name__} is for its owner, but it has no seat")
        self._observer_predicates: dict[type[Fact], Predicate | None] = {
            kind: predicate_for(kind.observers) for kind in (*SESSION_FACTS, *self.facts)
        }
        shape = msgspec.json.encode(msgspec.json.schema_components((Session, self.state)))
        self.schema_hash = sha256(shape).hexdigest()[:16]
        """A hash that changes whenever the fields of the state do: a snapshot of another shape is not read."""
        known: Any = Union[(*SESSION_FACTS, *self.facts)]
        self._encoder = msgspec.json.Encoder()
        self._decode_decision: Callable[[bytes], Decision[Any]] = decoder(Decision[known], upcasts)
        self._decode_game: Callable[[bytes], Game[Any, S]] = decoder(Game[known, self.state], upcasts)  # type: ignore[name-defined]


def _collect_rules(rulebook: str, modules: Sequence[ModuleType], rule_names: Path) -> dict[str, Rule[Any]]:
    """Return the rules of some modules by name, including the old names of renamed ones."""
    rules: dict[str, Rule[Any]] = {}
    names = {module.__name__ for module in modules}
    for module in modules:
        for rule in [item for item in vars(module).values() if isinstance(item, Rule)]:
            if rule.module not in names:
                raise InvalidRulebook(f"{rulebook}: {rule.module}, which has the rule {rule.name}, is not registered")
            if rule.module == module.__name__:
                if rule.name in rules:
                    raise InvalidRulebook(f"{rulebook}: two rules are named {rule.name}")
                rules[rule.name] = rule
    listed = dict(_read_rule_names(rule_names))
    if unlisted := sorted(rules.keys() - listed.keys()):
        raise InvalidRulebook(f"{rulebook}: {rule_names.name} does not list {', '.join(unlisted)}")
    named = dict(rules)
    for name, renamed in listed.items():
        if name in rules and renamed != name:
            raise InvalidRulebook(f"{rulebook}: {name} is the old name of {renamed}, and may not be used again")
        current = _current_name(name, rules, listed)
        if current not in rules:
            raise InvalidRulebook(f"{rulebook}: rule {current} is gone; games that wait in it could not go on")
        named[name] = rules[current]
    return named


def _current_name(name: str, rules: Mapping[str, Rule[Any]], listed: Mapping[str, str]) -> str:
    """Return the current name of a rule, which may have been renamed more than once."""
    visited = set()
    while name not in rules and name not in visited:
        visited.add(name)
        name = listed.get(name, name)
    return name


def _read_rule_names(rule_names: Path) -> Iterator[tuple[str, str]]:
    for line in rule_names.read_text("utf-8").splitlines():
        old, _, new = (part.strip() for part in line.partition("="))
        if old:
            yield old, new or old
