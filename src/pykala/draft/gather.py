"""Collect the law for a context, each section once, by weight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from pykala.answer.cite import cited
from pykala.graph.walk import section_of
from pykala.law.answers import Answer, CitedProvision
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Event
from pykala.packs.pack import Pack
from pykala.stores.store import NotInForce, Store, StoredProvision, UnknownProvision
from pykala.text.tokens import count_tokens
from pykala.versions.mismatches import CitedChain, cited_chain

#: A section with at most this many tokens is given whole; of a longer one, only the provision that answers.
_WHOLE_SECTION = 2_000
_ANSWERS = "answers"


@dataclass(frozen=True, slots=True)
class Gathered:
    """A provision to show, its relevant place, and its relation to the question."""

    shown: CitedProvision
    pinpoint: ProvisionId
    relation: str
    others: tuple[CitedProvision, ...]  # in further languages
    chain: CitedChain


def gather(
    answer: Answer, store: Store, packs: Mapping[str, Pack], *, both_languages: bool
) -> Iterator[Gathered]:
    """The answer's provision, its support in order, then other candidates."""
    taken: set[ProvisionId] = set()
    for provision, language, relation in _candidates(answer):
        section = section_of(provision)
        if section in taken or not (provision.path or relation == _ANSWERS):
            continue  # provisions above the sections describe the work, and do not answer the question
        stored = _on_date(store, provision, answer.as_of, language)
        if relation == _ANSWERS and (stored is None or stored.missing):
            stored = store.provision(provision, language=language)  # the wording that the answer shows
        elif stored is None or (stored.version.event is Event.REPEALED and relation != _ANSWERS):
            continue
        else:
            stored = _with_its_section(stored, section, store, answer.as_of)
        taken.add(section)
        shown = cited(stored, packs, answer.as_of)
        others = tuple(_counterparts(stored, store, packs, answer.as_of)) if both_languages else ()
        chain = store.chain(shown.provision, language=shown.language)
        history = cited_chain(chain, shown.citation, shown.language)
        yield Gathered(shown, provision, relation, others, history)


def _candidates(answer: Answer) -> Iterator[tuple[ProvisionId, str, str]]:
    if answer.primary is not None:
        yield answer.primary.provision, answer.primary.language, _ANSWERS
    for support in answer.support:
        yield support.cited.provision, support.cited.language, support.relation
    for considered in answer.evidence:
        yield considered.provision, answer.language, "considered"


def _on_date(store: Store, provision: ProvisionId, as_of: date, language: str) -> StoredProvision | None:
    try:
        return store.provision(provision, as_of=as_of, language=language)
    except (NotInForce, UnknownProvision):
        return None


def _with_its_section(
    stored: StoredProvision, section: ProvisionId, store: Store, as_of: date
) -> StoredProvision:
    """The section around a provision, unless it is long or incomplete."""
    if section == stored.provision.id:
        return stored
    whole = _on_date(store, section, as_of, stored.language)
    if whole is None or whole.missing or whole.language != stored.language:
        return stored
    words = (version.text for node in whole.provision.walk() for version in node.versions)
    return whole if sum(map(count_tokens, words)) <= _WHOLE_SECTION else stored


def _counterparts(
    stored: StoredProvision, store: Store, packs: Mapping[str, Pack], as_of: date
) -> Iterator[CitedProvision]:
    """A provision in other languages: of the same work or a paired one."""
    own = stored.provision.id
    sides = [(own, language) for language in stored.languages]
    for pair in store.pairings(own):
        sides += [(pair.first, pair.first_language), (pair.second, pair.second_language)]
    given = {stored.language}
    for provision, language in sides:
        if language in given:
            continue
        other = _on_date(store, provision, as_of, language)
        if other is not None and other.language == language:
            given.add(language)
            yield cited(other, packs, as_of)
