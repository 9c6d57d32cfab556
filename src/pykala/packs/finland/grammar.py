"""How Finnish, Swedish and English texts cite Finnish law: `124 §:n 2 momentin 3 kohdassa`, `TVL 48.6 §`.

Finding reads a text from left to right; each citation may lend its act and section to the next one
("arvonlisäverolain 1 § 1 momentti, 18 § 2 momentti ja 3 momentti"). Resolving turns one citation into
its places: "26–28 §" are three.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.references import EdgeKind, Unresolved, normalise_alias

from .addresses import board_ruling_id, precedent_id
from .citation_patterns import (
    ACT_NUMBER,
    BOARD_RULING,
    PLACES,
    PRECEDENT,
    PRECEDENT_BY_RECORD,
    THIS_ACT,
    expand,
    normalised,
)
from .law_names import base_name

#: What may stand between two citations of one list: "1 §, 18 § 2 momentti ja 25 a §".
_LIST = re.compile(r"\s*(?:,|;|ja|sekä|tai|ja/tai|och|samt|eller|and|or|\n)*\s*", re.IGNORECASE)
_WIDEST_RANGE = 200
#: Words that end before a long name begins: "sovelletaan, mitä … lähdeverosta annetun lain".
_FILLER = re.compile(
    r"^.*\b(?:mitä|että|joka|jota|joita|jos|kun|kuin|siten|sekä|myös|edellä|mukaan|mukaisesti|nojalla|nojautuen"
    r"|on|ovat|ole|kysymys|olevan|olevaa|Suomen|tilanteessa|tarkoitetussa|ei|eivät|säädetään|säädettyä|sovelletaan|tarkoitettu|tarkoitetun|noudatetaan|annetaan|sanotaan"
    r"|Sen|Tämän|estämättä|vastaavasti|muutetaan|kumotaan|lisätään) "
)
_SAME_WORK = "="  # while finding: the act that the sentence named before
_RULINGS = ("fi:kho:", "fi:kvl:", "kho ")


@dataclass(frozen=True, slots=True)
class _Match:
    """One citation before it knows its neighbours."""

    start: int
    end: int
    work_name: str
    steps: tuple[Step, ...]
    relative: bool
    own_work: bool = False  # "tämän lain": the act at hand, whatever was named before


def edge_kind(context: CitationContext) -> EdgeKind:
    """Guidance interprets what it cites, rulings apply it, statutes cite."""
    work = (
        context.provision.work if context.provision else context.document.work if context.document else None
    )
    source = work.value if work else ""
    if source.startswith("fi:vero:"):
        return EdgeKind.INTERPRETS
    return EdgeKind.APPLIES if source.startswith(("fi:kho:", "fi:kvl:")) else EdgeKind.CITES


def find_citations(text: str, context: CitationContext) -> tuple[FoundCitation, ...]:
    """Find citations in a text, in order and without overlap."""
    plain = normalised(text)
    matches = _without_overlap(_all_matches(plain, context.language))
    statute = _is_statute(context)
    kind = edge_kind(context)
    found: list[FoundCitation] = []
    before: _Match | None = None
    for match in matches:
        match = _completed(match, before, plain, statute)
        if _is_itself(match, context):
            continue
        if not match.work_name.startswith(_RULINGS):
            before = match  # a ruling lends nothing: the section after it is an act's
        found.append(
            FoundCitation(
                match.start,
                match.end,
                text[match.start : match.end],
                match.work_name.removeprefix(_SAME_WORK),
                match.steps,
                match.relative,
                kind,
            )
        )
    return tuple(found)


def _is_itself(match: _Match, context: CitationContext) -> bool:
    """Whether a provision names itself: "42 § on kumottu …", a ruling its own number."""
    here = context.provision
    if here is None:
        return False
    return match.work_name == here.work.value or (
        bool(here.path) and not match.work_name and not match.relative and match.steps == here.path
    )


def _is_statute(context: CitationContext) -> bool:
    """Whether "5 §" means the act at hand: not on a page, nor where one act says how it amends another."""
    here = context.provision
    enacting = here is not None and here.step("enacting") is not None
    return here is not None and here.work.value.startswith("fi:act:") and not enacting


def _all_matches(plain: str, language: str) -> Iterator[_Match]:
    for reader in (_precedents, _board_rulings):
        yield from reader(plain)
    # A text in English cites "TVL 124 §" as well: § is read in any language, its own first.
    order = {"fi": ("fi",), "sv": ("sv",), "en": ("en", "fi")}.get(language, ("fi", "sv", "en"))
    for name in order:
        for pattern in PLACES[name]:
            for found in pattern.finditer(plain):
                if not found.groupdict().get("article"):  # "107 artikla 1 kohta" is a treaty's
                    yield _from_pattern(found, name)
    yield from _act_numbers(plain)
    yield from _this_act(plain)


def _without_overlap(matches: Iterator[_Match]) -> list[_Match]:
    """The longest of those that overlap, the earlier reader's where they are as long."""
    chosen: list[_Match] = []
    starts: list[int] = []
    for match in sorted(matches, key=lambda one: one.start - one.end):
        at = bisect(starts, match.start)
        clear_before = at == 0 or chosen[at - 1].end <= match.start
        if clear_before and (at == len(chosen) or match.end <= starts[at]):
            chosen.insert(at, match)
            starts.insert(at, match.start)
    return chosen


def _completed(match: _Match, before: _Match | None, plain: str, statute: bool) -> _Match:
    """Lend a citation the act and the section of the one before it, where the text means them."""
    if before is None or match.own_work or (match.work_name and match.work_name != _SAME_WORK):
        return match
    work_name = match.work_name
    listed = _LIST.fullmatch(plain, before.end, match.start) is not None
    if not match.relative:
        # In an act "5 §" is its own section unless it stands in a list of another act's; elsewhere the
        # act named last is meant.
        if work_name == _SAME_WORK or listed or not statute:
            work_name = before.work_name or ""
        chapter = tuple(step for step in before.steps if listed and step.kind == "chp")
        steps = (
            match.steps if match.steps[:1] == chapter or not _is_section(match) else (*chapter, *match.steps)
        )
        return _Match(match.start, match.end, work_name, steps, False, before.own_work and listed)
    if not listed and statute:
        return match
    section = _down_to(before.steps, match.steps[0].kind)
    if not section:
        return match
    return _Match(match.start, match.end, before.work_name, (*section, *match.steps), before.relative)


def _is_section(match: _Match) -> bool:
    return bool(match.steps) and match.steps[0].kind == "sec"


def _down_to(steps: tuple[Step, ...], kind: str) -> tuple[Step, ...]:
    """The steps that stand above one of a kind: above a momentti its section, above a kohta its momentti."""
    order = ("chp", "sec", "subsec", "para", "subpara")
    return tuple(step for step in steps if order.index(step.kind) < order.index(kind))


def _steps(match: re.Match[str]) -> tuple[Step, ...]:
    """The first place that a citation names; `resolve` unfolds lists and ranges."""
    return tuple(Step(kind, numbers[0]) for kind, numbers in _levels(match))


def _levels(match: re.Match[str]) -> Iterator[tuple[str, list[str]]]:
    groups = match.groupdict()
    for kind in ("chp", "sec", "subsec", "para", "subpara"):
        numbers = expand(groups.get(kind) or "")
        if kind == "subsec" and not numbers and (dotted := groups.get("dotted")):
            numbers = [dotted]
        if numbers:
            yield kind, numbers


def _from_pattern(found: re.Match[str], language: str) -> _Match:
    groups = found.groupdict()
    start = found.start()
    work_name = ""
    name = groups.get("name") or groups.get("name_before") or ""
    if language == "fi" and name:
        # A long name is read back from "annetun lain"; what only leads up to it is no part of it.
        name = _FILLER.sub("", name)
        start += len(groups["name"]) - len(name)
    if number := groups.get("act") or groups.get("act_after") or groups.get("bare"):
        work_name = number.replace(" ", "")
    elif groups.get("lain"):
        work_name = _SAME_WORK
    elif short := groups.get("abbreviation") or groups.get("after"):
        work_name = short.partition(":")[0]
    elif name:
        work_name = base_name(name, language)
    own = bool(groups.get("this") or groups.get("this_before"))
    return _Match(start, found.end(), work_name, _steps(found), not groups.get("sec"), own)


def _act_numbers(plain: str) -> Iterator[_Match]:
    for found in ACT_NUMBER.finditer(plain):
        if _act_id(found["act"]) is not None:
            yield _Match(found.start(), found.end(), found["act"], (), False)


def _this_act(plain: str) -> Iterator[_Match]:
    for found in THIS_ACT.finditer(plain):
        yield _Match(found.start(), found.end(), "", (), False, own_work=True)


def _precedents(plain: str) -> Iterator[_Match]:
    for found in PRECEDENT.finditer(plain):
        year, number = found["year"] or found["old_year"], found["number"] or found["old"]
        work = precedent_id(year, re.sub(r"[\s-]+", "-", number))
        yield _Match(found.start(), found.end(), work.value, (), False)
    for found in PRECEDENT_BY_RECORD.finditer(plain):
        yield _Match(found.start(), found.end(), f"kho {found['day']}/{found['record']}", (), False)


def _board_rulings(plain: str) -> Iterator[_Match]:
    for found in BOARD_RULING.finditer(plain):
        year, number = found["year"] or found["year_last"], found["number"] or found["number_first"]
        yield _Match(found.start(), found.end(), board_ruling_id(year, number).value, (), False)


def resolve(
    citation: FoundCitation, context: CitationContext, abbreviations: Mapping[str, str]
) -> tuple[ResolvedCitation, ...]:
    """Say where a citation leads: one result for each place that it names."""
    base = _base(citation, context, abbreviations)
    if isinstance(base, Unresolved):
        return (ResolvedCitation(reason=base),)
    work, alias, above = base
    here = context.provision
    # In an act that is numbered through, "17 luvun 40 §" is its 40 §: identifiers there name no chapter.
    through = here is not None and here.work == work and bool(here.path) and here.path[0].kind == "sec"
    results = []
    for path in _paths(citation):
        if through and any(step.kind == "sec" for step in path):
            path = tuple(step for step in path if step.kind != "chp")
        steps = (*above, *path)
        if work is not None:
            results.append(ResolvedCitation(target=ProvisionId(work, steps)))
        else:
            results.append(ResolvedCitation(alias=alias, path=steps))
    return tuple(results)


def _base(
    citation: FoundCitation, context: CitationContext, abbreviations: Mapping[str, str]
) -> tuple[WorkId | None, str, tuple[Step, ...]] | Unresolved:
    """The work of a citation, by identifier or by name, and the steps above those that it names."""
    name = citation.work_name
    if name:
        work = _named(name, abbreviations)
        return (work, "" if work else normalise_alias(name), ())
    here = context.provision
    if here is None or not _is_statute(context):
        # "5 §" on a page of guidance that named no act before it, or in a question.
        return Unresolved.NOT_UNDERSTOOD
    if not citation.relative:
        return (here.work, "", _chapter(here, citation))
    above = _down_to(tuple(step for step in here.path if step.kind in _ORDER), citation.steps[0].kind)
    if not any(step.kind == "sec" for step in above):
        return Unresolved.NOT_UNDERSTOOD
    return (here.work, "", above)


_ORDER = ("chp", "sec", "subsec", "para", "subpara")


def _chapter(here: ProvisionId, citation: FoundCitation) -> tuple[Step, ...]:
    """In an act whose numbers start again in each chapter, "5 §" means that of the chapter at hand."""
    names_chapter = any(step.kind == "chp" for step in citation.steps)
    if names_chapter or not citation.steps:
        return ()
    return tuple(step for step in here.path if step.kind in {"part", "chp"}) if here.step("sec") else ()


def _named(name: str, abbreviations: Mapping[str, str]) -> WorkId | None:
    if name.startswith("fi:"):
        return WorkId(name)
    if (work := _act_id(name)) is not None:
        return work
    folded = normalise_alias(name)
    known = {normalise_alias(short): target for short, target in abbreviations.items()}
    return WorkId(known[folded]) if folded in known else None


def _act_id(number: str) -> WorkId | None:
    """The act of "1535/1992", "1535/92", and of the year-first "1992/1535" that Vero writes."""
    first, slash, last = number.replace(" ", "").partition("/")
    if not slash or not first.isdecimal() or not last.isdecimal():
        return None
    if len(last) == 2:
        return WorkId(f"fi:act:19{last}/{int(first)}")
    if _is_year(last):
        return WorkId(f"fi:act:{last}/{int(first)}")
    return WorkId(f"fi:act:{first}/{int(last)}") if _is_year(first) else None


def _is_year(text: str) -> bool:
    return len(text) == 4 and 1734 <= int(text) <= 2100


def _paths(citation: FoundCitation) -> Iterator[tuple[Step, ...]]:
    """Every place that a citation names; only its last level, or its sections, may be a list."""
    levels: Sequence[tuple[str, list[str]]] = ()
    for pattern in (pattern for patterns in PLACES.values() for pattern in patterns):
        found = pattern.search(normalised(citation.text))
        # The pattern that reads the steps as they were found is the one that found them.
        if found and (steps := _steps(found)) and citation.steps[-len(steps) :] == steps:
            levels = max(levels, list(_levels(found)), key=len)
    lent = citation.steps[: len(citation.steps) - len(levels)]
    paths: list[tuple[Step, ...]] = [lent if levels else citation.steps]
    for kind, numbers in levels:
        paths = [(*path, Step(kind, number)) for path in paths for number in numbers[:_WIDEST_RANGE]]
    yield from paths
