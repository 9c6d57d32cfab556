"""Second opinions within the caps: what is set aside, booked and refused, and that failures are one line."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from provider_servers import KEY, USED_IN, USED_OUT, WebChat, WebResponses, refusing, saying, served
from pykala.answer.record import NOT_LAW, second_opinion_record
from pykala.draft.second_opinion import NOT_SET_UP, Adviser, adviser_from
from pykala.law.answers import Cost
from pykala.models.configure import default_second_opinion, second_opinion_from
from pykala.models.writer import Usage
from pykala.spend.ledger import LEDGER, Ledger
from pykala.spend.meter import Caps, Meter
from pykala.spend.pricing import Price, PriceTable, price_from, price_table

QUESTION = "What is the tax rate on capital income?"
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
PRICE = Price(1.0, 1.0, 1.0, "USD", call=0.01)
TABLE = PriceTable(date(2026, 11, 15), "USD", {"custom/sonar": PRICE})
TOKENS = (USED_IN + USED_OUT) / 1e6


@pytest.fixture
def service() -> Iterator[WebChat]:
    with served(WebChat()) as played:
        assert isinstance(played, WebChat)
        yield played


def adviser(service: WebChat, caps: Caps | None = None, ledger: Ledger | None = None) -> Adviser:
    source = second_opinion_from("custom/sonar", key=KEY, address=service.address)
    meter = Meter(caps=caps or Caps(None, None), prices=TABLE, ledger=ledger, now=lambda: NOON)
    return Adviser(source, meter)


def test_an_opinion_is_booked_with_its_tokens_and_its_call(service: WebChat) -> None:
    asked = adviser(service)
    found = asked.advise(QUESTION)
    assert found.problem == ""
    assert found.text
    assert found.cost == Cost(USED_IN, USED_OUT, pytest.approx(TOKENS + 0.01), "USD")
    assert asked.meter.spending().amount == pytest.approx(found.cost.amount, abs=1e-6)


def test_what_the_service_says_that_it_cost_is_what_it_cost(tmp_path: Path) -> None:
    with served(WebResponses()) as played:
        asked = adviser_from(key=KEY, address=played.address, ledger=Ledger(tmp_path / LEDGER))
        assert asked.name == default_second_opinion()
        assert asked.advise(QUESTION).cost.amount == 0.0054
        assert asked.meter.spending().amount == 0.0054
        assert price_table().price_of(asked.name).call > 0  # and what is set aside before is more


def test_what_was_spent_on_the_answer_counts_towards_its_cap(service: WebChat) -> None:
    caps = Caps(0.05, None)
    spent = Cost(10, 10, 0.03, "USD")
    assert adviser(service, caps).advise(QUESTION).problem == ""
    refused = adviser(service, caps).advise(QUESTION, spent=spent)
    assert "PYKALA_ANSWER_CAP" in refused.problem
    assert refused.text == ""
    assert refused.cost.amount == 0.0
    assert len(service.seen) == 1  # nothing was sent


def test_the_month_s_cap_holds_for_drafts_and_opinions_together(service: WebChat, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "spending.sqlite")
    ledger.set_aside(NOON, "deepseek/some", "USD", 0.99, None)  # a draft under way
    refused = adviser(service, Caps(None, 1.0), ledger).advise(QUESTION)
    assert "PYKALA_MONTH_CAP" in refused.problem
    assert service.seen == []


def test_a_service_without_a_price_is_not_asked(service: WebChat) -> None:
    asked = adviser_from(model="custom/sonar", key=KEY, address=service.address)
    assert "PYKALA_SECOND_OPINION_PRICE" in asked.advise(QUESTION).problem
    assert service.seen == []
    free = adviser_from(model="custom/sonar", key=KEY, address=service.address, price="0/0")
    assert free.advise(QUESTION).cost == Cost(USED_IN, USED_OUT, 0.0, "USD")


@pytest.mark.parametrize(
    ("data", "status", "amount"),
    [(b"{}", 401, 0.0), (b"{}", 404, 0.0), (b"{no", 200, pytest.approx(0.0310, abs=2e-4))],
)
def test_a_failure_is_one_line_and_costs_what_came_of_it(
    service: WebChat, data: bytes, status: int, amount: float
) -> None:
    service.then(saying(status, data) if status == 200 else refusing(status, "no"))
    asked = adviser(service)
    found = asked.advise(QUESTION)
    assert found.problem
    assert "\n" not in found.problem
    assert KEY not in found.problem
    assert (found.text, found.links) == ("", ())
    assert found.cost.amount == amount
    assert asked.meter.spending().amount == pytest.approx(found.cost.amount, abs=1e-6)


def test_where_a_service_reports_nothing_its_tokens_are_estimated(service: WebChat) -> None:
    service.then(saying(200, b'{"choices": [{"message": {"content": "About a third."}}]}'))
    assert adviser(service).advise(QUESTION).cost.amount > 0.01


def test_nobody_is_asked_where_no_time_is_left(service: WebChat) -> None:
    assert "time" in adviser(service).advise(QUESTION, deadline=0.2).problem
    assert service.seen == []


def test_a_record_says_that_it_is_no_law(service: WebChat) -> None:
    found = second_opinion_record(adviser(service).advise(QUESTION), NOON).as_json()
    assert found["notice"] == NOT_LAW == "not law, not checked: from the web"
    assert found["retrieved_at"] == "2026-11-16T12:00:00+00:00"
    assert found["problem"] is None
    assert found["provider"] == "custom/sonar"
    assert found["links"][0] == {  # type: ignore[index]
        "title": "Capital income",
        "url": "https://www.vero.fi/en/capital-income",
    }
    assert "PYKALA_SECOND_OPINION_KEY" in NOT_SET_UP


def test_a_price_may_have_what_each_call_costs() -> None:
    price = price_from("1/2+0.012")
    assert (price.input, price.output, price.call) == (1.0, 2.0, 0.012)
    assert price.of(Usage("m", 0, 0), NOON) == 0.0
    assert price.of(Usage("m", 1_000_000, 0), NOON) == pytest.approx(1.012)
    assert price.tokens_for(1.012, 0, NOON) == 500_000
    assert price.tokens_for(0.011, 0, NOON) == -1
    for text in ("1/2+x", "1/2+-1", "1/2+nan", "1+1/2"):
        with pytest.raises(ValueError, match="no price"):
            price_from(text)
