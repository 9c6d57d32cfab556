"""What hosted embedders and rerankers cost: on the ledger, in the answer, within the month's cap."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from provider_servers import KEY, Embeddings, Rerank, served
from pykala.law.answers import Cost, sum_of
from pykala.models.configure import embedder_from, reranker_from
from pykala.models.metering import reported
from pykala.spend.ledger import LEDGER, CapReached, Ledger
from pykala.spend.meter import Caps, LookupAccount, Meter
from pykala.spend.pricing import price_from, price_table

MODEL = "custom/embedder"
PRICE = "0.12/0"


def meter_of(folder: Path, month: float = 10.0, price: str = PRICE) -> Meter:
    from dataclasses import replace

    own = {MODEL: price_from(price), "custom/reranker": price_from("0/0+0.002")}
    prices = replace(price_table(), own=own)
    return Meter(caps=Caps(0.25, month), prices=prices, ledger=Ledger(folder / LEDGER))


@pytest.fixture
def service() -> Iterator[Embeddings]:
    with served(Embeddings()) as one:
        assert isinstance(one, Embeddings)
        yield one


def rows(folder: Path) -> list[tuple[str, int, int, int]]:
    with sqlite3.connect(folder / LEDGER) as database:
        statement = "SELECT model, tokens_in, millionths, settled FROM spending ORDER BY id"
        return database.execute(statement).fetchall()


def test_an_embedder_s_calls_are_booked_and_heard(service: Embeddings, tmp_path: Path) -> None:
    meter, heard = meter_of(tmp_path), list[Cost]()
    account = LookupAccount(meter)
    embedder = embedder_from(MODEL, key=KEY, address=service.address, dimension=16, account=account)
    embedder.heard_by(heard.append).encode(["the tax rate on capital income"], "query")  # type: ignore[attr-defined]
    (row,) = rows(tmp_path)
    model, tokens, millionths, settled = row
    assert (model, settled) == (MODEL, 1)
    assert tokens > 0
    assert millionths > 0
    assert [one.tokens_in for one in heard] == [tokens]
    assert heard[0].amount == pytest.approx(tokens * 0.12 / 1_000_000, abs=1e-8)
    embedder.encode(["a document"], "document")
    assert len(rows(tmp_path)) == 2  # whoever listens, the ledger has it
    assert len(heard) == 1


def test_a_reranker_that_takes_money_for_a_search_is_booked_by_call(tmp_path: Path) -> None:
    with served(Rerank()) as service:
        account = LookupAccount(meter_of(tmp_path))
        reranker = reranker_from("custom/reranker", key=KEY, address=service.address, account=account)
        reranker.score("tax rate", ["The tax rate is 34 per cent.", "The court."])
    (row,) = rows(tmp_path)
    assert row[2] == 2_000  # 0.002 US dollars


def test_a_month_that_is_spent_is_a_refusal_before_the_call(service: Embeddings, tmp_path: Path) -> None:
    account = LookupAccount(meter_of(tmp_path, month=0.0000001))
    embedder = embedder_from(MODEL, key=KEY, address=service.address, dimension=16, account=account)
    with pytest.raises(CapReached, match="PYKALA_MONTH_CAP"):
        embedder.encode(["the tax rate " * 50], "query")
    assert service.seen == []


def test_without_a_price_tokens_are_counted_all_the_same(service: Embeddings, tmp_path: Path) -> None:
    account = LookupAccount(Meter(ledger=Ledger(tmp_path / LEDGER)))
    embedder = embedder_from(MODEL, key=KEY, address=service.address, dimension=16, account=account)
    embedder.encode(["the tax rate"], "query")
    ((_, tokens, millionths, settled),) = rows(tmp_path)
    assert tokens > 0
    assert (millionths, settled) == (0, 1)


@pytest.mark.parametrize(
    ("reply", "tokens"),
    [
        ({"usage": {"total_tokens": 12}}, 12),
        ({"usage": {"prompt_tokens": 7, "total_tokens": 7}}, 7),
        ({"meta": {"billed_units": {"input_tokens": 9.0}}}, 9),
        ({"usage": {"total_tokens": -1}}, None),
        ({"usage": {"total_tokens": True}}, None),
        ({"meta": {"billed_units": {"search_units": 1}}}, None),
        ([{"index": 0}], None),
        (None, None),
    ],
)
def test_what_a_reply_says_that_it_used(reply: object, tokens: int | None) -> None:
    found = reported(reply, MODEL)
    assert (found.tokens_in if found else None) == tokens


def test_costs_add_up_and_nothing_says_no_currency() -> None:
    assert sum_of([]) == Cost()
    assert sum_of([Cost(), Cost(3, 1, 0.25, "USD"), Cost()]) == Cost(3, 1, 0.25, "USD")
    assert sum_of([Cost(3, 1, 0.1, "USD"), Cost(1, 1, 0.2, "USD")]) == Cost(4, 2, 0.3, "USD")
