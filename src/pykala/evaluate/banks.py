"""Readers for public question banks, each with its own format.

The Taxxa bank (publisher and key facts as gold), the questions on the Local Government Act (section and
subsection), the adversarial questions (law, traps, must_abstain) and those that need the graph (primary and
references).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from pykala.evaluate.questions import GoldQuestion, GoldStep, QuestionSetError, json_of
from pykala.law.answers import Outcome
from pykala.law.identifiers import InvalidIdentifier, ProvisionId, WorkId
from pykala.law.references import EdgeKind
from pykala.text.quantities import quantities

Record = Mapping[str, Any]

_LOCAL_GOVERNMENT_ACT = WorkId("fi:act:2015/410")
_LAW_KEY = re.compile(r"[a-zåäö_]+_(\d{1,5})_(\d{4})")
_ABSTAINING = (Outcome.SILENT, Outcome.OUTSIDE_CORPUS, Outcome.UNAVAILABLE)
#: The banks' names for kinds of edges.
_EDGES = {"EXCEPTS": EdgeKind.EXCEPTS, "REFERS_TO": EdgeKind.CITES, "DEFINES": EdgeKind.DEFINES}


def read_bank(text: str, name: str) -> tuple[GoldQuestion, ...]:
    """Read one of the known banks, recognised by its field names."""
    try:
        data = json_of(text)
    except QuestionSetError as error:
        raise QuestionSetError(f"{name}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise QuestionSetError(f"{name} is not JSON: {error}") from None
    records = data.get("entries") if isinstance(data, dict) else data
    if not isinstance(records, list) or not all(isinstance(one, dict) for one in records):
        raise QuestionSetError(f"{name}: {_expected()}")
    return tuple(_question(record, name) for record in records)


def _question(record: Record, name: str) -> GoldQuestion:
    for mark, reader in _READERS.items():
        if mark in record:
            try:
                return reader(record)
            except (KeyError, TypeError, AttributeError, InvalidIdentifier) as error:
                where = record.get("id", "a question without id")
                raise QuestionSetError(f"{name}, {where}: {mark} is not as expected: {error!r}") from None
    raise QuestionSetError(f"{name}, {record.get('id', 'a question without id')}: {_expected()}")


def _expected() -> str:
    marks = ", ".join(_READERS)
    return (
        f"not a known bank: expected objects with one of {marks}; to bring questions of your own, write"
        " them in Pykälä's format (docs/evaluation.md)"
    )


def _taxxa(record: Record) -> GoldQuestion:
    """English questions on Finnish tax law; the publisher is the only citation gold."""
    question, facts = record["question"], tuple(record["answer_key_facts"])
    asked = {(one.figure, one.unit) for one in quantities(question)}
    # A number that the question itself contains does not show that the law was found.
    numbers = {
        (one.figure, one.unit): fact[one.start : one.end]
        for fact in facts
        for one in quantities(fact)
        if (one.figure, one.unit) not in asked
    }
    return GoldQuestion(
        id=record["id"],
        question=question,
        language="en",
        jurisdiction="fi",
        numbers=tuple(numbers.values()),
        facts=facts,
        outcomes=(Outcome.ANSWERED, Outcome.GUIDANCE),
        publishers=tuple(dict.fromkeys(one["publisher"] for one in record["citations"])),
        kind=record["tier"],
    )


def _local_government(record: Record) -> GoldQuestion:
    """Finnish questions on the Local Government Act; any of the named places is right."""
    places = [_place(_LOCAL_GOVERNMENT_ACT, one["section"], one["moment"]) for one in record["expected_any"]]
    return GoldQuestion(
        id=record["id"],
        question=record["query"],
        language="fi",
        jurisdiction="fi",
        gold=tuple((place,) for place in places),
        outcomes=(Outcome.ANSWERED,),
        forbidden=tuple(_place(_LOCAL_GOVERNMENT_ACT, one, "") for one in record.get("expected_none") or ()),
        kind=record["test_type"],
        within=record["k"],
    )


def _adversarial(record: Record) -> GoldQuestion:
    """Trap questions: gold is the law, or silence; questions on accounts have no law to find."""
    expected, scoring = record["expected"], record["scoring"]
    laws = [ProvisionId(_law(key)) for key in expected.get("expected_law_any", ())]
    abstain, law = expected["must_abstain"], "expected_law_any" in expected
    edges = expected.get("expected_edge_types", ())
    trap = scoring.get("confusion_trap")
    return GoldQuestion(
        id=record["id"],
        question=record["query"],
        language="fi",
        jurisdiction="fi",
        gold=() if abstain else tuple((one,) for one in laws),
        path=tuple(GoldStep(kind=_EDGES[edge]) for edge in edges),
        strings=tuple(expected["required_anchor_terms"]) if law and not abstain else (),
        outcomes=_ABSTAINING if abstain else (Outcome.ANSWERED,) if law else (),
        forbidden=(ProvisionId(_law(trap)),) if trap else (),
        kind=record["category"],
        within=scoring.get("pass_if_topk_contains", 10),
    )


def _graph_needed(record: Record) -> GoldQuestion:
    """A primary provision and the references or exceptions that lead on from it."""
    primary = _expected_place(record["expected_primary"])
    steps = [
        GoldStep(primary, EdgeKind.CITES, _expected_place(one) if "law_key" in one else None)
        for one in record.get("expected_references", ())
    ]
    # "Unless otherwise provided" yields to an exception, "notwithstanding" is one; the bank does not say
    # which.
    steps += [GoldStep(kind=EdgeKind.EXCEPTS, at=primary) for _ in record.get("expected_exceptions", ())]
    return GoldQuestion(
        id=record["id"],
        question=record["query"],
        language="fi",
        jurisdiction="fi",
        gold=((primary,),),
        path=tuple(steps),
        outcomes=(Outcome.ANSWERED,),
        kind=record["category"],
    )


#: A field name that only one of the banks has → its reader.
_READERS: dict[str, Callable[[Record], GoldQuestion]] = {
    "answer_key_facts": _taxxa,
    "expected_any": _local_government,
    "expected_primary": _graph_needed,
    "expected": _adversarial,
}


def _expected_place(record: Record) -> ProvisionId:
    return _place(_law(record["law_key"]), record.get("section_num", ""), record.get("moment", ""))


def _place(law: WorkId, section: object, subsection: object) -> ProvisionId:
    place = ProvisionId(law)
    for kind, number in (("sec", section), ("subsec", subsection)):
        if number not in ("", None):
            place = place.child(kind, str(number).replace(" ", ""))
    return place


def _law(key: str) -> WorkId:
    """`name_410_2015` is act 410 of 2015; decrees are numbered in the same series."""
    match = _LAW_KEY.fullmatch(key)
    if match is None:
        raise QuestionSetError(f"{key!r} is not a law's key; expected one such as name_410_2015")
    return WorkId(f"fi:act:{match[2]}/{match[1]}")
