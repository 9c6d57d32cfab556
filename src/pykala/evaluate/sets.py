"""Question sets: our own format, the known banks, BEIR and TREC folders, and the sets of packs."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from pykala.evaluate import beir, trec
from pykala.evaluate.banks import read_bank
from pykala.evaluate.questions import GoldQuestion, QuestionSetError, read_questions, text_of
from pykala.packs.pack import Pack


def read_set(path: Path) -> tuple[GoldQuestion, ...]:
    """Read a set in our format, one of the known banks, or a BEIR or TREC folder."""
    if path.is_dir():
        questions = _read_folder(path)
    elif path.suffix == ".jsonl":
        questions = read_questions(text_of(path).split("\n"), path.name)
    elif path.suffix == ".json":
        questions = read_bank(text_of(path), path.name)
    else:
        raise QuestionSetError(
            f"{path} is no question set: give a .jsonl file in Pykälä's format, a known bank (.json), a BEIR"
            " or TREC folder, or the code of a pack, such as fi"
        )
    if not questions:
        raise QuestionSetError(f"{path} holds no question")
    _refuse_twins(questions, path)
    return questions


def _read_folder(folder: Path) -> tuple[GoldQuestion, ...]:
    if trec.is_trec(folder):  # first, because its documents may also be in a corpus.jsonl
        return trec.read_trec(folder)
    if beir.is_beir(folder):
        return beir.read_beir(folder)
    raise QuestionSetError(f"{folder} is no folder of judged questions: {beir.FORM}; {trec.FORM}")


def pack_set(pack: Pack, *, sample: bool = True) -> Path:
    """The question set of a pack: over its sample, or over the law itself."""
    names = ("questions.jsonl",) if sample else ("questions-corpus.jsonl", "questions.jsonl")
    for name in names:
        path = Path(str(files(pack.facts.package).joinpath(name)))
        if path.is_file():
            return path
    raise QuestionSetError(f"the pack {pack.facts.code!r} brings no question set; give the path of one")


def _refuse_twins(questions: Sequence[GoldQuestion], path: Path) -> None:
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise QuestionSetError(f"{path}: two questions are called {question.id!r}; every id stands once")
        seen.add(question.id)
