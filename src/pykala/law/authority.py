"""Which of two sources prevails: the higher rank, then the later, then the more specific."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from pykala.law.identifiers import ProvisionId

#: Ranks from here on belong to official sources; below stand uploads.
OFFICIAL_FROM = 50
#: The rank from which a source binds: statutes, treaties and rulings.
BINDING_FROM = 75


@dataclass(frozen=True, slots=True)
class Authority:
    """What decides a conflict between two provisions."""

    provision: ProvisionId
    rank: int
    since: date | None = None


class Ground(StrEnum):
    """Why one source prevails over another."""

    HIGHER_RANK = "higher rank"
    LATER = "later"
    MORE_SPECIFIC = "more specific"
    NONE = ""  # they stand level


@dataclass(frozen=True, slots=True)
class Precedence:
    """The outcome of a comparison; `reason` is empty where the two stand level."""

    winner: Authority
    loser: Authority
    reason: Ground


def compare(one: Authority, other: Authority) -> Precedence:
    """Say which prevails and why: lex superior, lex posterior, lex specialis, in that order."""
    if one.rank != other.rank:
        winner, loser = (one, other) if one.rank > other.rank else (other, one)
        return Precedence(winner, loser, Ground.HIGHER_RANK)
    if one.since and other.since and one.since != other.since:
        winner, loser = (one, other) if one.since > other.since else (other, one)
        return Precedence(winner, loser, Ground.LATER)
    depths = len(one.provision.path), len(other.provision.path)
    if depths[0] != depths[1]:
        winner, loser = (one, other) if depths[0] > depths[1] else (other, one)
        return Precedence(winner, loser, Ground.MORE_SPECIFIC)
    winner, loser = sorted((one, other), key=_settled)
    return Precedence(winner, loser, Ground.NONE)


def _settled(authority: Authority) -> tuple[object, date]:
    # Level sources still need one order, whichever of them is named first.
    return authority.provision.sort_key, authority.since or date.min
