"""A user's own document is never shown as law: in no interface and no language, and never "in force"."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest
from rich.console import Console

from http_serving import serving
from pykala.answer.in_words import grade_in_words
from pykala.answer.record import answer_json
from pykala.draft.context import context_block
from pykala.interfaces.cli import render, render_answer
from pykala.interfaces.http.options import ServerOptions
from pykala.law.answers import Answer, CaveatKind, Relation, Support
from pykala.law.grades import shown_grade
from pykala.library import Library
from pykala.text.phrases import LANGUAGES, decimal, say
from pykala.views.notebook import answer_html
from pykala.views.prose import answer_text
from pykala.views.sheets import write_sheet

#: language → (a false document, a question about it, how that language says "in force")
FALSE = {
    "en": ("# Rules\n\n1 § The limit of weekly dock work is 80 hours.\n",
           "What is the limit of weekly dock work?", "in force"),
    "fi": ("# Säännöt\n\n1 § Satamatyön viikoittainen enimmäismäärä on 80 tuntia.\n",
           "Mikä on satamatyön viikoittainen enimmäismäärä?", "voimassa"),
    "sv": ("# Regler\n\n1 § Gränsen för hamnarbete per vecka är 80 timmar.\n",
           "Vad är gränsen för hamnarbete per vecka?", "i kraft"),
    "fr": ("# Règles\n\n1 § La limite du travail portuaire par semaine est de 80 heures.\n",
           "Quelle est la limite du travail portuaire par semaine ?", "en vigueur"),
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("not-law")
    (made / "inbox").mkdir()
    for language, (text, _, _) in FALSE.items():
        (made / "inbox" / f"{language}.md").write_text(text, "utf-8")
    with Library.open(made / "library", writable=True, create=True, embedder=None) as library:
        assert next(iter(library.inbox(made / "inbox"))).refusals == ()
    return made


@pytest.fixture(scope="module")
def library(folder: Path) -> Iterator[Library]:
    with Library.open(folder / "library") as opened:
        yield opened


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[httpx.Client]:
    with serving(folder, library=folder / "library") as server, server.client() as opened:
        yield opened


def asked(library: Library, language: str) -> Answer:
    answer = library.ask(FALSE[language][1], language=language)
    assert "80" in answer.text, "the false document is what answers"
    assert answer.from_upload
    return answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_an_answer_says_so_and_none_says_in_force(library: Library, language: str) -> None:
    answer, notice, in_force = asked(library, language), say(language, "outcome.UPLOAD"), FALSE[language][2]
    terminal = Console(file=io.StringIO(), width=200)
    render_answer.answer(terminal, answer)
    drawn = terminal.file.getvalue()  # type: ignore[attr-defined]
    assert drawn.startswith(notice)
    chat = answer_text(answer)
    assert chat.startswith(f"**{notice}.**")
    for told in (drawn, chat):
        assert say(language, "caveat.upload") in told
        assert in_force not in told.lower()
        assert say(language, "outcome.ANSWERED") not in told
    assert answer.caveats[0].kind is CaveatKind.UPLOAD
    assert answer_json(answer)["outcome_text"] == notice
    block = context_block(answer, library.store, library.packs).text
    assert "not law" in block
    assert "in force" not in re.sub(r"(?i)never in force", "", block).lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_grade_of_rightness_stands_on_it(library: Library, client: httpx.Client, language: str) -> None:
    answer, notice = asked(library, language), say(language, "outcome.UPLOAD")
    beside = Support(answer.primary, Relation.ALSO_ABOUT, 0, 7.7)  # type: ignore[arg-type]
    answer = replace(answer, confidence=9.6, support=(beside,))
    terminal = Console(file=io.StringIO(), width=200)
    render_answer.answer(terminal, answer)
    kept = answer_json(answer)
    assert (kept["confidence"], [one["score"] for one in kept["support"]]) == (0.0, [0.0])  # type: ignore[attr-defined]
    earlier = {**kept, "confidence": 9.6}  # as records of earlier versions hold it
    exported = write_sheet(earlier, "md", made_on=date(2026, 11, 18)).decode()
    drawn = terminal.file.getvalue()  # type: ignore[attr-defined]
    for told in (drawn, answer_text(answer), answer_html(answer), exported, repr(answer)):
        for grade in (9.6, 7.7):
            assert decimal(language, shown_grade(grade)) not in told
            assert grade_in_words(grade, language) not in told
    assert answer_html(answer).startswith(f'<div style="max-width:50em"><p><b>{notice}</b>')
    assert notice in exported
    question = FALSE[language][1]
    assert client.post("/api/v1/ask", json={"question": question, "language": language}).json()[
        "confidence"
    ] == 0 == tool(client, "ask_law", question=question, language=language)["confidence"]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_chat_and_mcp_cannot_lose_it(client: httpx.Client, language: str) -> None:
    question, notice = FALSE[language][1], say(language, "outcome.UPLOAD")
    sent = {"model": "pykala", "language": language, "messages": [{"role": "user", "content": question}]}
    completion = client.post("/v1/chat/completions", json=sent).json()
    assert completion["choices"][0]["message"]["content"].startswith(f"**{notice}.**")
    assert completion["outcome_text"] == notice
    streamed = client.post("/v1/chat/completions", json={**sent, "stream": True}).text
    pieces = [json.loads(line[6:]) for line in streamed.splitlines() if line.startswith("data: {")]
    assert "".join(p["choices"][0]["delta"].get("content", "") for p in pieces).startswith(f"**{notice}.**")
    result = tool(client, "ask_law", question=question, language=language)
    assert result["text"].startswith(f"{notice}. ")
    assert result["outcome_text"] == notice
    assert result["citations"][0]["notice"] == f"{notice}."
    assert say(language, "caveat.upload") in [one["message"] for one in result["caveats"]]
    found = tool(client, "search_law", query=question, language=language)["results"]
    assert [one["notice"] for one in found] == [f"{notice}."] * len(found)
    assert client.post("/api/v1/ask", json={"question": question, "language": language}).json()[
        "outcome_text"
    ] == notice  # fmt: skip


def tool(client: httpx.Client, name: str, **arguments: object) -> dict[str, Any]:
    sent = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
    told = client.post("/mcp", json=sent, headers={"Accept": "application/json, text/event-stream"}).text
    lines = [line.removeprefix("data: ") for line in told.splitlines() if line.startswith(("data: {", "{"))]
    found: dict[str, Any] = json.loads(lines[-1])["result"]["structuredContent"]
    return found


def test_reading_searching_and_history_do_not_say_in_force(library: Library) -> None:
    place = str(asked(library, "en").primary.provision)  # type: ignore[union-attr]
    terminal = Console(file=io.StringIO(), width=200)
    render.shown(terminal, library.show(place))
    render.results(terminal, library.search("dock work"))
    render.versions(terminal, library.history(place))
    drawn = terminal.file.getvalue()  # type: ignore[attr-defined]
    assert drawn.count("your own document, not law") >= 3
    assert "in force" not in drawn
    assert "enacted" not in drawn


@pytest.mark.parametrize(
    ("key", "statuses"),
    [  # reading, uploading, deleting, a second opinion
        ("reader", (200, 403, 403, 403)),
        ("clerk", (200, 201, 403, 403)),
        ("dropbox", (403, 201, 403, 403)),
        ("keeper", (200, 403, 404, 403)),
        ("caller", (200, 403, 403, 200)),
        ("nobody", (401, 401, 401, 401)),
    ],
)
def test_reading_uploading_deleting_and_fetching_are_rights_of_their_own(
    limited: httpx.Client, key: str, statuses: tuple[int, ...]
) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    text = f"# Note of {key}\n\nThe fee is nine euros.\n".encode()
    answers = (
        limited.get("/api/v1/search", params={"q": "work"}, headers=headers),
        limited.post("/api/v1/uploads", files={"file": ("note.md", text)}, headers=headers),
        limited.delete("/api/v1/uploads", params={"work": "up:0123456789abcdef"}, headers=headers),
        limited.post("/api/v1/ask", json={"question": "Work?", "second_opinion": True}, headers=headers),
    )
    assert tuple(answer.status_code for answer in answers) == statuses
    for answer in answers:
        if answer.status_code == 403:
            assert answer.json()["code"] == "not-allowed"
            assert "PYKALA_" in answer.json()["detail"]
    call = {"name": "ask_law", "arguments": {"question": "Work?", "second_opinion": True}}
    sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    accepted = {"Accept": "application/json, text/event-stream", **headers}
    told = limited.post("/mcp", json=sent, headers=accepted)
    if statuses[0] == 200:
        assert ("PYKALA_FETCH_KEYS" in told.text) is (statuses[3] == 403)


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    made = tmp_path_factory.mktemp("rights")
    Library.open(made / "library", writable=True, create=True, embedder=None).close()
    options = ServerOptions(
        keys=("reader", "clerk", "keeper", "caller"),
        upload_keys=("clerk", "dropbox"),
        delete_keys=("keeper",),
        fetch_keys=("caller",),
        requests_per_minute=0,
    )
    with serving(made, options, library=made / "library") as server, server.client() as opened:
        yield opened
