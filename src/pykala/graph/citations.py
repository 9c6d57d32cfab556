"""Citations in the words of the law, found and then resolved by the jurisdiction's own grammar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from pykala.law.citations import CitationContext, CitationGrammar, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId, Step
from pykala.law.provisions import Version
from pykala.law.references import Method, Reference, Unresolved
from pykala.law.validity import Validity
from pykala.text.stretches import Stretches


def cited(
    version: Version,
    grammar: CitationGrammar,
    context: CitationContext,
    *,
    source: ProvisionId,
    anchors: Sequence[Reference] = (),
) -> Iterator[Reference]:
    """The references in one version's own text, in order, without those that an anchor already gives.

    A citation may contain an anchor: in "section 5 of the Bank Act", sources link only the name. Then the
    markup gives the work, and the words give the place in it. A citation that the grammar finds but cannot
    resolve is kept, with the reason.
    """
    text, linked = version.text, Stretches(anchors)
    for citation in grammar.find_citations(text, context):
        touching = linked.touching(citation.start, citation.end)
        if any(anchor.method is Method.AMENDMENT for anchor in touching):
            continue  # an amendment is not also a citation
        if not all(holds(citation, anchor) for anchor in touching):
            continue
        leads = grammar.resolve(citation, context) or (ResolvedCitation(reason=Unresolved.NOT_UNDERSTOOD),)
        if touching and not any(_path(lead) for lead in leads):
            continue  # the words add nothing to the link
        for lead in leads:
            better = _by_markup(lead, touching[0]) if len(touching) == 1 else lead
            yield _reference(source, citation, better, context.language, version)


def holds(outer: FoundCitation | Reference, inner: Reference) -> bool:
    """Whether a span contains another and is longer."""
    within = outer.start <= inner.start and inner.end <= outer.end
    return within and (outer.start, outer.end) != (inner.start, inner.end)


def _by_markup(lead: ResolvedCitation, anchor: Reference) -> ResolvedCitation:
    """Resolve a citation whose work the source's markup names."""
    if anchor.target is not None and not anchor.target.path:
        return ResolvedCitation(target=ProvisionId(anchor.target.work, _path(lead)))
    if anchor.alias and lead.target is None and not lead.alias:
        return ResolvedCitation(alias=anchor.alias, path=lead.path)
    return lead


def _path(lead: ResolvedCitation) -> tuple[Step, ...]:
    return lead.target.path if lead.target else lead.path


def _reference(
    source: ProvisionId, citation: FoundCitation, lead: ResolvedCitation, language: str, version: Version
) -> Reference:
    nowhere = lead.target is None and not lead.alias and lead.reason is None
    return Reference(
        source=source,
        kind=citation.kind,
        text=citation.text,
        language=language,
        method=Method.CITATION,
        start=citation.start,
        end=citation.end,
        target=lead.target,
        alias=lead.alias,
        path=lead.path,
        reason=Unresolved.NOT_UNDERSTOOD if nowhere else lead.reason,
        validity=_from(citation.effective, version.validity),
    )


def _from(day: date | None, stands: Validity) -> Validity:
    """When a reference takes effect: from the day that its words name, however early they were law."""
    if day is None:
        return stands
    return Validity(day, stands.end if stands.end is None or stands.end > day else None)
