"""Changes of acts: those of a period, those of one act, and those that one act made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from pykala.answer.about_acts.statements import Context, Statement
from pykala.answer.about_acts.words import acts_counted, day_words, period_words, provisions_counted
from pykala.answer.cite import cited
from pykala.law.answers import CitedProvision, Relation
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import WorkKind
from pykala.law.references import Direction, EdgeKind
from pykala.retrieve.metadata import days_of
from pykala.stores.changed import AMENDING, ChangedWork, WorkChange, changed_works
from pykala.stores.store import NotInForce, UnknownProvision
from pykala.text.phrases import say
from pykala.text.sentences import sentences
from pykala.versions.chains import Change

#: The relation of a changed act to an answer that lists it.
_CHANGED = {
    WorkChange.AMENDED: Relation.AMENDED_ACT,
    WorkChange.BEGAN: Relation.BEGAN_ACT,
    WorkChange.ENDED: Relation.ENDED_ACT,
}
LISTED = 20  # acts named in an answer
_NAMED = 4  # amending acts named after each amended act
_NO_ENACTMENTS = frozenset({WorkKind.CASE, WorkKind.GUIDANCE, WorkKind.UPLOAD})
_CHANGING = (EdgeKind.AMENDS, EdgeKind.INSERTS, EdgeKind.REPEALS)


def changed_in(context: Context) -> Iterator[Statement]:
    """The acts that were amended, began or ended in a period."""
    asked, language = context.asked, context.language
    since, until = days_of(asked, context.question.as_of)
    found = [
        one
        for one in changed_works(
            context.store,
            since,
            until,
            asked.change,
            jurisdictions=sorted(context.question.filter.jurisdictions),
        )
        if _is_of_kind(one.work, context)
    ]
    if asked.change is not WorkChange.AMENDED:
        found.sort(key=lambda one: (one.first, one.work))
    period = period_words(since, until, language)
    if not found:
        yield Statement(say(language, "acts.nothing_in", period=period), known=False)
        return
    happened, count = say(language, f"happened.{asked.change.value}"), acts_counted(len(found), language)
    lines = [say(language, "acts.changed_in", happened=happened, period=period, acts=count)]
    listed = found[:LISTED]
    lines += [f"– {_change_line(one, context)}" for one in listed]
    if len(found) > LISTED:
        more = say(language, "acts.more", count=len(found) - LISTED)
        lines.append(f"– {more} (pykala changes --since {since.isoformat()} --until {until.isoformat()})")
    yield Statement(
        "\n".join(lines), support=context.beside([one.work for one in listed], _CHANGED[asked.change])
    )


def _is_of_kind(work: WorkId, context: Context) -> bool:
    """Whether an act is of the kind asked for; "laws" include the Union's directives."""
    kinds, kind = context.asked.kinds, context.store.work(work).kind
    if kind in _NO_ENACTMENTS:
        return False
    pack = context.packs.get(work.jurisdiction)
    is_union = pack is not None and WorkKind.DIRECTIVE.value in pack.facts.authority
    return not kinds or kind.value in kinds or (is_union and WorkKind.ACT.value in kinds)


def _change_line(one: ChangedWork, context: Context) -> str:
    name = context.name(one.work)
    if context.asked.change is not WorkChange.AMENDED:
        return f"{name}, {day_words(one.first, context.language)}"
    count = provisions_counted(one.provisions, context.language)
    return f"{name}: {count}{_by(one.acts, context)}"


def _by(acts: Sequence[WorkId], context: Context) -> str:
    if not acts:
        return ""
    named = ", ".join(_short(act, context) for act in acts[-_NAMED:])
    named += " …" if len(acts) > _NAMED else ""
    return f" {say(context.language, 'acts.by', acts=named, count=len(acts))}"


def _short(act: WorkId, context: Context) -> str:
    """An amending act by its number: its title mostly repeats that of the amended act."""
    name = context.name(act)
    number = re.search(r"\((\d+/\d{4})\)$", name)
    if number:
        return number[1]
    return act.value.partition(":")[2] if name == str(act) else name


def _amendments(work: WorkId, context: Context) -> list[Change]:
    """Changes of an act after it began, up to the last day that counts."""
    since, until = days_of(context.asked, context.question.as_of)
    found = context.store.changes(since, until, works=[work])
    ends = {one.day for one in found if not one.provision.path and one.event is None}
    return [one for one in found if one.event in AMENDING or (one.event is None and one.day not in ends)]


def last_amended(context: Context) -> Iterator[Statement]:
    """When an act was last amended, by which acts, and the first words that changed."""
    for work in context.asked.works:
        found = _amendments(work, context)
        last = max((one.day for one in found if one.day), default=None)
        name, language = context.name(work), context.language
        if last is None:
            day = day_words(context.question.as_of, language)
            yield context.untold(work, "acts.never_amended", day=day)
            continue
        of_day = [one for one in found if one.day == last]
        acts = list(dict.fromkeys(one.source_act for one in of_day if one.source_act))
        what = provisions_counted(len({one.provision for one in of_day}), language) + _by(acts, context)
        text = say(language, "acts.last_amended", act=name, day=day_words(last, language), what=what)
        shown, quote = _changed_words(of_day, last, context)
        yield Statement(text, shown, quote, context.beside([work, *acts], Relation.AMENDED_ACT))


def _changed_words(
    changes: Sequence[Change], day: date, context: Context
) -> tuple[CitedProvision | None, tuple[int, int]]:
    """The first changed provision as worded since a day, and the span of its first sentence."""
    for change in changes:
        if change.event is None or not change.provision.path:
            continue
        try:
            stored = context.store.provision(change.provision, as_of=day, language=context.language)
        except (UnknownProvision, NotInForce):
            continue
        shown = cited(stored, context.packs, day)
        if first := next(iter(sentences(shown.text)), None):
            return shown, first
    return None, (0, 0)


def amendments_of(context: Context) -> Iterator[Statement]:
    """The days on which an act was amended, each with the amending acts."""
    for work in context.asked.works:
        found = _amendments(work, context)
        name, language = context.name(work), context.language
        if not found:
            since, until = days_of(context.asked, context.question.as_of)
            if context.asked.since:
                period = period_words(since, until, language)
                yield context.untold(work, "acts.not_amended_in", period=period)
            else:
                yield context.untold(work, "acts.never_amended", day=day_words(until, language))
            continue
        days = sorted({one.day for one in found if one.day})
        acts = sorted({one.source_act for one in found if one.source_act}, key=str)
        made_by = acts_counted(len(acts), language)
        lines = [say(language, "acts.amendments", act=name, count=len(days), acts=made_by)]
        for day in reversed(days[-LISTED:]):
            of_day = [one for one in found if one.day == day]
            count = provisions_counted(len({one.provision for one in of_day}), language)
            made = list(dict.fromkeys(one.source_act for one in of_day if one.source_act))
            lines.append(f"– {day_words(day, language)}: {count}{_by(made, context)}")
        if len(days) > LISTED:
            more = say(language, "acts.more", count=len(days) - LISTED)
            lines.append(f"– {more} (pykala history {work})")
        yield Statement(
            "\n".join(lines), support=context.beside([work, *acts[-LISTED:]], Relation.AMENDED_ACT)
        )


def amended_by(context: Context) -> Iterator[Statement]:
    """The other acts that an act amends, and in how many provisions."""
    for work in context.asked.works:
        edges = context.store.edges([ProvisionId(work)], kinds=_CHANGING, direction=Direction.OUT)
        changed: dict[WorkId, set[ProvisionId]] = {}
        for edge in edges:
            if edge.target.work != work:
                changed.setdefault(edge.target.work, set()).add(edge.target)
        name, language = context.name(work), context.language
        if not changed:
            yield context.untold(work, "acts.amends_nothing")
            continue
        ordered = sorted(changed, key=lambda one: (-len(changed[one]), one))
        lines = [say(language, "acts.amends", act=name, acts=acts_counted(len(ordered), language))]
        lines += [
            f"– {context.name(one)}: {provisions_counted(len(changed[one]), language)}"
            for one in ordered[:LISTED]
        ]
        yield Statement(
            "\n".join(lines), support=context.beside([work, *ordered[:LISTED]], Relation.AMENDED_ACT)
        )
