"""Name the act that may govern a question, where the library only holds law that refers to it.

"What is the rate of GST on a new home?" is answered by the Excise Tax Act. A library without that act holds
regulations under it, rules of courts and other acts, which speak of GST and cite it again and again. Where
most of what speaks of a question's subject refers to one act that is not held, the answer may stand there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from pykala.law.identifiers import InvalidIdentifier, ProvisionId, WorkId
from pykala.law.references import Direction, EdgeKind, EdgesWanted, Unresolved
from pykala.packs.pack import Pack
from pykala.retrieve.cites import NotHeld, fetch_command, title_of
from pykala.retrieve.grade import BINDS_NOBODY
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.question import Question
from pykala.stores.store import Mentions, Search, Store
from pykala.text.analysis import analyse

_PASSAGES = 60  # passages that have the words of the subject
_READ = 20  # sections whose references are read
_FEWEST = 5  # of these that refer to other acts at all; of fewer nothing follows
_LEADING = 20  # references that lead to an act which governs a subject
_MOST_OF_THEM = 0.6  # the share of those sections that refer to the act
_SOME_OF_THEM = 0.25  # the share where the question has the words of the act's name, too
_NAME_WORDS = 2  # "income tax" of the Income Tax Act; one word alone may be anything
_BINDING_NOBODY = frozenset(kind.value for kind in BINDS_NOBODY)
_REFERRING = (
    *(EdgeKind.CITES, EdgeKind.APPLIES, EdgeKind.EXCEPTS),
    *(EdgeKind.INTERPRETS, EdgeKind.DEFINED_IN),
)


def may_govern(
    question: Question, asked: AskedWords, store: Store, packs: Mapping[str, Pack]
) -> NotHeld | None:
    """The act that may govern an unanswered question and is not held; None where nothing points to one."""
    if question.elsewhere or question.not_held is not None or question.is_citation or question.part:
        return None
    subject = _rarest_known(question, asked, store)
    shares = _shares(subject, question, asked, store) if subject else {}
    places = question.place.jurisdictions or tuple(packs)
    near = [work for work, share in shares.items() if share >= _SOME_OF_THEM and work.jurisdiction in places]
    mentions = store.mentions_of(near) if near else {}
    likely = [
        (shares[work], mentions[work].count, str(work), work)
        for work in near
        if mentions[work].count >= _LEADING
        and _name(work, mentions[work], question.language, packs[work.jurisdiction])
        and (shares[work] >= _MOST_OF_THEM or _has_name_of(question, mentions[work], asked))
    ]
    if not likely:
        return None
    *_, work = max(likely)
    pack = packs[work.jurisdiction]
    return _not_held(work, _name(work, mentions[work], question.language, pack), mentions[work], pack)


def _rarest_known(question: Question, asked: AskedWords, store: Store) -> list[str]:
    """The rarest words of a question that the law of its places has, rarest first."""
    weights = store.weigh(question.search_text, asked.language, question.filter.jurisdictions)
    known = [term for term in asked.terms if weights.get(term) and any(map(str.isalpha, term))]
    return sorted(known, key=lambda term: -weights[term])


def _shares(
    subject: Sequence[str], question: Question, asked: AskedWords, store: Store
) -> dict[WorkId, float]:
    """Each act that is not held, with the share of the references out of the law on a subject that it has.

    Of the sections that speak of the subject, those that refer to no other act say nothing of it. The subject
    is the rarest word, the rarest two, or all words, whichever tells more.
    """
    own = replace(question.filter, languages=frozenset({asked.language}), without=_BINDING_NOBODY)
    groups = {tuple(subject[:count]) for count in (1, 2, len(subject))}
    found = store.search(
        [
            Search(own, _PASSAGES, terms={word: asked.terms[word] for word in words})
            for words in sorted(groups)
        ]
    )
    speaking = [
        frozenset(islice(dict.fromkeys(match.section for match in one.by_words), _READ)) for one in found
    ]
    out = _references_out(frozenset[ProvisionId]().union(*speaking), store)
    shares: dict[WorkId, float] = {}
    for sections in speaking:
        citing = [out[section] for section in sections if section in out]
        counted = Counter(work for works in citing for work in works) if len(citing) >= _FEWEST else {}
        for work, count in counted.items():
            shares[work] = max(shares.get(work, 0.0), count / len(citing))
    return shares


def _references_out(sections: Collection[ProvisionId], store: Store) -> dict[ProvisionId, frozenset[WorkId]]:
    """The sections that refer to other acts, each with those of the acts that are not held."""
    ordered = sorted(sections, key=str)
    found = store.references([EdgesWanted.of(ordered, _REFERRING, Direction.OUT)], ordered)
    depths = {len(section.path) for section in sections}  # most places have no ancestor at any other
    absent: dict[ProvisionId, set[WorkId]] = {}
    for edge in found.edges[0]:
        for section in _homes(edge.source, sections, depths):
            if edge.target.work != section.work:
                absent.setdefault(section, set())
    for reference in found.unresolved:
        if reference.reason is Unresolved.NOT_LOADED and (work := _work(reference.target)):
            for section in _homes(reference.source, sections, depths):
                absent.setdefault(section, set()).add(work)
    return {section: frozenset(works) for section, works in absent.items()}


def _homes(
    provision: ProvisionId, sections: Collection[ProvisionId], depths: Collection[int]
) -> list[ProvisionId]:
    """The sections that hold a provision; they lie at these depths."""
    path = provision.path
    above = (ProvisionId(provision.work, path[:depth]) for depth in depths if depth <= len(path))
    return [one for one in above if one in sections]


def _work(target: str) -> WorkId | None:
    try:
        return ProvisionId.parse(target).work
    except InvalidIdentifier:  # known only by a name
        return None


def _has_name_of(question: Question, mentions: Mentions, asked: AskedWords) -> bool:
    """Whether the question has the words of an act's name, but for one: "income tax" of "Income Tax Act"."""
    name = mentions.names.get(question.language, "")
    terms = {*analyse(name, question.language)}
    shared = terms & asked.terms.keys()
    return len(shared) >= max(_NAME_WORDS, len(terms) - 1)


def _not_held(work: WorkId, name: str, mentions: Mentions, pack: Pack) -> NotHeld:
    return NotHeld(name, name, work=work, fetch=fetch_command(pack, name), mentions=mentions.count)


def _name(work: WorkId, mentions: Mentions, language: str, pack: Pack) -> str:
    """What an act is called; empty where the references to it only give places in it."""
    usual = mentions.names.get(language) or next(iter(mentions.names.values()), "")
    return title_of(work, language, pack) or usual
