"""Open a library with the models, cache and limits of the settings.

Interfaces open libraries through here, so that a setting means the same on the command line, in a server and
in a model's client.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pykala.caches.configured import configured_cache
from pykala.fetch.confined import processes
from pykala.library import Library
from pykala.settings import ModelSettings, Settings
from pykala.stores.cluster.configuration import records_address
from pykala.stores.embedded.emptiness import discard_empty, names_in
from pykala.stores.opening import is_library, made_with
from pykala.stores.postgres.address import shown
from pykala.stores.store import StoreIncompatible

if TYPE_CHECKING:
    from pykala.draft.drafting import Drafting
    from pykala.draft.general import Guide
    from pykala.draft.judging import Judge
    from pykala.draft.second_opinion import Adviser
    from pykala.models.embedder import Embedder
    from pykala.models.metering import Account
    from pykala.models.reranker import Reranker
    from pykala.models.writer import Writer
    from pykala.retrieve.calibration import Case, Weighing
    from pykala.spend.ledger import SpendingLedger
    from pykala.spend.meter import Meter

_NO_EMBEDDER = "none"


def open_configured(
    folder: Path, settings: Settings, *, writable: bool = False, create: bool = False, **parts: Any
) -> Library:
    """Open a library; ModelError at once where a named model cannot be used.

    `parts` replace what the settings say, such as one cache for many libraries.
    """
    library = _with_embedder(folder, settings, writable=writable, create=create)
    made: dict[str, Any] = {
        "confined": processes,
        "cache": configured_cache(settings.cache, settings.redis),
        "drafting": drafting(settings, folder),
        "judge": judge(settings, folder),
        "guide": guide(settings, folder),
        "adviser": adviser(settings, folder),
        "home": settings.home,
    }
    if settings.reranker.is_set:
        made["reranker"] = _reranker(settings, folder)
    if settings.calibration is not None:
        made["calibration"] = _calibration(settings.calibration)
    return library.with_parts(**{**made, **parts})


@contextmanager
def open_to_fill(folder: Path, settings: Settings) -> Iterator[Library]:
    """Open a library for writing, made where there is none; if it was made here and stays empty, remove it.

    Otherwise a first fetch that fails would leave an empty library behind.
    """
    if is_library(folder):  # for a database, this says only that it was named
        with open_configured(folder, settings, writable=True, create=True) as library:
            yield library
        return
    before = names_in(folder)
    try:
        with open_configured(folder, settings, writable=True, create=True) as library:
            yield library
    finally:
        discard_empty(folder, before)


def _calibration(path: Path) -> Mapping[Case, Weighing]:
    from pykala.models.failures import ModelMisconfigured
    from pykala.retrieve.calibration import read_calibration

    try:
        return read_calibration(path.read_text("utf-8"))
    except ValueError as error:
        raise ModelMisconfigured(f"PYKALA_CALIBRATION={path}: {error}") from error


def _with_embedder(folder: Path, settings: Settings, *, writable: bool, create: bool) -> Library:
    chosen = settings.embedder
    if not chosen.is_set:
        return Library.open(folder, writable=writable, create=create)
    return Library.open(folder, writable=writable, create=create, embedder=embedder(settings, folder))


def embedder(settings: Settings, library: Path) -> Embedder | None:
    """The embedder of the settings, or None; damaged files raise only when it is used."""
    from pykala.models.configure import embedder_from
    from pykala.models.failures import ModelDamaged
    from pykala.models.unusable import UnusableModel

    chosen = settings.embedder
    if chosen.name == _NO_EMBEDDER:
        return None
    try:
        account = _account(chosen, settings, library)
        return embedder_from(chosen.name, key=chosen.key, address=chosen.address, account=account)
    except ModelDamaged as error:
        return UnusableModel(chosen.name, error)


def embedder_made_with(settings: Settings, library: Path | str) -> Embedder | None:
    """The embedder that made a library's vectors; None where it has none. StoreError if another is set."""
    wanted = made_with(library)
    if wanted == "":
        return None
    chosen = embedder(settings, Path(library))
    if wanted and (chosen is None or chosen.fingerprint != wanted):
        raise StoreIncompatible(
            f"the vectors of {shown(library)} are of another embedder than the one set; set that one"
            f" (PYKALA_EMBEDDER), or write them with this one: 'pykala reindex --library {shown(library)}'"
        )
    return chosen


def _reranker(settings: Settings, library: Path) -> Reranker:
    from pykala.models.configure import reranker_from
    from pykala.models.failures import ModelDamaged
    from pykala.models.unusable import UnusableModel

    chosen = settings.reranker
    try:
        account = _account(chosen, settings, library)
        return reranker_from(chosen.name, key=chosen.key, address=chosen.address, account=account)
    except ModelDamaged as error:
        return UnusableModel(chosen.name, error)


def _account(chosen: ModelSettings, settings: Settings, library: Path) -> Account:
    """The ledger for an embedder or reranker: the one of the drafts, so that one cap covers a month."""
    from dataclasses import replace

    from pykala.spend.meter import Caps, LookupAccount, Meter
    from pykala.spend.pricing import price_from, price_table

    own = {chosen.name: price_from(chosen.price)} if chosen.price else {}
    caps = Caps(settings.answer_cap, settings.month_cap)
    prices = replace(price_table(), own=own)
    return LookupAccount(Meter(caps=caps, prices=prices, ledger=ledger(settings, library)))


def ledger(settings: Settings, library: Path) -> SpendingLedger:
    """The ledger for all models over a library: its database's, else the file of this machine."""
    from pykala.spend.ledger import LEDGER, Ledger
    from pykala.spend.shared_ledger import SharedLedger

    address = records_address(library)
    return SharedLedger(address) if address else Ledger(settings.cache / LEDGER)


def drafting(settings: Settings, library: Path) -> Drafting | None:
    """The model that drafts answers; None without a model or key."""
    if not settings.model.is_set:
        return None
    from pykala.draft.drafting import drafting_from
    from pykala.spend.meter import Caps

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
        ledger=ledger(settings, library),
        budget=settings.model_budget,
    )


def judge(settings: Settings, library: Path) -> Judge | None:
    """The model that confirms or rejects candidates; None where none is set."""
    if not settings.grader.is_set:
        return None
    from pykala.draft.judging import Judge
    from pykala.models.configure import GRADER_KEY

    return Judge(*_writer_and_meter(settings.grader, settings, library, GRADER_KEY))


def guide(settings: Settings, library: Path) -> Guide | None:
    """The model that writes general guidance; None where none is set."""
    if not settings.guidance.is_set:
        return None
    from pykala.draft.general import Guide
    from pykala.models.configure import GUIDANCE_KEY

    return Guide(*_writer_and_meter(settings.guidance, settings, library, GUIDANCE_KEY))


def _writer_and_meter(
    chosen: ModelSettings, settings: Settings, library: Path, key_variable: str
) -> tuple[Writer, Meter]:
    """A further model, with the key and address of the drafting model unless it has its own."""
    from pykala.draft.drafting import writer_and_meter
    from pykala.spend.meter import Caps

    first = settings.model
    same = chosen.name.partition("/")[0] == first.name.partition("/")[0]
    return writer_and_meter(
        chosen.name,
        key=chosen.key or (first.key if same else ""),
        address=chosen.address or (first.address if same else ""),
        price=chosen.price or (first.price if chosen.name == first.name else ""),
        caps=Caps(settings.answer_cap, settings.month_cap),
        ledger=ledger(settings, library),
        key_variable=key_variable,
    )


def adviser(settings: Settings, library: Path) -> Adviser | None:
    """The service for second opinions; None without a service or key."""
    chosen = settings.second_opinion
    if not chosen.is_set:
        return None
    from pykala.draft.second_opinion import adviser_from
    from pykala.spend.meter import Caps

    return adviser_from(
        model=chosen.name,
        key=chosen.key,
        address=chosen.address,
        price=chosen.price,
        caps=Caps(settings.answer_cap, settings.month_cap),
        ledger=ledger(settings, library),
    )
