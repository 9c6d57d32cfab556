"""The four publishers on this machine: what they list and send, and how they fail."""

from __future__ import annotations

import http.server
import json
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from loopback import reply
from pykala.fetch.addresses import AllowedHosts
from pykala.fetch.http import Manners
from pykala.packs.eu import live, sparql
from pykala.packs.eu import pack as eu

CANADA = Path(str(files("pykala.packs.canada"))) / "sample"
CANADIAN_TITLES = {"E-5.6": ("Employment Insurance Act", "Loi sur l’assurance-emploi")}
FINNISH_TITLES = ("Tuloverolaki", "Kuntalaki", "Arvonlisäverolaki", *(f"Koelaki {n}" for n in range(1, 16)))
ENGLISH = "http://publications.europa.eu/resource/authority/language/ENG"


def finnish_act(year: int, number: int, title: str) -> bytes:
    """A consolidated act as Finlex's API gives it."""
    uri = f"/akn/fi/act/statute-consolidated/{year}/{number}"
    return f"""<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
 xmlns:finlex="http://data.finlex.fi/schema/finlex"><act contains="singleVersion"><meta><identification>
<FRBRWork><FRBRthis value="{uri}/!main"/><FRBRuri value="{uri}"/></FRBRWork>
<FRBRExpression><FRBRlanguage language="fin"/></FRBRExpression></identification><proprietary>
<finlex:inForce><finlex:dateEntryIntoForce date="{year}-01-01"/></finlex:inForce></proprietary></meta>
<preface><p><docNumber>{number}/{year}</docNumber> <docTitle>{title}</docTitle></p></preface>
<body><section eId="sec_1"><num>1 §</num><subsection><content><p>Säännös {number} on voimassa.</p>
</content></subsection></section></body></act></akomaNtoso>""".encode()


def union_page(language: str) -> bytes:
    """An act of the Union as CELLAR gives it."""
    title = {"en": "REGULATION (EU) 2019/2144", "fr": "RÈGLEMENT (UE) 2019/2144"}[language]
    return (
        '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
        f'<head><title>x</title></head><body><p class="oj-doc-ti">{title}</p>'
        '<div class="eli-subdivision" id="art_1"><p class="oj-ti-art">Article 1</p>'
        '<p class="oj-normal">Vehicles are approved.</p></div></body></html>'
    ).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Publishers

    def do_GET(self) -> None:
        server, parts = self.server, urlsplit(self.path)
        server.asked.append(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if fault := server.fault(unquote(parts.path)):
            fault(self)
        elif parts.path.endswith("/list"):
            reply(200, server.finnish_list(query))(self)
        elif parts.path.endswith("/sparql"):
            reply(200, server.table(query["query"]))(self)
        elif parts.path.startswith("/resource/celex/"):
            reply(200, union_page(self.headers["Accept-Language"]))(self)
        elif (body := server.bodies.get(unquote(parts.path))) is not None:
            reply(200, body, ETag=f'"{len(body)}"')(self)
        else:
            reply(404)(self)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


class Publishers(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """Justice Laws, Finlex, CELLAR and Open Legislation under one address."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        self.asked: list[str] = []
        self.bodies: dict[str, bytes] = {}
        self.acts: dict[str, str] = {}
        self.fault: Callable[[str], Callable[[http.server.BaseHTTPRequestHandler], None] | None]
        self.fault = lambda path: None
        self._canada()
        for number, title in enumerate(FINNISH_TITLES, start=1):
            path = f"/akn/fi/act/statute-consolidated/2010/{number}/fin@latest"
            self.acts[path], self.bodies[path] = title, finnish_act(2010, number, title)
        self._city()

    def _canada(self) -> None:
        entries: dict[str, list[str]] = {"Act": [], "Regulation": []}
        for path in sorted(CANADA.rglob("*.xml")):
            language, folder, name = path.relative_to(CANADA).as_posix().split("/")
            kind = "Act" if folder in ("acts", "lois") else "Regulation"
            titles = CANADIAN_TITLES.get(path.stem, ("Some Tax Rules", "Règles d’impôt"))
            place = f"/{language}/XML/{name}"
            self.bodies[place] = path.read_bytes()
            entries[kind].append(
                f"<{kind}><Language>{language}</Language><Title>{titles[language == 'fra']}</Title>"
                # The index names the publisher's own host: a mirror is asked in its place.
                f"<LinkToXML>http://laws-lois.justice.gc.ca{place}</LinkToXML></{kind}>"
            )
        acts, regulations = ("".join(entries[kind]) for kind in ("Act", "Regulation"))
        index = f"<ActsRegsList><Acts>{acts}</Acts><Regulations>{regulations}</Regulations></ActsRegsList>"
        self.bodies["/eng/XML/Legis.xml"] = index.encode()

    def _city(self) -> None:
        section = {"docType": "SECTION", "locationId": "11-208", "title": "Rent", "text": "§ 11-208 Rent."}
        tree = {"success": True, "result": {"documents": {"documents": {"items": [section]}}}}
        one = {"success": True, "result": {**section, "lawId": "ADC", "activeDate": "2014-09-22"}}
        self.bodies["/api/3/laws/ADC"] = json.dumps(tree).encode()
        self.bodies["/api/3/laws/ADC/11-208/"] = json.dumps(one).encode()

    def finnish_list(self, asked: dict[str, str]) -> bytes:
        """A page of Finlex's list, narrowed to titles."""
        language, word = asked["langAndVersion"].partition("@")[0], asked.get("titleContains", "")
        held = [path for path, title in self.acts.items() if word in title.casefold()]
        uris = [path for path in held if f"/{language}@" in path]
        start = (int(asked["page"]) - 1) * int(asked["limit"])
        return json.dumps([{"akn_uri": uri} for uri in uris[start : start + int(asked["limit"])]]).encode()

    def table(self, query: str) -> bytes:
        """What CELLAR answers to the three questions of a fetch; the queries themselves are tested apart."""
        row = {"celex": "32019R2144", "title": "Type-approval", "date": "2019-11-27"}
        if "STRSTARTS(STR(?number)" in query:
            row = {"celex": "02019R2144-20240707"}
        elif "?title" in query:
            row |= {"kind": "REG", "force": "true", "language": ENGLISH}
        cells = {name: {"value": value} for name, value in row.items()}
        return json.dumps({"results": {"bindings": [cells]}}).encode()


@contextmanager
def publishing() -> Iterator[Publishers]:
    """The publishers, for as long as a test asks them."""
    with Publishers() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def union_publishing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Publishers]:
    """The publisher of the Union on this machine, which the pack asks in place of the real one."""
    with publishing() as server:
        endpoint, content = f"{server.base}/sparql", f"{server.base}/resource/celex/"
        here = AllowedHosts(frozenset({"127.0.0.1"}), loopback=True)
        manners = Manners(user_agent="pykala-test", interval=0.0, attempts=1)
        pointed = {
            "open_client": lambda self, _: live.open_client(manners, hosts=here),
            "find_acts": lambda self, *given, **more: sparql.find_acts(*given, **more, endpoint=endpoint),
            "fetch_acts": lambda self, *given, **more: live.fetch_acts(
                *given, **more, endpoint=endpoint, content=content
            ),
        }
        for name, method in pointed.items():
            monkeypatch.setattr(type(eu), name, method)
        yield server
