"""Question sets: our format, the known banks, BEIR folders; and errors that say what was expected."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.evaluate.judged import write_documents
from pykala.evaluate.questions import (
    GoldQuestion,
    GoldStep,
    QuestionSetError,
    fingerprint,
    question_from,
    read_questions,
)
from pykala.evaluate.sets import pack_set, read_set
from pykala.law.answers import Outcome
from pykala.law.identifiers import ProvisionId
from pykala.law.references import EdgeKind
from pykala.packs.pack import installed

BANKS = Path(__file__).parents[3] / "shared" / "questions"


def place(text: str) -> ProvisionId:
    return ProvisionId.parse(text)


WHOLE = {
    "id": "1",
    "question": "How long?",
    "language": "en",
    "jurisdiction": "fi",
    "as_of": "2024-02-29",
    "gold": [["fi:act:1/2/sec_1", "fi:act:1/2/sec_2/subsec_3"], ["fi:act:3/4"]],
    "path": [{"from": "fi:act:1/2/sec_1", "kind": "cites", "to": "fi:act:1/2/sec_2"}, {"kind": "excepts"}],
    "strings": ["without delay"],
    "numbers": ["30 000 euroa", "7.5 %"],
    "facts": "It takes a month.",
    "outcome": ["SILENT", "OUTSIDE_CORPUS"],
    "forbidden": ["fi:act:9/9"],
    "publisher": ["finlex"],
    "kind": "figure",
    "within": 3,
}


def test_every_name_of_the_format_is_read() -> None:
    assert question_from(WHOLE) == GoldQuestion(
        id="1",
        question="How long?",
        language="en",
        jurisdiction="fi",
        as_of=date(2024, 2, 29),
        gold=((place("fi:act:1/2/sec_1"), place("fi:act:1/2/sec_2/subsec_3")), (place("fi:act:3/4"),)),
        path=(
            GoldStep(place("fi:act:1/2/sec_1"), EdgeKind.CITES, place("fi:act:1/2/sec_2")),
            GoldStep(kind=EdgeKind.EXCEPTS),
        ),
        strings=("without delay",),
        numbers=("30 000 euroa", "7.5 %"),
        facts=("It takes a month.",),
        outcomes=(Outcome.SILENT, Outcome.OUTSIDE_CORPUS),
        forbidden=(place("fi:act:9/9"),),
        publishers=("finlex",),
        kind="figure",
        within=3,
    )


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"gold_": []}, "'gold_' is not a name of the format"),
        ({"id": ""}, "expected an id and a question"),
        ({"question": 7}, "question is not a text"),
        ({"as_of": "29.2.2024"}, "write YYYY-MM-DD"),
        ({"gold": ["fi:act:1/2"]}, "list of alternatives"),
        ({"gold": [[]]}, "list of alternatives"),
        ({"gold": "fi:act:1/2"}, "gold is not a list"),
        ({"gold": [["Kuntalaki 110 §"]]}, "fi:act:2015/410/sec_110/subsec_3"),
        ({"path": [{"via": "x"}]}, 'some of "from", "kind", "to" and "at"'),
        ({"path": [{"kind": "likes"}]}, "there are: parent_of, cites"),
        ({"numbers": ["30"]}, "not one number with a unit"),
        ({"numbers": ["30 % of 40 euros"]}, "not one number with a unit"),
        ({"outcome": "NO"}, "there are: ANSWERED"),
        ({"strings": [""]}, "strings is not a list of texts"),
        ({"within": 0}, "a whole number from 1 on"),
        ({"within": True}, "a whole number from 1 on"),
    ],
)
def test_what_is_not_the_format_is_an_error_that_says_what_is(
    change: dict[str, object], expected: str
) -> None:
    with pytest.raises(QuestionSetError, match=expected.replace("(", r"\(")):
        question_from({**WHOLE, **change})


def test_an_error_names_its_line(tmp_path: Path) -> None:
    lines = ['{"id": "1", "question": "a"}', "", '{"id": "2"']
    with pytest.raises(QuestionSetError, match=r"set.jsonl, line 3"):
        read_questions(lines, "set.jsonl")
    (tmp_path / "set.jsonl").write_text('{"id": "1", "question": "a"}\n{"id": "1", "question": "b"}\n')
    with pytest.raises(QuestionSetError, match="two questions are called '1'"):
        read_set(tmp_path / "set.jsonl")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("set.csv", "id,question", "no question set"),
        ("set.jsonl", "\n", "holds no question"),
        ("set.json", "{", "is not JSON"),
        ("set.json", '{"data": []}', "expected objects with one of answer_key_facts, expected_any"),
        ("set.json", '[{"id": "A", "query": "?"}]', "A: not a known bank"),
        ("set.json", '[{"id": "A", "expected_any": 3}]', "A: expected_any is not as expected"),
    ],
)
def test_unknown_files_are_refused_with_what_was_expected(
    tmp_path: Path, name: str, text: str, expected: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(QuestionSetError, match=expected):
        read_set(tmp_path / name)


@given(st.binary(max_size=60))
def test_no_bytes_make_reading_fail_otherwise(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    for name in ("any.jsonl", "any.json"):
        path = tmp_path_factory.mktemp("set") / name
        path.write_bytes(data)
        with pytest.raises(QuestionSetError):
            read_set(path)


#: Made by us in the form of each bank.
KUNTALAKI = {
    "id": "K1",
    "query": "Kuka päättää?",
    "expected_any": [{"section": "110a", "moment": "3"}, {"section": "14", "moment": ""}],
    "expected_none": ["110"],
    "k": 3,
    "must": True,
    "test_type": "hard_negative",
}
ADVERSARIAL = {
    "id": "A1",
    "category": "LAW",
    "query": "laatimisvelvollisuus",
    "expected": {
        "expected_law_any": ["kuntalaki_410_2015"],
        "expected_edge_types": ["REFERS_TO"],
        "required_anchor_terms": ["kunta"],
        "must_abstain": False,
    },
    "scoring": {"pass_if_topk_contains": 4, "confusion_trap": "kirjanpitolaki_1336_1997"},
}
GRAPH = {
    "id": "G1",
    "category": "reference_chain",
    "query": "Mihin lakiin viitataan?",
    "expected_primary": {"law_key": "kuntalaki_410_2015", "section_num": 6, "moment": 1},
    "expected_references": [{"law_key": "kirjanpitolaki_1336_1997", "section_num": 5, "note": ""}],
    "expected_exceptions": [{"note": "jollei toisin säädetä"}],
}
TAXXA = {
    "id": "Q1",
    "tier": "basic",
    "question": "What is the rate above 30,000 euros?",
    "answer": "34%",
    "answer_key_facts": ["Above 30,000 euros the rate is 34%.", "Below it is 30 per cent."],
    "citations": [{"publisher": "vero"}, {"publisher": "vero"}],
}


def read_bank_of(folder: Path, data: object) -> tuple[GoldQuestion, ...]:
    (folder / "bank.json").write_text(json.dumps(data))
    return read_set(folder / "bank.json")


def test_the_banks_are_told_apart_by_their_own_names(tmp_path: Path) -> None:
    kuntalaki, adversarial, graph = read_bank_of(tmp_path, [KUNTALAKI, ADVERSARIAL, GRAPH])
    assert kuntalaki.gold == (
        (place("fi:act:2015/410/sec_110a/subsec_3"),),
        (place("fi:act:2015/410/sec_14"),),
    )
    assert kuntalaki.forbidden == (place("fi:act:2015/410/sec_110"),)
    assert (kuntalaki.within, kuntalaki.kind) == (3, "hard_negative")
    assert adversarial.gold == ((place("fi:act:2015/410"),),)
    assert adversarial.path == (GoldStep(kind=EdgeKind.CITES),)
    assert adversarial.forbidden == (place("fi:act:1997/1336"),)
    primary = place("fi:act:2015/410/sec_6/subsec_1")
    assert graph.gold == ((primary,),)
    assert graph.path == (
        GoldStep(primary, EdgeKind.CITES, place("fi:act:1997/1336/sec_5")),
        GoldStep(kind=EdgeKind.EXCEPTS, at=primary),
    )
    (taxxa,) = read_bank_of(tmp_path, {"entries": [TAXXA]})
    assert taxxa.publishers == ("vero",)
    assert taxxa.numbers == ("34%", "30 per cent")  # 30,000 euros is in the question itself


def test_a_question_to_abstain_from_has_no_gold(tmp_path: Path) -> None:
    expected = {**ADVERSARIAL["expected"], "must_abstain": True}  # type: ignore[dict-item]
    (question,) = read_bank_of(tmp_path, [{**ADVERSARIAL, "expected": expected}])
    assert question.gold == ()
    assert not question.answerable
    assert question.outcomes[0] is Outcome.SILENT


def test_a_key_that_names_no_law_is_an_error(tmp_path: Path) -> None:
    primary = {"law_key": "kuntalaki", "section_num": 6}
    with pytest.raises(QuestionSetError, match="expected one such as name_410_2015"):
        read_bank_of(tmp_path, [{**GRAPH, "expected_primary": primary}])


def beir(
    folder: Path, judgements: str = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t2\nq2\td1\t0\n"
) -> Path:
    (folder / "qrels").mkdir()
    (folder / "corpus.jsonl").write_text(
        '{"_id": "d1", "title": "Boats", "text": "A boat floats."}\n{"_id": "d2", "text": "A stone sinks."}\n'
        '{"_id": "fi:act:1/2/sec_3", "title": "", "text": "A provision."}\n'
    )
    (folder / "queries.jsonl").write_text(
        '{"_id": "q1", "text": "What floats?"}\n{"_id": "q2", "text": "Nothing is judged relevant"}\n'
    )
    (folder / "qrels" / "test.tsv").write_text(judgements)
    return folder


def test_a_beir_folder_gives_judged_queries_best_grade_first(tmp_path: Path) -> None:
    (question,) = read_set(beir(tmp_path))
    stone, boat = (
        place(f"up:{hashlib.sha256(text).hexdigest()[:16]}")
        for text in (b"A stone sinks.\n", b"Boats\n\nA boat floats.\n")
    )
    assert (question.id, question.question, question.gold) == ("q1", "What floats?", ((stone, boat),))


def test_documents_of_a_beir_folder_become_the_uploads_that_the_gold_names(tmp_path: Path) -> None:
    source = tmp_path / "beir"
    source.mkdir()
    assert write_documents(beir(source), tmp_path / "inbox") == 3
    names = {path.stem for path in (tmp_path / "inbox").iterdir()}
    (question,) = read_set(source)
    assert {str(one.work).removeprefix("up:") for one in question.gold[0]} <= names


def test_a_document_that_is_a_provision_is_its_own_gold(tmp_path: Path) -> None:
    (question,) = read_set(beir(tmp_path, "q1\tfi:act:1/2/sec_3\t1\n"))
    assert question.gold == ((place("fi:act:1/2/sec_3"),),)


@pytest.mark.parametrize(
    ("judgements", "expected"),
    [
        ("q1 d1 1\n", "three fields with tabs"),
        ("q1\td1\tyes\nq1\td1\tno\n", "'yes' is not a grade"),
        ("q1\td9\t1\n", "that the folder lacks"),
    ],
)
def test_judgements_that_cannot_be_read_are_named(tmp_path: Path, judgements: str, expected: str) -> None:
    with pytest.raises(QuestionSetError, match=expected):
        read_set(beir(tmp_path, judgements))


def test_a_folder_that_is_no_beir_folder_says_what_one_holds(tmp_path: Path) -> None:
    with pytest.raises(QuestionSetError, match=r"corpus.jsonl, queries.jsonl and qrels"):
        read_set(tmp_path)


def test_a_set_is_known_by_its_gold_too() -> None:
    first, second = question_from(WHOLE), question_from({**WHOLE, "gold": [["fi:act:3/4"]]})
    assert fingerprint([first]) == fingerprint([question_from(WHOLE)])
    assert fingerprint([first]) != fingerprint([second])


def test_a_pack_without_questions_says_so() -> None:
    with pytest.raises(QuestionSetError, match="'up' brings no question set"):
        pack_set(installed()["up"])


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("name", "count", "with_gold", "with_path"),
    [
        ("kuntalaki", 75, 75, 0),
        ("adversarial", 20, 11, 5),
        ("graph-needed", 12, 12, 8),
        ("taxxa-bank", 42, 0, 0),
    ],
)
def test_the_banks_are_read_whole(name: str, count: int, with_gold: int, with_path: int) -> None:
    path = BANKS / f"{name}.json"
    if not path.exists():
        pytest.skip(f"{path.name} is not beside the repository: ../shared/questions")
    questions = read_set(path)
    assert (
        len(questions),
        sum(bool(one.gold) for one in questions),
        sum(bool(one.path) for one in questions),
    ) == (count, with_gold, with_path)
