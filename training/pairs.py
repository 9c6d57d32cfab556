"""Pairs of texts that mean the same or answer one another, from works of law and from parallel word lists.

`training.gather` is the command.

Every work falls into one split by a hash of its identifier: 90 % to train on, 5 % to choose by
(development), 5 % opened once (test). Works that question sets of others are about are never trained on.
Works under a licence that forbids commercial use are left out by the name of their file's format.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pykala.evaluate.splits import split_of
from pykala.fetch.mirror import open_mirror
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import APPARATUS, Document, Provision, ProvisionKind, Work, WorkKind
from pykala.packs.pack import pack_for
from pykala.stores.embedded.store import EmbeddedStore
from training.pair_files import SEED, Pair

#: Question sets of others are about these: the Local Government Act and the tax laws' guidance is judged
#: on, so neither the act nor anything that amends it is learned from.
HELD_OUT = frozenset({"fi:act:2015/410"})
HELD_OUT_TITLES = re.compile(r"\bkuntalain\b|^kuntalaki\b|\bkommunallag", re.IGNORECASE)
#: Semantic Finlex is CC-BY-NC: its texts may be searched by those who have them, never trained on.
NON_COMMERCIAL = ("semantic-finlex", "json-ld")
#: Runs of one direction in the dictionary that are under the GPL: see `without_copyleft_lists`.
_COPYLEFT_RUNS = range(6, 13)
LONGEST = 900  # characters of a section: its first words say what it is about


def of_library(folder: Path) -> Iterator[Pair]:
    """The pairs of every work that a library holds."""
    with EmbeddedStore.open(folder) as store:
        for work in store.works():
            if work.kind is WorkKind.UPLOAD or work.id.jurisdiction == "up":
                continue
            yield from of_work(work, [store.document(work.id, language) for language, _ in work.titles])


def of_work(work: Work, documents: Iterable[Document]) -> Iterator[Pair]:
    """The pairs of one work: headings with their sections, languages with one another, terms, rulings."""
    if is_held_out(work):
        return
    split = split_of(work.id)
    documents = [one for one in documents if not _non_commercial(one)]
    sections = {document.language: dict(sections_of(document)) for document in documents}
    for document in documents:
        yield from _definitions(document, split)
        if work.kind is WorkKind.CASE:
            yield from _rulings(document, split)
    yield from _headings(work, split, sections)
    yield from _translations(work, split, sections)


def is_held_out(work: Work) -> bool:
    """Whether a work is one that question sets of others are about, or amends one."""
    return str(work.id) in HELD_OUT or any(HELD_OUT_TITLES.search(title) for _, title in work.titles)


def _non_commercial(document: Document) -> bool:
    formats = [one.format for one in document.manifestations]
    return any(banned in form for form in formats for banned in NON_COMMERCIAL)


@dataclass(frozen=True, slots=True)
class Section:
    """A section's heading and words, newest state."""

    heading: str
    text: str


def sections_of(document: Document) -> Iterator[tuple[ProvisionId, Section]]:
    """The sections of a document, newest state."""
    pack = pack_for(document.work.jurisdiction)
    for ancestors, section in pack.sections(document):
        if section.kind in APPARATUS or section.kind is ProvisionKind.ENTRY_INTO_FORCE:
            continue
        text = words_of_section(section)
        heading = section.heading or _nearest_heading(ancestors)
        if len(text) >= 40:
            yield section.id, Section(heading, text)


def _nearest_heading(ancestors: Iterable[Provision]) -> str:
    return next((one.heading for one in reversed(list(ancestors)) if one.id.path and one.heading), "")


def words_of_section(section: Provision) -> str:
    """The newest words of a section, without its heading."""
    pieces = [one.versions[-1].text for one in section.walk() if one.versions and one.kind not in APPARATUS]
    return re.sub(r"\s+", " ", " ".join(pieces)).strip()[:LONGEST]


def _headings(work: Work, split: str, sections: dict[str, dict[ProvisionId, Section]]) -> Iterator[Pair]:
    kind = work.kind.value
    for language, found in sections.items():
        title = work.name(language)
        for section in found.values():
            if len(section.heading) >= 4:
                yield Pair(
                    f"heading-{kind}-{language}", section.heading, language, section.text, language, split
                )
                yield Pair(
                    f"titled-{kind}-{language}",
                    f"{title}: {section.heading}",
                    language,
                    section.text,
                    language,
                    split,
                )


def _rulings(document: Document, split: str) -> Iterator[Pair]:
    """A ruling's summary and the first parts of its reasons: the same matter told twice, in other words."""
    summaries = [one for one in document.root.children if one.kind is ProvisionKind.HEADNOTE]
    reasons = [one for one in document.root.children if one.kind is ProvisionKind.REASONS]
    for summary in summaries[:1]:
        words = words_of_section(summary)
        for part in reasons[:4]:
            told = words_of_section(part)
            if len(words) >= 80 and len(told) >= 120:
                yield Pair(
                    f"ruling-{document.language}", words, document.language, told, document.language, split
                )


def _definitions(document: Document, split: str) -> Iterator[Pair]:
    """A defined term and the words that define it."""
    places = {one.id: one for one in document.root.walk()}
    for term in document.terms:
        found = places.get(term.provision)
        words = words_of_section(found) if found else ""
        if len(words) >= 40:
            yield Pair(f"defined-{term.language}", term.term, term.language, words, term.language, split)


def _translations(work: Work, split: str, sections: dict[str, dict[ProvisionId, Section]]) -> Iterator[Pair]:
    """Sections with the same place in two languages, and each one's heading with the other's words."""
    languages = sorted(sections)
    for at, first in enumerate(languages):
        for second in languages[at + 1 :]:
            for place, one in sections[first].items():
                other = sections[second].get(place)
                if other is None or not 0.4 < len(one.text) / len(other.text) < 2.5:
                    continue
                code = f"{work.id.jurisdiction}-{first}-{second}"
                yield Pair(f"section-{code}", one.text, first, other.text, second, split)
                if len(one.heading) >= 4:
                    yield Pair(f"cross-{code}", one.heading, first, other.text, second, split)
                if len(other.heading) >= 4:
                    yield Pair(f"cross-{code}", other.heading, second, one.text, first, split)
                if len(one.heading) >= 4 and len(other.heading) >= 4:
                    yield Pair(f"heads-{code}", one.heading, first, other.heading, second, split)


def of_parallel(archive: Path) -> Iterator[Pair]:
    """Words, titles and sentences; all of it is trained on, none of it is law that is judged on."""
    with open_mirror(archive) as mirror:
        files = {path.rpartition("/")[2]: path for path in mirror.paths()}

        def lines(name: str) -> Iterator[list[str]]:
            for line in mirror.read(files[name]).data.decode("utf-8").splitlines():
                yield [part.strip() for part in line.split("\t")]

        for row in without_copyleft_lists(lines("dict.tsv")):
            if len(row) == 4 and row[2] and row[3]:
                yield Pair(f"dict-{row[0]}-{row[1]}", row[2], row[0], row[3], row[1], "train")
        for row in lines("sent.tsv"):
            if len(row) == 4:
                yield Pair(f"sent-{row[0]}-{row[1]}", row[2], row[0], row[3], row[1], "train")
        for name, language in (("wn_fien.tsv", "fi"), ("wn_fren.tsv", "fr"), ("wn_sven.tsv", "sv")):
            for row in lines(name):
                if len(row) == 2:
                    yield Pair(f"dict-{language}-en", row[0].strip('"'), language, row[1], "en", "train")
        for row in lines("wn_gloss.tsv"):
            if len(row) == 2:
                yield Pair("gloss-fi-en", row[0], "fi", row[1], "en", "train")
        yield from _concepts({code: list(lines(f"finna-{code}.txt")) for code in ("fi", "sv", "en")})


def without_copyleft_lists(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    """The dictionary's rows without those of lists under the GNU General Public License.

    A row does not say where it comes from, but the lists stand one after another, each a run of rows in one
    direction: six of FreeDict that were made from Wiktionary (CC BY-SA), four of FreeDict's own and three of
    Apertium (both GPL), then YSO, EuroVoc and definitions of Canadian acts.
    """
    for number, (_, run) in enumerate(groupby(rows, key=lambda row: row[:2])):
        if number not in _COPYLEFT_RUNS:
            yield from run


def _concepts(files: dict[str, list[list[str]]]) -> Iterator[Pair]:
    """Titles indexed with one concept, in pairs of languages, and each title with the concept's label."""
    drawn = random.Random(SEED)
    by_concept: dict[str, dict[str, tuple[list[str], list[str]]]] = {}
    for code, rows in files.items():
        for row in rows:
            if len(row) == 3 and row[1] in "LT":
                labels, titles = by_concept.setdefault(row[0], {}).setdefault(code, ([], []))
                (labels if row[1] == "L" else titles).append(row[2])
    for languages in by_concept.values():
        codes = sorted(languages)
        for code in codes:
            for other in codes:
                labels, titles = languages[code][0], languages[other][1]
                for title in drawn.sample(titles, min(3, len(titles))) if labels else ():
                    yield Pair(f"concept-{code}-{other}", labels[0], code, title, other, "train")
                if code < other and languages[code][0] and languages[other][0]:
                    yield Pair(
                        f"dict-{code}-{other}",
                        languages[code][0][0],
                        code,
                        languages[other][0][0],
                        other,
                        "train",
                    )
