"""`/v1/embeddings`: the library's own embedder in OpenAI's shape.

The embedder may read questions and documents differently, in one space. The model's name says which a text
is: `pykala-embeddings` reads documents, `pykala-embeddings-query` questions.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.http.speaking import DOCUMENTS, EMBEDDERS, QUESTIONS, require_model
from pykala.interfaces.records import openai as shapes
from pykala.interfaces.serving.problems import Problem
from pykala.library import Library
from pykala.models.embedder import Role
from pykala.text.tokens import count_tokens

_MOST_TEXTS = 256
_LONGEST_TEXT = 20_000

Text = Annotated[str, StringConstraints(min_length=1, max_length=_LONGEST_TEXT)]


class EmbeddingsAsked(BaseModel):
    """Texts to encode; token numbers are refused, because they belong to another model."""

    model_config = ConfigDict(
        extra="allow", json_schema_extra={"examples": [{"model": QUESTIONS, "input": "tax on dividends"}]}
    )
    input: Text | Annotated[list[Text], Field(min_length=1, max_length=_MOST_TEXTS)]
    model: Annotated[str, StringConstraints(max_length=100)] = DOCUMENTS
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = Field(
        default=None, ge=1, description="The library's own number, or left out: vectors are not cut."
    )


def routes(state: SharedState) -> APIRouter:
    """The route."""
    router = APIRouter(prefix="/v1", tags=["chat"])

    @router.post(
        "/embeddings",
        response_model=shapes.Embeddings,
        responses=problems("unknown-model", "not-json"),
        summary="Vectors of texts by the library's own embedder",
    )
    async def embed(request: Request, asked: EmbeddingsAsked) -> JSONResponse:
        require_model(asked.model, EMBEDDERS)
        return await state.read(request, lambda library: _embedded(library, asked))

    return router


def _embedded(library: Library, asked: EmbeddingsAsked) -> shapes.Embeddings:
    embedder = library.embedder
    if embedder is None:
        raise Problem("unknown-model", "this library has no vectors: it is searched by words alone")
    if asked.dimensions not in (None, embedder.dimension):
        raise Problem(
            "invalid-request",
            f"dimensions: vectors here have {embedder.dimension}; give that, or leave it out",
        )
    texts = [asked.input] if isinstance(asked.input, str) else asked.input
    role: Role = "query" if asked.model == QUESTIONS else "document"
    vectors = embedder.encode(texts, role).astype("<f4")
    as_text = asked.encoding_format == "base64"
    tokens = sum(map(count_tokens, texts))
    data = [
        shapes.EmbeddingLine(
            index=place, embedding=b64encode(one.tobytes()).decode() if as_text else one.tolist()
        )
        for place, one in enumerate(vectors)
    ]
    usage = shapes.EmbeddingUsage(prompt_tokens=tokens, total_tokens=tokens)
    return shapes.Embeddings(model=asked.model, data=data, usage=usage)
