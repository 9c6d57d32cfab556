"""Questions about acts rather than about what they say: "which acts were amended in 2023?".

They are recognised by rule, in four languages, and answered from the library's indexes of changes without a
search by words. A rule matches a whole question, and one about an act only where the library knows the act:
"when does a decision enter into force?" is a question about the law.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from pykala.law.identifiers import WorkId
from pykala.law.provisions import WorkKind
from pykala.retrieve.question import Question
from pykala.stores.changed import WorkChange
from pykala.stores.store import Store, UnknownProvision


class Asked(StrEnum):
    """What is asked about acts."""

    CHANGED_IN = "which acts changed in a period"
    AMENDED_BY = "what an act amended"
    AMENDMENTS_OF = "what amended an act"
    LAST_AMENDED = "when an act was last amended"
    SECTIONS = "how many sections an act has"
    BEGINNING = "when an act entered into force"
    END = "whether an act is in force, and when it ended"


@dataclass(frozen=True, slots=True)
class MetadataQuestion:
    """A question about acts: of which acts, in which period, of which kinds, as the rule reads it."""

    asked: Asked
    works: tuple[WorkId, ...] = ()
    since: date | None = None
    until: date | None = None  # the last day that counts
    change: WorkChange = WorkChange.AMENDED
    kinds: frozenset[str] = frozenset()


_STATUTES = frozenset({WorkKind.ACT, WorkKind.CODE})
_RULES = frozenset({WorkKind.DECREE, WorkKind.REGULATION})
_ENACTMENTS = _STATUTES | _RULES | {WorkKind.DIRECTIVE, WorkKind.DECISION}
#: Words for acts of a kind, in four languages.
_KINDS = (
    (_STATUTES, r"laws?|statutes?|lakeja|lait|lakia|lagar(?:na)?|lois?"),
    (
        _ENACTMENTS,
        r"acts?|legislation|säädöksiä|säädökset|författningar(?:na)?|rättsakter(?:na)?|actes?|textes?",
    ),
    (_RULES, r"decrees?|regulations?|asetuksia|asetukset|förordningar(?:na)?|règlements?|décrets?"),
    (frozenset({WorkKind.DIRECTIVE}), r"directives?|direktiivejä|direktiivit|direktiv(?:en)?"),
)
_NOUN = "|".join(words for _, words in _KINDS)
_CHANGES = {
    WorkChange.AMENDED: r"amended|changed|modified|muutettiin|muuttuivat|on muutettu|ovat muuttuneet"
    r"|ändrades|har ändrats|ont été modifiée?s|ont changé|a-t-on modifiée?s|modifiée?s",
    WorkChange.BEGAN: r"enacted|passed|(?:came|entered|come|enter) into (?:force|effect)"
    r"|tuli(?:vat)? voimaan|säädettiin|annettiin|trädde i kraft|stiftades"
    r"|sont entrée?s en vigueur|ont été adoptée?s",
    WorkChange.ENDED: r"repealed|revoked|kumottiin|on kumottu|upphävdes|ont été abrogée?s",
}
_ANY_CHANGE = "|".join(_CHANGES.values())
_YEAR = r"(?:19|20)\d{2}"
_WITHIN = (
    rf"(?:(?:in|during|for|of|since|after|vuonna|vuoden|vuodesta|aikana|under|år|sedan|i|en|depuis|pendant"
    rf"|between|from|vuosina|åren|entre|l'année|l'an|mellan)\s+)*(?P<first>{_YEAR})"
    rf"(?:\s*(?:[-–—]|and|to|ja|och|till|et|à)\s*(?P<last>{_YEAR}))?"
    r"(?:\s+(?:alkaen|jälkeen|aikana|lähtien))?"
)
_ONWARDS = re.compile(r"\b(?:since|after|vuodesta|lähtien|alkaen|jälkeen|sedan|depuis)\b", re.IGNORECASE)
_CHANGED_IN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:which|what|list(?: all)?(?: the)?|show(?: me)?(?: the)?)\s+(?:\w+\s+)?(?:{_NOUN})\s+"
        rf"(?:that\s+)?(?:have been|has been|were|was|got)?\s*(?:{_ANY_CHANGE})\s+{_WITHIN}",
        rf"(?:mitä|mitkä|luettele)\s+(?:\w+\s+)?(?:{_NOUN})\s+(?:{_ANY_CHANGE})\s+{_WITHIN}",
        rf"(?:mitä|mitkä)\s+(?:{_NOUN})\s+(?:on|ovat)\s+(?:muutettu|kumottu|muuttuneet|tulleet voimaan)"
        rf"\s+{_WITHIN}",
        rf"(?:vilka|lista)\s+(?:\w+\s+)?(?:{_NOUN})\s+(?:som\s+)?(?:{_ANY_CHANGE})\s+{_WITHIN}",
        rf"quel(?:le)?s\s+(?:\w+\s+)?(?:{_NOUN})\s+(?:{_ANY_CHANGE})\s+{_WITHIN}",
    )
)
#: Of one act; its name is read by the pack's grammar or by the library's aliases.
_ACT = r"(?P<act>.{2,160}?)"
_OF_ACT: Mapping[Asked, tuple[str, ...]] = {
    Asked.SECTIONS: (
        r"how many (?:sections|articles|provisions)\s+(?:does|do|has|have|are(?: there)?(?: in)?|in)\s+"
        rf"{_ACT}(?:\s+(?:have|has|contain|comprise))?",
        rf"(?:kuinka monta|montako)\s+(?:pykälää|artiklaa)\s+(?:on\s+)?{_ACT}(?:\s+on)?",
        rf"hur många (?:paragrafer|artiklar)\s+(?:har|finns det i|innehåller|i)\s+{_ACT}(?:\s+har)?",
        rf"combien d'articles\s+(?:compte|comprend|contient|a|y a-t-il dans|comporte)\s+{_ACT}",
    ),
    Asked.BEGINNING: (
        rf"when (?:did|does|will)\s+{_ACT}\s+(?:enter|come|go)\s+into\s+(?:force|effect)",
        rf"when (?:was|is)\s+{_ACT}\s+(?:enacted|in force from)",
        rf"since when (?:is|has)\s+{_ACT}\s+(?:been\s+)?in force",
        rf"(?:milloin|koska)\s+{_ACT}\s+(?:tuli|tulee|on tullut)\s+voimaan",
        rf"när (?:trädde|träder)\s+{_ACT}\s+i kraft",
        rf"quand\s+(?:est-ce que\s+)?{_ACT}\s+(?:est-(?:elle|il)\s+entrée?|est entrée?)\s+en vigueur",
    ),
    Asked.LAST_AMENDED: (
        rf"when (?:was|were)\s+{_ACT}\s+(?:last|most recently)\s+(?:amended|changed)",
        rf"what (?:is|was) the (?:last|latest) (?:amendment|change) (?:of|to)\s+{_ACT}",
        rf"(?:milloin|koska)\s+{_ACT}\s+(?:on\s+)?viimeksi\s+(?:muutettiin|muutettu|muuttunut|muuttui)",
        rf"när ändrades\s+{_ACT}\s+senast",
        rf"quand\s+{_ACT}\s+a-t-(?:elle|il)\s+été\s+modifiée?\s+"
        r"(?:pour la dernière fois|en dernier(?: lieu)?)",
    ),
    Asked.AMENDED_BY: (
        rf"(?:what|which) (?:\w+\s+)?(?:{_NOUN})\s+(?:did|does|has)\s+{_ACT}\s+(?:amend|change)(?:d|ed)?",
        rf"what did\s+{_ACT}\s+(?:amend|change)",
        rf"(?:what|which) (?:{_NOUN})\s+(?:were|are)\s+amended by\s+{_ACT}",
        rf"(?:mitä|mitkä)\s+(?:muita\s+)?(?:{_NOUN})\s+{_ACT}\s+(?:muutti|muuttaa|on muuttanut)",
        rf"vilka (?:{_NOUN})\s+(?:ändrade|ändrar|ändrades av)\s+{_ACT}",
        rf"quel(?:le)?s (?:{_NOUN})\s+{_ACT}\s+(?:a-t-(?:elle|il)\s+modifiée?s|modifie(?:-t-(?:elle|il))?)",
        rf"quel(?:le)?s (?:{_NOUN})\s+ont été modifiée?s par\s+{_ACT}",
    ),
    Asked.AMENDMENTS_OF: (
        rf"(?:what|which) (?:{_NOUN})\s+(?:have\s+)?amended\s+{_ACT}",
        rf"(?:by which|what|which) (?:{_NOUN})\s+(?:has|was)\s+{_ACT}\s+(?:been\s+)?amended(?:\s+by)?",
        rf"how (?:often|many times) (?:has|was)\s+{_ACT}\s+(?:been\s+)?(?:amended|changed)",
        rf"(?:mitkä|millä)\s+(?:{_NOUN}|laeilla)\s+(?:ovat\s+)?(?:muuttaneet|muuttivat|on muutettu)\s+{_ACT}",
        rf"(?:kuinka monta kertaa|montako kertaa|kuinka usein)\s+{_ACT}\s+on\s+muutettu",
        rf"vilka (?:{_NOUN})\s+har ändrat\s+{_ACT}",
        rf"hur många gånger har\s+{_ACT}\s+ändrats",
        rf"quel(?:le)?s (?:{_NOUN})\s+ont modifié\s+{_ACT}",
        rf"combien de fois\s+{_ACT}\s+a-t-(?:elle|il)\s+été\s+modifiée?",
    ),
    Asked.END: (
        rf"is\s+{_ACT}\s+(?:still\s+)?in force",
        rf"(?:when was|has|was)\s+{_ACT}\s+(?:been\s+)?(?:repealed|revoked)",
        rf"onko\s+{_ACT}\s+(?:yhä\s+|vielä\s+|edelleen\s+)?voimassa",
        rf"(?:milloin|koska|onko)\s+{_ACT}\s+(?:on\s+)?(?:kumottu|kumottiin)",
        rf"är\s+{_ACT}\s+(?:fortfarande\s+|ännu\s+)?i kraft",
        rf"när upphävdes\s+{_ACT}",
        rf"{_ACT}\s+est-(?:elle|il)\s+(?:toujours\s+|encore\s+)?en vigueur",
        rf"quand\s+{_ACT}\s+a-t-(?:elle|il)\s+été abrogée?",
    ),
}
_of_act = [(asked, re.compile(one, re.IGNORECASE)) for asked, patterns in _OF_ACT.items() for one in patterns]
_when = re.compile(rf"\s+{_WITHIN}$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|le|la|les|l'|du|den|det|act|laki|lagen|loi)\s+", re.IGNORECASE)
_PLACE = re.compile(
    r"\s*\b(?:in|of|i|en|au|aux|de la|du|de l')?\s*(?:the\s+)?(?P<place>[A-ZÅÄÖÉ][\w-]+(?:\s[A-Z][\w-]+)?)"
)
_END = re.compile(r"[\s?!.]+$")


def metadata_question(question: Question, store: Store) -> MetadataQuestion | None:
    """What a question asks about acts; None where it asks about the law itself."""
    text = _END.sub("", " ".join(_with_years(question).replace("’", "'").split()))
    if len(text) > 300:
        return None
    for pattern in _CHANGED_IN:
        if found := pattern.fullmatch(_without_places(text, question)):
            since, until = _period(found, text, question.as_of)
            return MetadataQuestion(
                Asked.CHANGED_IN, (), since, until, _change_in(found[0]), _kinds_in(found[0])
            )
    undated = _when.sub("", text)
    for form in dict.fromkeys((text, undated)):
        for asked, pattern in _of_act:
            found = pattern.fullmatch(form)
            works = _acts_named(found["act"], question, store) if found else ()
            if works:
                since, until = _period(_when.search(text), text, question.as_of)
                return MetadataQuestion(asked, works, since, until)
    return None


def _with_years(question: Question) -> str:
    """The question with a year for "last year", "viime vuonna", "i fjol"."""
    named, text = question.named_date, question.text
    if named is None or named.year is None or re.search(_YEAR, named.text):
        return text
    return f"{text[: named.start]} {named.year} {text[named.end :]}"


def _without_places(text: str, question: Question) -> str:
    """The question without where: "which acts were amended in Finland in 2023"."""
    if not question.filter.jurisdictions:
        return text
    words = question.search_text.casefold()

    def kept(match: re.Match[str]) -> str:
        # What understanding took out of the words to search for is the place.
        return match[0] if match["place"].casefold() in words or match.start() == 0 else " "

    return " ".join(_PLACE.sub(kept, text).split())


def _change_in(text: str) -> WorkChange:
    found = ((re.search(words, text, re.IGNORECASE), change) for change, words in _CHANGES.items())
    return next(change for match, change in found if match)


def _kinds_in(text: str) -> frozenset[str]:
    for kinds, words in _KINDS:
        if re.search(rf"(?<!\w)(?:{words})(?!\w)", text, re.IGNORECASE):
            return frozenset(kind.value for kind in kinds)
    return frozenset()


def _period(found: re.Match[str] | None, text: str, as_of: date) -> tuple[date | None, date | None]:
    if found is None:
        return None, None
    first = int(found["first"])
    last = int(found["last"] or first)
    if _ONWARDS.search(text) and not found["last"]:
        return date(first, 1, 1), max(as_of, date(first, 12, 31))
    return date(min(first, last), 1, 1), date(max(first, last), 12, 31)


def _acts_named(name: str, question: Question, store: Store) -> tuple[WorkId, ...]:
    """The acts that a name means: what the question cites, else by its title, one act a jurisdiction."""
    cited = [one.work for one in question.cited]
    if cited and not any(one.path for one in question.cited):
        return tuple(dict.fromkeys(cited))
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
    """A name as it was written, without its article, and without the ending that Swedish has for one."""
    bare = _ARTICLE.sub("", name.strip(" \"'“”«»")).strip()
    forms = [name, bare]
    for ending, stem in (("lagen", "lag"), ("balken", "balk"), ("förordningen", "förordning")):
        if bare.casefold().endswith(ending):
            forms.append(bare[: -len(ending)] + stem)
    return dict.fromkeys(form for form in forms if len(form) > 1)


def _the_one_that_stands(works: Sequence[WorkId], as_of: date, store: Store) -> WorkId:
    """Of several acts of one name the one in force, and the newest of those: names pass from act to act."""

    def worth(work: WorkId) -> tuple[bool, bool, date, str]:
        try:
            known = store.work(work)
        except UnknownProvision:
            return False, False, date.min, str(work)
        start = known.validity.start or known.issued
        return known.validity.covers(as_of), start is not None, start or date.min, str(work)

    return max(works, key=worth)


def days_of(asked: MetadataQuestion, as_of: date) -> tuple[date, date]:
    """The days that count: those of the period, or all up to the date."""
    return asked.since or date.min + timedelta(days=1), asked.until or as_of
