"""What people type without reading the help first, and what they are told then."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from registered_command import run_program
from rich.console import Console
from rich.text import Text

import pykala
from pykala.fetch.http import FetchFailed
from pykala.fetch.refusals import SourceUnreachable
from pykala.interfaces.cli.render_answer import print_hanging
from pykala.interfaces.cli.verbs import loaded
from pykala.interfaces.exits import one_line
from pykala.packs.eu.sparql import ENDPOINT, _ask

QUESTION = "What is the tax rate on capital income above 30 000 euros in Finland?"


@pytest.fixture(autouse=True, scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patched:
        folder = tmp_path_factory.mktemp("expected")
        patched.setenv("PYKALA_CACHE", str(folder))
        patched.setenv("PYKALA_LIBRARY", str(folder / "own"))
        patched.setenv("LANG", "en_GB.UTF-8")
        patched.setenv("COLUMNS", "80")
        yield folder / "own"


def pipe(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_diff_takes_words_without_quotation_marks() -> None:
    words = ("diff", "TVL", "124", "§", "2012-06-01", "2026-01-01", "--json")
    quoted = ("diff", "TVL 124 §", "2012-06-01", "2026-01-01", "--json")
    code, told, _ = run_program(*words)
    assert (code, told) == (0, run_program(*quoted)[1])
    assert json.loads(told)["provision"] == "fi:act:1992/1535/sec_124"


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (("diff", "TVL", "2012-01-01"), "DATE1 and DATE2"),
        (("diff", "TVL", "124", "§", "2012-01-01"), "'§' is not a date"),
        (("diff", "TVL", "2026-01-01", "2012-01-01"), "write the earlier date first"),
        (("ask", "???"), "give a question, or --batch FILE.jsonl; '???' asks nothing"),
        (("ask", " "), "' ' asks nothing"),
        (("search", "!"), "give words to look for"),
        (
            ("ask", "--asof", "2020-01-01", "x"),
            "No such option: --asof; did you mean --as-of; see 'pykala ask",
        ),
        (("get", "fi", "--subject"), "requires an argument; see 'pykala get --help'"),
        (("keys",), "Choose from: add, list, rotate, revoke;"),
        (("matters",), "Choose from: add, list, join, leave, close;"),
        (("help", "xyzzy"), "No such command 'xyzzy'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_mistake_is_told_with_the_way_out(typed: tuple[str, ...], says: str) -> None:
    code, told, said = run_program(*typed)
    assert (code, told) == (2, "")
    assert says in said
    assert "\t" not in said
    assert len(said.splitlines()) == 1


def test_a_question_may_be_piped_in(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, f"{QUESTION}\n")
    code, told, _ = run_program("ask", "-", "--json")
    assert (code, json.loads(told)["question"]) == (0, QUESTION)
    pipe(monkeypatch, "\n")
    assert run_program("ask", "-")[0] == 2


@pytest.mark.parametrize("lines", ["", "\n\n", "\ufeff"])
def test_a_batch_without_questions_is_a_mistake(tmp_path: Path, lines: str) -> None:
    (tmp_path / "empty.jsonl").write_text(lines, "utf-8")
    code, told, said = run_program("ask", "--batch", str(tmp_path / "empty.jsonl"))
    assert (code, told) == (2, "")
    assert "empty.jsonl has no line with a question" in said


def test_help_and_version_are_verbs_too() -> None:
    assert run_program("help") == run_program("--help")
    assert run_program("help", "ask") == run_program("ask", "--help")
    assert run_program("help", "ask")[1].startswith("Usage: pykala ask")
    assert run_program("version") == (0, f"pykala {pykala.__version__}\n", "")


def test_settings_that_nothing_speaks_of() -> None:
    told = run_program("config", "zzz")[1]
    assert told == "No setting speaks of 'zzz'; 'pykala config' lists all of them.\n"


def test_citations_are_counted_and_cited() -> None:
    told = run_program("cite", "See", "TVL", "999", "§")[1]
    assert "TVL 999 §  fi:act:1992/1535/sec_999  (not in this library)" in " ".join(told.split("\n"))
    assert told.endswith("\n1 citation, 0 held\n")
    assert run_program("cite", "TVL 124 § and TVL 999 §")[1].endswith("\n2 citations, 1 held\n")
    absent = json.loads(run_program("cite", "Article 7 of Directive 2099/12/EU", "--json")[1])
    assert [one["citation"] for one in absent["citations"][0]["targets"]] == ["eu:32099L0012/art_7"]


@pytest.mark.parametrize(
    "typed", [("delete", "fi:act:1992/1535"), ("backup", "law.tar.zst"), ("verify",), ("reindex",)]
)
def test_without_a_library_get_is_recommended(typed: tuple[str, ...], own: Path, tmp_path: Path) -> None:
    assert run_program(*typed)[0::2] == (
        3,
        f"pykala: there is no library in {own}; 'pykala get fi' makes one\n",
    )
    named = tmp_path / "none"
    said = run_program(*typed, "--library", str(named))[2]
    assert said == f"pykala: there is no library in {named}; 'pykala get fi --library {named}' makes one\n"


def test_a_decision_is_not_headed_by_its_own_citation() -> None:
    told = run_program("show", "KHO 2025:46")[1]
    assert "\nKHO 2025:46\n" in told


@pytest.mark.parametrize("verb", ["works", "show", "diff", "tree", "history", "search", "cite"])
def test_a_verb_without_a_question_does_not_speak_of_one(verb: str) -> None:
    (language,) = (one for one in loaded(verb).params if "--language" in one.opts)
    assert "question" not in language.help
    assert "default" in language.help


def test_lines_that_go_on_are_indented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    _, told, _ = run_program("related", "TVL 124 §")
    edges = told.partition("\n\n")[2].splitlines()[1:]
    indents = {(line.lstrip()[0] in "←→?", len(line) - len(line.lstrip())) for line in edges}
    assert indents == {(True, 2), (False, 6)}
    asked = ("changes", "--since", "2015-01-01", "--until", "2016-12-31")
    _, told, _ = run_program(*asked)
    lines = told.partition("\n\n")[2].splitlines()[1:]
    works = json.loads(run_program(*asked, "--json")[1])["works"]
    assert len(lines) > len(works)
    assert [line.startswith(" ") for line in lines].count(False) == len(works)


def test_a_hanging_line_loses_no_word_and_no_space() -> None:
    out = io.StringIO()
    line = "Employment Insurance Act  16 amended, 1 repealed  ca:act:E-5.6"
    print_hanging(Console(file=out, width=40), Text(line), 0, 4)
    first, *rest = out.getvalue().splitlines()
    assert first.startswith("Employment Insurance Act")
    assert rest
    assert all(one.startswith("    ") and one[4] != " " for one in rest)
    assert " ".join(out.getvalue().split()) == " ".join(line.split())
    out = io.StringIO()
    print_hanging(Console(file=out, width=70), Text(line), 0, 4)
    assert out.getvalue().rstrip() == line


def test_a_search_that_failed_says_once_to_try_again() -> None:
    class Failing:
        def get(self, url: str, headers: object) -> object:
            raise FetchFailed(url, "no answer, 4 times over; try again later")

    with pytest.raises(SourceUnreachable) as told:
        _ask(Failing(), "SELECT 1", ENDPOINT)  # type: ignore[arg-type]
    assert str(told.value).count("try again later") == 1


def test_a_list_of_several_places_says_how_it_is_ordered() -> None:
    told = run_program("ask", "holiday pay", "--as-of", date(2026, 1, 1).isoformat())[1]
    assert "\nPossibly related, the likeliest places first\n" in told
    of_one = run_program("ask", "holiday pay", "--jurisdiction", "ca")[1]
    assert "likeliest places" not in of_one


def test_a_message_has_neither_line_breaks_nor_the_tabs_of_a_list() -> None:
    assert one_line("Choose from:\n\tadd,\n\tlist") == "Choose from: add, list"
    assert one_line("No work 'a  b'") == "No work 'a  b'"
