"""An answer as prose for chats is in the language of its question, but for the law's own names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from pykala.law.answers import CaveatKind
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.views.prose import answer_text

DAY = date(2026, 6, 1)
KEY_EMPLOYEE = "fi:act:1995/1551/sec_2/subsec_3"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


@pytest.mark.parametrize(
    ("language", "headings", "words"),
    [
        (
            "en",
            ["Sources", "Beside it", "Conflicts", "Note"],
            ("Law in force on 2026-06-01.", "guidance on it"),
        ),
        (
            "fi",
            ["Lähteet", "Sen rinnalla", "Ristiriidat"],
            ("2026-06-01 voimassa oleva laki.", "sitä koskeva ohje", "voimassa 2024-01-01 lukien"),
        ),
        (
            "sv",
            ["Källor", "Vid sidan av den", "Motsägelser"],
            ("Lagen i kraft 2026-06-01.", "anvisning om den"),
        ),
        (
            "fr",
            ["Sources", "À côté", "Contradictions", "Remarques"],
            ("Droit en vigueur le 2026-06-01.", "instruction à son sujet"),
        ),
    ],
)
def test_headings_and_relations_follow_the_answer(
    sample: Library, language: str, headings: list[str], words: tuple[str, ...]
) -> None:
    prose = answer_text(sample.ask(KEY_EMPLOYEE, as_of=DAY, language=language))
    notice, *below = (line.strip("*") for line in prose.splitlines() if line.startswith("**"))
    assert "pykala get" in notice
    assert below == headings
    assert [one for one in words if one not in prose] == []


def test_the_sample_says_above_the_answer_and_once_that_it_is_no_law(sample: Library) -> None:
    one = "What is the general VAT rate in Finland?"
    for question in (one, f"{one} What is the tax rate on capital income in Finland?"):
        answer = sample.ask(question, as_of=DAY)
        prose = answer_text(answer)
        (notice,) = (caveat.message for caveat in answer.caveats if caveat.kind is CaveatKind.SAMPLE)
        assert prose.startswith(f"**{notice}**\n\n"), prose
        assert prose.count(notice) == 1


def test_no_answer_is_told_in_the_questions_language(sample: Library) -> None:
    prose = answer_text(sample.ask("Hur hög är skatten på kapitalinkomst i Tyskland?", as_of=DAY))
    assert "\n\n**Utanför biblioteket.** Frågan gäller Tyskland;" in prose
    assert "**Närmaste bestämmelser**" in prose
