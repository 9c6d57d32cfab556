"""`pykala ask --second-opinion`: what the web says, in a frame of its own, and the law's answer unmoved."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from provider_servers import KEY, WebChat, refusing, served
from pykala.answer.record import NOT_LAW
from pykala.interfaces.cli.main import run as run_command

QUESTION = "What is the tax rate on capital income above 30 000 euros in Finland?"
ASKED = ("ask", QUESTION, "--as-of", "2026-01-01")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def service(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WebChat]:
    monkeypatch.setenv("PYKALA_CACHE", str(cache))
    monkeypatch.setenv("PYKALA_LIBRARY", str(cache / "own"))
    monkeypatch.setenv("COLUMNS", "100")
    with served(WebChat()) as played:
        assert isinstance(played, WebChat)
        monkeypatch.setenv("PYKALA_SECOND_OPINION", "custom/sonar")
        monkeypatch.setenv("PYKALA_SECOND_OPINION_ADDRESS", played.address)
        monkeypatch.setenv("PYKALA_SECOND_OPINION_KEY", KEY)
        monkeypatch.setenv("PYKALA_SECOND_OPINION_PRICE", "1/1+0.01")
        yield played


def run(*arguments: str) -> str:
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = run_command(arguments)
    assert code == 0, stderr.getvalue()
    assert KEY not in stdout.getvalue() + stderr.getvalue()
    return stdout.getvalue()


def record(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return found


def law(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name not in ("trace", "second_opinion")}


def test_it_is_asked_only_where_it_is_asked_for(service: WebChat) -> None:
    assert "second_opinion" not in record(*ASKED)
    assert service.seen == []


def test_the_record_keeps_it_apart_and_the_law_s_answer_does_not_change(service: WebChat) -> None:
    plain, beside = record(*ASKED), record(*ASKED, "--second-opinion")
    assert law(plain) == law(beside)
    opinion = beside.pop("second_opinion")
    assert opinion["notice"] == NOT_LAW
    assert opinion["problem"] is None
    assert [link["title"] for link in opinion["links"]] == ["Capital income", "Tuloverolaki"]
    assert opinion["cost"]["amount"] == pytest.approx(0.011234)
    assert opinion["retrieved_at"].endswith("+00:00")
    for told in (opinion["text"], *(link["url"] for link in opinion["links"])):
        assert told not in json.dumps(beside, ensure_ascii=False)
    assert beside["cost"]["amount"] == 0.0


def test_people_see_a_frame_after_the_answer(service: WebChat) -> None:
    service.text = "About \x1b[31m34[/red] per cent [bold]here[/bold] [L1], [1]"
    shown = run(*ASKED, "--second-opinion")
    above, _, web = shown.partition("╭")
    assert "Income Tax Act (1535/1992), section 124, subsection 2" in above
    assert "[bold]" not in above
    assert f"Second opinion: {NOT_LAW}" in web
    assert "About [31m34[/red] per cent [bold]here[/bold] (L1), [1]" in web
    assert "https://www.finlex.fi/fi/laki/1992/1535" in web
    assert "javascript" not in web
    assert "custom/sonar" in web
    assert "0.0112 USD" in web
    assert "\x1b[31m" not in shown


def test_a_failure_is_one_line_below_an_answer_that_stands(service: WebChat) -> None:
    service.then(refusing(401, "no"), refusing(401, "no"))
    shown = run(*ASKED, "--second-opinion")
    assert "34 per cent" in shown
    assert "no second opinion: " in shown
    assert "the key is not accepted" in " ".join(shown.split())
    kept = record(*ASKED, "--second-opinion")
    assert kept["outcome"] == "ANSWERED"
    assert "401" in kept["second_opinion"]["problem"]
    assert not any("401" in caveat["message"] for caveat in kept["caveats"])


def test_without_a_service_it_says_how_to_set_one_up(
    service: WebChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("", "_KEY"):
        monkeypatch.delenv(f"PYKALA_SECOND_OPINION{name}")
    opinion = record(*ASKED, "--second-opinion")["second_opinion"]
    assert "PYKALA_SECOND_OPINION_KEY" in opinion["problem"]
    assert opinion["text"] == ""
    assert service.seen == []


def test_replay_does_not_look_at_it(service: WebChat, tmp_path: Path) -> None:
    kept = tmp_path / "record.json"
    kept.write_text(run(*ASKED, "--second-opinion", "--json"), "utf-8")
    service.text = "Something else altogether."
    again: dict[str, Any] = json.loads(run("replay", str(kept), "--json"))
    assert again["same"] is True
    assert "second_opinion" not in again["answer"]
    assert len(service.seen) == 1


def test_each_line_of_a_file_has_its_own(service: WebChat, tmp_path: Path) -> None:
    lines = tmp_path / "questions.jsonl"
    lines.write_text("\n".join(json.dumps({"id": str(n), "question": QUESTION}) for n in range(2)), "utf-8")
    answers = [
        json.loads(line) for line in run("ask", "--batch", str(lines), "--second-opinion").splitlines()
    ]
    assert [one["second_opinion"]["problem"] for one in answers] == [None, None]
    assert len(service.seen) == 2
