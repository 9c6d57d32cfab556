"""Passages of generated trees: nothing is lost, nothing is cut where it must not be, sizes hold."""

from __future__ import annotations

import random
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pykala.law.composition import Composed, compose
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.passages import Passage
from pykala.law.provisions import Document, Provision, ProvisionKind, Version
from pykala.law.validity import ALWAYS, NOT_YET, Validity
from pykala.passages.cut import CHILDREN, PARENTS, cut
from pykala.text.sentences import sentences
from pykala.text.tokens import count_tokens

WORK = WorkId("ca:act:X-1")
ROOT = ProvisionId(WORK)
SECTION = ROOT.child("sec", "7")
DOCUMENT = Document(WORK, "en", "An Act", Provision(ROOT, ProvisionKind.WORK), ())
SAID = (
    "the minister may by order prescribe a person who receives benefits under section 5 of this Act or "
    "paragraph 12(1)(a) in respect of any claim, unless otherwise provided; interest at 4.5 per cent applies"
)
WORDS = SAID.split()


def sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(words)).strip(" ;,").capitalize() + "."


def prose(chance: random.Random, length: int, words: int = 30) -> str:
    """Sentences of at most so many words, together about `length` characters."""
    said: list[str] = []
    while sum(map(len, said)) < length:
        said.append(sentence(chance, chance.randint(4, words)))
    return " ".join(said)


def node(
    place: ProvisionId,
    text: str,
    *children: Provision,
    kind: ProvisionKind = ProvisionKind.ITEM,
    validity: Validity = ALWAYS,
) -> Provision:
    label = "" if kind in (ProvisionKind.FLUSH, ProvisionKind.DEFINITION) else f"({place.path[-1].number})"
    return Provision(place, kind, label, (Version(text, validity),), children)


def grown(chance: random.Random, place: ProvisionId, depth: int, length: int) -> Provision:
    """A random tree whose provisions have about `length` characters each."""
    children = [
        grown(chance, place.child("para", str(n)), depth + 1, length)
        for n in range(chance.choice([0, 0, 2, 3, 5]) if 0 < depth < 3 else 0)
    ]
    if depth == 0:
        children = [
            grown(chance, place.child("subsec", str(n)), 1, length)
            for n in range(chance.choice([0, 1, 3, 8]))
        ]
    if children and chance.random() < 0.3:
        kind = ProvisionKind.FLUSH
        children.append(node(place.child("flush", "1"), prose(chance, length // 2), kind=kind))
    text = prose(chance, chance.randint(0, 2 * length)) if depth or chance.random() < 0.5 else ""
    kind = (
        chance.choice([ProvisionKind.ITEM, ProvisionKind.ITEM, ProvisionKind.DEFINITION])
        if depth
        else ProvisionKind.SECTION
    )
    return node(place, text, *children, kind=kind)


#: Trees are drawn by seed and size, since a failing example is read more easily so than printed whole.
SECTIONS = st.tuples(st.integers(0, 2**32), st.sampled_from([0, 40, 200, 700]))


def planted(seeded: tuple[int, int]) -> Provision:
    return grown(random.Random(seeded[0]), SECTION, 0, seeded[1])


def passages(section: Provision) -> list[Passage]:
    return list(cut(DOCUMENT, [((DOCUMENT.root,), section)]))


def boundaries(composed: Composed) -> tuple[set[int], set[int]]:
    """Where a child may start and end: at lines, and at sentences within them."""
    starts, ends = set[int](), set[int]()
    for line in composed.lines:
        words = composed.text[line.start : line.end]
        spans = [(0, len(words)), *sentences(words)]
        starts |= {line.start + start for start, _ in spans}
        ends |= {line.start + end for _, end in spans}
    return starts, ends


@settings(max_examples=80, deadline=None)
@given(SECTIONS)
def test_children_hold_every_word_once_and_cut_no_sentence(seeded: tuple[int, int]) -> None:
    section = planted(seeded)
    composed = compose(section)
    starts, ends = boundaries(composed)
    held = [False] * len(composed.text)
    for passage in passages(section):
        assert passage.text == composed.text[passage.offset : passage.offset + len(passage.text)]
        reached = 0
        for child in passage.children:
            assert reached <= child.start
            assert not passage.text[reached : child.start].strip()
            reached = child.end
            if passage.text:
                assert passage.offset + child.start in starts
                assert passage.offset + child.end in ends
            held[passage.offset + child.start : passage.offset + child.end] = [True] * (
                child.end - child.start
            )
        assert not passage.text[reached:].strip()
    assert all(inside or letter.isspace() for inside, letter in zip(held, composed.text, strict=True))


@settings(max_examples=60, deadline=None)
@given(SECTIONS)
def test_parents_keep_their_size_and_overlap_only_in_long_sections(seeded: tuple[int, int]) -> None:
    section = planted(seeded)
    parents = passages(section)
    whole = compose(section).text
    assert [parent.ordinal for parent in parents] == list(range(len(parents)))
    if count_tokens(whole) <= PARENTS.ceiling:
        assert [parent.text.strip() for parent in parents] == [whole.strip()]
        return
    assert len(parents) > 1
    for parent in parents:
        # Units are counted one by one; the count of the whole may differ by the roundings.
        assert 0.95 * PARENTS.minimum <= count_tokens(parent.text) <= 1.05 * PARENTS.maximum
    for before, after in pairwise(parents):
        shared = whole[after.offset : before.offset + len(before.text)]
        # Whole lines and sentences are repeated, so the overlap is about what was asked, not exactly.
        assert 0.5 * PARENTS.overlap <= count_tokens(shared) <= 2 * PARENTS.overlap


@settings(max_examples=60, deadline=None)
@given(SECTIONS)
def test_children_keep_their_size(seeded: tuple[int, int]) -> None:
    section = planted(seeded)
    composed = compose(section)
    longest = max((end - start for start, end in sentences(composed.text)), default=0)
    for passage in passages(section):
        for child in passage.children:
            assert child.end - child.start <= max(CHILDREN.ceiling, longest + 2 * CHILDREN.scrap)


@settings(max_examples=60, deadline=None)
@given(SECTIONS)
def test_a_child_names_the_innermost_provision_that_holds_it(seeded: tuple[int, int]) -> None:
    section = planted(seeded)
    composed = compose(section)
    by_id = {provision.id: provision for provision in section.walk()}
    for passage in passages(section):
        for child in passage.children:
            start, end = passage.offset + child.start, passage.offset + child.end
            touched = {line.provision for line in composed.lines if line.start < end and start < line.end}
            named = by_id[child.provision]
            holders = [one for one in section.walk() if touched <= {below.id for below in one.walk()}]
            assert child.kind in {one.kind for one in holders}
            assert touched <= {below.id for below in named.walk()}
            assert not any(touched and touched <= {b.id for b in c.walk()} for c in named.children)


@settings(max_examples=60, deadline=None)
@given(SECTIONS)
def test_no_child_reaches_across_the_edge_of_a_definition(seeded: tuple[int, int]) -> None:
    section = planted(seeded)
    composed = compose(section)

    def topmost(provision: Provision) -> list[Provision]:
        if provision.kind is ProvisionKind.DEFINITION and provision is not section:
            return [provision]
        return [found for child in provision.children for found in topmost(child)]

    for definition in topmost(section):
        below = {provision.id for provision in definition.walk()}
        lines = [line for line in composed.lines if line.provision in below]
        for passage in passages(section) if lines else []:
            for child in passage.children:
                start, end = passage.offset + child.start, passage.offset + child.end
                inside = lines[0].start <= start and end <= lines[-1].end
                assert inside or end <= lines[0].start or lines[-1].end <= start


@settings(max_examples=20, deadline=None)
@given(SECTIONS)
def test_the_same_section_is_cut_the_same_way(seeded: tuple[int, int]) -> None:
    section = planted(seeded)
    assert passages(section) == passages(section)


def test_short_definitions_are_children_of_their_own() -> None:
    texts = ("income means money;", "tax means a tax under this Act;", "year means a calendar year.")
    kind = ProvisionKind.DEFINITION
    places = [SECTION.child("def", str(n)) for n in range(3)]
    item = node(places[1].child("para", "a"), "or any duty;")
    below = [
        node(places[0], texts[0], kind=kind),
        node(places[1], texts[1], item, kind=kind),
        node(places[2], texts[2], kind=kind),
    ]
    (passage,) = passages(node(SECTION, "In this Act,", *below, kind=ProvisionKind.SECTION))
    assert [passage.text[child.start : child.end] for child in passage.children] == [
        "In this Act,",
        texts[0],
        f"{texts[1]}\n(a) or any duty;",
        texts[2],
    ]
    assert [child.provision for child in passage.children] == [SECTION, *places]
    assert [child.kind for child in passage.children[1:]] == [kind] * 3


def test_a_treaty_in_a_schedule_is_found_by_its_kind() -> None:
    schedule = ROOT.child("sched", "1")
    treaty = schedule.child("treaty", "1")
    articles = [
        node(treaty.child("art", str(n)), f"Article {n} applies to residents of both States.") for n in (1, 2)
    ]
    whole = Provision(treaty, ProvisionKind.TREATY, "", (Version("Convention on income."),), tuple(articles))
    said = node(schedule.child("prov", "1"), "Section 3 refers to this schedule.")
    root = Provision(schedule, ProvisionKind.SCHEDULE, "Schedule", (Version(""),), (said, whole))
    children = [child for one in cut(DOCUMENT, [((), root)]) for child in one.children]
    assert [(child.kind, child.provision.path[1].kind) for child in children] == [
        (ProvisionKind.SCHEDULE, "prov"),
        (ProvisionKind.TREATY, "treaty"),
    ]


def test_parents_prefer_the_boundaries_of_subsections() -> None:
    chance = random.Random(5)
    subsections = []
    for n in range(1, 6):
        place = SECTION.child("subsec", str(n))
        items = [node(place.child("para", str(m)), prose(chance, 350)) for m in range(1, 9)]
        subsections.append(node(place, "The rule is this:", *items, kind=ProvisionKind.SUBSECTION))
    section = node(SECTION, "", *subsections, kind=ProvisionKind.SECTION)
    composed = compose(section)
    ends = {composed.span(subsection.id)[1] for subsection in subsections}
    parents = passages(section)
    assert len(parents) > 2
    assert {parent.offset + len(parent.text) for parent in parents} <= ends


def test_identifiers_that_skip_a_level_still_name_real_provisions() -> None:
    # The list has no step of its own in its items' identifiers, and the definition skips its subsection.
    items = [node(SECTION.child("para", letter), "x" * 40) for letter in "ab"]
    holder = Provision(SECTION.child("list", "1"), ProvisionKind.ITEM, children=tuple(items))
    section = node(SECTION, "", holder, kind=ProvisionKind.SECTION)
    (passage,) = passages(section)
    assert [child.provision for child in passage.children] == [holder.id]


def test_a_label_is_never_left_behind_by_its_item() -> None:
    long = " ".join(f"Word{n} is said here again and again." for n in range(80))
    item = Provision(SECTION.child("item", "1"), ProvisionKind.ITEM, "1.", (Version(long),))
    (passage,) = passages(node(SECTION, "", item, kind=ProvisionKind.SECTION))
    assert len(passage.children) > 1
    assert passage.text[: passage.children[0].end].startswith("1. Word0 is said")
    assert len(passage.text[: passage.children[0].end]) > CHILDREN.minimum


@pytest.mark.parametrize("text", ["word " * 30_000, "x" * 100_000, "section 5, " * 20_000, "§ " * 9_000])
def test_text_without_sentences_is_cut_at_last_resort(text: str) -> None:
    section = node(SECTION, text, kind=ProvisionKind.SECTION)
    composed = compose(section)
    held = bytearray(len(composed.text))
    for parent in passages(section):
        assert count_tokens(parent.text) <= PARENTS.ceiling
        for child in parent.children:
            start, end = parent.offset + child.start, parent.offset + child.end
            held[start:end] = b"x" * (end - start)
            if text.startswith("section"):
                assert parent.text[child.start : child.end].startswith("section")
            if text.startswith("word"):
                assert set(parent.text[child.start : child.end].split()) == {"word"}
    assert all(inside or letter.isspace() for inside, letter in zip(held, composed.text, strict=True))


def test_the_rows_of_a_table_stay_whole() -> None:
    rows = [f"Item {n}\t{n}.5 per cent\tNote. See also {n}." for n in range(400)]
    table = Provision(SECTION.child("table", "1"), ProvisionKind.TABLE, "", (Version("\n".join(rows)),))
    for parent in passages(node(SECTION, "", table, kind=ProvisionKind.SECTION)):
        for child in parent.children:
            assert set(parent.text[child.start : child.end].split("\n")) <= set(rows)


def test_a_section_that_is_only_a_heading_can_be_found() -> None:
    bare = Provision(SECTION, ProvisionKind.SECTION, "7", (Version("", heading="Repealed rates"),))
    (passage,) = passages(bare)
    assert passage.header == "An Act › 7 Repealed rates"
    assert (passage.text, len(passage.children)) == ("", 1)
    assert passage.children[0].provision == SECTION


def test_a_section_without_words_gives_nothing() -> None:
    assert passages(Provision(SECTION, ProvisionKind.SECTION, "", (Version(" "),))) == []
    assert passages(Provision(SECTION, ProvisionKind.SECTION, "7")) == []


# --- time ---

FIRST = date(2000, 1, 1)
DAYS = st.integers(0, 12).map(lambda days: FIRST + timedelta(days=days))


@st.composite
def dated_sections(draw: st.DrawFn) -> Provision:
    def versions(name: str) -> tuple[Version, ...]:
        points: list[date | None] = [*sorted(draw(st.sets(DAYS, min_size=1, max_size=3)))]
        if draw(st.booleans()):
            points.insert(0, None)
        if draw(st.booleans()):
            points.append(NOT_YET)
        ends = [*points[1:], draw(st.sampled_from([None, FIRST + timedelta(days=20)]))]
        return tuple(
            Version(
                f"{name} {draw(st.integers(1, 2))}.",
                Validity(start, end),
                heading=f"H{draw(st.integers(1, 2))}",
            )
            for start, end in zip(points, ends, strict=True)
            if (start is None or end is None or start <= end) and draw(st.integers(0, 4))
        )

    children = tuple(
        Provision(
            SECTION.child("subsec", str(n)), ProvisionKind.SUBSECTION, f"({n})", versions(f"Subsection {n}")
        )
        for n in range(1, draw(st.integers(1, 4)))
    )
    return Provision(SECTION, ProvisionKind.SECTION, "7", versions("Section"), children)


@settings(deadline=None)
@given(dated_sections(), st.integers(-2, 25).map(lambda days: FIRST + timedelta(days=days)))
def test_on_every_day_the_one_passage_in_force_says_what_the_law_said(section: Provision, day: date) -> None:
    in_force = [passage for passage in passages(section) if passage.validity.covers(day)]
    standing = section.at(day)
    assert [passage.text for passage in in_force] == ([compose(standing).text] if standing else [])
    if standing:
        assert in_force[0].header.endswith(f"7 {standing.heading}".strip())


@settings(deadline=None)
@given(dated_sections())
def test_pending_text_waits_in_a_passage_of_its_own(section: Provision) -> None:
    found = passages(section)
    pending = [passage for passage in found if passage.validity.is_pending]
    current = [p for p in found if not p.validity.is_pending and p.validity.end is None]
    standing = section.at(NOT_YET)
    assert all(passage.validity.end != NOT_YET for passage in found)
    if standing is None:
        assert pending == []
    else:
        # Where the pending text says what the law says already, it is one passage and not two.
        assert [passage.text for passage in pending or current] == [compose(standing).text]


@settings(deadline=None)
@given(dated_sections())
def test_neighbouring_passages_differ(section: Provision) -> None:
    found = passages(section)
    for before, after in pairwise(found):
        assert before.validity.end != after.validity.start or (before.text, before.header) != (
            after.text,
            after.header,
        )
