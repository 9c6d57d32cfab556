"""Answer questions about acts from the library's indexes: what changed when, what amended what, how long.

Every statement can be checked: the acts are listed beside the answer with their links and dates. Where the
law itself says it (a section on entry into force, a section as amended), the law is quoted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pykala.answer import caveats
from pykala.answer.about_acts.changes import amended_by, amendments_of, changed_in, last_amended
from pykala.answer.about_acts.standing import beginning, end_of, itself, sections_in_force
from pykala.answer.about_acts.statements import Context, Statement
from pykala.answer.in_words import CERTAIN
from pykala.law.answers import Answer, Caveat, CaveatKind, Citation, Claim, Outcome, StrategyName
from pykala.law.currency import known_to
from pykala.law.grades import HIGHEST_LIKELY
from pykala.packs.pack import Pack
from pykala.retrieve.metadata import Asked, MetadataQuestion
from pykala.retrieve.question import Question
from pykala.stores.store import Store
from pykala.text.phrases import say

_CONFIDENCE = {Outcome.ANSWERED: CERTAIN, Outcome.LIKELY: HIGHEST_LIKELY, Outcome.SILENT: 0.0}


def answer_metadata(
    asked: MetadataQuestion, question: Question, store: Store, packs: Mapping[str, Pack]
) -> Answer:
    """Answer a question about acts; SILENT where the library's sources do not say."""
    context = Context(asked, question, store, packs)
    statements = tuple(_ANSWERS[asked.asked](context))
    known = [statement for statement in statements if statement.known]
    primary = next((statement for statement in statements if statement.primary is not None), None)
    language = question.language
    scope = Caveat(CaveatKind.HISTORY_UNAVAILABLE, None, say(language, "acts.scope"))
    shown = (
        *(statement.primary for statement in statements),
        *(beside.cited for statement in statements for beside in statement.support),
    )
    known_days = [act.current_to for act in shown if act is not None and act.current_to]
    current_to = min(known_days, default=known_to(store.facts(), question.filter.jurisdictions))
    outcome = _outcome(known)
    about_history = asked.asked not in (Asked.SECTIONS, Asked.BEGINNING, Asked.END, Asked.ITSELF)
    return Answer(
        id="",
        question=question.text,
        language=language,
        as_of=question.as_of,
        outcome=outcome,
        text="\n".join(statement.text for statement in statements),
        primary=primary.primary if primary else None,
        support=tuple(support for statement in statements for support in statement.support),
        claims=tuple(claim for statement in statements for claim in _claims(statement)),
        caveats=(
            *caveats.of_knowledge(current_to, question.as_of, spoken=language),
            *(doubt for statement in statements for doubt in statement.doubts),
            *((scope,) if about_history else ()),
            *caveats.of_library(store.facts(), spoken=language),
        ),
        confidence=_CONFIDENCE[outcome],
        strategy=StrategyName.ABOUT_ACTS,
        current_to=current_to,
    )


def _outcome(known: Sequence[Statement]) -> Outcome:
    if not known:
        return Outcome.SILENT
    return Outcome.ANSWERED if all(statement.sure for statement in known) else Outcome.LIKELY


def _claims(statement: Statement) -> Iterator[Claim]:
    """Quotes of the law that state the answer; counts and dates are in the text and the support."""
    if statement.primary is not None and statement.quote[1] > statement.quote[0]:
        start, end = statement.quote
        shown = statement.primary
        quote = shown.text[start:end]
        yield Claim(quote, (Citation("L1", shown.provision, quote, start, end, shown.url, shown.citation),))


_ANSWERS: Mapping[Asked, Callable[[Context], Iterator[Statement]]] = {
    Asked.CHANGED_IN: changed_in,
    Asked.AMENDED_BY: amended_by,
    Asked.AMENDMENTS_OF: amendments_of,
    Asked.LAST_AMENDED: last_amended,
    Asked.SECTIONS: sections_in_force,
    Asked.BEGINNING: beginning,
    Asked.END: end_of,
    Asked.ITSELF: itself,
}
