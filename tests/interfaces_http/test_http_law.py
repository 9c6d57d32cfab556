"""The routes that read the law, held against the records that describe them and against each other."""

from __future__ import annotations

from itertools import pairwise

import httpx
import pytest

from http_serving import describes
from pykala.interfaces.records import law, library
from pykala.records import law as records
from pykala.records.record import Record

TVL_124 = "fi:act:1992/1535/sec_124"
DESCRIBED: list[tuple[str, dict[str, object], type[Record]]] = [
    ("search", {"q": "capital income"}, law.Search),
    (
        "search",
        {"q": "pääomatulo", "language": ["fi"], "jurisdiction": ["fi"], "limit": 3},
        law.Search,
    ),
    ("provision", {"id": TVL_124}, law.Provision),
    ("provision", {"id": "TVL 124 § 2 mom", "as_of": "2013-01-01", "language": "sv"}, law.Provision),
    ("provision", {"id": "fi:act:1992/1535"}, law.Provision),
    ("history", {"id": TVL_124}, law.HistoryFromLibrary),
    ("diff", {"id": TVL_124, "first": "2010-01-01", "second": "2026-01-01"}, records.Comparison),
    (
        "diff",
        {"id": "fi:act:1992/1535", "first": "2010-01-01", "second": "2026-01-01"},
        records.Comparison,
    ),
    ("related", {"id": TVL_124, "hops": 2}, law.Neighbourhood),
    ("changes", {"since": "2015-01-01"}, law.Changes),
    (
        "changes",
        {"since": "1990-01-01", "until": "2026-01-01", "jurisdiction": "eu", "limit": 1},
        law.Changes,
    ),
    ("tree", {"id": "TVL"}, law.TreeFromLibrary),
    ("document", {"id": TVL_124}, records.Document),
    ("document", {"id": "fi:act:1992/1535", "language": "fr"}, records.Document),
    ("keywords", {"q": "How is capital income taxed?"}, law.Keywords),
    ("library", {}, library.Library),
    ("library/works", {"q": "tax", "limit": 2}, library.Works),
    ("library/unresolved", {}, library.UnresolvedReferences),
    ("uploads", {}, library.Uploads),
    ("caches", {}, library.Caches),
    ("examples", {"jurisdiction": "ca", "language": "fr"}, library.Examples),
    ("jurisdictions", {}, library.Jurisdictions),
    ("health", {}, library.Health),
    ("ready", {}, library.Ready),
]


def get(client: httpx.Client, route: str, **parameters: object) -> dict[str, object]:
    found: dict[str, object] = client.get(f"/api/v1/{route}", params=parameters).raise_for_status().json()  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(("route", "parameters", "record"), DESCRIBED)
def test_the_records_describe_what_is_said(
    client: httpx.Client, route: str, parameters: dict[str, object], record: type[Record]
) -> None:
    describes(record, get(client, route, **parameters))


def test_works_are_named_in_the_readers_language_those_that_fit_best_first(client: httpx.Client) -> None:
    found = get(client, "library/works", q="value added tax", language="en")["works"]
    assert [one["title"] for one in found][:2] == ["Value Added Tax Act", "Directive 2006/112/EC"]
    (finnish, *_) = get(client, "library/works", q="value added tax", language="fi")["works"]
    assert finnish["title"] == "Arvonlisäverolaki"


def test_every_provision_of_the_sample_can_be_read_and_opened(client: httpx.Client) -> None:
    works = get(client, "library/works", limit=500)["works"]
    assert len(works) > 10
    for work in works:
        tree = get(client, "tree", id=work["work"])
        places = [work["work"], *(child["id"] for child in tree["children"][:2])]
        for place in places:
            describes(law.Provision, get(client, "provision", id=place))
            describes(records.Document, get(client, "document", id=place))
            describes(law.Neighbourhood, get(client, "related", id=place))


def test_breadcrumbs_lead_from_the_work_down_and_neighbours_lead_back(client: httpx.Client) -> None:
    shown = get(client, "provision", id="fi:act:1992/1535/sec_33a", language="en")
    crumbs = [one["provision"] for one in shown["breadcrumbs"]]
    assert crumbs[0] == "fi:act:1992/1535"
    assert "fi:act:1992/1535/chp_2" in crumbs
    following = get(client, "provision", id=shown["next"]["provision"], language="en")
    assert following["previous"]["provision"] == shown["provision"]
    last_of_chapter = get(client, "provision", id="fi:act:1992/1535/sec_48", language="en")
    assert last_of_chapter["next"]["provision"] == TVL_124, "the next section lies in another part"
    assert get(client, "provision", id=TVL_124, language="en")["next"] is None


def test_the_version_line_has_one_present(client: httpx.Client) -> None:
    line = get(client, "provision", id=TVL_124, as_of="2013-05-01")["version_line"]
    assert [one["current"] for one in line].count(True) == 1
    current = next(one for one in line if one["current"])
    assert current["valid_from"] <= "2013-05-01" < current["valid_to"]
    for one, following in pairwise(line):
        assert one["valid_to"] == following["valid_from"]


def test_both_languages_and_their_citations(client: httpx.Client) -> None:
    shown = get(client, "provision", id=TVL_124, language="sv")
    assert shown["language"] == "sv"
    assert shown["citations"].keys() == {"fi", "sv", "en"}
    assert len(set(shown["citations"].values())) > 1


def test_every_difference_within_an_act_says_where_it_is(client: httpx.Client) -> None:
    found = get(client, "diff", id="fi:act:1992/1535", first="2010-01-01", second="2026-01-01", language="fi")
    places = {one["provision"]: one["citation"] for one in found["differences"]}
    assert places["fi:act:1992/1535/sec_124/subsec_2"] == "TVL 124 § 2 mom."
    assert len(set(places.values())) == len(places)


def test_the_sides_of_a_difference_are_the_wordings(client: httpx.Client) -> None:
    found = get(client, "diff", id=TVL_124, first="2010-01-01", second="2026-01-01")
    (one,) = found["differences"]
    sides = {
        day: "".join(text for mark, text in one["words"] if mark in ("same", mark_of))
        for day, mark_of in (("2010-01-01", "removed"), ("2026-01-01", "added"))
    }
    for day, text in sides.items():
        shown = get(client, "provision", id=one["provision"], as_of=day)
        assert text.split() == shown["text"].split() or text.replace(" ", "") == shown["text"].replace(
            " ", ""
        )


@pytest.mark.parametrize(
    ("route", "parameters"),
    [
        ("provision", {"id": TVL_124}),
        ("diff", {"id": TVL_124, "first": "2010-01-01", "second": "2026-01-01"}),
    ],
)
def test_words_of_the_sample_are_told_to_be_no_law(
    client: httpx.Client, route: str, parameters: dict[str, str]
) -> None:
    caveats = get(client, route, **parameters)["caveats"]
    assert [one["kind"] for one in caveats] == ["SAMPLE"]  # type: ignore[attr-defined]


def test_two_dates_are_taken_in_either_order(client: httpx.Client) -> None:
    days = {"first": "2010-01-01", "second": "2026-01-01"}
    turned = {"first": "2026-01-01", "second": "2010-01-01"}
    assert get(client, "diff", id=TVL_124, **days) == get(client, "diff", id=TVL_124, **turned)


def test_the_spans_of_a_document_are_its_sections_words(client: httpx.Client) -> None:
    document = get(client, "document", id=TVL_124, language="en")
    own = {one["provision"]: one["text"] for one in document["sections"]}
    assert document["target"]["spans"]
    for span in document["target"]["spans"]:
        line = document["target"]["text"][span["start"] : span["end"]]
        assert line[span["prefix"] :] == own[span["provision"]]


def test_a_language_that_is_not_held_is_said(client: httpx.Client) -> None:
    document = get(client, "document", id=TVL_124, language="fr")
    assert document["language"] == "fi"
    assert "fr" in document["language_note"]


def test_citations_in_a_text(client: httpx.Client) -> None:
    text = "Vero määräytyy tuloverolain 124 §:n mukaan, ei koskaan ihmesäädöslain 3 §:n mukaan."
    found = client.post("/api/v1/cite", json={"text": text}).raise_for_status().json()
    describes(law.CitationsFromLibrary, found)
    finnish, nowhere = found["citations"]
    assert text[finnish["start"] : finnish["end"]] == finnish["text"]
    assert finnish["targets"][0] == {
        "provision": TVL_124,
        "citation": "TVL 124 §",
        "url": "https://www.finlex.fi/fi/lainsaadanto/1992/1535#sec_124",
        "held": True,
    }
    assert nowhere["targets"] == []
    assert nowhere["reason"]
    english = {"text": "See section 7 of the Employment Insurance Act.", "jurisdiction": "ca"}
    (canadian,) = client.post("/api/v1/cite", json=english).json()["citations"]
    assert canadian["targets"][0]["provision"] == "ca:act:E-5.6/sec_7"


@pytest.mark.parametrize(
    ("route", "parameters", "status", "code"),
    [
        ("provision", {"id": "nonsense of no act"}, 404, "unknown-provision"),
        ("provision", {"id": "fi:act:1992/1535/sec_999"}, 404, "unknown-provision"),
        ("provision", {"id": TVL_124, "as_of": "1900-01-01"}, 404, "not-in-force"),
        ("provision", {}, 422, "invalid-request"),
        ("related", {"id": TVL_124, "hops": 9}, 422, "invalid-request"),
        ("search", {"q": "tax", "work": "nonsense"}, 404, "unknown-provision"),
        ("nothing", {}, 404, "not-found"),
    ],
)
def test_errors_are_problems(
    client: httpx.Client, route: str, parameters: dict[str, str], status: int, code: str
) -> None:
    response = client.get(f"/api/v1/{route}", params=parameters)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["type"] == f"urn:pykala:problem:{code}"


def test_a_method_that_is_not_taken(client: httpx.Client) -> None:
    response = client.get("/api/v1/ask")
    assert response.status_code == 405
    assert "POST" in response.headers["allow"]


def test_caches_are_cleared(client: httpx.Client) -> None:
    assert client.delete("/api/v1/caches").status_code == 204
    assert client.delete("/api/v1/caches", params={"name": "searches"}).status_code == 204
    assert all(one["entries"] == 0 for one in get(client, "caches")["caches"])
    assert client.delete("/api/v1/caches", params={"name": "nothing"}).status_code == 422
