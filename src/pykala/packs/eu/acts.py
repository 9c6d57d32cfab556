"""One work from all its files: every state in every language, its corrigenda, its metadata."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date

from pykala.fetch.xml import RefusedFile
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import (
    Document,
    Manifestation,
    Pairing,
    Provision,
    ProvisionKind,
    Version,
)
from pykala.law.validity import Validity
from pykala.packs.left_out import with_gaps
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot, SourceItem

from .amendments import amendments_of
from .application import with_application
from .applying import commencement_of, with_days
from .blocks import Blocks, Mark
from .definitions import terms_of
from .expiry import expiries_of, with_expiries
from .formats import read_blocks
from .formulas import restore_formulas
from .nodes import Node
from .outline import read_outline
from .repeals import Ending
from .source_files import (
    SourceFile,
    StateFacts,
    read_facts_of_state,
    read_facts_of_work,
    tells_facts,
    understand,
)
from .states import History, State, join_states, repealed, repealed_in_part
from .survey import ending_of, partial_endings
from .work_facts import Naming, describe, treaty_began, treaty_ended, work_of

#: "(OJ L 119, 4.5.2016, p. 1)", "(JO L 119 du 4.5.2016, p. 1)", "Official Journal L 171 , 07/07/1999".
_JOURNAL = re.compile(
    r"(?:\((?:OJ|JO)|Official Journal|Journal officiel)\W{0,3}(?:n[o°º]\s?)?[LC]\b[^)]{0,16}?"
    r"\d{1,2}[./]\d{1,2}[./]\d{4}"
)
_TAG, _HEAD = re.compile(r"<[^>]*>"), 40_000  # bytes at the beginning of a page, where its journal stands
_PRINTED = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})")
#: As Formex writes one.
_FORMULA = b"<FORMULA"
#: Reasons to prefer a page to the Formex file of the same state.
_PREFERRED = (
    "superseded by {}: pages exist of every state and Formex of some, and wordings are compared in one format"
)
_NO_FACTS = (
    "it is no JSON object: titles, and the days on which a text begins and ends, are not known from it"
)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """One file that was read, and what it was read as."""

    file: SourceFile
    snapshot: Snapshot
    blocks: Blocks
    facts: StateFacts


@dataclass(slots=True)
class _Material:
    """The files of a work, sorted: the best text of each state, other files, and refused files."""

    work: WorkId
    texts: dict[str, dict[str, ReadFile]] = field(default_factory=lambda: defaultdict(dict))
    corrigenda: dict[str, list[ReadFile]] = field(default_factory=lambda: defaultdict(list))
    repeals: dict[str, ReadFile] = field(default_factory=dict)  # states that are only a notice of repeal
    others: dict[str, list[Manifestation]] = field(default_factory=lambda: defaultdict(list))
    unread: dict[str, list[Snapshot]] = field(default_factory=lambda: defaultdict(list))  # Formex of pages
    facts: dict[str, StateFacts] = field(default_factory=dict)
    kind: str = ""
    title: str = ""
    ending: Ending | None = None  # another act repeals it
    partly: tuple[Ending, ...] = ()  # others repeal some of it, or all but some of it
    refusals: list[Refusal] = field(default_factory=list)


def read_act(item: SourceItem, snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read all states and languages of one work; a bad file is refused, and the others are read."""
    material = _sorted_out(WorkId(item.name), snapshots)
    material.ending, material.partly = ending_of(item), partial_endings(item)
    languages = [one for one in facts.languages if material.texts.get(one) or one in material.repeals]
    if not languages:
        for refused in _lone_corrigenda(material):
            material.refusals.append(refused)
        return Reading(None, refusals=tuple(material.refusals))
    naming = describe(material.work, material.kind, material.title, list(material.facts.values()))
    roots = _dated_roots(material, languages, facts)
    documents = tuple(_document(material, language, naming, roots[language]) for language in languages)
    work = work_of(naming, documents, list(material.facts.values()), facts)
    return Reading(work, documents, tuple(pairings(documents)), tuple(material.refusals))


def _sorted_out(work: WorkId, snapshots: Sequence[Snapshot]) -> _Material:
    material = _Material(work)
    files = [(file, snapshot) for snapshot in snapshots if (file := understand(snapshot.path)) is not None]
    for file, snapshot in files:
        if file.format == "facts":
            _take_facts(material, file, snapshot)
    # Read pages first: a Formex file is read only where its page is missing or refused.
    for file, snapshot in sorted(files, key=lambda pair: (pair[0].format != "page", pair[0].path)):
        if file.format != "facts":
            _take_text(material, file, snapshot)
    return material


def _take_facts(material: _Material, file: SourceFile, snapshot: Snapshot) -> None:
    if not tells_facts(snapshot):
        material.refusals.append(Refusal(snapshot.path, _NO_FACTS))
    if file.state:
        material.facts[file.state] = read_facts_of_state(snapshot, file.day)
    elif not file.corrigendum:
        material.kind, material.title = read_facts_of_work(snapshot)


def _take_text(material: _Material, file: SourceFile, snapshot: Snapshot) -> None:
    known = material.facts.get(file.state) or StateFacts(file.day)
    best = material.texts[file.language].get(file.state) if not file.corrigendum else None
    if best is not None:
        note = _PREFERRED.format(best.snapshot.path)
        material.others[file.language].append(_manifestation(file, snapshot, known, "formex", (note,)))
        material.unread[file.language].append(snapshot)
        return
    try:
        blocks = read_blocks(snapshot, file.format)
    except RefusedFile as refused:
        material.refusals.append(Refusal(snapshot.path, refused.reason))
        return
    read = ReadFile(file, snapshot, blocks, known)
    if file.corrigendum:
        material.corrigenda[file.language].append(read)
    elif blocks.repealed_by is not None:
        _take_repeal(material, read)
    else:
        material.texts[file.language][file.state] = read


def _take_repeal(material: _Material, read: ReadFile) -> None:
    """The last state of a repealed act is a page that says so; its Formex file still has the last words."""
    language = read.file.language
    material.repeals.setdefault(language, read)
    if not read.blocks.blocks:
        return
    day = _day(read)
    before = {
        facts.day: state
        for state, facts in material.facts.items()
        if facts.day and day and facts.day < day and "corrigendum" not in facts.roles
    }
    last = max(before, default=None)
    state = before[last] if last is not None else ""
    if state in material.texts[language]:
        note = _PREFERRED.format(material.texts[language][state].snapshot.path)
        material.others[language].append(
            _manifestation(read.file, read.snapshot, read.facts, read.blocks.layout, (note,))
        )
        return
    facts = replace(read.facts, day=last, until=None, in_force=None)
    file = replace(read.file, day=last)
    material.texts[language][state] = ReadFile(file, read.snapshot, read.blocks, facts)


def _lone_corrigenda(material: _Material) -> Iterator[Refusal]:
    for files in material.corrigenda.values():
        for read in files:
            yield Refusal(
                read.snapshot.path,
                f"it corrects {material.work}, of which the source holds no text; fetch that act as well",
            )


def _manifestation(
    file: SourceFile, snapshot: Snapshot, facts: StateFacts, layout: str, notes: tuple[str, ...] = ()
) -> Manifestation:
    name = snapshot.path[len(file.state) :]
    state = f"state of {file.day}" if file.day else ""
    return Manifestation(
        snapshot.path,
        snapshot.sha256,
        f"eur-lex/{layout}",
        snapshot.url or facts.addresses.get(name, ""),
        facts.retrieved.get(name) or snapshot.retrieved_at,
        tuple(note for note in (state, *notes) if note),
    )


def _in_order(material: _Material, language: str) -> list[ReadFile]:
    """The texts of a language, the oldest state first."""
    return sorted(
        material.texts[language].values(), key=lambda read: (_day(read) or date.min, read.file.path)
    )


def _dated_roots(material: _Material, languages: Sequence[str], facts: PackFacts) -> dict[str, Provision]:
    """The tree of each language, dated by what its words say about application."""
    roots = _commenced_roots(material, languages, facts)
    told = next((found for name, one in roots.items() if (found := expiries_of(one, name, facts))), {})
    return {name: with_gaps(with_expiries(root, told)) for name, root in roots.items()}


def _commenced_roots(material: _Material, languages: Sequence[str], facts: PackFacts) -> dict[str, Provision]:
    """The tree of each language; all are dated by the first that states the entry into force."""
    roots = {language: _joined(material, _in_order(material, language), language) for language in languages}
    states = [state for state in material.facts.values() if "corrigendum" not in state.roles]
    adopted = min((one.issued for one in states if one.issued and not one.consolidated), default=None)
    published = _published(material, adopted)
    for language, root in roots.items():
        told, known = commencement_of(root, language, facts, published=published, adopted=adopted)
        if known.is_known:
            if any(one.in_force is False for one in states):  # ended, or not yet begun: now that can be told
                begins = known.entered or known.applies
                roots = {name: _joined(material, _in_order(material, name), name, begins) for name in roots}
            return {name: with_days(one, told, known) for name, one in roots.items()}
    return roots


def _published(material: _Material, adopted: date | None) -> date | None:
    """The day of the Official Journal in which an act was published, as its texts print it.

    A consolidated text begins with it, "(OJ L 119, 4.5.2016, p. 1)", and also lists those of its amendments.
    """
    texts = [read for texts in material.texts.values() for read in texts.values()]
    days: list[date | None] = []
    for read in (*texts, *material.repeals.values()):
        head = _TAG.sub("", read.snapshot.data[:_HEAD].decode("utf-8", "replace"))
        printed = _JOURNAL.search(head)
        days += [_printed_day(words) for words in (read.blocks.published, printed[0] if printed else "")]
    # Footnotes name the journals of other acts, which were printed before this one was adopted.
    return min((day for day in days if day and (adopted is None or day >= adopted)), default=None)


def _printed_day(words: str) -> date | None:
    found = _PRINTED.search(words)
    try:
        return date(int(found[3]), int(found[2]), int(found[1])) if found else None
    except ValueError:
        return None


def _document(material: _Material, language: str, naming: Naming, root: Provision) -> Document:
    reads = _in_order(material, language)
    root = _ended(material, root, language, naming)
    corrigenda = sorted(material.corrigenda.get(language, ()), key=lambda read: read.file.corrigendum)
    root = replace(root, children=(*root.children, *(_corrigendum(read, root.id) for read in corrigenda)))
    told: list[tuple[ReadFile, tuple[str, ...]]] = [(read, ()) for read in reads]
    told += [(read, (f"corrigendum {read.file.corrigendum}",)) for read in corrigenda]
    repeal = material.repeals.get(language)
    if repeal is not None and not any(read.snapshot is repeal.snapshot for read in reads):
        told.append((repeal, ("notice of repeal",)))
    manifestations = [
        _manifestation(read.file, read.snapshot, read.facts, read.blocks.layout, notes)
        for read, notes in told
    ]
    return Document(
        material.work,
        language,
        naming.titles.get(language) or root.heading or str(material.work),
        root,
        (*manifestations, *material.others.get(language, ())),
        short_title=naming.short_titles.get(language, ""),
        references=tuple(amendments_of(root, language)),
        terms=tuple(terms_of(root, language)),
    )


def _joined(
    material: _Material, reads: Sequence[ReadFile], language: str, begins: date | None = None
) -> Provision:
    """All states as one tree."""
    if not reads:
        return Provision(ProvisionId(material.work), ProvisionKind.WORK)
    history = _history(material, reads, begins)
    states = [_state(read, material.work) for read in reads]
    restore_formulas([state.root for state in states], _donors(material, reads, language))
    root = join_states(states, history)
    return with_application(root, language)


def _donors(material: _Material, reads: Sequence[ReadFile], language: str) -> Iterator[Node]:
    """The Formex files of states whose pages have pictures: they may contain these as text."""
    if not any(read.blocks.images for read in reads):
        return
    for snapshot in material.unread.get(language, ()):
        if _FORMULA not in snapshot.data:  # few have one, and to read the files of all states takes long
            continue
        with suppress(RefusedFile):
            yield read_outline(read_blocks(snapshot, "formex"), material.work)


def _ended(material: _Material, root: Provision, language: str, naming: Naming) -> Provision:
    """The tree, ended where the act was repealed."""
    for part in material.partly:
        root = repealed_in_part(root, part)
    repeal = material.repeals.get(language)
    if repeal is None:
        if material.ending is None:
            return root
        return repealed(root, material.ending.day, material.ending.by, naming.titles.get(language, ""))
    source = Mark("", repeal.blocks.repealed_by or "").work
    return repealed(root, _day(repeal), source, naming.titles.get(language, ""))


def _day(read: ReadFile) -> date | None:
    return read.facts.day or read.file.day


def _state(read: ReadFile, work: WorkId) -> State:
    return State(
        treaty_began(work) or _day(read),
        read_outline(read.blocks, work),
        original=not (
            read.facts.consolidated or read.blocks.layout.startswith(("consolidated", "formex cons"))
        ),
        observed_at=read.facts.retrieved.get(read.snapshot.path[len(read.file.state) :])
        or read.snapshot.retrieved_at,
    )


def _history(material: _Material, reads: Sequence[ReadFile], begins: date | None) -> History:
    days = [facts.day for facts in material.facts.values() if facts.day and "corrigendum" not in facts.roles]
    first = _day(reads[0])
    earlier = [day for day in days if first is not None and day < first]
    last = reads[-1].facts
    findings: tuple[Message, ...] = ()
    ended_by: date | None = None
    if (gone := treaty_ended(material.work)) is not None:
        findings, ended_by = (Message.of("finding.treaty_ended", treaty=gone.successor),), gone.day
    elif last.in_force is False and last.until is None and material.ending is None:
        # It had ended when the publisher said so; until then its words are shown with that doubt.
        asked = min(last.retrieved.values(), default=None)
        if asked is None or begins is None or begins < asked:  # else it was not yet in force
            ended_by = asked
            undated = Message("finding.ended_undated_union")
            findings = (Message.of("finding.ended_by_union", day=ended_by) if ended_by else undated,)
    held = {_day(read) for read in reads}
    missing = tuple(sorted(day for day in days if day not in held))
    return History(min(earlier, default=None), bool(earlier), missing, findings, ended_by)


def _corrigendum(read: ReadFile, work: ProvisionId) -> Provision:
    """A corrigendum is stored as a note of the act; later states already contain its corrections."""
    lines = [f"{block.label} {block.text}".strip() for block in read.blocks.blocks]
    title, *rest = [line for line in lines if line] or [""]
    rest += [f"{note.label} {note.text}" for note in read.blocks.notes.values()]
    version = Version(
        "\n".join(rest), Validity(_day(read)), title, observed_at=read.snapshot.retrieved_at, authentic=True
    )
    number = read.file.corrigendum
    return Provision(
        work.child("corrigendum", number), ProvisionKind.EDITORIAL_NOTE, f"R({number})", (version,)
    )


def pairings(documents: Sequence[Document]) -> Iterator[Pairing]:
    """Pair the languages by identifier; with higher confidence where everything below a provision agrees."""
    trees: Mapping[str, Provision] = {document.language: document.root for document in documents}
    if len(trees) < 2:
        return
    (first, one), (second, other) = list(trees.items())[:2]
    theirs = {provision.id: provision for provision in other.walk()}
    for provision in one.walk():
        match = theirs.get(provision.id)
        if match is not None and provision.id.path and provision.kind is match.kind:
            sure = _shape(provision) == _shape(match)
            yield Pairing(provision.id, first, match.id, second, 1.0 if sure else 0.8, "same identifier")


def _shape(provision: Provision) -> tuple[ProvisionId, ...]:
    return tuple(child.id for child in provision.children)
