"""Score finding and resolving of Finnish citations against labels made by reading the real texts.

    python -m bench.finland_citations ../shared/corpora [--misses] [--held-out | --open]

The corpora are the archives (`finland-akn.tar.zst` …) or folders of the same names. The labels
(tests/packs/finland/labels) hold places, not sentences: a file, a provision, a hash of its text, and for
every citation that was read in it the span and where it leads. They were made so:

- Documents were drawn at random from each source (`bench.finland_citation_survey.draw`), then one to three
  provisions of each whose text holds a digit or the name of a law, and some that hold neither. What the
  grammar found was printed into each text; every text was read, and what was missing, spurious or led
  elsewhere was put right by hand.
- A citation names a numbered place ("5 §:n 2 momentti", "1 och 2 mom."), a law by its name or number, a
  ruling, a bill, a treaty, an act of the Union with its article, or a diary number. A list or a range at one
  level is one citation with several targets. "tässä momentissa", "tämän lain", headings of the page itself,
  and a law within the title of another one are optional: finding them counts neither way.
- Where a law is known only by a name, the target is that name as it is known: `name:vesilaki/chp_2/sec_3`.
- What lies outside every pack (bills, foreign law, cases of other courts) has no target.

Three draws were labelled after the rules and scored before any rule answered them (the last is `held_out`):

    Finnish  find 1.000 / 0.981, 1.000 / 0.983, 1.000 / 1.000
             resolve 0.983 / 0.963, 0.954 / 0.934, 0.867 / 0.857
    Swedish  find 0.993 / 0.969, 0.986 / 0.984, 1.000 / 1.000
             resolve 0.926 / 0.898, 0.930 / 0.919, 0.963 / 0.952

Rules have answered their misses since: today's figures are better than those of texts not seen before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from bench.citation_scores import (
    NAMED,
    Label,
    LabelsOutdated,
    Score,
    arguments_of,
    chosen,
    labels_of,
    matched,
    report,
)
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.fetch.refusals import RefusedFile
from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Provision
from pykala.packs.finland import pack
from pykala.packs.finland.consolidated.reading import read_consolidated
from pykala.packs.finland.pages.guidance import read_guidance
from pykala.packs.finland.pages.rulings import read_ruling
from pykala.packs.finland.statutes.akoma_ntoso import read_statute
from pykala.packs.finland.statutes.statute_xml import read_statute_xml
from pykala.packs.pack import Reading, Snapshot, SourceItem

LABELS = Path(__file__).resolve().parents[1] / "tests" / "packs" / "finland" / "labels"
_AKN = re.compile(r"(?P<year>\d{4})_(?P<number>\d[\d-]*)_(?:fin|swe)\.xml$")


# The texts


def _akn(snapshot: Snapshot) -> Sequence[Document]:
    found = _AKN.search(snapshot.path)
    assert found is not None
    item = SourceItem(f"act:{found['year']}/{found['number']}", (snapshot.path,))
    return read_statute(item, [snapshot], pack.facts).documents


def _page(read: Callable[..., Reading], sort: str) -> Callable[[Snapshot], Sequence[Document]]:
    def reader(snapshot: Snapshot) -> Sequence[Document]:
        return read(SourceItem(f"{sort}:{snapshot.path}", (snapshot.path,)), [snapshot], pack.facts).documents

    return reader


@dataclass(frozen=True, slots=True)
class Source:
    """One kind of text: its archive, which of its files, and who reads them."""

    archive: str
    files: re.Pattern[str]
    read: Callable[[Snapshot], Sequence[Document]]


SOURCES = {
    "akn": Source("finland-akn", _AKN, _akn),
    "statute": Source(
        "finland-statutes",
        re.compile(r"asd/(?:fi|sv)/\d{4}/asd\d{8}\.xml$"),
        lambda snapshot: read_statute_xml([snapshot], pack.facts).documents,
    ),
    "consolidated": Source(
        "finland-consolidated",
        re.compile(r"sd-jsonld-fi/.*\.jsonld$"),
        lambda snapshot: [read_consolidated(snapshot, pack.facts)[0]],
    ),
    "kho": Source("finland-web", re.compile(r"/KHO_[^/]*\.html$"), _page(read_ruling, "kho")),
    "kvl": Source(
        "finland-web", re.compile(r"Keskusverolautakunnan[^/]*/.*\.html$"), _page(read_ruling, "kvl")
    ),
    "vero": Source(
        "finland-web",
        re.compile(r"vero-ohjeet/(?:Ohjeet|Kannanotot)/.*\.html$"),
        _page(read_guidance, "vero"),
    ),
}


class Corpora:
    """The archives, opened when they are asked for, and the documents of the file asked for last."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._mirrors: dict[str, Mirror] = {}
        self._last: tuple[str, Sequence[Document]] = ("", ())

    def mirror(self, archive: str) -> Mirror:
        if archive not in self._mirrors:
            packed = self._folder / f"{archive}.tar.zst"
            path = packed if packed.exists() else self._folder / archive
            self._mirrors[archive] = self._stack.enter_context(open_mirror(path))
        return self._mirrors[archive]

    def paths(self, source: str) -> list[str]:
        files = SOURCES[source].files
        return sorted(path for path in self.mirror(SOURCES[source].archive).paths() if files.search(path))

    def documents(self, source: str, path: str) -> Sequence[Document]:
        if self._last[0] != path:
            file = self.mirror(SOURCES[source].archive).read(path)
            snapshot = Snapshot(file.path, file.data, file.sha256)
            try:
                self._last = (path, SOURCES[source].read(snapshot))
            except RefusedFile:
                self._last = (path, ())
        return self._last[1]


def provision_text(provision: Provision) -> str:
    """The newest wording of a provision's own text."""
    return provision.versions[-1].text if provision.versions else ""


def short_hash(text: str) -> str:
    """Enough of a text's hash to know it again."""
    return sha256(text.encode()).hexdigest()[:32]


# What is found


@dataclass(frozen=True, slots=True)
class Found:
    """One citation with where it leads; `nowhere` says why it leads nowhere."""

    start: int
    end: int
    text: str
    leads: tuple[str, ...]
    nowhere: tuple[str, ...] = ()


def found_in(provision: Provision, document: Document) -> list[Found]:
    """What the grammar finds in a provision."""
    context = CitationContext(document.language, provision.id, document)
    found = []
    for citation in pack.find_citations(provision_text(provision), context):
        leads, nowhere = [], []
        for one in pack.resolve(citation, context):
            if one.target:
                leads.append(str(one.target))
            elif one.alias and one.reason is None:
                leads.append("/".join((NAMED + one.alias, *map(str, one.path))))
            else:
                nowhere.append(str(one.reason))
        found.append(Found(citation.start, citation.end, citation.text, tuple(leads), tuple(nowhere)))
    return found


# The labels


@dataclass(frozen=True, slots=True)
class LabelledProvision:
    """All citations of one provision's own text."""

    source: str
    path: str
    provision: ProvisionId
    text_sha256: str
    labels: tuple[Label, ...]
    held_out: bool


def read_labels(language: str) -> list[LabelledProvision]:
    """The labels of a language."""
    lines = (LABELS / f"{language}.jsonl").read_text("utf-8").splitlines()
    return [
        LabelledProvision(
            entry["source"],
            entry["path"],
            ProvisionId.parse(entry["provision"]),
            entry["text_sha256"],
            labels_of(entry),
            entry.get("held_out", False),
        )
        for entry in map(json.loads, lines)
    ]


def is_right(label: Label, found: Found) -> bool:
    """Whether what was found leads where the label says; nowhere, where it says so."""
    return sorted(found.leads) == sorted(label.targets)


def labelled_provision(
    entry: LabelledProvision, documents: Sequence[Document], language: str
) -> tuple[Document, Provision]:
    """The provision of a label: by its identifier, or by its text where a reader numbers otherwise now."""
    same_text = None
    for document in documents:
        if document.language != language:
            continue
        for provision in document.root.walk():
            if short_hash(provision_text(provision)) == entry.text_sha256:
                if provision.id == entry.provision:
                    return document, provision
                same_text = same_text or (document, provision)
    if same_text is None:
        raise LabelsOutdated(
            f"{entry.provision} in {entry.path} reads otherwise than its label; label it anew"
        )
    return same_text


def score(language: str, corpora: Corpora, labelled: Sequence[LabelledProvision]) -> dict[str, Score]:
    """Compare what is found with what was labelled: by source, and under "all" together."""
    scores: dict[str, Score] = {"all": Score()}
    for entry in sorted(labelled, key=lambda one: (one.source, one.path)):
        both = (scores["all"], scores.setdefault(entry.source, Score()))
        try:
            document, provision = labelled_provision(
                entry, corpora.documents(entry.source, entry.path), language
            )
        except LabelsOutdated as outdated:
            both[0].counts["outdated"] += 1
            both[0].misses.append(str(outdated))
            continue
        text = provision_text(provision)
        for part in both:
            part.counts["provisions"] += 1
        for label, found in matched(entry.labels, found_in(provision, document)):
            right = label is not None and found is not None and is_right(label, found)
            for part in both:
                part.take(f"{entry.provision} ({entry.source})", text, label, found, right)
    return scores


def main() -> None:
    arguments = arguments_of(__doc__, "corpora")
    with ExitStack() as stack:
        corpora = Corpora(arguments.corpora, stack)
        for language in ("fi", "sv"):
            labelled = chosen(read_labels(language), arguments)
            for source, result in score(language, corpora, labelled).items():
                report(f"{language} {source}", result, misses=arguments.misses and source == "all")


if __name__ == "__main__":
    main()
