"""Sections picked from the contents of an act: by title, by what stands above, by the first sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from making import bundle, document, section, since
from pykala.caches.caching import SqliteCache
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.retrieve.navigate import act_tree, navigate
from pykala.retrieve.tree import TreeNode
from pykala.stores.embedded.store import EmbeddedStore
from pykala.text.analysis import analyse

WORK = WorkId("xx:act:1")
TODAY = date(2026, 1, 1)


def chapter(number: str, heading: str, *sections: Provision) -> Provision:
    own = ProvisionId(WORK, (Step("chp", number),))
    moved = tuple(replace(one, id=ProvisionId(WORK, (*own.path, *one.id.path))) for one in sections)
    return Provision(own, ProvisionKind.CHAPTER, number, (Version("", heading=heading),), moved)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    read = document(
        WORK,
        "en",
        [
            chapter(
                "1",
                "The council",
                section(WORK, "1", "The council has members.", heading="Members"),
                section(WORK, "2", "A meeting is called by the chair.", heading="Meetings of the council"),
            ),
            chapter(
                "2",
                "Finances",
                section(WORK, "3", "The budget binds all.", heading="Budget"),
                section(WORK, "4", "A deficit is covered within four years.", heading="Covering a deficit"),
                section(WORK, "5", "Accounts are audited.", heading="Audit of a deficit in the accounts"),
                section(WORK, "6", "Old rules.", heading="Emergency deficit", validity=since(2000, 2010)),
            ),
        ],
        "Municipalities Act",
    )
    with EmbeddedStore.open(tmp_path_factory.mktemp("library"), writable=True) as opened:
        opened.put(bundle(WORK, [read]))
        yield opened


def found(text: str, store: EmbeddedStore, limit: int = 5) -> list[str]:
    tree = act_tree(WORK, store, as_of=TODAY, language="en")
    return [one.section.step("sec") or "" for one in navigate(analyse(text, "en"), tree, "en", limit=limit)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("how is a deficit covered", "4"),
        ("deficit", "4"),  # its title says little else
        ("audit of the deficit", "5"),
        ("who calls a meeting", "2"),
        ("budget", "3"),
        ("how many members has the council", "1"),
        ("chair", "2"),  # only the first sentence has it
    ],
)
def test_the_contents_lead_to_the_section(store: EmbeddedStore, text: str, first: str) -> None:
    assert found(text, store)[:1] == [first]


def test_a_chapter_lifts_the_sections_under_it(store: EmbeddedStore) -> None:
    assert found("finances", store) == ["3", "4", "5"]


def test_words_that_the_contents_lack_lead_nowhere(store: EmbeddedStore) -> None:
    assert found("spacecraft", store) == []
    assert found("", store) == []


def test_what_is_not_in_force_is_not_in_the_contents(store: EmbeddedStore) -> None:
    assert "6" not in found("emergency deficit", store)
    tree = act_tree(WORK, store, as_of=date(2005, 1, 1), language="en")
    best = navigate(analyse("emergency deficit", "en"), tree, "en")[0]
    assert (best.section.step("sec"), best.title, best.under) == ("6", "Emergency deficit", ("Finances",))


def test_weights_of_the_question_count(store: EmbeddedStore) -> None:
    tree = act_tree(WORK, store, as_of=TODAY, language="en")
    terms = analyse("budget meetings", "en")
    for heavy, first in ((terms[0], "3"), (terms[1], "2")):
        weights = {term: 5.0 if term == heavy else 0.5 for term in terms}
        assert navigate(weights, tree, "en")[0].section.step("sec") == first


def test_a_tree_is_made_once(store: EmbeddedStore, tmp_path: Path) -> None:
    cache = SqliteCache(tmp_path / "cache.db", worth_keeping=0.0)
    made = [act_tree(WORK, store, as_of=TODAY, language="en", cache=cache) for _ in range(2)]
    assert made[0] == made[1] == act_tree(WORK, store, as_of=TODAY, language="en")
    status = next(one for one in cache.status() if one.name == "trees")
    assert (status.entries, status.hits) == (1, 1)
    other = act_tree(WORK, store, as_of=date(2005, 1, 1), language="en", cache=cache)
    assert other != made[0]
    cache.close()


titles = st.lists(st.sampled_from(["budget", "deficit", "audit", "council", "members"]), max_size=4)


@given(st.lists(titles, min_size=1, max_size=6), titles)
def test_scores_are_shares_and_best_comes_first(headings: list[list[str]], asked: list[str]) -> None:
    children = tuple(
        TreeNode(ProvisionId(WORK, (Step("sec", str(number)),)), f"{number} §", " ".join(words), "")
        for number, words in enumerate(headings, 1)
    )
    tree = TreeNode(ProvisionId(WORK), "", "Act", "", children)
    picked = navigate(analyse(" ".join(asked), "en"), tree, "en", limit=10)
    scores = [one.score for one in picked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    wanted = set(asked)
    assert {one.section.step("sec") for one in picked} == {
        str(number) for number, words in enumerate(headings, 1) if wanted & set(words)
    }
