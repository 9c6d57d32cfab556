"""The European Union: treaties and acts from EUR-Lex in all their states, in English and French."""

from __future__ import annotations

from .jurisdiction import EuropeanUnionPack

__all__ = ["EuropeanUnionPack", "pack"]

pack = EuropeanUnionPack()
