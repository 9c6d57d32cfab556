"""Tokens of an OpenID Connect issuer, against a real one on loopback: its discovery, its keys, its tokens."""

from __future__ import annotations

import base64
import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from fastapi.testclient import TestClient

from http_serving import serving
from making import simple
from pykala.interfaces.http.app import application
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.tokens import Issuer, IssuerUnusable, TokenHolder, Tokens
from pykala.interfaces.serving.location import LibraryLocation
from pykala.library.library import Library
from pykala.settings import Settings
from pykala.stores.embedded.store import EmbeddedStore
from token_issuer import AUDIENCE, IssuerServer
from token_issuer import published as published_form


@pytest.fixture
def issuer() -> Iterator[IssuerServer]:
    server = IssuerServer()
    yield server
    server.close()


@pytest.fixture
def now() -> list[float]:
    return [1_000.0]


@pytest.fixture
def tokens(issuer: IssuerServer, now: list[float]) -> Iterator[Tokens]:
    made = Tokens(Issuer(issuer.address, AUDIENCE), clock=lambda: now[0])
    yield made
    made.close()


def test_a_token_says_who_and_what(issuer: IssuerServer, tokens: Tokens) -> None:
    assert tokens.holder(issuer.token()) == TokenHolder("user:jane", frozenset({"read"}))
    scoped = tokens.holder(issuer.token(sub="bob", scope="openid pykala:upload pykala:read-metrics email"))
    assert scoped == TokenHolder("user:bob", frozenset({"read", "upload", "read metrics"}))
    assert len(issuer.asked) == 2  # once for both


def test_tokens_that_are_not_good(issuer: IssuerServer, tokens: Tokens) -> None:
    now = int(time.time())
    stranger = rsa.generate_private_key(65537, 2048)
    payload = {"iss": issuer.address, "aud": AUDIENCE, "sub": "eve", "iat": now, "exp": now + 600}
    unsigned = jwt.encode(payload, None, algorithm="none", headers={"kid": "first"})  # type: ignore[arg-type]
    public = json.dumps(published_form("first", issuer.keys["first"])).encode()
    shared = jwt.encode(payload, base64.b64encode(public), algorithm="HS256", headers={"kid": "first"})
    head, body, signature = issuer.token().split(".")
    forged = base64.urlsafe_b64encode(json.dumps({**payload, "sub": "root"}).encode()).rstrip(b"=").decode()
    for bad in (
        issuer.token(aud="another"),
        issuer.token(iss="https://elsewhere.example"),
        issuer.token(exp=now - 120),
        issuer.token(nbf=now + 600),
        issuer.token(exp=None),
        issuer.token(sub=None),
        issuer.token(sub="a\nb"),
        issuer.token(sub="j" * 256),
        issuer.token(key=stranger),
        unsigned,
        shared,
        f"{head}.{forged}.{signature}",
        f"{head}.{body}.",
        "a.b.c",
        "pyk_something",
        "x" * 20_000,
    ):
        assert tokens.holder(bad) is None, bad


def test_keys_change_and_nobody_can_have_them_asked_for_at_will(
    issuer: IssuerServer, tokens: Tokens, now: list[float]
) -> None:
    assert tokens.holder(issuer.token()) is not None
    issuer.keys = {"second": ec.generate_private_key(ec.SECP256R1())}
    newer = issuer.token("second")
    for _ in range(5):
        assert tokens.holder(newer) is None  # too soon to be asked for again
    assert len(issuer.asked) == 2
    now[0] += 31
    assert tokens.holder(newer) is not None
    assert len(issuer.asked) == 4


def test_an_issuer_that_is_gone_or_says_it_is_another(
    issuer: IssuerServer, tokens: Tokens, now: list[float]
) -> None:
    assert tokens.holder(issuer.token()) is not None
    kept = issuer.token()
    issuer.told = {"issuer": "https://elsewhere.example"}
    now[0] += 4_000
    assert tokens.holder(kept) is not None  # the keys that were good stay good
    other = Tokens(Issuer(issuer.address, AUDIENCE))
    assert other.holder(kept) is None
    issuer.told = {"jwks_uri": "http://192.0.2.1/keys"}  # neither encrypted nor on this machine
    other = Tokens(Issuer(issuer.address, AUDIENCE))
    assert other.holder(kept) is None
    other.close()


@pytest.mark.parametrize(
    "said", [["x"], "x", None, 5, {"keys": 5}, {"keys": [5]}, {"keys": [{"kty": "RSA"}]}]
)
def test_an_issuer_that_talks_nonsense(
    issuer: IssuerServer, monkeypatch: pytest.MonkeyPatch, said: Any
) -> None:
    kept, usual = issuer.token(), issuer.answer
    for nonsense in ("/keys", "/.well-known/openid-configuration"):
        monkeypatch.setattr(issuer, "answer", lambda path, at=nonsense: said if path == at else usual(path))
        with closing(Tokens(Issuer(issuer.address, AUDIENCE))) as tokens:
            assert tokens.holder(kept) is None


def test_an_issuer_that_never_ends_is_not_heard_to_its_end(issuer: IssuerServer) -> None:
    endless, said = socket.create_server(("127.0.0.1", 0)), [0]

    def talk() -> None:
        connection, _ = endless.accept()
        with connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while said[0] < 1_000_000_000:
                said[0] += connection.send(b" " * 65_536)

    talking = threading.Thread(target=talk, daemon=True)
    talking.start()
    waiting = Issuer(f"http://127.0.0.1:{endless.getsockname()[1]}", AUDIENCE)
    with endless, closing(Tokens(waiting)) as tokens:
        assert tokens.holder(issuer.token()) is None
        talking.join(300)
    assert said[0] < 100_000_000


def test_keys_for_encryption_sign_nothing(issuer: IssuerServer, monkeypatch: pytest.MonkeyPatch) -> None:
    published = published_form("first", issuer.keys["first"]) | {"use": "enc"}
    usual = issuer.answer
    monkeypatch.setattr(
        issuer, "answer", lambda path: {"keys": [published]} if path == "/keys" else usual(path)
    )
    with closing(Tokens(Issuer(issuer.address, AUDIENCE))) as tokens:
        assert tokens.holder(issuer.token()) is None


def test_a_server_goes_on_while_an_issuer_does_not_answer(issuer: IssuerServer, tmp_path: Path) -> None:
    silent = socket.create_server(("127.0.0.1", 0))  # connections are taken, and nothing is said
    waiting = Issuer(f"http://127.0.0.1:{silent.getsockname()[1]}", AUDIENCE)
    with (
        silent,
        serving(tmp_path, replace(ServerOptions(), issuer=waiting)) as served,
        served.client() as client,
        ThreadPoolExecutor(4) as others,
    ):
        client.get("/api/v1/health").raise_for_status()
        held = {"Authorization": f"Bearer {issuer.token()}"}
        refused = [others.submit(client.get, "/api/v1/search?q=tax", headers=held) for _ in range(4)]
        with silent.accept()[0]:  # the server waits for an answer
            assert client.get("/api/v1/health").status_code == 200
            assert not all(one.done() for one in refused), "one of them waits for the issuer still"
            assert {one.result().status_code for one in refused} == {401}


def test_a_server_takes_tokens_in_place_of_keys(issuer: IssuerServer, tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "law", writable=True) as store:
        store.put(simple("fi:act:1992/1535", "Tax is paid by the owner of a horse.", language="en"))
    options = replace(
        ServerOptions(), hosts=("testserver",), issuer=Issuer(issuer.address, AUDIENCE), keys=("plain-key",)
    )
    app = application(
        LibraryLocation(tmp_path / "law", None),
        lambda folder, writable=False: Library.open(folder, writable=writable, embedder=None),
        options,
    )
    with TestClient(app) as client:

        def status(token: str, method: str = "GET", path: str = "/api/v1/search?q=horse") -> int:
            return client.request(method, path, headers={"Authorization": f"Bearer {token}"}).status_code

        assert client.get("/api/v1/search", params={"q": "horse"}).status_code == 401
        assert status(issuer.token()) == 200
        assert status("plain-key") == 200
        assert status(issuer.token(aud="another")) == 401
        assert status(issuer.token(), "DELETE", "/api/v1/caches") == 403
        assert status(issuer.token(scope="pykala:delete"), "DELETE", "/api/v1/caches") == 403
        assert status(issuer.token(scope="pykala:administer"), "DELETE", "/api/v1/caches") == 204


@pytest.mark.parametrize(
    ("issuer_set", "told"),
    [
        (Issuer("http://login.example", AUDIENCE), "https://"),
        (Issuer("https://login.example", ""), "PYKALA_OIDC_AUDIENCE"),
        (Issuer("https://login.example", AUDIENCE, frozenset({"rule"})), "no right 'rule'"),
    ],
)
def test_settings_that_cannot_be_meant(issuer_set: Issuer, told: str) -> None:
    with pytest.raises(IssuerUnusable, match=told):
        Tokens(issuer_set)


def test_the_settings_name_the_issuer() -> None:
    found = Settings.read(
        {
            "PYKALA_OIDC_ISSUER": "https://login.example",
            "PYKALA_OIDC_AUDIENCE": AUDIENCE,
            "PYKALA_OIDC_RIGHTS": "read,upload",
        }
    )
    options = ServerOptions.of(found, host="127.0.0.1", port=1)
    assert options.issuer == Issuer("https://login.example", AUDIENCE, frozenset({"read", "upload"}))
    assert ServerOptions.of(Settings.read({}), host="127.0.0.1", port=1).issuer is None
