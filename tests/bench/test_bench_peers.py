"""What engines are given, and how what they find is scored."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from bench.peers.export import WORKS, Wanted, dated, export
from bench.peers.measure import _own, _peer, first_of_each
from bench.peers.models import read_vectors, vectors_file
from bench.peers.records import DOCUMENTS, NOT_SHOWN, Document, Hit, Question, read_documents, read_questions
from bench.peers.report import Row, score, tables
from pykala.library.sample import sample_library
from pykala.packs.pack import pack_for


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Canadian sample in English and a question about it."""
    pack = pack_for("ca")
    library = sample_library(tmp_path_factory.mktemp("cache"), {"ca": pack})
    folder = tmp_path_factory.mktemp("given")
    bank = folder / "bank.jsonl"
    record = {
        "id": "one", "question": "How long is the waiting period before benefits are paid?",
        "language": "en", "gold": [["ca:act:E-5.6/sec_13"]],
    }  # fmt: skip
    bank.write_text(json.dumps(record), encoding="utf-8")
    documents, questions = export(Wanted("sample", library, "en", 10_000), [bank], folder)
    assert documents > 20
    assert questions >= 1
    return folder


def test_every_document_is_a_wording_and_one_of_a_section_is_the_newest(given: Path) -> None:
    documents = list(read_documents(given))
    sections = {one.section for one in documents}
    newest = list(read_documents(given, only_newest=True))
    assert sorted(one.section for one in newest) == sorted(sections)
    assert {one.language for one in documents} == {"en"}
    works = [json.loads(line)[1] for line in (given / WORKS).read_text(encoding="utf-8").splitlines()]
    assert {section.partition("/sec")[0].partition("/sched")[0] for section in sections} >= set(works[:1])


@pytest.mark.parametrize("engine", ["fts5", "tantivy"])
def test_a_peer_finds_the_section(given: Path, tmp_path: Path, engine: str) -> None:
    found = _peer(engine, given, tmp_path, False)
    assert found["documents"] == len(list(read_documents(given)))
    assert found["bytes"] > 1000
    assert "ca:act:E-5.6/sec_13" in [hit["section"] for hit in found["search"]["found"]["one"]]


def test_of_a_library_of_several_places_only_one_is_given(tmp_path: Path) -> None:
    library = sample_library(tmp_path / "cache", {code: pack_for(code) for code in ("ca", "nyc")})
    counts = []
    for place in ("", "ca", "nyc"):
        export(Wanted("sample", library, "en", 10_000, place), [], tmp_path / f"of-{place}")
        found = list(read_documents(tmp_path / f"of-{place}"))
        counts.append(len(found))
        assert {one.section.partition(":")[0] for one in found} == ({place} if place else {"ca", "nyc"})
    assert counts[0] == counts[1] + counts[2]


def test_vectors_that_were_computed_before_are_those_of_these_documents(given: Path) -> None:
    documents = list(read_documents(given))
    rows = np.eye(len(documents), dtype=np.float16)
    given_before = sha256((given / DOCUMENTS).read_bytes()).hexdigest()
    np.savez(vectors_file(given, "made"), rows=rows, documents=given_before)
    held = read_vectors(given, "made")
    last = sha256(documents[-1].words.encode()).digest()
    assert held[last][-1] == 1.0
    np.savez(vectors_file(given, "made"), rows=rows, documents="of others")
    with pytest.raises(ValueError, match="vectors of other documents"):
        read_vectors(given, "made")


def test_pykala_is_measured_in_the_same_way(given: Path, tmp_path: Path) -> None:
    found = _own("pykala-words", given, tmp_path / "library", False)
    assert "ca:act:E-5.6/sec_13" in [hit["section"] for hit in found["search"]["found"]["one"]]
    rows = [Row("Pykälä", found, "search"), Row("twice", {**found, "bytes": found["bytes"] * 2}, "ask")]
    printed = tables(rows, read_questions(given))
    assert "(2×)" in printed
    assert "bank (1): R@10 / MRR" in printed


def wording(section: str, text: str, start: str, end: str, *, newest: bool = False) -> Document:
    return Document(section, "en", f"Act › {section}", text, start, end, newest)


OLD = "licence holder shall notify registrar about vessel movements promptly"
NEW = "licence holder shall notify registrar about vessel movements within seven days"


def test_dated_questions_use_words_of_every_wording_on_a_day_of_an_older_one() -> None:
    documents = [
        wording("xx:act:1/sec_1", OLD, "2001-01-01", "2010-01-01"),
        wording("xx:act:1/sec_1", NEW, "2010-01-01", "", newest=True),
        wording("xx:act:1/sec_2", OLD, "2001-01-01", "", newest=True),
    ]
    (question,) = dated(documents, "made")
    assert question.gold == ("xx:act:1/sec_1",)
    assert "2001-01-01" <= question.as_of < "2010-01-01"
    words = question.question.split()
    assert set(words) <= set(OLD.split()) & set(NEW.split())
    assert documents[0].in_force(question.as_of)
    assert not documents[1].in_force(question.as_of)


def test_a_section_counts_once_by_its_best_wording() -> None:
    hits = [Hit("a", "2001", ""), Hit("a", "1990", "2001"), Hit("b", "", "")]
    assert first_of_each(hits) == [hits[0], hits[2]]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([("x", "", ""), ("g", "2000-01-01", "")], (1.0, 0.5, 1.0, 0.0)),
        ([("g", "2000-01-01", "")], (1.0, 1.0, 1.0, 1.0)),
        ([("g/subsec_1", "2000-01-01", "2005-01-01")], (1.0, 1.0, 0.0, 0.0)),
        ([("gg", "2000-01-01", "")], (0.0, 0.0, None, 0.0)),
        ([("g", NOT_SHOWN, "")], (1.0, 1.0, None, 0.0)),
        ([], (0.0, 0.0, None, 0.0)),
    ],
)
def test_scores(found: list[tuple[str, str, str]], expected: tuple[float | None, ...]) -> None:
    question = Question("one", "made dated", "?", "en", ("g",), "2010-06-01")
    hits = [{"section": section, "start": start, "end": end} for section, start, end in found]
    got = score([question], {"one": hits})
    assert (got.recall, got.reciprocal, got.in_force, got.first_in_force) == expected
