"""What a reader must know before relying on a cited provision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import date

from pykala.answer.acts import act_citation
from pykala.law.answers import Caveat, CaveatKind
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Event, Version, WorkKind
from pykala.law.references import Direction, Edge, EdgeKind, UnresolvedReference
from pykala.packs.pack import Pack
from pykala.stores.store import NotInForce, Store, StoredProvision, UnknownProvision
from pykala.text.dates import first_tax_year

LANGUAGES = {"fi": "Finnish", "sv": "Swedish", "en": "English", "fr": "French"}
_SHOWN = 3  # unresolved references, or findings, named before they are only counted
_AMENDING = (EdgeKind.AMENDS, EdgeKind.REPEALS, EdgeKind.INSERTS)
_CHANGING = (Event.AMENDED, Event.INSERTED, Event.REPEALED, Event.CORRECTED)
_ATTRIBUTED = 0.9  # share of a work's changes that name their act, from which it is believed to name them all


def of_provision(
    stored: StoredProvision, language: str, as_of: date, store: Store, packs: Mapping[str, Pack]
) -> Iterator[Caveat]:
    """The caveats of one cited provision on a date."""
    provision = stored.provision.id
    yield from of_time(stored, as_of, store, packs)
    if stored.work.kind is WorkKind.GUIDANCE:
        message = "This is guidance, not law: it says how an authority reads the law."
        yield Caveat(CaveatKind.GUIDANCE, provision, message)
    if stored.translation:
        others = [other for other in stored.languages if other != stored.language]
        message = f"This is an unofficial translation; the authentic text is in {_names(others)}."
        yield Caveat(CaveatKind.TRANSLATION, provision, message)
    if stored.language != language:
        held = f"This is the {_names([stored.language])} text"
        message = f"{held}; the library does not hold the work in {_names([language])}."
        if language in stored.languages:
            message = f"{held}: it is the one that was found, or that has a wording on the date."
        yield Caveat(CaveatKind.OTHER_LANGUAGE, provision, message)


def of_time(
    stored: StoredProvision, as_of: date, store: Store, packs: Mapping[str, Pack]
) -> Iterator[Caveat]:
    """What time did to the text that is shown: ended, to come, unknown, in doubt, overtaken."""
    acts = _Acts(store, packs, stored.language)
    yield from _ended(stored, as_of, acts)
    yield from _issued_later(stored, as_of)
    yield from _to_come(stored, as_of, acts)
    yield from _left_out(stored, as_of)
    yield from _in_doubt(stored)
    yield from _overtaken(stored, as_of, acts)
    yield from _lagging(stored, as_of, acts)
    yield from _applied_later(stored, as_of)


class _Acts:
    """The acts behind a text, as its readers know them."""

    def __init__(self, store: Store, packs: Mapping[str, Pack], language: str) -> None:
        self.store, self._packs, self._language = store, packs, language

    def by(self, acts: Iterable[WorkId | None]) -> str:
        """The words "by" and the acts; nothing where none is known."""
        named = [
            act_citation(act, self.store, self._packs, self._language) for act in dict.fromkeys(acts) if act
        ]
        return f" by {' and '.join(named)}" if named else ""


def _ended(stored: StoredProvision, as_of: date, acts: _Acts) -> Iterator[Caveat]:
    provision, version = stored.provision.id, stored.version
    start, end = version.validity.start, version.validity.end
    if version.event is Event.REPEALED:
        since = f" since {start.isoformat()}" if start else ""
        message = f"This provision is repealed{since}{acts.by([version.source_act])}."
        yield Caveat(CaveatKind.REPEALED, provision, message)
    elif end is not None and end <= as_of:
        message = f"This text is no longer in force: it was until {end.isoformat()}"
        if version.event is Event.TEMPORARY:
            message += ", for which time it was enacted"
        else:
            ender = acts.by([_ender(stored, end, acts.store)])
            message += f", when it was repealed{ender}" if ender else ""
        yield Caveat(CaveatKind.REPEALED, provision, f"{message}.")


def _ender(stored: StoredProvision, end: date, store: Store) -> WorkId | None:
    """The act that ended a text: its tombstone's, or one that is known to repeal it."""
    provision = stored.provision.id
    for version in store.history(provision, language=stored.language):
        if version.event is Event.REPEALED and version.validity.start == end and version.source_act:
            return version.source_act
    edges = store.edges([provision], kinds=[EdgeKind.REPEALS], direction=Direction.IN)
    return next((edge.source.work for edge in edges if _effective(edge, store) in (end, None)), None)


def _issued_later(stored: StoredProvision, as_of: date) -> Iterator[Caveat]:
    """A text without a first day of its own (guidance, a decision) that did not exist on the date."""
    issued = stored.work.issued
    if stored.version.validity.start is None and issued is not None and as_of < issued:
        message = f"This was issued on {issued.isoformat()}: it is later than {as_of.isoformat()}."
        yield Caveat(CaveatKind.HISTORY_UNAVAILABLE, stored.provision.id, message)


def _to_come(stored: StoredProvision, as_of: date, acts: _Acts) -> Iterator[Caveat]:
    provision = stored.provision.id
    if stored.version.validity.is_pending:
        act = acts.by([stored.version.source_act])
        message = f"This text is enacted{act}, but the day of its entry into force is not fixed."
        yield Caveat(CaveatKind.NOT_YET_IN_FORCE, provision, message)
        return
    later = [one for one in _versions(stored) if one.validity.start and as_of < one.validity.start]
    if not later:
        return
    newest = max(version.validity.start or date.min for version in later)
    act = acts.by(version.source_act for version in later if version.validity.start == newest)
    if any(version.history_unavailable for version in later):
        message = (
            f"The wording in force on {as_of.isoformat()} is not in this source; what is shown is in force"
            f" since {newest.isoformat()}{', as changed' + act if act else ''}."
        )
        yield Caveat(CaveatKind.HISTORY_UNAVAILABLE, provision, message)
    else:
        message = f"This text comes into force on {newest.isoformat()}{', enacted' + act if act else ''}."
        yield Caveat(CaveatKind.NOT_YET_IN_FORCE, provision, message)


def _left_out(stored: StoredProvision, as_of: date) -> Iterator[Caveat]:
    if stored.missing:
        message = (
            f"On {as_of.isoformat()} {len(stored.missing)} parts of it had a wording that the source does not"
            f" hold, and are left out: {', '.join(map(str, stored.missing[:_SHOWN]))}"
            f"{' …' if len(stored.missing) > _SHOWN else ''}."
        )
        yield Caveat(CaveatKind.HISTORY_UNAVAILABLE, stored.provision.id, message)


def _in_doubt(stored: StoredProvision) -> Iterator[Caveat]:
    """Findings of the text itself and of everything below it that is shown with it."""
    found = {
        finding: node.id
        for node in reversed(list(stored.provision.walk()))
        for version in node.versions
        for finding in version.findings
    }
    named = list(reversed(found.items()))
    for finding, place in named[:_SHOWN]:
        yield Caveat(CaveatKind.SUSPECT, place, finding)
    if len(named) > _SHOWN:
        message = f"{len(named) - _SHOWN} more findings make parts of this text suspect."
        yield Caveat(CaveatKind.SUSPECT, stored.provision.id, message)


def _overtaken(stored: StoredProvision, as_of: date, acts: _Acts) -> Iterator[Caveat]:
    """Acts that name the provision, are in force on the date, and are not in the text that is shown."""
    provision, newest = stored.provision.id, _newest_start(stored)
    if not provision.path or newest is None:
        return
    later: dict[WorkId, date] = {}
    for edge in acts.store.edges([provision], kinds=_AMENDING, direction=Direction.IN):
        day = _effective(edge, acts.store)
        if day is not None and newest < day <= as_of:
            later[edge.source.work] = min(day, later.get(edge.source.work, day))
    missing = _not_reflected(later, provision.work, acts.store) if later else {}
    if missing:
        message = (
            f"This text is older than an amendment in force since {min(missing.values()).isoformat()},"
            f" made{acts.by(missing)}; the wording it gives is in that act."
        )
        yield Caveat(CaveatKind.STALE, provision, message)


def _not_reflected(later: Mapping[WorkId, date], work: WorkId, store: Store) -> dict[WorkId, date]:
    """Those of some amending acts whose changes a work does not hold yet.

    A work that tells of its words which act made them (consolidated EU law does) holds the acts it tells of;
    of any other work, a state holds everything that came before it.
    """
    changes = store.changes(min(later.values()), works=[work])
    made = [change.source_act for change in changes if change.event in _CHANGING]
    if made and sum(act is not None for act in made) >= _ATTRIBUTED * len(made):
        return {act: day for act, day in later.items() if act not in made}
    last = max((change.day for change in changes if change.day), default=date.min)
    return {act: day for act, day in later.items() if last < day and act not in made}


def _effective(edge: Edge, store: Store) -> date | None:
    """Since when an amending edge counts: its own date, else that of the act that it comes from."""
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


def _versions(stored: StoredProvision) -> Iterator[Version]:
    """The wordings shown: of the provision and of everything below it."""
    return (version for node in stored.provision.walk() for version in node.versions)


def _lagging(stored: StoredProvision, as_of: date, acts: _Acts) -> Iterator[Caveat]:
    """A text in one language that lacks a change which the work's first language has."""
    provision, own, first = stored.provision.id, _newest_start(stored), stored.languages[0]
    if own is None or first == stored.language:
        return
    try:
        leading = acts.store.provision(provision, as_of=as_of, language=first)
    except (NotInForce, UnknownProvision):
        return
    newest = _newest_start(leading)
    if leading.translation or newest is None or newest <= own:
        return
    made = {version.source_act for version in _versions(leading) if version.validity.start == newest}
    if not stored.translation and not _lacks(stored, made, acts.store):
        return  # two authentic texts may be dated a little apart and say the same
    behind = "translation" if stored.translation else f"{_names([stored.language])} text"
    message = (
        f"The {behind} is behind: the {_names([first])} text was changed on {newest.isoformat()}"
        f"{acts.by(made)}."
    )
    yield Caveat(CaveatKind.STALE, provision, message)


def _lacks(stored: StoredProvision, made: Set[WorkId | None], store: Store) -> bool:
    """Whether no wording of a text was made by any of some acts."""
    chain = store.chain(stored.provision.id, language=stored.language)
    own = {version.source_act for node in chain.walk() for version in node.versions}
    return bool(made - {None}) and own.isdisjoint(made)


def _applied_later(stored: StoredProvision, as_of: date) -> Iterator[Caveat]:
    """A text in force whose own law says that it applies only to later tax years."""
    for node in stored.provision.walk():
        for version in node.versions:
            first = first_tax_year(version.application) if version.application else None
            if first is not None and as_of.year < first and version.validity.covers(as_of):
                message = f"This wording applies from tax year {first} on: {version.application}"
                yield Caveat(CaveatKind.APPLICATION, node.id, message)
                return


def of_references(unresolved: Sequence[UnresolvedReference]) -> Iterator[Caveat]:
    """References of the primary provision that lead out of the library."""
    for reference in unresolved[:_SHOWN]:
        message = f"It refers to “{reference.text}”, which is {reference.reason.value}."
        yield Caveat(CaveatKind.UNRESOLVED_REFERENCE, reference.source, message)
    if len(unresolved) > _SHOWN:
        message = f"{len(unresolved) - _SHOWN} more references lead out of the library."
        yield Caveat(CaveatKind.UNRESOLVED_REFERENCE, unresolved[0].source, message)


def of_library(facts: Mapping[str, str]) -> Iterator[Caveat]:
    """What holds for every answer from a library."""
    if facts.get("edition") == "sample":
        message = (
            "This comes from the sample library: short paraphrases that ship with Pykälä, not the law."
            " Add the law itself with 'pykala ingest'."
        )
        yield Caveat(CaveatKind.SAMPLE, None, message)


def _names(languages: Sequence[str]) -> str:
    return " and ".join(LANGUAGES.get(language, language) for language in languages) or "another language"
