"""Index files in a real S3: machines read what one of them wrote, byte for byte, and nothing half."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from making import simple
from postgres_server import PostgresServer
from pykala.law.filters import Filter
from pykala.models.hashing import HashingEmbedder
from pykala.stores.copying import copy_library
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.matters import Matters
from pykala.stores.postgres import copies
from pykala.stores.postgres.address import with_matter
from pykala.stores.postgres.objects import S3Objects, is_remote, remembered_place, remote_address
from pykala.stores.postgres.remote_generations import _read
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.store import StoreDamaged, StoreError
from s3_server import KEY, SECRET, S3Server, missing
from s3_volumes import S3Volumes

EMBEDDER = HashingEmbedder(32)
BUCKET = "law-of-the-tests"


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    if reason := missing():
        pytest.skip(reason)
    with S3Server.started(tmp_path_factory.mktemp("s3")) as server, pytest.MonkeyPatch.context() as patched:
        for name, value in server.environment.items():
            patched.setenv(name, value)
        S3Objects(f"s3://{BUCKET}")._client.create_bucket(Bucket=BUCKET)
        yield server


class Machines:
    """Machines that share a database and a bucket, and no disk."""

    def __init__(self, server: PostgresServer, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.address, self._folder, self._patch = server.new_database(), folder, patch
        self.place = Path(f"s3://{BUCKET}/{self.address.rpartition('/')[2]}")

    def open(self, machine: str, *, writable: bool = False) -> PostgresStore:
        self._patch.setenv("XDG_CACHE_HOME", str(self._folder / machine))
        place = self.place if writable else None
        return PostgresStore.open_at(self.address, writable=writable, embedder=EMBEDDER, index_folder=place)


@pytest.fixture
def machines(
    s3: S3Server, postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Machines:
    return Machines(postgres, tmp_path, monkeypatch)


def found(store: PostgresStore) -> list[str]:
    return sorted({str(match.work) for match in store.match_text("tax", Filter(), 10)})


def index_bytes(store: PostgresStore) -> dict[str, bytes]:
    folder = store.generations.folder(store._generation_number())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "contents.json" and not path.name.endswith(".lock")
    }


def test_another_machine_reads_what_one_wrote(machines: Machines) -> None:
    with machines.open("one", writable=True) as writer:
        writer.put(simple("xx:act:1", "A tax on horses."))
        with machines.open("two") as reader:
            assert found(reader) == ["xx:act:1"]
            writer.put(simple("xx:act:2", "A tax on cows."))
            machines.open("two").close()
            assert reader.catch_up()
            assert found(reader) == ["xx:act:1", "xx:act:2"]
            assert index_bytes(reader) == index_bytes(writer)
    with machines.open("three", writable=True) as third:  # the next writer, on a machine that has nothing
        third.put(simple("xx:act:3", "A tax on mules."))
        assert found(third) == ["xx:act:1", "xx:act:2", "xx:act:3"]


def test_old_generations_go_from_the_bucket(machines: Machines) -> None:
    with machines.open("one", writable=True) as writer:
        for number in range(6):
            writer.put(simple(f"xx:act:{number}", "A tax."))
        objects = writer.generations._objects  # type: ignore[attr-defined]
        assert len(objects.names("generations/")) == 3
        listed = [objects.get(name).decode() for name in objects.names("generations/")]
        assert all(
            any(name.removeprefix("objects/") in one for one in listed) for name in objects.names("objects/")
        )


def test_killed_while_it_is_wanted_it_is_fetched_once_it_is_back(machines: Machines, s3: S3Server) -> None:
    with machines.open("one", writable=True) as writer:
        writer.put(simple("xx:act:1", "A tax on horses."))
    s3.kill()
    try:
        with pytest.raises(StoreError, match="could not be read or written") as refused:
            machines.open("two")
        assert KEY not in str(refused.value)
        assert SECRET not in str(refused.value)
        with machines.open("one") as reader:  # what is here is read without it
            assert found(reader) == ["xx:act:1"]
    finally:
        s3.start()
    with machines.open("two") as reader:
        assert found(reader) == ["xx:act:1"]
        fetched = index_bytes(reader)
    with machines.open("one") as reader:
        assert index_bytes(reader) == fetched


def test_a_volume_server_killed_while_a_generation_is_fetched_changes_no_byte(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason := missing():
        pytest.skip(reason)
    with S3Volumes.started(tmp_path / "s3") as volumes:
        for name, value in volumes.environment.items():
            monkeypatch.setenv(name, value)
        S3Objects(f"s3://{BUCKET}")._client.create_bucket(Bucket=BUCKET)
        machines = Machines(postgres, tmp_path, monkeypatch)
        with machines.open("one", writable=True) as writer:
            writer.put(simple("xx:act:1", "A tax on horses."))
        with machines.open("one") as reader:  # the machine that wrote it has it already
            wanted = index_bytes(reader)
        fetched, get_file = [], S3Objects.get_file

        def get_and_kill(objects: S3Objects, name: str, path: Path) -> None:
            get_file(objects, name, path)
            fetched.append(name)
            if len(fetched) == 2:  # some files have come, and some have not
                volumes.kill_volume(0)

        monkeypatch.setattr(S3Objects, "get_file", get_and_kill)
        with machines.open("two") as reader:
            assert len(fetched) > 2
            assert index_bytes(reader) == wanted
            assert found(reader) == ["xx:act:1"]


def test_changed_bytes_are_refused(machines: Machines) -> None:
    with machines.open("one", writable=True) as writer:
        writer.put(simple("xx:act:1", "A tax on horses."))
        objects = writer.generations._objects  # type: ignore[attr-defined]
    for name in objects.names("objects/"):
        objects.put(name, b"spoiled")
    with pytest.raises(StoreDamaged, match="is not what was stored there"):
        machines.open("two")


@pytest.mark.parametrize(
    "told",
    [
        *(b"", b"[]", b"5", b"[" * 100_000, b'{"a": 5}', b'{"a": [1, 2, 3]}', b'{"a": ["", 1, 1]}'),
        *(
            json.dumps({name: ["0" * 64, 1, 1]}).encode()
            for name in ("", ".", "/a", "../a", "a/../../b", "a/..", "..\\a", "C:a", "a\0b", "contents.json")
        ),
        json.dumps({"a": ["0" * 64, 10**400, "x"]}).encode(),
    ],
)
def test_a_hostile_list_of_files_leads_nowhere(told: bytes) -> None:
    with pytest.raises(StoreDamaged):
        _read(told)


def test_what_was_erased_leaves_the_copies_of_other_machines(
    machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a matter at the next look for a newer state, of an earlier state ten minutes after the next one."""
    monkeypatch.setattr(copies, "EVERY", 0.0)
    with machines.open("one", writable=True) as writer:
        writer.put(simple("xx:act:1", "A tax on horses."))
    with closing(Matters(machines.address)) as matters:
        matters.add("acme/merger", embedder=EMBEDDER, roles=[], caller="test")
    matter = with_matter(machines.address, "acme/merger")
    secret = simple("up:" + "a" * 64, "A tax on a secret.")
    with PostgresStore.open_at(matter, writable=True, embedder=EMBEDDER) as own:
        own.put(secret)
    with machines.open("two") as law:
        with PostgresStore.open_at(matter, embedder=EMBEDDER) as reader:
            assert found(reader) == [str(secret.work.id)]
            copied = reader.generations.root
            assert tmp_path / "two" in copied.parents
            (before,) = copied.glob("generations/*")
            monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "one"))
            with PostgresStore.open_at(matter, writable=True, embedder=EMBEDDER) as own:
                own.delete(secret.work.id)
            assert reader.catch_up()
            assert found(reader) == []
            now = reader.generations.folder(reader._generation_number())
            assert before.is_dir()  # a question under way may not have opened all of it
            os.utime(now, times=(time.time() - copies.REPLACED - 1,) * 2)
            reader.refresh()
            assert list(copied.glob("generations/*")) == [now]
            assert found(reader) == []
        law.refresh()
        assert copied.is_dir()
        with closing(Matters(machines.address)) as matters:
            matters.erase("acme/merger", caller="test")
        assert copied.is_dir()  # it was another machine that erased it
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "two"))
        law.refresh()
        assert not copied.exists()
        assert found(law) == ["xx:act:1"]


def test_copies_of_a_library_that_nobody_reads_go_and_are_fetched_again(
    machines: Machines,
    s3: S3Server,
    postgres: PostgresServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(copies, "EVERY", 0.0)
    others = Machines(postgres, tmp_path, monkeypatch)
    for one in (machines, others):
        with one.open("one", writable=True) as writer:
            writer.put(simple("xx:act:1", "A tax on horses."))
    with machines.open("two") as idle, others.open("two") as reader:
        copied = idle.generations.root
        mine = copied.parent / "my-own-folder"
        (mine / "generations").mkdir(parents=True)
        for folder in (copied, mine):
            os.utime(folder, times=(time.time() - copies.UNUSED - 1,) * 2)
        reader.refresh()
        assert not list(copied.glob("generations/*"))
        assert mine.is_dir()
        idle.refresh()
        assert idle.generations.folder(idle._generation_number()).is_dir()
        assert found(idle) == ["xx:act:1"]


def test_a_library_is_copied_into_it_and_out_of_it(machines: Machines, tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "folder", writable=True, embedder=EMBEDDER) as store:
        store.put(simple("xx:act:1", "A tax on horses."))
    copy_library(tmp_path / "folder", machines.address, index_folder=machines.place)
    with machines.open("two") as reader:
        assert found(reader) == ["xx:act:1"]
    copy_library(machines.address, tmp_path / "back")
    with EmbeddedStore.open(tmp_path / "back", embedder=EMBEDDER) as store:
        assert [str(one.work) for one in store.match_text("tax", Filter(), 5)] == ["xx:act:1"]


def test_addresses_of_s3() -> None:
    assert is_remote(Path("s3://bucket/law"))
    assert not is_remote(Path("/mnt/s3"))
    assert remote_address(Path("s3://bucket/law/")) == "s3://bucket/law"
    assert remembered_place(Path("s3://bucket")) == "s3://bucket"
    with pytest.raises(StoreError, match="no place in S3"):
        remote_address("/mnt/law")
