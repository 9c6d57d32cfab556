"""Answers as documents: every form is opened by a reader of its own, and says what the record says."""

from __future__ import annotations

import builtins
import io
import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import docx
import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pykala.answer.record import answer_json
from pykala.answer.replay import RecordUnreadable
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.views.sheets import FORMS, SheetsMissing, write_sheet

DAY = date(2026, 6, 1)
KEY_EMPLOYEES = "How many months can a person be regarded as a key employee in Finland?"
FINNISH = "Kuinka suuri on pääomatulon tuloveroprosentti yli 30 000 euron osalta?"
HOSTILE = (
    "![x](https://evil.example/p.png) <img src=x onerror=alert(1)> <b>bold</b> </para> <a href='x'>y</a>"
    " [L9] &amp; {{field}} \x00\x07\u202e =cmd()"
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = sample_library(tmp_path_factory.mktemp("cache"), installed())
    with Library.open(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def record(library: Library) -> dict[str, Any]:
    return dict(answer_json(library.ask(KEY_EMPLOYEES, as_of=DAY)))


def words_of(data: bytes, form: str) -> str:
    """The words of a document, as the reader of its form gives them, on one line."""
    if form == "docx":
        text = "\n".join(one.text for one in docx.Document(io.BytesIO(data)).paragraphs)
    elif form == "pdf":
        text = "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages)
    else:
        text = re.sub(r"\\(.)", r"\1", data.decode())
    return " ".join(text.split())


def addresses_of(data: bytes, form: str) -> set[str]:
    """Where the links of a document lead."""
    if form == "docx":
        relations = docx.Document(io.BytesIO(data)).part.rels.values()
        return {one.target_ref for one in relations if one.is_external}
    if form == "pdf":
        pages = pypdf.PdfReader(io.BytesIO(data)).pages
        links = [one.get_object() for page in pages for one in page.get("/Annots") or ()]
        return {str(one["/A"]["/URI"]) for one in links if "/A" in one}
    return set(re.findall(r"(?<!\\)<(https?://[^>]+)>", data.decode()))


@pytest.mark.parametrize("form", FORMS)
def test_a_document_says_question_answer_citations_dates_and_addresses(
    record: dict[str, Any], form: str
) -> None:
    data = write_sheet(record, form, made_on=DAY)
    words = words_of(data, form)
    (citation,) = record["claims"][0]["citations"]
    support = record["support"][0]
    for told in (
        record["question"],
        "Law in force on 2026-06-01.",
        "Answered: very likely right",
        citation["quote"],
        f"[{citation['key']}] {citation['citation']}",
        "in force from 2024-01-01",
        support["citation"],
        record["conflicts"][0]["message"],
        "unofficial translation",
        "not the law. Get the law itself",
        "on 2026-06-01",
    ):
        assert told in words, told
    assert {citation["url"], support["url"]} <= addresses_of(data, form)
    above, below = words.index("not the law. Get the law itself"), words.index(citation["quote"])
    assert above < below  # that it is a sample stands above the answer


@pytest.mark.parametrize("form", FORMS)
def test_finnish_letters_and_letters_of_others_are_there(
    library: Library, record: dict[str, Any], form: str
) -> None:
    answer = answer_json(library.ask(FINNISH, as_of=DAY, jurisdiction="fi"))
    assert answer["language"] == "fi"
    words = words_of(write_sheet(answer, form, made_on=DAY), form)
    assert FINNISH in words
    assert "Lähteet" in words  # the document speaks the answer's language
    told = record | {"caveats": [{"kind": "STALE", "provision": None, "message": "≤ č Ω ł “ä§€”"}]}
    assert "≤ č Ω ł “ä§€”" in words_of(write_sheet(told, form, made_on=DAY), form)


def test_several_questions_have_a_heading_each(library: Library) -> None:
    first = "What is the general VAT rate in Finland?"
    two = f"{first} And what is the tax rate on capital income above 30 000 euros in Finland?"
    answer = answer_json(library.ask(two, as_of=DAY))
    assert len(answer["parts"]) == 2  # type: ignore[arg-type]
    for form in FORMS:
        words = words_of(write_sheet(answer, form, made_on=DAY), form)
        assert f"1. {first}" in words
        assert "25.5 per cent" in words
        assert "34 per cent" in words


def hostile(record: dict[str, Any]) -> dict[str, Any]:
    """The record as one that quotes a hostile document, and has addresses that are none."""
    text = f"The permit costs 77 euros. {HOSTILE}"
    citation = record["claims"][0]["citations"][0] | {"quote": text, "url": "javascript:alert(1)"}
    support = [one | {"url": "file:///etc/passwd", "citation": HOSTILE} for one in record["support"]]
    return record | {
        "question": f"What? {HOSTILE}",
        "text": f"{text} [L1]",
        "claims": [{"text": text, "citations": [citation]}],
        "primary": record["primary"] | {"text": f"{text}\n1. More.", "url": "data:text/html,x"},
        "support": support,
    }


@pytest.mark.parametrize("form", FORMS)
def test_what_is_quoted_is_words_and_does_nothing(record: dict[str, Any], form: str) -> None:
    data = write_sheet(hostile(record), form, made_on=DAY)
    shown = " ".join(re.sub("[\x00\x07\u202e]", "", HOSTILE).split())
    assert words_of(data, form).count(shown) >= 3
    assert not {one for one in addresses_of(data, form) if "example" in one or not one.startswith("https://")}
    if form == "md":
        bare = re.sub(r"\\.", "", data.decode())
        assert not re.search(r"!\[|<img|<b>|\[L9\]", bare)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"question": ""}, "no question"),
        ({"as_of": "soon"}, "no date"),
        ({"support": "much"}, "support a list"),
        ({"claims": {"text": "x"}}, "claims must be a list"),
        ({"parts": [{"question": "x"}]}, "no as_of"),
    ],
)
def test_what_is_no_record_is_refused_in_words(
    record: dict[str, Any], change: dict[str, Any], told: str
) -> None:
    with pytest.raises(RecordUnreadable, match=told):
        write_sheet(record | change, "md", made_on=DAY)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ("claims", "caveats", "conflicts", "primary", "support", "parts", "text", "standalone", "confidence")


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(FIELDS), value=JSON)
def test_any_record_is_written_or_refused(record: dict[str, Any], name: str, value: object) -> None:
    try:
        data = write_sheet(record | {name: value}, "md", made_on=DAY)
    except RecordUnreadable:
        return
    assert record["question"] in data.decode().replace("\\", "")


@pytest.mark.parametrize(("form", "package"), [("docx", "docx"), ("pdf", "reportlab")])
def test_a_missing_extra_says_how_to_get_it(
    record: dict[str, Any], form: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    importing = builtins.__import__

    def absent(name: str, *rest: Any, **more: Any) -> Any:
        if name.split(".")[0] == package:
            raise ModuleNotFoundError(name)
        return importing(name, *rest, **more)

    for module in ("as_word", "as_pdf"):
        monkeypatch.delitem(__import__("sys").modules, f"pykala.views.sheets.{module}", raising=False)
    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(SheetsMissing, match=re.escape("pip install 'pykala[documents]'")):
        write_sheet(record, form, made_on=DAY)


def test_a_record_read_from_a_file_gives_the_same_document(record: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "record.json").write_text(json.dumps(record), "utf-8")
    read = json.loads((tmp_path / "record.json").read_text("utf-8"))
    assert write_sheet(read, "md", made_on=DAY) == write_sheet(record, "md", made_on=DAY)
    assert write_sheet(read, "pdf", made_on=DAY) == write_sheet(record, "pdf", made_on=DAY)
