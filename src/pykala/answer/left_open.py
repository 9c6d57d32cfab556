"""Follow words that leave something to regulations: "any fee that may be prescribed by regulation".

Such words answer half of a question. The other half stands in a regulation under the act: it is shown where
it is held, and where it is not, the reader is told so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from pykala.answer.cite import cited
from pykala.answer.support import stored_on
from pykala.graph.walk import section_of
from pykala.law.answers import Caveat, CaveatKind, Relation, Support
from pykala.law.filters import Filter
from pykala.law.grades import LISTED_FROM
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import WorkKind
from pykala.law.references import Direction, EdgeKind, EdgesWanted
from pykala.packs.pack import Pack
from pykala.retrieve.features import gives_figure
from pykala.retrieve.grade import BINDS_NOBODY, Graded
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.question import Question
from pykala.stores.store import Match, Search, Store, StoredProvision
from pykala.text.languages.known import NOTHING, derived, language_of
from pykala.text.phrases import say

UNDER_AN_ACT = frozenset({WorkKind.REGULATION.value, WorkKind.DECREE.value})
_PASSAGES = 40
_SPEAKS = 0.5  # the least share of the question in a section that answers its other half
_SECTIONS = 24  # of which the references are read
_BOUND = (EdgeKind.CITES, EdgeKind.APPLIES, EdgeKind.EXCEPTS)


@derived
def _leaving(code: str) -> re.Pattern[str]:
    language = language_of(code)
    words = language.text("law.leaves_open") if language else ""
    return re.compile(rf"(?<!\w)(?:{words or NOTHING})(?!\w)", re.IGNORECASE)


def words_that_leave_open(text: str, language: str) -> str:
    """The words of a text that leave something to regulations; empty where there are none."""
    found = _leaving(language).search(text)
    return found[0].strip() if found else ""


def laid_down(
    question: Question,
    stored: StoredProvision,
    graded: Sequence[Graded],
    asked: AskedWords,
    store: Store,
    packs: Mapping[str, Pack],
) -> tuple[Support, StoredProvision] | None:
    """The section of a regulation under an act that speaks most to the question; None without any."""
    if stored.work.kind.value in UNDER_AN_ACT:
        return None
    listed = [one.candidate.match for one in graded if one.grade >= LISTED_FROM]
    fitting = [
        match
        for match in dict.fromkeys((*listed, *_speaking(_searched(question, stored, store), asked)))
        if match.authority < stored.work.authority
        and match.work.jurisdiction == stored.work.id.jurisdiction
        and gives_figure(match, question.figures)
    ]
    under = _made_under(stored.provision.id, fitting, store) if fitting else frozenset()
    for match in fitting:
        if match.work not in under:
            continue
        section = stored_on(store, match.section, question.as_of, match.language)
        if section is not None and section.work.kind.value in UNDER_AN_ACT:
            return Support(cited(section, packs, question.as_of), Relation.LAID_DOWN, 1), section
    return None


def _speaking(found: Sequence[Match], asked: AskedWords) -> list[Match]:
    """Passages whose sections contain most of a question, the best first."""
    if not found:
        return []
    texts = [(f"{one.header}\n{one.parent_text}", one.language) for one in found]
    likenesses = asked.likenesses(asked.meet(texts))
    ordered = sorted(zip(likenesses, found, strict=True), key=lambda one: -one[0])
    return [match for likeness, match in ordered if likeness >= _SPEAKS]


def _searched(question: Question, stored: StoredProvision, store: Store) -> list[Match]:
    """Passages of regulations and decrees of the same place with the words of a question."""
    own = Filter(
        as_of=question.as_of,
        jurisdictions=frozenset({stored.work.id.jurisdiction}),
        languages=frozenset({stored.language}),
        kinds=UNDER_AN_ACT,
        without=frozenset(kind.value for kind in BINDS_NOBODY),
    )
    words = question.search_text if question.language == stored.language else stored.version.heading
    (found,) = store.search([Search(own, _PASSAGES, words=words)])
    return list(found.by_words)


def _made_under(provision: ProvisionId, matches: Sequence[Match], store: Store) -> frozenset[WorkId]:
    """The works of some passages that were made under a provision's act: one section refers to it.

    A regulation's enabling clause would always tell, but reading a whole work's references is slow.
    """
    sections = [*islice(dict.fromkeys(one.section for one in matches), _SECTIONS)]
    to_it, of_them = store.edges_of(
        [
            EdgesWanted.of([section_of(provision)], _BOUND, Direction.IN),
            EdgesWanted.of(sections, _BOUND, Direction.OUT),
        ]
    )
    referring = (edge.source.work for edge in of_them if edge.target.work == provision.work)
    return frozenset((*(edge.source.work for edge in to_it), *referring))


def nothing_laid_down(words: str, provision: ProvisionId, *, spoken: str) -> Caveat:
    """The caveat that quoted words leave something to regulations that are not held."""
    message = say(spoken, "caveat.left_open", words=words)
    return Caveat(CaveatKind.UNRESOLVED_REFERENCE, provision, message)
