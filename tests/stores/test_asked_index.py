"""Sections found by what is known to be asked of them: real weights, a real store."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from making import bundle, document, section, simple, since
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.models import bundled
from pykala.models.bundled.package import embedder_of_package
from pykala.stores.embedded.store import EmbeddedStore

LABOUR = WorkId("ca:act:L-2")
SACKED = "got canned without a reason after years at a trucking company, how long do I have to complain"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "library"
    with EmbeddedStore.open(path, writable=True, create=True, embedder=bundled()) as store:
        sections = [
            section(LABOUR, number, "Words of the law.", validity=since(2000)) for number in ("240", "99999")
        ]
        store.put(bundle(LABOUR, [document(LABOUR, "en", sections, "Canada Labour Code")]))
        store.put(simple("xx:act:1", "An act that nobody wrote questions for."))
    return path


def found(folder: Path, filter: Filter, *, writable: bool = False) -> list[str]:
    with EmbeddedStore.open(folder, writable=writable, embedder=bundled()) as store:
        vector = bundled().encode([SACKED], "query")[0]
        return [str(match.section) for match in store.match_asked(vector, filter, 10)]


def test_a_section_is_found_by_its_questions_and_one_without_is_not(folder: Path) -> None:
    assert embedder_of_package().knows_questions_of(str(LABOUR))
    assert found(folder, Filter()) == ["ca:act:L-2/sec_240"]


@pytest.mark.parametrize(
    ("filter", "some"),
    [
        (Filter(as_of=date(2020, 1, 1)), True),
        (Filter(as_of=date(1990, 1, 1)), False),
        (Filter(languages=frozenset({"fr"})), False),
        (Filter(jurisdictions=frozenset({"fi"})), False),
        (Filter(jurisdictions=frozenset({"ca"})), True),
    ],
)
def test_filters_come_first(folder: Path, filter: Filter, some: bool) -> None:
    assert bool(found(folder, filter)) is some


def test_a_work_that_is_deleted_is_not_found(folder: Path) -> None:
    with EmbeddedStore.open(folder, writable=True, embedder=bundled()) as store:
        store.delete(LABOUR)
    assert found(folder, Filter()) == []


@pytest.mark.parametrize("writable", [False, True])
def test_an_index_that_is_lost_is_made_anew(folder: Path, writable: bool) -> None:
    shutil.rmtree(folder / "asked")
    assert found(folder, Filter(), writable=writable) == ["ca:act:L-2/sec_240"]
    assert (folder / "asked").is_dir()
