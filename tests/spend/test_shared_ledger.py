"""The ledger of a library in PostgreSQL: one cap for all its servers, whatever machine they run on."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from making import simple
from postgres_server import PASSWORD, PostgresServer
from pykala.library.configured import open_configured
from pykala.models.writer import Usage
from pykala.settings import Settings
from pykala.spend.ledger import CapReached
from pykala.spend.meter import Caps, Meter
from pykala.spend.shared_ledger import SharedLedger
from pykala.stores.postgres.store import PostgresStore

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
MILLION = 1_000_000
#: A server: it opens the library with its settings and reserves drafts, of which each may cost $0.0023.
SERVER = """
import sys
from pathlib import Path
from pykala.library.configured import open_configured
from pykala.settings import Settings
from pykala.spend.ledger import CapReached

with open_configured(Path(sys.argv[1]), Settings.read()) as library:
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(6):
        try:
            library.drafting.meter.answer().allow("custom/paid", 1000, 500)
        except CapReached:
            print("refused")
        else:
            print("allowed")
"""


@pytest.fixture(scope="module")
def address(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    place = postgres.new_database()
    with PostgresStore.open_at(place, writable=True, index_folder=tmp_path_factory.mktemp("indexes")) as law:
        law.put(simple("fi:act:1992/1535", "Tax is paid by the owner of a horse.", language="en"))
    return place


@pytest.fixture
def ledger(address: str, postgres: PostgresServer) -> SharedLedger:
    postgres.execute("TRUNCATE pykala.spending, pykala.months_spent", address)
    return SharedLedger(address)


def environment(cache: Path, **more: str) -> dict[str, str]:
    return {
        "PYKALA_CACHE": str(cache),
        "PYKALA_MODEL": "custom/paid",
        "PYKALA_MODEL_ADDRESS": "http://127.0.0.1:9/v1",
        "PYKALA_MODEL_PRICE": "1/2",
        "PYKALA_MODEL_KEY": "secret",
        **more,
    }


def test_two_servers_with_caches_of_their_own_share_a_month_s_cap(
    address: str, ledger: SharedLedger, tmp_path: Path
) -> None:
    servers = [
        subprocess.Popen(
            [sys.executable, "-c", SERVER, address],
            env={**os.environ, **environment(tmp_path / name, PYKALA_MONTH_CAP="0.01")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "other")
    ]
    for server in servers:
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
    for server in servers:  # both are ready, so that they reserve at the same time
        assert server.stdin is not None
        server.stdin.write("\n")
        server.stdin.flush()
    told = [line for server in servers for line in server.communicate(timeout=300)[0].split()]
    assert (told.count("allowed"), told.count("refused")) == (4, 8)
    spent = ledger.spent(f"{datetime.now(UTC):%Y-%m}")
    assert (spent.calls, spent.amount) == (4, pytest.approx(4 * 0.0023))


def test_many_threads_at_once_do_not_pass_the_cap(ledger: SharedLedger) -> None:
    allowed: list[bool] = []

    def reserve() -> None:
        try:
            ledger.set_aside(NOON, "paid/model", "USD", 0.0023, 0.01)
        except CapReached:
            allowed.append(False)
        else:
            allowed.append(True)

    threads = [threading.Thread(target=reserve) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (allowed.count(True), len(allowed)) == (4, 12)


def test_what_a_call_cost_takes_the_place_of_what_was_set_aside(ledger: SharedLedger) -> None:
    first = ledger.set_aside(NOON, "paid/model", "USD", 0.3, None)
    ledger.set_aside(NOON, "paid/\x00other", "USD", 0.1, None)
    ledger.set_aside(NOON + timedelta(days=31), "paid/model", "USD", 0.2, None)
    for _ in range(2):  # to settle a call again changes nothing
        ledger.settle(first, "paid/model", Usage("paid/model", 10, 5), 0.0000251)
    spent = ledger.spent("2026-11")
    assert (spent.calls, spent.amount) == (2, pytest.approx(0.1 + 26 / MILLION))
    assert ledger.spent("2026-12").amount == pytest.approx(0.2)
    assert ledger.spent("2027-01").calls == 0


@pytest.mark.parametrize(
    ("spent", "amount", "cap", "allowed"),
    [
        (0.5, 0.5, 1.0, True),
        (0.5, 0.51, 1.0, False),
        (0.0, 1.01, 1.0, False),  # the first call of a month
        (1.0, 0.0, 1.0, True),
        (1.0, 0.0, 0.5, True),  # the cap was lowered since: what costs nothing is still allowed
        (1.0, 1e-8, 1.0, False),
        (1.0, 5.0, None, True),
    ],
)
def test_a_month_is_spent_up_to_its_cap_and_no_further(
    ledger: SharedLedger, spent: float, amount: float, cap: float | None, allowed: bool
) -> None:
    if spent:
        ledger.set_aside(NOON, "paid/model", "USD", spent, 1.0)
    if allowed:
        ledger.set_aside(NOON, "paid/model", "USD", amount, cap)
    else:
        with pytest.raises(CapReached, match=r"are spent in 2026-11.*cap is 1\.00.*PYKALA_MONTH_CAP"):
            ledger.set_aside(NOON, "paid/model", "USD", amount, cap)
    assert ledger.spent("2026-11").amount == pytest.approx(spent + amount if allowed else spent)


def test_all_models_over_a_library_spend_from_its_ledger(
    address: str, ledger: SharedLedger, tmp_path: Path
) -> None:
    paid = {"": "custom/paid", "_ADDRESS": "http://127.0.0.1:9/v1", "_PRICE": "1/2", "_KEY": "secret"}
    names = ("PYKALA_GRADER", "PYKALA_GUIDANCE_MODEL", "PYKALA_SECOND_OPINION")
    more = {f"{name}{part}": value for name in names for part, value in paid.items()}
    with open_configured(Path(address), Settings.read(environment(tmp_path, **more))) as library:
        made = library.made_of
        assert made.drafting is not None
        assert made.judge is not None
        assert made.guide is not None
        assert made.adviser is not None
        for meter in (made.drafting.meter, made.judge.meter, made.guide.meter, made.adviser.meter):
            meter.ledger.set_aside(NOON, "custom/paid", "USD", 0.01, 1.0)
    assert ledger.spent("2026-11").calls == 4
    assert not list(tmp_path.rglob("spending*"))


def test_a_server_that_may_not_write_the_ledger_spends_nothing(
    address: str, ledger: SharedLedger, postgres: PostgresServer
) -> None:
    name = address.rpartition("/")[2]
    postgres.execute(
        f"CREATE ROLE reader_of_{name} LOGIN PASSWORD '{PASSWORD}'; GRANT USAGE ON SCHEMA pykala TO"
        f" reader_of_{name}; GRANT SELECT ON ALL TABLES IN SCHEMA pykala TO reader_of_{name}",
        address,
    )
    reader = SharedLedger(postgres.url(name, user=f"reader_of_{name}"))
    meter = Meter(caps=Caps(None, None), ledger=reader, now=lambda: NOON)
    with pytest.raises(CapReached, match=r"GRANT INSERT, UPDATE ON pykala\.spending") as refused:
        meter.answer().allow("deepseek/deepseek-flash", 10, 5)
    assert PASSWORD not in str(refused.value)
    postgres.execute(
        f"GRANT INSERT, UPDATE ON pykala.spending, pykala.months_spent TO reader_of_{name}", address
    )
    assert meter.answer().allow("deepseek/deepseek-flash", 10, 5) == 5
    assert ledger.spent("2026-11").calls == 1


def test_a_ledger_that_cannot_be_reached_is_a_reason_not_to_spend(postgres: PostgresServer) -> None:
    gone = SharedLedger(postgres.url("nowhere"))
    with pytest.raises(CapReached, match="what was spent cannot be kept") as refused:
        gone.set_aside(NOON, "paid/model", "USD", 0.1, None)
    assert PASSWORD not in f"{refused.value}{gone!r}"
