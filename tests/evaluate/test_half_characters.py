"""JSON can spell half a character: such input is refused with words, wherever it comes in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pykala.answer.replay import RecordUnreadable, read_record
from pykala.evaluate.questions import QuestionSetError
from pykala.evaluate.sets import read_set

HALF = "lone \ud83d half"
WHOLE = "a whole one: \N{GRINNING FACE}"  # JSON spells it as two halves


def ours(text: str, folder: Path) -> Path:
    (folder / "set.jsonl").write_text(json.dumps({"id": "1", "question": text}) + "\n")
    return folder / "set.jsonl"


def bank(text: str, folder: Path) -> Path:
    record = {"id": "1", "query": text, "expected_any": [], "k": 3, "test_type": ""}
    (folder / "bank.json").write_text(json.dumps([record]))
    return folder / "bank.json"


def beir(text: str, folder: Path) -> Path:
    (folder / "qrels").mkdir(parents=True)
    (folder / "qrels" / "test.tsv").write_text("q1\td1\t1\n")
    (folder / "queries.jsonl").write_text(json.dumps({"_id": "q1", "text": "?"}) + "\n")
    (folder / "corpus.jsonl").write_text(json.dumps({"_id": "d1", "text": text}) + "\n")
    return folder


@pytest.mark.parametrize("made", [ours, bank, beir])
def test_a_set_with_half_a_character_is_refused(made: Callable[[str, Path], Path], tmp_path: Path) -> None:
    for name, text in (("whole", WHOLE), ("half", HALF)):
        (tmp_path / name).mkdir()
        path = made(text, tmp_path / name)
        if name == "whole":
            assert len(read_set(path)) == 1
        else:
            with pytest.raises(
                QuestionSetError, match=r"half a character \(\\ud83d, a lone surrogate\)"
            ) as told:
                read_set(path)
            str(told.value).encode()


def test_the_key_of_an_object_counts_too(tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_text('{"id": "1", "question": "?", "\\udead": 1}\n')
    with pytest.raises(QuestionSetError, match=r"line 1: .*half a character"):
        read_set(tmp_path / "set.jsonl")


@pytest.mark.parametrize("name", ["question", "language", "outcome", "text"])
def test_a_record_with_half_a_character_is_refused(name: str) -> None:
    record = {"question": "?", "as_of": "2026-01-01", "language": "en", "outcome": "SILENT", "text": ""}
    assert read_record(json.dumps({**record, "question": WHOLE})).question == WHOLE
    with pytest.raises(RecordUnreadable, match=r"half a character \(a lone surrogate, U\+D83D\)"):
        read_record(json.dumps({**record, name: HALF}))
