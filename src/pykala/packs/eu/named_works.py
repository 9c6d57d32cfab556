"""Acts, treaties, cases and journals that a text names, before any place in them is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.references import normalise_alias
from pykala.packs.eu.citation_patterns import COMMUNITY, OF_THE_TIME, SHARED, Phrases, plain
from pykala.packs.eu.naming_acts import (
    celex_work,
    community_treaty,
    eli_work,
    numbered_act,
    own_treaty,
    treaty_of_the_time,
    whole_treaty,
)

OUTSIDE = "outside:"  # prefix of a name of Union law that is not a work of this corpus
CALLED = "called:"  # prefix of a name that may be an alias: a case, an ECLI
UNKNOWN = "?"  # another work, which the text does not name
#: Words for acts in both languages → the one under which "that Directive" looks for its antecedent.
_SORTS = {
    "directive": "directive",
    "regulation": "regulation",
    "règlement": "regulation",
    "decision": "decision",
    "décision": "decision",
    "framework decision": "framework decision",
    "décision-cadre": "framework decision",
    "recommendation": "recommendation",
    "recommandation": "recommendation",
    "traité": "treaty",
    "charte": "charter",
}


#: Vehicles are approved under regulations of the United Nations, which are numbered without a year too.
_UNITED_NATIONS = re.compile(
    r" (?:of|de) (?:the |l'|la )?(?:UN|ONU|United|Nations|Economic|Commission économique)"
)


@dataclass(frozen=True, slots=True)
class NamedWork:
    """A work as a text names it: its position, target and kind, and whether it is a citation by itself."""

    start: int
    end: int
    work: str
    sort: str
    alone: bool = True


def sort_of(word: str) -> str:
    """The sort of act that a word means, whatever the language."""
    folded = " ".join(word.casefold().split())
    return _SORTS.get(folded, folded)


def find_works(
    text: str, phrases: Phrases, own: WorkId | None, abbreviations: Mapping[str, str]
) -> list[NamedWork]:
    """Every work named in a text, in order and without overlap."""
    found = [*_shared(text), *_acts(text, phrases), *_treaties(text, phrases, own)]
    found += _abbreviated(text, abbreviations)
    return list(_apart(sorted(found, key=lambda named: (named.start, -named.end))))


def _apart(found: Iterable[NamedWork]) -> Iterator[NamedWork]:
    end = 0
    for named in found:
        if named.start >= end:
            yield named
            end = named.end


def _acts(text: str, phrases: Phrases) -> Iterator[NamedWork]:
    for match in phrases.act.finditer(text):
        kind = match["kind"]
        named = _act(match, kind, match.start())
        if named is None:
            continue
        yield named
        end = match.end()
        # "Regulations (EU) No 1407/2013 and (EU) No 651/2014": the word stands once for all.
        while match["plural"] and (more := phrases.more_acts.match(text, end)) is not None:
            start = next(more.start(name) for name in ("body", "no", "first") if more[name])
            other = _act(more, kind, max(start - 1, end) if more["body"] else start)
            if other is None:
                break
            yield other
            end = more.end()


def _act(match: re.Match[str], kind: str, start: int) -> NamedWork | None:
    first, second = match["first"], match["second"] or ""
    if not second and (not match["no"] or _UNITED_NATIONS.match(match.string, match.end())):
        return None
    work = numbered_act(kind, first, second, numbered=bool(match["no"]))
    if work is None:
        return None
    return NamedWork(start, match.end(), work.value, sort_of(kind))


def _treaties(text: str, phrases: Phrases, own: WorkId | None) -> Iterator[NamedWork]:
    for pattern, treaty in phrases.treaties:
        for match in pattern.finditer(text):
            code = treaty
            if treaty == OF_THE_TIME:
                code = (own_treaty(own) if own is not None else "") or treaty_of_the_time(own)
            elif treaty == COMMUNITY:
                code = community_treaty(own)
            work = whole_treaty(code)
            if work is not None:
                sort = "charter" if "har" in match[0][:3].casefold() else "treaty"
                yield NamedWork(match.start(), match.end(), work.value, sort, treaty != OF_THE_TIME)


def _shared(text: str) -> Iterator[NamedWork]:
    for match in SHARED.finditer(text):
        name, written = match.lastgroup or "", match[0]
        work: WorkId | None = None
        if name == "celex":
            work = celex_work(written.rpartition(":")[2].strip().removeprefix("CELEX").strip())
        elif name == "eli":
            work = eli_work(written)
        if work is not None:
            yield NamedWork(match.start(), match.end(), work.value, "address")
        elif name in ("case", "ecli"):
            number = written if name == "ecli" else re.split(r"[ ]", written.removesuffix(" P"))[-1]
            yield NamedWork(match.start(), match.end(), CALLED + normalise_alias(number), "case")
        else:
            yield NamedWork(match.start(), match.end(), OUTSIDE + written, "journal")


def _abbreviated(text: str, abbreviations: Mapping[str, str]) -> Iterator[NamedWork]:
    """Names such as "GDPR" and "VAT Directive" that the pack's table of facts gives to works."""
    if not abbreviations:
        return
    targets = {name.casefold(): target for name, target in abbreviations.items()}
    for match in _names(tuple(abbreviations)).finditer(text):
        target = abbreviations.get(match[0]) or targets[match[0].casefold()]
        yield NamedWork(match.start(), match.end(), ProvisionId.parse(target).work.value, "name")


@lru_cache(maxsize=8)
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for all names, the longest first.

    "sixth VAT Directive" is one with a capital; DAC and MAR in small letters would be words.
    """
    longest = sorted(map(plain, names), key=len, reverse=True)
    written = [f"(?i:{re.escape(name)})" if " " in name else re.escape(name) for name in longest]
    return re.compile(rf"(?<!\w)(?:{'|'.join(written)})(?!\w)")
