"""The sample against its golden, and everyday questions; a missing golden is written, and fails once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from bench.completeness.nyc import lost_words
from pykala.ask import Engine, ask
from pykala.fetch.mirror import open_mirror
from pykala.graph.relate import relate
from pykala.ingest import ingest
from pykala.law.answers import CaveatKind, Outcome
from pykala.packs.nyc import pack
from pykala.packs.pack import Reading, Snapshot
from pykala.stores.embedded.store import EmbeddedStore

SAMPLE = Path(str(files("pykala.packs.nyc"))) / "sample"
GOLDEN = Path(__file__).parent / "golden"
(ITEM,) = pack.works(path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*") if path.is_file())


def reading() -> Reading:
    found = [(path, (SAMPLE / path).read_bytes()) for path in ITEM.paths]
    return pack.read(ITEM, [Snapshot(path, data, sha256(data).hexdigest()) for path, data in found])


def golden(found: Reading) -> dict[str, Any]:
    (document,) = found.documents
    facts = pack.facts
    return {
        "provisions": [
            {
                "provision": str(provision.id),
                "kind": provision.kind.value,
                "label": provision.label,
                "heading": version.heading,
                "text": version.text,
                "start": version.validity.start and version.validity.start.isoformat(),
                "event": version.event.value,
                "source_act": version.source_act and str(version.source_act),
                "application": version.application,
                "history_unavailable": version.history_unavailable,
            }
            for provision in document.root.walk()
            for version in provision.versions
        ],
        "references": [
            [str(one.source), one.kind.value, one.reverse, one.text, str(one.target or one.reason)]
            for one in relate(document, pack, facts.exception_cues, facts.yielding_cues)
        ],
        "terms": [[term.term, str(term.provision), str(term.scope)] for term in document.terms],
    }


def test_the_sample_reads_as_its_golden() -> None:
    assert reading().refusals == ()
    found = golden(reading())
    path = GOLDEN / "nyc_adc_11.json"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")
        pytest.fail(f"{path.name} was missing and has been written: read it, then run the test again")
    assert found == json.loads(path.read_text("utf-8"))


def test_the_sample_says_that_it_is_no_law_and_loses_no_word() -> None:
    (document,) = reading().documents
    words = [version.text for provision in document.root.walk() for version in provision.versions]
    assert any("not law" in text for text in words)
    assert lost_words((SAMPLE / ITEM.paths[0]).read_text("utf-8"), document) == {}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with EmbeddedStore.open(tmp_path_factory.mktemp("nyc"), writable=True) as store:
        with open_mirror(SAMPLE) as mirror:
            report = ingest(store, pack, mirror)
        assert report.refusals == []
        yield Engine(store, {"nyc": pack})


QUESTIONS = [
    ("What is the rate of the unincorporated business tax in New York City?", "sec_11-503", "four percent"),
    ("How much credit does a small unincorporated business get against its tax?", "sec_11-503", "credit"),
    ("What is the rate of interest on late property tax in NYC?", "sec_11-224.1", "percent a year"),
    (
        "What penalty does an owner pay who does not file the statement in time?",
        "sec_11-208.1",
        "three percent",
    ),
    ("What does the term income-producing property mean?", "sec_11-208.1", "held to earn rent"),
    ("Is the home of a person over sixty-five exempt from property tax?", "sec_11-245.3", "fifty percent"),
    ("What is an unincorporated business?", "sec_11-502", "trade, business, profession"),
    ("What does § 11-503(b)(1) say?", "sec_11-503/subd_b/para_1", "three thousand four hundred"),
]


@pytest.mark.parametrize(("question", "place", "words"), QUESTIONS)
def test_everyday_questions_find_their_answer(engine: Engine, question: str, place: str, words: str) -> None:
    answer = ask(question, engine, as_of=date(2026, 6, 1))
    assert answer.outcome in (Outcome.ANSWERED, Outcome.LIKELY)
    assert answer.primary is not None
    assert str(answer.primary.provision).startswith(f"nyc:adc:11/{place}")
    assert words in answer.text
    assert answer.primary.citation.startswith("NYC Admin. Code § 11-")


def test_a_repealed_section_says_so(engine: Engine) -> None:
    answer = ask("What does section 11-2301 say?", engine, as_of=date(2026, 6, 1))
    assert CaveatKind.REPEALED in {caveat.kind for caveat in answer.caveats}


def test_a_day_before_the_last_amendment_says_that_history_is_unavailable(engine: Engine) -> None:
    answer = ask("What does section 11-208.1 say?", engine, as_of=date(2020, 1, 1))
    assert CaveatKind.HISTORY_UNAVAILABLE in {caveat.kind for caveat in answer.caveats}
