"""Histories, differences and changes as records."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pykala.law.forms import as_record
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Version
from pykala.records import law as records
from pykala.records.record import Json
from pykala.text.phrases import LANGUAGES, tell
from pykala.versions.chains import Change
from pykala.views.chronicle import ActChanges, Comparison, History

Acts = Mapping[WorkId, str]


@as_record.register(History)
def history_json(found: History) -> Json:
    """A provision's chain and the timeline of all below it, as JSON."""
    return history_record(found).as_json()


@as_record.register(Version)
def version_json(version: Version) -> Json:
    """A wording with its dates, as JSON."""
    return _version(version, {}, LANGUAGES[0]).as_json()


@as_record.register(Comparison)
def comparison_json(found: Comparison) -> Json:
    """The differences between two dates, as JSON."""
    return comparison_record(found).as_json()


@as_record.register(ActChanges)
def act_changes_json(found: ActChanges) -> Json:
    """The changes of one work, as JSON."""
    return changed_work_record(found).as_json()


def history_record(found: History, language: str = LANGUAGES[0]) -> records.History:
    """A provision's chain and the timeline of all below it; findings are told in a language."""
    return records.History.of(
        found,
        versions=[_version(one, found.acts, language) for one in found.versions],
        timeline=[
            records.Moment.of(
                moment, changes=[records.Change.of(one, **_told(one, found.acts)) for one in moment.changes]
            )
            for moment in found.moments
        ],
    )


def comparison_record(found: Comparison) -> records.Comparison:
    """The differences between two dates; unchanged parts are counted."""
    return records.Comparison.of(
        found,
        unchanged=len(found.differences) - len(found.changed),
        differences=[
            records.Difference.of(
                one,
                citation=found.citations[one.provision],
                act=_named(one.source_act, found.acts),
                words=[(piece.mark.value, piece.text) for piece in one.pieces],
            )
            for one in found.changed
        ],
    )


def changed_work_record(
    found: ActChanges, cite: Callable[[ProvisionId], str] | None = None, *, limit: int | None = None
) -> records.ChangedWork:
    """The changes of one work, at most `limit`; `cite` gives the citations."""
    return records.ChangedWork.of(
        found,
        changes=[
            records.DatedChange.of(
                one, citation=cite(one.provision) if cite else None, **_told(one, found.acts)
            )
            for one in found.changes[:limit]
        ],
        by=[
            records.Cause(source_act=str(act) if act else None, changes=count) for act, count in found.causes
        ],
        total=len(found.changes),
    )


def _told(change: Change, acts: Acts) -> dict[str, object]:
    """The event and act of a change; "ended" where a text ended without a successor."""
    return {"event": change.event or "ended", "act": _named(change.source_act, acts)}


def _version(version: Version, acts: Acts, language: str) -> records.Version:
    findings = [tell(language, finding) for finding in version.findings]
    return records.Version.of(version, act=_named(version.source_act, acts), findings=findings)


def _named(act: WorkId | None, acts: Acts) -> str | None:
    return acts.get(act, str(act)) if act else None
