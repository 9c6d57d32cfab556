"""The inbox: files come, change and go; the library and the archive follow."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from pykala.fetch.mirror import MirrorUnavailable
from pykala.fetch.snapshots import SnapshotDamaged
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.library.inbox import FolderArchive, InboxReport, remove, scan, watch
from pykala.packs.uploads import work_of
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import UnknownProvision
from pykala.text.encoding import REPAIRED

LEASE = "1. Rent\nThe tenant shall pay the rent in March.\n"
LOAN = "1. Interest\nThe borrower shall pay the interest in April.\n"


class Desk:
    """A library, an inbox and an archive, as a user has them."""

    def __init__(self, folder: Path) -> None:
        self.inbox, self.archive = folder / "inbox", FolderArchive(folder / "originals")
        self.inbox.mkdir()
        self.store = EmbeddedStore.open(folder / "library", writable=True)

    def put(self, name: str, text: str | bytes) -> Path:
        path = self.inbox / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def scan(self, *, prune: bool = False) -> InboxReport:
        return scan(self.store, self.inbox, self.archive, prune=prune)

    def works(self) -> list[WorkId]:
        return [work.id for work in self.store.works()]

    def archived(self) -> int:
        return len(list((self.inbox.parent / "originals").rglob("*.zst")))

    def finds(self, word: str) -> int:
        return len(self.store.match_text(word, Filter(), 5))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.store.close()


def work(text: str) -> WorkId:
    return work_of(hashlib.sha256(text.encode()).hexdigest())


def test_a_scan_reads_archives_and_refuses_by_name(desk: Desk) -> None:
    desk.put("lease.txt", LEASE)
    desk.put("deep/loan.md", LOAN)
    desk.put("photo.jpg", b"\xff\xd8\xff\xe0" + bytes(64))
    desk.put(".DS_Store", "Bud1")
    desk.put("~$lease.docx", "lock")
    report = desk.scan()
    assert report.added == ("deep/loan.md", "lease.txt")
    assert [(one.path, one.reason[:9]) for one in report.refusals] == [("photo.jpg", "a picture")]
    assert sorted(desk.works()) == sorted([work(LEASE), work(LOAN)])
    assert desk.archive.get(hashlib.sha256(LEASE.encode()).hexdigest()) == LEASE.encode()
    assert desk.archived() == 2  # what was refused is not kept
    assert desk.finds("tenant") == 1


def test_a_second_scan_does_nothing_and_still_names_what_was_refused(desk: Desk) -> None:
    desk.put("lease.txt", LEASE)
    desk.put("empty.txt", "")
    desk.scan()
    changes = desk.store._connection.total_changes
    report = desk.scan()
    assert (report.added, report.unchanged) == ((), 2)
    assert [one.path for one in report.refusals] == ["empty.txt"]
    assert "refused earlier" in report.refusals[0].reason
    assert desk.store._connection.total_changes == changes


def test_the_same_file_twice_is_one_document(desk: Desk) -> None:
    desk.put("lease.txt", LEASE)
    desk.scan()
    desk.put("a copy.txt", LEASE)
    report = desk.scan()
    assert (report.added, report.unchanged, report.copies) == ((), 1, (("a copy.txt", "lease.txt"),))
    (desk.inbox / "lease.txt").unlink()
    report = desk.scan(prune=True)
    assert (report.gone, desk.works()) == ((), [work(LEASE)])
    assert next(desk.store.works()).titles == (("en", "Upload “a copy.txt”"),)


def test_a_changed_file_replaces_what_it_held(desk: Desk) -> None:
    desk.put("lease.txt", LEASE)
    desk.scan()
    newer = LEASE.replace("March", "May")
    desk.put("lease.txt", newer)
    report = desk.scan()
    assert (report.added, report.replaced, report.gone) == (("lease.txt",), (str(work(LEASE)),), ())
    assert desk.works() == [work(newer)]
    assert (desk.finds("march"), desk.finds("may")) == (0, 1)
    assert desk.archived() == 1


@pytest.mark.parametrize("broken", [b"", bytes(400), b"\xff\xfe\x00\xd8"], ids=["empty", "NULs", "no text"])
def test_a_file_that_breaks_leaves_its_last_good_state(desk: Desk, broken: bytes) -> None:
    desk.put("lease.txt", LEASE)
    desk.scan()
    desk.put("lease.txt", broken)
    for _ in range(2):
        report = desk.scan(prune=True)
        assert (report.replaced, report.gone, report.removed) == ((), (), ())
        assert report.held == (("lease.txt", work(LEASE)),)
        assert [one.path for one in report.refusals] == ["lease.txt"]
        assert (desk.works(), desk.archived(), desk.finds("tenant")) == ([work(LEASE)], 1, 1)
    newer = LEASE.replace("March", "May")
    desk.put("lease.txt", newer)
    report = desk.scan()
    assert (report.replaced, report.held, desk.works()) == ((str(work(LEASE)),), (), [work(newer)])


def test_a_file_that_cannot_be_opened_is_not_gone(desk: Desk) -> None:
    path = desk.put("lease.txt", LEASE)
    desk.scan()
    path.unlink()
    path.symlink_to("/nowhere")
    report = desk.scan(prune=True)
    assert (report.gone, report.held, desk.works()) == ((), (("lease.txt", work(LEASE)),), [work(LEASE)])


def test_what_is_gone_stays_until_it_is_asked_for(desk: Desk) -> None:
    desk.put("lease.txt", LEASE).unlink()
    desk.put("loan.txt", LOAN)
    desk.scan()
    (desk.inbox / "loan.txt").unlink()
    assert desk.scan().gone == (("loan.txt", work(LOAN)),)
    assert desk.works() == [work(LOAN)]
    report = desk.scan(prune=True)
    assert report.removed == (work(LOAN),)
    assert (desk.works(), desk.archived(), desk.finds("borrower")) == ([], 0, 0)


def test_removal_is_everywhere_and_lasts(desk: Desk) -> None:
    desk.put("lease.txt", LEASE)
    desk.put("copy.txt", LEASE)
    desk.put("loan.txt", LOAN)
    desk.scan()
    assert remove(desk.store, desk.archive, work(LEASE)) == "copy.txt"
    assert (desk.works(), desk.archived(), desk.finds("tenant")) == ([work(LOAN)], 1, 0)
    with pytest.raises(SnapshotDamaged):
        desk.archive.get(hashlib.sha256(LEASE.encode()).hexdigest())
    report = desk.scan()
    assert desk.works() == [work(LOAN)]
    assert [one.path for one in report.refusals] == ["copy.txt"]
    assert "removed on request" in report.refusals[0].reason
    for name in ("copy.txt", "lease.txt"):
        (desk.inbox / name).unlink()
    desk.put("new name.txt", LEASE)
    assert desk.scan().added == ("new name.txt",)


@pytest.mark.parametrize("name", ["up:0123456789abcdef", "fi:act:1992/1535"])
def test_removing_what_is_not_there_is_an_error(desk: Desk, name: str) -> None:
    with pytest.raises(UnknownProvision, match=name):
        remove(desk.store, desk.archive, WorkId(name))


def test_two_inboxes_share_a_library(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "loan.txt").write_text(LOAN, "utf-8")
    (other / "same.txt").write_text(LEASE, "utf-8")
    desk.put("lease.txt", LEASE)
    desk.scan()
    scan(desk.store, other, desk.archive, prune=True)
    report = desk.scan(prune=True)
    assert (report.gone, report.unchanged) == ((), 1)
    assert scan(desk.store, other, desk.archive, prune=True).unchanged == 2
    assert sorted(desk.works()) == sorted([work(LEASE), work(LOAN)])


def test_a_lost_original_is_archived_again(desk: Desk) -> None:
    desk.put("lease.txt", LEASE)
    desk.scan()
    desk.archive.remove(hashlib.sha256(LEASE.encode()).hexdigest())
    assert desk.archived() == 0
    desk.scan()
    assert desk.archived() == 1


def test_no_inbox_no_scan(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(MirrorUnavailable, match="no such folder"):
        scan(desk.store, tmp_path / "nowhere", desk.archive)


def test_watching_reads_a_file_once_it_has_come_to_rest(desk: Desk) -> None:
    desk.put("lease.txt", LEASE)
    happenings = [
        lambda: None,
        lambda: desk.put("loan.txt", LOAN[:10]),  # a copy is under way
        lambda: desk.put("loan.txt", LOAN),
        lambda: None,
        lambda: None,
        lambda: (desk.inbox / "lease.txt").unlink(),
        lambda: None,
    ]
    reports = []
    moments = iter(happenings)

    def wait() -> bool:
        happening = next(moments, None)
        if happening is not None:
            happening()
        return happening is not None

    for report in watch(desk.store, desk.inbox, desk.archive, wait=wait, prune=True):
        reports.append((report.added, report.removed))
    assert reports == [(("lease.txt",), ()), (("loan.txt",), ()), ((), (work(LEASE),))]
    assert desk.works() == [work(LOAN)]


def test_the_library_does_not_say_where_the_inbox_lies(desk: Desk, tmp_path: Path) -> None:
    desk.put("private folder/lease.txt", LEASE)
    desk.scan()
    held = "\n".join(desk.store._connection.iterdump())
    assert str(tmp_path) not in held
    document = desk.store.document(work(LEASE), "en")
    assert document.manifestations[0].path == "lease.txt"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("thai.txt", "1. Vuokra\nVuokralaisen pรครคtรถs on lopullinen.\n"),
        ("thai.html", "<h1>Vuokra</h1><p>Vuokralaisen pรครคtรถs on lopullinen.</p>"),
        ("latin.md", "# Vuokra\n\nVuokralaisen pÃ¤Ã¤tÃ¶s on lopullinen.\n"),
    ],
)
def test_text_encoded_twice_is_repaired_and_said_to_be(desk: Desk, name: str, text: str) -> None:
    desk.put(name, text)
    report = desk.scan()
    assert (report.added, report.mended) == ((name,), (name,))
    (held,) = desk.works()
    document = desk.store.document(held, "fi")
    assert any("päätös on lopullinen" in v.text for one in document.root.walk() for v in one.versions)
    assert any(REPAIRED in form.notes for form in document.manifestations)
