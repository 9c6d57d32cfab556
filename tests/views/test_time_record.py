"""What is wrong with a wording is told in words, in the language that is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from making import bundle, document, section, since
from plain_pack import pack
from pykala.interfaces.records.law import history_page
from pykala.law.identifiers import WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Version
from pykala.library import Library
from pykala.stores.embedded.store import EmbeddedStore

ACT = WorkId("xx:act:1")
ENDS = Message.of("finding.record_ends", day=date(2019, 3, 1))
WORDS = "the scan of page 3 is dark"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    versions = (Version("Five euros.", since(2010), findings=(ENDS, Message.in_words(WORDS))),)
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(ACT, [document(ACT, "en", [section(ACT, "1", versions=versions)])]))
        yield Library(store, packs={"xx": pack})


TOLD = {
    None: "the publisher's record of this text ends on 2019-03-01 without a repeal",
    "fi": "julkaisijan tiedot tästä tekstistä päättyvät 2019-03-01 ilman kumoamista",
    "sv": "utgivarens uppgifter om denna text slutar 2019-03-01 utan upphävande",
    "fr": "les données de l’éditeur sur ce texte s’arrêtent le 2019-03-01 sans abrogation",
}


@pytest.mark.parametrize(("language", "told"), TOLD.items())
def test_a_history_says_what_is_wrong_in_the_language_that_is_asked_for(
    library: Library, language: str | None, told: str
) -> None:
    (version,) = history_page(library.history("xx:act:1/sec_1"), library, language).versions
    first, second = version.findings
    assert first.startswith((f"{told}:", f"{told} :"))
    assert second == WORDS


def test_a_version_as_data_says_it_in_english(library: Library) -> None:
    (version,) = library.history("xx:act:1/sec_1").versions
    findings = version.to_dict()["findings"]
    assert findings == [f"{TOLD[None]}: it may have changed since", WORDS]
