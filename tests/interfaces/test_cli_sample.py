"""The sample says on the command line that it is paraphrases, whatever is read of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from registered_command import run_program

from making import simple
from pykala.stores.embedded.store import EmbeddedStore

READ = (
    ("search", "capital income"),
    ("show", "TVL 124 §"),
    ("history", "TVL 124 §"),
    ("diff", "TVL 124 §", "2012-01-01", "2026-01-01"),
    ("changes", "--since", "2015-01-01", "--until", "2016-12-31"),
    ("works", "income"),
    ("tree", "TVL"),
    ("tree", "TVL", "--for", "capital income"),
    ("related", "TVL 124 §"),
)


@pytest.fixture(autouse=True, scope="module")
def _sample(tmp_path_factory: pytest.TempPathFactory) -> object:
    with pytest.MonkeyPatch.context() as patched:
        folder = tmp_path_factory.mktemp("sample")
        patched.setenv("PYKALA_CACHE", str(folder))
        patched.setenv("PYKALA_LIBRARY", str(folder / "own"))
        patched.setenv("COLUMNS", "80")
        yield folder


@pytest.mark.parametrize("asked", READ, ids=" ".join)
def test_above_everything_read_of_the_sample_it_says_what_it_is(asked: tuple[str, ...]) -> None:
    code, told, _ = run_program(*asked)
    assert code == 0
    first, second, third = told.splitlines()[:3]
    assert first.startswith("Sample: paraphrases, not law. Get the law itself: pykala get ")
    assert (second, bool(third)) == ("", True)
    assert told.count("paraphrase") == 1


def test_the_law_of_which_place_to_get_is_named() -> None:
    assert "pykala get ca\n" in run_program("tree", "ca:act:E-15")[1]
    assert "pykala get fi\n" in run_program("changes", "--since", "2015-01-01", "--until", "2016-02-01")[1]


def test_a_library_of_ones_own_is_no_sample(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(simple("ca:act:H-1", "A tax on horses is payable each year.", language="en"))
    for asked in (("works",), ("tree", "ca:act:H-1"), ("history", "ca:act:H-1")):
        code, told, _ = run_program(*asked, "--library", str(tmp_path / "library"))
        assert (code, "Sample" in told) == (0, False)
