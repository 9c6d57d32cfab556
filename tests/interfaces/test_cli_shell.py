"""The command line as a shell expects it: version, help, completion, settings, slips, greetings."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections import defaultdict
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

import pykala
from pykala.interfaces.cli import render_answer
from pykala.interfaces.cli.configuring import settings_page
from pykala.interfaces.cli.main import run as run_command
from pykala.interfaces.cli.terminal import console
from pykala.interfaces.cli.verbs import CAREFUL, GROUPS, VERBS, loaded
from pykala.law.answers import Cost
from pykala.settings import Settings
from pykala.settings_table import SETTINGS, SettingsUnreadable, read_file, setting_of
from pykala.settings_values import KINDS

DOCS = Path(__file__).parents[2] / "docs"
QUESTION = "What is the tax rate on capital income above 30 000 euros in Finland?"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _settings(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(cache))
    monkeypatch.setenv("PYKALA_LIBRARY", str(cache / "own"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)


def run(*arguments: str) -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = run_command(arguments)
    return code, stdout.getvalue(), stderr.getvalue()


def test_the_version_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == (0, f"pykala {pykala.__version__}\n", "")


def test_it_runs_as_a_module_and_completes_verbs() -> None:
    environment = {
        **os.environ,
        "_PYKALA_COMPLETE": "complete_bash",
        "COMP_WORDS": "pykala se",
        "COMP_CWORD": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "pykala"], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.stdout.split() == ["search", "serve"]


def test_help_shows_every_verb_in_a_group_with_its_whole_sentence() -> None:
    code, told, _ = run("-h")
    assert code == 0
    assert run("--help")[1] == told
    assert "--install-completion" in told
    assert "…" not in told
    assert "..." not in told.replace("[ARGS]...", "")
    assert max(map(len, told.splitlines())) <= 80
    for group, verbs in GROUPS.items():
        assert f"\n{group}:\n" in told
        for verb in verbs:
            assert f"\n  {verb} " in told


@pytest.mark.parametrize("verb", VERBS)
def test_help_knows_a_verbs_sentence_before_the_verb_is_loaded(verb: str) -> None:
    _, sentence = VERBS[verb]
    assert loaded(verb).get_short_help_str(1_000) == sentence


@pytest.mark.parametrize("asked", [("--version",), ("--help",), ()])
def test_version_and_help_load_no_library(asked: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, *asked], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stderr == ""


_LOADED = """
import sys
from pykala.interfaces.cli.main import run
assert run(sys.argv[1:]) == 0
heavy = {"numpy", "lxml", "tantivy", "httpx", "pydantic", "pykala.library", "pykala.retrieve"}
assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()
"""


def test_a_question_loads_nothing_that_reads_sources_or_serves() -> None:
    assert run("ask", QUESTION)[0] == 0  # builds the sample, which reads sources
    done = subprocess.run(
        [sys.executable, "-c", _ASKED, "ask", QUESTION],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert done.stderr == ""


_ASKED = """
import sys
from pykala.interfaces.cli.main import run
assert run(sys.argv[1:]) == 0
heavy = {"asyncio", "multiprocessing", "httpx", "pykala.ingest", "pykala.library.inbox", "pykala.online.acts"}
heavy |= {"lxml", "markdown_it", "pykala.packs.uploads.reading"}
assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()
"""


def test_words_need_no_quotation_marks() -> None:
    code, told, _ = run("ask", *QUESTION.split(), "--json")
    assert code == 0
    assert json.loads(told)["question"] == QUESTION
    assert "section 124, subsection 2" in run("show", "TVL", "124", "§", "2", "mom", "--language", "en")[1]


@pytest.mark.parametrize(
    ("typed", "code", "says"),
    [
        (("serach", "capital", "income"), 0, "read 'serach' as 'search'"),
        (("stat",), 0, "read 'stat' as 'stats'"),
        (("delet", "fi:act:1992/1535"), 2, "No such command 'delet'"),
        (("xyzzy",), 2, "No such command"),
    ],
)
def test_a_slip_in_a_verb_is_forgiven_where_it_does_no_harm(
    typed: tuple[str, ...], code: int, says: str
) -> None:
    done, _, said = run(*typed)
    assert (done, says in said) == (code, True), said
    assert {"delete", "restore"} <= CAREFUL


@pytest.mark.parametrize(
    ("system", "hello", "greeted"),
    [
        ("fi_FI.UTF-8", "hello", "Hei. Kysy laista"),
        ("sv_SE.UTF-8", "Moi!", "Hej. Fråga om lag"),
        ("fr_CA.UTF-8", "good morning", "Bonjour. Posez une question"),
        ("de_DE.UTF-8", "hi", "Hello. Ask a question"),
        ("C", "hej", "Hello. Ask a question"),
    ],
)
def test_who_says_hello_is_greeted_in_the_systems_language(
    monkeypatch: pytest.MonkeyPatch, system: str, hello: str, greeted: str
) -> None:
    monkeypatch.setenv("LANG", system)
    code, told, _ = run("ask", hello)
    assert (code, told.startswith(greeted)) == (0, True), told


def test_the_sample_says_above_the_answer_that_it_is_no_law() -> None:
    told = run("ask", QUESTION)[1]
    first = told.splitlines()[0]
    assert first == "Sample: paraphrases, not law. Get the law itself: pykala get fi"
    assert told.count("paraphrases") == 1
    assert "law's own words" not in told
    assert run("show", "TVL 124 §")[1].startswith("Sample: ")
    assert run("search", "capital income")[1].startswith("Sample: ")
    assert run("ask", "Mikä on pääomatulon veroprosentti?")[1].startswith("Esimerkki: mukaelmia, ei lakia.")
    # Where nothing answers, the law to get is that which may bear on the question.
    told = run("ask", "Can my landlord raise the rent in New York?")[1]
    assert told.splitlines()[0].endswith("Get the law itself: pykala get nyc")


def test_no_line_ends_with_a_space() -> None:
    for asked in (("ask", QUESTION), ("show", "TVL 124 §"), ("stats",), ("works",), ("config",)):
        assert [line for line in run(*asked)[1].splitlines() if line != line.rstrip()] == []


def test_without_grading_the_best_candidate_answers() -> None:
    hard = "When must a company in Finland file its VAT return?"
    graded = json.loads(run("ask", hard, "--json")[1])
    ungraded = json.loads(run("ask", hard, "--json", "--no-grading")[1])
    assert graded["primary"] is None
    assert ungraded["primary"] is not None


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (0.0, "0.00"),
        (0.25, "0.25"),
        (0.0112, "0.0112"),
        (0.00042, "0.00042"),
        (12.5, "12.50"),
        (1234.0, "1,234.00"),
    ],
)
def test_a_cost_has_digits_that_say_something(amount: float, shown: str) -> None:
    assert render_answer.money(Cost(amount=amount).amount) == shown


def test_works_are_listed_and_found_by_their_names() -> None:
    everything = json.loads(run("works", "--json")[1])
    assert everything["total"] == len(everything["works"]) > 10
    (found,) = json.loads(run("works", "TVL", "--json")[1])["works"]
    assert (found["work"], found["title"]) == ("fi:act:1992/1535", "Income Tax Act")
    assert "fi:act:1992/1535" not in run("works", "tax", "--jurisdiction", "ca")[1]
    assert "more; give words, or --limit" in run("works", "--limit", "2")[1]
    assert "\n\nNo work of this library fits" in run("works", "no", "such", "act")[1]


def test_how_fast_the_library_answers_here_is_measured() -> None:
    code, told, _ = run("bench", "--questions", "3", "--json")
    found = json.loads(told)
    assert (code, found["questions"]) == (0, 3)
    assert 0 < found["median"] <= found["p95"] <= found["worst"]
    assert found["processor"] > 0
    assert run("bench", "--questions", "1")[1].startswith("opened in ")


def test_every_variable_that_is_read_is_in_the_table() -> None:
    asked: set[str] = set()

    class Recording(defaultdict[str, str]):
        def get(self, name: str, default: str = "") -> str:  # type: ignore[override]
            asked.add(name)
            return default

        def __contains__(self, name: object) -> bool:
            asked.add(str(name))
            return False

    Settings.read(Recording())
    ours = {name for name in asked if name.startswith("PYKALA_")}
    assert {name for name in ours if setting_of(name) is None} == set()
    assert {one.name for one in SETTINGS if not one.by_pack} - ours <= {"PYKALA_TELEMETRY_QUESTIONS"}


def test_the_page_of_settings_is_made_of_the_table() -> None:
    assert (DOCS / "settings.md").read_text("utf-8") == settings_page()


def test_a_settings_file_counts_below_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pykala.toml"
    file.write_text(
        'home_place = "fi"\nworkers = 3\nkey_nyc = "secret"\napi_keys = ["a", "b"]\n'
        "telemetry_questions = true\n"
    )
    monkeypatch.setenv("PYKALA_CONFIG", str(file))
    monkeypatch.setenv("PYKALA_WORKERS", "2")
    settings = Settings.read()
    assert (settings.home, settings.workers, settings.keys) == ("fi", 2, {"nyc": "secret"})
    assert settings.api_keys == ("a", "b")
    shown = {row["name"]: row for row in json.loads(run("config", "--json")[1])}
    assert shown["PYKALA_HOME_PLACE"]["set_in"] == str(file)
    assert shown["PYKALA_WORKERS"]["set_in"] == "environment"
    assert shown["PYKALA_KEY_NYC"]["value"] == "(set, not shown)"
    assert "secret" not in run("config")[1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('hom_place = "fi"', "did you mean 'home_place'?"),
        ("workers = [1]", "'workers' may be a whole number from 0 on"),
        ("workers = 1.5", "'workers' may be a whole number from 0 on"),
        ("workers = true", "'workers' may be a whole number from 0 on"),
        ('processes = "many"', "'processes' may be a whole number from 0 to 64"),
        ("processes = 65", "'processes' may be a whole number from 0 to 64"),
        ("month_cap = -1", "'month_cap' may be a number from 0 on"),
        ("month_cap = nan", "'month_cap' may be a number from 0 on"),
        ("library = 5", "'library' may be a text in quotes"),
        ('library = ["a", "b"]', "'library' may be a text in quotes"),
        ("key_nyc = 5", "'key_nyc' may be a text in quotes"),
        ("api_keys = [1]", "'api_keys' may be a text in quotes, or a list of them"),
        ("metrics = 2", "'metrics' may be 1 or 0"),
        ("workers = ", "no settings file that can be read"),
    ],
)
def test_a_mistake_in_the_settings_file_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, says: str
) -> None:
    file = tmp_path / "pykala.toml"
    file.write_text(text)
    with pytest.raises(SettingsUnreadable, match=says.replace("?", r"\?")):
        read_file(file)
    monkeypatch.setenv("PYKALA_CONFIG", str(file))
    code, _, said = run("stats")
    assert (code, says in said) == (2, True), said
    monkeypatch.setenv("PYKALA_CONFIG", str(tmp_path / "none"))
    assert run("stats")[0] == 2


def test_the_command_that_an_unknown_setting_names_lists_them_despite_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pykala.toml"
    file.write_text("nonsense = 1")
    monkeypatch.setenv("PYKALA_CONFIG", str(file))
    said = run("stats")[2]
    assert "'pykala config --markdown' lists them" in said
    code, output, _ = run("config", "--markdown")
    assert (code, "`home_place`" in output) == (0, True)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("PYKALA_PROCESSES", "abc", "a whole number from 0 to 64"),
        ("PYKALA_PROCESSES", "65", "a whole number from 0 to 64"),
        ("PYKALA_REQUESTS_PER_MINUTE", "-5", "a whole number from 0 on"),
        ("PYKALA_WORKERS", "2.5", "a whole number from 0 on"),
        ("PYKALA_MODEL_BUDGET", "9" * 50, "a whole number from 0 on"),
        ("PYKALA_MONTH_CAP", "inf", "a number from 0 on"),
        ("PYKALA_ANSWER_CAP", "cheap", "a number from 0 on"),
        ("PYKALA_METRICS", "ture", "1 or 0"),
        ("PYKALA_TELEMETRY", "oltp", "otlp or none"),
        ("PYKALA_AUDIT", "all", "0, 1 or questions"),
    ],
)
def test_a_value_that_a_setting_cannot_have_is_said(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str
) -> None:
    monkeypatch.setenv(name, value)
    code, _, said = run("config")
    assert (code, said) == (2, f"pykala: {name} is {value[:40]!r}; it may be {says}\n")
    monkeypatch.setenv(name, " ")  # not set
    assert run("config")[0] == 0


def test_settings_that_are_meant_are_taken() -> None:
    given = {"PYKALA_METRICS": "true", "PYKALA_PROCESSES": " 64 ", "PYKALA_MONTH_CAP": "1e2"}
    settings = Settings.read(given)
    assert (settings.metrics, settings.processes, settings.month_cap) == (True, 64, 100.0)
    assert {one.name for one in SETTINGS} > KINDS.keys()


def test_a_settings_file_is_a_small_regular_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large = tmp_path / "large.toml"
    large.write_text("# law\n" * 200_000)
    for path, says in (
        (Path(os.devnull), "must be a regular file"),  # a device; /dev/zero would never end
        (tmp_path, "must be a regular file"),
        (large, "may have 1,048,576 bytes"),
    ):
        monkeypatch.setenv("PYKALA_CONFIG", str(path))
        code, _, said = run("stats")
        assert (code, f"{path}: a settings file {says}" in said) == (2, True), said


def test_what_fills_a_line_up_is_trimmed_and_what_ends_none_is_kept() -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        to = console()
        to.print("a  ", end="")
        to.print("b   ")
    assert out.getvalue() == "a  b\n"


def test_works_that_fit_the_words_best_come_first() -> None:
    listed = json.loads(run("works", "tax", "act", "--json")[1])["works"]
    assert [one["work"] for one in listed][:2] == ["ca:act:E-15", "fi:act:1992/1535"]
    (exact, *_) = json.loads(run("works", "value", "added", "tax", "--json")[1])["works"]
    assert exact["work"] == "fi:act:1993/1501"  # begins with the words; the directive only has them


def test_a_slip_in_the_words_of_a_title_is_forgiven_and_said() -> None:
    code, told, said = run("works", "excsie", "tax")
    assert (code, "ca:act:E-15" in told) == (0, True)
    assert said == "pykala: read 'excsie tax' as 'excise tax'\n"
    assert "pykala search no such act" in run("works", "no", "such", "act")[1]


@pytest.mark.parametrize(
    ("typed", "code", "says"),
    [
        (("hello",), 0, "Hello. Ask a question"),
        (("good", "morning"), 0, "Hello. Ask a question"),
        (("What", "is", "the", "VAT", "rate"), 2, "to ask a question, write 'pykala ask' before it"),
        (("what is the VAT rate",), 2, "to ask a question, write 'pykala ask' before it"),
        (("hsow", "TVL 124 §"), 0, "read 'hsow' as 'show'"),
    ],
)
def test_words_where_a_verb_belongs_are_understood(typed: tuple[str, ...], code: int, says: str) -> None:
    done, told, said = run(*typed)
    assert (done, says in told + said) == (code, True), told + said


def test_a_slip_in_a_places_name_is_forgiven_and_said() -> None:
    told = run("ask", "What is the general VAT rate in Finlan?")[1]
    assert "Understood as: What is the general VAT rate in Finland?" in told
    assert "Canada" not in told


def test_an_address_stands_whole_on_its_own_line() -> None:
    asked = ("search", "standard", "rate", "of", "VAT", "--jurisdiction", "eu")
    addresses = [one["url"] for one in json.loads(run(*asked, "--json")[1])]
    assert max(map(len, addresses)) > 80
    assert [line.strip() for line in run(*asked)[1].splitlines() if "https://" in line] == addresses


def test_a_long_provision_is_shortened_in_an_answer_and_whole_when_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    section = "fi:act:1992/1535/sec_124"
    asked = ("ask", "TVL 124 §", "--as-of", "2026-01-01", "--language", "en")
    shown = run("show", section, "--as-of", "2026-01-01", "--language", "en")[1]
    assert "34 per cent" in run(*asked)[1]
    monkeypatch.setattr(render_answer, "_MOST_LINES", 2)
    told = run(*asked)[1]
    law = shown.partition("\n  in force from")[0].splitlines()  # behind it come dates, address, facts
    left = sum(line.startswith("  ") for line in law) - 2
    assert f"  … {left} more lines: pykala show {section} --as-of 2026-01-01\n" in told
    assert "34 per cent" not in told
    assert "34 per cent" in run("show", section, "--language", "en")[1]


def test_an_open_reference_names_what_is_missing() -> None:
    told = " ".join(run("ask", "What is the general VAT rate in Finland?")[1].split())
    assert "It refers to “section 85 or 85a”; the loaded text has no 85a." in told
