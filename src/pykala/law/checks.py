"""The results of checking a draft's claims against the law: verdicts, findings, scores."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pykala.law.messages import Message

#: How confidence is made of the two scores, and where its levels begin.
_COVERAGE, _GROUNDING = 0.4, 0.6
_HIGH, _MEDIUM = 0.75, 0.5


class Check(StrEnum):
    """What was checked and did not hold (`OTHER_LANGUAGE`: could not be checked)."""

    NO_KEY = "no key"
    UNKNOWN_KEY = "unknown key"
    QUOTE = "quote"
    QUANTITY = "quantity"
    DATE = "date"
    NUMBER = "number"
    NEGATION = "negation"
    WORDS = "words"
    ELSEWHERE = "elsewhere"  # word for word in another source
    NOT_IN_FORCE = "not in force"
    OTHER_TIME = "other time"
    OTHER_LANGUAGE = "other language"


@dataclass(frozen=True, slots=True)
class Finding:
    """A check that did not hold, what to say of it, and the key it is about (none: the claim as a whole)."""

    check: Check
    message: Message
    key: str = ""


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """One claim: its words without keys, the keys it rests on, and what it puts in quotation marks.

    `start` and `end` are its place in a draft of prose. `closed` is false where the keys are those of a
    later sentence of the paragraph.
    """

    text: str
    keys: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    closed: bool = True


class Verdict(StrEnum):
    """Whether the evidence supports a claim."""

    SUPPORTED = "supported"
    MISATTRIBUTED = "misattributed"  # another key's text bears it, the cited one does not
    ALTERED_QUOTE = "altered quote"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim, its verdict, the findings, and the keys of the texts that support it."""

    claim: DraftClaim
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    supported_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verification:
    """A draft's claims with their verdicts; both scores lie between 0 and 1, and are 0 without claims.

    Coverage is the share of claims that cite evidence which exists; grounding the share that it supports.
    """

    claims: tuple[CheckedClaim, ...]
    coverage: float
    grounding: float

    @property
    def confidence(self) -> float:
        """0.4 × coverage + 0.6 × grounding."""
        return _COVERAGE * self.coverage + _GROUNDING * self.grounding

    @property
    def level(self) -> str:
        """High, medium or low."""
        if self.confidence >= _HIGH:
            return "high"
        return "medium" if self.confidence >= _MEDIUM else "low"

    @property
    def failed(self) -> tuple[CheckedClaim, ...]:
        """The claims that the evidence does not support as they cite it."""
        return tuple(claim for claim in self.claims if claim.verdict is not Verdict.SUPPORTED)

    @property
    def passed(self) -> bool:
        """Whether there are claims and every one is supported."""
        return bool(self.claims) and not self.failed
