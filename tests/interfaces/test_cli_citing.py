"""`pykala cite` as programs and people use it, over the sample library."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from registered_command import run_registered

from pykala.interfaces.cli.citing import MOST_CHARACTERS, register

TEXT = "Katso TVL 124 §.\nKatso myös TVL 999 §."


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _settings(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(cache))
    monkeypatch.setenv("PYKALA_LIBRARY", str(cache / "own"))
    monkeypatch.setenv("COLUMNS", "120")


def run(*arguments: str) -> tuple[int, str, str]:
    return run_registered(register, *arguments)


def cited(output: str) -> list[tuple[str, list[tuple[str, bool]]]]:
    return [
        (one["text"], [(target["provision"], target["held"]) for target in one["targets"]])
        for one in json.loads(output)["citations"]
    ]


def test_citations_have_spans_and_targets() -> None:
    code, output, _ = run(TEXT, "--json")
    assert code == 0
    first, *_ = json.loads(output)["citations"]
    assert TEXT[first["start"] : first["end"]] == first["text"] == "TVL 124 §"
    (target,) = first["targets"]
    assert target["provision"] == "fi:act:1992/1535/sec_124"
    assert target["held"]
    assert target["citation"]
    assert target["url"].startswith("https://")


def test_a_provision_that_is_not_there_is_not_held() -> None:
    _, output, _ = run(TEXT, "--json")
    assert ("fi:act:1992/1535/sec_999", False) in [
        target for _, targets in cited(output) for target in targets
    ]


def test_a_reader_sees_line_citation_and_link() -> None:
    code, output, _ = run(TEXT)
    assert code == 0
    assert "1:7 TVL 124 §" in output
    assert "fi:act:1992/1535/sec_124" in output
    assert "https://" in output
    assert "not in this library" in output


def test_a_file_and_a_pipe_are_read_as_the_text_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "memo.txt"
    file.write_bytes(TEXT.encode())
    expected = run(TEXT, "--json")[1]
    assert run(str(file), "--json")[1] == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert run("-", "--json")[1] == expected


def test_words_need_no_quotation_marks() -> None:
    assert run("See", "TVL", "124", "§", "--json")[1] == run("See TVL 124 §", "--json")[1]
    assert cited(run("See", "TVL", "124", "§", "--json")[1]) == [
        ("TVL 124 §", [("fi:act:1992/1535/sec_124", True)])
    ]


@pytest.mark.parametrize("text", ["nothing of the kind", "", "a\0b"])
def test_a_text_without_citations(text: str) -> None:
    code, output, _ = run(text)
    assert (code, output.strip()) == (0, "No citations found.")


def test_only_the_jurisdiction_asked_for() -> None:
    assert cited(run(TEXT, "--jurisdiction", "ca", "--json")[1]) == []
    code, _, error = run(TEXT, "--jurisdiction", "atlantis")
    assert code == 2
    assert "atlantis" in error


def test_a_text_that_is_too_long_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_text("a" * (MOST_CHARACTERS + 1))
    code, _, error = run(str(file))
    assert code == 2
    assert "in parts" in error


@pytest.mark.parametrize(
    ("text", "language", "provision"),
    [
        ("Article 7 of Directive 2099/12/EU", "en", "eu:32099L0012/art_7"),
        ("TVL 999 §", "fi", "fi:act:1992/1535/sec_999"),
    ],
)
def test_a_part_of_a_citation_is_not_taken_for_the_whole(text: str, language: str, provision: str) -> None:
    _, output, _ = run(f"{text}.", "--language", language, "--json")
    assert cited(output) == [(text, [(provision, False)])]


@pytest.mark.parametrize("text", ["2016 SCC 27", "KKO 2019:104", "ECLI:EU:C:2014:317"])
def test_a_decision_of_a_court_that_no_pack_holds_says_so(text: str) -> None:
    _, output, _ = run(f"See {text}.", "--json")
    (found,) = json.loads(output)["citations"]
    assert (found["text"], found["targets"], found["fetch"]) == (text, [], None)
    assert found["reason"] == "a decision of a court whose case law no pack holds"
    assert "a decision of a court" in run(f"See {text}.")[1]


def test_an_act_that_is_not_held_names_the_command_that_fetches_it() -> None:
    text = "See section 5 of the Bank Act."
    _, output, _ = run(text, "--language", "en", "--jurisdiction", "ca", "--json")
    (found,) = json.loads(output)["citations"]
    assert found["fetch"] == 'pykala fetch ca "Bank Act"'
    _, told, _ = run(text, "--language", "en", "--jurisdiction", "ca")
    assert "pykala fetch ca" in told
    _, held, _ = run(TEXT, "--json")
    assert json.loads(held)["citations"][0]["fetch"] is None
