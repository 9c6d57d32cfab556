"""The audit: every check finds the fault it is there for, and finds none in the sample."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from typer.testing import CliRunner

from making import bundle, cites, document, section, since
from pykala.fetch.mirror import open_mirror
from pykala.ingest import ingest
from pykala.interfaces.cli.main import app
from pykala.law.bundles import Bundle
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Pairing, Version
from pykala.law.references import Unresolved
from pykala.law.validity import ALWAYS, Validity
from pykala.library.audit import AuditReport, audit
from pykala.library.sample import sample_library
from pykala.packs.pack import installed, pack_for
from pykala.stores.embedded.store import EmbeddedStore

WORK = WorkId("xx:act:1")
TODAY = date(2026, 11, 16)
LONG = "A person who sells hats shall keep a book of all the hats that were sold, and show it to any officer."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as opened:
        yield opened


def report_of(store: EmbeddedStore, *bundles: Bundle) -> AuditReport:
    with store.batch():
        for one in bundles:
            store.put(one)
    return audit(store, as_of=TODAY)


def of(*sections: object, validity: Validity = ALWAYS) -> Bundle:
    made = bundle(WORK, [document(WORK, "en", sections)])  # type: ignore[arg-type]
    return replace(made, work=replace(made.work, validity=validity))


OVERLAPPING = (Version("Old.", since(2000)), Version("New.", since(2010)))
FAULTS = {
    "chains": of(section(WORK, "1", versions=OVERLAPPING)),
    "dates": of(section(WORK, "1", "Words.", validity=Validity(date(1000, 1, 1)))),
    "ended": of(section(WORK, "1", "Words.", validity=since(1990)), validity=since(1990, 1996)),
    "duplicates": of(section(WORK, "1", LONG), section(WORK, "2", LONG)),
    "characters": of(section(WORK, "1", "Having sought assist\u00adance.")),
}


@pytest.mark.parametrize("check", FAULTS)
def test_each_check_finds_its_fault_and_no_other(check: str, store: EmbeddedStore) -> None:
    report = report_of(store, FAULTS[check])
    assert {name for name, count in report.faults.items() if count} == {check}
    assert report.examples[check][0].where.startswith("xx:act:1/sec_")


def test_what_is_right_has_no_faults(store: EmbeddedStore) -> None:
    ended = (Version("Old.", since(2000, 2010)), Version("New.", since(2010)))
    report = report_of(store, of(section(WORK, "1", versions=ended), section(WORK, "2", LONG)))
    assert not +report.faults
    assert report.looked["chains"] == 3
    assert report.drawn == {"xx": 1}


def test_figures_that_differ_between_languages_are_found(store: EmbeddedStore) -> None:
    place = ProvisionId.parse("xx:act:1/sec_1")
    texts = {"en": "The rate is 20 per cent.", "fr": "Le taux est de 25 pour cent."}
    documents = [document(WORK, language, [section(WORK, "1", text)]) for language, text in texts.items()]
    pairing = Pairing(place, "en", place, "fr", 1.0, "same identifier")
    report = report_of(store, replace(bundle(WORK, documents), pairings=(pairing,)))
    assert [one.what for one in report.examples["pairings"]] == ["its figures differ from those in fr"]


def test_a_reference_to_a_place_that_its_act_lacks_is_found(store: EmbeddedStore) -> None:
    source = ProvisionId.parse("xx:act:1/sec_1")
    nowhere = cites(source, reason=Unresolved.NO_SUCH_PROVISION, text="section 9")
    made = bundle(WORK, [document(WORK, "en", [section(WORK, "1", "See section 9.")])], references=[nowhere])
    report = report_of(store, made)
    assert [one.what for one in report.examples["references"]] == [
        "'section 9' leads to no place that is held"
    ]


def test_words_are_compared_with_the_bytes_of_the_source(store: EmbeddedStore, tmp_path: Path) -> None:
    folder = tmp_path / "source"
    sample = pack_for("nyc").facts.package.rpartition(".")[2]
    file = next((Path(__file__).parents[1] / "src/pykala/packs" / sample / "sample").glob("*.txt"))
    folder.mkdir()
    (folder / file.name).write_bytes(file.read_bytes())
    with open_mirror(folder) as source:
        ingest(store, pack_for("nyc"), source)
        whole = audit(store, as_of=TODAY, source=source)
    assert whole.looked["not in the source"] == whole.looked["lost words"] == 1
    assert not +whole.faults
    (folder / file.name).write_text("Other words altogether, of which the library holds not one. " * 30)
    with open_mirror(folder) as source:
        other = audit(store, as_of=TODAY, source=source)
    assert other.faults["not in the source"] == other.faults["lost words"] == 1


def test_the_sample_library_has_no_faults(tmp_path: Path) -> None:
    folder = sample_library(tmp_path, installed())
    result = CliRunner().invoke(app, ["audit", str(folder), "--json", "--as-of", "2026-11-16"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.output)
    assert set(report["drawn"]) == {"ca", "eu", "fi", "nyc"}
    assert {check: told["examples"] for check, told in report["checks"].items() if told["faults"]} == {}
    assert report["checks"]["chains"]["looked_at"] > 500
