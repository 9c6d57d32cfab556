"""BEIR folders (Thakur et al. 2021): corpus.jsonl, queries.jsonl and qrels/*.tsv."""

from __future__ import annotations

from pathlib import Path

from pykala.evaluate.judged import Judgements, field, questions_of, read_judgement
from pykala.evaluate.questions import GoldQuestion, QuestionSetError, json_lines, text_of

FORM = "a BEIR folder holds corpus.jsonl, queries.jsonl and qrels/*.tsv (query-id, corpus-id, score)"


def is_beir(folder: Path) -> bool:
    """Whether a folder has BEIR's format rather than TREC's."""
    return (folder / "queries.jsonl").is_file() or (folder / "corpus.jsonl").is_file()


def read_beir(folder: Path) -> tuple[GoldQuestion, ...]:
    """The judged queries, from the test split if there is one; relevant documents by decreasing grade."""
    judged = _judgements(folder)
    queries = folder / "queries.jsonl"
    if not queries.is_file():
        raise QuestionSetError(f"{queries} is not there: {FORM}")
    topics = ((field(one, "_id", queries), field(one, "text", queries)) for one in json_lines(queries))
    return questions_of(folder, topics, judged, "beir")


def _judgements(folder: Path) -> Judgements:
    files = sorted((folder / "qrels").glob("*.tsv"))
    if not files:
        raise QuestionSetError(f"{folder} has no judgements: {FORM}")
    tests = [file for file in files if file.stem == "test"]
    judged: Judgements = {}
    for file in tests or files:
        for number, line in enumerate(text_of(file).splitlines(), start=1):
            fields = [one.strip() for one in line.split("\t")]
            if number == 1 and fields[-1] == "score":
                continue  # the header line
            if len(fields) != 3:
                raise QuestionSetError(f"{file.name}, line {number}: expected three fields with tabs; {FORM}")
            query, document, grade = read_judgement(fields, f"{file.name}, line {number}")
            if grade > 0:
                judged.setdefault(query, {})[document] = grade
    return judged
