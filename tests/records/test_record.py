"""What a record does with values of the domain, and how it is written and described."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

import pytest
from pydantic import TypeAdapter, ValidationError

from pykala.law.identifiers import ProvisionId
from pykala.law.validity import NOT_YET, Validity
from pykala.records.record import Day, FixedDay, Identifier, Record, Rounded2, as_json, json_field


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    provision: ProvisionId
    validity: Validity
    score: float


@dataclass(frozen=True)
class Outer:
    inner: Inner
    colour: Colour
    name: str
    facts: tuple[tuple[str, int], ...]
    day: date | None
    parts: tuple[Outer, ...] = ()


class Thing(Record, within="inner"):
    """A thing."""

    provision: Identifier
    since: Day | None = json_field("Since when.", path="validity.start")
    score: Rounded2
    colour: Colour
    name: str | None
    from_: str = json_field(path="colour", name="from")
    day: FixedDay | None
    parts: list[Thing]
    added: int | None = json_field(default=None, optional=True)


class Counted(Record):
    """What was counted stands beside the name."""

    name: str
    facts: dict[str, int] = json_field(default_factory=dict, spread=True)


PLACE = ProvisionId.parse("fi:act:1992/1535/sec_124")
INNER = Inner(PLACE, Validity(date(2020, 1, 1), None), 1.239)
OUTER = Outer(INNER, Colour.RED, "", (("found", 3),), NOT_YET, (Outer(INNER, Colour.RED, "x", (), None),))


def test_a_record_takes_what_the_value_or_its_part_holds() -> None:
    thing = Thing.of(OUTER)
    assert (thing.provision, thing.since, thing.score) == (str(PLACE), date(2020, 1, 1), 1.24)
    assert thing.name is None, "an empty text where null is allowed"
    assert thing.day is None, "a day that nobody has fixed"
    assert thing.parts == [Thing.of(OUTER.parts[0])]
    assert Thing.of(thing, added=2).added == 2, "a record can be made of one that holds less"


def test_its_json_has_the_names_and_leaves_out_what_is_optional() -> None:
    written = Thing.of(OUTER).as_json()
    assert written["from"] == "red"
    assert written["since"] == "2020-01-01"
    assert "added" not in written
    assert Thing.of(OUTER, added=1).as_json()["added"] == 1
    assert Counted.of(OUTER, name="search").as_json() == {"name": "search", "found": 3}
    assert as_json({"at": [datetime(2026, 1, 1, 12, 0, 0, 5, UTC)]}) == {"at": ["2026-01-01T12:00:00+00:00"]}


def test_a_field_that_there_is_not_is_an_error() -> None:
    with pytest.raises(TypeError, match="colours"):
        Thing.of(OUTER, colours=1)
    with pytest.raises(AttributeError, match="inner"):
        Thing.of(object(), colour=Colour.RED)


def test_its_schema_describes_its_json() -> None:
    schema = TypeAdapter(Thing).json_schema(mode="serialization")
    described = schema["$defs"]["Thing"]
    assert set(described["properties"]) == {*Thing.of(OUTER).as_json(), "added"}
    assert set(described["required"]) == set(Thing.of(OUTER).as_json())
    assert described["properties"]["since"]["description"] == "Since when."
    TypeAdapter(Thing).validate_python(Thing.of(OUTER).as_json())
    with pytest.raises(ValidationError):
        TypeAdapter(Thing).validate_python({**Thing.of(OUTER).as_json(), "more": 1})
    beside = TypeAdapter(Counted).json_schema(mode="serialization")
    assert (set(beside["properties"]), beside["additionalProperties"]) == ({"name"}, True)


def test_records_need_no_pydantic() -> None:
    program = "import sys, pykala.interfaces.records.law; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
