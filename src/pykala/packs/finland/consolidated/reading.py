"""Consolidated Finnish acts from Semantic Finlex: `data/sd-jsonld-fi/1995-1551.jsonld`, to September 2018.

Each file is one act in its newest state, in Finnish. Every provision says since when it has its wording and
by which act; for some that changed shortly before the state, the earlier wording is there as well. An older
wording that the file lacks is marked as missing (`history_unavailable`), never invented.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from pykala.fetch.refusals import RefusedFile
from pykala.law.identifiers import WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Document, Event, Manifestation, Provision, ProvisionKind, Version, WorkKind
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.finland.act_numbers import act_number, printed_number
from pykala.packs.finland.commencement import Commencement, read_commencement
from pykala.packs.finland.consolidated.chains import Chains
from pykala.packs.finland.consolidated.dating import Dating, Part
from pykala.packs.finland.consolidated.nodes import Level, Node, Statute, act_id, open_statute
from pykala.packs.finland.consolidated.tree import ActTree, chapters_restart, restarts
from pykala.packs.finland.spacing import tidy
from pykala.packs.finland.statutes.act_facts import ActFacts, kind_of_title
from pykala.packs.finland.statutes.act_text import ActText
from pykala.packs.left_out import REPEATED
from pykala.packs.pack import PackFacts, Snapshot

FORMAT = "semantic-finlex"
CUT_LIST = Message("finding.no_closing_words")
EMPTY = Message("finding.empty_place")
#: The last item of a list ends with a mark; after a comma or a bare word, the rest is lost.
_LONG = 60  # characters; shorter momentit may well be alike
_UNENDED = re.compile(r"[\w,]$")
_PATH = re.compile(r"(?:^|/)sd-jsonld-fi/(?P<year>\d{4})-(?P<number>\d{1,5}[A-Z]?)\.jsonld$")
#: "1 päivänä maalis- kuuta", "touko>kuuta": the month as the printed page broke it.
_BROKEN_MONTH = re.compile(r"(\b[a-zäö]{4,6})[->]\s?(kuuta\b)")
#: "Tämä laki, jäljempänä uusi laki, tulee voimaan …"
_RELATIVE_CLAUSE = re.compile(r"(\b(?:tämä|Tämä) (?:laki|asetus|päätös)),[^.]{1,300}?,\s(tulee voimaan\b)")
_DAY_IN_PARTITIVE = re.compile(r"(?<=voimaan \d )päivää\b|(?<=voimaan \d\d )päivää\b")
_DECREES = {"GovernmentDecree", "Decree", "MinisterialDecree"}
_DECISIONS = {"OtherDecision", "GovernmentDecision"}


class ConsolidatedFiles:
    """The paths of consolidated acts in a mirror."""

    @staticmethod
    def act_of(path: str) -> str | None:
        """The act that a path holds, "1995/1551" or "1889/39B"; None for any other file."""
        found = _PATH.search(path)
        return act_number(act_id(found["year"], found["number"])) if found else None


def read_consolidated(snapshot: Snapshot, facts: PackFacts) -> tuple[Document, ActFacts]:
    """Read one act: its text in Finnish with every dated version, and what is known of it beside.

    Raises RefusedFile for a file that is not such an act, or not the one that its path names.
    """
    statute = open_statute(snapshot.data, snapshot.path)
    named = ConsolidatedFiles.act_of(snapshot.path)
    if named is not None and statute.work != WorkId(f"fi:act:{named}"):
        raise RefusedFile(snapshot.path, f"it says that it is {statute.work}, which its path does not")
    in_force = _commencement(statute)
    validity = in_force.validity or ALWAYS
    dating = Dating.of(statute, validity.start)
    (root, *_) = dating.weigh(statute.root)
    text = ActText(
        statute.work,
        validity,
        authentic=False,
        indented=False,
        chapters_in_ids=restarts(root),
        parts_in_ids=chapters_restart(root),
    )
    chains = Chains(validity, in_force.application, snapshot.retrieved_at, dating.given)
    document = Document(
        statute.work,
        "fi",
        root.heading,
        _with_renewals(
            _with_repetitions(_with_cut_lists(ActTree(text, chains).read(root, printed_number(statute.work))))
        ),
        (Manifestation(snapshot.path, snapshot.sha256, FORMAT, snapshot.url, snapshot.retrieved_at),),
    )
    return document, _facts(statute, root, validity, dating)


def _with_cut_lists(provision: Provision) -> Provision:
    """Mark a momentti where Semantic Finlex drops what follows a list ("… on tuomittava sakkoon").

    It may also drop a whole momentti.
    """
    children = tuple(map(_with_cut_lists, provision.children))
    last = children[-1] if children else None
    cut = (
        last is not None
        and last.kind is ProvisionKind.ITEM
        and bool(last.versions)
        and _UNENDED.search(last.versions[-1].text) is not None
    )
    versions = provision.versions
    empty = provision.kind is ProvisionKind.SUBSECTION and not children and versions and not versions[-1].text
    read = replace(provision, children=children)
    return read.doubted(CUT_LIST if cut else EMPTY) if (cut or empty) and versions else read


def _with_repetitions(provision: Provision) -> Provision:
    """Mark two momentit with the same words: the source repeats one in place of another.

    77 § of the tuloverolaki has its 4 momentti twice there, and the rule on six days is missing.
    """
    children = tuple(map(_with_repetitions, provision.children))
    standing = [
        (child.versions[-1].text, child.id)
        for child in children
        if child.kind is ProvisionKind.SUBSECTION
        and child.versions
        and child.versions[-1].validity.end is None
        and not child.children
    ]
    counted = Counter(text for text, _ in standing if len(text) >= _LONG)
    twice = {identity for text, identity in standing if counted[text] > 1}
    return replace(
        provision,
        children=tuple(child.doubted(REPEATED) if child.id in twice else child for child in children),
    )


def _with_renewals(provision: Provision) -> Provision:
    """A section that was repealed and enacted again is in force again from that day on.

    The source has the tombstone and the new momentti side by side: "24 § on kumottu …" and "Verovuosi on …".
    """
    children = tuple(map(_with_renewals, provision.children))
    last = provision.versions[-1] if provision.versions else None
    gone = last.validity.start if last is not None and last.event is Event.REPEALED else None
    newest = [child.versions[-1] for child in children if child.versions]
    living = [
        (one.validity.start, one)
        for one in newest
        if gone is not None
        and one.event is not Event.REPEALED
        and one.validity.end is None
        and one.validity.start is not None
        and one.validity.start > gone
    ]
    if (
        last is None
        or last.validity.end is not None
        or provision.kind is not ProvisionKind.SECTION
        or not living
    ):
        return replace(provision, children=children)
    day, first = min(living, key=lambda pair: pair[0])
    anew = Version("", Validity(day), last.heading, Event.INSERTED, first.source_act)
    ended = replace(last, validity=Validity(gone, day))
    return replace(provision, versions=(*provision.versions[:-1], ended, anew), children=children)


def _commencement(statute: Statute) -> Commencement:
    """Since when the act is in force: as the file says, else from its own prose, else not known."""
    told = next(filter(None, (_prose_commencement(node) for node in _sections(statute.root))), Commencement())
    if statute.in_force_since is None:
        return told
    end = told.validity.end if told.validity else None
    known = Validity(statute.in_force_since, end if end and end > statute.in_force_since else None)
    return Commencement(known, told.application)


def _sections(root: Node) -> list[Node]:
    """Where an act may say when it comes into force: its sections, and loose momentit, originals first."""
    places = [node for node in root.walk() if node.level is Level.SECTION]
    places += [node for node in root.parts if node.level is Level.SUBSECTION]
    return sorted(places, key=lambda node: not node.original)


def _prose_commencement(section: Node) -> Commencement | None:
    words = tidy(" ".join(node.content for node in section.walk()))
    if "voimaan" not in words:
        return None
    words = _DAY_IN_PARTITIVE.sub(
        "päivänä", _RELATIVE_CLAUSE.sub(r"\1 \2", _BROKEN_MONTH.sub(r"\1\2", words))
    )
    told = read_commencement(words, "fi")
    # A consolidated act is in force: if its day was left to a decree, the day is only not stated here.
    if told.validity is None or told.validity.is_pending:
        return None
    return told


def _facts(statute: Statute, root: Part, validity: Validity, dating: Dating) -> ActFacts:
    year, _, number = act_number(statute.work).partition("/")
    acts = {part.source for part in _below(root) if part.source is not None}
    return ActFacts(
        statute.work,
        _kind(statute, root.heading),
        titles=(("fi", root.heading),),
        issued=statute.issued,
        validity=validity,
        aliases=(f"http://data.finlex.fi/eli/sd/{year}/{number}",),
        state=statute.state,
        amended_by={act: dating.given.get(act) for act in sorted(acts | set(dating.given))},
        commencements=dict(dating.commencements),
    )


def _below(root: Part) -> list[Part]:
    found, stack = [], [root]
    while stack:
        part = stack.pop()
        found.append(part)
        stack.extend(part.parts)
    return found


def _kind(statute: Statute, title: str) -> WorkKind:
    if "Act" in statute.sorts:
        return WorkKind.ACT
    if _DECREES & set(statute.sorts):
        return WorkKind.DECREE
    return WorkKind.DECISION if _DECISIONS & set(statute.sorts) else kind_of_title(title)
