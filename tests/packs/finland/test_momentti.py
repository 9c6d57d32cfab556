"""Acts cut into momentit: the tree, the names of its lines, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.completeness.finland_consolidated import lost_words, words_of_momentti
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.fetch.refusals import RefusedFile
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Event, ProvisionKind, WorkKind
from pykala.law.validity import Validity
from pykala.packs.finland.consolidated.momentti import MomenttiFiles, mended, read_momentti, split_items
from pykala.packs.finland.statutes.act_facts import ActFacts
from pykala.packs.pack import Snapshot, read_facts

CORPORA = Path(__file__).parents[4] / "shared" / "corpora"
FACTS = read_facts("pykala.packs.finland")


def line(section: str, moment: str, text: str, **other: object) -> dict[str, object]:
    chapter = str(other.pop("chapter", "1 luku"))
    part = str(other.pop("part", ""))
    written = str(other.pop("eid", f"chp_1__sec_{section}__subsec_{moment}"))
    short = chapter.replace(" luku", "l").replace(" ", "")
    row: dict[str, object] = {
        "law": "Koelaki",
        "law_id": "77/2015",
        "law_key": "fi:act:77/2015",
        "finlex_version": "fin@20230780",
        "node_id": f"77/2015:fin@20230780:{short}:{section}:{moment}",
        "part": part,
        "part_title": "ALKU" if part else "",
        "chapter": chapter,
        "chapter_title": f"Otsikko {chapter}",
        "section_id": section,
        "section_num": 1,
        "section_suffix": None,
        "section_title": f"Pykälä {section}",
        "moment": moment,
        "text": text,
        "effective_from": "2015-05-01",
        "in_force": True,
        "tags": ["koe"],
        "anchors": [],
        "source": {"xml_path": "main.xml", "xpath": f"//*[@eId='{written}']"},
    }
    return row | other


def read(rows: object, path: str = "momentti/koelaki-77-2015.jsonl") -> tuple[Document, ActFacts]:
    if not isinstance(rows, bytes):
        rows = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()  # type: ignore[attr-defined]
    return read_momentti(Snapshot(path, rows, "0" * 64), FACTS)


def names(document: Document) -> list[str]:
    return ["/".join(map(str, one.id.path)) for one in document.root.walk()]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("momentti/kuntalaki_410-2015.jsonl", "2015/410"),
        ("momentti/hankintalaki-1397-2016.jsonl", "2016/1397"),
        ("momentti/README.md", None),
        ("other/kuntalaki_410-2015.jsonl", None),
    ],
)
def test_act_of_a_path(path: str, expected: str | None) -> None:
    assert MomenttiFiles.act_of(path) == expected


def test_lines_become_a_tree_and_every_line_a_named_place() -> None:
    document, facts = read(
        [
            line("1", "1", "Kunta on tässä.", part="I OSA"),
            line("1", "2", "Kunta päättää: 1) asiasta; sekä 2) toisesta asiasta.", part="I OSA"),
            line("2", "1", "Maksu on ( pieni ) ;", part="II OSA", chapter="2 luku"),
        ]
    )
    assert names(document) == [
        "",
        "part_1",
        "chp_1",
        "sec_1",
        "sec_1/subsec_1",
        "sec_1/subsec_2",
        "sec_1/subsec_2/para_1",
        "sec_1/subsec_2/para_2",
        "part_2",
        "chp_2",
        "sec_2",
        "sec_2/subsec_1",
    ]
    assert dict(document.places) == {
        "77/2015:fin@20230780:1l:1:1": ProvisionId.parse("fi:act:2015/77/sec_1/subsec_1"),
        "77/2015:fin@20230780:1l:1:2": ProvisionId.parse("fi:act:2015/77/sec_1/subsec_2"),
        "77/2015:fin@20230780:2l:2:1": ProvisionId.parse("fi:act:2015/77/sec_2/subsec_1"),
    }
    (version,) = next(
        one for one in document.root.walk() if one.id.step("sec") == "2" and one.id.step("subsec")
    ).versions
    assert version.text == "Maksu on (pieni);"
    assert version.validity == Validity(date(2015, 5, 1))
    assert (facts.work, facts.kind) == (WorkId("fi:act:2015/77"), WorkKind.ACT)
    # The suffix is an act, not a day: no 20230780th of anything.
    assert facts.last_amendment == WorkId("fi:act:2023/780")
    assert facts.state is None


def test_sections_that_start_anew_name_their_chapter() -> None:
    document, _ = read([line("1", "1", "Yksi."), line("1", "1", "Kaksi.", chapter="2 a luku")])
    assert [str(place) for _, place in document.places] == [
        "fi:act:2015/77/chp_1/sec_1/subsec_1",
        "fi:act:2015/77/chp_2a/sec_1/subsec_1",
    ]


def test_an_amended_momentti_names_its_act_but_no_day() -> None:
    document, facts = read(
        [
            line("1", "1", "Vanha."),
            line("1", "2", "Uusi.", eid="chp_1__sec_1__subsec_2v20191175"),
            line("2", "1", "Kokonaan uusi.", eid="chp_1__sec_2v20210419__subsec_1v20210419"),
            line("3", "1", "3 § on kumottu L:lla 21.5.2021/419 .", eid="chp_1__sec_3v20210419"),
        ]
    )
    found = {"/".join(map(str, one.id.path)): one for one in document.root.walk()}
    (amended,) = found["sec_1/subsec_2"].versions
    assert (amended.event, amended.source_act) == (Event.AMENDED, WorkId("fi:act:2019/1175"))
    assert amended.validity == Validity()
    assert amended.history_unavailable
    assert found["sec_1"].versions[0].event is Event.ENACTED
    assert found["sec_2"].versions[0].source_act == WorkId("fi:act:2021/419")
    (gone,) = found["sec_3"].versions
    assert (gone.event, gone.text) == (Event.REPEALED, "3 § on kumottu L:lla 21.5.2021/419.")
    assert dict(document.places)["77/2015:fin@20230780:1l:3:1"] == found["sec_3"].id
    assert facts.amended_by[WorkId("fi:act:2021/419")] == date(2021, 5, 21)


@pytest.mark.parametrize(
    ("text", "own", "items"),
    [
        ("Kunta on: 1) tämä; 2) tuo.", "Kunta on:", [("1", "tämä;"), ("2", "tuo.")]),
        ("Kunta on: 1) tämä; 1 a) välissä; ja 2) tuo.", "Kunta on:",
         [("1", "tämä;"), ("1a", "välissä; ja"), ("2", "tuo.")]),
        ("Katso 1) kohtaa.", "Katso 1) kohtaa.", []),
        ("Kunta on: 2) tuo; 3) se.", "Kunta on: 2) tuo; 3) se.", []),
        ("Ks. lain (kohta 1) ja 2) mukaan.", "Ks. lain (kohta 1) ja 2) mukaan.", []),
    ],
)  # fmt: skip
def test_items_in_one_line(text: str, own: str, items: list[tuple[str, str]]) -> None:
    assert split_items(text) == (own, items)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hankintadirektiivi ; ja", "hankintadirektiivi; ja"),
        ("( valiokuntamalli );", "(valiokuntamalli);"),
        ("luku 1 ,5", "luku 1 ,5"),
    ],
)
def test_spaces_of_markup_go(text: str, expected: str) -> None:
    assert mended(text) == expected


WORDS = st.text(st.sampled_from("abc 123).;:(\n,ääjatai"), min_size=1, max_size=60).filter(str.strip)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["1", "2", "2a"]), WORDS), min_size=1, max_size=6))
def test_no_word_is_lost_and_identifiers_read_back(sections: list[tuple[str, str]]) -> None:
    counts: dict[str, int] = {}
    rows = []
    for section, text in sections:
        counts[section] = counts.get(section, 0) + 1
        rows.append(line(section, str(counts[section]), text))
    data = "\n".join(json.dumps(row) for row in rows).encode()
    document, _ = read(data)
    identifiers = [one.id for one in document.root.walk()]
    assert len(set(identifiers)) == len(identifiers)
    assert all(ProvisionId.parse(str(one)) == one for one in identifiers)
    assert {place for _, place in document.places} <= set(identifiers)
    assert len(document.places) == len(rows)
    assert not lost_words(words_of_momentti(data), document)


@pytest.mark.parametrize(
    "rows",
    [
        b"",
        b"\n\n",
        b"\xff\xff",
        b"{",
        b"[" * 100_000,
        b"[]",
        b'{"law": ' + b"1" * 5_000 + b"}",
        [line("1", "1", "Sana.", law=7)],
        [line("1", "1", "")],
        [line("1", "1", "Sana.") | {"text": ["a"]}],
        [line("1/2", "1", "Sana.")],
        [line("1" * 50, "1", "Sana.")],
        [line("1", "x y", "Sana.")],
        [line("1", "1", "Sana.", law_id="Koelaki")],
        [line("1", "1", "Sana.", law_id="410/2015")],
        [line("1", "1", "Sana."), line("1", "1", "Toinen.")],
        [line("1", "1", "Sana."), line("1", "2", "Toinen.", law_id="5/2015")],
    ],
)
def test_what_is_not_such_a_file_is_refused(rows: object) -> None:
    with pytest.raises(RefusedFile) as refused:
        read(rows)
    assert refused.value.reason


@pytest.mark.parametrize(
    "other", [{"source": 5}, {"source": {"xpath": 7}}, {"effective_from": "soon"}, {"tags": None}]
)
def test_what_a_reader_can_do_without_may_be_wrong(other: dict[str, object]) -> None:
    document, _ = read([line("1", "1", "Sana.", **other)])
    assert names(document)[-1] == "sec_1/subsec_1"


@pytest.fixture(scope="module")
def archive() -> Iterator[Mirror]:
    path = CORPORA / "finland-momentti.tar.zst"
    if not path.exists():
        pytest.skip(f"the corpus {path.name} is not beside the repository (looked in ../shared/corpora)")
    with open_mirror(path) as mirror:
        yield mirror


@pytest.mark.corpora
def test_the_archive_is_read_without_loss(archive: Mirror) -> None:
    paths = [path for path in archive.paths() if MomenttiFiles.act_of(path)]
    assert len(paths) == 6
    places: dict[str, ProvisionId] = {}
    for path in paths:
        file = archive.read(path)
        document, _ = read_momentti(Snapshot(path, file.data, file.sha256), FACTS)
        identifiers = [one.id for one in document.root.walk()]
        assert len(set(identifiers)) == len(identifiers)
        assert {place for _, place in document.places} <= set(identifiers)
        assert not lost_words(words_of_momentti(file.data), document), path
        places.update(document.places)
        kinds = {one.kind for one in document.root.walk()}
        assert {ProvisionKind.SECTION, ProvisionKind.SUBSECTION, ProvisionKind.ITEM} <= kinds
    assert len(places) == 2_648
    assert str(places["410/2015:fin@20230780:113:1"]) == "fi:act:2015/410/sec_113/subsec_1"
    assert str(places["1336/1997:fin@20251006:1l:1:1"]) == "fi:act:1997/1336/chp_1/sec_1/subsec_1"
    assert str(places["1397/2016:fin@20240592:17l:174:6"]) == "fi:act:2016/1397/sec_174/subsec_6"
