"""What programs read: results of each verb as JSON under names that stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from pykala.answer.record import caveat_json, cited_json, edge_json, validity_json
from pykala.inbox import InboxReport
from pykala.ingest import Report
from pykala.law.provisions import Provision
from pykala.library import Found, Related, Shown
from pykala.packs.pack import PackFacts
from pykala.retrieve.navigate import Destination
from pykala.stores.store import Stats


def found_json(found: Found) -> dict[str, object]:
    """A search result."""
    match = found.match
    return {
        "provision": str(match.provision),
        "work": str(match.work),
        "citation": found.citation,
        "url": found.url,
        "score": round(match.score, 4),
        "text": match.text,
        "header": match.header,
        "language": match.language,
        **validity_json(match.validity),
        "authority": match.authority,
    }


def shown_json(shown: Shown) -> dict[str, object]:
    """A provision on a date."""
    version = shown.version
    return {
        **cited_json(shown.cited),
        "event": version.event.value,
        "source_act": str(version.source_act) if version.source_act else None,
        "application": version.application,
        "languages": list(shown.languages),
        "cited_by": {"provisions": shown.standing.cited, "works": shown.standing.works},
        "children": [_child_json(child) for child in shown.children],
        "caveats": [caveat_json(caveat) for caveat in shown.caveats],
    }


def _child_json(child: Provision) -> dict[str, object]:
    return {
        "provision": str(child.id),
        "kind": child.kind.value,
        "label": child.label,
        "heading": child.heading,
        "text": child.versions[-1].text if child.versions else "",
    }


def related_json(found: Related) -> dict[str, object]:
    """A neighbourhood."""
    return {
        "provision": str(found.provision),
        "related": [
            {
                "provision": str(visit.provision),
                "hops": visit.hops,
                "score": round(visit.score, 4),
                **edge_json(visit.via),
            }
            for visit in found.visited
        ],
        "unresolved": [
            {"provision": str(one.source), "text": one.text, "target": one.target, "reason": one.reason.value}
            for one in found.unresolved
        ],
    }


def report_json(report: Report, folder: Path, seconds: float) -> dict[str, object]:
    """What an ingest did."""
    return {
        "library": str(folder),
        "read": report.read,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "refused": [{"path": refusal.path, "reason": refusal.reason} for refusal in report.refusals],
        "documents": dict(report.documents),
        "passages": report.passages,
        "references": report.references,
        "gone": report.gone,
        "kept": sorted(report.kept),
        "unresolved": dict(report.unresolved),
        "seconds": round(seconds, 2),
    }


def inbox_json(report: InboxReport) -> dict[str, object]:
    """What a scan of an inbox did."""
    return {
        "added": list(report.added),
        "unchanged": report.unchanged,
        "replaced": list(report.replaced),
        "gone": [{"file": name, "work": str(work)} for name, work in report.gone],
        "removed": [str(work) for work in report.removed],
        "copies": [{"file": name, "of": other} for name, other in report.copies],
        "refused": [{"path": refusal.path, "reason": refusal.reason} for refusal in report.refusals],
    }


def stats_json(held: Stats, folder: str) -> dict[str, object]:
    """How much a library holds."""
    counts = ((field.name, getattr(held, field.name)) for field in fields(held))
    return {
        "library": folder,
        **{name: dict(value) if isinstance(value, Mapping) else value for name, value in counts},
    }


def pack_json(facts: PackFacts) -> dict[str, object]:
    """An installed jurisdiction."""
    return {
        "code": facts.code,
        "publisher": facts.publisher,
        "languages": list(facts.languages),
        "authority": {
            kind: {"rank": rank, "reason": facts.authority_reasons.get(kind, "")}
            for kind, rank in facts.authority.items()
        },
    }


def destination_json(found: Destination) -> dict[str, object]:
    """A section that an act's contents point at."""
    return {
        "provision": str(found.section),
        "title": found.title,
        "under": list(found.under),
        "score": round(found.score, 4),
    }
