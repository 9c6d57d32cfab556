"""Canada: federal acts and regulations from the Justice Laws XML, in English and French."""

from __future__ import annotations

from pykala.packs.canada.jurisdiction import CanadaPack

__all__ = ["CanadaPack", "pack"]

pack = CanadaPack()
