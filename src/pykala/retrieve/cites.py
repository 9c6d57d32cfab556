"""Resolve the citations in a text: provisions that are held, acts that are not, court decisions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import InvalidIdentifier, ProvisionId, Step, WorkId
from pykala.packs.pack import Pack
from pykala.retrieve.courts import cases_in
from pykala.stores.once import read_once
from pykala.stores.store import Store, StoredProvision, UnknownProvision, Wording
from pykala.text.languages.known import derived, known, language_of

_NUMBER = re.compile(r"\d{1,4}/\d{1,4}")
_FEWEST_WORDS = 2  # the least words of a title that remain when others are left out
_GROUPS = 250  # fits in a byte; all packs together have fewer languages


@dataclass(frozen=True, slots=True)
class NotHeld:
    """An act or a court decision that a text cites and the library does not hold."""

    text: str  # as written
    name: str  # of the act, or the decision's citation
    path: tuple[Step, ...] = ()
    work: WorkId | None = None  # its identifier, where that is known although the work is not held
    case: bool = False
    fetch: str = ""  # the command that looks for it at its publisher
    unknown: bool = False  # whether it is an abbreviation that nothing explains
    mentions: int = 0  # references of the library that lead to it


@dataclass(frozen=True, slots=True)
class Cites:
    """Cited provisions, and the first citation that resolved to nothing."""

    provisions: tuple[ProvisionId, ...]
    not_held: tuple[NotHeld, ...] = ()
    languages: tuple[str, ...] = ()  # in which the text reads as a citation, the law's own language first


@dataclass(frozen=True, slots=True)
class _Reading:
    """One reading of a span of text as a citation, by one pack in one language."""

    start: int
    end: int
    group: int
    certainty: int  # 0: held, 1: identified, 2: a decision, 3: an unknown name, 4: capitals
    provisions: tuple[ProvisionId, ...] = ()
    unknown: tuple[NotHeld, ...] = ()
    language: str = ""
    text: str = ""


def cited_provisions(text: str, store: Store, packs: Mapping[str, Pack]) -> tuple[ProvisionId, ...]:
    """The provisions that a text cites, by identifier, name of a work, or a lawyer's citation."""
    return citations_in(text, store, packs).provisions


def citations_in(
    text: str,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    language: str | None = None,
    jurisdictions: Sequence[str] = (),
) -> Cites:
    """The citations of a text, resolved and unresolved."""
    store = read_once(store)
    try:
        return Cites((ProvisionId.parse(text.strip()),))
    except InvalidIdentifier:
        pass
    named = store.resolve(text)
    if len(named) == 1:
        return Cites((ProvisionId(named[0]),))
    if places := store.places(text):
        return Cites(places)
    readings = _chosen(_readings(text, store, packs, language, jurisdictions), len(text))
    found = (provision for one in readings for provision in one.provisions)
    spoken = (one.language for one in readings if any(each.path for each in one.provisions))
    lacking = (one for reading in readings for one in reading.unknown)
    cited = tuple(dict.fromkeys((*found, *_of_the_same_act(text, readings, store, packs))))
    return Cites(
        _as_numbered(_innermost(cited), store),
        tuple(_each_once(_cited_but_not_held(readings, store, packs), lacking)),
        tuple(dict.fromkeys((*_telling(text), *spoken))) if readings else (),
    )


def _of_the_same_act(
    text: str, readings: Sequence[_Reading], store: Store, packs: Mapping[str, Pack]
) -> tuple[ProvisionId, ...]:
    """Sections cited beside one of an act that is named: "section 4 of the Divorce Act … and section 5".

    None where sections of several acts are cited; a section that the act does not have is left out.
    """
    placed = [(one, each) for one in readings for each in one.provisions if each.path]
    pack = packs.get(placed[0][1].work.jurisdiction) if placed else None
    if pack is None or len({each.work for _, each in placed}) > 1:
        return ()
    first, home = placed[0]
    taken = [(one.start, one.end) for one, _ in placed]
    context = CitationContext(first.language or pack.facts.default_language, provision=home)
    found = [
        ProvisionId(home.work, lead.target.path if lead.target else lead.path)
        for one in pack.find_citations(text, context)
        # "Sections 15 and 15.1 of the Divorce Act" share the name that the first citation was read with.
        if one.work_name in first.text and all(one.end <= start or end <= one.start for start, end in taken)
        for lead in pack.resolve(one, context)
        if (lead.target.path and lead.target.work == home.work if lead.target else lead.path)
    ]
    held = store.provisions([*map(Wording, found)]) if found else ()
    return tuple(one for one, stored in zip(found, held, strict=True) if isinstance(stored, StoredProvision))


def _telling(text: str) -> Iterator[str]:
    """The languages whose words for parts of acts ("section", "pykälä") occur in a text."""
    return (language for language, words in _words_of_places().items() if words.search(text))


@derived
def _words_of_places() -> Mapping[str, re.Pattern[str]]:
    """Words for acts and their parts that indicate the language of a citation."""
    return {one.code: re.compile(one.text("law.places")) for one in known() if one.text("law.places")}


def _each_once(*groups: Iterable[NotHeld]) -> Iterator[NotHeld]:
    yield from dict.fromkeys(one for group in groups for one in group)


def _readings(
    text: str, store: Store, packs: Mapping[str, Pack], language: str | None, jurisdictions: Sequence[str]
) -> Iterator[_Reading]:
    chosen = {code: pack for code, pack in packs.items() if not jurisdictions or code in jurisdictions}
    citations = list(_written(text, chosen, language))
    _read_names(citations, store)
    for one in citations:
        if (reading := _reading(one, store)) is not None:
            yield reading
    for case in cases_in(text, packs.values()):
        yield _Reading(case.start, case.end, 1, 2, unknown=(NotHeld(case.text, case.text, case=True),))


@dataclass(frozen=True, slots=True)
class _Written:
    """A citation as one pack reads it in one language, with its possible targets."""

    citation: FoundCitation
    leads: Sequence[ResolvedCitation]
    pack: Pack
    context: CitationContext
    group: int

    def spellings(self, lead: ResolvedCitation) -> Iterator[str]:
        """The names that a target may have in the library."""
        spoken = language_of(self.context.language)
        ends = spoken is not None and spoken.flag("law.title_end_unmarked")
        begins = spoken is not None and spoken.flag("law.title_start_unmarked")
        return _spellings(lead.alias, trailing=ends, leading=begins and self.citation.work_name.islower())


def _written(text: str, packs: Mapping[str, Pack], language: str | None) -> Iterator[_Written]:
    """Every citation in a text, read by each pack in each of its languages."""
    group = 1
    for pack in packs.values():
        # A citation alone hardly shows its language, so "41 § kommunallagen" is read in every language that
        # fits.
        for spoken in (language,) if language in pack.facts.languages else pack.facts.languages:
            context = CitationContext(language=spoken or pack.facts.default_language)
            group = min(group + 1, _GROUPS)
            for citation in pack.find_citations(text, context):
                yield _Written(citation, pack.resolve(citation, context), pack, context, group)


def _read_names(written: Sequence[_Written], store: Store) -> None:
    """Look up the possible targets of some citations in one call."""
    leads = [(one, lead) for one in written for lead in one.leads]
    names = [name for one, lead in leads if not lead.target and lead.alias for name in one.spellings(lead)]
    known = store.named(names) if names else {}
    works = [lead.target.work for _, lead in leads if lead.target]
    works += [work for found in known.values() for work in found.works]
    if works:
        store.works_of(works)


def _reading(one: _Written, store: Store) -> _Reading | None:
    citation, pack, context, leads, group = one.citation, one.pack, one.context, one.leads, one.group
    provisions = tuple(_resolved(one, store))
    if provisions:
        certainty = 0 if any(is_held(each.work, store) for each in provisions) else 1
        language, text = context.language, citation.text
        return _Reading(citation.start, citation.end, group, certainty, provisions, (), language, text)
    # Require an act and a place in it ("section 231 of the Railway Act"): a name alone may be anything.
    unknown = tuple(
        replace(lacking, fetch=fetch_command(pack, written(lacking)))
        for lacking in (NotHeld(citation.text, lead.alias, lead.path) for lead in leads if lead.alias)
        if citation.steps
    )
    certainty = 4 if unknown and written(unknown[0]).isupper() else 3
    return _Reading(citation.start, citation.end, group, certainty, unknown=unknown) if unknown else None


def written(lacking: NotHeld) -> str:
    """A folded name as the text writes it, with its capitals."""
    at = lacking.text.casefold().find(lacking.name)
    return lacking.text[at : at + len(lacking.name)] if at >= 0 else lacking.name


def _chosen(readings: Iterable[_Reading], length: int) -> list[_Reading]:
    """Of several readings of the same words the surest, then the longest; members of a list stay together."""
    taken = bytearray(length)
    spans: set[tuple[int, int, int]] = set()
    chosen = []
    for one in sorted(readings, key=lambda one: (one.certainty, one.start - one.end, one.start)):
        span = (one.start, one.end, one.certainty)  # certainty separates acts of one name
        others = {*taken[one.start : one.end]} - {0, one.group}
        if not others or (one.certainty < 2 and span in spans):
            chosen.append(one)
            spans.add(span)
            taken[one.start : one.end] = bytes([one.group]) * (one.end - one.start)
    return sorted(chosen, key=lambda one: (one.start, one.end))


def _innermost(found: Iterable[ProvisionId]) -> tuple[ProvisionId, ...]:
    """Drop a work that is named only as the place of another citation: "Directive …, Article 98"."""
    cited = tuple(dict.fromkeys(found))
    above = {(one.work, one.path[:length]) for one in cited for length in range(len(one.path))}
    return tuple(one for one in cited if (one.work, one.path) not in above)


def _as_numbered(cited: tuple[ProvisionId, ...], store: Store) -> tuple[ProvisionId, ...]:
    """Correct a cited number to the kind of part that exists: Article 4(5), where the article has points."""
    inner = [one for one in cited if len(one.path) > 1]
    if not inner:
        return cited
    held = store.provisions([*map(Wording, inner)])
    lacking = [one for one, found in zip(inner, held, strict=True) if isinstance(found, UnknownProvision)]
    above = store.provisions([Wording(one.parent) for one in lacking]) if lacking else ()
    named = dict(zip(lacking, map(_numbered_alike, lacking, above), strict=True))
    return tuple(named.get(one, one) for one in cited)


def _numbered_alike(cited: ProvisionId, above: StoredProvision | LookupError) -> ProvisionId:
    """The only part of a provision with the cited number, whatever its kind; else the provision as cited."""
    if isinstance(above, LookupError):
        return cited
    number = cited.path[-1].number
    alike = [one.id for one in above.provision.children if one.id.path[-1].number == number]
    return alike[0] if len(alike) == 1 else cited


# Works


def _resolved(one: _Written, store: Store) -> Iterator[ProvisionId]:
    for lead in one.leads:
        if lead.target:
            yield lead.target
        elif lead.alias:
            works = _named(one.spellings(lead), one.pack, store)
            yield from _of_name([ProvisionId(work, lead.path) for work in works], store)


def _named(spellings: Iterable[str], pack: Pack, store: Store) -> list[WorkId]:
    """The works that the first matching name means."""
    for name in spellings:
        works = [work for work in store.resolve(name) if work.jurisdiction == pack.facts.code]
        if works:
            return works
    return []


def _spellings(alias: str, *, trailing: bool, leading: bool) -> Iterator[str]:
    """A name, and shorter forms without words that may not belong to it.

    The grammar cannot tell where a French title ends, or where a title without capitals begins. The library
    can, because it knows the titles.
    """
    words = alias.split()
    yield alias
    for count in range(1, len(words) - _FEWEST_WORDS + 1):
        if trailing:
            yield " ".join(words[:-count])
        if leading:
            yield " ".join(words[count:])


def _of_name(candidates: Sequence[ProvisionId], store: Store) -> Sequence[ProvisionId]:
    """Of several acts of the same name, the one that has the cited place and is in force; then the newest.

    A name passes from act to act: "työsopimuslaki" was 320/1970 and is 55/2001.
    """
    if len(candidates) < 2:
        return candidates
    held = []
    for candidate, stored in zip(candidates, store.provisions([*map(Wording, candidates)]), strict=True):
        if isinstance(stored, StoredProvision):
            held.append((stored.version.validity.end is None, _age(candidate), candidate))
    return [max(held)[2]] if held else candidates


def _age(provision: ProvisionId) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d{1,9}", provision.work.value)[:2])


# What is not held


def is_held(work: WorkId, store: Store) -> bool:
    """Whether the library holds a work."""
    try:
        store.work(work)
    except LookupError:
        return False
    return True


def _cited_but_not_held(
    readings: Sequence[_Reading], store: Store, packs: Mapping[str, Pack]
) -> Iterator[NotHeld]:
    """The works that a text cites by a known identifier and the library does not hold."""
    for reading in readings:
        for one in reading.provisions if reading.certainty == 1 else ():
            pack = packs.get(one.work.jurisdiction)
            called = title_of(one.work, reading.language, pack) if pack else ""
            number = _NUMBER.search(reading.text) if pack and not called else None
            fetch = fetch_command(pack, called or (number[0] if number else "")) if pack else ""
            yield NotHeld(reading.text, called or reading.text, one.path, one.work, fetch=fetch)


def title_of(work: WorkId, language: str, pack: Pack) -> str:
    """The usual name of a work that the library does not hold; empty where unknown."""
    titles = pack.facts.titles.get(str(work), {})
    known = titles.get(language) or titles.get(pack.facts.default_language)
    short = (name for name, named in pack.facts.abbreviations.items() if named == str(work))
    return known or next(short, "")


def fetch_command(pack: Pack, name: str) -> str:
    """The command that fetches an act, where its publisher can be searched by title."""
    titled = re.search(r"[^\W\d_]{3}", name) or (pack.facts.searched_by_number and name)
    if not hasattr(pack, "find_acts") or not titled:
        return ""
    words = " ".join(name.replace('"', " ").split())
    return f'pykala fetch {pack.facts.code} "{words}"'
