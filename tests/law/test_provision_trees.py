"""Trees on a date, and the composed text with its map back to the tree."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from itertools import zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.composition import compose, plain_text
from pykala.law.identifiers import ProvisionId
from pykala.law.messages import Message
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.law.validity import ALWAYS, Validity

SECTION = ProvisionId.parse("ca:act:X-1/sec_7")
WORDS = st.lists(st.sampled_from(["the", "rate", "is", "34", "§", "ä"]), max_size=5).map(" ".join)
DAYS = st.dates(date(2000, 1, 1), date(2000, 1, 12))


@st.composite
def chains(draw: st.DrawFn) -> tuple[Version, ...]:
    """Versions one after another, with gaps now and then."""
    points = sorted(draw(st.sets(DAYS, max_size=4)))
    intervals = [
        Validity(start, end) for start, end in zip_longest(points, points[1:]) if draw(st.booleans())
    ]
    return tuple(Version(draw(WORDS), interval, heading=draw(WORDS)) for interval in intervals)


@st.composite
def trees(draw: st.DrawFn, place: ProvisionId = SECTION, depth: int = 0, dated: bool = True) -> Provision:
    versions = draw(chains()) if dated else (Version(draw(WORDS), heading=draw(WORDS)),)
    count = draw(st.integers(0, 3 if depth < 3 else 0))
    children = tuple(draw(trees(place.child("para", str(n)), depth + 1, dated)) for n in range(1, count + 1))
    kind = ProvisionKind.ITEM if depth else ProvisionKind.SECTION
    return Provision(place, kind, f"({place.path[-1].number})" if depth else "7", versions, children)


@given(trees(), DAYS)
def test_on_a_date_every_version_covers_it(tree: Provision, day: date) -> None:
    standing = tree.at(day)
    if standing is None:
        assert not any(version.validity.covers(day) for version in tree.versions)
        return
    for provision in standing.walk():
        assert len(provision.versions) <= 1
        assert all(version.validity.covers(day) for version in provision.versions)
        assert provision.versions or provision.children
    assert standing.at(day) == standing


@given(trees(), DAYS)
def test_what_stands_below_standing_provisions_is_kept(tree: Provision, day: date) -> None:
    standing = tree.at(day)
    kept = {provision.id for provision in standing.walk()} if standing else set()

    def expected(provision: Provision) -> set[ProvisionId]:
        below = set[ProvisionId]().union(*(expected(child) for child in provision.children))
        if provision.versions:
            in_force = any(version.validity.covers(day) for version in provision.versions)
            return {provision.id} | below if in_force else set()
        return {provision.id} | below if below else set()

    assert kept == expected(tree)


def test_a_place_without_words_keeps_what_lies_below_it() -> None:
    item = Provision(
        SECTION.child("list", "1").child("para", "a"), ProvisionKind.ITEM, "(a)", (Version("x"),)
    )
    bare = Provision(SECTION.child("list", "1"), ProvisionKind.ITEM, children=(item,))
    section = Provision(SECTION, ProvisionKind.SECTION, "7", (Version("If"),), (bare,))
    standing = section.at(date(2020, 1, 1))
    assert standing is not None
    assert compose(standing).text == "If\n(a) x"


def test_the_day_of_an_amendment_has_the_new_words() -> None:
    change = date(2020, 1, 1)
    old, new = Version("old", Validity(None, change)), Version("new", Validity(change))
    section = Provision(SECTION, ProvisionKind.SECTION, "7", (old, new))
    before, after = section.at(change - timedelta(days=1)), section.at(change)
    assert before is not None
    assert after is not None
    assert (before.versions, after.versions) == ((old,), (new,))


@given(trees(dated=False))
def test_every_word_is_in_the_composed_text_in_order(tree: Provision) -> None:
    composed = compose(tree)
    words = [word for provision in tree.walk() for word in provision.versions[0].text.split()]
    rest = iter(composed.text.split())
    assert all(word in rest for word in words)


@given(trees(dated=False))
def test_lines_partition_the_composed_text(tree: Provision) -> None:
    composed = compose(tree)
    assert "\n".join(composed.text[line.start : line.end] for line in composed.lines) == composed.text
    for line in composed.lines:
        assert composed.provision_at(line.start, line.end) == line.provision


@given(trees(dated=False))
def test_a_span_holds_exactly_what_lies_below(tree: Provision) -> None:
    composed = compose(tree)
    for provision in tree.walk():
        below = [line for line in composed.lines if provision.id.contains(line.provision)]
        if not below:
            with pytest.raises(KeyError, match="not in this text"):
                composed.span(provision.id)
            continue
        start, end = composed.span(provision.id)
        inside = [line for line in composed.lines if start <= line.start and line.end <= end]
        assert inside == below
        assert provision.id.contains(composed.provision_at(start, end)) or start == end


def test_labels_and_headings_stand_before_the_words_but_not_at_the_top() -> None:
    note = Provision(
        SECTION.child("subsec", "1"), ProvisionKind.SUBSECTION, "(1)", (Version("Text.", heading="Rule"),)
    )
    bare = Provision(
        SECTION.child("subsec", "2"), ProvisionKind.SUBSECTION, "(2)", (Version("", heading="Gone"),)
    )
    section = Provision(SECTION, ProvisionKind.SECTION, "7", (Version("", ALWAYS, "Heading"),), (note, bare))
    assert compose(section).text == "(1) [Rule] Text.\n(2) Gone"
    assert plain_text([section, bare]) == "(1) [Rule] Text.\n(2) Gone"


def test_a_footnote_is_told_from_an_item_of_the_list() -> None:
    point = SECTION.child("point", "g")
    note = Provision(point.child("fn", "1"), ProvisionKind.FOOTNOTE, "(3)", (Version("See OJ L 345."),))
    item = Provision(point, ProvisionKind.ITEM, "(g)", (Version("dividends."),), (note,))
    whole = Provision(SECTION, ProvisionKind.SECTION, "7", (Version("Income is:"),), (item,))
    assert compose(whole).text == "Income is:\n(g) dividends.\n[(3) See OJ L 345.]"
    assert compose(note).text == "See OJ L 345."


ILLEGIBLE, CUT_OFF = Message.in_words("illegible"), Message.in_words("cut off")


@given(trees())
def test_every_version_is_changed_here_and_below(tree: Provision) -> None:
    marked = tree.with_versions(lambda version: version.doubted(ILLEGIBLE))
    assert [node.id for node in marked.walk()] == [node.id for node in tree.walk()]
    assert [version for node in marked.walk() for version in node.versions] == [
        replace(version, findings=(ILLEGIBLE,)) for node in tree.walk() for version in node.versions
    ]


def test_a_doubt_is_about_the_newest_words() -> None:
    older, newer = Version("may"), Version("must", findings=(ILLEGIBLE,))
    doubted = Provision(SECTION, ProvisionKind.SECTION, versions=(older, newer)).doubted(CUT_OFF)
    assert [version.findings for version in doubted.versions] == [(), (ILLEGIBLE, CUT_OFF)]
