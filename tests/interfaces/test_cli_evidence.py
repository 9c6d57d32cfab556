"""`pykala context` and `pykala replay` as programs and people use them, over the sample library."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from registered_command import run_registered

from pykala.draft.context import SMALLEST_BUDGET
from pykala.interfaces.cli.evidence import register

QUESTION = "What is the tax rate on capital income above 30 000 euros in Finland?"

PYKALA = "from pykala.interfaces.cli.main import main; main()"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _settings(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(cache))
    monkeypatch.setenv("PYKALA_LIBRARY", str(cache / "own"))
    monkeypatch.setenv("COLUMNS", "100")


def run(*arguments: str) -> tuple[int, str, str]:
    return run_registered(register, *arguments)


def test_a_context_for_a_prompt() -> None:
    code, text, _ = run("context", QUESTION, "--as-of", "2026-01-01")
    assert code == 0
    assert text.startswith("EVIDENCE ")
    assert "[L1] Income Tax Act (1535/1992), section 124" in text
    assert "34 per cent" in text


def test_a_context_for_a_program() -> None:
    code, text, _ = run(
        "context", QUESTION, "--as-of", "2026-01-01", "--budget", "1100", "--both-languages", "--json"
    )
    data = json.loads(text)
    assert code == 0
    assert data["tokens"] <= 1100
    assert {one["language"] for one in data["evidence"][0]["other_languages"]} == {"fi", "sv"}


@pytest.mark.parametrize(
    "arguments", [("context", " "), ("context", QUESTION, "--budget", str(SMALLEST_BUDGET - 1))]
)
def test_a_request_that_is_not_understood(arguments: tuple[str, ...]) -> None:
    with pytest.raises(typer.BadParameter.__mro__[1]):
        run(*arguments)


def test_a_replay_says_the_same_or_what_changed(tmp_path: Path) -> None:
    _, text, _ = run("context", QUESTION, "--as-of", "2026-01-01", "--json")
    first = json.loads(text)["evidence"][0]
    record = {"question": QUESTION, "as_of": "2026-01-01", "language": "en", "outcome": "ANSWERED"}
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    code, text, _ = run("replay", str(path), "--json")  # a record with nothing but a question and its outcome
    assert code == 1
    answer = json.loads(text)["answer"]
    path.write_text(json.dumps(answer), encoding="utf-8")
    assert run("replay", str(path)) == (0, f"{QUESTION}\nThe answer of 2026-01-01 is the same.\n", "")
    answer["primary"]["text"] = first["text"] + " And more."
    path.write_text(json.dumps(answer), encoding="utf-8")
    code, text, _ = run("replay", str(path))
    assert code == 1
    assert "other wording" in text


def test_what_ask_wrote_is_asked_again_in_the_same_jurisdiction(tmp_path: Path) -> None:
    """Elsewhere the same words find other law, and the record would seem to have changed."""
    asked = "ask", "What is the VAT rate?", "--as-of", "2026-01-01", "--jurisdiction", "nyc", "--json"
    done = subprocess.run([sys.executable, "-c", PYKALA, *asked], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["jurisdiction"] == "nyc"
    path = tmp_path / "answer.json"
    path.write_text(done.stdout, encoding="utf-8")
    code, text, _ = run("replay", str(path))
    assert (code, "is the same" in text) == (0, True)


def test_a_reader_that_has_seen_enough_is_no_change(tmp_path: Path) -> None:
    show = [sys.executable, "-c", PYKALA, "tree", "fi:act:1992/1535"]
    with subprocess.Popen(show, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(300) == 0


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff\xfe", b'{"question": "x"}'])
def test_what_is_no_record_is_not_understood(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "answer.json"
    path.write_bytes(content)
    try:
        code, _, error = run("replay", str(path))
    except typer.BadParameter as refused:
        code, error = refused.exit_code, str(refused)
    assert code == 2
    assert "answer.json" in error
