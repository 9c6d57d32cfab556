"""What a reader must know before relying on a cited provision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date
from itertools import islice

from pykala.answer.acts import act_citation
from pykala.answer.cite import citation, known_day
from pykala.answer.lacking import not_held
from pykala.law.answers import Answer, Caveat, CaveatKind
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Event, Version, WorkKind
from pykala.law.references import Direction, Edge, EdgeKind, EdgesWanted
from pykala.packs.pack import Pack
from pykala.retrieve.cites import NotHeld
from pykala.stores.store import Store, StoredProvision, UnknownProvision, Wording
from pykala.text.dates import first_tax_year
from pykala.text.languages.known import language_of
from pykala.text.periods import opens_in_the_past
from pykala.text.phrases import LANGUAGES, say, tell

_SHOWN = 3  # findings named in full; further ones are only counted
_AMENDING = (EdgeKind.AMENDS, EdgeKind.REPEALS, EdgeKind.INSERTS)
_CHANGING = (Event.AMENDED, Event.INSERTED, Event.REPEALED, Event.CORRECTED)
_ATTRIBUTED = 0.9  # if this share of a work's changes name their act, the work is taken to name all of them


def of_provision(
    stored: StoredProvision,
    language: str,
    as_of: date,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    spoken: str = LANGUAGES[0],
) -> Iterator[Caveat]:
    """The caveats of one cited provision on a date; `spoken` is the language of the messages."""
    provision = stored.provision.id
    yield from of_upload(stored, spoken=spoken)
    yield from of_knowledge(known_day(stored), as_of, provision, spoken=spoken)
    yield from of_time(stored, as_of, store, packs, spoken=spoken)
    if stored.work.kind is WorkKind.GUIDANCE:
        yield Caveat(CaveatKind.GUIDANCE, provision, say(spoken, "caveat.guidance"))
    if stored.translation:
        others = [other for other in stored.languages if other != stored.language]
        message = say(spoken, "caveat.translation", languages=_held_in(others, spoken))
        yield Caveat(CaveatKind.TRANSLATION, provision, message)
    if stored.language != language:
        shown = _text_in(stored.language, spoken)
        if language in stored.languages:
            message = say(spoken, "caveat.other_language_found", language=shown)
        else:
            asked = _held_in([language], spoken)
            message = say(spoken, "caveat.other_language", language=shown, asked=asked)
        yield Caveat(CaveatKind.OTHER_LANGUAGE, provision, message)


def of_upload(stored: StoredProvision, *, spoken: str = LANGUAGES[0]) -> Iterator[Caveat]:
    """The caveat that a text is a user's own document and not law."""
    if stored.work.kind is WorkKind.UPLOAD:
        yield Caveat(CaveatKind.UPLOAD, stored.provision.id, say(spoken, "caveat.upload"))


def of_knowledge(
    known: date | None, as_of: date, provision: ProvisionId | None = None, *, spoken: str = LANGUAGES[0]
) -> Iterator[Caveat]:
    """The caveat that the date is later than the last day to which the library knows this law."""
    if known is not None and known < as_of:
        message = say(spoken, "caveat.beyond", known=known, day=as_of)
        yield Caveat(CaveatKind.BEYOND_CURRENT_TO, provision, message)


def of_not_held(lacking: NotHeld | None, *, spoken: str = LANGUAGES[0]) -> Iterator[Caveat]:
    """The caveat that the act named in the question is not held, and that other law answered."""
    if lacking is not None:
        yield Caveat(CaveatKind.UNRESOLVED_REFERENCE, None, not_held(lacking, spoken))


def said_once(found: Iterable[Caveat]) -> tuple[Caveat, ...]:
    """Caveats without duplicates; the first of each is kept."""
    return tuple({(caveat.kind, caveat.message): caveat for caveat in reversed([*found])}.values())[::-1]


def shared(parts: Sequence[Answer]) -> tuple[Caveat, ...]:
    """Caveats that several parts of an answer share; they are shown once, below all parts."""
    counted = Counter(said for part in parts for said in {(one.kind, one.message) for one in part.caveats})
    return said_once(one for part in parts for one in part.caveats if counted[one.kind, one.message] > 1)


def without(answer: Answer, told: Collection[Caveat]) -> Answer:
    """An answer without some caveats, which are shown elsewhere."""
    said = {(one.kind, one.message) for one in told}
    return replace(
        answer, caveats=tuple(one for one in answer.caveats if (one.kind, one.message) not in said)
    )


def of_time(
    stored: StoredProvision,
    as_of: date,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    spoken: str = LANGUAGES[0],
) -> Iterator[Caveat]:
    """Caveats of time: ended, not yet in force, history unknown, in doubt, superseded."""
    acts = _Acts(store, packs, stored.language, spoken)
    yield from _ended(stored, as_of, acts)
    yield from _issued_later(stored, as_of, spoken)
    yield from _to_come(stored, as_of, acts)
    yield from _left_out(stored, as_of, packs, spoken)
    yield from _left_out_until_applied(stored, as_of, packs, spoken)
    yield from _in_doubt(stored, packs, spoken)
    yield from _overtaken(stored, as_of, acts)
    yield from _lagging(stored, as_of, acts)
    yield from _applied_later(stored, as_of, spoken)


def read_at_once(
    shown: Sequence[StoredProvision],
    as_of: date,
    store: Store,
    *,
    wordings: Sequence[Wording] = (),
    unresolved: Sequence[ProvisionId] = (),
) -> None:
    """Read at once what the caveats of several provisions need.

    `of_time` asks for it again, provision by provision; a store that reads everything once then has it.
    """
    leading = (_leading(one, as_of) for one in shown)
    texts = [*wordings, *(one for one in leading if one is not None)]
    amending = [_amending(one) for one in shown if _may_be_overtaken(one)]
    ending = [_repealing(one) for one in shown if _has_ended(one, as_of)]
    wanted = [*amending, *ending]

    def read_texts() -> None:
        if texts:
            store.provisions(texts)

    def read_references() -> None:
        found = store.references(wanted, unresolved).edges if wanted or unresolved else ()
        acts = [edge.source.work for edges in found for edge in edges if edge.validity.start is None]
        if acts:
            store.works_of(acts)

    store.at_once([read_texts, read_references])


def _amending(stored: StoredProvision) -> EdgesWanted:
    return EdgesWanted.of([stored.provision.id], _AMENDING, Direction.IN)


def _repealing(stored: StoredProvision) -> EdgesWanted:
    return EdgesWanted.of([stored.provision.id], [EdgeKind.REPEALS], Direction.IN)


def _may_be_overtaken(stored: StoredProvision) -> bool:
    return bool(stored.provision.id.path) and _newest_start(stored) is not None


def _has_ended(stored: StoredProvision, as_of: date) -> bool:
    """Whether an act ended the text by this date; the caveat names the act."""
    version, end = stored.version, stored.version.validity.end
    return version.event not in (Event.REPEALED, Event.TEMPORARY) and end is not None and end <= as_of


def _leading(stored: StoredProvision, as_of: date) -> Wording | None:
    """The same provision in the work's first language, where that differs and may be ahead."""
    first = stored.languages[0]
    if _newest_start(stored) is None or first == stored.language:
        return None
    return Wording(stored.provision.id, as_of, first)


class _Acts:
    """The acts behind a text with their citations, and the language of the messages."""

    def __init__(self, store: Store, packs: Mapping[str, Pack], language: str, spoken: str) -> None:
        self.store, self._packs, self._language, self.spoken = store, packs, language, spoken

    def by(self, acts: Iterable[WorkId | None]) -> str:
        """The word "by" and the acts; empty where none is known."""
        named = [
            act_citation(act, self.store, self._packs, self._language) for act in dict.fromkeys(acts) if act
        ]
        listed = say(self.spoken, "words.and").join(named)
        return say(self.spoken, "words.by", acts=listed, count=len(named)) if named else ""


def _ended(stored: StoredProvision, as_of: date, acts: _Acts) -> Iterator[Caveat]:
    provision, version = stored.provision.id, stored.version
    start, end = version.validity.start, version.validity.end
    if version.event is Event.REPEALED:
        since = say(acts.spoken, "words.since", day=start) if start else ""
        message = say(acts.spoken, "caveat.repealed", since=since, by=acts.by([version.source_act]))
        yield Caveat(CaveatKind.REPEALED, provision, message)
    elif end is not None and end <= as_of:
        if version.ends_by_its_words:
            message = say(acts.spoken, "caveat.ended_by_its_words", day=end)
            yield Caveat(CaveatKind.APPLICATION, provision, message)
            return
        temporary = version.event is Event.TEMPORARY
        ender = "" if temporary else acts.by([_ender(stored, end, acts.store)])
        if temporary:
            message = say(acts.spoken, "caveat.ended_temporary", day=end)
        elif ender:
            message = say(acts.spoken, "caveat.ended_repealed", day=end, by=ender)
        else:
            message = say(acts.spoken, "caveat.ended", day=end)
        yield Caveat(CaveatKind.REPEALED, provision, message)


def _ender(stored: StoredProvision, end: date, store: Store) -> WorkId | None:
    """The act that ended a text: from its tombstone, or a known repeal."""
    provision = stored.provision.id
    for version in store.history(provision, language=stored.language):
        if version.event is Event.REPEALED and version.validity.start == end and version.source_act:
            return version.source_act
    (edges,) = store.edges_of([_repealing(stored)])
    return next((edge.source.work for edge in edges if _effective(edge, store) in (end, None)), None)


def _issued_later(stored: StoredProvision, as_of: date, spoken: str) -> Iterator[Caveat]:
    """Whether an undated text (guidance, a decision) did not exist on the date."""
    issued = stored.work.issued
    if stored.version.validity.start is None and issued is not None and as_of < issued:
        message = say(spoken, "caveat.issued_later", issued=issued, day=as_of)
        yield Caveat(CaveatKind.HISTORY_UNAVAILABLE, stored.provision.id, message)


def _to_come(stored: StoredProvision, as_of: date, acts: _Acts) -> Iterator[Caveat]:
    provision = stored.provision.id
    if stored.version.validity.is_pending:
        message = say(acts.spoken, "caveat.pending", by=acts.by([stored.version.source_act]))
        yield Caveat(CaveatKind.NOT_YET_IN_FORCE, provision, message)
        return
    yield from _applied_apart(stored, as_of, acts.spoken)
    later = [
        one
        for one in _versions(stored)
        if one.validity.start and as_of < one.validity.start and one.in_force is None
    ]
    if not later:
        return
    newest = max(version.validity.start or date.min for version in later)
    act = acts.by(version.source_act for version in later if version.validity.start == newest)
    if any(version.history_unavailable for version in later):
        if act:
            message = say(acts.spoken, "caveat.later_wording_by", day=as_of, since=newest, by=act)
        else:
            message = say(acts.spoken, "caveat.later_wording", day=as_of, since=newest)
        yield Caveat(CaveatKind.HISTORY_UNAVAILABLE, provision, message)
    else:
        if act:
            message = say(acts.spoken, "caveat.to_come_by", day=newest, by=act)
        else:
            message = say(acts.spoken, "caveat.to_come", day=newest)
        yield Caveat(CaveatKind.NOT_YET_IN_FORCE, provision, message)


def _applied_apart(stored: StoredProvision, as_of: date, spoken: str) -> Iterator[Caveat]:
    """Whether a text enters into force and applies on two different days near the date."""
    for node in stored.provision.walk():
        for version in node.versions:
            entered, applies = version.in_force, version.validity.start
            if entered is None or applies is None or as_of >= max(entered, applies):
                continue
            days = {"since": entered, "day": applies}
            if as_of >= applies:
                message = say(spoken, "caveat.applied_before", **days)
                yield Caveat(CaveatKind.APPLICATION, node.id, message)
            elif as_of >= entered:
                message = say(spoken, "caveat.not_yet_applicable", **days)
                yield Caveat(CaveatKind.NOT_YET_APPLICABLE, node.id, message)
            else:
                yield Caveat(CaveatKind.NOT_YET_IN_FORCE, node.id, say(spoken, "caveat.to_apply", **days))
            return


def _left_out(
    stored: StoredProvision, as_of: date, packs: Mapping[str, Pack], spoken: str
) -> Iterator[Caveat]:
    """Parts that are not shown: the source lacks their wording, or they end by their own words."""
    for places, kind, phrase in (
        (stored.missing, CaveatKind.HISTORY_UNAVAILABLE, "caveat.left_out"),
        (stored.past, CaveatKind.APPLICATION, "caveat.past_parts"),
    ):
        if places:
            named = _places_named(places, stored, packs)
            message = say(spoken, phrase, day=as_of, count=len(places), places=named)
            yield Caveat(kind, stored.provision.id, message)


def _left_out_until_applied(
    stored: StoredProvision, as_of: date, packs: Mapping[str, Pack], spoken: str
) -> Iterator[Caveat]:
    """Parts that are not shown because they apply only from a later day, by that day."""
    found: dict[tuple[date, CaveatKind], list[ProvisionId]] = {}
    for part in stored.later:
        entered, applies = part.versions[0].in_force, part.versions[0].validity.start
        if applies is not None:
            # The wording shown may be later than the date, and some of its parts not in force on the date.
            entered_by_then = entered is None or entered <= as_of
            kind = CaveatKind.NOT_YET_APPLICABLE if entered_by_then else CaveatKind.NOT_YET_IN_FORCE
            found.setdefault((applies, kind), []).append(part.id)
    for (applies, kind), places in sorted(found.items()):
        named = _places_named(places, stored, packs)
        message = say(spoken, "caveat.later_parts", day=applies, count=len(places), places=named)
        yield Caveat(kind, stored.provision.id, message)


def _places_named(places: Sequence[ProvisionId], stored: StoredProvision, packs: Mapping[str, Pack]) -> str:
    named = "; ".join(citation(one, stored.work, stored.language, packs) for one in places[:_SHOWN])
    return f"{named} …" if len(places) > _SHOWN else named


def _in_doubt(stored: StoredProvision, packs: Mapping[str, Pack], spoken: str) -> Iterator[Caveat]:
    """Findings of the text, and of everything shown below it; of one part alone, with its citation."""
    found: dict[Message, list[ProvisionId]] = {}
    for node in stored.provision.walk():
        for finding in {finding: None for version in node.versions for finding in version.findings}:
            found.setdefault(finding, []).append(node.id)
    for finding, places in islice(found.items(), _SHOWN):
        message = tell(spoken, finding)
        if places != [stored.provision.id] and len(places) == 1:
            message = f"{citation(places[0], stored.work, stored.language, packs)}: {message}"
        yield Caveat(CaveatKind.SUSPECT, places[0], message)
    if len(found) > _SHOWN:
        message = say(spoken, "caveat.more_findings", count=len(found) - _SHOWN)
        yield Caveat(CaveatKind.SUSPECT, stored.provision.id, message)


def _overtaken(stored: StoredProvision, as_of: date, acts: _Acts) -> Iterator[Caveat]:
    """Acts in force on the date that amend the provision but are not in the text shown."""
    provision, newest = stored.provision.id, _newest_entry(stored)
    if not _may_be_overtaken(stored) or newest is None:
        return
    later: dict[WorkId, date] = {}
    (edges,) = acts.store.edges_of([_amending(stored)])
    for edge in edges:
        day = _effective(edge, acts.store)
        # An act that amends itself has no other wording to be reflected in.
        if day is not None and newest < day <= as_of and edge.source.work != provision.work:
            later[edge.source.work] = min(day, later.get(edge.source.work, day))
    missing = _not_reflected(later, provision.work, acts.store) if later else {}
    if missing:
        message = say(acts.spoken, "caveat.overtaken", day=min(missing.values()), by=acts.by(missing))
        yield Caveat(CaveatKind.STALE, provision, message)


def _not_reflected(later: Mapping[WorkId, date], work: WorkId, store: Store) -> dict[WorkId, date]:
    """Amending acts whose changes a work does not contain yet.

    If a work names the act behind each wording (consolidated EU law does), it contains exactly the acts it
    names. Any other work is taken to contain every act older than its latest change.
    """
    changes = store.changes(min(later.values()), works=[work])
    made = [change.source_act for change in changes if change.event in _CHANGING]
    if made and sum(act is not None for act in made) >= _ATTRIBUTED * len(made):
        return {act: day for act, day in later.items() if act not in made}
    last = max((change.day for change in changes if change.day), default=date.min)
    return {act: day for act, day in later.items() if last < day and act not in made}


def _effective(edge: Edge, store: Store) -> date | None:
    """When an amending edge takes effect: its own date, else that of its act."""
    if edge.validity.start is not None:
        return edge.validity.start
    try:
        work = store.work(edge.source.work)
    except UnknownProvision:
        return None
    return work.validity.start or work.issued


def _newest_start(stored: StoredProvision) -> date | None:
    starts = (version.validity.start for version in _versions(stored))
    return max((start for start in starts if start is not None), default=None)


def _newest_entry(stored: StoredProvision) -> date | None:
    """The last day on which a wording shown began to apply or entered into force.

    The rates of 1185/2023 apply from 2023-10-12 and are in force from 2024-01-01: they are not older than
    the act that gave them.
    """
    days = (day for version in _versions(stored) for day in (version.validity.start, version.in_force))
    return max((day for day in days if day is not None), default=None)


def _versions(stored: StoredProvision) -> Iterator[Version]:
    """The versions shown: of the provision and of everything below it."""
    return (version for node in stored.provision.walk() for version in node.versions)


def _lagging(stored: StoredProvision, as_of: date, acts: _Acts) -> Iterator[Caveat]:
    """Whether a text lacks a change that the work's first language has."""
    provision, own, first = stored.provision.id, _newest_start(stored), stored.languages[0]
    wanted = _leading(stored, as_of)
    if own is None or wanted is None:
        return
    (leading,) = acts.store.provisions([wanted])
    if isinstance(leading, LookupError):
        return
    newest = _newest_start(leading)
    if leading.translation or newest is None or newest <= own:
        return
    made = {version.source_act for version in _versions(leading) if version.validity.start == newest}
    if not stored.translation and not _lacks(stored, made, acts.store):
        return  # two authentic texts may say the same with slightly different dates
    leads, by = _text_in(first, acts.spoken), acts.by(made)
    if stored.translation:
        message = say(acts.spoken, "caveat.translation_behind", first=leads, day=newest, by=by)
    else:
        own_text = _text_in(stored.language, acts.spoken)
        message = say(
            acts.spoken, "caveat.language_behind", language=own_text, first=leads, day=newest, by=by
        )
    yield Caveat(CaveatKind.STALE, provision, message)


def _lacks(stored: StoredProvision, made: Set[WorkId | None], store: Store) -> bool:
    """Whether no version of a text comes from one of these acts."""
    chain = store.chain(stored.provision.id, language=stored.language)
    own = {version.source_act for node in chain.walk() for version in node.versions}
    return bool(made - {None}) and own.isdisjoint(made)


def _applied_later(stored: StoredProvision, as_of: date, spoken: str) -> Iterator[Caveat]:
    """Whether a text in force applies, by its own words, only to later tax years."""
    for node in stored.provision.walk():
        for version in node.versions:
            first = first_tax_year(version.application) if version.application else None
            if first is not None and as_of.year < first and version.validity.covers(as_of):
                message = say(spoken, "caveat.applied_from", year=str(first), words=version.application)
                yield Caveat(CaveatKind.APPLICATION, node.id, message)
                return


def of_words(
    text: str, provision: ProvisionId, as_of: date, *, spoken: str = LANGUAGES[0]
) -> Iterator[Caveat]:
    """The caveat that words still in force apply only to a time that has passed."""
    year = opens_in_the_past(text, as_of)
    if year is not None:
        message = say(spoken, "caveat.past_period", year=str(year), day=as_of)
        yield Caveat(CaveatKind.APPLICATION, provision, message)


def of_library(facts: Mapping[str, str], *, spoken: str = LANGUAGES[0]) -> Iterator[Caveat]:
    """Caveats of every answer from a library."""
    if facts.get("indexes") == "behind":
        yield Caveat(CaveatKind.DEGRADED, None, say(spoken, "caveat.behind"))
    if facts.get("edition") == "sample":
        yield Caveat(CaveatKind.SAMPLE, None, say(spoken, "caveat.sample"))


def _text_in(language: str, spoken: str) -> str:
    """A text by its language: "the Finnish text"; by its code where the language has no name."""
    return say(spoken, f"text_in.{language}") if language in LANGUAGES else _named(language)


def _held_in(languages: Sequence[str], spoken: str) -> str:
    named = [say(spoken, f"held_in.{one}") if one in LANGUAGES else _named(one) for one in languages]
    return say(spoken, "words.and").join(named) or say(spoken, "words.another_language")


def _named(language: str) -> str:
    """The name of a language from a pack, else its code."""
    known = language_of(language)
    return known.name if known else language
