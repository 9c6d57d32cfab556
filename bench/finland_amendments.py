"""Amendments played forward, measured: how much is understood, how much is applied, and whether it is right.

    python -m bench.finland_amendments --statutes ../shared/corpora/finland-statutes.tar.zst \
        --consolidated ../shared/corpora/finland-consolidated.tar.zst \
        --originals ../shared/corpora/finland-akn.tar.zst \
        --momentti ../shared/corpora/finland-momentti.tar.zst \
        [--every 1] [--listed refused.txt] [--acts 1992/1535 1993/1501]

Folders are read as well as archives. Parts: the clauses of all amending acts; playing them onto the
consolidated acts (to September 2018), where each text given must be the text on its day; and two witnesses:
the wordings that the consolidated acts themselves ascribe to an amending act, and six laws in a later state.
One core, about five minutes.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from bench.finland_amendment_witnesses import (
    Comparison,
    ascribed,
    between_states,
    later_states,
    same_as_given,
)
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.fetch.refusals import RefusedFile
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Document, ProvisionKind
from pykala.packs.finland import pack
from pykala.packs.finland.amendments.amending import PlayedForward, operations_of, play_forward
from pykala.packs.finland.amendments.amending_entry import commencements_told
from pykala.packs.finland.amendments.enacting_targets import targets_of
from pykala.packs.finland.consolidated.reading import ConsolidatedFiles, read_consolidated
from pykala.packs.finland.statutes.act_facts import ActFacts
from pykala.packs.finland.statutes.akoma_ntoso import StatuteFiles, read_statute
from pykala.packs.finland.statutes.statute_xml import StatuteXmlFiles, read_statute_xml
from pykala.packs.pack import Snapshot, SourceItem
from pykala.text.phrases import tell
from pykala.versions.operations import Outcome, Status

TAX_ACTS = {
    "1992/1535": "TVL", "1993/1501": "AVL", "1995/1558": "VML", "1940/378": "PerVL", "1996/931": "VSVL",
    "1996/1118": "EPL", "2016/768": "OVML", "1995/1551": "key employees",
}  # fmt: skip

_TELLING = re.compile(r"voimaantulo|voimaanpano|voimaansaatta")


class Statutes:
    """The amending acts of the corpora, by the act that they amend."""

    def __init__(self, mirror: Mirror, originals: Mirror | None) -> None:
        self.mirror, self.originals = mirror, originals
        self.paths = {
            act: path for path in mirror.paths() if "/fi/" in path and (act := StatuteXmlFiles.act_of(path))
        }
        self.items: dict[str, SourceItem] = {}
        for path in originals.paths() if originals else ():
            act = StatuteFiles.act_of(path)
            if act is not None and path.endswith("_fin.xml"):
                self.items[act] = SourceItem(f"act:{act}", (path,))
        self.by_target: dict[str, list[str]] = defaultdict(list)
        self.told_by: dict[str, list[str]] = defaultdict(list)  # act → acts that tell when it is in force
        # The acts of one year amend many others: most are asked for again soon.
        self.document = lru_cache(maxsize=256)(self._read)

    def _read(self, act: str) -> Document | None:
        """An act in Finnish, from whichever source has it."""
        if act in self.paths:
            documents = read_statute_xml(
                list(_snapshots(self.mirror, [self.paths[act]])), pack.facts
            ).documents
        else:
            item = self.items.get(act)
            if item is None or self.originals is None:
                return None
            documents = read_statute(item, list(_snapshots(self.originals, item.paths)), pack.facts).documents
        return next((one for one in documents if one.language == "fi"), None)

    def survey(self, every: int, listed: list[str]) -> Counter[str]:
        """Read every amending act: what its clause says, what of it was not understood."""
        figures: Counter[str] = Counter()
        for place, act in enumerate(sorted(self.paths)):
            document = self._read(act) if place % every == 0 else None
            clause = _clause(document) if document is not None else ""
            if document is not None and _TELLING.search(document.title):
                for told in commencements_told(document):
                    self.told_by[_number(told.act)].append(act)
            if document is None or not (targets := targets_of(document.title, clause, "fi")):
                continue
            for target in targets:
                if target.number:
                    self.by_target[target.number].append(act)
            found = operations_of(document)
            if not found.operations and not found.findings:
                continue  # it only tells when another act is in force
            figures["amending acts"] += 1
            figures["operations"] += len(found.operations)
            for operation in found.operations:
                figures[f"operations: {type(operation).__name__.lower()}"] += 1
            unread = [one for one in found.findings if one.message.key == "unplayed.clause_unread"]
            figures["clauses wholly understood"] += not unread
            for one in found.findings:
                figures[f"findings: {one.reason}"] += 1
                why = tell("en", one.message)
                listed.append(f"{act}\t{one.reason}\t{why}\t{one.said.text if one.said else ''}")
        return figures

    def amending(self, target: str) -> list[Document]:
        """The acts that amend an act, and those that tell when these are in force."""
        numbers = self.by_target[target]
        telling = [one for number in numbers for one in self.told_by.get(number, ())]
        return [one for number in dict.fromkeys((*numbers, *telling)) if (one := self.document(number))]


def _snapshots(mirror: Mirror, paths: Iterable[str]) -> Iterator[Snapshot]:
    for path in paths:
        file = mirror.read(path)
        yield Snapshot(path, file.data, file.sha256)


def _clause(document: Document) -> str:
    clauses = [one for one in document.root.children if one.kind is ProvisionKind.ENACTING_CLAUSE]
    return "\n".join(one.versions[0].text for one in clauses if one.versions)


class Replay:
    """Figures of playing acts forward."""

    def __init__(self, listed: list[str]) -> None:
        self.statuses: Counter[str] = Counter()
        self.by_act: dict[str, Counter[str]] = defaultdict(Counter)
        self.given = Comparison()
        self.listed = listed
        self.seconds = 0.0

    def play(self, base: Document, facts: ActFacts, acts: Sequence[Document]) -> PlayedForward:
        started = time.process_time()
        played = play_forward(base, acts, facts.amended_by.keys())
        self.seconds += time.process_time() - started
        name = base.work.value.removeprefix("fi:act:")
        for outcome in played.outcomes:
            word = _word(outcome)
            self.statuses[word] += 1
            self.by_act[name][word] += 1
            if outcome.status is Status.REFUSED:
                said = outcome.operation.said.text if outcome.operation.said else ""
                why = tell("en", outcome.message) if outcome.message else ""
                self.listed.append(f"{name}\t{outcome.reason}\t{why}\t{said}")
        for line in same_as_given(played, self.given):
            self.listed.append(f"{name}\tnot as given\t{line}")
        return played


def _word(outcome: Outcome) -> str:
    return f"{outcome.status}: {outcome.reason}" if outcome.reason else str(outcome.status)


def _bases(mirror: Mirror, wanted: set[str]) -> Iterator[tuple[str, Document, ActFacts]]:
    for path in mirror.paths():
        act = ConsolidatedFiles.act_of(path)
        if act is None or act not in wanted:
            continue
        try:
            (snapshot,) = _snapshots(mirror, [path])
            yield act, *read_consolidated(snapshot, pack.facts)
        except RefusedFile as refused:
            print(refused)


def table(title: str, figures: Counter[str], total: str = "") -> None:
    print(f"\n## {title}\n")
    whole = figures[total] if total else sum(figures.values())
    for name, figure in sorted(figures.items(), key=lambda pair: -pair[1]):
        print(f"{figure:>10,}  {100 * figure / max(whole, 1):>6.2f} %  {name}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--statutes", type=Path, required=True)
    parser.add_argument("--consolidated", type=Path, required=True)
    parser.add_argument("--originals", type=Path, help="Akoma Ntoso, for the amending acts of earlier years")
    parser.add_argument("--momentti", type=Path, help="six laws in a later state")
    parser.add_argument("--every", type=int, default=1, help="one amending act in so many")
    parser.add_argument("--acts", nargs="*", default=(), help="only these consolidated acts: 1992/1535")
    parser.add_argument("--listed", type=Path, help="where to list what was not understood or not applied")
    arguments = parser.parse_args()
    listed: list[str] = []
    with open_mirror(arguments.statutes) as mirror, open_mirror(arguments.consolidated) as consolidated:
        originals = open_mirror(arguments.originals) if arguments.originals else None
        statutes = Statutes(mirror, originals)
        table("Clauses of amending acts", statutes.survey(arguments.every, listed), "operations")
        replay = Replay(listed)
        ascriptions, later, between = Comparison(), Comparison(), Comparison()
        states = {}
        wanted = set(arguments.acts) or {
            ConsolidatedFiles.act_of(path) or "" for path in consolidated.paths()
        }
        laws = later_states(arguments.momentti) if arguments.momentti else {}
        for act, base, facts in _bases(consolidated, wanted):
            acts = statutes.amending(act)
            if acts:
                replay.play(base, facts, acts)
            if act in laws:
                states[act] = laws[act].compare(base, facts, acts, later, listed)
            for line in ascribed(base, facts, lambda work: statutes.document(_number(work)), ascriptions):
                listed.append(f"{act}\tascribed\t{line}")
            for line in between_states(base, lambda work: statutes.document(_number(work)), between):
                listed.append(f"{act}\tbetween states\t{line}")
        _report(replay, ascriptions, between, later, states)
        if originals is not None:
            originals.close()
    if arguments.listed:
        arguments.listed.write_text("\n".join(listed), "utf-8")


def _number(work: WorkId) -> str:
    return work.value.removeprefix("fi:act:")


def _report(
    replay: Replay,
    ascriptions: Comparison,
    between: Comparison,
    later: Comparison,
    states: dict[str, Comparison],
) -> None:
    table("Operations played onto the consolidated acts", replay.statuses)
    print(f"{replay.seconds:.1f} CPU seconds of playing")
    for act, name in TAX_ACTS.items():
        figures = ", ".join(f"{count} {word}" for word, count in replay.by_act[act].most_common())
        print(f"  {name} ({act}): {figures or 'no amending act'}")
    replay.given.report("The text given, and the text on its day in the played act")
    ascriptions.report(
        "The text given, and the wording that the consolidated act ascribes to the amending act"
    )
    between.report("Momentti that changed between two states that a consolidated act holds, played and held")
    later.report("Momentti that the amendments touched, in six laws in a later state")
    for act, comparison in states.items():
        print(f"  {act}: {comparison.line()}")


if __name__ == "__main__":
    main()
