"""The questions to CELLAR, asked of a real SPARQL engine over HTTP on this machine."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from datetime import date
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, QueryResultsFormat, QuerySolutions, Store

from loopback import reply
from pykala.fetch.addresses import AllowedHosts
from pykala.fetch.http import Manners, PoliteClient
from pykala.fetch.mirror import MirrorDamaged, MirrorUnavailable
from pykala.packs.eu.sparql import (
    NothingToSearch,
    act_facts,
    facts_query,
    find_acts,
    literal,
    numbers_in_force,
    search_query,
    states_query,
)

CDM = "http://publications.europa.eu/ontology/cdm#"
AUTHORITY = "http://publications.europa.eu/resource/authority/"
XSD = "http://www.w3.org/2001/XMLSchema#"
CELEX_TYPE = NamedNode(f"{XSD}string")


def cdm(name: str) -> NamedNode:
    return NamedNode(CDM + name)


class Cellar:
    """Triples as CELLAR has them: several works for one number, typed literals, hidden works."""

    def __init__(self) -> None:
        self.store = Store()
        self.count = 0

    def act(
        self,
        celex: str,
        kind: str = "REG",
        day: str = "2019-11-27",
        titles: tuple[tuple[str, str], ...] = (),
        hidden: str = "",
        force: str = "true",
        typed: bool = True,
    ) -> None:
        self.count += 1
        work = NamedNode(f"http://publications.europa.eu/resource/cellar/{self.count}")
        # CELLAR types its numbers; a plain string would hide a comparison that works by luck.
        number = Literal(celex, datatype=NamedNode(f"{CDM}celex")) if typed else Literal(celex)
        facts = [
            (cdm("work_has_resource-type"), NamedNode(f"{AUTHORITY}resource-type/{kind}")),
            (cdm("resource_legal_id_celex"), number),
            (cdm("resource_legal_in-force"), Literal(force, datatype=NamedNode(f"{XSD}boolean"))),
        ]
        if day:
            facts.append((cdm("work_date_document"), Literal(day, datatype=NamedNode(f"{XSD}date"))))
        if hidden:
            facts.append((cdm("do_not_index"), Literal(hidden, datatype=NamedNode(f"{XSD}boolean"))))
        for predicate, value in facts:
            self.store.add(Quad(work, predicate, value))
        for place, (language, title) in enumerate(titles):
            expression = NamedNode(f"{work.value}.{place:04}")
            self.store.add(Quad(expression, cdm("expression_belongs_to_work"), work))
            self.store.add(
                Quad(
                    expression, cdm("expression_uses_language"), NamedNode(f"{AUTHORITY}language/{language}")
                )
            )
            self.store.add(Quad(expression, cdm("expression_title"), Literal(title)))


TYPE_APPROVAL = (
    ("ENG", "Regulation (EU) 2019/2144 on type-approval requirements for motor Vehicles"),
    ("FRA", "Règlement (UE) 2019/2144 relatif à la réception par type des véhicules à moteur"),
)


@pytest.fixture(scope="module")
def triples() -> Store:
    cellar = Cellar()
    cellar.act("32019R2144", titles=TYPE_APPROVAL)
    cellar.act("32019R2144", titles=TYPE_APPROVAL)  # the same act as two works
    cellar.act(
        "32018R0858", day="2018-05-30", titles=(("ENG", "Approval and market surveillance of vehicles"),)
    )
    cellar.act("32019R9999", titles=(("ENG", "Hidden approval of vehicles"),), hidden="true")
    cellar.act("32019R9998", titles=(("ENG", "Hidden approval of vehicles too"),), hidden="1")
    cellar.act("32019R0500", titles=(("ENG", "Shown approval of vehicles"),), hidden="false", typed=False)
    cellar.act("32019R2144R(01)", kind="CORRIGENDUM", titles=(("ENG", "Corrigendum: approval of vehicles"),))
    cellar.act("32019R2144R(02)", titles=(("ENG", "Corrigendum as a regulation: approval of vehicles"),))
    cellar.act("52018PC0286", kind="PROP_REG", titles=(("ENG", "Proposal on approval of vehicles"),))
    cellar.act("32019L0700", kind="DIR", day="", titles=(("FRA", "Réception des véhicules"),))
    cellar.act("32019D0001", kind="DEC_IMPL", day="2019-02-01", titles=(("ENG", 'Of "quoted\\" vehicles'),))
    for day in ("20191216", "20240707", "20220706"):
        cellar.act(f"02019R2144-{day}", kind="CONS_TEXT", day="")
    cellar.act("02019R2144-20250101", kind="CONS_TEXT", day="", hidden="true")
    cellar.act("02019R21445-20240101", kind="CONS_TEXT", day="")
    return cellar.store


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Endpoint

    def do_GET(self) -> None:
        if self.server.answer is not None:
            status, body = self.server.answer
            reply(status, body)(self)
            return
        query = parse_qs(urlsplit(self.path).query)["query"][0]
        try:
            results = self.server.store.query(query)
        except SyntaxError as fault:
            reply(400, str(fault).encode())(self)
            return
        assert isinstance(results, QuerySolutions)
        reply(200, results.serialize(format=QueryResultsFormat.JSON) or b"")(self)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


class Endpoint(http.server.ThreadingHTTPServer):
    def __init__(self, store: Store) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.store = store
        self.answer: tuple[int, bytes] | None = None
        self.url = f"http://127.0.0.1:{self.server_address[1]}/webapi/rdf/sparql"


@pytest.fixture
def endpoint(triples: Store) -> Iterator[Endpoint]:
    with Endpoint(triples) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def client() -> Iterator[PoliteClient]:
    hosts = AllowedHosts(frozenset({"127.0.0.1"}), loopback=True)
    manners = Manners(user_agent="pykala-test", interval=0.0, attempts=1)
    with PoliteClient(hosts, manners) as opened:
        yield opened


# words, year, language, the CELEX numbers found in order
SEARCHES = [
    ("vehicles approval", None, "en", ["32019R0500", "32019R2144", "32018R0858"]),
    ("VEHICLES Approval", 2019, "en", ["32019R0500", "32019R2144"]),
    ("type-approval", 2019, "en", ["32019R2144"]),
    ("véhicules", 2019, "fr", ["32019R2144", "32019L0700"]),
    ("véhicules", 2019, "en", []),
    ("hidden", None, "en", []),
    ("corrigendum", None, "en", []),
    ("proposal", None, "en", []),
    ('"quoted\\" vehicles', None, "en", ["32019D0001"]),
    # Where no title holds all words, the telling ones are enough, and then any of them.
    ("European Union regulation on market surveillance", None, "en", ["32018R0858"]),
    ("surveillance of unicorns", None, "en", ["32018R0858"]),
    ("unicorns", None, "en", []),
    ('x") } SELECT * WHERE { ?s ?p ?o', None, "en", []),
]


@pytest.mark.parametrize(("words", "year", "language", "expected"), SEARCHES)
def test_acts_are_found_once_by_the_words_of_their_title(
    endpoint: Endpoint, client: PoliteClient, words: str, year: int | None, language: str, expected: list[str]
) -> None:
    found = find_acts(client, words, year=year, language=language, endpoint=endpoint.url)
    assert [act.celex for act in found] == expected


def test_a_found_act_has_title_date_and_page(endpoint: Endpoint, client: PoliteClient) -> None:
    (act,) = find_acts(client, "type-approval", year=2019, endpoint=endpoint.url)
    assert act.title == TYPE_APPROVAL[0][1]
    assert act.date == date(2019, 11, 27)
    assert act.url.endswith("CELEX:32019R2144")


def test_the_limit_counts_acts_and_not_rows(endpoint: Endpoint, client: PoliteClient) -> None:
    found = find_acts(client, "approval vehicles", limit=2, endpoint=endpoint.url)
    assert [act.celex for act in found] == ["32019R0500", "32019R2144"]


def test_facts_of_an_act_hold_its_titles_and_its_states_oldest_first(
    endpoint: Endpoint, client: PoliteClient
) -> None:
    facts = act_facts(client, ["32019R2144", "32000R0001"], ("en", "fr"), endpoint=endpoint.url)
    assert list(facts) == ["32019R2144"]
    act = facts["32019R2144"]
    assert dict(act.titles) == {"en": TYPE_APPROVAL[0][1], "fr": TYPE_APPROVAL[1][1]}
    assert (act.kind, act.issued, act.in_force) == ("REG", date(2019, 11, 27), "true")
    assert [celex for _, celex in act.states] == [
        "02019R2144-20191216",
        "02019R2144-20220706",
        "02019R2144-20240707",
    ]


@settings(max_examples=200)
@given(st.text(max_size=60))
def test_no_words_break_out_of_the_query(words: str) -> None:
    store = Store()
    expression, work = NamedNode("http://e/1"), NamedNode("http://w/1")
    store.add(Quad(expression, cdm("expression_title"), Literal(words)))
    store.add(Quad(work, cdm("x"), Literal("y")))
    found = store.query(
        f"SELECT ?t WHERE {{ ?e <{CDM}expression_title> ?t FILTER(STR(?t) = {literal(words)}) }}"
    )
    assert isinstance(found, QuerySolutions)
    rows = list(found)
    if words.isprintable():
        assert len(rows) == 1
    if words.split():
        store.query(search_query(words, year=2019))  # it parses
    store.query(facts_query([words], ["en"]))
    store.query(states_query(["3" + words]))


@pytest.mark.parametrize(
    ("words", "year", "language"), [("  ", None, "en"), ("a", 19, "en"), ("a", None, "xx")]
)
def test_a_search_for_nothing_says_what_to_give(words: str, year: int | None, language: str) -> None:
    with pytest.raises(NothingToSearch, match=r"give|there are"):
        search_query(words, year=year, language=language)


@pytest.mark.parametrize("status", [500, 503, 404])
def test_an_outage_is_not_an_empty_list(endpoint: Endpoint, client: PoliteClient, status: int) -> None:
    endpoint.answer = (status, b"")
    with pytest.raises(MirrorUnavailable, match="try again later"):
        find_acts(client, "vehicles", endpoint=endpoint.url)


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>maintenance</html>", b'{"results": []}', b'{"results": {"bindings": [1]}}', b"[" * 5000],
)
def test_an_answer_that_is_no_table_is_refused(endpoint: Endpoint, client: PoliteClient, body: bytes) -> None:
    endpoint.answer = (200, body)
    with pytest.raises(MirrorDamaged, match="no table of results"):
        find_acts(client, "vehicles", endpoint=endpoint.url)


def test_what_is_no_celex_number_is_left_out(endpoint: Endpoint, client: PoliteClient) -> None:
    rows = b'{"results": {"bindings": [{"celex": {"value": "../../etc"}, "title": {"value": "x"}}]}}'
    endpoint.answer = (200, rows)
    assert find_acts(client, "vehicles", endpoint=endpoint.url) == []


@pytest.mark.parametrize(
    ("words", "limit", "offset", "numbers", "last"),
    [
        ((), 10, 0, ["32018R0858", "32019L0700", "32019R0500", "32019R2144"], True),
        ((), 2, 0, ["32018R0858", "32019L0700"], False),
        ((), 2, 2, ["32019R0500", "32019R2144"], False),
        ((), 2, 4, [], True),
        (("TYPE-approval", "surveillance"), 10, 0, ["32018R0858", "32019R2144"], True),
        (('") } DROP ALL',), 10, 0, [], True),
    ],
)
def test_acts_in_force_are_listed_page_by_page(
    endpoint: Endpoint,
    client: PoliteClient,
    words: tuple[str, ...],
    limit: int,
    offset: int,
    numbers: list[str],
    last: bool,
) -> None:
    found = numbers_in_force(client, words, limit=limit, offset=offset, endpoint=endpoint.url)
    assert found == (numbers, last)
