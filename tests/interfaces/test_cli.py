"""The command line as people and programs use it, over the sample library."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from pykala.interfaces.cli.main import run as run_command

CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"
ANSWER_NAMES = {
    "id", "question", "language", "as_of", "outcome", "text", "primary", "support", "path", "claims",
    "caveats", "conflicts", "evidence", "unresolved", "trace", "cost",
}  # fmt: skip


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _settings(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(cache))
    monkeypatch.setenv("PYKALA_LIBRARY", str(cache / "own"))
    monkeypatch.setenv("COLUMNS", "100")


@dataclass(frozen=True)
class Result:
    exit_code: int
    stdout: str
    stderr: str

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


def run(*arguments: str) -> Result:
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = run_command(arguments)
    return Result(code, stdout.getvalue(), stderr.getvalue())


def said(*arguments: str) -> object:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_first_question() -> None:
    answer = said("ask", CAPITAL_INCOME, "--as-of", "2026-01-01")
    assert isinstance(answer, dict)
    assert answer.keys() >= ANSWER_NAMES
    assert answer["outcome"] == "ANSWERED"
    primary = answer["primary"]
    assert primary["provision"] == "fi:act:1992/1535/sec_124/subsec_2"
    assert "34 per cent" in answer["text"]
    assert primary["url"].startswith("https://www.finlex.fi/")
    citation = answer["claims"][0]["citations"][0]
    assert primary["text"][citation["start"] : citation["end"]] == citation["quote"]
    assert answer["cost"] == {"tokens_in": 0, "tokens_out": 0, "amount": 0.0, "currency": "EUR"}
    assert [stage["stage"] for stage in answer["trace"]] == [
        "understand", "search", "grade", "pinpoint", "walk", "answer",
    ]  # fmt: skip
    assert "SAMPLE" in {caveat["kind"] for caveat in answer["caveats"]}


def test_people_see_the_quote_the_citation_and_the_link() -> None:
    result = run("ask", CAPITAL_INCOME)
    assert result.exit_code == 0
    shown = " ".join(result.output.split())
    for expected in (
        "Answered",
        "section 124",
        "34 per cent",
        "https://www.finlex.fi/",
        "Sample: paraphrases, not law",
        "0.00 EUR",
    ):
        assert expected in shown


@pytest.mark.parametrize(
    ("question", "primary"),
    [
        ("Mikä on pääomatulon veroprosentti yli 30 000 euron osalta?", "fi:act:1992/1535/sec_124/subsec_2"),
        ("Hur hög är skattesatsen för kapitalinkomst över 30 000 euro?", "fi:act:1992/1535/sec_124/subsec_2"),
        ("TVL 124 § 2 mom", "fi:act:1992/1535/sec_124/subsec_2"),
        ("fi:act:1992/1535/sec_124/subsec_2", "fi:act:1992/1535/sec_124/subsec_2"),
    ],
)
def test_the_same_provision_is_found_in_every_language(question: str, primary: str) -> None:
    answer = said("ask", question)
    assert answer["primary"]["provision"] == primary  # type: ignore[index]


@pytest.mark.parametrize(
    ("question", "outcome"),
    [
        ("How do I bake sourdough bread?", "OUTSIDE_CORPUS"),
        ("Which spacecraft may land on the moon of Jupiter?", "OUTSIDE_CORPUS"),
    ],
)
def test_no_law_is_made_up(question: str, outcome: str) -> None:
    answer = said("ask", question)
    assert (answer["outcome"], answer["primary"], answer["claims"]) == (outcome, None, [])  # type: ignore[index]


def test_the_wording_of_the_date_answers() -> None:
    texts = {year: said("ask", CAPITAL_INCOME, "--as-of", f"{year}-06-01")["text"] for year in (2014, 2026)}  # type: ignore[index]
    assert "34 per cent" in texts[2026]
    assert "34 per cent" not in texts[2014]


def test_a_batch_goes_on_after_a_bad_line(tmp_path: Path) -> None:
    lines = [
        json.dumps({"id": "a", "question": CAPITAL_INCOME, "as_of": "2026-01-01", "jurisdiction": "fi"}),
        "not json",
        "",
        json.dumps({"id": "c"}),
        json.dumps({"id": "d", "question": "x", "as_of": "yesterday"}),
        json.dumps({"id": "e", "question": "Quel est le taux de la TPS ?", "language": "fr"}),
    ]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n".join(lines), "utf-8")
    result = run("ask", "--batch", str(batch))
    assert result.exit_code == 0
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(one["id"], "error" in one) for one in answers] == [
        ("a", False),
        ("2", True),
        ("c", True),
        ("d", True),
        ("e", False),
    ]
    assert answers[0]["primary"]["provision"] == "fi:act:1992/1535/sec_124/subsec_2"


def test_search_gives_the_promised_names() -> None:
    found = said("search", "capital income", "--language", "en", "--limit", "3")
    assert isinstance(found, list)
    assert 0 < len(found) <= 3
    for one in found:
        assert one.keys() >= {
            "provision", "work", "citation", "url", "score", "text", "language",
            "valid_from", "valid_to", "authority",
        }  # fmt: skip
        assert one["language"] == "en"


def test_show_gives_the_promised_names() -> None:
    shown = said("show", "fi:act:1992/1535/sec_124", "--language", "fi")
    assert isinstance(shown, dict)
    assert shown.keys() >= {
        "provision", "citation", "url", "text", "heading", "language",
        "valid_from", "valid_to", "event", "source", "children",
    }  # fmt: skip
    assert "fi:act:1992/1535/sec_124/subsec_2" in {child["provision"] for child in shown["children"]}


@pytest.mark.parametrize(
    ("citation", "language"),
    [
        ("inkomstskattelagen 124 §", "sv"),
        ("TVL 124 §", "fi"),
        ("Excise Tax Act, s. 165(1)", "en"),
        ("Loi sur la taxe d'accise, art. 165", "fr"),
    ],
)
def test_show_speaks_the_language_of_the_citation(citation: str, language: str) -> None:
    shown = said("show", citation)
    assert isinstance(shown, dict)
    assert shown["language"] == language


def test_show_on_a_date() -> None:
    old = said("show", "fi:act:1992/1535/sec_124/subsec_2", "--as-of", "2014-06-01", "--language", "en")
    new = said("show", "fi:act:1992/1535/sec_124/subsec_2", "--as-of", "2020-06-01", "--language", "en")
    assert old["text"] != new["text"]  # type: ignore[index]
    assert old["valid_to"] <= new["valid_from"]  # type: ignore[index]


def test_related_and_stats() -> None:
    related = said("related", "fi:kho:2025/46", "--hops", "2")
    assert {one["kind"] for one in related["edges"]} >= {"applies"}  # type: ignore[index]
    stats = said("stats")
    assert stats["works"]["fi/act"] >= 3  # type: ignore[index]
    assert run("related", "fi:kho:2025/46").exit_code == 0
    assert run("stats").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (
            ("show", "fi:act:1992/1535/sec_999"),
            2,
            "nearest it has is fi:act:1992/1535 (try 'pykala tree fi:act:1992/1535')",
        ),
        (("show", "fi:act:1800/1/sec_1"), 2, "not in this library"),
        (("show", "hullabaloo"), 2, "write an identifier such as"),
        (("show", "fi:act:1992/1535/sec_124", "--as-of", "31.12.2019"), 2, "YYYY-MM-DD"),
        (("ask",), 2, "give a question"),
        (("ask", "  "), 2, "give a question"),
        (("ask", "x", "--language", "de"), 2, "there are: en, fi, fr, sv"),
        (("search", "x", "--kind", "poem"), 2, "'poem' is not a kind"),
        (("ask", "x", "--jurisdiction", "zz"), 2, "no pack 'zz'"),
        (("ask", "x", "--wrong-flag"), 2, "No such option: --wrong-flag; see 'pykala ask --help'"),
        (("frobnicate",), 2, "No such command 'frobnicate'"),
        (("search", "x", "--limit", "many"), 2, "--limit"),
        (("ask", "x", "--library", "/nonexistent/library"), 3, "there is no library"),
        (("related", "fi:act:1992/1535/sec_999"), 2, "nearest"),
        (("ingest", "ca", "--from", "/nonexistent.tar.zst"), 2, "nonexistent.tar.zst"),
        (("ingest", "zz", "--from", "."), 2, "no pack 'zz'"),
        (("delete", "ca:act:NONE"), 3, "there is no library"),
        (("reindex",), 3, "there is no library"),
    ],
)
def test_a_mistake_gets_one_line_that_says_what_to_do(
    arguments: tuple[str, ...], code: int, words: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_ingest_into_a_library_of_ones_own(tmp_path: Path) -> None:
    import pykala.packs.canada

    source = Path(pykala.packs.canada.__file__).parent / "sample"
    library = tmp_path / "own"
    first = said("ingest", "ca", "--from", str(source), "--library", str(library))
    again = said("ingest", "ca", "--from", str(source), "--library", str(library))
    assert first["read"] > 0  # type: ignore[index]
    assert (again["read"], again["unchanged"]) == (0, first["read"])  # type: ignore[index]
    result = run("ingest", "ca", "--from", str(source), "--library", str(library))
    assert "unchanged" in result.output
    found = said("search", "insurable employment", "--library", str(library))
    assert found
    work = found[0]["work"]  # type: ignore[index]
    assert run("delete", work, "--library", str(library)).exit_code == 0
    assert run("show", work, "--library", str(library)).exit_code == 2


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Path]:
    return tmp_path


def test_the_installed_command_works_from_anywhere(elsewhere: Path, cache: Path) -> None:
    command = Path(sys.executable).parent / "pykala"
    done = subprocess.run(
        [str(command), "ask", CAPITAL_INCOME, "--json"],
        cwd=elsewhere,
        env={**os.environ, "PYKALA_CACHE": str(cache)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["outcome"] == "ANSWERED"


def test_an_upload_is_read_cited_as_one_and_removed(tmp_path: Path) -> None:
    inbox, library = tmp_path / "inbox", str(tmp_path / "own")
    inbox.mkdir()
    (inbox / "lease.md").write_text(
        "# Lease\n\n## 1. Rent\n\nThe monthly rent of the barn is 900 euros.\n", "utf-8"
    )
    (inbox / "empty.txt").write_text("", "utf-8")
    report = said("inbox", str(inbox), "--library", library)
    assert (report["added"], len(report["refused"])) == (["lease.md"], 1)  # type: ignore[index]
    answer = said("ask", "How much is the monthly rent of the barn?", "--library", library)
    assert "900 euros" in answer["text"]  # type: ignore[index]
    assert answer["primary"]["citation"].startswith("Upload “lease.md”")  # type: ignore[index]
    assert answer["primary"]["authority"] == 10  # type: ignore[index]
    work = answer["primary"]["provision"].split("/")[0]  # type: ignore[index]
    assert run("delete", work, "--library", library).exit_code == 0
    assert said("ask", "How much is the monthly rent of the barn?", "--library", library)["primary"] is None  # type: ignore[index]
    again = run("inbox", str(inbox), "--library", library)
    assert "0 files read" in again.output


def test_a_tree_has_numbers_titles_and_sentences() -> None:
    tree = said("tree", "fi:act:1992/1535", "--language", "en")
    assert tree["title"] == "Income Tax Act"  # type: ignore[index]
    shown = run("tree", "TVL", "--language", "en").output
    assert "124 § Tax on earned income and capital income" in shown


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("fetch", "nyc", "bank"), "its publisher is not searched here"),
        (("fetch", "zz", "bank"), "no pack 'zz'"),
        (("fetch", "eu", " ?! "), "no words to search for"),
        (("fetch", "eu", "bank", "--limit", "0"), "--limit"),
    ],
)
def test_a_fetch_that_cannot_be_made_says_so(asked: tuple[str, ...], said: str) -> None:
    result = run(*asked)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_pack_without_a_live_source_says_so() -> None:
    result = run("ingest", "up")
    assert result.exit_code == 2
    assert "--from" in result.stderr
