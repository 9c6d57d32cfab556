"""Files of the archive to works: languages paired, numbers translated, other files left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.packs.canada import pack
from pykala.packs.canada.labels import label_number, labelled_place, slug
from pykala.packs.canada.naming import english_number, french_number, linked_work


def test_languages_of_one_work_are_one_item() -> None:
    paths = [
        "fra/reglements/C.R.C.,_ch._945.xml",
        "eng/regulations/C.R.C.,_c._945.xml",
        "fra/lois/E-5.6.xml",
        "eng/acts/E-5.6.xml",
        "fra/reglements/TR-2001-1.xml",
        "eng/regulations/SI-2001-1.xml",
        "eng/regulations/SOR-90-688a.xml",
        "fra/reglements/DORS-90-688a.xml",
        "eng/regulations/regs.txt",
        "README.md",
    ]
    items = {item.name: item.paths for item in pack.works(paths)}
    assert items == {
        "ca:act:E-5.6": ("eng/acts/E-5.6.xml", "fra/lois/E-5.6.xml"),
        "ca:reg:C.R.C.,_c._945": ("eng/regulations/C.R.C.,_c._945.xml", "fra/reglements/C.R.C.,_ch._945.xml"),
        "ca:reg:SI-2001-1": ("eng/regulations/SI-2001-1.xml", "fra/reglements/TR-2001-1.xml"),
        "ca:reg:SOR-90-688a": ("eng/regulations/SOR-90-688a.xml", "fra/reglements/DORS-90-688a.xml"),
    }


def test_a_nested_folder_and_a_single_language_are_taken() -> None:
    items = list(pack.works(["mirror/2026/eng/acts/B-1.01.xml"]))
    assert [(item.name, item.paths) for item in items] == [
        ("ca:act:B-1.01", ("mirror/2026/eng/acts/B-1.01.xml",))
    ]


@given(st.from_regex(r"\A(SOR|SI)-(19|20)?[0-9]{2}-[0-9]{1,4}[ab]?\Z"))
def test_numbers_translate_both_ways(number: str) -> None:
    assert english_number(french_number(number)) == number


@pytest.mark.parametrize(
    ("kind", "link", "work"),
    [
        ("act", "I-3.3", "ca:act:I-3.3"),
        ("regulation", "DORS-2001-227", "ca:reg:SOR-2001-227"),
        ("regulation", "C.R.C.,_ch._945", "ca:reg:C.R.C.,_c._945"),
        ("act", "const", None),
        ("other", "gazette", None),
    ],
)
def test_links_name_works(kind: str, link: str, work: str | None) -> None:
    assert (linked_work(kind, link) and str(linked_work(kind, link))) == work


@pytest.mark.parametrize(
    ("label", "number"),
    [
        ("(a)", "a"), ("a)", "a"), ("(1.1)", "1.1"), ("“(b)", "b"), ("« (2)", "2"), ("12.01", "12.01"),
        ("2 to 23", "2-23"), ("2 à 23", "2-23"), ("5 and 6", "5+6"), ("5 et 6", "5+6"), ("3.05(2)", "3.05-2"),
        ("A/B", "A-B"), ("", ""), ("*", ""), ("premier", "1"), ("(4) and (5)", "4+5"), ("(4) et (5)", "4+5"),
        ("(a) to (c)", "a-c"),
    ],
)  # fmt: skip
def test_labels_give_one_number_in_both_languages(label: str, number: str) -> None:
    assert label_number(label) == number


@given(st.text(max_size=80))
def test_a_number_fits_an_identifier(label: str) -> None:
    number = label_number(label)
    assert not any(character.isspace() or character == "/" for character in number)
    assert not any(character.isspace() or character == "/" for character in slug(label))


@pytest.mark.parametrize(
    ("english", "french", "step", "number"),
    [
        ("PART II", "PARTIE II", "part", "II"),
        ("DIVISION 3", "SECTION 3", "div", "3"),
        ("SCHEDULE I / ANNEXE I", "ANNEXE I", "sched", "I"),
        ("ARTICLE 1", "ARTICLE PREMIER", "art", "1"),
        ("CHAPTER 2", "CHAPITRE 2", "chp", "2"),
    ],
)
def test_headings_of_both_languages_are_one_place(english: str, french: str, step: str, number: str) -> None:
    for label in (english, french):
        place = labelled_place(label)
        assert place is not None
        assert place[:2] == (step, number)
