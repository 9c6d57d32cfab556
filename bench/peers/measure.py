"""One engine, measured in a process of its own: `python -m bench.peers.measure ENGINE FOLDER [--newest]`.

Prints one JSON object: seconds and processor seconds of indexing, bytes on disk, memory, the milliseconds of
every question and what was found. Other engines' packages are not loaded.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from bench.peers.engines import PEERS, made
from bench.peers.models import vectors_file
from bench.peers.records import Document, Hit, Question, read_documents, read_questions

DEPTH = 10  # sections that are looked at
FETCHED = 30  # documents asked for: where several wordings of a section are found, it counts once
WARMING = 5
OWN = {"pykala": True, "pykala-words": False}

Asking = Callable[[Question, int], list[Hit]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", choices=[*PEERS, *OWN])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--newest", action="store_true", help="index only the newest wording of a section")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="peers-") as work:
        place = Path(work) / "index"
        place.mkdir()
        measure = _own if options.engine in OWN else _peer
        print(json.dumps(measure(options.engine, options.folder, place, options.newest)))


def _peer(name: str, folder: Path, place: Path, newest: bool) -> dict[str, Any]:
    questions = read_questions(folder)
    peer = PEERS[name]
    engine = made(peer, questions[0].language, folder)
    known: list[Hit] = []
    built = _timed(lambda: engine.build(_noting(read_documents(folder, only_newest=newest), known), place))

    def asking(question: Question, limit: int) -> list[Hit]:
        return [known[number] for number in engine.ask(question.question, limit)]

    asked = _asked("search", asking, questions)
    # What indexing takes is not known where the vectors were there already.
    lent = bool(peer.model) and vectors_file(folder, peer.model).exists()
    return {**built, "documents": len(known), "bytes": _size(place), "vectors lent": lent, **asked}


def _noting(documents: Iterable[Document], known: list[Hit]) -> Iterator[Document]:
    """Keep what is needed to say what was found: no engine keeps it for us."""
    for one in documents:
        known.append(Hit(one.section, one.start, one.end))
        yield one


def _own(name: str, folder: Path, place: Path, newest: bool) -> dict[str, Any]:
    from bench.peers.own import Pykala

    questions = read_questions(folder)
    engine = Pykala(place, vectors=OWN[name])
    built = _timed(lambda: engine.build(folder))
    built["seconds"] -= engine.uncounted
    built["processor"] -= engine.uncounted_work
    return {
        **built,
        "documents": sum(1 for _ in read_documents(folder)),
        "bytes": _size(place),
        **_asked("search", engine.search, questions),
        **_asked("ask", engine.ask, questions),
    }


def _timed(build: Callable[[], None]) -> dict[str, float]:
    started, worked = perf_counter(), process_time()
    build()
    return {"seconds": perf_counter() - started, "processor": process_time() - worked}


def _asked(verb: str, asking: Asking, questions: list[Question]) -> dict[str, Any]:
    for question in questions[:WARMING]:
        asking(question, FETCHED)
    times, worked, found = [], [], {}
    for question in questions:
        started, begun = perf_counter(), process_time()
        hits = asking(question, FETCHED)
        times.append((perf_counter() - started) * 1000)
        worked.append((process_time() - begun) * 1000)
        found[question.id] = [asdict(one) for one in first_of_each(hits)[:DEPTH]]
    asked = {"milliseconds": times, "processor": worked, "found": found}
    return {verb: asked, "peak": _peak(), "load": os.getloadavg()[0]}


def _peak() -> float:
    """The most memory the process has held, in MB; what its parent held before counts with getrusage."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1000


def first_of_each(hits: Iterable[Hit]) -> list[Hit]:
    """The best wording of each section."""
    best: dict[str, Hit] = {}
    for one in hits:
        best.setdefault(one.section, one)
    return list(best.values())


def _size(place: Path) -> int:
    return sum(path.stat().st_size for path in place.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
