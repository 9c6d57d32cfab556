"""The state of an act: its sections in force, its first day and its end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from pykala.answer.about_acts.statements import Context, Statement
from pykala.answer.about_acts.words import day_words
from pykala.answer.cite import cited
from pykala.answer.commencing import commencing
from pykala.answer.repealing import repealing
from pykala.law.answers import Caveat, CaveatKind, Relation, Support
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Provision, ProvisionKind
from pykala.packs.sections import CONTAINERS
from pykala.stores.store import NotInForce, StoredProvision, UnknownProvision
from pykala.text.phrases import say, tell

_SECTIONS = frozenset({ProvisionKind.SECTION, ProvisionKind.ARTICLE})


def sections_in_force(context: Context) -> Iterator[Statement]:
    """How many sections of an act are in force, with the first and the last."""
    for work in context.asked.works:
        stored = _standing(ProvisionId(work), context)
        found = [] if stored is None else [one for one in _numbered(stored.provision) if _says(one)]
        if stored is None or not found:
            yield Statement(say(context.language, "acts.no_sections", act=context.name(work)), known=False)
            continue
        ends = [
            cited(context.store.provision(one.id, as_of=context.question.as_of, language=stored.language),
                  context.packs, context.question.as_of)
            for one in (found[0], found[-1])
        ]  # fmt: skip
        key = "acts.articles" if found[0].kind is ProvisionKind.ARTICLE else "acts.sections"
        # Nothing can be counted after the day to which the act is known.
        day = min(context.question.as_of, stored.work.current_to or context.question.as_of)
        text = say(
            context.language,
            key,
            act=context.name(work),
            count=len(found),
            day=day_words(day, context.language),
            first=found[0].label.strip(),
            last=found[-1].label.strip(),
        )
        beside = tuple(
            Support(end, relation, 0)
            for end, relation in zip(ends, (Relation.FIRST_SECTION, Relation.LAST_SECTION), strict=True)
        )
        yield Statement(text, support=(*context.beside([work], Relation.COUNTED_ACT), *beside))


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


def _standing(provision: ProvisionId, context: Context) -> StoredProvision | None:
    try:
        return context.store.provision(
            provision, as_of=context.question.as_of, language=context.question.language
        )
    except (UnknownProvision, NotInForce):
        return None


def beginning(context: Context) -> Iterator[Statement]:
    """When an act entered into force, in its own words where it has them."""
    for work in context.asked.works:
        act, language = context.act(work), context.language
        beside = context.beside([work], Relation.DATED_ACT)
        start = act.validity.start
        if act.validity.is_pending:
            yield context.untold(work, "acts.pending")
            continue
        days = tuple(dict.fromkeys((start or context.question.as_of, context.question.as_of)))
        said = commencing(work, days, language, context.store)
        if said is None and start is None:
            yield context.untold(work, "acts.began_unknown")
            continue
        day = day_words(start or context.question.as_of, language)
        if said is None:  # a source may give the date of the act, not that of its entry into force
            yield Statement(say(language, "acts.dated", act=act.citation, day=day), support=beside)
            continue
        shown, quote = cited(said.stored, context.packs, days[0]), (said.start, said.end)
        words = shown.text[said.start : said.end]
        if start is not None and said.day == start:
            text = say(language, "acts.began", act=act.citation, day=day)
        else:
            text = say(language, "acts.own_words", act=act.citation, words=words)
        yield Statement(text, shown, quote, beside)


def itself(context: Context) -> Iterator[Statement]:
    """The state of an act: its sections in force, else whether and when it ended."""
    sections = tuple(sections_in_force(context))
    yield from sections if any(said.known for said in sections) else end_of(context)


def end_of(context: Context) -> Iterator[Statement]:
    """Whether an act is in force; if it ended, when, and the words that repealed it."""
    for work in context.asked.works:
        act, language, today = context.act(work), context.language, context.question.as_of
        start, end = act.validity.start, act.validity.end
        doubts = _doubts(work, context) if end is None else ()
        if doubts:  # a source that doubts whether an act is in force cannot be quoted as saying that it is
            yield replace(
                context.untold(work, "acts.doubtful", day=day_words(today, language)), doubts=doubts
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
        said = Statement(text, support=context.beside([work], Relation.DATED_ACT))
        yield _with_repeal(said, work, end, context) if end is not None and end <= today else said


def _with_repeal(said: Statement, work: WorkId, end: date, context: Context) -> Statement:
    """The end of an act with the words that repealed it; unsure where these leave the day to another rule."""
    found = repealing(work, end, context.language, context.store)
    if found is None:
        return said
    told = replace(said, primary=cited(found.stored, context.packs, end), quote=(found.start, found.end))
    if not found.leaves_day_open:
        return told
    message = say(context.language, "caveat.repeal_day", day=end)
    doubt = Caveat(CaveatKind.SUSPECT, found.stored.provision.id, message)
    return replace(told, sure=False, doubts=(*told.doubts, doubt))


def _doubts(work: WorkId, context: Context) -> tuple[Caveat, ...]:
    """A source's doubts about a whole act: that it may have ended on an unnamed day."""
    root = ProvisionId(work)
    newest = context.store.history(root)[-1:]
    if not newest and (stored := _standing(root, context)):  # some sources date only an act's provisions
        newest = next((one.versions[-1:] for one in stored.provision.walk() if one.versions), ())
    found = (tell(context.language, one) for version in newest for one in version.findings)
    return tuple(Caveat(CaveatKind.SUSPECT, root, one) for one in found)
