"""Export a library for other programs: as a graph, and as a dataset of provisions and versions.

    export(store, Path("out"))

`nodes.jsonl` has a line for every provision, `edges.jsonl` for every reference and every parent, and
`graph.graphml` both. `dataset/` is a folder as Hugging Face's `datasets` loads it, in Parquet, which needs
pyarrow. Works are read and written one at a time: one work is held in memory, however many there are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from xml.sax.saxutils import escape, quoteattr

from pykala.law.provisions import Document, Provision, Version, Work
from pykala.law.references import Direction, Edge, EdgeKind, Method
from pykala.law.validity import NOT_YET, Validity
from pykala.stores.store import Store
from pykala.text.phrases import tell

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    '<key id="kind" for="all" attr.name="kind" attr.type="string"/>\n'
    '<key id="title" for="node" attr.name="title" attr.type="string"/>\n'
    '<graph id="law" edgedefault="directed">\n'
)
_CARD = """---
pretty_name: Pykälä library
configs:
- config_name: provisions
  data_files: provisions.parquet
- config_name: versions
  data_files: versions.parquet
---

# Provisions and versions of a library

`provisions`: one row for each provision and language (`id`, `work`, `jurisdiction`, `kind`, `label`,
`heading`, `parent`, `language`, `title`). `versions`: one row for each wording (`id`, `language`, `text`,
`heading`, `start`, `end`, `pending`, `event`, `source_act`, `findings`). Days are half-open: `end` is the
first day that a wording no longer holds; an empty day is not known. The licence is that of each source.
"""


class ParquetMissing(RuntimeError):
    """The extra that writes Parquet is not installed."""


@dataclass(slots=True)
class Exported:
    """How much was written."""

    works: int = 0
    nodes: int = 0
    edges: int = 0
    versions: int = 0
    files: list[str] = field(default_factory=list)


def export(
    store: Store,
    folder: Path,
    *,
    dataset: bool = True,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Exported:
    """Write a library's graph and, unless left out, its dataset into a folder."""
    written = Exported()
    folder.mkdir(parents=True, exist_ok=True)
    works = sorted(work.id for work in store.works())
    with ExitStack() as stack:
        tables = stack.enter_context(_Tables(folder / "dataset")) if dataset else None
        graph = stack.enter_context(_Graph(folder))
        for done, identity in enumerate(works, start=1):
            work = store.work(identity)
            documents = [store.document(identity, language) for language in sorted(store.words(identity))]
            _write_work(store, work, documents, graph, tables, written)
            progress(done, len(works))
    written.works = len(works)
    written.files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    return written


def _write_work(
    store: Store,
    work: Work,
    documents: list[Document],
    graph: _Graph,
    tables: _Tables | None,
    written: Exported,
) -> None:
    seen: set[str] = set()
    for document in documents:
        for parent, node in _with_parents(document.root):
            if str(node.id) not in seen:
                seen.add(str(node.id))
                graph.node(node, work)
                written.nodes += 1
                if parent is not None:
                    graph.edge(Edge(EdgeKind.PARENT_OF, parent.id, node.id, Method.STRUCTURE))
                    written.edges += 1
            if tables is not None:
                tables.provision(document, work, parent, node)
            written.versions += len(node.versions)
    for document in documents[:1]:
        for edge in store.edges([document.root.id], direction=Direction.OUT):
            if edge.kind is not EdgeKind.PARENT_OF:
                graph.edge(edge)
                written.edges += 1


def _with_parents(root: Provision) -> Iterator[tuple[Provision | None, Provision]]:
    stack: list[tuple[Provision | None, Provision]] = [(None, root)]
    while stack:
        parent, node = stack.pop()
        yield parent, node
        stack.extend((node, child) for child in reversed(node.children))


def _days(validity: Validity) -> dict[str, object]:
    pending = validity.start == NOT_YET
    start = None if validity.start is None or pending else validity.start.isoformat()
    end = None if validity.end is None else validity.end.isoformat()
    return {"start": start, "end": end, "pending": pending}


class _Graph:
    """The three files of the graph, open for writing."""

    def __init__(self, folder: Path) -> None:
        names = ("nodes.jsonl", "edges.jsonl", "graph.graphml")
        self._nodes, self._edges, self._xml = ((folder / name).open("w", encoding="utf-8") for name in names)
        self._xml.write(_HEAD)

    def __enter__(self) -> _Graph:
        return self

    def __exit__(self, *_: object) -> None:
        self._xml.write("</graph>\n</graphml>\n")
        for file in (self._nodes, self._edges, self._xml):
            file.close()

    def node(self, node: Provision, work: Work) -> None:
        """Write a provision."""
        title = node.heading or (work.title("en") if not node.id.path else "")
        row = {
            "id": str(node.id),
            "work": str(work.id),
            "jurisdiction": work.id.jurisdiction,
            "kind": node.kind.value,
            "label": node.label,
            "title": title,
        }
        _line(self._nodes, row)
        self._xml.write(
            f'<node id={quoteattr(row["id"])}><data key="kind">{row["kind"]}</data>'
            f'<data key="title">{escape(_printable(title))}</data></node>\n'
        )

    def edge(self, edge: Edge) -> None:
        """Write an edge."""
        row = {
            "source": str(edge.source),
            "target": str(edge.target),
            "kind": edge.kind.value,
            "method": edge.method.value,
            "text": edge.text,
            "language": edge.language,
            **_days(edge.validity),
        }
        _line(self._edges, row)
        ends = f"source={quoteattr(str(edge.source))} target={quoteattr(str(edge.target))}"
        self._xml.write(f'<edge {ends}><data key="kind">{edge.kind.value}</data></edge>\n')


def _line(file: IO[str], row: dict[str, Any]) -> None:
    file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _printable(text: str) -> str:
    """Remove control characters: XML does not allow them."""
    return "".join(char for char in text if char >= " " or char in "\t\n")


_ROWS = 20_000  # of a row group; a group is what is held in memory


class _Tables:
    """The two tables of the dataset, written group by group."""

    def __init__(self, folder: Path) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as missing:
            raise ParquetMissing(
                "the dataset is written with pyarrow, which is not installed: pip install 'pykala[export]',"
                " or leave it out with --no-dataset"
            ) from missing
        self._arrow = pyarrow
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "README.md").write_text(_CARD, "utf-8")
        text, flag = pyarrow.string(), pyarrow.bool_()
        provisions = (
            "id", "work", "jurisdiction", "kind", "label", "heading", "parent", "language", "title",
        )  # fmt: skip
        versions = {
            "id": text, "language": text, "text": text, "heading": text, "start": text, "end": text,
            "pending": flag, "event": text, "source_act": text, "findings": pyarrow.list_(text),
        }  # fmt: skip
        schemas = {
            "provisions": pyarrow.schema([(name, text) for name in provisions]),
            "versions": pyarrow.schema(list(versions.items())),
        }
        self._writers = {
            name: pyarrow.parquet.ParquetWriter(folder / f"{name}.parquet", schema)
            for name, schema in schemas.items()
        }
        self._schemas = schemas
        self._rows: dict[str, list[dict[str, object]]] = {name: [] for name in schemas}

    def __enter__(self) -> _Tables:
        return self

    def __exit__(self, *_: object) -> None:
        for name, writer in self._writers.items():
            self._flush(name)
            writer.close()

    def provision(self, document: Document, work: Work, parent: Provision | None, node: Provision) -> None:
        """Write a provision of a document and its versions."""
        row: dict[str, object] = {
            "id": str(node.id),
            "work": str(work.id),
            "jurisdiction": work.id.jurisdiction,
            "kind": node.kind.value,
            "label": node.label,
            "heading": node.heading,
            "parent": str(parent.id) if parent is not None else None,
            "language": document.language,
            "title": document.title,
        }
        self._add("provisions", row)
        for version in node.versions:
            self._add("versions", _version_row(node, document.language, version))

    def _add(self, name: str, row: dict[str, object]) -> None:
        self._rows[name].append(row)
        if len(self._rows[name]) >= _ROWS:
            self._flush(name)

    def _flush(self, name: str) -> None:
        if self._rows[name]:
            table = self._arrow.Table.from_pylist(self._rows[name], schema=self._schemas[name])
            self._writers[name].write_table(table)
            self._rows[name] = []


def _version_row(node: Provision, language: str, version: Version) -> dict[str, object]:
    return {
        "id": str(node.id),
        "language": language,
        "text": version.text,
        "heading": version.heading,
        **_days(version.validity),
        "event": version.event.value,
        "source_act": str(version.source_act) if version.source_act else None,
        "findings": [tell("en", finding) for finding in version.findings],
    }
