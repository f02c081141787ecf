"""The fast decoder of commands agrees with their schema."""

import json

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from marshmallow import ValidationError

from service.schemas.requests import MAX_INTEGER, CommandBody, CommandSchema

SCHEMA = CommandSchema()
PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3)
)
ANYTHING = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner))
BODIES = ANYTHING | st.fixed_dictionaries(
    {
        "choice": st.integers(-1, 3)
        | st.sampled_from([MAX_INTEGER, MAX_INTEGER + 1, 2**64, 7.0, 7.5, True, "7", None]),
        "move": st.sampled_from(["lay", "", "x" * 64, "x" * 65, None, 3, "é" * 64]),
    },
    optional={"args": st.dictionaries(st.text(max_size=3), ANYTHING, max_size=3) | PLAIN, "odd": PLAIN},
)


@given(BODIES)
@example({"choice": 41, "move": "lay", "args": {"card": 82}})
@example({"choice": 41, "move": "lay"})
@example({"choice": 41, "move": "lay", "args": {"cards": [1, 2.0, {"a": None}]}})
def test_the_schema_loads_what_the_fast_decoder_accepts(body):
    sent = json.dumps(body).encode()
    try:
        decoded = msgspec.json.decode(sent, type=CommandBody)
    except msgspec.ValidationError:
        return
    loaded = SCHEMA.load(msgspec.json.decode(sent))
    assert msgspec.structs.asdict(decoded) == loaded
    assert json.dumps(msgspec.structs.asdict(decoded), sort_keys=True) == json.dumps(loaded, sort_keys=True)


@pytest.mark.parametrize("body", [{"choice": 7.0, "move": "lay", "args": {}}])
def test_the_fast_decoder_leaves_other_valid_bodies_to_the_schema(body):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json.dumps(body), type=CommandBody)
    assert CommandBody(**SCHEMA.load(body)) == CommandBody(7, "lay", {})


@pytest.mark.parametrize(
    "body", [{}, {"choice": 1}, {"choice": 1, "move": "lay", "odd": 1}, [], {"choice": 0, "move": "l"}]
)
def test_both_refuse_an_invalid_body(body):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json.dumps(body), type=CommandBody)
    with pytest.raises(ValidationError):
        SCHEMA.load(body)
