"""The routes behind the page: documents, search with facets, the feed of changes, removing and fetching."""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import docx
import httpx
import pypdf
import pytest
from lxml import etree

from http_serving import CAPITAL_INCOME, serving
from loopback import reply
from publishers import Publishers, union_publishing
from pykala.fetch.confined import Bounds
from pykala.interfaces.http import exporting
from pykala.interfaces.http.exporting import file_name
from pykala.interfaces.http.feeds import atom
from pykala.interfaces.http.options import ServerOptions
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.versions.chains import Change
from pykala.views.chronicle import ActChanges

ATOM = {"a": "http://www.w3.org/2005/Atom"}
INCOME_TAX = "fi:act:1992/1535"
SAMPLE_SINCE = "1990-01-01"


@pytest.fixture
def record(client: httpx.Client) -> dict[str, Any]:
    asked = {"question": CAPITAL_INCOME, "as_of": "2026-06-01"}
    return dict(client.post("/api/v1/ask", json=asked).raise_for_status().json())


@pytest.mark.parametrize("form", ["docx", "pdf", "md"])
def test_an_answer_is_exported(
    client: httpx.Client, record: dict[str, Any], form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "_BOUNDS", Bounds(seconds=120))  # a busy machine loads the libraries late
    sent = client.post("/api/v1/export", params={"form": form}, json=record).raise_for_status()
    assert f"above-30-000-euros-in-2026-06-01.{form}" in sent.headers["content-disposition"]
    if form == "docx":
        words = "\n".join(one.text for one in docx.Document(io.BytesIO(sent.content)).paragraphs)
    elif form == "pdf":
        words = pypdf.PdfReader(io.BytesIO(sent.content)).pages[0].extract_text()
    else:
        words = sent.text
    for told in (CAPITAL_INCOME, "34 per cent", "2026-06-01", record["primary"]["citation"]):
        assert " ".join(told.split()) in " ".join(words.split()), told


@pytest.mark.parametrize("form", ["docx", "pdf"])
def test_a_document_that_takes_too_long_is_given_up(
    client: httpx.Client, record: dict[str, Any], form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "_BOUNDS", Bounds(seconds=1))
    long = record | {"text": "# <b>\n\n" * 100_000}
    with ThreadPoolExecutor(1) as asking:
        waiting = asking.submit(client.post, "/api/v1/export", params={"form": form}, json=long)
        assert client.get("/api/v1/health").status_code == 200
        refused = waiting.result()
    assert (refused.status_code, refused.json()["code"]) == (422, "too-costly")


def test_a_record_is_read_where_reading_can_be_given_up(
    client: httpx.Client, record: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "_BOUNDS", Bounds(seconds=1))
    cited = record["claims"][0]["citations"][0] | {"provision": "ca:act:A-1/sec_2", "citation": "c"}
    claims = [{"text": "x", "citations": [cited | {"quote": str(place)} for place in range(4_000)]}]
    beside = {"provision": "fi:act:1992/1535", "citation": "c", "text": "x", "language": "en"}
    many = record | {"claims": claims, "support": [beside] * 4_000}
    refused = client.post("/api/v1/export", params={"form": "md"}, json=many)
    assert (refused.status_code, refused.json()["code"]) == (422, "too-costly")


@pytest.mark.parametrize("depth", [100, 125, 200, 300])
def test_a_record_in_a_record_in_a_record_is_no_fault_of_the_server(
    client: httpx.Client, record: dict[str, Any], depth: int
) -> None:
    one = {name: record[name] for name in ("question", "as_of", "language", "outcome")}
    for _ in range(depth):
        one = one | {"parts": [one]}
    sent = client.post("/api/v1/export", params={"form": "md"}, json=one)
    assert sent.status_code in {200, 422}, sent.text
    assert sent.status_code == 200 or sent.json()["code"] in {"invalid-request", "too-costly"}


def test_what_is_no_record_is_refused(client: httpx.Client, record: dict[str, Any]) -> None:
    for change in ({"as_of": "soon"}, {"support": [{"provision": "x"}]}, {"outcome": "PERHAPS"}):
        refused = client.post("/api/v1/export", params={"form": "md"}, json=record | change)
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid-request")
    assert client.post("/api/v1/export", params={"form": "exe"}, json=record).status_code == 422


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Mikä on pääomatulovero?", "mika-on-paaomatulovero-2026-01-01.pdf"),
        ('../../etc/passwd"; x="\r\n', "etc-passwd-x-2026-01-01.pdf"),
        ("漢字", "answer-2026-01-01.pdf"),
    ],
)
def test_a_file_has_a_plain_name(question: str, name: str) -> None:
    assert file_name(question, date(2026, 1, 1), "pdf") == name


def find(client: httpx.Client, **asked: Any) -> dict[str, Any]:
    return dict(client.get("/api/v1/find", params=asked).raise_for_status().json())


def test_facets_count_what_was_found_and_narrow_it(client: httpx.Client) -> None:
    every = find(client, q="tax rate", limit=100)
    assert every["total"] == len(every["results"]) > 5
    by_place = {one["value"]: one["count"] for one in every["facets"]["jurisdiction"]}
    assert len(by_place) > 1
    assert sum(by_place.values()) == every["total"]
    found = find(client, q="tax rate", jurisdiction="fi", limit=100)
    assert {one["provision"].split(":")[0] for one in found["results"]} == {"fi"}
    # The other places stay to be chosen.
    assert set(by_place) <= {one["value"] for one in found["facets"]["jurisdiction"]}
    kind = every["facets"]["kind"][-1]["value"]
    found = find(client, q="tax rate", kind=kind, limit=100)
    assert {one["kind"] for one in found["results"]} == {kind}
    ranks = every["facets"]["authority"]
    assert [int(one["value"]) for one in ranks] == sorted((int(one["value"]) for one in ranks), reverse=True)
    assert all(one["reason"] for one in ranks)
    found = find(client, q="tax rate", authority=ranks[0]["value"], limit=100)
    assert {str(one["authority"]) for one in found["results"]} == {ranks[0]["value"]}


def test_a_search_is_of_a_day(client: httpx.Client) -> None:
    now, then = (
        find(client, q="tax rate on capital income 33 per cent", as_of=day, jurisdiction="fi")
        for day in ("2026-01-01", "2015-06-01")
    )
    assert any("34 per cent" in one["text"] for one in now["results"])
    assert any("33 per cent" in one["text"] for one in then["results"])
    assert not any("34 per cent" in one["text"] for one in then["results"])


def feed(client: httpx.Client, **asked: Any) -> etree._Element:
    sent = client.get("/api/v1/changes.atom", params=asked).raise_for_status()
    assert sent.headers["content-type"] == "application/atom+xml; charset=utf-8"
    return etree.fromstring(sent.content)


def test_what_is_still_to_come_is_not_dated_in_the_future() -> None:
    work, today, known = WorkId("fi:vero:guide"), date(2026, 6, 1), date(2026, 3, 9)
    days = (date(2026, 1, 1), date(2029, 1, 1))
    places = [ProvisionId(work, (Step("para", str(number)),)) for number in range(50)]
    changes = tuple(Change(place, day, None) for day in days for place in places)
    found = ActChanges(work=work, citation="A guide", acts={}, changes=changes)
    written = atom([found], lambda _: "A guide", lambda _: known, base="", address="", today=today)
    feed = etree.fromstring(written)
    assert feed.xpath("a:updated/text()", namespaces=ATOM) == ["2026-03-09T00:00:00Z"]
    dated = feed.xpath("a:entry/a:updated/text()", namespaces=ATOM)
    assert dated == ["2026-03-09T00:00:00Z", "2026-01-01T00:00:00Z"]
    (first, _) = feed.xpath("a:entry/a:content/text()", namespaces=ATOM)
    assert first.splitlines() == ["2029-01-01: A guide", "", "A guide"]


def test_the_feed_is_atom_and_tells_the_changes(client: httpx.Client) -> None:
    told = feed(client, since=SAMPLE_SINCE, work=INCOME_TAX)
    assert told.tag == f"{{{ATOM['a']}}}feed"
    for where in (told, *told.findall("a:entry", ATOM)):  # what RFC 4287 demands of a feed and of an entry
        for name in ("id", "title", "updated"):
            assert len(where.findall(f"a:{name}", ATOM)) == 1, name
    assert told.findtext("a:author/a:name", namespaces=ATOM)
    (own,) = told.xpath("a:link[@rel='self']/@href", namespaces=ATOM)
    assert own.startswith(str(client.base_url))
    entries = told.findall("a:entry", ATOM)
    identifiers = [one.findtext("a:id", namespaces=ATOM) for one in entries]
    assert len(set(identifiers)) == len(identifiers) > 1
    days = [one.findtext("a:updated", namespaces=ATOM) for one in entries]
    assert days == sorted(days, reverse=True)
    assert told.findtext("a:updated", namespaces=ATOM) == days[0]
    listed = client.get("/api/v1/changes", params={"since": SAMPLE_SINCE, "work": INCOME_TAX}).json()
    assert [one["work"] for one in listed["works"]] == [INCOME_TAX]
    known = {one["day"] for one in listed["works"][0]["changes"] if one["day"]}
    assert {day[:10] for day in days if day} == known


@pytest.mark.parametrize(
    ("language", "title", "entry"),
    [
        (None, "Pykälä: what changed in the law", "TVL: 1 provision changed on 2016-01-01 by 1546/2015"),
        ("fi", "Pykälä: mikä laissa muuttui", "TVL: 1 säännös muuttui 2016-01-01, muuttajana 1546/2015"),
        ("sv", "Pykälä: vad som ändrats i lagen", "TVL: 1 bestämmelse ändrades 2016-01-01 genom 1546/2015"),
        (
            "fr",
            "Pykälä : ce qui a changé dans le droit",
            "TVL : 1 disposition modifiée le 2016-01-01 par 1546/2015",
        ),
    ],
)
def test_an_entry_says_in_words_what_changed(
    client: httpx.Client, language: str | None, title: str, entry: str
) -> None:
    asked = {"language": language} if language else {}
    told = feed(client, since=SAMPLE_SINCE, work=INCOME_TAX, **asked)
    assert told.findtext("a:title", namespaces=ATOM) == title
    assert told.get("{http://www.w3.org/XML/1998/namespace}lang") == (language or "en")
    assert told.findtext("a:entry/a:title", namespaces=ATOM) == entry


def test_what_is_still_to_come_changes_in_the_future() -> None:
    work, day = WorkId("fi:vero:guide"), date(2029, 1, 1)
    found = ActChanges(
        work=work, citation="A guide", acts={}, changes=(Change(ProvisionId(work), day, None),)
    )
    written = atom([found], str, lambda _: day, base="", address="", today=date(2026, 6, 1))
    (title,) = etree.fromstring(written).xpath("a:entry/a:title/text()", namespaces=ATOM)
    assert title == "A guide: 1 provision changes on 2029-01-01"


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("changes.atom?works=fi:act:1992/1535", "work"),
        ("changes?since=2024-01-01&works=fi:act:1992/1535", "work"),
        ("search?q=tax&places=fi", "jurisdiction"),
        ("provision?id=fi:act:1992/1535/sec_124&day=2016-01-01", "as_of"),
        ("rights?x=1", "none"),
    ],
)
def test_a_parameter_that_a_route_does_not_have_is_refused(
    client: httpx.Client, path: str, known: str
) -> None:
    """A misspelled filter would let everything through."""
    refused = client.get(f"/api/v1/{path}")
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid-request")
    assert known in refused.json()["detail"]


def test_the_forms_that_can_be_written_are_told(client: httpx.Client) -> None:
    assert client.get("/api/v1/ready").json()["exports"] == ["docx", "pdf", "md"]


def test_an_entry_leads_to_its_difference(client: httpx.Client) -> None:
    entry = feed(client, since=SAMPLE_SINCE, work=INCOME_TAX).find("a:entry", ATOM)
    assert entry is not None
    (link,) = entry.xpath("a:link/@href", namespaces=ATOM)
    parts, days = urlsplit(link), parse_qs(urlsplit(link).query)
    page = client.get(link).raise_for_status()
    assert page.headers["content-type"].startswith("text/html")
    found = client.get(
        "/api/v1/diff",
        params={
            "id": unquote(parts.path).removeprefix("/law/"),
            "first": days["first"],
            "second": days["second"],
        },
    )
    assert found.raise_for_status().json()["differences"]


def test_the_feed_takes_several_works_and_refuses_what_is_not_held(client: httpx.Client) -> None:
    every = feed(client, since=SAMPLE_SINCE)
    works = ["fi:act:1992/1535", "fi:act:1993/1501"]
    some = feed(client, since=SAMPLE_SINCE, work=works)
    assert 0 < len(some.findall("a:entry", ATOM)) < len(every.findall("a:entry", ATOM))
    assert client.get("/api/v1/changes.atom", params={"work": "fi:act:1/1"}).status_code == 404


def test_every_address_of_a_provision_is_the_page(client: httpx.Client) -> None:
    start = client.get("/").text
    for path in ("/law/fi:act:1992/1535/sec_124?as_of=2016-01-01", "/law/", "/law/%3Cscript%3E"):
        assert client.get(path).text == start


def test_without_keys_everything_but_fetching_may_be_done(client: httpx.Client) -> None:
    told = client.get("/api/v1/rights").json()
    assert {"delete", "read", "upload"} <= set(told["rights"])
    assert told["publishers"] == []
    asked = {"jurisdiction": "eu", "words": "vehicles"}
    for refused in (
        client.get("/api/v1/library/acts", params=asked),
        client.post("/api/v1/library/acts", json=asked),
    ):
        assert refused.status_code == 403
        assert "PYKALA_INGEST_KEYS" in refused.json()["detail"]


KEYS = ServerOptions(
    requests_per_minute=0,
    keys=("reader", "keeper"),
    upload_keys=("keeper",),
    delete_keys=("keeper",),
    ingest_keys=("keeper",),
)


@pytest.fixture
def union(monkeypatch: pytest.MonkeyPatch) -> Iterator[Publishers]:
    with union_publishing(monkeypatch) as server:
        yield server


def test_works_are_removed_and_fetched_by_whose_key_may(tmp_path: Path, union: Publishers) -> None:
    with serving(tmp_path, KEYS) as served:
        reader, keeper = (
            served.client(headers={"Authorization": f"Bearer {key}"}) for key in ("reader", "keeper")
        )
        with reader, keeper:
            _removed_and_fetched(reader, keeper)
            union.fault = lambda path: reply(503)
            down = keeper.get("/api/v1/library/acts", params={"jurisdiction": "eu", "words": "vehicles"})
    # An outage is told as one; it never reads as "nothing found".
    assert (down.status_code, down.json()["code"]) == (502, "source-unavailable")


def _removed_and_fetched(reader: httpx.Client, keeper: httpx.Client) -> None:
    assert reader.get("/api/v1/rights").json()["rights"] == ["read"]
    told = keeper.get("/api/v1/rights").json()
    assert (told["writable"], sorted(told["publishers"])) == (True, ["ca", "eu", "fi"])

    named = {"work": INCOME_TAX}
    assert reader.delete("/api/v1/library/works", params=named).status_code == 403
    assert keeper.delete("/api/v1/library/works", params={"work": "fi:act:1/1"}).status_code == 404
    part = keeper.delete("/api/v1/library/works", params={"work": f"{INCOME_TAX}/sec_124"})
    assert (part.status_code, part.json()["code"]) == (422, "invalid-request")
    assert keeper.delete("/api/v1/library/works", params=named).status_code == 204
    assert reader.get("/api/v1/provision", params={"id": f"{INCOME_TAX}/sec_124"}).status_code == 404

    asked = {"jurisdiction": "eu", "words": "vehicles", "limit": 2}
    assert reader.get("/api/v1/library/acts", params=asked).status_code == 403
    listed = keeper.get("/api/v1/library/acts", params=asked).raise_for_status().json()["acts"]
    assert [one["number"] for one in listed] == ["32019R2144"]
    assert keeper.get("/api/v1/provision", params={"id": "eu:32019R2144"}).status_code == 404
    done = keeper.post("/api/v1/library/acts", json=asked).raise_for_status().json()
    assert done["fetched"] == ["32019R2144"]
    held = reader.get("/api/v1/provision", params={"id": "eu:32019R2144/art_1"}).raise_for_status().json()
    assert "Vehicles are approved." in held["text"]
    elsewhere = keeper.post("/api/v1/library/acts", json=asked | {"jurisdiction": "nyc"})
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (422, "invalid-request")
