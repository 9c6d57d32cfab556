"""Complete a follow-up question ("and in 2013?", "entä alaikäinen?") so that it stands alone.

The previous question comes first, because it names the subject; the new words follow. A date, a place or an
act in the new words replaces the earlier one. A question that does not depend on the previous one stays as it
is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pykala.law.answers import Answer
from pykala.law.citations import CitationContext, FoundCitation
from pykala.law.identifiers import ProvisionId
from pykala.packs.pack import Pack, languages_of
from pykala.retrieve.cites import citations_in
from pykala.retrieve.kinds import JOINT
from pykala.retrieve.question import place_words
from pykala.retrieve.question_forms import begins_asking
from pykala.retrieve.thread_words import anywhere, closing, languages, opening
from pykala.retrieve.wording import without_asking
from pykala.stores.store import Store
from pykala.text.dates import date_asked, dates_in_question, named_dates
from pykala.text.language import detect
from pykala.text.languages.known import alternatives, derived, known, language_of
from pykala.text.one_line import bounded, one_line
from pykala.text.stopwords import stop_words

LONGEST = 4_000  # the most characters of a question; a longer thread is cut where the new words begin

_TOPIC = 2  # own words with which a complete question has its own subject
_OWN = 5  # own words with which a question that begins with "and" has its own subject
_NEAR = 1  # with so few words before it in the question, a pronoun refers to the previous question
_SUPPOSED = 3  # own words with which a supposition ("if I …") is independent of the previous question
_STORY = 4  # own words with which a question of several sentences has its own story
_SHORT = 8  # own words up to which a pronoun is taken to refer to the previous question
_WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")
_SENTENCES = re.compile(r"(?<=[.!?…])\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Turn:
    """The previous question in its standalone form, and the choices made for it."""

    question: str
    language: str | None = None
    as_of: date | None = None
    jurisdiction: str | None = None
    provision: ProvisionId | None = None  # that answered it: "and section 241?" is in the same act

    @classmethod
    def of(cls, answer: Answer) -> Turn:
        """The turn of an answer."""
        return cls(
            answer.standalone or answer.question,
            answer.language,
            answer.as_of if answer.dated else None,
            answer.jurisdiction,
            answer.primary.provision if answer.primary else None,
        )


@dataclass(frozen=True, slots=True)
class Standalone:
    """A question in words that need no earlier question, and the earlier choices that still hold."""

    question: str
    follows: bool = False
    language: str | None = None
    as_of: date | None = None
    jurisdiction: str | None = None
    added: str = ""  # the new words, where they go on about the subject of the earlier question
    before: ProvisionId | None = None  # that answered it, where known
    besides: bool = False  # whether something else is asked for beside what was answered: "customers too?"


def standalone(
    text: str, before: Turn, store: Store, packs: Mapping[str, Pack], *, today: date
) -> Standalone:
    """Complete a question from the previous turn."""
    text = " ".join(text.split())
    spoken = _spoken(text, before, languages_of(packs))
    if section := _section_of_the_same_act(text, before, store, packs, spoken):
        return kept(section, text, before, packs, today=today)
    named = citations_in(text, store, packs).provisions
    if any(one.path for one in named) or not follows(text, spoken, today=today):
        return Standalone(text)
    bare = _continuation(text, spoken).rstrip(" ?!.")  # "and 11-504?" is read as a citation without these
    if bare != text and any(one.path for one in citations_in(bare, store, packs).provisions):
        return kept(bare, text, before, packs, today=today)
    earlier = before.question
    if (asked := _own_topic(text, spoken)) and (act := _act_named(earlier, store, packs, spoken)):
        places = (
            ()
            if place_words(text, packs)
            else place_words(_without_acts(earlier, store, packs, spoken), packs)
        )
        before = _with_its_day(before, today)
        return kept(f"{asked} ({', '.join((act, *places))})", text, before, packs, today=today)
    if _names_a_time(text, today):
        earlier = undated(earlier, today=today)
    elif not named_dates(earlier, today=today):  # a year that ends it would no longer stand at the end
        before, earlier = _with_its_day(before, today), undated(earlier, today=today)
    if place_words(text, packs):
        earlier = _without_places(earlier, packs)
    if named:
        earlier = _without_acts(earlier, store, packs, spoken)
    whole = kept(joined(earlier, text, spoken), text, before, packs, today=today)
    added = _continuation(text, spoken)
    return replace(whole, added=added, before=before.provision, besides=_asks_besides(added, spoken))


def _asks_besides(added: str, language: str) -> bool:
    """Whether something is asked for beside what was answered: "must customers be told too?".

    "Does that apply to part-timers too?" asks of the same.
    """
    plain = one_line(added)
    return anywhere("besides", language).search(plain) is not None and not _points_back(plain, language)


def _with_its_day(before: Turn, today: date) -> Turn:
    """The previous turn with the day that its question names as its date: its words are not kept."""
    named = date_asked(before.question, today=today)
    return before if named is None or named.day is None else replace(before, as_of=named.day)


def kept(question: str, text: str, before: Turn, packs: Mapping[str, Pack], *, today: date) -> Standalone:
    """A standalone question with the earlier choices that `text` does not change."""
    return Standalone(
        question,
        follows=True,
        language=before.language,
        as_of=None if _names_a_time(text, today) else before.as_of,
        jurisdiction=None if place_words(text, packs) else before.jurisdiction,
    )


def follows(text: str, language: str, *, today: date) -> bool:
    """Whether a question depends on the previous one."""
    plain = one_line(text)
    if language not in languages():
        return False
    if opening("going_on", language).match(plain):
        return True
    own = own_words(undated(plain, today=today), language)
    if not own:
        return True  # "how long?", "what is the fine?", "in 2013?": the previous question names the subject
    plain = anywhere("expletive", language).sub(" ", plain)
    joint = opening("joining", language).match(plain)
    if joint and (len(own) < _OWN or not begins_asking(plain[joint.end() :].lstrip(" ,"), language)):
        return True  # "and a friend who …?" asks nothing by itself
    if opening("pronouns", language).match(plain) and len(own) < _OWN:
        return True
    *story, asked = _SENTENCES.split(plain)
    if story:  # it tells its own story, and a pronoun may refer to that
        return len(own) < _STORY and not own_words(asked, language) and _points_back(asked, language)
    if len(own) <= _SHORT and _points_back(plain, language):
        return True
    adds = closing("adding", language).search(plain) or anywhere("besides", language).search(plain)
    if adds and len(own) < _OWN:
        return True
    return opening("supposing", language).match(plain) is not None and len(own) < _SUPPOSED


def undated(text: str, *, today: date) -> str:
    """A text without its dates."""
    return _cut(text, ((one.start, one.end) for one in dates_in_question(text, today=today)))


def own_words(text: str, language: str) -> list[str]:
    """The words that say what a question is about: not "deadline", but "tax return"."""
    bare = without_asking(opening("joining", language).sub(" ", bounded(text)), language)
    bare = closing("adding", language).sub(" ", anywhere("owned", language).sub(" ", bare))
    inverted, negated = _tied(language)
    bare = inverted.sub(" ", bare) if inverted else bare
    found = (negated.sub("", word) if negated else word for word in _WORD.findall(bare.lower()))
    idle = stop_words(language)
    return [word for one in found for word in one.split("'") if len(word) > 2 and word not in idle]


@derived
def _tied(code: str) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """Verb forms that ask ("a-t-il") and deny ("haven't"): they do not name a subject."""
    language = language_of(code)
    inverted = language.text("threads.inverted") if language else ""
    # A negated form does not show what a question is about, in any language.
    negated = "|".join(f"(?:{one.text('threads.negated')})" for one in known() if one.text("threads.negated"))
    return (
        re.compile(inverted, re.IGNORECASE) if inverted else None,
        re.compile(negated) if negated else None,
    )


def _points_back(text: str, language: str) -> bool:
    """Whether a pronoun has nothing before it in the question that it could refer to."""
    found = anywhere("pronouns", language).search(text)
    return found is not None and len(own_words(text[: found.start()], language)) <= _NEAR


def joined(earlier: str, text: str, language: str) -> str:
    """The previous question and its continuation."""
    head = earlier.strip(" ,;:" + JOINT).rstrip(" ?!.,;:" + JOINT)
    tail = _continuation(text, language)
    if not re.search(r"\w", head):
        return tail
    if len(head) + len(JOINT) + len(tail) > LONGEST:
        head = head[: max(0, LONGEST - len(JOINT) - len(tail))].rsplit(" ", 1)[0]
    return f"{head}{JOINT}{tail}"


def _continuation(text: str, language: str) -> str:
    """A follow-up without its "and"."""
    return opening("joining", language).sub("", text).lstrip(" ,") if language in languages() else text


def _spoken(text: str, before: Turn, among: Sequence[str]) -> str:
    """The language of the new words; very short ones take the language of the previous question."""
    default = before.language or detect(before.question, among=among).language
    found = detect(text, default=default, among=among)
    opened = [code for code in among if opening("going_on", code).match(text)]
    if opened:
        return default if default in opened else opened[0]
    return found.language if found.confidence > 0 else default


@derived
def _now() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{alternatives('threads.now')})(?!\w)", re.IGNORECASE)


def asks_for_now(text: str) -> bool:
    """Whether a question asks about today: "and nowadays?"."""
    return _now().search(text) is not None


def _names_a_time(text: str, today: date) -> bool:
    return bool(dates_in_question(text, today=today)) or asks_for_now(text)


def _without_places(text: str, packs: Mapping[str, Pack]) -> str:
    """A question without its places and the prepositions before them."""
    before = alternatives("threads.before_places")
    for word in sorted(place_words(text, packs), key=len, reverse=True):
        how = 0 if word.isupper() else re.IGNORECASE
        text = re.sub(rf"(?:(?<!\w)(?:{before})\s*)*\b{re.escape(word)}\b", " ", text, flags=how)
    return " ".join(text.split())


def _own_topic(text: str, language: str) -> str:
    """A follow-up with a subject of its own, without its "and"; empty where it depends on the previous one.

    "and how much notice do I get after seven years?" after a question on severance pay under an act asks
    about notice under that act. The words "severance pay" would only mislead the search.
    """
    joint = opening("joining", language).match(text)
    asked = text[joint.end() :].lstrip(" ,") if joint else ""
    own = len(own_words(text, language)) >= _TOPIC
    return asked if own and begins_asking(asked, language) and not _points_back(asked, language) else ""


def _act_named(text: str, store: Store, packs: Mapping[str, Pack], language: str) -> str:
    """The first known act that a question names, in its words; of a section that it cites, the act alone."""
    cited = next(iter(citations_in(text, store, packs).provisions), None)
    if cited is not None and cited.path and (pack := packs.get(cited.work.jurisdiction)):
        spoken = language if language in pack.facts.languages else pack.facts.default_language
        return pack.cite(ProvisionId(cited.work), store.work(cited.work), spoken)
    return next((text[start:end] for start, end in sorted(_act_spans(text, store, packs, language))), "")


def _without_acts(text: str, store: Store, packs: Mapping[str, Pack], language: str) -> str:
    """A question without the known acts that it names."""
    return _cut(text, _act_spans(text, store, packs, language))


def _act_spans(text: str, store: Store, packs: Mapping[str, Pack], language: str) -> list[tuple[int, int]]:
    """Where a text names known acts."""
    spans: list[tuple[int, int]] = []
    for pack in packs.values():
        context = CitationContext(
            language if language in pack.facts.languages else pack.facts.default_language
        )
        spans += [
            (one.start, one.end)
            for one in pack.find_citations(text, context)
            if any(found.target or store.resolve(found.alias) for found in pack.resolve(one, context))
        ]
    return spans


def _section_of_the_same_act(
    text: str, before: Turn, store: Store, packs: Mapping[str, Pack], language: str
) -> str:
    """Add the act to a section cited without one: "entä 125 §?" after TVL 124 §."""
    cited = citations_in(before.question, store, packs).provisions
    home = next(iter(cited), None) or before.provision
    pack = packs.get(home.work.jurisdiction) if home else None
    if home is None or pack is None:
        return ""
    spoken = language if language in pack.facts.languages else pack.facts.default_language
    alone, at_home = CitationContext(spoken), CitationContext(spoken, provision=home)
    for found in pack.find_citations(text, at_home):
        target = _target(found, pack, at_home)
        if target is None or target.work != home.work or not target.path or _target(found, pack, alone):
            continue
        work = store.work(home.work)
        return f"{text[: found.start]}{pack.cite(target, work, spoken)}{text[found.end :]}"
    return ""


def _target(found: FoundCitation, pack: Pack, context: CitationContext) -> ProvisionId | None:
    return next((one.target for one in pack.resolve(found, context) if one.target), None)


def _cut(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text without some spans."""
    for start, end in sorted(set(spans), reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return " ".join(text.split())
