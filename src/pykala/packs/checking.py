"""The contract of every pack, checked over its sample; ingest and answers rely on it.

`faults` lists what is wrong in words; if it lists nothing, the pack can be used. A test of a pack needs one
line: `assert not faults(pack, sample)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pykala.fetch.mirror import Mirror
from pykala.law.authority import OFFICIAL_FROM
from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId
from pykala.law.messages import Message
from pykala.law.provisions import Document, Provision, ProvisionKind, Work, WorkKind
from pykala.packs.pack import Pack, Reading, Snapshot, SourceItem, SurveyingPack
from pykala.text.phrases import has_phrase
from pykala.versions.chains import check_chains

_NO_FILE_OF_ANY_PACK = ("", "..", "nothing/of/any/pack.xyz", "§.bin")
_DAMAGED = (b"", b"\x00\xff\xfe", b"<a><b>", b"{")


def faults(pack: Pack, source: Mirror) -> tuple[str, ...]:
    """How a pack breaks the contract, over the files of a source."""
    found = [*_facts(pack), *_grouping(pack, source)]
    for item in _items(pack, source):
        found += (f"{item.name}: {fault}" for fault in _item(pack, source, item))
    return tuple(found)


def readings(pack: Pack, source: Mirror) -> Iterator[Reading]:
    """Each item of a source as the pack reads it."""
    for item in _items(pack, source):
        yield pack.read(item, _snapshots(source, item))


def _items(pack: Pack, source: Mirror) -> Iterator[SourceItem]:
    return pack.survey(source) if isinstance(pack, SurveyingPack) else pack.works(source.paths())


def _snapshots(source: Mirror, item: SourceItem) -> list[Snapshot]:
    files = (source.read(path) for path in item.paths)
    return [Snapshot(file.path, file.data, file.sha256, retrieved_at=file.retrieved_at) for file in files]


def _facts(pack: Pack) -> Iterator[str]:
    facts = pack.facts
    if not (facts.code.isascii() and facts.code.isalnum() and facts.code.islower()):
        yield f"pack.toml: code {facts.code!r} must be small letters, for it begins every identifier"
    if not facts.version:
        yield "pack.toml: version is empty; stored works could never be read again"
    if facts.default_language not in facts.languages:
        yield f"pack.toml: default_language {facts.default_language!r} is none of its languages"
    courts = (pattern for names in facts.courts.values() for pattern in names)
    for pattern in (*facts.decisions, *facts.decisions_held, *courts):
        try:
            re.compile(pattern)
        except re.error as error:
            yield f"pack.toml: {pattern!r} under decisions or courts is no pattern: {error}"
    if not facts.authority:
        yield "pack.toml: no kind of work has a rank under [authority]"
    for kind, rank in facts.authority.items():
        if rank < OFFICIAL_FROM and kind != WorkKind.UPLOAD:
            yield f"pack.toml: authority.{kind} ranks at {rank}; official sources from {OFFICIAL_FROM} on"
        if not facts.authority_reasons.get(kind):
            yield f"pack.toml: authority.{kind} gives no reason for its rank"


def _grouping(pack: Pack, source: Mirror) -> Iterator[str]:
    paths = list(source.paths())
    items = list(pack.works(paths))
    if items != list(pack.works(reversed(paths))):
        yield "works: the order of the paths changes the items or their order"
    if items != list(pack.works([*paths, *_NO_FILE_OF_ANY_PACK])):
        yield "works: paths that are none of its own change the items"
    names = [item.name for item in items]
    if len(names) != len(set(names)):
        yield "works: two items have one name"
    if not items:
        yield "works: the sample has no item"


def _item(pack: Pack, source: Mirror, item: SourceItem) -> Iterator[str]:
    snapshots = _snapshots(source, item)
    reading = pack.read(item, snapshots)
    if reading != pack.read(item, snapshots):
        yield "read: the same bytes give another reading"
    yield from _damaged(pack, item, snapshots)
    if reading.work is None:
        if not reading.refusals:
            yield "read: neither a work nor a refusal"
        return
    yield from _work(pack, reading.work, reading.documents)
    for document in reading.documents:
        yield from _document(pack, reading.work, document)


def _damaged(pack: Pack, item: SourceItem, snapshots: Sequence[Snapshot]) -> Iterator[str]:
    for data in (*_DAMAGED, snapshots[0].data[: len(snapshots[0].data) // 2]):
        try:
            pack.read(item, [replace(one, data=data) for one in snapshots])
        except Exception as error:  # any exception here should have been a refusal
            yield f"read: damaged bytes ({data[:8]!r}) raise {type(error).__name__}; give a Refusal instead"


def _work(pack: Pack, work: Work, documents: Sequence[Document]) -> Iterator[str]:
    facts = pack.facts
    if work.id.jurisdiction != facts.code:
        yield f"the identifier {work.id} does not begin with {facts.code}:"
    if work.authority not in facts.authority.values():
        yield f"its rank, {work.authority}, is none of those in pack.toml"
    if not documents:
        yield "read: a work without a document"
    languages = {*facts.languages, *facts.translations}
    for document in documents:
        if document.language not in languages:
            yield f"a document is in {document.language!r}, which pack.toml does not list"
        if not document.manifestations:
            yield "a document does not say which file it was read from (manifestations)"


def _document(pack: Pack, work: Work, document: Document) -> Iterator[str]:
    root, language = document.root, document.language
    nodes = list(root.walk())
    if root.kind is not ProvisionKind.WORK or root.id != ProvisionId(work.id):
        yield f"{language}: the root must be the work itself"
    if len({node.id for node in nodes}) != len(nodes):
        yield f"{language}: two provisions have one identifier"
    for node in nodes:
        if ProvisionId.parse(str(node.id)) != node.id:
            yield f"{node.id}: the identifier does not come back from its own text"
    yield from _findings(root)
    for finding in check_chains(root):
        if finding.is_fault:
            yield f"{finding.provision}: {finding.kind} of wordings, {finding.days}"
    yield from _sections(pack, work, document)


def _findings(root: Provision) -> Iterator[str]:
    """Findings that readers could not be told."""
    for node in root.walk():
        for finding in dict.fromkeys(one for version in node.versions for one in version.findings):
            if not isinstance(finding, Message):
                yield f"{node.id}: the finding {finding!r} is no Message; Message.in_words takes a sentence"
            elif not has_phrase(finding):
                yield f"{node.id}: the finding {finding.key!r} has no phrase that its values fill"


def _sections(pack: Pack, work: Work, document: Document) -> Iterator[str]:
    held = {node.id for node in document.root.walk()}
    sections = list(pack.sections(document))
    if not sections:
        yield f"{document.language}: no section: nothing of it could be found"
    for ancestors, section in sections:
        if not {section.id, *(one.id for one in ancestors)} <= held:
            yield f"{section.id}: sections names what the document does not hold"
        citation = pack.cite(section.id, work, document.language)
        if not citation.strip():
            yield f"{section.id}: it has no citation"
        address = pack.url(section.id, work, document.language)
        if address and not address.startswith(("https://", "http://")):
            yield f"{section.id}: {address!r} is no address"
        for node in section.walk():
            for version in node.versions:
                yield from _citations(pack, version.text, node.id, document)


def _citations(pack: Pack, text: str, provision: ProvisionId, document: Document) -> Iterator[str]:
    context = CitationContext(document.language, provision, document)
    last = 0
    for citation in pack.find_citations(text, context):
        if text[citation.start : citation.end] != citation.text:
            yield f"{provision}: the citation {citation.text!r} does not stand where it says"
        if citation.start < last:
            yield f"{provision}: the citation {citation.text!r} overlaps the one before it"
        last = citation.end
        for target in pack.resolve(citation, context):
            if target.target is None and not target.alias and target.reason is None:
                yield f"{provision}: {citation.text!r} leads nowhere and gives no reason"
