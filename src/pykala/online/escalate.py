"""Live escalation: where the library has no good answer, fetch from publishers and answer again.

    answer = ask(…)
    if wants_more(answer):
        answer = escalate(answer, again, store, packs, Online(folder), as_of=day)

All sources are asked at once, within one deadline. Fetched acts are read into the library where it is open
for writing, else into a library of fetched acts in `folder`; both are then asked as one. An outage never
counts as "no law": where nothing was found and a source could not be reached, the outcome is UNAVAILABLE.
"""

from __future__ import annotations

import hashlib
import queue
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import date
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING

from pykala.fetch.mirror import open_mirror
from pykala.fetch.refusals import MirrorFault, Refusal, printable
from pykala.ingest import ingest
from pykala.law.answers import Answer, Caveat, CaveatKind, Outcome, StageName, StrategyName
from pykala.law.identifiers import InvalidIdentifier, WorkId
from pykala.models.embedder import Embedder
from pykala.packs.pack import Pack, SearchablePack
from pykala.preparing.item import PREPARATION
from pykala.retrieve.question import Question, understand
from pykala.retrieve.trace import Listener, Trace, nobody
from pykala.stores.beside import SideBySide
from pykala.stores.embedded.database import FILE
from pykala.stores.embedded.schema import SCHEMA, TABLES
from pykala.stores.opening import open_store, open_writer
from pykala.stores.store import Store, StoreError, UnknownProvision, WritableStore
from pykala.text.analysis import fingerprint as analysis_fingerprint
from pykala.text.languages.known import alternatives, derived
from pykala.text.phrases import say

if TYPE_CHECKING:  # what the network needs is loaded only by who goes there
    from pykala.fetch.http import Manners

_WANTING = frozenset({Outcome.SILENT, Outcome.OUTSIDE_CORPUS, Outcome.GUIDANCE})
_WORTH = {Outcome.ANSWERED: 4, Outcome.LIKELY: 3, Outcome.GUIDANCE: 2, Outcome.SILENT: 1}
_MOST_WORDS = 5
_SHORTEST_WORD = 4
#: Of the time allowed, the share that is left for reading fetched acts and answering again.
_FOR_READING = 0.3
_LARGEST_BODY = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Online:
    """Permission to ask publishers: the folder for what they send, and the limits."""

    folder: Path
    deadline: float = 20.0  # seconds for searching, fetching, reading and answering again
    acts: int = 3  # fetched from each source, at most
    manners: Manners | None = None  # how sources are asked; None: politely, within the deadline

    def __post_init__(self) -> None:
        if not 0 < self.deadline <= 600 or not 1 <= self.acts <= 20:
            raise ValueError("give a deadline of up to 600 seconds, and from 1 to 20 acts")


@dataclass(frozen=True, slots=True)
class _SourceResult:
    """The result of one source: acts found and fetched into its folder; or why there are none."""

    code: str
    found: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    fault: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    """The folder of the fetched files, and the library that takes them."""

    files_folder: Path
    store: Store
    fetched: Path
    embedder: Embedder | None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What to ask a source for: acts by number, else by words of their titles and a year."""

    numbers: tuple[str, ...]
    words: str
    year: int | None


class _TimeSpent(Exception):
    """The time limit is reached."""


def wants_more(answer: Answer) -> bool:
    """Whether publishers could improve an answer; not one about the library itself."""
    return answer.outcome in _WANTING and answer.strategy is not StrategyName.ABOUT_ACTS


def escalate(
    first: Answer,
    again: Callable[[Store], Answer],
    store: Store,
    packs: Mapping[str, Pack],
    online: Online,
    *,
    as_of: date,
    language: str | None = None,
    jurisdiction: str | None = None,
    dated: bool = True,
    home: str = "",
    embedder: Embedder | None = None,
    listen: Listener = nobody,
) -> Answer:
    """The better answer after asking the publishers; it names what was fetched.

    `again` asks the same question of a store. The remaining arguments are those of the first asking.
    """
    question = understand(
        first.question,
        store,
        packs,
        as_of=as_of,
        language=language,
        jurisdiction=jurisdiction,
        dated=dated,
        home=home,
    )
    sources = _sources(question, packs)
    if not sources or question.elsewhere:
        return first
    trace = Trace(listen)
    ends = monotonic() + online.deadline
    with TemporaryDirectory(prefix="pykala-", ignore_cleanup_errors=True) as folder:
        with trace.stage(StageName.ONLINE) as facts:
            wanted = {code: _wanted(code, question, store) for code in sources}
            results = _ask_all(sources, wanted, Path(folder), online)
            facts |= _facts(wanted, results)
        place = _Place(Path(folder), store, online.folder, embedder)
        second, fetched, faults = _asked_again(results, packs, place, again, ends)
    faults = {**{one.code: one.fault for one in results if one.fault}, **faults}
    best = second if second is not None and _is_better(second, first, store) else first
    stages = (*first.trace, *trace.stages(), *(second.trace if second is not None else ()))
    return _told(replace(best, fetched=fetched, trace=stages, id=first.id), results, faults, packs)


def _sources(question: Question, packs: Mapping[str, Pack]) -> dict[str, SearchablePack]:
    """The packs to ask: of the jurisdictions named or cited, else all that speak the language."""
    searchable = {code: pack for code, pack in packs.items() if isinstance(pack, SearchablePack)}
    named = question.filter.jurisdictions or {one.work.jurisdiction for one in question.cited}
    if not named:
        named = {code for code, pack in packs.items() if question.language in pack.facts.languages}
    return {code: searchable[code] for code in sorted(named) if code in searchable}


def _wanted(code: str, question: Question, store: Store) -> _Wanted:
    """What to ask a source for: numbers of cited acts that the library lacks, else words."""
    numbers = []
    for cited in question.cited:
        if cited.work.jurisdiction == code:
            try:
                store.work(cited.work)
            except UnknownProvision:
                numbers.append(cited.work.value.rpartition(":")[2])
    named = _year_of_act().search(question.text)
    year = int(named["before"] or named["behind"]) if named else None
    return _Wanted(tuple(dict.fromkeys(numbers)), " ".join(_words(question, store)), year)


@derived
def _year_of_act() -> re.Pattern[str]:
    """The year of an act, not of a fact: "the 2019 regulation on …", "laki vuodelta 2019"."""
    act = rf"(?:{alternatives('questions.year_of_act_before')})"
    return re.compile(
        rf"\b(?P<before>(?:19|20)\d\d)\s+{act}\b"
        rf"|{act}\w*\s+(?:{alternatives('questions.year_of_act_of')})\s+(?P<behind>(?:19|20)\d\d)\b",
        re.IGNORECASE,
    )


def _words(question: Question, store: Store) -> list[str]:
    """The rarest words of the question, as stems and parts of titles."""
    weighed = store.weigh(question.search_text, question.language)
    telling = [term for term in weighed if len(term) >= _SHORTEST_WORD and any(one.isalpha() for one in term)]
    rarest = sorted(telling, key=lambda term: (weighed[term] > 0, -weighed[term]))[:_MOST_WORDS]
    return [term for term in telling if term in rarest]


def _ask_all(
    sources: Mapping[str, SearchablePack],
    wanted: Mapping[str, _Wanted],
    folder: Path,
    online: Online,
) -> list[_SourceResult]:
    """Ask every source at once, within the time limit."""
    allowed = online.deadline * (1 - _FOR_READING)
    ends = monotonic() + allowed
    answers: queue.SimpleQueue[_SourceResult] = queue.SimpleQueue()

    def ask(code: str, pack: SearchablePack) -> None:
        answers.put(_ask_one(code, pack, wanted[code], folder / code, online, ends))

    for code, pack in sources.items():
        threading.Thread(target=ask, args=(code, pack), daemon=True, name=f"pykala-online-{code}").start()
    results: dict[str, _SourceResult] = {}
    while len(results) < len(sources):
        try:
            one = answers.get(timeout=max(0.0, ends - monotonic()))
        except queue.Empty:
            break
        results[one.code] = one
    late = f"it did not answer within {allowed:.0f} s"
    return [results.get(code, _SourceResult(code, fault=late)) for code in sources]


def _ask_one(
    code: str, pack: SearchablePack, wanted: _Wanted, folder: Path, online: Online, ends: float
) -> _SourceResult:
    from pykala.fetch.http import FetchFailed, FetchRefused
    from pykala.fetch.snapshots import Snapshots

    def within(done: int, total: int) -> None:
        if monotonic() > ends:
            raise _TimeSpent

    try:
        with pack.open_client(online.manners or _manners(ends - monotonic())) as client:
            found = list(wanted.numbers)
            # A year that is not that of the act finds nothing: then the words alone are tried.
            for year in dict.fromkeys((wanted.year, None)) if wanted.words else ():
                if not found:
                    acts = pack.find_acts(client, wanted.words, year=year, limit=online.acts)
                    found = [act.number for act in acts]
                    within(0, len(found))
            found = found[: online.acts]
            if not found:
                return _SourceResult(code)
            snapshots = Snapshots(online.folder / code / "snapshots")
            fetched = pack.fetch_acts(client, found, folder, snapshots, progress=within)
            return _SourceResult(code, tuple(found), tuple(fetched.acts), tuple(fetched.refusals))
    except (MirrorFault, FetchFailed, FetchRefused) as fault:
        return _SourceResult(code, fault=printable(str(getattr(fault, "reason", "") or fault), 300))
    except _TimeSpent:
        return _SourceResult(code, fault="it did not send all of it in time")
    except OSError as fault:
        return _SourceResult(code, fault=f"what it sent could not be kept ({fault.strerror or fault})")
    except Exception as fault:  # whatever a hostile or broken answer brings about in a reader of it
        return _SourceResult(code, fault=f"its answer could not be read ({type(fault).__name__})")


def _manners(seconds: float) -> Manners:
    """Polite settings; a request takes at most a third of the time, as several follow."""
    from pykala.fetch.http import Manners

    each = max(0.5, seconds / 3)
    return Manners(
        user_agent=f"pykala/{version('pykala')}",
        interval=0.2,
        attempts=2,
        time_budget=each,
        connect_timeout=min(5.0, each),
        read_timeout=min(10.0, each),
        max_body=_LARGEST_BODY,
    )


def _asked_again(
    results: Sequence[_SourceResult],
    packs: Mapping[str, Pack],
    place: _Place,
    again: Callable[[Store], Answer],
    ends: float,
) -> tuple[Answer | None, tuple[str, ...], dict[str, str]]:
    """Ingest the fetched acts and ask again; return the answer, the works, and the refusals."""
    if not any(one.acts for one in results):
        return _from_before(place, again), (), {}
    faults: dict[str, str] = {}
    fetched: list[str] = []
    code = next(one.code for one in results if one.acts)

    def within(done: int, total: int) -> None:
        if monotonic() > ends:
            raise _TimeSpent

    try:
        with _reading_into(place) as target:
            for one in results:
                code = one.code
                if one.acts:
                    with open_mirror(place.files_folder / code) as mirror:
                        ingest(target, packs[code], mirror, whole=False, progress=within)
                    fetched += _works(one, target)
            asked = target if target is place.store else SideBySide(place.store, target)
            return again(asked), tuple(fetched), faults
    except _TimeSpent:
        faults[code] = "what it sent could not be read in time"
    except (MirrorFault, StoreError, OSError) as fault:
        faults[code] = f"what it sent could not be read into a library ({printable(str(fault), 300)})"
    return None, tuple(fetched), faults


def _from_before(place: _Place, again: Callable[[Store], Answer]) -> Answer | None:
    """The answer with acts fetched for earlier questions, if any."""
    with beside(place.store, place.fetched, place.embedder) as both:
        try:
            return again(both) if both is not place.store else None
        except StoreError:
            return None  # it is made anew when something comes


@contextmanager
def beside(store: Store, folder: Path, embedder: Embedder | None) -> Iterator[Store]:
    """A read-only library together with acts fetched for questions, if any."""
    place = fetched_library(folder, embedder)
    if store.writer is not None or not (place / FILE).exists():
        yield store
        return
    try:
        fetched = open_store(place, embedder=embedder)
    except StoreError:
        yield store
        return
    with closing(fetched):
        yield SideBySide(store, fetched)


@contextmanager
def _reading_into(place: _Place) -> Iterator[WritableStore]:
    """The library itself where it is writable, else a library of fetched acts."""
    if place.store.writer is not None:
        yield place.store.writer
        return
    folder = fetched_library(place.fetched, place.embedder)
    if not folder.exists():  # those of other versions are read no more
        for older in place.fetched.glob("library-*"):
            shutil.rmtree(older, ignore_errors=True)
    with closing(open_writer(folder, embedder=place.embedder)) as fetched:
        yield fetched


def fetched_library(folder: Path, embedder: Embedder | None) -> Path:
    """The folder for fetched acts beside a read-only library; one for each text analysis and embedder."""
    made = (
        f"{SCHEMA} {TABLES} {PREPARATION} {analysis_fingerprint()} {embedder.fingerprint if embedder else ''}"
    )
    return folder / f"library-{hashlib.sha256(made.encode()).hexdigest()[:16]}"


def _works(result: _SourceResult, store: Store) -> Iterator[str]:
    """Works ingested from fetched acts; refused files give none."""
    for number in result.acts:
        for kind in ("", "act:", "reg:"):
            try:
                yield str(store.work(WorkId(f"{result.code}:{kind}{number}")).id)
            except (UnknownProvision, InvalidIdentifier):
                continue
            break


def _is_better(second: Answer, first: Answer, store: Store) -> bool:
    gained = _WORTH.get(second.outcome, 0) - _WORTH.get(first.outcome, 0)
    return gained > 0 or (gained == 0 and store.writer is not None)


def _facts(wanted: Mapping[str, _Wanted], results: Sequence[_SourceResult]) -> dict[str, object]:
    return {
        "sources": sorted(wanted),
        "words": sorted({one.words for one in wanted.values() if one.words and not one.numbers}),
        "found": [f"{one.code}:{number}" for one in results for number in one.found],
        "fetched": [f"{one.code}:{number}" for one in results for number in one.acts],
        "refused": sum(len(one.refusals) for one in results),
        "unreachable": sorted(one.code for one in results if one.fault),
    }


def _told(
    answer: Answer, results: Sequence[_SourceResult], faults: Mapping[str, str], packs: Mapping[str, Pack]
) -> Answer:
    """The answer with what could not be fetched: as a caveat, or as the outcome where there is no answer."""
    lacking = dict(faults)
    for one in results:
        if one.found and not one.acts and one.code not in lacking and one.refusals:
            lacking[one.code] = say(answer.language, "caveat.nothing_had", reason=one.refusals[0].reason)
    if not lacking:
        return answer
    reasons = "; ".join(f"{packs[code].facts.publisher}: {reason}" for code, reason in lacking.items())
    if answer.outcome in (Outcome.SILENT, Outcome.OUTSIDE_CORPUS):
        text = say(answer.language, "answer.unavailable", reasons=reasons)
        return replace(answer, outcome=Outcome.UNAVAILABLE, text=text)
    message = say(answer.language, "caveat.source_unusable", reasons=reasons)
    caveat = Caveat(CaveatKind.DEGRADED, None, message)
    return replace(answer, caveats=(*answer.caveats, caveat))
