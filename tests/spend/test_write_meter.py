"""The cost meter: prices by the hour, caps that two programs cannot pass together, a ledger that is kept."""

from __future__ import annotations

import sqlite3
import threading
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.answers import Cost
from pykala.models.assistance import rewrite
from pykala.models.configure import default_writer
from pykala.models.writer import Message, Usage
from pykala.spend.ledger import CapReached, Ledger
from pykala.spend.meter import Caps, Meter, MeteredWriter
from pykala.spend.pricing import Price, PriceTable, UnknownPrice, price_from, price_table
from scripted_writer import ScriptedWriter

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)  # a Monday
MILLION = 1_000_000
TABLE = PriceTable(date(2026, 11, 15), "USD", {"paid/model": Price(1.0, 0.1, 2.0)}, frozenset({"ollama"}))


def meter(caps: Caps | None = None, ledger: Ledger | None = None, now: datetime = NOON) -> Meter:
    return Meter(caps=caps or Caps(None, None), prices=TABLE, ledger=ledger, now=lambda: now)


HOURS = [
    (datetime(2026, 11, 16, 12, tzinfo=UTC), 0.75),
    (datetime(2026, 11, 16, 1, tzinfo=UTC), 1.5),
    (datetime(2026, 11, 16, 3, 59, tzinfo=UTC), 1.5),
    (datetime(2026, 11, 16, 4, tzinfo=UTC), 0.75),
    (datetime(2026, 11, 16, 9, tzinfo=UTC), 1.5),
    (datetime(2026, 11, 15, 9, tzinfo=UTC), 0.75),  # a Sunday
    (datetime.fromisoformat("2026-11-16T03:00:00+02:00"), 1.5),
]


@pytest.mark.parametrize(("when", "amount"), HOURS)
def test_deepseek_costs_twice_as_much_in_its_busy_hours(when: datetime, amount: float) -> None:
    price = price_table().price_of("deepseek/deepseek-flash")
    assert price.of(Usage("deepseek/deepseek-flash", MILLION, MILLION), when) == pytest.approx(amount)


def test_the_default_model_has_a_price_and_the_table_a_day() -> None:
    assert price_table().price_of(default_writer()).output > 0
    assert price_table().read >= date(2026, 11, 15)
    for price in price_table().rows.values():
        assert 0 < price.cached < price.input < price.output


def test_one_s_own_machine_costs_nothing_and_an_unknown_model_has_no_price() -> None:
    assert price_table().price_of("ollama/anything").of(Usage("x", MILLION, MILLION), NOON) == 0.0
    for model in ("custom/anything", "openai/some", "", "ollamas/x"):
        with pytest.raises(UnknownPrice, match="PYKALA_MODEL_PRICE"):
            price_table().price_of(model)


def test_a_price_of_one_s_own_comes_first() -> None:
    table = PriceTable(date(2026, 1, 1), "USD", TABLE.rows, own={"paid/model": price_from("3/4")})
    assert table.price_of("paid/model").output == 4.0


@pytest.mark.parametrize("text", ["", "1", "/", "a/b", "-1/2", "1/-2", "nan/1", "1/inf", "1/2/3"])
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"0\.50/1\.50"):
        price_from(text)


@pytest.mark.parametrize(
    ("usage", "amount"),
    [
        (Usage("m", 0, 0), 0.0),  # nothing was sent, so that the call is not paid for either
        (Usage("m", 0, MILLION), 2.012),
        (Usage("m", MILLION, 0), 1.012),
        (Usage("m", MILLION, MILLION, charged=0.5), 0.5),  # as the service reports it
    ],
)
def test_what_each_call_costs_comes_on_top(usage: Usage, amount: float) -> None:
    assert price_from("1/2+0.012").of(usage, NOON) == pytest.approx(amount)


@given(
    tokens_in=st.integers(0, 10**7),
    tokens_out=st.integers(0, 10**6),
    cached=st.floats(0, 1),
    hour=st.integers(0, 23),
)
def test_the_tokens_that_an_amount_allows_cost_no_more_than_it(
    tokens_in: int, tokens_out: int, cached: float, hour: int
) -> None:
    price, when = price_table().price_of("deepseek/deepseek-flash"), NOON.replace(hour=hour)
    usage = Usage("m", tokens_in, tokens_out, int(tokens_in * cached))
    amount = price.of(usage, when)
    assert amount >= 0
    allowed = price.tokens_for(amount, tokens_in, when)
    if allowed >= 0:
        assert price.of(Usage("m", tokens_in, allowed), when) <= amount + 1e-6


def test_what_was_set_aside_gives_way_to_what_it_cost() -> None:
    whole = meter()
    call = whole.answer()
    assert call.allow("paid/model", 1000, 500) == 500
    assert whole.spending().amount == pytest.approx((1300 + 1000) / MILLION)
    call.book(Usage("paid/model", 1000, 100))
    assert whole.spending().amount == pytest.approx(1200 / MILLION)
    assert call.cost == Cost(1000, 100, pytest.approx(1200 / MILLION), "USD")


def test_what_costs_nothing_is_booked_as_nothing() -> None:
    whole = meter(Caps(0.0, 0.0))
    call = whole.answer()
    assert call.allow("ollama/model", 10**6, 500) == 500
    call.book(Usage("ollama/model", 10**6, 400))
    assert call.cost == Cost(10**6, 400, 0.0, "USD")
    assert whole.spending().amount == 0.0
    assert whole.spending().calls == 1


def test_months_are_counted_apart(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "spending.sqlite")
    for days in (0, 14, 31):
        call = meter(ledger=ledger, now=NOON + timedelta(days=days)).answer()
        call.allow("paid/model", 1000, 500)
        call.book(Usage("paid/model", 1000, 0))
    assert [ledger.spent(month).calls for month in ("2026-11", "2026-12", "2027-01")] == [2, 1, 0]
    assert ledger.spent("2026-11").amount == pytest.approx(2000 / MILLION)


def test_a_month_s_cap_cannot_be_passed_by_many_at_once(tmp_path: Path) -> None:
    caps = Caps(None, 0.01)
    allowed: list[bool] = []

    def ask() -> None:
        call = meter(caps, Ledger(tmp_path / "spending.sqlite")).answer()
        try:
            call.allow("paid/model", 1000, 500)
        except CapReached:
            allowed.append(False)
            return
        allowed.append(True)

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Each sets 0.0023 aside, and none has reported yet what it used.
    assert allowed.count(True) == 4
    assert meter(caps, Ledger(tmp_path / "spending.sqlite")).spending().amount <= 0.01


def test_the_file_tells_each_call_and_whether_its_cost_is_known(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "spending.sqlite")
    ledger.set_aside(NOON, "paid/one", "USD", 0.5, None)
    second = ledger.set_aside(NOON, "paid/other", "EUR", 0.25, None)
    ledger.settle(second, "paid/fallback", Usage("paid/fallback", 10, 5), 0.125)
    with sqlite3.connect(tmp_path / "spending.sqlite") as database:
        rows = database.execute("SELECT * FROM spending ORDER BY id").fetchall()
    at = "2026-11-16T12:00:00+00:00"
    assert rows == [
        (1, "2026-11", at, "paid/one", "USD", 0, 0, 500_000, 0),
        (2, "2026-11", at, "paid/fallback", "EUR", 10, 5, 125_000, 1),
    ]


@pytest.mark.parametrize(("beyond", "stopped"), [("", False), ("x", True)])
def test_a_service_that_heeds_no_limit_is_stopped(beyond: str, stopped: bool) -> None:
    call = meter().answer()
    longest = "x" * (100 * 16)  # of 100 tokens, each as long as any is
    inner = ScriptedWriter([longest + beyond, Usage("paid/model", 10, 100)], name="paid/model")
    *_, usage = MeteredWriter(inner, call).write([Message("user", "How much?")], most_tokens=100)
    assert isinstance(usage, Usage)
    assert usage.stopped_short is stopped
    assert (call.cost.amount > 0, inner.closed) == (True, 1)


def test_a_program_killed_in_the_middle_leaves_what_it_set_aside_as_spent(tmp_path: Path) -> None:
    meter(ledger=Ledger(tmp_path / "spending.sqlite")).answer().allow("paid/model", 1000, 500)
    assert Ledger(tmp_path / "spending.sqlite").spent("2026-11").amount > 0


def test_a_ledger_in_memory_is_shared_by_threads() -> None:
    whole = meter()

    def ask() -> None:
        call = whole.answer()
        call.allow("paid/model", 1000, 500)
        call.book(Usage("paid/model", 1000, 0))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert whole.spending().amount == pytest.approx(8000 / MILLION)


def test_a_ledger_that_cannot_be_kept_is_a_reason_not_to_spend(tmp_path: Path) -> None:
    broken = tmp_path / "spending.sqlite"
    broken.write_bytes(b"this is no database, and long enough to be looked at" * 100)
    with pytest.raises(CapReached, match=r"spending\.sqlite"):
        meter(ledger=Ledger(broken)).answer().allow("paid/model", 1000, 500)
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    with pytest.raises(CapReached, match="cannot be kept"):
        meter(ledger=Ledger(in_the_way / "spending.sqlite")).answer().allow("paid/model", 10, 5)


def test_caps_that_are_reached_say_how_to_raise_them() -> None:
    with pytest.raises(CapReached, match="PYKALA_ANSWER_CAP"):
        meter(Caps(0.0001, None)).answer().allow("paid/model", 1000, 500)
    with pytest.raises(CapReached, match="PYKALA_MONTH_CAP"):
        meter(Caps(None, 0.0001)).answer().allow("paid/model", 1000, 500)


def test_help_before_the_search_is_metered_on_the_same_answer() -> None:
    call = meter().answer()
    pieces = ['{"question": "Osingon verotus"}', Usage("paid/model", 1000, 50)]
    writer = MeteredWriter(ScriptedWriter(pieces, name="paid/model"), call)
    assert rewrite("what do i pay on dividends", writer, language="fi").value == "Osingon verotus"
    assert call.cost == Cost(1000, 50, pytest.approx(1100 / MILLION), "USD")
    assert call.called


def test_help_that_a_cap_forbids_is_no_help() -> None:
    inner = ScriptedWriter('{"question": "Osingon verotus"}', name="paid/model")
    call = meter(Caps(0.00001, None)).answer()
    told = rewrite("what do i pay", MeteredWriter(inner, call), language="fi")
    assert told.value == "what do i pay"
    assert "PYKALA_ANSWER_CAP" in told.problem
    assert inner.calls == []
    assert not call.called


@given(st.lists(st.integers(0, 4000), min_size=1, max_size=12), st.floats(0.001, 0.02))
def test_an_answer_of_many_calls_never_passes_its_cap(written: list[int], cap: float) -> None:
    call = meter(Caps(cap, None)).answer()
    for tokens in written:
        try:
            allowed = call.allow("paid/model", 800, 2000)
        except CapReached:
            break
        call.book(Usage("paid/model", 1000, min(tokens, allowed)))
    assert call.cost.amount <= cap + 1e-9


@pytest.mark.parametrize(
    ("amount", "booked"),
    [(0.0, 0), (1e-8, 1), (0.9e-6, 1), (1e-6, 1), (1.01e-6, 2), (0.0000251, 26), (0.3, 300_000)],
)
def test_what_a_call_cost_is_booked_to_the_millionth_and_never_less(amount: float, booked: int) -> None:
    ledger = Ledger()
    number = ledger.set_aside(NOON, "paid/model", "USD", amount, None)
    assert ledger.spent("2026-11").amount == pytest.approx(booked / MILLION, abs=1e-12)
    ledger.settle(number, "paid/model", Usage("paid/model", 1, 1), 2 * amount)
    assert ledger.spent("2026-11").amount >= 2 * amount - 1e-12


@pytest.mark.parametrize(
    ("spent", "amount", "cap", "allowed"),
    [
        (0.5, 0.5, 1.0, True),
        (0.5, 0.51, 1.0, False),
        (1.0, 0.0, 1.0, True),
        (1.0, 0.0, 0.5, True),  # the cap was lowered since: what costs nothing is still allowed
        (1.0, 5.0, None, True),
    ],
)
def test_a_month_is_spent_up_to_its_cap_and_no_further(
    spent: float, amount: float, cap: float | None, allowed: bool
) -> None:
    ledger = Ledger()
    ledger.set_aside(NOON, "paid/model", "USD", spent, 1.0)
    if allowed:
        ledger.set_aside(NOON, "paid/model", "USD", amount, cap)
    else:
        with pytest.raises(CapReached, match=r"2026-11.*PYKALA_MONTH_CAP"):
            ledger.set_aside(NOON, "paid/model", "USD", amount, cap)
    expected = spent + amount if allowed else spent
    assert ledger.spent("2026-11").amount == pytest.approx(expected)
