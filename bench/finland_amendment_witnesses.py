"""What the played text is compared with: the amending act itself, the consolidated act, a later state."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from pathlib import Path

from pykala.fetch.mirror import open_mirror
from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Event, Provision, ProvisionKind
from pykala.law.validity import Validity
from pykala.packs.finland.amendments.amending import PlayedForward, operations_of, play_forward
from pykala.packs.finland.statutes.act_facts import ActFacts
from pykala.versions.operations import Amend, Facet, Insert, Operation, Status
from pykala.versions.play import play
from pykala.versions.tree import Tree

_NOTE = re.compile(r"\(\d{1,2}\.\d{1,2}\.\d{4}/\d+\)")
_MARKS = re.compile(r"[^\w%§]+")
_GONE = re.compile(
    r"^(?:\d+\s?[a-z]?(?:[–-]\d+)?\s)?(?:§|momentti|momentit|kohta|kohdat)?.{0,20}\bon kumottu\b"
)


@dataclass(slots=True)
class Comparison:
    """Figures of comparing two texts place by place."""

    figures: Counter[str] = field(default_factory=Counter)

    def add(self, ours: str, theirs: str) -> str:
        """Class one pair; "" where they are equal."""
        word = difference(ours, theirs)
        self.figures[word or "equal"] += 1
        return word

    def line(self) -> str:
        """The figures in one line."""
        return ", ".join(f"{count} {word}" for word, count in self.figures.most_common())

    def report(self, title: str) -> None:
        """Print the figures."""
        whole = sum(self.figures.values())
        print(f"\n## {title}\n")
        for word, count in self.figures.most_common():
            print(f"{count:>10,}  {100 * count / max(whole, 1):>6.2f} %  {word}")


def tidied(text: str) -> str:
    """The words as read: dashes and spaces of one sort, no editor's notes of amending acts."""
    return " ".join(_NOTE.sub(" ", text).replace("—", "–").replace("−", "–").replace("―", "–").split())


def difference(ours: str, theirs: str) -> str:
    """How two texts differ; "" where they do not."""
    one, other = tidied(ours), tidied(theirs)
    if one == other:
        return ""
    bare, plain = _MARKS.sub("", one).lower(), _MARKS.sub("", other).lower()
    if bare == plain:
        return "other punctuation or capitals"
    if _GONE.match(other):
        return "a tombstone in the witness"
    if _is_within(plain, bare):
        return "the witness lacks a part"
    if _is_within(bare, plain):
        return "ours lacks a part"
    return "other words"


def _is_within(part: str, whole: str) -> bool:
    """Whether the shorter is the longer with one stretch left out."""
    if len(part) >= len(whole):
        return False
    start = next((n for n, (a, b) in enumerate(zip(part, whole, strict=False)) if a != b), len(part))
    rest = len(part) - start
    return rest == 0 or whole.endswith(part[start:])


def _on(root: Provision, day: date) -> dict[ProvisionId, Provision]:
    standing = root.at(day)
    return {node.id: node for node in standing.walk()} if standing is not None else {}


def _given(operation: Operation) -> Provision | None:
    """The text that an operation gives for a whole place, where nothing of it is left out."""
    if (
        not isinstance(operation, Amend | Insert)
        or operation.facet is not Facet.WHOLE
        or operation.text is None
    ):
        return None
    text = operation.text
    left_out = any(node.kind is ProvisionKind.OMISSION for node in text.walk())
    return None if left_out or not operation.target.path else text


def same_as_given(played: PlayedForward, comparison: Comparison) -> Iterator[str]:
    """Compare each text given with the text of its place on its first day."""
    tree = Tree(played.document.root)
    overruled = _overruled(played)
    for outcome in played.outcomes:
        operation = outcome.operation
        text, day = _given(operation), operation.validity.start
        if text is None or day is None or outcome.status is not Status.APPLIED or id(operation) in overruled:
            continue
        standing = [one.frozen().at(day) for one in tree.find(operation.target.path)]
        nodes = [one for one in standing if one is not None]
        word = comparison.add(compose(nodes[0]).text if len(nodes) == 1 else "", compose(text).text)
        if word:
            yield f"{operation.source_act}\t{operation.target}\t{word}"


def _overruled(played: PlayedForward) -> set[int]:
    """Operations whose place another act changes on the same day: its text is then the later act's."""
    seen: dict[tuple[date | None, ProvisionId], int] = {}
    overruled: set[int] = set()
    for outcome in played.outcomes:
        for place in outcome.provisions:
            key = outcome.operation.validity.start, place
            if key in seen and seen[key] != id(outcome.operation):
                overruled.add(seen[key])
            seen[key] = id(outcome.operation)
    return overruled


def ascribed(
    base: Document, facts: ActFacts, document: Callable[[WorkId], Document | None], comparison: Comparison
) -> Iterator[str]:
    """Compare what an amending act gives with the wording that the consolidated act says to be that act's."""
    tree = Tree(base.root)
    for act in facts.amended_by:
        amending = document(act)
        if amending is None or amending.language != base.language:
            continue
        for operation in operations_of(amending, base.work).operations:
            text = _given(operation)
            found = tree.find(operation.target.path) if text is not None else []
            if text is None or len(found) != 1:
                continue
            theirs = _by_act(found[0].frozen(), act)
            if theirs is None:
                continue
            word = comparison.add(compose(text).text, compose(theirs).text)
            if word:
                yield f"{act}\t{operation.target}\t{word}"


def _by_act(node: Provision, act: WorkId) -> Provision | None:
    """A place on the day on which an act rewrote it, where all of it was still that act's then."""
    starts = {
        version.validity.start
        for below in node.walk()
        for version in below.versions
        if version.source_act == act and version.event is not Event.REPEALED
    }
    day = next(iter(starts)) if len(starts) == 1 else None
    standing = node.at(day) if day is not None else None
    if standing is None or not all(
        below.versions[-1].source_act == act
        for below in standing.walk()
        if below.versions and below.versions[-1].text
    ):
        return None
    return standing


def between_states(
    base: Document, document: Callable[[WorkId], Document | None], comparison: Comparison
) -> Iterator[str]:
    """Play what changed an act on a day onto the act as it stood before; compare with how it stood after."""
    changes: dict[date, set[WorkId]] = {}
    for node in base.root.walk():
        for before, after in pairwise(node.versions):
            if after.validity.start is not None and before.event is not Event.REPEALED and after.source_act:
                changes.setdefault(after.validity.start, set()).add(after.source_act)
    for day, acts in sorted(changes.items()):
        amending = [
            found for act in sorted(acts) if (found := document(act)) and found.language == base.language
        ]
        root = _until(base.root, day) if len(amending) == len(acts) else None
        operations = [
            one
            for act in amending
            for one in operations_of(act, base.work).operations
            if one.validity.start == day
        ]
        if root is None or not operations:
            continue
        played = play(replace(base, root=root), operations)
        ours, theirs = _on(played.document.root, day), _on(base.root, day)
        for identifier, node in theirs.items():
            if identifier.last is None or identifier.last.kind != "subsec" or not _changed_on(node, day):
                continue
            mine = compose(ours[identifier]).text if identifier in ours else ""
            if difference(mine, compose(node).text) and _unknown_before(node, day):
                comparison.figures["an earlier wording of it is not in the source"] += 1
            elif word := comparison.add(mine, compose(node).text):
                yield f"{day}\t{identifier}\t{word}"


def _unknown_before(node: Provision, day: date) -> bool:
    """Whether the source lacks what some part of a place said before a day."""
    return any(
        one.versions and one.versions[0].history_unavailable and one.versions[0].validity.start == day
        for one in node.walk()
    )


def _changed_on(node: Provision, day: date) -> bool:
    own = node.versions[-1] if node.versions else None
    changed = any(one.versions and one.versions[-1].validity.start == day for one in node.walk())
    return changed and (own is None or own.event is not Event.REPEALED)


def _until(node: Provision, day: date) -> Provision | None:
    """The tree as it was known before a day: later wordings, and places that only they tell of, are gone."""
    versions = [one for one in node.versions if (one.validity.start or date.min) < day]
    if node.versions and not versions:
        return None
    if versions:
        versions[-1] = replace(versions[-1], validity=Validity(versions[-1].validity.start))
    children = tuple(found for child in node.children if (found := _until(child, day)) is not None)
    return replace(node, versions=tuple(versions), children=children)


@dataclass(frozen=True, slots=True)
class LaterState:
    """One law as it reads after some amending act, momentti by momentti."""

    last: tuple[int, int]  # year and number of the newest act that is in it
    rows: tuple[Mapping[str, str], ...]

    def compare(
        self,
        base: Document,
        facts: ActFacts,
        acts: Sequence[Document],
        whole: Comparison,
        listed: list[str],
    ) -> Comparison:
        """Play the acts up to the state and compare the momentti that they touched."""
        ours = [
            one
            for one in acts
            if _order(one.work) <= self.last or not operations_of(one, base.work).operations
        ]
        played = play_forward(base, ours, facts.amended_by.keys())
        starts = [
            one.operation.validity.start for one in played.outcomes if not one.operation.validity.is_pending
        ]
        day = max((start for start in starts if start is not None), default=date(2018, 9, 1))
        touched = {place for one in played.outcomes for place in one.provisions}
        nodes = _moments(_on(played.document.root, day))
        comparison = Comparison()
        for row in self.rows:
            node = nodes.get(_key(row["node_id"])) or nodes.get(("", *_key(row["node_id"])[1:]))
            if node is None or not any(below.id in touched for below in node.walk()):
                if _GONE.match(row["text"]) is None and node is None:
                    comparison.figures["momentti of the witness not in ours"] += 1
                continue
            word = comparison.add(compose(node).text, row["text"])
            if word:
                listed.append(f"{base.work}\tlater state\t{node.id}\t{word}")
        whole.figures += comparison.figures
        return comparison


def _order(work: WorkId) -> tuple[int, int]:
    year, _, number = work.value.removeprefix("fi:act:").partition("/")
    return int(year), int(number)


def _key(node_id: str) -> tuple[str, str, str]:
    """Chapter, section and momentti of `624/2006:fin@20250561:8l:1:2`; chapters restart in some laws only."""
    steps = node_id.split(":")[2:]
    return (steps[0].rstrip("l") if len(steps) == 3 else "", steps[-2], steps[-1])


def _moments(nodes: Mapping[ProvisionId, Provision]) -> dict[tuple[str, str, str], Provision]:
    found = {}
    for identifier, node in nodes.items():
        section, momentti = identifier.step("sec"), identifier.last
        if section is not None and momentti is not None and momentti.kind == "subsec":
            found[identifier.step("chp") or "", section, momentti.number] = node
    return found


def later_states(path: Path) -> dict[str, LaterState]:
    """The laws of a folder or archive of momentti lines, by act."""
    states: dict[str, LaterState] = {}
    with open_mirror(path) as mirror:
        for file in mirror.files():
            if not file.path.endswith(".jsonl"):
                continue
            rows = [json.loads(line) for line in file.data.decode("utf-8").splitlines() if line.strip()]
            number, _, year = rows[0]["law_id"].partition("/")
            version = rows[0]["finlex_version"].partition("@")[2]
            states[f"{year}/{number}"] = LaterState((int(version[:4]), int(version[4:])), tuple(rows))
    return states
