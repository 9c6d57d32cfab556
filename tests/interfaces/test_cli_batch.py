"""What a flag forbids for one question it forbids for every line of a batch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from provider_servers import KEY, ChatCompletions, served
from pykala.draft.drafting import drafting_from
from pykala.interfaces.cli.batch import batch_answers
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.spend.ledger import LEDGER, Ledger

QUESTION = "What is the tax rate on capital income above 30 000 euros in Finland?"
LINE = json.dumps({"question": QUESTION, "as_of": "2026-06-01"}).encode()
DRAFT = ("On the part above 30,000 euros the rate of tax on capital income is 34 per cent [L1].",)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


@pytest.mark.parametrize(("draft", "calls"), [(True, 1), (False, 0)])
def test_no_draft_spends_nothing_on_a_batch(sample: Library, tmp_path: Path, draft: bool, calls: int) -> None:
    with served(ChatCompletions(DRAFT)) as service:
        drafting = drafting_from(key=KEY, address=service.address, ledger=Ledger(tmp_path / LEDGER))
        sample = sample.with_parts(drafting=drafting)
        (answer,) = batch_answers(sample, [LINE], {}, draft=draft)
        assert len(service.seen) == calls
    assert bool(answer["writer"]) is draft
