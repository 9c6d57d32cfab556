"""Score finding and resolving of Canadian citations against labels made by reading the real texts.

    python -m bench.canada_citations ../shared/corpora/canada.tar.zst [--misses] [--held-out | --open]

The labels (tests/packs/canada/labels) hold places, not sentences: a provision, a hash of its text, and for
every citation a person saw in it the span and where it leads. They were made so:

- Provisions were drawn at random (historical notes aside) from works drawn at random, by the words and digits
  in them and not by what the grammar finds; 207 of the 784 hold no citation.
- A citation names a numbered place ("section 5", "paragraphs (a) and (b)", "Part II"), a work by its title,
  or an instrument by its number. "This section", "that subsection", "the schedule" are none, nor is a work's
  own title. Each member of a list is a citation; a range is one, with all its members as targets.
- Where a section was repealed as a whole, a paragraph of it leads to what is left: the nearest place above.
- What is outside federal law or was never consolidated (treaties, provincial and foreign law, standards, the
  Gazette, annual statutes by chapter), and a title that quotes another one, is optional: finding it counts
  neither way, resolving it wrongly counts.

The last provisions were drawn and labelled when the rules were written (`--held-out`). Their misses have been
read since, and a few rules answer them, so their figures are somewhat better than those of texts not seen
before. The 88 French ones drawn last had, when first scored: find 0.971 / 1.000, resolve 0.944 / 0.985.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from bench.citation_scores import (
    NAMED,
    Found,
    Label,
    LabelsOutdated,
    Score,
    arguments_of,
    by_span,
    chosen,
    labels_of,
    matched,
    report,
)
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.fetch.xml import parse_xml
from pykala.graph.anchors import anchored, anchors_by_source
from pykala.graph.citations import cited, holds
from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Provision
from pykala.law.references import normalise_alias
from pykala.packs.canada import pack
from pykala.packs.canada.identification import aliases_of, read_identification
from pykala.packs.canada.naming import language_of
from pykala.packs.pack import Snapshot

LABELS = Path(__file__).resolve().parents[1] / "tests" / "packs" / "canada" / "labels"


@dataclass(frozen=True, slots=True)
class LabelledProvision:
    """All citations of one provision's own text."""

    provision: ProvisionId
    text_sha256: str
    labels: tuple[Label, ...]
    held_out: bool  # drawn and labelled after the rules: none was written for it


def read_labels(language: str) -> list[LabelledProvision]:
    """The labels of a language."""
    lines = (LABELS / f"{language}.jsonl").read_text("utf-8").splitlines()
    return [
        LabelledProvision(
            ProvisionId.parse(entry["provision"]),
            entry["text_sha256"],
            labels_of(entry),
            entry.get("held_out", False),
        )
        for entry in map(json.loads, lines)
    ]


class Corpus:
    """Documents and names of works, read from the mirror when they are asked for."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self._items = {item.name: item for item in pack.works(mirror.paths())}
        self._documents: dict[tuple[str, str], Document] = {}
        self._names: dict[str, frozenset[str]] = {}

    def __contains__(self, work: WorkId) -> bool:
        return work.value in self._items

    def document(self, work: WorkId, language: str) -> Document:
        """A work in a language. The English text is read alone; the French one takes identifiers from it."""
        if (work.value, language) not in self._documents:
            item = self._items[work.value]
            needed = {language, "en"}
            files = [self._mirror.read(path) for path in item.paths if language_of(path) in needed]
            reading = pack.read(item, [Snapshot(file.path, file.data, file.sha256) for file in files])
            for document in reading.documents:
                self._documents[work.value, document.language] = document
        return self._documents[work.value, language]

    def names(self, work: WorkId) -> frozenset[str]:
        """Every name that the library knows a work by, folded as aliases are."""
        if work.value not in self._names:
            item = self._items.get(work.value)
            heads = [
                read_identification(parse_xml(self._mirror.read(path).data, path))
                for path in (item.paths if item else ())
            ]
            titles = [name for head in heads for name in (head.title, head.short_title) if name]
            self._names[work.value] = frozenset(map(normalise_alias, (*titles, *aliases_of(work, heads))))
        return self._names[work.value]


def found_in(provision: Provision, document: Document) -> list[Found]:
    """What the graph pass sees in a provision: links of the markup and citations of the grammar."""
    links = anchors_by_source(document).get(provision.id, ())
    version = provision.versions[-1]
    anchors = anchored(links, (version,))[0]
    context = CitationContext(document.language, provision.id, document)
    references = list(cited(version, pack, context, source=provision.id, anchors=anchors))
    references += [anchor for anchor in anchors if not any(holds(outer, anchor) for outer in references)]
    return by_span(references)


def is_right(label: Label, found: Found, corpus: Corpus) -> bool:
    """Whether what was found leads where the label says."""
    leads = found.leads
    if not label.targets:
        # A name that nothing in the corpus answers to leads nowhere as well.
        return all(lead.startswith(NAMED) for lead in leads)
    wanted = {expected for expected in label.targets if any(_same(lead, expected, corpus) for lead in leads)}
    if not leads or not all(any(_same(lead, one, corpus) for one in label.targets) for lead in leads):
        return False
    # The members between the ends of a range in another work are counted when that work is at hand.
    return wanted == set(label.targets) or {label.targets[0], label.targets[-1]} <= wanted


def _same(lead: str, expected: str, corpus: Corpus) -> bool:
    if lead == expected:
        return True
    name, path = _parted(lead)
    wanted, wanted_path = _parted(expected)
    if path != wanted_path:
        return False
    if name.startswith(NAMED) and not wanted.startswith(NAMED):
        return name.removeprefix(NAMED) in corpus.names(WorkId(wanted))
    # The markup may know the number of a work that is not in the corpus, only named there.
    return wanted.startswith(NAMED) and not name.startswith(NAMED) and WorkId(name) not in corpus


def _parted(lead: str) -> tuple[str, str]:
    if not lead.startswith(NAMED):
        place = ProvisionId.parse(lead)
        return place.work.value, "/".join(map(str, place.path))
    name, _, path = lead.partition("/")
    return name, path


def score(language: str, corpus: Corpus, labelled: Iterable[LabelledProvision]) -> Score:
    """Compare what is found with what was labelled."""
    result = Score()
    for entry in labelled:
        document = corpus.document(entry.provision.work, language)
        provision = next((each for each in document.root.walk() if each.id == entry.provision), None)
        text = provision.versions[-1].text if provision is not None else ""
        if (
            provision is None
            or sha256(text.encode()).hexdigest()[: len(entry.text_sha256)] != entry.text_sha256
        ):
            raise LabelsOutdated(
                f"{entry.provision} ({language}) reads otherwise than its label; label it anew"
            )
        result.counts["provisions"] += 1
        for label, found in matched(entry.labels, found_in(provision, document)):
            right = label is not None and found is not None and is_right(label, found, corpus)
            result.take(str(entry.provision), text, label, found, right)
    return result


def main() -> None:
    arguments = arguments_of(__doc__, "source")
    with open_mirror(arguments.source) as mirror:
        corpus = Corpus(mirror)
        for language in pack.facts.languages:
            result = score(language, corpus, chosen(read_labels(language), arguments))
            report(language, result, misses=arguments.misses)


if __name__ == "__main__":
    main()
