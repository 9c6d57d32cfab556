"""The real statute XML beside the repository: every year and language, and beside the Akoma Ntoso of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.completeness.finland_statutes import lost_words
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.fetch.xml import parse_xml
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, WorkKind
from pykala.packs.finland import pack
from pykala.packs.finland.statutes.akoma_ntoso import read_statute
from pykala.packs.finland.statutes.statute_xml import StatuteXmlFiles, read_statute_xml
from pykala.packs.finland.survey import acts_by_path
from pykala.packs.pack import Snapshot

CORPORA = Path(__file__).parents[4] / "shared" / "corpora"
EVERY = 45  # one act in so many: some two hundred, of every year

pytestmark = pytest.mark.corpora


def archive(name: str) -> Iterator[Mirror]:
    path = CORPORA / name
    if not path.exists():
        pytest.skip(f"the corpus {name} is not beside the repository (looked in ../shared/corpora)")
    with open_mirror(path) as mirror:
        yield mirror


@pytest.fixture(scope="module")
def statutes() -> Iterator[Mirror]:
    yield from archive("finland-statutes.tar.zst")


@pytest.fixture(scope="module")
def akoma_ntoso() -> Iterator[Mirror]:
    yield from archive("finland-akn.tar.zst")


def acts(mirror: Mirror) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for path in mirror.paths():
        if act := StatuteXmlFiles.act_of(path):
            grouped.setdefault(act, []).append(path)
    return grouped


def snapshots(mirror: Mirror, paths: list[str]) -> list[Snapshot]:
    files = [mirror.read(path) for path in paths]
    return [Snapshot(file.path, file.data, file.sha256) for file in files]


def test_every_year_is_read_in_both_languages_without_losing_a_word(statutes: Mirror) -> None:
    grouped = acts(statutes)
    seen: Counter[tuple[str, str]] = Counter()
    for act in sorted(grouped)[::EVERY]:
        files = snapshots(statutes, grouped[act])
        reading = read_statute_xml(files, pack.facts)
        assert not reading.refusals
        assert reading.work is not None
        data = {file.path: file.data for file in files}
        for document in reading.documents:
            seen[act[:4], document.language] += 1
            path = document.manifestations[0].path
            assert not lost_words(parse_xml(data[path], path), document), path
            identifiers = [provision.id for provision in document.root.walk()]
            assert len(set(identifiers)) == len(identifiers), path
            assert all(ProvisionId.parse(str(one)) == one for one in identifiers), path
    years = {act[:4] for act in grouped}
    assert set(seen) == {(year, language) for year in years for language in ("fi", "sv")}


def test_languages_pair_and_amending_acts_tell_when_they_enter_into_force(statutes: Mirror) -> None:
    grouped = acts(statutes)
    provisions = paired = amending = known = 0
    for act in sorted(grouped)[20::EVERY]:
        reading = read_statute_xml(snapshots(statutes, grouped[act]), pack.facts)
        assert reading.work is not None
        provisions += sum(1 for _ in reading.documents[0].root.walk()) - 1
        paired += len(reading.pairings)
        if reading.work.kind is WorkKind.ACT and reading.work.title("fi").endswith("muuttamisesta"):
            amending += 1
            known += reading.work.validity.start is not None
    assert paired / provisions > 0.98
    assert known == amending > 50


def test_acts_in_both_forms_have_the_same_tree(statutes: Mirror, akoma_ntoso: Mirror) -> None:
    grouped = acts(statutes)
    same = total = compared = 0
    for item in acts_by_path(akoma_ntoso.paths()):
        act = item.name.removeprefix("act:")
        if act not in grouped:
            continue
        compared += 1
        own = read_statute_xml(snapshots(statutes, grouped[act]), pack.facts)
        other = read_statute(item, snapshots(akoma_ntoso, list(item.paths)), pack.facts)
        assert own.work is not None
        assert other.work is not None
        assert (own.work.kind, own.work.titles, own.work.issued, own.work.aliases) == (
            other.work.kind,
            other.work.titles,
            other.work.issued,
            other.work.aliases,
        )
        for mine, theirs in zip(own.documents, other.documents, strict=True):
            ours, beside = wordings(mine), wordings(theirs)
            total += len(ours.keys() | beside.keys())
            same += sum(beside.get(place) == words for place, words in ours.items())
    assert compared > 200
    # The XML reader also tells a momentti that the sources mark up as an item; Akoma Ntoso keeps the slip.
    assert same / total > 0.99


def wordings(document: Document) -> dict[ProvisionId, tuple[str, str]]:
    return {p.id: (p.versions[0].heading, p.versions[0].text) for p in document.root.walk()}
