"""Name the act that may govern a question, where the library only holds law that refers to it.

"What is the rate of GST on a new home?" is answered by the Excise Tax Act. A library without that act holds
regulations under it, rules of courts and other acts, which speak of GST and cite it again and again. Where
most of what speaks of a question's subject refers to one act that is not held, the answer may stand there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
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
_FEWEST = 5  # of these, the least number that refer to other acts; fewer tell nothing
_LEADING = 20  # references that lead to an act which governs a subject
_MOST_OF_THEM = 0.6  # the share of those sections that refer to the act
_SOME_OF_THEM = 0.25  # the share that is enough where the question also has the words of the act's name
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
    law = _Speaking.found(subject, question, asked, store) if subject else None
    places = question.place.jurisdictions or tuple(packs)
    near = [work for work in law.may_refer() if work.jurisdiction in places] if law else []
    mentions = store.mentions_of(near) if near else {}
    leading = [
        work
        for work in near
        if mentions[work].count >= _LEADING
        and _name(work, mentions[work], question.language, packs[work.jurisdiction])
    ]
    if law is None or not leading:
        return None
    shares = law.shares(store)
    likely = [
        (shares[work], mentions[work].count, str(work), work)
        for work in leading
        if shares.get(work, 0.0) >= _SOME_OF_THEM
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


@dataclass(frozen=True, slots=True)
class _Speaking:
    """The sections that speak of a subject, and the acts not held to which these refer.

    The subject is the rarest word, the rarest two, or all words, whichever tells more.
    """

    groups: tuple[frozenset[ProvisionId], ...]
    absent: Mapping[ProvisionId, frozenset[WorkId]]

    @classmethod
    def found(cls, subject: Sequence[str], question: Question, asked: AskedWords, store: Store) -> _Speaking:
        own = replace(question.filter, languages=frozenset({asked.language}), without=_BINDING_NOBODY)
        words = sorted({tuple(subject[:count]) for count in (1, 2, len(subject))})
        found = store.search(
            [Search(own, _PASSAGES, terms={word: asked.terms[word] for word in some}) for some in words]
        )
        groups = tuple(
            frozenset(islice(dict.fromkeys(match.section for match in one.by_words), _READ)) for one in found
        )
        return cls(groups, _absent(frozenset[ProvisionId]().union(*groups), store))

    def may_refer(self) -> list[WorkId]:
        """The acts that can still reach the share that is needed, judging by their own references."""
        counted = (
            Counter(work for one in group for work in self.absent.get(one, ())) for group in self.groups
        )
        return list(
            dict.fromkeys(
                work for some in counted for work, count in some.items() if count >= _SOME_OF_THEM * _FEWEST
            )
        )

    def shares(self, store: Store) -> dict[WorkId, float]:
        """Each act with its share of the references to other acts; sections without any say nothing of it."""
        referring = _referring(frozenset[ProvisionId]().union(*self.groups), store) | self.absent.keys()
        shares: dict[WorkId, float] = {}
        for group in self.groups:
            citing = group & referring
            if len(citing) < _FEWEST:
                continue
            for work, count in Counter(work for one in citing for work in self.absent.get(one, ())).items():
                shares[work] = max(shares.get(work, 0.0), count / len(citing))
        return shares


def _absent(sections: Collection[ProvisionId], store: Store) -> dict[ProvisionId, frozenset[WorkId]]:
    """The sections that refer to acts that are not held, each with those acts."""
    depths = {len(section.path) for section in sections}  # most places have no ancestor at any other
    absent: dict[ProvisionId, set[WorkId]] = {}
    for reference in store.references([], sorted(sections, key=str)).unresolved:
        if reference.reason is Unresolved.NOT_LOADED and (work := _work(reference.target)):
            for section in _homes(reference.source, sections, depths):
                absent.setdefault(section, set()).add(work)
    return {section: frozenset(works) for section, works in absent.items()}


def _referring(sections: Collection[ProvisionId], store: Store) -> frozenset[ProvisionId]:
    """The sections that refer to other acts which are held."""
    depths = {len(section.path) for section in sections}
    (edges,) = store.edges_of([EdgesWanted.of(sorted(sections, key=str), _REFERRING, Direction.OUT)])
    outward = (edge.source for edge in edges if edge.target.work != edge.source.work)
    return frozenset(
        section for source in dict.fromkeys(outward) for section in _homes(source, sections, depths)
    )


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
