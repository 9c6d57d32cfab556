from __future__ import annotations

import re

import pytest

from pykala.graph.exceptions import with_exceptions
from pykala.law.identifiers import ProvisionId
from pykala.law.references import EdgeKind, Method, Reference

EXCEPTION = {
    "en": ("notwithstanding", "despite", "except as provided"),
    "fr": ("par dérogation à", "malgré"),
    "fi": ("poiketen", "estämättä", "poikkeuksena"),
    "sv": ("med avvikelse från", "trots"),
}
YIELDING = {
    "en": ("subject to", "except as provided in"),
    "fr": ("sous réserve de", "sous réserve du"),
    "fi": ("jollei", "ellei"),
    "sv": ("om inte annat följer av",),
}
CITATION = re.compile(
    r"(?:sections?|paragraphe|article|artikel)\s(\d+)|(\d+)\s§(?::\w+)?(?:\s\d+\smomen\w+)?"
)
HERE = ProvisionId.parse("fi:act:2000/1/sec_1")


def marks(language: str, text: str) -> dict[str, str]:
    """Each cited number in the text with what the reference became."""
    references = [
        Reference(
            HERE,
            EdgeKind.CITES,
            found.group(),
            language,
            Method.CITATION,
            found.start(),
            found.end(),
            target=HERE.parent.child("sec", found.group(1) or found.group(2)),
        )
        for found in CITATION.finditer(text)
    ]
    assert references, text
    marked = with_exceptions(references, text, EXCEPTION, YIELDING)
    assert [reference.start for reference in marked] == [reference.start for reference in references]
    return {
        str(reference.target).rpartition("_")[2]: (
            "cites" if reference.kind is EdgeKind.CITES else "yields" if reference.reverse else "excepts"
        )
        for reference in marked
    }


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        # The cue stands before what it binds, and binds no more than its own phrase.
        (
            "en",
            "Notwithstanding section 5, a person may claim under section 9.",
            {"5": "excepts", "9": "cites"},
        ),
        ("en", "Subject to section 5, section 9 applies.", {"5": "yields", "9": "cites"}),
        ("en", "Despite sections 5 and section 6, no tax is due.", {"5": "excepts", "6": "excepts"}),
        (
            "en",
            "Subject to section 5, section 6 and section 7, tax is due.",
            {"5": "yields", "6": "yields", "7": "yields"},
        ),
        ("en", "Tax is due under section 9, subject to section 5.", {"9": "cites", "5": "yields"}),
        # The longest cue counts: the cited section is where the exception stands.
        ("en", "Except as provided in section 5, tax is due.", {"5": "yields"}),
        ("en", "Except as provided by any order made under section 5, tax is due.", {"5": "excepts"}),
        # Another clause, another sentence, or too far away.
        ("en", "The claim stands notwithstanding delay; section 5 applies.", {"5": "cites"}),
        ("en", "This applies despite any delay. Under section 5 a fee is due.", {"5": "cites"}),
        (
            "en",
            "Despite the fact that a person has not been told in writing by the Minister under section 5",
            {"5": "cites"},
        ),
        ("en", "No cue stands here, only section 5.", {"5": "cites"}),
        ("en", "An undespited word before section 5.", {"5": "cites"}),
        ("en", "A vessel that is not subject to section 5 may sail.", {"5": "cites"}),
        # Behind: in English only where the cue ends its phrase.
        ("en", "A person may, section 5 notwithstanding, claim.", {"5": "excepts"}),
        ("en", "Under section 5 notwithstanding any delay a person may claim.", {"5": "cites"}),
        ("fr", "Par dérogation à l’article 5, l’article 9 s’applique.", {"5": "excepts", "9": "cites"}),
        (
            "fr",
            "Sous réserve du paragraphe 2 et de l’article 6, la taxe est due.",
            {"2": "yields", "6": "yields"},
        ),
        ("sv", "Med avvikelse från 5 § tillämpas 9 §.", {"5": "excepts", "9": "cites"}),
        ("sv", "Skatten är 30 procent, om inte annat följer av 6 §.", {"6": "yields"}),
        # Finnish: behind, before, and both in one sentence.
        ("fi", "Edellä 5 §:stä poiketen vero on 30 prosenttia.", {"5": "excepts"}),
        ("fi", "Edellä 5 §:ssä säädetystä poiketen vero on 30 prosenttia.", {"5": "excepts"}),
        ("fi", "Sen estämättä, mitä 5 §:ssä säädetään, vero on 30 prosenttia.", {"5": "excepts"}),
        (
            "fi",
            "Poiketen siitä, mitä 5 §:ssä säädetään, 9 § koskee myös yhtymää.",
            {"5": "excepts", "9": "cites"},
        ),
        ("fi", "Edellä 5 §:stä poiketen 9 §:n mukainen vero kannetaan.", {"5": "excepts", "9": "cites"}),
        (
            "fi",
            "Yhtymä voi 9 §:n nojalla poiketen siitä, mitä 5 §:ssä säädetään, hakea oikaisua.",
            {"9": "cites", "5": "excepts"},
        ),
        ("fi", "Sovelletaan 5 §:ää, jollei 6 §:stä muuta johdu.", {"5": "cites", "6": "yields"}),
        ("fi", "Edellä 5 §:n ja 6 §:n estämättä vero kannetaan.", {"5": "excepts", "6": "excepts"}),
        ("fi", "Edellä 4 §:n, 5 §:n ja 6 §:n estämättä vero kannetaan.", dict.fromkeys("456", "excepts")),
    ],
)
def test_cues_bind_citations_of_their_clause(language: str, text: str, expected: dict[str, str]) -> None:
    assert marks(language, text) == expected


def test_only_plain_citations_become_exceptions() -> None:
    text = "Notwithstanding section 5, tax is due."
    amends = Reference(HERE, EdgeKind.AMENDS, "section 5", "en", Method.ANCHOR, 16, 25, target=HERE.parent)
    assert with_exceptions([amends], text, EXCEPTION, YIELDING) == [amends]


def test_an_exception_says_which_pass_found_it() -> None:
    text = "Notwithstanding section 5, tax is due."
    plain = Reference(HERE, EdgeKind.CITES, "section 5", "en", Method.ANCHOR, 16, 25, target=HERE.parent)
    (marked,) = with_exceptions([plain], text, EXCEPTION, YIELDING)
    assert (marked.kind, marked.method, marked.reverse) == (EdgeKind.EXCEPTS, Method.EXCEPTION, False)
    assert (marked.start, marked.end, marked.target) == (plain.start, plain.end, plain.target)


def test_a_language_without_cues_has_no_exceptions() -> None:
    assert with_exceptions([], "", EXCEPTION, YIELDING) == []
    plain = Reference(HERE, EdgeKind.CITES, "section 5", "de", Method.ANCHOR, 16, 25, target=HERE.parent)
    assert with_exceptions([plain], "Notwithstanding section 5", EXCEPTION, YIELDING) == [plain]
