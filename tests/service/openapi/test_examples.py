"""The examples of the document are real responses and match their schemas."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from events.store.embedded import EmbeddedServer
from games.kernel import Game, event_view, fold, pending_choices, state_view
from games.rulebooks import RULEBOOKS
from service.http.content_types import PROBLEM_JSON
from service.openapi.examples import EXAMPLES, examples
from service.schemas.problems import PROBLEMS, URN
from service.schemas.rulebook_schemas import args_schema
from tests.golden.games import all_games, lines
from tests.service.openapi.document import DOCUMENT
from tests.service.openapi.record_examples import recorded

OPERATIONS = {
    operation["operationId"]: operation
    for item in DOCUMENT["paths"].values()
    for method, operation in item.items()
    if method != "parameters"
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    with EmbeddedServer(tmp_path_factory.mktemp("store")) as server:
        return recorded(server.url)


def test_the_examples_are_up_to_date(played: dict[str, str]) -> None:
    """`make openapi` updates them."""
    assert {file.name for file in EXAMPLES.iterdir()} == set(played)
    for name, text in played.items():
        assert EXAMPLES.joinpath(name).read_text("utf-8") == text, name


def media_of(operation: str, status: str, content_type: str) -> dict[str, Any]:
    described = OPERATIONS[operation]
    part = described["requestBody"] if status == "request" else described["responses"][status]
    if "$ref" in part:
        part = DOCUMENT["components"]["responses"][part["$ref"].rpartition("/")[2]]
    media: dict[str, Any] = part["content"][content_type]
    return media


def values_of(content_type: str, example: Any) -> list[Any]:
    """What the schema of a content type describes: the body, or each line or event of it."""
    match content_type:
        case "application/x-ndjson":
            return [json.loads(line) for line in example.splitlines() if line]
        case "text/event-stream":
            events = [event for event in example.split("\n\n") if event.strip(":\n")]
            return [dict(line.split(": ", 1) for line in event.splitlines()) for event in events]
    return [example]


SHOWN = sorted(key for key in examples() if key[2] != PROBLEM_JSON)
REFUSALS = {code: value for (code, _, content_type), value in examples().items() if content_type == PROBLEM_JSON}


@pytest.mark.parametrize(("operation", "status", "content_type"), SHOWN)
def test_every_example_matches_its_schema(operation: str, status: str, content_type: str) -> None:
    media = media_of(operation, status, content_type)
    values = values_of(content_type, examples()[operation, status, content_type])
    assert values
    for value in values:
        fits(value, media["schema"])
        if content_type == "text/event-stream":
            fits(json.loads(value["data"]), contents_of(media["schema"], value["event"]))


def fits(value: Any, schema: dict[str, Any]) -> None:
    checked = Draft202012Validator({**schema, "components": DOCUMENT["components"]})
    fault = next(checked.iter_errors(value), None)
    assert fault is None, (fault.message[:300], list(fault.absolute_path))


def contents_of(schema: dict[str, Any], event: str) -> dict[str, Any]:
    (described,) = (each for each in schema["oneOf"] if each["properties"]["event"]["const"] == event)
    content: dict[str, Any] = described["properties"]["data"]["contentSchema"]
    return content


def test_every_operation_with_a_body_has_an_example() -> None:
    without = [
        name
        for name, operation in OPERATIONS.items()
        for media in operation.get("requestBody", {}).get("content", {}).values()
        if "example" not in media
    ]
    assert without == []


@pytest.mark.parametrize("code", sorted(REFUSALS))
def test_the_example_of_a_refusal_is_of_that_problem(code: str) -> None:
    fits(REFUSALS[code], {"$ref": "#/components/schemas/ProblemView"})
    status, title = PROBLEMS[code]
    assert {name: REFUSALS[code][name] for name in ("type", "title", "status")} == {
        "type": URN + code,
        "title": title,
        "status": status,
    }


def test_every_refusal_has_an_example() -> None:
    """A page without an example makes one up: with `choices`, `faults` and a status of 0 where there are none."""
    components = DOCUMENT["components"]
    bare = []
    for name, operation in OPERATIONS.items():
        for status, response in operation["responses"].items():
            if status >= "400":
                described = (
                    components["responses"][response["$ref"].rpartition("/")[2]] if "$ref" in response else response
                )
                shown_examples = described["content"][PROBLEM_JSON].get("examples", {})
                assert shown_examples.keys() <= components["examples"].keys()
                bare += [(name, status)] * (not shown_examples)
    assert bare == []
    assert PROBLEMS.keys() - REFUSALS.keys() == NEVER_RECORDED


NEVER_RECORDED = {"bad-request", "internal", "too-many-games", "too-many-streams", "method-not-allowed"}


@pytest.mark.parametrize("name", sorted(RULEBOOKS))
def test_golden_games_match_the_document(name: str) -> None:
    """Moves, facts and tables, as seat 0 and a spectator see them: each kind a few times."""
    said: Counter[str] = Counter()
    for component, value in said_in_golden_games(name):
        said[component] += 1
        if said[component] <= OFTEN:
            fits(value, {"$ref": f"#/components/schemas/{component}"})
    assert {component[:4] for component in said} >= {"Move", "Fact"}


def said_in_golden_games(name: str) -> Iterator[tuple[str, Any]]:
    """Return JSON values with the component that describes each."""
    rulebook = RULEBOOKS[name]
    moves, facts = (mapping(component) for component in ("Command", "Fact"))
    for recorded_game in all_games():
        if recorded_game.description.rulebook is rulebook:
            game: Game[Any, Any] | None = None
            for line in lines(recorded_game.record)[:-1]:
                decision = rulebook.decode(line)
                game = fold(rulebook, game, decision)
                if decision.choice:
                    command = {"choice": decision.choice, "move": decision.move, "args": decision.args}
                    yield moves[decision.move], plain(command)
                for viewer in (0, None):
                    for fact in plain(event_view(rulebook, decision, viewer))["facts"]:
                        yield facts[fact["type"]], fact
                    if game.state is not None and decision.number % TABLES == 0:
                        yield f"{name.title().replace('-', '')}State", plain(state_view(rulebook, game, viewer))


def mapping(component: str) -> dict[str, str]:
    described = DOCUMENT["components"]["schemas"][component]["discriminator"]["mapping"]
    return {name: ref.rpartition("/")[2] for name, ref in described.items()}


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def test_every_move_that_is_offered_is_in_the_document_with_its_args() -> None:
    """These moves are offered in golden games, chosen or not."""
    for recorded_game in all_games():
        rulebook = recorded_game.description.rulebook
        game: Game[Any, Any] | None = None
        for line in lines(recorded_game.record)[:MOVES]:
            game = fold(rulebook, game, rulebook.decode(line))
            for question in pending_choices(rulebook, game):
                for offer in question.choice.offers:
                    assert list(offer.fields) == args_schema(rulebook.moves[offer.move])["required"], offer.move


OFTEN = 12
TABLES = 40
MOVES = 60
