"""TREC folders: topics in each of their forms, judgements, documents; and grades in our own format."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.evaluate.judged import documents, write_documents
from pykala.evaluate.questions import QuestionSetError, question_from
from pykala.evaluate.runs import answer_question
from pykala.evaluate.scoring import score
from pykala.evaluate.sets import read_set
from pykala.evaluate.trec import read_topics
from pykala.law.identifiers import ProvisionId
from pykala.library import Library

OLD = """
<top>
<num> Number: 301
<title> International Organised Crime

<desc> Description:
Identify organisations that take part in
international crime &amp; the like.

<narr> Narrative:
A relevant document must name one.
</top>

<top>
<num> Number: 302
<title> Poliomyelitis
</top>
"""
NEW = """<?xml version="1.0"?>
<topics task="covid">
  <topic number="1">
    <query>coronavirus origin</query>
    <question>what is the origin of COVID-19</question>
    <narrative>seeking range of information</narrative>
  </topic>
  <topic number='2'>
    <query>black & white</query>
  </topic>
</topics>
"""
BARE = '<topics><topic number="7">\n  A man of 58 with\n a cough.\n</topic></topics>'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            OLD,
            [
                ("301", "Identify organisations that take part in international crime & the like."),
                ("302", "Poliomyelitis"),
            ],
        ),
        (
            OLD.upper(),
            [("301", OLD.upper().split("DESCRIPTION:\n")[1].split("\n\n")[0]), ("302", "POLIOMYELITIS")],
        ),
        (NEW, [("1", "what is the origin of COVID-19"), ("2", "black & white")]),
        (BARE, [("7", "A man of 58 with a cough.")]),
        ("301\tinternational crime\n\n302\tpolio\n", [("301", "international crime"), ("302", "polio")]),
        ("", []),
    ],
)
def test_topics_in_each_of_their_forms(text: str, expected: list[tuple[str, str]]) -> None:
    found = read_topics(text, "topics")
    assert [(number, " ".join(asked.split())) for number, asked in found] == [
        (number, " ".join(asked.replace("&AMP;", "&").split())) for number, asked in expected
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("301 no tab", "line 1: expected an id, a tab"),
        ("301\t", "line 1: expected an id, a tab"),
        ("<top><title>no number</top>", "topic 1 has no number"),
        ("<top><num>1</num></top>", "nothing to ask"),
        ("<top>", "topic 1 has no number"),
        ("<top", "line 1: expected an id, a tab"),
    ],
)
def test_topics_that_cannot_be_read_are_named(text: str, says: str) -> None:
    with pytest.raises(QuestionSetError, match=says):
        read_topics(text, "topics.txt")


@given(st.text(st.sampled_from("<>/topic num=\"'1:\n\t& desc"), max_size=60))
def test_whatever_is_in_topics_they_are_read_or_refused(text: str) -> None:
    try:
        found = read_topics(text, "topics")
    except QuestionSetError:
        return
    assert all(number and asked for number, asked in found)


def trec(folder: Path, topics: str, name: str, judgements: str) -> Path:
    (folder / name).write_text(topics)
    (folder / "qrels.test.txt").write_text(judgements)
    (folder / "docs").mkdir()
    (folder / "docs" / "first.trec").write_text(
        "<DOC>\n<DOCNO> FT-1 </DOCNO>\n<HEADLINE>Crime</HEADLINE>\n"
        "<TEXT>\nGangs &amp; <b>banks</b>.\n</TEXT>\n"
        "</DOC>\n<doc>\n<docno>FT-2</docno>\nNo text mark here.\n</doc>\n"
    )
    return folder


JUDGEMENTS = "301 0 FT-1 1\n301 0 FT-2 2\n301 0 FT-3 0\n302\t0\tFT-2\t1\n999 0 FT-1 1\n"
CRIME, BARE_TEXT = "Crime\n\nGangs & banks.\n", "No text mark here.\n"


def upload(text: str) -> ProvisionId:
    return ProvisionId.parse(f"up:{hashlib.sha256(text.encode()).hexdigest()[:16]}")


@pytest.mark.parametrize(
    ("topics", "name"),
    [(OLD, "topics.301-302.txt"), ("301\tcrime\n302\tpolio\n", "topics.tsv"), (OLD, "Topics.sgml")],
)
def test_a_trec_folder_gives_judged_topics_best_grade_first(tmp_path: Path, topics: str, name: str) -> None:
    first, second = read_set(trec(tmp_path, topics, name, JUDGEMENTS))
    assert (first.id, second.id, first.kind) == ("301", "302", "trec")
    assert (first.gold, first.grades) == (((upload(BARE_TEXT), upload(CRIME)),), (2, 1))
    assert (second.gold, second.grades) == (((upload(BARE_TEXT),),), (1,))
    assert first.primaries == first.gold[0]


def test_documents_become_the_uploads_that_the_gold_names(tmp_path: Path) -> None:
    source = tmp_path / "trec"
    source.mkdir()
    folder = trec(source, OLD, "topics.txt", JUDGEMENTS)
    assert dict(documents(folder)) == {"FT-1": CRIME, "FT-2": BARE_TEXT}
    assert write_documents(folder, tmp_path / "inbox") == 2
    names = {path.stem for path in (tmp_path / "inbox").iterdir()}
    assert {str(one).removeprefix("up:") for one in read_set(folder)[0].gold[0]} == names


def test_documents_that_were_taken_in_are_found_as_the_gold(tmp_path: Path) -> None:
    source = tmp_path / "trec"
    source.mkdir()
    folder = trec(source, "301\tWho are the gangs and banks?\n", "topics.tsv", "301 0 FT-1 1\n")
    write_documents(folder, tmp_path / "inbox")
    (question,) = read_set(folder)
    with Library.open(tmp_path / "library", writable=True, create=True) as library:
        (report,) = library.inbox(tmp_path / "inbox")
        assert len(report.added) == 2
        line = answer_question(question, library)
    assert score(question, line)["search recall@10, section"] == 1.0
    assert score(question, line)["MRR"] == 1.0


def test_a_collection_may_be_a_table_and_judgements_a_table_with_a_heading(tmp_path: Path) -> None:
    (tmp_path / "topics.dev.tsv").write_text("q1\twhat floats\n")
    (tmp_path / "qrels.dev.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    (tmp_path / "collection.tsv").write_text("d1\tA boat floats.\nd2\tA stone sinks.\n")
    (question,) = read_set(tmp_path)
    assert question.gold == ((upload("A boat floats.\n"),),)
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "title": "Boats", "text": "A boat floats."}\n')
    (question,) = read_set(tmp_path)  # documents in BEIR's form make no BEIR folder
    assert question.gold == ((upload("Boats\n\nA boat floats.\n"),),)


def test_documents_that_are_provisions_need_no_documents(tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("1\tkuka päättää\n")
    (tmp_path / "qrels.txt").write_text("1 0 fi:act:2015/410/sec_110 3\n")
    (question,) = read_set(tmp_path)
    assert question.gold == ((ProvisionId.parse("fi:act:2015/410/sec_110"),),)
    assert question.grades == (3,)


@pytest.mark.parametrize(
    ("judgements", "says"),
    [
        ("301 FT-1\n", "qrels.test.txt, line 1: expected topic, document and grade"),
        ("301 0 FT-1 yes\n", "'yes' is not a grade"),
        ("301 0 FT-9 1\n", "that the folder lacks"),
        ("301 0 FT-1 0\n", "holds no question"),
    ],
)
def test_judgements_that_cannot_be_read_are_named_too(tmp_path: Path, judgements: str, says: str) -> None:
    with pytest.raises(QuestionSetError, match=says):
        read_set(trec(tmp_path, OLD, "topics.txt", judgements))


def test_a_folder_that_is_neither_says_what_both_hold(tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("1\tno judgements\n")
    with pytest.raises(QuestionSetError, match=r"a BEIR folder holds .* a TREC folder holds"):
        read_set(tmp_path)


@pytest.mark.parametrize("grades", [[1], [1, 0], [1, True], [1, 2, 3], "12"])
def test_grades_stand_one_for_each_provision(grades: object) -> None:
    record = {"id": "1", "question": "?", "gold": [["fi:act:1/2", "fi:act:3/4"]]}
    assert question_from({**record, "grades": [2, 1]}).grades == (2, 1)
    with pytest.raises(QuestionSetError, match="grades"):
        question_from({**record, "grades": grades})
    with pytest.raises(QuestionSetError, match="only alternative"):
        question_from({**record, "gold": [["fi:act:1/2"], ["fi:act:3/4"]], "grades": [2, 1]})
