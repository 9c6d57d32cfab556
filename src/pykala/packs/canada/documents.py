"""From drafts to the document: identifiers, versions, references and defined terms."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Provision, ProvisionKind, Version
from pykala.law.references import EdgeKind, Method, Reference, Unresolved, normalise_alias
from pykala.packs.canada.drafts import Draft
from pykala.packs.canada.labels import step
from pykala.packs.canada.naming import linked_work

_MARK = re.compile(r"\[[\w*†‡]{1,3}\]$")
_SCOPE = re.compile(
    r"\b(?:in|to|of|for|under)\s+(?:the\s+purposes?\s+of\s+)?this\s+(?P<en>\w+)"
    r"|\bprésent[es]*\s+(?P<fr>[\w-]+)",
    re.IGNORECASE,
)
#: The places that "in this …" can mean: the kinds to look for, innermost first; None is the whole work.
_SCOPES: dict[str, tuple[ProvisionKind, ...] | None] = {
    "act": None,
    "regulations": None,
    "regulation": None,
    "order": None,
    "rules": None,
    "loi": None,
    "règlement": None,
    "décret": None,
    "arrêté": None,
    "part": (ProvisionKind.PART,),
    "partie": (ProvisionKind.PART,),
    "division": (ProvisionKind.DIVISION,),
    "subdivision": (ProvisionKind.DIVISION,),
    "sous-section": (ProvisionKind.DIVISION,),
    "schedule": (ProvisionKind.SCHEDULE,),
    "annexe": (ProvisionKind.SCHEDULE,),
    "article": (ProvisionKind.ARTICLE, ProvisionKind.SECTION),
    "subsection": (ProvisionKind.SUBSECTION, ProvisionKind.SECTION),
    "paragraphe": (ProvisionKind.SUBSECTION, ProvisionKind.SECTION),
    "paragraph": (ProvisionKind.ITEM,),
    "alinéa": (ProvisionKind.ITEM,),
    "convention": (ProvisionKind.TREATY,),
    "agreement": (ProvisionKind.TREATY,),
    "accord": (ProvisionKind.TREATY,),
}


@dataclass(slots=True)
class Assembly:
    """Builds one document's provisions; collects their references to other works."""

    work: WorkId
    language: str
    observed_at: date | None
    own_names: frozenset[str] = frozenset()  # its titles, folded as aliases are
    references: list[Reference] = field(default_factory=list)
    terms: list[DefinedTerm] = field(default_factory=list)
    renamed: set[ProvisionId] = field(default_factory=set)  # matched with their counterparts by order

    def build(self, root: Draft) -> Provision:
        """The provisions of a numbered and aligned draft."""
        place = ProvisionId(self.work)
        return self._build(root, place, place, place, ())

    def _build(
        self,
        draft: Draft,
        identity: ProvisionId,
        contents: ProvisionId,
        containers: ProvisionId,
        above: tuple[tuple[Draft, ProvisionId], ...],
    ) -> Provision:
        if draft.renamed:
            self.renamed.add(identity)
        if draft.anchors:
            self._refer(draft, identity)
        if draft.terms:
            self._define(draft, identity, above)
        children: tuple[Provision, ...] = ()
        if draft.children:
            here = (*above, (draft, identity))
            children = tuple([self._child(child, contents, containers, here) for child in draft.children])
        version = Version(
            draft.text,
            draft.validity,
            draft.heading,
            draft.event,
            observed_at=self.observed_at,
            history_unavailable=draft.history_unavailable,
            findings=draft.findings,
        )
        return Provision(identity, draft.kind, draft.label, (version,), children)

    def _child(
        self,
        child: Draft,
        contents: ProvisionId,
        containers: ProvisionId,
        above: tuple[tuple[Draft, ProvisionId], ...],
    ) -> Provision:
        last = step(child.step, child.number)
        if child.container:
            own = ProvisionId(self.work, (*containers.path, last))
            return self._build(child, own, contents, own, above)
        own = ProvisionId(self.work, (*contents.path, last))
        return self._build(child, own, own, own, above)

    def _refer(self, draft: Draft, source: ProvisionId) -> None:
        for anchor in draft.anchors:
            target = linked_work(anchor.reference_type, anchor.link) if anchor.link else None
            if target == self.work:
                continue  # "This Act may be cited as …" is no reference
            named = target is None and anchor.reference_type in ("act", "regulation", "agreement")
            # A footnote's mark may stand inside the link: "Radiocommunication Act[b]".
            alias = normalise_alias(_MARK.sub("", anchor.text)) if named else ""
            if alias in self.own_names:
                continue  # "makes the annexed … Regulations"
            self.references.append(
                Reference(
                    source,
                    EdgeKind.CITES,
                    anchor.text,
                    self.language,
                    Method.ANCHOR,
                    anchor.start,
                    anchor.end,
                    target=ProvisionId(target) if target else None,
                    alias=alias,
                    # Standards, gazettes and web addresses are not works of this corpus.
                    reason=None if target or alias else Unresolved.OUTSIDE_CORPUS,
                )
            )

    def _define(
        self, draft: Draft, provision: ProvisionId, above: tuple[tuple[Draft, ProvisionId], ...]
    ) -> None:
        scope = None
        for language, term in draft.terms:
            if language == self.language:
                scope = scope or self._scope(draft, above)
                self.terms.append(DefinedTerm(term, language, provision, scope))

    def _scope(self, draft: Draft, above: tuple[tuple[Draft, ProvisionId], ...]) -> ProvisionId:
        """How far a definition reaches: what its opening words say, else the whole work."""
        opening = above[-1][0].text if above and draft.kind is ProvisionKind.DEFINITION else draft.text
        match = _SCOPE.search(opening)
        word = (match["en"] or match["fr"] or "").casefold() if match else ""
        kinds = _SCOPES.get(word)
        if word == "section":
            # The French "section" is what English calls a Division.
            kinds = (ProvisionKind.SECTION if self.language == "en" else ProvisionKind.DIVISION,)
        for kind in kinds or ():
            for other, identity in reversed(above):
                if other.kind is kind:
                    return identity
        return ProvisionId(self.work)
