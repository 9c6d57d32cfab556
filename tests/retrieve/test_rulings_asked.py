"""Who asks what a court has held is answered with its rulings; who asks how to appeal, with the law."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from pykala.law.identifiers import WorkId
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.retrieve.rulings_asked import court_asked


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What has the Supreme Administrative Court said about food couriers?", "kho"),
        ("Mitä KHO on sanonut ruokaläheteistä?", "kho"),
        ("KHO:n ratkaisut peitellystä osingosta", "kho"),
        ("Onko keskusverolautakunta antanut ennakkoratkaisun kryptovaluutoista?", "kvl"),
        ("Vad har HFD ansett om förtäckt dividend?", "kho"),
        ("Qu'a jugé la Cour administrative suprême sur les coursiers ?", "kho"),
        ("Mitä KHO on sanonut oleskelulupahakemuksesta?", "kho"),
        ("What has the Supreme Administrative Court said about parental leave and deadlines?", "kho"),
        ("Miten valitan KHO:n päätöksestä?", ""),
        ("Onko KHO:n päätös lopullinen?", ""),
        ("Is a decision of the Supreme Administrative Court final?", ""),
        ("Is there a time limit to appeal a decision to the Supreme Administrative Court?", ""),
        ("Hur överklagar jag ett beslut till högsta förvaltningsdomstolen?", ""),
        ("Kuka nimittää KHO:n jäsenet?", ""),
        ("What has my employer decided about couriers?", ""),
        ("KHO:n ratkaisut", ""),  # about nothing: every ruling would do
    ],
)
def test_the_court_whose_rulings_are_asked_for(text: str, kind: str) -> None:
    found = court_asked(text, installed())
    assert (found.kind if found else "") == kind


def test_a_court_gives_its_own_rulings_alone() -> None:
    found = court_asked("Mitä KHO on sanonut ruokaläheteistä?", installed())
    assert found is not None
    assert found.gave_ruling(WorkId("fi:kho:2025/41"))
    assert not found.gave_ruling(WorkId("fi:kvl:2025/41"))
    assert not found.gave_ruling(WorkId("fi:act:2001/55"))


@pytest.mark.parametrize(
    "question",
    [
        "Mitä KHO on katsonut työnantajan antamasta ravintoedusta?",
        "What has the Supreme Administrative Court ruled about meal benefits that an employer gives?",
    ],
)
def test_only_rulings_of_the_court_are_shown(sample: Library, question: str) -> None:
    answer = sample.ask(question, as_of=date(2026, 6, 1))
    assert answer.evidence
    assert {str(one.provision.work) for one in answer.evidence} == {"fi:kho:2025/46"}
    assert answer.outcome.name in {"ANSWERED", "LIKELY", "GUIDANCE"}
