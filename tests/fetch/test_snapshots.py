from __future__ import annotations

import multiprocessing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pykala.fetch.snapshots import Sighting, SnapshotDamaged, SnapshotIndexDamaged, Snapshots

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)


def bodies(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.name != "index.sqlite"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(data=st.binary(max_size=5000))
def test_what_is_put_is_got(tmp_path: Path, data: bytes) -> None:
    snapshots = Snapshots(tmp_path)
    assert snapshots.get(snapshots.put(data)) == data
    assert snapshots.put(data) == snapshots.put(data)


def test_one_body_one_file(tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path / "new" / "folder")
    sha256 = snapshots.put(b"law" * 1000)
    snapshots.put(b"law" * 1000)
    (file,) = bodies(tmp_path)
    assert file.parent.name + file.stem == sha256
    assert file.stat().st_size < 100


def garbled(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.parametrize(
    "damage",
    [
        lambda packed: packed[: len(packed) // 2],
        lambda packed: b"",
        lambda packed: b"garbage" * 10,
        garbled,
        lambda packed: zstandard.ZstdCompressor().compress(b"another law"),
        lambda packed: zstandard.ZstdCompressor().compress(bytes(3_000_000)),
    ],
    ids=["cut", "empty", "garbage", "one bit", "another body", "bomb"],
)
def test_a_changed_snapshot_is_noticed_and_mended_by_the_next_put(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    snapshots = Snapshots(tmp_path, max_bytes=1_000_000)
    sha256 = snapshots.put(b"law of the land")
    (file,) = bodies(tmp_path)
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(SnapshotDamaged, match="fetch it again"):
        snapshots.get(sha256)
    assert snapshots.put(b"law of the land") == sha256
    assert snapshots.get(sha256) == b"law of the land"


def test_missing_and_malformed_hashes(tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path)
    with pytest.raises(SnapshotDamaged, match="not stored"):
        snapshots.get("0" * 64)
    for name in ("../../etc/passwd", "", "A" * 64, "0" * 63):
        with pytest.raises(ValueError, match="no SHA-256"):
            snapshots.get(name)


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshots = Snapshots(tmp_path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        snapshots.put(b"law")
    assert not bodies(tmp_path)


def test_sightings(tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path)
    assert snapshots.last("https://law.test/a") is None
    first = Sighting("https://law.test/a", '"1"', "", "0" * 64, NOON, NOON)
    later = Sighting(
        "https://law.test/a", "", "Wed, 01 Jul 2026 12:00:00 GMT", "1" * 64, NOON, NOON + timedelta(1)
    )
    other = Sighting("https://law.test/ä", "", "", "2" * 64, NOON, NOON)
    for sighting in (other, first, later):
        snapshots.record(sighting)
    assert Snapshots(tmp_path).last("https://law.test/a") == later
    assert list(snapshots.sightings()) == [later, other]


def test_a_damaged_index_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite").write_bytes(b"this is no database, whatever its name says" * 100)
    with pytest.raises(SnapshotIndexDamaged, match=r"index\.sqlite cannot be used .* remove that one file"):
        Snapshots(tmp_path).last("https://law.test/a")


def store_many(folder: Path) -> None:
    snapshots = Snapshots(folder)
    for number in range(20):
        sha256 = snapshots.put(b"law %d" % number)
        snapshots.record(Sighting(f"https://law.test/{number}", "", "", sha256, NOON, NOON))


def test_two_processes_store_at_once(tmp_path: Path) -> None:
    with multiprocessing.get_context("fork").Pool(2) as pool:
        pool.map(store_many, [tmp_path, tmp_path], chunksize=1)
    snapshots = Snapshots(tmp_path)
    assert len(list(snapshots.sightings())) == 20
    assert all(snapshots.get(sighting.sha256).startswith(b"law ") for sighting in snapshots.sightings())
    assert len(bodies(tmp_path)) == 20
