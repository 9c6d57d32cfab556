"""The terminal speaks the language of the answer: nothing around the law is in English."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from string import Formatter

import pytest

from pykala.interfaces.cli.main import run as run_command
from pykala.text.phrases import catalogue

KEY_EMPLOYEE = "fi:act:1995/1551/sec_2/subsec_3"  # a place, which no grade can hide
SHOWN = ("shown", "outcome", "relation", "caveat_kind", "caveat", "conflict", "answer", "acts", "day")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _settings(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(cache))
    monkeypatch.setenv("PYKALA_LIBRARY", str(cache / "own"))
    monkeypatch.setenv("COLUMNS", "400")


def run(*arguments: str) -> str:
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = run_command(arguments)
    assert code == 0, stderr.getvalue()
    return stdout.getvalue()


def telling(language: str) -> list[str]:
    """Pieces of phrases that are long enough to be nobody else's words."""
    return [
        piece.strip()
        for key, phrase in catalogue(language).items()
        if key.split(".")[0] in SHOWN
        for form in ([phrase] if isinstance(phrase, str) else phrase.values())
        for piece, _, _, _ in Formatter().parse(form)
        if len(piece.strip()) > 7
    ]


@pytest.mark.parametrize(
    ("question", "language", "said"),
    [
        (
            KEY_EMPLOYEE,
            "fi",
            ("Vastaus löytyi", "voimassa oleva laki", "Sen rinnalla", "Lähteet ovat ristiriidassa",
             "sitä koskeva ohje", "84 kuukautta", "Etusija on ensin mainitulla", "Esimerkki: "),
        ),
        (
            "Mikä oli pääomatulon veroprosentti verovuonna 2015?",
            "fi",
            ("”verovuonna 2015” on verovuosi", "voimassa 2015-01-01 – 2016-01-01"),
        ),
        ("Mikä on koiravero Saksassa?", "fi", ("Kirjaston ulkopuolella", "(”Saksassa”)")),
        (
            KEY_EMPLOYEE,
            "sv",
            ("Besvarad", "Vid sidan av den", "Källorna säger emot varandra", "har företräde", "Exempel: "),
        ),
        ("Vilka lagar ändrades 2020?", "sv", ("Besvarad", "Vilka", "Ändrade 2020: 1 författning.")),
        (
            "Qui est un petit fournisseur au Canada ?",
            "fr",
            ("Le plus probable", "droit connu jusqu’au", "en vigueur depuis le", "Échantillon : "),
        ),
    ],
)  # fmt: skip
def test_what_stands_around_the_law_is_in_the_questions_language(
    question: str, language: str, said: tuple[str, ...]
) -> None:
    chosen = ("--language", language) if question == KEY_EMPLOYEE else ()
    printed = run("ask", question, *chosen)
    for words in said:
        assert words in printed, printed
    other = [piece for piece in telling("en") if piece not in telling(language) and piece in printed]
    assert other == []


def test_an_english_question_is_answered_in_english() -> None:
    printed = run("ask", KEY_EMPLOYEE, "--language", "en")
    assert {"Answered", "law in force on", "Beside it"} <= {one for one in telling("en") if one in printed}


def test_relations_stay_what_programs_know_them_by() -> None:
    for question in (KEY_EMPLOYEE, "Vilka lagar ändrades 2020?"):
        record = json.loads(run("ask", question, "--json"))
        told = {one["relation"] for one in record["support"]}
        english = {phrase for key, phrase in catalogue("en").items() if key.startswith("relation.")}
        assert told
        assert told <= english
