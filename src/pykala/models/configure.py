"""Writers, embedders, rerankers and second opinions from plain values: a name, a key, perhaps an address.

A name is a service and a model, "deepseek/deepseek-flash", as `providers.toml` lists them. "custom/…" with an
address is any server that speaks the protocol. Embedders and rerankers may also be folders. Nothing connects,
and nothing large is loaded, before the first use.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pykala.models.embedder import Embedder, Role
from pykala.models.failures import Key, ModelMisconfigured
from pykala.models.metering import Account
from pykala.models.reranker import Reranker
from pykala.models.writer import Writer

if TYPE_CHECKING:  # httpx is loaded only when a service is called
    from pykala.fetch.http import Clock
    from pykala.models.connection import Connection, KeyHeader, Patience
    from pykala.models.second_opinion import SecondOpinion

#: The settings for each kind of key; errors name them.
WRITER_KEY, FALLBACK_KEY = "PYKALA_MODEL_KEY", "PYKALA_FALLBACK_MODEL_KEY"
EMBEDDER_KEY, RERANKER_KEY = "PYKALA_EMBEDDER_KEY", "PYKALA_RERANKER_KEY"
GRADER_KEY, GUIDANCE_KEY = "PYKALA_GRADER_KEY", "PYKALA_GUIDANCE_MODEL_KEY"
SECOND_OPINION_KEY = "PYKALA_SECOND_OPINION_KEY"


def default_writer() -> str:
    """The model that writes where a key is set and no model is named."""
    return str(_providers()["writers"]["default"])


def writer_from(
    model: str = "",
    *,
    key: str = "",
    address: str = "",
    fallback: str = "",
    fallback_key: str = "",
    fallback_address: str = "",
    patience: Patience | None = None,
    clock: Clock | None = None,
    key_variable: str = WRITER_KEY,
) -> Writer:
    """The writer that the settings name, with its fallback if any.

    A fallback of the same service uses the same key unless it has its own. Errors name `key_variable`.
    """
    first = model or default_writer()
    writer = _writer(first, key, address, key_variable, patience, clock)
    if not fallback:
        return writer
    from pykala.models.fallback import WriterWithFallback

    same = fallback.partition("/")[0] == first.partition("/")[0]
    own_key = fallback_key or (key if same else "")
    own_address = fallback_address or (address if same else "")
    second = _writer(fallback, own_key, own_address, FALLBACK_KEY, patience, clock)
    return WriterWithFallback(writer, second)


def embedder_from(
    model: str = "bundled",
    *,
    key: str = "",
    address: str = "",
    dimension: int = 0,
    patience: Patience | None = None,
    clock: Clock | None = None,
    account: Account | None = None,
) -> Embedder:
    """The embedder that settings name: "bundled", a folder, or a service and a model."""
    if model in ("", "bundled"):
        from pykala.models import bundled

        return bundled()
    folder = _folder(model)
    if folder is not None:
        from pykala.models import local

        if local.has_onnx(folder):
            return local.OnnxEmbedder(folder)
        return local.SentenceTransformersEmbedder(folder)
    from pykala.models.embedding import EMBEDDING_PROTOCOLS, HostedEmbedder

    row, name = _named("embedders", model, address)
    connection = _connection(row, key, address, EMBEDDER_KEY, patience, clock)
    known: Mapping[str, Any] = next(
        (entry for entry in _providers()["embedding_models"] if name.endswith(entry["name"])), {}
    )
    words: dict[Role, str] = {"query": known.get("query", ""), "document": known.get("document", "")}
    return HostedEmbedder(
        connection,
        EMBEDDING_PROTOCOLS[row["protocol"]],
        name,
        name=model,
        dimension=dimension or int(known.get("dimension", 0)),
        prefixes={role: text for role, text in words.items() if text},
        account=account,
    )


def reranker_from(
    model: str,
    *,
    key: str = "",
    address: str = "",
    patience: Patience | None = None,
    clock: Clock | None = None,
    account: Account | None = None,
) -> Reranker:
    """The reranker that settings name: "bundled", a folder with a cross-encoder in ONNX, or a service's."""
    if model == "bundled":
        from pykala.models import bundled_reranker

        return bundled_reranker()
    folder = _folder(model)
    if folder is not None:
        from pykala.models.local import OnnxReranker

        return OnnxReranker(folder)
    from pykala.models.reranking import RERANKING_PROTOCOLS, HostedReranker

    row, name = _named("rerankers", model, address)
    connection = _connection(row, key, address, RERANKER_KEY, patience, clock)
    protocol = RERANKING_PROTOCOLS[row["protocol"]]
    return HostedReranker(connection, protocol, name, name=model, account=account)


def second_opinion_from(
    model: str = "",
    *,
    key: str = "",
    address: str = "",
    patience: Patience | None = None,
    clock: Clock | None = None,
) -> SecondOpinion:
    """The service that settings name for second opinions; with a key alone, the default one."""
    from pykala.models.second_opinion import SECOND_OPINION_PROTOCOLS, Asking

    model = model or default_second_opinion()
    row, name = _named("second_opinions", model, address)
    connection = _connection(row, key, address, SECOND_OPINION_KEY, patience, clock, otherwise="")
    known = name if "/" in name or not row.get("maker") else f"{row['maker']}/{name}"
    asking = Asking(known, model, row.get("extra", {}), row.get("limit_name", "max_tokens"))
    return SECOND_OPINION_PROTOCOLS[row["protocol"]](connection, asking)


def default_second_opinion() -> str:
    """The service that is asked where a key is set and no service is named."""
    return str(_providers()["second_opinions"]["default"])


def _writer(
    model: str, key: str, address: str, variable: str, patience: Patience | None, clock: Clock | None
) -> Writer:
    row, name = _named("writers", model, address)
    if row["protocol"] == "anthropic":
        from pykala.models.anthropic import VERSION, AnthropicWriter

        headers = {"anthropic-version": VERSION}
        connection = _connection(row, key, address, variable, patience, clock, "x-api-key", headers)
        return AnthropicWriter(connection, name, name=model, extra=row.get("extra"))
    from pykala.models.openai_compatible import ChatManner, OpenAICompatibleWriter

    manner = ChatManner(
        extra=row.get("extra", {}),
        json_mode=row.get("json_mode", True),
        json_schema=row.get("json_schema", False),
        limit_name=row.get("limit_name", "max_tokens"),
    )
    connection = _connection(row, key, address, variable, patience, clock)
    return OpenAICompatibleWriter(connection, name, name=model, manner=manner)


def _connection(
    row: Mapping[str, Any],
    key: str,
    address: str,
    variable: str,
    patience: Patience | None,
    clock: Clock | None,
    key_header: KeyHeader = "authorization",
    headers: Mapping[str, str] | None = None,
    otherwise: str = ", or set a fallback model",
) -> Connection:
    from pykala.models.connection import Connection

    return Connection(
        row["service"],
        address or row.get("base_url", ""),
        key=Key(key),
        key_variable=variable if row.get("key") else "",
        key_header=key_header,
        headers=headers,
        patience=patience,
        clock=clock,
        otherwise=otherwise,
    )


def _named(kind: str, model: str, address: str) -> tuple[Mapping[str, Any], str]:
    """A service's row and the model's name there."""
    service, _, name = model.partition("/")
    rows = {each: row for each, row in _providers()[kind].items() if isinstance(row, dict)}
    if service not in rows or not (name or service == "tei"):
        known = ", ".join(sorted(rows))
        raise ModelMisconfigured(
            f"{model!r} names no {kind.removesuffix('s').replace('_', ' ')}; write SERVICE/MODEL, with a"
            f" service of: {known}"
        )
    if not address and not rows[service].get("base_url"):
        raise ModelMisconfigured(f"{model!r} needs the address of its server")
    return rows[service], name


def _folder(model: str) -> Path | None:
    """The folder of a name, if the name is a folder."""
    path = Path(model).expanduser()
    if path.is_dir():
        return path
    if model.startswith((".", "/", "~")):
        raise ModelMisconfigured(f"there is no folder {model!r}; check the path")
    return None


@lru_cache(maxsize=1)
def _providers() -> dict[str, Any]:
    return tomllib.loads(files("pykala.models").joinpath("providers.toml").read_text(encoding="utf-8"))
