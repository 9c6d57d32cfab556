"""Reads that share round trips, on a real PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any

import pytest

from postgres_server import PostgresServer
from pykala.stores.exchanges import Exchanges
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.store import StoreError


@pytest.fixture
def records(postgres: PostgresServer) -> Iterator[PostgresConnection]:
    made = PostgresConnection(postgres.new_database(), writable=False)
    yield made
    made.close()


def doubling(records: PostgresConnection, value: int, times: int) -> Callable[[], int]:
    """A read of several statements, each of which needs the rows of the one before it."""

    def read() -> int:
        found = value
        for _ in range(times):
            ((found,),) = records.execute("SELECT CAST(? AS integer) * 2", (found,))
        return found

    return read


#: How often each read goes to the database, and how many round trips they share.
SHARED = [([], 0), ([3], 3), ([3, 3], 3), ([1, 4, 2], 4), ([0, 2], 2), ([0, 0], 0)]


@pytest.mark.parametrize(("times", "trips"), SHARED)
def test_reads_share_their_round_trips(records: PostgresConnection, times: list[int], trips: int) -> None:
    found = records.at_once([doubling(records, number, n) for number, n in enumerate(times, start=1)])
    assert found == [number * 2**n for number, n in enumerate(times, start=1)]
    assert records.round_trips == trips


def test_reads_within_a_read_share_those_of_the_reads_around_it(records: PostgresConnection) -> None:
    def outer() -> list[int]:
        before = doubling(records, 1, 1)()
        return records.at_once([doubling(records, before, 2), doubling(records, before, 1)])

    first, second = records.at_once([outer, doubling(records, 5, 3)])
    assert (first, second) == ([8, 4], 40)
    assert records.round_trips == 3


def test_reads_over_two_connections_wait_once_for_both(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    law, matter = (PostgresConnection(postgres.new_database(), writable=False) for _ in range(2))
    waits: list[int] = []
    sent = Exchanges._sent

    def counted(exchanges: Exchanges, together: Mapping[Exchanges, Any]) -> Any:
        waits.extend([] if exchanges.inside else [len(together)])
        return sent(exchanges, together)

    monkeypatch.setattr(Exchanges, "_sent", counted)

    def of_one_then_both() -> list[int]:
        first = doubling(law, 1, 1)()
        return law.exchanges.run([doubling(law, first, 1), doubling(matter, first, 2)], [matter.exchanges])

    try:
        found = law.exchanges.run([of_one_then_both, doubling(matter, 5, 3)], [matter.exchanges])
        assert found == [[4, 8], 40]
        assert (law.round_trips, matter.round_trips) == (2, 3)
        assert waits == [2, 2, 1]  # how many connections were asked at once, each time
    finally:
        law.close()
        matter.close()


def test_what_is_sent_together_is_so_too_within_a_read(records: PostgresConnection) -> None:
    def read() -> list[int]:
        rows = records.together([("SELECT 1", ()), ("SELECT CAST(? AS integer)", (2,))])
        return [value for ((value,),) in rows]

    assert records.at_once([read, read]) == [[1, 2], [1, 2]]
    assert records.round_trips == 1


def test_no_two_reads_run_at_the_same_time_and_they_take_turns_in_order(records: PostgresConnection) -> None:
    turns: list[tuple[str, int]] = []

    def read(name: str) -> Callable[[], None]:
        def steps() -> None:
            for step in range(3):
                turns.append((name, step))
                records.execute("SELECT 1")

        return steps

    records.at_once([read("a"), read("b")])
    assert turns == [(name, step) for step in range(3) for name in ("a", "b")]


def test_an_error_ends_every_read_and_the_connection_goes_on(records: PostgresConnection) -> None:
    ended, before = list[str](), threading.active_count()

    def fails() -> None:
        doubling(records, 1, 2)()
        raise ZeroDivisionError

    def goes_on() -> None:
        try:
            doubling(records, 1, 9)()
        finally:
            ended.append("stopped")

    with pytest.raises(ZeroDivisionError):
        records.at_once([goes_on, fails])
    assert ended == ["stopped"]
    assert threading.active_count() == before
    assert records.at_once([doubling(records, 1, 1), doubling(records, 2, 1)]) == [2, 4]


def test_a_statement_that_fails_is_told_as_an_error_of_the_store(records: PostgresConnection) -> None:
    with pytest.raises(StoreError):
        records.at_once([doubling(records, 1, 1), lambda: records.execute("SELECT 1 / 0").fetchall()])
    assert doubling(records, 1, 1)() == 2


def test_a_read_has_the_context_of_its_question(records: PostgresConnection) -> None:
    asked: ContextVar[str] = ContextVar("asked", default="")
    asked.set("by a reader")
    assert records.at_once([asked.get, asked.get]) == ["by a reader"] * 2


def test_many_questions_of_one_connection_do_not_take_rows_of_each_other(records: PostgresConnection) -> None:
    wrong: list[int] = []

    def ask(number: int) -> None:
        for _ in range(20):
            found = records.at_once([doubling(records, number, 2), doubling(records, number + 100, 3)])
            if found != [number * 4, (number + 100) * 8]:
                wrong.append(number)

    asking = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for one in asking:
        one.start()
    for one in asking:
        one.join()
    assert wrong == []


def test_a_lost_connection_is_made_anew_and_the_reads_go_on(
    records: PostgresConnection, postgres: PostgresServer
) -> None:
    ((number,),) = records.execute("SELECT pg_backend_pid()")
    postgres.execute(f"SELECT pg_terminate_backend({number})")
    assert records.at_once([doubling(records, 1, 2), doubling(records, 2, 2)]) == [4, 8]
