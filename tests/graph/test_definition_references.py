"""What definitions and words of carrying out give rise to: defines, defined_in, transposes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from making import document
from pykala.graph.definitions import MOST_USES, definition_references, points_elsewhere
from pykala.graph.transposing import transposing
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Document, Provision, ProvisionKind, Version
from pykala.law.references import EdgeKind, Method, Reference

WORK = WorkId("ca:act:X-1")
ROOT = ProvisionId(WORK)


def act(*texts: str, scope: ProvisionId = ROOT) -> Document:
    """Sections by number; the first defines "fishing vessel"."""
    sections = [
        Provision(ROOT.child("sec", str(number)), ProvisionKind.SECTION, str(number), (Version(text),))
        for number, text in enumerate(texts, start=1)
    ]
    made = document(WORK, "en", sections)
    term = DefinedTerm("fishing vessel", "en", ROOT.child("sec", "1"), scope)
    return replace(made, terms=(term,))


def found(made: Document, *cited: Reference) -> set[tuple[str, str, str]]:
    return {(str(one.source), one.kind.value, str(one.target)) for one in definition_references(made, cited)}


MEANS = "fishing vessel means a vessel that catches fish."


def test_a_definition_reaches_its_scope_and_its_uses() -> None:
    made = act(MEANS, "A fishing vessel carries a light.", "A vessel for fishing carries none.")
    assert found(made) == {
        ("ca:act:X-1/sec_1", "defines", "ca:act:X-1"),
        ("ca:act:X-1/sec_2", "defined_in", "ca:act:X-1/sec_1"),
    }


def test_a_use_beyond_the_scope_is_none() -> None:
    made = act(MEANS, "A fishing vessel.", "A fishing vessel.", scope=ROOT.child("sec", "3"))
    assert ("ca:act:X-1/sec_2", "defined_in", "ca:act:X-1/sec_1") not in found(made)
    assert ("ca:act:X-1/sec_3", "defined_in", "ca:act:X-1/sec_1") in found(made)


def test_a_text_that_ends_like_the_beginning_of_a_longer_term_uses_the_shorter_one() -> None:
    made = act("fishing means catching fish.", "They go fishing", "A fishing vessel.")
    longer = replace(made.terms[0], provision=ROOT.child("sec", "3"))
    made = replace(made, terms=(replace(made.terms[0], term="fishing"), longer))
    used = {(source, target) for source, kind, target in found(made) if kind == "defined_in"}
    assert used == {("ca:act:X-1/sec_2", "ca:act:X-1/sec_1")}


def test_a_word_of_the_whole_act_tells_nothing_of_a_section() -> None:
    made = act(MEANS, *["A fishing vessel."] * (MOST_USES + 1))
    assert found(made) == {("ca:act:X-1/sec_1", "defines", "ca:act:X-1")}


def test_a_definition_that_points_elsewhere_is_defined_there() -> None:
    made = act("fishing vessel has the same meaning as in section 2 of the Fisheries Act.")
    target = ProvisionId.parse("ca:act:F-14/sec_2")
    cited = Reference(
        ROOT.child("sec", "1"), EdgeKind.CITES, "section 2", "en", Method.CITATION, target=target
    )
    assert ("ca:act:X-1/sec_1", "defined_in", "ca:act:F-14/sec_2") in found(made, cited)


@pytest.mark.parametrize(
    ("text", "language", "points"),
    [
        ("‘money laundering’ means money laundering as defined in Article 1(3) of Directive X;", "en", True),
        ("common-law partner has the same meaning as in section 2 of the Criminal Code;", "en", True),
        (MEANS, "en", False),
        ("rahanpesulla rikoslain (39/1889) 32 luvun 6–10 §:ssä tarkoitettua toimintaa;", "fi", True),
        ("kuntakonsernilla kunnan ja sen tytäryhteisöjen muodostamaa kokonaisuutta;", "fi", False),
        ("med kommun en kommun som avses i 2 § i kommunallagen;", "sv", True),
        ("conjoint de fait S’entend au sens de l’article 2 du Code criminel;", "fr", True),
        ("x " * 300 + "within the meaning of section 2", "en", False),
        ("vehicle means a means of transport, and includes a train as defined in section 4.", "en", False),
        ("véhicule Moyen de transport, notamment le train au sens de l’article 4.", "fr", False),
        ("vehicle means a vehicle as defined in section 4, and includes a sledge.", "en", True),
    ],
)
def test_definitions_without_words_of_their_own(text: str, language: str, points: bool) -> None:
    assert points_elsewhere(text, language) is points


@pytest.mark.parametrize(
    ("text", "carries_out"),
    [
        ("Tällä lailla pannaan täytäntöön neuvoston direktiivi 92/43/ETY.", True),
        ("Genom denna lag genomförs rådets direktiv 92/43/EEG.", True),
        ("This Act implements Council Directive 92/43/EEC.", True),
        ("Päätös pannaan täytäntöön. Asiasta säädetään direktiivissä 92/43/ETY.", False),
        ("Direktiivissä 92/43/ETY säädetään siitä.", False),
    ],
)
def test_acts_that_carry_out_union_law(text: str, carries_out: bool) -> None:
    at = text.index("92/43")
    reference = Reference(
        ProvisionId.parse("fi:act:1996/1096/sec_3"),
        EdgeKind.CITES,
        "92/43",
        "fi",
        Method.CITATION,
        at,
        at + 5,
        target=ProvisionId.parse("eu:31992L0043"),
    )
    assert [one.kind for one in transposing([reference], text)] == [EdgeKind.TRANSPOSES] * carries_out
