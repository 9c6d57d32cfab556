"""Choose between two readings of a follow-up: more about the same provision, or something else in its act.

"Within how many hours must a breach be notified?" is followed by "and how high is the fine?". Searched
together, the words of the first question lead to its own section again, which says nothing of a fine; the
section on fines stands elsewhere in the act. What the follow-up adds tells which of the two it is about.
"""

from __future__ import annotations

from datetime import date

from pykala.graph.walk import section_of
from pykala.law.answers import Answer
from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId
from pykala.models.embedder import Embedder
from pykala.retrieve.grade import weights
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.wording import without_asking
from pykala.stores.store import Store, StoredProvision, Wording

#: How much more of the added words a section, or its heading, must have than the section quoted before.
_AHEAD, _HEADING_AHEAD = 0.15, 0.4
#: The same where the follow-up asks for something else: the section quoted before hardly answers twice.
BESIDES_AHEAD = 0.05


def may_be_about_another(answer: Answer, before: ProvisionId | None) -> bool:
    """Whether an answer to a follow-up quotes nothing, or the section that was quoted before."""
    if answer.primary is None or before is None:
        return True
    return section_of(answer.primary.provision) == section_of(before)


def speaks_more(
    added: str,
    other: Answer,
    answer: Answer,
    store: Store,
    embedder: Embedder | None,
    *,
    ahead: float = _AHEAD,
) -> bool:
    """Whether another answer's section has more of a follow-up's words than the first answer's.

    `ahead` is the least difference; where something else is asked for, any difference is enough.
    """
    if other.primary is None or not other.outcome.quotes:
        return False
    if answer.primary is None:
        return True
    sections = [section_of(one.primary.provision) for one in (other, answer) if one.primary]
    if sections[0] == sections[1]:
        return False
    asked = _added(added, answer.language, store, embedder)
    (text, heading), (own_text, own_heading) = (_speaks(one, asked, answer.as_of, store) for one in sections)
    return text > own_text + ahead or (text >= own_text and heading >= own_heading + _HEADING_AHEAD)


def _added(words: str, language: str, store: Store, embedder: Embedder | None) -> AskedWords:
    own = without_asking(words, language)
    return AskedWords(own, language, weights(store.weigh(own, language)), embedder, meaning=words)


def _speaks(section: ProvisionId, asked: AskedWords, as_of: date, store: Store) -> tuple[float, float]:
    """The share of some words that a section has, and the share that its heading has."""
    (stored,) = store.provisions([Wording(section, as_of, asked.language)])
    if not isinstance(stored, StoredProvision):
        return 0.0, 0.0
    heading, text = stored.version.heading, compose(stored.provision).text
    met = asked.meet([(f"{heading}\n{text}", stored.language), (heading, stored.language)])
    return asked.likeness(met.text(0)), asked.likeness(met.text(1))
