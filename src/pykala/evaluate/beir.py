"""BEIR folders (Thakur et al. 2021): corpus.jsonl, queries.jsonl and qrels/*.tsv.

The documents go into a library as uploads (`write_documents`, then `pykala inbox`): an upload is known by
its bytes, so the gold of a query follows from the corpus alone. A document whose id is already the
identifier of a provision (`fi:act:2015/410/sec_110`) is that provision, and needs no upload.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from pykala.evaluate.sets import GoldQuestion, QuestionSetError
from pykala.law.identifiers import InvalidIdentifier, ProvisionId
from pykala.packs.uploads import work_of

_FORM = "a BEIR folder holds corpus.jsonl, queries.jsonl and qrels/*.tsv (query-id, corpus-id, score)"


def read_beir(folder: Path) -> tuple[GoldQuestion, ...]:
    """The judged queries, the test split where there is one; relevant documents by falling grade."""
    judged = _judgements(folder)
    wanted = {document for grades in judged.values() for document in grades}
    places = {
        identifier: _place(identifier, text)
        for identifier, text in _documents(folder)
        if identifier in wanted
    }
    if missing := sorted(wanted - places.keys()):
        raise QuestionSetError(
            f"{folder}: the judgements name documents that corpus.jsonl lacks: {missing[:3]}"
        )
    questions = []
    for record in _lines(folder / "queries.jsonl"):
        grades = judged.get(_field(record, "_id"), {})
        relevant = sorted(grades, key=lambda document: (-grades[document], document))
        if relevant:
            gold = tuple(places[document] for document in relevant)
            questions.append(
                GoldQuestion(_field(record, "_id"), _field(record, "text"), gold=(gold,), kind="beir")
            )
    return tuple(questions)


def write_documents(folder: Path, target: Path) -> int:
    """Write a BEIR corpus as files for `pykala inbox`; how many."""
    target.mkdir(parents=True, exist_ok=True)
    count = 0
    for _, text in _documents(folder):
        data = text.encode()
        (target / f"{sha256(data).hexdigest()[:16]}.txt").write_bytes(data)
        count += 1
    return count


def _documents(folder: Path) -> Iterator[tuple[str, str]]:
    for record in _lines(folder / "corpus.jsonl"):
        title, text = str(record.get("title") or "").strip(), _field(record, "text")
        yield _field(record, "_id"), f"{title}\n\n{text}\n" if title else f"{text}\n"


def _place(identifier: str, text: str) -> ProvisionId:
    try:
        return ProvisionId.parse(identifier)
    except InvalidIdentifier:
        return ProvisionId(work_of(sha256(text.encode()).hexdigest()))


def _judgements(folder: Path) -> dict[str, dict[str, int]]:
    files = sorted((folder / "qrels").glob("*.tsv"))
    if not files:
        raise QuestionSetError(f"{folder} has no judgements: {_FORM}")
    tests = [file for file in files if file.stem == "test"]
    judged: dict[str, dict[str, int]] = {}
    for file in tests or files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            query, document, grade = _judgement(line, f"{file.name}, line {number}")
            if number == 1 and grade == "score":
                continue  # the heading
            if not grade.lstrip("-").isdecimal():
                raise QuestionSetError(f"{file.name}, line {number}: {grade!r} is not a grade; {_FORM}")
            if int(grade) > 0:
                judged.setdefault(query, {})[document] = int(grade)
    return judged


def _judgement(line: str, where: str) -> tuple[str, str, str]:
    fields = line.split("\t")
    if len(fields) != 3:
        raise QuestionSetError(f"{where}: expected three fields with tabs between them; {_FORM}")
    return fields[0], fields[1], fields[2].strip()


def _lines(path: Path) -> Iterator[Mapping[str, object]]:
    if not path.is_file():
        raise QuestionSetError(f"{path} is not there: {_FORM}")
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    record = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise QuestionSetError(f"{path.name}, line {number}: {error}") from None
                if not isinstance(record, dict):
                    raise QuestionSetError(f"{path.name}, line {number}: expected an object; {_FORM}")
                yield record


def _field(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise QuestionSetError(f"a record without a text {name!r}: {_FORM}")
    return value
