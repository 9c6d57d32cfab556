"""Histories, differences and changes as JSON, under names that stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from pykala.answer.record import caveat_json, validity_json
from pykala.law.forms import as_record
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Version
from pykala.law.validity import NOT_YET
from pykala.versions.chains import Change
from pykala.versions.differences import Difference
from pykala.views.chronicle import ActChanges, Comparison, History


@as_record.register(History)
def history_json(found: History) -> dict[str, object]:
    """A provision's chain and the timeline of all below it."""
    return {
        "provision": str(found.provision),
        "citation": found.citation,
        "history_unavailable": found.history_unavailable,
        "versions": [_version_json(version, found.acts) for version in found.versions],
        "timeline": [
            {"day": _day(moment.day), "changes": [_change_json(one, found.acts) for one in moment.changes]}
            for moment in found.moments
        ],
    }


def _version_json(version: Version, acts: Mapping[WorkId, str]) -> dict[str, object]:
    return {
        **validity_json(version.validity),
        "event": version.event.value,
        **_act_json(version.source_act, acts),
        "application": version.application,
        "heading": version.heading,
        "text": version.text,
        "findings": list(version.findings),
    }


def _change_json(change: Change, acts: Mapping[WorkId, str]) -> dict[str, object]:
    return {
        "provision": str(change.provision),
        "event": change.event.value if change.event else "ended",
        **_act_json(change.source_act, acts),
    }


def _act_json(act: WorkId | None, acts: Mapping[WorkId, str]) -> dict[str, object]:
    return {"source_act": str(act) if act else None, "act": acts.get(act, str(act)) if act else None}


@as_record.register(Comparison)
def comparison_json(found: Comparison) -> dict[str, object]:
    """What differs between two dates; what stayed the same is counted."""
    return {
        "provision": str(found.provision),
        "citation": found.citation,
        "first": found.first.isoformat(),
        "second": found.second.isoformat(),
        "unchanged": len(found.differences) - len(found.changed),
        "differences": [_difference_json(one, found.acts) for one in found.changed],
        "caveats": [caveat_json(caveat) for caveat in found.caveats],
    }


def _difference_json(one: Difference, acts: Mapping[WorkId, str]) -> dict[str, object]:
    return {
        "provision": str(one.provision),
        "label": one.label,
        "alteration": one.alteration.value,
        "formerly": str(one.formerly) if one.formerly else None,
        "event": one.event.value if one.event else None,
        "since": _day(one.since),
        **_act_json(one.source_act, acts),
        "words": [[piece.mark.value, piece.text] for piece in one.pieces],
    }


def changes_json(found: Sequence[ActChanges], since: date, until: date | None) -> dict[str, object]:
    """The works that changed in a period."""
    return {
        "since": since.isoformat(),
        "until": until.isoformat() if until else None,
        "works": [act_changes_json(one) for one in found],
    }


@as_record.register(ActChanges)
def act_changes_json(one: ActChanges) -> dict[str, object]:
    """What changed in one work."""
    return {
        "work": str(one.work),
        "citation": one.citation,
        "changes": [{**_change_json(change, one.acts), "day": _day(change.day)} for change in one.changes],
        "by": [{"source_act": str(act) if act else None, "changes": count} for act, count in one.causes],
    }


def _day(day: date | None) -> str | None:
    return day.isoformat() if day is not None and day != NOT_YET else None
