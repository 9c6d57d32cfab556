"""Match, read and weigh the pages of the Finnish web archive, and print what came of it.

    python -m bench.finland_pages ../shared/corpora/finland-web.tar.zst \
        ../shared/corpora/finland-statutes.tar.zst ../shared/corpora/finland-akn.tar.zst \
        ../shared/corpora/finland-consolidated.tar.zst [--every 1]

Statute pages by folder: matched, and unmatched by reason; precision and coverage on pages whose number is
known by their body (word for word that of a numbered act), once with all sources and once with the sources
that hold those bodies kept from the matching. Then every kind of page is read (each `--every`th of them):
refused, provisions, references by kind, words lost, pages that had to be repaired. One core.
"""

from __future__ import annotations

import argparse
import re
import resource
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

from lxml import etree, html

from pykala.fetch.mirror import Mirror, open_mirror
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document
from pykala.packs.finland import pack
from pykala.packs.finland.pages.guidance import GuidanceFiles, read_guidance
from pykala.packs.finland.pages.known_acts import KnownAct, is_source_of_numbers, known_acts
from pykala.packs.finland.pages.page_facts import (
    PageFacts,
    folder_of,
    is_statute_page,
    page_facts,
    plain_words,
    squeeze,
)
from pykala.packs.finland.pages.page_matching import Match, match_pages
from pykala.packs.finland.pages.rulings import RulingFiles, read_ruling
from pykala.packs.finland.pages.statute_pages import note_of, read_statute_page, unnumbered_works
from pykala.packs.finland.treaties.reading import TreatyFiles, read_treaty
from pykala.packs.pack import Reading, Snapshot, SourceItem
from pykala.text.encoding import decode

_WORD = re.compile(r"[^\W_]+")
_PARAGRAPH = re.compile(r"<(p|li)>(.*?)</\1>", re.DOTALL)
_HEADING = re.compile(r"<h[23]")
_TITLE = re.compile(r"<saa:SaadosNimeke>(.*?)</saa:SaadosNimeke>|<docTitle[^>]*>(.*?)</docTitle>", re.DOTALL)
_UNSEEN = {"script", "style", "head", "title", "noscript", "template", "svg"}
_SQUEEZED = re.compile(r"[\s\u00ad\u200b\u200c\u200d\u2060\ufeff|]+")
#: A page is an act by its body when nearly all its paragraphs stand there, and in no other act of the title.
_SAME_BODY, _APART = 0.9, 0.25


def bodies_of(mirror: Mirror, path: str, titles: frozenset[str]) -> tuple[str, str]:
    """The title and the squeezed words of a numbered act, where some page has that title."""
    text = decode(mirror.read(path).data).text
    found = _TITLE.search(text)
    title = squeeze(plain_words(found[1] or found[2])) if found else ""
    return (title, squeeze(plain_words(text))) if title in titles else ("", "")


def paragraphs(data: bytes) -> list[str]:
    """The paragraphs of a page below its first heading, squeezed; short ones say too little."""
    text = decode(data).text.partition("<h4>")[0]
    heading = _HEADING.search(text)
    found = _PARAGRAPH.findall(text[heading.start() :] if heading else text)
    squeezed = (squeeze(plain_words(words)) for _, words in found)
    return [words for words in squeezed if len(words) > 50]


def known_by_body(
    pages: Iterable[PageFacts],
    web: Mirror,
    bodies: dict[str, dict[WorkId, str]],
    entries: dict[WorkId, set[str]],
) -> dict[str, WorkId]:
    """Pages whose words are those of one numbered act of the same title and entry into force."""
    truth = {}
    for page in pages:
        acts = bodies.get(squeeze(page.title))
        words = paragraphs(web.read(page.path).data) if acts else []
        if not acts or not words:
            continue
        shares = sorted(
            ((sum(one in body for one in words) / len(words), work) for work, body in acts.items()),
            reverse=True,
        )
        best, work = shares[0]
        alone = len(shares) == 1 or shares[1][0] < best - _APART
        if best >= _SAME_BODY and alone and any(page.entry[:60] == entry[:60] for entry in entries[work]):
            truth[page.path] = work
    return truth


def print_matches(pages: list[PageFacts], matches: dict[str, Match], reasons: dict[str, str]) -> None:
    """Matched and unmatched, by folder."""
    counts: Counter[tuple[str, str]] = Counter()
    for page in pages:
        reason = re.sub(r" fi:act:\S+", " one act", reasons.get(page.path, ""))
        counts[folder_of(page.path), "matched" if page.path in matches else f"unmatched: {reason}"] += 1
    for (folder, what), count in sorted(counts.items(), key=lambda one: (one[0][0], -one[1])):
        print(f"{count:>10,}  {folder}: {what}")


def print_precision(name: str, matches: dict[str, Match], truth: dict[str, WorkId]) -> None:
    """How many of the matches are right, of the pages whose number is known by their body."""
    judged = [path for path in truth if path in matches]
    right = sum(matches[path].work == truth[path] for path in judged)
    print(f"{len(truth):>10,}  pages known by their body ({name})")
    print(f"{right / max(1, len(judged)):>10.4f}  precision ({right:,} of {len(judged):,} matched)")
    print(f"{len(judged) / max(1, len(truth)):>10.4f}  coverage")


def source_words(data: bytes) -> Iterator[str]:
    """Every piece of text on a page, its main heading aside (that is the work's own title)."""
    root = html.document_fromstring(decode(data).text.encode(), parser=html.HTMLParser(encoding="utf-8"))
    main = next(
        (found for name in ("article", "main", "body") if (found := root.find(f".//{name}")) is not None),
        root,
    )
    title = next(main.iter("h1"), None)
    for element in main.iter():
        seen = isinstance(element.tag, str) and element.tag not in _UNSEEN and not _hidden(element)
        if seen and element is not title:
            yield element.text or ""
        if element is not main:
            yield element.tail or ""


def _hidden(element: etree._Element) -> bool:
    return any(above.tag in _UNSEEN for above in element.iterancestors())


def lost_words(document: Document, data: bytes) -> list[str]:
    """Words of the source that no provision holds."""
    held_text = "\n".join(
        f"{provision.label} {version.heading} {version.text} {version.application}"
        for provision in document.root.walk()
        for version in provision.versions
    )
    held = Counter(_WORD.findall(held_text))
    pieces = [piece for piece in source_words(data) if piece.strip()]
    missing = Counter(word for piece in pieces for word in _WORD.findall(piece)) - held
    if not missing:
        return []
    # A word may have been split over two tags: then its letters are there without a space.
    squeezed = _SQUEEZED.sub("", held_text)
    lost = (piece for piece in pieces if _SQUEEZED.sub("", piece) not in squeezed)
    return [word for piece in lost for word in _WORD.findall(piece) if word in missing]


def weigh(name: str, readings: Iterable[tuple[Reading, bytes]]) -> None:
    """Print what the readings of one kind of page hold."""
    figures: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    started = time.perf_counter()
    for reading, data in readings:
        figures["pages"] += 1
        figures["pages refused"] += reading.work is None
        for document in reading.documents:
            figures["provisions"] += sum(1 for _ in document.root.walk())
            identifiers = [str(provision.id) for provision in document.root.walk()]
            figures["identifiers twice"] += len(identifiers) - len(set(identifiers))
            figures["identifiers that do not round-trip"] += sum(
                str(ProvisionId.parse(one)) != one for one in identifiers
            )
            figures["pages mended while decoding"] += bool(
                [note for note in document.manifestations[0].notes if "repaired" in note or "read as" in note]
            )
            for reference in document.references:
                figures[f"references {reference.kind}"] += 1
        if reading.documents:
            held = reading.documents[0] if len(reading.documents) == 1 else None
            gone = lost_words(held, data) if held else _lost_by_all(reading, data)
            lost.update(gone)
    print(f"\n{name}")
    for what, count in sorted(figures.items()):
        print(f"{count:>10,}  {what}")
    print(f"{sum(lost.values()):>10,}  words lost {dict(lost.most_common(8)) if lost else ''}")
    print(f"{time.perf_counter() - started:>10.1f}  seconds, weighing included")


def _lost_by_all(reading: Reading, data: bytes) -> list[str]:
    """Words that none of a page's languages holds."""
    shares = [set(lost_words(document, data)) for document in reading.documents]
    return sorted(set.intersection(*shares))


def read_items(
    web: Mirror, items: list[SourceItem], reader: Callable[..., Reading], every: int
) -> Iterator[tuple[Reading, bytes]]:
    """Read each `every`th item of one kind."""
    for item in items[::every]:
        file = web.read(item.paths[0])
        yield reader(item, [Snapshot(file.path, file.data, file.sha256)], pack.facts), file.data


def read_statutes(
    web: Mirror, pages: list[PageFacts], matches: dict[str, Match], every: int
) -> Iterator[tuple[Reading, bytes]]:
    """Read each `every`th statute page as the act that it was matched to."""
    own = unnumbered_works(page for page in pages if page.path not in matches)
    for page in pages[::every]:
        file = web.read(page.path)
        match = matches.get(page.path)
        work = match.work if match else own[page.path]
        snapshot = Snapshot(file.path, file.data, file.sha256)
        yield read_statute_page(snapshot, pack.facts, work, note_of(match)), file.data


def match_all(web: Mirror, others: list[Mirror]) -> tuple[list[PageFacts], dict[str, Match]]:
    """Match the statute pages and print how well."""
    started = time.perf_counter()
    pages = [page_facts(path, web.read(path).data) for path in sorted(web.paths()) if is_statute_page(path)]
    print(f"{time.perf_counter() - started:>10.1f}  seconds to look at {len(pages):,} statute pages")
    titles = frozenset(squeeze(page.title) for page in pages)
    known: list[KnownAct] = []
    kept_apart: list[KnownAct] = []
    bodies: dict[str, dict[WorkId, str]] = defaultdict(dict)
    entries: dict[WorkId, set[str]] = defaultdict(set)
    for mirror in others:
        for path in sorted(filter(is_source_of_numbers, mirror.paths())):
            acts = list(known_acts(path, mirror.read(path).data))
            known += acts
            if path.endswith(".jsonld"):
                kept_apart += acts
                continue
            title, body = bodies_of(mirror, path, titles)
            for act in acts if title else ():
                bodies[title][act.work] = body
                entries[act.work].add(act.entry)
    started = time.perf_counter()
    matches, reasons = match_pages(pages, known)
    print(f"{time.perf_counter() - started:>10.1f}  seconds to match them against {len(known):,} facts")
    print_matches(pages, matches, reasons)
    truth = known_by_body(pages, web, bodies, entries)
    print_precision("all sources", matches, truth)
    print_precision("their own sources kept apart", match_pages(pages, kept_apart)[0], truth)
    return pages, matches


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("web", type=Path)
    parser.add_argument("others", type=Path, nargs="*", help="sources of numbered acts")
    parser.add_argument("--every", type=int, default=1, help="read each n-th page only")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        web = stack.enter_context(open_mirror(arguments.web))
        others = [stack.enter_context(open_mirror(path)) for path in arguments.others]
        pages, matches = match_all(web, others)
        paths = list(web.paths())
        kinds = (
            ("rulings", list(RulingFiles.items(paths)), read_ruling),
            ("guidance, decisions and positions of Vero", list(GuidanceFiles.items(paths)), read_guidance),
            ("treaties", list(TreatyFiles.items(paths)), read_treaty),
        )
        for name, items, reader in kinds:
            weigh(name, read_items(web, items, reader, arguments.every))
        weigh("statute pages", read_statutes(web, pages, matches, arguments.every))
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:>10.0f}  MiB at most")


if __name__ == "__main__":
    main()
