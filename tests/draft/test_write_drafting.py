"""From settings to a drafted answer in one call, over a real server."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from provider_servers import KEY, USED_CACHED, USED_IN, USED_OUT, ChatCompletions, Messages, refusing, served
from pykala.draft.context import SMALLEST_BUDGET
from pykala.draft.drafting import drafting_from
from pykala.draft.write import Limits
from pykala.law.answers import CaveatKind, Outcome
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.models.assistance import rewrite
from pykala.models.failures import ModelMisconfigured
from pykala.packs.pack import installed
from pykala.spend.ledger import LEDGER, Ledger
from pykala.spend.meter import Caps

DAY = date(2026, 6, 1)
QUESTION = "What is the tax rate on capital income above 30 000 euros in Finland?"
RIGHT = ("On the part above 30,000 euros ", "the rate of tax on capital income is ", "34 per cent [L1].")


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


def test_a_key_alone_is_enough_for_deepseek(sample: Library, tmp_path: Path) -> None:
    with served(ChatCompletions(RIGHT)) as service:
        drafting = drafting_from(key=KEY, address=service.address, ledger=Ledger(tmp_path / LEDGER))
        found = drafting.draft(sample.ask(QUESTION, as_of=DAY), sample.store, sample.packs)
    assert found.writer == "deepseek/deepseek-flash"
    assert found.text == "".join(RIGHT)
    (seen,) = service.seen
    assert seen.body["model"] == "deepseek-flash"
    assert seen.body["thinking"] == {"type": "disabled"}
    assert (tmp_path / LEDGER).exists()
    assert drafting.meter.spending().amount >= found.cost.amount > 0


def test_an_outage_of_both_models_leaves_the_law_s_own_words(sample: Library) -> None:
    answer = sample.ask(QUESTION, as_of=DAY)
    with served(ChatCompletions()) as first, served(Messages()) as second:
        drafting = drafting_from(
            model="deepseek/deepseek-flash",
            key=KEY,
            address=first.address,
            fallback="anthropic/claude-sonnet-5-5",
            fallback_key=KEY,
            fallback_address=second.address,
        )
        first.then(refusing(401, "no"))
        second.then(refusing(402, "no credit"))
        found = drafting.draft(answer, sample.store, sample.packs)
    assert found.outcome is Outcome.ANSWERED
    assert found.text == answer.text
    degraded = [one.message for one in found.caveats if one.kind is CaveatKind.DEGRADED]
    assert "401" in degraded[0]
    assert "402" in degraded[-1]
    assert found.cost.amount == 0.0


def test_what_the_library_does_not_answer_is_not_sent_anywhere(sample: Library) -> None:
    answer = sample.ask("What is the tax rate in Germany?", as_of=DAY)
    assert answer.outcome is not Outcome.ANSWERED
    with served(ChatCompletions(RIGHT)) as service:
        drafting = drafting_from(key=KEY, address=service.address)
        assert drafting.draft(answer, sample.store, sample.packs) == answer
        assert service.seen == []


def test_help_before_the_search_counts_with_the_answer(sample: Library) -> None:
    with served(ChatCompletions(('{"question": "', 'Pääomatulon veroprosentti"}'))) as service:
        drafting = drafting_from(key=KEY, address=service.address)
        tally = drafting.meter.answer()
        assert rewrite(QUESTION, drafting.helper(tally), language="fi").value == "Pääomatulon veroprosentti"
        assert isinstance(service, ChatCompletions)
        service.words = RIGHT
        answer = sample.ask(QUESTION, as_of=DAY)
        found = drafting.draft(answer, sample.store, sample.packs, tally=tally)
        silent = sample.ask("What is the tax rate in Germany?", as_of=DAY)
        assert drafting.draft(silent, sample.store, sample.packs, tally=tally).cost == tally.cost
    assert (found.cost.tokens_in, found.cost.tokens_out) == (2 * USED_IN, 2 * USED_OUT)
    assert USED_CACHED < USED_IN


def test_a_smaller_budget_sends_less(sample: Library) -> None:
    sizes = []
    for budget in (SMALLEST_BUDGET, 4000):
        with served(ChatCompletions(RIGHT)) as service:
            drafting = drafting_from(key=KEY, address=service.address, budget=budget, limits=Limits(drafts=1))
            drafting.draft(sample.ask(QUESTION, as_of=DAY), sample.store, sample.packs)
            sizes.append(len(service.seen[0].body["messages"][1]["content"]))
    assert sizes[0] < sizes[1]


def test_prices_and_caps_are_those_that_were_set() -> None:
    drafting = drafting_from(
        model="custom/mine", address="http://localhost:1/v1", price="1/3", caps=Caps(1.0, 2.0)
    )
    assert drafting.meter.prices.price_of("custom/mine").output == 3.0
    assert drafting.meter.caps == Caps(1.0, 2.0)
    with pytest.raises(ValueError, match=r"0\.50/1\.50"):
        drafting_from(model="custom/mine", address="http://localhost:1/v1", price="cheap")
    with pytest.raises(ModelMisconfigured, match="deepseek"):
        drafting_from(model="nobody/model", key=KEY)
    assert KEY not in repr(drafting_from(key=KEY))
