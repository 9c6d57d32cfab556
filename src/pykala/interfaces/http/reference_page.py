"""The interactive API reference at /docs, and the OpenAPI document that it shows.

Swagger UI comes as files of an installed package (`fastapi-offline` carries them, Apache-2.0): nothing is
loaded from elsewhere, and the page obeys the same Content-Security-Policy as every other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any, Final

from fastapi import FastAPI
from starlette.responses import Response

from pykala.interfaces.http.guards import OPEN_PATHS
from pykala.interfaces.http.operations import DESCRIPTIONS, TAGS
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.serving.problems import Problem

PATH: Final = "/docs"
_OWN: Final = {"reference.js": "text/javascript", "reference.css": "text/css"}
_THEIRS: Final = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}
_CACHE: Final = {"Cache-Control": "max-age=3600"}
_SCHEMES: Final[Mapping[str, Mapping[str, str]]] = {
    "key": {
        "type": "http",
        "scheme": "bearer",
        "description": "One of the server's keys. What it may do is said by the lists that it stands in:"
        " PYKALA_API_KEYS (read), PYKALA_UPLOAD_KEYS, PYKALA_DELETE_KEYS, PYKALA_FETCH_KEYS,"
        " PYKALA_INGEST_KEYS, PYKALA_ADMINISTER_KEYS, PYKALA_METRICS_KEYS.",
    },
    "key-header": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
}


def install(app: FastAPI, options: ServerOptions) -> frozenset[str]:
    """Serve the reference and its files; return the paths."""

    @app.get(PATH, include_in_schema=False)
    async def page() -> Response:
        return Response(_own("index.html"), media_type="text/html; charset=utf-8")

    @app.get(f"{PATH}/{{name}}", include_in_schema=False)
    async def file(name: str) -> Response:
        if name in _OWN:
            return Response(_own(name), media_type=_OWN[name], headers=_CACHE)
        if name in _THEIRS:
            return Response(_theirs(name), media_type=_THEIRS[name], headers=_CACHE)
        raise Problem("not-found", f"{PATH}/{name} is nothing here; {PATH} is the API reference")

    make, made = app.openapi, list[dict[str, Any]]()

    def described() -> dict[str, Any]:
        if not made:
            made.append(_completed(make(), has_keys=options.is_guarded))
        return made[0]

    app.openapi_tags = [dict(one) for one in TAGS]
    app.openapi = described  # type: ignore[method-assign]
    return frozenset({PATH, *(f"{PATH}/{name}" for name in (*_OWN, *_THEIRS))})


def _own(name: str) -> bytes:
    return files("pykala.interfaces.http").joinpath("reference", name).read_bytes()


def _theirs(name: str) -> bytes:
    try:
        return files("fastapi_offline").joinpath("static", name).read_bytes()
    except (ModuleNotFoundError, FileNotFoundError):
        raise Problem(
            "not-found",
            "the files of the API reference are not installed; run: pip install 'pykala[serve]'; the same as"
            " data is /api/v1/openapi.json",
        ) from None


def _completed(document: dict[str, Any], *, has_keys: bool) -> dict[str, Any]:
    """The OpenAPI document with the additions that FastAPI lacks: keys and descriptions."""
    document["components"]["securitySchemes"] = {name: dict(one) for name, one in _SCHEMES.items()}
    one_of: list[dict[str, list[str]]] = [{name: []} for name in _SCHEMES]
    for path, method, operation in operations_of(document):
        said = DESCRIPTIONS.get(f"{method.upper()} {path}")
        operation["description"] = said or operation.get("description") or f"{operation['summary']}."
        for parameter in operation.get("parameters", ()):
            if examples := parameter["schema"].get("examples"):
                parameter["example"] = examples[0]  # Swagger UI reads it here, to fill its form
        if path in OPEN_PATHS:
            operation["security"] = []
        else:  # a server without keys answers everybody; a key may still be sent
            operation["security"] = one_of if has_keys else [{}, *one_of]
    return document


def operations_of(document: Mapping[str, Any]) -> Iterable[tuple[str, str, dict[str, Any]]]:
    """Every operation of an OpenAPI document, as path, method and operation."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation
