"""The parts that answering needs: a store, packs and models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pykala.models.embedder import Embedder
from pykala.models.reranker import Reranker
from pykala.packs.pack import Pack
from pykala.retrieve.calibration import Case, Weighing
from pykala.retrieve.in_use import ModelsInUse, models_in_use
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions
from pykala.retrieve.question import Question
from pykala.stores.store import State, Store


@dataclass(frozen=True, slots=True)
class Engine:
    """A store, its packs, and optional models."""

    store: Store
    packs: Mapping[str, Pack]
    embedder: Embedder | None = None
    options: AskOptions = DEFAULT_OPTIONS
    reranker: Reranker | None = None
    calibration: Mapping[Case, Weighing] | None = None  # what was learned for these models; see in_use.py
    state: State | None = None  # the store's state, where it is known and does not change


def with_working_models(question: Question, engine: Engine) -> tuple[ModelsInUse, Engine]:
    """Keep the models that work, with their weights; report those that fail."""
    options = engine.options
    models = models_in_use(
        question.meaning_text,
        question.language,
        engine.embedder if options.vectors else None,
        engine.reranker if options.reranker else None,
        engine.calibration,
    )
    return models, replace(
        engine, embedder=models.embedder, reranker=models.reranker, calibration=models.weights
    )
