"""Vero's decisions and positions, appeals of Board rulings, and links between pages."""

from __future__ import annotations

from datetime import date

import pytest

from pykala.law.messages import Message
from pykala.law.provisions import Document, ProvisionKind, Work, WorkKind
from pykala.law.references import EdgeKind, Method, Reference
from pykala.law.validity import Validity
from pykala.packs.finland import pack
from pykala.packs.finland.pages.guidance import GuidanceFiles, is_decision, read_guidance
from pykala.packs.finland.pages.rulings import RulingFiles, read_ruling
from pykala.packs.pack import Snapshot

FOLDER = "data/vero/Syventävät vero-ohjeet"


def read(
    body: str, folder: str = "Päätökset", title: str = "Verohallinnon päätös hauista"
) -> tuple[Work, Document]:
    path = f"{FOLDER}/{folder}/{title}/{title} - vero.fi.html"
    (item,) = GuidanceFiles.items([path])
    page = f'<html><body><article id="content-main"><h1>{title} - vero.fi</h1>{body}</article></body></html>'
    reading = read_guidance(item, [Snapshot(path, page.encode(), "0")], pack.facts)
    assert reading.work is not None
    return reading.work, reading.documents[0]


DECISION = """
<p>Verohallinto on kalaverolain (12/2001) 3 §:n nojalla määrännyt:</p>
<h1>1 §</h1><h3>Hauen arvo</h3>
<p>Arvo on:</p><ol><li>kesällä 5 euroa;</li><li>talvella 7 euroa.</li></ol>
<p>Muuta arvoa ei ole.</p>
<h1>2 §</h1><h3>Voimaantulo</h3>
<p>Päätös tulee voimaan 1.1.2026. Sitä sovelletaan verovuodelta 2026.</p>
<p>Helsingissä 17 päivänä joulukuuta 2025<br/><br/></p><p>pääjohtaja Hanna Hauki</p>
"""


def test_a_decision_has_sections_and_momentit_like_the_rule_of_law_that_it_is() -> None:
    work, document = read(DECISION)
    found = [
        (str(p.id).partition("hauista")[2], p.label, p.heading) for p in document.root.walk() if p.id.path
    ]
    assert found == [
        ("/enacting_1", "", ""),
        ("/sec_1", "1 §", "Hauen arvo"),
        ("/sec_1/subsec_1", "", ""),
        ("/sec_1/subsec_1/para_1", "", ""),
        ("/sec_1/subsec_1/para_2", "", ""),
        ("/sec_1/subsec_2", "", ""),
        ("/sec_2", "2 §", "Voimaantulo"),
        ("/sec_2/subsec_1", "", ""),
        ("/signature_1", "", ""),
    ]
    assert (work.kind, str(work.id)) == (WorkKind.DECISION, "fi:vero:verohallinnon-paatos-hauista")
    assert (work.issued, work.validity) == (date(2025, 12, 17), Validity(date(2026, 1, 1)))
    assert {v.validity for p in document.root.walk() for v in p.versions} == {Validity(date(2026, 1, 1))}
    kinds = {p.kind for p in document.root.walk()}
    assert {ProvisionKind.ENTRY_INTO_FORCE, ProvisionKind.SIGNATURE_BLOCK} <= kinds


def test_a_decision_without_sections_is_read_by_its_headings() -> None:
    work, document = read("<h2>Taulukko</h2><table><tr><td>Kunta</td><td>8,5</td></tr></table>")
    assert work.kind is WorkKind.DECISION
    assert [str(p.id.last) for p in document.root.walk() if p.id.path] == ["head_1", "table_1"]


def test_a_position_is_guidance() -> None:
    work, document = read("<h2>Asian kuvaus</h2><p>Hauki.</p>", "Kannanotot", "Hauen verotus")
    assert (work.kind, work.authority, str(work.id)) == (WorkKind.GUIDANCE, 60, "fi:vero:hauen-verotus")
    assert document.root.children[0].heading == "Asian kuvaus"


def test_an_old_version_is_marked_as_suspect() -> None:
    _, document = read(f"<p><strong>Tämä on vanha versio</strong></p>{DECISION}")
    findings = {v.findings for p in document.root.walk() for v in p.versions}
    assert findings == {(Message("finding.old_version"),)}


@pytest.mark.parametrize(
    ("path", "taken", "decision"),
    [
        (f"{FOLDER}/Päätökset/X/X - vero.fi.html", True, True),
        (f"{FOLDER}/Päätökset/X/X - vero.fi_2.html", True, True),
        (f"{FOLDER}/Ohjeet/Pitkä/Pitkä nimi joka katkeaa.html", True, False),
        (f"{FOLDER}/Keskusverolautakunnan ennakkoratkaisut/KVL/KVL_004_2024 - vero.fi.html", False, False),
    ],
)
def test_pages_of_vero_are_known_by_their_folder(path: str, taken: bool, decision: bool) -> None:
    assert bool([*GuidanceFiles.items([path])]) is taken
    assert is_decision(path) is decision


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ('<a href="https://www.vero.fi/syventavat-vero-ohjeet/paatokset/62189/verohallinnon-p%C3%A4%C3%A4t%C3%B6s/">'
         "Verohallinnon päätös muikuista</a>", "verohallinnon päätös muikuista"),
        ('<a href="https://www.vero.fi/syventavat-vero-ohjeet/ohje-hakusivu/48/muikku_ja_hauki/">'
         "Muikku ja hauki - vero.fi</a>", "muikku ja hauki"),
        ('<a href="https://www.vero.fi/syventavat-vero-ohjeet/paatokset/62189/verohallinnon-p%C3%A4%C3%A4t%C3%B6s3/">'
         "tästä</a>", "fi:vero:verohallinnon-paatos"),
    ],
)  # fmt: skip
def test_links_between_pages_go_by_their_title(link: str, expected: str) -> None:
    _, document = read(f"<p>Ks. {link}.</p>", "Ohjeet", "Hauen verotus")
    (reference,) = document.references
    assert (reference.method, reference.kind) == (Method.ANCHOR, EdgeKind.INTERPRETS)
    assert (str(reference.target) if reference.target else reference.alias) == expected


def board_ruling(*lines: str) -> list[Reference]:
    path = "KVL/KVL_014_2003 - vero.fi.html"
    (item,) = RulingFiles.items([path])
    words = "<br/>".join(lines)
    page = f"<html><body><article><h1>KVL:014/2003 - vero.fi</h1><p>{words}</p></article></body></html>"
    (document,) = read_ruling(item, [Snapshot(path, page.encode(), "0")], pack.facts).documents
    text = document.root.children[0].children[0].versions[0].text
    assert all(text[one.start : one.end] == one.text for one in document.references)
    return [one for one in document.references if one.kind is EdgeKind.APPEALS]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("EI MUUTOSTA KHO 6.2.04 T 226 VUOSIK.", "kho 6.2.2004/226"),
        ("KUMOTTU KHO 1.6.93 T 2095 ATK-B", "kho 1.6.1993/2095"),
        ("KHO T 1464 28.3.2017 (kumottu)", "kho 28.3.2017/1464"),
        ("KHO 5.6.2025 taltionumero 1279 (ei muutosta)", "kho 5.6.2025/1279"),
        ("KHO 21.12.2020 T H1061 vuosikirja (ei muutosta)", "kho 21.12.2020/h1061"),
        ("KHO 2019:30 Vuosikirja (ei muutosta)", "fi:kho:2019/30"),
        ("KHO 5.6.2025 taltionumero 1279 (KHO:2025:46) (osittain kumottu)", "fi:kho:2025/46"),
    ],
)
def test_a_board_ruling_tells_of_its_appeal(line: str, expected: str) -> None:
    (reference,) = board_ruling("Asia koski haukea.", "Tuloverolaki 7 §", line)
    assert (str(reference.target) if reference.target else reference.alias) == expected
    assert reference.text == line


@pytest.mark.parametrize(
    "lines",
    [
        ("Lainvoimainen",),
        ("KHO 2010:29", "Lainvoimainen"),  # a precedent that it cites
        ("Hakija oli tehnyt kaupan, jonka KHO oli kumonnut 6.2.2004 antamallaan ratkaisulla T 226.",),
        ("KHO (ei muutosta)",),
    ],
)
def test_what_is_no_appeal_is_not_taken_for_one(lines: tuple[str, ...]) -> None:
    assert board_ruling("Asia koski haukea.", *lines) == []
