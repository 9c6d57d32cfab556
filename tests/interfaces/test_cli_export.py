"""`pykala ask --export FILE`: the answer as a document, beside what the terminal shows."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import docx
import pypdf
import pytest

from pykala.interfaces.cli.main import run as run_command
from pykala.views import sheets

CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _settings(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(cache))
    monkeypatch.setenv("PYKALA_LIBRARY", str(cache / "own"))


def run(*arguments: str) -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = run_command(arguments)
    return code, stdout.getvalue(), stderr.getvalue()


def test_an_answer_is_written_in_each_form(tmp_path: Path) -> None:
    for form in ("docx", "pdf", "md"):
        path = tmp_path / f"answer.{form}"
        code, shown, said = run("ask", CAPITAL_INCOME, "--as-of", "2026-01-01", "--export", str(path))
        assert (code, said) == (0, "")
        assert "34 per cent" in shown
        if form == "docx":
            words = "\n".join(one.text for one in docx.Document(str(path)).paragraphs)
        elif form == "pdf":
            words = pypdf.PdfReader(path).pages[0].extract_text()
        else:
            words = path.read_text("utf-8")
        assert CAPITAL_INCOME in " ".join(words.split())
        assert "34 per cent" in words
        assert "2026-01-01" in words


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("ask", "Why?", "--export", "answer.exe"), r"\.docx, \.pdf, \.md"),
        (("ask", "--batch", "x.jsonl", "--export", "answer.pdf"), "one answer"),
    ],
)
def test_a_file_that_cannot_be_meant_is_refused_before_anything_is_asked(
    arguments: tuple[str, ...], told: str
) -> None:
    code, shown, said = run(*arguments)
    assert (code, shown) == (2, "")
    assert re.search(told, said)


def test_a_place_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    code, _, said = run("ask", CAPITAL_INCOME, "--export", str(tmp_path / "none" / "answer.md"))
    assert code == 2
    assert "cannot be written" in said


def test_a_missing_extra_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(sheet: object) -> bytes:
        raise sheets.SheetsMissing("Word")

    monkeypatch.setitem(sheets.FORMS, "docx", absent)  # type: ignore[arg-type]
    code, _, said = run("ask", CAPITAL_INCOME, "--export", str(tmp_path / "answer.docx"))
    assert code == 2
    assert "pip install 'pykala[documents]'" in said
