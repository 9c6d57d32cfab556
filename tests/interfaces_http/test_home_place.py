"""The reader's home place through every door: it counts where a question gives no sign of a place."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import httpx
import pytest
from mcp import Client

from http_serving import Served
from pykala.interfaces.cli.main import run
from pykala.library.configured import open_configured
from pykala.library.sample import sample_library
from pykala.packs.pack import UnknownPack, installed
from pykala.settings import Settings

ASK = "/api/v1/ask"
DEDUCT = "Is a taxable person allowed to deduct tax on purchases?"
SIGNED = "Is a taxable person in Brooklyn allowed to deduct tax on purchases?"
FOR_FINLAND = "Answered for Finland, your home place."


@pytest.fixture(scope="module")
def settings(http_folder: Path) -> Settings:
    return Settings.read({"PYKALA_CACHE": str(http_folder / "cache"), "PYKALA_LIBRARY": "none"})


def test_the_setting_and_the_argument_of_a_library(settings: Settings) -> None:
    folder = sample_library(settings.cache, installed())
    set_up = Settings.read({"PYKALA_CACHE": str(settings.cache), "PYKALA_HOME_PLACE": " FI "})
    with open_configured(folder, set_up) as library:
        at_home = library.ask(DEDUCT)
        assert (library.home, at_home.home) == ("fi", "fi")
        assert {one.provision.work.jurisdiction for one in at_home.evidence} == {"fi"}
        assert at_home.caveats[0].message == FOR_FINLAND
        signed = library.ask(SIGNED)
        assert (signed.home, {one.provision.work.jurisdiction for one in signed.evidence}) == ("", {"nyc"})
        assert library.ask(DEDUCT, home="ca").home == "ca"
        assert library.ask(DEDUCT, jurisdiction="eu").home == ""
        apart = library.ask(DEDUCT, home="")
        assert apart.home == ""
        assert len({one.provision.work.jurisdiction for one in apart.evidence[:5]}) > 1
        assert library.context(DEDUCT).items[0].pinpoint.work.jurisdiction == "fi"
        with pytest.raises(UnknownPack, match="there are: ca, eu, fi"):
            library.ask(DEDUCT, home="atlantis")


def test_over_http(client: httpx.Client) -> None:
    answer = client.post(ASK, json={"question": DEDUCT, "home": "fi"}).raise_for_status().json()
    assert answer["home"] == "fi"
    assert {"kind": "PLACE", "provision": None, "message": FOR_FINLAND} in answer["caveats"]
    assert all(one["provision"].startswith("fi:") for one in answer["evidence"])
    understood = answer["trace"][0]
    assert (understood["places"], understood["place_by"]) == (["fi"], "home")
    signed = client.post(ASK, json={"question": SIGNED, "home": "fi"}).raise_for_status().json()
    assert (signed["home"], signed["trace"][0]["place_by"]) == (None, "named")
    assert client.post(ASK, json={"question": DEDUCT, "home": "atlantis"}).status_code == 422
    context = (
        client.post("/api/v1/context", json={"question": DEDUCT, "home": "fi"}).raise_for_status().json()
    )
    assert context["evidence"][0]["provision"].startswith("fi:")
    asked = {"model": "pykala", "messages": [{"role": "user", "content": DEDUCT}], "home": "fi"}
    chat = client.post("/v1/chat/completions", json=asked).raise_for_status().json()
    assert chat["citations"][0]["provision"].startswith("fi:")


def test_without_one_the_places_that_were_looked_at_are_told(client: httpx.Client) -> None:
    answer = client.post(ASK, json={"question": DEDUCT}).raise_for_status().json()
    (place,) = (one for one in answer["caveats"] if one["kind"] == "PLACE")
    assert place["message"].startswith("The question names no place.")
    grading = next(one for one in answer["trace"] if one["stage"] == "grade")
    assert {"ca", "eu", "fi", "nyc"} <= grading["best_of_places"].keys()


def test_over_mcp(served: Served) -> None:
    async def asked() -> None:
        async with Client(f"{served.address}/mcp") as client:
            result = await client.call_tool("ask_law", {"question": DEDUCT, "home": "fi"})
            assert result.structured_content is not None
            assert FOR_FINLAND in [one["message"] for one in result.structured_content["caveats"]]
            found = await client.call_tool("retrieve_legislation_context", {"question": DEDUCT, "home": "fi"})
            assert found.structured_content is not None
            assert found.structured_content["evidence"][0]["provision"].startswith("fi:")

    anyio.run(asked)


def test_on_the_command_line(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(settings.cache))
    monkeypatch.setenv("PYKALA_LIBRARY", str(tmp_path / "own"))
    assert run(("ask", DEDUCT, "--home", "fi", "--json")) == 0
    record = capsys.readouterr().out
    assert json.loads(record)["home"] == "fi"
    kept = tmp_path / "record.json"
    kept.write_text(record, encoding="utf-8")
    assert run(("replay", str(kept), "--json")) == 0
    assert json.loads(capsys.readouterr().out)["same"]
    assert run(("ask", DEDUCT, "--home", "fi")) == 0
    assert FOR_FINLAND in " ".join(capsys.readouterr().out.split())
    lines = tmp_path / "questions.jsonl"
    lines.write_text(json.dumps({"question": DEDUCT, "home": "ca"}) + "\n", encoding="utf-8")
    assert run(("ask", "--batch", str(lines), "--home", "fi")) == 0
    assert json.loads(capsys.readouterr().out)["home"] == "ca"
    monkeypatch.setenv("PYKALA_HOME_PLACE", "nyc")
    assert run(("ask", DEDUCT, "--json")) == 0
    assert json.loads(capsys.readouterr().out)["home"] == "nyc"
    assert run(("ask", "When is a person liable to tax on income?", "--home", "")) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Finland" in shown  # no place is home: those that may be meant are told apart
    assert "— New York City" in shown
