"""Precision and recall of the New York grammar against citations labelled by hand in the real text.

    python -m bench.nyc_citations ../shared/corpora/nyc.tar.zst [--wrong]

The labels (tests/packs/nyc/labelled_citations.jsonl) hold no words of the law: for each of the provisions,
drawn at random and read by a person, its identifier, a hash of its text, and every citation in it as
[start, end, target]. "outside" is another law, "missing" a place that the loaded text does not have; a list
that runs on within a sentence leads to the provision that holds it. Bare "this chapter" is not labelled, and
what the grammar finds there is not counted.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from pykala.fetch.mirror import open_mirror
from pykala.law.citations import CitationContext, FoundCitation
from pykala.law.provisions import Document
from pykala.law.references import Unresolved
from pykala.packs.nyc import pack
from pykala.packs.pack import Snapshot

LABELS = Path(__file__).parents[1] / "tests" / "packs" / "nyc" / "labelled_citations.jsonl"
_REASONS: dict[Unresolved | None, str] = {
    Unresolved.OUTSIDE_CORPUS: "outside",
    Unresolved.NO_SUCH_PROVISION: "missing",
}


@dataclass(slots=True)
class Score:
    """What was labelled, what was found, and what of both agrees."""

    labelled: int = 0
    found: int = 0
    right: int = 0
    stale: list[str] = field(default_factory=list)  # the text is no longer the one that was labelled
    wrong: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Of what the grammar found, how much is right in place and target."""
        return self.right / max(self.found, 1)

    @property
    def recall(self) -> float:
        """Of what a person labelled, how much was found with its target."""
        return self.right / max(self.labelled, 1)


def read_title(source: Path) -> Document:
    """The title as the pack reads it from an archive or folder."""
    with open_mirror(source) as mirror:
        item = next(iter(pack.works(mirror.paths())))
        files = [mirror.read(path) for path in item.paths]
        reading = pack.read(item, [Snapshot(file.path, file.data, file.sha256) for file in files])
    return reading.documents[0]


def score(document: Document, labels: Path = LABELS) -> Score:
    """Compare the grammar with the labels: a citation is right when it overlaps a label of its target."""
    result = Score()
    texts = {str(provision.id): provision for provision in document.root.walk()}
    for line in labels.read_text("utf-8").splitlines():
        entry = json.loads(line)
        provision = texts.get(entry["provision"])
        text = provision.versions[-1].text if provision is not None else ""
        if provision is None or sha256(text.encode()).hexdigest()[:12] != entry["sha256"]:
            result.stale.append(entry["provision"])
            continue
        context = CitationContext("en", provision.id, document)
        _compare(result, entry, text, list(_found(text, context)))
    return result


def _found(text: str, context: CitationContext) -> Iterator[tuple[int, int, str]]:
    for citation in pack.find_citations(text, context):
        if not _bare_place(citation):
            yield citation.start, citation.end, _target(citation, context)


def _bare_place(citation: FoundCitation) -> bool:
    return len(citation.steps) == 1 and citation.steps[0].number == "this"


def _target(citation: FoundCitation, context: CitationContext) -> str:
    leads = pack.resolve(citation, context)
    names = [
        str(lead.target) if lead.target else _REASONS.get(lead.reason, str(lead.reason)) for lead in leads
    ]
    if len(names) == 1:
        return names[0]
    # A range is labelled with its two ends.
    return f"{names[0]}..{names[-1].rpartition('_')[2]}"


def _compare(result: Score, entry: dict[str, object], text: str, found: list[tuple[int, int, str]]) -> None:
    labels = [tuple(label) for label in entry["citations"]]  # type: ignore[attr-defined]
    result.labelled += len(labels)
    result.found += len(found)
    open_labels = list(labels)
    for start, end, target in found:
        match = next(
            (one for one in open_labels if one[0] < end and start < one[1] and one[2] == target), None
        )
        if match is None:
            result.wrong.append(f"found  {entry['provision']}: {text[start:end]!r} → {target}")
            continue
        open_labels.remove(match)
        result.right += 1
    for start, end, target in open_labels:
        result.wrong.append(f"missed {entry['provision']}: {text[start:end]!r} → {target}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("--wrong", action="store_true", help="print each disagreement")
    arguments = parser.parse_args()
    result = score(read_title(arguments.source))
    print(f"{result.labelled:>8}  citations labelled")
    print(f"{result.found:>8}  citations found")
    print(f"{result.right:>8}  right in place and target")
    print(f"{result.precision:>8.3f}  precision")
    print(f"{result.recall:>8.3f}  recall")
    print(f"{len(result.stale):>8}  texts that have changed since they were labelled")
    if arguments.wrong:
        print("\n".join(result.wrong))


if __name__ == "__main__":
    main()
