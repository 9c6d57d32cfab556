"""Which files belong to which act: every source of its text, and every act that amends it.

Pages of statutes have no number and are matched to numbered acts; amending acts name the acts that they
change in their enacting clause. Both can only be found by examining all files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pykala.fetch.refusals import RefusedFile
from pykala.fetch.workers import WorkerPool
from pykala.fetch.xml import parse_xml
from pykala.law.identifiers import WorkId
from pykala.packs.finland.act_numbers import act_number
from pykala.packs.finland.amendments.enabling import (
    ENDS_NOTHING,
    EndedActs,
    contents,
    enabling_acts,
    enacting_words,
    ended_acts,
    note_of_ended,
)
from pykala.packs.finland.amendments.enacting_targets import targets_of
from pykala.packs.finland.amendments.repeals import perhaps_repealed_in
from pykala.packs.finland.citations.law_names import names_of_title
from pykala.packs.finland.consolidated.momentti import MomenttiFiles
from pykala.packs.finland.consolidated.reading import ConsolidatedFiles
from pykala.packs.finland.namesakes import notes_of_later_decrees, notes_of_namesakes
from pykala.packs.finland.pages.known_acts import KnownAct, is_source_of_numbers, known_acts
from pykala.packs.finland.pages.page_facts import PageFacts, is_statute_page, page_facts
from pykala.packs.finland.pages.page_matching import match_pages
from pykala.packs.finland.pages.statute_pages import note_of, unnumbered_works
from pykala.packs.finland.spacing import tidy
from pykala.packs.finland.statutes.akoma_ntoso import StatuteFiles
from pykala.packs.finland.statutes.statute_xml import StatuteXmlFiles
from pykala.packs.pack import SourceItem

if TYPE_CHECKING:
    from pykala.fetch.mirror import Mirror

AMENDS = "amends"
CHANGES = "changes"
#: From this year on the sources have every act, so that all changes of a text are known. Words of older
#: amending acts have mostly been replaced since, and answer nothing by themselves.
ALL_FROM = 2018
_REPEALING = re.compile(
    "(?:[lL]ailla|[aA]setuksella|[pP]äätöksellä|yksellä|säännöllä|illä|äten)\\s+kumotaan".encode()
)
#: A page of this title repeals a whole act in its enacting clause; one that names sections, only these.
_REPEALING_TITLE = re.compile(r"^(?!.*§).*(?:lain|asetuksen|päätöksen|kaaren) kumoamisesta$", re.IGNORECASE)
_GIVEN_UNDER = re.compile(r"asetus|päätös|ohjesääntö|työjärjestys", re.IGNORECASE)
_COMMENCING = re.compile(r"voimaantulo|voimaanpano|voimaansaatta", re.IGNORECASE)
_NUMBER = re.compile(r"\((\d{1,5})/(\d{4}|\d{2})\)")
_TAG = re.compile(r"<[^<>]*>")
_FEW = 400  # files; below this, starting workers costs more than they save
_PORTION = 250  # files that a worker looks into at a time


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What one file shows: the acts that it names by number, its own evidence, the acts that it amends."""

    path: str
    known: tuple[KnownAct, ...] = ()
    page: PageFacts | None = None
    title: str = ""
    targets: tuple[tuple[str, str], ...] = ()  # (number "1992/1535" or empty, name)
    repeals: tuple[str, ...] = ()  # numbers of acts that a section of it repeals whole
    named: tuple[str, ...] = ()  # numbers in a statute that brings others into force
    rests_on: tuple[str, ...] = ()  # the acts under which a decree is given
    ends: EndedActs = ENDS_NOTHING  # acts that it repeals as a whole, with the decrees under them


@dataclass(slots=True)
class _Act:
    """The files of one act."""

    own: list[str] = field(default_factory=list)
    amending: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)


def act_of(path: str) -> str | None:
    """The act that a path names, "1992/1535"; None for a page, a ruling, guidance."""
    return (
        ConsolidatedFiles.act_of(path)
        or StatuteXmlFiles.act_of(path)
        or MomenttiFiles.act_of(path)
        or StatuteFiles.act_of(path)
    )


def acts_by_path(paths: Iterable[str]) -> Iterator[SourceItem]:
    """The acts that paths alone tell, by year and number."""
    acts: dict[str, list[str]] = {}
    for path in paths:
        if number := act_of(path):
            acts.setdefault(number, []).append(path)
    for number in sorted(acts, key=order_of):
        yield SourceItem(f"act:{number}", tuple(sorted(acts[number])))


def order_of(number: str) -> tuple[int, int, str]:
    """Acts in the order in which they were given: by year, then by number."""
    year, _, rest = number.partition("/")
    digits = "".join(char for char in rest.partition("-")[0] if char.isdigit())
    return int(year), int(digits or 0), rest


def survey_acts(source: Mirror, workers: int = 1) -> Iterator[SourceItem]:
    """Every act with its files, then the pages of statutes whose number is unknown."""
    surveyed = list(_look_into(source, workers))
    acts: dict[str, _Act] = {}
    for item in acts_by_path(source.paths()):
        acts[item.name.removeprefix("act:")] = _Act(own=list(item.paths))
    pages = [one.page for one in surveyed if one.page is not None]
    matches, _ = match_pages(pages, [act for one in surveyed for act in one.known])
    numbers = {path: act_number(match.work) for path, match in matches.items()}
    for path, match in sorted(matches.items()):
        act = acts.setdefault(numbers[path], _Act())
        act.own.append(path)
        act.notes[path] = note_of(match)
    notes = {path: note for act in acts.values() for path, note in act.notes.items()}
    changes = _add_amending(acts, surveyed, numbers, notes)
    unnumbered = unnumbered_works([page for page in pages if page.path not in matches])
    _add_unnumbered(acts, surveyed, unnumbered, changes)
    said = _note_ended_acts(acts, surveyed, numbers, unnumbered)
    known = [act for one in surveyed for act in one.known]
    for path, note in notes_of_namesakes(pages, known, numbers, unnumbered).items():
        said[path] = "; ".join(filter(None, (said.get(path), note)))
    for number, note in notes_of_later_decrees(pages, known, numbers).items():
        if number in acts and acts[number].own:
            first = acts[number].own[0]
            acts[number].notes[first] = "; ".join(filter(None, (acts[number].notes.get(first), note)))
    for number in sorted(acts, key=order_of):
        yield _item(number, acts[number])
    yield from _unnumbered(unnumbered, said)


def _add_unnumbered(
    acts: dict[str, _Act],
    surveyed: Sequence[Surveyed],
    unnumbered: Mapping[str, WorkId],
    changes: Mapping[str, Sequence[str]],
) -> None:
    """Put every page without a number with the acts that it repeals whole or brings into force.

    Its own day is on the page. A decree that brings an act into force dates what that act changes, too.
    """
    for one in surveyed:
        work = unnumbered.get(one.path)
        brought = [target for act in one.named for target in (act, *changes.get(act, ()))]
        for target in dict.fromkeys((*one.repeals, *brought)) if work is not None else ():
            if target in acts and one.path not in acts[target].notes:
                acts[target].amending.append(one.path)
                acts[target].notes[one.path] = f"{AMENDS} as {work.value.removeprefix('fi:')}" if work else ""


def _note_ended_acts(
    acts: dict[str, _Act],
    surveyed: Sequence[Surveyed],
    numbers: Mapping[str, str],
    unnumbered: Mapping[str, WorkId],
) -> dict[str, str]:
    """Note on the files of a decree that every enabling act of it was repealed.

    Returns the notes on pages without a number, by path.
    """
    enders = _enders(surveyed, numbers)
    said_of_pages: dict[str, str] = {}
    for one in surveyed:
        own = act_of(one.path) or numbers.get(one.path)
        if not one.rests_on or not (own in acts or one.path in unnumbered):
            continue
        said = note_of_ended(own or "", one.rests_on, enders)
        if said and own in acts:
            known = acts[own].notes.get(one.path)
            acts[own].notes[one.path] = "; ".join(filter(None, (known, said)))
        elif said:
            said_of_pages[one.path] = said
    return said_of_pages


def _enders(
    surveyed: Sequence[Surveyed], numbers: Mapping[str, str]
) -> dict[str, list[tuple[str, EndedActs]]]:
    """For each act the acts that repeal it as a whole, with the decrees given under it."""
    enders: dict[str, list[tuple[str, EndedActs]]] = {}
    standing = {ConsolidatedFiles.act_of(one.path) for one in surveyed}
    for one in surveyed:
        own = act_of(one.path) or numbers.get(one.path)
        for target in one.ends.numbers:
            # What Finlex consolidated in 2018 no earlier act had repealed: 39 A/1889 is not 39/1889.
            if not own or (target in standing and order_of(own)[0] < ALL_FROM):
                continue
            if order_of(own) > order_of(target):  # no act repeals a later one: the number is a slip
                enders.setdefault(target, []).append((own, one.ends))
    return enders


def _add_amending(
    acts: dict[str, _Act], surveyed: Sequence[Surveyed], numbers: dict[str, str], notes: dict[str, str]
) -> dict[str, list[str]]:
    """Put every amending act's file with each act that it changes; returns which acts change which."""
    names = _names(surveyed, numbers)
    changed_by: dict[str, list[str]] = {}
    repealed_by: dict[str, list[str]] = {}
    for one in surveyed:
        own = act_of(one.path) or numbers.get(one.path)
        if own is not None and own in acts:
            repealed_by.setdefault(own, []).extend(one.repeals)
            changed_by.setdefault(own, []).extend(
                number or names.get(name, "") for number, name in one.targets
            )
    for one in surveyed:
        own = act_of(one.path) or numbers.get(one.path)
        if own is None or own not in acts:
            continue
        changed = changed_by[own]
        # A statute on entry into force speaks of new acts, and of those that they change or repeal.
        brought = [
            target
            for act in one.named
            for target in (act, *changed_by.get(act, ()), *repealed_by.get(act, ()))
        ]
        for target in dict.fromkeys((*changed, *one.repeals, *brought)):
            if target == own or target not in acts:
                continue
            for path in _readable(acts[own].own):
                acts[target].amending.append(path)
                matched = f"; {notes[path]}" if path in notes else ""
                acts[target].notes[path] = f"{AMENDS} as {own}{matched}"
        if changed and (order_of(own)[0] < ALL_FROM or all(target in acts for target in changed)):
            said = f"{CHANGES} {', '.join(dict.fromkeys(changed))}"
            for path in acts[own].own:
                acts[own].notes[path] = "; ".join(filter(None, (notes.get(path), said)))
    return {act: [*changed_by[act], *repealed_by[act]] for act in changed_by}


def _readable(paths: Sequence[str]) -> list[str]:
    """The files to play an amending act from: the Statute Book's XML, else Akoma Ntoso, else pages."""
    for is_one in (StatuteXmlFiles.act_of, StatuteFiles.act_of):
        if found := [path for path in paths if is_one(path)]:
            return found
    pages = [path for path in paths if is_statute_page(path)]
    # Of acts whose page is a stub, only the consolidated text says what they repeal.
    consolidated = [path for path in paths if ConsolidatedFiles.act_of(path)]
    return [*pages[:1], *consolidated[:1]]


def _names(surveyed: Sequence[Surveyed], numbers: dict[str, str]) -> dict[str, str]:
    """Names that only one act has → its number; amending acts have names that many share."""
    found: dict[str, set[str]] = {}
    for one in surveyed:
        own = act_of(one.path) or numbers.get(one.path)
        if own and one.title and not one.targets:
            for name in names_of_title(one.title, "fi"):
                found.setdefault(name, set()).add(own)
    return {name: next(iter(acts)) for name, acts in found.items() if len(acts) == 1}


def _item(number: str, act: _Act) -> SourceItem:
    amending = sorted(set(act.amending))
    return SourceItem(f"act:{number}", (*sorted(act.own), *amending), tuple(sorted(act.notes.items())))


def _unnumbered(works: Mapping[str, WorkId], notes: Mapping[str, str]) -> Iterator[SourceItem]:
    files: dict[str, list[str]] = {}
    for path, work in works.items():
        files.setdefault(work.value.removeprefix("fi:"), []).append(path)
    for name in sorted(files):
        paths = tuple(sorted(files[name]))
        yield SourceItem(name, paths, tuple((path, notes[path]) for path in paths if path in notes))


# Looking into files ------------------------------------------------------------------------------


def _look_into(source: Mirror, workers: int) -> Iterator[Surveyed]:
    known = set(source.paths())
    paths = [
        path
        for path in source.paths()
        if (is_statute_page(path) or is_source_of_numbers(path))
        and not (_in_finnish(path) != path and _in_finnish(path) in known)
    ]
    portions = [paths[at : at + _PORTION] for at in range(0, len(paths), _PORTION)]
    if workers < 2 or len(paths) < _FEW:
        for portion in portions:
            yield from _look(source, portion)
        return
    with WorkerPool(workers, _look, source) as pool:
        for found in pool.in_order((portion,) for portion in portions):
            yield from found


def _in_finnish(path: str) -> str:
    """The path of the Finnish text of a Swedish file, so that the same data are not read twice."""
    return path.replace("/sv/", "/fi/").replace("_swe.", "_fin.").replace("/swe@", "/fin@")


def _look(source: Mirror, paths: Sequence[str]) -> list[Surveyed]:
    found = []
    for path in paths:
        try:
            data = source.read(path).data
        except RefusedFile:
            continue  # it is among the mirror's refusals
        found.append(surveyed(path, data))
    return found


def surveyed(path: str, data: bytes) -> Surveyed:
    """Look into one file."""
    if is_statute_page(path):
        page = page_facts(path, data)
        targets: tuple[tuple[str, str], ...] = ()
        if page.amends is not None:
            targets = ((act_number(page.amends), ""),)
        elif page.amended_name:
            targets = (("", page.amended_name),)
        repeals = _repeals(data)
        if page.amends is not None and _REPEALING_TITLE.match(page.title):
            repeals = tuple(dict.fromkeys((targets[0][0], *repeals)))
        ends = _ends(data, _words)
        brought = _named(page.title, data) if page.amends is None and not page.amended_name else ()
        rests_on = () if page.amending else _rests_on(page.title, page.enacting)
        return Surveyed(path, (), page, page.title, targets, repeals, brought, rests_on, ends)
    known = tuple(known_acts(path, data))
    if ConsolidatedFiles.act_of(path):
        own = WorkId(f"fi:act:{ConsolidatedFiles.act_of(path)}")
        title = next((act.title for act in known if act.work == own and act.title), "")
        return Surveyed(
            path,
            known,
            title=title,
            repeals=_repeals(data, contents),
            named=_named(title, contents(data).encode()) if _COMMENCING.search(title) else (),
            rests_on=_rests_on(title, enacting_words(data)),
            ends=_ends(data, contents),
        )
    title, clause, language = _title_and_clause(path, data)
    named = targets_of(title, clause, language) if clause else ()
    targets = tuple((act.number, act.name) for act in named)
    rests_on, ends = _rests_on(title, clause), _ends(data, _words)
    return Surveyed(path, known, None, title, targets, _repeals(data), _named(title, data), rests_on, ends)


def _rests_on(title: str, clause: str) -> tuple[str, ...]:
    """The acts that a decree or a decision rests on; an act of Parliament rests on none."""
    return enabling_acts(clause) if _GIVEN_UNDER.search(title) else ()


def _ends(data: bytes, words_of: Callable[[bytes], str]) -> EndedActs:
    """What a file ends together with the decrees under it; most files end nothing, which is quickly seen."""
    return ended_acts(words_of(data)) if _REPEALING.search(data) else ENDS_NOTHING


def _words(data: bytes) -> str:
    return tidy(_TAG.sub(" ", data.decode("utf-8", "replace")))


def _named(title: str, data: bytes) -> tuple[str, ...]:
    """The acts that a statute on entry into force names: a decree may fix the day that an act left open."""
    if not _COMMENCING.search(title):
        return ()
    numbers = _NUMBER.findall(data.decode("utf-8", "replace"))
    years = ((number, year if len(year) > 2 else f"19{year}") for number, year in numbers)
    return tuple(dict.fromkeys(f"{year}/{int(number)}" for number, year in years))


def _repeals(data: bytes, words: Callable[[bytes], str] = _words) -> tuple[str, ...]:
    """The acts that a file may repeal as a whole; most files repeal none, which is quickly seen."""
    if not _REPEALING.search(data):
        return ()
    repealed = perhaps_repealed_in(words(data))
    return tuple(dict.fromkeys(map(act_number, repealed)))


def _title_and_clause(path: str, data: bytes) -> tuple[str, str, str]:
    """The title and the enacting clause of a statute in XML or Akoma Ntoso, and its language."""
    try:
        root = parse_xml(data, path)
    except RefusedFile:
        return "", "", ""
    if StatuteXmlFiles.act_of(path):
        title, clause = root.find(".//{*}SaadosNimeke"), root.find(".//{*}Johtolause")
        language = "sv" if "/sv/" in f"/{path}" else "fi"
    else:
        title = root.find(".//{*}preface//{*}docTitle")
        clause = root.find(".//{*}preamble/{*}formula[@name='enactingClause']")
        language = "sv" if "swe" in path.rpartition("/")[2] or "/swe@" in path else "fi"
    words = [
        tidy(" ".join(map(str, element.itertext()))) if element is not None else ""
        for element in (title, clause)
    ]
    return words[0], words[1], language
