"""Context blocks over the sample: keys, exact text, both languages, and never more than the budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from making import bundle, document, section, simple, since
from plain_pack import pack
from pykala.draft.context import BUDGET, SMALLEST_BUDGET, ContextBlock, context_record
from pykala.draft.framing import unquoted
from pykala.draft.verify import verify
from pykala.law.checks import Check
from pykala.law.identifiers import WorkId
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.stores.embedded.store import EmbeddedStore
from pykala.text.tokens import count_tokens

DAY = date(2026, 6, 1)
CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"
QUESTIONS = [
    CAPITAL_INCOME,
    "Kuinka monta kuukautta avainhenkilön palkkaa verotetaan lähdeverolla?",
    "Hur hög är skattesatsen för kapitalinkomst över 30 000 euro?",
    "Quel est le taux de la TPS ?",
    "Who is a small supplier?",
]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_item_is_the_law_word_for_word_under_keys_without_gaps(sample: Library, question: str) -> None:
    block = sample.context(question, as_of=DAY)
    assert [item.evidence.key for item in block.items] == [f"L{n}" for n, _ in enumerate(block.items, 1)]
    answer = sample.ask(question, as_of=DAY)
    assert answer.primary is not None
    assert block.items[0].pinpoint == answer.primary.provision
    for item in block.items:
        shown = item.evidence.cited
        assert shown.text == sample.text_at(str(shown.provision), DAY, language=shown.language)
        assert shown.validity.covers(DAY)
        assert f"[{item.evidence.key}] " in block.text


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_extracted_answer_passes_its_own_verification(sample: Library, question: str) -> None:
    answer = sample.ask(question, as_of=DAY)
    found = verify(answer.text, sample.context(question, as_of=DAY).evidence, answer.as_of)
    assert found.passed, found.failed
    assert found.confidence == 1.0


def test_the_exact_text_can_be_read_back_from_the_block(sample: Library) -> None:
    block = sample.context(CAPITAL_INCOME, as_of=DAY)
    entry = block.text.split("\n\n")[1]
    lines = "\n".join(line for line in entry.split("\n") if line.startswith("| "))
    assert unquoted(lines) == block.items[0].evidence.cited.text


def test_both_languages_of_a_pair_where_asked(sample: Library) -> None:
    one = sample.context(CAPITAL_INCOME, as_of=DAY).items[0].evidence
    both = sample.context(CAPITAL_INCOME, as_of=DAY, both_languages=True).items[0].evidence
    assert [shown.language for shown in one.expressions] == ["en"]
    assert {shown.language for shown in both.expressions} == {"en", "fi", "sv"}
    assert len({shown.provision for shown in both.expressions}) == 1
    canadian = (
        sample.context("Quel est le taux de la TPS ?", as_of=DAY, both_languages=True).items[0].evidence
    )
    assert [shown.language for shown in canadian.expressions] == ["fr", "en"]


@pytest.fixture(scope="module")
def whole(sample: Library) -> Callable[[str, bool], ContextBlock]:
    """The block of a question that has room for everything, made once."""
    return cache(
        lambda question, both: sample.context(question, as_of=DAY, budget=BUDGET, both_languages=both)
    )


@settings(max_examples=15, deadline=None)
@given(
    question=st.sampled_from(QUESTIONS),
    budget=st.integers(SMALLEST_BUDGET, 3_000),
    both=st.booleans(),
)
def test_no_block_is_longer_than_its_budget_and_nothing_goes_unnamed(
    sample: Library, whole: Callable[[str, bool], ContextBlock], question: str, budget: int, both: bool
) -> None:
    block = sample.context(question, as_of=DAY, budget=budget, both_languages=both)
    assert block.tokens == count_tokens(block.text) <= budget
    assert block.items
    assert len(block.items) + len(block.left_out) == len(whole(question, both).items)
    assert block.text.endswith(f"EVIDENCE {block.boundary} END")


def test_a_long_first_text_is_cut_at_a_sentence_and_says_so(tmp_path: Path) -> None:
    text = " ".join(f"The licence of a ferry costs {n} euros in harbour {n}." for n in range(400))
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(simple("xx:act:1", text))
        library = Library(store, packs={"xx": pack})
        block = library.context("What does the licence of a ferry cost?", as_of=DAY, budget=1_000)
    shown = block.items[0].evidence.cited.text
    assert block.items[0].cut
    assert text.startswith(shown)
    assert shown.endswith(".")
    assert 700 < block.tokens <= 1_000
    assert "the text goes on" in block.text


def test_an_answer_that_is_no_longer_law_is_there_and_supports_nothing_today(tmp_path: Path) -> None:
    work = WorkId("xx:act:1")
    ended = section(work, "1", "The licence of a ferry costs 40 euros.", validity=since(2000, 2020))
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(bundle(work, [document(work, "en", [ended])]))
        library = Library(store, packs={"xx": pack})
        answer = library.ask("xx:act:1/sec_1", as_of=DAY)
        block = library.context("xx:act:1/sec_1", as_of=DAY)
    assert answer.primary is not None
    assert block.items[0].evidence.cited == answer.primary
    assert "until: 2020-01-01" in block.text
    (claim,) = verify(answer.text, block.evidence, DAY).claims
    assert [one.check for one in claim.findings] == [Check.NOT_IN_FORCE]


def test_what_the_library_does_not_answer_is_said(sample: Library) -> None:
    block = sample.context("What is the penalty for theft?", as_of=DAY)
    assert not block.outcome.quotes
    assert "Nothing in the library answers the question" in block.text


def test_a_budget_too_small_is_an_error(sample: Library) -> None:
    with pytest.raises(ValueError, match="at least"):
        sample.context(CAPITAL_INCOME, budget=10)


def test_json_has_exact_text_dates_and_links(sample: Library) -> None:
    data = context_record(sample.context(CAPITAL_INCOME, as_of=DAY)).as_json()
    first = data["evidence"][0]  # type: ignore[index]
    assert (first["key"], first["official"], first["cut"]) == ("L1", True, False)
    assert first["url"].startswith("https://www.finlex.fi/")
    assert first["valid_from"] == "2016-01-01"
    assert (first["look_alikes"], first["hidden_characters"]) == ([], 0)
    assert data["tokens"] <= data["budget"] == BUDGET  # type: ignore[operator]
