"""Addresses of databases are told from folders, and never show their password."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pykala.stores.postgres.address import (
    database_address,
    redacted,
    secrets_of,
    shown,
    split_index_folder,
    without_password,
)
from pykala.stores.postgres.connection import connect_driver
from pykala.stores.store import StoreError


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("postgresql://law@db/law", "postgresql://law@db/law"),
        ("postgres://law@db/law", "postgresql://law@db/law"),
        (Path("postgresql://law@db/law"), "postgresql://law@db/law"),
        ("/var/lib/law", None),
        ("postgresql", None),
        (Path("postgresql-backup/law"), None),
    ],
)
def test_an_address_is_told_from_a_folder(given: str | Path, address: str | None) -> None:
    assert database_address(given) == address


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://law:s3cret@db:5432/law?sslmode=require",
        "postgresql://law:s3%40cret@db/law and redis://:s3cret@cache:6379/0",
        "could not connect: host=db user=law password=s3cret dbname=law",
        "postgresql:/law:s3cret@db/law",
        "postgresql://db/law?user=law&password=s3cret",
        "password='s3 cret' host=db",
    ],
)
def test_no_password_is_shown(text: str) -> None:
    told = redacted(text)
    assert "cret" not in told
    assert "***" in told


@pytest.mark.parametrize(
    "password", ["s3/cret", "s3@cret", "s3#cret", "s3?cret", "s3 cret", "s3:cret", "%s3cret"]
)
def test_a_password_that_was_not_encoded_is_not_shown_either(password: str) -> None:
    address = f"postgresql://law:{password}@db:5432/law?sslmode=require"
    assert shown(address) == shown(Path(address)) == "postgresql://law:***@db:5432/law?sslmode=require"
    if " " not in password:
        assert "cret" not in redacted(f"there is nothing at {address}; check it")
    assert password in secrets_of(address)


@pytest.mark.parametrize("password", ["s3#cret", "s3?cret", "s3@cret"])
def test_what_the_driver_takes_for_a_password_is_in_no_list_of_processes(password: str) -> None:
    assert without_password(f"postgresql://law:{password}@db/law") == ("postgresql://law@db/law", password)
    told = without_password("postgresql://db/law?user=law&password=s3%26cret&sslmode=require")
    assert told == ("postgresql://db/law?user=law&sslmode=require", "s3&cret")


def test_long_texts_are_searched_for_passwords_in_a_moment() -> None:
    began = time.process_time()
    for hostile in ("a:/a:" * 40_000, "a://" * 50_000, "password='" * 20_000, "a://b" + "c" * 200_000):
        redacted(hostile)
    assert time.process_time() - began < 20


@pytest.mark.parametrize("password", ["s3/cret", "s3#cret", "100%s3cret"])
def test_errors_of_the_driver_show_no_password(password: str) -> None:
    address = f"postgresql://law:{password}@127.0.0.1:1/law"
    with pytest.raises(StoreError) as refused:
        connect_driver(address)
    assert "cret" not in str(refused.value)


def test_what_holds_no_password_is_shown_as_it_is() -> None:
    for text in ("postgresql://law@db:5432/law", "see https://example.org/a:b@c", "/var/lib/law"):
        assert shown(text) == text


def test_the_index_folder_of_an_address_is_ours_and_not_the_driver_s() -> None:
    address = "postgresql://law@db/law?sslmode=require&index_folder=/mnt/law"
    assert split_index_folder(address) == ("postgresql://law@db/law?sslmode=require", Path("/mnt/law"))
    assert split_index_folder("postgresql://law@db/law") == ("postgresql://law@db/law", None)


def test_an_address_is_handed_on_without_its_password() -> None:
    assert without_password("postgresql://law:s3%40cret@db/law?a=b") == (
        "postgresql://law@db/law?a=b",
        "s3@cret",
    )
    assert without_password(Path("postgresql://law@db/law")) == ("postgresql://law@db/law", "")
    assert without_password(Path("/var/lib/law")) == ("/var/lib/law", "")
