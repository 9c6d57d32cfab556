"""The vector index against a brute-force search, and against kills, full disks and damaged files."""

from __future__ import annotations

import errno
import importlib.util
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pykala.stores.embedded import vector_files, vector_scan, vectors
from pykala.stores.embedded.clusters import ClusteredLists, assign_lists, train_centroids
from pykala.stores.embedded.facets import NO_END, UNKNOWN_START, FacetFilter, Facets
from pykala.stores.embedded.passing import Passing
from pykala.stores.embedded.vector_scan import KERNELS, _Shortlist
from pykala.stores.embedded.vectors import VectorIndex, VectorIndexDamaged

EVERYTHING = FacetFilter()
DIMENSION = 8


@dataclass
class Oracle:
    """What the index must hold and find, in plain Python."""

    rows: list[tuple[int, Facets, NDArray[np.float16]]] = field(default_factory=list)

    def append(self, passages: list[int], facets: list[Facets], rows: NDArray[np.float32]) -> None:
        self.rows.extend(zip(passages, facets, unit_float16(rows), strict=True))

    def delete_works(self, works: set[int]) -> None:
        self.rows = [row for row in self.rows if row[1].work not in works]

    def match(self, query: NDArray[np.float32], filter: FacetFilter, limit: int) -> list[tuple[int, float]]:
        if not query.any():
            return []
        wide = query.astype(np.float64) / np.abs(query).max().astype(np.float64)
        unit = np.rint(wide / np.linalg.norm(wide) * 2**26) / 2**26
        scored = [
            # Exact arithmetic: ties are ties, whatever the order of summing.
            (
                sum(
                    (Fraction(float(a)) * Fraction(float(b)) for a, b in zip(row, unit, strict=True)),
                    Fraction(),
                ),
                passage,
            )
            for passage, facets, row in self.rows
            if filter.passes(facets)
        ]
        scored.sort(key=lambda pair: (-pair[0], pair[1]))
        return [(passage, float(score)) for score, passage in scored[:limit]]


def unit_float16(rows: NDArray[np.float32]) -> NDArray[np.float16]:
    wide = rows.astype(np.float64)
    largest = np.abs(wide).max(axis=1, keepdims=True)
    wide = wide / np.where(largest > 0, largest, 1)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    return (wide / np.where(lengths > 0, lengths, 1)).astype(np.float16)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "vectors"


def facets(work: int = 1, **changes: int) -> Facets:
    known = {"jurisdiction": 1, "language": 1, "work_kind": 1, "provision_kind": 2} | changes
    return Facets(work=work, **known)


def made(seed: int, count: int, dimension: int = DIMENSION) -> NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)


def filled(folder: Path, count: int = 20) -> VectorIndex:
    index = VectorIndex.open(folder, dimension=DIMENSION, writable=True)
    index.append(range(count), [facets(work=row // 5) for row in range(count)], made(1, count))
    index.commit()
    return index


def all_passages(index: VectorIndex) -> list[int]:
    return sorted(index.passages().tolist())


# -- equal to brute force ---------------------------------------------------------------------------

small = st.integers(0, 3)
days = st.integers(10, 16)
facets_strategy = st.builds(
    Facets,
    work=st.sampled_from([0, 1, 2, 2_000_000_000]),
    jurisdiction=small,
    language=small,
    work_kind=small,
    provision_kind=st.sampled_from([2, 3, 4, 65_535]),
    valid_from=st.one_of(st.just(UNKNOWN_START), days),
    valid_to=st.one_of(st.just(NO_END), days),
)
some = st.one_of(st.none(), st.frozensets(st.sampled_from([0, 1, 2, 3, 65_535, 70_000, -1]), max_size=3))
filters = st.builds(
    FacetFilter,
    day=st.one_of(st.none(), days),
    jurisdictions=some,
    languages=some,
    kinds=some,
    provision_kinds=some,
    works=st.one_of(
        st.none(), st.frozensets(st.sampled_from([0, 1, 2, 5, 2_000_000_000, 2**40]), max_size=3)
    ),
    without=st.frozensets(st.sampled_from([1, 2, 3, 65_535, 70_000, -1]), max_size=3),
)
# Coarse numbers make equal vectors and ties; single large ones make the worst int8 errors.
numbers = st.one_of(st.integers(-2, 2).map(float), st.floats(-1, 1, width=32), st.sampled_from([1e-30, 1e30]))
vector = st.lists(numbers, min_size=DIMENSION, max_size=DIMENSION).map(
    lambda v: np.array(v, dtype=np.float32)
)
appended = st.lists(st.tuples(facets_strategy, vector), max_size=8)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("append"), appended),
        st.tuples(st.just("delete"), st.sets(st.sampled_from([0, 1, 2, 9]), max_size=2)),
        st.tuples(st.just("commit"), st.none()),
        st.tuples(st.just("compact"), st.none()),
        st.tuples(st.just("clear"), st.none()),
        st.tuples(st.just("reopen"), st.none()),
    ),
    max_size=10,
)


def replay(
    index: VectorIndex, path: Path, todo: list[tuple[str, object]], kernel: str
) -> tuple[VectorIndex, Oracle, Oracle]:
    """Do the steps on the index and on the oracle; what is not committed is lost on reopening."""
    oracle, committed, passage = Oracle(), Oracle(), 1000
    for step, what in todo:
        if step == "append":
            assert isinstance(what, list)
            numbers = [passage - row for row in range(len(what))]  # descending: ids do not follow rows
            passage += 100
            rows = np.array([row for _, row in what], dtype=np.float32).reshape(-1, DIMENSION)
            index.append(numbers, [facet for facet, _ in what], rows)
            oracle.append(numbers, [facet for facet, _ in what], rows)
        elif step == "delete":
            assert isinstance(what, set)
            index.delete_works(what)
            oracle.delete_works(what)
        elif step == "clear":
            index.clear()
            oracle = Oracle()
        elif step == "reopen":
            index.close()
            index = VectorIndex.open(path, dimension=DIMENSION, writable=True, kernel=kernel)
            oracle = Oracle(list(committed.rows))
        else:
            index.commit() if step == "commit" else index.compact()
            committed = Oracle(list(oracle.rows))
    return index, committed, oracle


@pytest.mark.parametrize("kernel", sorted(KERNELS))
@given(todo=steps, query=vector, filter=filters, limit=st.integers(0, 6))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_match_equals_brute_force(
    kernel: str, todo: list[tuple[str, object]], query: NDArray[np.float32], filter: FacetFilter, limit: int
) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "index"
        index = VectorIndex.open(path, dimension=DIMENSION, writable=True, kernel=kernel)
        index, oracle, pending = replay(index, path, todo, kernel)
        assert index.match(query, filter, limit) == oracle.match(query, filter, limit)
        index.commit()
        oracle = pending
        assert index.match(query, filter, limit) == oracle.match(query, filter, limit)
        assert index.match(query, EVERYTHING, 100) == oracle.match(query, EVERYTHING, 100)
        assert all_passages(index) == sorted(passage for passage, _, _ in oracle.rows)
        assert len(index) == len(oracle.rows)
        reader = VectorIndex.open(path, dimension=DIMENSION, kernel=kernel)
        assert reader.match(query, filter, limit) == index.match(query, filter, limit)
        index.close()


def crowded(count: int, dimension: int) -> NDArray[np.float32]:
    """Rows so near to each other that int8 codes cannot tell them apart."""
    return made(4, 1, dimension) + made(5, count, dimension) * np.float32(1e-3)


@pytest.mark.parametrize("kernel", sorted(KERNELS))
@pytest.mark.parametrize(
    ("rows", "share"),
    [
        (made(3, 50_000, 32), 1.0),
        (made(3, 50_000, 32), 0.1),
        (crowded(50_000, 32), 1.0),
        (crowded(50_000, 32), 0.1),
    ],
    ids=["spread", "spread, filtered", "crowded", "crowded, filtered"],
)
def test_many_rows_in_chunks_and_threads(
    folder: Path, kernel: str, rows: NDArray[np.float32], share: float
) -> None:
    index = VectorIndex.open(folder, dimension=32, writable=True, kernel=kernel)
    spoken = (np.random.default_rng(6).random(len(rows)) < share).astype(int)
    index.append(range(len(rows)), [facets(language=int(language)) for language in spoken], rows)
    index.commit()
    originals = np.where(spoken[:, None] == 1, unit_float16(rows).astype(np.float64), np.nan)
    for query in rows[:5] + made(7, 5, 32) * np.float32(0.05):
        scores = originals @ (query / np.linalg.norm(query.astype(np.float64)))
        wanted = np.argsort(-np.where(np.isnan(scores), -2, scores), kind="stable")[:20]
        found = index.match(query, FacetFilter(languages=frozenset({1})), 20)
        assert [score for _, score in found] == pytest.approx(scores[wanted].tolist(), abs=1e-6)
        assert {passage for passage, _ in found[:10]} <= set(wanted.tolist())


def test_readers_of_one_state_share_what_is_known_of_filters(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty places are searched in turn, by two readers: each filter is computed once."""
    with_places = [FacetFilter(jurisdictions=frozenset({place})) for place in range(20)]
    index = VectorIndex.create(folder, dimension=DIMENSION)
    rows = np.eye(20, DIMENSION, dtype=np.float32) + 1
    index.append(list(range(20)), [facets(jurisdiction=place) for place in range(20)], rows)
    index.commit()
    index.close()
    computed = Counter[FacetFilter]()
    passes = Passing._passes

    def counted(passing: Passing, filter: FacetFilter, rows: slice) -> NDArray[np.bool_] | None:
        computed[filter] += 1
        return passes(passing, filter, rows)

    monkeypatch.setattr(Passing, "_passes", counted)
    readers = [VectorIndex.open(folder, dimension=DIMENSION) for _ in range(2)]
    for _ in range(2):
        for reader in readers:
            for place, filter in enumerate(with_places):
                assert [passage for passage, _ in reader.match(rows[0], filter, 3)] == [place]
    assert computed == dict.fromkeys(with_places, 1)


def test_equal_rows_come_by_passage_id_however_many(folder: Path) -> None:
    index = VectorIndex.open(folder, dimension=DIMENSION, writable=True)
    row = made(8, 1)
    passages = np.random.default_rng(9).permutation(40_000)
    index.append(passages.tolist(), [facets()] * len(passages), np.repeat(row, len(passages), axis=0))
    index.commit()
    assert [passage for passage, _ in index.match(row[0], EVERYTHING, 7)] == list(range(7))


def test_dimension_beyond_float32_sums(folder: Path) -> None:
    rows = np.abs(made(10, 64, 1536)) + 3  # all codes near 127: sums beyond 2²⁴
    found = []
    for kernel in sorted(KERNELS):
        index = VectorIndex.open(folder / kernel, dimension=1536, writable=True, kernel=kernel)
        index.append(range(64), [facets()] * 64, rows)
        index.commit()
        found.append(index.match(rows[3], EVERYTHING, 5))
        assert found[-1][0][0] == 3
    assert all(result == found[0] for result in found)


def test_numpy_serves_where_numkong_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numkong", None)  # what an import then raises is ImportError
    assert vector_scan.__file__ is not None
    spec = importlib.util.spec_from_file_location("scan_without_numkong", vector_scan.__file__)
    assert spec is not None
    assert spec.loader is not None
    bare = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, bare)
    spec.loader.exec_module(bare)
    assert (bare.FASTEST_KERNEL, list(bare.KERNELS)) == ("numpy", ["numpy"])


def test_an_unknown_kernel_is_refused_with_the_known_ones(folder: Path) -> None:
    with pytest.raises(ValueError, match=r"no kernel 'abacus'; there are .*numpy"):
        VectorIndex.open(folder, dimension=2, kernel="abacus")


# -- clustered lists --------------------------------------------------------------------------------


def topical(seed: int, count: int) -> NDArray[np.float32]:
    random = np.random.default_rng(seed)
    topics = np.random.default_rng(0).standard_normal((60, 32))
    return (topics[random.integers(0, 60, count)] + random.standard_normal((count, 32)) * 0.4).astype(
        np.float32
    )


@pytest.fixture
def listed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> VectorIndex:
    """An index that trained its lists at 3,000 rows and went on to 6,000, in two languages."""
    monkeypatch.setattr(vectors, "PROBED_ROWS", 100)
    index = VectorIndex.open(folder, dimension=32, writable=True, exact_up_to=2000)
    for start in range(0, 6000, 3000):
        spoken = [facets(work=row // 100, language=row % 2) for row in range(start, start + 3000)]
        index.append(range(start, start + 3000), spoken, topical(start + 1, 3000))
        index.commit()
    return index


@pytest.mark.parametrize(
    "filter", [EVERYTHING, FacetFilter(languages=frozenset({1}))], ids=["all", "language"]
)
def test_lists_find_what_the_exact_search_finds(
    listed: VectorIndex, folder: Path, filter: FacetFilter
) -> None:
    exact = VectorIndex.open(folder, dimension=32, exact_up_to=10**9)
    shared = 0
    for query in topical(77, 40):
        wanted = dict(exact.match(query, filter, 10))
        found = dict(listed.match(query, filter, 10))
        shared += len(wanted.keys() & found.keys())
        assert all(found[passage] == wanted[passage] for passage in wanted.keys() & found.keys())
    assert shared >= 0.98 * 400


def test_lists_are_consulted_only_where_many_candidates_remain(
    listed: VectorIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    candidates = ClusteredLists.candidates

    def counting(self: ClusteredLists, query: NDArray[np.float32], wanted: int) -> NDArray[np.int64]:
        rows = candidates(self, query, wanted)
        asked.append(len(rows))
        return rows

    monkeypatch.setattr(ClusteredLists, "candidates", counting)
    query = topical(78, 1)[0]
    listed.match(query, FacetFilter(works=frozenset({3, 4})), 10)
    assert asked == []
    listed.match(query, EVERYTHING, 10)
    assert len(asked) == 1
    assert 600 <= asked[0] < 1800


def test_appends_join_the_lists_and_do_not_retrain(listed: VectorIndex, folder: Path) -> None:
    (centroids,) = folder.glob("*.centroids")
    before = centroids.read_bytes()
    row = topical(79, 1)
    listed.append([9000], [facets(work=900)], row)
    listed.commit()
    assert centroids.read_bytes() == before
    assert listed.match(row[0], EVERYTHING, 1)[0][0] == 9000
    listed.delete_works({900})
    listed.commit()
    assert listed.match(row[0], EVERYTHING, 1)[0][0] != 9000
    reader = VectorIndex.open(folder, dimension=32, exact_up_to=2000, verify=True)
    assert reader.match(row[0], EVERYTHING, 5) == listed.match(row[0], EVERYTHING, 5)


def test_training_is_deterministic_and_bears_few_and_equal_rows() -> None:
    codes = (topical(80, 2000) * 20).astype(np.int8)
    assert np.array_equal(train_centroids(codes, 50), train_centroids(codes, 50))
    assert len(train_centroids(codes[:3], 50)) == 3
    equal = np.repeat(codes[:1], 500, axis=0)
    centroids = train_centroids(np.vstack([equal, np.zeros_like(equal)]), 20)
    assert np.isfinite(centroids).all()
    lists = ClusteredLists(centroids, assign_lists(equal, centroids))
    assert len(lists.candidates(centroids[0], 10**6)) == 500


# -- commits, snapshots, kills ----------------------------------------------------------------------


def test_a_reader_keeps_its_snapshot_until_it_refreshes(folder: Path) -> None:
    writer = filled(folder)
    reader = VectorIndex.open(folder, dimension=DIMENSION)
    query = made(2, 1)[0]
    before = reader.match(query, EVERYTHING, 30)
    changes: list[Callable[[], None]] = [
        lambda: writer.append([100], [facets(work=50)], query[None]),
        lambda: writer.delete_works({0, 1}),
        lambda: writer.clear(),
        lambda: writer.append([7], [facets()], query[None]),
        lambda: writer.compact(),
    ]
    for change in changes:
        change()
        writer.commit()
        assert reader.match(query, EVERYTHING, 30) == before
        assert (len(reader), reader.rows) == (20, 20)
        newest = VectorIndex.open(folder, dimension=DIMENSION)
        assert newest.match(query, EVERYTHING, 30) == writer.match(query, EVERYTHING, 30)
    reader.refresh()
    assert reader.match(query, EVERYTHING, 30) == writer.match(query, EVERYTHING, 30)
    assert all_passages(reader) == [7]


def test_nothing_is_seen_before_commit(folder: Path) -> None:
    index = filled(folder)
    index.append([99], [facets(work=99)], made(3, 1))
    index.delete_works({0})
    assert all_passages(index) == list(range(20))
    index.rollback()
    index.commit()
    assert all_passages(index) == list(range(20))


def test_a_work_appended_again_follows_its_delete(folder: Path) -> None:
    index = filled(folder)
    index.append([50, 51], [facets(work=2), facets(work=77)], made(3, 2))
    index.delete_works({2, 77})
    index.append([60], [facets(work=2)], made(4, 1))
    index.commit()
    assert all_passages(index) == [*range(10), *range(15, 20), 60]
    index.delete_works({2, 0})
    index.commit()
    assert all_passages(index) == [*range(5, 10), *range(15, 20)]


def test_compacting_drops_deleted_rows_and_older_files(folder: Path) -> None:
    index = filled(folder)
    query = made(2, 1)[0]
    index.delete_works({1, 2})
    index.commit()
    before = index.match(query, EVERYTHING, 30)
    index.compact()
    assert (index.rows, len(index)) == (10, 10)
    assert index.match(query, EVERYTHING, 30) == before
    assert len({path.name.split(".")[0] for path in folder.glob("0*")}) == 1


class Killed(BaseException):
    """Stands for SIGKILL: nothing after it runs."""


def changed(index: VectorIndex, how: str) -> None:
    if how == "compact":
        index.compact()
        return
    if how == "clear":
        index.clear()
    index.append([70, 71], [facets(work=0)] * 2, made(5, 2))
    index.delete_works({1})
    index.append([72], [facets(work=1)], made(6, 1))
    index.commit()


@pytest.fixture
def system_calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """Let the n-th write, sync or truncation fail, after writing half of what was asked."""
    plan: dict[str, object] = {"left": None, "error": None}

    def failing(name: str) -> None:
        original = getattr(os, name)

        def call(descriptor: int, *arguments: object) -> object:
            full = isinstance(plan["error"], OSError)  # a full disk still lets files be cut
            if isinstance(plan["left"], int) and not (full and name == "ftruncate"):
                plan["left"] -= 1
                if plan["left"] < 0:
                    if name == "pwrite":
                        data, offset = arguments
                        assert isinstance(data, memoryview)
                        original(descriptor, data[: len(data) // 2], offset)
                    assert isinstance(plan["error"], BaseException)
                    raise plan["error"]
            return original(descriptor, *arguments)

        monkeypatch.setattr(os, name, call)

    for name in ("pwrite", "fsync", "ftruncate"):
        failing(name)
    yield plan
    plan["left"] = None


@pytest.mark.parametrize("how", ["append", "clear", "compact"])
@pytest.mark.parametrize(
    "error", [Killed(), OSError(errno.ENOSPC, "No space left on device")], ids=["kill", "full"]
)
def test_any_failing_call_leaves_the_earlier_state_or_the_new_one(
    tmp_path: Path, system_calls: dict[str, object], how: str, error: BaseException
) -> None:
    start = tmp_path / "start"
    filled(start).close()
    finished = tmp_path / "finished"
    shutil.copytree(start, finished)
    with_changes = VectorIndex.open(finished, dimension=DIMENSION, writable=True)
    changed(with_changes, how)
    states = [list(range(20)), all_passages(with_changes)]
    seen = set()
    for calls in range(200):
        folder = tmp_path / f"{calls}"
        shutil.copytree(start, folder)
        index = VectorIndex.open(folder, dimension=DIMENSION, writable=True)
        reader = VectorIndex.open(folder, dimension=DIMENSION)
        system_calls.update(left=calls, error=error)
        try:
            changed(index, how)
        except type(error):
            error.__traceback__ = None  # or the one error of all runs keeps the files of all runs open
            index.close()
        else:
            break
        finally:
            system_calls.update(left=None)
        assert all_passages(reader) == states[0]
        assert len(reader.match(made(2, 1)[0], EVERYTHING, 30)) == 20
        found = all_passages(VectorIndex.open(folder, dimension=DIMENSION))
        assert found in states
        seen.add(states.index(found))
        again = VectorIndex.open(folder, dimension=DIMENSION, writable=True)
        assert all_passages(again) == found
        again.append([500], [facets(work=500)], made(7, 1))
        again.commit()
        assert all_passages(VectorIndex.open(folder, dimension=DIMENSION, verify=True)) == sorted(
            [*found, 500]
        )
    else:
        pytest.fail("the changes never finished")
    assert 0 in seen


def test_after_a_full_disk_the_same_index_goes_on(folder: Path, system_calls: dict[str, object]) -> None:
    index = filled(folder)
    index.append([30], [facets(work=30)], made(3, 1))
    system_calls.update(left=0, error=OSError(errno.ENOSPC, "No space left on device"))
    with pytest.raises(OSError, match="No space left"):
        index.append([31], [facets(work=30)], made(4, 1))
    system_calls.update(left=None)
    index.commit()
    assert all_passages(index) == [*range(20), 30]
    index.append([32], [facets(work=30)], made(3, 1))
    system_calls.update(left=3)
    with pytest.raises(OSError, match="No space left"):
        index.commit()
    system_calls.update(left=None)
    index.append([33], [facets(work=30)], made(3, 1))
    index.commit()
    assert all_passages(VectorIndex.open(folder, dimension=DIMENSION)) == [*range(20), 30, 33]


# -- damaged files and wrong use --------------------------------------------------------------------

COLUMN_NAMES = sorted(set(vector_files.DTYPES) - {"deleted", "lists", "centroids"})


@pytest.mark.parametrize("name", [*COLUMN_NAMES, "deleted", "header.json"])
@pytest.mark.parametrize("damage", ["cut", "flip", "remove", "empty"])
def test_damage_is_named_at_opening(folder: Path, name: str, damage: str) -> None:
    index = filled(folder)
    index.delete_works({1})
    index.commit()
    index.close()
    (path,) = [path for path in folder.iterdir() if path.name.endswith(name)]
    content = bytearray(path.read_bytes())
    if damage == "remove":
        path.unlink()
    else:
        content[len(content) // 2] ^= 0x10
        path.write_bytes(bytes({"cut": content[:-1], "flip": content, "empty": b""}[damage]))
    if (name, damage) == ("header.json", "remove"):
        with pytest.raises(FileNotFoundError):
            VectorIndex.open(folder, dimension=DIMENSION)
    else:
        with pytest.raises(VectorIndexDamaged, match=name.replace(".", r"\.")):
            VectorIndex.open(folder, dimension=DIMENSION, writable=True)
    rebuilt = VectorIndex.create(folder, dimension=DIMENSION)
    rebuilt.append([1], [facets()], made(1, 1))
    rebuilt.commit()
    assert all_passages(VectorIndex.open(folder, dimension=DIMENSION)) == [1]


def test_large_vectors_are_checked_on_demand_and_when_rescored(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_files, "VERIFIED_BYTES", 100)
    filled(folder).close()
    (codes,) = folder.glob("*.codes")
    codes.write_bytes(bytes(len(codes.read_bytes())))
    with pytest.raises(VectorIndexDamaged, match="codes"):
        VectorIndex.open(folder, dimension=DIMENSION, verify=True)
    index = VectorIndex.open(folder, dimension=DIMENSION)
    with pytest.raises(VectorIndexDamaged, match="disagree with their int8 codes"):
        index.match(made(1, 1)[0], EVERYTHING, 5)


def test_leftovers_beyond_the_published_rows_are_ignored_and_then_cut(folder: Path) -> None:
    filled(folder).close()
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    for path in folder.glob("0*"):
        path.write_bytes(path.read_bytes() + b"unfinished")
    (folder / "header.json.draft").write_text("{")
    assert all_passages(VectorIndex.open(folder, dimension=DIMENSION)) == list(range(20))
    VectorIndex.open(folder, dimension=DIMENSION, writable=True).close()
    assert {path.name: path.stat().st_size for path in folder.iterdir()} == sizes


def test_an_index_of_another_format_or_dimension_is_refused(folder: Path) -> None:
    filled(folder).close()
    with pytest.raises(ValueError, match="dimension 8, not 16; open it with its own embedder, or rebuild"):
        VectorIndex.open(folder, dimension=16)
    header = folder / "header.json"
    header.write_text(header.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(VectorIndexDamaged, match="format 2, this program reads 1"):
        VectorIndex.open(folder, dimension=DIMENSION)


@pytest.mark.parametrize(
    ("passages", "facet", "rows", "message"),
    [
        ([1], facets(), made(1, 1, 9), r"takes \(rows, 8\)"),
        ([1, 2], facets(), made(1, 1), "2 passages, 1 facets, 1 vectors"),
        ([1], facets(language=65_536), made(1, 1), "languages of the vector index take 0 to 65535"),
        ([1], facets(work=2**31), made(1, 1), "works of the vector index"),
        ([1], facets(), np.full((1, 8), np.nan, np.float32), "NaN"),
        ([1], facets(), np.full((1, 8), np.inf, np.float32), "infinity"),
    ],
)
def test_a_wrong_append_is_refused_whole(
    folder: Path, passages: list[int], facet: Facets, rows: NDArray[np.float32], message: str
) -> None:
    index = filled(folder)
    with pytest.raises(ValueError, match=message):
        index.append(passages, [facet], rows)
    index.commit()
    assert all_passages(index) == list(range(20))


@pytest.mark.parametrize(
    ("query", "message"),
    [(np.ones(9), r"takes \(8,\)"), (np.ones((1, 8)), r"takes \(8,\)"), (np.full(8, np.nan), "NaN")],
)
def test_a_wrong_query_is_refused(folder: Path, query: NDArray[np.float32], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        filled(folder).match(query, EVERYTHING, 5)


def test_a_reader_cannot_write_and_needs_an_index(folder: Path) -> None:
    with pytest.raises(FileNotFoundError):
        VectorIndex.open(folder, dimension=DIMENSION)
    filled(folder).close()
    reader = VectorIndex.open(folder, dimension=DIMENSION)
    for write in (reader.commit, reader.clear, lambda: reader.delete_works({1})):
        with pytest.raises(ValueError, match="not open for writing; open it with writable=True"):
            write()


def test_an_empty_index_matches_nothing(folder: Path) -> None:
    index = VectorIndex.open(folder, dimension=DIMENSION, writable=True)
    index.append([], [], np.empty((0, DIMENSION), np.float32))
    index.commit()
    assert (len(index), index.rows, index.match(made(1, 1)[0], EVERYTHING, 5)) == (0, 0, [])
    assert filled(folder).match(np.zeros(DIMENSION, np.float32), EVERYTHING, 5) == []


def test_a_row_whose_score_is_known_exactly_stays_among_the_results() -> None:
    """Its upper bound is its lower one, and so the least score that counts."""
    shortlist = _Shortlist(1)
    lower, upper = (np.array(bounds, dtype=np.float32) for bounds in ((0.5, 0.2, 0.1), (0.5, 0.3, 0.6)))
    shortlist.add(np.array([4, 7, 9]), lower, upper)
    rows, _, _ = shortlist.by_upper_bound()
    assert rows.tolist() == [9, 4], "the likeliest first, without what cannot be among them"
