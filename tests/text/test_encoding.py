from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.text.encoding import REPAIRED, UndecodableText, decode, repaired

FINNISH = "Päätös: ääkköset, Åbo – 5 § ja 30 000 €"


@pytest.mark.parametrize(
    ("data", "declared", "encoding"),
    [
        (FINNISH.encode(), None, "utf-8"),
        (b"\xef\xbb\xbf" + FINNISH.encode(), None, "utf-8"),
        (FINNISH.encode("utf-16"), None, "utf-16"),
        (FINNISH.encode("utf-32"), None, "utf-32"),
        (FINNISH.encode("cp1252"), None, "cp1252"),
        (FINNISH.encode("cp1252"), "ISO-8859-1", "cp1252"),
        (FINNISH.encode("cp1252"), "utf-8", "cp1252"),
        (FINNISH.encode("cp1252"), "no-such-charset", "cp1252"),
        (FINNISH.encode("cp1252"), "hex", "cp1252"),
    ],
)
def test_encodings(data: bytes, declared: str | None, encoding: str) -> None:
    decoded = decode(data, declared)
    assert decoded.text == FINNISH
    assert decoded.encoding == encoding
    assert not decoded.repaired


@pytest.mark.parametrize(
    "head", ['<?xml version="1.0" encoding="ISO-8859-15"?>', '<html><meta charset="iso-8859-15">']
)
def test_a_charset_declared_inside(head: str) -> None:
    text = f"{head}<p>pöytäkirja 5 €</p>"
    assert decode(text.encode("iso-8859-15")).text == text


def test_a_wrong_declaration_is_noted() -> None:
    assert decode("päätös".encode(), "iso-8859-1").notes == ("declared as iso8859-1, but is UTF-8",)
    assert decode(b"plain", "iso-8859-1").notes == ()


@pytest.mark.parametrize("wrong", ["latin-1", "cp1252"])
@pytest.mark.parametrize("text", ["päätös", "ÅLAND: Överförd skatt, § 5", "l’impôt à payer – été"])
def test_text_encoded_twice_is_repaired_and_reported(text: str, wrong: str) -> None:
    try:
        twice = text.encode().decode(wrong)
    except UnicodeDecodeError:
        twice = text.encode().decode("latin-1")
    decoded = decode(f"Hyvä rivi ensin.\n{twice}\n".encode())
    assert decoded.text == f"Hyvä rivi ensin.\n{text}\n"
    assert decoded.repaired
    assert decoded.notes == ("text encoded twice was repaired",)


@pytest.mark.parametrize(
    "text", ["SÃO PAULO", "À l’ÂGE de 65 ans", "Ã", "Â § 5", "l’œuvre de l’État — «été»"]
)
def test_good_text_with_rare_letters_is_left_alone(text: str) -> None:
    assert decode(text.encode()).text == text


@given(st.text(alphabet="aåäöéèêçîôùœÅÄÖÉÀ .,;:§–—’«»\n0123456789€%bcdefghijklmnoprstuvxyz", max_size=300))
def test_good_finnish_french_and_swedish_is_unchanged(text: str) -> None:
    decoded = decode(text.encode())
    assert decoded.text == text
    assert not decoded.repaired


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"a\0b", "NUL"), (b"h\0e\0i\0", "NUL"), (b"\x01\x02\x03 text", "control"), (b"\xff\xfe\x00", "utf-16")],
)
def test_binary_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    with pytest.raises(UndecodableText, match=reason):
        decode(data)


@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        text = decode(data).text
    except UndecodableText:
        return
    assert "\0" not in text


@pytest.mark.parametrize(
    "page", ["cp874", "tis-620", "mac_roman", "cp437", "cp850", "cp1250", "cp1251", "cp1253"]
)
@pytest.mark.parametrize("text", ["päätös 5 § – ”laki”", "l’impôt à payer, été", "ÅLAND: överförd skatt"])
def test_utf_8_read_in_another_code_page_is_repaired_and_reported(text: str, page: str) -> None:
    def seen(byte: int) -> str:
        try:
            return bytes([byte]).decode(page)
        except UnicodeDecodeError:
            return chr(byte)

    twice = "".join(seen(byte) for byte in text.encode())
    decoded = decode(f"Hyvä rivi ensin.\n{twice}\n".encode())
    assert decoded.text == f"Hyvä rivi ensin.\n{text}\n"
    assert decoded.notes == (REPAIRED,)
    assert repaired(f"<p>{twice}</p>".encode()) == f"<p>{text}</p>".encode()


def test_the_thai_looking_finnish_of_a_known_fault_is_repaired() -> None:
    assert decode("pรครคtรถs, 5 ยง".encode()).text == "päätös, 5 §"


@pytest.mark.parametrize(
    "text",
    [
        "รถ",
        "Toyota รถยนต์ 2 คัน",
        "ราคา ค่าธรรมเนียม ภาษี",
        "Γέφυρα §",
        "Город № 5",
        "√2 ± 1",
        "Ăsta e bun",
        "5 € – §",
    ],
)
def test_good_text_of_other_scripts_stays_as_it_is(text: str) -> None:
    assert decode(text.encode()).text == text
    assert repaired(text.encode()) == text.encode()


@given(st.binary(max_size=80))
def test_any_bytes_are_repaired_without_a_fault_and_only_once(data: bytes) -> None:
    assert repaired(repaired(data)) == repaired(data)
