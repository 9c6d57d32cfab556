"""The commands over a library in PostgreSQL: the same verbs, one line where it fails, never a password."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from making import simple
from postgres_server import PASSWORD, PostgresServer
from pykala.interfaces.cli.main import run
from pykala.stores.embedded.store import EmbeddedStore


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("team") / "library"
    with EmbeddedStore.open(folder, writable=True) as store:
        store.put(simple("fi:act:1992/1535", "Vero on 34 prosenttia.", "Kunta perii veron.", language="fi"))
    return folder


@pytest.fixture(scope="module")
def address(made: Path, postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    place = postgres.new_database()
    indexes = tmp_path_factory.mktemp("indexes")
    assert run(["copy", str(made), place, "--index-folder", str(indexes), "--json"]) == 0
    return place


def test_a_copy_says_what_is_the_same(
    made: Path, postgres: PostgresServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = postgres.new_database()
    assert run(["copy", str(made), place, "--index-folder", str(tmp_path)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "counts and content hashes are the same" in told
    assert PASSWORD not in told


@pytest.mark.parametrize(
    "command",
    [
        ["stats"],
        ["search", "vero"],
        ["show", "fi:act:1992/1535/sec_1"],
        ["works"],
        ["ask", "Paljonko vero on?"],
    ],
)
def test_verbs_read_it(
    command: list[str], address: str, made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--library", str(made)]) == 0
    of_folder = capsys.readouterr()
    assert run([*command, "--library", address]) == 0
    of_team = capsys.readouterr()
    assert PASSWORD not in of_team.out + of_team.err
    if command != ["stats"]:  # which tell where the library is, and its bytes
        assert _untimed(of_team.out) == _untimed(of_folder.out)


def _untimed(told: str) -> str:
    return re.sub(r"\d+ ms", "ms", told)


def test_verify_checks_the_records_and_says_who_checks_the_pages(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", "--library", address]) == 0
    assert "pg_amcheck" in capsys.readouterr().out


def test_a_backup_is_restored_into_a_folder(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = tmp_path / "law.tar.zst"
    assert run(["backup", str(archive), "--library", address]) == 0
    assert run(["restore", str(archive), "--library", str(tmp_path / "law")]) == 0
    capsys.readouterr()
    assert run(["stats", "--json", "--library", str(tmp_path / "law")]) == 0
    assert json.loads(capsys.readouterr().out)["works"] == {"fi/act": 1}


@pytest.mark.parametrize("command", [["stats"], ["ask", "vero"], ["reindex"]])
def test_a_wrong_address_is_one_line(
    command: list[str], postgres: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--library", postgres.url("nowhere")]) == 3
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert "no such database" in told.err
    assert PASSWORD not in told.out + told.err


def test_settings_show_no_password(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYKALA_LIBRARY", postgres.url("law"))
    for form in ([], ["--json"]):
        assert run(["config", "library", *form]) == 0
        told = capsys.readouterr().out
        assert PASSWORD not in told
        assert "***" in told
