"""The write path: incremental, resumable, deletable, and unmoved by bad files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import pykala.ingest
from plain_pack import PlainPack, pack
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.ingest import Report, ingest
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.packs.pack import Reading, Snapshot, SourceItem
from pykala.stores.embedded.store import EmbeddedStore

ACTS = {
    "1": "Horse Act\nA tax on horses is due in May.\nDespite § 1, foals are free.",
    "2": "Bridge Act\nA toll under § 1 of act 1 is paid at the bridge.\nSee § 9 of act 7.",
    "3": "",
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    for name, text in ACTS.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
    (folder / "notes.md").write_text("not law", "utf-8")
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as opened:
        yield opened


class CountingPack(PlainPack):
    """Counts what is parsed, so that "does no parsing" can be held to."""

    def __init__(self) -> None:
        self.parsed: list[str] = []

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        self.parsed.append(item.name)
        return super().read(item, snapshots)


def run(store: EmbeddedStore, source: Path, chosen: PlainPack = pack, **options: object) -> Report:
    with open_mirror(source) as mirror:
        return ingest(store, chosen, mirror, **options)  # type: ignore[arg-type]


def test_the_report_says_what_was_read_refused_and_left_unresolved(
    store: EmbeddedStore, source: Path
) -> None:
    seen: list[tuple[int, int]] = []
    report = run(store, source, progress=lambda done, total: seen.append((done, total)))
    assert (report.read, report.unchanged) == (3, 0)
    assert [(one.path, one.reason) for one in report.refusals] == [("3.txt", "the file is empty")]
    assert report.documents == {"en": 2}
    assert report.unresolved == {"not yet loaded": 1}
    assert seen[-1] == (3, 3)
    assert store.stats().edges == {"excepts": 1, "cites": 1}


def test_a_second_run_parses_nothing_and_writes_nothing(store: EmbeddedStore, source: Path) -> None:
    counting = CountingPack()
    run(store, source, counting)
    assert sorted(counting.parsed) == ["xx:act:1", "xx:act:2", "xx:act:3"]
    counting.parsed.clear()
    changes = store._connection.total_changes
    report = run(store, source, counting)
    assert (report.read, report.unchanged) == (0, 3)
    assert counting.parsed == []
    assert store._connection.total_changes == changes


def test_only_what_changed_is_read_again(store: EmbeddedStore, source: Path) -> None:
    counting = CountingPack()
    run(store, source, counting)
    counting.parsed.clear()
    (source / "1.txt").write_text("Horse Act\nThe tax on ponies and horses is abolished.", "utf-8")
    report = run(store, source, counting)
    assert (counting.parsed, report.unchanged) == (["xx:act:1"], 2)
    assert [m.text for m in store.match_text("ponies foals", Filter(), 5)] == [
        "The tax on ponies and horses is abolished."
    ]


def test_what_left_the_source_is_reported_and_pruned_on_request(store: EmbeddedStore, source: Path) -> None:
    run(store, source)
    (source / "2.txt").unlink()
    assert run(store, source).gone == ["xx:act:2"]
    assert len(list(store.works())) == 2
    report = run(store, source, prune=True)
    assert (report.gone, report.removed) == (["xx:act:2"], 1)
    assert [str(work.id) for work in store.works()] == ["xx:act:1"]
    assert run(store, source).gone == []


class PairedPack(PlainPack):
    """A pack that looks into the files: "1.txt" and "1.more.txt" are one act, if the latter says so."""

    def survey(self, source: Mirror, workers: int = 1) -> Iterator[SourceItem]:
        for item in self.works(path for path in source.paths() if ".more" not in path):
            more = item.paths[0].replace(".txt", ".more.txt")
            if more in set(source.paths()) and source.read(more).data.startswith(b"amends"):
                item = replace(item, paths=(*item.paths, more), notes=((more, "amends"),))
            yield item


def test_a_pack_that_surveys_its_source_groups_files_by_what_they_say(
    store: EmbeddedStore, source: Path
) -> None:
    (source / "1.more.txt").write_text("amends act 1", "utf-8")
    (source / "2.more.txt").write_text("says nothing", "utf-8")
    run(store, source, PairedPack())
    assert store.sources() == {"xx:act:1": ("1.txt", "1.more.txt"), "xx:act:2": ("2.txt",)}


def test_a_work_known_from_more_files_is_not_read_again_from_fewer(
    store: EmbeddedStore, source: Path
) -> None:
    (source / "1.more.txt").write_text("amends act 1", "utf-8")
    run(store, source, PairedPack())
    (source / "1.more.txt").unlink()
    (source / "1.txt").write_text("Horse Act\nA poorer text.", "utf-8")
    report = run(store, source, PairedPack())
    assert (report.kept, report.gone) == (frozenset({"xx:act:1"}), [])
    assert store.match_text("poorer", Filter(), 5) == ()
    assert run(store, source, PairedPack(), prune=True, accept=True).kept == frozenset()
    assert [match.text for match in store.match_text("poorer", Filter(), 5)] == ["A poorer text."]


class BrokenPack(PlainPack):
    """A reader with a bug: the rest must go on, and the file be named."""

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        if item.name.endswith(":1"):
            raise RecursionError("too deep")
        return super().read(item, snapshots)


def test_a_file_that_breaks_its_reader_is_refused_by_name(store: EmbeddedStore, source: Path) -> None:
    report = run(store, source, BrokenPack())
    assert {one.path: one.reason for one in report.refusals} == {
        "1.txt": "could not be read: RecursionError: too deep",
        "3.txt": "the file is empty",
    }
    assert [str(work.id) for work in store.works()] == ["xx:act:2"]


def test_a_work_whose_file_breaks_later_keeps_its_last_good_version(
    store: EmbeddedStore, source: Path
) -> None:
    run(store, source)
    (source / "1.txt").write_bytes(b"\xff\xfe broken")
    report = run(store, source)
    assert [one.path for one in report.refusals] == ["1.txt"]
    assert [one.work for one in report.held] == ["xx:act:1"]
    assert [str(work.id) for work in store.works()] == ["xx:act:1", "xx:act:2"]


def test_several_cores_give_the_same_store_as_one(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(10, 40):
        (source / f"{number}.txt").write_text(
            f"Act {number}\nDuty {number} under § 1 of act {number - 1}.", "utf-8"
        )
    seen = []
    for workers in (1, 2):
        with EmbeddedStore.open(tmp_path / f"by-{workers}", writable=True) as store:
            run(store, source, workers=workers)
            stats = store.stats()
            matches = [(m.score, str(m.provision)) for m in store.match_text("duty horses", Filter(), 50)]
            seen.append((list(store.works()), stats.edges, stats.children, matches))
    assert seen[0] == seen[1]


def test_an_interrupted_run_goes_on_where_it_stopped(
    store: EmbeddedStore, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pykala.ingest, "_PUBLISH_AFTER", 1)

    def interrupt(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(store, source, progress=interrupt)
    counting = CountingPack()
    report = run(store, source, counting)
    assert report.unchanged == 1
    assert counting.parsed == ["xx:act:2", "xx:act:3"]


def test_text_encoded_twice_is_read_as_it_was_meant_and_reported(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("Decisions Act\nThe pรครคtรถs is final.", "utf-8")
    (tmp_path / "2.txt").write_text("Good Act\nThe päätös is final.", "utf-8")
    with EmbeddedStore.open(tmp_path / "library", writable=True, embedder=None) as store:
        with open_mirror(tmp_path) as mirror:
            report = ingest(store, PlainPack(), mirror)
        document = store.document(WorkId("xx:act:1"), "en")
    assert report.mended == ["1.txt"]
    assert document.root.children[0].versions[0].text == "The päätös is final."
