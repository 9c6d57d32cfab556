"""A library as the settings have it: with the models, the cache and the limits that they name.

Interfaces open libraries through here, so that a setting means the same on the command line, in a server and
in a model's client.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pykala.confined import processes
from pykala.library import Library
from pykala.settings import Settings
from pykala.stores.caching import CACHE_FILE, SqliteCache

if TYPE_CHECKING:
    from pykala.answer.advice import Adviser
    from pykala.answer.drafting import Drafting
    from pykala.models.embedder import Embedder
    from pykala.models.reranker import Reranker

_NO_EMBEDDER = "none"


def open_configured(
    folder: Path, settings: Settings, *, writable: bool = False, create: bool = False
) -> Library:
    """Open a library; ModelError, where a model is named that cannot be used, before anything is asked."""
    library = _with_embedder(folder, settings, writable=writable, create=create)
    if settings.reranker.is_set:
        library.reranker = _reranker(settings)
    library.confined = processes
    library.cache = SqliteCache(settings.cache / CACHE_FILE)
    library.drafting = drafting(settings)
    library.adviser = adviser(settings)
    library.home = settings.home
    if settings.calibration is not None:
        from pykala.models.failures import ModelMisconfigured
        from pykala.retrieve.calibration import read_calibration

        try:
            library.calibration = read_calibration(settings.calibration.read_text("utf-8"))
        except ValueError as error:
            raise ModelMisconfigured(f"PYKALA_CALIBRATION={settings.calibration}: {error}") from error
    return library


def _with_embedder(folder: Path, settings: Settings, *, writable: bool, create: bool) -> Library:
    chosen = settings.embedder
    if not chosen.is_set:
        return Library.open(folder, writable=writable, create=create)
    return Library.open(folder, writable=writable, create=create, embedder=embedder(settings))


def embedder(settings: Settings) -> Embedder | None:
    """The embedder that is set, or none; one whose files are damaged says so when it is used."""
    from pykala.models.configure import embedder_from
    from pykala.models.failures import ModelDamaged
    from pykala.models.unusable import UnusableModel

    chosen = settings.embedder
    if chosen.name == _NO_EMBEDDER:
        return None
    try:
        return embedder_from(chosen.name, key=chosen.key, address=chosen.address)
    except ModelDamaged as error:
        return UnusableModel(chosen.name, error)


def _reranker(settings: Settings) -> Reranker:
    from pykala.models.configure import reranker_from
    from pykala.models.failures import ModelDamaged
    from pykala.models.unusable import UnusableModel

    chosen = settings.reranker
    try:
        return reranker_from(chosen.name, key=chosen.key, address=chosen.address)
    except ModelDamaged as error:
        return UnusableModel(chosen.name, error)


def drafting(settings: Settings) -> Drafting | None:
    """What drafts answers; nothing where neither a model nor a key is set."""
    if not settings.model.is_set:
        return None
    from pykala.answer.drafting import drafting_from
    from pykala.answer.meter import Caps

    model, fallback = settings.model, settings.fallback
    return drafting_from(
        model=model.name,
        key=model.key,
        address=model.address,
        price=model.price,
        fallback=fallback.name,
        fallback_key=fallback.key,
        fallback_address=fallback.address,
        fallback_price=fallback.price,
        caps=Caps(settings.answer_cap, settings.month_cap),
        ledger_folder=settings.cache,
        budget=settings.model_budget,
    )


def adviser(settings: Settings) -> Adviser | None:
    """Who gives second opinions; nobody where neither a service nor a key is set."""
    chosen = settings.second_opinion
    if not chosen.is_set:
        return None
    from pykala.answer.advice import adviser_from
    from pykala.answer.meter import Caps

    return adviser_from(
        model=chosen.name,
        key=chosen.key,
        address=chosen.address,
        price=chosen.price,
        caps=Caps(settings.answer_cap, settings.month_cap),
        ledger_folder=settings.cache,
    )
