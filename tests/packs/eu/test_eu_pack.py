"""Grouping, facts of works, citations and addresses, anchors, Markdown, pairs of languages."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest

from eu_making import consolidated, facts, folder, official_journal, place, read, read_state
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Work, WorkKind
from pykala.packs.eu import pack
from pykala.packs.eu.source_files import StateFacts, understand
from pykala.packs.eu.work_facts import describe, kind_of


@pytest.mark.parametrize(
    ("path", "work", "corrigendum", "form"),
    [
        ("32006l0112/meta.json", "32006L0112", "", "facts"),
        ("x/32006l0112/versions/2007-01-01--3c7cf02e/en.xml", "32006L0112", "", "page"),
        (
            "32006l0112/versions/2007-01-01--3c7cf02e/fr.fmx4/CL2006L0112FR0010010.0001.xml",
            "32006L0112",
            "",
            "formex",
        ),
        ("32006l0112r(01)/versions/2007-12-20--3c7cf02e/en.xml", "32006L0112", "01", "page"),
        ("12012e-txt/versions/2012-10-26--99466b1d/en.html", "12012E/TXT", "", "page"),
    ],
)
def test_paths_are_understood(path: str, work: str, corrigendum: str, form: str) -> None:
    found = understand(path)
    assert found is not None
    assert (found.work, found.corrigendum, found.format) == (work, corrigendum, form)


@pytest.mark.parametrize(
    "path",
    ["README.md", "32006l0112/versions/2007-01-01--3c7cf02e/de.xml", "32006l0112/x.fmx4/a.xml",
     "32006l0112/versions/2007-01-01--3c7cf02e/en.fmx4/CL2006L0112EN0010010.0001.doc.xml"],
)  # fmt: skip
def test_other_paths_are_left_out(path: str) -> None:
    assert understand(path) is None


def test_all_files_of_a_work_are_one_item() -> None:
    paths = [
        "32030l0007r(01)/versions/2031-03-01--bbbbbbbb/en.xml",
        "32030l0007/versions/2031-01-01--aaaaaaaa/fr.xml",
        "32030l0007/versions/2030-01-01--aaaaaaaa/en.xml",
        "32030l0007/meta.json",
        "12016e113/versions/2016-06-07--aaaaaaaa/en.xml",
        "32031l0001/versions/2031-06-07--aaaaaaaa/meta.json",
    ]
    items = list(pack.works(reversed(paths)))
    assert [item.name for item in items] == ["eu:12016E113", "eu:32030L0007"]
    assert items[1].paths == tuple(sorted(paths[:4]))
    assert items == list(pack.works(paths))


@pytest.mark.parametrize(
    ("celex", "kind"),
    [
        ("32006L0112", WorkKind.DIRECTIVE),
        ("32016R0679", WorkKind.REGULATION),
        ("32011D0306", WorkKind.DECISION),
        ("12016E113", WorkKind.TREATY),
        ("32001H0001", WorkKind.GUIDANCE),
    ],
)
def test_kinds_by_celex(celex: str, kind: WorkKind) -> None:
    assert kind_of(celex) is kind


@pytest.mark.parametrize(
    ("celex", "kind", "english", "french", "short", "court", "eli"),
    [
        ("32006L0112", "DIR", "Council Directive 2006/112/EC of 28 November 2006 on tax", "Directive 2006/112/CE du Conseil",
         "Directive 2006/112/EC", "directive 2006/112/CE", "dir/2006/112/oj"),
        ("32011R0282", "REG_IMPL", "Council Implementing Regulation (EU) No 282/2011 of 15 March 2011", "Règlement d’exécution (UE) no 282/2011 du Conseil",
         "Implementing Regulation (EU) No 282/2011", "règlement d’exécution (UE) no 282/2011", "reg_impl/2011/282/oj"),
        ("31977L0388", "DIR", "Sixth Council Directive of 17 May 1977 on tax (77/388/EEC)", "Sixième directive du Conseil (77/388/CEE)",
         "Directive 77/388/EEC", "directive 77/388/CEE", "dir/1977/388/oj"),
        ("12016E113", "TREATY", "Consolidated version of the TFEU#Article 113", "Version consolidée#Article 113",
         "TFEU", "TFUE", "treaty/tfeu_2016/art_113/oj"),
        ("12002E093", "TREATY", "Treaty#Article 93", "Traité#Article 93", "EC Treaty", "traité CE", "treaty/tec_2002/art_93/oj"),
        ("32014R0596", "REG", "", "", "Regulation No 596/2014", "règlement nº 596/2014", "reg/2014/596/oj"),
    ],
)  # fmt: skip
def test_names(celex: str, kind: str, english: str, french: str, short: str, court: str, eli: str) -> None:
    titles = {language: title for language, title in (("en", english), ("fr", french)) if title}
    naming = describe(WorkId(f"eu:{celex}"), kind, "", [StateFacts(date(2020, 1, 1), celex, titles=titles)])
    assert naming.short_titles == {"en": short, "fr": court}
    assert naming.eli == f"http://data.europa.eu/eli/{eli}"


VAT = Work(
    WorkId("eu:32006L0112"), WorkKind.DIRECTIVE, 110,
    short_titles=(("en", "Directive 2006/112/EC"), ("fr", "directive 2006/112/CE")),
    aliases=("02006l0112-20070101", "02006l0112-20250414"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("path", "english", "french"),
    [
        ("art_98/para_2", "Article 98(2)", "article 98, paragraphe 2"),
        ("art_98/para_2/point_a", "Article 98(2), point (a)", "article 98, paragraphe 2, point a)"),
        ("art_59a", "Article 59a", "article 59 bis"),
        (
            "art_98/para_1/subpara_2",
            "Article 98(1), second subparagraph",
            "article 98, paragraphe 1, deuxième alinéa",
        ),
        ("art_95/subpara_2", "Article 95, second paragraph", "article 95, deuxième alinéa"),
        (
            "art_2/para_1/point_b/point_i",
            "Article 2(1), point (b)(i)",
            "article 2, paragraphe 1, point b) i)",
        ),
        ("art_5/indent_2", "Article 5, second indent", "article 5, deuxième tiret"),
        ("rct_12", "recital 12", "considérant 12"),
        ("anx_III/point_6", "Annex III, point (6)", "annexe III, point 6)"),
        ("anx_X/prt_A/point_1", "Annex X, Part A, point (1)", "annexe X, partie A, point 1)"),
        ("tis_IX/cpt_2", "Title IX, Chapter 2", "titre IX, chapitre 2"),
        ("corrigendum_01", "corrigendum 01", "rectificatif 01"),
    ],
)
def test_citations(path: str, english: str, french: str) -> None:
    provision = ProvisionId.parse(f"eu:32006L0112/{path}")
    assert pack.cite(provision, VAT, "en") == f"Directive 2006/112/EC, {english}"
    assert pack.cite(provision, VAT, "fr") == f"directive 2006/112/CE, {french}"


@pytest.mark.parametrize(
    ("path", "as_of", "expected"),
    [
        ("/art_98/para_2", None, "EN/TXT/?uri=CELEX:02006L0112-20250414#art_98"),
        ("/art_98", date(2010, 1, 1), "EN/TXT/?uri=CELEX:02006L0112-20070101#art_98"),
        ("/art_98", date(2006, 12, 1), "EN/TXT/?uri=CELEX:32006L0112#art_98"),
        ("", date(2030, 1, 1), "EN/TXT/?uri=CELEX:02006L0112-20250414"),
    ],
)
def test_addresses(path: str, as_of: date | None, expected: str) -> None:
    address = pack.url(ProvisionId.parse(f"eu:32006L0112{path}"), VAT, "en", as_of)
    assert address == f"https://eur-lex.europa.eu/legal-content/{expected}"


def test_the_work_answers_to_its_names() -> None:
    path = folder("2031-02-01")
    known = facts("2031-02-01", celex="02030L0007-20310201", roles=["consolidated"])
    work = read({f"{path}meta.json": known, f"{path}en.xml": consolidated()}).work
    assert work is not None
    assert work.authority == pack.facts.authority["directive"]
    assert {"32030l0007", "directive (eu) 2030/7", "2030/7", "directive (ue) 2030/7", "02030l0007-20310201",
            "http://data.europa.eu/eli/dir/2030/7/oj"} <= set(work.aliases)  # fmt: skip


def test_ranks_stand_with_their_reasons() -> None:
    ranks = pack.facts.authority
    assert ranks["treaty"] > ranks["regulation"] == ranks["directive"] > ranks["decision"] > ranks["guidance"]
    assert all(pack.facts.authority_reasons[kind] for kind in ranks)
    assert pack.facts.abbreviations["GDPR"] == "eu:32016R0679"
    assert "par dérogation à" in pack.facts.exception_cues["fr"]
    assert "subject to" in pack.facts.yielding_cues["en"]
    # "Without prejudice to" leaves both rules as they are: neither departs from the other.
    cues = [cue for words in pack.facts.yielding_cues.values() for cue in words]
    assert not [cue for cue in cues if "prejudice" in cue or "préjudice" in cue]


def test_articles_recitals_and_parts_of_annexes_anchor_passages() -> None:
    document = read_state(official_journal())
    anchors = [place(section) for _, section in pack.sections(document)]
    assert {"rct_1", "rct_2", "cit_1", "art_1", "art_2", "anx_I/prt_A", "fnp_1"} <= set(anchors)
    assert "tis_I" not in anchors
    for ancestors, section in pack.sections(document):
        for parent, child in pairwise((*ancestors, section)):
            assert child.id in {one.id for one in parent.children}
    words = [
        place(below)
        for _, section in pack.sections(document)
        for below in section.walk()
        if below.versions and below.versions[0].text
    ]
    assert sorted(words) == sorted(
        place(one) for one in document.root.walk() if one.versions and one.versions[0].text
    )


def test_the_languages_are_paired_by_structure() -> None:
    path = folder("2031-02-01")
    french = consolidated().replace("Article\u00a0".encode(), b"Article ").replace(b"ANNEX I<", b"ANNEXE I<")
    french = french.replace(b"TITLE I<", b"TITRE I<").replace(b"PART A", b"PARTIE A").replace(b"(ii)", b"ii)")
    french = french.replace(b'<p class="norm">It does not apply to crowns.</p>', b"")
    pairings = {
        str(one.first): one
        for one in read({f"{path}en.xml": consolidated(), f"{path}fr.xml": french}).pairings
    }
    assert pairings["eu:32030L0007/art_1/para_2/point_b/point_ii"].confidence == 1.0
    assert pairings["eu:32030L0007/anx_I/prt_A"].confidence == 1.0
    assert pairings["eu:32030L0007/art_1/para_1"].confidence == 0.8
    assert "eu:32030L0007/art_1/para_1/subpara_2" not in pairings
    assert all((one.first_language, one.second_language) == ("en", "fr") for one in pairings.values())
