"""The peers, each as its own documentation begins with it; imported only where it is measured.

None of them knows of dates. Those that take an embedder get Pykälä's bundled one (`pykala.models.bundled`),
so that what differs is the engine, and in rows of their own the model that they begin with themselves. Words
are stemmed for the language where an engine offers it.
"""

# Peers are installed apart from what the types are checked with.
# mypy: disable-error-code="import-not-found"

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bench.peers.models import Bundled, Model, SentenceTransformer
from bench.peers.records import Document

STEMMERS = {"en": "english", "fi": "finnish", "fr": "french", "sv": "swedish"}
_WORD = re.compile(r"\w+")


class Engine(Protocol):
    """Indexes documents and gives the numbers of the best, by the order in which they came."""

    def build(self, documents: Iterable[Document], folder: Path) -> None:
        """Index everything, and leave what a later process would open in the folder."""
        ...

    def ask(self, question: str, limit: int) -> Sequence[int]:
        """The best documents for a question."""
        ...


class Bm25s:
    """bm25s: BM25 scores computed beforehand into a sparse matrix (Lù, 2024)."""

    def __init__(self, language: str, model: Model) -> None:
        import Stemmer

        self._stopwords = language if language in ("en", "fr", "sv") else []
        self._stemmer = Stemmer.Stemmer(STEMMERS[language])
        self._index: Any = None

    def _tokens(self, texts: list[str], **options: Any) -> Any:
        import bm25s

        return bm25s.tokenize(
            texts, stopwords=self._stopwords, stemmer=self._stemmer, show_progress=False, **options
        )

    def build(self, documents: Iterable[Document], folder: Path) -> None:
        import bm25s

        self._index = bm25s.BM25()
        self._index.index(self._tokens([one.words for one in documents]), show_progress=False)
        self._index.save(str(folder))

    def ask(self, question: str, limit: int) -> Sequence[int]:
        found, scores = self._index.retrieve(self._tokens([question]), k=limit, show_progress=False)
        return [int(number) for number, score in zip(found[0], scores[0], strict=True) if score > 0]


class Tantivy:
    """Tantivy alone, through its Python package: one stemmed text field, the question as it is typed."""

    def __init__(self, language: str, model: Model) -> None:
        self._language = language
        self._index: Any = None
        self._searcher: Any = None

    def build(self, documents: Iterable[Document], folder: Path) -> None:
        import tantivy

        schema = (
            tantivy.SchemaBuilder()
            .add_text_field("body", stored=False, tokenizer_name="law")
            .add_unsigned_field("number", stored=False, fast=True)
            .build()
        )
        analyser = (
            tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
            .filter(tantivy.Filter.lowercase())
            .filter(tantivy.Filter.stemmer(STEMMERS[self._language]))
            .build()
        )
        self._index = tantivy.Index(schema, path=str(folder))
        self._index.register_tokenizer("law", analyser)
        writer = self._index.writer(heap_size=192_000_000, num_threads=1)
        for number, one in enumerate(documents):
            document = tantivy.Document()
            document.add_text("body", one.words)
            document.add_unsigned("number", number)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def ask(self, question: str, limit: int) -> Sequence[int]:
        query, _ = self._index.parse_query_lenient(question, ["body"])
        hits = self._searcher.search(query, limit, count=False).hits
        found = self._searcher.fast_field_values("number", [address for _, address in hits])
        return [int(number) for number in found]


class Fts5:
    """SQLite's FTS5: Porter's stemmer for English, whole words for the rest, which it has no stemmer for.

    Its own reading of a question (every word must be there) finds nothing, so the words are joined by OR.
    """

    def __init__(self, language: str, model: Model) -> None:
        self._tokenizer = "porter unicode61" if language == "en" else "unicode61"
        self._database: Any = None

    def build(self, documents: Iterable[Document], folder: Path) -> None:
        self._database = sqlite3.connect(folder / "fts5.sqlite")
        self._database.execute(f"CREATE VIRTUAL TABLE law USING fts5(words, tokenize='{self._tokenizer}')")
        rows = ((number, one.words) for number, one in enumerate(documents))
        self._database.executemany("INSERT INTO law (rowid, words) VALUES (?, ?)", rows)
        self._database.commit()

    def ask(self, question: str, limit: int) -> Sequence[int]:
        words = " OR ".join(f'"{word}"' for word in _WORD.findall(question))
        found = self._database.execute(
            "SELECT rowid FROM law WHERE law MATCH ? ORDER BY rank LIMIT ?", (words, limit)
        )
        return [number for (number,) in found]


class LlamaIndex:
    """LlamaIndex's default pipeline: its sentence splitter and its own vector store, in memory."""

    def __init__(self, language: str, model: Model) -> None:
        self._model = model
        self._index: Any = None
        self._retriever: Any = None
        self._limit = 0

    def build(self, documents: Iterable[Document], folder: Path) -> None:
        from llama_index.core import Document as Text
        from llama_index.core import VectorStoreIndex
        from llama_index.core.embeddings import BaseEmbedding

        model = self._model

        class Given(BaseEmbedding):  # type: ignore[misc]
            def _get_query_embedding(self, query: str) -> list[float]:
                return list(map(float, model.question(query)))

            def _get_text_embedding(self, text: str) -> list[float]:
                return list(map(float, model.documents([text])[0]))

            def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
                return [list(map(float, row)) for row in model.documents(texts)]

            async def _aget_query_embedding(self, query: str) -> list[float]:
                return self._get_query_embedding(query)

        texts = [Text(text=one.words, doc_id=str(number)) for number, one in enumerate(documents)]
        embedder = Given(embed_batch_size=512)
        self._index = VectorStoreIndex.from_documents(texts, embed_model=embedder)
        self._index.storage_context.persist(str(folder))

    def ask(self, question: str, limit: int) -> Sequence[int]:
        if limit != self._limit:
            self._retriever = self._index.as_retriever(similarity_top_k=limit)
            self._limit = limit
        return [int(node.node.ref_doc_id) for node in self._retriever.retrieve(question)]


class Haystack:
    """Haystack's documents in memory: BM25 and embeddings, their rankings joined by reciprocal rank."""

    def __init__(self, language: str, model: Model) -> None:
        self._model = model
        self._store: Any = None
        self._parts: tuple[Any, Any, Any] | None = None

    def build(self, documents: Iterable[Document], folder: Path) -> None:
        from haystack import Document as Text
        from haystack.components.joiners import DocumentJoiner
        from haystack.components.retrievers.in_memory import (
            InMemoryBM25Retriever,
            InMemoryEmbeddingRetriever,
        )
        from haystack.document_stores.in_memory import InMemoryDocumentStore

        self._store = InMemoryDocumentStore(embedding_similarity_function="cosine")
        waiting: list[tuple[str, str]] = []

        def write() -> None:
            vectors = self._model.documents([words for _, words in waiting])
            self._store.write_documents(
                [
                    Text(id=number, content=words, embedding=list(map(float, vector)))
                    for (number, words), vector in zip(waiting, vectors, strict=True)
                ]
            )
            waiting.clear()

        for number, one in enumerate(documents):
            waiting.append((str(number), one.words))
            if len(waiting) == 2048:
                write()
        if waiting:
            write()
        self._store.save_to_disk(str(folder / "documents.json"))
        self._parts = (
            InMemoryBM25Retriever(self._store),
            InMemoryEmbeddingRetriever(self._store),
            DocumentJoiner(join_mode="reciprocal_rank_fusion"),
        )

    def ask(self, question: str, limit: int) -> Sequence[int]:
        assert self._parts is not None
        words, meaning, joiner = self._parts
        vector = list(map(float, self._model.question(question)))
        rankings = [
            words.run(query=question, top_k=limit)["documents"],
            meaning.run(query_embedding=vector, top_k=limit)["documents"],
        ]
        return [int(one.id) for one in joiner.run(documents=rankings, top_k=limit)["documents"]]


class Txtai:
    """txtai's hybrid index: its own BM25 and Faiss, with vectors of the embedder given."""

    def __init__(self, language: str, model: Model) -> None:
        self._model = model
        self._index: Any = None

    def build(self, documents: Iterable[Document], folder: Path) -> None:
        from txtai import Embeddings

        asking = False

        def transform(texts: Sequence[str]) -> Any:
            return [self._model.question(one) for one in texts] if asking else self._model.documents([*texts])

        self._index = Embeddings(method="external", transform=transform, hybrid=True, content=False)
        self._index.index((number, one.words, None) for number, one in enumerate(documents))
        asking = True
        # A function cannot be saved with the index: whoever opens it gives it again.
        self._index.config["transform"] = None
        self._index.save(str(folder / "index"))
        self._index.config["transform"] = transform

    def ask(self, question: str, limit: int) -> Sequence[int]:
        return [int(number) for number, _ in self._index.search(question, limit)]


class LanceDb:
    """LanceDB's hybrid search: its full-text index and an exact vector scan, reranked by reciprocal rank."""

    def __init__(self, language: str, model: Model) -> None:
        self._language = STEMMERS[language].capitalize()
        self._model = model
        self._table: Any = None

    def build(self, documents: Iterable[Document], folder: Path) -> None:
        import lancedb
        import pyarrow

        schema = pyarrow.schema(
            [
                ("number", pyarrow.int64()),
                ("words", pyarrow.string()),
                ("vector", pyarrow.list_(pyarrow.float32(), self._model.dimension)),
            ]
        )
        self._table = lancedb.connect(str(folder)).create_table("law", schema=schema)
        waiting: list[tuple[int, str]] = []

        def write() -> None:
            vectors = self._model.documents([words for _, words in waiting])
            self._table.add(
                [
                    {"number": number, "words": words, "vector": vector}
                    for (number, words), vector in zip(waiting, vectors, strict=True)
                ]
            )
            waiting.clear()

        for number, one in enumerate(documents):
            waiting.append((number, one.words))
            if len(waiting) == 4096:
                write()
        if waiting:
            write()
        self._table.create_fts_index("words", language=self._language, stem=True, remove_stop_words=False)

    def ask(self, question: str, limit: int) -> Sequence[int]:
        query = self._table.search(query_type="hybrid").vector(self._model.question(question))
        found = query.text(question).limit(limit).to_arrow()
        return [int(number) for number in found["number"].to_pylist()]


@dataclass(frozen=True, slots=True)
class Peer:
    """An engine in one way of being set up."""

    title: str
    engine: Callable[[str, Model], Engine]
    model: str = ""  # its own default; without a name, Pykälä's bundled embedder where it takes one


#: By name on the command line.
PEERS: dict[str, Peer] = {
    "bm25s": Peer("bm25s (plain BM25)", Bm25s),
    "tantivy": Peer("Tantivy alone", Tantivy),
    "fts5": Peer("SQLite FTS5", Fts5),
    "llamaindex": Peer("LlamaIndex, default pipeline", LlamaIndex),
    "haystack": Peer("Haystack, in memory, hybrid", Haystack),
    "txtai": Peer("txtai, hybrid", Txtai),
    "lancedb": Peer("LanceDB, hybrid", LanceDb),
    "haystack-own": Peer("Haystack with all-mpnet-base-v2", Haystack, "all-mpnet-base-v2"),
    "txtai-own": Peer("txtai with all-MiniLM-L6-v2", Txtai, "all-MiniLM-L6-v2"),
    "lancedb-own": Peer("LanceDB with all-MiniLM-L6-v2", LanceDb, "all-MiniLM-L6-v2"),
}


def made(peer: Peer, language: str, given: Path) -> Engine:
    """An engine with its model, for the documents of a folder."""
    return peer.engine(language, SentenceTransformer(peer.model, given) if peer.model else Bundled())
