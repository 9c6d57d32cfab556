"""New York City: Title 11 (Taxation and Finance) of the Administrative Code."""

from __future__ import annotations

from pykala.packs.nyc.jurisdiction import NewYorkCityPack

__all__ = ["NewYorkCityPack", "pack"]

pack = NewYorkCityPack()
