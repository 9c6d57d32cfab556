"""Cite acts by their usual name: what amended, repealed or enacted a provision."""

from __future__ import annotations

from collections.abc import Mapping

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Work, WorkKind
from pykala.packs.pack import Pack
from pykala.stores.store import Store, UnknownProvision


def act_citation(act: WorkId, store: Store, packs: Mapping[str, Pack], language: str) -> str:
    """The citation of an act, as its pack writes it; its number where the library lacks it."""
    pack = packs.get(act.jurisdiction)
    if pack is None:
        return str(act)
    try:
        return pack.cite(ProvisionId(act), store.work(act), language)
    except UnknownProvision:
        # A work without titles is cited by its identifier, and the pack adds its number: "fi:act:2015/1549
        # (1549/2015)".
        bare = pack.cite(ProvisionId(act), Work(act, WorkKind.ACT, 0), language)
        return bare.replace(str(act), "").strip(" ()") or str(act)
