"""How much of the exact result the graph of Qdrant (HNSW) finds, on the vectors of a real library.

    python -m bench.graph_recall --library LIBRARY --place ca --most 150000

The vectors of a place are read from the library's files, and written to one node of Qdrant with the settings
of a cluster. Questions of the packs' own sets are asked with the filters of a real question (place, language,
day), and without; the first ten of the graph are compared with the first ten of an exact search.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from pykala.evaluate.sets import QuestionSetError, pack_set, read_set
from pykala.models.bundled.lazy import bundled_embedder
from pykala.packs.pack import installed
from pykala.stores.cluster import meanings, points
from pykala.stores.cluster.meanings import VectorsWriter
from pykala.stores.cluster.nodes import QdrantNodes
from pykala.stores.embedded.facets import FacetFilter, Facets
from pykala.stores.embedded.vectors import VectorIndex

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

_COLLECTION = "recall"
_TEN = 10
_BREADTHS = (32, 64, 128, 256, 512)


def main() -> None:
    options = _options()
    import install_qdrant
    from qdrant_server import KEY, QdrantServer

    if reason := install_qdrant.missing():
        raise SystemExit(reason)
    with (
        tempfile.TemporaryDirectory(prefix="pykala-graph-") as scratch,
        QdrantServer.started(Path(scratch)) as server,
    ):
        nodes = QdrantNodes("cluster:bench", server.addresses, KEY)
        names = _names(options.library)
        count, took = _load(nodes, options, names[options.place])
        print(f"{count:,} vectors of {options.place}: written in {took[0]:.0f} s, graph in {took[1]:.0f} s\n")
        filters = {
            "none": FacetFilter(),
            "place, day": FacetFilter(day=_DAY, jurisdictions=frozenset({names[options.place]})),
            "place, language, day": FacetFilter(
                day=_DAY,
                jurisdictions=frozenset({names[options.place]}),
                languages=frozenset({names[options.language]}),
            ),
        }
        _compare(nodes, _questions(options), filters)
        nodes.close()


_DAY = date(2026, 1, 1).toordinal()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", type=Path, required=True, help="a folder; it is only read")
    parser.add_argument("--place", default="ca")
    parser.add_argument("--language", default="en")
    parser.add_argument("--most", type=int, default=150_000, help="vectors")
    parser.add_argument("--questions", type=int, default=100)
    return parser.parse_args()


def _names(library: Path) -> dict[str, int]:
    with sqlite3.connect(f"file:{library / 'library.db'}?mode=ro", uri=True) as connection:
        return {value: number for number, value in connection.execute("SELECT id, value FROM names")}


def _load(nodes: QdrantNodes, options: argparse.Namespace, place: int) -> tuple[int, tuple[float, float]]:
    dimension = bundled_embedder().dimension
    index = VectorIndex.open(options.library / "vectors", dimension=dimension, verify=False)
    snapshot = index._snapshot
    columns = snapshot.columns
    rows = np.flatnonzero(columns["jurisdictions"] == place)
    if snapshot.live is not None:
        rows = rows[snapshot.live[rows]]
    rows = rows[: options.most]
    nodes.create(_COLLECTION, meanings.layout(dimension, 1, 1))
    writer = VectorsWriter(nodes, _COLLECTION, 0, passages=0, exact_up_to=0)
    started = time.perf_counter()
    for at in range(0, len(rows), 5_000):
        part = rows[at : at + 5_000]
        named = ("works", "jurisdictions", "languages", "work_kinds", "provision_kinds")
        values = [columns[name][part].tolist() for name in (*named, "valid_from", "valid_to")]
        facets = [Facets(*one) for one in zip(*values, strict=True)]
        vectors = snapshot.originals(part).astype(np.float32)
        writer.append(columns["passages"][part].tolist(), facets, vectors)
    written = time.perf_counter()
    writer.commit()
    _until(lambda: _is_whole(nodes))
    index.close()
    return len(rows), (written - started, time.perf_counter() - written)


def _is_whole(nodes: QdrantNodes) -> bool:
    found = nodes.call("GET", f"/collections/{_COLLECTION}")
    return bool(found["status"] == "green" and found["indexed_vectors_count"] >= 0.9 * found["points_count"])


def _until(holds: Callable[[], bool]) -> None:
    pause = threading.Event()
    while not holds():
        pause.wait(1.0)


def _questions(options: argparse.Namespace) -> np.ndarray[Any, np.dtype[np.float32]]:
    asked: list[str] = []
    for pack in installed().values():
        for sample in (True, False):
            try:
                found = read_set(pack_set(pack, sample=sample))
            except QuestionSetError:
                continue
            asked += [one.question for one in found if one.jurisdiction in (None, "", options.place)]
    chosen = list(dict.fromkeys(asked))
    chosen = chosen[:: max(1, len(chosen) // options.questions)][: options.questions]
    return bundled_embedder().encode(chosen, "query")


def _compare(
    nodes: QdrantNodes, vectors: np.ndarray[Any, np.dtype[np.float32]], filters: dict[str, FacetFilter]
) -> None:
    print(f"| {len(vectors)} questions | {' | '.join(filters)} |")
    print(f"|---|{'---|' * len(filters)}")
    exact = {name: _first_ten(nodes, vectors, one, {"exact": True}) for name, one in filters.items()}
    print(f"| exact, ms | {' | '.join(f'{took:.1f}' for _, took in exact.values())} |")
    for breadth in _BREADTHS:
        cells = []
        for name, one in filters.items():
            found, took = _first_ten(nodes, vectors, one, {"hnsw_ef": breadth})
            shared = [len(a & b) / max(len(b), 1) for a, b in zip(found, exact[name][0], strict=True)]
            cells.append(f"{np.mean(shared):.3f} ({took:.1f} ms)")
        print(f"| overlap@10, hnsw_ef {breadth} | {' | '.join(cells)} |", flush=True)


def _first_ten(
    nodes: QdrantNodes,
    vectors: Sequence[Any] | np.ndarray[Any, np.dtype[np.float32]],
    filter: FacetFilter,
    how: dict[str, Any],
) -> tuple[list[set[int]], float]:
    """The first ten of each question, and how many milliseconds one took."""
    found, started = [], time.perf_counter()
    for vector in vectors:
        search = {
            "query": vector.tolist(),
            "using": meanings.VECTOR,
            "filter": points.passing(filter, 1),
            "params": how,
            "limit": _TEN,
        }
        ((hits),) = nodes.query(_COLLECTION, [search])
        found.append({int(hit["id"]) for hit in hits})
    return found, 1000 * (time.perf_counter() - started) / len(vectors)


if __name__ == "__main__":
    main()
