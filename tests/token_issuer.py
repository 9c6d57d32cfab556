"""A little OpenID Connect issuer on loopback: it publishes its keys and signs tokens."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa

AUDIENCE = "pykala-of-acme"
Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


class IssuerServer:
    """An issuer; `keys` may be changed while it serves, and `told` says what else its description holds."""

    def __init__(self) -> None:
        self.keys: dict[str, Key] = {"first": rsa.generate_private_key(65537, 2048)}
        self.asked: list[str] = []
        self.told: dict[str, Any] = {}
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer.asked.append(self.path)
                body = json.dumps(issuer.answer(self.path)).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, path: str) -> dict[str, Any]:
        if path == "/.well-known/openid-configuration":
            return {"issuer": self.address, "jwks_uri": f"{self.address}/keys", **self.told}
        return {"keys": [published(name, key) for name, key in self.keys.items()]}

    def token(self, name: str = "first", *, key: Key | None = None, **claims: Any) -> str:
        now = int(time.time())
        usual = {"iss": self.address, "aud": AUDIENCE, "sub": "jane", "iat": now, "exp": now + 600}
        kept = {claim: value for claim, value in {**usual, **claims}.items() if value is not None}
        signing = key or self.keys[name]
        algorithm = "RS256" if isinstance(signing, rsa.RSAPrivateKey) else "ES256"
        return jwt.encode(kept, signing, algorithm=algorithm, headers={"kid": name})

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def published(name: str, key: Key) -> dict[str, Any]:
    """A key as an issuer publishes it."""
    rsa_key = isinstance(key, rsa.RSAPrivateKey)
    form = jwt.algorithms.RSAAlgorithm if rsa_key else jwt.algorithms.ECAlgorithm
    return {**form.to_jwk(key.public_key(), as_dict=True), "kid": name, "use": "sig"}  # type: ignore[arg-type]
