"""A rulebook is checked when it is registered: the names of its rules only grow, and its options are sound."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from games.kernel import (
    Clock,
    Effect,
    Everyone,
    Fact,
    Finished,
    GameSetup,
    InvalidRulebook,
    Move,
    OneOf,
    Outcome,
    Record,
    Refusal,
    Rule,
    Rulebook,
    choose,
    create,
    fold,
    move,
    msg,
    random_bot,
    rule,
)
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.market import MARKET
from tests.games.kernel.rulebooks.scene import Echoed, Said, SceneTable, scene

Registers = Callable[..., Rulebook[Any]]


def begin_with(ask: Rule[Any], answer: Move[Any]) -> ModuleType:
    """Make a module of rules of two given ones."""
    module = ModuleType("rules_of_a_test")
    for each in (ask, answer):
        each.module = module.__name__
        setattr(module, each.name, each)
    return module


def asking(name: str, answer: Move[Any]) -> Rule[Any]:
    """A rule of this name that asks for a word."""

    def body(table: SceneTable) -> Outcome:
        return choose(msg("A word?"), answer.offer(word=OneOf(("sun", "moon"))))

    body.__name__ = name
    return rule(body)


def saying(name: str, prefix: str = "") -> Move[Any]:
    """A move of this name that says a word."""

    def body(table: SceneTable, word: str) -> Outcome:
        return Said(prefix + word, table.seat)

    body.__name__ = name
    return move(title="Say", help="Say a word.", args={"word": "Word"})(body)


def listing(folder: Path, *lines: str) -> Path:
    """A file of rule names."""
    names = folder / "rule_names.txt"
    names.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return names


def registered(folder: Path, *lines: str, ask: str = "ask", say: str = "say", **changes: Any) -> Rulebook[Any]:
    """A rulebook of two rules with a list of names."""
    answer = saying(say)
    begin = asking(ask, answer)
    return scene(listing(folder, *lines), begin().by(0), begin_with(begin, answer), **changes)


# --- the names of rules -----------------------------------------------------------------------------------


def test_every_rule_is_listed(tmp_path: Path) -> None:
    assert set(registered(tmp_path, "ask", "say").rules) == {"ask", "say"}


def test_a_rule_that_is_not_listed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidRulebook, match=r"scene: rule_names\.txt does not list ask, say"):
        registered(tmp_path)
    with pytest.raises(InvalidRulebook, match=r"scene: rule_names\.txt does not list say$"):
        registered(tmp_path, "ask")


def test_a_listed_rule_that_is_gone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidRulebook, match="scene: rule shout is gone; games that wait in it could not go on"):
        registered(tmp_path, "ask", "say", "shout")


def test_a_renamed_rule_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidRulebook, match="rule whisper is gone"):
        registered(tmp_path, "ask", "say", "shout = whisper")
    with pytest.raises(InvalidRulebook, match=r"rule (shout|whisper) is gone"):
        registered(tmp_path, "ask", "say", "shout = whisper", "whisper = shout")


def test_two_rules_of_one_name_are_refused(tmp_path: Path) -> None:
    answer, begin = saying("say"), asking("ask", saying("say"))
    first, second = begin_with(begin, answer), ModuleType("other_rules")
    again = saying("say")
    again.module = second.__name__
    second.say = again  # type: ignore[attr-defined]
    with pytest.raises(InvalidRulebook, match="scene: two rules are named say"):
        scene(listing(tmp_path, "ask", "say"), begin().by(0), first, second)


def test_a_rule_that_a_module_only_imports_is_not_its_own(tmp_path: Path) -> None:
    answer = saying("say")
    begin = asking("ask", answer)
    module, other = begin_with(begin, answer), ModuleType("other_rules")
    other.say = answer  # type: ignore[attr-defined]
    assert set(scene(listing(tmp_path, "ask", "say"), begin().by(0), module, other).rules) == {"ask", "say"}


def test_a_rule_of_a_module_that_is_not_registered_is_refused(tmp_path: Path) -> None:
    answer = saying("say")
    begin = asking("ask", answer)
    module, stranger = begin_with(begin, answer), saying("shout")
    stranger.module = "forgotten_rules"
    module.shout = stranger  # type: ignore[attr-defined]
    with pytest.raises(InvalidRulebook, match="forgotten_rules, which has the rule shout, is not registered"):
        scene(listing(tmp_path, "ask", "say"), begin().by(0), module)


def test_a_game_begins_and_is_conceded_with_a_rule_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(InvalidRulebook, match="scene: vanish is not among its rules"):
        registered(tmp_path, "ask", "say", on_concede=Effect("vanish"))
    answer = saying("say")
    with pytest.raises(InvalidRulebook, match="scene: vanish is not among its rules"):
        scene(listing(tmp_path, "ask", "say"), Effect("vanish"), begin_with(asking("ask", answer), answer))


def test_blank_lines_and_blanks_in_the_list_do_no_harm(tmp_path: Path) -> None:
    assert set(registered(tmp_path, "  ask", "", " say  ", "old=say").rules) == {"ask", "say", "old"}


def test_a_renamed_rule_of_a_renamed_rule_is_found_in_any_order(tmp_path: Path) -> None:
    for lines in (("first = second", "second = say"), ("second = say", "first = second")):
        rules = registered(tmp_path, "ask", "say", *lines).rules
        assert rules["first"] is rules["second"] is rules["say"]


def test_a_rulebook_lists_its_moves_by_their_current_names(
    tmp_path: Path,
) -> None:
    assert list(registered(tmp_path, "ask", "say", "speak = say").moves) == ["say"]


def test_derived_values_and_their_description_come_together(tmp_path: Path) -> None:
    incomplete: list[dict[str, Any]] = [{"derived": lambda table: {}}, {"derived_help": "Nothing."}]
    for changes in incomplete:
        with pytest.raises(InvalidRulebook, match="derived values need derived_help"):
            registered(tmp_path, "ask", "say", **changes)


def test_an_old_name_is_not_given_to_another_rule(tmp_path: Path) -> None:
    with pytest.raises(InvalidRulebook, match="scene: say is the old name of ask, and may not be used again"):
        registered(tmp_path, "ask", "say = ask")


def test_an_alias_keeps_an_old_game_going(tmp_path: Path) -> None:
    before = registered(tmp_path, "ask", "say")
    driver = GameDriver(before, 1)
    snapshot = before.encode_game(driver.game)
    log = [before.encode(decision) for decision in driver.decisions]
    assert b'"rule":"ask"' in snapshot

    after = registered(tmp_path, "ask = ask_for_a_word", "ask_for_a_word", "say", ask="ask_for_a_word")
    game = None
    for entry in log:
        game = fold(after, game, after.decode(entry))
    assert game == after.decode_game(snapshot)
    driver.rulebook, driver.game = after, after.decode_game(snapshot)
    assert driver.prompts(0) == ["A word?"]
    assert driver.answer(0, "say", word="moon") == (Said("moon", 0),)


# --- facts ------------------------------------------------------------------------------------------------


def test_two_facts_of_one_name_are_refused(tmp_path: Path) -> None:
    other = type("Said", (Fact,), {"__annotations__": {"sentence": Everyone[str]}}, frozen=True)
    with pytest.raises(TypeError):
        registered(tmp_path, "ask", "say", facts=(Said, other))


@pytest.mark.parametrize("name", ["Effect", "Wait", "Pending", "Together", "Created", "Started"])
def test_a_fact_does_not_take_a_name_of_the_kernels_own(name: str, tmp_path: Path) -> None:
    taken = type(name, (Fact,), {"__annotations__": {"word": Everyone[str]}}, frozen=True)
    with pytest.raises(TypeError):
        registered(tmp_path, "ask", "say", facts=(Said, taken))


class NeverHappens(Fact, frozen=True):
    word: Everyone[str]


@pytest.mark.parametrize("stranger", [NeverHappens, Finished, Echoed])
def test_what_a_trigger_adds_follows_a_fact_of_the_rulebook(stranger: type[Fact], tmp_path: Path) -> None:
    with pytest.raises(
        InvalidRulebook, match=f"scene: triggers name {stranger.__name__}, which is not among its facts"
    ):
        registered(tmp_path, "ask", "say", facts=(Said,), triggers={stranger: lambda table, fact: None})


# --- options ----------------------------------------------------------------------------------------------


class LaxOptions(Record, frozen=True):
    """They let pass what they do not know."""

    goods: Everyone[int] = 9

    def resolve(self, seats: int) -> "LaxOptions":
        return self


def test_options_that_let_unknown_ones_pass_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidRulebook, match="LaxOptions must forbid unknown fields"):
        registered(tmp_path, "ask", "say", options=LaxOptions)


@pytest.mark.parametrize(
    ("options", "seats", "reason"),
    [
        ({"good": 7}, 2, "market has no option 'good': it has goods, dear"),
        ({"goods": "seven"}, 2, r"Expected `int`, got `str` - at `\$\.goods`"),
        ({"goods": True}, 2, "Expected `int`, got `bool`"),
        ({"goods": None}, 2, "Expected `int`, got `null`"),
        ({"goods": 7.5}, 2, "Expected `int`, got `float`"),
        ({"dear": ["a"]}, 2, r"at `\$\.dear\[0\]`"),
        ({"dear": 3}, 2, "Expected `array`, got `int`"),
        ({"goods": 3}, 4, "4 traders need at least 4 goods"),
        ({}, 1, "market is for 2 to 5 seats"),
        ({}, 6, "market is for 2 to 5 seats"),
        ({}, 0, "market is for 2 to 5 seats"),
        ({}, -1, "market is for 2 to 5 seats"),
    ],
)
def test_options_that_do_not_fit_are_refused_with_the_reason(options: dict[str, Any], seats: int, reason: str) -> None:
    with pytest.raises(Refusal, match=f"^bad-options: .*{reason}"):
        create(MARKET, GameSetup(seats), options, Clock(), "seed", 0)


def test_options_are_complete_when_the_game_is_created() -> None:
    step = create(MARKET, GameSetup(2), {"dear": [1, 2]}, Clock(), "seed", 0)
    created = step.game.session.created
    assert created.options == {"goods": 9, "dear": [1, 2]}
    assert MARKET.decode(MARKET.encode(step.decision)) == step.decision


def test_the_table_is_set_up_from_the_options_of_the_game() -> None:
    state = GameDriver(MARKET, 3, {"goods": 5, "dear": [4]}).state
    assert (state.options.goods, state.options.dear) == (5, (4,))
    assert len(state.store) + len(state.stock) == 5
    assert len(state.traders) == 3


def test_every_rulebook_has_the_random_bot_and_the_best_bot_is_the_first_that_it_declares(tmp_path: Path) -> None:
    assert (list(MARKET.bots), MARKET.best_bot) == (["random"], "random")
    declared = registered(tmp_path, "ask", "say", bots={"good": random_bot, "fair": random_bot})
    assert (list(declared.bots), declared.best_bot) == (["random", "good", "fair"], "good")
