"""`pykala verify`, and every verb over a damaged library: one line, exit code 3, the next command."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from making import cites, simple
from pykala.interfaces.cli.main import run
from pykala.law.identifiers import ProvisionId
from pykala.stores.embedded.store import EmbeddedStore

RATE = "fi:act:1992/1535/sec_1"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify") / "library"
    with EmbeddedStore.open(folder, writable=True) as store:
        store.put(simple("fi:act:1992/1535", "Vero on 34 prosenttia.", "Kunta perii veron.", language="fi"))
        citing = ProvisionId.parse("fi:act:2000/1/sec_1")
        reference = cites(citing, ProvisionId.parse(RATE))
        store.put(simple("fi:act:2000/1", "Katso.", language="fi", references=[reference]))
    return folder


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "library")
    return tmp_path / "library"


def change_the_rate(library: Path) -> None:
    database = library / "library.db"
    data = database.read_bytes()
    assert b"34 prosenttia" in data
    database.write_bytes(data.replace(b"34 prosenttia", b"36 prosenttia"))


def test_a_whole_library(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(library)]) == 0
    assert "Everything that was checked is as it was written." in capsys.readouterr().out


def test_a_changed_digit_is_named_with_the_next_command(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change_the_rate(library)
    assert run(["verify", "--library", str(library)]) == 3
    told = " ".join(capsys.readouterr().out.split())
    assert f"Damaged: records: {RATE}: versions" in told
    assert "'pykala ingest fi --from SOURCE' reads it again" in told


def test_an_index_is_mended(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(library / "text")
    assert run(["verify", str(library), "--json"]) == 3
    assert not json.loads(capsys.readouterr().out)["whole"]
    assert run(["verify", str(library), "--repair", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["whole"]
    assert {one["part"] for one in told["damaged"]} == {"text"}
    assert run(["verify", str(library)]) == 0


@pytest.mark.parametrize("repair", [[], ["--repair"]])
def test_records_that_cannot_be_read(
    library: Path, repair: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    database = library / "library.db"
    database.write_bytes(database.read_bytes()[:20_480])
    assert run(["verify", str(library), *repair]) == 3
    assert "restore the library from a backup ('pykala restore')" in " ".join(capsys.readouterr().out.split())


def test_a_reindex_says_whether_there_was_anything_to_write(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["reindex", "--without-vectors", "--library", str(library)]
    assert run(command) == 0
    assert "current" in capsys.readouterr().out
    assert run([*command, "--force", "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert (written["library"], written["rebuilt"]) == (str(library), True)
    for path in (library / "text").glob("*/*.term"):
        path.write_bytes(b"garbage")
    assert run(command) == 0
    assert "written anew in " in capsys.readouterr().out
    assert run(["search", "vero", "--library", str(library)]) == 0


VERBS = [
    ["ask", "Mikä on veron määrä?"],
    ["search", "vero"],
    ["show", RATE],
    ["history", RATE],
    ["related", RATE],
    ["tree", "fi:act:1992/1535"],
    ["cite", "fi:act:1992/1535"],
    ["changes", "--since", "1990-01-01"],
    ["stats"],
    ["delete", "fi:act:1992/1535"],
    ["reindex", "--without-vectors"],
]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
@pytest.mark.parametrize("how", ["empty", "cut", "garbage"])
def test_every_verb_over_damaged_records(
    library: Path, verb: list[str], how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    database = library / "library.db"
    data = database.read_bytes()
    kept = {"empty": b"", "cut": data[: len(data) // 2], "garbage": data[:4096] + bytes(len(data) - 4096)}
    database.write_bytes(kept[how])
    assert run([*verb, "--library", str(library)]) == 3
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "pykala verify" in told


def test_a_mapped_file_that_is_cut_short_is_an_exit_code(tmp_path: Path) -> None:
    path = tmp_path / "mapped"
    path.write_bytes(bytes(1 << 16))
    script = (
        "import mmap, os, sys\n"
        "from pykala.interfaces.cli.mapped_files import end_clearly_on_bus_errors\n"
        "end_clearly_on_bus_errors()\n"
        "file = open(sys.argv[1], 'r+b')\n"
        "mapped = mmap.mmap(file.fileno(), 0)\n"
        "os.ftruncate(file.fileno(), 4096)\n"
        "print(mapped[60_000])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert "pykala verify" in done.stderr
    assert done.stderr.count("\n") == 1
