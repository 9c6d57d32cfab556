"""Questions about acts, not about their content: "which acts were amended in 2023?".

They are recognised by rule (`[acts]` of a language), and answered from the library's indexes of changes,
without a search by words. A rule matches a whole question, and one about an act only where the library knows
the act: "when does a decision enter into force?" is a question about the law.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from pykala.law.identifiers import WorkId
from pykala.law.provisions import WorkKind
from pykala.retrieve.question import Question
from pykala.stores.changed import WorkChange
from pykala.stores.store import Store, UnknownProvision
from pykala.text.languages.known import alternatives, derived, known, letters


class Asked(StrEnum):
    """What a question asks about acts."""

    CHANGED_IN = "which acts changed in a period"
    AMENDED_BY = "what an act amended"
    AMENDMENTS_OF = "what amended an act"
    LAST_AMENDED = "when an act was last amended"
    SECTIONS = "how many sections an act has"
    BEGINNING = "when an act entered into force"
    END = "whether an act is in force, and when it ended"
    ITSELF = "an act, by its name alone"


@dataclass(frozen=True, slots=True)
class MetadataQuestion:
    """A question about acts: which acts, which period, which kinds."""

    asked: Asked
    works: tuple[WorkId, ...] = ()
    since: date | None = None
    until: date | None = None  # the last day that counts
    change: WorkChange = WorkChange.AMENDED
    kinds: frozenset[str] = frozenset()


_STATUTES = frozenset({WorkKind.ACT, WorkKind.CODE})
_RULES = frozenset({WorkKind.DECREE, WorkKind.REGULATION})
_ENACTMENTS = _STATUTES | _RULES | {WorkKind.DIRECTIVE, WorkKind.DECISION}
#: Kinds of works by the tables of the words for them, tried in this order.
_KINDS = {
    "acts.nouns.statutes": _STATUTES,
    "acts.nouns.enactments": _ENACTMENTS,
    "acts.nouns.rules": _RULES,
    "acts.nouns.directives": frozenset({WorkKind.DIRECTIVE}),
}
_CHANGES = {
    WorkChange.AMENDED: "acts.changes.amended",
    WorkChange.BEGAN: "acts.changes.began",
    WorkChange.ENDED: "acts.changes.ended",
}
_YEAR = r"(?:19|20)\d{2}"
#: The name of an act; it is read by the pack's grammar or by the library's aliases.
_ACT = r"(?P<act>.{2,160}?)"
_OF_ACT = {
    Asked.SECTIONS: "acts.sections",
    Asked.BEGINNING: "acts.beginning",
    Asked.LAST_AMENDED: "acts.last_amended",
    Asked.AMENDED_BY: "acts.amended_by",
    Asked.AMENDMENTS_OF: "acts.amendments_of",
    Asked.END: "acts.end",
}


def _joined(tables: Iterable[str]) -> str:
    return "|".join(map(alternatives, tables))


def _within() -> str:
    """A pattern for a period: "in 2023", "vuosina 2020–2022"."""
    return (
        rf"(?:(?:{alternatives('acts.within')})\s+)*(?P<first>{_YEAR})"
        rf"(?:\s*(?:[-–—]|{alternatives('acts.run')})\s*(?P<last>{_YEAR}))?"
        rf"(?:\s+(?:{alternatives('acts.behind')}))?"
    )


def _patterns(table: str) -> list[re.Pattern[str]]:
    """Compile a table's patterns with the words for acts, changes, periods and names."""
    filled = {
        "{noun}": _joined(_KINDS),
        "{changed}": _joined(_CHANGES.values()),
        "{within}": _within(),
        "{act}": _ACT,
    }
    found = []
    for pattern in (piece for language in known() for piece in language.pieces(table)):
        for place, words in filled.items():
            pattern = pattern.replace(place, words)
        found.append(re.compile(pattern, re.IGNORECASE))
    return found


@derived
def _changed_in() -> tuple[re.Pattern[str], ...]:
    return tuple(_patterns("acts.changed_in"))


@derived
def _of_act() -> tuple[tuple[Asked, re.Pattern[str]], ...]:
    return tuple((asked, pattern) for asked, table in _OF_ACT.items() for pattern in _patterns(table))


@derived
def _when() -> re.Pattern[str]:
    return re.compile(rf"\s+{_within()}$", re.IGNORECASE)


@derived
def _onwards() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives('acts.onwards')})\b", re.IGNORECASE)


@derived
def _before_name() -> re.Pattern[str]:
    return re.compile(rf"^(?:{alternatives('acts.before_name')})\s+", re.IGNORECASE)


@derived
def _place() -> re.Pattern[str]:
    return re.compile(
        rf"\s*\b(?:{alternatives('acts.before_place')})?\s*(?:the\s+)?"
        rf"(?P<place>[{letters().upper()}][\w-]+(?:\s[A-Z][\w-]+)?)"
    )


_END = re.compile(r"[\s?!.]+$")


def metadata_question(question: Question, store: Store) -> MetadataQuestion | None:
    """Parse a question about acts; None where it asks about the law itself."""
    text = _END.sub("", " ".join(_with_years(question).replace("’", "'").split()))
    if len(text) > 300:
        return None
    for pattern in _changed_in():
        if found := pattern.fullmatch(_without_places(text, question)):
            since, until = _period(found, text, question.as_of)
            return MetadataQuestion(
                Asked.CHANGED_IN, (), since, until, _change_in(found[0]), _kinds_in(found[0])
            )
    undated = _when().sub("", text)
    for form in dict.fromkeys((text, undated)):
        for asked, pattern in _of_act():
            found = pattern.fullmatch(form)
            works = _acts_named(found["act"], question, store) if found else ()
            if works:
                since, until = _period(_when().search(text), text, question.as_of)
                return MetadataQuestion(asked, works, since, until)
    works = _by_name_alone(text, question, store)
    return MetadataQuestion(Asked.ITSELF, works) if works else None


def _by_name_alone(text: str, question: Question, store: Store) -> tuple[WorkId, ...]:
    """The acts that a text names without saying anything else: a bare name asks to see the act."""
    named = {cited.work for cited in question.cited if not cited.path}
    if not named or not any(named & {*store.resolve(form)} for form in _forms(text)):
        return ()
    return tuple(work for work in _acts_named(text, question, store) if _is_enacted(work, store))


def _is_enacted(work: WorkId, store: Store) -> bool:
    try:
        return store.work(work).kind in _ENACTMENTS
    except UnknownProvision:
        return False


def _with_years(question: Question) -> str:
    """Replace "last year", "viime vuonna", "i fjol" by the year."""
    named, text = question.named_date, question.text
    if named is None or named.year is None or re.search(_YEAR, named.text):
        return text
    return f"{text[: named.start]} {named.year} {text[named.end :]}"


def _without_places(text: str, question: Question) -> str:
    """The question without its places: "which acts were amended in Finland in 2023"."""
    if not question.filter.jurisdictions:
        return text
    words = question.search_text.casefold()

    def kept(match: re.Match[str]) -> str:
        # The words that understand() removed from the search text are the place names.
        return match[0] if match["place"].casefold() in words or match.start() == 0 else " "

    return " ".join(_place().sub(kept, text).split())


def _change_in(text: str) -> WorkChange:
    tables = _CHANGES.items()
    found = ((re.search(alternatives(words), text, re.IGNORECASE), change) for change, words in tables)
    return next(change for match, change in found if match)


def _kinds_in(text: str) -> frozenset[str]:
    for words, kinds in _KINDS.items():
        if re.search(rf"(?<!\w)(?:{alternatives(words)})(?!\w)", text, re.IGNORECASE):
            return frozenset(kind.value for kind in kinds)
    return frozenset()


def _period(found: re.Match[str] | None, text: str, as_of: date) -> tuple[date | None, date | None]:
    if found is None:
        return None, None
    first = int(found["first"])
    last = int(found["last"] or first)
    if _onwards().search(text) and not found["last"]:
        return date(first, 1, 1), max(as_of, date(first, 12, 31))
    return date(min(first, last), 1, 1), date(max(first, last), 12, 31)


def _acts_named(name: str, question: Question, store: Store) -> tuple[WorkId, ...]:
    """The acts of a name: those the question cites, else by title, one per jurisdiction."""
    cited = [*dict.fromkeys(one.work for one in question.cited)]
    if cited and not any(one.path for one in question.cited):
        held = store.works_of(cited)
        return tuple(work for work in cited if work in held)
    found = [
        work
        for form in _forms(name)
        for work in store.resolve(form)
        if not question.filter.jurisdictions or work.jurisdiction in question.filter.jurisdictions
    ]
    homes: dict[str, list[WorkId]] = {}
    for work in dict.fromkeys(found):
        homes.setdefault(work.jurisdiction, []).append(work)
    return tuple(_the_one_that_stands(works, question.as_of, store) for works in homes.values())


def _forms(name: str) -> Iterable[str]:
    """A name as written, without its article, and without the Swedish definite ending."""
    bare = _before_name().sub("", name.strip(" \"'“”«»")).strip()
    forms = [name, bare]
    for ending, stem in (pair for one in known() for pair in one.pairs("acts.name_endings")):
        if bare.casefold().endswith(ending):
            forms.append(bare[: -len(ending)] + stem)
    return dict.fromkeys(form for form in forms if len(form) > 1)


def _the_one_that_stands(works: Sequence[WorkId], as_of: date, store: Store) -> WorkId:
    """Of several acts of one name the newest in force: names pass from act to act."""

    def worth(work: WorkId) -> tuple[bool, bool, date, str]:
        try:
            known = store.work(work)
        except UnknownProvision:
            return False, False, date.min, str(work)
        start = known.validity.start or known.issued
        return known.validity.covers(as_of), start is not None, start or date.min, str(work)

    return max(works, key=worth)


def days_of(asked: MetadataQuestion, as_of: date) -> tuple[date, date]:
    """The days of the period, or all up to the date."""
    return asked.since or date.min + timedelta(days=1), asked.until or as_of
