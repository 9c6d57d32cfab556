"""Law and the guidance on it share a chance: both are right, or neither is, and the law is shown first.

A page of a tax authority says in everyday words what a section says in the law's, so both come up together,
and each takes from the other's grade. Where the page interprets the very section, the section is as likely as
both of them. So is the likeliest section of an act that the page only names, if it is likely enough itself.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from pykala.law.authority import BINDING_FROM, OFFICIAL_FROM
from pykala.law.grades import HIGHEST_LIKELY, LISTED_FROM
from pykala.law.identifiers import ProvisionId
from pykala.law.references import Direction, EdgeKind, EdgesWanted
from pykala.retrieve.grade import Graded
from pykala.stores.store import Store

_LIKELY_ENOUGH = 2.0  # the least grade of a section whose act the page names as a whole
_READ = 5  # candidates among which the two are looked for


def law_before_its_guidance(graded: Sequence[Graded], store: Store) -> tuple[Graded, ...]:
    """Candidates with the law first, where the first is guidance on it, or law beside guidance on it."""
    leading = [one for one in graded[:_READ] if one.grade >= LISTED_FROM]
    pages = [one for one in leading if OFFICIAL_FROM <= one.candidate.match.authority < BINDING_FROM]
    laws = [one for one in leading if one.candidate.match.authority >= BINDING_FROM]
    if not pages or not laws:
        return tuple(graded)
    wanted = [
        EdgesWanted.of([page.candidate.section], [EdgeKind.INTERPRETS], Direction.OUT) for page in pages
    ]
    interpreted = [{edge.target for edge in edges} for edges in store.edges_of(wanted)]
    for law in laws:
        on_it = [
            page for page, targets in zip(pages, interpreted, strict=True) if _interprets(page, targets, law)
        ]
        if on_it and graded[0] in (law, *on_it):
            together = law.grade + max(page.grade for page in on_it)
            first = replace(law, grade=max(law.grade, min(HIGHEST_LIKELY, together)))
            return (first, *(one for one in graded if one is not law))
    return tuple(graded)


def _interprets(page: Graded, targets: Set[ProvisionId], law: Graded) -> bool:
    section = law.candidate.section
    if any(section == target or section.contains(target) for target in targets):
        return True
    named = any(target.work == section.work and not target.path for target in targets)
    return named and page.grade > law.grade >= _LIKELY_ENOUGH
