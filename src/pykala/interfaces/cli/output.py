"""Results of commands as JSON, under stable names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from pykala.ingest import Report
from pykala.library.inbox import InboxReport
from pykala.retrieve.navigate import Destination
from pykala.stores.postgres.address import shown
from pykala.stores.store import Stats


def report_json(report: Report, folder: Path, seconds: float) -> dict[str, object]:
    """The result of an ingest."""
    return {
        "library": shown(folder),
        "read": report.read,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "refused": [{"path": refusal.path, "reason": refusal.reason} for refusal in report.refusals],
        "mended": list(report.mended),
        "documents": dict(report.documents),
        "passages": report.passages,
        "references": report.references,
        "gone": report.gone,
        "left_out": report.left_out,
        "kept": sorted(report.kept),
        "held": [{"work": held.work, "reason": held.reason} for held in report.held],
        "not_pruned": report.not_pruned,
        "unresolved": dict(report.unresolved),
        "seconds": round(seconds, 2),
    }


def inbox_json(report: InboxReport) -> dict[str, object]:
    """The result of an inbox scan."""
    return {
        "added": list(report.added),
        "unchanged": report.unchanged,
        "replaced": list(report.replaced),
        "gone": [{"file": name, "work": str(work)} for name, work in report.gone],
        "removed": [str(work) for work in report.removed],
        "held": [{"file": name, "work": str(work)} for name, work in report.held],
        "copies": [{"file": name, "of": other} for name, other in report.copies],
        "mended": list(report.mended),
        "refused": [{"path": refusal.path, "reason": refusal.reason} for refusal in report.refusals],
    }


def stats_json(held: Stats, folder: str) -> dict[str, object]:
    """The size of a library."""
    counts = ((field.name, getattr(held, field.name)) for field in fields(held))
    return {
        "library": folder,
        **{name: dict(value) if isinstance(value, Mapping) else value for name, value in counts},
    }


def destination_json(found: Destination) -> dict[str, object]:
    """A section that a table of contents points to."""
    return {
        "provision": str(found.section),
        "title": found.title,
        "under": list(found.under),
        "score": round(found.score, 4),
    }
