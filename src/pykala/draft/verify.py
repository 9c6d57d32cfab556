"""Check a draft against its evidence, claim by claim, without a model.

For each claim: its keys exist; its quotations occur word for word in a cited text (only white space and the
shape of quotation marks may differ); its quantities, days and numbers occur there; a sentence that nearly
repeats the law has the same figures in the same places and does not negate what the law affirms; the cited
wording is in force on the date; and the claim does not describe the wording of another time. If the cited
text does not support a claim but another key's text does, the claim is misattributed.

Rules cannot check whether a paraphrase with the right words and figures draws the right conclusion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from pykala.draft.bearing import Bearing, Source, bears, tokens
from pykala.draft.claims import claims_of
from pykala.draft.keyed import KeyedProvision
from pykala.law.checks import Check, CheckedClaim, DraftClaim, Finding, Verdict, Verification
from pykala.law.messages import Message
from pykala.text.dates import date_asked
from pykala.text.language import detect
from pykala.text.languages.known import BUILT_IN
from pykala.versions.mismatches import check_temporal_mismatches

_SENTENCE = 6  # words from which a claim found in a text counts as that text's own sentence
_UNCOMPARED = 0.5  # a claim's share in grounding, where it and its source are in different languages


def verify(
    draft: str | Sequence[DraftClaim], evidence: Sequence[KeyedProvision], as_of: date
) -> Verification:
    """Check each claim of a draft (prose with keys, or claims) against the evidence it cites."""
    claims = claims_of(draft) if isinstance(draft, str) else tuple(draft)
    sources = {one.key: Source.of(one) for one in evidence}
    whole = " ".join(claim.text for claim in claims)
    held = (one.language for source in evidence for one in source.expressions)
    language = detect(whole, default="", among=(*BUILT_IN, *held)).language
    checked = tuple(_checked(claim, sources, as_of, language) for claim in claims)
    return Verification(checked, _coverage(checked, sources), _grounding(checked))


def _checked(claim: DraftClaim, sources: Mapping[str, Source], as_of: date, language: str) -> CheckedClaim:
    cited = [sources[key] for key in claim.keys if key in sources]
    unknown = [
        Finding(Check.UNKNOWN_KEY, Message.of("claim.unknown_key", key=key), key)
        for key in claim.keys
        if key not in sources
    ]
    borne = bears(claim, cited, language, as_of)
    others = _others(claim, sources, borne, language, as_of)
    if not claim.keys:
        missing = Finding(Check.NO_KEY, Message.of("claim.no_key"))
        return CheckedClaim(claim, Verdict.UNSUPPORTED, (missing,), tuple(others))
    elsewhere = [
        Finding(Check.ELSEWHERE, Message.of("claim.elsewhere", key=key), key) for key in others if borne.sound
    ]
    findings = [*unknown, *borne.findings, *elsewhere, *_time(claim, cited, as_of, borne)]
    keys = tuple(others) or tuple(source.key for source in cited if borne.sound)
    return CheckedClaim(claim, _verdict(findings, others), tuple(findings), keys)


def _others(
    claim: DraftClaim, sources: Mapping[str, Source], borne: Bearing, language: str, as_of: date
) -> list[str]:
    """The keys that were not cited and whose texts support a claim better than the cited ones.

    If the cited texts do not support the claim: any text that does. If they support it in other words: the
    texts that contain it word for word, because a sentence of the law must cite its own section.
    """
    if borne.verbatim:
        return []
    found = {
        key: bears(claim, [source], language, as_of)
        for key, source in sources.items()
        if key not in claim.keys
    }
    verbatim = [key for key, one in found.items() if one.verbatim]
    if borne.sound:
        return verbatim if len(tokens(claim.text)) >= _SENTENCE else []
    if verbatim:
        return verbatim
    return [key for key, one in found.items() if one.sound]


def _verdict(findings: Sequence[Finding], others: Sequence[str]) -> Verdict:
    failing = {finding.check for finding in findings} - {Check.OTHER_LANGUAGE}
    if not failing:
        return Verdict.SUPPORTED
    if others:
        return Verdict.MISATTRIBUTED
    return Verdict.ALTERED_QUOTE if Check.QUOTE in failing else Verdict.UNSUPPORTED


def _time(claim: DraftClaim, cited: Sequence[Source], as_of: date, borne: Bearing) -> Iterator[Finding]:
    """Findings if the cited wording is not in force on the date, or on the date that the claim names."""
    named = date_asked(claim.text, today=as_of)
    days = {as_of, named.day if named and named.day else as_of}
    for source in cited:
        validity = source.keyed.cited.validity
        if not any(validity.covers(day) for day in days):
            citation = source.keyed.cited.citation
            message = Message.of("claim.not_in_force", citation=citation, day=as_of)
            yield Finding(Check.NOT_IN_FORCE, message, source.key)
    if borne.verbatim:
        return
    for source in cited:
        if source.keyed.chain is not None:
            for mismatch in check_temporal_mismatches(claim.text, [source.keyed.chain], as_of):
                yield Finding(Check.OTHER_TIME, mismatch.message, source.key)


def _coverage(checked: Sequence[CheckedClaim], sources: Mapping[str, Source]) -> float:
    cited = sum(1 for one in checked if any(key in sources for key in one.claim.keys))
    return cited / len(checked) if checked else 0.0


def _grounding(checked: Sequence[CheckedClaim]) -> float:
    worth = sum(
        _UNCOMPARED if any(found.check is Check.OTHER_LANGUAGE for found in one.findings) else 1.0
        for one in checked
        if one.verdict is Verdict.SUPPORTED
    )
    return worth / len(checked) if checked else 0.0
