"""The gate: the figures in `floors.toml` may improve and may not worsen.

On the packs' own sets over their samples and, where the corpora are beside the repository, on a frozen
slice: some questions of public banks over six Finnish laws. No network, a fixed day. What
worsens is listed by question in the failure. When a change improves the figures, keep that:

    python tests/evaluate/test_gate.py > floors.toml && mv floors.toml tests/evaluate/
"""

from __future__ import annotations

import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from math import ceil, floor
from pathlib import Path

import pytest

from pykala.evaluate.questions import GoldQuestion
from pykala.evaluate.runs import answer_question, header_of
from pykala.evaluate.scoring import LOWER_IS_BETTER, Measured, measure
from pykala.evaluate.sets import pack_set, read_set
from pykala.law.answers import Outcome
from pykala.law.identifiers import ProvisionId
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed

PACKS = ("ca", "eu", "fi", "nyc")
#: The frozen slice: of each bank, the questions that are asked.
SLICE = {"kuntalaki": slice(0, None, 3), "graph-needed": slice(None), "adversarial": slice(0, None, 2)}
DAY = date(2026, 6, 1)  # for questions that name none
FILE = Path(__file__).with_name("floors.toml")
SHARED = Path(__file__).parents[3] / "shared"
LAWS = SHARED / "corpora" / "finland-momentti.tar.zst"
SLACK = 1e-9


def floors() -> dict[str, dict[str, float]]:
    return tomllib.loads(FILE.read_text())


@contextmanager
def sample_opened(folder: Path) -> Iterator[Library]:
    with Library.open(sample_library(folder, installed())) as library:
        yield on_the_day(library)


@contextmanager
def slice_opened(folder: Path) -> Iterator[Library]:
    with Library.open(folder, writable=True, create=True) as library:
        library.ingest("fi", LAWS)
        yield on_the_day(library)


def on_the_day(library: Library) -> Library:
    """The same library on a fixed day."""
    return Library(library.store, embedder=library.embedder, reranker=library.reranker, today=lambda: DAY)


def of_pack(pack: str) -> tuple[GoldQuestion, ...]:
    return read_set(pack_set(installed()[pack]))


def of_bank(bank: str) -> tuple[GoldQuestion, ...]:
    return read_set(SHARED / "questions" / f"{bank}.json")[SLICE[bank]]


def measured_over(name: str, questions: tuple[GoldQuestion, ...], library: Library) -> Measured:
    lines = [answer_question(question, library) for question in questions]
    return measure(header_of(name, questions, library), questions, lines)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with sample_opened(tmp_path_factory.mktemp("cache")) as library:
        yield library


@pytest.fixture(scope="module")
def measured(sample: Library) -> dict[str, Measured]:
    return {pack: measured_over(pack, of_pack(pack), sample) for pack in PACKS}


@pytest.fixture(scope="module")
def six_laws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    if not LAWS.exists() or not (SHARED / "questions").exists():
        pytest.skip("the frozen slice needs ../shared/corpora and ../shared/questions beside the repository")
    with slice_opened(tmp_path_factory.mktemp("six") / "library") as library:
        yield library


def assert_holds(name: str, found: Measured) -> None:
    """That no figure of a set is worse than the table says; all that are, and what fails now, are told."""
    worse = []
    for label, bound in floors()[name].items():
        mean = found.estimates[label].mean if label in found.estimates else None
        if mean is None:
            worse.append(f"{label} is no longer measured")
        elif label.startswith(LOWER_IS_BETTER):
            worse += [f"{label} rose from {bound} to {mean:.4f}"] if mean > bound + SLACK else []
        else:
            worse += [f"{label} fell from {bound} to {mean:.4f}"] if mean < bound - SLACK else []
    failing = [f"{one.cause.value}: {one.id} {one.question} → {one.primary}" for one in found.failures]
    assert not worse, "\n  ".join([f"{name}:", *worse, "what fails now:", *failing])


def test_the_table_bounds_every_set_on_what_matters() -> None:
    table = floors()
    assert table.keys() == {*PACKS, *SLICE}
    for name, bounds in table.items():
        assert {"PRIMARY_PASS", "OUTCOME_PASS", "wrong shown as ANSWERED"} <= bounds.keys(), name
        assert all(0 <= bound <= 1 for bound in bounds.values())


@pytest.mark.parametrize("pack", PACKS)
def test_the_figures_of_the_sample_do_not_fall(pack: str, measured: dict[str, Measured]) -> None:
    assert_holds(pack, measured[pack])


@pytest.mark.corpora
@pytest.mark.parametrize("bank", SLICE)
def test_the_figures_of_the_frozen_slice_do_not_fall(bank: str, six_laws: Library) -> None:
    assert_holds(bank, measured_over(bank, of_bank(bank), six_laws))


def test_a_figure_that_worsens_is_caught(
    measured: dict[str, Measured], monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = measured["fi"].estimates
    better = {"PRIMARY_PASS": figures["PRIMARY_PASS"].mean + 0.01}
    fewer = {"wrong shown as ANSWERED": figures["wrong shown as ANSWERED"].mean - 0.01}
    for bounds, says in ((better, "PRIMARY_PASS fell"), (fewer, "wrong shown as ANSWERED rose")):
        monkeypatch.setattr(sys.modules[__name__], "floors", lambda bounds=bounds: {"fi": bounds})
        with pytest.raises(AssertionError, match=says):
            assert_holds("fi", measured["fi"])


@pytest.mark.parametrize("pack", PACKS)
def test_nothing_is_shown_that_is_not_in_force(pack: str, measured: dict[str, Measured]) -> None:
    assert measured[pack].estimates["temporal correctness"].mean == 1.0


@pytest.mark.parametrize("pack", PACKS)
def test_what_the_sample_does_not_say_is_not_answered(pack: str, measured: dict[str, Measured]) -> None:
    silent = [one for one in measured[pack].scored if Outcome.SILENT in one.question.outcomes]
    assert len(silent) >= 4
    assert [one.question.id for one in silent if one.line.answered] == []


@pytest.mark.parametrize("pack", PACKS)
def test_every_pack_brings_questions_in_all_its_languages_and_on_several_days(pack: str) -> None:
    questions = of_pack(pack)
    spoken = Counter(one.language for one in questions)
    assert len(questions) >= 25
    assert {language for language, count in spoken.items() if count >= 5} == {
        "ca": {"en", "fr"},
        "eu": {"en", "fr"},
        "fi": {"fi", "sv", "en"},
        "nyc": {"en"},
    }[pack]
    assert len({one.as_of for one in questions}) > 1


@pytest.mark.parametrize("pack", PACKS)
def test_every_pack_brings_questions_on_the_law_itself_too(pack: str) -> None:
    path = pack_set(installed()[pack], sample=False)
    questions = read_set(path)
    assert path.name == "questions-corpus.jsonl"
    assert len(questions) >= 40
    assert not {one.question for one in questions} & {one.question for one in of_pack(pack)}


@pytest.mark.parametrize("pack", PACKS)
def test_all_gold_is_in_the_sample(pack: str, sample: Library) -> None:
    for question in of_pack(pack):
        for alternative in question.gold:
            for provision in alternative:
                assert sample.store.provision(provision).provision.id == provision


@pytest.mark.parametrize("pack", PACKS)
def test_no_question_is_a_heading(pack: str, sample: Library) -> None:
    headings = {
        node.heading.casefold().strip(" ?.")
        for work in sample.store.works()
        for language in sample.store.provision(ProvisionId(work.id)).languages
        for node in sample.store.document(work.id, language).root.walk()
        if node.heading
    }
    assert [one.id for one in of_pack(pack) if one.question.casefold().strip(" ?.") in headings] == []


def table_of(sets: Mapping[str, Measured]) -> str:
    """`floors.toml` with the figures of today: the measures that it has now, cut to three places."""
    parts = [line for line in FILE.read_text().splitlines() if line.startswith("#")]
    known = floors()
    for name, found in sets.items():
        parts += ["", f"[{name}]"]
        for label in known[name]:
            if label not in found.estimates:  # where nothing is answered, no answer can be right
                continue
            mean = found.estimates[label].mean * 1000
            # Half a thousandth of a thousandth is noise of the division, and not a figure that moved.
            bound = ceil(mean - 1e-6) if label.startswith(LOWER_IS_BETTER) else floor(mean + 1e-6)
            parts.append(f'"{label}" = {bound / 1000}')
    return "\n".join(parts) + "\n"


def main() -> None:
    """Print the table anew."""
    with tempfile.TemporaryDirectory() as folder:
        with sample_opened(Path(folder)) as library:
            sets = {pack: measured_over(pack, of_pack(pack), library) for pack in PACKS}
        with slice_opened(Path(folder) / "six") as library:
            sets |= {bank: measured_over(bank, of_bank(bank), library) for bank in SLICE}
    print(table_of(sets), end="")


if __name__ == "__main__":
    main()
