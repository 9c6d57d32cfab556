from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pykala.stores.embedded.facets import NO_END, FacetFilter, Facets
from pykala.stores.embedded.fulltext import TextIndex, TextIndexDamaged, TextIndexError, TextIndexLocked

EVERYTHING = FacetFilter()
CODES = {1: "fi", 2: "sv", 3: "en", 4: "fr", 5: "de"}


def facets(work: int = 1, language: int = 1, **others: int) -> Facets:
    return Facets(work, others.pop("jurisdiction", 1), language, others.pop("work_kind", 1), 2, **others)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[TextIndex]:
    with TextIndex.open(tmp_path / "text", writable=True) as opened:
        yield opened


def test_rank_by_bm25_within_a_language(index: TextIndex) -> None:
    index.add(1, "fi", facets(), ["vero", "vero", "kunta"])
    index.add(2, "fi", facets(2), ["vero", "laki", "kunta"])
    index.add(3, "sv", facets(3, 2), ["vero"])
    index.commit()
    assert [passage for passage, _ in index.match({"fi": ["vero"]}, EVERYTHING, 9)] == [1, 2]
    assert [passage for passage, _ in index.match({"sv": ["vero"], "fi": ["laki"]}, EVERYTHING, 9)] == [2, 3]
    assert index.match({"fi": []}, EVERYTHING, 9) == index.match({}, EVERYTHING, 9) == []
    assert index.match({"fi": ["unknown"]}, EVERYTHING, 9) == []
    assert index.match({"fi": ["vero"]}, EVERYTHING, 0) == []
    assert (index.document_frequency("vero", "fi"), index.document_frequency("vero", "en")) == (2, 0)


def test_filters_do_not_change_scores(index: TextIndex) -> None:
    for passage in range(20):
        index.add(passage, "fi", facets(passage, valid_from=10, valid_to=20), ["vero"] * (1 + passage % 3))
    index.commit()
    everything = dict(index.match({"fi": ["vero"]}, EVERYTHING, 50))
    narrow = FacetFilter(15, frozenset({1}), frozenset({1, 7}), frozenset({2}), works=frozenset(range(9)))
    assert dict(index.match({"fi": ["vero"]}, narrow, 50)) == {
        passage: everything[passage] for passage in range(9)
    }


def test_an_empty_set_lets_nothing_pass(index: TextIndex) -> None:
    index.add(1, "fi", facets(), ["vero"])
    index.commit()
    assert index.match({"fi": ["vero"]}, FacetFilter(works=frozenset()), 5) == []


def test_ties_are_in_the_order_of_passages_whatever_the_segments(index: TextIndex) -> None:
    for passages in ([7, 90], [3, 41], [5, 2]):
        for passage in passages:
            index.add(passage, "en", facets(passage, 3), ["repealed"])
        index.commit()
    for passage in range(100, 200):
        index.add(passage, "en", facets(passage, 3), ["repealed"])
    index.commit()
    assert [passage for passage, _ in index.match({"en": ["repealed"]}, EVERYTHING, 5)] == [2, 3, 5, 7, 41]


def test_weights_raise_and_drop_terms(index: TextIndex) -> None:
    index.add(1, "fi", facets(), ["vero"])
    index.add(2, "fi", facets(), ["laki"])
    index.commit()
    terms = {"fi": ["vero", "laki"]}
    assert [p for p, _ in index.match(terms, EVERYTHING, 5, weights={"laki": 2.0})] == [2, 1]
    assert [p for p, _ in index.match(terms, EVERYTHING, 5, weights={"laki": 0.0})] == [1]
    once, twice = (index.match({"fi": ["vero"] * times}, EVERYTHING, 5)[0][1] for times in (1, 2))
    assert twice == pytest.approx(2 * once, abs=1e-3)


def test_a_work_is_replaced_in_one_commit(index: TextIndex) -> None:
    index.add(1, "fi", facets(1), ["vanha"])
    index.add(2, "fi", facets(2), ["vanha"])
    index.commit()
    index.delete_works([1])
    index.add(3, "fi", facets(1), ["uusi"])
    assert list(index.passages()) == [1, 2]
    index.commit()
    assert list(index.passages()) == [2, 3]
    assert len(index) == 2
    assert index.match({"fi": ["vanha"]}, EVERYTHING, 5)[0][0] == 2
    index.delete_works([])
    index.clear()
    assert (len(index), list(index.passages())) == (0, [])


def test_a_reader_keeps_its_snapshot(index: TextIndex, tmp_path: Path) -> None:
    index.add(1, "fi", facets(), ["vero"])
    index.commit()
    reader = TextIndex.open(tmp_path / "text")
    index.delete_works([1])
    index.add(2, "fi", facets(), ["vero"])
    index.commit()
    assert list(reader.passages()) == [1]
    reader.refresh()
    assert list(reader.passages()) == [2]
    with pytest.raises(TextIndexError, match="reading only"):
        reader.add(3, "fi", facets(), ["vero"])


def test_a_second_writer_is_told(index: TextIndex, tmp_path: Path) -> None:
    with pytest.raises(TextIndexLocked, match="another process is writing"):
        TextIndex.open(tmp_path / "text", writable=True)
    index.close()
    TextIndex.open(tmp_path / "text", writable=True).close()


def test_what_was_not_committed_is_dropped_at_close(tmp_path: Path) -> None:
    for _ in range(2):
        with TextIndex.open(tmp_path, writable=True) as writer:
            assert len(writer) == 0
            writer.add(1, "fi", facets(), ["vero"])


def test_no_index_is_named(tmp_path: Path) -> None:
    with pytest.raises(TextIndexDamaged, match="rebuild"):
        TextIndex.open(tmp_path / "nowhere")


@pytest.mark.parametrize("kind", ["meta.json", "*.term", "*.idx", "*.fast", "*.fieldnorm"])
@pytest.mark.parametrize("damage", [b"", b"garbage" * 9])
def test_damaged_files_are_found_at_opening(
    index: TextIndex, tmp_path: Path, kind: str, damage: bytes
) -> None:
    index.add(1, "fi", facets(), ["vero"])
    index.commit()
    index.close()
    for path in (tmp_path / "text").glob(kind):
        path.write_bytes(damage)
    with pytest.raises(TextIndexDamaged, match="The records are safe"):
        TextIndex.open(tmp_path / "text")
    TextIndex.discard(tmp_path / "text")
    with TextIndex.open(tmp_path / "text", writable=True) as anew:
        assert len(anew) == 0


def test_an_index_of_another_layout_is_refused(tmp_path: Path) -> None:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body")
    tantivy.Index(builder.build(), path=str(tmp_path))
    with pytest.raises(TextIndexDamaged, match="another version"):
        TextIndex.open(tmp_path, writable=True)


def test_verify_finds_a_flipped_bit(index: TextIndex, tmp_path: Path) -> None:
    index.add(1, "fi", facets(), ["vero"])
    index.commit()
    index.verify()
    path = next((tmp_path / "text").glob("*.idx"))
    content = bytearray(path.read_bytes())
    content[0] ^= 1
    path.write_bytes(content)
    with pytest.raises(TextIndexDamaged, match="checksum"):
        index.verify()


def test_a_killed_writer_leaves_the_last_commit(tmp_path: Path) -> None:
    program = f"""
from pathlib import Path
from pykala.stores.embedded.facets import Facets
from pykala.stores.embedded.fulltext import TextIndex
index = TextIndex.open(Path({str(tmp_path)!r}), writable=True)
for passage in range(500):
    index.add(passage, "fi", Facets(1, 1, 1, 1, 1), ["vero", f"sana{{passage}}"])
index.commit()
print("committed", flush=True)
passage = 500
while True:
    index.add(passage, "fi", Facets(1, 1, 1, 1, 1), ["vero", f"sana{{passage}}"])
    passage += 1
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"committed\n"
        os.kill(process.pid, signal.SIGKILL)
    with TextIndex.open(tmp_path, writable=True) as index:
        assert list(index.passages()) == list(range(500))


def test_a_full_disk_is_told_and_the_last_commit_stands(tmp_path: Path) -> None:
    # A limit on the size of files stands in for a full disk; it must not hold for the test's own process.
    program = f"""
import resource, signal, sys
from pathlib import Path
from pykala.stores.embedded.facets import Facets
from pykala.stores.embedded.fulltext import TextIndex, TextIndexUnwritable
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with TextIndex.open(Path({str(tmp_path)!r}), writable=True) as index:
    index.add(1, "fi", Facets(1, 1, 1, 1, 1), ["vero"])
    index.commit()
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
    try:
        for passage in range(2, 5000):
            index.add(passage, "fi", Facets(1, 1, 1, 1, 1), ["vero", f"sana{{passage}}"])
        index.commit()
    except TextIndexUnwritable as error:
        sys.exit(0 if "The last commit stands" in str(error) else 2)
sys.exit(3)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
    with TextIndex.open(tmp_path, writable=True) as index:
        assert list(index.passages()) == [1]
        index.add(2, "fi", facets(), ["vero"])
        index.commit()
        assert list(index.passages()) == [1, 2]


numbers = st.integers(1, 3)
days = st.integers(0, 12)
some_facets = st.builds(
    Facets,
    work=numbers,
    jurisdiction=numbers,
    language=st.integers(1, 5),
    work_kind=numbers,
    provision_kind=st.integers(2, 5),
    valid_from=days,
    valid_to=st.one_of(days, st.just(NO_END)),
)
some_terms = st.lists(st.sampled_from("abcdef"), max_size=5)
some_numbers = st.none() | st.frozensets(st.integers(1, 5), max_size=3)
some_filter = st.builds(
    FacetFilter,
    day=st.none() | days,
    jurisdictions=some_numbers,
    languages=some_numbers,
    kinds=some_numbers,
    provision_kinds=some_numbers,
    works=some_numbers,
    without=st.frozensets(st.integers(1, 5), max_size=3),
)
asked = st.dictionaries(st.sampled_from(sorted(CODES.values())), some_terms, max_size=5)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    batches=st.lists(st.lists(st.tuples(some_facets, some_terms), max_size=12), max_size=3),
    questions=st.lists(st.tuples(asked, some_filter), min_size=1, max_size=12),
    gone=st.frozensets(numbers, max_size=1),
)
def test_matches_equal_brute_force(
    batches: list[list[tuple[Facets, list[str]]]],
    questions: list[tuple[dict[str, list[str]], FacetFilter]],
    gone: frozenset[int],
) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        with TextIndex.open(folder, writable=True) as index:
            documents = {}
            for batch in batches:
                for facts, terms in batch:
                    documents[len(documents)] = (facts, terms)
                    index.add(len(documents) - 1, CODES[facts.language], facts, terms)
                index.commit()
            index.delete_works(gone)
            index.commit()
            live = {number: found for number, found in documents.items() if found[0].work not in gone}
            assert list(index.passages()) == sorted(live)
            for terms_by_language, filter in questions:
                expected = {
                    passage
                    for passage, (facts, terms) in live.items()
                    if set(terms) & set(terms_by_language.get(CODES[facts.language], ()))
                    and filter.passes(facts)
                }
                found = index.match(terms_by_language, filter, 100)
                assert {passage for passage, _ in found} == expected
                assert len(found) == len(expected)
                assert all((-a[1], a[0]) < (-b[1], b[0]) for a, b in pairwise(found))
                assert index.match(terms_by_language, filter, 3) == found[:3]
    finally:
        shutil.rmtree(folder)
