"""Draft an answer in a model's words, from the evidence only; each claim is checked and marked.

The answer in the law's own words is complete before this begins. It remains wherever the model, its price or
its draft fails, with a caveat that says so, and is never replaced by "no law".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from pykala.draft.claims import claims_from, claims_of
from pykala.draft.context import ContextBlock
from pykala.draft.presenting import claims_with_citations, composed, marked, shown, visible
from pykala.draft.prompt import NOT_IN_EVIDENCE, again, instructions
from pykala.draft.verify import verify
from pykala.law.answers import Answer, Caveat, CaveatKind, StageName, Written
from pykala.law.checks import Check, CheckedClaim, DraftClaim, Verdict, Verification
from pykala.law.messages import Message as Told
from pykala.models.failures import ModelError
from pykala.models.writer import FellBack, Message, Usage, Writer
from pykala.retrieve.trace import Listener, Trace, nobody
from pykala.spend.meter import AnswerMeter, Meter, MeteredWriter
from pykala.text.phrases import LANGUAGES, say, tell
from pykala.text.tokens import count_tokens

_FENCE: Final = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)
_KEY: Final = re.compile(r"L\d{1,4}", re.ASCII)
_HALF_READ: Final = 0.4  # if fewer tokens were read, the prompt was cut; our count is an estimate
_LONGEST: Final = 60_000  # the most characters of a draft; the rest is ignored


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a model may write, how often, and in which form it is asked for it."""

    most_tokens: int = 3_000  # ten sentences need a fifth; some models first reason, within the same limit
    drafts: int = 2  # the first, and a second that sees the errors of the first
    structured: bool = False


class _WrongForm(Exception):
    """A structured reply that cannot be read; `key` is the phrase that says why."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


@dataclass(slots=True)
class _Draft:
    """One draft: its text, its claims, the results of the checks, and what went wrong."""

    text: str = ""
    claims: tuple[DraftClaim, ...] = ()
    verification: Verification | None = None
    model: str = ""
    fell_back: str = ""
    stopped_short: bool = False
    read: int | None = None  # tokens that the service read, where these are far fewer than were sent
    declined: bool = False
    problem: Told | str = ""  # our own message, or that of a service
    broke: bool = False  # the call failed, so the text is incomplete

    @property
    def usable(self) -> bool:
        return self.verification is not None and self.verification.grounding > 0

    @property
    def rank(self) -> tuple[bool, float]:
        checked = self.verification
        return (checked.passed, checked.confidence) if checked else (False, -1.0)


def drafted(
    answer: Answer,
    context: ContextBlock,
    writer: Writer,
    *,
    listen: Listener = nobody,
    limits: Limits | None = None,
    tally: AnswerMeter | None = None,
) -> Answer:
    """The answer with a draft of it by a model, checked claim by claim; or as it was, with a caveat.

    A draft is made only where the law answers: where it is silent, a model has no evidence. An exception of
    the listener stops the call. `tally` meters the answer, including what was spent on it before.
    """
    tally = tally or Meter().answer()
    if not answer.outcome.quotes or not context.items:
        return replace(answer, cost=tally.cost) if tally.called else answer
    limits, trace, metered = limits or Limits(), Trace(listen), MeteredWriter(writer, tally)
    messages = instructions(context, structured=limits.structured)
    best, last, numbers = _Draft(), _Draft(), count(1)
    for number in range(1, limits.drafts + 1):
        with trace.stage(StageName.DRAFT) as facts:
            last = _written(messages, metered, limits, listen, numbers)
            facts |= {"draft": number, "model": last.model, "characters": len(last.text)}
            facts |= {"problem": _in_words(last.problem)} if last.problem else {}
        if not last.broke and not last.declined:
            with trace.stage(StageName.VERIFY) as facts:
                _check(last, context, limits)
                facts |= _verified_facts(last)
        if last.rank >= best.rank:
            best = last
        if last.declined or best.rank[0] or (last.broke and not last.text):
            break
        if not last.broke:
            messages = again(messages, last.text, last.verification, structured=limits.structured)
    finished = replace(answer, cost=tally.cost, trace=(*answer.trace, *trace.stages()))
    return _finished(finished, best, context)


def _written(
    messages: Sequence[Message], writer: Writer, limits: Limits, listen: Listener, numbers: Iterator[int]
) -> _Draft:
    """One call to the model, streamed to the listener. A ModelError is stored in the draft.

    Exceptions of the listener are passed on.
    """
    draft, number = _Draft(model=writer.name), next(numbers)
    try:
        asked = limits.structured
        with closing(writer.write(messages, most_tokens=limits.most_tokens, structured=asked)) as pieces:
            for piece in pieces:
                if isinstance(piece, Usage):
                    draft.stopped_short = piece.stopped_short
                    draft.read = _read_too_little(piece, messages)
                elif isinstance(piece, FellBack):
                    number = next(numbers) if draft.text else number
                    draft.model, draft.fell_back, draft.text = piece.model, piece.reason, ""
                elif len(draft.text) < _LONGEST:
                    seen = visible(piece)
                    draft.text += seen
                    if seen and not asked:
                        listen(Written(seen, number))
    except ModelError as error:
        draft.problem, draft.broke = str(error), True
    draft.text = draft.text.strip()
    draft.declined = not draft.problem and NOT_IN_EVIDENCE in draft.text
    if not draft.text and not draft.problem:
        draft.problem, draft.broke = Told.of("draft.wrote_nothing", model=draft.model), True
    return draft


def _read_too_little(usage: Usage, messages: Sequence[Message]) -> int | None:
    """The tokens that a server counted, if it read far fewer than were sent; None if it read all.

    Self-hosted servers may silently cut a prompt that is too long. Only their token count shows it.
    """
    sent = sum(count_tokens(one.text) for one in messages)
    return usage.tokens_in if not usage.estimated and usage.tokens_in < _HALF_READ * sent else None


def _check(draft: _Draft, context: ContextBlock, limits: Limits) -> None:
    """Parse a draft into claims and check each against the evidence."""
    if limits.structured:
        try:
            claims = _claims_in(draft.text)
        except _WrongForm as error:
            reason = Told.of(f"form.{error.key}")
            draft.problem = Told.of("draft.wrong_form", model=draft.model, reason=reason)
            return
        draft.declined = not claims
        draft.text, draft.claims = composed(claims)
    else:
        draft.text = shown(draft.text)
        draft.claims = claims_of(draft.text)
    if draft.claims:
        draft.verification = verify(draft.claims, context.evidence, context.as_of)
    elif not draft.declined:
        draft.problem = Told.of("draft.not_checkable", model=draft.model)


def _claims_in(text: str) -> tuple[DraftClaim, ...]:
    """The claims of a structured reply; _WrongForm says what is wrong with it."""
    fenced = _FENCE.match(text)
    try:
        data = json.loads(fenced[1] if fenced else text)
    except RecursionError:
        raise _WrongForm("too_deep") from None
    except ValueError:
        raise _WrongForm("no_json") from None
    claims = data.get("claims") if isinstance(data, dict) else None
    if not isinstance(claims, list) or not all(isinstance(one, dict) for one in claims):
        raise _WrongForm("no_claims")
    try:
        read = claims_from(claims)
    except ValueError:
        raise _WrongForm("no_text") from None
    if not all(_KEY.fullmatch(key) for claim in read for key in claim.keys):
        raise _WrongForm("no_key")
    return tuple(replace(claim, quotes=tuple(map(visible, claim.quotes))) for claim in read)


def _verified_facts(draft: _Draft) -> dict[str, object]:
    checked = draft.verification
    if checked is None:
        return {"problem": _in_words(draft.problem)} if draft.problem else {"claims": 0}
    return {
        "claims": len(checked.claims),
        "failed": len(checked.failed),
        "coverage": round(checked.coverage, 3),
        "grounding": round(checked.grounding, 3),
    }


def _finished(answer: Answer, draft: _Draft, context: ContextBlock) -> Answer:
    """The answer with its draft where that holds, or in the law's own words with the reason why not."""
    caveats, spoken = [*answer.caveats], answer.language
    checked = draft.verification
    if draft.fell_back:
        message = say(spoken, "draft.fell_back", model=draft.model, reason=draft.fell_back)
        caveats.append(_degraded(message))
    if checked is None or not draft.usable:
        caveats.append(_degraded(say(spoken, "draft.own_words", reason=_why(draft, spoken))))
        return replace(answer, caveats=tuple(caveats), verification=checked)
    text, verification = marked(draft.text, checked, spoken)
    if draft.read is not None:
        counts = {"read": str(draft.read), "given": str(context.tokens)}
        caveats.append(_degraded(say(spoken, "draft.read_too_little", **counts)))
    if draft.stopped_short:
        caveats.append(_degraded(say(spoken, "draft.cut_off")))
    foreign, total = sum(_uncompared(one) for one in verification.claims), len(verification.claims)
    if foreign:
        message = say(spoken, "draft.other_language", count=foreign, total=total)
        caveats.append(Caveat(CaveatKind.OTHER_LANGUAGE, None, message))
    if verification.failed:
        message = say(spoken, "draft.failed", count=len(verification.failed), total=total)
        caveats.append(Caveat(CaveatKind.SUSPECT, None, message))
    return replace(
        answer,
        text=text,
        writer=draft.model,
        claims=claims_with_citations(verification, context.evidence),
        caveats=tuple(caveats),
        verification=verification,
    )


def _uncompared(one: CheckedClaim) -> bool:
    held = one.verdict is Verdict.SUPPORTED
    return held and any(finding.check is Check.OTHER_LANGUAGE for finding in one.findings)


def _why(draft: _Draft, spoken: str) -> str:
    if draft.declined:
        return say(spoken, "draft.declined", model=draft.model)
    if draft.problem:
        return _in_words(draft.problem, spoken).rstrip(".")
    model = draft.model or say(spoken, "draft.the_model")
    return say(spoken, "draft.not_borne_out", model=model)


def _in_words(problem: Told | str, spoken: str = LANGUAGES[0]) -> str:
    """A problem in a language (the trace has it in English); what a service said stays as it is."""
    return tell(spoken, problem) if isinstance(problem, Told) else problem


def _degraded(message: str) -> Caveat:
    return Caveat(CaveatKind.DEGRADED, None, message)
