"""Documents as trees of provisions, each with its chain of versions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from pykala.law.forms import Part, Result, shortened
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.references import Reference
from pykala.law.validity import ALWAYS, Validity


class WorkKind(StrEnum):
    """What sort of authority a work is; a filter and a rank table speak of these."""

    ACT = "act"
    DECREE = "decree"
    REGULATION = "regulation"
    DIRECTIVE = "directive"
    DECISION = "decision"
    TREATY = "treaty"
    CODE = "code"
    CASE = "case"
    GUIDANCE = "guidance"
    UPLOAD = "upload"


class ProvisionKind(StrEnum):
    """What sort of place in a work a provision is."""

    WORK = "work"
    PART = "part"
    CHAPTER = "chapter"
    DIVISION = "division"
    HEADING = "heading"
    SECTION = "section"
    ARTICLE = "article"
    SUBSECTION = "subsection"
    ITEM = "item"
    FLUSH = "flush"  # text that resumes after a list: "…is guilty of an offence."
    DEFINITION = "definition"
    PREAMBLE = "preamble"
    ENACTING_CLAUSE = "enacting-clause"
    RECITAL = "recital"
    SCHEDULE = "schedule"
    ANNEX = "annex"
    TREATY = "treaty"
    TABLE = "table"
    FORMULA = "formula"
    FOOTNOTE = "footnote"
    HISTORICAL_NOTE = "historical-note"
    EDITORIAL_NOTE = "editorial-note"
    TABLE_OF_PROVISIONS = "table-of-provisions"
    SIGNATURE_BLOCK = "signature-block"
    RELATED_PROVISION = "related-provision"
    PUBLICATION_ITEM = "publication-item"
    ENTRY_INTO_FORCE = "entry-into-force"
    HEADNOTE = "headnote"  # a ruling's summary
    REASONS = "reasons"
    MARGINAL_NOTE = "marginal-note"  # the heading beside a provision, as a kind to search by
    CROSS_REFERENCE = "cross-reference"  # a place in its words that points elsewhere, likewise
    AMENDMENT = "amendment"  # words that an amending act gives to another act, where they are law
    OMISSION = "omission"  # the line of dashes by which an amending act leaves words as they are


#: Places of an act that hold its sections.
DIVISIONS = frozenset({ProvisionKind.PART, ProvisionKind.CHAPTER, ProvisionKind.DIVISION})
#: Texts around the law: found by search, never an answer.
APPARATUS = frozenset(
    {
        ProvisionKind.ENACTING_CLAUSE,
        ProvisionKind.EDITORIAL_NOTE,
        ProvisionKind.HISTORICAL_NOTE,
        ProvisionKind.TABLE_OF_PROVISIONS,
        ProvisionKind.SIGNATURE_BLOCK,
        ProvisionKind.PUBLICATION_ITEM,
        ProvisionKind.AMENDMENT,
        ProvisionKind.OMISSION,
    }
)


class Event(StrEnum):
    """How a version came to be."""

    ENACTED = "enacted"
    AMENDED = "amended"
    INSERTED = "inserted"
    REPEALED = "repealed"
    RENUMBERED = "renumbered"
    TEMPORARY = "temporary"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True, repr=False)
class Version(Result):
    """The wording of one provision during one interval: its own words, not those of its children."""

    text: str
    validity: Validity = ALWAYS  # the days on which it applies, which mostly are those of its being in force
    heading: str = ""
    event: Event = Event.ENACTED
    source_act: WorkId | None = None
    application: str = ""  # "first applied in tax year 2020", where the law says so
    observed_at: date | None = None
    authentic: bool = False  # the enacted text itself, rather than a consolidation or translation
    history_unavailable: bool = False  # the source holds no earlier wording, though there was one
    findings: tuple[Message, ...] = ()  # why this text is suspect; empty when it is not
    in_force: date | None = None  # its entry into force, where it applies from another day on
    ends_by_its_words: bool = False  # it states its own last day; no act repealed it

    def doubted(self, *findings: Message) -> Version:
        """The same version, suspect for further reasons."""
        return replace(self, findings=(*self.findings, *findings))

    def __repr__(self) -> str:
        days = f"{self.validity.start or '?'} – {self.validity.end or ''}".rstrip()
        return f"<Version {days}, {self.event.value}: {shortened(self.text or self.heading)!r}>"


@dataclass(frozen=True, slots=True, repr=False)
class Provision(Part):
    """A node of the tree in document order; `versions` are sorted by their start."""

    id: ProvisionId
    kind: ProvisionKind
    label: str = ""  # as printed: "124 §", "(a)"
    versions: tuple[Version, ...] = ()
    children: tuple[Provision, ...] = ()

    def walk(self) -> Iterator[Provision]:
        """This provision and everything below it, in document order."""
        stack = [self]
        while stack:
            provision = stack.pop()
            yield provision
            stack.extend(reversed(provision.children))

    def at(self, as_of: date) -> Provision | None:
        """The tree as it stood on a date: at most one version a node; None where nothing was in force.

        A provision without versions (a list that is only a place) stands as long as something below it.
        """
        version = next((v for v in reversed(self.versions) if v.validity.covers(as_of)), None)
        if version is None and self.versions:
            return None
        children = tuple(below for child in self.children if (below := child.at(as_of)))
        if version is None:
            return replace(self, children=children) if children else None
        return replace(self, versions=(version,), children=children)

    def with_versions(self, change: Callable[[Version], Version]) -> Provision:
        """The same tree with every version changed, here and below."""
        return replace(
            self,
            versions=tuple(map(change, self.versions)),
            children=tuple(child.with_versions(change) for child in self.children),
        )

    def doubted(self, finding: Message) -> Provision:
        """The same provision, its newest version suspect for one more reason."""
        *older, newest = self.versions
        return replace(self, versions=(*older, newest.doubted(finding)))

    def standing_doubted(self, finding: Message) -> Provision:
        """The same tree; all its words that have no end are suspect for one more reason."""

        def doubted(version: Version) -> Version:
            return version.doubted(finding) if version.validity.end is None and version.text else version

        return self.with_versions(doubted)

    @property
    def heading(self) -> str:
        """The heading of the newest version."""
        return self.versions[-1].heading if self.versions else ""


@dataclass(frozen=True, slots=True)
class Manifestation:
    """The file that a document was read from."""

    path: str
    sha256: str
    format: str
    url: str = ""
    retrieved_at: date | None = None
    notes: tuple[str, ...] = ()  # repairs made while reading, such as double-encoded text


@dataclass(frozen=True, slots=True)
class DefinedTerm:
    """A term, where it is defined and how far the definition reaches ("in this Part")."""

    term: str
    language: str
    provision: ProvisionId
    scope: ProvisionId


@dataclass(frozen=True, slots=True, repr=False)
class Document(Part):
    """One work in one language, as read from one or more files."""

    work: WorkId
    language: str
    title: str
    root: Provision
    manifestations: tuple[Manifestation, ...]
    short_title: str = ""
    references: tuple[Reference, ...] = ()  # links that stood in the markup; text is read by graph/
    terms: tuple[DefinedTerm, ...] = ()
    places: tuple[tuple[str, ProvisionId], ...] = ()  # the source's own names of single provisions
    translation: bool = False  # an unofficial rendering, never the authentic text

    @property
    def name(self) -> str:
        """The short title where there is one, else the title."""
        return self.short_title or self.title


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two languages' expressions of one thing, with how sure we are (0–1) and by what sign."""

    first: ProvisionId
    first_language: str
    second: ProvisionId
    second_language: str
    confidence: float
    method: str


@dataclass(frozen=True, slots=True, repr=False)
class Work(Result):
    """The facts of a work that do not depend on language: kind, rank, and all its names."""

    id: WorkId
    kind: WorkKind
    authority: int
    titles: tuple[tuple[str, str], ...] = ()  # (language, title)
    short_titles: tuple[tuple[str, str], ...] = ()
    abbreviations: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()  # ELI, ECLI, CELEX, chapter numbers, old names
    issued: date | None = None
    validity: Validity = field(default=ALWAYS)
    current_to: date | None = None  # changes up to this day are in the text; None: not known

    def __repr__(self) -> str:
        return f"<Work {self.id}, {self.kind.value}: {shortened(self.name(''))!r}>"

    def title(self, language: str) -> str:
        """The title in a language, or in any other where that one is missing."""
        titles = dict(self.titles)
        return titles.get(language) or next(iter(titles.values()), str(self.id))

    def name(self, language: str) -> str:
        """The short title in a language where there is one, else the title."""
        return dict(self.short_titles).get(language) or self.title(language)
