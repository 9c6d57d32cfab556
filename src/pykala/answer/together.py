"""Combine the answers to the parts of one question, each under its heading.

The outcome of the whole is that of its weakest part: if one of two questions has no answer, the whole is not
answered. Each part keeps its own outcome, provision and checks; open parts are named. A part that comes to
the same quotation as an earlier one refers to it and is not sure: one quotation seldom answers two questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final, TypeVar

from pykala.graph.walk import section_of
from pykala.law.answers import Answer, Claim, Cost, Evidence, Outcome, Relation, StrategyName, Support
from pykala.law.checks import CheckedClaim, Verification
from pykala.law.grades import ANSWERED_FROM, HIGHEST_LIKELY
from pykala.law.identifiers import ProvisionId
from pykala.text.phrases import say

STRATEGY: Final = StrategyName.PARTS
_ALSO: Final = Relation.ASKED_TOO  # the relation of a later part's provision to the first part's
_KEY: Final = re.compile(r"(?<=\[)L(\d{1,4})(?=\])")
_STRENGTH: Final = tuple(Outcome)  # the outcomes from strongest to weakest
_T = TypeVar("_T")


def together(question: str, parts: Sequence[Answer], *, identifier: str = "") -> Answer:
    """One answer from those to its parts, in order; each part's question is its heading."""
    shown = tuple(_numbered_on(parts))
    first = next((part for part in shown if part.primary is not None), shown[0])
    spent = [part.cost for part in shown]
    return Answer(
        id=identifier,
        question=question,
        language=shown[0].language,
        as_of=shown[0].as_of,
        outcome=max((part.outcome for part in shown), key=_STRENGTH.index),
        text=_text(shown),
        primary=first.primary,
        support=tuple(_support(shown, first)),
        path=_once(step for part in shown for step in part.path),
        claims=_once(claim for part in shown for claim in part.claims),
        caveats=_once(caveat for part in shown for caveat in part.caveats),
        conflicts=_once(conflict for part in shown for conflict in part.conflicts),
        evidence=tuple(_evidence(shown)),
        unresolved=_once(reference for part in shown for reference in part.unresolved),
        trace=tuple(stage for part in shown for stage in part.trace),
        cost=replace(
            spent[0],
            tokens_in=sum(cost.tokens_in for cost in spent),
            tokens_out=sum(cost.tokens_out for cost in spent),
            amount=sum(cost.amount for cost in spent),
        ),
        confidence=min(part.confidence for part in shown),
        strategy=STRATEGY,
        writer=next((part.writer for part in shown if part.writer), ""),
        fetched=_once(work for part in shown for work in part.fetched),
        parts=shown,
        current_to=min((part.current_to for part in shown if part.current_to), default=None),
    )


def says_more(answer: Answer, before: Iterable[Answer]) -> bool:
    """Whether an answer quotes a provision that no part before it quotes."""
    primary = answer.primary
    return primary is not None and all(
        part.primary is None or part.primary.provision != primary.provision for part in before
    )


def is_sure(answer: Answer) -> bool:
    """Whether an answer is shown as one that answers, or its section would be: a part of it is less sure."""
    if answer.outcome is Outcome.LIKELY and answer.evidence:
        return answer.evidence[0].score >= ANSWERED_FROM
    return answer.outcome is Outcome.ANSWERED


def spent_since(before: Cost, now: Cost) -> Cost:
    """The cost between two readings of one meter."""
    return Cost(
        now.tokens_in - before.tokens_in,
        now.tokens_out - before.tokens_out,
        now.amount - before.amount,
        now.currency,
    )


def _text(parts: Sequence[Answer]) -> str:
    """The parts under their headings, and last the open questions."""
    spoken = parts[0].language
    said = [f"{number}. {part.question}\n{part.text}" for number, part in enumerate(parts, start=1)]
    still_open = [
        f"“{part.question}”"
        for part in parts
        if part.outcome is not Outcome.ANSWERED and part.primary is None
    ]
    if still_open:
        said.append(say(spoken, "answer.open_parts", count=len(still_open), parts=", ".join(still_open)))
    return "\n\n".join(said)


def _support(parts: Sequence[Answer], first: Answer) -> Iterator[Support]:
    """The provisions that answer the other parts, then the support of each part."""
    taken = {first.primary.provision} if first.primary else set()
    others = (Support(part.primary, _ALSO, 0) for part in parts if part.primary)
    for support in (*others, *(support for part in parts for support in part.support)):
        if support.cited.provision not in taken:
            taken.add(support.cited.provision)
            yield support


def _evidence(parts: Sequence[Answer]) -> Iterator[Evidence]:
    """The candidates considered: the best of each part by score, then the second best of each, and so on."""
    taken = set()
    for rank in zip_longest(*(part.evidence for part in parts)):
        for considered in sorted((entry for entry in rank if entry), key=lambda entry: -entry.score):
            if considered.provision not in taken:
                taken.add(considered.provision)
                yield considered


def _once(found: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(found))


def _numbered_on(parts: Sequence[Answer]) -> Iterator[Answer]:
    """Renumber the keys of the parts, so that a key means one quote in the whole answer."""
    last = 0
    shown: list[Answer] = []
    for part in parts:
        same = next((at for at, earlier in enumerate(shown) if _quotes_the_same(earlier, part)), None)
        if same is not None:
            shown.append(_referring(part, shown[same], same + 1))
            yield shown[-1]
            continue
        shown.append(_shifted(_as_sure_as_it_is(part, shown), last))
        yield shown[-1]
        keys = (citation.key for claim in part.claims for citation in claim.citations)
        numbers = [int(key[1:]) for key in keys if _is_key(key)]
        last += max((*numbers, *(int(number) for number in _KEY.findall(part.text))), default=0)


def _as_sure_as_it_is(part: Answer, before: Sequence[Answer]) -> Answer:
    """A part that was completed from the first and leads to the same section: likely at most.

    Of "… and who pays it?" little more than the subject of the first part can be searched for, so the section
    that answers the first comes up again, whether it answers the second or not.
    """
    if not part.standalone or part.writer or part.outcome is not Outcome.ANSWERED or part.primary is None:
        return part
    section = section_of(part.primary.provision)
    if not any(
        earlier.primary is not None and section_of(earlier.primary.provision) == section for earlier in before
    ):
        return part
    return replace(part, outcome=Outcome.LIKELY, confidence=min(part.confidence, HIGHEST_LIKELY))


def _quotes_the_same(first: Answer, second: Answer) -> bool:
    """Whether two parts quote the same words and say nothing else; what a model wrote is left alone."""
    quotes = _quotes(second)
    return bool(quotes) and not (first.writer or second.writer) and quotes == _quotes(first)


def _quotes(answer: Answer) -> list[tuple[ProvisionId, str]]:
    return [(citation.provision, citation.quote) for claim in answer.claims for citation in claim.citations]


def _referring(part: Answer, earlier: Answer, number: int) -> Answer:
    """A part that refers to the quotation of an earlier one in place of repeating it; likely at most."""
    cited = _once(
        f"{citation.label} [{citation.key}]" for claim in earlier.claims for citation in claim.citations
    )
    return replace(
        part,
        outcome=max(part.outcome, Outcome.LIKELY, key=_STRENGTH.index),
        text=say(part.language, "answer.same_as_part", number=number, citations=", ".join(cited)),
        claims=earlier.claims,
        confidence=min(part.confidence, HIGHEST_LIKELY),
    )


def _is_key(key: str) -> bool:
    return key[:1] == "L" and key[1:].isdigit()


def _shifted(answer: Answer, by: int) -> Answer:
    if not by:
        return answer
    return replace(
        answer,
        text=_in_text(answer.text, by),
        claims=tuple(
            Claim(
                _in_text(claim.text, by),
                tuple(replace(citation, key=_later(citation.key, by)) for citation in claim.citations),
            )
            for claim in answer.claims
        ),
        verification=_checks(answer.verification, by) if answer.verification else None,
    )


def _checks(found: Verification, by: int) -> Verification:
    def shifted(claim: CheckedClaim) -> CheckedClaim:
        return replace(
            claim,
            claim=replace(claim.claim, keys=tuple(_later(key, by) for key in claim.claim.keys)),
            findings=tuple(replace(finding, key=_later(finding.key, by)) for finding in claim.findings),
            supported_by=tuple(_later(key, by) for key in claim.supported_by),
        )

    return replace(found, claims=tuple(map(shifted, found.claims)))


def _in_text(text: str, by: int) -> str:
    return _KEY.sub(lambda match: f"L{int(match[1]) + by}", text)


def _later(key: str, by: int) -> str:
    return f"L{int(key[1:]) + by}" if _is_key(key) else key
