"""The pack as a whole: its facts, and how it cites and addresses what it holds."""

from __future__ import annotations

import pytest

from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Work, WorkKind
from pykala.packs.finland import pack
from pykala.packs.pack import Pack

TVL = Work(
    WorkId("fi:act:1992/1535"),
    WorkKind.ACT,
    100,
    titles=(("fi", "Tuloverolaki"), ("sv", "Inkomstskattelag"), ("en", "Income Tax Act")),
    abbreviations=("TVL", "tuloverolaki"),
)
KEY = Work(
    WorkId("fi:act:1995/1551"),
    WorkKind.ACT,
    100,
    titles=(("fi", "Laki x-verosta"), ("sv", "Lag om källskatt")),
)
UNNUMBERED = Work(
    WorkId("fi:statute:laki-x-veron-muuttamisesta"),
    WorkKind.ACT,
    100,
    titles=(("fi", "Laki x-veron muuttamisesta"),),
)
KHO = Work(WorkId("fi:kho:2025/46"), WorkKind.CASE, 80, titles=(("fi", "KHO 2025:46"),))
OLD = Work(WorkId("fi:kho:1994-B-559"), WorkKind.CASE, 80)
KVL = Work(WorkId("fi:kvl:2024/4"), WorkKind.CASE, 70)
VERO = Work(WorkId("fi:vero:konserniavustus"), WorkKind.GUIDANCE, 60, titles=(("fi", "Konserniavustus"),))


def test_it_is_a_pack() -> None:
    held: Pack = pack
    facts = held.facts
    assert (facts.code, facts.default_language, facts.languages) == ("fi", "fi", ("fi", "sv", "en"))
    assert facts.authority == {
        "statute": 100,
        "decree": 95,
        "treaty": 90,
        "vero_decision": 85,
        "kho": 80,
        "kvl": 70,
        "vero": 60,
    }
    assert all(facts.authority_reasons[kind] for kind in facts.authority)
    assert facts.abbreviations["TVL"] == "fi:act:1992/1535"
    assert {"fi", "sv", "en"} <= set(facts.exception_cues) & set(facts.yielding_cues)
    assert all(WorkId(target) for target in facts.abbreviations.values())


@pytest.mark.parametrize(
    ("work", "path", "language", "expected"),
    [
        (TVL, "/sec_124/subsec_2", "fi", "TVL 124 § 2 mom."),
        (TVL, "/sec_33a/subsec_2/para_3", "fi", "TVL 33 a § 2 mom. 3 kohta"),
        (TVL, "/sec_33a/subsec_2", "sv", "33 a § 2 mom. inkomstskattelagen (1535/1992)"),
        (TVL, "/sec_124/subsec_2", "en", "Income Tax Act (1535/1992), section 124, subsection 2"),
        (TVL, "/sec_33a", "fr", "Income Tax Act (1535/1992), section 33a"),
        (TVL, "", "fi", "TVL"),
        (TVL, "/entry_1", "fi", "TVL voimaantulosäännös"),
        (KEY, "/chp_2/sec_4", "fi", "Laki x-verosta (1551/1995) 2 luku 4 §"),
        (KEY, "/sec_4", "sv", "4 § lagen om källskatt (1551/1995)"),
        (UNNUMBERED, "/sec_1", "fi", "Laki x-veron muuttamisesta 1 §"),
        (UNNUMBERED, "", "sv", "Laki x-veron muuttamisesta"),
        (KHO, "/headnote_1/para_2", "fi", "KHO 2025:46"),
        (OLD, "", "sv", "KHO 1994-B-559"),
        (KVL, "/headnote_1", "fi", "KVL:004/2024"),
        (VERO, "/sec_2.1/para_3", "fi", "Konserniavustus, luku 2.1"),
        (VERO, "/intro_1", "en", "Konserniavustus"),
    ],
)
def test_citations_are_those_of_lawyers(work: Work, path: str, language: str, expected: str) -> None:
    assert pack.cite(ProvisionId.parse(f"{work.id}{path}"), work, language) == expected


@pytest.mark.parametrize(
    ("work", "path", "language", "expected"),
    [
        (TVL, "/sec_124/subsec_2", "fi", "https://www.finlex.fi/fi/lainsaadanto/1992/1535#sec_124"),
        (TVL, "/sec_124", "sv", "https://www.finlex.fi/sv/lagstiftning/1992/1535#sec_124"),
        (TVL, "/sec_124", "en", "https://www.finlex.fi/en/legislation/translations/1992/1535#sec_124"),
        (TVL, "/entry_1", "fi", "https://www.finlex.fi/fi/lainsaadanto/1992/1535"),
        (KEY, "/chp_2/sec_4", "fi", "https://www.finlex.fi/fi/lainsaadanto/1995/1551#chp_2__sec_4"),
        (
            KHO,
            "/head_1",
            "fi",
            "https://www.finlex.fi/fi/oikeuskaytanto/korkein-hallinto-oikeus/ennakkopaatokset/2025/46",
        ),
        (
            OLD,
            "",
            "sv",
            "https://www.finlex.fi/sv/rattspraxis/hogsta-forvaltningsdomstolen/prejudikat/1994/B-559",
        ),
        (KVL, "", "fi", "https://www.vero.fi/syventavat-vero-ohjeet/ennakkoratkaisut/"),
        (VERO, "/sec_1", "fi", "https://www.vero.fi/syventavat-vero-ohjeet/ohje-hakusivu/"),
    ],
)
def test_addresses_are_official(work: Work, path: str, language: str, expected: str) -> None:
    assert pack.url(ProvisionId.parse(f"{work.id}{path}"), work, language) == expected


@pytest.mark.parametrize(
    ("asked", "target"),
    [
        ("1551/1995 2 § 3 mom", "fi:act:1995/1551/sec_2/subsec_3"),
        ("1535/1992 124 §", "fi:act:1992/1535/sec_124"),
        ("laki 1551/1995 2 §", "fi:act:1995/1551/sec_2"),
    ],
)
def test_a_question_may_name_an_act_by_its_bare_number(asked: str, target: str) -> None:
    context = CitationContext("fi")
    (citation,) = pack.find_citations(asked, context)
    assert (citation.start, citation.end, citation.text) == (0, len(asked), asked)
    assert [str(lead.target) for lead in pack.resolve(citation, context)] == [target]
