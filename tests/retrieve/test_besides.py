"""What a follow-up asks for beside what was answered: "must customers be told too?"."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from making import bundle, document, section
from plain_pack import pack
from pykala.law.identifiers import WorkId
from pykala.library import Library
from pykala.models.bundled.lazy import bundled_embedder
from pykala.retrieve.conversation import Turn, standalone
from pykala.stores.embedded.store import EmbeddedStore

DAY = date(2026, 1, 1)
ACT = WorkId("ca:act:Z-1")
SAYS = {
    "1": "An organization shall report a breach of security to the Commissioner within 72 hours.",
    "2": "An organization shall notify an individual of a breach of security that may harm the individual.",
    "3": "The Commissioner keeps a register of organizations. The register is public.",
    "4": "An organization shall name a person who is responsible for security.",
    "5": "An organization that obtains personal information shall have the consent of the individual.",
    "6": "The minister may make regulations on the fees of the Commissioner.",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("besides")
    with EmbeddedStore.open(folder, writable=True, embedder=bundled_embedder()) as store:
        rules = [section(ACT, *one) for one in SAYS.items()]
        store.put(bundle(ACT, [document(ACT, "en", rules, "Safeguards Act")]))
    with Library.open(folder) as library:
        yield library


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("must the individuals be notified too?", "ca:act:Z-1/sec_2"),
        ("must the individuals be notified of it too?", "ca:act:Z-1/sec_2"),
        ("must it be reported in winter too?", "ca:act:Z-1/sec_1"),  # "it" is what was answered
        ("and on holidays too?", "ca:act:Z-1/sec_1"),  # no other section speaks of holidays
    ],
)
def test_what_is_asked_beside_what_was_answered(library: Library, text: str, answers: str) -> None:
    first = "How soon must a breach of security be reported to the Commissioner?"
    before = library.ask(first, as_of=DAY, jurisdiction="ca")
    assert before.primary is not None
    assert str(before.primary.provision) == "ca:act:Z-1/sec_1"
    found = library.ask(text, as_of=DAY, after=before)
    assert found.primary is not None
    assert str(found.primary.provision) == answers


@pytest.mark.parametrize(
    ("language", "first", "text", "besides"),
    [
        ("en", "Who must report a bear?", "must neighbours be told too?", True),
        ("en", "Who must report a bear?", "do we also have to tell neighbours?", True),
        ("en", "Who must report a bear?", "does that apply to cubs too?", False),
        ("en", "Who must report a bear?", "and if it is too late?", False),
        ("fr", "Qui doit signaler un ours?", "faut-il aussi avertir les voisins?", True),
        ("fr", "Qui doit signaler un ours?", "et après un an?", False),
        ("sv", "Vem ska anmäla en björn?", "måste grannarna också underrättas?", True),
        ("sv", "Vem ska anmäla en björn?", "och efter ett år?", False),
        ("fi", "Kenen on ilmoitettava karhusta?", "pitääkö naapureillekin kertoa?", True),
        ("fi", "Kenen on ilmoitettava karhusta?", "entä vuoden jälkeen?", False),
    ],
)
def test_words_that_ask_for_something_besides(
    library: Library, language: str, first: str, text: str, *, besides: bool
) -> None:
    alone = standalone(text, Turn(first, language), library.store, {"xx": pack}, today=DAY)
    assert alone.follows
    assert alone.besides is besides
