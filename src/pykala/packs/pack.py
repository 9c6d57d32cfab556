"""The Pack protocol: everything specific to one jurisdiction, behind seven methods and a table of facts.

A pack is found by its entry point (group `pykala.packs`), so a new jurisdiction installs without a change
here. Its facts are in a `pack.toml` beside its code; CONTRIBUTING says how to write one.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pykala.fetch.order import EVERYTHING, FetchOrder
from pykala.fetch.refusals import Refusal
from pykala.law.citations import CitationGrammar
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Pairing, Provision, Work, WorkKind
from pykala.packs.sections import sections_below_containers
from pykala.text.languages.known import BUILT_IN, bring, bring_phrases, known_tables
from pykala.text.languages.language import read_language

if TYPE_CHECKING:  # reading files needs no network code
    from pykala.fetch.http import Manners, PoliteClient
    from pykala.fetch.mirror import Mirror
    from pykala.fetch.snapshots import Snapshots

ENTRY_POINTS = "pykala.packs"

__all__ = [
    "ENTRY_POINTS",
    "ActFound",
    "ActsFetched",
    "LivePack",
    "OnlinePack",
    "Pack",
    "PackBroken",
    "PackFacts",
    "PackFromTable",
    "Reading",
    "Refusal",
    "SearchablePack",
    "Snapshot",
    "SourceItem",
    "SurveyingPack",
    "UnknownPack",
    "bring_languages",
    "installed",
    "languages_of",
    "pack_for",
    "read_facts",
]


@dataclass(frozen=True, slots=True)
class PackFacts:
    """The facts of a jurisdiction, from its `pack.toml`."""

    package: str  # the pack's package; its sample is in the folder `sample` there
    code: str
    version: str  # raise it when a reader's output changes: stored works are then read again
    names: Mapping[str, tuple[str, ...]]  # language → words that mean this jurisdiction in a question
    languages: tuple[str, ...]
    default_language: str
    publisher: str
    publishers: Mapping[str, str]  # work kind → who publishes that kind, where it is someone else
    authority: Mapping[str, int]  # work kind → rank
    authority_reasons: Mapping[str, str]
    abbreviations: Mapping[str, str] = field(default_factory=dict)  # "TVL" → "fi:act:1992/1535"
    synonyms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # "VAT" → the law's words
    exception_cues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # this is the exception
    yielding_cues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # the cited is the exception
    hosts: tuple[str, ...] = ()  # the only hosts its connector may reach
    translations: tuple[
        str, ...
    ] = ()  # languages into which some of its law is translated, but in which none is made
    asked: Mapping[str, str] = field(default_factory=dict)  # what people call works: "Criminal Code" → its id
    #: Titles of works that a library may lack and people ask for: identifier → language → title.
    titles: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    signs: tuple[str, ...] = ()  # authorities, cities: words that only a question about this place has
    hints: tuple[str, ...] = ()  # words that suggest this place but may occur in questions about another
    #: Parts of titles, in any language, that identify works of a subject: "tax" → ("vero", "skatt").
    subjects: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    home_languages: tuple[str, ...] = ()  # a question in these is about this place, unless signs differ
    reasons: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # language → kind → why its rank
    spoken: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # language → names of acts only in it
    part_of: tuple[str, ...] = ()  # places whose law binds here too: the Union, for a member state
    own_law: tuple[str, ...] = ()  # parts of the place with their own law, which its sources lack
    of_whole: tuple[str, ...] = ()  # words by which the law of the whole is meant, also in such a part
    #: Words of subjects that one act governs, which a library may lack: "GST" → "ca:act:E-15".
    governs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # work → words
    #: Patterns of decisions as lawyers cite them, of courts whose case law the sources lack: "2016 SCC 27".
    decisions: tuple[str, ...] = ()
    #: How the citation of a decision begins that the sources have, although another pattern fits it too.
    decisions_held: tuple[str, ...] = ()
    #: Courts whose rulings the sources have: the kind in their identifiers ("kho") → patterns of their names.
    courts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    searched_by_number: bool = False  # whether its publisher finds an act by its number alone: "32016R0679"

    def reason(self, kind: str, language: str) -> str:
        """Why works of a kind have their rank, in a language if the pack has it, else in English."""
        return self.reasons.get(language, {}).get(kind) or self.authority_reasons.get(kind, "")


@dataclass(frozen=True, slots=True)
class SourceItem:
    """The files that together give one work: a pair of languages, or all dated states of a directive."""

    name: str
    paths: tuple[str, ...]
    notes: tuple[tuple[str, str], ...] = ()  # (path, what the grouping found out about that file)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One file as found: its path, its bytes, its hash, and the day it was retrieved."""

    path: str
    data: bytes
    sha256: str
    url: str = ""
    retrieved_at: date | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading an item: one work in its languages, or nothing, and the refused files."""

    work: Work | None
    documents: tuple[Document, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    refusals: tuple[Refusal, ...] = ()


class Pack(CitationGrammar, Protocol):
    """A jurisdiction. Packs have no state and use neither stores nor models."""

    @property
    def facts(self) -> PackFacts:
        """The table of facts from `pack.toml`."""
        ...

    def works(self, paths: Iterable[str]) -> Iterator[SourceItem]:
        """Group a mirror's paths into items, in a stable order; paths it does not know are left out."""
        ...

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        """Read one item. A bad file is a refusal in the reading, never an exception."""
        ...

    def cite(self, provision: ProvisionId, work: Work, language: str) -> str:
        """The human citation: "TVL 124 § 2 mom.", "Employment Insurance Act, s. 7(2)"."""
        ...

    def url(self, provision: ProvisionId, work: Work, language: str, as_of: date | None = None) -> str:
        """The official address, with the section's anchor where the publisher has one."""
        ...

    def sections(self, document: Document) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
        """The provisions that passages are anchored to, each with its ancestors from the root down."""
        ...


@runtime_checkable
class SurveyingPack(Protocol):
    """A pack that must look into files to group them, for example to see which act an act amends."""

    def survey(self, source: Mirror, workers: int = 1) -> Iterator[SourceItem]:
        """Group a mirror's files into items, in a stable order; a file may belong to several.

        `workers` processes may look into files at once.
        """
        ...


@runtime_checkable
class LivePack(Protocol):
    """A pack that can also be read from its publisher: `isinstance(pack, LivePack)`."""

    def live(
        self,
        client: PoliteClient,
        snapshots: Snapshots,
        *,
        key: str = "",
        order: FetchOrder = EVERYTHING,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Mirror:
        """The present source online, under the paths of the archive.

        `client` may contact the hosts in the pack's facts and stores what it fetches in `snapshots`; `key` is
        the user's own, for a source that needs one. `order` says which works are wanted and receives the
        forecast before the first file. Raises MirrorUnavailable or MirrorDamaged where the source does not
        say what it holds.
        """
        ...


class ActFound(Protocol):
    """An act that a search found."""

    @property
    def number(self) -> str:
        """The publisher's number: the part after the last colon of the work's identifier."""
        ...

    @property
    def title(self) -> str:
        """Its title in the language of the search."""
        ...

    @property
    def date(self) -> date | None:
        """When it was made."""
        ...

    @property
    def url(self) -> str:
        """Its page, for a reader."""
        ...


class ActsFetched(Protocol):
    """The files that a pack fetched into a folder."""

    @property
    def acts(self) -> tuple[str, ...]:
        """The acts of which at least one text came."""
        ...

    @property
    def pages(self) -> int:
        """How many texts came."""
        ...

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Files that could not be fetched, and why."""
        ...


@runtime_checkable
class SearchablePack(Protocol):
    """A pack whose publisher can be searched: `isinstance(pack, SearchablePack)`."""

    def open_client(self, manners: Manners) -> Any:
        """A client that may contact only this publisher; it is closed after use."""
        ...

    def find_acts(self, client: Any, words: str, *, year: int | None, limit: int) -> Sequence[ActFound]:
        """Acts by words of their title, the newest first."""
        ...

    def fetch_acts(
        self,
        client: Any,
        numbers: Sequence[str],
        folder: Path,
        snapshots: Snapshots,
        *,
        progress: Callable[[int, int], None],
    ) -> ActsFetched:
        """Fetch acts into a folder that the pack reads as it reads its archive."""
        ...


def read_facts(package: str) -> PackFacts:
    """Read the `pack.toml` of a pack's package, and add the languages that it brings."""
    folder = files(package)
    table = tomllib.loads(folder.joinpath("pack.toml").read_text("utf-8"))
    bring_languages(folder.joinpath("languages"))
    authority = table["authority"]
    cues = table.get("cues", {})
    return PackFacts(
        package=package,
        code=table["code"],
        version=table["version"],
        names={language: tuple(names) for language, names in table["names"].items()},
        translations=tuple(table.get("translations", ())),
        signs=tuple(table.get("signs", ())),
        hints=tuple(table.get("hints", ())),
        own_law=tuple(table.get("own_law", ())),
        of_whole=tuple(table.get("of_whole", ())),
        governs={work: tuple(words) for work, words in table.get("governs", {}).items()},
        decisions=tuple(table.get("decisions", ())),
        decisions_held=tuple(table.get("decisions_held", ())),
        courts={kind: tuple(names) for kind, names in table.get("courts", {}).items()},
        searched_by_number=table.get("searched_by_number", False),
        part_of=tuple(table.get("part_of", ())),
        spoken={language: tuple(names) for language, names in table.get("spoken", {}).items()},
        home_languages=tuple(table.get("home_languages", ())),
        languages=tuple(table["languages"]),
        default_language=table["default_language"],
        publisher=table["publisher"],
        publishers=dict(table.get("publishers", {})),
        authority={kind: entry["rank"] for kind, entry in authority.items()},
        authority_reasons={kind: entry["reason"] for kind, entry in authority.items()},
        abbreviations=dict(table.get("abbreviations", {})),
        synonyms={language: dict(words) for language, words in table.get("synonyms", {}).items()},
        exception_cues={language: tuple(words) for language, words in cues.get("exception", {}).items()},
        yielding_cues={language: tuple(words) for language, words in cues.get("yielding", {}).items()},
        hosts=tuple(table.get("hosts", ())),
        asked={name: work for work, names in table.get("asked", {}).items() for name in names},
        subjects={name: tuple(words) for name, words in table.get("subjects", {}).items()},
        titles={work: dict(titles) for work, titles in table.get("titles", {}).items()},
        reasons={language: dict(reasons) for language, reasons in table.get("reasons", {}).items()},
    )


def bring_languages(folder: Traversable) -> None:
    """Add every language of a folder: `de.toml`, and its phrases in `phrases/de.toml`.

    Phrases without a language beside them (`phrases/en.toml`) are added to those of a known language.
    """
    if not folder.is_dir():
        return
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            phrases = folder.joinpath("phrases", file.name)
            text = file.read_text(encoding="utf-8")
            bring(read_language(text, known=known_tables(), phrases=phrases if phrases.is_file() else None))
    further = folder.joinpath("phrases")
    for file in sorted(further.iterdir(), key=lambda file: file.name) if further.is_dir() else ():
        if file.name.endswith(".toml") and not folder.joinpath(file.name).is_file():
            bring_phrases(file.name.removesuffix(".toml"), file)


def languages_of(packs: Mapping[str, Pack]) -> tuple[str, ...]:
    """The languages among which a question's language is detected: our own, and those of the packs' law."""
    spoken = (code for pack in packs.values() for code in pack.facts.languages)
    return tuple(dict.fromkeys((*BUILT_IN, *spoken)))


class PackFromTable:
    """What packs share: facts from the `pack.toml` beside the class, and sections found by their kind."""

    @cached_property
    def facts(self) -> PackFacts:
        """The table of facts from `pack.toml`."""
        return read_facts(sys.modules[type(self).__module__].__package__ or "")

    def sections(self, document: Document) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
        """Sections, articles, schedules: the provisions below parts, chapters and headings."""
        return sections_below_containers(document)


class OnlinePack(PackFromTable):
    """A pack whose own modules `live` and `live_search` read and search its publisher.

    They are imported only for going online: httpx takes time to load, and reading files does not need it.
    """

    def live(
        self,
        client: PoliteClient,
        snapshots: Snapshots,
        *,
        key: str = "",
        order: FetchOrder = EVERYTHING,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Mirror:
        """The source as it stands online, under the paths of the archive."""
        mirror: Mirror = self._module("live").live_mirror(client, snapshots, order=order, progress=progress)
        return mirror

    def open_client(self, manners: Manners) -> Any:
        """A client that may contact only the publisher."""
        return self._module("live_search").open_client(manners)

    def find_acts(self, client: Any, words: str, *, year: int | None, limit: int) -> Sequence[ActFound]:
        """Acts by words of their title, or by number."""
        acts: Sequence[ActFound]
        acts = self._module("live_search").find_acts(client, words, year=year, limit=limit)
        return acts

    def fetch_acts(
        self,
        client: Any,
        numbers: Sequence[str],
        folder: Path,
        snapshots: Snapshots,
        *,
        progress: Callable[[int, int], None],
    ) -> ActsFetched:
        """Fetch acts into a folder laid out as the archive is."""
        fetched: ActsFetched
        fetched = self._module("live_search").fetch_acts(client, numbers, folder, progress=progress)
        return fetched

    def _module(self, name: str) -> ModuleType:
        return import_module(f"{self.facts.package}.{name}")


class PackBroken(RuntimeError):
    """An installed pack cannot be loaded; without this error its law would be missing silently."""


class UnknownPack(LookupError):
    """No installed pack covers the jurisdiction."""


@cache
def installed() -> Mapping[str, Pack]:
    """Every installed pack by its code, in order of code."""
    found = {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
    return {code: _load(found[code]) for code in sorted(found)}


def _load(entry: EntryPoint) -> Pack:
    try:
        pack: Pack = entry.load()
    except Exception as error:  # a plug-in's code may raise anything on import
        raise PackBroken(
            f"the pack {entry.name!r} ({entry.value}) cannot be loaded: {type(error).__name__}: {error};"
            " mend it, or uninstall the package that brings it"
        ) from error
    return pack


def pack_for(code: str) -> Pack:
    """The pack of a jurisdiction."""
    packs = installed()
    if code not in packs:
        raise UnknownPack(_unknown(code, packs))
    return packs[code]


def _unknown(code: str, packs: Mapping[str, Pack]) -> str:
    """Which packs there are; a place that was named in words is told by its code."""
    places = {one: pack.facts for one, pack in packs.items() if WorkKind.UPLOAD not in pack.facts.authority}
    said = code.casefold()
    named = (one for one, facts in places.items() if said in map(str.casefold, chain(*facts.names.values())))
    meant = f"; did you mean {found!r}" if (found := next(named, "")) else ""
    return f"no pack {code!r} is installed; there are: {', '.join(places)}{meant}"
