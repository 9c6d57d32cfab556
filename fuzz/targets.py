"""What is fuzzed: every reader of sources, the citation grammars, the sentence cutter, HTTP bodies, archives.

A target has seeds (a name and bytes) and reads edited ones. It raises where a promise is broken: an exception
where a refusal was due, a span outside the text, an answer of the server that is its own fault.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from pykala.fetch.mirror import open_mirror
from pykala.fetch.refusals import MirrorFault, Refusal, RefusedFile
from pykala.graph.relate import relate
from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId
from pykala.packs.pack import Pack, Snapshot, SourceItem, SurveyingPack, installed
from pykala.passages.cut import cut
from pykala.text.sentences import sentences

CORPUS = Path(__file__).parent / "corpus"
#: Where a text of the law stands, for the grammar that reads the law itself.
PLACES = {
    "ca": "ca:act:E-5.6/sec_7",
    "eu": "eu:32016R0679/art_6",
    "fi": "fi:act:1992/1535/sec_124",
    "nyc": "nyc:adc:11/sec_11-503",
    "up": "up:0123456789abcdef/sec_1",
}
ROUTES = {
    "ask": "/api/v1/ask",
    "cite": "/api/v1/cite",
    "context": "/api/v1/context",
    "chat": "/v1/chat/completions",
}


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to fuzz."""

    name: str
    seeds: Mapping[str, bytes]
    read: Callable[[str, bytes], None]


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    data: bytes
    sha256: str


class _Files:
    """A mirror of files in memory."""

    name = "memory"
    refusals: tuple[Refusal, ...] = ()

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = {path: _File(path, data, sha256(data).hexdigest()) for path, data in files.items()}

    def paths(self) -> Iterator[str]:
        return iter(sorted(self._files))

    def files(self) -> Iterator[_File]:
        return (self._files[path] for path in self.paths())

    def read(self, path: str) -> _File:
        return self._files[path]


def targets() -> dict[str, Target]:
    """Every target by its name."""
    found = [*_readers(), *_grammars(), _target("sentences", "citations", _cut_sentences)]
    found += [_target("archives", "archives", _read_archive), _target("http", "http", _send_body)]
    return {target.name: target for target in found}


def _target(name: str, folder: str, read: Callable[[str, bytes], None]) -> Target:
    return Target(name, _seeds(CORPUS / folder), read)


def _seeds(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


# Readers of sources


def _readers() -> Iterator[Target]:
    """One for each pack's sample, and one for each further format that the corpus has seeds of."""
    for code, pack in installed().items():
        sample = Path(str(files(pack.facts.package).joinpath("sample")))
        if sample.is_dir():
            seeds = _seeds(sample)
            yield Target(f"read-{code}", seeds, partial(_read_source, pack, seeds))
    for folder in sorted(path for path in CORPUS.iterdir() if path.is_dir()):
        code = "up" if folder.name == "uploads" else folder.name.partition("-")[0]
        if code in installed():
            seeds = _seeds(folder)
            yield Target(f"read-{folder.name}", seeds, partial(_read_source, installed()[code], seeds))


def _read_source(pack: Pack, seeds: Mapping[str, bytes], name: str, data: bytes) -> None:
    """Read the item that a file belongs to, find its references, cut it: as an ingest does."""
    source = _Files({**_with(pack, seeds, name), name: data})
    grouped = pack.survey(source) if isinstance(pack, SurveyingPack) else pack.works(source.paths())  # type: ignore[arg-type]
    for item in grouped:
        snapshots = [Snapshot(path, source.read(path).data, source.read(path).sha256) for path in item.paths]
        reading = pack.read(item, snapshots)
        assert reading.documents or reading.refusals or reading.work is None
        assert {refusal.path for refusal in reading.refusals} <= set(item.paths)
        assert all(refusal.reason and "\n" not in refusal.reason for refusal in reading.refusals)
        for document in reading.documents:
            _use(pack, document)


def _use(pack: Pack, document: object) -> None:
    from pykala.law.provisions import Document

    assert isinstance(document, Document)
    identifiers = [provision.id for provision in document.root.walk()]
    assert len(set(identifiers)) == len(identifiers), "two provisions of one name"
    for identifier in identifiers:
        assert ProvisionId.parse(str(identifier)) == identifier
    facts = pack.facts
    relate(document, pack, facts.exception_cues, facts.yielding_cues)
    for passage in cut(document, pack.sections(document)):
        for child in passage.children:
            assert 0 <= child.start <= child.end <= len(passage.text)


def _with(pack: Pack, seeds: Mapping[str, bytes], name: str) -> dict[str, bytes]:
    """The files of the item that a file belongs to, so that the rest of a sample is not read each time."""
    items: Iterator[SourceItem] = pack.works(seeds)
    own = next((item.paths for item in items if name in item.paths), (name,))
    return {path: seeds[path] for path in own if path in seeds}


# Grammars and sentences


def _grammars() -> Iterator[Target]:
    for code, pack in installed().items():
        yield _target(f"cite-{code}", "citations", partial(_cite, pack, PLACES.get(code)))


def _cite(pack: Pack, place: str | None, name: str, data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    language = name.partition(".")[0]
    for within in (None, ProvisionId.parse(place) if place else None):
        context = CitationContext(language, within)
        for citation in pack.find_citations(text, context):
            assert 0 <= citation.start < citation.end <= len(text)
            pack.resolve(citation, context)


def _cut_sentences(name: str, data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    spans = sentences(text)
    ends = [0, *(end for _, end in spans)]
    assert all(start < end for start, end in spans)
    assert all(before <= start for before, (start, _) in zip(ends, spans, strict=False))
    assert "".join("".join(text[start:end] for start, end in spans).split()) == "".join(text.split())


# Archives


def _read_archive(name: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / name
        archive.write_bytes(data)
        try:
            with open_mirror(archive) as mirror:
                for file in mirror.files():
                    assert not file.path.startswith("/")
                    assert ".." not in file.path.split("/")
        except (MirrorFault, RefusedFile):
            pass  # refused by name
        assert [path.name for path in Path(folder).iterdir()] == [name]


# HTTP bodies

_serving = ExitStack()


@cache
def _client() -> object:
    """A client of the server in this process, over the sample library; made once."""
    from starlette.testclient import TestClient

    from pykala.interfaces.http.app import application
    from pykala.interfaces.http.options import ServerOptions
    from pykala.interfaces.serving.location import library_location
    from pykala.interfaces.serving.opening import LibraryOpener
    from pykala.settings import Settings

    own = Settings.read()
    settings = Settings.read(
        {"PYKALA_CACHE": str(own.cache), "PYKALA_LIBRARY": str(own.cache / "no-library")}
    )
    opener = LibraryOpener(settings)
    app = application(
        library_location(settings, None, opener),
        opener,
        ServerOptions(requests_per_minute=0),
        cache=opener.cache,
    )
    return _serving.enter_context(TestClient(app, base_url="http://127.0.0.1:8000"))


def _send_body(name: str, data: bytes) -> None:
    from starlette.testclient import TestClient

    client = _client()
    assert isinstance(client, TestClient)
    answer = client.post(
        ROUTES[name.partition(".")[0]], content=data, headers={"content-type": "application/json"}
    )
    assert answer.status_code < 500, f"{answer.status_code}: {answer.text[:300]}"
    answer.json()
    assert client.get("/api/v1/health").status_code == 200


def close() -> None:
    """Stop the server, where one was started."""
    _serving.close()
    _client.cache_clear()
