"""Open Legislation's JSON: literal backslash-n, levels from labels alone, parallel versions, bad answers."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nyc_making import PLAIN, answer, node, places, read, read_plain, texts
from pykala.law.provisions import Document, Event
from pykala.law.validity import Validity
from pykala.packs.nyc import pack
from pykala.packs.nyc.outline import depths, roman
from pykala.packs.nyc.senate import interval

SECTION = (
    "  § 11-503 Imposition of tax.  (a) General. A tax of four percent  is\nimposed, in four-\nfamily homes"
    " too.\n  (b) (1) A credit;\n  (2) Another:\n  (i) of one kind;\n  (ii) of the other.\n  (c) The end.\n"
)
SAME = (
    "Chapter 5: Business\n§ 11-503 Imposition of tax.\n~~~(a)~~~General. A tax of four percent is\n"
    "imposed, in four-\nfamily homes too.\n~~~(b)~~~(1)~~~A credit;\n~~~~~~(2)~~~Another:\n"
    "~~~~~~~~~(i)~~~of one kind;\n~~~~~~~~~(ii)~~~of the other.\n~~~(c)~~~The end.\n"
)


def section(text: str = SECTION, **more: Any) -> dict[str, Any]:
    return node("SECTION", "11-503", "Imposition of tax", text, **more)


def title(*sections: dict[str, Any]) -> dict[str, Any]:
    chapter = node("CHAPTER", "5", "Business", location="T11C5", items=list(sections))
    return node("TITLE", "11", "Taxation and Finance", location="T11", items=[chapter])


def read_senate(result: dict[str, Any], path: str = "api/3/laws/ADC/T11.json") -> Document:
    reading = read((path, answer(result)))
    assert reading.refusals == ()
    return reading.documents[0]


def test_both_sources_give_the_same_places_and_words() -> None:
    assert texts(read_senate(title(section()))) == texts(read_plain(SAME))


def test_one_section_brings_its_chapters() -> None:
    parents = [node("TITLE", "11", "Taxation"), node("CHAPTER", "5", "Business", location="T11C5")]
    document = read_senate(section(parents=parents), "laws/ADC/11-503.json")
    assert list(places(document))[:2] == ["chp_5", "sec_11-503"]
    assert places(document)["sec_11-503"].versions[0].observed_at == date(2025, 7, 18)


def test_a_whole_code_gives_its_title() -> None:
    other = node("TITLE", "10", "Public Safety", location="T10", items=[node("SECTION", "10-101", "No", "x")])
    code = node("MISC", "ADC", "The code", location="-CHADC", items=[other, title(section())])
    whole = {"lawVersion": {"lawId": "ADC"}, "info": {}, "documents": code}
    document = read_senate(whole, "laws/ADC.json")
    assert next(path for path in places(document) if path.startswith("sec")) == "sec_11-503"


def test_parallel_versions_have_their_dates() -> None:
    text = (
        "  * § 11-503 Imposition of tax. (a) Three percent.\n  * NB Expires June 30, 2026\n"
        "  * § 11-503 Imposition of tax. (a) Four percent.\n  (b) New.\n  * NB Effective June 30, 2026\n"
    )
    found = places(read_senate(title(section(text))))
    rates = [(version.text, version.validity) for version in found["sec_11-503/subd_a"].versions]
    assert rates == [
        ("Three percent.", Validity(None, date(2026, 6, 30))),
        ("Four percent.", Validity(date(2026, 6, 30))),
    ]
    for day, expected in ((date(2026, 1, 1), ["a"]), (date(2027, 1, 1), ["a", "b"])):
        section_then = found["sec_11-503"].at(day)
        assert section_then is not None
        last = [one.id.path[-1] for one in section_then.children]
        assert [step.number for step in last if step.kind == "subd"] == expected


@pytest.mark.parametrize(
    ("words", "validity"),
    [
        ("* NB Expires June 30, 2026", Validity(None, date(2026, 6, 30))),
        ("* NB Effective until January 1, 2027", Validity(None, date(2027, 1, 1))),
        ("* NB Repealed December 31, 2028", Validity(None, date(2028, 12, 31))),
        ("* NB Effective January 1, 2027", Validity(date(2027, 1, 1))),
        ("* NB There are 2 § 11-2704's", Validity()),
        ("* NB Expires February 31, 2026", Validity()),
    ],
)
def test_what_a_mark_says(words: str, validity: Validity) -> None:
    assert interval(words) == validity


def test_a_repealed_section_is_a_tombstone() -> None:
    gone = section(None, repealed=True, repealedDate="2023-06-28")  # type: ignore[arg-type]
    version = places(read_senate(title(gone)))["sec_11-503"].versions[0]
    assert (version.event, version.validity.start) == (Event.REPEALED, date(2023, 6, 28))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no JSON"),
        (answer(title(section()))[:200], "no JSON"),
        (b"[1]", "'success'"),
        (answer({}, success=False, message="Invalid API key"), "Invalid API key"),
        (answer(None), "no result"),
        (answer({}), "docType"),
        (answer(title(section()) | {"lawId": "TAX"}), "'TAX'"),
        (answer(title()), "full=true"),
        (answer(node("SECTION", "10-101", "No", "x")), "no title 11"),
        (b'{"success": true, "result": ' + b'{"documents": {"items": [' * 5000, "no JSON"),
    ],
)
def test_bad_answers_are_refused_by_name(data: bytes, reason: str) -> None:
    reading = read(("laws/ADC/T11.json", data))
    assert reading.work is None
    assert reason in reading.refusals[0].reason


def test_a_second_copy_of_the_same_sections_is_refused() -> None:
    plain = SAME.replace("~", "\N{NO-BREAK SPACE}").encode()
    reading = read((PLAIN, plain), ("laws/ADC/T11.json", answer(title(section()))))
    assert [refusal.path for refusal in reading.refusals] == ["laws/ADC/T11.json"]
    assert len(reading.documents) == 1


def test_sections_that_only_the_second_source_has_are_added_to_their_chapter() -> None:
    plain = SAME.replace("~", "\N{NO-BREAK SPACE}").encode()
    more = node("SECTION", "11-504", "Years", "  § 11-504 Years. All of them.")
    reading = read((PLAIN, plain), ("laws/ADC/T11.json", answer(title(section(), more))))
    assert reading.refusals == ()
    sections = [str(one.id.last) for one in places(reading.documents[0])["chp_5"].children]
    assert sections == ["sec_11-503", "sec_11-504"]


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("data/raw/New York City Finance Chapter 1.txt", True),
        ("title-11.txt", True),
        ("api/3/laws/ADC/T11.json", True),
        ("laws/ADC/11-245.1-b.json", True),
        ("laws/ADC/T11C5.json", True),
        ("laws/ADC.json", True),
        ("laws/TAX/T11.json", False),
        ("laws/ADC/10-101.json", False),
        ("title-17.txt", False),
        ("readme.txt", False),
    ],
)
def test_which_files_are_the_codes(path: str, known: bool) -> None:
    assert [item.paths for item in pack.works([path])] == ([(path,)] if known else [])


LABELS = [
    ("a. b. (1) (2) c.", [1, 1, 2, 2, 1]),
    ("(a) (1) (i) (ii) (A) (B) (2) (b)", [1, 2, 3, 3, 4, 4, 2, 1]),
    ("(f) (g) (h) (i) (j)", [1, 1, 1, 1, 1]),
    ("(h) (i) (ii) (i)", [1, 2, 2, 1]),
    ("1. 1-a. 2. (y) (z) (aa)", [1, 1, 1, 2, 2, 2]),
    ("(n)* (n)* (o)", [1, 1, 1]),
    ("(a) (1) (A) (i) (I) (II) (ii) (B) (2)", [1, 2, 3, 4, 5, 5, 4, 3, 2]),
]


@pytest.mark.parametrize(("labels", "levels"), LABELS)
def test_levels_from_labels_alone(labels: str, levels: list[int]) -> None:
    assert depths(labels.split()) == levels


@given(st.lists(st.text("(aAi1).*-", max_size=5), max_size=20))
def test_levels_never_jump(labels: list[str]) -> None:
    found = depths(labels)
    assert len(found) == len(labels)
    assert all(later <= earlier + 1 for earlier, later in zip([0, *found], found, strict=False))


@pytest.mark.parametrize(
    ("text", "value"), [("iv", 4), ("xxxix", 39), ("viii", 8), ("iiii", 0), ("", 0), ("b", 0)]
)
def test_roman_numbers(text: str, value: int) -> None:
    assert roman(text) == value
