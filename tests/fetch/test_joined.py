"""Several sources read as one."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from pykala.fetch.joined import JoinedMirror, open_mirrors
from pykala.fetch.mirror import Mirror, MirrorUnavailable, NotInMirror, open_mirror


def folder(parent: Path, name: str, **files: str) -> Path:
    made = parent / name
    made.mkdir()
    for path, text in files.items():
        (made / path).write_text(text, "utf-8")
    return made


@pytest.fixture
def joined(tmp_path: Path) -> Mirror:
    return open_mirrors([folder(tmp_path, "one", b="1", c="2"), folder(tmp_path, "two", a="3", c="4")])


def test_files_of_all_come_in_the_order_of_their_paths(joined: Mirror) -> None:
    assert list(joined.paths()) == ["a", "b", "c"]
    assert [(file.path, file.data) for file in joined.files()] == [("a", b"3"), ("b", b"1"), ("c", b"2")]
    assert joined.name == "one, two"


def test_a_path_that_two_sources_have_is_read_once_and_said(joined: Mirror) -> None:
    assert [(one.path, one.reason) for one in joined.refusals] == [
        ("c", "one has the same path; the file in two is not read")
    ]


def test_an_unknown_path_is_an_error(joined: Mirror) -> None:
    with pytest.raises(NotInMirror):
        joined.read("nowhere")


def test_a_file_that_went_away_is_refused_and_the_rest_goes_on(tmp_path: Path) -> None:
    first = folder(tmp_path, "one", a="1")
    joined = JoinedMirror([open_mirror(first), open_mirror(folder(tmp_path, "two", b="2"))])
    (first / "a").unlink()
    assert [file.path for file in joined.files()] == ["b"]
    assert [one.path for one in joined.refusals] == ["a"]


def test_it_can_be_read_by_another_process(joined: Mirror) -> None:
    assert pickle.loads(pickle.dumps(joined)).read("a").data == b"3"


def test_one_source_is_opened_as_it_is(tmp_path: Path) -> None:
    assert open_mirrors([folder(tmp_path, "one", a="1")]).name == "one"


def test_a_missing_source_is_an_error_and_nothing_stays_open(tmp_path: Path) -> None:
    with pytest.raises(MirrorUnavailable):
        open_mirrors([folder(tmp_path, "one", a="1"), tmp_path / "none"])
