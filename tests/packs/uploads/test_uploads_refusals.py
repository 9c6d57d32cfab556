"""What is not read, and why: every hostile or foreign file is refused by name, and none raises."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_uploads_readers import CONTRACT, PAGE, document, read

from pykala.packs.uploads import formats
from pykala.packs.uploads import pdf as pdf_reader
from pykala.packs.uploads.blocks import MAX_BLOCKS
from pykala.packs.uploads.markdown import least_blocks, read_markdown
from upload_making import docx, paragraph, pdf, text_pdf


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return out.getvalue()


def with_two_documents() -> bytes:
    out = io.BytesIO(docx(paragraph("For people.")))
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(out, "a") as archive:
        archive.writestr("word/document.xml", "<x/>")
    return out.getvalue()


def encrypted_docx() -> bytes:
    data = bytearray(docx(paragraph("Secret.")))
    at = data.find(b"PK\x01\x02")
    while at >= 0:
        data[at + 8] |= 1
        at = data.find(b"PK\x01\x02", at + 4)
    return bytes(data)


def bomb_docx() -> bytes:
    return docx(parts={"word/document.xml": b"<w>" + b" " * (20 * 1024 * 1024) + b"</w>"})


def overlapping_docx() -> bytes:
    data = bytearray(docx(paragraph("Words.")))
    first = data.find(b"PK\x01\x02")
    second = data.find(b"PK\x01\x02", first + 4)
    data[second + 42 : second + 46] = struct.pack("<I", 5)
    return bytes(data)


ENTITIES = (
    '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    "<w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>"
)
DEEP = "<div>" * 5_000 + "words"


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("empty.txt", b" \n ", "it is empty"),
        ("signs.txt", b"--- *** ---", "it holds no words"),
        ("binary.txt", b"words\0words", "holds a NUL"),
        ("controls.txt", bytes(range(1, 9)) * 20, "too many control characters"),
        ("scan.pdf", pdf(None), "page 1 of 1: scanned, without a text layer; recognise its text first"),
        ("half.pdf", pdf([(72, 700, 11, "Words")], None, None), "pages 2, 3 of 3: scanned"),
        ("locked.pdf", pdf([(72, 700, 11, "Words")], password="x"), "protected by a password"),
        ("blank.pdf", pdf([]), "it holds no words"),
        ("broken.pdf", b"%PDF-1.7\nno objects", "no PDF that can be read"),
        ("cut.docx", docx(paragraph("Words."))[:200], "damaged or cut short"),
        ("twice.docx", with_two_documents, "holds 'word/document.xml' twice"),
        ("locked.docx", encrypted_docx, "protected by a password"),
        ("bomb.docx", bomb_docx, "decompression bomb"),
        ("overlap.docx", overlapping_docx, "overlap, like a decompression bomb"),
        ("entities.docx", docx(parts={"word/document.xml": ENTITIES}), "declares entities"),
        ("malformed.docx", docx("<w:p>"), "not well-formed"),
        ("nothing.docx", docx(), "it holds no words"),
        ("sheet.xlsx", zipped(xl__workbook_dot_xml=b"<x/>"), "a spreadsheet or a presentation"),
        (
            "a.odt",
            zipped(mimetype=b"application/vnd.oasis.opendocument.text"),
            "an OpenDocument or EPUB file",
        ),
        ("a.zip", zipped(a_dot_txt=b"words"), "a zip archive without a Word document"),
        ("old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "an old Word file"),
        ("a.rtf", b"{\\rtf1 words}", "rich text"),
        ("a.jpg", b"\xff\xd8\xff\xe0" + bytes(100), "a picture"),
        ("a.txt", b"\x7fELF" + bytes(100), "a program"),
        ("a.csv", b"words,more", "no format that is read (.csv)"),
        ("a.xml", b"<?xml version='1.0'?><act>words</act>", "XML that is not a page"),
        ("many.txt", "1. x\n\n" * 200_001, "more than 200000 paragraphs"),
        ("deep.html", "<!doctype html>" + DEEP, "nested"),
    ],
)
def test_what_is_not_read_is_refused_with_advice(name: str, data: object, reason: str) -> None:
    content = data() if callable(data) else data
    assert isinstance(content, bytes | str)
    reading = read(f"folder/{name}", content)
    assert reading.work is None
    assert [one.path for one in reading.refusals] == [f"folder/{name}"]
    assert reason in reading.refusals[0].reason


def test_a_huge_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "MAX_BYTES", 10)
    assert "larger than 10 bytes" in read("a.txt", "words and words").refusals[0].reason


def test_without_the_extra_a_pdf_is_refused_with_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text(
        "import sys; sys.modules['pypdfium2'] = None\n" + pdf_reader._WORKER.read_text("utf-8"), "utf-8"
    )
    source = worker.read_text("utf-8").replace("from __future__ import annotations\n", "")
    worker.write_text(source, "utf-8")
    monkeypatch.setattr(pdf_reader, "_WORKER", worker)
    reason = read("a.pdf", text_pdf("Words.")).refusals[0].reason
    assert "pip install 'pykala[uploads]'" in reason


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("import os; os.abort()", "makes the reader of PDF fail"),
        ("while True: pass", "could not be read within"),
    ],
)
def test_a_reader_that_crashes_or_hangs_takes_only_the_file_with_it(
    script: str, reason: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text(script, "utf-8")
    monkeypatch.setattr(pdf_reader, "_WORKER", worker)
    monkeypatch.setattr(pdf_reader, "_SECONDS", 0.5)
    assert reason in read("a.pdf", text_pdf("Words.")).refusals[0].reason


def test_pictures_beside_words_are_no_scan() -> None:
    assert document("a.pdf", text_pdf("A page of words.\nAnd more.")).language == "en"


_WHOLE = {
    "a.txt": CONTRACT.encode(),
    "a.html": PAGE.encode(),
    "a.docx": docx(paragraph("Words."), paragraph("(a) x")),
}


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(_WHOLE)), st.data())
def test_damage_never_raises(name: str, data: st.DataObject) -> None:
    content = bytearray(_WHOLE[name])
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    reading = read(name, bytes(content[:cut]))
    assert (reading.work is None) == bool(reading.refusals)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 900), st.binary(min_size=1, max_size=6))
def test_damaged_pdf_never_raises(at: int, junk: bytes) -> None:
    content = bytearray(text_pdf("A tenant pays the rent."))
    content[at : at + len(junk)] = junk
    reading = read("a.pdf", bytes(content))
    assert (reading.work is None) == bool(reading.refusals)


LINES = [
    *("", "words", "- item", "* item", "1. item", "2. item", "7) item", "   more", "# Heading", "```", "~~~"),
    *("````", "    deep", "  - inner", "---", "===", "| a | b |", "| - | - |", "> said", "a) letter"),
]


@given(st.lists(st.sampled_from(LINES), max_size=14))
@settings(max_examples=300, deadline=None)
def test_blocks_are_never_counted_too_high_before_a_list_is_parsed(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert least_blocks(text) <= len(read_markdown(text.encode() + b"\n\nEnd.", "list.md").blocks)


@pytest.mark.parametrize(
    ("before", "line"), [("# L\n\n", "{}. Item."), ("", "- Item {}."), ("# L\n", "{}) It.\n")]
)
def test_a_list_that_is_too_long_is_refused_before_it_is_parsed(before: str, line: str) -> None:
    def seconds(items: int) -> float:
        text = before + "\n".join(line.format(number) for number in range(1, items + 1))
        begun = process_time()
        reading = read("list.md", text)
        assert bool(reading.refusals) is (items > MAX_BLOCKS), reading.refusals
        return process_time() - begun

    assert seconds(MAX_BLOCKS * 5 // 4) < seconds(MAX_BLOCKS // 10)
