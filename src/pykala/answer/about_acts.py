"""Answer questions about acts from the library's indexes: what changed when, what amended what, how long.

Every statement can be checked: the acts are listed beside the answer with their links and dates. Where the
law itself says it (a section on entry into force, a section as amended), the law is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from pykala.answer import caveats
from pykala.answer.about_acts_words import acts_counted, day_words, period_words, provisions_counted
from pykala.answer.acts import act_citation
from pykala.answer.cite import cited
from pykala.answer.commencing import commencing
from pykala.answer.in_words import CERTAIN
from pykala.answer.repealing import repealing
from pykala.law.answers import (
    Answer,
    Caveat,
    CaveatKind,
    Citation,
    CitedProvision,
    Claim,
    Outcome,
    Relation,
    StrategyName,
    Support,
)
from pykala.law.currency import known_to
from pykala.law.grades import HIGHEST_LIKELY
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Provision, ProvisionKind, Version, WorkKind
from pykala.law.references import Direction, EdgeKind
from pykala.law.validity import Validity
from pykala.packs.pack import Pack
from pykala.packs.sections import CONTAINERS
from pykala.retrieve.metadata import Asked, MetadataQuestion, days_of
from pykala.retrieve.question import Question
from pykala.stores.changed import AMENDING, ChangedWork, WorkChange, changed_works
from pykala.stores.store import NotInForce, Store, StoredProvision, UnknownProvision
from pykala.text.phrases import retold, say
from pykala.text.sentences import sentences
from pykala.versions.chains import Change

#: The relation of a changed act to an answer that lists it.
_CHANGED = {
    WorkChange.AMENDED: Relation.AMENDED_ACT,
    WorkChange.BEGAN: Relation.BEGAN_ACT,
    WorkChange.ENDED: Relation.ENDED_ACT,
}
_CONFIDENCE = {Outcome.ANSWERED: CERTAIN, Outcome.LIKELY: HIGHEST_LIKELY, Outcome.SILENT: 0.0}
LISTED = 20  # acts named in an answer
_NAMED = 4  # amending acts named after each amended act
_SECTIONS = frozenset({ProvisionKind.SECTION, ProvisionKind.ARTICLE})
_NO_ENACTMENTS = frozenset({WorkKind.CASE, WorkKind.GUIDANCE, WorkKind.UPLOAD})
_CHANGING = (EdgeKind.AMENDS, EdgeKind.INSERTS, EdgeKind.REPEALS)


@dataclass(frozen=True, slots=True)
class _Said:
    """One line of an answer, and its sources."""

    text: str
    primary: CitedProvision | None = None
    quote: tuple[int, int] = (0, 0)
    support: tuple[Support, ...] = ()
    known: bool = True  # False: the library's sources do not say
    sure: bool = True  # False: the words of the law leave it to be worked out
    doubts: tuple[Caveat, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """The context that every answer about acts needs."""

    asked: MetadataQuestion
    question: Question
    store: Store
    packs: Mapping[str, Pack]

    @property
    def language(self) -> str:
        return self.question.language

    def name(self, work: WorkId) -> str:
        return act_citation(work, self.store, self.packs, self.language)

    def act(self, work: WorkId) -> CitedProvision:
        """An act as a whole: its name, link and dates; its text is its title."""
        known, pack = self.store.work(work), self.packs.get(work.jurisdiction)
        root = ProvisionId(work)
        history = self.store.history(root)
        title = known.title(self.language)
        return CitedProvision(
            provision=root,
            citation=self.name(work),
            url=pack.url(root, known, self.language, self.question.as_of) if pack else "",
            text=title,
            heading=title,
            language=self.language,
            validity=_whole(history) if history else known.validity,
            authority=known.authority,
            source=pack.facts.publishers.get(known.kind, pack.facts.publisher) if pack else "",
            adopted=known.issued,
            in_force=history[0].in_force if history else None,
            current_to=known.current_to,
        )

    def untold(self, work: WorkId, key: str, **parts: str) -> _Said:
        """The text for facts that the library's sources do not give."""
        text = say(self.language, key, act=self.name(work), **parts)
        return _Said(text, known=False, support=self.beside([work], Relation.DATED_ACT))

    def beside(self, works: Sequence[WorkId], relation: Relation) -> tuple[Support, ...]:
        """Acts of the library, listed beside the answer."""
        found = []
        for work in works:
            try:
                found.append(Support(self.act(work), relation, 0))
            except UnknownProvision:
                continue
        return tuple(found)


def answer_metadata(
    asked: MetadataQuestion, question: Question, store: Store, packs: Mapping[str, Pack]
) -> Answer:
    """Answer a question about acts; SILENT where the library's sources do not say."""
    reading = _Reading(asked, question, store, packs)
    said = tuple(_ANSWERS[asked.asked](reading))
    known = [one for one in said if one.known]
    primary = next((one for one in said if one.primary is not None), None)
    language = question.language
    scope = Caveat(CaveatKind.HISTORY_UNAVAILABLE, None, say(language, "acts.scope"))
    shown = (*(one.primary for one in said), *(two.cited for one in said for two in one.support))
    known_days = [one.current_to for one in shown if one is not None and one.current_to]
    current_to = min(known_days, default=known_to(store.facts(), question.filter.jurisdictions))
    outcome = _outcome(known)
    about_history = asked.asked not in (Asked.SECTIONS, Asked.BEGINNING, Asked.END, Asked.ITSELF)
    return Answer(
        id="",
        question=question.text,
        language=language,
        as_of=question.as_of,
        outcome=outcome,
        text="\n".join(one.text for one in said),
        primary=primary.primary if primary else None,
        support=tuple(support for one in said for support in one.support),
        claims=tuple(claim for one in said for claim in _claims(one)),
        caveats=(
            *caveats.of_knowledge(current_to, question.as_of, spoken=language),
            *(doubt for one in said for doubt in one.doubts),
            *((scope,) if about_history else ()),
            *caveats.of_library(store.facts(), spoken=language),
        ),
        confidence=_CONFIDENCE[outcome],
        strategy=StrategyName.ABOUT_ACTS,
        current_to=current_to,
    )


def _outcome(known: Sequence[_Said]) -> Outcome:
    if not known:
        return Outcome.SILENT
    return Outcome.ANSWERED if all(one.sure for one in known) else Outcome.LIKELY


def _claims(said: _Said) -> Iterator[Claim]:
    """Quotes of the law that state the answer; counts and dates are in the text and the support."""
    if said.primary is not None and said.quote[1] > said.quote[0]:
        start, end = said.quote
        shown = said.primary
        quote = shown.text[start:end]
        yield Claim(quote, (Citation("L1", shown.provision, quote, start, end, shown.url, shown.citation),))


def _changed_in(reading: _Reading) -> Iterator[_Said]:
    asked, language = reading.asked, reading.language
    since, until = days_of(asked, reading.question.as_of)
    found = [
        one
        for one in changed_works(
            reading.store,
            since,
            until,
            asked.change,
            jurisdictions=sorted(reading.question.filter.jurisdictions),
        )
        if _is_of_kind(one.work, reading)
    ]
    if asked.change is not WorkChange.AMENDED:
        found.sort(key=lambda one: (one.first, one.work))
    period = period_words(since, until, language)
    if not found:
        yield _Said(say(language, "acts.nothing_in", period=period), known=False)
        return
    happened, count = say(language, f"happened.{asked.change.value}"), acts_counted(len(found), language)
    lines = [say(language, "acts.changed_in", happened=happened, period=period, acts=count)]
    listed = found[:LISTED]
    lines += [f"– {_change_line(one, reading)}" for one in listed]
    if len(found) > LISTED:
        more = say(language, "acts.more", count=len(found) - LISTED)
        lines.append(f"– {more} (pykala changes --since {since.isoformat()} --until {until.isoformat()})")
    yield _Said(
        "\n".join(lines), support=reading.beside([one.work for one in listed], _CHANGED[asked.change])
    )


def _is_of_kind(work: WorkId, reading: _Reading) -> bool:
    """Whether an act is of the kind asked for; "laws" include the Union's directives."""
    kinds, kind = reading.asked.kinds, reading.store.work(work).kind
    if kind in _NO_ENACTMENTS:
        return False
    pack = reading.packs.get(work.jurisdiction)
    is_union = pack is not None and WorkKind.DIRECTIVE.value in pack.facts.authority
    return not kinds or kind.value in kinds or (is_union and WorkKind.ACT.value in kinds)


def _change_line(one: ChangedWork, reading: _Reading) -> str:
    name = reading.name(one.work)
    if reading.asked.change is not WorkChange.AMENDED:
        return f"{name}, {day_words(one.first, reading.language)}"
    count = provisions_counted(one.provisions, reading.language)
    return f"{name}: {count}{_by(one.acts, reading)}"


def _by(acts: Sequence[WorkId], reading: _Reading) -> str:
    if not acts:
        return ""
    named = ", ".join(_short(act, reading) for act in acts[-_NAMED:])
    named += " …" if len(acts) > _NAMED else ""
    return f" {say(reading.language, 'acts.by', acts=named, count=len(acts))}"


def _short(act: WorkId, reading: _Reading) -> str:
    """An amending act by its number: its title mostly repeats that of the amended act."""
    name = reading.name(act)
    number = re.search(r"\((\d+/\d{4})\)$", name)
    if number:
        return number[1]
    return act.value.partition(":")[2] if name == str(act) else name


def _sections(reading: _Reading) -> Iterator[_Said]:
    for work in reading.asked.works:
        stored = _standing(ProvisionId(work), reading)
        found = [] if stored is None else [one for one in _numbered(stored.provision) if _says(one)]
        if stored is None or not found:
            yield _Said(say(reading.language, "acts.no_sections", act=reading.name(work)), known=False)
            continue
        ends = [
            cited(reading.store.provision(one.id, as_of=reading.question.as_of, language=stored.language),
                  reading.packs, reading.question.as_of)
            for one in (found[0], found[-1])
        ]  # fmt: skip
        key = "acts.articles" if found[0].kind is ProvisionKind.ARTICLE else "acts.sections"
        # Nothing can be counted after the day to which the act is known.
        day = min(reading.question.as_of, stored.work.current_to or reading.question.as_of)
        text = say(
            reading.language,
            key,
            act=reading.name(work),
            count=len(found),
            day=day_words(day, reading.language),
            first=found[0].label.strip(),
            last=found[-1].label.strip(),
        )
        beside = tuple(
            Support(end, relation, 0)
            for end, relation in zip(ends, (Relation.FIRST_SECTION, Relation.LAST_SECTION), strict=True)
        )
        yield _Said(text, support=(*reading.beside([work], Relation.COUNTED_ACT), *beside))


def _numbered(root: Provision) -> Iterator[Provision]:
    """The sections of an act's own body, without those of schedules, annexes and quoted amendments."""
    for child in root.children:
        if child.kind in _SECTIONS:
            yield child
        elif child.kind in CONTAINERS:
            yield from _numbered(child)


def _says(section: Provision) -> bool:
    """Whether a section has words in force: a repealed one leaves only its number."""
    return any(
        version.text.strip() and version.event is not Event.REPEALED
        for node in section.walk()
        for version in node.versions
    )


def _standing(provision: ProvisionId, reading: _Reading) -> StoredProvision | None:
    try:
        return reading.store.provision(
            provision, as_of=reading.question.as_of, language=reading.question.language
        )
    except (UnknownProvision, NotInForce):
        return None


def _beginning(reading: _Reading) -> Iterator[_Said]:
    for work in reading.asked.works:
        act, language = reading.act(work), reading.language
        beside = reading.beside([work], Relation.DATED_ACT)
        start = act.validity.start
        if act.validity.is_pending:
            yield reading.untold(work, "acts.pending")
            continue
        days = tuple(dict.fromkeys((start or reading.question.as_of, reading.question.as_of)))
        said = commencing(work, days, language, reading.store)
        if said is None and start is None:
            yield reading.untold(work, "acts.began_unknown")
            continue
        day = day_words(start or reading.question.as_of, language)
        if said is None:  # a source may give the date of the act, not that of its entry into force
            yield _Said(say(language, "acts.dated", act=act.citation, day=day), support=beside)
            continue
        shown, quote = cited(said.stored, reading.packs, days[0]), (said.start, said.end)
        words = shown.text[said.start : said.end]
        if start is not None and said.day == start:
            text = say(language, "acts.began", act=act.citation, day=day)
        else:
            text = say(language, "acts.own_words", act=act.citation, words=words)
        yield _Said(text, shown, quote, beside)


def _itself(reading: _Reading) -> Iterator[_Said]:
    """What the library tells of an act: its sections in force, else whether and when it ended."""
    sections = tuple(_sections(reading))
    yield from sections if any(said.known for said in sections) else _end(reading)


def _end(reading: _Reading) -> Iterator[_Said]:
    for work in reading.asked.works:
        act, language, today = reading.act(work), reading.language, reading.question.as_of
        start, end = act.validity.start, act.validity.end
        doubts = _doubts(work, reading) if end is None else ()
        if doubts:  # a source that doubts whether an act is in force cannot be quoted as saying that it is
            yield replace(
                reading.untold(work, "acts.doubtful", day=day_words(today, language)), doubts=doubts
            )
            continue
        if act.validity.is_pending:
            key, day = "acts.pending", today
        elif start is not None and start > today:
            key, day = "acts.not_yet", start
        elif end is None:
            known = act.current_to
            key, day = ("acts.in_force_known", known) if known and known < today else ("acts.in_force", today)
        else:
            key, day = ("acts.ended" if end <= today else "acts.will_end"), end - timedelta(days=1)
        text = say(language, key, act=act.citation, day=day_words(day, language))
        said = _Said(text, support=reading.beside([work], Relation.DATED_ACT))
        yield _with_repeal(said, work, end, reading) if end is not None and end <= today else said


def _with_repeal(said: _Said, work: WorkId, end: date, reading: _Reading) -> _Said:
    """The end of an act with the words that repealed it; unsure where these leave the day to another rule."""
    found = repealing(work, end, reading.language, reading.store)
    if found is None:
        return said
    told = replace(said, primary=cited(found.stored, reading.packs, end), quote=(found.start, found.end))
    if not found.leaves_day_open:
        return told
    message = say(reading.language, "caveat.repeal_day", day=end)
    doubt = Caveat(CaveatKind.SUSPECT, found.stored.provision.id, message)
    return replace(told, sure=False, doubts=(*told.doubts, doubt))


def _doubts(work: WorkId, reading: _Reading) -> tuple[Caveat, ...]:
    """A source's doubts about a whole act: that it may have ended on an unnamed day."""
    root = ProvisionId(work)
    newest = reading.store.history(root)[-1:]
    if not newest and (stored := _standing(root, reading)):  # some sources date only an act's provisions
        newest = next((one.versions[-1:] for one in stored.provision.walk() if one.versions), ())
    found = (retold(reading.language, "finding", one) for version in newest for one in version.findings)
    return tuple(Caveat(CaveatKind.SUSPECT, root, one) for one in found)


def _amendments(work: WorkId, reading: _Reading) -> list[Change]:
    """Changes of an act after it began, up to the last day that counts."""
    since, until = days_of(reading.asked, reading.question.as_of)
    found = reading.store.changes(since, until, works=[work])
    ends = {one.day for one in found if not one.provision.path and one.event is None}
    return [one for one in found if one.event in AMENDING or (one.event is None and one.day not in ends)]


def _last_amended(reading: _Reading) -> Iterator[_Said]:
    for work in reading.asked.works:
        found = _amendments(work, reading)
        last = max((one.day for one in found if one.day), default=None)
        name, language = reading.name(work), reading.language
        if last is None:
            day = day_words(reading.question.as_of, language)
            yield reading.untold(work, "acts.never_amended", day=day)
            continue
        of_day = [one for one in found if one.day == last]
        acts = list(dict.fromkeys(one.source_act for one in of_day if one.source_act))
        what = provisions_counted(len({one.provision for one in of_day}), language) + _by(acts, reading)
        text = say(language, "acts.last_amended", act=name, day=day_words(last, language), what=what)
        shown, quote = _changed_words(of_day, last, reading)
        yield _Said(text, shown, quote, reading.beside([work, *acts], Relation.AMENDED_ACT))


def _changed_words(
    changes: Sequence[Change], day: date, reading: _Reading
) -> tuple[CitedProvision | None, tuple[int, int]]:
    """The first changed provision as worded since a day, and the span of its first sentence."""
    for change in changes:
        if change.event is None or not change.provision.path:
            continue
        try:
            stored = reading.store.provision(change.provision, as_of=day, language=reading.language)
        except (UnknownProvision, NotInForce):
            continue
        shown = cited(stored, reading.packs, day)
        if first := next(iter(sentences(shown.text)), None):
            return shown, first
    return None, (0, 0)


def _amendments_of(reading: _Reading) -> Iterator[_Said]:
    for work in reading.asked.works:
        found = _amendments(work, reading)
        name, language = reading.name(work), reading.language
        if not found:
            since, until = days_of(reading.asked, reading.question.as_of)
            if reading.asked.since:
                period = period_words(since, until, language)
                yield reading.untold(work, "acts.not_amended_in", period=period)
            else:
                yield reading.untold(work, "acts.never_amended", day=day_words(until, language))
            continue
        days = sorted({one.day for one in found if one.day})
        acts = sorted({one.source_act for one in found if one.source_act}, key=str)
        made_by = acts_counted(len(acts), language)
        lines = [say(language, "acts.amendments", act=name, count=len(days), acts=made_by)]
        for day in reversed(days[-LISTED:]):
            of_day = [one for one in found if one.day == day]
            count = provisions_counted(len({one.provision for one in of_day}), language)
            made = list(dict.fromkeys(one.source_act for one in of_day if one.source_act))
            lines.append(f"– {day_words(day, language)}: {count}{_by(made, reading)}")
        if len(days) > LISTED:
            more = say(language, "acts.more", count=len(days) - LISTED)
            lines.append(f"– {more} (pykala history {work})")
        yield _Said("\n".join(lines), support=reading.beside([work, *acts[-LISTED:]], Relation.AMENDED_ACT))


def _amended_by(reading: _Reading) -> Iterator[_Said]:
    for work in reading.asked.works:
        edges = reading.store.edges([ProvisionId(work)], kinds=_CHANGING, direction=Direction.OUT)
        changed: dict[WorkId, set[ProvisionId]] = {}
        for edge in edges:
            if edge.target.work != work:
                changed.setdefault(edge.target.work, set()).add(edge.target)
        name, language = reading.name(work), reading.language
        if not changed:
            yield reading.untold(work, "acts.amends_nothing")
            continue
        ordered = sorted(changed, key=lambda one: (-len(changed[one]), one))
        lines = [say(language, "acts.amends", act=name, acts=acts_counted(len(ordered), language))]
        lines += [
            f"– {reading.name(one)}: {provisions_counted(len(changed[one]), language)}"
            for one in ordered[:LISTED]
        ]
        yield _Said("\n".join(lines), support=reading.beside([work, *ordered[:LISTED]], Relation.AMENDED_ACT))


def _whole(history: Sequence[Version]) -> Validity:
    """From an act's first day to its last; a repealed act may be held only from its end."""
    first, last = history[0].validity, history[-1].validity
    return Validity(first.start, last.start if history[-1].event is Event.REPEALED else last.end)


_ANSWERS: Mapping[Asked, Callable[[_Reading], Iterator[_Said]]] = {
    Asked.CHANGED_IN: _changed_in,
    Asked.AMENDED_BY: _amended_by,
    Asked.AMENDMENTS_OF: _amendments_of,
    Asked.LAST_AMENDED: _last_amended,
    Asked.SECTIONS: _sections,
    Asked.BEGINNING: _beginning,
    Asked.END: _end,
    Asked.ITSELF: _itself,
}
