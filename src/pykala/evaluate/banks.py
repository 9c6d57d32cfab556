"""Readers for public question banks, each with its own format.

Key facts with their publisher, sections of one act, adversarial questions (law, traps, must_abstain), and
those that need the graph (primary and references). The pack of the law says in `banks.toml` what a bank
leaves out: its language, its act, its names of acts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pykala.evaluate.questions import GoldQuestion, GoldStep, QuestionSetError, json_of
from pykala.law.answers import Outcome
from pykala.law.identifiers import InvalidIdentifier, ProvisionId, WorkId
from pykala.law.references import EdgeKind
from pykala.packs.pack import PackFacts, installed
from pykala.text.quantities import quantities

Record = Mapping[str, Any]

_ABSTAINING = (Outcome.SILENT, Outcome.OUTSIDE_CORPUS, Outcome.UNAVAILABLE)
#: The banks' names for kinds of edges.
_EDGES = {"EXCEPTS": EdgeKind.EXCEPTS, "REFERS_TO": EdgeKind.CITES, "DEFINES": EdgeKind.DEFINES}


@dataclass(frozen=True, slots=True)
class _Bank:
    """The facts that the law's pack gives about a bank."""

    jurisdiction: str
    language: str
    act: str = ""  # the act that all its questions are about
    law_key: str = ""  # the pattern of its names of acts
    law: str = ""  # the identifier that such a name means
    example: str = ""

    def work(self, key: str) -> WorkId:
        """The act that the bank means by a key: `name_410_2015` is act 410 of 2015."""
        match = re.fullmatch(self.law_key, key)
        if match is None:
            raise QuestionSetError(f"{key!r} is not a law's key; expected one such as {self.example}")
        return WorkId(self.law.format(**match.groupdict()))


@cache
def _banks() -> Mapping[str, _Bank]:
    """The banks that installed packs describe, each by the field that only its questions have."""
    return {mark: bank for pack in installed().values() for mark, bank in _described(pack.facts)}


def _described(facts: PackFacts) -> Iterator[tuple[str, _Bank]]:
    file = files(facts.package).joinpath("banks.toml")
    if file.is_file():
        for mark, table in tomllib.loads(file.read_text(encoding="utf-8")).items():
            yield mark, _Bank(facts.code, **table)


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
        if mark in record and (bank := _banks().get(mark)) is not None:
            try:
                return reader(record, bank)
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


def _key_facts(record: Record, bank: _Bank) -> GoldQuestion:
    """Questions with the facts of their answers; the publisher is the only citation gold."""
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
        language=bank.language,
        jurisdiction=bank.jurisdiction,
        numbers=tuple(numbers.values()),
        facts=facts,
        outcomes=(Outcome.ANSWERED, Outcome.GUIDANCE),
        publishers=tuple(dict.fromkeys(one["publisher"] for one in record["citations"])),
        kind=record["tier"],
    )


def _one_act(record: Record, bank: _Bank) -> GoldQuestion:
    """Questions on one act; any of the named places is right."""
    act = WorkId(bank.act)
    places = [_place(act, one["section"], one["moment"]) for one in record["expected_any"]]
    return GoldQuestion(
        id=record["id"],
        question=record["query"],
        language=bank.language,
        jurisdiction=bank.jurisdiction,
        gold=tuple((place,) for place in places),
        outcomes=(Outcome.ANSWERED,),
        forbidden=tuple(_place(act, one, "") for one in record.get("expected_none") or ()),
        kind=record["test_type"],
        within=record["k"],
    )


def _adversarial(record: Record, bank: _Bank) -> GoldQuestion:
    """Trap questions: gold is the law, or silence; questions on accounts have no law to find."""
    expected, scoring = record["expected"], record["scoring"]
    laws = [ProvisionId(bank.work(key)) for key in expected.get("expected_law_any", ())]
    abstain, law = expected["must_abstain"], "expected_law_any" in expected
    edges = expected.get("expected_edge_types", ())
    trap = scoring.get("confusion_trap")
    return GoldQuestion(
        id=record["id"],
        question=record["query"],
        language=bank.language,
        jurisdiction=bank.jurisdiction,
        gold=() if abstain else tuple((one,) for one in laws),
        path=tuple(GoldStep(kind=_EDGES[edge]) for edge in edges),
        strings=tuple(expected["required_anchor_terms"]) if law and not abstain else (),
        outcomes=_ABSTAINING if abstain else (Outcome.ANSWERED,) if law else (),
        forbidden=(ProvisionId(bank.work(trap)),) if trap else (),
        kind=record["category"],
        within=scoring.get("pass_if_topk_contains", 10),
    )


def _graph_needed(record: Record, bank: _Bank) -> GoldQuestion:
    """A primary provision and the references or exceptions that lead on from it."""
    primary = _expected_place(record["expected_primary"], bank)
    steps = [
        GoldStep(primary, EdgeKind.CITES, _expected_place(one, bank) if "law_key" in one else None)
        for one in record.get("expected_references", ())
    ]
    # "Unless otherwise provided" yields to an exception, "notwithstanding" is one; the bank does not say
    # which.
    steps += [GoldStep(kind=EdgeKind.EXCEPTS, at=primary) for _ in record.get("expected_exceptions", ())]
    return GoldQuestion(
        id=record["id"],
        question=record["query"],
        language=bank.language,
        jurisdiction=bank.jurisdiction,
        gold=((primary,),),
        path=tuple(steps),
        outcomes=(Outcome.ANSWERED,),
        kind=record["category"],
    )


#: A field name that only one of the banks has → its reader.
_READERS: dict[str, Callable[[Record, _Bank], GoldQuestion]] = {
    "answer_key_facts": _key_facts,
    "expected_any": _one_act,
    "expected_primary": _graph_needed,
    "expected": _adversarial,
}


def _expected_place(record: Record, bank: _Bank) -> ProvisionId:
    return _place(bank.work(record["law_key"]), record.get("section_num", ""), record.get("moment", ""))


def _place(law: WorkId, section: object, subsection: object) -> ProvisionId:
    place = ProvisionId(law)
    for kind, number in (("sec", section), ("subsec", subsection)):
        if number not in ("", None):
            place = place.child(kind, str(number).replace(" ", ""))
    return place
